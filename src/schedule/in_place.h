// Which results are written into the memory of an input or of another result, and which nodes share memory then.
#pragma once

#include <vector>

#include "schedule/plan.h"

namespace tessera::schedule {

/// Updates (Store::at) write into the memory of what they update where nothing needs it afterwards: a donated input, or
/// a result that no later kernel reads. Otherwise a kernel that copies it is put in front.
void place_updates(Plan& plan, const Graph& graph, const std::vector<int>& donated);

/// Maps and epilogues of matmuls write results at the elements of a donated input that they are the last to read.
void place_donated(Plan& plan, const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device);

/// The last kernel that reads each node, or a range of its memory; -1: none.
std::vector<int> last_readers(const Plan& plan, const Graph& graph);

/// For each node: the first of the nodes that have their values in the same memory, one after the other, or as
/// ranges.
std::vector<int> shared_memory(const Plan& plan, const Graph& graph);

}  // namespace tessera::schedule
