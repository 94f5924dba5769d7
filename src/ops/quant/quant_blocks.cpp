// The block dtypes: the meaning of their bytes, and their layout as planes for kernels.
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/fail.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

const BlockLayout& block_layout(DType dtype) {
  static constexpr std::array<BlockLayout, kBlockDTypeInfo.size()> kLayouts{{
      {4, 0, 8, BlockScales::kHalf},                             // Q4_0
      {4, 0, 0, BlockScales::kHalfPair},                         // Q4_1
      {4, 1, 16, BlockScales::kHalf},                            // Q5_0
      {4, 1, 0, BlockScales::kHalfPair},                         // Q5_1
      {8, 0, 0, BlockScales::kHalf},                             // Q8_0
      {2, 0, 0, BlockScales::kNibblePairs},                      // Q2_K
      {2, 1, 4, BlockScales::kBytes16},                          // Q3_K
      {4, 0, 0, BlockScales::kBytePairs},                        // Q4_K
      {4, 1, 0, BlockScales::kBytePairs},                        // Q5_K
      {4, 2, 32, BlockScales::kBytes16},                         // Q6_K
      {4, 0, 0, BlockScales::kHalf, BlockCodes::kNonlinear},     // IQ4_NL
      {4, 0, 0, BlockScales::kBytes32, BlockCodes::kNonlinear},  // IQ4_XS
      {4, 0, 0, BlockScales::kExponent, BlockCodes::kE2M1},      // MXFP4
  }};
  return kLayouts.at(static_cast<std::size_t>(dtype) - kDTypeInfo.size());
}

int code_value(BlockCodes codes, std::uint32_t code) {
  static constexpr std::array<int, 16> kNonlinear{-127, -104, -83, -65, -49, -35, -22, -10,
                                                  1,    13,   25,  38,  53,  69,  89,  113};
  static constexpr std::array<int, 16> kE2M1{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};  // doubled
  return (codes == BlockCodes::kNonlinear ? kNonlinear : kE2M1)[code & 15U];
}

float exponent_scale(std::uint32_t exponent) {
  if (exponent == 255) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(exponent < 2 ? 0x00200000U << exponent : (exponent - 1) << 23U);
}

namespace {

std::uint32_t byte(const std::byte* p, std::size_t i) { return static_cast<std::uint32_t>(p[i]); }

std::uint32_t half_bits(const std::byte* p) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, p, 2);
  return bits;
}
float half(const std::byte* p) {
  Half h;
  h.bits = static_cast<std::uint16_t>(half_bits(p));
  return static_cast<float>(h);
}

/// The integer scale and minimum of unit j (0 to 15) of a block of 256 elements.
struct ScaleMin {
  int scale, min;
};
ScaleMin scale_min(DType dtype, const std::byte* b, std::size_t j) {
  const auto made = [](std::uint32_t scale, std::uint32_t min) {
    return ScaleMin{static_cast<int>(scale), static_cast<int>(min)};
  };
  switch (dtype) {
    case DType::kQ2_K:
      return made(byte(b, j) & 15U, byte(b, j) >> 4U);
    case DType::kQ3_K: {
      const std::uint32_t low = byte(b, 96 + j % 8) >> (j / 8 * 4) & 15U;
      const std::uint32_t high = byte(b, 104 + j % 4) >> (j / 4 * 2) & 3U;
      return {static_cast<int>(low | high << 4U) - 32, 0};
    }
    case DType::kQ6_K:
      return {static_cast<std::int8_t>(byte(b, 192 + j)), 0};
    case DType::kIQ4_XS: {
      const std::size_t group = j / 2;
      const std::uint32_t low = byte(b, 4 + group / 2) >> (group % 2 * 4) & 15U;
      const std::uint32_t high = half_bits(b + 2) >> (group * 2) & 3U;
      return {static_cast<int>(low | high << 4U) - 32, 0};
    }
    default: {  // Q4_K and Q5_K: 6 bits each, out of 12 bytes
      const std::byte* s = b + 4;
      const std::size_t group = j / 2;
      if (group < 4) return made(byte(s, group) & 63U, byte(s, group + 4) & 63U);
      return made((byte(s, group + 4) & 15U) | byte(s, group - 4) >> 6U << 4U,
                  byte(s, group + 4) >> 4U | byte(s, group) >> 6U << 4U);
    }
  }
}

/// Where the f16 scale of a block of 256 elements is; its minimum is behind it.
std::size_t super_at(DType dtype) {
  switch (dtype) {
    case DType::kQ2_K:
      return 80;
    case DType::kQ3_K:
      return 108;
    case DType::kQ6_K:
      return 208;
    default:
      return 0;
  }
}

