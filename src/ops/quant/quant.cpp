// Quantized matrices: calls of their ops with gradients, and what their kernels do on the host.
#include "ops/quant/quant.h"

#include <array>
#include <cstring>

#include "base/fail.h"
#include "base/thread_pool.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/quant/quant_dot.h"

namespace tessera::ops {

namespace {

struct QuantParams {
  std::uint32_t n, units, m;
};

/// The elements of unit `u`, from the planes, in the plainest way.
void load_unit(DType dtype, std::span<const std::span<const std::byte>> planes, std::size_t u, float* out) {
  const BlockLayout& layout = block_layout(dtype);
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
  const std::size_t high = layout.has_supers() ? 3 : 2;
  const float d = layout.has_supers() ? half(word(2, u / 16)) : 0;
  const float dmin = layout.has_minimum() && layout.has_supers() ? half(word(2, u / 16) >> 16U) : 0;
  float scale = 0;
  float min = 0;
  switch (layout.scales) {
    case BlockScales::kHalf:
      scale = half(word(1, u / 4) >> (u / 2 % 2 * 16));
      break;
    case BlockScales::kHalfPair:
      scale = half(word(1, u / 2));
      min = -half(word(1, u / 2) >> 16U);
      break;
    case BlockScales::kBytes16:
      scale = d * static_cast<float>(static_cast<std::int8_t>(word(1, u / 4) >> (u % 4 * 8)));
      break;
    case BlockScales::kBytes32:
      scale = d * static_cast<float>(static_cast<std::int8_t>(word(1, u / 8) >> (u / 2 % 4 * 8)));
      break;
    case BlockScales::kBytePairs: {
      const std::uint32_t s = word(1, u / 4) >> (u / 2 % 2 * 16);
      scale = d * static_cast<float>(s & 255U);
      min = dmin * static_cast<float>(s >> 8U & 255U);
      break;
    }
    case BlockScales::kNibblePairs: {
      const std::uint32_t s = word(1, u / 4) >> (u % 4 * 8);
      scale = d * static_cast<float>(s & 15U);
      min = dmin * static_cast<float>(s >> 4U & 15U);
      break;
    }
    case BlockScales::kExponent:
      scale = exponent_scale(word(1, u / 8) >> (u / 2 % 4 * 8) & 255U);
      break;
  }
  for (std::size_t e = 0; e < 16; ++e) {
    std::uint32_t q = 0;
    if (layout.bits == 8) q = word(0, u * 4 + e / 4) >> (e % 4 * 8) & 255U;
    if (layout.bits == 4) q = word(0, u * 2 + e / 8) >> (e % 4 * 8 + e % 8 / 4 * 4) & 15U;
    if (layout.bits == 2) q = word(0, u) >> (e % 4 * 8 + e / 4 * 2) & 3U;
    if (layout.high_bits == 1) q |= (word(high, u / 2) >> (u % 2 * 16 + e) & 1U) << layout.bits;
    if (layout.high_bits == 2) q |= (word(high, u) >> (e * 2) & 3U) << layout.bits;
    int value = layout.bits == 8 ? static_cast<std::int8_t>(q) : static_cast<int>(q) - layout.zero;
    if (layout.codes != BlockCodes::kInteger) value = code_value(layout.codes, q);
    out[e] = scale * static_cast<float>(value) - min;
  }
}

QuantParams params_of(const CustomHostCall& call) {
  QuantParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  return p;
}

}  // namespace

void dequantize_host(DType dtype, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  if (dequantize_rows(dtype, call.inputs, p.n, std::size_t{p.units} * 16, out)) return;
  const std::int64_t units = static_cast<std::int64_t>(p.n) * p.units;
  ThreadPool::global().parallel_for(units, 1024, [&](std::int64_t b, std::int64_t e) {
    for (auto u = static_cast<std::size_t>(b); u < static_cast<std::size_t>(e); ++u) {
      load_unit(dtype, call.inputs, u, out + u * 16);
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

void quantized_matmul_host(DType dtype, const CustomHostCall& call) {
  const QuantParams p = params_of(call);
  auto* out = reinterpret_cast<float*>(call.outputs[0].data());
  const std::size_t k = std::size_t{p.units} * 16;
  const DType x_dtype = call.input_tensors.back().dtype;
  const InputStrides s = call.strides(call.inputs.size() - 1);
  const std::size_t four = 4 * size_of(x_dtype);
  if (integer_matmul({.dtype = dtype,
                      .planes = call.inputs.first(call.inputs.size() - 1),
                      .n = p.n,
                      .k = k,
                      .m = p.m,
                      .x_dtype = x_dtype,
                      .x = call.inputs.back().data() + s.offset * four,
                      .x_stride = static_cast<std::int32_t>(s.strides[0]) * static_cast<std::ptrdiff_t>(four),
                      .out = out})) {
    return;
  }
  const std::vector<float> x = x_dtype == DType::kF16    ? rows_of<Half>(call, p.m, k)
                               : x_dtype == DType::kBF16 ? rows_of<BFloat16>(call, p.m, k)
                                                         : rows_of<float>(call, p.m, k);
  ThreadPool::global().parallel_for(p.n, 8, [&](std::int64_t b, std::int64_t e) {
    std::vector<float> row(k);
    for (auto n = static_cast<std::size_t>(b); n < static_cast<std::size_t>(e); ++n) {
      for (std::size_t u = 0; u < p.units; ++u) load_unit(dtype, call.inputs, n * p.units + u, row.data() + u * 16);
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
  if (!is_float(dtype)) {
    fail(ErrorKind::kDType, "dequantize: the dtype is {}; a float dtype is expected for a tensor of dtype {}.",
         name(dtype), name(q.dtype));
  }
  if (q.n == 0) return full({q.n, q.k}, cast(number(0), dtype), q.planes[0]->device());
  const auto made = call("dequantize", to_attributes(QuantCall{q.dtype}), q.planes, {{DType::kF32, {q.n, q.k}}});
  return cast(made[0], dtype);
}

bool is_dequantize(const Node& node) { return node.op() == Op::kCall && node.call().call->op == "dequantize"; }

namespace {

/// The rows of a tensor of a block dtype, as a matrix.
QuantizedNode matrix_of(const NodePtr& x) {
  std::shared_ptr<const Node::Inputs> hold;
  const std::vector<NodePtr>& planes = planes_of(*x, hold);
  const Shape& s = x->shape();
  const std::int64_t k = is_transposed(*x) ? s[s.rank() - 2] : s.back();
  return {x->dtype(), k == 0 ? 0 : x->numel() / k, k, planes};
}

/// x [.., k] times the transpose of q.
NodePtr quantized_matmul(const NodePtr& x, const QuantizedNode& q) {
  const Shape& s = x->shape();
  if (const std::int64_t numel = q.n * q.k; numel > 0xffffffffLL) {
    throw Error(ErrorKind::kLimit,
                fmt::format("matmul: a tensor of dtype {} with {} elements was given; kernels count at most {}.",
                            name(q.dtype), numel, 0xffffffffLL),
                {.requested = static_cast<std::uint64_t>(numel), .available = 0xffffffffULL, .op = "matmul"});
  }
  const DType dtype = is_float(x->dtype()) ? low_dtype({x->dtype()}) : DType::kF32;
  const std::int64_t rows = s.numel() / std::max<std::int64_t>(q.k, 1);
  Shape shape = s;
  shape[s.rank() - 1] = q.n;
  const NodePtr flat = reshape(cast(x, dtype), {rows, q.k});
  std::vector<NodePtr> inputs = q.planes;
  inputs.push_back(flat);
  const NodePtr y = call("quantized_matmul", to_attributes(QuantCall{q.dtype}), std::move(inputs),
                         {{dtype, {rows, q.n}}}, /*any_size=*/true)[0];
  const NodePtr result = with_gradient("matmul with a quantized matrix", {flat}, y,
                                       [q, dtype](const Gradient::Call& call) -> std::vector<NodePtr> {
                                         if (call.gradients[0] == nullptr) return {nullptr};
                                         return {matmul(call.gradients[0], dequantize(q, dtype))};
                                       });
  return reshape(result, shape);
}

}  // namespace

NodePtr quantize(const NodePtr& x, DType dtype) {
  const std::int64_t each = info(dtype).elements;
  const std::int64_t count = x->numel() / each;
  if (count == 0) {
    std::vector<NodePtr> none;
    for (const TensorSpec& s : plane_specs(dtype, 0))
      none.push_back(full(s.shape, scalar({std::int64_t{0}}, s.dtype), x->device()));
    return blocks(dtype, x->shape(), std::move(none));
  }
  const NodePtr rows = reshape(cast(stop_gradient(x), DType::kF32), {count, each});
  return blocks(
      dtype, x->shape(),
      call("quantize", to_attributes(QuantCall{dtype}), {rows}, plane_specs(dtype, count), /*any_size=*/true));
}

NodePtr dequantize(const NodePtr& q, DType dtype) {
  if (!is_block(q->dtype())) {
    fail(ErrorKind::kDType, "dequantize: a tensor of dtype {} was given; a block dtype is expected.", name(q->dtype()));
  }
  const Shape& s = q->shape();
  const NodePtr flat = dequantize(matrix_of(q), dtype);
  if (!is_transposed(*q)) return reshape(flat, s);
  Shape turned = s;
  std::swap(turned[s.rank() - 2], turned[s.rank() - 1]);
  return swap_axes(reshape(flat, turned), -2, -1);
}

NodePtr matmul_blocks(const NodePtr& a, const NodePtr& b) {
  if (is_block(a->dtype()) && is_block(b->dtype())) refuse_blocks("matmul of two tensors of block dtypes", b->dtype());
  if (is_block(a->dtype())) return matmul(dequantize(a, float_of(b)), b);
  const Shape& s = a->shape();
  const QuantizedNode q = matrix_of(b);
  const bool matrix = b->shape().rank() == 2 && is_transposed(*b) && q.n > 0;
  if (matrix && s.rank() > 0 && s.back() == q.k) return quantized_matmul(a, q);
  return matmul(a, dequantize(b, float_of(a)));  // batches of matrices, rows times [n, k], and errors of shapes
}

}  // namespace tessera::ops
