// Scattering without atomics: updates are sorted by target, and the run of each target is combined in order.
#include <algorithm>
#include <bit>

#include "base/fail.h"
#include "base/ints.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "kernels/kernels.h"
#include "ops/index/index.h"
#include "ops/own_kernel.h"
#include "ops/sort/sort.h"
#include "ops/sort/sort_keys.h"

namespace tessera::ops {

namespace {

constexpr std::uint32_t kLanes = 256;
constexpr std::uint32_t kColumnLanes = 64;
constexpr std::int64_t kManyColumns = 32;

std::uint32_t word(std::int64_t v) { return static_cast<std::uint32_t>(v); }

std::string_view name_of(ScatterMode m) {
  constexpr std::array<std::string_view, 5> kNames{"set", "add", "mul", "max", "min"};
  return kNames[static_cast<std::size_t>(m)];
}

template <class E>
E combined(ScatterMode m, E a, E b) {
  const auto wraps = [](E x) {
    if constexpr (std::is_integral_v<E>) {
      return static_cast<std::make_unsigned_t<E>>(x);
    } else {
      return x;
    }
  };
  switch (m) {
    case ScatterMode::kAdd:
      return static_cast<E>(wraps(a) + wraps(b));
    case ScatterMode::kMul:
      return static_cast<E>(wraps(a) * wraps(b));
    case ScatterMode::kSet:
      return b;
    default:
      break;
  }
  if constexpr (std::is_arithmetic_v<E>) {
    if (m == ScatterMode::kMax) return a != a || a > b ? a : b;
    return a != a || a < b ? a : b;
  }
  return b;
}

/// E, zero() and combine(a, b).
std::string combine_text(ScatterMode m, DType t) {
  const bool wide = size_of(t) == 8;
  std::string value;
  if (m == ScatterMode::kAdd) value = wide ? fmt::format("{}_add(a, b)", name(t)) : "a + b";
  if (m == ScatterMode::kMul) value = wide ? fmt::format("{}_multiply(a, b)", name(t)) : "a * b";
  if (m == ScatterMode::kMax || m == ScatterMode::kMin) {
    const bool max = m == ScatterMode::kMax;
    if (wide) {
      value = fmt::format("{}_{}(a, b)", name(t), max ? "maximum" : "minimum");
    } else {
      value = fmt::format("{}{}(a, b)", max ? "max" : "min", t == DType::kF32 ? "_f32" : "");
    }
  }
  std::string text = fmt::format("alias E = {0};\nfn zero() -> E {{ return E(); }}\n", wgsl_type(t));
  if (!value.empty()) text += fmt::format("fn combine(a: E, b: E) -> E {{ return {}; }}\n", value);
  return text;
}

// ---- Runs of equal keys, in levels: each level combines the chunk ends of the level below ----

struct SegmentParams {
  std::uint32_t entries, cols, key_step, log_chunk;
};

std::shared_ptr<const CustomKernel> segment_kernel(ScatterMode m, DType t, bool first, bool by_cols) {
  const std::string key =
      fmt::format("scatter_{}{}{}_{}", name_of(m), by_cols ? "_cols" : "", first ? "" : "_ends", name(t));
  return own_kernel(key, [&] {
    CustomKernel k;
    k.inputs = {"keys", "values"};
    if (first) k.inputs.emplace_back("order");
    k.outputs = {"y"};
    k.workgroup = {by_cols ? kColumnLanes : kLanes, 1, 1};
    if (!by_cols) k.workgroup_bytes = kLanes * (2 * size_of(t) + 4);
    for (const char* p : {"entries", "cols", "key_step", "log_chunk"}) k.params.push_back({p, DType::kU32});
    k.host = [m, t, first](const CustomHostCall& call) {
      SegmentParams p{};
      std::memcpy(&p, call.params.data(), sizeof(p));
      const auto keys = host_input<std::uint32_t>(call, 0);
      const auto key_of = [&](std::size_t i) { return keys[(i + 1) * p.key_step - 1]; };
      const auto row_of = [&](std::size_t i) {
        return first ? static_cast<std::size_t>(host_input<std::int32_t>(call, 2)[i]) : ((i + 1) << p.log_chunk) - 1;
      };
      for_element(t, [&]<class E>(E) {
        const auto values = host_input<E>(call, 1);
        const auto y = host_output<E>(call, 0);
        const std::size_t chunk = std::size_t{1} << p.log_chunk;
        const auto chunks = static_cast<std::int64_t>(ceil_div(p.entries, chunk));
        host_for(chunks, static_cast<std::int64_t>(chunk) * p.cols, [&](std::size_t n) {
          for (std::size_t i = n * chunk; i < std::min<std::size_t>(p.entries, (n + 1) * chunk); ++i) {
            const bool goes_on = i > n * chunk && key_of(i - 1) == key_of(i);
            const E* from = values.data() + row_of(i) * p.cols;
            for (std::size_t c = 0; c < p.cols; ++c)
              y[i * p.cols + c] = goes_on ? combined(m, y[(i - 1) * p.cols + c], from[c]) : from[c];
          }
        });
      });
    };
    if (t == DType::kF64 || is_complex(t)) return k;
    k.source = combine_text(m, t);
    k.source += first ? "fn value_row(i: u32) -> u32 { return u32(order[i]); }\n"
                      : "fn value_row(i: u32) -> u32 { return ((i + 1u) << params.log_chunk) - 1u; }\n";
    k.source += kernels::wgsl(by_cols ? "segment_cols" : "segment_lanes");
    return k;
  });
}

struct FinishParams {
  std::uint32_t cols, count, log_chunk;
};

/// Each target: its base combined with its run, from as many levels as the run spans.
std::shared_ptr<const CustomKernel> finish_kernel(ScatterMode m, DType t, std::size_t levels, bool with_base) {
  const bool set = m == ScatterMode::kSet;
  const std::string key = fmt::format("scatter_{}_{}{}_{}", name_of(m), set ? "last" : fmt::format("join{}", levels),
                                      with_base ? "" : "_zeros", name(t));
  return own_kernel(key, [&] {
    CustomKernel k;
    k.inputs = {"starts"};
    for (std::size_t l = 0; l < levels; ++l) k.inputs.push_back(fmt::format("runs{}", l));
    if (set) k.inputs.emplace_back("order");
    if (with_base) k.inputs.emplace_back("base");
    k.outputs = {"y"};
    k.workgroup = {kLanes, 1, 1};
    for (const char* p : {"cols", "count", "log_chunk"}) k.params.push_back({p, DType::kU32});
    k.host = [m, t, levels, with_base](const CustomHostCall& call) {
      FinishParams p{};
      std::memcpy(&p, call.params.data(), sizeof(p));
      const auto starts = host_input<std::int32_t>(call, 0);
      for_element(t, [&]<class E>(E) {
        host_for(p.count, 8, [&](std::size_t i) {
          const std::size_t row = i / p.cols;
          const std::size_t c = i % p.cols;
          auto low = static_cast<std::size_t>(starts[row]);
          auto high = static_cast<std::size_t>(starts[row + 1]);
          const E base = with_base ? host_input<E>(call, call.inputs.size() - 1)[i] : E{};
          E& out = host_output<E>(call, 0)[i];
          out = base;
          if (low == high) return;
          if (m == ScatterMode::kSet) {
            const auto at = static_cast<std::size_t>(host_input<std::int32_t>(call, 2)[high - 1]);
            out = host_input<E>(call, 1)[at * p.cols + c];
            return;
          }
          // From the end to the front: the rest of the last chunk, then whole chunks by the next level.
          E sum{};
          bool any = false;
          for (std::size_t l = 0; l < levels; ++l) {
            const E end = host_input<E>(call, 1 + l)[(high - 1) * p.cols + c];
            const bool one = (high - 1) >> p.log_chunk == low >> p.log_chunk;
            if (one || (high & ((std::size_t{1} << p.log_chunk) - 1)) != 0) {
              sum = any ? combined(m, end, sum) : end;
              any = true;
            }
            if (one) break;
            low >>= p.log_chunk;
            high >>= p.log_chunk;
          }
          out = with_base ? combined(m, base, sum) : sum;
        });
      });
    };
    if (t == DType::kF64 || is_complex(t)) return k;
    k.source = combine_text(m, t) + main_per_element("count") + R"(  let row = i / params.cols;
  let c = i - row * params.cols;
  var low = u32(starts[row]);
  var high = u32(starts[row + 1u]);
)";
    k.source += with_base ? "  let first = base[i];\n" : "  let first = zero();\n";
    k.source += "  if (low == high) {\n    y[i] = first;\n    return;\n  }\n";
    if (set) {
      k.source += "  y[i] = runs0[u32(order[high - 1u]) * params.cols + c];\n}\n";
      return k;
    }
    k.source += "  var sum = zero();\n  var any = false;\n  var done = false;\n";
    for (std::size_t l = 0; l < levels; ++l) {
      k.source += fmt::format(R"(  if (!done) {{
    done = ((high - 1u) >> params.log_chunk) == (low >> params.log_chunk);
    if (done || (high & ((1u << params.log_chunk) - 1u)) != 0u) {{
      let end = runs{}[(high - 1u) * params.cols + c];
      if (any) {{ sum = combine(end, sum); }} else {{ sum = end; }}
      any = true;
    }}
    low = low >> params.log_chunk;
    high = high >> params.log_chunk;
  }}
)",
                              l);
    }
    k.source += with_base ? "  y[i] = combine(first, sum);\n}\n" : "  y[i] = sum;\n}\n";
    return k;
  });
}

