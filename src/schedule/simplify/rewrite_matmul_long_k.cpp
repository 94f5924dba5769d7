// Rewrite rule: a sum longer than one binding allows is split along k, and the matmuls of the parts are added.
#include <algorithm>

#include "schedule/simplify/rewrite_matmul.h"

namespace tessera::schedule {

namespace {

bool matches(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kMatmul; }

bool legal(const Rewriter& out, const Graph::Entry& e) { return depth(out, e) > out.longest_row(); }

/// The matmuls of all parts of k, each added to the one before; halves are kept in f32 until the end.
int rewrite(Rewriter& out, const Graph::Entry& e) {
  const std::vector<int> inputs = readable_operands(out, e.inputs);
  const std::int64_t k = depth(out, e);
  const DType t = e.node->dtype();
  const DType between = wide_float(t);
  const Shape c = e.node->shape();
  const auto rank = static_cast<std::size_t>(c.rank());
  const std::int64_t pieces = ceil_div(k, out.longest_row());
  const std::int64_t width = ceil_div(k, pieces);
  int total = -1;
  for (std::int64_t first = 0; first < k; first += width) {
    const std::int64_t count = std::min(width, k - first);
    std::vector<int> parts;
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
      SplitView from = out.split(inputs[which]);
      const std::size_t axis = which == 0 ? rank - 1 : rank - 2;
      from.offset += first * from.dims[axis].stride;
      std::vector<Dim> dims = from.dims;
      dims[axis].size = count;
      parts.push_back(out.make_view_of(inputs[which], std::move(dims), from));
    }
    const int matmul = out.make(Op::kMatmul, between, c, std::move(parts));
    total = total < 0 ? matmul : out.make(Op::kAdd, between, c, {matmul, total});
  }
  return between == t ? total : out.make(Op::kCast, t, c, {total});
}

}  // namespace

extern const RewriteRule kMatmulLongK{"matmul with a long k", matches, legal, rewrite};

}  // namespace tessera::schedule
