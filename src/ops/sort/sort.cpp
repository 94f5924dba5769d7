// Sorting along an axis: short rows in workgroup memory, long ones by stable passes over digits of 4 bits.
#include "ops/sort/sort.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "kernels/kernels.h"
#include "ops/index/index.h"
#include "ops/own_kernel.h"
#include "ops/sort/sort_keys.h"

namespace tessera::ops {

std::string key_text(DType wide, bool descending) {
  const bool pair = size_of(wide) == 8;
  std::string value;
  switch (wide) {
    case DType::kF32:
      value = "float_key(v)";
      break;
    case DType::kI32:
      value = "bitcast<u32>(v) ^ 0x80000000u";
      break;
    case DType::kI64:
      value = "vec2<u32>(v.x, v.y ^ 0x80000000u)";
      break;
    default:
      value = "v";
      break;
  }
  std::string text = wide == DType::kF32 ? R"(fn float_key(v: f32) -> u32 {
  let bits = bitcast<u32>(v);
  let size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) { return 0xffffffffu; }
  if (size == 0u) { return 0x80000000u; }
  return bits ^ select(0x80000000u, 0xffffffffu, bits != size);
}
)"
                                         : "";
  text += pair ? "alias K = vec2<u32>;\nconst zero_key = vec2<u32>(0u, 0u);\n"
                 "fn before(a: K, b: K) -> bool { return a.y < b.y || (a.y == b.y && a.x < b.x); }\n"
               : "alias K = u32;\nconst zero_key = 0u;\nfn before(a: K, b: K) -> bool { return a < b; }\n";
  return text +
         fmt::format("fn to_key(v: {}) -> K {{ return {}({}); }}\n", wgsl_type(wide), descending ? "~" : "", value);
}

namespace {

constexpr std::uint32_t kLanes = 256;
constexpr std::int64_t kTile = std::int64_t{kLanes} * 8;
constexpr std::int64_t kSlots = 1024;  // of a workgroup that sorts short rows

std::uint64_t host_key(std::uint64_t key, bool descending, std::size_t size) {
  if (!descending) return key;
  return size == 8 ? ~key : static_cast<std::uint32_t>(~key);
}

// ---- Short rows ----

std::shared_ptr<const CustomKernel> small_kernel(DType t, bool descending) {
  return own_kernel(fmt::format("sort_rows_{}{}", name(t), descending ? "_down" : ""), [&] {
    CustomKernel k;
    k.inputs = {"x"};
    k.outputs = {"y", "at"};
    k.workgroup = {kLanes, 1, 1};
    for (const char* p : {"rows", "cols", "log_width"}) k.params.push_back({p, DType::kU32});
    k.workgroup_bytes = static_cast<std::uint64_t>(kSlots) * (size_of(t) + 4);
    k.host = [t, descending](const CustomHostCall& call) {
      const std::size_t cols = call.params[1];
      for_wide(t, [&]<class E>(E) {
        host_for(call.params[0], static_cast<std::int64_t>(cols) * 16, [&](std::size_t row) {
          const E* x = host_input<E>(call, 0).data() + row * cols;
          // Keys with their positions sort like a stable sort of the keys.
          std::vector<std::pair<std::uint64_t, std::int32_t>> pairs(cols);
          for (std::size_t c = 0; c < cols; ++c)
            pairs[c] = {host_key(sort_key(x[c]), descending, sizeof(E)), static_cast<std::int32_t>(c)};
          std::sort(pairs.begin(), pairs.end());
          for (std::size_t c = 0; c < cols; ++c) {
            host_output<std::int32_t>(call, 1)[row * cols + c] = pairs[c].second;
            host_output<E>(call, 0)[row * cols + c] = x[pairs[c].second];
          }
        });
      });
    };
    if (t == DType::kF64) return k;  // host only
    const char* pad = size_of(t) == 8 ? "vec2<u32>(0xffffffffu, 0xffffffffu)" : "0xffffffffu";
    k.source = key_text(t, descending) + fmt::format("const slots = {}u;\nconst pad_key = {};\n", kSlots, pad) +
               std::string(kernels::wgsl("sort_small"));
    return k;
  });
}

// ---- Passes over digits ----

/// The input of a pass: elements, from which keys are computed and whose positions are their columns, or keys and
/// positions.
enum class Source : std::uint8_t { kElements, kElementsDown, kKeys };

std::string load_text(Source source, DType t, bool quads, bool places) {
  std::string text = key_text(t, source == Source::kElementsDown);
  text += size_of(t) == 8 ? R"(fn digit(key: K) -> u32 {
  return (select(key.x, key.y, params.shift >= 32u) >> (params.shift & 31u)) & 15u;
}
)"
                          : "fn digit(key: K) -> u32 { return (key >> params.shift) & 15u; }\n";
  if (quads) {
    text += R"(fn load_keys(row: u32, e: u32) -> Keys {
  if (e >= params.cols) { return Keys(zero_key, zero_key, zero_key, zero_key); }
  let v = x_quads[(row * params.cols + e) >> 2u];
  return Keys(to_key(v.x), to_key(v.y), to_key(v.z), to_key(v.w));
}
)";
  } else {
    text += R"(fn load_key(row: u32, e: u32) -> K {
  if (e >= params.cols) { return zero_key; }
  return to_key(x[row * params.cols + e]);
}
fn load_keys(row: u32, e: u32) -> Keys {
  return Keys(load_key(row, e), load_key(row, e + 1u), load_key(row, e + 2u), load_key(row, e + 3u));
}
)";
  }
  if (!places) return text;
  if (source != Source::kKeys) {
    return text +
           "fn load_places(row: u32, e: u32) -> vec4<i32> { return vec4<i32>(vec4<u32>(e, e + 1u, e + 2u, e + 3u)); "
           "}\n";
  }
  if (quads) {
    return text + R"(fn load_places(row: u32, e: u32) -> vec4<i32> {
  if (e >= params.cols) { return vec4<i32>(); }
  return places_in_quads[(row * params.cols + e) >> 2u];
}
)";
  }
  return text + R"(fn load_place(row: u32, e: u32) -> i32 {
  if (e >= params.cols) { return 0; }
  return places_in[row * params.cols + e];
}
fn load_places(row: u32, e: u32) -> vec4<i32> {
  return vec4<i32>(load_place(row, e), load_place(row, e + 1u), load_place(row, e + 2u), load_place(row, e + 3u));
}
)";
}

