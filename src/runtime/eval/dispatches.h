// From kernels of a plan to dispatches of a submission.
#pragma once

#include <deque>
#include <vector>

#include "graph/graph.h"
#include "runtime/device.h"

namespace tessera::runtime {

/// A buffer of a dispatch, and which of the kernel's buffers it is.
struct BufferSlot {
  std::size_t dispatch;
  std::size_t buffer;
  std::size_t of_kernel;
};

/// Adds the dispatches of `kernel`, one unless it is split into chunks, and returns where its buffers go.
std::vector<BufferSlot> add_kernel(Submission& s, Device& device, const Kernel& kernel, const Graph& graph,
                                   std::deque<Binding>& bindings);

/// Error of kind value if a dispatch binds parts of one buffer for reading and for writing, or writes to overlapping
/// parts: WebGPU allows neither.
void check_bindings(const Submission& submission);

}  // namespace tessera::runtime
