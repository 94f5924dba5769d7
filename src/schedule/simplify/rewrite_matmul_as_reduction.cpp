// Rewrite rule: matmuls of few rows or columns are bound by reading their other operand, which a reduction does best;
// and matmuls of 64-bit integers and bool have no other kernel.
#include <algorithm>

#include "schedule/simplify/rewrite_matmul.h"

namespace tessera::schedule {

namespace {

constexpr std::int64_t kSkinny = 4;  // rows or columns

bool matches(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kMatmul; }

bool legal(const Rewriter& out, const Graph::Entry& e) {
  const DType t = e.node->dtype();
  if (t == DType::kI64 || t == DType::kU64 || t == DType::kBool) return true;
  const Shape& c = e.node->shape();
  const bool skinny = c[c.rank() - 2] <= kSkinny || c.back() <= kSkinny;
  return out.gpu() && skinny && depth(out, e) > 0 && !is_gemv(out, e);
}

/// sum over k of a[.., m, 1, k] * b[.., 1, n, k], with the operands as expanded views.
int rewrite(Rewriter& out, const Graph::Entry& e) {
  const std::vector<int>& inputs = e.inputs;
  const std::int64_t k = depth(out, e);
  const Shape c = e.node->shape();
  const DType t = e.node->dtype();
  const int rank = c.rank();
  std::int64_t batch = 1;
  for (int i = 0; i < rank - 2; ++i) batch *= c[i];
  const std::int64_t m = c[rank - 2];
  const std::int64_t n = c.back();
  const SplitView from_a = out.split(inputs[0]);
  const SplitView from_b = out.split(inputs[1]);
  const Dim* ends_a = &from_a.dims[static_cast<std::size_t>(rank) - 2];  // m, k
  const Dim* ends_b = &from_b.dims[static_cast<std::size_t>(rank) - 2];  // k, n
  // The larger operand decides how k is walked; far steps are cut in pieces as for strided reductions.
  const std::int64_t step = m < n ? ends_b[0].stride : ends_a[1].stride;
  const std::int64_t rows = batch * m * n;
  const bool cut_far = out.gpu() && k <= out.longest_row();
  const std::int64_t pieces =
      cut_far && step != 1 && rows > 0 && rows < out.model().invocations / 2 && t != DType::kBool
          ? divisor(k, std::min(out.model().invocations / rows, k / 32))
          : 1;
  const std::int64_t width = k / std::max<std::int64_t>(pieces, 1);
  const auto cut = [&](const SplitView& from, Dim outer_m, Dim outer_n, std::int64_t stride) {
    std::vector<Dim> dims{{pieces, width * stride}};
    dims.insert(dims.end(), from.dims.begin(), from.dims.end() - 2);
    dims.insert(dims.end(), {outer_m, outer_n, {width, stride}});
    return dims;
  };
  const Shape full{pieces, batch, m, n, width};
  const int a = out.make_view_of(inputs[0], cut(from_a, {m, ends_a[0].stride}, {n, 0}, ends_a[1].stride), from_a, full);
  const int b = out.make_view_of(inputs[1], cut(from_b, {m, 0}, {n, ends_b[1].stride}, ends_b[0].stride), from_b, full);
  const DType compute = wide_float(t);
  const int wide_a = compute == t ? a : out.make(Op::kCast, compute, full, {a});
  const int wide_b = compute == t ? b : out.make(Op::kCast, compute, full, {b});
  const int matmul = out.make(Op::kMultiply, compute, full, {wide_a, wide_b});
  const Op op = t == DType::kBool ? Op::kMax : Op::kSum;
  auto sum = std::make_shared<const Node>(op, t, c, nullptr, Node::Inputs{out.graph()[matmul].node});
  const Graph::Entry whole{std::move(sum), {matmul}, nullptr};
  if (k > out.longest_row()) return apply_rules(out, whole);
  if (pieces == 1) return out.add(whole);
  return second_stage(out, op, whole, out.make(op, compute, {pieces, rows}, {matmul}), rows, pieces);
}

}  // namespace

extern const RewriteRule kMatmulAsReduction{"matmul as reduction", matches, legal, rewrite};

}  // namespace tessera::schedule
