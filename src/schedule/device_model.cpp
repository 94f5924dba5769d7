// Figures of devices by their type.
#include "schedule/device_model.h"

#include <algorithm>

namespace tessera::schedule {

namespace {

/// Square matrices of 8 or 16 with subgroups of one size.
std::uint32_t matrix_size_of(const DeviceInfo& info) {
  const bool fixed = info.limits.subgroup_min == info.limits.subgroup_max;
  if (!info.features.f16 || !info.features.subgroups || !fixed) return 0;
  std::uint32_t size = 0;
  for (const MatrixConfig& c : info.matrices) {
    const bool square = c.m == c.n && c.m == c.k && (c.m == 8 || c.m == 16);
    if (square && c.input == DType::kF16 && c.result == DType::kF32) size = std::max(size, c.m);
  }
  return size;
}

}  // namespace

DeviceModel::DeviceModel(const DeviceInfo& info)
    : gpu(info.type != DeviceType::kCpu),
      tensor_cores(!info.matrices.empty()),
      matrix_size(matrix_size_of(info)),
      packed_dots(gpu && info.features.subgroups && (info.backend == "Vulkan" || info.backend == "D3D12")) {
  constexpr std::int64_t kTile = 128 * 128;  // results of the largest tile
  invocations = 262144;
  small_map = 16384;
  recompute_cost = gpu ? 64 : 4;
  few_rows = 256;
  long_row = 16384;
  stage_cols = 4096;
  conv_weight_tiles = 256;  // one figure for all small devices, whose results depend on the split
  switch (info.type) {
    case DeviceType::kDiscreteGpu:
      // From 192 tiles on, large tiles win. Below, sharing a dispatch pays: q, k and v of 4096 columns took 50 instead
      // of 71 us with 128 rows and 102 instead of 168 us with 512.
      workgroups = 256;
      filling_results = 192 * kTile;
      conv_weight_tiles = 2048;  // 256 are two rounds of large tiles, the second almost empty
      // 21 instead of 29 us for q, k and v of 16 rows, each by itself.
      ungrouped_rows = tensor_cores ? 64 : 0;
      break;
    case DeviceType::kIntegratedGpu:
      workgroups = 32;
      relative_size = 8;
      filling_results = 24 * kTile;
      break;
    case DeviceType::kSoftware:
      workgroups = 8;
      relative_size = 8;
      filling_results = 8 * kTile;
      break;
    case DeviceType::kCpu:
    case DeviceType::kNull:
      workgroups = 8;
      filling_results = 8 * kTile;
      break;
  }
}

}  // namespace tessera::schedule
