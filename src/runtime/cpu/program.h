// A kernel compiled for the CPU: the order of its steps, their registers, and the passes over long rows.
#pragma once

#include <string>
#include <vector>

#include "base/compute.h"
#include "schedule/kernel.h"

namespace tessera::runtime::cpu {

/// One step on a tile of the loop nest.
struct Step {
  enum class Kind : std::uint8_t {
    kElement,  // compute the instr for each element
    kRow,      // compute the instr for each row
    kExpand,   // repeat the row's value along its columns
  };
  Kind kind = Kind::kElement;
  int instr = -1;
  int reg = -1;  // register of an element-level result, unless it can stay in memory
};

struct Schedule {
  std::vector<Step> steps;
  int registers = 0;
};

/// One pass over a long row: the reductions whose arguments are available by then.
struct Pass {
  Schedule elements;
  std::vector<int> reductions;  // instrs
  std::vector<int> row_steps;   // row-level instrs that are available after it
  bool stores = false;          // it stores the element-level results
};

struct CpuProgram {
  explicit CpuProgram(const Kernel& source);

  struct InstrInfo {
    Compute type = Compute::kF32;
    bool uniform = false;  // one value for the whole run
    int direct = -1;       // output slot whose memory receives the result without a copy
    bool copies = false;   // a load whose memory a store of the same tile may overwrite
  };
  struct IndexInfo {
    std::vector<int> ranks;  // kView: dims of each level
  };

  Kernel kernel;
  ParamLayout layout;
  std::string label;
  std::vector<InstrInfo> info;
  std::vector<IndexInfo> index_info;
  std::vector<Step> prologue;     // uniform values, computed once per run and kept in the first registers
  int kept = 0;                   // registers that the prologue fills
  Schedule whole;                 // all steps, for tiles of whole rows
  std::vector<int> row_prologue;  // long rows: row-level instrs available before the first pass
  std::vector<Pass> passes;       // long rows
  std::vector<CpuProgram> parts;  // kGrouped
  std::size_t widest = 8;         // bytes of the largest value
  int registers = 0;              // the most of any schedule, including the kept ones
  std::vector<int> reductions;    // instrs, in order
  int ops = 0;                    // arithmetic steps per element, for the profiler

 private:
  void find_uniform();
  void find_memory();
  void make_prologue();
  void make_passes();
  [[nodiscard]] Schedule schedule(const std::vector<int>& elements, const std::vector<int>& rows, bool with_rows) const;
};

}  // namespace tessera::runtime::cpu
