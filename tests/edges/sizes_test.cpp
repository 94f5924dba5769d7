// Sizes, steps, counts and axes near the powers of two where numbers end, for every op that takes some: each call gives
// a tensor or an Error, and never crashes, hangs or runs out of memory.
#include "base/sizes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Sizes = std::vector<std::int64_t>;

/// The arguments of one call, from a seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool often() { return below(10) < 7; }
  bool flip() { return below(2) == 1; }
  /// Most are small; the others lie around 0, 2^31, 2^32, 2^62 and 2^63, on both sides.
  std::int64_t number() {
    if (often()) return static_cast<std::int64_t>(below(7)) - (below(8) == 0 ? 2 : 0);
    constexpr std::array<std::uint64_t, 9> kNear{0,           1U << 20U,   1ULL << 31U, 1ULL << 32U, 1ULL << 40U,
                                                 1ULL << 60U, 1ULL << 61U, 1ULL << 62U, 1ULL << 63U};
    const std::uint64_t at = kNear[below(kNear.size())] + below(5) - 2;
    return static_cast<std::int64_t>(below(4) == 0 ? 0 - at : at);
  }
  std::int64_t small() { return static_cast<std::int64_t>(below(6)); }
  int axis() {
    constexpr std::array kFar{std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), -9, 8};
    return often() ? static_cast<int>(below(6)) - 3 : kFar[below(kFar.size())];
  }
  Axes axes() {
    Axes result;
    for (std::uint64_t i = below(4); i > 0; --i) result.push_back(axis());
    return result;
  }
  Sizes numbers(std::uint64_t count) {
    Sizes result;
    for (; count > 0; --count) result.push_back(number());
    return result;
  }
  Sizes numbers() { return numbers(below(5)); }
  Shape shape() { return Shape(numbers()); }
  Shape small_shape(int rank) {
    Shape s;
    for (int i = 0; i < rank; ++i) s.push_back(static_cast<std::int64_t>(below(4)) + (below(6) == 0 ? 0 : 1));
    return s;
  }
  PerAxis per_axis() { return flip() ? PerAxis(number()) : PerAxis(numbers(2)); }
  Padding padding() {
    switch (below(4)) {
      case 0:
        return Padding(number());
      case 1:
        return Padding(std::vector<std::pair<std::int64_t, std::int64_t>>{{number(), number()}, {number(), number()}});
      case 2:
        return "same";
      default:
        return 0;
    }
  }
  DType dtype() {
    constexpr std::array kTypes{boolean, i8, u8, i16, i32, u32, i64, u64, f16, bf16, f32, f64};
    return kTypes[below(kTypes.size())];
  }
  /// A small tensor with data, or a huge one that is a number spread out.
  Tensor tensor(int rank = -1, DType t = f32) {
    const int r = rank < 0 ? static_cast<int>(below(5)) : rank;
    if (often()) return small_tensor(r, t);
    return tessera::full(Shape(numbers(static_cast<std::uint64_t>(r))), 1, t);
  }
  Tensor small_tensor(int rank, DType t = f32) {
    const Shape s = small_shape(rank);
    return cast(reshape(arange(0, static_cast<double>(s.numel()), 1, i32), s), t);
  }
  /// Three times one tensor, or two that need not fit.
  std::vector<Tensor> parts() {
    std::vector<Tensor> result{tensor()};
    if (flip()) return {result[0], result[0], result[0]};
    result.push_back(tensor());
    return result;
  }
  Tensor indices(int rank) { return small_tensor(rank, i32); }
  Slice range() {
    Slice s;
    if (flip()) s.start = number();
    if (flip()) s.stop = number();
    if (flip()) s.step = number();
    return s;
  }
  std::vector<Slice> ranges() {
    std::vector<Slice> result;
    for (std::uint64_t i = below(4); i > 0; --i) result.push_back(range());
    return result;
  }
  std::vector<At> bracket() {
    std::vector<At> result;
    for (std::uint64_t i = below(4); i > 0; --i) {
      switch (below(6)) {
        case 0:
          result.emplace_back(number());
          break;
        case 1:
          result.emplace_back(Ellipsis{});
          break;
        case 2:
          result.emplace_back(NewAxis{});
          break;
        case 3:
          result.emplace_back(indices(1));
          break;
        default:
          result.emplace_back(range());
      }
    }
    return result;
  }

 private:
  std::mt19937_64 random_;
};

using Results = std::vector<Tensor>;

struct Row {
  std::string name;  // of the catalog, or of a function beside it
  std::function<Results(Draw&)> call;
};

/// The sizes that a result must have, computed in 128 bits.
void expect_sizes(const Tensor& y, const std::vector<Wide>& sizes) {
  ASSERT_EQ(static_cast<std::size_t>(y.rank()), sizes.size());
  for (int i = 0; i < y.rank(); ++i) EXPECT_TRUE(y.shape()[i] == sizes[static_cast<std::size_t>(i)]) << "axis " << i;
}

