// A kernel made ready for the CPU: the order of its steps, their registers, and the passes over long rows.
#pragma once

#include <string>
#include <vector>

#include "base/compute.h"
#include "schedule/kernel.h"

namespace tessera::runtime::cpu {

/// One thing to do on a tile of the loop nest.
struct Step {
  enum class Kind : std::uint8_t {
    kElement,  // compute the instr for each element
    kRow,      // compute the instr for each row
    kExpand,   // repeat the row's value along its columns
  };
  Kind kind = Kind::kElement;
  int instr = -1;
  int reg = -1;  // where an element-level result goes, unless it can stay in memory
};

struct Schedule {
  std::vector<Step> steps;
  int registers = 0;
};

/// One walk along a row that is too long to keep: the reductions whose arguments are known by then.
struct Pass {
  Schedule elements;
  std::vector<int> reductions;  // instrs
  std::vector<int> row_steps;   // row-level instrs that are known after it
  bool stores = false;          // it writes the element-level results
};

struct Program {
  explicit Program(const Kernel& source);

  struct InstrInfo {
    Compute type = Compute::kF32;
    bool uniform = false;  // one value for the whole run
    int direct = -1;       // output slot whose memory can take the result without a copy
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
  std::vector<Step> prologue;     // uniform values, computed once a run and kept in the first registers
  int kept = 0;                   // registers that the prologue fills
  Schedule whole;                 // everything, for tiles that hold whole rows
  std::vector<int> row_prologue;  // long rows: row-level instrs known before the first pass
  std::vector<Pass> passes;       // long rows
  std::vector<Program> parts;     // kBatch
  std::size_t widest = 8;         // bytes of the largest value
  int registers = 0;              // the most that any schedule needs, kept ones included
  std::vector<int> reductions;    // instrs, in order
  int ops = 0;                    // arithmetic steps for each element, for the profiler

 private:
  void find_uniform();
  void find_memory();
  void make_prologue();
  void make_passes();
  [[nodiscard]] Schedule schedule(const std::vector<int>& elements, const std::vector<int>& rows, bool with_rows) const;
};

}  // namespace tessera::runtime::cpu
