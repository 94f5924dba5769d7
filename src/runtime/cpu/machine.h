// Evaluates a program's steps on one tile of its loop nest, a whole block of values at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/cpu/program.h"
#include "runtime/cpu/reduce_block.h"

namespace tessera::runtime::cpu {

inline constexpr std::int64_t kBlock = 1024;     // elements in a tile, unless a row needs more
inline constexpr std::int64_t kLongRow = 8192;   // longer rows are processed in pieces, once per pass
inline constexpr std::int64_t kRowPiece = 4096;  // columns of such a piece

/// One run of a program: its parameters and its buffers.
struct Run {
  const CpuProgram* program = nullptr;
  const std::uint32_t* params = nullptr;
  std::byte* const* inputs = nullptr;
  std::byte* const* outputs = nullptr;
  std::int64_t rows = 1;
  std::int64_t cols = 0;
};

/// Part of the loop nest: rows, or a piece of each. Its values are stored row by row.
struct Tile {
  std::uint32_t row = 0;
  std::uint32_t rows = 1;
  std::uint32_t col = 0;
  std::uint32_t cols = 0;
  [[nodiscard]] std::int64_t size() const { return std::int64_t{rows} * cols; }
};

/// The length of the last dim of a strided load at kElement whose previous dim is contiguous, as in a transpose; 0 if
/// there is none. Such nests are processed in square tiles.
std::int64_t crosswise(const Run& run);
inline constexpr std::int64_t kSquare = 64;  // rows and columns of a square tile

class Machine {
 public:
  /// The calling thread's machine; its memory is reused from run to run.
  static Machine& mine();

  /// Prepares for tiles of at most `elements` elements and `rows` rows, and computes the uniform values.
  void begin(const Run& run, std::int64_t elements, std::int64_t rows);

  /// Runs a schedule on whole rows, or (with the matmul's results at `contract`) on a matmul's tile.
  void eval(const Schedule& schedule, const Tile& tile, bool stores, const void* contract = nullptr);
  /// Stores the element-level or the row-level results of the last tile.
  void store_elements();
  void store_rows();

  /// For long rows: a row-level value, and the result of a reduction from its partial results.
  void eval_row(int instr, const Tile& tile);
  void set_tile(const Tile& tile) { tile_ = tile; }
  void fold_rows(int instr, Partial* partials);
  void merge_row(int instr, Partial& first, const Partial& next) const;
  void finish_rows(int instr, const Partial* partials);
  [[nodiscard]] const void* element_values(int instr) const { return values_[static_cast<std::size_t>(instr)]; }
  [[nodiscard]] std::byte* row_values(int instr) { return row_memory_ + static_cast<std::size_t>(instr) * row_bytes_; }

 private:
  struct IndexValue {
    enum class Kind : std::uint8_t {
      kContiguous,  // positions: runs of consecutive ones
      kConstant,    // start
      kStrided,     // one level of a view over positions
      kArray,       // at[i]
    };
    Kind kind = Kind::kContiguous;
    std::uint32_t start = 0;
    std::uint32_t runs = 1;  // of positions; each begins `step` after the one before
    std::uint32_t step = 0;
    const std::uint32_t* words = nullptr;  // kStrided: [size, stride] of each dim, then the offset
    int rank = 0;                          // kStrided
    const std::uint32_t* at = nullptr;     // kArray
    const std::uint8_t* inside = nullptr;  // kPadded, where it has both
    bool all = true;                       // kPadded: every position is inside
    bool none = false;                     // kPadded: none is
    std::uint64_t stamp = 0;               // of the tile for which it is valid
    std::vector<std::uint32_t> memory;
    std::vector<std::uint8_t> inside_memory;
  };

  /// Whether the tile's elements are consecutive positions of the nest.
  [[nodiscard]] bool consecutive() const { return tile_.rows == 1 || tile_.cols == run_->cols; }
  [[nodiscard]] std::int64_t count(bool row) const { return row ? tile_.rows : tile_.size(); }
  std::byte* reg(int i) { return registers_ + static_cast<std::size_t>(i) * register_bytes_; }

  const IndexValue& index(int i, bool row);
  void compute_index(int i, bool row, IndexValue& value);
  /// Calls f(start, length) for each run of consecutive positions.
  template <class F>
  void each_run(const IndexValue& value, std::int64_t n, F f) {
    const std::int64_t length = n / value.runs;
    for (std::uint32_t r = 0; r < value.runs; ++r) f(value.start + r * value.step, length);
  }
  const std::uint32_t* array(int i, bool row);  // the index as an array
  static std::uint32_t* room(IndexValue& value, std::int64_t n);
  void write_view(const IndexValue& value, std::int64_t n, std::uint32_t* at);
  void view_index(int i, bool row, IndexValue& value);
  void padded_index(int i, bool row, IndexValue& value);

  // Each returns the address of the values: `out`, or memory that already holds them.
  const void* compute(int instr, bool row, void* out);
  const void* load(int instr, bool row, void* out);
  bool load_rectangle(const IndexValue& at, std::size_t size, const std::byte* source, void* out);
  const void* elementwise(int instr, bool row, void* out);
  const void* pad(int instr, bool row, void* out);
  void store_at(const Store& store);
  void expand(int instr, std::int64_t rows, std::int64_t cols, void* out);
  void scalar(int instr, std::int64_t n, void* out);
  void random(int instr, bool row, void* out);
  void reduce(int instr, void* out);
  [[nodiscard]] Compute fold_type(int instr) const;
  [[nodiscard]] const void* value(int instr, bool row) { return row ? row_values(instr) : element_values(instr); }

  const Run* run_ = nullptr;
  const CpuProgram* program_ = nullptr;
  Tile tile_;
  std::uint64_t stamp_ = 0;
  const void* contract_ = nullptr;

  std::vector<const void*> values_;  // by instr: element-level results of the tile
  std::vector<IndexValue> indices_[2];
  std::byte* registers_ = nullptr;
  std::size_t register_bytes_ = 0;
  std::byte* row_memory_ = nullptr;
  std::size_t row_bytes_ = 0;
  std::byte* raw_ = nullptr;  // elements as stored, before they are widened; other temporaries
  std::vector<std::byte> memory_;
  std::vector<Partial> partials_;
};

}  // namespace tessera::runtime::cpu
