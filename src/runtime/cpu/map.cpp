// Maps: tiles of one long row, shared out over the threads.
#include <algorithm>

#include "base/thread_pool.h"
#include "runtime/cpu/execute.h"

namespace tessera::runtime::cpu {

void run_map(const Run& run) {
  const Program& program = *run.program;
  // Enough work in a range to pay for handing it out: less of it where each element takes more.
  const std::int64_t grain = std::max<std::int64_t>(4, 32 / (1 + program.ops / 4)) * kBlock;
  ThreadPool::global().parallel_for(run.cols, grain, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, std::min(kBlock, end - begin), 1);
    for (std::int64_t at = begin; at < end; at += kBlock) {
      const std::int64_t n = std::min(kBlock, end - at);
      machine.eval(program.whole, {.col = static_cast<std::uint32_t>(at), .cols = static_cast<std::uint32_t>(n)}, true);
      machine.store_elements();
    }
  });
}

}  // namespace tessera::runtime::cpu