/// exchange_keys(to, own, lane): keys in the order of the sorted tile, one word of each at a time.
std::string exchange_text(bool pairs) {
  const char* const words =
      R"(  let {0} = exchange(to, BothWords(vec4<u32>(own.first.a{1}, own.first.b{1}, own.first.c{1}, own.first.d{1}),
      vec4<u32>(own.second.a{1}, own.second.b{1}, own.second.c{1}, own.second.d{1})), lane);
)";
  std::string text = "fn exchange_keys(to: BothWords, own: BothKeys, lane: u32) -> BothKeys {\n";
  if (!pairs) {
    return text + fmt::format(fmt::runtime(words), "w", "") +
           "  return BothKeys(Keys(w.first.x, w.first.y, w.first.z, w.first.w),\n"
           "                  Keys(w.second.x, w.second.y, w.second.z, w.second.w));\n}\n";
  }
  text += fmt::format(fmt::runtime(words), "x", ".x") + fmt::format(fmt::runtime(words), "y", ".y");
  const auto four = [](const char* half) {
    return fmt::format("Keys(K(x.{0}.x, y.{0}.x), K(x.{0}.y, y.{0}.y), K(x.{0}.z, y.{0}.z), K(x.{0}.w, y.{0}.w))",
                       half);
  };
  return text + fmt::format("  return BothKeys({}, {});\n}}\n", four("first"), four("second"));
}

struct PassParams {
  std::uint32_t rows, cols, tiles, shift;
};

CustomKernel pass_kernel(bool quads) {
  CustomKernel k;
  k.workgroup = {kLanes, 1, 1};
  k.inputs = {quads ? "x_quads" : "x"};
  for (const char* p : {"rows", "cols", "tiles", "shift"}) k.params.push_back({p, DType::kU32});
  k.workgroup_bytes = std::uint64_t{10} * kLanes * 4;
  return k;
}

std::string pass_name(const char* step, Source source, DType t, bool quads) {
  constexpr std::array<const char*, 3> kSources{"", "_down", "_keys"};
  return fmt::format("{}{}_{}{}", step, kSources[static_cast<std::size_t>(source)], name(t), quads ? "_quads" : "");
}

/// The key of an element, or the key itself.
template <class E>
std::uint64_t host_element_key(Source source, E v) {
  return source == Source::kKeys ? static_cast<std::uint64_t>(v)
                                 : host_key(sort_key(v), source == Source::kElementsDown, sizeof(E));
}

