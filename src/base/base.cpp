// Shapes, dtypes and error kinds: the definitions that are not inline in their headers.
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "base/sizes.h"
#include "tessera/dtype.h"

namespace tessera {

Shape::Shape(std::span<const std::int64_t> dims) {
  if (dims.size() > static_cast<std::size_t>(kMaxRank)) {
    fail(ErrorKind::kShape, "A shape of rank {} was given; tensors have at most {} axes.", dims.size(), kMaxRank);
  }
  std::copy(dims.begin(), dims.end(), dims_.begin());
  rank_ = static_cast<int>(dims.size());
}

namespace {

/// The product of the sizes, or of those other than 0; past kMaxTensorBytes / each it stops, and the second is false.
std::pair<std::int64_t, bool> problem_of(const Shape& shape, std::int64_t each) {
  const std::int64_t most = kMaxTensorBytes / each;
  std::int64_t n = 1;
  bool none = false;
  for (const std::int64_t d : shape) {
    if (d == 0) {
      none = true;
    } else if (__builtin_mul_overflow(n, d, &n) || n > most || n < -most) {
      return {n, false};
    }
  }
  return {none ? 0 : n, true};
}

[[noreturn]] void too_large(std::string_view what, const Shape& shape, DType dtype) {
  throw Error(ErrorKind::kLimit,
              fmt::format("{}: a tensor of shape {} of {} was asked for; the most are {} bytes.", what, shape.str(),
                          name(dtype), kMaxTensorBytes),
              {.available = static_cast<std::uint64_t>(kMaxTensorBytes), .op = std::string(what)});
}

}  // namespace

std::int64_t Shape::numel() const {
  const auto [n, fits] = problem_of(*this, 1);
  if (!fits) too_large("Shape", *this, DType::kU8);
  return n;
}

std::int64_t checked_numel(std::string_view what, const Shape& shape, DType dtype) {
  for (const std::int64_t d : shape) {
    if (d < 0) fail(ErrorKind::kShape, "{}: the shape {} has a negative size.", what, shape.str());
  }
  // A block has less than two bytes for each element.
  const auto [n, fits] = problem_of(shape, is_block(dtype) ? 2 : static_cast<std::int64_t>(size_of(dtype)));
  if (!fits) too_large(what, shape, dtype);
  return n;
}

std::int64_t checked_size(std::string_view what, Wide size) {
  if (size <= kMaxTensorBytes && size >= -kMaxTensorBytes) return static_cast<std::int64_t>(size);
  throw Error(
      ErrorKind::kLimit,
      fmt::format("{}: {} elements along an axis were asked for; the most are {}.", what, size, kMaxTensorBytes),
      {.available = static_cast<std::uint64_t>(kMaxTensorBytes), .op = std::string(what)});
}

void check_i32_count(std::string_view what, Wide count) {
  if (count <= INT32_MAX) return;
  throw Error(
      ErrorKind::kLimit,
      fmt::format("{}: {} elements were given; its indices are i32 and count at most {}.", what, count, INT32_MAX),
      {.requested = static_cast<std::uint64_t>(count),
       .available = static_cast<std::uint64_t>(INT32_MAX),
       .op = std::string(what)});
}

void Shape::push_back(std::int64_t size) {
  if (rank_ == kMaxRank)
    fail(ErrorKind::kShape, "A shape of rank {} was given; tensors have at most {} axes.", rank_ + 1, kMaxRank);
  dims_[static_cast<std::size_t>(rank_++)] = size;
}

std::string Shape::str() const { return fmt::format("[{}]", fmt::join(begin(), end(), ", ")); }

std::string_view name(ErrorKind kind) {
  constexpr std::array<std::string_view, kErrorKinds> kNames{
      "shape",       "dtype",  "value", "device", "device_lost", "out_of_memory", "limit",
      "unsupported", "shader", "io",    "parse",  "cancelled",   "peer_lost"};
  return kNames[static_cast<std::size_t>(kind)];
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  const DTypeInfo& x = info(a);
  const DTypeInfo& y = info(b);
  if (x.kind == DTypeKind::kBool) return b;
  if (y.kind == DTypeKind::kBool) return a;
  if (is_complex(a) || is_complex(b)) {
    const auto wide = [](DType t) { return t == DType::kF64 || t == DType::kC128; };
    return wide(a) || wide(b) ? DType::kC128 : DType::kC64;
  }
  const bool xf = x.kind == DTypeKind::kFloat;
  const bool yf = y.kind == DTypeKind::kFloat;
  if (xf != yf) return xf ? a : b;
  if (xf) return x.size == y.size ? DType::kF32 : (x.size > y.size ? a : b);  // f16 with bf16 gives f32
  if (x.kind == y.kind) return x.size > y.size ? a : b;
  const DTypeInfo& s = x.kind == DTypeKind::kSigned ? x : y;
  const DTypeInfo& u = x.kind == DTypeKind::kSigned ? y : x;
  if (s.size > u.size) return s.dtype;
  switch (u.size) {
    case 1:
      return DType::kI16;
    case 2:
      return DType::kI32;
    case 4:
      return DType::kI64;
    default:
      return DType::kF32;
  }
}

Half::Half(float v) {
  const auto x = std::bit_cast<std::uint32_t>(v);
  const auto sign = static_cast<std::uint16_t>((x >> 16U) & 0x8000U);
  const std::uint32_t mag = x & 0x7fffffffU;
  if (mag > 0x7f800000U) {
    bits = static_cast<std::uint16_t>(sign | 0x7e00U);
  } else if (mag >= 0x477ff000U) {  // 65520 and more round to infinity
    bits = static_cast<std::uint16_t>(sign | 0x7c00U);
  } else if (mag < 0x38800000U) {  // below the smallest normal half: let the float unit round at 2^-24
    const float r = std::bit_cast<float>(mag) + 0.5F;
    bits = static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(r) - 0x3f000000U));
  } else {
    const std::uint32_t odd = (mag >> 13U) & 1U;
    bits = static_cast<std::uint16_t>(sign | ((mag - 0x38000000U + 0xfffU + odd) >> 13U));
  }
}

Half::operator float() const {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t mag = bits & 0x7fffU;
  if (mag >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | ((mag & 0x3ffU) << 13U));
  if (mag < 0x0400U) {
    const float v = static_cast<float>(mag) * 0x1p-24F;
    return sign != 0 ? -v : v;
  }
  return std::bit_cast<float>(sign | ((mag << 13U) + 0x38000000U));
}

BFloat16::BFloat16(float v) {
  const auto x = std::bit_cast<std::uint32_t>(v);
  if ((x & 0x7fffffffU) > 0x7f800000U) {
    bits = static_cast<std::uint16_t>((x >> 16U) | 0x40U);
  } else {
    bits = static_cast<std::uint16_t>((x + 0x7fffU + ((x >> 16U) & 1U)) >> 16U);
  }
}

}  // namespace tessera
