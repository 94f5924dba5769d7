// Quantization of a block on the host, with the roundings of ggml, so that the bytes are equal.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "ops/host_call.h"
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

/// Q4_1 and Q5_1: from the smallest element to the largest; of zeros of both signs, the first one.
void quantize_range(const float* x, bool fifth, std::byte* b) {
  const float* low = std::min_element(x, x + kElements);
  const float* high = std::max_element(x, x + kElements);
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

/// Error of kind value for an element that is not finite.
void check_finite(DType dtype, std::span<const float> x, std::size_t first) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) {
      fail(ErrorKind::kValue, "quantize: element {} is {}; {} holds finite numbers.", first + i, x[i], name(dtype));
    }
  }
}

/// Whether the f16 scales of the formulas reach these elements.
bool fits(DType dtype, std::span<const float> x) {
  const auto [low, high] = std::ranges::minmax(x);
  const float most = std::max(std::abs(low), std::abs(high));
  switch (dtype) {
    case DType::kQ4_0:
      return most <= kLargestHalf * 8;
    case DType::kQ5_0:
      return most <= kLargestHalf * 16;
    case DType::kQ8_0:
      return most <= kLargestHalf * 127;
    case DType::kQ4_1:
    case DType::kQ5_1:
      return std::abs(low) <= kLargestHalf && high - low <= kLargestHalf * (dtype == DType::kQ4_1 ? 15 : 31);
    default:
      return true;
  }
}

}  // namespace

bool quantizes_by_formula(DType dtype) {
  return dtype == DType::kQ4_0 || dtype == DType::kQ4_1 || dtype == DType::kQ5_0 || dtype == DType::kQ5_1 ||
         dtype == DType::kQ8_0 || dtype == DType::kMXFP4;
}

void quantize_block(DType dtype, const float* x, std::size_t first, std::byte* b) {
  const std::span<const float> all(x, static_cast<std::size_t>(info(dtype).elements));
  check_finite(dtype, all, first);
  const bool formula = quantizes_by_formula(dtype);
  if (formula ? !fits(dtype, all) : !quantize_by_search(dtype, x, b)) {
    const auto most = std::ranges::max_element(all, {}, [](float v) { return std::abs(v); });
    const auto [low, high] = std::ranges::minmax(all);
    fail(
        ErrorKind::kValue,
        "quantize: element {} is {}, in a block from {} to {}; the f16 scales of {} do not reach so far. Use mxfp4, or "
        "divide by a number first.",
        first + static_cast<std::size_t>(most - all.begin()), *most, low, high, name(dtype));
  }
  switch (dtype) {
    case DType::kQ4_0:
    case DType::kQ5_0:
      return quantize_symmetric(x, dtype == DType::kQ5_0, b);
    case DType::kQ4_1:
    case DType::kQ5_1:
      return quantize_range(x, dtype == DType::kQ5_1, b);
    case DType::kQ8_0:
      return quantize_bytes(x, b);
    case DType::kMXFP4:
      return quantize_e2m1(x, b);
    default:
      return;
  }
}

void quantize_host(DType dtype, const CustomHostCall& call) {
  const std::span<const float> x = host_input<float>(call, 0);
  const auto each = static_cast<std::size_t>(info(dtype).elements);
  const std::size_t count = x.size() / each;
  std::vector<std::byte> blocks(count * size_of(dtype));
  host_for(static_cast<std::int64_t>(count), 8 * static_cast<std::int64_t>(each), [&](std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    const std::span<const float> some = x.subspan(i * each, each);
    std::byte* b = blocks.data() + i * size_of(dtype);
    if (std::ranges::all_of(some, [](float v) { return std::isfinite(v); }) && fits(dtype, some)) {
      quantize_block(dtype, some.data(), 0, b);
    } else if (dtype == DType::kMXFP4) {
      b[0] = std::byte{255};
    } else {
      put_half(b, NAN);
      if (block_layout(dtype).has_minimum()) put_half(b + 2, NAN);
    }
  });
  const Planes planes = repack(dtype, blocks);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    std::memcpy(call.outputs[i].data(), planes[i].data(), call.outputs[i].size());
  }
}

}  // namespace tessera::ops