ConvOptions conv_options(Draw& d) {
  ConvOptions o;
  if (d.flip()) o.stride = d.per_axis();
  if (d.flip()) o.padding = d.padding();
  if (d.flip()) o.dilation = d.per_axis();
  if (d.below(4) == 0) o.groups = d.number();
  if (d.below(4) == 0) o.layout = ImageLayout::kChannelsLast;
  return o;
}
ConvTransposeOptions transpose_options(Draw& d) {
  const ConvOptions c = conv_options(d);
  ConvTransposeOptions o{c.stride, c.padding, 0, c.dilation, c.groups, c.layout};
  if (d.flip()) o.output_padding = d.per_axis();
  return o;
}
UnfoldOptions unfold_options(Draw& d) {
  UnfoldOptions o;
  if (d.flip()) o.dilation = d.per_axis();
  if (d.flip()) o.padding = d.padding();
  if (d.flip()) o.stride = d.per_axis();
  return o;
}
PoolOptions pool_options(Draw& d) {
  PoolOptions o;
  if (d.flip()) o.stride = d.per_axis();
  if (d.flip()) o.padding = d.padding();
  if (d.below(3) == 0) o.dilation = d.per_axis();
  o.ceil_mode = d.flip();
  o.count_include_pad = d.flip();
  if (d.below(4) == 0) o.layout = ImageLayout::kChannelsLast;
  return o;
}

/// Sizes of a tensor that other operands must have as well are drawn once.
Results run_attention(Draw& d) {
  const std::int64_t heads = d.number();
  const std::int64_t size = d.often() ? 4 : d.number();
  const Shape q{heads, d.number(), size};
  const Shape k{d.often() ? heads : d.number(), d.number(), size};
  AttentionOptions o;
  o.causal = d.flip();
  if (d.flip()) o.window = d.number();
  return {scaled_dot_product_attention(tessera::full(q, 1.0), tessera::full(k, 1.0), tessera::full(k, 2.0), o)};
}

template <class F>
Row reduction(const char* name, F f) {
  return {name, [f](Draw& d) { return Results{f(d.tensor(), d.axes(), d.flip())}; }};
}
template <class F>
Row along(const char* name, F f) {
  return {name, [f](Draw& d) { return Results{f(d.tensor(), d.axis())}; }};
}

void add_creation(std::vector<Row>& rows) {
  rows.push_back({"empty", [](Draw& d) { return Results{empty(d.shape(), d.dtype())}; }});
  rows.push_back({"zeros", [](Draw& d) { return Results{zeros(d.shape(), d.dtype())}; }});
  rows.push_back({"ones", [](Draw& d) { return Results{ones(d.shape(), d.dtype())}; }});
  rows.push_back({"full", [](Draw& d) {
                    const Sizes s = d.numbers();
                    const Tensor y = tessera::full(Shape(s), Tensor(d.number()), d.dtype());
                    expect_sizes(y, {s.begin(), s.end()});
                    return Results{y};
                  }});
  rows.push_back({"linspace", [](Draw& d) {
                    return Results{linspace(static_cast<double>(d.number()), static_cast<double>(d.number()) + 0.25,
                                            d.number(), d.dtype())};
                  }});
  rows.push_back({"arange", [](Draw& d) {
                    const auto number = [&] { return static_cast<double>(d.number()) + (d.often() ? 0 : 0.5); };
                    if (d.flip()) return Results{arange(number(), number(), number())};
                    return Results{arange(number(), number(), number(), d.dtype())};
                  }});
  rows.push_back({"eye", [](Draw& d) { return Results{eye(d.number(), d.number(), d.axis(), d.dtype())}; }});
  rows.push_back({"random::uniform", [](Draw& d) { return Results{random::uniform(d.shape(), 0.0, 1.0)}; }});
  rows.push_back({"random::normal", [](Draw& d) { return Results{random::normal(d.shape())}; }});
  rows.push_back({"random::exponential", [](Draw& d) { return Results{random::exponential(d.shape())}; }});
  rows.push_back({"random::gamma", [](Draw& d) { return Results{random::gamma(d.shape(), 2.0)}; }});
  rows.push_back({"random::truncated_normal", [](Draw& d) { return Results{random::truncated_normal(d.shape())}; }});
  rows.push_back({"random::bernoulli", [](Draw& d) { return Results{random::bernoulli(d.shape())}; }});
  rows.push_back({"random::randint", [](Draw& d) {
                    constexpr std::array kTypes{i8, u8, i16, u16, i32, u32, i64, u64};
                    return Results{random::randint(d.shape(), d.number(), d.number(), kTypes[d.below(8)])};
                  }});
  rows.push_back({"random::categorical", [](Draw& d) { return Results{random::categorical(d.tensor(), d.axis())}; }});
  rows.push_back({"random::multinomial",
                  [](Draw& d) { return Results{random::multinomial(ones(d.small_shape(2)), d.number(), d.flip())}; }});
  rows.push_back({"random::permutation", [](Draw& d) { return Results{random::permutation(d.number())}; }});
}

