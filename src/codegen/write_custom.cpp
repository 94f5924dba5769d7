// Custom kernels: the header in front of the text, which is a user's or of codegen/kernels.
#include <algorithm>

#include <fmt/format.h>

#include "codegen/kernels/kernel_text.h"
#include "codegen/prelude.h"
#include "codegen/wgsl_text.h"
#include "codegen/writers.h"

namespace tessera::codegen {

namespace {

std::string uniform_struct(const CustomKernel& k) {
  std::string s = "struct Params {\n";
  for (const CustomParam& p : k.params) {
    const std::string_view type = name(p.dtype);
    s += p.count == 1 ? fmt::format("  {}: {},\n", p.name, type)
                      : fmt::format("  {}: vec{}<{}>,\n", p.name, p.count, type);
  }
  if (k.sizes_at >= 0) {
    for (const auto* bindings : {&k.inputs, &k.outputs}) {
      for (const KernelBinding& b : *bindings) s += fmt::format("  {}_size: u32,\n", b.name);
    }
  }
  for (const KernelBinding& b : k.inputs) {
    if (b.strided) s += fmt::format("  {0}_strides: vec4<u32>,\n  {0}_offset: u32,\n", b.name);
    if (b.strided && b.row_axes > 0)
      s += fmt::format("  {0}_size_1: u32,\n  {0}_size_2: u32,\n  {0}_size_3: u32,\n", b.name);
  }
  return s + "}\n";
}

}  // namespace

Program write_custom(const Kernel& kernel, const DeviceInfo& device) {
  const CustomKernel& k = *kernel.custom;
  Program program;
  program.label = k.name;
  program.entry_point = k.entry_point;
  program.trusted = k.trusted;
  program.param_words = k.param_words;
  program.zero_fill = k.zero_fill || !k.trusted;
  std::string bindings;
  const auto updated = [&](std::size_t input) {
    return std::ranges::any_of(k.outputs, [&](const KernelBinding& b) { return b.updates == static_cast<int>(input); });
  };
  const auto bind = [&](const std::vector<Slot>& slots, const std::vector<KernelBinding>& forms, bool writable) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      // An input that is updated shares its output's binding.
      if (!writable && updated(i)) continue;
      const auto binding = static_cast<int>(program.buffer_of.size());
      bindings += declare_binding(forms[i], slots[i].dtype, binding, writable, device.features.f16);
      program.writable.push_back(writable || forms[i].pinned);
      program.buffer_of.push_back(static_cast<int>(i + (writable ? kernel.inputs.size() : 0)));
    }
  };
  bind(kernel.inputs, k.inputs, false);
  bind(kernel.outputs, k.outputs, true);
  if (k.own_bindings) {
    program.wgsl = k.source;
    return program;
  }
  if (k.raw_words == 0) bindings = uniform_struct(k) + bindings;
  bindings += fmt::format("@group(0) @binding({}) var<uniform> params: Params;\n", program.buffer_of.size());
  constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};
  for (std::size_t i = 0; i < 3; ++i) {
    bindings += fmt::format("const workgroup_{} = {}u;\n", kAxes[i], k.workgroup[i]);
  }
  const SplitText text = split_directives(k.trusted && k.source.empty() ? kernel_text(k) : k.source);
  std::string header = text.directives;
  const bool has_f16 = bindings.find("f16>") != std::string::npos;
  if (has_f16 && header.find("enable f16;") == std::string::npos) header += "enable f16;\n";
  header += bindings;
  if (k.trusted) header += prelude_for(bindings + text.rest);
  for (const char c : header) program.header_lines += c == '\n' ? 1 : 0;
  program.wgsl = header + text.rest;
  return program;
}

}  // namespace tessera::codegen
