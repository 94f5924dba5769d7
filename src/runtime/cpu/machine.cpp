// The steps of a program on a tile: loads, elementwise ops, reductions of whole rows, stores.
#include "runtime/cpu/machine.h"

#include <algorithm>
#include <cstring>

#include "base/ints.h"
#include "base/philox.h"
#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/elementwise_cpu.h"
#include "runtime/cpu/convert.h"
#include "runtime/cpu/index.h"
#include "runtime/cpu/random.h"

namespace tessera::runtime::cpu {

namespace {

constexpr std::size_t kAlign = 64;

}  // namespace

Machine& Machine::mine() {
  static thread_local Machine machine;
  return machine;
}

void Machine::begin(const Run& run, std::int64_t elements, std::int64_t rows) {
  run_ = &run;
  program_ = run.program;
  const std::size_t instrs = program_->kernel.instrs.size();
  const std::size_t indices = program_->kernel.indices.size();
  values_.assign(instrs, nullptr);
  for (std::vector<IndexValue>& level : indices_) {
    if (level.size() < indices) level.resize(indices);
  }
  // Registers are padded, so that they do not map to the same cache lines.
  register_bytes_ = round_up(as_index(elements) * program_->widest, kAlign) + 2 * kAlign;
  row_bytes_ = round_up(as_index(rows) * program_->widest, kAlign);
  const std::size_t registers = as_index(program_->registers);
  const std::size_t total = (registers + 1) * register_bytes_ + instrs * row_bytes_ + kAlign;
  if (memory_.size() < total) memory_.resize(total);
  const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
  registers_ = memory_.data() + (round_up(start, kAlign) - start);
  raw_ = registers_ + registers * register_bytes_;
  row_memory_ = raw_ + register_bytes_;
  tile_ = {.rows = static_cast<std::uint32_t>(rows)};
  for (const Step& step : program_->prologue) {
    if (step.kind == Step::Kind::kRow) {
      compute(step.instr, true, row_values(step.instr));
    } else {
      expand(step.instr, 1, elements, reg(step.reg));
      values_[as_index(step.instr)] = reg(step.reg);
    }
  }
}

void Machine::eval(const Schedule& schedule, const Tile& tile, bool stores, const void* contract) {
  tile_ = tile;
  ++stamp_;
  contract_ = contract;
  const Kernel& kernel = program_->kernel;
  for (const Step& step : schedule.steps) {
    if (tile.cols == 0 && step.kind != Step::Kind::kRow) continue;
    if (step.kind == Step::Kind::kRow) {
      compute(step.instr, true, row_values(step.instr));
    } else if (step.kind == Step::Kind::kExpand) {
      expand(step.instr, tile.rows, tile.cols, reg(step.reg));
      values_[as_index(step.instr)] = reg(step.reg);
    } else {
      void* out = reg(step.reg);
      if (const int slot = program_->info[as_index(step.instr)].direct; stores && slot >= 0 && consecutive()) {
        const std::size_t first = std::size_t{tile.row} * static_cast<std::size_t>(run_->cols) + tile.col;
        out = run_->outputs[slot] + first * tessera::size_of(kernel.outputs[as_index(slot)].dtype);
      }
      values_[as_index(step.instr)] = compute(step.instr, false, out);
    }
  }
}

void Machine::eval_row(int instr, const Tile& tile) {
  tile_ = tile;
  ++stamp_;
  compute(instr, true, row_values(instr));
}

void Machine::store_elements() {
  if (tile_.size() == 0) return;  // rows without columns: there are no values
  const Kernel& kernel = program_->kernel;
  const std::size_t first = std::size_t{tile_.row} * static_cast<std::size_t>(run_->cols) + tile_.col;
  for (const Store& store : kernel.stores) {
    if (store.row) continue;
    if (store.at >= 0) {
      store_at(store);
      continue;
    }
    const DType dtype = kernel.outputs[as_index(store.slot)].dtype;
    std::byte* out = run_->outputs[store.slot] + first * tessera::size_of(dtype);
    const void* from = element_values(store.instr);
    if (from == out) continue;
    if (consecutive()) {
      narrow(dtype, from, tile_.size(), out);
      continue;
    }
    const std::size_t row_bytes = size_of(program_->info[as_index(store.instr)].type) * tile_.cols;
    for (std::size_t r = 0; r < tile_.rows; ++r) {
      narrow(dtype, static_cast<const std::byte*>(from) + r * row_bytes, tile_.cols,
             out + r * static_cast<std::size_t>(run_->cols) * tessera::size_of(dtype));
    }
  }
}

void Machine::store_at(const Store& store) {
  const DType dtype = program_->kernel.outputs[as_index(store.slot)].dtype;
  const auto* positions = static_cast<const std::int32_t*>(element_values(store.at));
  const std::size_t bytes = tessera::size_of(dtype);
  narrow(dtype, element_values(store.instr), tile_.size(), raw_);
  std::byte* out = run_->outputs[store.slot];
  for (std::size_t i = 0; i < static_cast<std::size_t>(tile_.size()); ++i) {
    std::memcpy(out + static_cast<std::size_t>(positions[i]) * bytes, raw_ + i * bytes, bytes);
  }
}

void Machine::store_rows() {
  const Kernel& kernel = program_->kernel;
  for (const Store& store : kernel.stores) {
    if (!store.row) continue;
    const DType dtype = kernel.outputs[as_index(store.slot)].dtype;
    std::byte* out = run_->outputs[store.slot] + std::size_t{tile_.row} * tessera::size_of(dtype);
    narrow(dtype, row_values(store.instr), tile_.rows, out);
  }
}

const void* Machine::compute(int i, bool row, void* out) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  switch (instr.kind) {
    case Instr::Kind::kLoad:
      return load(i, row, out);
    case Instr::Kind::kScalar:
      scalar(i, count(row), out);
      return out;
    case Instr::Kind::kIota:
      cast(Compute::kU32, instr.dtype, array(instr.index, row), count(row), out);
      return out;
    case Instr::Kind::kRandom:
      random(i, row, out);
      return out;
    case Instr::Kind::kOp:
      return elementwise(i, row, out);
    case Instr::Kind::kPad:
      return pad(i, row, out);
    case Instr::Kind::kReduce:
      reduce(i, out);
      return out;
    case Instr::Kind::kContract:
      return contract_;
  }
  return out;
}

