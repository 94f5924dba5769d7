// The text of fused linear layers: loads of each weight, dot products of a tile, and the epilogue.
#include "schedule/calls/fused_linear.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/kernels/kernel_text.h"
#include "codegen/kernels/quant.h"
#include "kernels/kernels.h"
#include "ops/quant/quant.h"

namespace tessera::codegen {

namespace {

using ops::LinearEpilogue;
using schedule::FusedLinearVariant;

DType dtype_of(const FusedLinearVariant& v, std::size_t part) { return static_cast<DType>(v.dtypes[part]); }

/// Units of a matrix with elements, in the form of those of block dtypes.
std::string dense_functions(DType dtype, std::size_t part) {
  const int vectors = size_of(dtype) == 2 ? 2 : 4;
  std::string text = fmt::format("struct Raw{} {{\n", part);
  std::string loads;
  for (int i = 0; i < vectors; ++i) {
    text += fmt::format("  w{}: vec4<u32>,\n", i);
    loads += fmt::format("{}weight{}[{}u * u + {}u]", i > 0 ? ", " : "", part, vectors, i);
  }
  text += fmt::format("}}\nstruct Block{0} {{\n  q: array<vec4<f32>, 4>,\n  scale: f32,\n  low: f32,\n}}\n", part);
  text += fmt::format("fn load_raw{0}(u: u32) -> Raw{0} {{\n  return Raw{0}({1});\n}}\n", part, loads);
  std::string quads;
  const char* unpack = dtype == DType::kF16 ? "unpack2x16float" : "bf16_unpack";
  for (int i = 0; i < 4; ++i) {
    quads += i > 0 ? ", " : "";
    quads += vectors == 4 ? fmt::format("bitcast<vec4<f32>>(raw.w{})", i)
                          : fmt::format("vec4<f32>({0}(raw.w{1}.{2}), {0}(raw.w{1}.{3}))", unpack, i / 2,
                                        i % 2 == 0 ? 'x' : 'z', i % 2 == 0 ? 'y' : 'w');
  }
  return text + fmt::format(
                    "fn block_of{0}(raw: Raw{0}, u: u32) -> Block{0} {{\n  return Block{0}(array<vec4<f32>, 4>({1}), "
                    "1.0, 0.0);\n}}\n",
                    part, quads);
}

/// x0 to x3 as signed bytes p0 to p3, in units of `step`; sum is theirs. What is not finite makes the step NaN.
constexpr std::string_view kRoundX = R"(        let sizes = max(max(abs(x0), abs(x1)), max(abs(x2), abs(x3)));
        let size = max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
        let finite = (bitcast<u32>(total) & 0x7f800000u) != 0x7f800000u;
        let step = bitcast<f32>(select(0x7fc00000u, bitcast<u32>(size * (1.0 / 127.0)), finite));
        let each = select(0.0, 127.0 / size, size > 1e-30);
        let p0 = rounded_bytes(x0 * each);
        let p1 = rounded_bytes(x1 * each);
        let p2 = rounded_bytes(x2 * each);
        let p3 = rounded_bytes(x3 * each);
        let sum = dot4I8Packed(p0, ONES) + dot4I8Packed(p1, ONES) + dot4I8Packed(p2, ONES) + dot4I8Packed(p3, ONES);
)";

/// fn dots<n>(rows, local): the sums of one invocation. Output r is of the weight `parts[r]`.
std::string dots_function(const FusedLinearVariant& v, std::size_t number, const std::vector<std::size_t>& parts) {
  const auto packed = [&](std::size_t part) { return v.packed && is_block(dtype_of(v, part)); };
  const bool any_packed = std::ranges::any_of(parts, packed);
  std::string text = fmt::format(
      "fn dots{1}(rows: array<u32, R>, local: u32) -> Sums {{\n  var s: Sums;\n  let last = params.units - 1u;\n"
      "  for (var first = local; first < params.units; first += {0}u * workgroup_x) {{\n",
      v.units, number);
  // All words are loaded first, to hide their latency.
  for (int k = 0; k < v.units; ++k) {
    text += fmt::format("    let u{0} = min(first + {0}u * workgroup_x, last);\n", k);
    for (std::size_t r = 0; r < parts.size(); ++r)
      text += fmt::format("    let raw{0}_{1} = load_raw{2}(rows[{0}] * params.units + u{1});\n", r, k, parts[r]);
  }
  for (int k = 0; k < v.units; ++k) {
    text += "    {\n";
    // A unit past the end is loaded, and does not count.
    if (k > 0) text += fmt::format("      let real = first + {}u * workgroup_x <= last;\n", k);
    for (std::size_t r = 0; r < parts.size(); ++r)
      text += fmt::format("      let b{0} = {3}_of{2}(raw{0}_{1}, rows[{0}] * params.units + u{1});\n", r, k, parts[r],
                          packed(parts[r]) ? "codes" : "block");
    if (v.norm) {
      for (int i = 0; i < 4; ++i)
        text += fmt::format("      let g{0} = norm_weight[u{1} * 4u + {0}u] + params.norm_offset;\n", i, k);
    }
    text += "      for (var m = 0u; m < M; m++) {\n";
    text +=
        fmt::format("        let at = params.x_offset + min(m, params.m - 1u) * params.x_strides.x + u{} * 4u;\n", k);
    bool minima = false;
    for (const std::size_t p : parts)
      minima = minima || (is_block(dtype_of(v, p)) && ops::block_layout(dtype_of(v, p)).has_minimum());
    for (int i = 0; i < 4; ++i) {
      const std::string load = fmt::format("load_x(at + {}u)", i);
      text += fmt::format("        var x{} = {};\n", i,
                          k == 0 ? load : fmt::format("select(vec4<f32>(0.0), {}, real)", load));
    }
    if (v.norm) {
      text += "        s.squares[m] += (dot(x0, x0) + dot(x1, x1)) + (dot(x2, x2) + dot(x3, x3));\n";
      for (int i = 0; i < 4; ++i) text += fmt::format("        x{0} *= g{0};\n", i);
    }
    if (minima || any_packed) {
      text += "        let t = (x0 + x1) + (x2 + x3);\n        let total = (t.x + t.y) + (t.z + t.w);\n";
    }
    if (any_packed) text += kRoundX;
    for (std::size_t r = 0; r < parts.size(); ++r) {
      const DType dtype = dtype_of(v, parts[r]);
      if (packed(parts[r])) {
        const int zero = code_zero(dtype);
        text += fmt::format(
            "        let v{0} = (dot4I8Packed(b{0}.q[0], p0) + dot4I8Packed(b{0}.q[1], p1)) + "
            "(dot4I8Packed(b{0}.q[2], p2) + dot4I8Packed(b{0}.q[3], p3)){1};\n"
            "        s.acc[{0}][m] += b{0}.scale * (step * f32(v{0})){2};\n",
            r, zero > 0 ? fmt::format(" - {} * sum", zero) : "",
            ops::block_layout(dtype).has_minimum() ? fmt::format(" - b{}.low * total", r) : "");
        continue;
      }
      text += fmt::format(
          "        let v{0} = fma(b{0}.q[0], x0, b{0}.q[1] * x1) + fma(b{0}.q[2], x2, b{0}.q[3] * x3);\n", r);
      const std::string sum = fmt::format("((v{0}.x + v{0}.y) + (v{0}.z + v{0}.w))", r);
      if (!is_block(dtype)) {
        text += fmt::format("        s.acc[{}][m] += {};\n", r, sum);
      } else {
        text += fmt::format("        s.acc[{0}][m] += b{0}.scale * {1}{2};\n", r, sum,
                            ops::block_layout(dtype).has_minimum() ? fmt::format(" - b{}.low * total", r) : "");
      }
    }
    text += "      }\n    }\n";
  }
  return text + "  }\n  return s;\n}\n";
}

/// fn keep(s, local): each sum of an invocation, or of its subgroup, to workgroup memory. An index that is not a
/// constant would put the sums themselves into memory.
std::string keep_function(const FusedLinearVariant& v) {
  std::string text = "fn keep(s: Sums, local: u32) {\n";
  int number = 0;
  const auto add = [&](const std::string& sum) {
    text += v.subgroup > 0 ? fmt::format(
                                 "  let t{0} = subgroupAdd({1});\n  if (local % SUBGROUP == 0u) {{ partial[{0}u * "
                                 "PARTS + local / SUBGROUP] = t{0}; }}\n",
                                 number, sum)
                           : fmt::format("  sums[{}u * workgroup_x + local] = {};\n", number, sum);
    ++number;
  };
  for (int r = 0; r < v.outputs; ++r) {
    for (int m = 0; m < v.rows; ++m) add(fmt::format("s.acc[{}][{}]", r, m));
  }
  for (int m = 0; v.norm && m < v.rows; ++m) add(fmt::format("s.squares[{}]", m));
  return text + "}\n";
}

std::string by_part(const FusedLinearVariant& v, const std::string& head, const char* format) {
  std::string text = head + "  switch part {\n";
  for (std::size_t p = 1; p < v.dtypes.size(); ++p)
    text += fmt::format("    case {}u: {{ {} }}\n", p, fmt::format(fmt::runtime(format), p));
  return text + fmt::format("    default: {{ {} }}\n  }}\n}}\n", fmt::format(fmt::runtime(format), 0));
}

std::string activation_text(LinearEpilogue e) {
  switch (e) {
    case LinearEpilogue::kSilu:
      return "y * sigmoid_f32(y)";
    case LinearEpilogue::kGelu:
      return "y * 0.5 * (erf_f32(y * 0.7071067811865476) + 1.0)";
    case LinearEpilogue::kGeluTanh:
      return "y * 0.5 * (tanh_f32((y + y * y * y * 0.044715) * 0.7978845608028654) + 1.0)";
    default:
      return "max_f32(y, 0.0)";
  }
}

/// fn finish(part, tile, i): stores result i of a tile, below FINISHED.
std::string epilogue_text(const FusedLinearVariant& v) {
  if (v.epilogue == LinearEpilogue::kQkv) {
    const std::string pack = v.cache == DType::kF16    ? "f16_pack(clamp(v, vec2<f32>(-65504.0), vec2<f32>(65504.0)))"
                             : v.cache == DType::kBF16 ? "bf16_pack(v)"
                                                       : "bitcast<vec2<u32>>(v)";
    const char* word = size_of(v.cache) == 2 ? "u32" : "vec2<u32>";
    return fmt::format(
               "const FINISHED = 2u * M;\nconst INTERLEAVED = {};\nfn packed(v: vec2<f32>) -> {} {{\n  return "
               "{};\n}}\n",
               v.interleaved, word, pack) +
           std::string(kernels::wgsl("fused_linear_qkv"));
  }
  if (is_gate(v.epilogue)) {
    return fmt::format(
        "const FINISHED = R / 2u * M;\nfn row_of(part: u32, tile: u32, r: u32) -> u32 {{\n  return min(tile * (R / 2u) "
        "+ r % (R / 2u), params.n0 - 1u);\n}}\nfn activated(y: f32) -> f32 {{\n  return {};\n}}\n"
        "fn finish(part: u32, tile: u32, i: u32) {{\n  let r = i / M;\n  let m = i % M;\n  let n = tile * (R / 2u) + "
        "r;\n  if (n >= params.n0 || m >= params.m) {{ return; }}\n  output0[m * params.n0 + n] = "
        "activated(value(0u, n, r, m)) * value(1u, n, r + R / 2u, m);\n}}\n",
        activation_text(v.epilogue));
  }
  std::string text = by_part(v, "fn count_of(part: u32) -> u32 {\n", "return params.n{};");
  text += "fn row_of(part: u32, tile: u32, r: u32) -> u32 {\n  return min(tile * R + r, count_of(part) - 1u);\n}\n";
  text += by_part(v, "fn store(part: u32, i: u32, y: f32) {\n", "output{}[i] = y;");
  return text + fmt::format(
                    "const FINISHED = R * M;\nfn finish(part: u32, tile: u32, i: u32) {{\n  let r = i / M;\n  let m = "
                    "i % M;\n  let n = tile * R + r;\n  if (n >= count_of(part) || m >= params.m) {{ return; }}\n"
                    "  let at = m * count_of(part) + n;\n  store(part, at, {}value(part, n, r, m));\n}}\n",
                    v.epilogue == LinearEpilogue::kResidual ? "residual[at] + " : "");
}

std::string write_fused_linear(const Attributes& variant) {
  const auto v = from_attributes<FusedLinearVariant>(variant);
  const bool gate = is_gate(v.epilogue);
  const int values = v.rows * (v.outputs + (v.norm ? 1 : 0));
  std::string text =
      fmt::format("const M = {}u;\nconst R = {}u;\nconst V = {}u;\nconst NORM = {};\nconst ONES = 0x01010101u;\n",
                  v.rows, v.outputs, values, v.norm);
  text += "struct Sums {\n  acc: array<array<f32, M>, R>,\n  squares: array<f32, M>,\n}\n";
  bool helpers = false;
  for (std::size_t p = 0; p < v.dtypes.size(); ++p) {
    if (is_block(dtype_of(v, p)) && !helpers) text += block_helpers();
    helpers = helpers || is_block(dtype_of(v, p));
    text += is_block(dtype_of(v, p)) ? unit_functions(dtype_of(v, p), std::to_string(p))
                                     : dense_functions(dtype_of(v, p), p);
  }
  const auto outputs = static_cast<std::size_t>(v.outputs);
  if (gate) {
    std::vector<std::size_t> parts(outputs, 0);
    for (std::size_t r = outputs / 2; r < outputs; ++r) parts[r] = 1;
    text += dots_function(v, 0, parts);
    text += "fn dots(part: u32, rows: array<u32, R>, local: u32) -> Sums {\n  return dots0(rows, local);\n}\n";
  } else {
    for (std::size_t p = 0; p < v.dtypes.size(); ++p) text += dots_function(v, p, std::vector<std::size_t>(outputs, p));
    text +=
        by_part(v, "fn dots(part: u32, rows: array<u32, R>, local: u32) -> Sums {\n", "return dots{}(rows, local);");
  }
  text += v.biases ? by_part(v, "fn bias_of(part: u32, n: u32) -> f32 {\n", "return bias{}[n];")
                   : "fn bias_of(part: u32, n: u32) -> f32 {\n  return 0.0;\n}\n";
  text +=
      v.subgroup > 0
          ? fmt::format("const SUBGROUP = {}u;\n", v.subgroup) + std::string(kernels::wgsl("fused_linear_subgroups"))
          : fmt::format("const LANES = {}u;\n", v.lanes) + std::string(kernels::wgsl("fused_linear_memory"));
  return text + keep_function(v) + std::string(kernels::wgsl("fused_linear")) + epilogue_text(v);
}

}  // namespace

extern const KernelText kFusedLinearText{"fused_linear", write_fused_linear};

}  // namespace tessera::codegen
