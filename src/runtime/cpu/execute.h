// Runs one compiled kernel over the thread pool.
#pragma once

#include "runtime/cpu/machine.h"

namespace tessera::runtime::cpu {

/// The words of `run.params` are the program's own; buffers are in the order of its slots.
void run_map(const Run& run);
void run_reduce(const Run& run);
void run_matmul(const Run& run);

}  // namespace tessera::runtime::cpu
