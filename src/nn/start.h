// Starts evaluations in eager mode.
#pragma once

#include <algorithm>
#include <vector>

#include "tessera/tensor.h"
#include "tessera/tracing.h"

namespace tessera::nn {

/// Starts computing the tensors in one submission, unless they are part of a graph that is being recorded. Without it,
/// the graph of a loop that reads only its loss would grow with each step.
inline void start_unless_recorded(const std::vector<Tensor>& tensors) {
  if (is_tracing() || std::ranges::any_of(tensors, [](const Tensor& t) { return t.is_tracked(); })) return;
  eval(tensors);
}

}  // namespace tessera::nn
