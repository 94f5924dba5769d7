// load_a and load_b, and the start of each operand's matrix.
#include "codegen/matmul/matmul_operand.h"

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/op.h"

namespace tessera::codegen {

namespace {

/// Whether four neighbors of an operand are contiguous along k: a's columns, b's rows.
bool strided_along_k(const StridedLayout& x, bool is_a) {
  return is_a ? x.contiguous_along_row() || !x.contiguous_along_col()
              : x.contiguous_along_col() && !x.contiguous_along_row();
}

/// The parameter words of an im2col view.
struct Im2colWords {
  Im2colWords(const Operand& x, int first) : layout(x.layout.im2col()), at(first), each(3 + tests()) {}
  const Im2colLayout& layout;
  int at, each;
  [[nodiscard]] int tests() const { return layout.test_count(); }
  /// The position among all dims of dim `d` of axis 0 (batch), 1 (rows) or 2 (columns).
  [[nodiscard]] int dim(int axis, int d) const {
    for (int i = 0; i < axis; ++i) d += rank(i);
    return d;
  }
  [[nodiscard]] int rank(int axis) const { return layout.rank(axis); }
  [[nodiscard]] int size(int i) const { return at + i * each; }
  [[nodiscard]] int stride(int i) const { return at + i * each + 2; }
  [[nodiscard]] int step(int i, int test) const { return at + i * each + 3 + test; }
  [[nodiscard]] int offset() const { return at + layout.dims() * each; }
  [[nodiscard]] int test(int t) const { return offset() + 1 + 2 * t; }
  /// Whether a bounds check starts at another value in each matrix of the batch.
  [[nodiscard]] bool by_batch(int t) const { return !layout.tests[as_index(t)][Im2colLayout::kBatch].all_zero(); }
};

/// Statements that split `index` into the coordinates of one axis of an im2col view, and add their contributions to the
/// buffer position (named `tag`) and to the value of each bounds check (named `tag`t0, ..). The sums start from `base`
/// and the names `from`t0, ..; from zero if both are "0u"; and if `from` is empty, from the checks' starts in the
/// matrix at `base`.
std::string map_axis(const Im2colWords& w, int axis, const std::string& index, bool narrow, const std::string& tag,
                     const std::string& base, const std::string& from) {
  std::string s;
  std::string place = base;
  std::vector<std::string> tests;
  for (int t = 0; t < w.tests(); ++t) {
    const std::string own = w.by_batch(t) ? fmt::format("{}t{}", base, t) : param(w.test(t));
    tests.push_back(from.empty() ? own : (from == "0u" ? from : fmt::format("{}t{}", from, t)));
  }
  const auto term = [](StrideClass c, const std::string& coordinate, int word) {
    if (c == StrideClass::kZero) return std::string{};
    return " + " + coordinate + (c == StrideClass::kOne ? "" : " * " + param(word));
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
    place += term(w.layout.strides[as_index(axis)][as_index(d)], coordinate, w.stride(i));
    for (int t = 0; t < w.tests(); ++t)
      tests[as_index(t)] += term(w.layout.tests[as_index(t)][as_index(axis)][as_index(d)], coordinate, w.step(i, t));
  }
  s += fmt::format("let {} = {};\n", tag, place);
  for (int t = 0; t < w.tests(); ++t) s += fmt::format("let {}t{} = {};\n", tag, t, tests[as_index(t)]);
  return s;
}

/// The four values x0 .. x3 as a vector of L, the type of loads.
const char* gathered(const OperandAccess& access) {
  return access.half ? "vec4<L>(vec4<f32>(x0, x1, x2, x3))" : "vec4<L>(x0, x1, x2, x3)";
}

/// A statement that returns the quad `q`.
std::string give_quad(const BufferForm& form, const OperandAccess& access) {
  if (access.half && holds_half_quads(form)) return fmt::format("return {}[q];\n}}\n", form.name);
  return form.load_quad("q", "x") + fmt::format("return {};\n}}\n", gathered(access));
}

std::string element(const BufferForm& form, const OperandAccess& access, const std::string& index) {
  return access.half ? fmt::format("L({})", form.load(index)) : form.load(index);
}

/// A load of four values along k or across it, through an im2col view: zero outside the matrix and where a bounds check
/// fails. Terms of the outer index alone are loop-invariant, so the compiler hoists them.
std::string im2col_load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at) {
  const bool along = access.along_k;
  const bool narrow = access.narrow;
  const std::string& outer_size = access.end;
  const char* which = access.is_a ? "a" : "b";
  const Im2colWords w(x, at);
  const int outer_axis = access.is_a ? 1 : 2;
  const std::string k_size = param(3);
  const auto inside = [&](const std::string& tag) {
    std::string s;
    for (int t = 0; t < w.tests(); ++t) s += fmt::format(" && {}t{} < {}", tag, t, param(w.test(t) + 1));
    return s;  // below the range the value wraps to a large one
  };
  std::string s = fmt::format("fn load_{}{}(at: Batch, o: u32, k: u32) -> vec4<L> {{\n", which, access.tag);
  const std::string base = fmt::format("at.{}", which);
  if (access.quads) {
    s += map_axis(w, outer_axis, "o", narrow, "m", base, "") + map_axis(w, 3 - outer_axis, "k", narrow, "l", "m", "m");
    s += fmt::format("if (!(o < {} && k < {}{})) {{ return vec4<L>(); }}\nlet q = l >> 2u;\n", outer_size, k_size,
                     inside("l"));
    return s + give_quad(form, access);
  }
  s += "var r = vec4<L>();\n";
  const int fixed_axis = along ? outer_axis : 3 - outer_axis;
  s += map_axis(w, fixed_axis, along ? "o" : "k", narrow, "m", base, "");
  for (int j = 0; j < 4; ++j) {
    const std::string tag = fmt::format("l{}", j);
    s += fmt::format("let j{} = {} + {}u;\n", j, along ? "k" : "o", j);
    s += map_axis(w, 3 - fixed_axis, fmt::format("j{}", j), narrow, tag, "m", "m");
    const std::string o = along ? "o" : fmt::format("j{}", j);
    const std::string kk = along ? fmt::format("j{}", j) : "k";
    s += fmt::format("if ({} < {} && {} < {}{}) {{ r.{} = {}; }}\n", o, outer_size, kk, k_size, inside(tag), "xyzw"[j],
                     element(form, access, tag));
  }
  return s + "return r;\n}\n";
}

/// A load of four values along the operand's contiguous axis.
std::string strided_load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at) {
  const char* which = access.is_a ? "a" : "b";
  const bool along = access.along_k;
  const std::string far = outer_stride(x, at, access.is_a);
  const std::string deep = k_stride(x, at, access.is_a);
  const std::string k_size = param(3);
  std::string s = fmt::format("fn load_{}{}(at: Batch, o: u32, k: u32) -> vec4<L> {{\n", which, access.tag);
  if (access.quads) {
    using enum OperandAccess::Beyond;
    // Sizes along the contiguous axis are multiples of four, so a quad is entirely inside or outside.
    const std::string inner =
        access.beyond == kAnything ? fmt::format("min(o, {} - {}u)", access.end, along ? 1 : 4) : "o";
    std::string test = access.beyond == kZero ? fmt::format("o >= {}", access.end) : "";
    if (!access.whole_k) test += fmt::format("{}k >= {}", test.empty() ? "" : " || ", k_size);
    if (!test.empty()) s += fmt::format("if ({}) {{ return vec4<L>(); }}\n", test);
    s += fmt::format("let q = (at.{} + {}) >> 2u;\n", which,
                     along ? fmt::format("{} * {} + k", inner, far) : fmt::format("k * {} + {}", deep, inner));
    return s + give_quad(form, access);
  }
  s += "var r = vec4<L>();\n";
  for (int j = 0; j < 4; ++j) {
    const std::string o = along ? "o" : fmt::format("(o + {}u)", j);
    const std::string kk = along ? fmt::format("(k + {}u)", j) : "k";
    const std::string index = fmt::format("i{}", j);
    s += fmt::format("if ({} < {} && {} < {}) {{ let {} = at.{} + {} * {} + {} * {}; r.{} = {}; }}\n", o, access.end,
                     kk, k_size, index, which, o, far, kk, deep, "xyzw"[j], element(form, access, index));
  }
  return s + "return r;\n}\n";
}