void add_movement(std::vector<Row>& rows) {
  rows.push_back({"reshape", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const Shape s = d.shape();
                    const Tensor y = reshape(x, s);
                    EXPECT_EQ(y.numel(), x.numel());
                    return Results{y};
                  }});
  rows.push_back({"permute", [](Draw& d) { return Results{permute(d.tensor(), d.axes())}; }});
  rows.push_back({"transpose", [](Draw& d) { return Results{transpose(d.tensor(), d.axis(), d.axis())}; }});
  rows.push_back({"broadcast_to", [](Draw& d) {
                    const Sizes s = d.numbers();
                    const Tensor y = broadcast_to(d.flip() ? Tensor(1.0) : d.tensor(), Shape(s));
                    expect_sizes(y, {s.begin(), s.end()});
                    return Results{y, y + 1.0};
                  }});
  rows.push_back(along("expand_dims", [](const Tensor& x, int a) { return expand_dims(x, a); }));
  rows.push_back({"squeeze", [](Draw& d) { return Results{squeeze(d.tensor(), d.axes())}; }});
  rows.push_back({"flip", [](Draw& d) { return Results{flip(d.tensor(), d.axes())}; }});
  rows.push_back({"slice", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const std::vector<Slice> ranges = d.ranges();
                    const Tensor y = slice(x, ranges);
                    for (std::size_t i = 0; i < ranges.size(); ++i) {  // NumPy's rules, in 128 bits
                      const auto axis = static_cast<int>(i);
                      const Wide size = x.shape()[axis];
                      const Wide step = ranges[i].step;
                      const auto bound = [&](std::optional<std::int64_t> v, Wide whole) {
                        if (!v.has_value()) return whole;
                        const Wide at = *v < 0 ? *v + size : Wide{*v};
                        const Wide least = step > 0 ? 0 : -1;
                        return std::clamp(at, least, std::max(least, step > 0 ? size : size - 1));
                      };
                      const Wide start = bound(ranges[i].start, step > 0 ? Wide{0} : size - 1);
                      const Wide stop = bound(ranges[i].stop, step > 0 ? size : Wide{-1});
                      const Wide far = step > 0 ? stop - start : start - stop;
                      const Wide count = far <= 0 ? 0 : (far - 1) / (step > 0 ? step : -step) + 1;
                      EXPECT_TRUE(y.shape()[axis] == count) << "axis " << axis;
                    }
                    return Results{y};
                  }});
  rows.push_back({"pad", [](Draw& d) {
                    const Tensor x = d.tensor();
                    std::vector<std::pair<std::int64_t, std::int64_t>> widths;
                    std::vector<Wide> sizes;
                    for (const std::int64_t s : x.shape()) {
                      widths.emplace_back(d.number(), d.number());
                      sizes.push_back(Wide{s} + widths.back().first + widths.back().second);
                    }
                    const Tensor y = pad(x, widths, 3);
                    expect_sizes(y, sizes);
                    return Results{y};
                  }});
  rows.push_back({"concat", [](Draw& d) {
                    const Results parts = d.parts();
                    return Results{concat(parts, d.axis())};
                  }});
  rows.push_back({"stack", [](Draw& d) {
                    const Results parts = d.parts();
                    return Results{stack(parts, d.axis())};
                  }});
  rows.push_back({"split", [](Draw& d) {
                    const Tensor x = d.tensor();
                    return d.flip() ? split(x, d.number(), d.axis()) : split(x, d.numbers(), d.axis());
                  }});
  rows.push_back({"roll", [](Draw& d) {
                    if (d.flip()) return Results{roll(d.tensor(), {d.number()})};
                    const Axes axes = d.axes();
                    return Results{roll(d.tensor(), d.numbers(axes.size()), axes)};
                  }});
  rows.push_back({"rot90", [](Draw& d) { return Results{rot90(d.tensor(), d.axis(), d.axis(), d.axis())}; }});
  rows.push_back({"repeat", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const std::int64_t times = d.number();
                    const Tensor y = repeat(x, times);
                    expect_sizes(y, {Wide{x.numel()} * times});
                    return Results{y, repeat(x, times, d.axis())};
                  }});
  rows.push_back({"tile", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const Sizes times = d.numbers(static_cast<std::uint64_t>(x.rank()));
                    const Tensor y = tile(x, times);
                    std::vector<Wide> sizes;
                    for (int i = 0; i < x.rank(); ++i)
                      sizes.push_back(Wide{x.shape()[i]} * times[static_cast<std::size_t>(i)]);
                    expect_sizes(y, sizes);
                    return Results{y, tile(x, d.numbers())};
                  }});
  rows.push_back({"meshgrid", [](Draw& d) {
                    Results axes;
                    for (std::uint64_t i = d.below(5); i > 0; --i) axes.push_back(d.tensor(1));
                    return meshgrid(axes, d.flip());
                  }});
}

