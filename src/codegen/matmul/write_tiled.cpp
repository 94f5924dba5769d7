// The main function of tiled matmuls: kernels/matmul/matmul_tiled.wgsl with its loops.
#include <algorithm>

#include <fmt/format.h>

#include "codegen/writers.h"
#include "ops/elementwise/elementwise.h"

namespace tessera::codegen {

namespace {

constexpr std::string_view kStart = R"(
@compute @workgroup_size(TX, TY)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>,
        @builtin(local_invocation_index) local: u32) {
  let start = origin(group);
  let m0 = start.y;
  let n0 = start.x;
  let batch = locate(start.z);
  let depth = size_k();

  var acc: array<array<vec4<T>, RN>, RM * 4u>;
  var next_a: array<vec4<L>, LOADS_A>;
  var next_b: array<vec4<L>, LOADS_B>;

  for (var i = 0u; i < LOADS_A; i++) { next_a[i] = fetch_a(batch, m0, 0u, local + i * TY * TX); }
  for (var i = 0u; i < LOADS_B; i++) { next_b[i] = fetch_b(batch, n0, 0u, local + i * TY * TX); }

  for (var k0 = 0u; k0 < depth; k0 += DEPTH) {
    for (var i = 0u; i < LOADS_A; i++) { keep_a(local + i * TY * TX, next_a[i]); }
    for (var i = 0u; i < LOADS_B; i++) { keep_b(local + i * TY * TX, next_b[i]); }
    workgroupBarrier();

    // The next tiles are in flight while this one is multiplied.
    let k1 = k0 + DEPTH;
    if (k1 < depth) {
      for (var i = 0u; i < LOADS_A; i++) { next_a[i] = fetch_a(batch, m0, k1, local + i * TY * TX); }
      for (var i = 0u; i < LOADS_B; i++) { next_b[i] = fetch_b(batch, n0, k1, local + i * TY * TX); }
    }

)";

/// One k of a tile.
constexpr std::string_view kStep = R"(      var b: array<vec4<T>, RN>;
      for (var c = 0u; c < RN; c++) { b[c] = tile_b[k * PITCH_B + c * TX + id.x]; }
      for (var r = 0u; r < RM; r++) {
        let a = tile_a[k * PITCH_A + r * TY + id.y];
        for (var c = 0u; c < RN; c++) {
          acc[4u * r][c] = mad(a.x, b[c], acc[4u * r][c]);
          acc[4u * r + 1u][c] = mad(a.y, b[c], acc[4u * r + 1u][c]);
          acc[4u * r + 2u][c] = mad(a.z, b[c], acc[4u * r + 2u][c]);
          acc[4u * r + 3u][c] = mad(a.w, b[c], acc[4u * r + 3u][c]);
        }
      }
)";

constexpr std::string_view kStores = R"(
  for (var r = 0u; r < RM; r++) {
    for (var i = 0u; i < 4u; i++) {
      let m = m0 + 4u * (r * TY + id.y) + i;
      for (var c = 0u; c < RN; c++) {
        store_c(start.z, m, n0 + 4u * (c * TX + id.x), vec4<Result>(acc[4u * r + i][c]));
      }
    }
  }
}
)";

/// Whether drivers may refuse to unroll a loop around the epilogue.
bool has_long_epilogue(const Kernel& kernel) {
  // An H200's driver unrolls the stores around a chain of 48 additions and multiplications, and not around GELU.
  constexpr int kLong = 8;
  int total = 0;
  for (const Instr& x : kernel.instrs) {
    if (x.kind == Instr::Kind::kOp) total += ops::cost(x.op);
    if (x.kind == Instr::Kind::kRandom || x.kind == Instr::Kind::kPad) total += kLong;
  }
  return total > kLong || std::ranges::any_of(kernel.parts, has_long_epilogue);
}

/// Stores by rows. The accumulators are indexed by constants alone: a loop over them that the driver does not unroll
/// would move them to local memory, in the main loop too, which is then twenty times slower.
std::string unrolled_stores(const MatmulShape& shape) {
  const std::uint32_t rows = 4 * shape.rm;
  std::string s = fmt::format("\n  for (var i = 0u; i < {}u; i++) {{\n    var row: array<vec4<T>, RN>;\n", rows);
  s += "    switch i {\n";
  for (std::uint32_t i = 0; i + 1 < rows; ++i) s += fmt::format("      case {0}u: {{ row = acc[{0}]; }}\n", i);
  s += fmt::format("      default: {{ row = acc[{}]; }}\n    }}\n", rows - 1);
  s += "    let m = m0 + 4u * (i / 4u * TY + id.y) + i % 4u;\n";
  for (std::uint32_t c = 0; c < shape.rn; ++c) {
    s += fmt::format("    store_c(start.z, m, n0 + 4u * ({0}u * TX + id.x), vec4<Result>(row[{0}]));\n", c);
  }
  return s + "  }\n}\n";
}

}  // namespace

std::string tiled_main(const Kernel& kernel, const MatmulShape& shape) {
  const bool long_epilogue = has_long_epilogue(kernel);
  // A driver that does not need to unroll the stores unrolls less of the main loop too.
  const int times = long_epilogue ? 4 : 1;
  std::string s(kStart);
  if (times == 1) {
    s += fmt::format("    for (var k = 0u; k < DEPTH; k++) {{\n{}    }}\n", kStep);
  } else {
    s += fmt::format("    for (var base = 0u; base < DEPTH; base += {}u) {{\n", times);
    for (int i = 0; i < times; ++i) s += fmt::format("    {{\n      let k = base + {}u;\n{}    }}\n", i, kStep);
    s += "    }\n";
  }
  s += "    workgroupBarrier();\n  }\n";
  return s + (long_epilogue ? unrolled_stores(shape) : std::string(kStores));
}

}  // namespace tessera::codegen
