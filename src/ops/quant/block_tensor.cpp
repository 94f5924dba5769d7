// Tensors of block dtypes: nodes of their planes, and movement of whole rows as movement of the planes' words.
#include <numeric>

#include "base/fail.h"
#include "graph/op.h"
#include "ops/index/index.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

void refuse_blocks(std::string_view what, DType dtype) {
  fail(ErrorKind::kDType,
       "{}: a tensor of the block dtype {} was given, which only matmul, linear, embedding, take and slices of whole "
       "rows read. Dequantize it first, by astype(f16).",
       what, name(dtype));
}

void check_block_shape(std::string_view what, DType dtype, const Shape& shape) {
  const std::int64_t each = info(dtype).elements;
  if (shape.rank() == 0 || shape.back() < 1 || shape.back() % each != 0) {
    fail(ErrorKind::kShape,
         "{}: the shape is {}; [.., K] is expected, with K a multiple of the {} elements of a block of {}.", what,
         shape.str(), each, name(dtype));
  }
}

NodePtr blocks(DType dtype, const Shape& shape, std::vector<NodePtr> planes, bool transposed) {
  return call("blocks", to_attributes(BlocksCall{transposed}), std::move(planes), {{dtype, shape}}, true)[0];
}

bool is_transposed(const Node& blocks) {
  return from_attributes<BlocksCall>(blocks.call().call->attributes).transposed;
}

const std::vector<NodePtr>& planes_of(const Node& blocks, std::shared_ptr<const Node::Inputs>& hold) {
  hold = blocks.inputs();
  return *hold;
}

namespace {

NodePtr word(std::uint32_t value) { return scalar({std::int64_t{value}}, DType::kU32); }

/// Scales of 8 or 16 bits share words: the number of blocks in a word of the plane `scales`; 1: none do.
std::int64_t blocks_in_word(DType dtype) {
  const BlockScales scales = block_layout(dtype).scales;
  return scales == BlockScales::kHalf ? 2 : scales == BlockScales::kExponent ? 4 : 1;
}

/// 0, 32 / n, .. for the n blocks of a word.
NodePtr shifts(std::int64_t n, const std::shared_ptr<runtime::Device>& device) {
  return cast(arange(0, 32, static_cast<double>(32 / n), DType::kI32, device), DType::kU32);
}

/// A word for each block, from a plane of words that several blocks share; and the reverse.
NodePtr spread(const NodePtr& plane, std::int64_t n, std::int64_t count) {
  const NodePtr all =
      elementwise(Op::kBitwiseAnd, {elementwise(Op::kRightShift, {expand_dims(plane, 1), shifts(n, plane->device())}),
                                    word(n == 2 ? 0xffffU : 0xffU)});
  const Range whole{0, count, 1};
  return slice(reshape(all, {plane->numel() * n}), std::span(&whole, 1));
}
NodePtr gathered(const NodePtr& words, std::int64_t n) {
  const std::pair<std::int64_t, std::int64_t> width{0, (n - words->numel() % n) % n};
  const NodePtr padded = pad(words, std::span(&width, 1), word(0));
  const NodePtr placed = elementwise(Op::kLeftShift, {reshape(padded, {-1, n}), shifts(n, words->device())});
  return cast(sum(placed, std::vector<int>{1}, false), DType::kU32);
}

/// x with rows moved: `move` is applied to each plane as [rows, words of a row].
template <class F>
NodePtr move_rows(const NodePtr& x, const Shape& shape, const F& move) {
  const DType dtype = x->dtype();
  const std::int64_t k = x->shape().back();
  const std::int64_t row_blocks = k / info(dtype).elements;
  const std::int64_t rows = x->numel() / k;
  const std::int64_t shared = blocks_in_word(dtype);
  std::shared_ptr<const Node::Inputs> hold;
  std::vector<NodePtr> planes = planes_of(*x, hold);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const bool split = i == 1 && row_blocks % shared != 0;  // a row ends inside of a word
    const NodePtr words = split ? spread(planes[i], shared, rows * row_blocks) : planes[i];
    const NodePtr moved = move(reshape(words, {rows, words->numel() / std::max<std::int64_t>(rows, 1)}));
    const NodePtr flat = reshape(moved, {moved->numel()});
    planes[i] = split ? gathered(flat, shared) : contiguous(flat);
  }
  return blocks(dtype, shape, std::move(planes));
}

