// The WGSL that loads a matmul's operands: strided, or through an im2col view, four neighbors at a time.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/buffers.h"
#include "schedule/kernel.h"
#include "schedule/lower/operand.h"

namespace tessera::codegen {

/// How one operand is loaded.
struct OperandAccess {
  bool is_a = true;
  bool along_k = true;  // four neighbors of one load are contiguous along k
  bool quads = false;   // and they are always one aligned quad of the buffer
  bool narrow = false;  // im2col: rows, columns and k are small enough for division in f32
  bool half = false;    // L, the type of loads, is f16, whatever dtype the buffer has
  /// The result of a load past the last row or column.
  enum class Beyond : std::uint8_t {
    kZero,
    kAnything,  // any value: it is never stored
    kNever,     // no such load occurs
  } beyond = Beyond::kZero;
  bool whole_k = false;  // no load is past k
  std::string end;       // one past the last row or column
  std::string tag = {};  // the suffix of load_a or load_b in the function's name
};

/// Whether the buffer's quads are the vec4<f16> of tensor-core tiles, so that loads need no conversion.
bool holds_half_quads(const BufferForm& form);

/// Whether four contiguous neighbors are along k: a's columns, b's rows. For an im2col view: the axis whose innermost
/// dim is contiguous; if both are, the longer one.
bool along_k(const Operand& x, const Binding& b, int at, bool is_a);
/// Whether four neighbors along that axis are always one aligned quad of the buffer.
bool reads_quads(const Kernel& kernel, const Binding& b, int at, bool is_a);

/// The parameter words of a strided operand: from one row or column to the next, and from one k to the next.
std::string outer_stride(const Operand& x, int at, bool is_a);
std::string k_stride(const Operand& x, int at, bool is_a);

/// load_a or load_b: four values starting at row or column `o` and at `k`; zero outside the matrix. `at` is the
/// operand's first parameter word.
std::string load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at);
/// The loads of an im2col view, split for the unrolled loop: index terms of the row or column are computed once, terms
/// of k once per k.
class Im2colReader {
 public:
  Im2colReader(const Operand& x, BufferForm form, const OperandAccess& access, int at)
      : operand_(x), form_(std::move(form)), access_(access), at_(at) {}
  /// Statements that declare `tag` for a row or column of the matrix at `batch`.
  [[nodiscard]] std::string outer(const std::string& index, const std::string& tag) const;
  /// The same for k.
  [[nodiscard]] std::string inner(const std::string& k, const std::string& tag) const;
  /// Statements that set `to` to the quad (or to one component) at the two; `k` is the argument of inner().
  [[nodiscard]] std::string load(const std::string& to, const std::string& outer, const std::string& inner,
                                 const std::string& k) const;
  [[nodiscard]] const OperandAccess& access() const { return access_; }

 private:
  const Operand& operand_;
  BufferForm form_;
  OperandAccess access_;
  int at_;
};

/// The members of Batch that hold the start of an operand's matrix: in its buffer, and in the bounds checks of its
/// im2col view.
std::string batch_fields(const Operand& x, int at, bool is_a);
/// Statements that set them in `at` for matrix `z` of the batch.
std::string batch_place(const Operand& x, int at, bool is_a);

}  // namespace tessera::codegen
