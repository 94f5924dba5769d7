// WGSL that the texts of several kernels share.
#include "codegen/kernels/parts.h"

#include <fmt/format.h>

#include "codegen/buffers.h"

namespace tessera::codegen {

std::string main_per_element(std::string_view count) {
  return fmt::format(R"(@compute @workgroup_size(workgroup_x)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {{
  let i = (id.y * groups.x + id.x) * workgroup_x + lane;
  if (i >= params.{}) {{ return; }}
)",
                     count);
}

std::string row_index(std::string_view name, bool strided, int row_axes, std::string_view cols) {
  std::string text = fmt::format("fn {}_at(row: u32, col: u32) -> u32 {{\n", name);
  if (!strided) return text + fmt::format("  return row * params.{} + col;\n}}\n", cols);
  const char* const by_index = R"(  let i = row * params.{1} + col;
  let j = i / params.{0}_size_3;
  let k = j / params.{0}_size_2;
  return params.{0}_offset + k / params.{0}_size_1 * params.{0}_strides.x +
      k % params.{0}_size_1 * params.{0}_strides.y + j % params.{0}_size_2 * params.{0}_strides.z +
      i % params.{0}_size_3 * params.{0}_strides.w;
}}
)";
  const char* const by_row = R"(  let k = row / params.{0}_size_2;
  return params.{0}_offset + k / params.{0}_size_1 * params.{0}_strides.x +
      k % params.{0}_size_1 * params.{0}_strides.y + row % params.{0}_size_2 * params.{0}_strides.z +
      col * params.{0}_strides.w;
}}
)";
  return text + fmt::format(fmt::runtime(row_axes == 4 ? by_index : by_row), name, cols);
}

std::string key_text(DType wide, bool descending) {
  const bool pair = size_of(wide) == 8;
  std::string value;
  switch (wide) {
    case DType::kF32:
      value = "float_key(v)";
      break;
    case DType::kI32:
      value = "bitcast<u32>(v) ^ 0x80000000u";
      break;
    case DType::kI64:
      value = "vec2<u32>(v.x, v.y ^ 0x80000000u)";
      break;
    default:
      value = "v";
      break;
  }
  std::string text = wide == DType::kF32 ? R"(fn float_key(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) { return 0xffffffffu; }
  if (size == 0u) { return 0x80000000u; }
  return bits ^ select(0x80000000u, 0xffffffffu, bits != size);
}
)"
                                         : "";
  text += pair ? "alias K = vec2<u32>;\nconst zero_key = vec2<u32>(0u, 0u);\n"
                 "fn before(a: K, b: K) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }\n"
               : "alias K = u32;\nconst zero_key = 0u;\nfn before(a: K, b: K) -> bool { return a < b; }\n";
  return text +
         fmt::format("fn to_key(v: {}) -> K {{ return {}({}); }}\n", value_type(wide), descending ? "~" : "", value);
}

}  // namespace tessera::codegen
