// Matmuls on tensor cores: the types and sizes of kernels/matmul/matmul_matrix.wgsl, and its main function.
#include <fmt/format.h>

#include "base/lines.h"
#include "codegen/writers.h"

namespace tessera::codegen {

namespace {

/// How one operand's tile is laid out and filled. A transposed tile is read along k and stored across it: drivers are
/// slow to load column-major right matrices (153 instead of 283 TFLOP/s on an H200). Each invocation then holds squares
/// of four rows of quads.
struct Side {
  Side(const MatmulShape& s, bool is_a, bool roll = false)
      : name(is_a ? 'a' : 'b'),
        upper(is_a ? 'A' : 'B'),
        along(is_a ? s.along_k_a : s.along_k_b),
        transposed(!is_a && s.transpose_b),
        row((along ? s.depth : (is_a ? s.bm : s.bn)) / 4),
        rows(along ? (is_a ? s.bm : s.bn) : s.depth),
        step(transposed ? 4 * s.threads() / row : s.threads() / row),
        loads(rows * row / s.threads()),
        rolled(roll) {}
  char name, upper;
  bool along;         // rows of the source are along k
  bool transposed;    // but rows of the tile are not
  std::uint32_t row;  // quads in a row
  std::uint32_t rows;
  std::uint32_t step;       // rows that all invocations fill at once
  std::uint32_t loads;      // of one invocation
  bool rolled;              // the loads are a loop
  std::uint32_t stage = 0;  // of the pipeline: the next tile (0) or the one after it (1)
  [[nodiscard]] bool tile_along() const { return along && !transposed; }
  [[nodiscard]] std::uint32_t tile_row() const { return transposed ? rows / 4 : row; }
  [[nodiscard]] std::uint32_t tile_rows() const { return transposed ? 4 * row : rows; }
  /// The variable of all loads, and the value of load `i`.
  [[nodiscard]] std::string values() const { return fmt::format("{}{}", name, stage == 0 ? "" : "_"); }
  [[nodiscard]] std::string value(std::uint32_t i) const {
    return rolled ? values() + "[i]" : fmt::format("{}{}", values(), i);
  }
  [[nodiscard]] Side at(std::uint32_t tile) const {
    Side other = *this;
    other.stage = tile;
    return other;
  }
  /// How many rows below the first one load `i` is; rows are `far` apart, and `block` is `far` times `step`.
  [[nodiscard]] std::string below(std::uint32_t i, const std::string& far, const std::string& block) const {
    const auto times = [](const std::string& n, const std::string& what) {
      return what == "1u" ? n : fmt::format("{} * {}", n, what);
    };
    if (!transposed) return rolled ? times("i", block) : times(fmt::format("{}u", i), block);
    return rolled ? times("(i >> 2u)", block) + " + " + times("(i & 3u)", far)
                  : times(fmt::format("{}u", i / 4), block) + " + " + times(fmt::format("{}u", i % 4), far);
  }
  [[nodiscard]] std::string below(std::uint32_t i) const { return below(i, "1u", fmt::format("{}u", step)); }
};

/// An invocation's row of a tile. Short rows are assigned in an order without bank conflicts of neighboring stores.
std::string row_of(const Side& x) {
  std::string r = fmt::format("(local / {}u)", x.row);
  if (x.step % 8 == 0 && x.row == 8) return fmt::format("((({0} & 1u) << 2u) | (({0} & 6u) >> 1u) | ({0} & ~7u))", r);
  if (x.step % 8 == 0 && x.row == 4) return fmt::format("((({0} & 3u) << 1u) | (({0} & 4u) >> 2u) | ({0} & ~7u))", r);
  return r;
}

/// Loads for four neighbors of an im2col view.
std::uint32_t neighbours(const MatrixSource& from) { return from.map->access().quads ? 1 : 4; }

/// The loop invariants: the invocation's position in the tile, and the start of its operand.
void prepare(const Side& x, const MatrixSource& from, Lines& line) {
  if (x.transposed) {
    // Four quads of eight rows at a time, which also avoids bank conflicts of neighboring stores.
    line("let col_{} = (local & 3u) | (((local >> 5u) % {}u) << 2u);", x.name, x.row / 4);
    line("let square_{} = ((local >> 2u) & 7u) + 8u * (local / {}u);", x.name, 8 * x.row);
    line("let row_{0} = 4u * square_{0};\nlet keep_{0} = 4u * col_{0} * PITCH_{1} + square_{0};", x.name, x.upper);
  } else {
    line("let row_{} = {};", x.name, row_of(x));
    line("let col_{} = local % {}u;", x.name, x.row);
    line("let keep_{0} = row_{0} * PITCH_{1} + col_{0};", x.name, x.upper);
  }
  const char* origin = x.name == 'a' ? "m0" : "n0";
  if (from.map) {
    // Each load has its own row, or all loads share four columns.
    for (std::uint32_t i = 0; i < (x.along ? x.loads : neighbours(from)); ++i) {
      const std::string o = x.along ? fmt::format("({} + row_{} + {})", origin, x.name, x.below(i))
                                    : fmt::format("({} + 4u * col_{} + {}u)", origin, x.name, i);
      line.add(from.map->outer(o, fmt::format("o{}{}", x.name, i)));
    }
  }
  if (!from.linear()) return;
  line.add(from.setup);
  if (x.along) {
    line("let first_{0} = ((batch.{0} + ({1} + row_{0}) * {2}) >> 2u) + col_{0};", x.name, origin, from.outer_stride);
  } else {
    line("let first_{0} = ((batch.{0} + row_{0} * {2} + {1}) >> 2u) + col_{0};", x.name, origin, from.k_stride);
  }
  if (x.transposed) line("let next_{} = {} >> 2u;", x.name, from.outer_stride);
  line("let step_{} = ({}u * {}) >> 2u;", x.name, x.step, x.along ? from.outer_stride : from.k_stride);
}

void fetch_mapped(const Side& x, const Im2colReader& map, std::uint32_t neighbours, const char* k, Lines& line) {
  const auto inner = [&](std::uint32_t i) {
    return x.along ? fmt::format("({} + 4u * col_{} + {}u)", k, x.name, i)
                   : fmt::format("({} + row_{} + {})", k, x.name, x.below(i));
  };
  for (std::uint32_t i = 0; i < (x.along ? neighbours : x.loads); ++i) {
    line.add(map.inner(inner(i), fmt::format("k{}{}", x.name, i)));
  }
  for (std::uint32_t i = 0; i < x.loads; ++i) {
    for (std::uint32_t j = 0; j < neighbours; ++j) {
      const std::string to = neighbours == 1 ? fmt::format("{}{}", x.name, i) : fmt::format("{}{}[{}]", x.name, i, j);
      const std::uint32_t deep = x.along ? j : i;
      line.add(
          map.load(to, fmt::format("o{}{}", x.name, x.along ? i : j), fmt::format("k{}{}", x.name, deep), inner(deep)));
    }
  }
}

/// Calls `body` for each load, or once inside a loop whose trip count is unknown to the driver.
template <class Body>
void each_load(const Side& x, Lines& line, const Body& body) {
  if (x.rolled) line("for (var i = 0u; i < {}u * once; i++) {{", x.loads);
  for (std::uint32_t i = 0; i < (x.rolled ? 1 : x.loads); ++i) body(i);
  if (x.rolled) line("}}");
}

/// Loads of the tile that starts at `k`.
void fetch(const Side& x, const MatrixSource& from, const char* k, bool whole_k, Lines& line) {
  const std::string o = fmt::format("{}0", x.name == 'a' ? 'm' : 'n');
  if (from.map) return fetch_mapped(x, *from.map, neighbours(from), k, line);
  if (!from.linear()) {
    each_load(x, line, [&](std::uint32_t i) {
      const std::string row = fmt::format("row_{} + {}", x.name, x.below(i));
      const std::string col = fmt::format("4u * col_{}", x.name);
      line("{} = load_{}(batch, {} + {}, {} + {});", x.value(i), x.name, o, x.along ? row : col, k,
           x.along ? col : row);
    });
    return;
  }
  line("let at_{} = first_{} + {};", x.name, x.name,
       x.along ? fmt::format("({} >> 2u)", k) : fmt::format("{} * ({} >> 2u)", k, from.k_stride));
  if (!whole_k && x.along) line("let in_{0} = {1} + 4u * col_{0} < size_k();", x.name, k);
  // Only the buffer's name differs between the matmuls of a grouped GEMM.
  std::vector<std::string> loads;
  for (const std::string& buffer : from.buffers) {
    Lines own;
    each_load(x, own, [&](std::uint32_t i) {
      const std::string place =
          fmt::format("at_{} + {}", x.name, x.below(i, fmt::format("next_{}", x.name), fmt::format("step_{}", x.name)));
      if (whole_k) {
        own("{} = {}[{}];", x.value(i), buffer, place);
        return;
      }
      const std::string inside =
          x.along ? fmt::format("in_{}", x.name) : fmt::format("({} + row_{} + {} < size_k())", k, x.name, x.below(i));
      own("{0} = select(vec4<T>(), {1}[select(0u, {2}, {3})], {3});", x.value(i), buffer, place, inside);
    });
    loads.push_back(own.take());
  }
  line.add(choose_part(loads));
}

void keep(const Side& x, Lines& line) {
  if (!x.transposed) {
    each_load(x, line, [&](std::uint32_t i) {
      line("tile_{0}[keep_{0} + ({1}) * PITCH_{2}] = {3};", x.name, x.below(i), x.upper, x.value(i));
    });
    return;
  }
  // Transposes squares of 4 x 4.
  if (x.rolled) line("for (var i = 0u; i < {}u * once; i += 4u) {{", x.loads);
  for (std::uint32_t i = 0; i < (x.rolled ? 1 : x.loads); i += 4) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      std::string column;
      for (std::uint32_t c = 0; c < 4; ++c) {
        const std::string value = x.rolled ? fmt::format("{}[i + {}u]", x.values(), c) : x.value(i + c);
        column += fmt::format("{}{}.{}", c > 0 ? ", " : "", value, "xyzw"[j]);
      }
      const std::string square =
          x.rolled ? fmt::format("(i >> 2u) * {}u", x.step / 4) : fmt::format("{}u", i / 4 * (x.step / 4));
      line("tile_{0}[keep_{0} + {1}u * PITCH_{2} + {3}] = vec4<T>({4});", x.name, j, x.upper, square, column);
    }
  }
  if (x.rolled) line("}}");
}

}  // namespace

