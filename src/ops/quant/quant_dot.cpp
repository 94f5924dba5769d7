// Rows of quantized matrices, compiled for several instruction sets: integer dot products and dequantization.
#include "ops/quant/quant_dot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "ops/quant/quant.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/quant/quant_dot.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TESSERA_OPS_QUANT_DOT_ONCE
#define TESSERA_OPS_QUANT_DOT_ONCE
namespace tessera::ops {
namespace {

constexpr std::size_t kXBlock = 32;  // elements of x with one scale

/// How the codes of a matrix are read. A lane is a word of the plane `quants`.
struct Reading {
  std::size_t per_lane = 0;  // elements
  std::size_t group = 0;     // elements with one scale
  int zero = 0;              // that is subtracted from each code before its scale
};

Reading reading_of(DType dtype, bool unsigned_codes) {
  const BlockLayout& layout = block_layout(dtype);
  const bool units = layout.scales == BlockScales::kBytes16 || layout.scales == BlockScales::kNibblePairs;
  Reading r{.per_lane = static_cast<std::size_t>(32 / layout.bits), .group = units ? 16U : 32U, .zero = layout.zero};
  // Codes with a sign of their own.
  if (layout.bits == 8 || layout.codes != BlockCodes::kInteger) r.zero = unsigned_codes ? 128 : 0;
  return r;
}

/// The rows of x in 8 bits, in the order in which codes are read; what is past the end of a row is 0.
struct QuantizedRows {
  std::size_t lanes = 0;   // of a row, in whole vectors
  std::size_t groups = 0;  // of a row, in whole vectors
  template <class T>
  using Aligned = std::vector<T, HostAllocator<T>>;
  Aligned<std::int8_t> quants;   // [m, vectors, parts, lanes of a vector, 4]
  Aligned<std::int32_t> starts;  // [m, lanes]: -zero times the sum of the lane's quants
  Aligned<float> scales;         // [m, lanes]
  Aligned<float> sums;           // [m, groups]: of the elements, for minimums
};

struct Job {
  const IntegerMatmul* call = nullptr;
  const BlockLayout* layout = nullptr;
  bool vnni = false;
  Reading reading;
  QuantizedRows* x = nullptr;
};

/// The values of codes of 4 bits in bytes, plus `zero`.
std::array<std::uint8_t, 16> code_bytes(BlockCodes codes, int zero) {
  std::array<std::uint8_t, 16> table{};
  for (std::uint32_t i = 0; i < 16; ++i) table[i] = static_cast<std::uint8_t>(code_value(codes, i) + zero);
  return table;
}

const std::array<float, 256>& exponent_scales() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) t[i] = exponent_scale(i);
    return t;
  }();
  return table;
}

/// The scales and minimums of a row of the matrix.
struct RowScales {
  std::vector<float> scales, mins;  // of the groups, 0 up to whole vectors
  std::vector<float> d, dmin;       // of blocks of 256 elements
};

}  // namespace
}  // namespace tessera::ops
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::ops::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

bool has_vectors() { return false; }
bool has_vnni() { return false; }
void quantize_rows(const Job& /*unused*/) {}
void run_range(const Job& /*unused*/, std::size_t /*unused*/, std::size_t /*unused*/) {}
void dequantize_range(const Job& /*unused*/, std::size_t /*unused*/, std::size_t /*unused*/) {}

#else

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using DB = hn::Repartition<std::uint8_t, DU>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using VU = hn::Vec<DU>;
using VB = hn::Vec<DB>;

HWY_INLINE std::size_t lane_count() { return hn::Lanes(DF()); }

// `count` elements, then zeros.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_some(D d, const T* from, std::size_t count) {
  if (count >= hn::Lanes(d)) return hn::LoadU(d, from);
  HWY_ALIGN T some[16] = {};
  std::memcpy(some, from, count * sizeof(T));
  return hn::Load(d, some);
}

// ---- Dot products of bytes: each lane adds that of four ----

// Later versions of Highway have targets above AVX3, with smaller numbers.
#define TESSERA_QUANT_512 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#define TESSERA_QUANT_256 (HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2)
// With VNNI, of codes from 0 to 255.
#if TESSERA_QUANT_512 && defined(__GNUC__)
#define TESSERA_QUANT_VNNI 1
#else
#define TESSERA_QUANT_VNNI 0
#endif

