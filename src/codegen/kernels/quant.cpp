// The loads of quantized elements by block dtype, and the kernels on top of them.
#include "codegen/kernels/quant.h"

#include <cctype>
#include <set>

#include <fmt/format.h>

#include "codegen/kernels/kernel_text.h"
#include "kernels/kernels.h"
#include "schedule/calls/quant.h"

namespace tessera::codegen {

namespace {

using ops::block_layout;
using ops::BlockCodes;
using ops::BlockLayout;
using ops::BlockScales;

/// The scale and the minimum of unit `u` of 16 elements, from the words of a block's scales.
std::string_view scale_text(BlockScales scales) {
  switch (scales) {
    case BlockScales::kHalf:
      return "  return vec2<f32>(half_at(s, (u >> 1u) & 1u), 0.0);\n";
    case BlockScales::kHalfPair:
      return "  let m = unpack2x16float(s);\n  return vec2<f32>(m.x, -m.y);\n";
    case BlockScales::kBytes16:
      return "  return vec2<f32>(unpack2x16float(outer).x * signed_byte_at(s, u & 3u), 0.0);\n";
    case BlockScales::kBytes32:
      return "  return vec2<f32>(unpack2x16float(outer).x * signed_byte_at(s, (u >> 1u) & 3u), 0.0);\n";
    case BlockScales::kNibblePairs:
      return "  let t = s >> (8u * (u & 3u));\n  let d = unpack2x16float(outer);\n"
             "  return vec2<f32>(d.x * f32(t & 0xfu), d.y * f32((t >> 4u) & 0xfu));\n";
    case BlockScales::kBytePairs:
      return "  let t = s >> (16u * ((u >> 1u) & 1u));\n  let d = unpack2x16float(outer);\n"
             "  return vec2<f32>(d.x * f32(t & 0xffu), d.y * f32((t >> 8u) & 0xffu));\n";
    case BlockScales::kExponent:
      return "  return vec2<f32>(exponent_scale((s >> (8u * ((u >> 1u) & 3u))) & 0xffu), 0.0);\n";
  }
  return "";
}

/// The word of a unit's scales.
std::string_view scale_word(BlockScales scales) {
  if (scales == BlockScales::kHalfPair) return "scales[u >> 1u]";
  return scales == BlockScales::kBytes32 || scales == BlockScales::kExponent ? "scales[u >> 3u]" : "scales[u >> 2u]";
}

/// The loads of elements, by block dtype. quants, scales, supers and high are the planes.
/// load_raw and block_of: a unit of 16; all words are loaded first, so that several units are in flight at once.
/// dequantize_quad: four neighbors.
struct Texts {
  std::string scale, units, codes, quads;
};

/// The codes of four neighbors as signed bytes, before code_zero is subtracted: `word` has their lower bits in its
/// lowest bits of each byte, `high` their upper bits.
std::string codes_text(const BlockLayout& layout, const std::string& word, const std::string& high) {
  if (layout.bits == 8) return word;
  std::string low = fmt::format("({} & {})", word, layout.bits == 2 ? "0x03030303u" : "0x0f0f0f0fu");
  if (layout.codes == BlockCodes::kNonlinear) return fmt::format("nonlinear_bytes({})", low);
  if (layout.codes == BlockCodes::kE2M1) return fmt::format("e2m1_bytes({})", low);
  if (layout.high_bits == 1) return fmt::format("({} | {}_bits({}))", low, layout.bits == 2 ? "third" : "fifth", high);
  if (layout.high_bits == 2) return fmt::format("({} | upper_bits({}))", low, high);
  return low;
}

/// The values of four neighbors, centered.
std::string quad_text(const BlockLayout& layout, const std::string& word, const std::string& high) {
  if (layout.bits == 8) return fmt::format("signed_bytes_of({})", word);
  if (layout.codes == BlockCodes::kNonlinear) return fmt::format("nonlinear_of(({} & 0x0f0f0f0fu))", word);
  if (layout.codes == BlockCodes::kE2M1) return fmt::format("e2m1_of(({} & 0x0f0f0f0fu))", word);
  return fmt::format("bytes_of({}, {}.0)", codes_text(layout, word, high), layout.zero);
}

Texts load_texts(DType dtype) {
  const BlockLayout& layout = block_layout(dtype);
  const std::string_view scale = scale_word(layout.scales);
  const char* super = layout.has_supers() ? "supers[u >> 4u]" : "0u";
  const char* high = layout.high_bits == 1   ? "high[u >> 1u] >> (16u * (u & 1u))"
                     : layout.high_bits == 2 ? "high[u]"
                                             : "0u";
  const bool nibbles = layout.bits == 4 && layout.high_bits == 0 && layout.codes == BlockCodes::kInteger;
  const int high_bits = 4 * layout.high_bits;  // of a quad
  Texts t;
  t.scale = fmt::format("fn scale_of(s: u32, outer: u32, u: u32) -> vec2<f32> {{\n{}}}\n", scale_text(layout.scales));
  t.units = "struct Raw {\n  w: vec4<u32>,\n  s: u32,\n  d: u32,\n  h: u32,\n}\n";
  t.units += "struct Block {\n  q: array<vec4<f32>, 4>,\n  scale: f32,\n  low: f32,\n}\n";
  t.units += fmt::format("fn load_raw(u: u32) -> Raw {{\n  return Raw({}, {}, {}, {});\n}}\n",
                         layout.bits == 8   ? "quants[u]"
                         : layout.bits == 4 ? "vec4<u32>(quants[u], 0u, 0u)"
                                            : "vec4<u32>(quants[u], 0u, 0u, 0u)",
                         scale, super, high);
  t.units += "fn block_of(raw: Raw, u: u32) -> Block {\n  let s = scale_of(raw.s, raw.d, u);\n";
  t.units += "  return Block(array<vec4<f32>, 4>(";
  for (int i = 0; i < 4; ++i) {
    const int word = i * layout.bits / 8;
    const int shift = i * layout.bits % 8;
    const std::string raw =
        shift == 0 ? fmt::format("raw.w[{}]", word) : fmt::format("(raw.w[{}] >> {}u)", word, shift);
    t.units += i > 0 ? ", " : "";
    t.units += nibbles ? fmt::format("{}_nibbles(raw.w[{}], {}.0)", shift == 0 ? "lower" : "upper", word, layout.zero)
                       : quad_text(layout, raw, fmt::format("raw.h >> {}u", high_bits * i));
  }
  t.units += "), s.x, s.y);\n}\n";
  t.codes = "struct Codes {\n  q: array<u32, 4>,\n  scale: f32,\n  low: f32,\n}\n";
  t.codes += "fn codes_of(raw: Raw, u: u32) -> Codes {\n  let s = scale_of(raw.s, raw.d, u);\n";
  t.codes += "  return Codes(array<u32, 4>(";
  for (int i = 0; i < 4; ++i) {
    const int shift = i * layout.bits % 8;
    const std::string raw = shift == 0 ? fmt::format("raw.w[{}]", i * layout.bits / 8)
                                       : fmt::format("(raw.w[{}] >> {}u)", i * layout.bits / 8, shift);
    t.codes += (i > 0 ? ", " : "") + codes_text(layout, raw, fmt::format("raw.h >> {}u", high_bits * i));
  }
  t.codes += "), s.x, s.y);\n}\n";
  t.quads = fmt::format(
      "fn dequantize_quad(q: u32) -> vec4<f32> {{\n  let u = q >> 2u;\n  let s = scale_of({}, {}, u);\n", scale, super);
  if (layout.high_bits > 0) t.quads += fmt::format("  let h = {};\n", high);
  const std::string_view word = layout.bits == 8   ? "quants[q]"
                                : layout.bits == 4 ? "(quants[q >> 1u] >> (4u * (q & 1u)))"
                                                   : "(quants[u] >> (2u * (q & 3u)))";
  t.quads += fmt::format("  return {} * s.x{};\n}}\n",
                         quad_text(layout, std::string(word), fmt::format("h >> ({}u * (q & 3u))", high_bits)),
                         layout.has_minimum() ? " - s.y" : "");
  return t;
}

std::string blocks_text(const Texts& texts) { return std::string(kernels::wgsl("quant_blocks")) + texts.scale; }

std::string dequantize_text(DType dtype) {
  const Texts texts = load_texts(dtype);
  return blocks_text(texts) + texts.quads;
}

std::string write_dequantize(const Attributes& variant) {
  const auto v = from_attributes<schedule::DequantizeVariant>(variant);
  return dequantize_text(v.dtype) + std::string(kernels::wgsl("quant_dequantize"));
}

std::string write_quant_matmul(const Attributes& variant) {
  const auto v = from_attributes<schedule::QuantMatmulVariant>(variant);
  const Texts texts = load_texts(v.dtype);
  return fmt::format("const M = {}u;\nconst R = {}u;\nconst U = {}u;\nconst MINIMA = {};\n", v.rows, v.outputs, v.units,
                     block_layout(v.dtype).has_minimum()) +
         blocks_text(texts) + texts.units + std::string(kernels::wgsl("quant_matmul"));
}

std::string write_quantize(const Attributes& variant) {
  const DType dtype = from_attributes<schedule::QuantizeVariant>(variant).dtype;
  const BlockLayout& layout = block_layout(dtype);
  const bool bytes = layout.bits == 8;
  const bool e2m1 = layout.codes == BlockCodes::kE2M1;
  const bool range = layout.has_minimum();
  const int steps = bytes ? 127 : range ? (16 << layout.high_bits) - 1 : layout.zero;
  const int shared = layout.scales == BlockScales::kHalf ? 2 : e2m1 ? 4 : 1;
  return fmt::format(
             "const SYMMETRIC = {};\nconst RANGE = {};\nconst BYTES = {};\nconst E2M1 = {};\nconst STEPS = {}u;\n"
             "const FIFTH = {};\nconst SHARED = {}u;\nconst LIMIT = {}.0;\n"
             "fn put_fifths(block: u32, bits: u32) {{{}}}\n",
             !bytes && !e2m1 && !range, range, bytes, e2m1, steps, layout.high_bits > 0, shared, 65504 * steps,
             layout.high_bits > 0 ? " high[block] = bits; " : "") +
         std::string(kernels::wgsl("quant_quantize"));
}

}  // namespace

std::string dequantize_functions(const CustomKernel& kernel) {
  return dequantize_text(from_attributes<schedule::DequantizeVariant>(kernel.variant).dtype);
}

std::string block_helpers() { return std::string(kernels::wgsl("quant_blocks")); }

int code_zero(DType dtype) {
  const BlockLayout& layout = block_layout(dtype);
  return layout.bits == 8 || layout.codes != BlockCodes::kInteger ? 0 : layout.zero;
}

std::string unit_functions(DType dtype, const std::string& suffix) {
  const Texts texts = load_texts(dtype);
  const std::string text = texts.scale + texts.units + texts.codes;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  static const std::set<std::string_view> kNames{"Raw",      "Block",  "scale_of", "load_raw", "block_of", "Codes",
                                                 "codes_of", "quants", "scales",   "supers",   "high"};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = std::string_view(text).substr(i, end - i);
    out += word;
    if (kNames.contains(word)) out += suffix;
    if (end < text.size()) out += text[end];
    i = end + 1;
  }
  return out;
}

extern const KernelText kDequantizeText{"quant_dequantize", write_dequantize};
extern const KernelText kQuantMatmulText{"quant_matmul", write_quant_matmul};
extern const KernelText kQuantizeText{"quant_quantize", write_quantize};

}  // namespace tessera::codegen