const void* Machine::load(int i, bool row, void* out) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  const DType dtype = program_->kernel.inputs[as_index(instr.slot)].dtype;
  const std::size_t size = tessera::size_of(dtype);
  const std::byte* source = run_->inputs[instr.slot];
  const std::int64_t n = count(row);
  const bool plain = is_plain_load(dtype);
  if (program_->kernel.indices[as_index(instr.index)].kind == Index::Kind::kAt) {
    void* taken = plain ? out : raw_;
    take(size, source, static_cast<const std::uint32_t*>(value(instr.args[0], row)), n, taken);
    if (!plain) widen(dtype, taken, n, out);
    return out;
  }
  const IndexValue& at = index(instr.index, row);
  // Row-level values have their own places, so that their readers need no check.
  const bool in_place = plain && !row && !program_->info[as_index(i)].copies && at.runs == 1;
  void* raw = plain ? out : raw_;
  auto* to = static_cast<std::byte*>(raw);
  switch (at.kind) {
    case IndexValue::Kind::kContiguous:
      if (in_place) return source + at.start * size;
      if (at.runs == 1) {
        widen(dtype, source + at.start * size, n, out);
        return out;
      }
      each_run(at, n, [&](std::uint32_t start, std::int64_t length) {
        std::memcpy(to, source + start * size, size * static_cast<std::size_t>(length));
        to += size * static_cast<std::size_t>(length);
      });
      break;
    case IndexValue::Kind::kConstant: {
      alignas(16) std::byte one[16];
      widen(dtype, source + at.start * size, 1, one);
      fill(size_of(compute_type(dtype)), one, n, out);
      return out;
    }
    case IndexValue::Kind::kStrided: {
      if (at.runs > 1 && load_rectangle(at, size, source, raw)) break;
      const void* whole = nullptr;
      each_run(at, n, [&](std::uint32_t start, std::int64_t count) {
        walk_view(at.words, at.rank, start, count, [&](std::uint32_t base, std::uint32_t stride, std::int64_t length) {
          const std::byte* from = source + base * size;
          if (stride == 1 && length == n && in_place) {
            whole = from;
          } else if (stride == 1 || length == 1) {
            std::memcpy(to, from, size * static_cast<std::size_t>(length));
          } else if (stride == 0) {
            fill(size, from, length, to);
          } else {
            take_strided(size, source, base, stride, length, to);
          }
          to += size * static_cast<std::size_t>(length);
        });
      });
      if (whole != nullptr) return whole;
      break;
    }
    case IndexValue::Kind::kArray:
      take(size, source, at.at, n, raw);
      break;
  }
  if (!plain) widen(dtype, raw, n, out);
  return out;
}

/// A tile inside the last two dims of a view is a rectangle in memory.
bool Machine::load_rectangle(const IndexValue& at, std::size_t size, const std::byte* source, void* out) {
  if (at.rank < 2) return false;
  const std::uint32_t* rows = at.words + 2 * (at.rank - 2);
  const std::uint32_t* cols = rows + 2;
  const std::uint32_t col = at.start % cols[0];
  const std::uint32_t row = at.start / cols[0] % rows[0];
  const bool first = at.rank == 2;  // the outermost dim is unbounded
  if (at.step != cols[0] || std::uint64_t{col} + tile_.cols > cols[0]) return false;
  if (!first && std::uint64_t{row} + tile_.rows > rows[0]) return false;
  take_rectangle(size, source, view_at(at.words, at.rank, at.start), rows[1], cols[1], tile_.rows, tile_.cols, out);
  return true;
}