/// Whether four neighbors along the contiguous axis of an im2col view are always one aligned quad of its buffer.
bool aligned_im2col(const Operand& x, const Binding& b, int at, bool is_a, std::size_t element_size) {
  const Im2colWords w(x, at);
  const int axis = is_a == along_k(x, b, at, is_a) ? 2 : 1;
  const auto word = [&](int i) { return b.params[as_index(i)]; };
  const int inner = w.rank(axis) - 1;
  if (element_size > 4 || inner < 0 || word(w.offset()) % 4 != 0) return false;
  const int unit = w.dim(axis, inner);
  if (word(w.stride(unit)) != 1 || word(w.size(unit)) % 4 != 0) return false;
  for (int t = 0; t < w.tests(); ++t) {
    if (word(w.step(unit, t)) != 0) return false;
  }
  for (int i = 0; i < w.layout.dims(); ++i) {
    if (i != unit && word(w.stride(i)) % 4 != 0) return false;
  }
  return b.chunked ? (is_a ? b.first_m : b.first_n) % 4 == 0 : true;
}

}  // namespace

bool holds_half_quads(const BufferForm& form) {
  return form.dtype == DType::kF16 && form.has_vec4() && form.quad && form.range_at < 0;
}

std::string outer_stride(const Operand& x, int at, bool is_a) {
  return param(at + 2 * x.layout.strided().batch_axes + (is_a ? 0 : 1));
}