/// The bits of element e.
std::uint32_t code_at(DType dtype, const std::byte* b, std::size_t e) {
  const auto nibble = [&](std::size_t at, bool upper) { return upper ? byte(b, at) >> 4U : byte(b, at) & 15U; };
  const auto fifth = [&](std::size_t at) {
    std::uint32_t high = 0;
    std::memcpy(&high, b + at, 4);
    return (high >> e & 1U) << 4U;
  };
  const bool second = e % 32 >= 16;
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kIQ4_NL:
      return nibble(2 + e % 16, second);
    case DType::kQ4_1:
      return nibble(4 + e % 16, second);
    case DType::kQ5_0:
      return nibble(6 + e % 16, second) | fifth(2);
    case DType::kQ5_1:
      return nibble(8 + e % 16, second) | fifth(4);
    case DType::kQ8_0:
      return byte(b, 2 + e);
    case DType::kQ2_K:
      return byte(b, 16 + e / 128 * 32 + e % 32) >> (e % 128 / 32 * 2) & 3U;
    case DType::kQ3_K:
      return (byte(b, 32 + e / 128 * 32 + e % 32) >> (e % 128 / 32 * 2) & 3U) | (byte(b, e % 32) >> (e / 32) & 1U)
                                                                                    << 2U;
    case DType::kQ4_K:
      return nibble(16 + e / 64 * 32 + e % 32, e % 64 >= 32);
    case DType::kQ5_K:
      return nibble(48 + e / 64 * 32 + e % 32, e % 64 >= 32) | (byte(b, 16 + e % 32) >> (e / 32) & 1U) << 4U;
    case DType::kQ6_K:
      return nibble(e / 128 * 64 + e % 64, e % 128 >= 64) |
             (byte(b, 128 + e / 128 * 32 + e % 32) >> (e % 128 / 32 * 2) & 3U) << 4U;
    case DType::kIQ4_XS:
      return nibble(8 + e / 32 * 16 + e % 16, second);
    case DType::kMXFP4:
      return nibble(1 + e % 16, second);
    default:
      fail(ErrorKind::kDType, "{} is not a block dtype.", name(dtype));
  }
}

}  // namespace

void dequantize_block(DType dtype, const std::byte* b, float* out) {
  const BlockLayout& layout = block_layout(dtype);
  const std::byte* super = b + super_at(dtype);
  for (std::size_t u = 0; u < static_cast<std::size_t>(info(dtype).elements) / 16; ++u) {
    float scale = layout.scales == BlockScales::kExponent ? exponent_scale(byte(b, 0)) : half(super);
    float min = layout.scales == BlockScales::kHalfPair ? -half(b + 2) : 0;
    if (layout.has_supers()) {
      const ScaleMin s = scale_min(dtype, b, u);
      scale *= static_cast<float>(s.scale);
      if (layout.has_minimum()) min = half(super + 2) * static_cast<float>(s.min);
    }
    for (std::size_t e = u * 16; e < u * 16 + 16; ++e) {
      const std::uint32_t code = code_at(dtype, b, e);
      int value = layout.bits == 8 ? static_cast<std::int8_t>(code) : static_cast<int>(code) - layout.zero;
      if (layout.codes != BlockCodes::kInteger) value = code_value(layout.codes, code);
      const float product = scale * static_cast<float>(value);
      out[e] = layout.has_minimum() ? product - min : product;
    }
  }
}

namespace {

/// The words of the scales of `count` blocks.
std::size_t scale_words(BlockScales scales, std::size_t count) {
  switch (scales) {
    case BlockScales::kHalf:
      return (count + 1) / 2;
    case BlockScales::kHalfPair:
      return count;
    case BlockScales::kExponent:
      return (count + 3) / 4;
    case BlockScales::kBytes32:
      return count * 2;
    default:
      return count * 4;
  }
}

/// Where the bits of element `at` of the whole tensor are.
struct Place {
  std::size_t word, shift;
  std::uint32_t mask;
};
/// Four neighbors are the same bits of the four bytes of a word, so that they are unpacked at once.
Place quant_place(int bits, std::size_t at) {
  if (bits == 8) return {at / 4, at % 4 * 8, 255};
  if (bits == 4) return {at / 8, at % 4 * 8 + at % 8 / 4 * 4, 15};
  return {at / 16, at % 4 * 8 + at % 16 / 4 * 2, 3};
}
Place high_place(int bits, std::size_t at) {
  if (bits == 1) return {at / 32, at % 32, 1};
  return {at / 16, at % 16 * 2, 3};
}

/// Puts the scales of block i where its kernels read them.
void put_scales(DType dtype, const std::byte* b, std::size_t i, std::vector<std::uint32_t>& words) {
  const auto put = [&](std::size_t word, std::size_t shift, std::uint32_t bits) { words[word] |= bits << shift; };
  const BlockScales scales = block_layout(dtype).scales;
  if (scales == BlockScales::kHalf) return put(i / 2, i % 2 * 16, half_bits(b));
  if (scales == BlockScales::kHalfPair) return put(i, 0, half_bits(b) | half_bits(b + 2) << 16U);
  if (scales == BlockScales::kExponent) return put(i / 4, i % 4 * 8, byte(b, 0));
  for (std::size_t u = 0; u < 16; ++u) {
    const ScaleMin s = scale_min(dtype, b, u);
    const auto scale = static_cast<std::uint8_t>(s.scale);
    const auto min = static_cast<std::uint32_t>(s.min);
    if (scales == BlockScales::kBytes16) put(i * 4 + u / 4, u % 4 * 8, scale);
    if (scales == BlockScales::kNibblePairs) put(i * 4 + u / 4, u % 4 * 8, scale | min << 4U);
    if (scales == BlockScales::kBytes32 && u % 2 == 0) put(i * 2 + u / 8, u / 2 % 4 * 8, scale);
    if (scales == BlockScales::kBytePairs && u % 2 == 0) put(i * 4 + u / 4, u / 2 % 2 * 16, scale | min << 8U);
  }
}

}  // namespace

