// Matmuls on matrix units: the types and sizes of kernels/matmul_matrix.wgsl, and its main function, which has one
// statement for each matrix.
#include <fmt/format.h>

#include "codegen/writers.h"

namespace tessera::codegen {

std::string matrix_header(const MatmulShape& shape) {
  std::string s = "alias T = f16;\nalias Result = f32;\n";
  const std::string type = fmt::format("coop_mat{0}x{0}", shape.unit);
  s += fmt::format("alias Left = {0}<f16, A>;\nalias Right = {0}<f16, B>;\nalias Sum = {0}<f32, C>;\n", type);
  const auto number = [&](const char* name, std::uint32_t value) {
    s += fmt::format("const {}: u32 = {}u;\n", name, value);
  };
  number("UNIT", shape.unit);
  number("TILE_M", shape.bm);
  number("TILE_N", shape.bn);
  number("DEPTH", shape.depth);
  number("WM", shape.wm);
  number("WN", shape.wn);
  number("WIDE", shape.wide);
  number("LANES", shape.lanes);
  number("THREADS", shape.threads());
  s += fmt::format("const A_ALONG_K: bool = {};\nconst B_ALONG_K: bool = {};\n", shape.along_k_a, shape.along_k_b);
  // Rows start eight halves apart from a whole number of banks, so that matrices are read without conflicts.
  const std::uint32_t row_a = (shape.along_k_a ? shape.depth : shape.bm) / 4;
  const std::uint32_t row_b = (shape.along_k_b ? shape.depth : shape.bn) / 4;
  number("ROW_A", row_a);
  number("ROW_B", row_b);
  number("PITCH_A", row_a + 2);
  number("PITCH_B", row_b + 2);
  number("PITCH_C", shape.wide / 4 + 1);
  // Rows of a tile are rows or columns of the operand, and its matrices lie row after row or column after column.
  const auto reader = [&](const char* name, const char* matrix, const char* tile, bool along_k, bool row_major) {
    const char* pitch = matrix[0] == 'L' ? "PITCH_A" : "PITCH_B";
    s +=
        fmt::format("fn {}(o: u32, k: u32) -> {} {{ return coopLoad{}<{}>(&{}[{} * {} + {} / 4u], {}); }}\n", name,
                    matrix, row_major ? "T" : "", matrix, tile, along_k ? "o" : "k", pitch, along_k ? "k" : "o", pitch);
  };
  reader("left", "Left", "tile_a", shape.along_k_a, shape.along_k_a);
  reader("right", "Right", "tile_b", shape.along_k_b, !shape.along_k_b);
  return s;
}

std::string matrix_main(const MatmulShape& shape) {
  const std::uint32_t fm = shape.wm / shape.unit;
  const std::uint32_t fn = shape.wn / shape.unit;
  const std::uint32_t loads_a = (shape.bm * shape.depth / 4 + shape.threads() - 1) / shape.threads();
  const std::uint32_t loads_b = (shape.bn * shape.depth / 4 + shape.threads() - 1) / shape.threads();
  std::string s;
  const auto line = [&]<class... Args>(fmt::format_string<Args...> text, Args&&... args) {
    s += fmt::format(text, std::forward<Args>(args)...);
    s += '\n';
  };
  const auto fetch = [&](const char* declare, const char* k) {
    for (std::uint32_t i = 0; i < loads_a; ++i) {
      line("{}a{} = fetch_a(batch, m0, {}, local + {}u);", declare, i, k, i * shape.threads());
    }
    for (std::uint32_t i = 0; i < loads_b; ++i) {
      line("{}b{} = fetch_b(batch, n0, {}, local + {}u);", declare, i, k, i * shape.threads());
    }
  };
  line("@compute @workgroup_size(THREADS)");
  line("fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {{");
  line("let start = origin(group);\nlet m0 = start.y;\nlet n0 = start.x;\nlet batch = locate(start.z);");
  line("let depth = size_k();\nlet subgroup = local / LANES;\nlet lane = local % LANES;");
  line("let wm = subgroup / {0}u * {1}u;\nlet wn = subgroup % {0}u * {2}u;", shape.bn / shape.wn, shape.wm, shape.wn);
  for (std::uint32_t i = 0; i < fm; ++i) {
    for (std::uint32_t j = 0; j < fn; ++j) line("var sum{}_{} = Sum();", i, j);
  }
  fetch("var ", "0u");
  line("for (var k0 = 0u; k0 < depth; k0 += DEPTH) {{");
  for (std::uint32_t i = 0; i < loads_a; ++i) line("keep_a(local + {}u, a{});", i * shape.threads(), i);
  for (std::uint32_t i = 0; i < loads_b; ++i) line("keep_b(local + {}u, b{});", i * shape.threads(), i);
  line("workgroupBarrier();");
  // The next tiles are on their way while this one is multiplied; the last step reads the first ones again.
  line("let k1 = select(0u, k0 + DEPTH, k0 + DEPTH < depth);");
  fetch("", "k1");
  for (std::uint32_t k = 0; k < shape.depth; k += shape.unit) {
    line("{{");
    for (std::uint32_t i = 0; i < fm; ++i) line("let left{} = left(wm + {}u, {}u);", i, i * shape.unit, k);
    for (std::uint32_t j = 0; j < fn; ++j) {
      line("let right{} = right(wn + {}u, {}u);", j, j * shape.unit, k);
      for (std::uint32_t i = 0; i < fm; ++i) line("sum{0}_{1} = coopMultiplyAdd(left{0}, right{1}, sum{0}_{1});", i, j);
    }
    line("}}");
  }
  line("workgroupBarrier();\n}}");
  // Through workgroup memory to those who write: rows of quads, so that the work on results sees its neighbours.
  line("let mine = subgroup * UNIT * PITCH_C;");
  for (std::uint32_t j = 0; j < shape.wide / shape.unit; ++j) line("let place{} = mine + {}u;", j, j * shape.unit / 4);
  for (std::uint32_t i = 0; i < fm; ++i) {
    for (std::uint32_t w = 0; w < shape.wn; w += shape.wide) {
      for (std::uint32_t j = 0; j < shape.wide / shape.unit; ++j) {
        line("coopStoreT(sum{}_{}, &results[place{}], PITCH_C);", i, w / shape.unit + j, j);
      }
      line("workgroupBarrier();");
      line("write_out(start.z, m0 + wm + {}u, n0 + wn + {}u, mine, lane);", i * shape.unit, w);
      line("workgroupBarrier();");
    }
  }
  return s + "}\n";
}

}  // namespace tessera::codegen