template <class E>
std::uint32_t host_digit(Source source, E v, std::uint32_t shift) {
  return static_cast<std::uint32_t>(host_element_key(source, v) >> shift) & 15U;
}

std::shared_ptr<const CustomKernel> count_kernel(Source source, DType t, bool quads) {
  return own_kernel(pass_name("sort_count", source, t, quads), [&] {
    CustomKernel k = pass_kernel(quads);
    k.outputs = {"tile_counts"};
    k.host = [source, t](const CustomHostCall& call) {
      PassParams p{};
      std::memcpy(&p, call.params.data(), sizeof(p));
      for_wide(t, [&]<class E>(E) {
        host_for(std::int64_t{p.rows} * p.tiles, kTile, [&](std::size_t segment) {
          const std::size_t row = segment / p.tiles;
          const std::size_t tile = segment % p.tiles;
          const E* x = host_input<E>(call, 0).data() + row * p.cols;
          std::array<std::uint32_t, 16> counts{};
          for (std::size_t c = tile * kTile; c < std::min<std::size_t>(p.cols, (tile + 1) * kTile); ++c)
            ++counts[host_digit(source, x[c], p.shift)];
          for (std::size_t d = 0; d < 16; ++d)
            host_output<std::uint32_t>(call, 0)[(row * 16 + d) * p.tiles + tile] = counts[d];
        });
      });
    };
    if (t != DType::kF64) {
      k.source = load_text(source, t, quads, false) + std::string(kernels::wgsl("sort_digits")) +
                 std::string(kernels::wgsl("sort_count"));
    }
    return k;
  });
}

std::shared_ptr<const CustomKernel> move_kernel(Source source, DType t, bool quads, bool last) {
  return own_kernel(pass_name(last ? "sort_move_last" : "sort_move", source, t, quads), [&] {
    CustomKernel k = pass_kernel(quads);
    k.workgroup_bytes += 64;
    k.inputs.emplace_back("offsets");
    if (source == Source::kKeys) k.inputs.emplace_back(quads ? "places_in_quads" : "places_in");
    k.outputs = {"places_out"};
    if (!last) k.outputs.emplace_back("keys_out");
    k.host = [source, t, last](const CustomHostCall& call) {
      PassParams p{};
      std::memcpy(&p, call.params.data(), sizeof(p));
      const auto offsets = host_input<std::uint32_t>(call, 1);
      for_wide(t, [&]<class E>(E) {
        using Key = std::conditional_t<sizeof(E) == 8, std::uint64_t, std::uint32_t>;
        host_for(std::int64_t{p.rows} * p.tiles, kTile, [&](std::size_t segment) {
          const std::size_t row = segment / p.tiles;
          const std::size_t tile = segment % p.tiles;
          const std::size_t base = row * p.cols;
          const E* x = host_input<E>(call, 0).data() + base;
          const std::int32_t* from =
              source == Source::kKeys ? host_input<std::int32_t>(call, 2).data() + base : nullptr;
          std::int32_t* places = host_output<std::int32_t>(call, 0).data() + base;
          Key* keys = last ? nullptr : host_output<Key>(call, 1).data() + base;
          std::array<std::uint32_t, 16> next{};
          for (std::size_t d = 0; d < 16; ++d) next[d] = offsets[(row * 16 + d) * p.tiles + tile];
          for (std::size_t c = tile * kTile; c < std::min<std::size_t>(p.cols, (tile + 1) * kTile); ++c) {
            const std::uint64_t key = host_element_key(source, x[c]);
            const std::size_t to = next[(key >> p.shift) & 15U]++;
            places[to] = from != nullptr ? from[c] : static_cast<std::int32_t>(c);
            if (keys != nullptr) keys[to] = static_cast<Key>(key);
          }
        });
      });
    };
    if (t != DType::kF64) {
      k.source = load_text(source, t, quads, true);
      k.source += fmt::format("fn store(i: u32, key: K, place: i32) {{\n  places_out[i] = place;\n{}}}\n",
                              last ? "" : "  keys_out[i] = key;\n");
      k.source += exchange_text(size_of(t) == 8);
      k.source += kernels::wgsl("sort_digits");
      k.source += kernels::wgsl("sort_move");
    }
    return k;
  });
}