void add_indexing(std::vector<Row>& rows) {
  rows.push_back({"index", [](Draw& d) { return Results{index(d.tensor(), d.bracket())}; }});
  rows.push_back({"index_set", [](Draw& d) { return Results{index_set(d.tensor(), d.bracket(), 1.0)}; }});
  rows.push_back({"slice_update", [](Draw& d) {
                    const std::vector<std::int64_t> starts{d.number(), d.number()};
                    if (d.flip()) return Results{slice_update(d.tensor(), d.tensor(), starts, {d.axis(), d.axis()})};
                    return Results{slice_update(d.tensor(), d.tensor(), d.indices(1), {d.axis()})};
                  }});
  rows.push_back({"index_add", [](Draw& d) {
                    if (d.flip()) return Results{index_add(d.tensor(), d.bracket(), 1.0)};
                    return Results{index_add(d.tensor(), d.axis(), d.indices(1), d.tensor())};
                  }});
  rows.push_back({"take", [](Draw& d) {
                    if (d.flip()) return Results{take(d.tensor(), d.indices(1))};
                    return Results{take(d.tensor(), d.indices(2), d.axis())};
                  }});
  rows.push_back({"take_along_axis", [](Draw& d) {
                    const Tensor x = d.tensor();
                    return Results{
                        take_along_axis(x, d.flip() ? d.indices(x.rank()) : d.tensor(x.rank(), i32), d.axis())};
                  }});
  rows.push_back({"gather", [](Draw& d) {
                    const Tensor x = d.tensor();
                    return Results{gather(x, d.axis(), d.flip() ? d.indices(x.rank()) : d.tensor(x.rank(), i32))};
                  }});
  rows.push_back({"scatter", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const Tensor at = d.indices(x.rank());
                    constexpr std::array kModes{Scatter::kSet, Scatter::kAdd, Scatter::kMul, Scatter::kMax,
                                                Scatter::kMin};
                    return Results{scatter(x, at, cast(at, f32), d.axis(), kModes[d.below(5)])};
                  }});
  rows.push_back({"scatter_add", [](Draw& d) {
                    const Tensor x = d.tensor();
                    const Tensor at = d.indices(x.rank());
                    return Results{scatter_add(x, at, cast(at, f32), d.axis())};
                  }});
  rows.push_back({"bincount", [](Draw& d) { return Results{bincount(d.indices(1), d.number())}; }});
  rows.push_back({"histogram", [](Draw& d) {
                    return Results{histogram(d.tensor(), d.number(), static_cast<double>(d.number()),
                                             static_cast<double>(d.number()))};
                  }});
  rows.push_back({"one_hot", [](Draw& d) { return Results{one_hot(d.indices(2), d.number(), d.dtype())}; }});
  rows.push_back(along("cumsum", [](const Tensor& x, int a) { return cumsum(x, a); }));
  rows.push_back(along("cumprod", [](const Tensor& x, int a) { return cumprod(x, a); }));
  rows.push_back(along("logcumsumexp", [](const Tensor& x, int a) { return logcumsumexp(x, a); }));
  rows.push_back(along("cummax", [](const Tensor& x, int a) { return cummax(x, a).indices; }));
  rows.push_back(along("cummin", [](const Tensor& x, int a) { return cummin(x, a).values; }));
  rows.push_back(along("sort", [](const Tensor& x, int a) { return sort(x, a); }));
  rows.push_back(along("sort_with_indices", [](const Tensor& x, int a) { return sort_with_indices(x, a).indices; }));
  rows.push_back(along("argsort", [](const Tensor& x, int a) { return argsort(x, a); }));
  rows.push_back({"topk", [](Draw& d) {
                    const Indexed y = topk(d.tensor(), d.number(), d.axis(), d.flip());
                    return Results{y.values, y.indices};
                  }});
  rows.push_back(along("median", [](const Tensor& x, int a) { return median(x, a); }));
  rows.push_back(along("quantile", [](const Tensor& x, int a) { return quantile(x, std::vector{0.1, 0.9}, a); }));
}

