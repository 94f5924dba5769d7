// Tensors for tests: data of any type from numbers, awkward values, and the layouts that ops must cope with.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "runtime/reference/reference.h"
#include "tessera/tessera.h"

namespace tessera::test {

/// The real types that a device holds: all, f64 only where the device has it.
std::vector<DType> dtypes_of(const Device& device);

reference::Value decode(DType dtype, const Shape& shape, std::span<const std::byte> bytes);
std::vector<std::byte> encode(const reference::Value& value);
Tensor make_tensor(const reference::Value& value, const Device& device);
/// Numbers rounded (or wrapped) to the type.
reference::Value value_of(DType dtype, const Shape& shape, const std::vector<double>& numbers);

/// Zeros of both signs, denormals, infinities, NaN, halves, the ends of ranges; for integers the extremes, shift counts
/// and what is next to powers of two.
std::vector<double> awkward_floats(DType dtype);
std::vector<std::int64_t> awkward_integers(DType dtype);
/// All awkward values of the type in a row.
reference::Value awkward(DType dtype);
/// Awkward values first, then numbers of all magnitudes, up to the shape's size.
reference::Value awkward_and_random(DType dtype, const Shape& shape, std::uint32_t seed);
/// Numbers that stay far from overflow: floats in [low, high], integers of the same range.
reference::Value plain(DType dtype, const Shape& shape, std::uint32_t seed, double low = -4, double high = 4);

/// A way to look at an [8, 12] tensor.
struct Layout {
  std::string name;
  Tensor (*view)(const Tensor& base);
};
inline const Shape kLayoutBase{8, 12};
std::span<const Layout> layouts();

}  // namespace tessera::test