/// Rows of x [rows, cols] at index [n] (i32); zeros where it is out of range.
NodePtr take_rows(const NodePtr& x, const NodePtr& index) {
  const std::int64_t rows = x->shape()[0];
  const std::int64_t cols = x->shape()[1];
  const std::int64_t n = index->numel();
  if (n * cols == 0 || rows == 0) return full({n, cols}, cast(number(0), x->dtype()), x->device());
  const NodePtr row = reshape(index, {n, 1});
  const NodePtr inside = elementwise(Op::kLogicalAnd, {elementwise(Op::kGreaterEqual, {row, integer(0)}),
                                                       elementwise(Op::kLess, {row, integer(rows)})});
  const NodePtr numbers = arange(0, static_cast<double>(cols), 1, DType::kI32, index->device());
  const NodePtr at = elementwise(Op::kWhere, {inside, row, integer(0)}) * integer(cols) + numbers;
  const NodePtr y = elementwise(Op::kWhere, {inside, gather(reshape(x, {x->numel()}), at), number(0)});
  return with_gradient("take_rows", {x}, cast(y, x->dtype()), [index, rows, cols](const Gradient::Call& call) {
    return std::vector<NodePtr>{scatter_rows(nullptr, rows, cols, index, call.gradients[0], ScatterMode::kAdd)};
  });
}

