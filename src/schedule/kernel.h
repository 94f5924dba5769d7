// What the scheduler makes of a group of nodes: one loop nest with expressions, and the numbers that one run binds to
// it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "schedule/operand_layout.h"

namespace tessera {

/// How a row-major index is computed inside a kernel. Index 0 of every kernel is kElement.
struct Index {
  enum class Kind : std::uint8_t {
    kElement,  // the position in the loop nest: map: 0..n; reduce: row * cols + col; matmul: (b * M + m) * N + n
    kRow,      // reduce: row; matmul: b * M + m
    kCol,      // reduce: col; matmul: n
    kView,     // the view of a node, applied to the parent index
    kPadded,   // the place in a kPad's first input that the parent index (of the output) falls on, and whether it does;
               // 0 where it does not
    kAt,       // what the load's argument says: a gather
  };
  Kind kind = Kind::kElement;
  int parent = -1;
  int node = -1;           // kView, kPadded: the node whose attribute holds the map (a position in the graph)
  ViewLayout layout = {};  // kView
  int pad_axes = 0;        // kPadded: axes of the kPad
  /// kView of kElement: so many dims of level 0 follow the row, and the others the column; -1: it is not known.
  int split = -1;
  /// Of kView and kPadded, as in signatures: "[n1]", and "ww" for two padded axes.
  [[nodiscard]] std::string layout_text() const;
};

/// One step of the loop nest's body. Values have the compute type of their dtype (see compute.h).
struct Instr {
  enum class Kind : std::uint8_t {
    kLoad,      // inputs[slot] at index; kAt: at the position args[0]
    kScalar,    // the scalar of `node`
    kIota,      // the index itself, as dtype
    kRandom,    // Philox bits of `node` at index
    kOp,        // elementwise `op` of args
    kPad,       // args[0] where window `index` is inside, args[1] elsewhere
    kReduce,    // `op` over the row of args[0]; the result is one value a row
    kContract,  // the matmul's accumulated value at the element
  };
  Kind kind = Kind::kOp;
  Op op = kInputOp;
  DType dtype = DType::kF32;
  bool row = false;  // one value a row instead of one an element
  int index = -1;
  int slot = -1;
  int node = -1;
  std::vector<int> args;  // positions in `instrs`
};

/// A buffer that a kernel reads or writes: the storage of the node at this position.
struct Slot {
  int node = -1;
  DType dtype = DType::kF32;
};

/// A value written out, at the element or (row) at the row, or at a computed position.
struct Store {
  int instr = -1;
  int slot = -1;  // in `outputs`
  bool row = false;
  int at = -1;  // kMap: the instr that gives the position in the buffer, which keeps its other elements; -1: none
};

struct Kernel;

/// An operand of a contraction. `layout` says at which position of a buffer an element is, `source` what is there: the
/// two are independent, but only stored operands have an im2col layout so far. Both are decided when the kernel is
/// made.
struct Operand {
  enum class Source : std::uint8_t {
    kStored,       // the buffer `slot`
    kDequantized,  // the results of `dequantizer`, whose inputs are the slots from `slot` on
    kComputed,     // a prologue: the results of the map `computed`, whose inputs are the slots `sources`
  };
  int slot = -1;  // in `inputs`; kComputed: the first of `sources`
  int node = -1;  // the operand's node: a view, or the buffer's own
  OperandLayout layout = {};
  DType dtype = DType::kF32;
  Source source = Source::kStored;
  std::shared_ptr<const CustomKernel> dequantizer = nullptr;
  std::shared_ptr<const Kernel> computed = nullptr;
  std::vector<int> sources = {};
  [[nodiscard]] bool is_im2col() const { return layout.is_im2col(); }
  [[nodiscard]] bool is_dequantized() const { return source == Source::kDequantized; }
  [[nodiscard]] bool is_computed() const { return source == Source::kComputed; }
};

struct Kernel {
  enum class Kind : std::uint8_t {
    kMap,      // one loop over the elements of `domain`
    kReduce,   // rows and columns of the reduction `domain`; several reductions over the same rows may live in it
    kMatmul,   // the contraction `domain`, then element-wise work on its result
    kCustom,   // the call `domain` of a kernel with a text of its own; no indices, instrs or stores
    kGrouped,  // independent maps, or a grouped GEMM (shared A), in one dispatch: `parts`; inputs and outputs are the
               // parts' in order
  };
  Kind kind = Kind::kMap;
  int domain = -1;
  std::vector<Slot> inputs;
  std::vector<Slot> outputs;
  std::vector<Index> indices;
  std::vector<Instr> instrs;  // each after its args
  std::vector<Store> stores;
  Operand a, b;                                // kMatmul
  std::shared_ptr<const CustomKernel> custom;  // kCustom
  Operand table;  // kMap: what its gathers dequantize, if anything: slot, source and dequantizer
  std::vector<Kernel> parts;
  /// Pairs (input slot, output slot) that share one buffer, because the input was donated or the output updates it.
  /// Such an input is only loaded at the element, or at the position, that is then written.
  std::vector<std::pair<int, int>> aliases;
  /// kMap: one load, of which each dispatch binds a range; elements from outside of it are left as they are.
  bool in_ranges = false;

