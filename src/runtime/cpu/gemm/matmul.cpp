// Matmul kernels: one GEMM for each matrix of the batch, then the epilogue.
#include <algorithm>
#include <vector>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "runtime/cpu/convert.h"
#include "runtime/cpu/execute.h"
#include "runtime/cpu/gemm/gemm.h"

namespace tessera::runtime::cpu {

namespace {

// A batch's matrix. Offsets are modulo 2^32, as all index arithmetic; steps inside a matrix may be negative.
Matrix matrix_of(const Run& run, const Operand& operand, int which, std::uint32_t batch) {
  const std::uint32_t* words = run.params + run.program->layout.operand_at[which];
  const int axes = operand.layout.strided().batch_axes;
  std::uint32_t offset = words[2 * axes + 2];
  for (int axis = axes - 1; axis >= 0; --axis) {
    offset += batch % words[2 * axis] * words[2 * axis + 1];
    batch /= words[2 * axis];
  }
  const DType dtype = run.program->kernel.inputs[as_index(operand.slot)].dtype;
  return {.data = run.inputs[operand.slot] + std::size_t{offset} * tessera::size_of(dtype),
          .dtype = dtype,
          .row_stride = static_cast<std::int32_t>(words[2 * axes]),
          .col_stride = static_cast<std::int32_t>(words[2 * axes + 1])};
}

// The epilogue on `rows` rows of the result.
void run_epilogue(const Run& run, std::int64_t first_row, std::int64_t rows, const std::byte* result,
                  std::size_t size) {
  const CpuProgram& program = *run.program;
  const std::int64_t tile_rows = std::clamp<std::int64_t>(kBlock / run.cols, 1, rows);
  const std::int64_t tile_cols = std::min(kBlock, run.cols);
  const std::int64_t grain = std::max<std::int64_t>(16 * kBlock / (tile_rows * run.cols), 1) * tile_rows;
  ThreadPool::global().parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    Machine& machine = Machine::mine();
    machine.begin(run, tile_rows * tile_cols, tile_rows);
    for (std::int64_t row = begin; row < end; row += tile_rows) {
      const std::int64_t count = std::min(tile_rows, end - row);
      for (std::int64_t col = 0; col < run.cols; col += tile_cols) {
        const Tile tile{.row = static_cast<std::uint32_t>(first_row + row),
                        .rows = static_cast<std::uint32_t>(count),
                        .col = static_cast<std::uint32_t>(col),
                        .cols = static_cast<std::uint32_t>(std::min(tile_cols, run.cols - col))};
        machine.eval(program.whole, tile, true, result + as_index(row * run.cols + col) * size);
        machine.store_elements();
      }
    }
  });
}

}  // namespace

void run_matmul(const Run& run) {
  const CpuProgram& program = *run.program;
  const Kernel& kernel = program.kernel;
  const std::int64_t batches = run.params[0];
  const GemmSize size{.m = run.params[1], .n = run.params[2], .k = run.params[3]};
  if (batches * size.m * size.n == 0) return;
  const auto contract = std::ranges::find(kernel.instrs, Instr::Kind::kContract, &Instr::kind);
  if (contract == kernel.instrs.end()) return run_epilogue(run, 0, run.rows, nullptr, 0);
  const auto instr = static_cast<std::size_t>(contract - kernel.instrs.begin());
  const Compute type = program.info[instr].type;
  const std::size_t value_size = size_of(type);
  // The result goes to its output buffer, or to a temporary for the epilogue.
  const bool bare = kernel.instrs.size() == 1 && kernel.stores.size() == 1 && program.info[instr].direct >= 0;
  const std::int64_t area = size.m * size.n;
  const auto one = [&](std::int64_t batch, bool alone) {
    static thread_local std::vector<std::byte> workspace;
    std::byte* result = nullptr;
    if (bare) {
      result = run.outputs[program.info[instr].direct] + as_index(batch * area) * value_size;
    } else {
      if (workspace.size() < as_index(area) * value_size) workspace.resize(as_index(area) * value_size);
      result = workspace.data();
    }
    const Matrix a = matrix_of(run, kernel.a, 0, static_cast<std::uint32_t>(batch));
    const Matrix b = matrix_of(run, kernel.b, 1, static_cast<std::uint32_t>(batch));
    if (type == Compute::kF32) {
      (alone ? gemm : gemm_blocked)(size, a, b, reinterpret_cast<float*>(result));
    } else {
      gemm_plain(size, a, b, result);
    }
    wrap(contract->dtype, result, area);
    if (!bare) run_epilogue(run, batch * size.m, size.m, result, value_size);
    constexpr std::size_t kKept = std::size_t{64} << 20U;
    if (workspace.size() > kKept) std::vector<std::byte>().swap(workspace);
  };
  // Many small GEMMs run in parallel, one thread each; large ones run one after the other with all threads.
  const std::int64_t work = area * std::max<std::int64_t>(size.k, 1);
  const int threads = ThreadPool::global().threads();
  if (batches >= threads && work < std::int64_t{1} << 24U) {
    const std::int64_t grain = std::max<std::int64_t>(1, 65536 / work);
    ThreadPool::global().parallel_for(batches, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t batch = begin; batch < end; ++batch) one(batch, false);
    });
    return;
  }
  for (std::int64_t batch = 0; batch < batches; ++batch) one(batch, true);
}

}  // namespace tessera::runtime::cpu
