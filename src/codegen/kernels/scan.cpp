// Scans: the operator and the access to a segment as text, in front of kernels/sort/scan*.wgsl.
#include "schedule/calls/scan.h"

#include <fmt/format.h>

#include "codegen/buffers.h"
#include "codegen/kernels/kernel_text.h"
#include "codegen/kernels/parts.h"
#include "kernels/kernels.h"

namespace tessera::codegen {

namespace {

using schedule::ScanVariant;

/// T, identity(), combine(), lift() from an element, lower() to one, save() and restore() of words.
std::string operator_text(ops::ScanKind s, DType t) {
  const bool wide = size_of(t) == 8;
  const std::string e = value_type(t);
  const auto zero = [&](int v) { return wide ? fmt::format("vec2<u32>({}u, 0u)", v) : fmt::format("{}({})", e, v); };
  std::string text = fmt::format("alias E = {};\n", e);
  if (s == ops::ScanKind::kSum || s == ops::ScanKind::kProd) {
    const bool sum = s == ops::ScanKind::kSum;
    const std::string combine =
        wide ? fmt::format("{}_{}(a, b)", name(t), sum ? "add" : "multiply") : (sum ? "a + b" : "a * b");
    text += fmt::format(
        "alias T = E;\nfn identity() -> T {{ return {}; }}\nfn combine(a: T, b: T) -> T {{ return {}; }}\n"
        "fn lift(v: E, at: u32) -> T {{ return v; }}\nfn lower(v: T) -> E {{ return v; }}\n",
        zero(sum ? 0 : 1), combine);
    text +=
        wide ? "fn pack(v: T) -> vec2<u32> { return v; }\nfn unpack(w: vec2<u32>) -> T { return w; }\n"
             : "fn pack(v: T) -> u32 { return bitcast<u32>(v); }\nfn unpack(w: u32) -> T { return bitcast<T>(w); }\n";
    return text;
  }
  if (s == ops::ScanKind::kLogSumExp) {  // the largest so far, and the sum of exp(x - largest)
    return text +
           R"(alias T = vec2<f32>;
fn identity() -> T { return vec2<f32>(-inf_f32(), 0.0); }
fn combine(a: T, b: T) -> T {
  let m = max_f32(a.x, b.x);
  if (!is_finite_f32(m)) { return vec2<f32>(m, 1.0); }
  return vec2<f32>(m, a.y * exp_f32(a.x - m) + b.y * exp_f32(b.x - m));
}
fn lift(v: E, at: u32) -> T { return vec2<f32>(v, 1.0); }
fn lower(v: T) -> E {
  if (!is_finite_f32(v.x)) { return v.x; }
  return v.x + log_f32(v.y);
}
fn pack(v: T) -> vec2<u32> { return bitcast<vec2<u32>>(v); }
fn unpack(w: vec2<u32>) -> T { return bitcast<vec2<f32>>(w); }
)";
  }
  const bool max = s == ops::ScanKind::kMax;
  const std::string later = wide ? fmt::format("{}_{}(b.value, a.value)", name(t), max ? "greater_equal" : "less_equal")
                                 : fmt::format("b.value {} a.value", max ? ">=" : "<=");
  text +=
      fmt::format("struct T {{ value: E, at: u32 }}\nfn identity() -> T {{ return T({}, 0xffffffffu); }}\n", zero(0));
  text += "fn combine(a: T, b: T) -> T {\n  if (b.at == 0xffffffffu) { return a; }\n";
  if (t == DType::kF32) {
    text +=
        "  if (a.at == 0xffffffffu || is_nan_f32(b.value)) { return b; }\n  if (is_nan_f32(a.value)) { return a; }\n";
  } else {
    text += "  if (a.at == 0xffffffffu) { return b; }\n";
  }
  text += fmt::format("  if ({}) {{ return b; }}\n  return a;\n}}\n", later);
  text += "fn lift(v: E, at: u32) -> T { return T(v, at); }\nfn lower(v: T) -> E { return v.value; }\n";
  text += wide ? "fn pack(v: T) -> vec4<u32> { return vec4<u32>(v.value, v.at, 0u); }\n"
                 "fn unpack(w: vec4<u32>) -> T { return T(w.xy, w.z); }\n"
               : "fn pack(v: T) -> vec2<u32> { return vec2<u32>(bitcast<u32>(v.value), v.at); }\n"
                 "fn unpack(w: vec2<u32>) -> T { return T(bitcast<E>(w.x), w.y); }\n";
  return text;
}

std::string restore_text(const char* function, const char* from, std::uint32_t words) {
  const std::string head = fmt::format("fn {}(i: u32) -> T {{ return unpack(", function);
  if (words == 1) return fmt::format("{}{}[i]); }}\n", head, from);
  if (words == 2) return fmt::format("{0}vec2<u32>({1}[2u * i], {1}[2u * i + 1u])); }}\n", head, from);
  return fmt::format("{0}vec4<u32>({1}[4u * i], {1}[4u * i + 1u], {1}[4u * i + 2u], 0u)); }}\n", head, from);
}

std::string save_text(const char* to, std::uint32_t words) {
  std::string text = "fn save(i: u32, v: T) {\n  let w = pack(v);\n";
  if (words == 1) return text + fmt::format("  {}[i] = w;\n}}\n", to);
  for (std::uint32_t k = 0; k < words; ++k) text += fmt::format("  {0}[{1}u * i + {2}u] = w[{2}u];\n", to, words, k);
  return text + "}\n";
}

/// load_quad(row, e), by elements.
std::string element_loads(const ScanVariant& v) {
  return row_index("x", v.strided) +
         fmt::format(
             "fn load_at(row: u32, e: u32) -> T {{\n  if (e >= params.cols) {{ return identity(); }}\n"
             "  return lift(x[x_at(row, {})], e);\n}}\nfn load_quad(row: u32, e: u32) -> Quad {{\n"
             "  return Quad(load_at(row, e), load_at(row, e + 1u), load_at(row, e + 2u), load_at(row, e + 3u));\n}}\n",
             v.reverse ? "params.cols - 1u - e" : "e");
}

/// load_quad(row, e) and, with outputs, store_quad(row, e, q), for elements e.. e + 3 in the order of the scan.
std::string access_text(const ScanVariant& v) {
  const bool stores = v.step != ops::ScanStep::kTotals;
  if (v.step == ops::ScanStep::kOfTotals) {
    return R"(fn load_at(row: u32, e: u32) -> T {
  if (e >= params.cols) { return identity(); }
  return restore(row * params.cols + e);
}
fn load_quad(row: u32, e: u32) -> Quad {
  return Quad(load_at(row, e), load_at(row, e + 1u), load_at(row, e + 2u), load_at(row, e + 3u));
}
fn store_at(row: u32, e: u32, v: T) {
  if (e < params.cols) { save(row * params.cols + e, v); }
}
fn store_quad(row: u32, e: u32, q: Quad) {
  store_at(row, e, q.a);
  store_at(row, e + 1u, q.b);
  store_at(row, e + 2u, q.c);
  store_at(row, e + 3u, q.d);
}
)";
  }
  if (v.quads) {
    const std::string at =
        v.reverse ? "(row * params.cols + params.cols - 4u - e) >> 2u" : "(row * params.cols + e) >> 2u";
    const auto lane = [&](int i) { return "xyzw"[v.reverse ? 3 - i : i]; };
    const auto value = [&](int i) { return "abcd"[v.reverse ? 3 - i : i]; };
    std::string text =
        v.strided
            ? element_loads(v)
            : fmt::format(
                  "fn load_quad(row: u32, e: u32) -> Quad {{\n"
                  "  if (e >= params.cols) {{ return Quad(identity(), identity(), identity(), identity()); }}\n"
                  "  let v = x_quads[{}];\n"
                  "  return Quad(lift(v.{}, e), lift(v.{}, e + 1u), lift(v.{}, e + 2u), lift(v.{}, e + 3u));\n}}\n",
                  at, lane(0), lane(1), lane(2), lane(3));
    if (!stores) return text;
    text += fmt::format(
        "fn store_quad(row: u32, e: u32, q: Quad) {{\n  if (e >= params.cols) {{ return; }}\n"
        "  y_quads[{}] = vec4<E>(lower(q.{}), lower(q.{}), lower(q.{}), lower(q.{}));\n",
        at, value(0), value(1), value(2), value(3));
    if (with_index(v.kind)) {
      text += fmt::format("  at_quads[{}] = vec4<i32>(vec4<u32>(q.{}.at, q.{}.at, q.{}.at, q.{}.at));\n", at, value(0),
                          value(1), value(2), value(3));
    }
    return text + "}\n";
  }
  const char* at = v.reverse ? "row * params.cols + params.cols - 1u - e" : "row * params.cols + e";
  std::string text = element_loads(v);
  if (!stores) return text;
  return text + fmt::format(
                    "fn store_at(row: u32, e: u32, v: T) {{\n  if (e >= params.cols) {{ return; }}\n  let i = {};\n"
                    "  y[i] = lower(v);\n{}}}\nfn store_quad(row: u32, e: u32, q: Quad) {{\n"
                    "  store_at(row, e, q.a);\n  store_at(row, e + 1u, q.b);\n  store_at(row, e + 2u, q.c);\n"
                    "  store_at(row, e + 3u, q.d);\n}}\n",
                    at, with_index(v.kind) ? "  at[i] = i32(v.at);\n" : "");
}

std::string scan_text(const Attributes& variant) {
  const auto v = from_attributes<ScanVariant>(variant);
  const std::uint32_t words = running_words(v.kind, v.dtype);
  const bool totals = v.step == ops::ScanStep::kTotals;
  const bool of_totals = v.step == ops::ScanStep::kOfTotals;
  const bool carries = v.step == ops::ScanStep::kWithCarry;
  std::string text = operator_text(v.kind, v.dtype) + access_text(v);
  if (of_totals) text += restore_text("restore", "totals", words);
  if (totals || of_totals) text += save_text("sums", words);
  if (!totals) {
    text += carries ? restore_text("first_carry", "carries", words)
                    : "fn first_carry(i: u32) -> T { return identity(); }\n";
    text += fmt::format("const exclusive = {};\nconst backward = {};\n", of_totals || v.exclusive, carries);
  }
  text += kernels::wgsl("scan_group");
  text += kernels::wgsl(totals ? "scan_totals" : "scan");
  return text;
}

}  // namespace

extern const KernelText kScanText{"scan", scan_text};

}  // namespace tessera::codegen
