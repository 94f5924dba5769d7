// Written by tools/members.py: the members of Tensor that are ops of tessera/sort.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::argsort(int axis = -1, bool descending = false, bool stable = true) const {
  return tessera::argsort(self(), axis, descending, stable);
}
inline Tensor Members::bincount(std::int64_t minlength = 0) const { return tessera::bincount(self(), minlength); }
inline Indexed Members::cummax(int axis) const { return tessera::cummax(self(), axis); }
inline Indexed Members::cummin(int axis) const { return tessera::cummin(self(), axis); }
inline Tensor Members::cumprod(int axis) const { return tessera::cumprod(self(), axis); }
inline Tensor Members::cumsum(int axis) const { return tessera::cumsum(self(), axis); }
inline Tensor Members::histogram(std::int64_t bins, double low, double high) const {
  return tessera::histogram(self(), bins, low, high);
}
inline Tensor Members::index_add(int axis, const Tensor& index, const Tensor& source) const {
  return tessera::index_add(self(), axis, index, source);
}
inline Tensor Members::logcumsumexp(int axis) const { return tessera::logcumsumexp(self(), axis); }
inline Tensor Members::masked_select(const Tensor& mask) const { return tessera::masked_select(self(), mask); }
inline Tensor Members::median(int axis = -1, bool keepdims = false) const {
  return tessera::median(self(), axis, keepdims);
}
inline Tensor Members::nonzero() const { return tessera::nonzero(self()); }
inline Tensor Members::quantile(double q, int axis = -1, bool keepdims = false) const {
  return tessera::quantile(self(), q, axis, keepdims);
}
inline Tensor Members::quantile(const std::vector<double>& q, int axis = -1, bool keepdims = false) const {
  return tessera::quantile(self(), q, axis, keepdims);
}
inline Tensor Members::scatter(const Tensor& indices, const Tensor& updates, int axis,
                               Scatter mode = Scatter::kSet) const {
  return tessera::scatter(self(), indices, updates, axis, mode);
}
inline Tensor Members::scatter_add(const Tensor& indices, const Tensor& updates, int axis) const {
  return tessera::scatter_add(self(), indices, updates, axis);
}
inline Tensor Members::searchsorted(const Tensor& values, bool right = false) const {
  return tessera::searchsorted(self(), values, right);
}
inline Tensor Members::sort(int axis = -1, bool descending = false) const {
  return tessera::sort(self(), axis, descending);
}
inline Indexed Members::sort_with_indices(int axis = -1, bool descending = false) const {
  return tessera::sort_with_indices(self(), axis, descending);
}
inline Indexed Members::topk(std::int64_t k, int axis = -1, bool largest = true) const {
  return tessera::topk(self(), k, axis, largest);
}
inline Unique Members::unique() const { return tessera::unique(self()); }

}  // namespace detail
}  // namespace tessera