/// The order of rows [rows, cols] of a wide dtype by bits [low, high) of their keys.
NodePtr order_by_digits(const NodePtr& x, bool descending, int low, int high) {
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  const auto tiles = static_cast<std::uint64_t>(ceil_div(cols, kTile));
  const std::uint64_t groups = static_cast<std::uint64_t>(rows) * tiles;
  NodePtr keys = x;
  NodePtr places;
  for (int shift = low; shift < high; shift += 4) {
    const Source source = places != nullptr ? Source::kKeys : (descending ? Source::kElementsDown : Source::kElements);
    const DType t = keys->dtype();
    const bool quads = cols % 4 == 0 && size_of(t) == 4;
    const std::vector<std::uint32_t> params{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols),
                                            static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(shift)};
    const NodePtr counts = call_own(count_kernel(source, t, quads), {keys},
                                    {{DType::kU32, {rows, static_cast<std::int64_t>(16 * tiles)}}}, params, groups)[0];
    const NodePtr offsets = cumsum(counts, 1, {.exclusive = true});
    const bool last = shift + 4 >= high;
    std::vector<NodePtr> inputs{keys, offsets};
    if (places != nullptr) inputs.push_back(places);
    std::vector<TensorSpec> outputs{{DType::kI32, x->shape()}};
    if (!last) outputs.push_back({size_of(t) == 8 ? DType::kU64 : DType::kU32, x->shape()});
    const auto moved = call_own(move_kernel(source, t, quads, last), inputs, outputs, params, groups);
    places = moved[0];
    if (!last) keys = moved[1];
  }
  return places;
}

/// The bits of a wide dtype's keys that can differ, given the narrower dtype of the values.
std::pair<int, int> key_bits(DType t) {
  switch (t) {
    case DType::kBF16:
      return {16, 32};
    case DType::kF16:
      return {12, 32};
    case DType::kBool:
      return {0, 1};
    case DType::kU8:
    case DType::kI8:
      return {0, 8};
    case DType::kU16:
    case DType::kI16:
      return {0, 16};
    default:
      return {0, static_cast<int>(8 * size_of(t))};
  }
}

/// Elements as kernels sort them: keys of small integers start at 0.
NodePtr widened(const NodePtr& x) {
  const DType t = x->dtype();
  if (t == DType::kI8 || t == DType::kI16) {
    return cast(cast(x, DType::kI32) + integer(t == DType::kI8 ? 128 : 32768), DType::kU32);
  }
  return cast(x, t == DType::kBool ? DType::kU32 : wide_type(t));
}

/// The small integers before widened().
NodePtr narrowed(const NodePtr& x, DType t) {
  if (t == DType::kI8 || t == DType::kI16) {
    return cast(cast(x, DType::kI32) - integer(t == DType::kI8 ? 128 : 32768), t);
  }
  return cast(x, t);
}

struct Sorted {
  NodePtr values;  // as widened
  NodePtr at;
};

/// Rows of widened elements, of which bits [low, high) count.
Sorted sort_rows(const NodePtr& x, bool descending, int low, int high) {
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  if (cols <= kSlots) {
    const int log_width = std::bit_width(static_cast<std::uint64_t>(cols - 1));
    const auto found = call_own(
        small_kernel(x->dtype(), descending), {x}, {{x->dtype(), x->shape()}, {DType::kI32, x->shape()}},
        {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols), static_cast<std::uint32_t>(log_width)},
        static_cast<std::uint64_t>(ceil_div(rows, kSlots >> log_width)));
    return {found[0], found[1]};
  }
  const NodePtr at = order_by_digits(x, descending, low, high);
  return {take_in_rows(x, at), at};
}

/// y[r, at[r, c]] = x[r, c]
std::shared_ptr<const CustomKernel> put_kernel(DType t) {
  return own_kernel(fmt::format("put_in_rows_{}", name(t)), [&] {
    CustomKernel k;
    k.inputs = {"x", "at"};
    k.outputs = {"y"};
    k.workgroup = {kLanes, 1, 1};
    for (const char* p : {"cols", "count"}) k.params.push_back({p, DType::kU32});
    k.source = main_per_element("count") + R"(  y[(i / params.cols) * params.cols + u32(at[i])] = x[i];
}
)";
    k.host = [t](const CustomHostCall& call) {
      const auto at = host_input<std::int32_t>(call, 1);
      for_element(t, [&]<class E>(E) {
        const auto x = host_input<E>(call, 0);
        const auto y = host_output<E>(call, 0);
        host_for(call.params[1], 4, [&](std::size_t i) {
          y[i / call.params[0] * call.params[0] + static_cast<std::size_t>(at[i])] = x[i];
        });
      });
    };
    return k;
  });
}

}  // namespace

