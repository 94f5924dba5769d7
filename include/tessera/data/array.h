// Arrays in host memory, and samples made of them: what data sets give and loaders collate.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/dtype.h"
#include "tessera/export.h"
#include "tessera/host.h"
#include "tessera/shape.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace data {

/// Elements in host memory, row-major, of any dtype but block dtypes. Cheap to copy: copies and rows share the memory,
/// which does not change.
class Array {
 public:
  Array() = default;  // none
  /// Error of kind shape if the number of elements differs.
  template <class V>
    requires(!std::same_as<V, bool>)
  Array(std::vector<V> values, const Shape& shape) {
    auto owner = std::make_shared<const std::vector<V>>(std::move(values));
    *this = Array({std::as_bytes(std::span(*owner)), owner}, dtype_of<V>, shape);
  }
  template <Number V>
  Array(V value) : Array(copy_of(&value, dtype_of<V>)) {}  // NOLINT(google-explicit-constructor): a label
  /// Error of kind shape if the number of bytes is not that of the shape, of kind value without an owner. Memory that
  /// is not aligned is copied.
  Array(HostView view, DType dtype, const Shape& shape);
  /// The elements of a tensor, evaluated first if needed: waits.
  static Array of(const Tensor& tensor);

  [[nodiscard]] bool defined() const { return view_.owner != nullptr; }
  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return view_.bytes; }
  /// Error of kind dtype if V is not the dtype of the array.
  template <class V>
  [[nodiscard]] std::span<const V> values() const {
    check(dtype_of<V>);
    return {reinterpret_cast<const V*>(view_.bytes.data()), view_.bytes.size() / sizeof(V)};
  }
  /// Row i of the first axis, without a copy. Error of kind value if there is none.
  [[nodiscard]] Array row(std::int64_t i) const;
  /// Rows first, .., last - 1.
  [[nodiscard]] Array rows(std::int64_t first, std::int64_t last) const;
  /// The CPU backend uses the memory in place; other devices copy it. Error of kind value if there is no array.
  [[nodiscard]] Tensor tensor(const Device& device = {}) const;

 private:
  static Array copy_of(const void* element, DType dtype);
  void check(DType expected) const;
  HostView view_;
  DType dtype_ = f32;
  Shape shape_;
};

/// Arrays by name, in order: {{"image", image}, {"label", 3}}.
class Sample {
 public:
  using Named = std::pair<std::string, Array>;
  Sample() = default;
  Sample(std::initializer_list<Named> fields);
  explicit Sample(std::vector<Named> fields);  // Error of kind value for a duplicate or empty name, or one with a dot
  [[nodiscard]] const std::vector<Named>& fields() const { return fields_; }
  /// Error of kind value if there is none, with the names that there are.
  const Array& operator[](std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Replaces a field, or adds it.
  void set(std::string_view name, Array array);

 private:
  friend Sample sample_of_checked(std::vector<Named> fields);
  std::vector<Named> fields_;
};

}  // namespace data
}  // namespace tessera
