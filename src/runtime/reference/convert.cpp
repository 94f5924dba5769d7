// The oracle's conversions between types, and its own random generator.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/compute.h"
#include "runtime/reference/reference.h"

namespace tessera::reference {
namespace {

/// To a float type with `digits` bits of mantissa, the given smallest normal exponent and largest value.
double round_digits(double v, int digits, int min_exponent, double largest) {
  if (v == 0 || !std::isfinite(v)) return v;
  const int exponent = std::max(std::ilogb(v), min_exponent) - (digits - 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(v, -exponent)), exponent);
  return std::abs(rounded) > largest ? std::copysign(std::numeric_limits<double>::infinity(), v) : rounded;
}

template <class T>
std::int64_t saturate(double v) {
  // The upper limit as a double may be one past the largest T.
  if (v >= static_cast<double>(std::numeric_limits<T>::max()))
    return static_cast<std::int64_t>(std::numeric_limits<T>::max());
  if (v <= static_cast<double>(std::numeric_limits<T>::min()))
    return static_cast<std::int64_t>(std::numeric_limits<T>::min());
  return static_cast<std::int64_t>(static_cast<T>(v));
}

}  // namespace

double round_to(double v, DType t) {
  switch (t) {
    case DType::kF16:
      return round_digits(v, 11, -14, 65504);
    case DType::kBF16:
      return round_digits(v, 8, -126, 0x1.FEp127);
    case DType::kF32:
      return round_digits(v, 24, -126, std::numeric_limits<float>::max());
    default:
      return v;
  }
}

std::complex<double> round_to(std::complex<double> v, DType t) {
  return {round_to(v.real(), real_of(t)), round_to(v.imag(), real_of(t))};
}

std::int64_t wrap_to(std::int64_t v, DType t) {
  switch (t) {
    case DType::kBool:
      return v != 0 ? 1 : 0;
    case DType::kI8:
      return static_cast<std::int8_t>(v);
    case DType::kU8:
      return static_cast<std::uint8_t>(v);
    case DType::kI16:
      return static_cast<std::int16_t>(v);
    case DType::kU16:
      return static_cast<std::uint16_t>(v);
    case DType::kI32:
      return static_cast<std::int32_t>(v);
    case DType::kU32:
      return static_cast<std::uint32_t>(v);
    default:
      return v;
  }
}

std::int64_t to_integer(double v, DType t) {
  if (t == DType::kBool) return v != 0 ? 1 : 0;
  if (std::isnan(v)) return 0;
  switch (compute_type(t)) {
    case Compute::kI32:
      return wrap_to(saturate<std::int32_t>(v), t);
    case Compute::kU32:
      return wrap_to(saturate<std::uint32_t>(v), t);
    case Compute::kU64:
      return saturate<std::uint64_t>(v);
    default:
      return saturate<std::int64_t>(v);
  }
}

double to_float(std::int64_t v, bool is_unsigned, DType t) {
  const bool negative = !is_unsigned && v < 0;
  std::uint64_t magnitude = negative ? 0 - std::bit_cast<std::uint64_t>(v) : std::bit_cast<std::uint64_t>(v);
  if (t != DType::kF64 && magnitude >= (std::uint64_t{1} << 53U)) {
    // Bits that a double cannot hold are kept as a sticky bit, so that rounding twice equals rounding once.
    magnitude = (magnitude & ~std::uint64_t{0xfff}) | ((magnitude & 0xfffU) != 0 ? std::uint64_t{0x800} : 0);
  }
  const double exact = static_cast<double>(magnitude);
  return round_to(negative ? -exact : exact, t);
}

std::uint32_t philox(std::uint64_t index, std::uint64_t seed, std::uint64_t counter) {
  const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32U); };
  std::array<std::uint32_t, 4> c{low(index / 4), 0, low(counter), high(counter)};
  std::uint32_t key0 = low(seed);
  std::uint32_t key1 = high(seed);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t q = std::uint64_t{0xCD9E8D57} * c[2];
    c = {high(q) ^ c[1] ^ key0, low(q), high(p) ^ c[3] ^ key1, low(p)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return c[index % 4];
}

std::vector<std::byte> to_bytes(const Value& value) {
  const std::size_t size = size_of(value.dtype);
  const auto count = static_cast<std::size_t>(value.shape.numel());
  std::vector<std::byte> bytes(count * size);
  for (std::size_t k = 0; k < count; ++k) {
    if (is_complex(value.dtype)) {
      const std::complex<double> v = round_to(value.c[k], value.dtype);
      const std::complex<float> narrow(v);
      std::memcpy(bytes.data() + k * size, value.dtype == DType::kC64 ? static_cast<const void*>(&narrow) : &v, size);
      continue;
    }
    std::int64_t word = 0;  // the element in its low bytes, which come first
    if (is_float(value.dtype)) {
      const double v = round_to(value.f[k], value.dtype);
      const auto f = static_cast<float>(v);
      if (value.dtype == DType::kF64) word = std::bit_cast<std::int64_t>(v);
      if (value.dtype == DType::kF32) word = std::bit_cast<std::int32_t>(f);
      if (value.dtype == DType::kF16) word = Half(f).bits;
      if (value.dtype == DType::kBF16) word = BFloat16(f).bits;
    } else {
      word = value.i[k];
    }
    std::memcpy(bytes.data() + k * size, &word, size);
  }
  return bytes;
}

Value from_bytes(std::span<const std::byte> bytes, DType dtype, const Shape& shape) {
  Value value{dtype, shape, {}, {}};
  const std::size_t size = size_of(dtype);
  const auto count = static_cast<std::size_t>(shape.numel());
  for (std::size_t k = 0; k < count; ++k) {
    if (is_complex(dtype)) {
      std::complex<float> narrow;
      std::complex<double> wide;
      std::memcpy(dtype == DType::kC64 ? static_cast<void*>(&narrow) : &wide, bytes.data() + k * size, size);
      value.c.push_back(dtype == DType::kC64 ? std::complex<double>(narrow) : wide);
      continue;
    }
    std::int64_t word = 0;
    std::memcpy(&word, bytes.data() + k * size, size);
    if (!is_float(dtype)) {
      value.i.push_back(wrap_to(word, dtype));
      continue;
    }
    const auto half = static_cast<std::uint16_t>(word);
    if (dtype == DType::kF64) value.f.push_back(std::bit_cast<double>(word));
    if (dtype == DType::kF32) value.f.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
    if (dtype == DType::kF16) value.f.push_back(static_cast<float>(std::bit_cast<Half>(half)));
    if (dtype == DType::kBF16) value.f.push_back(static_cast<float>(std::bit_cast<BFloat16>(half)));
  }
  return value;
}

}  // namespace tessera::reference
