// Reductions: tiles of whole rows, or long rows piece by piece in passes.
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "runtime/cpu/execute.h"
#include "runtime/cpu/reduce_block.h"

namespace tessera::runtime::cpu {

namespace {

constexpr std::int64_t kGrain = 16384;  // elements worth handing to another thread

std::size_t u(std::int64_t i) { return static_cast<std::size_t>(i); }

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

Tile piece_of(const Run& run, std::int64_t row, std::int64_t piece) {
  const std::int64_t col = piece * kRowPiece;
  return {.row = static_cast<std::uint32_t>(row),
          .col = static_cast<std::uint32_t>(col),
          .cols = static_cast<std::uint32_t>(std::min(kRowPiece, run.cols - col))};
}

// One piece of one pass: the results go to one partial for each of the pass's reductions.
void run_piece(const Pass& pass, Machine& machine, const Tile& tile, Partial* partials) {
  machine.eval(pass.elements, tile, pass.stores);
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) machine.fold_rows(pass.reductions[k], &partials[k]);
  if (pass.stores) machine.store_elements();
}

void start(const Program& program, const Pass& pass, Partial* partials) {
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
    const Instr& instr = program.kernel.instrs[u(pass.reductions[k])];
    partials[k] = identity(instr.op, instr.dtype);
  }
}

// After a pass: its results, and what follows from them for the row.
void end_pass(const Pass& pass, Machine& machine, const Tile& row, const Partial* partials) {
  for (std::size_t k = 0; k < pass.reductions.size(); ++k) machine.finish_row(pass.reductions[k], partials[k]);
  for (const int instr : pass.row_steps) machine.eval_row(instr, row);
}

// Many long rows: each thread walks its own.
void run_rows(const Run& run) {
  const Program& program = *run.program;
  const std::int64_t pieces = (run.cols + kRowPiece - 1) / kRowPiece;
  ThreadPool::global().parallel_for(run.rows, 1, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, kRowPiece, 1);
    static thread_local std::vector<Partial> partials;
    partials.resize(std::max<std::size_t>(partials.size(), program.reductions.size()));
    for (std::int64_t r = begin; r < end; ++r) {
      const Tile row{.row = static_cast<std::uint32_t>(r)};
      for (const int instr : program.row_prologue) machine.eval_row(instr, row);
      for (const Pass& pass : program.passes) {
        start(program, pass, partials.data());
        for (std::int64_t p = 0; p < pieces; ++p) run_piece(pass, machine, piece_of(run, r, p), partials.data());
        end_pass(pass, machine, row, partials.data());
      }
      machine.set_tile(row);
      machine.store_rows();
    }
  });
}

// A few long rows: the threads share each row. The pieces and the order in which they are folded stay the same.
void run_pieces(const Run& run) {
  const Program& program = *run.program;
  const std::int64_t pieces = (run.cols + kRowPiece - 1) / kRowPiece;
  const std::size_t count = program.reductions.size();
  static thread_local std::vector<Partial> partials;
  static thread_local std::vector<std::byte> known;  // the row-level values, for the other threads
  const std::size_t instrs = program.kernel.instrs.size();
  partials.resize(std::max(partials.size(), (u(pieces) + 1) * count));
  known.resize(std::max(known.size(), instrs * 8));
  Partial* const all = partials.data();
  std::byte* const values = known.data();
  for (std::int64_t r = 0; r < run.rows; ++r) {
    const Tile row{.row = static_cast<std::uint32_t>(r)};
    Machine& mine = Machine::mine();
    const auto publish = [&] {
      for (std::size_t i = 0; i < instrs; ++i) std::memcpy(values + i * 8, mine.row_values(static_cast<int>(i)), 8);
    };
    const auto learn = [&](Machine& machine) {
      for (std::size_t i = 0; i < instrs; ++i) {
        if (!program.info[i].uniform) std::memcpy(machine.row_values(static_cast<int>(i)), values + i * 8, 8);
      }
    };
    mine.begin(run, kRowPiece, 1);
    for (const int instr : program.row_prologue) mine.eval_row(instr, row);
    for (const Pass& pass : program.passes) {
      publish();
      ThreadPool::global().parallel_for(pieces, 4, [&](std::int64_t begin, std::int64_t end) {
        Machine& machine = Machine::mine();
        machine.begin(run, kRowPiece, 1);
        learn(machine);
        for (std::int64_t p = begin; p < end; ++p) {
          Partial* piece = all + u(p) * count;
          start(program, pass, piece);
          run_piece(pass, machine, piece_of(run, r, p), piece);
        }
      });
      Partial* total = all + u(pieces) * count;
      start(program, pass, total);
      for (std::int64_t p = 0; p < pieces; ++p) {
        for (std::size_t k = 0; k < pass.reductions.size(); ++k) {
          mine.merge_row(pass.reductions[k], total[k], all[u(p) * count + k]);
        }
      }
      learn(mine);
      end_pass(pass, mine, row, total);
    }
    mine.set_tile(row);
    mine.store_rows();
  }
}

}  // namespace

void run_reduce(const Run& run) {
  if (run.rows == 0) return;
  if (run.cols <= kLongRow) return run_whole_rows(run);
  if (run.rows >= ThreadPool::global().threads()) return run_rows(run);
  run_pieces(run);
}

}  // namespace tessera::runtime::cpu
