// The public scans, sorts and scatters: each hands its tensors' nodes to the op of the same name.
#include "tessera/sort.h"

#include "base/fail.h"
#include "ops/sort.h"

namespace tessera {

namespace {

const NodePtr& node(const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "An empty Tensor was given as an operand; it holds no value.");
  return t.node();
}

Indexed indexed(const std::pair<NodePtr, NodePtr>& found) { return {Tensor(found.first), Tensor(found.second)}; }

}  // namespace

Tensor cumsum(const Tensor& x, int axis) { return Tensor(ops::cumsum(node(x), axis)); }
Tensor cumprod(const Tensor& x, int axis) { return Tensor(ops::cumprod(node(x), axis)); }
Tensor logcumsumexp(const Tensor& x, int axis) { return Tensor(ops::logcumsumexp(node(x), axis)); }
Indexed cummax(const Tensor& x, int axis) { return indexed(ops::cummax(node(x), axis)); }
Indexed cummin(const Tensor& x, int axis) { return indexed(ops::cummin(node(x), axis)); }

Tensor sort(const Tensor& x, int axis, bool descending) { return sort_with_indices(x, axis, descending).values; }
Indexed sort_with_indices(const Tensor& x, int axis, bool descending) {
  return indexed(ops::sort(node(x), axis, descending));
}
Tensor argsort(const Tensor& x, int axis, bool descending, bool /*stable*/) {
  return Tensor(ops::argsort(node(x), axis, descending));
}
Indexed topk(const Tensor& x, std::int64_t k, int axis, bool largest) {
  return indexed(ops::topk(node(x), k, axis, largest));
}
Tensor median(const Tensor& x, int axis, bool keepdims) { return Tensor(ops::median(node(x), axis, keepdims)); }
Tensor quantile(const Tensor& x, double q, int axis, bool keepdims) {
  return Tensor(ops::quantile(node(x), {&q, 1}, axis, keepdims, true));
}
Tensor quantile(const Tensor& x, const std::vector<double>& q, int axis, bool keepdims) {
  return Tensor(ops::quantile(node(x), q, axis, keepdims, false));
}
Tensor searchsorted(const Tensor& sorted, const Tensor& values, bool right) {
  return Tensor(ops::searchsorted(node(sorted), node(values), right));
}

Tensor scatter(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis, Scatter mode) {
  return Tensor(ops::scatter(node(x), node(indices), node(updates), axis, static_cast<ops::ScatterMode>(mode)));
}
Tensor scatter_add(const Tensor& x, const Tensor& indices, const Tensor& updates, int axis) {
  return scatter(x, indices, updates, axis, Scatter::kAdd);
}
Tensor index_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source) {
  return Tensor(ops::index_add(node(x), axis, node(index), node(source)));
}

}  // namespace tessera
