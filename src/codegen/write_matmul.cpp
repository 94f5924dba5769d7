// Matmuls: the header that gives kernels/matmul_tiled.wgsl its types, sizes, loads and the fused work on its results.
#include <algorithm>

#include <fmt/format.h>

#include "codegen/writers.h"
#include "kernels/kernels.h"
#include "schedule/operand.h"

namespace tessera::codegen {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// Whether four neighbours of an operand lie along k: a's columns, b's rows.
bool along_k(const Operand& x, bool is_a) {
  const char row = x.layout[x.layout.size() - 2];
  const char col = x.layout.back();
  return is_a ? col == '1' || row != '1' : row == '1' && col != '1';
}

/// The parameter words of an operand that is read through a map.
struct MapWords {
  MapWords(const Operand& x, int first) : counts(x.layout), at(first), each(3 + tests()) {}
  MapCounts counts;
  int at, each;
  [[nodiscard]] int tests() const { return static_cast<int>(counts.tests.size()); }
  /// The place among all dims of dim `d` of axis 0 (batch), 1 (rows) or 2 (columns).
  [[nodiscard]] int dim(int axis, int d) const {
    for (int i = 0; i < axis; ++i) d += rank(i);
    return d;
  }
  [[nodiscard]] int rank(int axis) const { return static_cast<int>(counts.classes[u(axis)].size()); }
  [[nodiscard]] int size(int i) const { return at + i * each; }
  [[nodiscard]] int stride(int i) const { return at + i * each + 2; }
  [[nodiscard]] int step(int i, int test) const { return at + i * each + 3 + test; }
  [[nodiscard]] int offset() const { return at + counts.dims() * each; }
  [[nodiscard]] int test(int t) const { return offset() + 1 + 2 * t; }
};

/// Statements that split `index` into the coordinates of one axis of a map, and add what they lead to: to the place
/// (named `tag`) and to each test's number (named `tag`t0, ..), which start from `base` and the names `from`t0, ...
std::string map_axis(const MapWords& w, int axis, const std::string& index, bool narrow, const std::string& tag,
                     const std::string& base, const std::string& from) {
  std::string s;
  std::string place = base;
  std::vector<std::string> tests;
  for (int t = 0; t < w.tests(); ++t) tests.push_back(from.empty() ? param(w.test(t)) : fmt::format("{}t{}", from, t));
  const auto term = [](char c, const std::string& coordinate, int word) {
    return c == '0' ? std::string{} : " + " + coordinate + (c == '1' ? "" : " * " + param(word));
  };
  std::string rest = index;
  for (int d = w.rank(axis) - 1; d >= 0; --d) {
    const int i = w.dim(axis, d);
    std::string coordinate = rest;
    if (d > 0) {
      const std::string q = fmt::format("{}q{}", tag, d);
      const std::string size = param(w.size(i));
      s += narrow ? fmt::format("let {} = u32((f32({}) + 0.5) * bitcast<f32>({}));\n", q, rest, param(w.size(i) + 1))
                  : fmt::format("let {} = {} / {};\n", q, rest, size);
      coordinate = fmt::format("{}c{}", tag, d);
      s += fmt::format("let {} = {} - {} * {};\n", coordinate, rest, q, size);
      rest = q;
    }
    place += term(w.counts.classes[u(axis)][u(d)], coordinate, w.stride(i));
    for (int t = 0; t < w.tests(); ++t) tests[u(t)] += term(w.counts.tests[u(t)][u(i)], coordinate, w.step(i, t));
  }
  s += fmt::format("let {} = {};\n", tag, place);
  for (int t = 0; t < w.tests(); ++t) s += fmt::format("let {}t{} = {};\n", tag, t, tests[u(t)]);
  return s;
}

/// A load of four values along k or across it, through the operand's map: zero outside the matrix and where a test
/// says so. What hangs on the outer index alone does not change from one tile to the next, so it leaves the loop.
std::string mapped_load_function(const Operand& x, const BufferForm& form, bool is_a, bool along, bool quads,
                                 bool narrow, int at, const std::string& outer_size) {
  const char* which = is_a ? "a" : "b";
  const MapWords w(x, at);
  const int outer_axis = is_a ? 1 : 2;
  const std::string k_size = param(3);
  const auto inside = [&](const std::string& tag) {
    std::string s;
    for (int t = 0; t < w.tests(); ++t) s += fmt::format(" && {}t{} < {}", tag, t, param(w.test(t) + 1));
    return s;  // below the window the number wraps to a large one
  };
  std::string s = fmt::format("fn load_{}(at: Batch, o: u32, k: u32) -> vec4<T> {{\n", which);
  const std::string base = fmt::format("at.{}", which);
  if (quads) {
    s += map_axis(w, outer_axis, "o", narrow, "m", base, "") + map_axis(w, 3 - outer_axis, "k", narrow, "l", "m", "m");
    s += fmt::format("if (!(o < {} && k < {}{})) {{ return vec4<T>(); }}\nlet q = l >> 2u;\n", outer_size, k_size,
                     inside("l"));
    return s + form.load_quad("q", "x") + "return vec4<T>(x0, x1, x2, x3);\n}\n";
  }
  s += "var r = vec4<T>();\n";
  const int fixed_axis = along ? outer_axis : 3 - outer_axis;
  s += map_axis(w, fixed_axis, along ? "o" : "k", narrow, "m", base, "");
  for (int j = 0; j < 4; ++j) {
    const std::string tag = fmt::format("l{}", j);
    s += fmt::format("let j{} = {} + {}u;\n", j, along ? "k" : "o", j);
    s += map_axis(w, 3 - fixed_axis, fmt::format("j{}", j), narrow, tag, "m", "m");
    const std::string o = along ? "o" : fmt::format("j{}", j);
    const std::string kk = along ? fmt::format("j{}", j) : "k";
    s += fmt::format("if ({} < {} && {} < {}{}) {{ r.{} = {}; }}\n", o, outer_size, kk, k_size, inside(tag), "xyzw"[j],
                     form.load(tag));
  }
  return s + "return r;\n}\n";
}

/// A load of four values along the operand's contiguous axis, zero outside the matrix.
std::string load_function(const Operand& x, const BufferForm& form, bool is_a, bool quads, int at,
                          const std::string& outer_size) {
  const char* which = is_a ? "a" : "b";
  const bool along = along_k(x, is_a);
  const int batch_rank = static_cast<int>(x.layout.size()) - 2;
  const int strides = at + 2 * batch_rank;
  const std::string outer_stride = param(is_a ? strides : strides + 1);  // of m or n
  const std::string k_stride = param(is_a ? strides + 1 : strides);
  const std::string k_size = param(3);
  std::string s = fmt::format("fn load_{}(at: Batch, o: u32, k: u32) -> vec4<T> {{\n", which);
  if (quads) {
    // Sizes along the contiguous axis are multiples of four, so a quad is inside or outside as a whole.
    const std::string offset = along ? fmt::format("o * {} + k", outer_stride) : fmt::format("k * {} + o", k_stride);
    s += fmt::format("if (o >= {} || k >= {}) {{ return vec4<T>(); }}\nlet q = (at.{} + {}) >> 2u;\n", outer_size,
                     k_size, which, offset);
    s += form.load_quad("q", "x") + "return vec4<T>(x0, x1, x2, x3);\n}\n";
    return s;
  }
  s += "var r = vec4<T>();\n";
  for (int j = 0; j < 4; ++j) {
    const std::string o = along ? "o" : fmt::format("(o + {}u)", j);
    const std::string kk = along ? fmt::format("(k + {}u)", j) : "k";
    const std::string index = fmt::format("i{}", j);
    s += fmt::format("if ({} < {} && {} < {}) {{ let {} = at.{} + {} * {} + {} * {}; r.{} = {}; }}\n", o, outer_size,
                     kk, k_size, index, which, o, outer_stride, kk, k_stride, "xyzw"[j], form.load(index));
  }
  return s + "return r;\n}\n";
}

std::string batch_offset(const Operand& x, int at) {
  if (x.mapped()) {
    const MapWords w(x, at);
    std::string text = fmt::format("{{ var r = z; var o = {};\n", param(w.offset()));
    for (int d = w.rank(0) - 1; d >= 0; --d) {
      text += fmt::format("o += (r % {0}) * {1}; r = r / {0};\n", param(w.size(d)), param(w.stride(d)));
    }
    return text;
  }
  const int rank = static_cast<int>(x.layout.size()) - 2;
  std::string s = param(at + 2 * rank + 2);  // the offset
  std::string text = fmt::format("{{ var r = z; var o = {};\n", s);
  for (int d = rank - 1; d >= 0; --d) {
    text += fmt::format("o += (r % {0}) * {1}; r = r / {0};\n", param(at + 2 * d), param(at + 2 * d + 1));
  }
  return text;
}

/// The work on four neighbouring results of one row, and their stores.
std::string store_function(const Kernel& k, const Written& w, bool quads, const std::string& end_m,
                           const std::string& end_n) {
  Body body(k, w.inputs, 0);
  std::string s = "fn store_c(z: u32, m: u32, n: u32, c: vec4<T>) {\n";
  s += fmt::format("if (m >= {} || n >= {}) {{ return; }}\nlet row = z * {} + m;\n", end_m, end_n, param(1));
  if (quads) {
    s += fmt::format("let q = (row * {} + n) >> 2u;\n", param(2));
    std::array<Place, 4> places;
    for (int t = 0; t < 4; ++t) {
      s += fmt::format("let e{0} = 4u * q + {0}u;\nlet n{0} = n + {0}u;\n", t);
      places[u(t)] = {fmt::format("_{}", t),         fmt::format("e{}", t), "row", fmt::format("n{}", t), "q", t,
                      fmt::format("c.{}", "xyzw"[t])};
    }
    std::string stores;
    for (const Store& x : k.stores) {
      std::array<std::string, 4> values;
      for (std::size_t t = 0; t < 4; ++t) values[t] = body.value(x.instr, places[t], s);
      stores += w.outputs[u(x.slot)].store_quad("q", values);
    }
    return s + stores + "}\n";
  }
  s += fmt::format(
      "for (var t = 0u; t < 4u; t++) {{\nlet col = n + t;\nif (col < {}) {{\nlet e = row * {} + col;\nlet value = "
      "c[t];\n",
      end_n, param(2));
  const Place place{"_e", "e", "row", "col", {}, 0, "value"};
  std::string stores;
  for (const Store& x : k.stores) {
    const std::string v = body.value(x.instr, place, s);
    stores += w.outputs[u(x.slot)].store("e", v);
  }
  return s + stores + "}\n}\n}\n";
}

/// The same of a mapped operand too: it takes the axis whose innermost dim lies contiguous and is longer.
bool along_k(const Operand& x, const Binding& b, int at, bool is_a) {
  if (!x.mapped()) return along_k(x, is_a);
  const MapWords w(x, at);
  const auto run = [&](int axis) -> std::uint32_t {
    const int d = w.rank(axis) - 1;
    if (d < 0 || w.counts.classes[u(axis)].back() != '1') return 0;
    return b.params[u(w.size(w.dim(axis, d)))];
  };
  const std::uint32_t rows = run(1);
  const std::uint32_t cols = run(2);
  return is_a ? cols >= rows : rows > cols;
}

/// Whether four neighbours along a mapped operand's contiguous axis are always one quad of its buffer.
bool aligned_map(const Operand& x, const Binding& b, int at, bool is_a, std::size_t element_size) {
  const MapWords w(x, at);
  const int axis = is_a == along_k(x, b, at, is_a) ? 2 : 1;
  const auto word = [&](int i) { return b.params[u(i)]; };
  const int inner = w.rank(axis) - 1;
  if (element_size > 4 || inner < 0 || word(w.offset()) % 4 != 0) return false;
  const int unit = w.dim(axis, inner);
  if (word(w.stride(unit)) != 1 || word(w.size(unit)) % 4 != 0) return false;
  for (int t = 0; t < w.tests(); ++t) {
    if (word(w.step(unit, t)) != 0) return false;
  }
  for (int i = 0; i < w.counts.dims(); ++i) {
    if (i != unit && word(w.stride(i)) % 4 != 0) return false;
  }
  return b.windowed ? (is_a ? b.first_m : b.first_n) % 4 == 0 : true;
}

}  // namespace

