// Writes the body of one kernel: the steps that its nodes take at each index.
#pragma once

#include <span>
#include <vector>

#include "schedule/fuse/guards.h"
#include "schedule/kernel.h"

namespace tessera::schedule {

struct EmitRequest {
  const Graph& graph;
  Kernel::Kind kind;
  int domain;
  std::span<const int> inside;                    // nodes that are computed in this kernel, ascending
  std::vector<int> stored;                        // nodes that it writes
  const std::vector<char>& row;                   // by node: one value a row
  std::vector<Guard>& guards;                     // what the body takes for granted is added here
  const std::vector<char>* grouped = nullptr;     // by node: computed in some kernel (in memory for the others)
  const std::vector<char>* recomputed = nullptr;  // by node: computed again by other kernels than its own
  bool operand = false;  // a map that gives the elements of a matmul's operand: it knows rows and columns
};

Kernel emit(const EmitRequest& request);

}  // namespace tessera::schedule
