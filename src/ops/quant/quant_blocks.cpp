// The block formats: the meaning of their bytes, and their layout as planes for kernels.
#include <array>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

const BlockInfo& block_info(BlockFormat format) {
  static constexpr std::array<BlockInfo, 7> kInfo{{{"Q4_0", 32, 18, 4, 0},
                                                   {"Q4_1", 32, 20, 4, 0},
                                                   {"Q5_0", 32, 22, 4, 1},
                                                   {"Q8_0", 32, 34, 8, 0},
                                                   {"Q4_K", 256, 144, 4, 0},
                                                   {"Q5_K", 256, 176, 4, 1},
                                                   {"Q6_K", 256, 210, 4, 2}}};
  return kInfo[static_cast<std::size_t>(format)];
}

namespace {

std::uint8_t byte(const std::byte* p, std::size_t i) { return static_cast<std::uint8_t>(p[i]); }

std::uint16_t half_bits(const std::byte* p) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, p, 2);
  return bits;
}
float half(const std::byte* p) {
  Half h;
  h.bits = half_bits(p);
  return static_cast<float>(h);
}

/// The 6-bit scale and minimum of group j (0 to 7) of Q4_K and Q5_K, out of 12 bytes.
struct ScaleMin {
  std::uint8_t scale, min;
};
ScaleMin scale_min(const std::byte* s, std::size_t j) {
  if (j < 4) return {static_cast<std::uint8_t>(byte(s, j) & 63U), static_cast<std::uint8_t>(byte(s, j + 4) & 63U)};
  return {static_cast<std::uint8_t>((byte(s, j + 4) & 15U) | (byte(s, j - 4) >> 6U << 4U)),
          static_cast<std::uint8_t>((byte(s, j + 4) >> 4U) | (byte(s, j) >> 6U << 4U))};
}

/// The integer of element e, before scale and minimum.
int quant_at(BlockFormat format, const std::byte* b, std::size_t e) {
  const auto nibble = [](std::uint8_t v, bool upper) { return upper ? v >> 4U : v & 15U; };
  switch (format) {
    case BlockFormat::kQ4_0:
      return static_cast<int>(nibble(byte(b, 2 + e % 16), e >= 16));
    case BlockFormat::kQ4_1:
      return static_cast<int>(nibble(byte(b, 4 + e % 16), e >= 16));
    case BlockFormat::kQ5_0: {
      std::uint32_t high = 0;
      std::memcpy(&high, b + 2, 4);
      return static_cast<int>(nibble(byte(b, 6 + e % 16), e >= 16) | (high >> e & 1U) << 4U);
    }
    case BlockFormat::kQ8_0:
      return static_cast<std::int8_t>(byte(b, 2 + e));
    case BlockFormat::kQ4_K:
      return static_cast<int>(nibble(byte(b, 16 + e / 64 * 32 + e % 32), e % 64 >= 32));
    case BlockFormat::kQ5_K:
      return static_cast<int>(nibble(byte(b, 48 + e / 64 * 32 + e % 32), e % 64 >= 32) |
                              (byte(b, 16 + e % 32) >> (e / 32) & 1U) << 4U);
    case BlockFormat::kQ6_K: {
      const std::size_t part = e / 128;
      const std::size_t in = e % 128;
      const std::uint8_t low = byte(b, part * 64 + in % 64);
      const std::uint8_t high = byte(b, 128 + part * 32 + in % 32);
      return static_cast<int>(nibble(low, in >= 64) | (high >> (in / 32 * 2) & 3U) << 4U);
    }
  }
  return 0;
}

}  // namespace

void dequantize_block(BlockFormat format, const std::byte* b, float* out) {
  const auto count = static_cast<std::size_t>(block_info(format).elements);
  for (std::size_t e = 0; e < count; ++e) {
    const auto q = static_cast<float>(quant_at(format, b, e));
    switch (format) {
      case BlockFormat::kQ4_0:
        out[e] = half(b) * (q - 8);
        break;
      case BlockFormat::kQ4_1:
        out[e] = half(b) * q + half(b + 2);
        break;
      case BlockFormat::kQ5_0:
        out[e] = half(b) * (q - 16);
        break;
      case BlockFormat::kQ8_0:
        out[e] = half(b) * q;
        break;
      case BlockFormat::kQ4_K:
      case BlockFormat::kQ5_K: {
        const ScaleMin s = scale_min(b + 4, e / 32);
        out[e] = half(b) * static_cast<float>(s.scale) * q - half(b + 2) * static_cast<float>(s.min);
        break;
      }
      case BlockFormat::kQ6_K:
        out[e] = half(b + 208) * static_cast<float>(static_cast<std::int8_t>(byte(b, 192 + e / 16))) * (q - 32);
        break;
    }
  }
}

