// Chooses tensor cores and tiles of a matmul from its sizes and the device's features and limits.
#include "codegen/matmul/matmul_shape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/ints.h"
#include "codegen/matmul/matmul_operand.h"

namespace tessera::codegen {

namespace {

std::int64_t groups(const Binding& b, std::int64_t tm, std::int64_t tn) {
  return ceil_div(b.m, tm) * column_tiles(b, tn) * b.batch;
}

std::int64_t narrowest(const Binding& b) {
  std::int64_t n = b.matmul(0).n;
  for (const Binding& part : b.parts) n = std::min(n, part.n);
  return n;
}

/// Rows and columns of a workgroup's and of a subgroup's tile, the tile's depth, the subgroups that split it, and the
/// pipeline depth.
struct MatrixTile {
  std::uint32_t bm, bn, wm, wn, depth, slices = 1, pipeline_depth = 1;
};
constexpr std::array kMatrixTiles{
    MatrixTile{128, 128, 64, 64, 32},      MatrixTile{128, 64, 64, 32, 64},      MatrixTile{64, 128, 32, 64, 32},
    MatrixTile{128, 64, 64, 32, 32},       MatrixTile{64, 64, 32, 32, 64},       MatrixTile{64, 64, 32, 32, 32},
    MatrixTile{128, 256, 64, 64, 32},      MatrixTile{64, 256, 64, 64, 32},      MatrixTile{32, 128, 32, 32, 32},
    MatrixTile{128, 32, 32, 32, 32},       MatrixTile{16, 64, 16, 16, 64},       MatrixTile{64, 16, 16, 16, 64},
    MatrixTile{32, 32, 16, 16, 32},        MatrixTile{16, 16, 16, 16, 32},       MatrixTile{16, 32, 16, 32, 128, 4},
    MatrixTile{16, 32, 16, 32, 64, 2},     MatrixTile{16, 64, 16, 16, 64, 1, 2}, MatrixTile{16, 64, 16, 64, 64, 4, 2},
    MatrixTile{16, 32, 16, 32, 128, 4, 2}, MatrixTile{16, 32, 16, 32, 64, 2, 2}, MatrixTile{16, 128, 16, 32, 32, 1, 2},
    MatrixTile{16, 128, 16, 32, 64, 1, 2}, MatrixTile{64, 64, 32, 32, 64, 1, 2}, MatrixTile{32, 64, 16, 32, 64, 1, 2},
    MatrixTile{32, 64, 32, 32, 64, 2, 2},  MatrixTile{32, 64, 32, 32, 64, 2},
};

/// For an im2col view as the second operand (convolutions in NCHW layout). Its index terms take registers. Measured
/// with 1, 4 and 32 images and 64 to 512 channels.
MatrixTile suggested_for_im2col_b(const Binding& b) {
  if (b.m <= 16) return {16, 64, 16, 16, 64};
  if (b.n <= 16) return {64, 16, 16, 16, 64};
  if (groups(b, b.m > 64 ? 128 : 64, 64) >= 96)
    return b.m > 64 ? MatrixTile{128, 64, 64, 32, 32} : MatrixTile{64, 64, 32, 32, 32};
  if (b.m > 64 && groups(b, 128, 32) >= (b.k >= 1024 ? 48 : 96)) return {128, 32, 32, 32, 32};
  return {64, 16, 16, 16, 64};
}

/// For an im2col view as the first operand (convolutions in channels-last layout). Measured on dependent and on
/// independent layers.
MatrixTile suggested_for_im2col_a(const Binding& b) {
  if (b.n <= 16) return {64, 16, 16, 16, 64};
  if (b.n > 64 && groups(b, 128, 128) >= 192) return {128, 128, 64, 64, 32};
  const std::int64_t squares = groups(b, 64, 64);
  if (squares >= 256) return {64, 64, 32, 32, 32};
  if (squares >= 96) return {64, 64, 32, 32, 64};
  if (squares >= 48) return {32, 64, 32, 32, 64, 2};
  if (b.k >= 1024) return {16, 32, 16, 32, 128, 4};
  return {16, 64, 16, 16, 64};
}

/// Measured on a large GPU: tiles of 128 x 128 are the fastest if they fill it, otherwise deeper and smaller ones. Two
/// workgroups per multiprocessor need at most half of the workgroup memory each.
MatrixTile suggested(const Kernel& kernel, const Binding& b) {
  if (kernel.matmuls()[0].b.is_im2col()) return suggested_for_im2col_b(b);
  if (kernel.matmuls()[0].a.is_im2col()) return suggested_for_im2col_a(b);
  if (b.m <= 16 && groups(b, 16, 64) < 128) return {16, 32, 16, 32, 128, 4, 2};
  if (b.m <= 16) return {16, 64, 16, 16, 64, 1, 2};
  if (b.n <= 16) return {64, 16, 16, 16, 64};
  if (b.m <= 32 && b.n > 32) return {32, 64, 32, 32, 64, 2, 2};
  if (b.m <= 64 && b.n > 64) return {64, 64, 32, 32, 64, 1, 2};
  if (b.n <= 32) return {128, 32, 32, 32, 32};
  if (b.m > 64 && b.n > 64 && groups(b, 128, 128) >= 192) return {128, 128, 64, 64, 32};
  if (b.m > 64 && groups(b, 128, 64) >= 96) return {128, 64, 64, 32, 64};
  if (b.n > 64 && groups(b, 64, 128) >= 96) return {64, 128, 32, 64, 32};
  if (groups(b, 64, 64) < 96) return {16, 64, 16, 16, 64};
  return {64, 64, 32, 32, 64};
}

/// The size of the device's cooperative matrices if this matmul can use them, else 0.
std::uint32_t unit_for(const Kernel& kernel, const Binding& b, const DeviceInfo& device,
                       const schedule::DeviceModel& model) {
  const Kernel& first = kernel.matmuls()[0];
  const auto serves = [&](const Operand& x) {
    const DType t = x.dtype;
    return t == DType::kF16 || (device.reduced_precision && (t == DType::kF32 || t == DType::kBF16));
  };
  if (!serves(first.a) || !serves(first.b) || b.m < 2 || b.n < 2 || b.k == 0) return 0;
  return model.matrix_size;
}

/// Whether the config allows f16 accumulation and both operands are f16.
bool half_sums(const Kernel& kernel, const DeviceInfo& device) {
  const Kernel& first = kernel.matmuls()[0];
  return device.half_sums && device.features.f16 && first.a.dtype == DType::kF16 && first.b.dtype == DType::kF16;
}

bool has_half_matrices(const DeviceInfo& device, std::uint32_t unit) {
  return std::ranges::any_of(device.matrices, [&](const MatrixConfig& c) {
    return c.m == unit && c.n == unit && c.k == unit && c.input == DType::kF16 && c.result == DType::kF16;
  });
}

std::uint32_t matrix_memory(const MatmulShape& s) {
  const std::uint32_t a = s.along_k_a ? s.bm * (s.depth + 8) : s.depth * (s.bm + 8);
  const std::uint32_t b = s.along_k_b && !s.transpose_b ? s.bn * (s.depth + 8) : s.depth * (s.bn + 8);
  return 2 * (a + b) +
         s.threads() / s.lanes * s.unit * (s.half ? 2 * (MatmulShape::kWide + 8) : 4 * (MatmulShape::kWide + 4));
}

/// `base` with a tile for tensor cores, if the device has room for it.
std::optional<MatmulShape> with_matrices(MatmulShape base, const MatrixTile& t, std::uint32_t unit, const Binding& b,
                                         const DeviceInfo& device) {
  const DeviceLimits& limits = device.limits;
  base.unit = unit;
  base.rolled = device.type == DeviceType::kSoftware;
  base.lanes = limits.subgroup_min;
  base.bm = t.bm, base.bn = t.bn, base.wm = t.wm, base.wn = t.wn, base.depth = t.depth;
  base.slices = t.slices, base.pipeline_depth = t.pipeline_depth;
  base.whole_k = b.k % t.depth == 0;
  // A tile that is shifted back computes results again, whose addends must not be overwritten then.
  base.inside_m = !b.chunked && b.m >= t.bm && (!base.in_place || b.m % t.bm == 0);
  base.inside_n = !b.chunked && narrowest(b) >= t.bn && (!base.in_place || b.n % t.bn == 0);
  base.half = base.half && has_half_matrices(device, unit);
  // In memory-bound tiles a transpose of b would add to the loads. Squares of 4 x 4 are divided evenly among the
  // invocations.
  base.transpose_b = base.along_k_b && t.bm >= 128 && t.bn >= 128 && base.threads() % (2 * t.depth) == 0 &&
                     t.bn * t.depth / 16 % base.threads() == 0;
  if (base.im2col && t.pipeline_depth > 1) return {};  // the index terms take the registers
  if (base.threads() > limits.max_workgroup_size || matrix_memory(base) > limits.max_workgroup_memory) return {};
  // All invocations take part in each load, in whole rows.
  const std::uint32_t row_a = (base.along_k_a ? t.depth : t.bm) / 4;
  const std::uint32_t row_b = (base.along_k_b ? t.depth : t.bn) / 4;
  const std::uint32_t threads = base.threads();
  if (threads % row_a != 0 || threads % row_b != 0) return {};
  if (t.bm * t.depth / 4 % threads != 0 || t.bn * t.depth / 4 % threads != 0) return {};
  const std::int64_t most = limits.max_workgroups;
  if (b.m > most * t.bm || column_tiles(b, t.bn) > most) return {};
  return base;
}

/// The choices that do not depend on the tile.
MatmulShape operands(const Kernel& kernel, const Binding& b, const DeviceInfo& device) {
  MatmulShape s;
  s.half = half_sums(kernel, device);
  const std::span<const Kernel> matmuls = kernel.matmuls();
  const Kernel& first = matmuls[0];
  const ParamLayout layout(first);
  s.along_k_a = along_k(first.a, b.matmul(0), layout.operand_at[0], true);
  s.along_k_b = along_k(first.b, b.matmul(0), layout.operand_at[1], false);
  constexpr std::int64_t kNarrow = std::int64_t{1} << 21;  // (x + 0.5) / size rounds right in f32
  s.narrow = std::max({b.first_m + b.m, b.first_n + b.n, b.k}) < kNarrow - 1024;
  s.quads_a = reads_quads(first, b.matmul(0), layout.operand_at[0], true);
  s.quads_b = s.quads_c = true;
  for (std::size_t i = 0; i < matmuls.size(); ++i) {
    const Binding& own = b.matmul(i);
    s.quads_b = s.quads_b && reads_quads(matmuls[i], own, ParamLayout(matmuls[i]).operand_at[1], false);
    s.quads_c = s.quads_c && own.params[2] % 4 == 0;  // columns start and end at whole quads
  }
  s.chunked = b.chunked;
  s.in_place = !kernel.aliases.empty();
  s.im2col = first.a.is_im2col() || first.b.is_im2col();
  return s;
}

struct Tile {
  std::uint32_t ty, tx, rm, rn, depth;
};
constexpr std::array kTiles{
    Tile{16, 16, 2, 2, 8}, Tile{16, 16, 1, 1, 16}, Tile{8, 32, 2, 1, 16}, Tile{16, 16, 2, 1, 16},
    Tile{8, 32, 1, 1, 16}, Tile{32, 8, 1, 1, 16},  Tile{8, 8, 1, 1, 8},   Tile{16, 16, 2, 2, 16},
};

bool fits(const Tile& t, const DeviceLimits& limits) {
  const std::uint32_t floats = 4 * t.depth * (t.ty * t.rm + t.tx * t.rn + 2);
  return t.ty * t.tx <= limits.max_workgroup_size && floats * 8 <= limits.max_workgroup_memory;
}

MatmulShape with_tile(MatmulShape base, const Tile& t) {
  base.ty = t.ty, base.tx = t.tx, base.rm = t.rm, base.rn = t.rn, base.depth = t.depth;
  return base;
}

/// Slices of k, and quads of columns.
struct RowTile {
  std::uint32_t ty, tx;
};
constexpr std::array kRowTiles{RowTile{32, 8}, RowTile{16, 16}, RowTile{64, 4}, RowTile{32, 4}, RowTile{8, 32}};

/// `base` for a GEMV. With more rows, loads of the first operand dominate.
std::optional<MatmulShape> one_row(MatmulShape base, const RowTile& t, const Binding& b, const DeviceLimits& limits) {
  if (b.m != 1 || b.n < 64 || base.im2col || !base.along_k_a || base.along_k_b ||
      t.ty * t.tx > limits.max_workgroup_size)
    return {};
  base.ty = t.ty, base.tx = t.tx;
  base.one_row = true;
  base.half = false;
  return base;
}

/// Enough workgroups for a large device, with rows of the second operand as long as that allows.
RowTile suggested_row(const Binding& b) { return b.n * b.batch >= 4 * 8 * 264 ? RowTile{32, 8} : RowTile{64, 4}; }

/// Measured on a large GPU: tiles of 128 x 128 are shallow because of register pressure, smaller ones are deeper.
Tile suggested_tile(const Binding& b, const DeviceLimits& limits, bool half) {
  if (limits.max_workgroup_size < 256) return {8, 8, 1, 1, 8};
  const bool small = limits.max_workgroup_memory < 16384;
  if (b.m <= 32) return {8, 32, 1, 1, 16};
  if (b.n <= 32) return {32, 8, 1, 1, 16};
  if (!small && b.m <= 64 && groups(b, 64, 128) >= 96)
    return {8, 32, 2, 1, 16};  // half of a larger tile would be empty
  if (!small && b.n <= 64 && groups(b, 128, 64) >= 96) return {16, 16, 2, 1, 16};
  if (!small && groups(b, 128, 128) >= 96) return {16, 16, 2, 2, half ? 16U : 8U};
  if (!small && groups(b, 64, 128) >= 96) return {8, 32, 2, 1, 16};
  return {16, 16, 1, 1, 16};
}

/// `base` with the suggested tile; `unit` as of unit_for().
MatmulShape suggested_shape(const MatmulShape& base, std::uint32_t unit, const Kernel& kernel, const Binding& b,
                            const DeviceInfo& device) {
  if (const auto s = one_row(base, suggested_row(b), b, device.limits)) return *s;
  if (unit != 0) {
    if (const auto s = with_matrices(base, suggested(kernel, b), unit, b, device)) return *s;
    for (const MatrixTile& t : {MatrixTile{32, 32, 16, 16, 32}, MatrixTile{16, 16, 16, 16, 32}}) {
      if (const auto s = with_matrices(base, t, unit, b, device)) return *s;
    }
  }
  return with_tile(base, suggested_tile(b, device.limits, base.half));
}

}  // namespace

std::int64_t column_tiles(const Binding& b, std::int64_t columns) {
  std::int64_t tiles = 0;
  for (std::size_t i = 0; i < std::max<std::size_t>(b.parts.size(), 1); ++i) {
    tiles += ceil_div(b.matmul(i).n, columns);
  }
  return tiles;
}

MatmulShape matmul_shape(const Kernel& kernel, const Binding& b, const DeviceInfo& device,
                         const schedule::DeviceModel& model) {
  return suggested_shape(operands(kernel, b, device), unit_for(kernel, b, device, model), kernel, b, device);
}

std::vector<MatmulShape> matmul_candidates(const Kernel& kernel, const Binding& b, const DeviceInfo& device,
                                           const schedule::DeviceModel& model) {
  const MatmulShape base = operands(kernel, b, device);
  const std::uint32_t unit = unit_for(kernel, b, device, model);
  std::vector<MatmulShape> shapes{suggested_shape(base, unit, kernel, b, device)};
  const auto add = [&](const MatmulShape& s) {
    const std::string key = s.key();
    if (std::ranges::none_of(shapes, [&](const MatmulShape& x) { return x.key() == key; })) shapes.push_back(s);
  };
  if (unit != 0) {
    for (const MatrixTile& t : kMatrixTiles) {
      if (const auto s = with_matrices(base, t, unit, b, device)) add(*s);
    }
  }
  for (const RowTile& t : kRowTiles) {
    if (const auto s = one_row(base, t, b, device.limits)) add(*s);
  }
  for (const Tile& t : kTiles) {
    if (fits(t, device.limits)) add(with_tile(base, t));
  }
  return shapes;
}

std::string MatmulShape::key() const {
  std::string text = unit != 0 ? fmt::format("matrix {} {} {} {} {} {} {} {} {}", unit, bm, bn, wm, wn, lanes, whole_k,
                                             inside_m, inside_n)
                               : fmt::format("matmul {} {} {} {} {}", ty, tx, rm, rn, one_row);
  text += fmt::format(" {} {} {} {}", depth, quads_a, quads_b, quads_c);
  if (slices > 1) text += fmt::format(" by {}", slices);
  if (pipeline_depth > 1) text += fmt::format(" pipeline {}", pipeline_depth);
  if (transpose_b) text += " transpose_b";
  if (half) text += " half";
  if (rolled) text += " rolled";
  if (im2col) text += fmt::format(" {} {} {}", along_k_a, along_k_b, narrow);
  if (chunked) text += " chunked";
  return text;
}

}  // namespace tessera::codegen