void add_reductions(std::vector<Row>& rows) {
  rows.push_back(reduction("sum", [](const Tensor& x, const Axes& a, bool k) { return sum(x, a, k); }));
  rows.push_back(reduction("prod", [](const Tensor& x, const Axes& a, bool k) { return prod(x, a, k); }));
  rows.push_back(reduction("mean", [](const Tensor& x, const Axes& a, bool k) { return mean(x, a, k); }));
  rows.push_back(reduction("max", [](const Tensor& x, const Axes& a, bool k) { return max(x, a, k); }));
  rows.push_back(reduction("min", [](const Tensor& x, const Axes& a, bool k) { return min(x, a, k); }));
  rows.push_back(reduction("any", [](const Tensor& x, const Axes& a, bool k) { return any(x, a, k); }));
  rows.push_back(reduction("all", [](const Tensor& x, const Axes& a, bool k) { return all(x, a, k); }));
  rows.push_back(reduction("logsumexp", [](const Tensor& x, const Axes& a, bool k) { return logsumexp(x, a, k); }));
  rows.push_back({"var", [](Draw& d) { return Results{var(d.tensor(), d.axes(), d.flip(), d.axis())}; }});
  rows.push_back({"stddev", [](Draw& d) { return Results{stddev(d.tensor(), d.axes(), d.flip(), d.axis())}; }});
  const auto extreme = [](Draw& d, auto f) {
    const Tensor x = d.tensor();
    const std::optional<int> axis = d.flip() ? std::optional(d.axis()) : std::nullopt;
    const Tensor y = f(x, axis, d.flip());
    EXPECT_TRUE(axis.has_value() || x.numel() <= INT32_MAX);  // or the index would not fit
    return Results{y};
  };
  rows.push_back({"argmax", [extreme](Draw& d) { return extreme(d, argmax); }});
  rows.push_back({"argmin", [extreme](Draw& d) { return extreme(d, argmin); }});
  rows.push_back(along("softmax", [](const Tensor& x, int a) { return softmax(x, a); }));
  rows.push_back(along("log_softmax", [](const Tensor& x, int a) { return log_softmax(x, a); }));
  rows.push_back(along("softmin", [](const Tensor& x, int a) { return softmin(x, a); }));
  rows.push_back(along("gumbel_softmax", [](const Tensor& x, int a) { return gumbel_softmax(x, 1, true, a); }));
  rows.push_back(along("glu", [](const Tensor& x, int a) { return glu(x, a); }));
  rows.push_back(along("normalize", [](const Tensor& x, int a) { return normalize(x, 2, a); }));
  rows.push_back(
      {"linalg::vector_norm", [](Draw& d) { return Results{linalg::vector_norm(d.tensor(), 2, d.axes())}; }});
  rows.push_back(
      {"cosine_similarity", [](Draw& d) { return Results{cosine_similarity(d.tensor(), d.tensor(), d.axis())}; }});
}

void add_contractions(std::vector<Row>& rows) {
  const auto pair = [](Draw& d) {  // inner sizes that agree
    const std::int64_t inner = d.number();
    return std::pair{tessera::full({d.number(), inner}, 1.0), tessera::full({inner, d.number()}, 2.0)};
  };
  rows.push_back({"matmul", [pair](Draw& d) {
                    const auto [a, b] = pair(d);
                    return Results{matmul(a, b), matmul(d.tensor(), d.tensor())};
                  }});
  rows.push_back({"dot", [](Draw& d) { return Results{dot(d.tensor(), d.tensor())}; }});
  rows.push_back({"vdot", [](Draw& d) { return Results{vdot(d.tensor(), d.tensor())}; }});
  rows.push_back({"outer", [](Draw& d) { return Results{outer(d.tensor(), d.tensor())}; }});
  rows.push_back({"einsum", [pair](Draw& d) {
                    const auto [a, b] = pair(d);
                    constexpr std::array kEquations{"ij,jk->ik", "ij,jk->kij", "ij,jk->", "ij,kl->ijkl"};
                    return Results{einsum(kEquations[d.below(4)], {a, b}), einsum("ii->i", {d.tensor(2)})};
                  }});
  rows.push_back({"tensordot", [pair](Draw& d) {
                    const auto [a, b] = pair(d);
                    if (d.flip()) return Results{tensordot(a, b, d.axis())};
                    return Results{tensordot(a, b, d.axes(), d.axes())};
                  }});
  rows.push_back({"addmm", [pair](Draw& d) {
                    const auto [a, b] = pair(d);
                    return Results{addmm(d.tensor(2), a, b)};
                  }});
  rows.push_back({"kron", [](Draw& d) {
                    const Tensor a = d.tensor(2);
                    const Tensor b = d.tensor(2);
                    const Tensor y = kron(a, b);
                    expect_sizes(y, {Wide{a.size(0)} * b.size(0), Wide{a.size(1)} * b.size(1)});
                    return Results{y};
                  }});
  rows.push_back({"cross", [](Draw& d) {
                    const Tensor x = tessera::full({d.number(), 3}, 1.0);
                    return Results{cross(x, x, d.axis())};
                  }});
  rows.push_back({"triu", [](Draw& d) { return Results{triu(d.tensor(), d.number())}; }});
  rows.push_back({"tril", [](Draw& d) { return Results{tril(d.tensor(), d.number())}; }});
  rows.push_back({"diagonal", [](Draw& d) { return Results{diagonal(d.tensor(), d.number(), d.axis(), d.axis())}; }});
  rows.push_back({"trace", [](Draw& d) { return Results{trace(d.tensor(), d.number(), d.axis(), d.axis())}; }});
  rows.push_back({"scaled_dot_product_attention", run_attention});
  rows.push_back({"rope", [](Draw& d) { return Results{rope(d.tensor(), d.number())}; }});
  rows.push_back({"alibi", [](Draw& d) { return Results{alibi(d.number(), d.number(), d.number())}; }});
}

