// Matmuls: which are reductions, whose sums are cut into pieces, and which operands are read where they lie.
#include <algorithm>

#include "schedule/fuse/inline.h"
#include "schedule/lower/operand.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// A matmul with this few rows (or columns) is bound by reading its other operand: a reduction does that best.
constexpr std::int64_t kSkinny = 4;
constexpr std::int64_t kManyColumns = 64;

/// When k is cut into pieces that a GPU sums side by side: matmuls of few tiles leave it idle otherwise. Measured on a
/// large GPU with 16x256 to 1024x1024 results and k from 1024 to 65536.
struct SplitKRule {
  std::int64_t tiles;  // times pieces, at most
  std::int64_t width;  // of a piece, at least
  std::int64_t k;      // at least
};
constexpr SplitKRule kPlainSplitK{256, 256, 1024};
constexpr SplitKRule kTensorCoreSplitK{1024, 512, 4096};  // of tensor cores, which are through a step sooner
/// Of convolutions, whose loads take longer: measured on layers of 64 channels at 56x56 to 512 at 7x7 that wait for
/// each other, for 1 to 32 images; the second pair where channels lie last.
constexpr SplitKRule kPlainIm2colBSplitK{512, 128, 512};
constexpr SplitKRule kTensorCoreIm2colBSplitK{512, 512, 1024};
constexpr SplitKRule kPlainIm2colASplitK{512, 128, 1024};
constexpr SplitKRule kTensorCoreIm2colASplitK{512, 256, 2048};
constexpr std::int64_t kTile = 64;  // rows and columns
constexpr std::int64_t kMaxSplits = 64;
constexpr std::int64_t kManyTiles = 64;  // from here on it takes a k of four times that length
constexpr std::int64_t kSmaller = 8;     // than a large GPU: others need so many times fewer tiles

/// The sum over pieces of k, each added to the one before; halves are kept in f32 until the end.
int matmul_in_k_chunks(Rewriter& out, const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k) {
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

/// Into how many pieces k is cut at most; below 2: not at all.
std::int64_t max_splits(const Rewriter& out, const Shape& c, std::int64_t k, DType t, bool im2col_a, bool im2col_b) {
  const int rank = c.rank();
  if (!out.gpu() || out.longest_row() != kAnyRow || rank == kMaxRank || c.numel() == 0) return 1;
  const bool matrices =
      !out.device().matrices.empty() && (t == DType::kF16 || (out.device().reduced_precision && is_float(t)));
  const SplitKRule& rule = im2col_a   ? (matrices ? kTensorCoreIm2colASplitK : kPlainIm2colASplitK)
                           : im2col_b ? (matrices ? kTensorCoreIm2colBSplitK : kPlainIm2colBSplitK)
                                      : (matrices ? kTensorCoreSplitK : kPlainSplitK);
  const bool large = out.device().type != DeviceType::kIntegratedGpu && out.device().type != DeviceType::kSoftware;
  std::int64_t tiles = ceil_div(c[rank - 2], kTile) * ceil_div(c[rank - 1], kTile) * (large ? 1 : kSmaller);
  for (int i = 0; i < rank - 2; ++i) tiles *= c[i];
  if (k < rule.k * (tiles > kManyTiles ? 4 : 1)) return 1;
  return std::min({rule.tiles / tiles, k / rule.width, kMaxSplits});
}

/// Whether a GPU reads this operand where it lies. Maps know no windows.
bool read_as_im2col(const Rewriter& out, int in) {
  if (!out.gpu() || out.longest_row() != kAnyRow) return false;
  const auto map = im2col_view(out.graph(), in);
  return map.has_value() && out.graph().node(in).numel() > out.graph().node(map->base).numel();
}
bool readable(const Rewriter& out, int in) { return plain_operand(out.graph(), in) || read_as_im2col(out, in); }

/// The sum over pieces of k, which are matrices of one more batch; -1 where they cannot be read where they lie, as
/// pieces of a convolution's depth that divide a channel (or a tap, where channels lie last).
int split_k_matmul(Rewriter& out, const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k,
                   std::int64_t pieces) {
  const Shape c = e.node->shape();
  const auto rank = static_cast<std::size_t>(c.rank());
  std::vector<int> parts;
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    const SplitView from = out.split(inputs[which]);
    const std::size_t axis = which == 0 ? rank - 1 : rank - 2;
    std::vector<Dim> dims{{pieces, from.dims[axis].stride * (k / pieces)}};
    dims.insert(dims.end(), from.dims.begin(), from.dims.end());
    dims[axis + 1].size = k / pieces;
    parts.push_back(out.make_view_of(inputs[which], std::move(dims), from));
    if (!readable(out, parts.back())) return -1;
  }
  std::vector<std::int64_t> sizes{pieces};
  sizes.insert(sizes.end(), c.begin(), c.end());
  const int matmuls = out.make(Op::kMatmul, wide_float(e.node->dtype()), Shape(sizes), std::move(parts));
  return second_stage(out, Op::kSum, e, matmuls, c.numel(), pieces);
}