std::string k_stride(const Operand& x, int at, bool is_a) {
  return param(at + 2 * x.layout.strided().batch_axes + (is_a ? 1 : 0));
}

bool along_k(const Operand& x, const Binding& b, int at, bool is_a) {
  if (!x.is_im2col()) return strided_along_k(x.layout.strided(), is_a);
  const Im2colWords w(x, at);
  const auto run = [&](int axis) -> std::uint32_t {
    const int d = w.rank(axis) - 1;
    if (!w.layout.strides[as_index(axis)].ends_with(StrideClass::kOne)) return 0;
    return b.params[as_index(w.size(w.dim(axis, d)))];
  };
  const std::uint32_t rows = run(1);
  const std::uint32_t cols = run(2);
  return is_a ? cols >= rows : rows > cols;
}

bool reads_quads(const Kernel& kernel, const Binding& b, int at, bool is_a) {
  const Operand& x = is_a ? kernel.a : kernel.b;
  const std::size_t element_size = size_of(x.dtype);
  if (x.is_im2col()) return aligned_im2col(x, b, at, is_a, element_size);
  const int rank = x.layout.strided().batch_axes;
  const auto word = [&](int i) { return b.params[as_index(at + i)]; };
  if (element_size > 4) return false;
  const bool along = strided_along_k(x.layout.strided(), is_a);
  const std::int64_t inner = along ? b.k : (is_a ? b.m | b.first_m : b.n | b.first_n);
  const std::uint32_t row = word(2 * rank);
  const std::uint32_t col = word(2 * rank + 1);
  const std::uint32_t unit = (is_a ? along : !along) ? col : row;
  const std::uint32_t far = (is_a ? along : !along) ? row : col;
  bool ok = unit == 1 && far % 4 == 0 && word(2 * rank + 2) % 4 == 0 && inner % 4 == 0;
  for (int d = 0; d < rank; ++d) ok = ok && word(2 * d + 1) % 4 == 0;
  return ok;
}

