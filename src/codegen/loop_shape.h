// The choices of map and reduction programs that depend on sizes.
#pragma once

#include <cstdint>

#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::codegen {

/// Elements that one invocation of a map computes.
inline constexpr std::uint32_t kQuad = 4;

/// The choices of a map. With `tiled` >= 0, a workgroup covers squares of rows and columns of that index's view, so
/// that both the strided loads and the stores are coalesced.
struct MapShape {
  std::uint32_t workgroup = 256;
  int tiled = -1;
  bool chunked = false;
  std::uint64_t whole = 0;  // a bit for each index: the elements of a quad are a quad of the buffer, as those of a row
                            // that is broadcast to others
  std::uint64_t joint = 0;  // a bit for each view whose last dim has the size of that of the lowest one: one division
                            // serves them
};
inline constexpr std::uint32_t kTileRows = 32;
MapShape map_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);
/// Workgroups of a map for the binding's elements.
std::uint64_t map_groups(const Kernel& kernel, const MapShape& shape, const Binding& binding);

/// The choices of a reduction: how many invocations share a row, and whether the row stays in registers.
struct ReduceShape {
  std::uint32_t workgroup = 256;
  std::uint32_t lanes = 256;  // invocations per row; a power of two
  std::uint32_t units = 0;    // quads or elements kept in registers by an invocation; 0: it loops and loads again
  bool quads = false;         // columns come in whole quads
  bool subgroups = false;     // lanes are combined by subgroup operations
  bool chunked = false;
};
ReduceShape reduce_shape(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);

}  // namespace tessera::codegen
