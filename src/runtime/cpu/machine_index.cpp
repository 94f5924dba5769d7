// The indices of a tile: consecutive ones stay a start, views of those stay strides, others become arrays.
#include <algorithm>
#include <numeric>

#include "base/ints.h"
#include "runtime/cpu/index.h"
#include "runtime/cpu/machine.h"

namespace tessera::runtime::cpu {

std::int64_t crosswise(const Run& run) {
  const CpuProgram& program = *run.program;
  for (const Instr& instr : program.kernel.instrs) {
    if (instr.kind != Instr::Kind::kLoad || instr.row) continue;
    const Index& index = program.kernel.indices[as_index(instr.index)];
    const std::vector<int>& ranks = program.index_info[as_index(instr.index)].ranks;
    if (index.kind != Index::Kind::kView || index.parent != 0 || ranks.size() != 1 || ranks[0] < 2) continue;
    const std::uint32_t* last = run.params + program.layout.index_at[as_index(instr.index)] + 2 * (ranks[0] - 1);
    const bool along = last[-1] == 1;
    const auto stride = static_cast<std::int32_t>(last[1]);
    if (along && (stride >= 16 || stride <= -16)) return last[0];
  }
  return 0;
}

const Machine::IndexValue& Machine::index(int i, bool row) {
  IndexValue& value = indices_[row ? 1 : 0][as_index(i)];
  if (value.stamp != stamp_) {
    compute_index(i, row, value);
    value.stamp = stamp_;
  }
  return value;
}

std::uint32_t* Machine::room(IndexValue& value, std::int64_t n) {
  if (value.memory.size() < static_cast<std::size_t>(n)) value.memory.resize(static_cast<std::size_t>(n));
  value.at = value.memory.data();
  value.kind = IndexValue::Kind::kArray;
  return value.memory.data();
}

void Machine::compute_index(int i, bool row, IndexValue& value) {
  using Kind = IndexValue::Kind;
  const Index& source = program_->kernel.indices[as_index(i)];
  value.inside = nullptr;
  value.all = true;
  value.none = false;
  value.runs = 1;
  switch (source.kind) {
    case Index::Kind::kAt:  // load() takes it from the argument
      return;
    case Index::Kind::kElement:
      value.kind = Kind::kContiguous;
      value.start = tile_.row * static_cast<std::uint32_t>(run_->cols) + tile_.col;
      value.step = static_cast<std::uint32_t>(run_->cols);
      value.runs = row || consecutive() ? 1 : tile_.rows;
      return;
    case Index::Kind::kRow:
      value.kind = row ? Kind::kContiguous : Kind::kConstant;
      value.start = tile_.row;
      if (!row && tile_.rows > 1) {
        std::uint32_t* at = room(value, tile_.size());
        for (std::uint32_t r = 0; r < tile_.rows; ++r, at += tile_.cols) std::fill_n(at, tile_.cols, tile_.row + r);
      }
      return;
    case Index::Kind::kCol:
      value.kind = Kind::kContiguous;
      value.start = tile_.col;
      if (tile_.rows > 1) {
        std::uint32_t* at = room(value, tile_.size());
        for (std::uint32_t r = 0; r < tile_.rows; ++r, at += tile_.cols) std::iota(at, at + tile_.cols, tile_.col);
      }
      return;
    case Index::Kind::kView:
      return view_index(i, row, value);
    case Index::Kind::kPadded:
      return padded_index(i, row, value);
  }
}

const std::uint32_t* Machine::array(int i, bool row) {
  index(i, row);
  IndexValue& value = indices_[row ? 1 : 0][as_index(i)];
  const std::int64_t n = count(row);
  const IndexValue::Kind kind = value.kind;
  if (kind == IndexValue::Kind::kArray) return value.at;
  // In addition to its compact form, which loads continue to use.
  std::uint32_t* at = room(value, n);
  value.kind = kind;
  if (kind == IndexValue::Kind::kContiguous) {
    each_run(value, n, [&](std::uint32_t start, std::int64_t length) {
      std::iota(at, at + length, start);
      at += length;
    });
  } else if (kind == IndexValue::Kind::kConstant) {
    std::fill_n(at, n, value.start);
  } else {
    write_view(value, n, at);
  }
  return value.at;
}

void Machine::write_view(const IndexValue& value, std::int64_t n, std::uint32_t* at) {
  each_run(value, n, [&](std::uint32_t start, std::int64_t count) {
    walk_view(value.words, value.rank, start, count,
              [&](std::uint32_t base, std::uint32_t stride, std::int64_t length) {
                for (std::int64_t k = 0; k < length; ++k, base += stride) *at++ = base;
              });
  });
}

void Machine::view_index(int i, bool row, IndexValue& value) {
  using Kind = IndexValue::Kind;
  const Index& source = program_->kernel.indices[as_index(i)];
  const std::vector<int>& ranks = program_->index_info[as_index(i)].ranks;
  const std::uint32_t* words = run_->params + program_->layout.index_at[as_index(i)];
  const IndexValue& parent = index(source.parent, row);
  if (parent.kind == Kind::kConstant) {
    value.kind = Kind::kConstant;
    value.start = parent.start;
    for (const int rank : ranks) {
      value.start = view_at(words, rank, value.start);
      words += 2 * rank + 1;
    }
    return;
  }
  std::size_t level = 0;
  const std::int64_t n = count(row);
  const std::uint32_t* from = nullptr;
  if (parent.kind == Kind::kContiguous) {
    const int rank = ranks[0];
    value.kind = Kind::kStrided;
    value.start = parent.start;
    value.runs = parent.runs;
    value.step = parent.step;
    value.words = words;
    value.rank = rank;
    if (ranks.size() == 1) return;
    write_view(value, n, room(value, n));
    words += 2 * rank + 1;
    from = value.at;
    level = 1;
  } else {
    from = array(source.parent, row);
  }
  std::uint32_t* at = room(value, n);
  for (; level < ranks.size(); ++level) {
    const int rank = ranks[level];
    for (std::int64_t k = 0; k < n; ++k) at[k] = view_at(words, rank, from[k]);
    words += 2 * rank + 1;
    from = at;
  }
}

void Machine::padded_index(int i, bool row, IndexValue& value) {
  using Kind = IndexValue::Kind;
  const Index& source = program_->kernel.indices[as_index(i)];
  const int axes = source.pad_axes;
  if (axes == 0) {  // a 0-d tensor
    value.kind = Kind::kConstant;
    value.start = 0;
    return;
  }
  const std::uint32_t* words = run_->params + program_->layout.index_at[as_index(i)];
  const std::int64_t n = count(row);
  const IndexValue& parent = index(source.parent, row);
  const bool contiguous = parent.kind == Kind::kContiguous && parent.runs == 1;
  const std::uint32_t start = parent.start;
  const std::uint32_t* from = contiguous ? nullptr : array(source.parent, row);
  std::uint32_t* at = room(value, n);
  if (value.inside_memory.size() < static_cast<std::size_t>(n)) value.inside_memory.resize(static_cast<std::size_t>(n));
  std::uint8_t* inside = value.inside_memory.data();
  std::int64_t hits = 0;
  if (contiguous) {
    // Along the last axis: padding, then consecutive elements inside, then padding.
    const std::uint32_t* last = words + 3 * (axes - 1);
    bool consecutive = true;
    for (std::int64_t k = 0; k < n;) {
      const std::uint32_t position = start + static_cast<std::uint32_t>(k);
      const std::uint32_t c = axes > 1 ? position % last[0] : position;
      const std::int64_t length = std::min<std::int64_t>(n - k, std::int64_t{last[0]} - c);
      // The position of this line's first element inside, if the line were long enough.
      std::uint32_t base = 0;
      const bool line = window_at(words, axes, position - c + last[1], base) && last[2] != 0;
      const std::int64_t low = std::clamp<std::int64_t>(std::int64_t{last[1]} - c, 0, length);
      const std::int64_t high = std::clamp<std::int64_t>(std::int64_t{last[1]} + last[2] - c, low, length);
      const std::int64_t first = line ? low : length;
      const std::int64_t past = line ? high : length;
      std::fill(at + k, at + k + first, 0U);
      std::iota(at + k + first, at + k + past, base + c + static_cast<std::uint32_t>(first) - last[1]);
      std::fill(at + k + past, at + k + length, 0U);
      std::fill(inside + k, inside + k + length, std::uint8_t{0});
      std::fill(inside + k + first, inside + k + past, std::uint8_t{1});
      hits += past - first;
      consecutive = consecutive && (k == 0 || at[k] == at[k - 1] + 1);
      k += length;
    }
    if (n > 0 && hits == n && consecutive) {
      value.kind = Kind::kContiguous;
      value.start = at[0];
    }
  } else {
    for (std::int64_t k = 0; k < n; ++k) {
      inside[k] = window_at(words, axes, from[k], at[k]) ? 1 : 0;
      hits += inside[k];
    }
  }
  value.all = hits == n;
  value.none = hits == 0;
  value.inside = inside;
}

}  // namespace tessera::runtime::cpu