Planes repack(DType dtype, std::span<const std::byte> blocks) {
  const BlockLayout& layout = block_layout(dtype);
  const std::size_t size = size_of(dtype);
  const std::size_t count = blocks.size() / size;
  const auto n = static_cast<std::size_t>(info(dtype).elements);
  std::vector<std::uint32_t> quants(count * n * static_cast<std::size_t>(layout.bits) / 32);
  std::vector<std::uint32_t> scales(scale_words(layout.scales, count));
  std::vector<std::uint32_t> supers(layout.has_supers() ? count : 0);
  std::vector<std::uint32_t> high(count * n * static_cast<std::size_t>(layout.high_bits) / 32);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* b = blocks.data() + i * size;
    for (std::size_t e = 0; e < n; ++e) {
      const std::uint32_t code = code_at(dtype, b, e);
      const std::size_t at = i * n + e;
      const Place low = quant_place(layout.bits, at);
      quants[low.word] |= (code & low.mask) << low.shift;
      if (layout.high_bits == 0) continue;
      const Place upper = high_place(layout.high_bits, at);
      high[upper.word] |= (code >> layout.bits) << upper.shift;
    }
    put_scales(dtype, b, i, scales);
    if (layout.has_supers()) {
      const std::byte* super = b + super_at(dtype);
      supers[i] = half_bits(super) | (layout.has_minimum() ? half_bits(super + 2) << 16U : 0U);
    }
  }
  Planes planes;
  planes.push_back(std::move(quants));
  planes.push_back(std::move(scales));
  if (layout.has_supers()) planes.push_back(std::move(supers));
  if (layout.high_bits > 0) planes.push_back(std::move(high));
  return planes;
}

namespace {

void add_bits(std::byte* b, std::size_t at, std::uint32_t bits) { b[at] |= static_cast<std::byte>(bits); }

void put_half_bits(std::byte* to, std::uint32_t bits) {
  const auto half = static_cast<std::uint16_t>(bits);
  std::memcpy(to, &half, 2);
}

/// The reverse of code_at, in bytes that are 0.
void put_code(DType dtype, std::byte* b, std::size_t e, std::uint32_t code) {
  const auto nibble = [&](std::size_t at, bool upper) { add_bits(b, at, (code & 15U) << (upper ? 4U : 0U)); };
  const auto fifth = [&](std::size_t at) { add_bits(b, at + e / 8, (code >> 4U) << (e % 8)); };
  const bool second = e % 32 >= 16;
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kIQ4_NL:
      return nibble(2 + e % 16, second);
    case DType::kQ4_1:
      return nibble(4 + e % 16, second);
    case DType::kQ5_0:
      fifth(2);
      return nibble(6 + e % 16, second);
    case DType::kQ5_1:
      fifth(4);
      return nibble(8 + e % 16, second);
    case DType::kQ8_0:
      return add_bits(b, 2 + e, code);
    case DType::kQ2_K:
      return add_bits(b, 16 + e / 128 * 32 + e % 32, code << (e % 128 / 32 * 2));
    case DType::kQ3_K:
      add_bits(b, e % 32, (code >> 2U) << (e / 32));
      return add_bits(b, 32 + e / 128 * 32 + e % 32, (code & 3U) << (e % 128 / 32 * 2));
    case DType::kQ4_K:
      return nibble(16 + e / 64 * 32 + e % 32, e % 64 >= 32);
    case DType::kQ5_K:
      add_bits(b, 16 + e % 32, (code >> 4U) << (e / 32));
      return nibble(48 + e / 64 * 32 + e % 32, e % 64 >= 32);
    case DType::kQ6_K:
      add_bits(b, 128 + e / 128 * 32 + e % 32, (code >> 4U) << (e % 128 / 32 * 2));
      return nibble(e / 128 * 64 + e % 64, e % 128 >= 64);
    case DType::kIQ4_XS:
      return nibble(8 + e / 32 * 16 + e % 16, second);
    default:  // MXFP4
      return nibble(1 + e % 16, second);
  }
}

