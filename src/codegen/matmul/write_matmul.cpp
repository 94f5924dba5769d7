// Matmuls: the header in front of kernels/matmul/matmul_tiled.wgsl, matmul_row.wgsl or matmul_matrix.wgsl: types,
// sizes, loads and the epilogue.
#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/kernels/quant.h"
#include "codegen/matmul/matmul_operand.h"
#include "codegen/wgsl_text.h"
#include "codegen/writers.h"
#include "graph/op.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

/// One matmul of the kernel, with its buffers and parameter words.
struct GroupedMatmul {
  const Kernel& kernel;
  std::vector<BufferForm> inputs, outputs;
  int first;  // its first parameter word
  ParamLayout layout;
  std::string tag;  // suffix of its functions: empty for a single matmul, else its number
  bool quads_a, quads_b;
  [[nodiscard]] int operand_at(bool is_a) const { return first + layout.operand_at[is_a ? 0 : 1]; }
  [[nodiscard]] const Operand& operand(bool is_a) const { return is_a ? kernel.a : kernel.b; }
  /// How the operand is loaded.
  [[nodiscard]] BufferForm form(bool is_a) const {
    const Operand& x = operand(is_a);
    if (x.is_computed())
      return prologue_form(x, fmt::format("computed_{}{}", is_a ? "a" : "b", is_a ? "" : tag),
                           is_a ? quads_a : quads_b);
    if (!x.is_dequantized()) return inputs[as_index(x.slot)];
    BufferForm dequantized = dequantized_form();
    dequantized.name += tag;
    return dequantized;
  }
};

/// Sets the form of all buffers and assigns them to the matmuls.
std::vector<GroupedMatmul> share_out(const Kernel& kernel, const MatmulShape& shape, Written& w) {
  const std::span<const Kernel> matmuls = kernel.matmuls();
  for (BufferForm& form : w.inputs) {
    form.quad = true;
    form.pinned = shape.unit != 0;
  }
  for (BufferForm& form : w.outputs) {
    form.quad = shape.quads_c;
    form.atomic = form.packed() && !shape.quads_c;
  }
  std::size_t at = 0;
  for (const Kernel& k : matmuls) {
    const auto form = [&](int slot) -> BufferForm& { return w.inputs[kernel.shared_input(at + as_index(slot))]; };
    for (const Instr& x : k.instrs) {
      if (x.kind == Instr::Kind::kLoad && (x.index != 0 || !shape.quads_c)) form(x.slot).quad = false;
    }
    for (const Operand* x : {&k.a, &k.b}) {
      const bool quads = x == &k.a ? shape.quads_a : shape.quads_b;
      if (!x->is_computed()) {
        if (!quads) form(x->slot).quad = false;
        continue;
      }
      for (std::size_t i = 0; i < x->sources.size(); ++i) {
        if (!quads || !Body::loads_quad(*x->computed, static_cast<int>(i))) form(x->sources[i]).quad = false;
      }
    }
    for (std::size_t i = 0; k.b.is_dequantized() && i < k.b.dequantizer->inputs.size(); ++i) {
      BufferForm& plane = form(k.b.slot + static_cast<int>(i));
      plane.quad = false;
      if (matmuls.size() == 1) plane.name = k.b.dequantizer->inputs[i].name;
    }
    at += k.inputs.size();
  }
  for (std::size_t i = 0; i < w.inputs.size(); ++i) w.inputs[i] = w.inputs[kernel.shared_input(i)];
  for (const auto& [in, to] : kernel.aliases) w.inputs[as_index(in)] = w.outputs[as_index(to)];
  std::vector<GroupedMatmul> result;
  auto in = w.inputs.begin();
  auto out = w.outputs.begin();
  int first = 0;
  for (const Kernel& k : matmuls) {
    const auto to_in = in + static_cast<std::ptrdiff_t>(k.inputs.size());
    const auto to_out = out + static_cast<std::ptrdiff_t>(k.outputs.size());
    result.push_back({k,
                      {in, to_in},
                      {out, to_out},
                      first,
                      ParamLayout(k),
                      matmuls.size() > 1 ? fmt::format("{}", result.size()) : "",
                      shape.quads_a,
                      shape.quads_b});
    in = to_in;
    out = to_out;
    first += result.back().layout.words;
  }
  return result;
}