std::string matrix_header(const MatmulShape& shape) {
  const std::string type = fmt::format("coop_mat{0}x{0}", shape.unit);
  Lines line;
  line("alias T = f16;\nalias L = T;\nalias Result = f32;\nalias Part = {};", shape.half ? "f16" : "f32");
  line("alias Left = {0}<f16, A>;\nalias Right = {0}<f16, B>;\nalias Sum = {0}<Part, C>;", type);
  const auto number = [&](std::string_view name, std::uint32_t value) { line("const {}: u32 = {}u;", name, value); };
  number("UNIT", shape.unit);
  number("TILE_M", shape.bm);
  number("TILE_N", shape.bn);
  number("DEPTH", shape.depth);
  number("WIDE", MatmulShape::kWide);
  number("PITCH_C", MatmulShape::kWide / 4 + (shape.half ? 2 : 1));  // rows start at multiples of 16 bytes
  number("LANES", shape.lanes);
  number("THREADS", shape.threads());
  number("SLICES", shape.slices);
  for (const Side& x : {Side(shape, true), Side(shape, false)}) {
    // The pitch is eight halves more than a multiple of the banks, so that matrices are loaded without conflicts.
    line("const ROWS_{0}: u32 = {1}u;\nconst PITCH_{0}: u32 = {2}u;", x.upper, x.tile_rows(), x.tile_row() + 2);
    // Rows of a tile are rows or columns of the operand, so its matrices are row-major or column-major.
    const char* matrix = x.name == 'a' ? "Left" : "Right";
    line("fn {}(o: u32, k: u32) -> {} {{ return coopLoad{}<{}>(&tile_{}[{} * PITCH_{} + {} / 4u], PITCH_{}); }}",
         x.name == 'a' ? "left" : "right", matrix, x.tile_along() == (x.name == 'a') ? "T" : "", matrix, x.name,
         x.tile_along() ? "o" : "k", x.upper, x.tile_along() ? "k" : "o", x.upper);
  }
  return line.take();
}

