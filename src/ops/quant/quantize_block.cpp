// Quantization of a block on the host, with the roundings of ggml, so that the bytes are equal.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "ops/quant/quant.h"

namespace tessera::ops {

namespace {

constexpr std::size_t kElements = 32;
constexpr float kLargestHalf = 65504;
using Codes = std::array<std::uint32_t, kElements>;

void put_half(std::byte* to, float value) {
  const Half h(value);
  std::memcpy(to, &h.bits, 2);
}

/// 1 / scale, or 0: where the inverse overflows, the scale is 0 in f16, and so are the elements.
float inverse(float scale) {
  const float x = scale == 0 ? 0 : 1 / scale;
  return std::isinf(x) ? 0 : x;
}

/// x * y + z rounded twice, also where the compiler would fuse.
float multiply_then_add(float x, float y, float z) {
  volatile float product = x * y;
  return product + z;
}

/// The lower nibbles, and the fifth bits in front of them where there are any.
void put_codes(const Codes& codes, bool fifth, std::byte* to) {
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < kElements; ++i) high |= (codes[i] >> 4U) << i;
  if (fifth) {
    std::memcpy(to, &high, 4);
    to += 4;
  }
  for (std::size_t i = 0; i < kElements / 2; ++i) {
    to[i] = static_cast<std::byte>((codes[i] & 15U) | (codes[i + kElements / 2] & 15U) << 4U);
  }
}

/// Q4_0 and Q5_0: the element of largest magnitude becomes the lowest code.
void quantize_symmetric(const float* x, bool fifth, std::byte* b) {
  const float* most = std::max_element(x, x + kElements, [](float l, float r) { return std::abs(l) < std::abs(r); });
  const int steps = fifth ? 16 : 8;
  const float d = *most / static_cast<float>(-steps);
  const float id = inverse(d);
  Codes codes{};
  for (std::size_t i = 0; i < kElements; ++i) {
    const float q = std::trunc(multiply_then_add(x[i], id, static_cast<float>(steps) + 0.5F));
    codes[i] = static_cast<std::uint32_t>(std::clamp(q, 0.0F, static_cast<float>(2 * steps - 1)));
  }
  put_half(b, d);
  put_codes(codes, fifth, b + 2);
}

/// Q4_1 and Q5_1: from the smallest element to the largest.
void quantize_range(const float* x, bool fifth, std::byte* b) {
  const auto [low, high] = std::minmax_element(x, x + kElements);
  const float steps = fifth ? 31 : 15;
  const float d = (*high - *low) / steps;
  const float id = inverse(d);
  Codes codes{};
  for (std::size_t i = 0; i < kElements; ++i) {
    const float q = std::trunc(multiply_then_add(x[i] - *low, id, 0.5F));
    codes[i] = static_cast<std::uint32_t>(std::clamp(q, 0.0F, steps));
  }
  put_half(b, d);
  put_half(b + 2, *low);
  put_codes(codes, fifth, b + 4);
}

void quantize_bytes(const float* x, std::byte* b) {
  float most = 0;
  for (std::size_t i = 0; i < kElements; ++i) most = std::max(most, std::abs(x[i]));
  const float d = most / 127;
  const float id = inverse(d);
  put_half(b, d);
  for (std::size_t i = 0; i < kElements; ++i) {
    b[2 + i] = static_cast<std::byte>(static_cast<std::int8_t>(std::round(x[i] * id)));
  }
}

/// MXFP4: the exponent of the largest magnitude, less the 2 of the largest code; each element takes the first of the
/// nearest codes.
void quantize_e2m1(const float* x, std::byte* b) {
  float most = 0;
  for (std::size_t i = 0; i < kElements; ++i) most = std::max(most, std::abs(x[i]));
  std::uint32_t exponent = 0;
  if (most > 0) {
    const auto log = static_cast<float>(std::log2(static_cast<double>(most)));
    exponent = static_cast<std::uint32_t>(std::max(std::floor(log) - 2 + 127, 0.0F));
  }
  const float scale = exponent_scale(exponent);
  Codes codes{};
  for (std::size_t i = 0; i < kElements; ++i) {
    float best = INFINITY;
    for (std::uint32_t code = 0; code < 16; ++code) {
      const float error = std::abs(scale * static_cast<float>(code_value(BlockCodes::kE2M1, code)) - x[i]);
      if (error < best) {
        best = error;
        codes[i] = code;
      }
    }
  }
  b[0] = static_cast<std::byte>(exponent);
  put_codes(codes, false, b + 1);
}

/// Error of kind value where an element is not finite or the block's scale is not.
void check_range(DType dtype, const float* x, std::size_t first) {
  const auto [low, high] = std::minmax_element(x, x + kElements);
  for (std::size_t i = 0; i < kElements; ++i) {
    if (!std::isfinite(x[i])) {
      fail(ErrorKind::kValue, "quantize: element {} is {}; {} holds finite numbers.", first + i, x[i], name(dtype));
    }
  }
  const auto fits = [&] {
    const float most = std::max(std::abs(*low), std::abs(*high));
    switch (dtype) {
      case DType::kQ4_0:
        return most <= kLargestHalf * 8;
      case DType::kQ5_0:
        return most <= kLargestHalf * 16;
      case DType::kQ8_0:
        return most <= kLargestHalf * 127;
      case DType::kQ4_1:
      case DType::kQ5_1:
        return std::abs(*low) <= kLargestHalf && *high - *low <= kLargestHalf * (dtype == DType::kQ4_1 ? 15 : 31);
      default:
        return true;
    }
  };
  if (!fits()) {
    const float* most = std::max_element(x, x + kElements, [](float l, float r) { return std::abs(l) < std::abs(r); });
    fail(
        ErrorKind::kValue,
        "quantize: element {} is {}, in a block from {} to {}; the f16 scales of {} do not reach so far. Use mxfp4, or "
        "divide by a number first.",
        first + static_cast<std::size_t>(most - x), *most, *low, *high, name(dtype));
  }
}

}  // namespace

bool can_quantize(DType dtype) {
  return dtype == DType::kQ4_0 || dtype == DType::kQ4_1 || dtype == DType::kQ5_0 || dtype == DType::kQ5_1 ||
         dtype == DType::kQ8_0 || dtype == DType::kMXFP4;
}

void quantize_block(DType dtype, const float* x, std::size_t first, std::byte* b) {
  check_range(dtype, x, first);
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kQ5_0:
      return quantize_symmetric(x, dtype == DType::kQ5_0, b);
    case DType::kQ4_1:
    case DType::kQ5_1:
      return quantize_range(x, dtype == DType::kQ5_1, b);
    case DType::kQ8_0:
      return quantize_bytes(x, b);
    default:
      return quantize_e2m1(x, b);
  }
}

}  // namespace tessera::ops
