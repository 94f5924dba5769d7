// What a kernel moves and computes, by its sizes: for the profiler.
#pragma once

#include "runtime/device.h"

namespace tessera::runtime {

/// The label, bytes and floating-point operations of a dispatch, without its time.
KernelTime describe(const Dispatch& dispatch);

}  // namespace tessera::runtime
