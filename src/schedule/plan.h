// Kernels in order with the lives of their buffers, and the key under which a plan is found again.
#pragma once

#include <string>
#include <vector>

#include "schedule/fuse/guards.h"
#include "schedule/kernel.h"
#include "tessera/device_info.h"

namespace tessera::schedule {

struct Plan {
  std::string key;
  std::vector<Guard> guards;
  std::vector<Kernel> kernels;
  /// For each kernel: nodes whose buffers nobody needs after it (intermediates only).
  std::vector<std::vector<int>> last_use;
  int id = 0;  // for people and for statistics

  [[nodiscard]] bool serves(const Graph& graph) const;
};

/// All that a plan depends on but sizes, strides, offsets and scalars. `graph` has been simplified; `donated` are
/// positions of inputs whose buffers an output may take over.
std::string plan_key(const Graph& graph, const std::vector<int>& donated);

Plan make_plan(const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device);

}  // namespace tessera::schedule
