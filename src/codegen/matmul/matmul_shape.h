// The choices of a matmul, and what it may choose from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::codegen {

/// The choices of a matmul: tiles of rows x cols x depth, by ty x tx invocations with rm x rn quads of rows and
/// columns.
struct MatmulShape {
  std::uint32_t ty = 16, tx = 16, rm = 2, rn = 2, depth = 16;
  bool quads_a = false, quads_b = false, quads_c = false;  // 16-byte access
  bool chunked = false;
  bool mapped = false;                       // some operand is read through a map
  bool along_k_a = true, along_k_b = false;  // four neighbours of the operand that are read together lie along k
  bool narrow = false;   // mapped operands: rows, columns and k are small enough to be divided as f32
  bool one_row = false;  // an invocation has four columns, and one of ty slices of k
  /// Not 0: by tensor cores of unit x unit x unit instead. Each subgroup of `lanes` takes wm x wn of the workgroup's
  /// bm x bn results and writes them out kWide columns at a time.
  std::uint32_t unit = 0, bm = 0, bn = 0, wm = 0, wn = 0, lanes = 0;
  static constexpr std::uint32_t kWide = 16;
  std::uint32_t ahead = 1;   // tiles that are on their way while one is multiplied: 1 or 2
  std::uint32_t slices = 1;  // subgroups that share out the depth of a tile, and add up their results
  bool whole_k = false;      // k is a multiple of the depth
  /// There are as many rows or columns as a tile has: the last tile is moved back inside, and no load lies outside.
  bool inside_m = false, inside_n = false;
  bool transpose_b = false;  // b lies along k, and across it in the tile
  bool half = false;         // sums are of f16
  bool rolled = false;       // repeated steps are loops: software drivers take minutes over long texts
  [[nodiscard]] std::uint32_t tile_m() const { return unit != 0 ? bm : (one_row ? 1 : ty * rm * 4); }
  [[nodiscard]] std::uint32_t tile_n() const { return unit != 0 ? bn : tx * (one_row ? 1 : rn) * 4; }
  [[nodiscard]] std::uint32_t threads() const { return unit != 0 ? (bm / wm) * (bn / wn) * slices * lanes : ty * tx; }
  /// All choices as text; equal keys of equal kernels mean equal programs.
  [[nodiscard]] std::string key() const;
};

/// Tiles of so many columns that the matmuls of a kernel have in a row: each starts with a tile of its own.
std::int64_t column_tiles(const Binding& binding, std::int64_t columns);

/// What measurements on large and small devices suggest. Cheap.
MatmulShape matmul_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);
/// All shapes that the device can run this matmul with, the suggested one first.
std::vector<MatmulShape> matmul_candidates(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);

}  // namespace tessera::codegen