// Of codes from 0 to 127, or with a sign.
template <bool kSigned>
HWY_INLINE VI plain_dot(VI sum, VB codes, VB x) {
#if TESSERA_QUANT_512
  __m512i a = codes.raw;
  __m512i b = x.raw;
  if constexpr (kSigned) {  // |a| * (b with a's sign)
    b = _mm512_mask_sub_epi8(b, _mm512_movepi8_mask(a), _mm512_setzero_si512(), b);
    a = _mm512_abs_epi8(a);
  }
  const __m512i pairs = _mm512_maddubs_epi16(a, b);
  return VI{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))};
#elif TESSERA_QUANT_256
  const __m256i a = kSigned ? _mm256_abs_epi8(codes.raw) : codes.raw;
  const __m256i b = kSigned ? _mm256_sign_epi8(x.raw, codes.raw) : x.raw;
  const __m256i pairs = _mm256_maddubs_epi16(a, b);
  return VI{_mm256_add_epi32(sum.raw, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))};
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_SSE4
  const __m128i a = kSigned ? _mm_abs_epi8(codes.raw) : codes.raw;
  const __m128i b = kSigned ? _mm_sign_epi8(x.raw, codes.raw) : x.raw;
  const __m128i pairs = _mm_maddubs_epi16(a, b);
  return VI{_mm_add_epi32(sum.raw, _mm_madd_epi16(pairs, _mm_set1_epi16(1)))};
#elif HWY_MAJOR > 1 || HWY_MINOR >= 1
  const hn::RebindToSigned<DB> d8;
  return hn::SumOfMulQuadAccumulate(DI(), hn::BitCast(d8, codes), hn::BitCast(d8, x), sum);
#else
  // Even and odd bytes apart: sums of two terms fit 16 bits: x is at least -127.
  const hn::Repartition<std::int16_t, DB> d16;
  const auto a = hn::BitCast(d16, codes);
  const auto b = hn::BitCast(d16, x);
  const auto even = hn::Mul(hn::ShiftRight<8>(hn::ShiftLeft<8>(a)), hn::ShiftRight<8>(hn::ShiftLeft<8>(b)));
  const auto odd = hn::Mul(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b));
  const VI pairs = hn::BitCast(DI(), hn::Add(even, odd));
  return hn::Add(sum, hn::Add(hn::ShiftRight<16>(hn::ShiftLeft<16>(pairs)), hn::ShiftRight<16>(pairs)));
#endif
}

template <bool kVnni, bool kSigned>
HWY_INLINE VI dot(VI sum, VB codes, VB x) {
#if TESSERA_QUANT_VNNI
  if constexpr (kVnni) {
    // Highway has no target with AVX-512 VNNI in all of its versions.
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(codes.raw), "v"(x.raw));
    return sum;
  }
#endif
  return plain_dot<kSigned>(sum, codes, x);
}

// The f16 with the bits in `halves`. Highway's own software has no infinities.
using DH = hn::Rebind<std::uint16_t, DF>;
HWY_INLINE VF floats_of(hn::Vec<DH> halves) {
  const DF d;
#if TESSERA_QUANT_512 || TESSERA_QUANT_256 || HWY_TARGET == HWY_NEON
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), halves));
#else
  const DU du;
  const VU bits = hn::PromoteTo(du, halves);
  const VU size = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fffU)));
  const VF finite = hn::Mul(hn::BitCast(d, size), hn::Set(d, 0x1p112F));
  const auto is_finite = hn::RebindMask(d, hn::Lt(hn::BitCast(DI(), size), hn::Set(DI(), 0x7c00 << 13)));
  const VF other = hn::BitCast(d, hn::Or(size, hn::Set(du, 0x7f800000U)));
  const VF sign = hn::BitCast(d, hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000U))));
  return hn::Or(hn::IfThenElse(is_finite, finite, other), sign);
#endif
}

// ---- Rows of x ----

HWY_INLINE VF load_x(DType dtype, const std::byte* row, std::size_t i) {
  const DF d;
  if (dtype == DType::kF32) return hn::LoadU(d, reinterpret_cast<const float*>(row) + i);
  const auto bits = hn::LoadU(DH(), reinterpret_cast<const std::uint16_t*>(row) + i);
  if (dtype == DType::kF16) return floats_of(bits);
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(DU(), bits)));
}

