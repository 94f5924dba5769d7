// The loads of quantized elements by format, and the kernels on top of them.
#include "codegen/kernels/quant.h"

#include <fmt/format.h>

#include "codegen/kernels/kernel_text.h"
#include "kernels/kernels.h"
#include "schedule/calls/quant.h"

namespace tessera::codegen {

namespace {

using ops::block_info;
using ops::BlockFormat;
using ops::BlockInfo;

/// The scale and the minimum of unit `u` of 16 elements, from the words of a block's scales.
std::string_view scale_text(BlockFormat format) {
  switch (format) {
    case BlockFormat::kQ4_1:
      return "  let m = unpack2x16float(s);\n  return vec2<f32>(m.x, -m.y);\n";
    case BlockFormat::kQ4_0:
      return "  let d = half_at(s, (u >> 1u) & 1u);\n  return vec2<f32>(d, 8.0 * d);\n";
    case BlockFormat::kQ5_0:
      return "  let d = half_at(s, (u >> 1u) & 1u);\n  return vec2<f32>(d, 16.0 * d);\n";
    case BlockFormat::kQ8_0:
      return "  return vec2<f32>(half_at(s, (u >> 1u) & 1u), 0.0);\n";
    case BlockFormat::kQ6_K:
      return "  let d = unpack2x16float(outer).x * f32(bitcast<i32>(s << (24u - 8u * (u & 3u))) >> 24u);\n"
             "  return vec2<f32>(d, 32.0 * d);\n";
    default:
      return "  let t = s >> (16u * ((u >> 1u) & 1u));\n  let d = unpack2x16float(outer);\n"
             "  return vec2<f32>(d.x * f32(t & 0xffu), d.y * f32((t >> 8u) & 0xffu));\n";
  }
}

/// The loads of elements, by format. quants, scales, supers and high are the planes.
/// load_raw and block_of: a unit of 16; all words are loaded first, so that several units are in flight at once.
/// dequantize_quad: four neighbors.
struct Texts {
  std::string scale, units, quads;
};

Texts load_texts(BlockFormat format) {
  const BlockInfo& info = block_info(format);
  const char* scale = format == BlockFormat::kQ4_1 ? "scales[u >> 1u]" : "scales[u >> 2u]";
  const char* super = info.elements == 256 ? "supers[u >> 4u]" : "0u";
  // The upper bits of quad i of a unit, shifted into place.
  const auto upper = [&](std::string_view i) -> std::string {
    if (info.high_bits == 1) return fmt::format(" | fifth_bits(h >> (4u * {}))", i);
    return info.high_bits == 2 ? fmt::format(" | upper_bits(h >> (8u * {}))", i) : std::string{};
  };
  const char* high = info.high_bits == 1 ? "high[u >> 1u] >> (16u * (u & 1u))" : info.high_bits == 2 ? "high[u]" : "0u";
  Texts t;
  t.scale = fmt::format("fn scale_of(s: u32, outer: u32, u: u32) -> vec2<f32> {{\n{}}}\n", scale_text(format));
  t.units = fmt::format("fn load_raw(u: u32) -> Raw {{\n  return Raw({}, {}, {}, {});\n}}\n",
                        info.bits == 8 ? "quants[u]" : "vec4<u32>(quants[u], 0u, 0u)", scale, super, high);
  t.units += "fn block_of(raw: Raw, u: u32) -> Block {\n  let s = scale_of(raw.s, raw.d, u);\n  let h = raw.h;\n";
  t.units += "  return Block(array<vec4<f32>, 4>(";
  for (int i = 0; i < 4; ++i) {
    t.units += i > 0 ? ", " : "";
    if (info.bits == 8) {
      t.units += fmt::format("signed_bytes_of(raw.w[{}])", i);
    } else if (info.high_bits > 0) {
      t.units += fmt::format("bytes_of(((raw.w[{}] >> {}u) & 0x0f0f0f0fu){})", i / 2, 4 * (i % 2),
                             upper(fmt::format("{}u", i)));
    } else {
      t.units += fmt::format("{}_nibbles(raw.w[{}])", i % 2 == 0 ? "lower" : "upper", i / 2);
    }
  }
  t.units += "), s.x, s.y);\n}\n";
  t.quads = fmt::format(
      "fn dequantize_quad(q: u32) -> vec4<f32> {{\n  let u = q >> 2u;\n  let s = scale_of({}, {}, u);\n", scale, super);
  if (info.high_bits > 0) t.quads += fmt::format("  let h = {};\n", high);
  t.quads += info.bits == 8 ? std::string("  return signed_bytes_of(quants[q]) * s.x - s.y;\n}\n")
                            : fmt::format(
                                  "  let w = (quants[q >> 1u] >> (4u * (q & 1u))) & 0x0f0f0f0fu;\n"
                                  "  return bytes_of(w{}) * s.x - s.y;\n}}\n",
                                  upper("(q & 3u)"));
  return t;
}

std::string blocks_text(const Texts& texts) { return std::string(kernels::wgsl("quant_blocks")) + texts.scale; }

std::string dequantize_text(BlockFormat format) {
  const Texts texts = load_texts(format);
  return blocks_text(texts) + texts.quads;
}

std::string write_dequantize(const Attributes& variant) {
  const auto v = from_attributes<schedule::DequantizeVariant>(variant);
  return dequantize_text(v.format) + std::string(kernels::wgsl("quant_dequantize"));
}

std::string write_quant_matmul(const Attributes& variant) {
  const auto v = from_attributes<schedule::QuantMatmulVariant>(variant);
  const Texts texts = load_texts(v.format);
  return fmt::format("const M = {}u;\nconst R = {}u;\nconst U = {}u;\n", v.rows, v.outputs, v.units) +
         blocks_text(texts) + texts.units + std::string(kernels::wgsl("quant_matmul"));
}

}  // namespace

std::string dequantize_functions(const CustomKernel& kernel) {
  return dequantize_text(from_attributes<schedule::DequantizeVariant>(kernel.variant).format);
}

extern const KernelText kDequantizeText{"quant_dequantize", write_dequantize};
extern const KernelText kQuantMatmulText{"quant_matmul", write_quant_matmul};

}  // namespace tessera::codegen
