// What is known of a device, and what follows from it: the one place that states how large a GPU is.
#pragma once

#include <cstdint>

#include "tessera/device_info.h"

namespace tessera::schedule {

/// WebGPU does not report the number of compute units, so sizes follow from the adapter type. The figures of large GPUs
/// were measured on an H200; those of the others are orders of magnitude. Made from DeviceInfo in a few instructions.
struct DeviceModel {
  explicit DeviceModel(const DeviceInfo& info);

  bool gpu = false;              // work is split to fill it; the CPU backend has threads of its own
  bool tensor_cores = false;     // cooperative matrices of some dtype
  std::int64_t workgroups = 0;   // of 256 invocations that run at once
  std::int64_t invocations = 0;  // that hide the latency of memory; fewer leave the device idle
  std::int64_t relative_size =
      1;  // how many times smaller than a large GPU: results that fill it, tiles worth splitting
  std::int64_t filling_results = 0;  // of a matmul that fills the device by itself: below it, grouped GEMMs pay
  std::int64_t small_map = 0;        // elements of a map that costs less than its dispatch
  /// Of an element, in units of an add: what a kernel computes again instead of reading it from memory.
  int recompute_cost = 0;
  /// Rows below which, and columns above which, one workgroup per row leaves the device idle; and the columns that one
  /// row of the first of two stages reduces.
  std::int64_t few_rows = 0, long_row = 0, stage_cols = 0;
  /// Tiles of 64 x 64 of a convolution's weight gradient up to which its batch is split (split-K).
  std::int64_t conv_weight_tiles = 0;
  /// f16 matmuls with at most this many rows are not grouped: a program for one matmul has a deeper pipeline. 0: all
  /// are.
  std::int64_t ungrouped_rows = 0;
  /// The edge of square cooperative matrices, f16 in and f32 accumulate, that kernels can use; 0: none.
  std::uint32_t matrix_size = 0;
  /// dot4I8Packed is an instruction: GPUs behind Vulkan and D3D12 that have subgroups.
  bool packed_dots = false;
};

}  // namespace tessera::schedule