// 32 elements in 8 bits; returns their scale.
HWY_INLINE float quantize_x(DType dtype, const std::byte* row, std::size_t first, std::int8_t* to) {
  const DF d;
  const DU du;
  const std::size_t step = lane_count();
  VU most = hn::Zero(du);  // of the magnitudes, as bits: NaN is above all
  for (std::size_t i = 0; i < kXBlock; i += step) {
    most = hn::Max(most, hn::BitCast(du, hn::Abs(load_x(dtype, row, first + i))));
  }
  const std::uint32_t bits = hn::GetLane(hn::MaxOfLanes(du, most));
  if (bits == 0 || bits >= 0x7f800000U) {
    std::memset(to, 0, kXBlock);
    return bits == 0 ? 0.0F : std::numeric_limits<float>::quiet_NaN();
  }
  const float largest = std::bit_cast<float>(bits);
  const float lift = largest < 0x1p-90F ? 0x1p64F : 1.0F;  // so that the reciprocal is finite
  const VF lifted = hn::Set(d, lift);
  const VF inverse = hn::Set(d, 127 / (largest * lift));
  const hn::Rebind<std::int8_t, DF> d8;
  for (std::size_t i = 0; i < kXBlock; i += step) {
    const VF x = hn::Mul(hn::Mul(load_x(dtype, row, first + i), lifted), inverse);
    hn::StoreU(hn::DemoteTo(d8, hn::NearestInt(x)), d8, to + i);
  }
  return largest / 127;
}

void quantize_rows(const Job& job) {
  const IntegerMatmul& call = *job.call;
  const Reading& r = job.reading;
  QuantizedRows& x = *job.x;
  const std::size_t step = lane_count();
  x.lanes = round_up(call.k / r.per_lane, step);
  x.groups = round_up(call.k / r.group, step);
  x.quants.assign(call.m * x.lanes * r.per_lane, 0);
  x.starts.assign(call.m * x.lanes, 0);
  x.scales.assign(call.m * x.lanes, 0.0F);
  x.sums.assign(call.m * x.groups, 0.0F);
  const std::size_t parts = r.per_lane / 4;
  for (std::size_t m = 0; m < call.m; ++m) {
    std::int8_t* const quants = x.quants.data() + m * x.lanes * r.per_lane;
    for (std::size_t first = 0; first < call.k; first += kXBlock) {
      std::int8_t block[kXBlock];
      const float scale =
          quantize_x(call.x_dtype, call.x + static_cast<std::ptrdiff_t>(m) * call.x_stride, first, block);
      int group_sum = 0;
      int lane_sum = 0;
      for (std::size_t q = 0; q < kXBlock / 4; ++q) {
        const std::size_t quad = first / 4 + q;
        const std::size_t lane = quad / parts;
        const std::size_t part = quad % parts;
        std::memcpy(quants + ((lane / step * parts + part) * step + lane % step) * 4, block + q * 4, 4);
        const int sum = block[q * 4] + block[q * 4 + 1] + block[q * 4 + 2] + block[q * 4 + 3];
        lane_sum = part == 0 ? sum : lane_sum + sum;
        group_sum = quad * 4 % r.group == 0 ? sum : group_sum + sum;
        if (part + 1 == parts) {
          x.starts[m * x.lanes + lane] = -r.zero * lane_sum;
          x.scales[m * x.lanes + lane] = scale;
        }
        if ((quad + 1) * 4 % r.group == 0) {
          x.sums[m * x.groups + quad * 4 / r.group] = scale * static_cast<float>(group_sum);
        }
      }
    }
  }
}

// ---- Scales of the matrix ----

// The f16 in the lower or upper halves of words.
HWY_INLINE VF halves(VU words, bool upper) {
  const VU bits = upper ? hn::ShiftRight<16>(words) : hn::And(words, hn::Set(DU(), 0xffffU));
  return floats_of(hn::DemoteTo(DH(), hn::BitCast(DI(), bits)));
}

