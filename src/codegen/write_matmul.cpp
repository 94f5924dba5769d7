// Matmuls: the header that gives kernels/matmul_tiled.wgsl or matmul_matrix.wgsl its types, sizes, loads and the fused
// work on its results.
#include <fmt/format.h>

#include "codegen/matmul_operand.h"
#include "codegen/writers.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// The work on four neighbouring results of one row, and their stores.
std::string store_function(const Kernel& k, const Written& w, bool quads, const std::string& end_m,
                           const std::string& end_n) {
  Body body(k, w.inputs, 0);
  std::string s = "fn store_c(z: u32, m: u32, n: u32, c: vec4<Result>) {\n";
  s += fmt::format("if (m >= {} || n >= {}) {{ return; }}\nlet row = z * {} + m;\n", end_m, end_n, param(1));
  if (quads) {
    s += fmt::format("let q = (row * {} + n) >> 2u;\n", param(2));
    std::array<Place, 4> places;
    for (int t = 0; t < 4; ++t) {
      s += fmt::format("let e{0} = 4u * q + {0}u;\nlet n{0} = n + {0}u;\n", t);
      places[u(t)] = {fmt::format("_{}", t),         fmt::format("e{}", t), "row", fmt::format("n{}", t), "q", t,
                      fmt::format("c.{}", "xyzw"[t])};
    }
    std::string stores;
    for (const Store& x : k.stores) {
      std::array<std::string, 4> values;
      for (std::size_t t = 0; t < 4; ++t) values[t] = body.value(x.instr, places[t], s);
      stores += w.outputs[u(x.slot)].store_quad("q", values);
    }
    return s + stores + "}\n";
  }
  s += fmt::format(
      "for (var t = 0u; t < 4u; t++) {{\nlet col = n + t;\nif (col < {}) {{\nlet e = row * {} + col;\nlet value = "
      "c[t];\n",
      end_n, param(2));
  const Place place{"_e", "e", "row", "col", {}, 0, "value"};
  std::string stores;
  for (const Store& x : k.stores) {
    const std::string v = body.value(x.instr, place, s);
    stores += w.outputs[u(x.slot)].store("e", v);
  }
  return s + stores + "}\n}\n}\n";
}

/// Types and sizes of a tile that invocations compute by themselves.
std::string tiled_header(const MatmulShape& shape, const std::string& t) {
  std::string s = fmt::format("alias T = {0};\nalias Result = {0};\n", t);
  s += fmt::format(
      "const TY: u32 = {}u;\nconst TX: u32 = {}u;\nconst RM: u32 = {}u;\nconst RN: u32 = {}u;\nconst DEPTH: u32 = "
      "{}u;\nconst A_ALONG_K: bool = {};\nconst B_ALONG_K: bool = {};\n",
      shape.ty, shape.tx, shape.rm, shape.rn, shape.depth, shape.along_k_a, shape.along_k_b);
  // A pitch beyond the tile's width keeps transposed stores off each other's banks.
  s += fmt::format("const PITCH_A: u32 = {}u;\nconst PITCH_B: u32 = {}u;\n",
                   shape.tile_m() / 4 + (shape.along_k_a ? 1 : 0), shape.tile_n() / 4 + (shape.along_k_b ? 1 : 0));
  // Written as a product and a sum it would not become one instruction everywhere.
  return s + fmt::format("fn mad(a: T, b: vec4<T>, c: vec4<T>) -> vec4<T> {{ return {}; }}\n",
                         t == "f32" ? "fma(vec4<T>(a), b, c)" : "a * b + c");
}

}  // namespace

