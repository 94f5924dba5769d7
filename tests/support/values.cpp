// Data for tests.
#include "support/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tessera::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

template <class T>
void put(std::byte* to, T v) {
  std::memcpy(to, &v, sizeof(v));
}

template <class T>
T get(const std::byte* from) {
  T v{};
  std::memcpy(&v, from, sizeof(v));
  return v;
}

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<DType> dtypes_of(const Device& device) {
  std::vector<DType> result;
  for (const DTypeInfo& t : kDTypeInfo) {
    if (is_complex(t.dtype)) continue;
    if (t.dtype != f64 || device.info().features.f64) result.push_back(t.dtype);
  }
  return result;
}

reference::Value decode(DType dtype, const Shape& shape, std::span<const std::byte> bytes) {
  reference::Value v{dtype, shape, {}, {}};
  for (std::int64_t k = 0; k < shape.numel(); ++k) {
    const std::byte* p = bytes.data() + at(k) * size_of(dtype);
    switch (dtype) {
      case DType::kBool:
      case DType::kU8:
        v.i.push_back(get<std::uint8_t>(p));
        break;
      case DType::kI8:
        v.i.push_back(get<std::int8_t>(p));
        break;
      case DType::kI16:
        v.i.push_back(get<std::int16_t>(p));
        break;
      case DType::kU16:
        v.i.push_back(get<std::uint16_t>(p));
        break;
      case DType::kI32:
        v.i.push_back(get<std::int32_t>(p));
        break;
      case DType::kU32:
        v.i.push_back(get<std::uint32_t>(p));
        break;
      case DType::kI64:
      case DType::kU64:
        v.i.push_back(get<std::int64_t>(p));
        break;
      case DType::kF16:
        v.f.push_back(static_cast<float>(get<Half>(p)));
        break;
      case DType::kBF16:
        v.f.push_back(static_cast<float>(get<BFloat16>(p)));
        break;
      case DType::kF32:
        v.f.push_back(get<float>(p));
        break;
      case DType::kF64:
        v.f.push_back(get<double>(p));
        break;
      case DType::kC64:
        v.c.emplace_back(get<std::complex<float>>(p));
        break;
      case DType::kC128:
        v.c.push_back(get<std::complex<double>>(p));
        break;
      default:
        ADD_FAILURE() << name(dtype) << " has no elements in memory";
        return v;
    }
  }
  return v;
}

std::vector<std::byte> encode(const reference::Value& value) {
  const std::size_t size = size_of(value.dtype);
  std::vector<std::byte> bytes(at(value.shape.numel()) * size);
  for (std::size_t k = 0; k < at(value.shape.numel()); ++k) {
    std::byte* p = bytes.data() + k * size;
    switch (value.dtype) {
      case DType::kF16:
        put(p, Half(static_cast<float>(value.f[k])));
        break;
      case DType::kBF16:
        put(p, BFloat16(static_cast<float>(value.f[k])));
        break;
      case DType::kF32:
        put(p, static_cast<float>(value.f[k]));
        break;
      case DType::kF64:
        put(p, value.f[k]);
        break;
      case DType::kC64:
        put(p, static_cast<std::complex<float>>(value.c[k]));
        break;
      case DType::kC128:
        put(p, value.c[k]);
        break;
      default:
        std::memcpy(p, &value.i[k], size);  // the low bytes come first
        break;
    }
  }
  return bytes;
}

Tensor make_tensor(const reference::Value& value, const Device& device) {
  const std::vector<std::byte> bytes = encode(value);
  return Tensor::from_bytes(bytes.data(), at(value.shape.numel()), value.dtype, value.shape, device);
}

reference::Value value_of(DType dtype, const Shape& shape, const std::vector<double>& numbers) {
  reference::Value v{dtype, shape, {}, {}};
  for (const double x : numbers) {
    if (is_complex(dtype)) {
      v.c.push_back(reference::round_to(std::complex<double>(x), dtype));
    } else if (is_float(dtype)) {
      v.f.push_back(reference::round_to(x, dtype));
    } else {
      v.i.push_back(reference::to_integer(x, dtype));
    }
  }
  return v;
}

std::vector<double> awkward_floats(DType dtype) {
  std::vector<double> some{0,      0x1p-149, 3e-39, 0x1p-126, 1e-30,   0x1p-24, 6e-6, 0x1p-14, 1e-3,  0.125, 0.25,
                           0.3,    0.5,      0.75,  0.99,     1,       1.01,    1.5,  2,       2.5,   3,     3.5,
                           4,      6.5,      10,    17,       44,      88.7,    88.8, 127,     128.5, 255,   256,
                           1000.5, 11009,    65504, 1e5,      8388609, 2.5e9,   1e10, 1e19,    1e25,  3e38,  kInf};
  if (dtype == f64) some.insert(some.end(), {1e-300, 1e300});
  std::vector<double> result{std::numeric_limits<double>::quiet_NaN()};
  for (const double x : some) {
    const double r = reference::round_to(x, dtype);
    if (std::isinf(r) && std::isfinite(x)) continue;
    result.push_back(r);
    result.push_back(-r);
  }
  return result;
}