/// The updates sorted by target: their order, and for each target the start of its run (one more at the end).
struct Runs {
  NodePtr keys;    // u32, sorted
  NodePtr order;   // i32
  NodePtr starts;  // i32, [rows + 1]
};

Runs runs_of(std::int64_t rows, const NodePtr& index) {
  const std::int64_t n = index->numel();
  // Indices out of range go past the last row.
  const NodePtr limit = scalar({rows}, DType::kU32);
  const NodePtr keys = elementwise(Op::kMinimum, {cast(reshape(index, {n}), DType::kU32), limit});
  Runs r;
  r.order = sorted_order(keys, std::bit_width(static_cast<std::uint64_t>(rows)));
  r.keys = reshape(take_in_rows(reshape(keys, {1, n}), reshape(r.order, {1, n})), {n});
  const NodePtr targets = arange(0, static_cast<double>(rows + 1), 1, DType::kU32, index->device());
  r.starts = searchsorted(r.keys, targets, false);
  return r;
}

/// For tensors that kernels can bind whole; without gradient rules.
NodePtr scattered_whole(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                        const NodePtr& updates, ScatterMode mode) {
  const DType own = updates->dtype();
  const DType t = wide_type(own);
  const std::int64_t n = index->numel();
  const Runs runs = runs_of(rows, index);
  std::vector<NodePtr> inputs{runs.starts};
  std::size_t levels = 1;
  std::uint32_t log_chunk = 8;
  if (mode == ScatterMode::kSet) {
    inputs.insert(inputs.end(), {cast(updates, t), runs.order});
  } else {
    const bool by_cols = cols >= kManyColumns;
    if (by_cols && n <= (1 << 24)) log_chunk = 6;
    std::int64_t length = n;  // of the level
    std::int64_t before = n;  // of the level below
    std::int64_t key_step = 1;
    NodePtr values = cast(updates, t);
    for (levels = 0; levels == 0 || before > std::int64_t{1} << log_chunk; ++levels) {
      if (levels > 0) length = before >> log_chunk;  // of whole chunks: the remainder has no successor
      std::vector<NodePtr> in{runs.keys, values};
      if (levels == 0) in.push_back(runs.order);
      const auto chunks = static_cast<std::uint64_t>(ceil_div(length, std::int64_t{1} << log_chunk));
      values = call_own(segment_kernel(mode, t, levels == 0, by_cols), in, {{t, {length, cols}}},
                        {word(length), word(cols), word(key_step), log_chunk},
                        by_cols ? chunks * static_cast<std::uint64_t>(ceil_div(cols, kColumnLanes)) : chunks)[0];
      inputs.push_back(values);
      before = length;
      key_step <<= log_chunk;
    }
  }
  if (base != nullptr) inputs.push_back(cast(base, t));
  const NodePtr y = call_own(finish_kernel(mode, t, levels, base != nullptr), inputs, {{t, {rows, cols}}},
                             {word(cols), word(rows * cols), log_chunk},
                             static_cast<std::uint64_t>(ceil_div(rows * cols, kLanes)))[0];
  return cast(y, own);
}