  /// All that the kernel's text may depend on, and nothing of sizes, strides, offsets or scalars: equal signatures mean
  /// equal programs.
  [[nodiscard]] std::string signature() const;
  /// A short name for people: "reduce_max_sub_exp_sum_div".
  [[nodiscard]] std::string label() const;
  /// Whether an output is written at computed positions.
  [[nodiscard]] bool updates(int output) const;
  /// The matmuls that it computes: itself, or its parts; none in other kernels.
  [[nodiscard]] std::span<const Kernel> matmuls() const;
  /// The first input that is the same buffer as input `i`: a grouped GEMM binds a shared buffer once.
  [[nodiscard]] std::size_t shared_input(std::size_t i) const;
};

/// Where each number lies in a kernel's parameter words. Words 0..: map: n; reduce: rows, cols; matmul: batch, M, N, K,
/// then for a and b each: [size, stride] of each batch axis, row stride, col stride, offset; or, of a map: for each dim
/// its size, the bits of 1 / size as an f32, its stride and its steps, then the offset, then start and size of each
/// test; then of each that is computed the words of its map, the first of which is its last axis. Then for each index
/// of kind kView: for each level: [size, stride] of each dim, then offset; kPadded: for each axis: output size, low,
/// input size. Then for each kScalar instr one word (two for 64-bit types, low first: the bits of the double, or of the
/// integer), for each kRandom: seed low, high, counter low, high. kGrouped has the parts' words one after the other;
/// kCustom those of its uniform. A chunked binding has more words from `words` on: map: the first quad; reduce: the
/// first row; matmul: the first matrix, row and column, and the ends of rows and columns; then for each buffer the
/// first and the number of the last element of its window. There, a map's n and a reduction's rows are where the piece
/// ends.
struct ParamLayout {
  explicit ParamLayout(const Kernel& kernel);
  std::vector<int> index_at;  // first word of each index; -1 where it has none
  std::vector<int> instr_at;  // first word of each instr; -1 where it has none
  int operand_at[2] = {-1, -1};
  int prologue_at[2] = {-1, -1};
  int words = 0;
  int ranges_at = 0;  // chunked: the first word of the buffers' binding ranges
};

/// The numbers of one run. `params` follows ParamLayout; negative strides wrap modulo 2^32, as index arithmetic does.
struct Binding {
  std::int64_t rows = 0;                        // map: 1; matmul: batch * M
  std::int64_t cols = 0;                        // map: the elements; matmul: N
  std::int64_t batch = 0, m = 0, n = 0, k = 0;  // matmul; of a grouped GEMM n is the sum
  int batch_rank = 0;
  /// Some buffer is too large to be bound whole, or some grid too large for one dispatch: this is one piece of the loop
  /// nest. The sizes above are then the piece's own, and these say where it starts.
  bool chunked = false;
  std::int64_t first = 0;  // map: element, a multiple of four; reduce: row; matmul: matrix
  std::int64_t first_m = 0, first_n = 0;
  std::vector<std::uint32_t> params;
  std::vector<Binding> parts;                // kGrouped
  std::shared_ptr<const CustomCall> custom;  // kCustom
  /// Of the kernel's matmul `i`.
  [[nodiscard]] const Binding& matmul(std::size_t i) const { return parts.empty() ? *this : parts[i]; }
};

/// Fills in the numbers of `kernel` from the nodes of `graph` (one whose plan key matches). Error of kind limit where
/// an index does not fit 32 bits.
Binding bind(const Kernel& kernel, const Graph& graph);

}  // namespace tessera