Written write_matmul(const Kernel& kernel, const MatmulShape& shape, bool native_f16) {
  Written w = plain_forms(kernel, native_f16, shape.windowed);
  const ParamLayout layout(kernel);
  std::vector<char> whole(kernel.inputs.size(), 1);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const int slot = static_cast<int>(i);
    for (const Instr& x : kernel.instrs) {
      if (x.kind == Instr::Kind::kLoad && x.slot == slot && (x.index != 0 || !shape.quads_c)) whole[i] = 0;
    }
    if (kernel.a.slot == slot && !shape.quads_a) whole[i] = 0;
    if (kernel.b.slot == slot && !shape.quads_b) whole[i] = 0;
    w.inputs[i].quad = whole[i] != 0;
    w.inputs[i].pinned = shape.unit != 0;
  }
  for (BufferForm& form : w.outputs) {
    form.quad = shape.quads_c;
    form.atomic = form.packed() && !shape.quads_c;
  }
  const bool matrices = shape.unit != 0;
  w.text += matrices ? matrix_header(shape) : tiled_header(shape, value_type(kernel.inputs[u(kernel.a.slot)].dtype));
  w.text += fmt::format("struct Batch {{ a: u32, b: u32 }}\nfn size_k() -> u32 {{ return {}; }}\n", param(3));
  w.text += "fn locate(z: u32) -> Batch {\nvar at: Batch;\n" + batch_offset(kernel.a, layout.operand_at[0]) +
            "at.a = o; }\n" + batch_offset(kernel.b, layout.operand_at[1]) + "at.b = o; }\nreturn at;\n}\n";
  const int piece = layout.words;  // windowed: matrix, m, n, end of m, end of n
  const std::string end_m = param(shape.windowed ? piece + 3 : 1);
  const std::string end_n = param(shape.windowed ? piece + 4 : 2);
  const auto access = [&](const Operand& x, bool is_a) {
    using enum OperandAccess::Beyond;
    const bool inside = is_a ? shape.inside_m : shape.inside_n;
    return OperandAccess{.is_a = is_a,
                         .along_k = is_a ? shape.along_k_a : shape.along_k_b,
                         .quads = (is_a ? shape.quads_a : shape.quads_b) && w.inputs[u(x.slot)].quad,
                         .narrow = shape.narrow,
                         .half = matrices,
                         .beyond = !matrices ? kZero : (inside ? kNever : kAnything),
                         .whole_k = matrices && shape.whole_k,
                         .end = is_a ? end_m : end_n};
  };
  const auto load = [&](const Operand& x, bool is_a) {
    return load_function(x, w.inputs[u(x.slot)], access(x, is_a), layout.operand_at[is_a ? 0 : 1]);
  };
  const auto source = [&](const Operand& x, bool is_a) -> MatrixSource {
    if (!matrices) return {};
    const BufferForm& form = w.inputs[u(x.slot)];
    const OperandAccess how = access(x, is_a);
    const bool straight = how.quads && how.beyond == OperandAccess::Beyond::kNever && holds_half_quads(form);
    const int at = layout.operand_at[is_a ? 0 : 1];
    if (x.mapped()) return {{}, {}, {}, MapReader(x, form, how, at)};
    if (!straight) return {};
    return {form.name, outer_stride(x, at, is_a), k_stride(x, at, is_a), {}};
  };
  const MatrixSource from_a = source(kernel.a, true);
  const MatrixSource from_b = source(kernel.b, false);
  if (from_a.by_function()) w.text += load(kernel.a, true);
  if (from_b.by_function()) w.text += load(kernel.b, false);
  w.text += store_function(kernel, w, shape.quads_c, end_m, end_n);
  w.text += "fn origin(group: vec3<u32>) -> vec3<u32> {\nvar at = group * vec3<u32>(TILE_N, TILE_M, 1u);\n";
  if (shape.windowed) {
    w.text += fmt::format("at += vec3<u32>({}, {}, {});\n", param(piece + 2), param(piece + 1), param(piece));
  }
  if (shape.inside_m) w.text += fmt::format("at.y = min(at.y, {} - TILE_M);\n", end_m);
  if (shape.inside_n) w.text += fmt::format("at.x = min(at.x, {} - TILE_N);\n", end_n);
  w.text += "return at;\n}\n";
  w.text += kernels::wgsl(matrices ? "matmul_matrix" : "matmul_tiled");
  if (matrices) w.text += matrix_main(shape, from_a, from_b);
  return w;
}

}  // namespace tessera::codegen