/// Elements `start` to `stop` along an axis.
NodePtr part(const NodePtr& x, int axis, std::int64_t start, std::int64_t stop) {
  std::vector<Range> ranges;
  for (const std::int64_t size : x->shape()) ranges.push_back({0, size, 1});
  ranges[static_cast<std::size_t>(axis)] = {start, stop, 1};
  return slice(x, ranges);
}

/// Without gradient rules. Tensors that a device cannot bind whole are processed in parts of the rows, the columns and
/// the updates, in the order of the updates.
NodePtr scattered(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                  const NodePtr& updates, ScatterMode mode) {
  const std::int64_t n = index->numel();
  const std::uint64_t limit = binding_limit(common_device("scatter", std::vector<NodePtr>{index, updates}));
  const auto size = static_cast<std::int64_t>(std::max<std::size_t>(size_of(wide_type(updates->dtype())), 4));
  const auto words = static_cast<std::int64_t>(std::min<std::uint64_t>(limit, kMaxTensorBytes)) / size;
  const std::int64_t width = std::min(cols, std::max<std::int64_t>(words - 1, 1));
  const std::int64_t most = std::max<std::int64_t>((words - 1) / width, 1);  // there is one more run start than rows
  if (width == cols && rows <= most && n <= most) return scattered_whole(base, rows, cols, index, updates, mode);
  std::vector<NodePtr> columns;
  for (std::int64_t c = 0; c < cols; c += width) {
    const std::int64_t wide = std::min(width, cols - c);
    std::vector<NodePtr> pieces;
    for (std::int64_t r = 0; r < rows; r += most) {
      const std::int64_t high = std::min(most, rows - r);
      NodePtr y = base == nullptr ? nullptr : part(part(base, 0, r, r + high), 1, c, c + wide);
      const NodePtr here = index - integer(r);  // indices of other rows are out of range
      for (std::int64_t u = 0; u < n; u += most) {
        const std::int64_t end = std::min(u + most, n);
        y = scattered_whole(y, high, wide, contiguous(part(here, 0, u, end)),
                            part(part(updates, 0, u, end), 1, c, c + wide), mode);
      }
      pieces.push_back(y);
    }
    columns.push_back(concat(pieces, 0));
  }
  return concat(columns, 1);
}

void check_index(std::string_view what, const NodePtr& index) {
  if (!is_integer(index->dtype())) {
    fail(ErrorKind::kDType, "{}: the index has type {}; an integer is expected.", what, name(index->dtype()));
  }
}

/// Maximum and minimum: all elements that are equal to it share the gradient.
std::vector<NodePtr> extreme_gradients(const NodePtr& index, std::int64_t rows, std::int64_t cols,
                                       const Gradient::Call& call) {
  const NodePtr& g = call.gradients[0];
  const NodePtr result = stop_gradient(call.outputs[0]);
  const auto won = [&](const NodePtr& x, const NodePtr& y) {
    return cast(elementwise(Op::kEqual, {stop_gradient(x), y}), g->dtype());
  };
  const NodePtr updates = won(call.inputs[0], take_rows(result, index));
  const NodePtr base = won(call.inputs[1], result);
  const NodePtr share = g / scatter_rows(base, rows, cols, index, updates, ScatterMode::kAdd);
  return {updates * take_rows(share, index), base * share};
}