const void* Machine::elementwise(int i, bool row, void* out) {
  const Kernel& kernel = program_->kernel;
  const Instr& instr = kernel.instrs[as_index(i)];
  const std::int64_t n = count(row);
  const void* args[4];
  for (std::size_t k = 0; k < instr.args.size(); ++k) args[k] = value(instr.args[k], row);
  const int typed = instr.args[instr.op == Op::kWhere ? 1 : 0];
  const Compute type = program_->info[as_index(typed)].type;
  if (instr.op == Op::kCast) {
    cast(type, instr.dtype, args[0], n, out);
    return out;
  }
  const ElementwiseOp& op = tessera::elementwise(instr.op);
  (is_complex(type) ? op.complex.cpu : op.cpu)({type, args, out, n});
  wrap(instr.dtype, out, n);
  return out;
}

const void* Machine::pad(int i, bool row, void* out) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  const IndexValue& window = index(instr.index, row);
  const void* inner = value(instr.args[0], row);
  const void* outer = value(instr.args[1], row);
  const std::int64_t n = count(row);
  const Compute type = program_->info[as_index(i)].type;
  if (window.all || window.none) {
    std::memcpy(out, window.all ? inner : outer, size_of(type) * static_cast<std::size_t>(n));
    return out;
  }
  const void* args[] = {window.inside, inner, outer};
  tessera::cpu::where({type, args, out, n});
  return out;
}

void Machine::expand(int i, std::int64_t rows, std::int64_t cols, void* out) {
  repeat(size_of(program_->info[as_index(i)].type), row_values(i), rows, cols, out);
}

void Machine::scalar(int i, std::int64_t n, void* out) {
  const std::uint32_t* words = run_->params + program_->layout.instr_at[as_index(i)];
  alignas(16) std::byte one[16] = {};
  const std::size_t size = size_of(program_->info[as_index(i)].type);
  if (size == 1) {
    one[0] = static_cast<std::byte>(words[0] != 0 ? 1 : 0);
  } else {
    std::memcpy(one, words, size);
  }
  fill(size, one, n, out);
}

void Machine::random(int i, bool row, void* out) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  const std::uint32_t* words = run_->params + program_->layout.instr_at[as_index(i)];
  const std::int64_t n = count(row);
  auto* to = static_cast<std::uint32_t*>(out);
  const auto word = [&](std::uint32_t position) {
    return philox({position / 4, 0, words[2], words[3]}, words[0], words[1])[position % 4];
  };
  const IndexValue& at = index(instr.index, row);
  if (at.kind != IndexValue::Kind::kContiguous || at.runs != 1) {
    const std::uint32_t* positions = array(instr.index, row);
    std::transform(positions, positions + n, to, word);
    return;
  }
  // The rest of a group of four, whole groups, the start of one.
  std::uint32_t position = at.start;
  std::uint32_t* const end = to + n;
  while (to != end && position % 4 != 0) *to++ = word(position++);
  const std::int64_t groups = (end - to) / 4;
  random_words(words, position / 4, groups, to);
  to += 4 * groups;
  position += static_cast<std::uint32_t>(4 * groups);
  while (to != end) *to++ = word(position++);
}

/// The dtype in which a reduction's values are folded: that of the result for sums and products.
Compute Machine::fold_type(int i) const {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  const bool sums = instr.op == Op::kSum || instr.op == Op::kProd;
  return program_->info[as_index(sums ? i : instr.args[0])].type;
}

void Machine::fold_rows(int i, Partial* partials) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  const void* from = element_values(instr.args[0]);
  const Compute type = fold_type(i);
  if (const Compute own = program_->info[as_index(instr.args[0])].type; own != type) {
    cast(own, instr.dtype, from, tile_.size(), raw_);
    from = raw_;
  }
  fold(instr.op, type, from, tile_.rows, tile_.cols, tile_.col, partials);
}

void Machine::merge_row(int i, Partial& first, const Partial& next) const {
  merge(program_->kernel.instrs[as_index(i)].op, fold_type(i), first, next);
}

void Machine::finish_rows(int i, const Partial* partials) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  finish(instr.op, fold_type(i), instr.dtype, partials, tile_.rows, row_values(i));
}

void Machine::reduce(int i, void* out) {
  const Instr& instr = program_->kernel.instrs[as_index(i)];
  partials_.assign(tile_.rows, identity(instr.op, instr.dtype));
  fold_rows(i, partials_.data());
  finish(instr.op, fold_type(i), instr.dtype, partials_.data(), tile_.rows, out);
}

}  // namespace tessera::runtime::cpu
