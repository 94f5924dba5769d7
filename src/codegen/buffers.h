// How elements lie in storage buffers, and the WGSL that reads and writes them.
#pragma once

#include <array>
#include <string>

#include "base/compute.h"
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
  bool quad = false;    // elements of four: 32-bit types and f16 as vec4; packed types are words either way
  bool atomic = false;  // packed elements written one by one, by neighbours that share a word
  bool native_f16 = false;
  bool writable = false;
  /// Not -1: the binding is a window; its first element and the number of its last one are in this parameter word and
  /// the next, and they come in whole quads. Loads from elsewhere give some element of the window.
  int window = -1;
  /// Declared writable though it is only read: drivers then leave its loads where they stand, and values that were
  /// asked for early arrive early.
  bool pinned = false;
  /// No buffer, but a function of this name that gives the quads, or without `quad` the elements.
  bool dequantized = false;

  /// Several elements share a 32-bit word.
  [[nodiscard]] bool packed() const { return size_of(dtype) < 4 && !(dtype == DType::kF16 && native_f16); }
  [[nodiscard]] bool has_vec4() const { return size_of(dtype) == 4 || (dtype == DType::kF16 && native_f16); }
  [[nodiscard]] std::string declare(int binding) const;
  /// Whether the element at `index` lies in the window, as an expression.
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
  /// Places of the whole buffer to places in the window.
  [[nodiscard]] std::string to_load(const std::string& index) const;
  [[nodiscard]] std::string to_store(const std::string& index) const;
  [[nodiscard]] std::string quad_to_load(const std::string& quad) const;
  [[nodiscard]] std::string quad_to_store(const std::string& quad) const;
  [[nodiscard]] std::string quad_at(const std::string& quad) const;
  [[nodiscard]] std::string word_of(const std::string& index) const;
  [[nodiscard]] std::string decode(const std::string& word, const std::string& shift) const;
  [[nodiscard]] std::string encode(const std::string& value) const;  // to the low bits of a u32
};

/// What a custom kernel's dequantize_quad gives.
BufferForm dequantized_form();

/// An expression of type `from` converted to type `to`; with `round`, floats are brought to f16's or bf16's precision.
std::string convert(const std::string& value, DType from, DType to, bool round);
/// The value brought back to the range of a small integer type.
std::string wrap(const std::string& value, DType t);

}  // namespace tessera::codegen
