// Maps: tiles of one long row, divided among the threads.
#include <algorithm>

#include "base/thread_pool.h"
#include "runtime/cpu/execute.h"

namespace tessera::runtime::cpu {

namespace {

// A transpose: the nest as rows of the strided axis's length, in square tiles.
void run_squares(const Run& flat, std::int64_t length) {
  Run run = flat;
  run.rows = flat.cols / length;
  run.cols = length;
  ThreadPool::global().parallel_for(run.rows, kSquare, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, kSquare * kSquare, kSquare);
    for (std::int64_t row = begin; row < end; row += kSquare) {
      for (std::int64_t col = 0; col < run.cols; col += kSquare) {
        const Tile tile{.row = static_cast<std::uint32_t>(row),
                        .rows = static_cast<std::uint32_t>(std::min(kSquare, end - row)),
                        .col = static_cast<std::uint32_t>(col),
                        .cols = static_cast<std::uint32_t>(std::min(kSquare, run.cols - col))};
        machine.eval(run.program->whole, tile, true);
        machine.store_elements();
      }
    }
  });
}

}  // namespace

void run_map(const Run& run) {
  const CpuProgram& program = *run.program;
  if (run.cols >= kSquare * kSquare) {
    const std::int64_t length = crosswise(run);
    if (length >= 8 && run.cols % length == 0) return run_squares(run, length);
  }
  // Enough work per range to amortize its scheduling: fewer elements if each takes more steps.
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