/// The epilogue of four neighboring results of one row, and their stores.
std::string store_function(const GroupedMatmul& x, bool quads, const std::string& end_m, const std::string& end_n) {
  const Kernel& k = x.kernel;
  Body body(k, x.inputs, x.first);
  std::string s = fmt::format("fn store_c{}(z: u32, m: u32, n: u32, c: vec4<Result>) {{\n", x.tag);
  s += fmt::format("if (m >= {} || n >= {}) {{ return; }}\nlet row = z * {} + m;\n", end_m, end_n, param(1));
  if (quads) {
    s += fmt::format("let q = (row * {} + n) >> 2u;\n", param(x.first + 2));
    std::array<ElementNames, 4> places;
    for (int t = 0; t < 4; ++t) {
      s += fmt::format("let e{0} = 4u * q + {0}u;\nlet n{0} = n + {0}u;\n", t);
      places[as_index(t)] = {fmt::format("_{}", t),         fmt::format("e{}", t), "row", fmt::format("n{}", t), "q", t,
                             fmt::format("c.{}", "xyzw"[t])};
    }
    std::string stores;
    for (const Store& store : k.stores) {
      std::array<std::string, 4> values;
      for (std::size_t t = 0; t < 4; ++t) values[t] = body.value(store.instr, places[t], s);
      stores += x.outputs[as_index(store.slot)].store_quad("q", values);
    }
    return s + stores + "}\n";
  }
  s += fmt::format(
      "for (var t = 0u; t < 4u; t++) {{\nlet col = n + t;\nif (col < {}) {{\nlet e = row * {} + col;\nlet value = "
      "c[t];\n",
      end_n, param(x.first + 2));
  const ElementNames place{"_e", "e", "row", "col", {}, 0, "value"};
  std::string stores;
  for (const Store& store : k.stores) {
    const std::string v = body.value(store.instr, place, s);
    stores += x.outputs[as_index(store.slot)].store("e", v);
  }
  return s + stores + "}\n}\n}\n";
}

/// Types and sizes of a tile without tensor cores.
std::string tiled_header(const MatmulShape& shape, const std::string& t, bool half_loads) {
  std::string s = fmt::format("alias T = {};\nalias Result = {};\nalias L = {};\n", shape.half ? "f16" : t, t,
                              half_loads ? "f16" : "T");
  s += fmt::format("const TY: u32 = {}u;\nconst TX: u32 = {}u;\n", shape.ty, shape.tx);
  if (!shape.one_row) {
    s += fmt::format("const RM: u32 = {}u;\nconst RN: u32 = {}u;\nconst DEPTH: u32 = {}u;\n", shape.rm, shape.rn,
                     shape.depth);
    s += fmt::format("const A_ALONG_K: bool = {};\nconst B_ALONG_K: bool = {};\n", shape.along_k_a, shape.along_k_b);
    // A pitch wider than the tile avoids bank conflicts of transposed stores.
    s += fmt::format("const PITCH_A: u32 = {}u;\nconst PITCH_B: u32 = {}u;\n",
                     shape.tile_m() / 4 + (shape.along_k_a ? 1 : 0), shape.tile_n() / 4 + (shape.along_k_b ? 1 : 0));
  }
  // `a * b + c` does not become one fma instruction on every driver; f16 values go in pairs.
  const char* mad = shape.half   ? "vec4<T>(fma(vec2<T>(a), b.xy, c.xy), fma(vec2<T>(a), b.zw, c.zw))"
                    : t == "f32" ? "fma(vec4<T>(a), b, c)"
                                 : "a * b + c";
  return s + fmt::format("fn mad(a: T, b: vec4<T>, c: vec4<T>) -> vec4<T> {{ return {}; }}\n", mad);
}