// Scales of 8, or of 16, groups of a block of 256 elements.
template <BlockScales kScales>
HWY_INLINE void block_scales(const std::byte* from, float d, float dmin, float* scales, float* mins) {
  constexpr std::size_t kGroups = kScales == BlockScales::kBytes32 || kScales == BlockScales::kBytePairs ? 8 : 16;
  const hn::CappedTag<float, kGroups> df;
  const hn::RebindToSigned<decltype(df)> di;
  const hn::RebindToUnsigned<decltype(df)> du;
  const auto times = [&](float a, auto x)
                         HWY_ATTR { return hn::Mul(hn::Set(df, a), hn::ConvertTo(df, hn::BitCast(di, x))); };
  for (std::size_t g = 0; g < kGroups; g += hn::Lanes(df)) {
    if constexpr (kScales == BlockScales::kBytes16 || kScales == BlockScales::kBytes32) {
      const hn::Rebind<std::int8_t, decltype(df)> d8;
      const auto s = hn::PromoteTo(di, hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(from) + g));
      hn::StoreU(times(d, s), df, scales + g);
    } else if constexpr (kScales == BlockScales::kBytePairs) {
      const hn::Rebind<std::uint16_t, decltype(df)> d16;
      const auto s = hn::PromoteTo(du, hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(from) + g));
      hn::StoreU(times(d, hn::And(s, hn::Set(du, 255U))), df, scales + g);
      hn::StoreU(times(dmin, hn::ShiftRight<8>(s)), df, mins + g);
    } else {
      const hn::Rebind<std::uint8_t, decltype(df)> d8;
      const auto s = hn::PromoteTo(du, hn::LoadU(d8, reinterpret_cast<const std::uint8_t*>(from) + g));
      hn::StoreU(times(d, hn::And(s, hn::Set(du, 15U))), df, scales + g);
      hn::StoreU(times(dmin, hn::ShiftRight<4>(s)), df, mins + g);
    }
  }
}

// Those of row n of the matrix.
void row_scales(const Job& job, std::size_t n, RowScales& to) {
  const IntegerMatmul& call = *job.call;
  const std::size_t groups = call.k / job.reading.group;
  const std::size_t first = n * groups;
  const std::byte* from = call.planes[1].data();
  const DF d;
  const std::size_t step = lane_count();
  const BlockScales scales = job.layout->scales;
  if (scales == BlockScales::kExponent) {
    const std::array<float, 256>& table = exponent_scales();
    for (std::size_t g = 0; g < groups; ++g) to.scales[g] = table[static_cast<std::size_t>(from[first + g])];
    return;
  }
  if (scales == BlockScales::kHalf) {
    const auto* half = reinterpret_cast<const std::uint16_t*>(from) + first;
    for (std::size_t g = 0; g < groups; g += step) {
      hn::StoreU(floats_of(load_some(DH(), half + g, groups - g)), d, to.scales.data() + g);
    }
    return;
  }
  if (scales == BlockScales::kHalfPair) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(from) + first;
    for (std::size_t g = 0; g < groups; g += step) {
      const VU pairs = load_some(DU(), words + g, groups - g);
      hn::StoreU(halves(pairs, false), d, to.scales.data() + g);
      hn::StoreU(hn::Neg(halves(pairs, true)), d, to.mins.data() + g);
    }
    return;
  }
  const std::size_t blocks = call.k / 256;
  const auto* supers = reinterpret_cast<const std::uint32_t*>(call.planes[2].data()) + n * blocks;
  for (std::size_t b = 0; b < blocks; b += step) {
    const VU pairs = load_some(DU(), supers + b, blocks - b);
    hn::StoreU(halves(pairs, false), d, to.d.data() + b);
    hn::StoreU(halves(pairs, true), d, to.dmin.data() + b);
  }
  const std::size_t each = 256 / job.reading.group;
  const std::size_t size = scales == BlockScales::kBytePairs ? 2 : 1;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::byte* at = from + (first + b * each) * size;
    float* s = to.scales.data() + b * each;
    float* m = to.mins.data() + b * each;
    if (scales == BlockScales::kBytes16) block_scales<BlockScales::kBytes16>(at, to.d[b], 0, s, m);
    if (scales == BlockScales::kBytes32) block_scales<BlockScales::kBytes32>(at, to.d[b], 0, s, m);
    if (scales == BlockScales::kBytePairs) block_scales<BlockScales::kBytePairs>(at, to.d[b], to.dmin[b], s, m);
    if (scales == BlockScales::kNibblePairs) block_scales<BlockScales::kNibblePairs>(at, to.d[b], to.dmin[b], s, m);
  }
}

