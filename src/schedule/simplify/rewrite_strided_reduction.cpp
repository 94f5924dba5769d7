// Rewrite rule: reductions on a GPU over columns that lie far apart are cut into pieces, which are reduced side by
// side.
#include <algorithm>
#include <cstdlib>

#include "schedule/kernel.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// What a reduction streams: the largest buffer behind node n, and how far apart two elements of n lie in it.
/// Elementwise nodes in between are computed where they are read.
struct Streamed {
  std::int64_t elements = 0;
  std::int64_t stride = 1;
};
Streamed streamed(const Rewriter& out, int n, std::int64_t first, std::int64_t second, int depth) {
  const Graph::Entry& e = out.graph()[n];
  if (e.op() == Op::kView) {
    const View& view = e.node->view();
    return streamed(out, e.inputs[0], view.map(first), view.map(second), depth);
  }
  if (depth == 0 || !is_elementwise(e.op()))
    return {e.op() == Op::kScalar ? 0 : e.node->numel(), std::abs(second - first)};
  Streamed largest;
  for (const int in : e.inputs) {
    const Streamed x = streamed(out, in, first, second, depth - 1);
    if (x.elements > largest.elements) largest = x;
  }
  return largest;
}

bool matches(const Rewriter& out, const Graph::Entry& e) {
  return out.gpu() && is_reduction(e.op()) && e.op() != Op::kArgMax && e.op() != Op::kArgMin;
}

bool legal(const Rewriter& out, const Graph::Entry& e) {
  const std::int64_t rows = e.node->numel();
  const std::int64_t cols = reduce_cols(*e.node, out.graph().node(e.inputs[0]));
  return rows > 0 && rows < out.model().invocations / 2 && cols >= 512 && cols <= out.longest_row() &&
         streamed(out, e.inputs[0], 0, 1, 4).stride > 1;
}

/// Columns that lie far apart are summed by one invocation each row; pieces of them keep a GPU busy. Invocations that
/// follow each other take neighbouring rows, so the pieces' results lie [pieces, rows].
int rewrite(Rewriter& out, const Graph::Entry& e) {
  const int input = e.inputs[0];
  const std::int64_t rows = e.node->numel();
  const std::int64_t cols = reduce_cols(*e.node, out.graph().node(input));
  SplitView from = out.split(input);
  std::size_t first = from.dims.size();
  for (std::int64_t inner = 1; first > 0 && inner < cols;) inner *= from.dims[--first].size;
  while (first < from.dims.size() && from.dims[first].size == 1) ++first;
  if (first == from.dims.size()) return -1;
  // Images and places of channels-last images are one dim.
  while (first + 1 < from.dims.size() &&
         from.dims[first].stride == from.dims[first + 1].size * from.dims[first + 1].stride) {
    from.dims[first + 1].size *= from.dims[first].size;
    from.dims.erase(from.dims.begin() + static_cast<std::ptrdiff_t>(first));
  }
  const Dim outer = from.dims[first];
  const std::int64_t pieces = divisor(outer.size, std::min(out.model().invocations / rows, cols / 32));
  if (pieces < 2) return -1;
  std::vector<Dim> dims{{pieces, outer.stride * (outer.size / pieces)}};
  dims.insert(dims.end(), from.dims.begin(), from.dims.end());
  dims[first + 1].size /= pieces;
  const int cut = out.make_view_of(input, std::move(dims), from, Shape{pieces, rows, cols / pieces});
  const int parts = out.make(e.op(), wide_float(e.node->dtype()), {pieces, rows}, {cut});
  return second_stage(out, e.op(), e, parts, rows, pieces);
}

}  // namespace

extern const RewriteRule kStridedReduction{"strided reduction", matches, legal, rewrite};

}  // namespace tessera::schedule
