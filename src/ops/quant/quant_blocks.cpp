// The block dtypes: the meaning of their bytes, and their layout as planes for kernels.
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "base/thread_pool.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

constexpr std::array<BlockLayout, kBlockDTypeInfo.size()> kLayouts{{
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

}  // namespace

const BlockLayout& block_layout(DType dtype) {
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
inline ScaleMin scale_min(DType dtype, const std::byte* b, std::size_t j) {
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
constexpr std::size_t super_at(DType dtype) {
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

/// Where the bits of four neighboring elements are: the same bits of four neighboring bytes; the upper ones too, or
/// four neighboring bits of one byte.
struct QuadPlace {
  std::size_t at, shift;
  std::uint32_t bits;
  std::size_t high_at = 0, high_shift = 0;
  std::uint32_t high_bits = 0;
  bool adjacent = false;  // of the upper bits
};

/// That of elements e to e + 3.
constexpr QuadPlace quad_place(DType dtype, std::size_t e) {
  const auto nibble = [](std::size_t at, bool upper) { return QuadPlace{at, upper ? 4U : 0U, 4}; };
  const auto with_high = [](QuadPlace p, std::size_t at, std::size_t shift, std::uint32_t bits) {
    return QuadPlace{p.at, p.shift, p.bits, at, shift, bits};
  };
  const auto with_fifth = [&](QuadPlace p, std::size_t at) {
    return QuadPlace{p.at, p.shift, p.bits, at + e / 8, e % 8, 1, true};
  };
  const bool second = e % 32 >= 16;
  const std::size_t in_half = e / 128 * 32 + e % 32;  // of 256 elements
  const std::size_t pairs = e % 128 / 32 * 2;
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kIQ4_NL:
      return nibble(2 + e % 16, second);
    case DType::kQ4_1:
      return nibble(4 + e % 16, second);
    case DType::kQ5_0:
      return with_fifth(nibble(6 + e % 16, second), 2);
    case DType::kQ5_1:
      return with_fifth(nibble(8 + e % 16, second), 4);
    case DType::kQ8_0:
      return {2 + e, 0, 8};
    case DType::kQ2_K:
      return {16 + in_half, pairs, 2};
    case DType::kQ3_K:
      return with_high({32 + in_half, pairs, 2}, e % 32, e / 32, 1);
    case DType::kQ4_K:
      return nibble(16 + e / 64 * 32 + e % 32, e % 64 >= 32);
    case DType::kQ5_K:
      return with_high(nibble(48 + e / 64 * 32 + e % 32, e % 64 >= 32), 16 + e % 32, e / 32, 1);
    case DType::kQ6_K:
      return with_high(nibble(e / 128 * 64 + e % 64, e % 128 >= 64), 128 + in_half, pairs, 2);
    case DType::kIQ4_XS:
      return nibble(8 + e / 32 * 16 + e % 16, second);
    case DType::kMXFP4:
      return nibble(1 + e % 16, second);
    default:
      fail(ErrorKind::kDType, "{} is not a block dtype.", name(dtype));
  }
}

using QuadPlaces = std::array<QuadPlace, 64>;

/// Those of all elements of a block.
constexpr QuadPlaces places_of(const DTypeInfo& type) {
  QuadPlaces all{};
  for (std::size_t q = 0; q < static_cast<std::size_t>(type.elements) / 4; ++q) {
    all[q] = quad_place(type.dtype, q * 4);
  }
  return all;
}
constexpr std::array kPlaces = [] {
  std::array<QuadPlaces, kBlockDTypeInfo.size()> all{};
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = places_of(kBlockDTypeInfo[t]);
  return all;
}();
std::size_t block_index(DType dtype) { return static_cast<std::size_t>(dtype) - kDTypeInfo.size(); }
const QuadPlaces& quad_places(DType dtype) { return kPlaces.at(block_index(dtype)); }

/// The lowest bits of each byte of a word.
constexpr std::uint32_t each_byte(std::uint32_t bits) { return ((1U << bits) - 1) * 0x01010101U; }

std::uint32_t load_word(const std::byte* from) {
  std::uint32_t word = 0;
  std::memcpy(&word, from, 4);
  return word;
}
void add_word(std::byte* to, std::uint32_t bits) {
  const std::uint32_t word = load_word(to) | bits;
  std::memcpy(to, &word, 4);
}

/// The lower and the upper bits of four elements, in the bytes of a word each.
struct Quad {
  std::uint32_t low, high;
};
inline Quad load_quad(const QuadPlace& p, const std::byte* b) {
  const std::uint32_t low = load_word(b + p.at) >> p.shift & each_byte(p.bits);
  if (p.high_bits == 0) return {low, 0};
  if (!p.adjacent) return {low, load_word(b + p.high_at) >> p.high_shift & each_byte(p.high_bits)};
  return {low, (byte(b, p.high_at) >> p.high_shift & 15U) * 0x00204081U & 0x01010101U};
}
/// The lowest bit of each byte, as four bits.
std::uint32_t joined_bits(std::uint32_t word) { return word * 0x10204080U >> 28U; }
/// The lowest two bits of each byte, as eight bits.
std::uint32_t joined_pairs(std::uint32_t word) { return (word | word >> 6U | word >> 12U | word >> 18U) & 255U; }

/// The reverse of load_quad, in bytes that are 0.
void put_quad(const QuadPlace& p, Quad quad, std::byte* b) {
  add_word(b + p.at, quad.low << p.shift);
  if (p.high_bits == 0) return;
  if (!p.adjacent) return add_word(b + p.high_at, quad.high << p.high_shift);
  b[p.high_at] |= static_cast<std::byte>(joined_bits(quad.high) << p.high_shift);
}

}  // namespace

void dequantize_block(DType dtype, const std::byte* b, float* out) {
  const BlockLayout& layout = block_layout(dtype);
  const std::byte* super = b + super_at(dtype);
  const QuadPlaces& places = quad_places(dtype);
  for (std::size_t u = 0; u < static_cast<std::size_t>(info(dtype).elements) / 16; ++u) {
    float scale = layout.scales == BlockScales::kExponent ? exponent_scale(byte(b, 0)) : half(super);
    float min = layout.scales == BlockScales::kHalfPair ? -half(b + 2) : 0;
    if (layout.has_supers()) {
      const ScaleMin s = scale_min(dtype, b, u);
      scale *= static_cast<float>(s.scale);
      if (layout.has_minimum()) min = half(super + 2) * static_cast<float>(s.min);
    }
    for (std::size_t e = u * 16; e < u * 16 + 16; ++e) {
      const Quad quad = load_quad(places[e / 4], b);
      const std::size_t shift = e % 4 * 8;
      const std::uint32_t code = (quad.low >> shift & 255U) | (quad.high >> shift & 255U) << layout.bits;
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

/// Calls fn(begin, end) on threads, over ranges whose blocks share no word with others.
template <class F>
void for_blocks(std::size_t count, const F& fn) {
  ThreadPool::global().parallel_for(static_cast<std::int64_t>(count), 1024, [&](std::int64_t begin, std::int64_t end) {
    fn(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

/// Puts the scales of block i where its kernels read them, in words that are 0.
template <std::size_t T>
void put_scales(const std::byte* b, std::size_t i, Words& words) {
  constexpr BlockScales kScales = kLayouts[T].scales;
  const auto put = [&](std::size_t word, std::size_t shift, std::uint32_t bits) { words[word] |= bits << shift; };
  if constexpr (kScales == BlockScales::kHalf) {
    put(i / 2, i % 2 * 16, half_bits(b));
  } else if constexpr (kScales == BlockScales::kHalfPair) {
    put(i, 0, half_bits(b) | half_bits(b + 2) << 16U);
  } else if constexpr (kScales == BlockScales::kExponent) {
    put(i / 4, i % 4 * 8, byte(b, 0));
  } else {
    constexpr std::size_t kUnits = kScales == BlockScales::kBytes32 || kScales == BlockScales::kBytePairs ? 2 : 1;
    for (std::size_t u = 0; u < 16; u += kUnits) {
      const ScaleMin s = scale_min(kBlockDTypeInfo[T].dtype, b, u);
      const auto scale = static_cast<std::uint8_t>(s.scale);
      const auto min = static_cast<std::uint32_t>(s.min);
      if constexpr (kScales == BlockScales::kBytes16) put(i * 4 + u / 4, u % 4 * 8, scale);
      if constexpr (kScales == BlockScales::kNibblePairs) put(i * 4 + u / 4, u % 4 * 8, scale | min << 4U);
      if constexpr (kScales == BlockScales::kBytes32) put(i * 2 + u / 8, u / 2 % 4 * 8, scale);
      if constexpr (kScales == BlockScales::kBytePairs) put(i * 4 + u / 4, u / 2 % 2 * 16, scale | min << 8U);
    }
  }
}

/// Quad Q of a block of dtype T: all places are constants.
template <std::size_t T, std::size_t Q>
inline Quad quad_of(const std::byte* b) {
  constexpr QuadPlace kPlace = kPlaces[T][Q];
  return load_quad(kPlace, b);
}
/// Word W of a block in the plane `quants`, of quads W * K0, W * K0 + 1, .. Four neighbors are the same bits of the
/// four bytes, so that kernels unpack them at once.
template <std::size_t T, std::size_t W, std::size_t... K>
inline std::uint32_t low_word(const std::byte* b, std::index_sequence<K...> /*unused*/) {
  constexpr std::size_t kBits = kPlaces[T][0].bits;
  return ((quad_of<T, W * sizeof...(K) + K>(b).low << (K * kBits)) | ...);
}
/// The same in the plane `high`.
template <std::size_t T, std::size_t W, std::size_t... K>
inline std::uint32_t high_word(const std::byte* b, std::index_sequence<K...> /*unused*/) {
  constexpr std::size_t kBits = kPlaces[T][0].high_bits;
  const auto joined = [](std::uint32_t bits) { return kBits == 1 ? joined_bits(bits) : joined_pairs(bits); };
  return ((joined(quad_of<T, W * sizeof...(K) + K>(b).high) << (K * 4 * kBits)) | ...);
}

/// The words of one block in the planes `quants` and `high`.
template <std::size_t T>
void put_quants(const std::byte* b, std::uint32_t* quants, std::uint32_t* high) {
  constexpr std::size_t kQuads = static_cast<std::size_t>(kBlockDTypeInfo[T].elements) / 4;
  constexpr std::size_t kEach = 8 / kPlaces[T][0].bits;  // quads in a word
  [&]<std::size_t... W>(std::index_sequence<W...> /*unused*/) {
    ((quants[W] = low_word<T, W>(b, std::make_index_sequence<kEach>())), ...);
  }(std::make_index_sequence<kQuads / kEach>());
  if constexpr (kPlaces[T][0].high_bits > 0) {
    constexpr std::size_t kInWord = 8 / kPlaces[T][0].high_bits;
    [&]<std::size_t... W>(std::index_sequence<W...> /*unused*/) {
      ((high[W] = high_word<T, W>(b, std::make_index_sequence<kInWord>())), ...);
    }(std::make_index_sequence<kQuads / kInWord>());
  }
}

/// The planes of all blocks.
template <std::size_t T>
Planes repacked(std::span<const std::byte> blocks) {
  constexpr BlockLayout kLayout = kLayouts[T];
  constexpr DTypeInfo kInfo = kBlockDTypeInfo[T];
  constexpr std::size_t kBits = static_cast<std::size_t>(kLayout.bits) * static_cast<std::size_t>(kInfo.elements) / 32;
  constexpr std::size_t kHigh =
      static_cast<std::size_t>(kLayout.high_bits) * static_cast<std::size_t>(kInfo.elements) / 32;
  const std::size_t count = blocks.size() / kInfo.size;
  Words quants(count * kBits);
  Words scales(scale_words(kLayout.scales, count), 0U);
  Words supers(kLayout.has_supers() ? count : 0);
  Words high(count * kHigh);
  for_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::byte* b = blocks.data() + i * kInfo.size;
      put_quants<T>(b, quants.data() + i * kBits, high.data() + i * kHigh);
      put_scales<T>(b, i, scales);
      if constexpr (kLayout.has_supers()) {
        const std::byte* super = b + super_at(kInfo.dtype);
        supers[i] = half_bits(super) | (kLayout.has_minimum() ? half_bits(super + 2) << 16U : 0U);
      }
    }
  });
  Planes planes;
  planes.push_back(std::move(quants));
  planes.push_back(std::move(scales));
  if (kLayout.has_supers()) planes.push_back(std::move(supers));
  if (kLayout.high_bits > 0) planes.push_back(std::move(high));
  return planes;
}

using Repack = Planes (*)(std::span<const std::byte> blocks);
constexpr auto kRepack = []<std::size_t... T>(std::index_sequence<T...> /*unused*/) {
  return std::array<Repack, sizeof...(T)>{repacked<T>...};
}(std::make_index_sequence<kBlockDTypeInfo.size()>());

}  // namespace

std::vector<TensorSpec> plane_specs(DType dtype, std::int64_t count) {
  const BlockLayout& layout = block_layout(dtype);
  const std::int64_t elements = count * info(dtype).elements;
  const auto scales = static_cast<std::int64_t>(scale_words(layout.scales, static_cast<std::size_t>(count)));
  std::vector<TensorSpec> specs{{DType::kU32, {elements * layout.bits / 32}}, {DType::kU32, {scales}}};
  if (layout.has_supers()) specs.push_back({DType::kU32, {count}});
  if (layout.high_bits > 0) specs.push_back({DType::kU32, {elements * layout.high_bits / 32}});
  return specs;
}

Planes repack(DType dtype, std::span<const std::byte> blocks) { return kRepack.at(block_index(dtype))(blocks); }

namespace {

void add_bits(std::byte* b, std::size_t at, std::uint32_t bits) { b[at] |= static_cast<std::byte>(bits); }

void put_half_bits(std::byte* to, std::uint32_t bits) {
  const auto half = static_cast<std::uint16_t>(bits);
  std::memcpy(to, &half, 2);
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
void take_scales(DType dtype, const Words& words, std::size_t i, std::byte* b) {
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
  const QuadPlaces& places = quad_places(dtype);
  const auto bits = static_cast<std::size_t>(layout.bits);
  const auto high_bits = static_cast<std::size_t>(layout.high_bits);
  std::vector<std::byte> blocks(count * size);
  const auto put = [&](std::size_t i) {
    std::byte* b = blocks.data() + i * size;
    for (std::size_t q = 0; q < n / 4; ++q) {
      const std::size_t at = i * n / 4 + q;
      const std::size_t each = 8 / bits;
      Quad quad{planes[0][at / each] >> (at % each * bits) & each_byte(layout.bits), 0};
      if (high_bits > 0) {
        const std::size_t in_word = 8 / high_bits;
        const std::uint32_t upper = planes.back()[at / in_word] >> (at % in_word * 4 * high_bits);
        quad.high = high_bits == 1
                        ? (upper & 15U) * 0x00204081U & 0x01010101U
                        : ((upper & 3U) | (upper & 12U) << 6U | (upper & 48U) << 12U | (upper & 192U) << 18U);
      }
      put_quad(places[q], quad, b);
    }
    take_scales(dtype, planes[1], i, b);
    if (layout.has_supers()) {
      std::byte* super = b + super_at(dtype);
      put_half_bits(super, planes[2][i]);
      if (layout.has_minimum()) put_half_bits(super + 2, planes[2][i] >> 16U);
    }
  };
  for_blocks(count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) put(i);
  });
  return blocks;
}

void pack_block(DType dtype, const BlockParts& parts, std::byte* b) {
  const BlockLayout& layout = block_layout(dtype);
  std::memset(b, 0, size_of(dtype));
  const QuadPlaces& places = quad_places(dtype);
  const std::uint32_t low = (1U << static_cast<unsigned>(layout.bits)) - 1;
  for (std::size_t q = 0; q < static_cast<std::size_t>(info(dtype).elements) / 4; ++q) {
    Quad quad{0, 0};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint32_t code = parts.codes[q * 4 + k];
      quad.low |= (code & low) << (k * 8);
      quad.high |= (code >> static_cast<unsigned>(layout.bits)) << (k * 8);
    }
    put_quad(places[q], quad, b);
  }
  std::byte* super = b + super_at(dtype);
  put_half_bits(super, parts.scale.bits);
  if (!layout.has_supers()) return;
  if (layout.has_minimum()) put_half_bits(super + 2, parts.min.bits);
  const bool offset = dtype == DType::kQ3_K || dtype == DType::kIQ4_XS;
  for (std::size_t u = 0; u < 16; ++u) {
    const int scale = parts.scales[u] + (offset ? 32 : 0);
    put_scale_min(dtype, b, u, static_cast<std::uint8_t>(scale), static_cast<std::uint32_t>(parts.mins[u]));
  }
}

}  // namespace tessera::ops