void quantize_block(BlockFormat format, const float* x, std::byte* b) {
  constexpr int kCount = 32;
  float most = 0;  // signed
  for (int i = 0; i < kCount; ++i) most = std::abs(x[i]) > std::abs(most) ? x[i] : most;
  const bool eight = format == BlockFormat::kQ8_0;
  // The range of Q4_0 is -8 to 7: the largest magnitude becomes -8.
  const Half d(eight ? std::abs(most) / 127 : most / -8);
  const float scale = static_cast<float>(d);
  const float inverse = scale == 0 ? 0 : 1 / scale;
  std::memcpy(b, &d.bits, 2);
  const auto whole = [&](int i, float low, float high) {
    return static_cast<int>(std::fmin(std::fmax(std::nearbyint(x[i] * inverse), low), high));
  };
  for (int i = 0; i < (eight ? kCount : kCount / 2); ++i) {
    if (eight) {
      b[2 + i] = static_cast<std::byte>(whole(i, -127, 127));
    } else {
      b[2 + i] = static_cast<std::byte>((whole(i, -8, 7) + 8) | (whole(i + 16, -8, 7) + 8) << 4);
    }
  }
}

std::vector<const std::vector<std::uint32_t>*> Planes::all() const {
  std::vector<const std::vector<std::uint32_t>*> list;
  for (const auto* plane : {&quants, &scales, &supers, &high}) {
    if (!plane->empty()) list.push_back(plane);
  }
  return list;
}

Planes repack(BlockFormat format, std::span<const std::byte> blocks) {
  const BlockInfo& info = block_info(format);
  const std::size_t count = blocks.size() / info.bytes;
  const auto n = static_cast<std::size_t>(info.elements);
  Planes p;
  p.quants.resize(count * n * static_cast<std::size_t>(info.bits) / 32);
  if (info.high_bits > 0) p.high.resize(count * n * static_cast<std::size_t>(info.high_bits) / 32);
  const bool pairs = format == BlockFormat::kQ4_1;
  if (n == 32) {
    p.scales.resize(pairs ? count : (count + 1) / 2);
  } else {
    p.scales.resize(count * 4);
    p.supers.resize(count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* b = blocks.data() + i * info.bytes;
    for (std::size_t e = 0; e < n; ++e) {
      const auto q = static_cast<std::uint32_t>(quant_at(format, b, e));
      const std::size_t at = i * n + e;
      if (info.bits == 8) {
        p.quants[at / 4] |= (q & 255U) << (at % 4 * 8);
      } else {
        // The low nibbles of a word are its first four elements, so that four are unpacked at once.
        p.quants[at / 8] |= (q & 15U) << (at % 4 * 8 + at % 8 / 4 * 4);
      }
      if (info.high_bits == 1) p.high[at / 32] |= (q >> 4U) << (at % 32);
      if (info.high_bits == 2) p.high[at / 16] |= (q >> 4U) << (at % 16 * 2);
    }
    if (pairs) {
      p.scales[i] = half_bits(b) | static_cast<std::uint32_t>(half_bits(b + 2)) << 16U;
    } else if (n == 32) {
      p.scales[i / 2] |= static_cast<std::uint32_t>(half_bits(b)) << (i % 2 * 16);
    } else if (format == BlockFormat::kQ6_K) {
      p.supers[i] = half_bits(b + 208);
      std::memcpy(&p.scales[i * 4], b + 192, 16);
    } else {
      p.supers[i] = half_bits(b) | static_cast<std::uint32_t>(half_bits(b + 2)) << 16U;
      for (std::size_t j = 0; j < 8; ++j) {
        const ScaleMin s = scale_min(b + 4, j);
        p.scales[i * 4 + j / 2] |= (s.scale | static_cast<std::uint32_t>(s.min) << 8U) << (j % 2 * 16);
      }
    }
  }
  return p;
}

}  // namespace tessera::ops
