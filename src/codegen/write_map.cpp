// Maps: every invocation computes a quad of elements, so that packed types own whole words.
#include <fmt/format.h>

#include "codegen/writers.h"

namespace tessera::codegen {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// fn map<i>(q: u32): the quad q of one map.
std::string map_function(const Kernel& k, const Written& forms, std::size_t first_in, std::size_t first_out,
                         int first_param, std::size_t number) {
  std::vector<BufferForm> inputs(forms.inputs.begin() + static_cast<std::ptrdiff_t>(first_in),
                                 forms.inputs.begin() + static_cast<std::ptrdiff_t>(first_in + k.inputs.size()));
  Body body(k, inputs, first_param);
  std::string out = fmt::format("fn map{}(q: u32) {{\nlet last = {} - 1u;\n", number, param(first_param));
  std::array<Place, 4> places;
  for (int t = 0; t < 4; ++t) {
    out += t == 0 ? "let e0 = 4u * q;\n" : fmt::format("let e{} = min(4u * q + {}u, last);\n", t, t);
    places[u(t)] = {fmt::format("_{}", t), fmt::format("e{}", t), "0u", fmt::format("e{}", t), "q", t, {}};
  }
  std::string stores;
  for (const Store& s : k.stores) {
    std::array<std::string, 4> values;
    for (std::size_t t = 0; t < 4; ++t) values[t] = body.value(s.instr, places[t], out);
    stores += forms.outputs[first_out + u(s.slot)].store_quad("q", values);
  }
  return out + stores + "}\n";
}

}  // namespace

Written write_map(const Kernel& kernel, bool native_f16, std::uint32_t workgroup) {
  Written w = plain_forms(kernel, native_f16);
  const bool batch = kernel.kind == Kernel::Kind::kBatch;
  const std::vector<Kernel> single = batch ? std::vector<Kernel>{} : std::vector<Kernel>{kernel};
  const std::vector<Kernel>& parts = batch ? kernel.parts : single;
  std::size_t first_in = 0;
  for (const Kernel& part : parts) {
    for (std::size_t i = 0; i < part.inputs.size(); ++i) {
      w.inputs[first_in + i].quad = Body::loads_quad(part, static_cast<int>(i));
    }
    first_in += part.inputs.size();
  }
  for (BufferForm& form : w.outputs) form.quad = true;
  for (const auto& [in, out] : kernel.aliases) w.inputs[u(in)] = w.outputs[u(out)];

  std::string calls;
  first_in = 0;
  std::size_t first_out = 0;
  int first_param = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    w.text += map_function(parts[i], w, first_in, first_out, first_param, i);
    const std::string n = param(first_param);
    if (batch) {
      calls += fmt::format(
          "let c{0} = ({1} + {2}u) / {3}u;\nif (group < c{0}) {{\nlet q{0} = group * {4}u + lane;\n"
          "if (4u * q{0} < {1}) {{ map{0}(q{0}); }}\nreturn;\n}}\ngroup -= c{0};\n",
          i, n, workgroup * kQuad - 1, workgroup * kQuad, workgroup);
    } else {
      calls += fmt::format("let q = group * {}u + lane;\nif (4u * q < {}) {{ map0(q); }}\n", workgroup, n);
    }
    first_in += parts[i].inputs.size();
    first_out += parts[i].outputs.size();
    first_param += ParamLayout(parts[i]).words;
  }
  w.text += fmt::format(
      "@compute @workgroup_size({})\nfn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: "
      "vec3<u32>,\n        @builtin(local_invocation_index) lane: u32) {{\n{} group = id.y * count.x + id.x;\n{}}}\n",
      workgroup, batch ? "var" : "let", calls);
  return w;
}

}  // namespace tessera::codegen
