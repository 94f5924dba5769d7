// Reductions: tiles of whole rows, or long rows piece by piece in passes.
#include <algorithm>
#include <cstring>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "runtime/cpu/execute.h"
#include "runtime/cpu/reduce_block.h"

namespace tessera::runtime::cpu {

namespace {

constexpr std::int64_t kGrain = 16384;  // elements per range of another thread

void run_whole_rows(const Run& run) {
  const std::int64_t cols = std::max<std::int64_t>(run.cols, 1);
  const std::int64_t tile_rows = std::clamp<std::int64_t>(kBlock / cols, 1, run.rows);
  const std::int64_t grain = std::max<std::int64_t>(kGrain / cols / tile_rows, 1) * tile_rows;
  ThreadPool::global().parallel_for(run.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, tile_rows * cols, tile_rows);
    for (std::int64_t row = begin; row < end; row += tile_rows) {
      const std::int64_t rows = std::min(tile_rows, end - row);
      const Tile tile{.row = static_cast<std::uint32_t>(row),
                      .rows = static_cast<std::uint32_t>(rows),
                      .cols = static_cast<std::uint32_t>(run.cols)};
      machine.eval(run.program->whole, tile, true);
      machine.store_elements();
      machine.store_rows();
    }
  });
}

// How long rows are processed: so many rows and columns at a time.
struct Walk {
  std::int64_t rows = 1;
  std::int64_t cols = kRowPiece;
};

// One piece of one pass over the rows of `tile`: its reductions' results go to walk.rows partials each.
void run_piece(const Run& run, const Walk& walk, const Pass& pass, Machine& machine, Tile tile, std::int64_t piece,
               Partial* partials) {
  const CpuProgram& program = *run.program;
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
    const Instr& instr = program.kernel.instrs[as_index(pass.reductions[k])];
    std::fill_n(partials + k * as_index(walk.rows), tile.rows, identity(instr.op, instr.dtype));
  }
  const std::int64_t end = std::min((piece + 1) * kRowPiece, run.cols);
  for (std::int64_t col = piece * kRowPiece; col < end; col += walk.cols) {
    tile.col = static_cast<std::uint32_t>(col);
    tile.cols = static_cast<std::uint32_t>(std::min(walk.cols, end - col));
    machine.eval(pass.elements, tile, pass.stores);
    for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
      machine.fold_rows(pass.reductions[k], partials + k * as_index(walk.rows));
    }
    if (pass.stores) machine.store_elements();
  }
}

void merge_piece(const Walk& walk, const Pass& pass, const Machine& machine, std::int64_t piece, std::uint32_t rows,
                 Partial* total, const Partial* next) {
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = k * as_index(walk.rows) + r;
      if (piece == 0) {
        total[at] = next[at];
      } else {
        machine.merge_row(pass.reductions[k], total[at], next[at]);
      }
    }
  }
}

// After a pass: its results, and the row-level values that depend on them.
void end_pass(const Walk& walk, const Pass& pass, Machine& machine, const Tile& tile, const Partial* total) {
  machine.set_tile(tile);
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
    machine.finish_rows(pass.reductions[k], total + k * as_index(walk.rows));
  }
  for (const int instr : pass.row_steps) machine.eval_row(instr, tile);
}

Tile rows_from(const Walk& walk, std::int64_t row, std::int64_t end) {
  return {.row = static_cast<std::uint32_t>(row), .rows = static_cast<std::uint32_t>(std::min(walk.rows, end - row))};
}

std::int64_t pieces_of(const Run& run) { return ceil_div(run.cols, kRowPiece); }

