// Public functions of quantized matrices.
#include "tessera/quant.h"

#include <cmath>

#include "api/catalog_rows.h"
#include "base/fail.h"
#include "base/sizes.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"
#include "runtime/registry.h"

namespace tessera {

catalog::Rows catalog::quant() {
  static constexpr std::array kRows{
      Row{"Quantized weights", "Q4_0, Q4_1, Q5_0, Q8_0, Q4_K, Q5_K, Q6_K", kNoGradient, kKernel, "dequantize"},
      Row{"Quantized weights", "f32, f16, bf16 times Q4_0 to Q6_K", kGradient, kKernel, "quantized matmul", kLow},
  };
  return kRows;
}

namespace {

ops::BlockFormat inner(QuantFormat f) { return static_cast<ops::BlockFormat>(f); }

void check_whole(QuantFormat format, std::size_t bytes) {
  if (bytes % block_bytes(format) != 0) {
    fail(ErrorKind::kValue, "dequantize_blocks: {} bytes are not whole blocks of {}, which have {} bytes each.", bytes,
         name(format), block_bytes(format));
  }
}

ops::QuantizedNode node_of(const QuantizedTensor& q) {
  if (!q.defined()) fail(ErrorKind::kValue, "An empty QuantizedTensor was given; it holds no value.");
  ops::QuantizedNode n{inner(q.format()), q.shape()[0], q.shape()[1], {}};
  for (const Tensor& t : q.planes()) n.planes.push_back(t.node());
  return n;
}

}  // namespace

std::string_view name(QuantFormat format) { return ops::block_info(inner(format)).name; }
std::int64_t block_elements(QuantFormat format) { return ops::block_info(inner(format)).elements; }
std::size_t block_bytes(QuantFormat format) { return ops::block_info(inner(format)).bytes; }

std::vector<float> dequantize_blocks(QuantFormat format, std::span<const std::byte> blocks) {
  check_whole(format, blocks.size());
  const std::size_t count = blocks.size() / block_bytes(format);
  const auto each = static_cast<std::size_t>(block_elements(format));
  std::vector<float> out(count * each);
  for (std::size_t i = 0; i < count; ++i) {
    ops::dequantize_block(inner(format), blocks.data() + i * block_bytes(format), out.data() + i * each);
  }
  return out;
}

std::vector<std::byte> quantize_blocks(QuantFormat format, std::span<const float> elements) {
  if (format != QuantFormat::kQ4_0 && format != QuantFormat::kQ8_0) {
    fail(ErrorKind::kUnsupported, "quantize: {} is read but not made; Q4_0 and Q8_0 are.", name(format));
  }
  const auto each = static_cast<std::size_t>(block_elements(format));
  if (elements.size() % each != 0) {
    fail(ErrorKind::kValue, "quantize: {} elements are not whole blocks of {}.", elements.size(), each);
  }
  // The scale of a block is an f16: 127 steps reach the largest value in Q8_0, 8 in Q4_0.
  const float most = 65504.0F * (format == QuantFormat::kQ8_0 ? 127 : 8);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!(std::abs(elements[i]) <= most)) {
      fail(ErrorKind::kValue, "quantize: element {} is {}; {} holds finite numbers up to {}.", i, elements[i],
           name(format), most);
    }
  }
  std::vector<std::byte> out(elements.size() / each * block_bytes(format));
  for (std::size_t i = 0; i < elements.size() / each; ++i) {
    ops::quantize_block(inner(format), elements.data() + i * each, out.data() + i * block_bytes(format));
  }
  return out;
}

QuantizedTensor QuantizedTensor::from_blocks(QuantFormat format, std::span<const std::byte> blocks, const Shape& shape,
                                             const Device& device) {
  if (shape.rank() != 2 || shape[0] < 1 || shape[1] < 1 || shape[1] % block_elements(format) != 0) {
    fail(ErrorKind::kShape,
         "QuantizedTensor: the shape is {}; [N, K] is expected, with K a multiple of the {} elements of a block of {}.",
         shape.str(), block_elements(format), name(format));
  }
  const std::int64_t numel = checked_numel("QuantizedTensor", shape);
  const std::size_t expected = static_cast<std::size_t>(numel / block_elements(format)) * block_bytes(format);
  if (blocks.size() != expected) {
    fail(ErrorKind::kValue, "QuantizedTensor: {} bytes were given for {} in {}, which has {}.", blocks.size(),
         shape.str(), name(format), expected);
  }
  QuantizedTensor q;
  q.format_ = format;
  q.shape_ = shape;
  const ops::Planes planes = ops::repack(inner(format), blocks);
  for (const auto* plane : planes.all()) {
    q.planes_.push_back(Tensor::from_bytes(plane->data(), plane->size(), DType::kU32,
                                           Shape{static_cast<std::int64_t>(plane->size())}, device));
  }
  return q;
}

QuantizedTensor QuantizedTensor::quantize(const Tensor& x, QuantFormat format) {
  if (x.rank() != 2) fail(ErrorKind::kShape, "quantize: the shape is {}; [N, K] is expected.", x.shape().str());
  const std::vector<float> elements = x.astype(DType::kF32).to_vector<float>();
  return from_blocks(format, quantize_blocks(format, elements), x.shape(), x.device());
}

Device QuantizedTensor::device() const { return planes_.empty() ? Device() : planes_[0].device(); }

std::size_t QuantizedTensor::bytes() const {
  std::size_t total = 0;
  for (const Tensor& t : planes_) total += static_cast<std::size_t>(t.numel()) * 4;
  return total;
}

Tensor dequantize(const QuantizedTensor& q, DType dtype) {
  const ops::QuantizedNode n = node_of(q);
  runtime::check_type("dequantize", dtype, q.device().info());
  return Tensor(ops::dequantize(n, dtype));
}

Tensor matmul(const Tensor& x, const QuantizedTensor& q) {
  if (!x.defined()) fail(ErrorKind::kValue, "An empty Tensor was given as an operand; it holds no value.");
  return Tensor(ops::quantized_matmul(x.node(), node_of(q)));
}

}  // namespace tessera