/// sum over k of a[.., m, 1, k] * b[.., 1, n, k], with the operands as expanded views.
int as_reduction(Rewriter& out, const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k) {
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
  // The larger operand decides how k is walked; far steps are cut in pieces as strided_reduction() does.
  const std::int64_t step = m < n ? ends_b[0].stride : ends_a[1].stride;
  const std::int64_t rows = batch * m * n;
  const bool cut_far = out.gpu() && k <= out.longest_row();
  const std::int64_t pieces = cut_far && step != 1 && rows > 0 && rows < kBusy / 2 && t != DType::kBool
                                  ? divisor(k, std::min(kBusy / rows, k / 32))
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
  const int multiplied = out.make(Op::kMultiply, compute, full, {wide_a, wide_b});
  const Op op = t == DType::kBool ? Op::kMax : Op::kSum;
  auto sum = std::make_shared<const Node>(op, t, c, nullptr, Node::Inputs{out.graph()[multiplied].node});
  const Graph::Entry whole{std::move(sum), {multiplied}, nullptr};
  if (k > out.longest_row()) return rewrite_reduction(out, whole, multiplied);
  if (pieces == 1) return out.add(whole);
  return second_stage(out, op, whole, out.make(op, compute, {pieces, rows}, {multiplied}), rows, pieces);
}

}  // namespace

int rewrite_matmul(Rewriter& out, const Graph::Entry& e, std::vector<int> inputs) {
  const DType t = e.node->dtype();
  const Shape a = out.graph().node(inputs[0]).shape();
  const Shape c = e.node->shape();
  const int rank = c.rank();
  const std::int64_t m = c[rank - 2];
  const std::int64_t n = c.back();
  const std::int64_t k = a.back();
  const bool wide = t == DType::kI64 || t == DType::kU64 || t == DType::kBool;
  // One row by a matrix whose rows lie in memory as they are has a kernel of its own among the matmuls.
  const bool streamed = out.longest_row() == kAnyRow && m == 1 && n >= kManyColumns && k >= kManyColumns &&
                        is_float(t) && plain_operand(out.graph(), inputs[0]) && plain_operand(out.graph(), inputs[1]) &&
                        out.split(inputs[1]).dims.back().stride == 1;
  if (wide || (out.gpu() && (m <= kSkinny || n <= kSkinny) && k > 0 && !streamed))
    return as_reduction(out, e, inputs, k);
  // An operand is read from memory with one stride for each axis, or through a map where that reads elements several
  // times; what is not so is written out first.
  for (int& in : inputs) {
    const Graph::Entry x = out.graph()[in];
    const Op base = x.op() == Op::kView ? out.graph()[x.inputs[0]].op() : x.op();
    if (base == Op::kScalar || base == Op::kIota || !readable(out, in)) {
      in = out.make(Op::kCopy, x.node->dtype(), x.node->shape(), {in});
    }
  }
  if (k > out.longest_row()) return matmul_in_k_chunks(out, e, inputs, k);
  if (!streamed && dequantizable(out.graph(), inputs[1]) < 0) {
    const bool im2col_a = !plain_operand(out.graph(), inputs[0]);
    const bool im2col_b = !plain_operand(out.graph(), inputs[1]);
    const std::int64_t whole = k % 8 == 0 ? k / 8 : k;  // rows of whole quads stay so
    for (std::int64_t most = max_splits(out, c, k, t, im2col_a, im2col_b); most > 1;) {
      const std::int64_t pieces = divisor(whole, most);
      const int result = pieces > 1 ? split_k_matmul(out, e, inputs, k, pieces) : -1;
      if (result >= 0) return result;
      most = pieces - 1;
    }
  }
  return out.add({e.node, std::move(inputs), nullptr});
}

}  // namespace tessera::schedule
