// The WGSL that reads a matmul's operands: through strides or through a map, four neighbours at a time.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/buffers.h"
#include "schedule/kernel.h"
#include "schedule/lower/operand.h"

namespace tessera::codegen {

/// How one operand is read.
struct OperandAccess {
  bool is_a = true;
  bool along_k = true;  // four neighbours that are read together lie along k
  bool quads = false;   // and are always one quad of the buffer
  bool narrow = false;  // mapped: rows, columns and k are small enough to be divided as f32
  bool half = false;    // L, the type of loads, is f16, whatever the buffer holds
  /// What a load beyond the last row or column gives.
  enum class Beyond : std::uint8_t {
    kZero,
    kAnything,  // it is never stored
    kNever,     // there is no such load
  } beyond = Beyond::kZero;
  bool whole_k = false;  // no load lies beyond k
  std::string end;       // of the rows or columns
  std::string tag = {};  // what follows load_a or load_b in the function's name
};

/// Whether the buffer's quads are the vec4<f16> that tiles of tensor cores hold: no conversion stands between.
bool holds_half_quads(const BufferForm& form);

/// Whether four neighbours that lie side by side lie along k: a's columns, b's rows. Of a mapped operand: the axis
/// whose innermost dim lies contiguous and is longer.
bool along_k(const Operand& x, const Binding& b, int at, bool is_a);
/// Whether four neighbours along that axis are always one quad of the buffer.
bool reads_quads(const Kernel& kernel, const Binding& b, int at, bool is_a);

/// The parameter words of a plain operand's strides, from one row or column to the next and from one k to the next.
std::string outer_stride(const Operand& x, int at, bool is_a);
std::string k_stride(const Operand& x, int at, bool is_a);

/// load_a or load_b: four values from row or column `o` and `k` on; zero outside the matrix. `at` is the operand's
/// first parameter word.
std::string load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at);
/// The reads of a mapped operand for a matmul that gives them in pieces: what hangs on the row or column alone is
/// computed once, what hangs on k once for each k.
class Im2colReader {
 public:
  Im2colReader(const Operand& x, BufferForm form, const OperandAccess& access, int at)
      : operand_(x), form_(std::move(form)), access_(access), at_(at) {}
  /// Statements that declare `tag` for a row or column of the matrix at `batch`.
  [[nodiscard]] std::string outer(const std::string& index, const std::string& tag) const;
  /// The same for k.
  [[nodiscard]] std::string inner(const std::string& k, const std::string& tag) const;
  /// Statements that set `to` to the quad (or its component) where both meet; `k` is what inner() was given.
  [[nodiscard]] std::string load(const std::string& to, const std::string& outer, const std::string& inner,
                                 const std::string& k) const;
  [[nodiscard]] const OperandAccess& access() const { return access_; }

 private:
  const Operand& operand_;
  BufferForm form_;
  OperandAccess access_;
  int at_;
};

/// The members of Batch that say where a matrix of the operand starts: in its buffer, and in the tests of its map.
std::string batch_fields(const Operand& x, int at, bool is_a);
/// Statements that set them in `at` for matrix `z` of the batch.
std::string batch_place(const Operand& x, int at, bool is_a);

}  // namespace tessera::codegen
