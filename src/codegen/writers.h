// The program writers, one for each kind of loop nest; generate.cpp adds headers and preludes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/body.h"
#include "codegen/matmul/matmul_operand.h"
#include "codegen/program.h"

namespace tessera::codegen {

/// The result of a writer: the forms of all buffers (an aliased input has its output's name), and the text.
struct Written {
  std::vector<BufferForm> inputs;
  std::vector<BufferForm> outputs;
  std::string text;
  bool halves = false;  // the text uses f16 values, whatever dtype the buffers have
};
Written write_map(const Kernel& kernel, const MapShape& shape, bool native_f16);
Written write_reduce(const Kernel& kernel, const ReduceShape& shape, bool native_f16, std::uint32_t subgroup);
/// Where a matmul on tensor cores loads an operand from: a buffer of f16 quads with these strides, an im2col view, or
/// load_a / load_b. In a grouped GEMM each matmul has its own buffer, selected by `part`.
struct MatrixSource {
  std::vector<std::string> buffers = {};
  std::string outer_stride = {}, k_stride = {};
  std::optional<Im2colReader> map = {};
  std::string setup = {};  // statements before the strides are used
  [[nodiscard]] bool linear() const { return !buffers.empty(); }
  [[nodiscard]] bool by_function() const { return !linear() && !map; }
};
/// One list of statements per matmul, of which the one with the number `part` runs. The number is uniform in a
/// workgroup.
std::string choose_part(const std::vector<std::string>& statements);
/// A prologue's operand, as a form whose quads (or elements) come from a function, and that function. `words` is the
/// first parameter word of its view; `half`: values are used as f16.
BufferForm prologue_form(const Operand& x, const std::string& name, bool quads);
std::string prologue_function(const Operand& x, const BufferForm& form, std::vector<BufferForm> inputs, int words,
                              bool half);
/// The main function behind matmul_tiled.wgsl.
std::string tiled_main(const Kernel& kernel, const MatmulShape& shape);
/// The text before and after matmul_matrix.wgsl.
std::string matrix_header(const MatmulShape& shape);
std::string matrix_main(const MatmulShape& shape, const MatrixSource& a, const MatrixSource& b);
/// A matmul or a grouped GEMM: the column tiles of all matmuls are numbered in a row, and a workgroup finds its matmul
/// once.
Written write_matmul(const Kernel& kernel, const MatmulShape& shape, bool native_f16);

/// The whole program of a custom kernel.
Program write_custom(const Kernel& kernel, const DeviceInfo& device);

/// Forms for all slots, named in0.. and out0.., before a writer chooses quads and atomics.
Written plain_forms(const Kernel& kernel, bool native_f16, bool chunked);

}  // namespace tessera::codegen