void add_images(std::vector<Row>& rows) {
  const auto conv = [](Draw& d, int spatial, auto f, auto options) {
    // Channels that agree more often than not.
    Sizes x{d.small(), d.often() ? 2 : d.number()};
    Sizes w{d.often() ? 2 : d.number(), d.often() ? 2 : d.number()};
    for (int i = 0; i < spatial; ++i) {
      x.push_back(d.number());
      w.push_back(d.number());
    }
    return Results{f(tessera::full(Shape(x), 1.0), tessera::full(Shape(w), 1.0), Tensor(), options(d))};
  };
  rows.push_back({"conv1d", [conv](Draw& d) { return conv(d, 1, conv1d, conv_options); }});
  rows.push_back({"conv2d", [conv](Draw& d) { return conv(d, 2, conv2d, conv_options); }});
  rows.push_back({"conv_transpose1d", [conv](Draw& d) { return conv(d, 1, conv_transpose1d, transpose_options); }});
  rows.push_back({"conv_transpose2d", [conv](Draw& d) { return conv(d, 2, conv_transpose2d, transpose_options); }});
  rows.push_back({"unfold", [](Draw& d) { return Results{unfold(d.tensor(4), d.per_axis(), unfold_options(d))}; }});
  rows.push_back(
      {"fold", [](Draw& d) { return Results{fold(d.tensor(3), d.per_axis(), d.per_axis(), unfold_options(d))}; }});
  rows.push_back({"pixel_shuffle", [](Draw& d) { return Results{pixel_shuffle(d.tensor(4), d.number())}; }});
  rows.push_back({"pixel_unshuffle", [](Draw& d) { return Results{pixel_unshuffle(d.tensor(4), d.number())}; }});
  using Pool = Tensor (*)(const Tensor&, const PerAxis&, const PoolOptions&);
  const auto pool = [&](const char* name, int rank, Pool f) {
    rows.push_back({name, [rank, f](Draw& d) { return Results{f(d.tensor(rank), d.per_axis(), pool_options(d))}; }});
  };
  pool("max_pool1d", 3, max_pool1d);
  pool("max_pool2d", 4, max_pool2d);
  pool("avg_pool1d", 3, avg_pool1d);
  pool("avg_pool2d", 4, avg_pool2d);
  rows.push_back({"max_pool1d_with_indices", [](Draw& d) {
                    const auto [y, at] = max_pool1d_with_indices(d.tensor(3), d.per_axis(), pool_options(d));
                    return Results{y, at};
                  }});
  rows.push_back({"max_pool2d_with_indices", [](Draw& d) {
                    const auto [y, at] = max_pool2d_with_indices(d.tensor(4), d.per_axis(), pool_options(d));
                    return Results{y, at};
                  }});
  rows.push_back({"adaptive_avg_pool", [](Draw& d) { return Results{adaptive_avg_pool(d.tensor(4), d.per_axis())}; }});
  rows.push_back({"adaptive_max_pool", [](Draw& d) { return Results{adaptive_max_pool(d.tensor(4), d.per_axis())}; }});
  rows.push_back({"interpolate", [](Draw& d) {
                    InterpolateOptions o;
                    if (d.flip()) {
                      o.size = d.numbers(d.flip() ? 1 : 2);
                    } else {
                      o.scale = {std::ldexp(static_cast<double>(d.number()), static_cast<int>(d.below(9)) - 4)};
                    }
                    constexpr std::array kModes{InterpolationMode::kNearest, InterpolationMode::kLinear,
                                                InterpolationMode::kCubic};
                    o.mode = kModes[d.below(3)];
                    return Results{interpolate(d.tensor(4), o)};
                  }});
  rows.push_back({"group_norm", [](Draw& d) { return Results{group_norm(d.tensor(), d.number())}; }});
  rows.push_back({"local_response_norm", [](Draw& d) { return Results{local_response_norm(d.tensor(), d.number())}; }});
}

/// Functions that the catalog does not name.
void add_others(std::vector<Row>& rows) {
  static const std::vector<float> kData(64, 1.0F);
  rows.push_back({"Tensor", [](Draw& d) { return Results{Tensor(kData, d.flip() ? Shape{64} : d.shape())}; }});
  rows.push_back({"from_host", [](Draw& d) {
                    const auto bytes = std::as_bytes(std::span(kData)).first(d.below(257));
                    return Results{from_host({bytes, nullptr}, d.dtype(), d.shape())};
                  }});
  rows.push_back({"Buffer::tensor", [](Draw& d) {
                    const auto size = d.often() ? d.below(256) + 1 : static_cast<std::uint64_t>(d.number());
                    const std::uint64_t least = Device::current().info().limits.max_buffer_size;
                    if (size > 256 && size <= least) return Results{};  // it would be allocated
                    const Buffer b = Buffer::allocate({}, {.label = "edges", .size = size});
                    b.fill(0);
                    const std::vector<std::byte> data(16);
                    if (d.flip()) b.copy_to(data, static_cast<std::uint64_t>(d.number()));
                    if (d.flip())
                      b.fill(1, static_cast<std::uint64_t>(d.number()), static_cast<std::uint64_t>(d.number()));
                    return Results{b.tensor(d.shape(), d.dtype())};
                  }});
  rows.push_back({"from_blocks", [](Draw& d) {
                    const DTypeInfo& t = kBlockDTypeInfo[d.below(kBlockDTypeInfo.size())];
                    const std::vector<std::byte> blocks(d.below(4) * t.size);
                    const Shape s{d.number(), d.often() ? t.elements : d.number()};
                    return Results{dequantize(from_blocks(t.dtype, blocks, s))};
                  }});
  rows.push_back({"WgslKernel", [](Draw& d) {
                    const WgslKernel kernel({.name = "edges",
                                             .source = "fn main() {}",
                                             .inputs = {"x"},
                                             .outputs = {WgslOutput("y", d.dtype(), d.shape())},
                                             .cpu = [](const WgslHostCall& call) {
                                               std::fill(call.outputs[0].begin(), call.outputs[0].end(), std::byte{1});
                                             }});
                    return kernel({d.small_tensor(1)});
                  }});
  rows.push_back({"size", [](Draw& d) {
                    static_cast<void>(d.tensor().size(d.axis()));
                    return Results{};
                  }});
  rows.push_back({"cast of a huge tensor", [](Draw& d) {
                    const Tensor x = d.tensor(-1, u8);
                    return Results{cast(x, d.dtype()), x + 1, where(greater(x, 2), x, 0)};
                  }});
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  add_creation(rows);
  add_movement(rows);
  add_indexing(rows);
  add_reductions(rows);
  add_contractions(rows);
  add_images(rows);
  add_others(rows);
  return rows;
}

