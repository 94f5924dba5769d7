// MatmulShape: the tiling and layout choices of a matmul program, and the candidates for a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/device_model.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::codegen {

/// The choices of a matmul program. Plain tiles have rows x columns x depth elements; ty x tx invocations each compute
/// rm x rn quads of rows and columns.
struct MatmulShape {
  std::uint32_t ty = 16, tx = 16, rm = 2, rn = 2, depth = 16;
  bool quads_a = false, quads_b = false, quads_c = false;  // 16-byte loads and stores
  bool chunked = false;
  bool in_place = false;                     // the epilogue loads elements that the results overwrite
  bool im2col = false;                       // some operand is an im2col view
  bool along_k_a = true, along_k_b = false;  // four neighbors of one load are contiguous along k
  bool narrow = false;                       // im2col: rows, columns and k are small enough for division in f32
  bool one_row = false;                      // GEMV: an invocation computes four columns over one of ty slices of k
  /// Not 0: tensor cores with cooperative matrices of unit x unit x unit. Each subgroup of `lanes` computes wm x wn of
  /// the workgroup's bm x bn results and stores them kWide columns at a time.
  std::uint32_t unit = 0, bm = 0, bn = 0, wm = 0, wn = 0, lanes = 0;
  static constexpr std::uint32_t kWide = 16;
  std::uint32_t pipeline_depth = 1;  // tiles in flight while one is multiplied: 1 or 2
  std::uint32_t slices = 1;  // split-K inside a workgroup: subgroups that split a tile's depth, then add their results
  bool whole_k = false;      // k is a multiple of the depth
  /// There are at least as many rows or columns as in a tile: the last tile is shifted back inside, and no load is out
  /// of bounds.
  bool inside_m = false, inside_n = false;
  bool transpose_b = false;  // b is contiguous along k and is transposed on load
  bool half = false;         // accumulate in f16
  bool rolled = false;       // repeated steps are loops: software drivers take minutes for long unrolled programs
  [[nodiscard]] std::uint32_t tile_m() const { return unit != 0 ? bm : (one_row ? 1 : ty * rm * 4); }
  [[nodiscard]] std::uint32_t tile_n() const { return unit != 0 ? bn : tx * (one_row ? 1 : rn) * 4; }
  [[nodiscard]] std::uint32_t threads() const { return unit != 0 ? (bm / wm) * (bn / wn) * slices * lanes : ty * tx; }
  /// All choices as text. Equal keys of equal kernels mean equal programs.
  [[nodiscard]] std::string key() const;
};

/// Column tiles of all matmuls of a kernel; each matmul of a grouped GEMM starts a new tile.
std::int64_t column_tiles(const Binding& binding, std::int64_t columns);

/// What measurements on large and small devices suggest. Cheap. `model` is that of `device`.
MatmulShape matmul_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                         const schedule::DeviceModel& model);
/// All shapes that the device can run for this matmul, the suggested one first.
std::vector<MatmulShape> matmul_candidates(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                                           const schedule::DeviceModel& model);

}  // namespace tessera::codegen
