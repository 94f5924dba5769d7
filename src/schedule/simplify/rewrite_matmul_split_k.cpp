// Rewrite rule: split-K. A small matmul with a long sum on a GPU becomes a batch of matmuls over parts of k and their
// sum.
#include <algorithm>

#include "schedule/fuse/inline.h"
#include "schedule/lower/operand.h"
#include "schedule/simplify/rewrite_matmul.h"

namespace tessera::schedule {

namespace {

/// When k is split: matmuls of few tiles leave a GPU idle otherwise. Measured on a large GPU
/// with 16x256 to 1024x1024 results and k from 1024 to 65536.
struct SplitRule {
  std::int64_t tiles;  // times pieces, at most
  std::int64_t width;  // of a piece, at least
  std::int64_t k;      // at least
};
constexpr SplitRule kPlainSplitK{256, 256, 1024};
constexpr SplitRule kTensorCoreSplitK{1024, 512, 4096};  // of tensor cores, which are through a step sooner
/// Of convolutions, whose loads take longer: measured on layers of 64 channels at 56x56 to 512 at 7x7 that wait for
/// each other, for 1 to 32 images; the second pair for channels last.
constexpr SplitRule kPlainIm2colBSplitK{512, 128, 512};
constexpr SplitRule kTensorCoreIm2colBSplitK{512, 512, 1024};
constexpr SplitRule kPlainIm2colASplitK{512, 128, 1024};
constexpr SplitRule kTensorCoreIm2colASplitK{512, 256, 2048};
constexpr std::int64_t kTile = 64;  // rows and columns
constexpr std::int64_t kMaxSplits = 64;
constexpr std::int64_t kManyTiles = 64;  // from here on it takes a k of four times that length

/// Weight gradients, whose sum is over all tokens of a batch, fill the last round of large tiles badly. On a large GPU
/// with k = 8192, 8 pieces of 3072x768 took 0.59 of the time in f32 and 0.56 in f16 (4 pieces 0.59), of 2304x768 0.86
/// in f32, 4 pieces of 768x768 0.74 and 0.94 (8 pieces in f16 1.8), with AdamW behind the sum.
constexpr std::int64_t kLargeTile = 128;
constexpr std::int64_t kPlainLongPiece = 1024, kTensorCoreLongPiece = 2048;  // k of a piece, at least
constexpr std::int64_t kMaxLongPieces = 8;
constexpr std::int64_t kWellFilled = 90;    // percent
constexpr std::int64_t kLongSum = 8192;     // at least
constexpr std::int64_t kLongSumEdge = 512;  // rows and columns, at least: fewer have smaller tiles

/// How much of the rounds of workgroups has work to do, in percent.
std::int64_t filled(std::int64_t tiles, std::int64_t at_once) {
  return 100 * tiles / (ceil_div(tiles, at_once) * at_once);
}

/// The fewest pieces of a long sum that fill the rounds well, else those that fill them best.
std::int64_t filling_splits(const Rewriter& out, const Shape& c, std::int64_t k, bool matrices) {
  const std::int64_t at_once = out.model().workgroups / 2;  // large tiles have twice the registers
  const int rank = c.rank();
  std::int64_t tiles = ceil_div(c[rank - 2], kLargeTile) * ceil_div(c[rank - 1], kLargeTile);
  for (int i = 0; i < rank - 2; ++i) tiles *= c[i];
  if (k < kLongSum || std::min(c[rank - 2], c[rank - 1]) < kLongSumEdge || tiles >= 2 * at_once) return 1;
  const std::int64_t most = std::min(kMaxLongPieces, k / (matrices ? kTensorCoreLongPiece : kPlainLongPiece));
  std::int64_t best = 1;
  for (std::int64_t pieces = 2; pieces <= most && filled(tiles * best, at_once) < kWellFilled; pieces *= 2) {
    if (filled(tiles * pieces, at_once) >= filled(tiles * best, at_once)) best = pieces;
  }
  return best;
}

/// Into how many pieces k is split at most; below 2: not at all.
std::int64_t max_splits(const Rewriter& out, const Shape& c, std::int64_t k, DType t, bool im2col_a, bool im2col_b) {
  const int rank = c.rank();
  const bool matrices =
      out.model().tensor_cores && (t == DType::kF16 || (out.device().reduced_precision && is_float(t)));
  const SplitRule& rule = im2col_a   ? (matrices ? kTensorCoreIm2colASplitK : kPlainIm2colASplitK)
                          : im2col_b ? (matrices ? kTensorCoreIm2colBSplitK : kPlainIm2colBSplitK)
                                     : (matrices ? kTensorCoreSplitK : kPlainSplitK);
  std::int64_t tiles = ceil_div(c[rank - 2], kTile) * ceil_div(c[rank - 1], kTile) * out.model().relative_size;
  for (int i = 0; i < rank - 2; ++i) tiles *= c[i];
  const std::int64_t filling = im2col_a || im2col_b ? 1 : filling_splits(out, c, k, matrices);
  if (k < rule.k * (tiles > kManyTiles ? 4 : 1)) return filling;
  return std::max(filling, std::min({rule.tiles / tiles, k / rule.width, kMaxSplits}));
}

/// The sum over a batch of matmuls, one for each part of k; -1 where the parts have no im2col view, as those of a
/// convolution that divide a channel (channels last: a tap).
int split_k(Rewriter& out, const Graph::Entry& e, const std::vector<int>& inputs, std::int64_t k, std::int64_t pieces) {
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

bool matches(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kMatmul; }

bool legal(const Rewriter& out, const Graph::Entry& e) {
  const Shape& c = e.node->shape();
  return out.gpu() && out.longest_row() == kAnyRow && c.rank() < kMaxRank && c.numel() > 0 && !is_gemv(out, e);
}

int rewrite(Rewriter& out, const Graph::Entry& e) {
  const std::vector<int> inputs = readable_operands(out, e.inputs);
  if (dequantizable(out.graph(), inputs[1]) >= 0) return -1;
  const std::int64_t k = depth(out, e);
  const bool im2col_a = !is_strided_operand(out.graph(), inputs[0]);
  const bool im2col_b = !is_strided_operand(out.graph(), inputs[1]);
  const std::int64_t whole = k % 8 == 0 ? k / 8 : k;  // rows of whole quads stay so
  for (std::int64_t most = max_splits(out, e.node->shape(), k, e.node->dtype(), im2col_a, im2col_b); most > 1;) {
    const std::int64_t pieces = divisor(whole, most);
    const int result = pieces > 1 ? split_k(out, e, inputs, k, pieces) : -1;
    if (result >= 0) return result;
    most = pieces - 1;
  }
  return -1;
}

}  // namespace

extern const RewriteRule kMatmulSplitK{"split-K", matches, legal, rewrite};

}  // namespace tessera::schedule
