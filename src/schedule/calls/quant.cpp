// Lowering of quantized matrices: a skinny matmul kernel that reads the planes for few rows, else a matmul of the
// dequantized matrix, which the matmul may dequantize on load.
#include "schedule/calls/quant.h"

#include <fmt/format.h>

#include "base/ints.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::BlockFormat;
using ops::BlockInfo;
using ops::QuantCall;

/// The most rows of x for the skinny kernel (quant_matmul.wgsl).
constexpr std::int64_t kFewRows = 8;
constexpr std::uint32_t kThreads = 64;

/// The planes of a format, in the order of Planes::all().
std::vector<KernelBinding> planes_of(const BlockInfo& info) {
  std::vector<KernelBinding> planes{"quants", "scales"};
  if (info.elements == 256) planes.emplace_back("supers");
  if (info.high_bits > 0) planes.emplace_back("high");
  return planes;
}

CustomKernel base_kernel(const BlockInfo& info) {
  CustomKernel k;
  k.inputs = planes_of(info);
  k.params = u32_params({"n", "units", "m", "wrap"});
  k.workgroup = {kThreads, 1, 1};
  return k;
}

std::shared_ptr<const CustomKernel> dequantize_kernel(BlockFormat format) {
  const BlockInfo& info = ops::block_info(format);
  return engine_kernel(fmt::format("dequantize_{}", info.name), [&] {
    CustomKernel k = base_kernel(info);
    k.text = "quant_dequantize";
    k.variant = to_attributes(DequantizeVariant{format});
    k.outputs = {{"output", 4}};
    k.dequantizes = true;
    k.host = [format](const CustomHostCall& call) { ops::dequantize_host(format, call); };
    return k;
  });
}

std::shared_ptr<const CustomKernel> matmul_kernel(const QuantMatmulVariant& v) {
  const BlockInfo& info = ops::block_info(v.format);
  return engine_kernel(fmt::format("quantized_matmul_{} {}", info.name, v.rows), [&] {
    CustomKernel k = base_kernel(info);
    k.name = fmt::format("quantized_matmul_{}", info.name);
    k.text = "quant_matmul";
    k.variant = to_attributes(v);
    k.inputs[0].width = info.bits == 8 ? 4 : 2;
    KernelBinding& input = k.inputs.emplace_back("input", 4);
    input.convert = true;
    input.strided = true;
    k.outputs = {"output"};
    k.workgroup_bytes = std::uint64_t{4} * kThreads * static_cast<std::uint64_t>(v.rows * v.outputs);
    k.host = [format = v.format](const CustomHostCall& call) { ops::quantized_matmul_host(format, call); };
    return k;
  });
}

NodePtr run(const std::shared_ptr<const CustomKernel>& kernel, std::vector<NodePtr> inputs, std::int64_t n,
            std::int64_t k, std::int64_t m, const Shape& shape, std::int64_t groups) {
  const std::array<std::uint32_t, 2> grid = grid_of(static_cast<std::uint64_t>(groups));
  return call_kernel(kernel, std::move(inputs), {{DType::kF32, shape}}, {word(n), word(k / 16), word(m), grid[0]},
                     static_cast<std::uint64_t>(groups))[0];
}

std::vector<NodePtr> lower_dequantize(const CallToLower& x) {
  const Shape& y = x.call.outputs[0].shape;
  const auto kernel = dequantize_kernel(x.attributes<QuantCall>().format);
  return {run(kernel, x.inputs, y[0], y[1], 0, y, ceil_div(y.numel() / 16, kThreads))};
}

std::vector<NodePtr> lower_matmul(const CallToLower& x) {
  const BlockFormat format = x.attributes<QuantCall>().format;
  const auto& [dtype, shape] = x.call.outputs[0];
  const std::int64_t rows = shape[0];
  const std::int64_t n = shape[1];
  const NodePtr& a = x.inputs.back();
  const std::int64_t k = a->shape()[1];
  std::vector<NodePtr> planes(x.inputs.begin(), x.inputs.end() - 1);
  if (rows == 0 || rows > kFewRows || dtype == DType::kF64) {
    return {ops::matmul(a, ops::swap_axes(ops::dequantize({format, n, k, std::move(planes)}, dtype), 0, 1))};
  }
  QuantMatmulVariant v{format};
  while (v.rows < rows) v.rows *= 2;
  v.outputs = v.rows <= 2 ? 4 : 2;
  v.units = v.rows <= 2 ? 2 : 1;
  planes.push_back(size_of(a->dtype()) == 2 && is_float(a->dtype()) ? a : ops::cast(a, DType::kF32));
  const NodePtr y = run(matmul_kernel(v), std::move(planes), n, k, rows, shape, ceil_div(n, v.outputs));
  return {ops::cast(y, dtype)};
}

}  // namespace

extern const Lowering kLowerDequantize{"dequantize", lower_dequantize};
extern const Lowering kLowerQuantizedMatmul{"quantized_matmul", lower_matmul};

}  // namespace tessera::schedule