/// Ops of the catalog that take tensors and factors alone; those of the elementwise table are all of this kind.
const std::set<std::string>& without_sizes() {
  static const std::set<std::string> names{"clamp",
                                           "clip",
                                           "nan_to_num",
                                           "copysign",
                                           "positive",
                                           "erfc",
                                           "xlogy",
                                           "logaddexp",
                                           "hypot",
                                           "fmod",
                                           "nextafter",
                                           "lcm",
                                           "isclose",
                                           "allclose",
                                           "relu",
                                           "relu6",
                                           "gelu",
                                           "gelu_tanh",
                                           "silu",
                                           "elu",
                                           "selu",
                                           "celu",
                                           "leaky_relu",
                                           "prelu",
                                           "rrelu",
                                           "softplus",
                                           "mish",
                                           "hardtanh",
                                           "hardsigmoid",
                                           "hardswish",
                                           "threshold",
                                           "logsigmoid",
                                           "tanhshrink",
                                           "softshrink",
                                           "hardshrink",
                                           "swiglu",
                                           "geglu",
                                           "dropout",
                                           "contiguous",
                                           "embedding",
                                           "masked_fill",
                                           "masked_select",
                                           "nonzero",
                                           "unique",
                                           "searchsorted",
                                           "global_avg_pool",
                                           "global_max_pool",
                                           "layer_norm",
                                           "rms_norm",
                                           "batch_norm",
                                           "batch_norm_training",
                                           "instance_norm",
                                           "mse_loss",
                                           "l1_loss",
                                           "smooth_l1_loss",
                                           "huber_loss",
                                           "cross_entropy",
                                           "nll_loss",
                                           "binary_cross_entropy",
                                           "binary_cross_entropy_with_logits",
                                           "kl_div",
                                           "cosine_embedding_loss",
                                           "hinge_embedding_loss",
                                           "triplet_margin_loss",
                                           "dequantize",
                                           "quantize",
                                           "linalg::cholesky",
                                           "linalg::solve",
                                           "linalg::inv",
                                           "linalg::det",
                                           "linalg::slogdet",
                                           "linalg::qr",
                                           "linalg::svd",
                                           "linalg::svdvals",
                                           "linalg::eigh",
                                           "linalg::eigvalsh",
                                           "linalg::pinv",
                                           "linalg::matrix_rank",
                                           "linalg::lstsq",
                                           "linalg::matrix_norm"};
  return names;
}

/// Whether all that a value needs is small, so that it may be computed.
bool is_small(const Tensor& y) {
  if (y.numel() > 4096) return false;
  const Graph graph = snapshot(std::span(&y.node(), 1));
  return std::all_of(graph.entries.begin(), graph.entries.end(), [](const Graph::Entry& e) {
    const auto ok = [](const Node& n) { return n.numel() <= 16384; };
    if (!ok(*e.node)) return false;
    const auto inputs = e.node->inputs();
    return inputs == nullptr || std::all_of(inputs->begin(), inputs->end(), [&](const NodePtr& n) { return ok(*n); });
  });
}

/// Its shape is that of a tensor, and its elements can be read where they are few.
void look_at(const Tensor& y) {
  Wide bytes = static_cast<Wide>(size_of(y.dtype()));
  Wide numel = 1;
  for (const std::int64_t s : y.shape()) {
    ASSERT_GE(s, 0);
    if (s != 0) bytes *= s;
    numel *= s;
    ASSERT_TRUE(bytes <= kMaxTensorBytes);
  }
  ASSERT_TRUE(y.numel() == numel);
  if (!is_small(y)) return;
  const HostView view = host_view(y);
  ASSERT_EQ(view.bytes.size(), static_cast<std::size_t>(y.numel()) * size_of(y.dtype()));
}

