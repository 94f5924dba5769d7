// Lowering of quantization and of quantized matrices: a skinny matmul kernel that reads the planes for few rows, else a
// matmul of the dequantized matrix, which the matmul may dequantize on load.
#include "schedule/calls/quant.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ints.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::BlockLayout;
using ops::QuantCall;

/// The most rows of x for the skinny kernel (quant_matmul.wgsl).
constexpr std::int64_t kFewRows = 8;
constexpr std::uint32_t kThreads = 64;

/// The planes of a block dtype, in the order of ops::repack().
std::vector<KernelBinding> planes_of(const BlockLayout& layout) {
  std::vector<KernelBinding> planes{"quants", "scales"};
  if (layout.has_supers()) planes.emplace_back("supers");
  if (layout.high_bits > 0) planes.emplace_back("high");
  return planes;
}

CustomKernel base_kernel(DType dtype) {
  CustomKernel k;
  k.inputs = planes_of(ops::block_layout(dtype));
  k.params = u32_params({"n", "units", "m", "wrap"});
  k.workgroup = {kThreads, 1, 1};
  return k;
}

std::shared_ptr<const CustomKernel> dequantize_kernel(DType dtype) {
  return engine_kernel(fmt::format("dequantize_{}", name(dtype)), [&] {
    CustomKernel k = base_kernel(dtype);
    k.text = "quant_dequantize";
    k.variant = to_attributes(DequantizeVariant{dtype});
    k.outputs = {{"output", 4}};
    k.dequantizes = true;
    k.host = [dtype](const CustomHostCall& call) { ops::dequantize_host(dtype, call); };
    return k;
  });
}

std::shared_ptr<const CustomKernel> matmul_kernel(const QuantMatmulVariant& v) {
  return engine_kernel(fmt::format("quantized_matmul_{} {}", name(v.dtype), v.rows), [&] {
    CustomKernel k = base_kernel(v.dtype);
    k.name = fmt::format("quantized_matmul_{}", name(v.dtype));
    k.text = "quant_matmul";
    k.variant = to_attributes(v);
    k.inputs[0].width = ops::block_layout(v.dtype).bits / 2;
    KernelBinding& input = k.inputs.emplace_back("input", 4);
    input.convert = true;
    input.strided = true;
    k.outputs = {"output"};
    k.workgroup_bytes = std::uint64_t{4} * kThreads * static_cast<std::uint64_t>(v.rows * v.outputs);
    k.host = [dtype = v.dtype](const CustomHostCall& call) { ops::quantized_matmul_host(dtype, call); };
    return k;
  });
}

NodePtr run(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs, std::int64_t n,
            std::int64_t k, std::int64_t m, const Shape& shape, std::int64_t groups) {
  const std::array<std::uint32_t, 2> grid = grid_of(static_cast<std::uint64_t>(groups));
  return call_kernel(kernel, std::move(inputs), {{DType::kF32, shape}}, {word(n), word(k / 16), word(m), grid[0]},
                     static_cast<std::uint64_t>(groups))[0];
}

/// The rows of a matrix in parts of at most `most` rows, joined along `axis` of the result; f(planes, rows) makes a
/// part.
template <class F>
NodePtr in_parts(DType blocks, std::int64_t n, std::int64_t k, const std::vector<NodePtr>& planes, std::int64_t most,
                 int axis, const F& f) {
  if (n <= most) return f(planes, n);
  const NodePtr whole = ops::blocks(blocks, {n, k}, planes);
  std::vector<NodePtr> parts;
  for (std::int64_t first = 0; first < n; first += most) {
    const ops::Range rows{first, std::min(first + most, n), 1};
    const NodePtr part = ops::slice(whole, std::span(&rows, 1));
    std::shared_ptr<const Node::Inputs> hold;
    parts.push_back(f(ops::planes_of(*part, hold), rows.stop - rows.start));
  }
  return ops::concat(parts, axis);
}

/// The most rows of `row_bytes` each in one binding.
std::int64_t rows_of_binding(const CallToLower& x, std::int64_t row_bytes) {
  const std::uint64_t rows = x.binding_limit() / static_cast<std::uint64_t>(std::max<std::int64_t>(row_bytes, 1));
  return static_cast<std::int64_t>(std::clamp<std::uint64_t>(rows, 1, INT32_MAX));
}

std::vector<NodePtr> lower_dequantize(const CallToLower& x) {
  const Shape& y = x.call.outputs[0].shape;
  const DType blocks = x.attributes<QuantCall>().dtype;
  const auto kernel = dequantize_kernel(blocks);
  const std::int64_t k = y[1];
  return {in_parts(blocks, y[0], k, x.inputs, rows_of_binding(x, 4 * k), 0,
                   [&](const std::vector<NodePtr>& planes, std::int64_t n) {
                     return run(kernel, planes, n, k, 0, {n, k}, ceil_div(n * k / 16, kThreads));
                   })};
}