// ---- Codes of the matrix ----

// Byte `at` of each lane, four times.
template <class D, class DBytes = hn::Repartition<std::uint8_t, D>>
HWY_INLINE hn::Vec<DBytes> spread_byte(D /*unused*/, hn::Vec<D> words, int at) {
  HWY_ALIGN static constexpr std::uint8_t kFirst[16] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
  const DBytes d;
  const auto places = hn::Add(hn::LoadDup128(d, kFirst), hn::Set(d, static_cast<std::uint8_t>(at)));
  return hn::TableLookupBytes(hn::BitCast(d, words), places);
}

// Part P of the codes of each lane: the quads P, P + parts, .. of a row. `high` has the lanes' upper bits.
template <int kBits, int kHigh, int P, class D, class DBytes = hn::Repartition<std::uint8_t, D>>
HWY_INLINE hn::Vec<DBytes> codes_of(D du, hn::Vec<D> words, hn::Vec<D> high) {
  const DBytes d;
  constexpr std::uint32_t kMask = ((1U << kBits) - 1) * 0x01010101U;
  if constexpr (kBits == 8) return hn::BitCast(d, words);
  auto codes = hn::BitCast(d, hn::And(hn::ShiftRight<P * kBits % 8>(words), hn::Set(du, kMask)));
  if constexpr (kHigh == 1) {
    const auto bits = hn::BitCast(d, hn::Set(du, P % 2 == 0 ? 0x08040201U : 0x80402010U));
    const auto set = hn::TestBit(spread_byte(du, high, P / 2), bits);
    codes = hn::Or(codes, hn::IfThenElseZero(set, hn::Set(d, std::uint8_t{1U << kBits})));
  }
  if constexpr (kHigh == 2) {
    const auto eight = hn::And(hn::ShiftRight<P * 8>(high), hn::Set(du, 0xffU));
    const auto four = hn::And(hn::Or(eight, hn::ShiftLeft<12>(eight)), hn::Set(du, 0x000f000fU));
    const auto two = hn::And(hn::Or(four, hn::ShiftLeft<6>(four)), hn::Set(du, 0x03030303U));
    codes = hn::Or(codes, hn::BitCast(d, hn::ShiftLeft<kBits>(two)));
  }
  return codes;
}

// The upper bits of `count` lanes, 8 or 16 for each.
template <int kBits, int kHigh, class D>
HWY_INLINE hn::Vec<D> high_of(D du, const std::byte* high, std::size_t lane, std::size_t count) {
  if constexpr (kHigh == 0) return hn::Zero(du);
  using T = std::conditional_t<kHigh * 32 / kBits == 8, std::uint8_t, std::uint16_t>;
  return hn::PromoteTo(du, load_some(hn::Rebind<T, D>(), reinterpret_cast<const T*>(high) + lane, count));
}

/// A row of the matrix.
struct Row {
  const std::uint32_t* quants;
  const std::byte* high;
  const RowScales* scales;
  std::size_t lanes, groups;
  const std::uint8_t* table;  // of codes with other values
};

