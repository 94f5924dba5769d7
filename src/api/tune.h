// Measuring a product, with a door for tests.
#pragma once

#include "runtime/tuner.h"
#include "tessera/tune.h"

namespace tessera {

/// tune_matmul() with programs that are changed on their way to the device.
TuneResult tune_matmul(const Device& device, const MatmulSizes& sizes, const runtime::Tuner::Change& change);

}  // namespace tessera
