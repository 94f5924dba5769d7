// Reductions on a GPU: a row is one workgroup's, so few long ones are reduced in stages.
#include <algorithm>
#include <limits>

#include "schedule/kernel.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// Rows below which, and columns above which, one workgroup a row leaves a GPU idle.
constexpr std::int64_t kFewRows = 256;
constexpr std::int64_t kLongRow = 16384;
constexpr std::int64_t kStageCols = 4096;  // what one row of the first stage reduces

Scalar identity_of(Op op, DType t) {
  switch (op) {
    case Op::kProd:
      return {std::int64_t{1}};
    case Op::kMax:
      if (is_float(t)) return {-std::numeric_limits<double>::infinity()};
      if (info(t).kind != DTypeKind::kSigned) return {std::int64_t{0}};
      return {static_cast<std::int64_t>(~0ULL << (size_of(t) * 8 - 1))};
    case Op::kMin:
      if (is_float(t)) return {std::numeric_limits<double>::infinity()};
      if (t == DType::kBool) return {std::int64_t{1}};
      if (info(t).kind == DTypeKind::kUnsigned) return {static_cast<std::uint64_t>(~0ULL) >> (64 - size_of(t) * 8)};
      return {static_cast<std::int64_t>(~(~0ULL << (size_of(t) * 8 - 1)))};
    default:
      return {std::int64_t{0}};
  }
}

/// The stride along the columns of the largest buffer behind a node: what a reduction over them streams.
std::pair<std::int64_t, std::int64_t> streamed(const Rewriter& out, int n, int depth) {  // (elements, stride)
  const Graph::Entry& e = out.graph()[n];
  if (e.op() == Op::kView) {
    const View& view = e.node->view();
    const std::int64_t base = out.graph().node(e.inputs[0]).numel();
    return {base, view.identity() || view.levels[0].dims.empty() ? 1 : view.levels[0].dims.back().stride};
  }
  std::pair<std::int64_t, std::int64_t> result{e.op() == Op::kScalar ? 0 : e.node->numel(), 1};
  if (depth == 0 || !is_elementwise(e.op())) return result;
  result = {0, 1};
  for (const int in : e.inputs) result = std::max(result, streamed(out, in, depth - 1));
  return result;
}

/// Columns that lie far apart are summed by one invocation each row; pieces of them keep a GPU busy. Invocations that
/// follow each other take neighbouring rows, so the pieces' results lie [pieces, rows].
int strided_reduction(Rewriter& out, const Graph::Entry& e, int input, std::int64_t rows, std::int64_t cols) {
  const SplitView from = out.split(input);
  std::size_t first = from.dims.size();
  for (std::int64_t inner = 1; first > 0 && inner < cols;) inner *= from.dims[--first].size;
  while (first < from.dims.size() && from.dims[first].size == 1) ++first;
  if (first == from.dims.size()) return -1;
  const Dim outer = from.dims[first];
  const std::int64_t pieces = divisor(outer.size, std::min(kBusy / rows, cols / 32));
  if (pieces < 2) return -1;
  std::vector<Dim> dims{{pieces, outer.stride * (outer.size / pieces)}};
  dims.insert(dims.end(), from.dims.begin(), from.dims.end());
  dims[first + 1].size /= pieces;
  const int cut = out.make_view_of(input, std::move(dims), from, Shape{pieces, rows, cols / pieces});
  const int parts = out.make(e.op(), wide_float(e.node->dtype()), {pieces, rows}, {cut});
  return second_stage(out, e.op(), e, parts, rows, pieces);
}

/// A reduction of what another one made, itself in stages where its rows are too long.
int reduce(Rewriter& out, Op op, DType dtype, const Shape& shape, int input) {
  auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, Node::Inputs{out.graph()[input].node});
  const Graph::Entry e{std::move(node), {input}, nullptr};
  return reduce_cols(*e.node, out.graph().node(input)) > out.longest_row() ? rewrite_reduction(out, e, input)
                                                                           : out.add(e);
}