// The dot products of a row with rows m + R of x.
template <bool kVnni, int kBits, int kHigh, bool kTable, std::size_t kGroup, std::size_t... R>
HWY_INLINE void dot_rows(std::index_sequence<R...>, const Row& row, const Job& job, std::size_t m, std::size_t n) {
  constexpr std::size_t kParts = 8 / kBits;
  constexpr bool kSigned = kBits == 8 || kTable;
  const DF df;
  const DI di;
  const DU du;
  const DB db;
  const std::size_t step = lane_count();
  const QuantizedRows& x = *job.x;
  const VB flip = hn::Set(db, std::uint8_t{kVnni && kBits == 8 ? 0x80 : 0});
  const VB table = kTable ? hn::LoadDup128(db, row.table) : hn::Zero(db);
  // Of the scale of each lane, from the first of a vector.
  constexpr std::size_t kRepeat = kGroup / (4 * kParts);
  const auto place = hn::IndicesFromVec(df, hn::ShiftRight<hwy::CeilLog2(kRepeat)>(hn::Iota(di, 0)));
  const std::int8_t* quants[] = {x.quants.data() + (m + R) * x.lanes * 4 * kParts...};
  const std::int32_t* starts[] = {x.starts.data() + (m + R) * x.lanes...};
  const float* factors[] = {x.scales.data() + (m + R) * x.lanes...};
  VF sums[] = {((void)R, hn::Zero(df))...};
  for (std::size_t lane = 0; lane < row.lanes; lane += step) {
    const std::size_t count = row.lanes - lane;
    const VU words = load_some(du, row.quants + lane, count);
    const VU high = high_of<kBits, kHigh>(du, row.high, lane, count);
    const VF scale = hn::TableLookupLanes(hn::LoadU(df, row.scales->scales.data() + lane / kRepeat), place);
    VI dots[] = {hn::LoadU(di, starts[R] + lane)...};
    const auto part = [&]<int P>(std::integral_constant<int, P>) HWY_ATTR {
      VB codes = codes_of<kBits, kHigh, P>(du, words, high);
      if constexpr (kTable) codes = hn::TableLookupBytes(table, codes);
      if constexpr (kVnni && kBits == 8) codes = hn::Xor(codes, flip);
      const std::size_t at = (lane * kParts + P * step) * 4;
      ((dots[R] =
            dot<kVnni, kSigned>(dots[R], codes, hn::BitCast(db, hn::LoadU(hn::RebindToSigned<DB>(), quants[R] + at)))),
       ...);
    };
    part(std::integral_constant<int, 0>());
    if constexpr (kParts > 1) part(std::integral_constant<int, 1>());
    if constexpr (kParts > 2) part(std::integral_constant<int, 2>());
    if constexpr (kParts > 2) part(std::integral_constant<int, 3>());
    ((sums[R] = hn::MulAdd(hn::Mul(hn::ConvertTo(df, dots[R]), scale), hn::LoadU(df, factors[R] + lane), sums[R])),
     ...);
  }
  if (job.layout->has_minimum()) {
    const float* group_sums[] = {x.sums.data() + (m + R) * x.groups...};
    for (std::size_t g = 0; g < row.groups; g += step) {
      const VF min = hn::LoadU(df, row.scales->mins.data() + g);
      ((sums[R] = hn::NegMulAdd(min, hn::LoadU(df, group_sums[R] + g), sums[R])), ...);
    }
  }
  const IntegerMatmul& call = *job.call;
  ((call.out[(m + R) * call.n + n] = hn::GetLane(hn::SumOfLanes(df, sums[R]))), ...);
}