void check_not_transposed(std::string_view what, const Node& x) {
  if (!is_transposed(x)) return;
  fail(ErrorKind::kDType,
       "{}: a transposed tensor of the block dtype {} was given, which only matmul reads. Move rows before T(), or "
       "dequantize it first, by astype(f16).",
       what, name(x.dtype()));
}

}  // namespace

void check_reshape_of_blocks(const Node& x, const Shape& shape) {
  if (shape == x.shape()) return;
  check_not_transposed("reshape", x);
  if (shape.rank() == 0 || shape.back() != x.shape().back()) {
    fail(ErrorKind::kDType,
         "reshape: {} of the block dtype {} was to become {}; the last axis is in blocks and stays. Dequantize it "
         "first, by astype(f16).",
         x.shape().str(), name(x.dtype()), shape.str());
  }
}

NodePtr reshape_blocks(const NodePtr& x, const Shape& shape) {
  std::shared_ptr<const Node::Inputs> hold;
  return blocks(x->dtype(), shape, planes_of(*x, hold));
}

NodePtr permute_blocks(const NodePtr& x, std::span<const int> order) {
  std::vector<int> plain(order.size());
  std::iota(plain.begin(), plain.end(), 0);
  if (std::ranges::equal(plain, order)) return x;
  if (order.size() >= 2) std::swap(plain[plain.size() - 2], plain[plain.size() - 1]);
  if (!std::ranges::equal(plain, order)) {
    fail(ErrorKind::kDType,
         "permute: a tensor of the block dtype {} was given; only its last two axes can be swapped, for matmul. "
         "Dequantize it first, by astype(f16).",
         name(x->dtype()));
  }
  Shape shape = x->shape();
  std::swap(shape[shape.rank() - 2], shape[shape.rank() - 1]);
  std::shared_ptr<const Node::Inputs> hold;
  return blocks(x->dtype(), shape, planes_of(*x, hold), !is_transposed(*x));
}

NodePtr slice_blocks(const NodePtr& x, const Shape& shape, std::span<const Range> ranges) {
  if (shape == x->shape() && std::ranges::all_of(ranges, [](const Range& r) { return r.step == 1; })) return x;
  check_not_transposed("slice", *x);
  const auto last = static_cast<std::size_t>(shape.rank()) - 1;
  if (shape.back() != x->shape().back() || (ranges.size() > last && ranges[last].step != 1)) {
    fail(ErrorKind::kDType,
         "slice: a part of the last axis of {} was asked for; the block dtype {} has slices of whole rows. Dequantize "
         "it first, by astype(f16).",
         x->shape().str(), name(x->dtype()));
  }
  return move_rows(x, shape, [&](const NodePtr& plane) {
    Shape split = x->shape();
    split[split.rank() - 1] = plane->shape()[1];
    return slice(reshape(plane, split), ranges.first(std::min(ranges.size(), last)));
  });
}

NodePtr take_blocks(const NodePtr& x, const NodePtr& positions) {
  check_not_transposed("take", *x);
  if (x->shape().rank() < 2) {
    fail(ErrorKind::kShape, "take: rows of {} in the block dtype {} were asked for; [N, .., K] is expected.",
         x->shape().str(), name(x->dtype()));
  }
  if (x->shape().rank() > 2) {  // whole matrices, such as those of experts: rows of all of their blocks
    std::shared_ptr<const Node::Inputs> hold;
    const std::int64_t n = x->shape()[0];
    const NodePtr flat = blocks(x->dtype(), {n, n == 0 ? x->shape().back() : x->numel() / n}, planes_of(*x, hold));
    const NodePtr taken = take_blocks(flat, positions);
    Shape shape = positions->shape();
    for (int i = 1; i < x->shape().rank(); ++i) shape.push_back(x->shape()[i]);
    return blocks(x->dtype(), shape, planes_of(*taken, hold));
  }
  const NodePtr rows = reshape(checked_index(positions, x->shape()[0]), {positions->numel(), 1});
  Shape shape = positions->shape();
  shape.push_back(x->shape()[1]);
  return move_rows(x, shape, [&](const NodePtr& plane) {
    const std::int64_t words = plane->shape()[1];
    const NodePtr at = elementwise(Op::kMultiply, {rows, scalar({words}, DType::kI32)});
    const NodePtr within = arange(0, static_cast<double>(words), 1, DType::kI32, plane->device());
    return gather(reshape(plane, {plane->numel()}), elementwise(Op::kAdd, {at, within}));
  });
}

}  // namespace tessera::ops