/// Product: the product of the others, where zeros are counted and not divided by.
std::vector<NodePtr> product_gradients(const NodePtr& index, std::int64_t rows, std::int64_t cols,
                                       const Gradient::Call& call) {
  const NodePtr& g = call.gradients[0];
  const NodePtr nothing = cast(number(0), g->dtype());
  const NodePtr one = cast(number(1), g->dtype());
  const auto is_zero = [&](const NodePtr& x) { return elementwise(Op::kEqual, {x, nothing}); };
  const auto without_zeros = [&](const NodePtr& x) { return elementwise(Op::kWhere, {is_zero(x), one, x}); };
  const auto count = [&](const NodePtr& x) { return cast(is_zero(stop_gradient(x)), DType::kI32); };
  const NodePtr& updates = call.inputs[0];
  const NodePtr& base = call.inputs[1];
  const NodePtr zeros = scatter_rows(count(base), rows, cols, index, count(updates), ScatterMode::kAdd);
  const NodePtr product =
      scatter_rows(without_zeros(base), rows, cols, index, without_zeros(updates), ScatterMode::kMul);
  const auto others = [&](const NodePtr& x, const NodePtr& n, const NodePtr& p) {
    const NodePtr alone = elementwise(Op::kEqual, {n, cast(is_zero(stop_gradient(x)), DType::kI32)});
    return elementwise(Op::kWhere, {alone, p / without_zeros(x), nothing});
  };
  return {take_rows(g, index) * others(updates, take_rows(zeros, index), take_rows(product, index)),
          g * others(base, zeros, product)};
}

/// Row-major positions in `shape` of the elements that `index` selects along the axis.
NodePtr positions_of(const Shape& shape, const NodePtr& index, int axis) {
  const NodePtr along = checked_index(index, shape[axis]);
  std::int64_t stride = 1;
  NodePtr position;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    NodePtr coordinate = along;
    if (d != axis) {
      Shape one;
      for (int i = 0; i < shape.rank(); ++i) one.push_back(i == d ? index->shape()[d] : 1);
      coordinate = reshape(arange(0, static_cast<double>(index->shape()[d]), 1, DType::kI32, index->device()), one);
    }
    const NodePtr term = coordinate * integer(stride);
    position = position == nullptr ? term : position + term;
    stride *= shape[d];
  }
  return elementwise(Op::kWhere, {elementwise(Op::kLess, {along, integer(0)}), integer(-1), position});
}

}  // namespace

NodePtr scatter_rows(const NodePtr& base, std::int64_t rows, std::int64_t cols, const NodePtr& index,
                     const NodePtr& updates, ScatterMode mode) {
  const std::int64_t n = index->numel();
  if (index->dtype() != DType::kI32 || updates->numel() != Wide{n} * cols ||
      (base != nullptr && (base->numel() != Wide{rows} * cols || base->dtype() != updates->dtype()))) {
    fail(ErrorKind::kShape, "scatter_rows: index {} of type {}, updates {} and {} rows of {} do not fit.",
         index->shape().str(), name(index->dtype()), updates->shape().str(), rows, cols);
  }
  if (base == nullptr && mode != ScatterMode::kSet && mode != ScatterMode::kAdd) {
    fail(ErrorKind::kValue, "scatter_rows: mode {} was given without a base; it needs one.", name_of(mode));
  }
  if (is_complex(updates->dtype()) && (mode == ScatterMode::kMax || mode == ScatterMode::kMin)) {
    fail(ErrorKind::kDType, "scatter: mode {} was given for type {}; complex numbers have no order.", name_of(mode),
         name(updates->dtype()));
  }
  if (rows > 0x7ffffffeLL || n > 0x7fffffffLL) {
    fail(ErrorKind::kLimit, "scatter: {} targets and {} updates were given; the most are 2147483646.", rows, n);
  }
  const NodePtr flat = stop_gradient(reshape(index, {n}));  // or a gradient of the gradient would go through it
  const NodePtr given = reshape(updates, {n, cols});
  const NodePtr old = base != nullptr ? reshape(base, {rows, cols}) : nullptr;
  if (n * cols == 0 || rows == 0) {
    return old != nullptr ? old : full({rows, cols}, cast(number(0), updates->dtype()), updates->device());
  }
  const NodePtr y = scattered(old, rows, cols, flat, given, mode);
  std::vector<NodePtr> inputs{given};
  if (old != nullptr) inputs.push_back(old);
  Gradient::Function rule;
  if (mode == ScatterMode::kAdd) {
    rule = [flat](const Gradient::Call& call) {
      std::vector<NodePtr> g{take_rows(call.gradients[0], flat)};
      if (call.inputs.size() > 1) g.push_back(call.gradients[0]);
      return g;
    };
  } else if (mode == ScatterMode::kSet) {
    rule = [flat, rows, n](const Gradient::Call& call) {
      // The number of the update that was written last to each row, or -1.
      const NodePtr numbers = arange(0, static_cast<double>(n), 1, DType::kI32, flat->device());
      const NodePtr winner =
          scattered(broadcast_to(integer(-1), {rows, 1}), rows, 1, flat, reshape(numbers, {n, 1}), ScatterMode::kSet);
      const NodePtr& g = call.gradients[0];
      const NodePtr zero = cast(number(0), g->dtype());
      const NodePtr won = elementwise(Op::kEqual, {take_rows(winner, flat), reshape(numbers, {n, 1})});
      // If the index is out of range, both reads give 0 and nothing is added.
      std::vector<NodePtr> result{elementwise(Op::kWhere, {won, take_rows(g, flat), zero})};
      if (call.inputs.size() > 1) {
        result.push_back(elementwise(Op::kWhere, {elementwise(Op::kLess, {winner, integer(0)}), g, zero}));
      }
      return result;
    };
  } else if (mode == ScatterMode::kMul) {
    rule = [flat, rows, cols](const Gradient::Call& call) { return product_gradients(flat, rows, cols, call); };
  } else {
    rule = [flat, rows, cols](const Gradient::Call& call) { return extreme_gradients(flat, rows, cols, call); };
  }
  return with_gradient(fmt::format("scatter_{}", name_of(mode)), inputs, y, rule);
}