MatmulShape matmul_shape(const Kernel& kernel, const Binding& b, const DeviceInfo& device) {
  MatmulShape s;
  const auto groups = [&](std::int64_t tm, std::int64_t tn) {
    return ((b.m + tm - 1) / tm) * ((b.n + tn - 1) / tn) * b.batch;
  };
  const bool small = device.limits.max_workgroup_memory < 16384 || device.limits.max_workgroup_size < 256;
  // Measured on a large GPU: 128 x 128 wants short tiles to keep its registers, smaller ones want deeper tiles.
  s.depth = 8;
  if (b.m <= 32) {
    s.ty = 8, s.tx = 32, s.rm = 1, s.rn = 1, s.depth = 16;
  } else if (b.n <= 32) {
    s.ty = 32, s.tx = 8, s.rm = 1, s.rn = 1, s.depth = 16;
  } else if (!small && b.m <= 64 && groups(64, 128) >= 96) {
    s.ty = 8, s.tx = 32, s.rm = 2, s.rn = 1, s.depth = 16;  // half of a larger tile would be empty
  } else if (!small && b.n <= 64 && groups(128, 64) >= 96) {
    s.ty = 16, s.tx = 16, s.rm = 2, s.rn = 1, s.depth = 16;
  } else if (small || groups(128, 128) < 96) {
    s.rm = 1, s.rn = 1, s.depth = 16;
    if (!small && groups(64, 128) >= 96) s.ty = 8, s.tx = 32, s.rm = 2;
  }
  if (device.limits.max_workgroup_size < 256) s.ty = 8, s.tx = 8, s.rm = 1, s.rn = 1;
  // Whole quads need strides, offsets and sizes that are multiples of four.
  const ParamLayout layout(kernel);
  s.along_k_a = along_k(kernel.a, b, layout.operand_at[0], true);
  s.along_k_b = along_k(kernel.b, b, layout.operand_at[1], false);
  constexpr std::int64_t kNarrow = std::int64_t{1} << 21;  // (x + 0.5) / size is far enough from whole numbers in f32
  s.narrow = std::max({b.first_m + b.m, b.first_n + b.n, b.k}) < kNarrow - 1024;
  const auto aligned = [&](const Operand& x, int at, bool is_a) {
    if (x.mapped()) return aligned_map(x, b, at, is_a, size_of(kernel.inputs[u(x.slot)].dtype));
    const int rank = static_cast<int>(x.layout.size()) - 2;
    const auto word = [&](int i) { return b.params[u(at + i)]; };
    if (size_of(kernel.inputs[u(x.slot)].dtype) > 4) return false;
    const bool along = along_k(x, is_a);
    const std::int64_t inner = along ? b.k : (is_a ? b.m | b.first_m : b.n | b.first_n);
    const std::uint32_t row = word(2 * rank);
    const std::uint32_t col = word(2 * rank + 1);
    const std::uint32_t unit = (is_a ? along : !along) ? col : row;
    const std::uint32_t far = (is_a ? along : !along) ? row : col;
    bool ok = unit == 1 && far % 4 == 0 && word(2 * rank + 2) % 4 == 0 && inner % 4 == 0;
    for (int d = 0; d < rank; ++d) ok = ok && word(2 * d + 1) % 4 == 0;
    return ok;
  };
  s.quads_a = aligned(kernel.a, layout.operand_at[0], true);
  s.quads_b = aligned(kernel.b, layout.operand_at[1], false);
  s.quads_c = b.params[2] % 4 == 0;  // columns start and end in quads
  s.windowed = b.windowed;
  return s;
}