// Many rows: each thread processes its own.
void run_rows(const Run& run, const Walk& walk) {
  const CpuProgram& program = *run.program;
  const std::int64_t pieces = pieces_of(run);
  ThreadPool::global().parallel_for(run.rows, walk.rows, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, walk.rows * walk.cols, walk.rows);
    static thread_local std::vector<Partial> partials;
    const std::size_t count = program.reductions.size() * as_index(walk.rows);
    partials.resize(std::max(partials.size(), 2 * count));
    Partial* const total = partials.data();
    Partial* const part = total + count;
    for (std::int64_t row = begin; row < end; row += walk.rows) {
      const Tile tile = rows_from(walk, row, end);
      for (const int instr : program.row_prologue) machine.eval_row(instr, tile);
      for (const Pass& pass : program.passes) {
        for (std::int64_t p = 0; p < pieces; ++p) {
          run_piece(run, walk, pass, machine, tile, p, part);
          merge_piece(walk, pass, machine, p, tile.rows, total, part);
        }
        end_pass(walk, pass, machine, tile, total);
      }
      machine.set_tile(tile);
      machine.store_rows();
    }
  });
}

// Few rows: the threads share their pieces. The pieces and the order of folding are fixed.
void run_pieces(const Run& run, const Walk& walk) {
  const CpuProgram& program = *run.program;
  const std::int64_t pieces = pieces_of(run);
  const std::size_t count = program.reductions.size() * as_index(walk.rows);
  const std::size_t instrs = program.kernel.instrs.size();
  const std::size_t row_bytes = as_index(walk.rows) * 8;
  static thread_local std::vector<Partial> partials;
  static thread_local std::vector<std::byte> known;  // the row-level values, for the other threads
  partials.resize(std::max(partials.size(), (as_index(pieces) + 1) * count));
  known.resize(std::max(known.size(), instrs * row_bytes));
  Partial* const total = partials.data();
  std::byte* const values = known.data();
  const auto learn = [&](Machine& machine) {
    for (std::size_t i = 0; i < instrs; ++i) {
      if (!program.info[i].uniform) {
        std::memcpy(machine.row_values(static_cast<int>(i)), values + i * row_bytes, row_bytes);
      }
    }
  };
  for (std::int64_t row = 0; row < run.rows; row += walk.rows) {
    const Tile tile = rows_from(walk, row, run.rows);
    Machine& mine = Machine::mine();
    mine.begin(run, walk.rows * walk.cols, walk.rows);
    for (const int instr : program.row_prologue) mine.eval_row(instr, tile);
    for (const Pass& pass : program.passes) {
      for (std::size_t i = 0; i < instrs; ++i) {
        std::memcpy(values + i * row_bytes, mine.row_values(static_cast<int>(i)), row_bytes);
      }
      const std::int64_t grain = std::max<std::int64_t>(1, 4 / walk.rows);
      ThreadPool::global().parallel_for(pieces, grain, [&](std::int64_t begin, std::int64_t end) {
        Machine& machine = Machine::mine();
        machine.begin(run, walk.rows * walk.cols, walk.rows);
        learn(machine);
        for (std::int64_t p = begin; p < end; ++p) {
          run_piece(run, walk, pass, machine, tile, p, total + (as_index(p) + 1) * count);
        }
      });
      for (std::int64_t p = 0; p < pieces; ++p) {
        merge_piece(walk, pass, mine, p, tile.rows, total, total + (as_index(p) + 1) * count);
      }
      learn(mine);
      end_pass(walk, pass, mine, tile, total);
    }
    mine.set_tile(tile);
    mine.store_rows();
  }
}

}  // namespace

void run_reduce(const Run& run) {
  if (run.rows == 0) return;
  const bool square = run.cols > kSquare && run.rows > 1 && crosswise(run) == run.cols;
  if (!square && run.cols <= kLongRow) return run_whole_rows(run);
  const Walk walk = square ? Walk{kSquare, kSquare} : Walk{};
  if (run.rows >= walk.rows * ThreadPool::global().threads() || pieces_of(run) == 1) {
    run_rows(run, walk);
  } else {
    run_pieces(run, walk);
  }
}

}  // namespace tessera::runtime::cpu
