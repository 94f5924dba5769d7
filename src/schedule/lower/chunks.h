// Cuts the loop nest of a kernel whose buffers are too large to be bound, or whose grid is too large for one dispatch,
// into chunks that each need one window of every buffer.
#pragma once

#include <vector>

#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

/// Where a window may start, in bytes: what every adapter allows.
inline constexpr std::int64_t kRangeAlign = 256;

/// Dispatches that one kernel may become: past this, bindings are far too small for the tensor.
inline constexpr std::size_t kMaxChunks = 65536;

/// Elements first..last; none where last < first.
struct Span {
  std::int64_t first = 0;
  std::int64_t last = -1;
  [[nodiscard]] bool empty() const { return last < first; }
};

/// One chunk of a loop nest.
struct Chunk {
  std::int64_t first = 0, count = 0;            // map: elements; reduce: rows; matmul: matrices
  std::int64_t m0 = 0, m1 = 0, n0 = 0, n1 = 0;  // matmul: rows and columns of one matrix
  std::vector<Span> ranges = {};                // of the inputs, then of the outputs: whole quads
};

struct Chunks {
  std::vector<Chunk> chunks;
  /// Not -1: no chunks were found, because this view (or this operand of the matmul, 0 or 1) jumps about in a buffer,
  /// because this pad is one of several that read a buffer in different places, or because a single row of this buffer
  /// (inputs, then outputs) is too long.
  int wild_view = -1;
  int wild_pad = -1;
  int wild_operand = -1;
  int wild_gather = -1;  // this gather reads anywhere
  int long_row = -1;
  bool too_many = false;  // more chunks than kMaxChunks
  [[nodiscard]] bool ok() const {
    return wild_view < 0 && wild_pad < 0 && wild_operand < 0 && wild_gather < 0 && long_row < 0 && !too_many;
  }
};

/// The largest binding in bytes; no limit on the CPU.
std::int64_t binding_limit(const DeviceInfo& device);
/// Whether the node's buffer is too large to be bound whole.
bool oversize(const Node& node, const DeviceInfo& device);
/// Columns that always fit a binding, whatever their type: longer rows are reduced in stages.
std::int64_t longest_row(const DeviceInfo& device);

/// Whether one dispatch serves the kernel as it is. A kGrouped that does not fit runs as its parts.
bool fits_whole(const Kernel& kernel, const Graph& graph, const DeviceInfo& device);
Chunks chunks_of(const Kernel& kernel, const Graph& graph, const DeviceInfo& device);
/// The numbers of one chunk, from those of the whole.
Binding bind_chunk(const Kernel& kernel, const Binding& whole, const Chunk& chunk);

}  // namespace tessera::schedule
