// Scans along an axis: one dispatch over rows; for few long rows, totals of tiles, their scan, and the tiles again.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "kernels/kernels.h"
#include "ops/own_kernel.h"
#include "ops/sort/sort.h"

namespace tessera::ops {

namespace {

enum class Scan : std::uint8_t { kSum, kProd, kMax, kMin, kLogSumExp };

constexpr bool with_index(Scan s) { return s == Scan::kMax || s == Scan::kMin; }

std::string_view name_of(Scan s) {
  constexpr std::array<std::string_view, 5> kNames{"cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"};
  return kNames[static_cast<std::size_t>(s)];
}

/// Words of a running value between dispatches.
std::uint32_t words_of(Scan s, DType t) {
  const std::uint32_t words = size_of(t) == 8 ? 2 : 1;
  return with_index(s) || s == Scan::kLogSumExp ? 2 * words : words;
}

// ---- The host's twins ----

template <Scan S, class E>
struct Running {
  E value;
  E second;  // kLogSumExp: the sum, relative to the largest
  std::uint32_t at;
};

constexpr std::uint32_t kNowhere = 0xffffffffU;

template <Scan S, class E>
Running<S, E> identity_of() {
  if constexpr (S == Scan::kLogSumExp) return {-std::numeric_limits<E>::infinity(), 0, 0};
  return {static_cast<E>(S == Scan::kProd ? 1 : 0), 0, kNowhere};
}

template <Scan S, class E>
Running<S, E> combined(const Running<S, E>& a, const Running<S, E>& b) {
  if constexpr (S == Scan::kSum || S == Scan::kProd) {
    if constexpr (std::is_floating_point_v<E>) {
      return {S == Scan::kSum ? a.value + b.value : a.value * b.value, 0, 0};
    } else {  // wraps
      using U = std::make_unsigned_t<E>;
      const U x = static_cast<U>(a.value);
      const U y = static_cast<U>(b.value);
      return {static_cast<E>(S == Scan::kSum ? x + y : x * y), 0, 0};
    }
  } else if constexpr (S == Scan::kLogSumExp) {
    const E m = std::isnan(a.value) || a.value > b.value ? a.value : b.value;
    if (!std::isfinite(m)) return {m, 1, 0};
    return {m, a.second * std::exp(a.value - m) + b.second * std::exp(b.value - m), 0};
  } else {
    if (b.at == kNowhere) return a;
    if (a.at == kNowhere || b.value != b.value) return b;
    if (a.value != a.value) return a;
    return (S == Scan::kMax ? b.value >= a.value : b.value <= a.value) ? b : a;
  }
}

template <Scan S, class E>
void save(std::span<std::uint32_t> words, std::size_t i, const Running<S, E>& r) {
  constexpr std::size_t kEach = sizeof(E) / 4;
  constexpr bool kPair = S == Scan::kLogSumExp || with_index(S);
  std::uint32_t* to = words.data() + i * (kPair ? 2 * kEach : kEach);
  std::memcpy(to, &r.value, sizeof(E));
  if (S == Scan::kLogSumExp) std::memcpy(to + kEach, &r.second, sizeof(E));
  if (with_index(S)) to[kEach] = r.at;
}

template <Scan S, class E>
Running<S, E> restored(std::span<const std::uint32_t> words, std::size_t i) {
  constexpr std::size_t kEach = sizeof(E) / 4;
  constexpr bool kPair = S == Scan::kLogSumExp || with_index(S);
  const std::uint32_t* from = words.data() + i * (kPair ? 2 * kEach : kEach);
  Running<S, E> r{};
  std::memcpy(&r.value, from, sizeof(E));
  if (S == Scan::kLogSumExp) std::memcpy(&r.second, from + kEach, sizeof(E));
  if (with_index(S)) r.at = from[kEach];
  return r;
}

enum class Step : std::uint8_t { kWhole, kTotals, kOfTotals, kWithCarry };

struct Params {
  std::uint32_t log_lanes, segments, tiles, tile, loops, cols;
};
constexpr std::array<const char*, 6> kParamNames{"log_lanes", "segments", "tiles", "tile", "loops", "cols"};

template <Scan S, class E>
E lowered(const Running<S, E>& r) {
  if constexpr (S == Scan::kLogSumExp) {
    return std::isfinite(r.value) ? r.value + std::log(r.second) : r.value;
  } else {
    return r.value;
  }
}

template <Scan S, class E>
void host_segment(Step step, ScanOptions options, const CustomHostCall& call, const Params& p, std::size_t segment) {
  const std::size_t row = segment / p.tiles;
  const std::size_t first = segment % p.tiles * p.tile;
  const std::size_t last = p.tiles == 1 ? p.cols : std::min<std::size_t>(p.cols, first + p.tile);
  const auto in_words = [&](std::size_t i) { return host_input<std::uint32_t>(call, i); };
  Running<S, E> run = identity_of<S, E>();
  if (step == Step::kOfTotals) {
    for (std::size_t at = row * p.cols + first; at < row * p.cols + last; ++at) {
      save(host_output<std::uint32_t>(call, 0), at, run);
      run = combined(run, restored<S, E>(in_words(0), at));
    }
    return;
  }
  if (step == Step::kWithCarry) run = restored<S, E>(in_words(1), segment);
  const E* x = host_input<E>(call, 0).data();
  const std::ptrdiff_t by = options.reverse ? -1 : 1;
  auto at = static_cast<std::ptrdiff_t>(row * p.cols + (options.reverse ? p.cols - 1 - first : first));
  const auto own = [&](std::size_t e) { return Running<S, E>{x[at], 1, static_cast<std::uint32_t>(e)}; };
  if (step == Step::kTotals) {
    for (std::size_t e = first; e < last; ++e, at += by) run = combined(run, own(e));
    save(host_output<std::uint32_t>(call, 0), segment, run);
    return;
  }
  E* y = host_output<E>(call, 0).data();
  std::uint32_t* places = with_index(S) ? host_output<std::uint32_t>(call, 1).data() : nullptr;
  const auto loop = [&]<bool kExclusive>(std::bool_constant<kExclusive>) {
    for (std::size_t e = first; e < last; ++e, at += by) {
      const Running<S, E> before = run;
      run = combined(run, own(e));
      const Running<S, E>& result = kExclusive ? before : run;
      y[at] = lowered(result);
      if constexpr (with_index(S)) places[at] = result.at;
    }
  };
  if (options.exclusive) {
    loop(std::true_type{});
  } else {
    loop(std::false_type{});
  }
}

template <Scan S, class E>
void host_step(Step step, ScanOptions options, const CustomHostCall& call) {
  Params p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  const std::int64_t length = std::max<std::int64_t>(p.tiles == 1 ? p.cols : p.tile, 1);
  host_for(p.segments, length, [&](std::size_t i) { host_segment<S, E>(step, options, call, p, i); });
}

template <Scan S>
std::function<void(const CustomHostCall&)> host_of(Step step, DType t, ScanOptions o) {
  const auto make = [&]<class E>(E) {
    return [step, o](const CustomHostCall& call) { host_step<S, E>(step, o, call); };
  };
  switch (t) {
    case DType::kF64:
      return make(double{});
    case DType::kF32:
      return make(float{});
    default:
      break;
  }
  if constexpr (S != Scan::kLogSumExp) {
    switch (t) {
      case DType::kI32:
        return make(std::int32_t{});
      case DType::kU32:
        return make(std::uint32_t{});
      case DType::kI64:
        return make(std::int64_t{});
      case DType::kU64:
        return make(std::uint64_t{});
      default:
        break;
    }
  }
  fail(ErrorKind::kDType, "{}: type {} has no scan.", name_of(S), name(t));
}

std::function<void(const CustomHostCall&)> host_of(Scan s, Step step, DType t, ScanOptions o) {
  switch (s) {
    case Scan::kSum:
      return host_of<Scan::kSum>(step, t, o);
    case Scan::kProd:
      return host_of<Scan::kProd>(step, t, o);
    case Scan::kMax:
      return host_of<Scan::kMax>(step, t, o);
    case Scan::kMin:
      return host_of<Scan::kMin>(step, t, o);
    case Scan::kLogSumExp:
      return host_of<Scan::kLogSumExp>(step, t, o);
  }
  return {};
}

// ---- WGSL: the operator as text ----

/// T, identity(), combine(), lift() from an element, lower() to one, save() and restore() of words.
std::string operator_text(Scan s, DType t) {
  const bool wide = size_of(t) == 8;
  const std::string e = wgsl_type(t);
  const auto zero = [&](int v) { return wide ? fmt::format("vec2<u32>({}u, 0u)", v) : fmt::format("{}({})", e, v); };
  std::string text = fmt::format("alias E = {};\n", e);
  if (s == Scan::kSum || s == Scan::kProd) {
    const bool sum = s == Scan::kSum;
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
  if (s == Scan::kLogSumExp) {  // the largest so far, and the sum of exp(x - largest)
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
  const bool max = s == Scan::kMax;
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

/// load_quad(row, e) and, with outputs, store_quad(row, e, q), for elements e.. e + 3 in the order of the scan.
std::string access_text(Scan s, Step step, ScanOptions o, bool quads) {
  const bool stores = step != Step::kTotals;
  if (step == Step::kOfTotals) {
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
  if (quads) {
    const std::string at =
        o.reverse ? "(row * params.cols + params.cols - 4u - e) >> 2u" : "(row * params.cols + e) >> 2u";
    const auto lane = [&](int i) { return "xyzw"[o.reverse ? 3 - i : i]; };
    const auto value = [&](int i) { return "abcd"[o.reverse ? 3 - i : i]; };
    std::string text = fmt::format(
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
    if (with_index(s)) {
      text += fmt::format("  at_quads[{}] = vec4<i32>(vec4<u32>(q.{}.at, q.{}.at, q.{}.at, q.{}.at));\n", at, value(0),
                          value(1), value(2), value(3));
    }
    return text + "}\n";
  }
  const char* at = o.reverse ? "row * params.cols + params.cols - 1u - e" : "row * params.cols + e";
  std::string text = fmt::format(
      "fn load_at(row: u32, e: u32) -> T {{\n  if (e >= params.cols) {{ return identity(); }}\n"
      "  return lift(x[{}], e);\n}}\nfn load_quad(row: u32, e: u32) -> Quad {{\n"
      "  return Quad(load_at(row, e), load_at(row, e + 1u), load_at(row, e + 2u), load_at(row, e + 3u));\n}}\n",
      at);
  if (!stores) return text;
  return text + fmt::format(
                    "fn store_at(row: u32, e: u32, v: T) {{\n  if (e >= params.cols) {{ return; }}\n  let i = {};\n"
                    "  y[i] = lower(v);\n{}}}\nfn store_quad(row: u32, e: u32, q: Quad) {{\n"
                    "  store_at(row, e, q.a);\n  store_at(row, e + 1u, q.b);\n  store_at(row, e + 2u, q.c);\n"
                    "  store_at(row, e + 3u, q.d);\n}}\n",
                    at, with_index(s) ? "  at[i] = i32(v.at);\n" : "");
}

/// Lanes of a workgroup: it keeps a little more than six values per lane in at most 16 KiB.
std::uint32_t log_workgroup(Scan s, DType t) { return words_of(s, t) == 4 ? 7 : 8; }

CustomKernel scan_kernel(Scan s, DType t, Step step, ScanOptions o, bool quads) {
  CustomKernel k;
  const std::uint32_t words = words_of(s, t);
  const std::uint32_t lanes = 1U << log_workgroup(s, t);
  k.workgroup = {lanes, 1, 1};
  k.workgroup_bytes = std::uint64_t{4} * words * (6 * lanes + lanes / 8);
  for (const char* p : kParamNames) k.params.push_back({p, DType::kU32});
  k.host = host_of(s, step, t, o);
  k.inputs = {step == Step::kOfTotals ? "totals" : (quads ? "x_quads" : "x")};
  if (step == Step::kWithCarry) k.inputs.emplace_back("carries");
  if (step == Step::kTotals || step == Step::kOfTotals) {
    k.outputs = {"sums"};
  } else {
    k.outputs = {quads ? "y_quads" : "y"};
    if (with_index(s)) k.outputs.emplace_back(quads ? "at_quads" : "at");
  }
  if (t == DType::kF64) return k;  // host only
  k.source = operator_text(s, t) + access_text(s, step, o, quads);
  if (step == Step::kOfTotals) k.source += restore_text("restore", "totals", words);
  if (step == Step::kTotals || step == Step::kOfTotals) k.source += save_text("sums", words);
  if (step != Step::kTotals) {
    k.source += step == Step::kWithCarry ? restore_text("first_carry", "carries", words)
                                         : "fn first_carry(i: u32) -> T { return identity(); }\n";
    k.source += fmt::format("const exclusive = {};\nconst backward = {};\n", step == Step::kOfTotals || o.exclusive,
                            step == Step::kWithCarry);
  }
  k.source += kernels::wgsl("scan_group");
  k.source += kernels::wgsl(step == Step::kTotals ? "scan_totals" : "scan");
  return k;
}

std::shared_ptr<const CustomKernel> kernel_of(Scan s, DType t, Step step, ScanOptions o, bool quads) {
  constexpr std::array<const char*, 4> kSteps{"", "_totals", "_of_totals", "_tiles"};
  const std::string key =
      fmt::format("{}{}_{}{}{}{}", name_of(s), kSteps[static_cast<std::size_t>(step)], name(t), quads ? "_quads" : "",
                  o.exclusive ? "_exclusive" : "", o.reverse ? "_reverse" : "");
  return own_kernel(key, [&] { return scan_kernel(s, t, step, o, quads); });
}

/// Longer rows are split into tiles, unless there are enough rows to fill a device.
constexpr std::int64_t kEnoughRows = 512;

std::vector<NodePtr> scan_rows(Scan s, const NodePtr& x, ScanOptions o) {
  const DType t = x->dtype();
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  const bool quads = cols % 4 == 0 && size_of(t) == 4;
  const std::uint32_t log_group = log_workgroup(s, t);
  const std::int64_t tile = std::int64_t{16} << log_group;
  std::vector<TensorSpec> outputs{{t, x->shape()}};
  if (with_index(s)) outputs.push_back({DType::kI32, x->shape()});
  const auto words = [](std::uint32_t log_lanes, std::int64_t count, std::int64_t tiles, std::int64_t length,
                        std::int64_t loops, std::int64_t width) {
    return std::vector<std::uint32_t>{log_lanes,
                                      static_cast<std::uint32_t>(count),
                                      static_cast<std::uint32_t>(tiles),
                                      static_cast<std::uint32_t>(length),
                                      static_cast<std::uint32_t>(loops),
                                      static_cast<std::uint32_t>(width)};
  };
  if (cols <= tile || rows >= kEnoughRows) {
    std::uint32_t log_lanes = 0;
    while (log_lanes < log_group && (std::int64_t{16} << log_lanes) < cols) ++log_lanes;
    const std::int64_t loops = ceil_div(cols, std::int64_t{16} << log_lanes);
    return call_own(kernel_of(s, t, Step::kWhole, o, quads), {x}, outputs, words(log_lanes, rows, 1, 0, loops, cols),
                    static_cast<std::uint64_t>(ceil_div(rows, std::int64_t{1} << (log_group - log_lanes))));
  }
  const std::int64_t tiles = ceil_div(cols, tile);
  const std::int64_t each = words_of(s, t);
  const TensorSpec totals_of{DType::kU32, {rows, tiles * each}};
  const std::vector<std::uint32_t> by_tiles = words(log_group, rows * tiles, tiles, tile, 1, cols);
  const auto groups = static_cast<std::uint64_t>(rows * tiles);
  const ScanOptions inner{false, o.reverse};
  const NodePtr totals = call_own(kernel_of(s, t, Step::kTotals, inner, quads), {x}, {totals_of}, by_tiles, groups)[0];
  const NodePtr carries =
      call_own(kernel_of(s, t, Step::kOfTotals, {}, false), {totals}, {totals_of},
               words(log_group, rows, 1, 0, ceil_div(tiles, tile), tiles), static_cast<std::uint64_t>(rows))[0];
  return call_own(kernel_of(s, t, Step::kWithCarry, o, quads), {x, carries}, outputs, by_tiles, groups);
}

/// The results of a scan of x, which has a wide dtype, along the axis.
std::vector<NodePtr> scan(Scan s, const NodePtr& x, int axis, ScanOptions o) {
  const RowsOf r = rows_of(name_of(s), x, axis);
  if (x->numel() == 0) {
    std::vector<NodePtr> none{x};
    if (with_index(s)) none.push_back(cast(x, DType::kI32));
    return none;
  }
  if (with_index(s)) check_i32_count(name_of(s), r.cols);
  std::vector<NodePtr> results = scan_rows(s, r.rows, o);
  for (NodePtr& y : results) y = r.back(y);
  return results;
}

NodePtr op(Op which, const NodePtr& x) { return elementwise(which, {x}); }

std::pair<NodePtr, NodePtr> extreme(Scan s, const NodePtr& x, int axis) {
  const int at = normal_axis(name_of(s), axis, x->shape().rank());
  const std::vector<NodePtr> found = scan(s, cast(x, wide_type(x->dtype())), at, {});
  const NodePtr values = cast(found[0], x->dtype());
  const NodePtr& index = found[1];
  const NodePtr result = with_gradient(std::string(name_of(s)), {x}, values, [at, index](const Gradient::Call& call) {
    const NodePtr& g = call.gradients[0];
    return std::vector<NodePtr>{scatter_add_along(g->shape(), index, g, at)};
  });
  return {result, stop_gradient(index)};
}

}  // namespace

NodePtr cumsum(const NodePtr& x, int axis, ScanOptions o) {
  if (is_complex(x->dtype())) return complex_scan(x, axis, o, false);
  const DType t = x->dtype();
  const NodePtr y = scan(Scan::kSum, cast(x, wide_type(t)), axis, o)[0];
  return with_gradient("cumsum", {x}, is_float(t) ? cast(y, t) : y, [axis, o](const Gradient::Call& call) {
    return std::vector<NodePtr>{cumsum(call.gradients[0], axis, {o.exclusive, !o.reverse})};
  });
}

NodePtr cumprod(const NodePtr& x, int axis, ScanOptions o) {
  if (is_complex(x->dtype())) return complex_scan(x, axis, o, true);
  const DType t = x->dtype();
  const NodePtr y = scan(Scan::kProd, cast(x, wide_type(t)), axis, o)[0];
  return with_gradient("cumprod", {x}, is_float(t) ? cast(y, t) : y, [axis, o](const Gradient::Call& call) {
    // d y[j] / d x[i] = y[j] / x[i] up to the first zero of the row; at that zero, the product without it; then 0.
    const NodePtr& v = call.inputs[0];
    const NodePtr& g = call.gradients[0];
    const ScanOptions back{o.exclusive, !o.reverse};
    const NodePtr zero = elementwise(Op::kEqual, {v, cast(number(0), v->dtype())});
    const NodePtr zeros = cumsum(cast(zero, DType::kI32), axis, {false, o.reverse});
    const NodePtr none = elementwise(Op::kEqual, {zeros, integer(0)});
    const NodePtr first = elementwise(Op::kLogicalAnd, {zero, elementwise(Op::kEqual, {zeros, integer(1)})});
    const NodePtr one = cast(number(1), v->dtype());
    const NodePtr nothing = cast(number(0), v->dtype());
    const NodePtr plain = cumsum(g * call.outputs[0], axis, back) / elementwise(Op::kWhere, {zero, one, v});
    const NodePtr without = cumprod(elementwise(Op::kWhere, {first, one, v}), axis, o);
    const NodePtr at_zero = cumsum(elementwise(Op::kWhere, {none, nothing, g * without}), axis, back);
    return std::vector<NodePtr>{
        elementwise(Op::kWhere, {none, plain, elementwise(Op::kWhere, {first, at_zero, nothing})})};
  });
}

NodePtr logcumsumexp(const NodePtr& x, int axis, ScanOptions o) {
  const NodePtr f = is_float(x->dtype()) ? x : cast(x, DType::kF32);
  const NodePtr y = scan(Scan::kLogSumExp, cast(f, wide_type(f->dtype())), axis, o)[0];
  return with_gradient("logcumsumexp", {f}, cast(y, f->dtype()), [axis, o](const Gradient::Call& call) {
    // The sum over j of g[j] exp(x[i] - y[j]), in logarithms, separately for positive and negative gradients.
    const NodePtr& g = call.gradients[0];
    const NodePtr one = cast(number(1), g->dtype());
    const NodePtr low = cast(number(-std::numeric_limits<double>::infinity()), g->dtype());
    const NodePtr zero = cast(number(0), g->dtype());
    const auto part = [&](const NodePtr& h) {
      const NodePtr above =
          elementwise(Op::kLogicalAnd, {elementwise(Op::kGreater, {h, zero}), op(Op::kIsFinite, call.outputs[0])});
      const NodePtr log = op(Op::kLog, elementwise(Op::kWhere, {above, h, one})) - call.outputs[0];
      const NodePtr sums = logcumsumexp(elementwise(Op::kWhere, {above, log, low}), axis, {o.exclusive, !o.reverse});
      return op(Op::kExp, sums + call.inputs[0]);
    };
    return std::vector<NodePtr>{part(g) - part(op(Op::kNegative, g))};
  });
}

std::pair<NodePtr, NodePtr> cummax(const NodePtr& x, int axis) { return extreme(Scan::kMax, x, axis); }
std::pair<NodePtr, NodePtr> cummin(const NodePtr& x, int axis) { return extreme(Scan::kMin, x, axis); }

}  // namespace tessera::ops
