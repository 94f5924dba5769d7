// Rewrite rule: a row is one workgroup's on a GPU, so a few long rows are reduced in stages: pieces of them first, then
// the pieces' results.
#include <algorithm>
#include <limits>

#include "base/ints.h"
#include "schedule/kernel.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

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

/// A reduction of what another one made, itself in stages where its rows are too long.
int reduce(Rewriter& out, Op op, DType dtype, const Shape& shape, int input) {
  auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, Node::Inputs{out.graph()[input].node});
  const Graph::Entry e{std::move(node), {input}, nullptr};
  return reduce_cols(*e.node, out.graph().node(input)) > out.longest_row() ? apply_rules(out, e) : out.add(e);
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

bool is_arg(Op op) { return op == Op::kArgMax || op == Op::kArgMin; }

bool matches(const Rewriter& out, const Graph::Entry& e) { return out.gpu() && is_reduction(e.op()); }

bool legal(const Rewriter& out, const Graph::Entry& e) {
  const std::int64_t rows = e.node->numel();
  const std::int64_t cols = reduce_cols(*e.node, out.graph().node(e.inputs[0]));
  const bool pays = rows < out.model().few_rows && cols > out.model().long_row;
  return rows > 0 && (pays || cols > out.longest_row());
}

int rewrite(Rewriter& out, const Graph::Entry& e) {
  const int input = e.inputs[0];
  const std::int64_t rows = e.node->numel();
  const std::int64_t cols = reduce_cols(*e.node, out.graph().node(input));
  const DType t = out.graph().node(input).dtype();
  const std::int64_t pieces = ceil_div(cols, std::min(out.model().stage_cols, out.longest_row()));
  const std::int64_t width = ceil_div(cols, pieces);
  const int matrix = out.reshape(input, Shape{rows, cols});
  int padded = matrix;
  if (pieces * width != cols) {
    const Op like = e.op() == Op::kArgMax ? Op::kMax : (e.op() == Op::kArgMin ? Op::kMin : e.op());
    const int value = out.make(Op::kScalar, t, {}, {}, identity_of(like, t));
    const int fill =
        out.make_view_of(value, {{rows * pieces * width, 0}}, out.split(value), Shape{rows, pieces * width});
    padded = out.make(Op::kPad, t, {rows, pieces * width}, {matrix, fill}, PadLow{{0, 0}});
  }
  if (is_arg(e.op())) return arg_stages(out, e, padded, rows, pieces, width);
  const DType between = wide_float(e.node->dtype());
  const int first = out.make(e.op(), between, {rows, pieces}, {padded});
  return reduce(out, e.op(), e.node->dtype(), e.node->shape(), first);
}

}  // namespace

int second_stage(Rewriter& out, Op op, const Graph::Entry& e, int parts, std::int64_t rows, std::int64_t pieces) {
  const int transposed = out.make_view_of(parts, {{rows, 1}, {pieces, rows}}, out.split(parts), Shape{rows, pieces});
  return reduce(out, op, e.node->dtype(), e.node->shape(), transposed);
}

extern const RewriteRule kStagedReduction{"staged reduction", matches, legal, rewrite};

}  // namespace tessera::schedule