/// The best piece of a row, and the place in it: the first of equals wins in both, and NaN wins over all.
int arg_stages(Rewriter& out, const Graph::Entry& e, int padded, std::int64_t rows, std::int64_t pieces,
               std::int64_t width) {
  const DType t = e.node->dtype();
  const DType value = out.graph().node(padded).dtype();
  const Op best = e.op() == Op::kArgMax ? Op::kMax : Op::kMin;
  const Shape cut{rows, pieces, width};
  const int matrix = out.reshape(padded, cut);
  const int values = out.make(best, value, {rows, pieces}, {matrix});
  const int places = out.make(e.op(), t, {rows, pieces}, {matrix});
  const int piece = reduce(out, e.op(), t, {rows}, values);
  const auto spread = [&](int x, std::vector<Dim> dims) {
    return out.make_view_of(x, std::move(dims), out.split(x), Shape{rows, pieces});
  };
  const int numbers = spread(out.make(Op::kIota, t, {pieces}, {}), {{rows, 0}, {pieces, 1}});
  const int same =
      out.make(Op::kEqual, DType::kBool, {rows, pieces}, {numbers, spread(piece, {{rows, 1}, {pieces, 0}})});
  const int zero = out.make(Op::kScalar, t, {}, {}, Scalar{std::int64_t{0}});
  const int chosen = out.make(Op::kWhere, t, {rows, pieces}, {same, places, spread(zero, {{rows, 0}, {pieces, 0}})});
  const int place = reduce(out, Op::kSum, t, {rows}, chosen);
  const int times = out.make(Op::kScalar, t, {}, {}, Scalar{width});
  const int start =
      out.make(Op::kMultiply, t, {rows}, {piece, out.make_view_of(times, {{rows, 0}}, out.split(times), {rows})});
  return out.reshape(out.make(Op::kAdd, t, {rows}, {start, place}), e.node->shape());
}

}  // namespace

int second_stage(Rewriter& out, Op op, const Graph::Entry& e, int parts, std::int64_t rows, std::int64_t pieces) {
  const int turned = out.make_view_of(parts, {{rows, 1}, {pieces, rows}}, out.split(parts), Shape{rows, pieces});
  return reduce(out, op, e.node->dtype(), e.node->shape(), turned);
}

int rewrite_reduction(Rewriter& out, const Graph::Entry& e, int input) {
  const Node& x = out.graph().node(input);
  const std::int64_t rows = e.node->numel();
  const std::int64_t cols = reduce_cols(*e.node, x);
  const bool arg = e.op() == Op::kArgMax || e.op() == Op::kArgMin;
  const bool long_row = rows > 0 && cols > out.longest_row();
  if (!arg && !long_row && rows > 0 && rows < kBusy / 2 && cols >= 512 && streamed(out, input, 4).second != 1) {
    const int result = strided_reduction(out, e, input, rows, cols);
    if (result >= 0) return result;
  }
  const bool staged = rows > 0 && rows < kFewRows && cols > kLongRow && !arg;
  if (!staged && !long_row) return out.add({e.node, {input}, nullptr});
  const DType t = x.dtype();
  const std::int64_t pieces = ceil_div(cols, std::min(kStageCols, out.longest_row()));
  const std::int64_t width = (cols + pieces - 1) / pieces;
  const int matrix = out.reshape(input, Shape{rows, cols});
  int padded = matrix;
  if (pieces * width != cols) {
    const Op like = e.op() == Op::kArgMax ? Op::kMax : (e.op() == Op::kArgMin ? Op::kMin : e.op());
    const int value = out.make(Op::kScalar, t, {}, {}, identity_of(like, t));
    const int fill =
        out.make_view_of(value, {{rows * pieces * width, 0}}, out.split(value), Shape{rows, pieces * width});
    padded = out.make(Op::kPad, t, {rows, pieces * width}, {matrix, fill}, PadLow{{0, 0}});
  }
  if (arg) return arg_stages(out, e, padded, rows, pieces, width);
  const DType between = wide_float(e.node->dtype());
  const int first = out.make(e.op(), between, {rows, pieces}, {padded});
  return reduce(out, e.op(), e.node->dtype(), e.node->shape(), first);
}

}  // namespace tessera::schedule
