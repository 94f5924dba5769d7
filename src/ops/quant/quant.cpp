// Quantized matrices: calls of their ops with gradients, and what their kernels do on the host.
#include "ops/quant/quant.h"

#include <array>
#include <cstring>

#include "base/fail.h"
#include "base/thread_pool.h"
#include "graph/op.h"
#include "ops/autocast.h"

namespace tessera::ops {

namespace {

struct QuantParams {
  std::uint32_t n, units, m;
};

/// The elements of unit `u`, from the planes, in the plainest way.
void load_unit(BlockFormat format, std::span<const std::span<const std::byte>> planes, std::size_t u, float* out) {
  const BlockInfo& info = block_info(format);
  const auto word = [&](std::size_t plane, std::size_t i) {
    std::uint32_t w = 0;
    std::memcpy(&w, planes[plane].data() + i * 4, 4);
    return w;
  };
  const auto half = [](std::uint32_t bits) {
    Half h;
    h.bits = static_cast<std::uint16_t>(bits);
    return static_cast<float>(h);
  };
  const bool super = info.elements == 256;
  const std::size_t high = super ? 3 : 2;
  float scale = 0;
  float low = 0;
  if (format == BlockFormat::kQ4_1) {
    scale = half(word(1, u / 2));
    low = -half(word(1, u / 2) >> 16U);
  } else if (format == BlockFormat::kQ6_K) {
    const auto s = static_cast<std::int8_t>(word(1, u / 4) >> (u % 4 * 8));
    scale = half(word(2, u / 16)) * static_cast<float>(s);
    low = 32 * scale;
  } else if (super) {
    const std::uint32_t s = word(1, u / 4) >> (u / 2 % 2 * 16);
    scale = half(word(2, u / 16)) * static_cast<float>(s & 255U);
    low = half(word(2, u / 16) >> 16U) * static_cast<float>(s >> 8U & 255U);
  } else {
    scale = half(word(1, u / 4) >> (u / 2 % 2 * 16));
    low = format == BlockFormat::kQ4_0 ? 8 * scale : format == BlockFormat::kQ5_0 ? 16 * scale : 0;
  }
  for (std::size_t e = 0; e < 16; ++e) {
    if (info.bits == 8) {
      out[e] = scale * static_cast<float>(static_cast<std::int8_t>(word(0, u * 4 + e / 4) >> (e % 4 * 8)));
      continue;
    }
    std::uint32_t q = word(0, u * 2 + e / 8) >> (e % 4 * 8 + e % 8 / 4 * 4) & 15U;
    if (info.high_bits == 1) q |= (word(high, u / 2) >> (u % 2 * 16 + e) & 1U) << 4U;
    if (info.high_bits == 2) q |= (word(high, u) >> (e * 2) & 3U) << 4U;
    out[e] = scale * static_cast<float>(q) - low;
  }
}

QuantParams params_of(const CustomHostCall& call) {
  QuantParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  return p;
}

}  // namespace

void dequantize_host(BlockFormat format, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  const std::int64_t units = static_cast<std::int64_t>(p.n) * p.units;
  ThreadPool::global().parallel_for(units, 1024, [&](std::int64_t b, std::int64_t e) {
    for (auto u = static_cast<std::size_t>(b); u < static_cast<std::size_t>(e); ++u) {
      load_unit(format, call.inputs, u, out + u * 16);
    }
  });
}

namespace {

/// The rows of x, the last input, in f32: it may be strided.
template <class T>
std::vector<float> rows_of(const CustomHostCall& call, std::size_t rows, std::size_t k) {
  const T* x = reinterpret_cast<const T*>(call.inputs.back().data());
  const InputStrides s = call.strides(call.inputs.size() - 1);
  std::vector<float> out;
  out.reserve(rows * k);
  for (std::uint32_t m = 0; m < rows; ++m) {
    const T* row = x + std::size_t{s.offset + m * s.strides[0]} * 4;
    for (std::size_t i = 0; i < k; ++i) out.push_back(static_cast<float>(row[i]));
  }
  return out;
}

}  // namespace

void quantized_matmul_host(BlockFormat format, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  const std::size_t k = std::size_t{p.units} * 16;
  const DType dtype = call.input_tensors.back().dtype;
  const std::vector<float> x = dtype == DType::kF16    ? rows_of<Half>(call, p.m, k)
                               : dtype == DType::kBF16 ? rows_of<BFloat16>(call, p.m, k)
                                                       : rows_of<float>(call, p.m, k);
  ThreadPool::global().parallel_for(p.n, 8, [&](std::int64_t b, std::int64_t e) {
    std::vector<float> row(k);
    for (auto n = static_cast<std::size_t>(b); n < static_cast<std::size_t>(e); ++n) {
      for (std::size_t u = 0; u < p.units; ++u) load_unit(format, call.inputs, n * p.units + u, row.data() + u * 16);
      for (std::size_t m = 0; m < p.m; ++m) {
        std::array<float, 16> parts{};
        for (std::size_t i = 0; i < k; ++i) parts[i % 16] += row[i] * x[m * k + i];
        float sum = 0;
        for (const float part : parts) sum += part;
        out[m * p.n + n] = sum;
      }
    }
  });
}

NodePtr dequantize(const QuantizedNode& q, DType dtype) {
  if (!is_float(dtype)) fail(ErrorKind::kDType, "dequantize: the type is {}; a float is expected.", name(dtype));
  const auto made = call("dequantize", to_attributes(QuantCall{q.format}), q.planes, {{DType::kF32, {q.n, q.k}}});
  return cast(made[0], dtype);
}

bool is_dequantize(const Node& node) { return node.op() == Op::kCall && node.call().call->op == "dequantize"; }

NodePtr quantized_matmul(const NodePtr& x, const QuantizedNode& q) {
  const Shape& s = x->shape();
  if (s.rank() == 0 || s.back() != q.k) {
    fail(ErrorKind::kShape, "matmul: x is {} and the quantized matrix is [{}, {}]; the last axes must be equal.",
         s.str(), q.n, q.k);
  }
  if (const std::int64_t numel = q.n * q.k; numel > 0xffffffffLL) {
    throw Error(ErrorKind::kLimit,
                fmt::format("matmul: a quantized matrix of {} elements was given; kernels count at most {}.", numel,
                            0xffffffffLL),
                {.requested = static_cast<std::uint64_t>(numel), .available = 0xffffffffULL, .op = "matmul"});
  }
  const DType dtype = is_float(x->dtype()) ? low_dtype({x->dtype()}) : DType::kF32;
  const std::int64_t rows = s.numel() / std::max<std::int64_t>(q.k, 1);
  Shape shape = s;
  shape[s.rank() - 1] = q.n;
  const NodePtr flat = reshape(cast(x, dtype), {rows, q.k});
  std::vector<NodePtr> inputs = q.planes;
  inputs.push_back(flat);
  const NodePtr y = call("quantized_matmul", to_attributes(QuantCall{q.format}), std::move(inputs),
                         {{dtype, {rows, q.n}}}, /*any_size=*/true)[0];
  const NodePtr result = with_gradient("matmul with a quantized matrix", {flat}, y,
                                       [q, dtype](const Gradient::Call& call) -> std::vector<NodePtr> {
                                         if (call.gradients[0] == nullptr) return {nullptr};
                                         return {matmul(call.gradients[0], dequantize(q, dtype))};
                                       });
  return reshape(result, shape);
}

}  // namespace tessera::ops
