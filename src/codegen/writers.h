// The writers of programs, one for each kind of loop nest; generate.cpp puts headers and preludes around them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/body.h"
#include "codegen/matmul/matmul_operand.h"
#include "codegen/program.h"

namespace tessera::codegen {

/// Elements that one invocation of a map computes.
inline constexpr std::uint32_t kQuad = 4;

/// The choices of a map: with `tiled` >= 0, workgroups take squares of rows and columns of that index's view, whose
/// rows lie side by side in memory: neighbours then read neighbours, and the squares' rows are written by the same
/// workgroup.
struct MapShape {
  std::uint32_t workgroup = 256;
  int tiled = -1;
  std::int64_t rows = 0, quads = 0;  // of one matrix of the tiled view
  bool chunked = false;
};
inline constexpr std::uint32_t kTileRows = 32;
MapShape map_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);
/// Workgroups that a map needs for so many elements from `first` on.
std::uint64_t map_groups(const MapShape& shape, std::int64_t first, std::int64_t elements);

/// The choices of a reduction: how many invocations share a row, and whether the row stays in registers.
struct ReduceShape {
  std::uint32_t workgroup = 256;
  std::uint32_t lanes = 256;  // invocations a row; a power of two
  std::uint32_t units = 0;    // quads or elements that an invocation keeps; 0: it loops and reads again
  bool quads = false;         // columns come in whole quads
  bool subgroups = false;     // lanes are combined by subgroup operations
  bool chunked = false;
};
ReduceShape reduce_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);

/// What a writer hands back: the forms of all buffers (aliased inputs carry their output's name), and the text.
struct Written {
  std::vector<BufferForm> inputs;
  std::vector<BufferForm> outputs;
  std::string text;
  bool halves = false;  // the text has values of f16, whatever the buffers hold
};
Written write_map(const Kernel& kernel, const MapShape& shape, bool native_f16);
Written write_reduce(const Kernel& kernel, const ReduceShape& shape, bool native_f16, std::uint32_t subgroup);
/// Where a matmul on tensor cores reads an operand: straight from a buffer of f16 quads with these strides, through a
/// map, or else by load_a or load_b. Of several matmuls, each has a buffer, and main takes that of the number `part`.
struct MatrixSource {
  std::vector<std::string> buffers = {};
  std::string outer_stride = {}, k_stride = {};
  std::optional<Im2colReader> map = {};
  std::string setup = {};  // statements that stand before the strides
  [[nodiscard]] bool linear() const { return !buffers.empty(); }
  [[nodiscard]] bool by_function() const { return !linear() && !map; }
};
/// Statements, one for each matmul, of which the one of the number `part` runs. The number is the same in all of a
/// workgroup.
std::string choose_part(const std::vector<std::string>& statements);
/// An operand that is computed, as a form whose quads (or else elements) come from a function, and that function.
/// `words` is where its map's parameter words start; `half`: values go into f16.
BufferForm prologue_form(const Operand& x, const std::string& name, bool quads);
std::string prologue_function(const Operand& x, const BufferForm& form, std::vector<BufferForm> inputs, int words,
                              bool half);
/// What stands in front of its text, and behind it.
std::string matrix_header(const MatmulShape& shape);
std::string matrix_main(const MatmulShape& shape, const MatrixSource& a, const MatrixSource& b);
/// A matmul, or several side by side: their tiles of columns follow each other, and a workgroup finds out once which
/// matmul it works on.
Written write_matmul(const Kernel& kernel, const MatmulShape& shape, bool native_f16);

/// The whole program of a custom kernel.
Program write_custom(const Kernel& kernel, const DeviceInfo& device);

/// Forms for all slots, named in0.. and out0.., before a writer chooses quads and atomics.
Written plain_forms(const Kernel& kernel, bool native_f16, bool chunked);

}  // namespace tessera::codegen
