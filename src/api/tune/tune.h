// Measuring matmuls and convolutions, with a hook for tests.
#pragma once

#include "runtime/tuning/tuner.h"
#include "tessera/tune.h"

namespace tessera {

/// The same with a function that modifies programs before they are compiled.
TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes, const runtime::Tuner::Change& change);
TuneResult tune_conv2d(const Device& device, const ConvSizes& sizes, const runtime::Tuner::Change& change);

}  // namespace tessera