std::string Im2colReader::outer(const std::string& index, const std::string& tag) const {
  const bool clamped = access_.beyond == OperandAccess::Beyond::kAnything;
  const std::string last = fmt::format("{} - {}u", access_.end, access_.quads && !access_.along_k ? 4 : 1);
  return map_axis(Im2colWords(operand_, at_), access_.is_a ? 1 : 2,
                  clamped ? fmt::format("min({}, {})", index, last) : index, access_.narrow, tag,
                  access_.is_a ? "batch.a" : "batch.b", "");
}

std::string Im2colReader::inner(const std::string& k, const std::string& tag) const {
  return map_axis(Im2colWords(operand_, at_), access_.is_a ? 2 : 1, k, access_.narrow, tag, "0u", "0u");
}

std::string Im2colReader::load(const std::string& to, const std::string& outer, const std::string& inner,
                               const std::string& k) const {
  const Im2colWords w(operand_, at_);
  std::string inside = access_.whole_k ? "true" : fmt::format("{} < {}", k, param(3));
  // Below the range the value wraps to a large one.
  for (int t = 0; t < w.tests(); ++t)
    inside += fmt::format(" && {0}t{2} + {1}t{2} < {3}", outer, inner, t, param(w.test(t) + 1));
  const bool tested = inside != "true";
  std::string s = "{\n";
  if (tested) s += fmt::format("let ok = {};\n", inside);
  s += tested ? fmt::format("let i = select(0u, {} + {}, ok);\n", outer, inner)
              : fmt::format("let i = {} + {};\n", outer, inner);
  const char* zero = access_.quads ? "vec4<L>()" : "L()";
  std::string value;
  if (access_.quads) {
    const bool as_it_is = holds_half_quads(form_);
    s += "let q = i >> 2u;\n";
    if (!as_it_is) s += form_.load_quad("q", "x");
    value = as_it_is ? fmt::format("{}[q]", form_.name) : gathered(access_);
  } else {
    value = element(form_, access_, "i");
  }
  return s + (tested ? fmt::format("{} = select({}, {}, ok);\n}}\n", to, zero, value)
                     : fmt::format("{} = {};\n}}\n", to, value));
}

std::string load_function(const Operand& x, const BufferForm& form, const OperandAccess& access, int at) {
  return x.is_im2col() ? im2col_load_function(x, form, access, at) : strided_load_function(x, form, access, at);
}

std::string batch_fields(const Operand& x, int at, bool is_a) {
  const char* which = is_a ? "a" : "b";
  std::string text = fmt::format("{}: u32, ", which);
  if (!x.is_im2col()) return text;
  const Im2colWords w(x, at);
  for (int t = 0; t < w.tests(); ++t) {
    if (w.by_batch(t)) text += fmt::format("{}t{}: u32, ", which, t);
  }
  return text;
}

std::string batch_place(const Operand& x, int at, bool is_a) {
  const char* which = is_a ? "a" : "b";
  struct Sum {
    std::string name;
    int start, dim;  // words of its start, and of the step along the first dim
  };
  std::vector<Sum> sums;
  int rank = 0;
  int each = 2;  // words of a dim
  if (x.is_im2col()) {
    const Im2colWords w(x, at);
    rank = w.rank(0);
    each = w.each;
    sums.push_back({which, w.offset(), w.stride(0)});
    for (int t = 0; t < w.tests(); ++t) {
      if (w.by_batch(t)) sums.push_back({fmt::format("{}t{}", which, t), w.test(t), w.step(0, t)});
    }
  } else {
    rank = x.layout.strided().batch_axes;
    sums.push_back({which, at + 2 * rank + 2, at + 1});
  }
  std::string text = "{ var r = z;\n";
  for (const Sum& sum : sums) text += fmt::format("at.{} = {};\n", sum.name, param(sum.start));
  for (int d = rank - 1; d >= 0; --d) {
    for (const Sum& sum : sums) {
      text += fmt::format("at.{} += (r % {}) * {};\n", sum.name, param(at + d * each), param(sum.dim + d * each));
    }
    text += fmt::format("r = r / {};\n", param(at + d * each));
  }
  return text + "}\n";
}

}  // namespace tessera::codegen