/// The first column, row and matrix of a workgroup. In a grouped GEMM it also sets the matmul's number.
std::string origin_function(const std::vector<GroupedMatmul>& matmuls, const MatmulShape& shape,
                            const std::string& end_m, const std::string& end_n) {
  const bool several = matmuls.size() > 1;
  std::string s = fmt::format("fn origin(group: vec3<u32>) -> vec3<u32> {{\nvar at = group{};\n",
                              several ? "" : " * vec3<u32>(TILE_N, TILE_M, 1u)");
  if (several) {
    s += fmt::format("part = 0u;\nvar end = {};\n", param(2));
    for (std::size_t i = 1; i < matmuls.size(); ++i) {
      s += fmt::format(
          "let tiles{0} = ({1} + TILE_N - 1u) / TILE_N;\nif (at.x >= tiles{0}) {{\nat.x -= tiles{0};\npart = {0}u;\n"
          "end = {2};\n",
          i, param(matmuls[i - 1].first + 2), param(matmuls[i].first + 2));
    }
    s += std::string(matmuls.size() - 1, '}') + "\nat *= vec3<u32>(TILE_N, TILE_M, 1u);\n";
  }
  if (shape.chunked) {
    const int piece = matmuls[0].layout.words;
    s += fmt::format("at += vec3<u32>({}, {}, {});\n", param(piece + 2), param(piece + 1), param(piece));
  }
  if (shape.inside_m) s += fmt::format("at.y = min(at.y, {} - TILE_M);\n", end_m);
  if (shape.inside_n) s += fmt::format("at.x = min(at.x, {} - TILE_N);\n", several ? "end" : end_n);
  return s + "return at;\n}\n";
}

/// The statements `text` of each matmul, selected by its number.
template <class F>
std::string each(const std::vector<GroupedMatmul>& matmuls, F text) {
  std::vector<std::string> all;
  for (const GroupedMatmul& x : matmuls) all.push_back(text(x));
  return choose_part(all);
}

}  // namespace

std::string choose_part(const std::vector<std::string>& statements) {
  if (statements.size() == 1) return statements[0];
  std::string s = "switch part {\n";
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool last = i + 1 == statements.size();
    s += (last ? std::string("default") : fmt::format("case {}u", i)) + ": {\n" + statements[i] + "}\n";
  }
  return s + "}\n";
}