// The elements of a row.
template <int kBits, int kHigh, bool kTable, std::size_t kGroup>
HWY_INLINE void dequantize_row(const Row& row, const Job& job, float* HWY_RESTRICT out) {
  constexpr std::size_t kUnits = 8 / kBits;  // of 16 elements, in four words
  const hn::Full128<std::uint32_t> dw;
  const hn::Full128<std::uint64_t> wide;
  const hn::Full128<std::uint8_t> db;
  const auto table = kTable ? hn::Load(db, row.table) : hn::Zero(db);
  const DF df;
  const DI di;
  const VI zero = hn::Set(di, job.reading.zero);
  const bool has_minimum = job.layout->has_minimum();
  for (std::size_t lane = 0; lane < row.lanes; lane += 4, out += 16 * kUnits) {
    const auto words = hn::LoadU(dw, row.quants + lane);
    const auto high = high_of<kBits, kHigh>(dw, row.high, lane, 4);
    const auto part = [&]<int P>(std::integral_constant<int, P>) HWY_ATTR {
      auto codes = codes_of<kBits, kHigh, P>(dw, words, high);
      if constexpr (kTable) codes = hn::TableLookupBytes(table, codes);
      return hn::BitCast(dw, codes);
    };
    // The quads of the parts in turn.
    HWY_ALIGN std::uint32_t quads[4 * kUnits];
    const auto first = part(std::integral_constant<int, 0>());
    if constexpr (kUnits == 1) hn::Store(first, dw, quads);
    if constexpr (kUnits == 2) {
      const auto second = part(std::integral_constant<int, 1>());
      hn::Store(hn::InterleaveLower(dw, first, second), dw, quads);
      hn::Store(hn::InterleaveUpper(dw, first, second), dw, quads + 4);
    }
    if constexpr (kUnits == 4) {
      const auto second = part(std::integral_constant<int, 1>());
      const auto third = part(std::integral_constant<int, 2>());
      const auto fourth = part(std::integral_constant<int, 3>());
      const auto low = hn::BitCast(wide, hn::InterleaveLower(dw, first, second));
      const auto low_end = hn::BitCast(wide, hn::InterleaveLower(dw, third, fourth));
      const auto up = hn::BitCast(wide, hn::InterleaveUpper(dw, first, second));
      const auto up_end = hn::BitCast(wide, hn::InterleaveUpper(dw, third, fourth));
      hn::Store(hn::BitCast(dw, hn::InterleaveLower(wide, low, low_end)), dw, quads);
      hn::Store(hn::BitCast(dw, hn::InterleaveUpper(wide, low, low_end)), dw, quads + 4);
      hn::Store(hn::BitCast(dw, hn::InterleaveLower(wide, up, up_end)), dw, quads + 8);
      hn::Store(hn::BitCast(dw, hn::InterleaveUpper(wide, up, up_end)), dw, quads + 12);
    }
    using Code = std::conditional_t<kBits == 8 || kTable, std::int8_t, std::uint8_t>;
    const hn::Rebind<Code, DF> d8;
    const auto* codes = reinterpret_cast<const Code*>(quads);
    for (std::size_t u = 0; u < kUnits; ++u) {
      const std::size_t group = (lane * 4 * kUnits + u * 16) / kGroup;
      const VF scale = hn::Set(df, row.scales->scales[group]);
      const VF min = hn::Set(df, row.scales->mins[group]);
      for (std::size_t i = u * 16; i < u * 16 + 16; i += hn::Lanes(df)) {
        const VI code = hn::Sub(hn::PromoteTo(di, hn::LoadU(d8, codes + i)), zero);
        const VF value = hn::Mul(scale, hn::ConvertTo(df, code));
        hn::StoreU(has_minimum ? hn::Sub(value, min) : value, df, out + i);
      }
    }
  }
}

// Rows from `begin` to `end` of the matrix: f(row, n).
template <int kHigh, bool kTable, std::size_t kGroup, class F>
HWY_INLINE void for_rows(const Job& job, std::size_t begin, std::size_t end, const F& f) {
  const IntegerMatmul& call = *job.call;
  const std::size_t step = lane_count();
  static thread_local RowScales scales;
  const std::size_t groups = call.k / kGroup;
  for (std::vector<float>* v : {&scales.scales, &scales.mins}) v->assign(round_up(groups, step) + step, 0.0F);
  for (std::vector<float>* v : {&scales.d, &scales.dmin}) v->assign(round_up(call.k / 256 + 1, step), 0.0F);
  alignas(16) const std::array<std::uint8_t, 16> table = code_bytes(job.layout->codes, kTable ? job.reading.zero : 0);
  Row row{.quants = nullptr,
          .high = nullptr,
          .scales = &scales,
          .lanes = call.k / job.reading.per_lane,
          .groups = groups,
          .table = table.data()};
  for (std::size_t n = begin; n < end; ++n) {
    row_scales(job, n, scales);
    row.quants = reinterpret_cast<const std::uint32_t*>(call.planes[0].data()) + n * row.lanes;
    if constexpr (kHigh > 0) row.high = call.planes[job.layout->has_supers() ? 3 : 2].data() + n * call.k * kHigh / 8;
    f(row, n);
  }
}

struct Dequantize {
  template <int kBits, int kHigh, bool kTable, std::size_t kGroup>
  static void run(const Job& job, std::size_t begin, std::size_t end) {
    for_rows<kHigh, kTable, kGroup>(job, begin, end, [&](const Row& row, std::size_t n) HWY_ATTR {
      dequantize_row<kBits, kHigh, kTable, kGroup>(row, job, job.call->out + n * job.call->k);
    });
  }
};

