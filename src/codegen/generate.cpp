// From a kernel and its binding to a program: the variant, the header, the writer's text and the preludes.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/prelude.h"
#include "codegen/writers.h"

namespace tessera::codegen {

Written plain_forms(const Kernel& kernel, bool native_f16, bool chunked) {
  Written w;
  int at = ParamLayout(kernel).ranges_at;
  const auto range = [&] { return chunked ? std::exchange(at, at + 2) : -1; };
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    w.inputs.push_back({fmt::format("in{}", i), kernel.inputs[i].dtype, false, false, native_f16, false, range()});
  }
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    w.outputs.push_back({fmt::format("out{}", i), kernel.outputs[i].dtype, false, false, native_f16, true, range()});
  }
  return w;
}

namespace {

/// Workgroups in two dimensions if they exceed the limit of one.
void spread(std::uint64_t groups, const DeviceInfo& device, std::uint32_t out[3]) {
  const std::uint64_t most = device.limits.max_workgroups;
  out[0] = static_cast<std::uint32_t>(std::min(groups, most));
  out[1] = static_cast<std::uint32_t>(groups == 0 ? 0 : ceil_div(groups, most));
  out[2] = 1;
  if (out[1] > 1) out[0] = static_cast<std::uint32_t>(ceil_div(groups, out[1]));
}

}  // namespace

Variant variant_of(const MatmulShape& shape) { return {shape.threads(), shape.key(), shape}; }

Variant choose_variant(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                       const schedule::DeviceModel& model) {
  if (!kernel.matmuls().empty()) return variant_of(matmul_shape(kernel, binding, device, model));
  Variant v;
  switch (kernel.kind) {
    case Kernel::Kind::kMap:
    case Kernel::Kind::kGrouped: {
      const MapShape s = map_shape(kernel, binding, device);
      v.workgroup = s.workgroup;
      v.key = fmt::format("map {} {} {} {}", s.workgroup, s.tiled, s.whole, s.joint);
      v.shape = s;
      break;
    }
    case Kernel::Kind::kReduce: {
      const ReduceShape s = reduce_shape(kernel, binding, device);
      v.workgroup = s.workgroup;
      v.key = fmt::format("reduce {} {} {} {} {}", s.workgroup, s.lanes, s.units, s.quads, s.subgroups);
      v.shape = s;
      break;
    }
    case Kernel::Kind::kMatmul:
      break;
    case Kernel::Kind::kCustom: {
      const auto& size = kernel.custom->workgroup;
      v.workgroup = size[0] * size[1] * size[2];
      v.key = "custom";
      break;
    }
  }
  if (binding.chunked) v.key += " chunked";
  return v;
}

namespace {

/// Keeps the first index out of bounds for the host, which reads it when it waits.
constexpr std::string_view kReport = R"(@group(1) @binding(0) var<storage, read_write> reports: array<atomic<u32>, 4>;
fn report_index(i: i32, n: i32) {
  if (atomicAdd(&reports[0], 1u) == 0u) {
    atomicStore(&reports[1], bitcast<u32>(i));
    atomicStore(&reports[2], bitcast<u32>(n));
  }
}
)";

}  // namespace

Program generate(const Kernel& kernel, const Binding& binding, const Variant& variant, const DeviceInfo& device) {
  if (kernel.kind == Kernel::Kind::kCustom) {
    Program program = write_custom(kernel, device);
    program.variant = variant;
    return program;
  }
  const bool f16 = device.features.f16;
  Written w;
  switch (kernel.kind) {
    case Kernel::Kind::kMap:
    case Kernel::Kind::kGrouped:
      w = kernel.matmuls().empty() ? write_map(kernel, variant.map(), f16)
                                   : write_matmul(kernel, variant.matmul(), f16);
      break;
    case Kernel::Kind::kReduce:
      w = write_reduce(kernel, variant.reduce(), f16, device.limits.subgroup_min);
      break;
    case Kernel::Kind::kMatmul:
      w = write_matmul(kernel, variant.matmul(), f16);
      break;
    case Kernel::Kind::kCustom:
      break;
  }
  Program program;
  program.label = kernel.label();
  program.variant = variant;
  program.zero_fill = false;  // generated kernels read only workgroup memory that they wrote
  const int words = kernel.kind == Kernel::Kind::kGrouped || binding.chunked ? static_cast<int>(binding.params.size())
                                                                             : ParamLayout(kernel).words;
  program.param_words = words;
  std::string bindings;
  const auto bind_form = [&](const BufferForm& form, int buffer) {
    bindings += form.declare(static_cast<int>(program.buffer_of.size()));
    program.writable.push_back(form.writable || form.pinned);
    program.buffer_of.push_back(buffer);
  };
  for (std::size_t i = 0; i < w.inputs.size(); ++i) {
    // An aliased input shares its output's binding.
    if (!w.inputs[i].writable && kernel.shared_input(i) == i) bind_form(w.inputs[i], static_cast<int>(i));
  }
  for (std::size_t i = 0; i < w.outputs.size(); ++i) bind_form(w.outputs[i], static_cast<int>(w.inputs.size() + i));
  bindings += fmt::format("@group(0) @binding({}) var<uniform> p: array<vec4<u32>, {}>;\n", program.buffer_of.size(),
                          std::max(1, (words + 3) / 4));
  std::string enables;
  const bool matrices = w.text.find("coop_mat") != std::string::npos;
  if (w.halves || (f16 && bindings.find("f16") != std::string::npos)) enables += "enable f16;\n";
  if (matrices) enables += "enable wgpu_cooperative_matrix;\n";
  program.wgsl = enables + bindings + prelude_for(w.text) + w.text;
  program.reports = program.wgsl.find("report_index(") != std::string::npos;
  if (program.reports) program.wgsl += kReport;
  return program;
}

void grid_of(const Kernel& kernel, const Variant& variant, const Binding& binding, const DeviceInfo& device,
             std::uint32_t out[3]) {
  if (!kernel.matmuls().empty()) {
    const MatmulShape& s = variant.matmul();
    out[0] = static_cast<std::uint32_t>(column_tiles(binding, s.tile_n()));
    out[1] = static_cast<std::uint32_t>(ceil_div(binding.m, s.tile_m()));
    out[2] = static_cast<std::uint32_t>(binding.batch);
    return;
  }
  switch (kernel.kind) {
    case Kernel::Kind::kMap:
      spread(map_groups(kernel, variant.map(), binding), device, out);
      break;
    case Kernel::Kind::kGrouped: {
      std::uint64_t groups = 0;
      for (const Binding& part : binding.parts)
        groups += static_cast<std::uint64_t>(ceil_div(part.cols, variant.workgroup * kQuad));
      spread(groups, device, out);
      break;
    }
    case Kernel::Kind::kReduce: {
      const ReduceShape& s = variant.reduce();
      spread(static_cast<std::uint64_t>(ceil_div(binding.rows, s.workgroup / s.lanes)), device, out);
      break;
    }
    case Kernel::Kind::kMatmul:
      break;
    case Kernel::Kind::kCustom:
      std::copy(binding.custom->grid.begin(), binding.custom->grid.end(), out);
      break;
  }
}

}  // namespace tessera::codegen