std::string matrix_main(const MatmulShape& shape, const MatrixSource& from_a, const MatrixSource& from_b) {
  const std::uint32_t fm = shape.wm / shape.unit;
  const std::uint32_t fn = shape.wn / shape.unit;
  const Side a(shape, true, shape.rolled && !from_a.map);
  const Side b(shape, false, shape.rolled && !from_b.map);
  Lines line;
  line("@compute @workgroup_size(THREADS)");
  line("fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {{");
  line("let start = origin(group);\nlet m0 = start.y;\nlet n0 = start.x;\nlet batch = locate(start.z);");
  line("let depth = size_k();\nlet subgroup = local / LANES;\nlet lane = local % LANES;");
  line("let slice = subgroup % SLICES;\nlet piece = subgroup / SLICES;");
  line("let wm = piece / {0}u * {1}u;\nlet wn = piece % {0}u * {2}u;", shape.bn / shape.wn, shape.wm, shape.wn);
  const std::uint32_t share = shape.depth / shape.slices;  // slice of a tile's depth
  const std::string first_k = shape.slices > 1 ? fmt::format("slice * {}u + ", share) : "";
  if (shape.rolled) line("let once = min(depth, 1u);");
  prepare(a, from_a, line);
  prepare(b, from_b, line);
  for (std::uint32_t i = 0; i < fm; ++i) {
    for (std::uint32_t j = 0; j < fn; ++j) line("var sum{}_{} = Sum();", i, j);
  }
  for (std::uint32_t tile = 0; tile < shape.pipeline_depth; ++tile) {
    for (const Side& x : {a.at(tile), b.at(tile)}) {
      if (x.rolled) line("var {}: array<vec4<T>, {}>;", x.values(), x.loads);
      for (std::uint32_t i = 0; i < (x.rolled ? 0 : x.loads); ++i) line("var {} = vec4<T>();", x.value(i));
    }
    line("{{\nlet k1 = select(0u, {0}u, {0}u < depth);", tile * shape.depth);
    fetch(a.at(tile), from_a, "k1", shape.whole_k, line);
    fetch(b.at(tile), from_b, "k1", shape.whole_k, line);
    line("}}");
  }
  line("for (var k0 = 0u; k0 < depth; k0 += {}u * DEPTH) {{", shape.pipeline_depth);
  for (std::uint32_t tile = 0; tile < shape.pipeline_depth; ++tile) {
    // The condition is uniform; a loop, since naga's uniformity analysis rejects an if here.
    line("{}", tile == 0 ? "{" : "for (var more = k0 + DEPTH < depth; more; more = false) {");
    keep(a.at(tile), line);
    keep(b.at(tile), line);
    line("workgroupBarrier();");
    // The next tiles are in flight while this one is multiplied; the last steps load the first tile again.
    line("let k2 = k0 + {}u * DEPTH;\nlet k1 = select(0u, k2, k2 < depth);", tile + shape.pipeline_depth);
    fetch(a.at(tile), from_a, "k1", shape.whole_k, line);
    fetch(b.at(tile), from_b, "k1", shape.whole_k, line);
    if (shape.rolled) line("for (var k = 0u; k < {}u * once; k += UNIT)", share);
    for (std::uint32_t step = 0; step < (shape.rolled ? shape.unit : share); step += shape.unit) {
      const std::string k = first_k + (shape.rolled ? "k" : fmt::format("{}u", step));
      line("{{");
      for (std::uint32_t i = 0; i < fm; ++i) line("let left{} = left(wm + {}u, {});", i, i * shape.unit, k);
      for (std::uint32_t j = 0; j < fn; ++j) {
        line("let right{} = right(wn + {}u, {});", j, j * shape.unit, k);
        for (std::uint32_t i = 0; i < fm; ++i) {
          line("sum{0}_{1} = coopMultiplyAdd(left{0}, right{1}, sum{0}_{1});", i, j);
        }
      }
      line("}}");
    }
    line("workgroupBarrier();\n}}");
  }
  line("}}");
  // Results go through workgroup memory as rows of quads, so that the epilogue sees neighboring elements.
  line("let mine = subgroup * UNIT * PITCH_C;");
  for (std::uint32_t j = 0; j < MatmulShape::kWide / shape.unit; ++j)
    line("let place{} = mine + {}u;", j, j * shape.unit / 4);
  const std::uint32_t strips = shape.wn / MatmulShape::kWide;
  const auto store = [&](std::uint32_t i, std::uint32_t w) {
    for (std::uint32_t j = 0; j < MatmulShape::kWide / shape.unit; ++j) {
      line("coopStoreT(sum{}_{}, &results[place{}], PITCH_C);", i, w * MatmulShape::kWide / shape.unit + j, j);
    }
  };
  const auto write = [&](const std::string& m, const std::string& n) {
    line("workgroupBarrier();");
    if (shape.slices > 1) line("if (slice == 0u) {{");
    line("write_out(start.z, m0 + wm + {}, n0 + wn + {}, mine, lane);", m, n);
    if (shape.slices > 1) line("}}");
    line("workgroupBarrier();");
  };
  if (shape.rolled) {
    line("for (var w = 0u; w < {}u * once; w++) {{", fm * strips);
    for (std::uint32_t w = 0; w < fm * strips; ++w) {
      line("if (w == {}u) {{", w);
      store(w / strips, w % strips);
      line("}}");
    }
    write(fmt::format("w / {}u * UNIT", strips), fmt::format("w % {}u * WIDE", strips));
    line("}}");
  }
  for (std::uint32_t w = 0; w < (shape.rolled ? 0 : fm * strips); ++w) {
    store(w / strips, w % strips);
    write(fmt::format("{}u", w / strips * shape.unit), fmt::format("{}u", w % strips * MatmulShape::kWide));
  }
  line("}}");
  return line.take();
}

}  // namespace tessera::codegen