NodePtr take_in_rows(const NodePtr& x, const NodePtr& at) {
  if (at->numel() == 0) return full(at->shape(), cast(number(0), x->dtype()), x->device());
  const std::int64_t rows = x->shape()[0];
  const NodePtr numbers = reshape(arange(0, static_cast<double>(rows), 1, DType::kI32, at->device()), {rows, 1});
  return gather(reshape(x, {x->numel()}), numbers * integer(x->shape()[1]) + at);
}

NodePtr put_in_rows(const NodePtr& x, const NodePtr& at) {
  if (at->numel() == 0) return x;
  const DType wide = wide_type(x->dtype());
  const Shape& shape = at->shape();
  const NodePtr y = call_own(put_kernel(wide), {cast(x, wide), at}, {{wide, shape}},
                             {static_cast<std::uint32_t>(shape[1]), static_cast<std::uint32_t>(shape.numel())},
                             static_cast<std::uint64_t>(ceil_div(shape.numel(), kLanes)))[0];
  return with_gradient("put_in_rows", {x}, cast(y, x->dtype()), [at](const Gradient::Call& call) {
    return std::vector<NodePtr>{take_in_rows(call.gradients[0], at)};
  });
}

std::pair<NodePtr, NodePtr> sort(const NodePtr& x, int axis, bool descending) {
  if (is_complex(x->dtype()))
    fail(ErrorKind::kDType, "sort: a tensor of type {} was given; complex numbers have no order.", name(x->dtype()));
  const RowsOf r = rows_of("sort", widened(x), axis);
  if (x->numel() == 0) return {x, cast(x, DType::kI32)};
  check_i32_count("sort", r.cols);
  const auto [low, high] = key_bits(x->dtype());
  const Sorted s = sort_rows(r.rows, descending, low, high);
  const NodePtr values = narrowed(r.back(s.values), x->dtype());
  const NodePtr at = stop_gradient(s.at);
  return {with_gradient("sort", {x}, values,
                        [at, axis](const Gradient::Call& call) {
                          const RowsOf g = rows_of("sort", call.gradients[0], axis);
                          return std::vector<NodePtr>{g.back(put_in_rows(g.rows, at))};
                        }),
          r.back(at)};
}

NodePtr argsort(const NodePtr& x, int axis, bool descending) { return sort(stop_gradient(x), axis, descending).second; }

std::pair<NodePtr, NodePtr> topk(const NodePtr& x, std::int64_t k, int axis, bool largest) {
  const int at = normal_axis("topk", axis, x->shape().rank());
  if (k < 0 || k > x->shape()[at]) {
    fail(ErrorKind::kValue, "topk: k = {} was given; axis {} of {} has {} elements.", k, at, x->shape().str(),
         x->shape()[at]);
  }
  const auto [values, index] = sort(x, at, largest);
  std::vector<Range> ranges;
  for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
  ranges[static_cast<std::size_t>(at)].stop = k;
  return {slice(values, ranges), slice(index, ranges)};
}

NodePtr sorted_order(const NodePtr& keys, int bits) {
  const std::int64_t n = keys->numel();
  if (n == 0) return cast(keys, DType::kI32);
  return reshape(sort_rows(reshape(keys, {1, n}), false, 0, bits).at, {n});
}

NodePtr median(const NodePtr& x, int axis, bool keepdims) {
  constexpr std::array kHalf{0.5};
  return quantile(x, kHalf, axis, keepdims, true);
}