std::vector<std::int64_t> awkward_integers(DType dtype) {
  if (dtype == DType::kBool) return {0, 1};
  std::vector<std::int64_t> result;
  const std::int64_t some[] = {0,
                               1,
                               2,
                               3,
                               5,
                               7,
                               8,
                               15,
                               16,
                               31,
                               32,
                               33,
                               63,
                               64,
                               65,
                               100,
                               127,
                               128,
                               255,
                               256,
                               32767,
                               32768,
                               65535,
                               65536,
                               99991,
                               2147483647,
                               2147483648,
                               4294967295,
                               4294967296,
                               (std::int64_t{1} << 53) + 1,
                               std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t x : some) {
    for (const std::int64_t y : {x, -x, ~x}) {
      const std::int64_t v = reference::wrap_to(y, dtype);
      if (std::find(result.begin(), result.end(), v) == result.end()) result.push_back(v);
    }
  }
  return result;
}

reference::Value awkward(DType dtype) {
  reference::Value v{dtype, {}, {}, {}};
  if (is_float(dtype)) {
    v.f = awkward_floats(dtype);
  } else {
    v.i = awkward_integers(dtype);
  }
  v.shape = Shape{static_cast<std::int64_t>(v.f.size() + v.i.size())};
  return v;
}

reference::Value awkward_and_random(DType dtype, const Shape& shape, std::uint32_t seed) {
  reference::Value v = awkward(dtype);
  v.shape = shape;
  std::mt19937_64 random(seed);
  const std::size_t n = at(shape.numel());
  if (is_float(dtype)) {
    std::uniform_real_distribution<double> exponent(-8, 8);
    while (v.f.size() < n) {
      const double x = std::exp2(exponent(random));
      v.f.push_back(reference::round_to((random() & 1U) != 0 ? x : -x, dtype));
    }
    v.f.resize(n);
  } else {
    while (v.i.size() < n) {
      v.i.push_back(reference::wrap_to(std::bit_cast<std::int64_t>(random() >> (random() % 64)), dtype));
    }
    v.i.resize(n);
  }
  return v;
}

reference::Value plain(DType dtype, const Shape& shape, std::uint32_t seed, double low, double high) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(info(dtype).kind == DTypeKind::kUnsigned ? std::max(low, 0.0) : low,
                                                is_float(dtype) ? high : high + 1);
  std::vector<double> numbers;
  for (std::int64_t k = 0; k < shape.numel(); ++k) {
    const double x = number(random);
    numbers.push_back(dtype == DType::kBool ? (x > 0 ? 1 : 0) : (is_float(dtype) ? x : std::floor(x)));
  }
  return value_of(dtype, shape, numbers);
}

std::span<const Layout> layouts() {
  static const std::vector<Layout> kLayouts{
      {"contiguous", [](const Tensor& x) { return x; }},
      {"transposed", [](const Tensor& x) { return transpose(x); }},
      {"row broadcast", [](const Tensor& x) { return broadcast_to(slice(x, {{2, 3}}), {5, 12}); }},
      {"column broadcast", [](const Tensor& x) { return broadcast_to(slice(x, {{}, {3, 4}}), {8, 7}); }},
      {"sliced with steps", [](const Tensor& x) { return slice(x, {{1, 8, 2}, {2, 12, 3}}); }},
      {"sliced backwards", [](const Tensor& x) { return slice(x, {{6, {}, -2}, {-2, 0, -3}}); }},
      {"flipped", [](const Tensor& x) { return flip(x); }},
      {"flipped along one axis", [](const Tensor& x) { return flip(x, {1}); }},
      {"reshaped after permute", [](const Tensor& x) { return reshape(permute(x, {1, 0}), {4, 24}); }},
      {"permuted twice with a reshape between",
       [](const Tensor& x) { return slice(permute(reshape(permute(x, {1, 0}), {4, 6, 4}), {2, 0, 1}), {{1, 4}}); }},
      {"empty", [](const Tensor& x) { return slice(x, {{3, 3}}); }},
      {"scalar", [](const Tensor& x) { return reshape(slice(x, {{3, 4}, {5, 6}}), {}); }},
      {"one element of rank 8",
       [](const Tensor& x) { return reshape(slice(x, {{7, 8}, {11, 12}}), {1, 1, 1, 1, 1, 1, 1, 1}); }},
      {"rank 8",
       [](const Tensor& x) { return permute(reshape(x, {2, 2, 2, 1, 3, 2, 2, 1}), {7, 5, 1, 3, 4, 0, 6, 2}); }},
  };
  return kLayouts;
}

}  // namespace tessera::test
