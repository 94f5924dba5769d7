// Public functions of tensors of block dtypes.
#include "tessera/quant.h"

#include "api/arguments.h"
#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "base/thread_pool.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"
#include "tessera/async.h"
#include "tessera/host.h"

namespace tessera {

catalog::Rows catalog::quant() {
  static constexpr std::array kRows{
      Row{"Quantized weights", "block dtypes", kNoGradient, kKernel, "dequantize"},
      Row{"Quantized weights", "floats", kNoGradient, kKernel, "quantize"},
  };
  return kRows;
}

namespace {

void check_block_dtype(std::string_view what, DType dtype) {
  if (is_block(dtype)) return;
  std::string known;
  for (const DTypeInfo& i : kBlockDTypeInfo) known += (known.empty() ? "" : ", ") + std::string(i.name);
  fail(ErrorKind::kDType, "{}: the dtype is {}; a block dtype is expected, one of {}.", what, name(dtype), known);
}

/// Calls fn for each block, on threads.
template <class F>
void for_blocks(std::size_t count, const F& fn) {
  ThreadPool::global().parallel_for(static_cast<std::int64_t>(count), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) fn(static_cast<std::size_t>(i));
  });
}

}  // namespace

std::vector<float> dequantize_blocks(DType dtype, std::span<const std::byte> blocks) {
  check_block_dtype("dequantize_blocks", dtype);
  if (blocks.size() % size_of(dtype) != 0) {
    fail(ErrorKind::kValue, "dequantize_blocks: {} bytes are not whole blocks of {}, which have {} bytes each.",
         blocks.size(), name(dtype), size_of(dtype));
  }
  const std::size_t count = blocks.size() / size_of(dtype);
  const auto each = static_cast<std::size_t>(info(dtype).elements);
  std::vector<float> out(count * each);
  for_blocks(count, [&](std::size_t i) {
    ops::dequantize_block(dtype, blocks.data() + i * size_of(dtype), out.data() + i * each);
  });
  return out;
}

std::vector<std::byte> quantize_blocks(DType dtype, std::span<const float> elements) {
  check_block_dtype("quantize", dtype);
  const auto each = static_cast<std::size_t>(info(dtype).elements);
  if (elements.size() % each != 0) {
    fail(ErrorKind::kValue, "quantize: {} elements are not whole blocks of {}.", elements.size(), each);
  }
  std::vector<std::byte> out(elements.size() / each * size_of(dtype));
  for_blocks(elements.size() / each, [&](std::size_t i) {
    ops::quantize_block(dtype, elements.data() + i * each, i * each, out.data() + i * size_of(dtype));
  });
  return out;
}

Tensor from_blocks(DType dtype, std::span<const std::byte> bytes, const Shape& shape, const Device& device) {
  check_block_dtype("from_blocks", dtype);
  const std::int64_t numel = checked_numel("from_blocks", shape, dtype);
  ops::check_block_shape("from_blocks", dtype, shape);
  if (bytes.size() != byte_size(dtype, numel)) {
    fail(ErrorKind::kValue, "from_blocks: {} bytes were given for {} in {}, which has {}.", bytes.size(), shape.str(),
         name(dtype), byte_size(dtype, numel));
  }
  std::vector<NodePtr> planes;
  for (ops::Words& plane : ops::repack(dtype, bytes)) {
    const Shape words{static_cast<std::int64_t>(plane.size())};
    const auto owned = std::make_shared<const ops::Words>(std::move(plane));
    planes.push_back(from_host({std::as_bytes(std::span(*owned)), owned, false}, DType::kU32, words, device).node());
  }
  return Tensor(ops::blocks(dtype, shape, std::move(planes)));
}

namespace {

std::vector<Tensor> checked_planes(std::string_view what, const Tensor& q) {
  const NodePtr& node = node_of(q);
  check_block_dtype(what, node->dtype());
  if (ops::is_transposed(*node)) {
    fail(ErrorKind::kShape, "{}: a transposed tensor of shape {} was given; its T() has rows of blocks.", what,
         node->shape().str());
  }
  std::shared_ptr<const Node::Inputs> hold;
  std::vector<Tensor> planes;
  for (const NodePtr& plane : ops::planes_of(*node, hold)) planes.emplace_back(plane);
  return planes;
}

std::vector<std::byte> unpacked(const Tensor& q, const ops::Planes& words) {
  return ops::unpack(q.dtype(), words, static_cast<std::size_t>(q.numel() / info(q.dtype()).elements));
}

}  // namespace

Async<std::vector<std::byte>> read_blocks(const Tensor& q) {
  const std::vector<Tensor> planes = checked_planes("read_blocks", q);
  auto state = std::make_shared<detail::AsyncValue<std::vector<std::byte>>>(q.device().impl());
  const detail::Completion<std::vector<std::byte>> completion(state);
  read_all(planes).then([q, completion](Async<std::vector<std::vector<std::byte>>> finished) {
    try {
      ops::Planes words;
      for (const std::vector<std::byte>& plane : finished.get()) {
        ops::Words& to = words.emplace_back(plane.size() / sizeof(std::uint32_t));
        std::ranges::copy(plane, std::as_writable_bytes(std::span(to)).begin());
      }
      completion.finish(unpacked(q, words));
    } catch (...) {
      completion.finish({}, std::current_exception());
    }
  });
  return Async<std::vector<std::byte>>(std::move(state));
}

std::vector<std::byte> to_blocks(const Tensor& q) {
  const std::vector<Tensor> planes = checked_planes("to_blocks", q);
  eval(planes);
  ops::Planes words;
  for (const Tensor& plane : planes) {
    ops::Words& to = words.emplace_back(static_cast<std::size_t>(plane.numel()));
    read_into(plane, std::as_writable_bytes(std::span(to)));
  }
  return unpacked(q, words);
}

Tensor quantize(const Tensor& x, DType dtype) {
  const NodePtr& node = node_of(x);
  check_block_dtype("quantize", dtype);
  if (!is_float(node->dtype())) {
    fail(ErrorKind::kDType, "quantize: a tensor of dtype {} was given; a float dtype is expected.",
         name(node->dtype()));
  }
  ops::check_block_shape("quantize", dtype, node->shape());
  if (ops::quantizes_by_formula(dtype)) return Tensor(ops::quantize(node, dtype));
  const std::vector<float> elements = cast(x, f32).to_vector<float>();
  return from_blocks(dtype, quantize_blocks(dtype, elements), x.shape(), x.device());
}

Tensor dequantize(const Tensor& q, DType dtype) {
  const NodePtr& node = node_of(q);
  runtime::check_type("dequantize", dtype, q.device().info());
  return Tensor(ops::dequantize(node, dtype));
}

}  // namespace tessera
