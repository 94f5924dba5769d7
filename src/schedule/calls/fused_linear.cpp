// Lowering of fused linear layers: one kernel for few rows on a GPU, else the composition.
#include "schedule/calls/fused_linear.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ints.h"
#include "ops/quant/quant.h"
#include "schedule/calls/calls.h"
#include "schedule/calls/kernels.h"

namespace tessera::schedule {

namespace {

using ops::FusedLinear;
using ops::FusedLinearCall;
using ops::LinearEpilogue;

constexpr std::int64_t kFewRows = 8;
constexpr std::int64_t kUnit = 16;  // elements
constexpr int kParts = 3;           // weights at most

/// Workgroup memory of the sums over a workgroup.
std::uint64_t sums_bytes(const FusedLinearVariant& v) {
  const int sums = v.rows * (v.outputs + (v.norm ? 1 : 0));
  const int each = v.subgroup > 0 ? v.threads / v.subgroup : v.threads + 16;
  return std::uint64_t{4} * static_cast<std::uint64_t>(sums * (each + 1));
}

FusedLinearVariant variant_of(const CallToLower& x, const FusedLinear& f) {
  FusedLinearVariant v;
  v.dtypes = f.dtypes;
  while (v.rows < f.x->shape()[0]) v.rows *= 2;
  v.norm = f.norm;
  v.biases = f.biases;
  v.epilogue = f.epilogue;
  v.interleaved = f.interleaved;
  if (f.epilogue == LinearEpilogue::kQkv) v.cache = f.k_cache->dtype();
  // 1.24 B parameters decode at 853, 939 and 1,031 tokens/s in f16, q8_0 and q4_0 with eight outputs, at 823, 902 and
  // 964 with four; with 256 invocations at most at 846, 919 and 1,013 (H200). Eight for q, k and v gain nothing.
  v.outputs = v.rows == 1 && f.epilogue != LinearEpilogue::kQkv ? 8 : 4;
  // One pass over a row, if it is not too long.
  const auto units = static_cast<std::uint64_t>(std::max<std::int64_t>(f.x->shape()[1] / kUnit, 1));
  const std::uint64_t most = std::bit_floor(std::min<std::uint64_t>(512, x.device.limits.max_workgroup_size));
  v.threads = static_cast<int>(std::clamp<std::uint64_t>(std::bit_ceil(units), 64, std::max<std::uint64_t>(most, 64)));
  const DeviceLimits& limits = x.device.limits;
  const bool fixed = x.device.features.subgroups && limits.subgroup_min == limits.subgroup_max;
  if (fixed && limits.subgroup_min > 1 && limits.subgroup_min <= 64) v.subgroup = static_cast<int>(limits.subgroup_min);
  // 1.24 B parameters decode at 1,199, 1,121 and 1,055 tokens/s in q4_0, q4_k and q8_0, without it at 1,043, 981 and
  // 946 (H200).
  v.packed = x.model.packed_dots &&
             std::ranges::any_of(v.dtypes, [](std::int64_t t) { return is_block(static_cast<DType>(t)); });
  v.lanes = v.subgroup > 0 ? 0 : v.threads > 64 ? 16 : 8;
  return v;
}

KernelBinding words(std::string name, int width) {
  KernelBinding b(std::move(name), width);
  b.words = true;
  return b;
}

std::shared_ptr<const CustomKernel> kernel_of(const FusedLinearVariant& v) {
  const Attributes attributes = to_attributes(v);
  return engine_kernel(fmt::format("fused_linear {}", fmt::join(attributes, " ")), [&] {
    CustomKernel k;
    k.name = "fused_linear";
    k.text = "fused_linear";
    k.variant = attributes;
    k.workgroup = {static_cast<std::uint32_t>(v.threads), 1, 1};
    k.params = u32_params({"units", "m", "wrap", "tiles", "n0", "n1", "n2", "first1", "first2", "head_size", "context",
                           "rotation_stride"});
    for (const char* name : {"eps", "norm_offset", "scale", "value_scale"}) k.params.push_back({name, DType::kF32});
    KernelBinding& x = k.inputs.emplace_back("x", 4);
    x.convert = true;
    x.strided = true;
    if (v.norm) k.inputs.emplace_back("norm_weight", 4);
    for (std::size_t i = 0; i < v.dtypes.size(); ++i) {
      const auto dtype = static_cast<DType>(v.dtypes[i]);
      if (!is_block(dtype)) {
        k.inputs.push_back(words(fmt::format("weight{}", i), 4));
        continue;
      }
      const ops::BlockLayout& layout = ops::block_layout(dtype);
      k.inputs.emplace_back(fmt::format("quants{}", i), layout.bits / 2);
      k.inputs.emplace_back(fmt::format("scales{}", i));
      if (layout.has_supers()) k.inputs.emplace_back(fmt::format("supers{}", i));
      if (layout.high_bits > 0) k.inputs.emplace_back(fmt::format("high{}", i));
    }
    for (std::size_t i = 0; v.biases && i < v.dtypes.size(); ++i) k.inputs.emplace_back(fmt::format("bias{}", i));
    if (v.epilogue == LinearEpilogue::kResidual) k.inputs.emplace_back("residual");
    if (v.epilogue == LinearEpilogue::kQkv) {
      for (const char* name : {"rotation", "starts"}) k.inputs.emplace_back(name);
      const int width = size_of(v.cache) == 2 ? 1 : 2;  // two elements
      for (const char* name : {"old_keys", "old_values"}) k.inputs.push_back(words(name, width));
      for (const char* name : {"queries", "keys", "values"}) k.outputs.push_back(words(name, width));
      const int last = static_cast<int>(k.inputs.size());
      k.outputs[1].updates = last - 2;
      k.outputs[2].updates = last - 1;
    } else {
      const std::size_t results = is_gate(v.epilogue) ? 1 : v.dtypes.size();
      for (std::size_t i = 0; i < results; ++i) k.outputs.emplace_back(fmt::format("output{}", i));
    }
    k.workgroup_bytes = sums_bytes(v);
    return k;
  });
}

/// Whether the kernel takes the call: whole units, and what it binds is within the limits.
bool takes(const CallToLower& x, const FusedLinear& f, const CustomKernel& kernel) {
  const std::int64_t k = f.x->shape()[1];
  const std::int64_t m = f.x->shape()[0];
  if (k == 0 || k % kUnit != 0) return false;
  const std::size_t buffers = bindings_of(kernel);
  if (buffers > x.device.limits.max_storage_buffers) return false;
  if (kernel.workgroup[0] > x.device.limits.max_workgroup_size) return false;
  if (kernel.workgroup_bytes > x.device.limits.max_workgroup_memory) return false;
  const auto fits = [&](const NodePtr& t) {
    return static_cast<std::uint64_t>(t->numel()) * size_of(t->dtype()) <= x.binding_limit();
  };
  if (!std::ranges::all_of(x.inputs, fits)) return false;
  for (const std::int64_t n : f.outputs) {
    if (n == 0 || n * k > INT32_MAX * kUnit || m * n > INT32_MAX) return false;
  }
  if (f.epilogue != LinearEpilogue::kQkv) return true;
  // Tiles are pairs of neighbors in a head; two elements are stored at once.
  return f.head_size % 4 == 0;
}

std::vector<NodePtr> lower_fused_linear(const CallToLower& x) {
  const auto call = x.attributes<FusedLinearCall>();
  const FusedLinear f = ops::fused_linear_of(call, x.inputs);
  const std::int64_t m = f.x->shape()[0];
  if (!x.model.gpu || m == 0 || m > kFewRows) return ops::fused_linear_composed(f);
  const FusedLinearVariant v = variant_of(x, f);
  const auto kernel = kernel_of(v);
  // Of three weights of some block dtypes the planes alone are more than a device binds.
  if (!takes(x, f, *kernel)) return ops::fused_linear_composed(f, true);
  const std::int64_t each = is_gate(f.epilogue) ? v.outputs / 2 : v.outputs;
  std::array<std::int64_t, kParts> n{};
  std::array<std::int64_t, kParts> first{};  // tile
  std::int64_t tiles = 0;
  for (std::size_t i = 0; i < kParts; ++i) {
    n[i] = i < f.outputs.size() ? f.outputs[i] : 0;
    first[i] = tiles;
    if (i == 0 || !is_gate(f.epilogue)) tiles += ceil_div(n[i], each);
  }
  const bool qkv = f.epilogue == LinearEpilogue::kQkv;
  const std::array<std::uint32_t, 2> grid = grid_of(static_cast<std::uint64_t>(tiles));
  std::vector<std::uint32_t> params{word(f.x->shape()[1] / kUnit),
                                    word(m),
                                    grid[0],
                                    word(tiles),
                                    word(n[0]),
                                    word(n[1]),
                                    word(n[2]),
                                    word(first[1]),
                                    word(first[2]),
                                    word(f.head_size),
                                    word(qkv ? f.k_cache->shape()[2] : 0),
                                    word(qkv && f.rotation->shape()[0] > 1 ? f.head_size : 0)};
  for (const double value : {f.eps, f.norm_offset, f.scale, f.value_scale})
    params.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return call_kernel(kernel, x.inputs, x.call.outputs, std::move(params), static_cast<std::uint64_t>(tiles));
}

}  // namespace

extern const Lowering kLowerFusedLinear{"fused_linear", lower_fused_linear};

}  // namespace tessera::schedule
