// Orders the steps of a kernel and allocates registers for their results.
#include "runtime/cpu/program.h"

#include <algorithm>

#include "base/ints.h"
#include "runtime/cpu/convert.h"

namespace tessera::runtime::cpu {

CpuProgram::CpuProgram(const Kernel& source) : kernel(source), layout(source), label(source.label()) {
  for (const Kernel& part : kernel.parts) parts.emplace_back(part);
  for (const Index& index : kernel.indices) {
    IndexInfo& x = index_info.emplace_back();
    for (const LevelLayout& level : index.layout.levels()) x.ranks.push_back(level.rank());
  }
  for (const Instr& instr : kernel.instrs) {
    info.push_back({.type = compute_type(instr.dtype)});
    widest = std::max(widest, size_of(info.back().type));
    if (instr.kind == Instr::Kind::kReduce) reductions.push_back(static_cast<int>(info.size()) - 1);
    if (!instr.row || instr.kind == Instr::Kind::kReduce) {
      ops += instr.kind == Instr::Kind::kOp || instr.kind == Instr::Kind::kReduce;
    }
  }
  if (kernel.kind == Kernel::Kind::kGrouped || kernel.kind == Kernel::Kind::kCustom) return;
  find_uniform();
  find_memory();
  make_prologue();
  std::vector<int> rows = reductions;
  std::vector<int> elements;
  for (const Store& store : kernel.stores) {
    (store.row ? rows : elements).push_back(store.instr);
    if (store.at >= 0) elements.push_back(store.at);
  }
  whole = schedule(elements, rows, true);
  registers = whole.registers;
  if (kernel.kind == Kernel::Kind::kReduce) make_passes();
}

void CpuProgram::find_uniform() {
  for (std::size_t i = 0; i < kernel.instrs.size(); ++i) {
    const Instr& instr = kernel.instrs[i];
    const auto known = [&](int arg) { return info[as_index(arg)].uniform; };
    info[i].uniform = instr.kind == Instr::Kind::kScalar ||
                      (instr.kind == Instr::Kind::kOp && instr.row && std::ranges::all_of(instr.args, known));
  }
}

void CpuProgram::find_memory() {
  for (const Store& store : kernel.stores) {
    const auto shares = [&](const std::pair<int, int>& alias) { return alias.second == store.slot; };
    const bool free = std::ranges::none_of(kernel.aliases, shares);
    const bool element = !store.row && !kernel.instrs[as_index(store.instr)].row;
    if (element && free && is_plain(kernel.outputs[as_index(store.slot)].dtype))
      info[as_index(store.instr)].direct = store.slot;
  }
  for (std::size_t i = 0; i < kernel.instrs.size(); ++i) {
    const Instr& instr = kernel.instrs[i];
    if (instr.kind != Instr::Kind::kLoad) continue;
    const auto shares = [&](const std::pair<int, int>& alias) { return alias.first == instr.slot; };
    info[i].copies = std::ranges::any_of(kernel.aliases, shares);
  }
}

void CpuProgram::make_prologue() {
  // Only scalars that are needed per element need a register.
  std::vector<char> spread(kernel.instrs.size(), 0);
  for (const Instr& instr : kernel.instrs) {
    if (instr.row && instr.kind != Instr::Kind::kReduce) continue;
    for (const int arg : instr.args) spread[as_index(arg)] = 1;
  }
  for (const Store& store : kernel.stores) {
    if (!store.row) spread[as_index(store.instr)] = 1;
    if (store.at >= 0) spread[as_index(store.at)] = 1;
  }
  for (std::size_t i = 0; i < kernel.instrs.size(); ++i) {
    if (!info[i].uniform) continue;
    prologue.push_back({Step::Kind::kRow, static_cast<int>(i), -1});
    if (spread[i] != 0) prologue.push_back({Step::Kind::kExpand, static_cast<int>(i), kept++});
  }
}

/// The steps that compute `elements` per element and `rows` per row; without rows, row-level values are available.
Schedule CpuProgram::schedule(const std::vector<int>& elements, const std::vector<int>& rows, bool with_rows) const {
  const std::size_t count = kernel.instrs.size();
  std::vector<char> needed(count, 0);
  std::vector<char> spread(count, 0);
  for (const int i : rows) needed[as_index(i)] = 1;
  for (const int i : elements) {
    needed[as_index(i)] = 1;
    spread[as_index(i)] = kernel.instrs[as_index(i)].row;
  }
  for (std::size_t i = count; i-- > 0;) {
    const Instr& instr = kernel.instrs[i];
    if (needed[i] == 0 || info[i].uniform) continue;
    const bool reduce = instr.kind == Instr::Kind::kReduce;
    if (instr.row && !with_rows) continue;
    for (const int arg : instr.args) {
      needed[as_index(arg)] = 1;
      if ((!instr.row || reduce) && kernel.instrs[as_index(arg)].row) spread[as_index(arg)] = 1;
    }
  }
  Schedule result;
  for (std::size_t i = 0; i < count; ++i) {
    const Instr& instr = kernel.instrs[i];
    if (needed[i] == 0 || info[i].uniform) continue;
    if (!instr.row) result.steps.push_back({Step::Kind::kElement, static_cast<int>(i), -1});
    if (instr.row && with_rows) result.steps.push_back({Step::Kind::kRow, static_cast<int>(i), -1});
    if (spread[i] != 0) result.steps.push_back({Step::Kind::kExpand, static_cast<int>(i), -1});
  }
  // The last step that reads each value; results are read after all steps.
  const std::size_t end = result.steps.size();
  std::vector<std::size_t> last(count, 0);
  for (std::size_t s = 0; s < end; ++s) {
    const Step& step = result.steps[s];
    if (step.kind == Step::Kind::kExpand) continue;
    for (const int arg : kernel.instrs[as_index(step.instr)].args) last[as_index(arg)] = s;
  }
  for (const int i : elements) last[as_index(i)] = end;
  std::vector<int> unused;
  std::vector<int> reg_of(count, -1);
  result.registers = kept;
  for (std::size_t s = 0; s < end; ++s) {
    Step& step = result.steps[s];
    if (step.kind != Step::Kind::kRow) {
      if (unused.empty()) unused.push_back(result.registers++);
      step.reg = unused.back();
      unused.pop_back();
      reg_of[as_index(step.instr)] = step.reg;
    }
    if (step.kind == Step::Kind::kExpand) continue;
    // After its own register is allocated, so that a step never overwrites its operands.
    for (const int arg : kernel.instrs[as_index(step.instr)].args) {
      if (last[as_index(arg)] == s && reg_of[as_index(arg)] >= 0) {
        unused.push_back(reg_of[as_index(arg)]);
        reg_of[as_index(arg)] = -1;
      }
    }
  }
  return result;
}

void CpuProgram::make_passes() {
  const std::size_t count = kernel.instrs.size();
  // known[i]: passes that must be complete before the value can be computed; for reductions, before its result is
  // available.
  std::vector<int> known(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Instr& instr = kernel.instrs[i];
    for (const int arg : instr.args) known[i] = std::max(known[i], known[as_index(arg)]);
    if (instr.kind == Instr::Kind::kReduce) ++known[i];
  }
  int total = 0;
  for (const int i : reductions) total = std::max(total, known[as_index(i)]);
  std::vector<int> stored;
  for (const Store& store : kernel.stores) {
    if (store.row) continue;
    stored.push_back(store.instr);
    total = std::max(total, known[as_index(store.instr)] + 1);
  }
  const auto rows_at = [&](int when) {
    std::vector<int> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const Instr& instr = kernel.instrs[i];
      const bool plain = instr.row && !info[i].uniform && instr.kind != Instr::Kind::kReduce;
      if (plain && known[i] == when) rows.push_back(static_cast<int>(i));
    }
    return rows;
  };
  row_prologue = rows_at(0);
  for (int p = 0; p < total; ++p) {
    Pass pass;
    std::vector<int> elements;
    for (const int i : reductions) {
      if (known[as_index(i)] != p + 1) continue;
      pass.reductions.push_back(i);
      elements.push_back(kernel.instrs[as_index(i)].args[0]);
    }
    // Stores are in the last pass: a buffer shared with an input is read by all earlier passes.
    pass.stores = p + 1 == total && !stored.empty();
    if (pass.stores) elements.insert(elements.end(), stored.begin(), stored.end());
    pass.elements = schedule(elements, {}, false);
    pass.row_steps = rows_at(p + 1);
    registers = std::max(registers, pass.elements.registers);
    passes.push_back(std::move(pass));
  }
}

}  // namespace tessera::runtime::cpu