class EdgeSizes : public testing::Test {
 protected:
  void SetUp() override { open({"cpu", "cpu", {}, 0}); }
};

TEST_F(EdgeSizes, EveryOpOfTheCatalogIsListed) {
  std::set<std::string> drawn;
  for (const Row& row : all_rows()) EXPECT_TRUE(drawn.insert(row.name).second) << row.name << " is there twice";
  std::set<std::string> known;
  for (const OpInfo& op : op_catalog()) {
    known.insert(op.name);
    if (op.made == OpInfo::Made::kElementwise) continue;
    EXPECT_NE(drawn.count(op.name), without_sizes().count(op.name))
        << op.name << ": add a row that draws its sizes, or its name to those without";
  }
  for (const std::string& name : without_sizes()) EXPECT_EQ(known.count(name), 1U) << name;
}

TEST_F(EdgeSizes, GiveATensorOrAnError) {
  const std::uint64_t cases = full() ? 10000 : 1000;
  std::uint64_t results = 0;
  std::uint64_t errors = 0;
  std::uint64_t first = 0;
  for (const Row& row : all_rows()) {
    first += 1'000'000;
    for (std::uint64_t seed = first; seed < first + cases; ++seed) {
      SCOPED_TRACE(row.name + ", seed " + std::to_string(seed));
      Draw draw(seed);
      try {
        for (const Tensor& y : row.call(draw)) look_at(y);
        ++results;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()), "");
        ++errors;
      } catch (const std::exception& e) {
        ADD_FAILURE() << "not an Error: " << e.what();
      }
      if (HasFatalFailure()) return;
    }
  }
  // Both happen often, or the draws would show nothing.
  EXPECT_GT(results, (results + errors) / 5);
  EXPECT_GT(errors, (results + errors) / 5);
}

// ---- What was found, one by one ----

template <class F>
ErrorKind kind_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::kIo;
}

constexpr std::int64_t k32 = std::int64_t{1} << 32;
constexpr std::int64_t k62 = std::int64_t{1} << 62;

TEST_F(EdgeSizes, ShapesWhoseProductOverflowsAreRefused) {
  EXPECT_EQ(kind_of([] { zeros({k32, k32}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { zeros({k32, k32, 0}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { zeros({k62}, f32); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { reshape(arange(0, 4), {k62 + 1, 4}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { reshape(arange(0, 4), {k62, 4, -1}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { pad(arange(0, 4), {{INT64_MAX, INT64_MAX}}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { tile(arange(0, 4), {k62 + 1}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { repeat(arange(0, 4), k62 + 1); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { Tensor(std::vector<float>(4), Shape{k62 + 1, 4}); }), ErrorKind::kLimit);
  const std::vector<std::byte> bytes(16);
  EXPECT_EQ(kind_of([&] { from_host({bytes, nullptr}, f32, {k62 + 1, 4}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([] { return Buffer::allocate({}, {.size = 16}).tensor({k62 + 1, 4}); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { from_blocks(q4_0, bytes, {k62, 32}); }), ErrorKind::kLimit);
  const Tensor huge = zeros({std::int64_t{1} << 58});
  EXPECT_EQ(slice(huge, {{5, 8}}).to_vector<float>(), std::vector<float>(3));
  EXPECT_EQ(kind_of([&] { cast(huge, f64) + concat({cast(huge, f64), cast(huge, f64)}); }), ErrorKind::kLimit);
}

TEST_F(EdgeSizes, IndicesPastI32AreRefused) {
  const Tensor x = zeros({k32 / 2});
  EXPECT_EQ(kind_of([&] { argmax(x); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { argmin(x, 0); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { argsort(x); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { cummax(x, 0); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { gather(x, 0, zeros({1}, i32)); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { index_set(x, {Slice{0, {}, 2}}, 1.0); }), ErrorKind::kLimit);
  EXPECT_EQ(kind_of([&] { cumsum(zeros({k32 + 1}), 0); }), ErrorKind::kLimit);  // kernels count in 32 bits
  EXPECT_EQ(index_set(x, {Slice{1, 3}}, 1.0).shape(), x.shape());               // a map has no indices
}

TEST_F(EdgeSizes, StepsPastTheEndTakeOneElement) {
  const Tensor x = arange(0, 5);
  EXPECT_EQ(slice(x, {{0, {}, k62}}).to_vector<std::int32_t>(), std::vector<std::int32_t>{0});
  EXPECT_EQ(slice(x, {{3, {}, INT64_MAX}}).to_vector<std::int32_t>(), std::vector<std::int32_t>{3});
  EXPECT_EQ(slice(x, {{{}, {}, INT64_MIN}}).to_vector<std::int32_t>(), std::vector<std::int32_t>{4});
  EXPECT_EQ(index(x, {Slice{1, {}, k62}}).to_vector<std::int32_t>(), std::vector<std::int32_t>{1});
  EXPECT_EQ(index_set(x, {Slice{1, {}, k62}}, 9).to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 9, 2, 3, 4}));
}

}  // namespace
}  // namespace tessera::test
