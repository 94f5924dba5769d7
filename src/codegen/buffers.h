// The layout of elements in storage buffers, and the WGSL that loads and stores them.
#pragma once

#include <array>
#include <string>

#include "base/compute.h"
#include "graph/custom.h"
#include "tessera/dtype.h"

namespace tessera::codegen {

/// The text of parameter word `i`, a u32.
std::string param(int i);

/// The WGSL type in which values of a dtype are computed.
std::string value_type(DType t);

/// How one storage binding is declared.
struct BufferForm {
  std::string name;
  DType dtype = DType::kF32;
  bool quad = false;    // four elements per access: 32-bit types and f16 as vec4; packed types are words either way
  bool atomic = false;  // packed elements stored one by one, where neighbors share a word
  bool native_f16 = false;
  bool writable = false;
  /// Not -1: a binding range. This parameter word and the next hold its first element and the offset of its last one,
  /// both at whole quads. Loads outside of it give some element of the range.
  int range_at = -1;
  /// Declared read_write though it is only read: drivers then do not move its loads, so early loads stay early.
  bool pinned = false;
  /// Not a buffer but a function of this name that returns quads, or elements without `quad`.
  bool dequantized = false;

  /// Several elements share a 32-bit word.
  [[nodiscard]] bool packed() const { return size_of(dtype) < 4 && !(dtype == DType::kF16 && native_f16); }
  [[nodiscard]] bool has_vec4() const { return size_of(dtype) == 4 || (dtype == DType::kF16 && native_f16); }
  [[nodiscard]] std::string declare(int binding) const;
  /// Whether the element at `index` is inside the binding range, as an expression.
  [[nodiscard]] std::string in_range(const std::string& index) const;
  /// The value of the element at `index`, as an expression.
  [[nodiscard]] std::string load(const std::string& index) const;
  /// Statements that load elements 4 * quad ..+3 into four names made of `prefix` and 0..3.
  [[nodiscard]] std::string load_quad(const std::string& quad_index, const std::string& prefix) const;
  /// A statement that writes one element.
  [[nodiscard]] std::string store(const std::string& index, const std::string& value) const;
  /// A statement that writes elements 4 * quad ..+3.
  [[nodiscard]] std::string store_quad(const std::string& quad_index, const std::array<std::string, 4>& values) const;

 private:
  /// From an index in the whole buffer to an index in the binding range.
  [[nodiscard]] std::string to_load(const std::string& index) const;
  [[nodiscard]] std::string to_store(const std::string& index) const;
  [[nodiscard]] std::string quad_to_load(const std::string& quad) const;
  [[nodiscard]] std::string quad_to_store(const std::string& quad) const;
  [[nodiscard]] std::string quad_at(const std::string& quad) const;
  [[nodiscard]] std::string word_of(const std::string& index) const;
  [[nodiscard]] std::string decode(const std::string& word, const std::string& shift) const;
  [[nodiscard]] std::string encode(const std::string& value) const;  // to the low bits of a u32
};

/// A binding of a custom kernel, and load_NAME if it has one: the only place that knows how several elements of a dtype
/// lie in one access.
std::string declare_binding(const KernelBinding& b, DType dtype, int binding, bool writable, bool native_f16);

/// The form of a custom kernel's dequantize_quad.
BufferForm dequantized_form();

/// An expression of dtype `from` converted to dtype `to`; with `round`, floats are rounded to f16 or bf16 precision.
std::string convert(const std::string& value, DType from, DType to, bool round);
/// The value wrapped to the range of a small integer type.
std::string wrap(const std::string& value, DType t);

}  // namespace tessera::codegen