/// The reverse of scale_min for unit j, with scales as they are stored: 6 bits have 32 added.
void put_scale_min(DType dtype, std::byte* b, std::size_t j, std::uint32_t scale, std::uint32_t min) {
  const std::size_t group = j / 2;
  switch (dtype) {
    case DType::kQ2_K:
      return add_bits(b, j, scale | min << 4U);
    case DType::kQ3_K:
      add_bits(b, 96 + j % 8, (scale & 15U) << (j / 8 * 4));
      return add_bits(b, 104 + j % 4, (scale >> 4U) << (j / 4 * 2));
    case DType::kQ6_K:
      return add_bits(b, 192 + j, scale);
    case DType::kIQ4_XS:
      if (j % 2 != 0) return;
      add_bits(b, 4 + group / 2, (scale & 15U) << (group % 2 * 4));
      return add_bits(b, 2 + group / 4, (scale >> 4U) << (group % 4 * 2));
    default: {  // Q4_K and Q5_K
      if (j % 2 != 0) return;
      std::byte* s = b + 4;
      if (group < 4) {
        add_bits(s, group, scale);
        return add_bits(s, group + 4, min);
      }
      add_bits(s, group + 4, (scale & 15U) | (min & 15U) << 4U);
      add_bits(s, group - 4, scale >> 4U << 6U);
      return add_bits(s, group, min >> 4U << 6U);
    }
  }
}

/// The reverse of put_scales.
void take_scales(DType dtype, const std::vector<std::uint32_t>& words, std::size_t i, std::byte* b) {
  const auto bits = [&](std::size_t word, std::size_t shift) { return words[word] >> shift; };
  const BlockScales scales = block_layout(dtype).scales;
  if (scales == BlockScales::kHalf) return put_half_bits(b, bits(i / 2, i % 2 * 16));
  if (scales == BlockScales::kExponent) return add_bits(b, 0, bits(i / 4, i % 4 * 8) & 255U);
  if (scales == BlockScales::kHalfPair) {
    put_half_bits(b, bits(i, 0));
    return put_half_bits(b + 2, bits(i, 16));
  }
  for (std::size_t u = 0; u < 16; ++u) {
    std::uint32_t scale = 0;
    std::uint32_t min = 0;
    if (scales == BlockScales::kBytes16) scale = bits(i * 4 + u / 4, u % 4 * 8) & 255U;
    if (scales == BlockScales::kBytes32) scale = bits(i * 2 + u / 8, u / 2 % 4 * 8) & 255U;
    if (scales == BlockScales::kNibblePairs) {
      scale = bits(i * 4 + u / 4, u % 4 * 8) & 15U;
      min = bits(i * 4 + u / 4, u % 4 * 8 + 4) & 15U;
    }
    if (scales == BlockScales::kBytePairs) {
      scale = bits(i * 4 + u / 4, u / 2 % 2 * 16) & 255U;
      min = bits(i * 4 + u / 4, u / 2 % 2 * 16 + 8) & 255U;
    }
    if (dtype == DType::kQ3_K || dtype == DType::kIQ4_XS) scale = (scale + 32) & 63U;
    put_scale_min(dtype, b, u, scale, min);
  }
}

}  // namespace

std::vector<std::byte> unpack(DType dtype, const Planes& planes, std::size_t count) {
  const BlockLayout& layout = block_layout(dtype);
  const std::size_t size = size_of(dtype);
  const auto n = static_cast<std::size_t>(info(dtype).elements);
  std::vector<std::byte> blocks(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* b = blocks.data() + i * size;
    for (std::size_t e = 0; e < n; ++e) {
      const Place low = quant_place(layout.bits, i * n + e);
      std::uint32_t code = planes[0][low.word] >> low.shift & low.mask;
      if (layout.high_bits > 0) {
        const Place upper = high_place(layout.high_bits, i * n + e);
        code |= (planes.back()[upper.word] >> upper.shift & upper.mask) << layout.bits;
      }
      put_code(dtype, b, e, code);
    }
    take_scales(dtype, planes[1], i, b);
    if (layout.has_supers()) {
      std::byte* super = b + super_at(dtype);
      put_half_bits(super, planes[2][i]);
      if (layout.has_minimum()) put_half_bits(super + 2, planes[2][i] >> 16U);
    }
  }
  return blocks;
}

}  // namespace tessera::ops
