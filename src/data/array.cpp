// Arrays in host memory, and samples of them.
#include "tessera/data/array.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/sizes.h"
#include "data/arrays.h"
#include "io/json.h"

namespace tessera::data {

namespace {

/// Memory for elements of any dtype, with undefined content.
std::shared_ptr<std::byte[]> memory_of(std::size_t bytes) {  // NOLINT(modernize-avoid-c-arrays)
  return std::shared_ptr<std::byte[]>(new std::byte[std::max<std::size_t>(bytes, 1)]);  // NOLINT: not zeroed
}

HostView copied(std::span<const std::byte> bytes) {
  auto memory = memory_of(bytes.size());
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  const std::span<const std::byte> all(memory.get(), bytes.size());
  return {all, std::move(memory), false};
}

}  // namespace

Array::Array(HostView view, DType dtype, const Shape& shape) : view_(std::move(view)), dtype_(dtype), shape_(shape) {
  if (is_block(dtype)) {
    fail(ErrorKind::kDType, "Array: {} is a block dtype; a dtype of single elements is expected.",
         tessera::name(dtype));
  }
  if (view_.owner == nullptr) fail(ErrorKind::kValue, "Array: memory without an owner was given.");
  const std::size_t expected = static_cast<std::size_t>(checked_numel("Array", shape, dtype)) * size_of(dtype);
  if (view_.bytes.size() != expected) {
    fail(ErrorKind::kShape, "Array: {} bytes were given for shape {} of {}, which has {} bytes.", view_.bytes.size(),
         shape, tessera::name(dtype), expected);
  }
  const std::size_t alignment = std::min<std::size_t>(size_of(dtype), alignof(double));
  if (reinterpret_cast<std::uintptr_t>(view_.bytes.data()) % alignment != 0) view_ = copied(view_.bytes);
}

Array Array::copy_of(const void* element, DType dtype) {
  return {copied({static_cast<const std::byte*>(element), size_of(dtype)}), dtype, Shape{}};
}

Array Array::of(const Tensor& tensor) {
  if (!tensor.defined()) fail(ErrorKind::kValue, "Array: an empty Tensor was given; it holds no value.");
  return {host_view(tensor), tensor.dtype(), tensor.shape()};
}

Array Array::row(std::int64_t i) const {
  if (shape_.rank() > 0 && (i < 0 || i >= shape_[0])) {
    fail(ErrorKind::kValue, "Array: row {} of an array of shape {} was asked for.", i, shape_);
  }
  Array result = rows(i, shape_.rank() > 0 ? i + 1 : i);
  result.shape_ = Shape(std::span(shape_.begin(), shape_.end()).subspan(1));
  return result;
}

Array Array::rows(std::int64_t first, std::int64_t last) const {
  if (!defined()) fail(ErrorKind::kValue, "Array: rows of an empty Array were asked for; it holds no value.");
  if (shape_.rank() == 0) fail(ErrorKind::kShape, "Array: rows of an array of rank 0 were asked for.");
  if (first < 0 || last < first || last > shape_[0]) {
    fail(ErrorKind::kValue, "Array: the rows from {} to {} of an array of shape {} were asked for.", first, last,
         shape_);
  }
  Array result = *this;
  const std::size_t row_bytes = shape_[0] == 0 ? 0 : view_.bytes.size() / static_cast<std::size_t>(shape_[0]);
  result.shape_[0] = last - first;
  result.view_.bytes = view_.bytes.subspan(static_cast<std::size_t>(first) * row_bytes,
                                           static_cast<std::size_t>(last - first) * row_bytes);
  return result;
}

Tensor Array::tensor(const Device& device) const {
  if (!defined()) fail(ErrorKind::kValue, "Array: an empty Array was given; it holds no value.");
  return from_host(view_, dtype_, shape_, device);
}

void Array::check(DType expected) const {
  if (!defined()) fail(ErrorKind::kValue, "Array: values of an empty Array were asked for.");
  if (expected != dtype_) {
    fail(ErrorKind::kDType, "Array: values of {} were asked for; the array has dtype {}.", tessera::name(expected),
         tessera::name(dtype_));
  }
}

namespace {

void check_field(std::string_view name) {
  if (name.empty()) fail(ErrorKind::kValue, "Sample: a field has an empty name.");
  if (name.find('.') != std::string_view::npos) {
    fail(ErrorKind::kValue, "Sample: the field {} has a dot in its name; names of fields have none.", io::quote(name));
  }
}

}  // namespace

Sample::Sample(std::initializer_list<Named> fields) : Sample(std::vector<Named>(fields)) {}

Sample::Sample(std::vector<Named> fields) : fields_(std::move(fields)) {
  std::vector<std::string_view> names;
  names.reserve(fields_.size());
  for (const Named& field : fields_) {
    check_field(field.first);
    names.push_back(field.first);
  }
  std::ranges::sort(names);  // of hundreds of columns of a table, too
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) fail(ErrorKind::kValue, "Sample: the field {} was given twice.", io::quote(*twice));
}

Sample sample_of_checked(std::vector<Sample::Named> fields) {
  Sample sample;
  sample.fields_ = std::move(fields);
  return sample;
}

const Array& Sample::operator[](std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Named::first);
  if (found != fields_.end()) return found->second;
  std::string names;
  for (const Named& field : fields_) names += (names.empty() ? "" : ", ") + io::quote(field.first);
  fail(ErrorKind::kValue, "Sample: there is no field {}; there {} {}.", io::quote(name),
       fields_.size() == 1 ? "is" : "are", names.empty() ? "none" : names);
}

bool Sample::contains(std::string_view name) const {
  return std::ranges::find(fields_, name, &Named::first) != fields_.end();
}

void Sample::set(std::string_view name, Array array) {
  const auto found = std::ranges::find(fields_, name, &Named::first);
  if (found != fields_.end()) {
    found->second = std::move(array);
    return;
  }
  check_field(name);
  fields_.emplace_back(name, std::move(array));
}

}  // namespace tessera::data
