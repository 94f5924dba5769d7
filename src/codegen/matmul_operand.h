// The WGSL that reads a matmul's operands: through strides or through a map, four neighbours at a time.
#pragma once

#include <string>

#include "codegen/buffers.h"
#include "schedule/kernel.h"
#include "schedule/operand.h"

namespace tessera::codegen {

/// How one operand is read.
struct OperandAccess {
  bool is_a = true;
  bool along_k = true;   // four neighbours that are read together lie along k
  bool quads = false;    // and are always one quad of the buffer
  bool narrow = false;   // mapped: rows, columns and k are small enough to be divided as f32
  bool half = false;     // T is f16, whatever the buffer holds
  bool clamped = false;  // what lies beyond the last row or column may be any of the others: it is never stored
  bool whole_k = false;  // no load lies beyond k
  std::string end;       // of the rows or columns
};

/// Whether four neighbours that lie side by side lie along k: a's columns, b's rows. Of a mapped operand: the axis
/// whose innermost dim lies contiguous and is longer.
bool along_k(const Operand& x, const Binding& b, int at, bool is_a);
/// Whether four neighbours along that axis are always one quad of the buffer.
bool reads_quads(const Kernel& kernel, const Binding& b, int at, bool is_a);

/// load_a or load_b: four values from row or column `o` and `k` on; zero outside the matrix. `at` is the operand's
/// first parameter word.
std::string load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at);
/// Statements in an open block that compute in `o` where matrix `z` of the batch starts.
std::string batch_offset(const Operand& x, int at);

}  // namespace tessera::codegen