NodePtr scatter_add_flat(std::int64_t numel, const NodePtr& positions, const NodePtr& updates) {
  return reshape(scatter_rows(nullptr, numel, 1, positions, updates, ScatterMode::kAdd), {numel});
}

NodePtr scatter_add_along(const Shape& shape, const NodePtr& index, const NodePtr& updates, int axis) {
  return reshape(scatter_add_flat(shape.numel(), positions_of(shape, index, axis), updates), shape);
}

NodePtr scatter(const NodePtr& x, const NodePtr& index, const NodePtr& updates, int axis, ScatterMode mode) {
  check_index("scatter", index);
  const int rank = x->shape().rank();
  const int at = normal_axis("scatter", axis, rank);
  bool fits = index->shape().rank() == rank && updates->shape() == index->shape();
  for (int d = 0; fits && d < rank; ++d) fits = d == at || index->shape()[d] <= x->shape()[d];
  if (!fits) {
    fail(ErrorKind::kShape,
         "scatter: x is {}, index {} and updates {}; index and updates must have one shape, of x's rank and beside "
         "axis {} not larger than x.",
         x->shape().str(), index->shape().str(), updates->shape().str(), at);
  }
  return reshape(scatter_rows(x, x->numel(), 1, positions_of(x->shape(), index, at), cast(updates, x->dtype()), mode),
                 x->shape());
}

NodePtr index_add(const NodePtr& x, int axis, const NodePtr& index, const NodePtr& source) {
  check_index("index_add", index);
  const int at = normal_axis("index_add", axis, x->shape().rank());
  Shape expected = x->shape();
  if (index->shape().rank() == 1) expected[at] = index->numel();
  if (index->shape().rank() != 1 || source->shape() != expected) {
    fail(ErrorKind::kShape,
         "index_add: x is {}, index {} and source {}; an index of rank 1 and a source {} are expected.",
         x->shape().str(), index->shape().str(), source->shape().str(), expected.str());
  }
  std::vector<int> order{at};
  for (int d = 0; d < x->shape().rank(); ++d) {
    if (d != at) order.push_back(d);
  }
  const NodePtr base = permute(x, order);
  const std::int64_t rows = x->shape()[at];
  const std::int64_t cols = rows == 0 ? 0 : x->numel() / rows;
  const NodePtr y = scatter_rows(base, rows, cols, checked_index(index, rows), permute(cast(source, x->dtype()), order),
                                 ScatterMode::kAdd);
  std::vector<int> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return permute(reshape(y, base->shape()), inverse);
}

NodePtr bincount(const NodePtr& x, std::int64_t bins) {
  check_index("bincount", x);
  if (bins < 0) fail(ErrorKind::kValue, "bincount: {} bins were given; the number must not be negative.", bins);
  check_i32_count("bincount", Wide{bins} + 1);
  if (x->numel() == 0 || bins == 0) return broadcast_to(integer(0), {bins});
  const Runs runs = runs_of(bins, cast(stop_gradient(x), DType::kI32));
  const std::array<Range, 1> front{{{0, bins, 1}}};
  const std::array<Range, 1> back{{{1, bins + 1, 1}}};
  return slice(runs.starts, back) - slice(runs.starts, front);
}

}  // namespace tessera::ops