std::vector<NodePtr> lower_matmul(const CallToLower& x) {
  const DType blocks = x.attributes<QuantCall>().dtype;
  const auto& [dtype, shape] = x.call.outputs[0];
  const std::int64_t rows = shape[0];
  const NodePtr& a = x.inputs.back();
  const std::int64_t k = a->shape()[1];
  const std::vector<NodePtr> planes(x.inputs.begin(), x.inputs.end() - 1);
  if (rows == 0 || rows > kFewRows || dtype == DType::kF64) {
    // Each part fits a binding once it is dequantized: the matmul may do that on load.
    return {in_parts(blocks, shape[1], k, planes, rows_of_binding(x, 4 * k), 1,
                     [&](const std::vector<NodePtr>& part, std::int64_t n) {
                       const NodePtr w = ops::dequantize({blocks, n, k, part}, dtype);
                       return ops::matmul(a, ops::swap_axes(w, 0, 1));
                     })};
  }
  const std::int64_t most = rows_of_binding(x, ops::block_layout(blocks).bits * k / 8);
  const NodePtr input = size_of(a->dtype()) == 2 && is_float(a->dtype()) ? a : ops::cast(a, DType::kF32);
  QuantMatmulVariant v{blocks};
  while (v.rows < rows) v.rows *= 2;
  v.outputs = v.rows <= 2 ? 4 : 2;
  v.units = v.rows <= 2 ? 2 : 1;
  const NodePtr y = in_parts(blocks, shape[1], k, planes, most, 1, [&](std::vector<NodePtr> part, std::int64_t n) {
    part.push_back(input);
    return run(matmul_kernel(v), std::move(part), n, k, rows, {rows, n}, ceil_div(n, v.outputs));
  });
  return {ops::cast(y, dtype)};
}

constexpr std::int64_t kQuantizedBlocks = kThreads / 8;  // of a workgroup of quant_quantize.wgsl

std::shared_ptr<const CustomKernel> quantize_kernel(DType dtype) {
  return engine_kernel(fmt::format("quantize_{}", name(dtype)), [&] {
    CustomKernel k;
    k.text = "quant_quantize";
    k.variant = to_attributes(QuantizeVariant{dtype});
    KernelBinding& input = k.inputs.emplace_back("input", 4);
    input.convert = true;
    k.outputs = planes_of(ops::block_layout(dtype));
    k.params = u32_params({"n", "wrap"});
    k.workgroup = {kThreads, 1, 1};
    k.workgroup_bytes = std::uint64_t{20} * kThreads + 4 * kQuantizedBlocks;
    k.host = [dtype](const CustomHostCall& call) { ops::quantize_host(dtype, call); };
    return k;
  });
}

std::vector<NodePtr> lower_quantize(const CallToLower& x) {
  const DType dtype = x.attributes<QuantCall>().dtype;
  const auto kernel = quantize_kernel(dtype);
  const std::int64_t count = x.inputs[0]->shape()[0];
  // Parts that fit a binding, of whole words of scales.
  const std::int64_t most = std::max<std::int64_t>(rows_of_binding(x, 4 * 32) / 4 * 4, 4);
  std::vector<std::vector<NodePtr>> planes(x.call.outputs.size());
  for (std::int64_t first = 0; first < count; first += most) {
    const ops::Range rows{first, std::min(first + most, count), 1};
    const std::int64_t n = rows.stop - rows.start;
    const NodePtr part = n == count ? x.inputs[0] : ops::slice(x.inputs[0], std::span(&rows, 1));
    const auto groups = static_cast<std::uint64_t>(ceil_div(n, kQuantizedBlocks));
    const auto made = call_kernel(kernel, {part}, ops::plane_specs(dtype, n), {word(n), grid_of(groups)[0]}, groups);
    for (std::size_t i = 0; i < made.size(); ++i) planes[i].push_back(made[i]);
  }
  std::vector<NodePtr> whole;
  for (const std::vector<NodePtr>& parts : planes)
    whole.push_back(parts.size() == 1 ? parts[0] : ops::concat(parts, 0));
  return whole;
}

}  // namespace

extern const Lowering kLowerQuantize{"quantize", lower_quantize};
extern const Lowering kLowerDequantize{"dequantize", lower_dequantize};
extern const Lowering kLowerQuantizedMatmul{"quantized_matmul", lower_matmul};

}  // namespace tessera::schedule
