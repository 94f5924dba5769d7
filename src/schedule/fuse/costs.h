// What ops cost where fusion weighs computing again against a trip through memory.
#pragma once

#include "graph/op.h"

namespace tessera::schedule {

/// What one element of an op costs, in additions or so; 0 for what computes nothing.
int cost_of(Op op);

}  // namespace tessera::schedule