template <bool kVnni>
struct Dots {
  template <int kBits, int kHigh, bool kTable, std::size_t kGroup>
  static void run(const Job& job, std::size_t begin, std::size_t end) {
    for_rows<kHigh, kTable, kGroup>(job, begin, end, [&](const Row& row, std::size_t n) HWY_ATTR {
      const auto dots = [&]<std::size_t kRows>(std::index_sequence<kRows>, std::size_t m) HWY_ATTR {
        dot_rows<kVnni, kBits, kHigh, kTable, kGroup>(std::make_index_sequence<kRows>(), row, job, m, n);
      };
      std::size_t m = 0;
      for (; m + 4 <= job.call->m; m += 4) dots(std::index_sequence<4>(), m);
      if (m + 2 <= job.call->m) dots(std::index_sequence<2>(), m), m += 2;
      if (m < job.call->m) dots(std::index_sequence<1>(), m);
    });
  }
};

// Work::run for the layout of the matrix.
template <class Work>
void run_layout(const Job& job, std::size_t begin, std::size_t end) {
  const BlockLayout& l = *job.layout;
  if (l.bits == 8) return Work::template run<8, 0, false, 32>(job, begin, end);
  if (l.bits == 2 && l.high_bits == 0) return Work::template run<2, 0, false, 16>(job, begin, end);
  if (l.bits == 2) return Work::template run<2, 1, false, 16>(job, begin, end);
  if (l.high_bits == 2) return Work::template run<4, 2, false, 16>(job, begin, end);
  if (l.high_bits == 1) return Work::template run<4, 1, false, 32>(job, begin, end);
  if (l.codes != BlockCodes::kInteger) return Work::template run<4, 0, true, 32>(job, begin, end);
  return Work::template run<4, 0, false, 32>(job, begin, end);
}

void dequantize_range(const Job& job, std::size_t begin, std::size_t end) { run_layout<Dequantize>(job, begin, end); }

bool has_vectors() { return true; }

bool has_vnni() {
#if TESSERA_QUANT_VNNI
  static const bool vnni = __builtin_cpu_supports("avx512vnni") != 0;
  return vnni;
#else
  return false;
#endif
}

void run_range(const Job& job, std::size_t begin, std::size_t end) {
#if TESSERA_QUANT_VNNI
  if (job.vnni) return run_layout<Dots<true>>(job, begin, end);
#endif
  run_layout<Dots<false>>(job, begin, end);
}
#undef TESSERA_QUANT_VNNI
#undef TESSERA_QUANT_512
#undef TESSERA_QUANT_256
#endif  // HWY_SCALAR

}  // namespace
}  // namespace tessera::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::ops {

HWY_EXPORT(has_vectors);
HWY_EXPORT(has_vnni);
HWY_EXPORT(quantize_rows);
HWY_EXPORT(run_range);
HWY_EXPORT(dequantize_range);

namespace {

// f(job, begin, end) for ranges of rows, of about so many elements for a thread.
template <class F>
void for_ranges(const Job& job, std::size_t elements, const F& f) {
  const auto grain = static_cast<std::int64_t>(std::max<std::size_t>(1, elements / job.call->k));
  const auto rows = static_cast<std::int64_t>(job.call->n);
  ThreadPool::global().parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    f(job, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

}  // namespace

bool integer_matmul(const IntegerMatmul& call) {
  if (!HWY_DYNAMIC_DISPATCH(has_vectors)()) return false;
  if (call.n == 0 || call.m == 0) return true;
  static thread_local QuantizedRows x;
  const bool vnni = call.vnni && HWY_DYNAMIC_DISPATCH(has_vnni)();
  const Job job{.call = &call,
                .layout = &block_layout(call.dtype),
                .vnni = vnni,
                .reading = reading_of(call.dtype, vnni),
                .x = &x};
  HWY_DYNAMIC_DISPATCH(quantize_rows)(job);
  for_ranges(job, 65536 / call.m, HWY_DYNAMIC_DISPATCH(run_range));
  return true;
}

bool dequantize_rows(DType dtype, std::span<const std::span<const std::byte>> planes, std::size_t n, std::size_t k,
                     float* out) {
  if (!HWY_DYNAMIC_DISPATCH(has_vectors)()) return false;
  if (n == 0 || k == 0) return true;
  const IntegerMatmul rows{.dtype = dtype, .planes = planes, .n = n, .k = k, .out = out};
  const Job job{.call = &rows, .layout = &block_layout(dtype), .reading = reading_of(dtype, false)};
  for_ranges(job, 16384, HWY_DYNAMIC_DISPATCH(dequantize_range));
  return true;
}

}  // namespace tessera::ops
#endif