NodePtr quantile(const NodePtr& x, std::span<const double> q, int axis, bool keepdims, bool single) {
  const int at = normal_axis("quantile", axis, x->shape().rank());
  const std::int64_t n = x->shape()[at];
  if (n == 0) fail(ErrorKind::kValue, "quantile: axis {} of {} holds no elements.", at, x->shape().str());
  for (const double v : q) {
    if (!(v >= 0 && v <= 1)) fail(ErrorKind::kValue, "quantile: q = {} was given; it must lie in [0, 1].", v);
  }
  const NodePtr f = is_float(x->dtype()) ? x : cast(x, DType::kF32);
  const NodePtr sorted = sort(f, at, false).first;
  const auto element = [&](std::int64_t i) {
    std::vector<Range> ranges;
    for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
    ranges[static_cast<std::size_t>(at)] = {i, i + 1, 1};
    const NodePtr one = slice(sorted, ranges);
    const std::array<int, 1> axes{at};
    return keepdims ? one : squeeze(one, axes);
  };
  const NodePtr top = element(n - 1);  // NaN where the row has one
  std::vector<NodePtr> results;
  for (const double v : q) {
    const double place = v * static_cast<double>(n - 1);
    const auto low = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(place)), n - 1);
    const double part = place - static_cast<double>(low);
    NodePtr result = element(low);
    if (part > 0) {
      const NodePtr high = element(low + 1);
      const NodePtr step = high - result;
      // From the nearer end, as in NumPy; a weighted mean if the step overflows or is between infinities.
      const NodePtr near = part < 0.5 ? result + step * part : high - step * (1 - part);
      const NodePtr mean = result * (1 - part) + high * part;
      result = elementwise(Op::kWhere, {elementwise(Op::kIsFinite, {step}), near, mean});
    }
    results.push_back(elementwise(Op::kWhere, {elementwise(Op::kIsNan, {top}), top, result}));
  }
  if (single) return results[0];
  if (results.empty()) fail(ErrorKind::kValue, "quantile: no q was given; one at least is expected.");
  return stack(results, 0);
}

NodePtr searchsorted(const NodePtr& sorted, const NodePtr& values, bool right) {
  const Shape& rows = sorted->shape();
  const Shape& shape = values->shape();
  const bool fits = rows.rank() == 1 || (rows.rank() == shape.rank() && rows.rank() > 0 &&
                                         std::equal(rows.begin(), rows.end() - 1, shape.begin()));
  if (!fits) {
    fail(ErrorKind::kShape,
         "searchsorted: the sorted tensor is {} and the values are {}; rank 1 or the same leading axes are expected.",
         rows.str(), shape.str());
  }
  const DType t = wide_type(promote(sorted->dtype(), values->dtype()));
  if (is_complex(t))
    fail(ErrorKind::kDType, "searchsorted: type {} was given; complex numbers have no order.", name(t));
  const auto kernel = own_kernel(fmt::format("searchsorted_{}{}", name(t), right ? "_right" : ""), [&] {
    CustomKernel k;
    k.inputs = {"sorted", "values"};
    k.outputs = {"y"};
    k.workgroup = {kLanes, 1, 1};
    for (const char* p : {"n", "count", "each"}) k.params.push_back({p, DType::kU32});
    k.host = [t, right](const CustomHostCall& call) {
      for_wide(t, [&]<class E>(E) {
        const auto v = host_input<E>(call, 1);
        host_for(call.params[1], 32, [&](std::size_t i) {
          const std::size_t n = call.params[0];
          const auto s = host_input<E>(call, 0).subspan(i / call.params[2] * n, n);
          const std::uint64_t key = sort_key(v[i]);
          const auto found = std::partition_point(s.begin(), s.end(),
                                                  [&](E e) { return right ? sort_key(e) <= key : sort_key(e) < key; });
          host_output<std::int32_t>(call, 0)[i] = static_cast<std::int32_t>(found - s.begin());
        });
      });
    };
    if (t == DType::kF64) return k;
    k.source = key_text(t, false) + main_per_element("count") +
               fmt::format(R"(  let key = to_key(values[i]);
  let first = (i / params.each) * params.n;
  var low = 0u;
  var high = params.n;
  while (low < high) {{
    let middle = low + ((high - low) >> 1u);
    let other = to_key(sorted[first + middle]);
    if ({}) {{ low = middle + 1u; }} else {{ high = middle; }}
  }}
  y[i] = i32(low);
}}
)",
                           right ? "!before(key, other)" : "before(other, key)");
    return k;
  });
  if (values->numel() == 0) return cast(values, DType::kI32);
  check_i32_count("searchsorted", rows.back());
  return call_own(kernel, {cast(stop_gradient(sorted), t), cast(stop_gradient(values), t)},
                  {{DType::kI32, values->shape()}},
                  {static_cast<std::uint32_t>(rows.back()), static_cast<std::uint32_t>(values->numel()),
                   static_cast<std::uint32_t>(rows.rank() == 1 ? values->numel() : shape.back())},
                  static_cast<std::uint64_t>(ceil_div(values->numel(), kLanes)))[0];
}

}  // namespace tessera::ops