Written write_matmul(const Kernel& kernel, const MatmulShape& shape, bool native_f16) {
  Written w = plain_forms(kernel, native_f16, shape.chunked);
  const std::vector<GroupedMatmul> matmuls = share_out(kernel, shape, w);
  const GroupedMatmul& first = matmuls[0];
  const bool several = matmuls.size() > 1;
  const bool matrices = shape.unit != 0;
  const Operand& a = first.kernel.a;
  const Operand& b = first.kernel.b;
  // f16 values are widened when a tile is stored, not when it is loaded: a conversion would wait for the loads before
  // the multiply-adds.
  const bool half_loads =
      matrices || shape.half ||
      (native_f16 && !shape.one_row && a.dtype == DType::kF16 && b.dtype == DType::kF16 && !b.is_dequantized());
  w.halves = half_loads;
  w.text += matrices ? matrix_header(shape) : tiled_header(shape, value_type(a.dtype), half_loads);
  if (several) w.text += "var<private> part: u32;\n";
  w.text += fmt::format("struct Batch {{ {}{}}}\nfn size_k() -> u32 {{ return {}; }}\n",
                        batch_fields(a, first.operand_at(true), true), batch_fields(b, first.operand_at(false), false),
                        param(3));
  w.text += "fn locate(z: u32) -> Batch {\nvar at: Batch;\n" + batch_place(a, first.operand_at(true), true);
  w.text += each(matmuls, [](const GroupedMatmul& x) { return batch_place(x.kernel.b, x.operand_at(false), false); });
  w.text += "return at;\n}\n";
  const int piece = first.layout.words;  // chunked: matrix, m, n, end of m, end of n
  const std::string end_m = param(shape.chunked ? piece + 3 : 1);
  const auto end_n = [&](const GroupedMatmul& x) { return param(shape.chunked ? piece + 4 : x.first + 2); };
  const auto access = [&](const GroupedMatmul& x, bool is_a) {
    using enum OperandAccess::Beyond;
    const bool inside = is_a ? shape.inside_m : shape.inside_n;
    return OperandAccess{.is_a = is_a,
                         .along_k = is_a ? shape.along_k_a : shape.along_k_b,
                         .quads = (is_a ? shape.quads_a : shape.quads_b) && x.form(is_a).quad,
                         .narrow = shape.narrow,
                         .half = half_loads,
                         .beyond = !matrices ? kZero : (inside ? kNever : kAnything),
                         .whole_k = matrices && shape.whole_k,
                         .end = is_a ? end_m : end_n(x),
                         .tag = is_a ? "" : x.tag};
  };
  const auto load = [&](const GroupedMatmul& x, bool is_a) {
    return load_function(x.operand(is_a), x.form(is_a), access(x, is_a), x.operand_at(is_a));
  };
  const auto source = [&](const GroupedMatmul& x, bool is_a) -> MatrixSource {
    if (!matrices) return {};
    const Operand& operand = x.operand(is_a);
    const BufferForm form = x.form(is_a);
    const OperandAccess how = access(x, is_a);
    const bool straight = how.quads && how.beyond == OperandAccess::Beyond::kNever && holds_half_quads(form);
    const int at = x.operand_at(is_a);
    if (operand.is_im2col()) return {.map = Im2colReader(operand, form, how, at)};
    if (!straight) return {};
    return {.buffers = {form.name},
            .outer_stride = outer_stride(operand, at, is_a),
            .k_stride = k_stride(operand, at, is_a)};
  };
  // If all right operands are strided f16 buffers, their strides are variables, and only the loads are selected by
  // matmul.
  const auto sources = [&]() -> MatrixSource {
    if (!several) return source(first, false);
    MatrixSource all{.outer_stride = "far_b", .k_stride = "deep_b", .setup = "var far_b = 0u;\nvar deep_b = 0u;\n"};
    std::vector<std::string> strides;
    for (const GroupedMatmul& x : matmuls) {
      const MatrixSource own = source(x, false);
      if (!own.linear()) return {};
      all.buffers.push_back(own.buffers[0]);
      strides.push_back(fmt::format("far_b = {};\ndeep_b = {};\n", own.outer_stride, own.k_stride));
    }
    all.setup += choose_part(strides);
    return all;
  };
  const MatrixSource from_a = source(first, true);
  const MatrixSource from_b = sources();
  const auto computed = [&](const GroupedMatmul& x, bool is_a) -> std::string {
    const Operand& operand = x.operand(is_a);
    if (!operand.is_computed()) return {};
    std::vector<BufferForm> own;
    for (const int slot : operand.sources) own.push_back(x.inputs[as_index(slot)]);
    return prologue_function(operand, x.form(is_a), own, x.first + x.layout.prologue_at[is_a ? 0 : 1], half_loads);
  };
  w.text += computed(first, true);
  for (const GroupedMatmul& x : matmuls) w.text += computed(x, false);
  // The matmuls of a grouped GEMM share one quantization format, but each has its own planes: dequantize_quad exists
  // once per matmul.
  if (b.is_dequantized()) {
    const auto& dequantizer = b.dequantizer;
    const std::string functions = dequantize_functions(*dequantizer);
    const std::size_t last = functions.find("fn dequantize_quad(");
    w.text += functions.substr(0, last);
    for (const GroupedMatmul& x : matmuls) {
      std::string text = renamed(functions.substr(last), "dequantize_quad", "dequantize_quad" + x.tag);
      for (std::size_t i = 0; i < dequantizer->inputs.size(); ++i) {
        text = renamed(text, dequantizer->inputs[i].name, x.inputs[as_index(x.kernel.b.slot) + i].name);
      }
      w.text += text;
    }
  }
  if (from_a.by_function()) w.text += load(first, true);
  if (from_b.by_function()) {
    for (const GroupedMatmul& x : matmuls) w.text += load(x, false);
    const auto call = [](const GroupedMatmul& x) { return fmt::format("return load_b{}(at, o, k);\n", x.tag); };
    if (several) w.text += "fn load_b(at: Batch, o: u32, k: u32) -> vec4<L> {\n" + each(matmuls, call) + "}\n";
  }
  for (const GroupedMatmul& x : matmuls) w.text += store_function(x, shape.quads_c, end_m, end_n(x));
  if (several) {
    const auto call = [](const GroupedMatmul& x) { return fmt::format("store_c{}(z, m, n, c);\n", x.tag); };
    w.text += "fn store_c(z: u32, m: u32, n: u32, c: vec4<Result>) {\n" + each(matmuls, call) + "}\n";
  }
  w.text += origin_function(matmuls, shape, end_m, end_n(first));
  w.text += kernels::wgsl(matrices ? "matmul_matrix" : (shape.one_row ? "matmul_row" : "matmul_tiled"));
  if (matrices) w.text += matrix_main(shape, from_a, from_b);
  if (!matrices && !shape.one_row) w.text += tiled_main(kernel, shape);
  return w;
}

}  // namespace tessera::codegen