Written write_matmul(const Kernel& kernel, const MatmulShape& shape, bool native_f16) {
  Written w = plain_forms(kernel, native_f16, shape.windowed);
  const ParamLayout layout(kernel);
  std::vector<char> whole(kernel.inputs.size(), 1);
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const int slot = static_cast<int>(i);
    for (const Instr& x : kernel.instrs) {
      if (x.kind == Instr::Kind::kLoad && x.slot == slot && (x.index != 0 || !shape.quads_c)) whole[i] = 0;
    }
    if (kernel.a.slot == slot && !shape.quads_a) whole[i] = 0;
    if (kernel.b.slot == slot && !shape.quads_b) whole[i] = 0;
    w.inputs[i].quad = whole[i] != 0;
  }
  for (BufferForm& form : w.outputs) {
    form.quad = shape.quads_c;
    form.atomic = form.packed() && !shape.quads_c;
  }
  const std::string t = value_type(kernel.inputs[u(kernel.a.slot)].dtype);
  w.text += fmt::format("alias T = {};\nstruct Batch {{ a: u32, b: u32 }}\n", t);
  w.text += fmt::format(
      "const TY: u32 = {}u;\nconst TX: u32 = {}u;\nconst RM: u32 = {}u;\nconst RN: u32 = {}u;\nconst DEPTH: u32 = "
      "{}u;\nconst A_ALONG_K: bool = {};\nconst B_ALONG_K: bool = {};\n",
      shape.ty, shape.tx, shape.rm, shape.rn, shape.depth, shape.along_k_a, shape.along_k_b);
  // A pitch beyond the tile's width keeps transposed stores off each other's banks.
  w.text += fmt::format("const PITCH_A: u32 = {}u;\nconst PITCH_B: u32 = {}u;\n",
                        shape.tile_m() / 4 + (shape.along_k_a ? 1 : 0), shape.tile_n() / 4 + (shape.along_k_b ? 1 : 0));
  // Written as a product and a sum it would not become one instruction everywhere.
  w.text += fmt::format("fn mad(a: T, b: vec4<T>, c: vec4<T>) -> vec4<T> {{ return {}; }}\n",
                        t == "f32" ? "fma(vec4<T>(a), b, c)" : "a * b + c");
  w.text += fmt::format("fn size_k() -> u32 {{ return {}; }}\n", param(3));
  w.text += "fn locate(z: u32) -> Batch {\nvar at: Batch;\n" + batch_offset(kernel.a, layout.operand_at[0]) +
            "at.a = o; }\n" + batch_offset(kernel.b, layout.operand_at[1]) + "at.b = o; }\nreturn at;\n}\n";
  const int piece = layout.words;  // windowed: matrix, m, n, end of m, end of n
  const std::string end_m = param(shape.windowed ? piece + 3 : 1);
  const std::string end_n = param(shape.windowed ? piece + 4 : 2);
  const auto load = [&](const Operand& x, bool is_a) {
    const BufferForm& form = w.inputs[u(x.slot)];
    const bool quads = (is_a ? shape.quads_a : shape.quads_b) && form.quad;
    const int at = layout.operand_at[is_a ? 0 : 1];
    const std::string& end = is_a ? end_m : end_n;
    return x.mapped() ? mapped_load_function(x, form, is_a, is_a ? shape.along_k_a : shape.along_k_b, quads,
                                             shape.narrow, at, end)
                      : load_function(x, form, is_a, quads, at, end);
  };
  w.text += load(kernel.a, true) + load(kernel.b, false);
  w.text += store_function(kernel, w, shape.quads_c, end_m, end_n);
  w.text += "fn origin(group: vec3<u32>) -> vec3<u32> {\nreturn group * vec3<u32>(TILE_N, TILE_M, 1u)";
  if (shape.windowed) {
    w.text += fmt::format(" + vec3<u32>({}, {}, {})", param(piece + 2), param(piece + 1), param(piece));
  }
  w.text += ";\n}\n";
  w.text += kernels::wgsl("matmul_tiled");
  return w;
}

}  // namespace tessera::codegen
