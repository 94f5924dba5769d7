// Dynamic axes of compiled functions: one trace for all sizes, with the results of the function itself.
#include <atomic>
#include <functional>
#include <random>
#include <thread>

#include "api/transforms/size_formula.h"
#include "base/log.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;
using Made = std::function<Tensors(std::int64_t)>;

Floats f32_values(const Tensor& t) { return cast(t, f32).to_vector<float>(); }

void expect_close(const Tensors& got, const Tensors& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].shape(), expected[i].shape()) << what << ", result " << i;
    ASSERT_EQ(got[i].dtype(), expected[i].dtype()) << what << ", result " << i;
    const Floats a = f32_values(got[i]);
    const Floats b = f32_values(expected[i]);
    for (std::size_t k = 0; k < a.size(); ++k)
      ASSERT_NEAR(a[k], b[k], 1e-4F * std::max(1.0F, std::abs(b[k]))) << what << ", result " << i << ", element " << k;
  }
}

Tensor row(const Tensor& x) { return index(x, {At(0)}); }

/// A function that counts its calls.
struct Counted {
  TensorFunction f;
  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
  Tensors operator()(const Tensors& in) const {
    ++*calls;
    return f(in);
  }
};

class Quiet {
 public:
  Quiet() : before_(log_level()) { set_log_level(LogLevel::kError); }
  ~Quiet() { set_log_level(before_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  LogLevel before_;
};

class DynamicAxesOn : public DeviceTest {
 protected:
  [[nodiscard]] Tensor wave(const Shape& shape, double from = 0) const {
    const Tensor at = arange(0, static_cast<double>(shape.numel()), 1, f32, device_);
    return sin(reshape(at, shape) * 1.3 + from).eval();
  }
  [[nodiscard]] Tensor ints(const Shape& shape, std::int64_t below) const {
    const Tensor at = arange(0, static_cast<double>(shape.numel()), 1, i32, device_);
    return cast(remainder(reshape(at, shape) * 7, below), i32).eval();
  }
  [[nodiscard]] static std::vector<std::int64_t> sizes_for(bool cpu) {
    return cpu ? std::vector<std::int64_t>{2, 3, 4, 7, 8, 9, 16, 17, 33, 64} : std::vector<std::int64_t>{8, 33};
  }
};
TESSERA_ON_ALL_DEVICES(DynamicAxesOn);

// ---- A model ----

struct Block {
  static constexpr std::int64_t kHeads = 2;
  static constexpr std::int64_t kSize = 8;
  static constexpr std::int64_t kWidth = 16;
  Tensor norm, qkv, out, up, down;

  [[nodiscard]] Tensor operator()(const Tensor& x) const {
    const std::int64_t b = x.size(0);
    const std::int64_t t = x.size(1);
    const Tensor heads = reshape(matmul(rms_norm(x, norm), qkv), {b, t, 3, kHeads, kSize});
    const auto part = [&](std::int64_t n) {
      return transpose(reshape(slice(heads, {{}, {}, {n, n + 1}}), {b, t, kHeads, kSize}), 1, 2);
    };
    const Tensor a = scaled_dot_product_attention(rope(part(0)), rope(part(1)), part(2), {.causal = true});
    const Tensor h = x + matmul(reshape(transpose(a, 1, 2), {b, t, kWidth}), out);
    return h + matmul(gelu(matmul(layer_norm(h), up)), down);
  }
};

TEST_P(DynamicAxesOn, ABlockOfATransformerIsTracedOnce) {
  const Block block{wave({16}, 1), wave({16, 48}, 2) * 0.2, wave({16, 16}, 3) * 0.2, wave({16, 32}, 4) * 0.2,
                    wave({32, 16}, 5) * 0.2};
  const TensorFunction f = [&](const Tensors& in) { return Tensors{block(in[0]), softmax(mean(block(in[0]), {1}))}; };
  const Counted counted{f};
  const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 1, "length"}}});
  const auto call = [&](std::int64_t n) {
    const Tensor x = wave({1, n, 16});
    expect_close(compiled({x}), f({x}), "length " + std::to_string(n));
  };
  call(5);
  const int first = *counted.calls;
  EXPECT_LT(first, 32);
  for (std::int64_t n = 2; n <= 40; n += on_cpu() ? 1 : 7) call(n);
  if (on_cpu()) call(1000);
  EXPECT_EQ(compiled.traces(), 1U);
  EXPECT_EQ(*counted.calls, first) << "later sizes do not call the function";
  call(1);
  EXPECT_EQ(compiled.traces(), 2U) << "size 1 has a trace of its own";
}

TEST_P(DynamicAxesOn, BatchAndLength) {
  const Block block{wave({16}, 1), wave({16, 48}, 2) * 0.2, wave({16, 16}, 3) * 0.2, wave({16, 32}, 4) * 0.2,
                    wave({32, 16}, 5) * 0.2};
  const TensorFunction f = [&](const Tensors& in) {
    return Tensors{block(in[0]) + reshape(in[1], {-1, in[1].size(1), 1})};
  };
  const Counted counted{f};
  const Compiled compiled =
      compile(counted, {.dynamic_axes = {{0, 0, "batch"}, {0, 1, "length"}, {1, 0, "batch"}, {1, -1, "length"}}});
  const auto call = [&](std::int64_t b, std::int64_t n) {
    const Tensors in{wave({b, n, 16}), wave({b, n})};
    expect_close(compiled(in), f(in), std::to_string(b) + " x " + std::to_string(n));
  };
  call(4, 4);
  const int first = *counted.calls;
  EXPECT_LT(first, 96);
  for (const auto& [b, n] : {std::pair{2, 3}, {3, 2}, {4, 4}, {7, 16}, {16, 5}, {2, 40}}) call(b, n);
  EXPECT_EQ(compiled.traces(), 1U);
  EXPECT_EQ(*counted.calls, first);
  call(1, 6);
  const int second = *counted.calls;
  for (const std::int64_t n : {2, 9, 31}) call(1, n);
  EXPECT_EQ(*counted.calls, second) << "a batch of 1 has a trace, for all lengths";
  EXPECT_EQ(compiled.traces(), 2U);
}

TEST_P(DynamicAxesOn, ATrainingStep) {
  const TensorFunction f = [](const Tensors& in) {
    const auto loss = [&](const Tensor& w) {
      const Tensor logits = matmul(tanh(matmul(in[1], w)), w.T());
      return mean(square(logits - in[2])) + mean(var(logits, {0}));
    };
    const auto [value, dw] = value_and_grad(loss)(in[0]);
    return Tensors{in[0] - 0.1 * dw, value};
  };
  const Counted counted{f};
  const Compiled compiled = compile(counted, {.donate = {0}, .dynamic_axes = {{1, 0, "batch"}, {2, 0, "batch"}}});
  int first = 0;
  for (const std::int64_t n : {6, 2, 8, 16, 3, 31}) {
    const Tensors in{wave({16, 8}), wave({n, 16}), wave({n, 16}, 1)};
    expect_close(compiled({wave({16, 8}), in[1], in[2]}), f(in), "batch " + std::to_string(n));
    if (first == 0) first = *counted.calls;
    const Tensor given = wave({16, 8});
    static_cast<void>(compiled({given, in[1], in[2]}));
    EXPECT_FALSE(given.is_evaluated()) << "it was donated";
  }
  EXPECT_EQ(compiled.traces(), 1U);
  EXPECT_EQ(*counted.calls, first);
}

// ---- Ops ----

struct Case {
  std::string name;
  TensorFunction f;
  Made arguments;
  std::vector<DynamicAxis> axes;
  std::int64_t least = 1;
  std::size_t traces = 1;  // for sizes above 1
};

TEST_P(DynamicAxesOn, OpsAtManySizes) {
  const std::vector<DynamicAxis> rows{{0, 0, "n"}};
  const std::vector<DynamicAxis> cols{{0, 1, "n"}};
  const Made tall = [&](std::int64_t n) { return Tensors{wave({n, 8})}; };
  const Made wide = [&](std::int64_t n) { return Tensors{wave({8, n})}; };
  const Made line = [&](std::int64_t n) { return Tensors{wave({n})}; };
  const Tensor w = wave({8, 16});
  const Tensor table = wave({70, 8});
  const Tensor taps = wave({4, 8, 3});
  const Tensor image_taps = wave({3, 2, 3, 3});
  const std::vector<Case> cases{
      {"broadcasts", [&](const Tensors& in) { return Tensors{in[0] * 2.0 + row(w.T())}; }, tall, rows},
      {"columns",
       [](const Tensors& in) { return Tensors{in[0] - mean(in[0], {0}, true), in[0] * sum(in[0], {1}, true)}; }, tall,
       rows},
      {"reductions",
       [](const Tensors& in) {
         const Tensor& x = in[0];
         return Tensors{sum(x), mean(x), max(x, {1}), var(x, {1}), stddev(x, {1}, true, 1), argmax(x, 1), prod(x, {0})};
       },
       wide, cols, 2},
      {"softmax", [](const Tensors& in) { return Tensors{softmax(in[0], 0), log_softmax(in[0], 1)}; }, wide, cols},
      {"matmul", [&](const Tensors& in) { return Tensors{matmul(in[0], w), matmul(in[0].T(), in[0])}; }, tall, rows},
      {"inner", [](const Tensors& in) { return Tensors{matmul(in[0], in[0].T())}; }, wide, cols},
      {"conv1d",
       [&](const Tensors& in) { return Tensors{conv1d(reshape(in[0], {1, 8, -1}), taps, {}, {.padding = 1})}; }, wide,
       cols},
      {"conv2d",
       [&](const Tensors& in) {
         return Tensors{conv2d(reshape(in[0], {1, 2, 4, -1}), image_taps, {}, {.padding = 1})};
       },
       wide, cols},
      {"strided conv",
       [&](const Tensors& in) {
         return Tensors{conv1d(reshape(in[0], {1, 8, -1}), taps, {}, {.stride = 2, .padding = 1})};
       },
       wide, cols, 1, 4},
      {"pools",
       [](const Tensors& in) {
         return Tensors{max_pool1d(reshape(in[0], {1, 8, -1}), 3, {.stride = 1, .padding = 1})};
       },
       wide, cols, 3},
      {"concat", [](const Tensors& in) { return Tensors{concat({in[0], in[0] * 2.0, ones({3, 8})}, 0)}; }, tall, rows},
      {"pad", [](const Tensors& in) { return Tensors{pad(in[0], {{1, 2}, {0, 3}}, 7.0)}; }, tall, rows},
      {"slices",
       [](const Tensors& in) {
         return Tensors{slice(in[0], {{1, {}}}), slice(in[0], {{0, -1}}) * 2.0,
                        slice(in[0], {{1, {}}}) - slice(in[0], {{0, -1}})};
       },
       tall, rows, 2},
      {"last row", [](const Tensors& in) { return Tensors{slice(in[0], {{-1, {}}}), row(in[0])}; }, tall, rows},
      {"flip", [](const Tensors& in) { return Tensors{flip(in[0], {0}), flip(in[0].T(), {0, 1})}; }, tall, rows},
      {"scans", [](const Tensors& in) { return Tensors{cumsum(in[0], 0), cumsum(in[0], 1), cumprod(in[0], 0)}; }, tall,
       rows},
      {"sort", [](const Tensors& in) { return Tensors{sort(in[0], 0), argsort(in[0].T(), 1)}; }, tall, rows},
      {"take", [&](const Tensors& in) { return Tensors{take(table, in[0], 0), embedding(in[0] + 1, table)}; },
       [&](std::int64_t n) { return Tensors{ints({n}, 8)}; }, rows},
      {"gather",
       [](const Tensors& in) { return Tensors{take_along_axis(in[0], in[1], 0), take(in[0], row(in[1]), 0)}; },
       [&](std::int64_t n) { return Tensors{wave({n, 8}), ints({n, 8}, n)}; },
       {{0, 0, "n"}, {1, 0, "n"}}},
      {"front of a table", [&](const Tensors& in) { return Tensors{in[0] + slice(table, {{0, in[0].size(0)}})}; }, tall,
       rows},
      {"arange mask",
       [&](const Tensors& in) {
         const std::int64_t n = in[0].size(0);
         const Tensor at = arange(0, static_cast<double>(n), 1, f32, device_);
         const Tensor mask = greater_equal(reshape(at, {n, 1}), reshape(at, {1, n}));
         return Tensors{where(mask, matmul(in[0], in[0].T()), full({n, n}, -9.0, f32, device_))};
       },
       tall, rows},
      {"tril", [](const Tensors& in) { return Tensors{tril(matmul(in[0], in[0].T()))}; }, tall, rows},
      {"linspace", [&](const Tensors& in) { return Tensors{in[0] * linspace(0, 1, in[0].size(0), f32, device_)}; },
       line, rows, 2},
      {"reshapes",
       [](const Tensors& in) {
         const std::int64_t n = in[0].size(0);
         return Tensors{reshape(in[0], {n * 8}), reshape(in[0], {n * 2, 4}).T(), reshape(in[0].T(), {4, -1}),
                        reshape(transpose(reshape(in[0], {n, 2, 4}), 0, 1), {2, n * 4})};
       },
       tall, rows},
      {"scalars",
       [](const Tensors& in) {
         const auto n = static_cast<double>(in[0].size(0));
         return Tensors{in[0] / n, in[0] * n, in[0] / std::sqrt(n), in[0] * (2.0 / (n + 1)), in[0] * (-0.5 * n)};
       },
       tall, rows},
      {"gradient",
       [](const Tensors& in) {
         return Tensors{
             grad([](const Tensor& x) { return mean(square(softmax(x, 0))) + sum(cumsum(x, 0)) / 3.0; })(in[0])};
       },
       tall, rows},
      {"gradients of movement",
       [](const Tensors& in) {
         return Tensors{grad([](const Tensor& x) {
           const Tensor y = concat({slice(x, {{1, {}}}), flip(x, {0})}, 0);
           return sum(square(reshape(y, {-1}))) + mean(matmul(x, x.T()));
         })(in[0])};
       },
       tall, rows, 2},
      {"attention",
       [](const Tensors& in) {
         const auto f = [](const Tensor& x) {
           const Tensor q = reshape(x, {1, 2, -1, 4});
           return sum(scaled_dot_product_attention(q, q * 0.5, q, {.causal = true}));
         };
         return Tensors{grad(f)(in[0])};
       },
       tall, rows},
      {"cross entropy",
       [](const Tensors& in) { return Tensors{grad([&](const Tensor& x) { return cross_entropy(x, in[1]); })(in[0])}; },
       [&](std::int64_t n) { return Tensors{wave({n, 8}), ints({n}, 8)}; },
       {{0, 0, "n"}, {1, 0, "n"}}},
      {"nested",
       [](const Tensors& in) {
         const Compiled inner = compile([](const Tensors& x) { return Tensors{exp(x[0]) + 1.0}; });
         return Tensors{inner({in[0]})[0] * mean(in[0])};
       },
       tall, rows},
      {"scan",
       [](const Tensors& in) {
         const Scanned s = scan([](const Tensors& c, const Tensors& x) { return Scanned{{c[0] + x[0]}, {c[0] * 2.0}}; },
                                {row(in[0])}, {in[0]});
         return Tensors{s.carry[0], s.ys[0]};
       },
       wide, cols},
      {"an argument and a constant", [&](const Tensors& in) { return Tensors{in[0], w, zeros({3})}; }, tall, rows},
      {"unused", [](const Tensors& in) { return Tensors{in[1] * 2.0}; },
       [&](std::int64_t n) { return Tensors{wave({n}), wave({4})}; }, rows},
      {"an outer product",
       [](const Tensors& in) { return Tensors{outer(in[0], in[1]), in[0] * 2.0}; },
       [&](std::int64_t n) { return Tensors{wave({n}), wave({n + 2})}; },
       {{0, 0, "n"}, {1, 0, "m"}}},
  };
  for (const Case& c : cases) {
    for (const std::int64_t start : on_cpu() ? std::vector<std::int64_t>{5, 8} : std::vector<std::int64_t>{5}) {
      const Counted counted{c.f};
      const Compiled compiled = compile(counted, {.dynamic_axes = c.axes});
      expect_close(compiled(c.arguments(start)), c.f(c.arguments(start)), c.name + " at first");
      const int first = *counted.calls;
      for (const std::int64_t n : sizes_for(on_cpu())) {
        if (n < c.least) continue;
        expect_close(compiled(c.arguments(n)), c.f(c.arguments(n)), c.name + " at " + std::to_string(n));
      }
      EXPECT_LE(compiled.traces(), c.traces) << c.name << " from " << start;
      if (c.traces == 1) {
        EXPECT_EQ(*counted.calls, first) << c.name << " from " << start;
      }
      if (c.least == 1) {
        expect_close(compiled(c.arguments(1)), c.f(c.arguments(1)), c.name + " at 1");
      }
    }
  }
}

// Programs of a dozen ops over [n, 8] and [8, n], which may throw at some sizes: the same results and the same throws.
TEST_P(DynamicAxesOn, RandomPrograms) {
  const auto step = [](std::mt19937& draw, const Tensor& a, const Tensor& b) -> Tensor {
    const std::int64_t rows = a.size(0);
    const std::int64_t cols = a.size(1);
    switch (draw() % 22) {
      case 0:
        return a.T();
      case 1:
        return flip(a, {static_cast<int>(draw() % 2)});
      case 2:
        return slice(a, {{1, {}}});
      case 3:
        return slice(a, {{}, {0, -1}});
      case 4:
        return pad(a, {{1, 0}, {0, 2}}, 0.5);
      case 5:
        return concat({a, a * 0.5}, static_cast<int>(draw() % 2));
      case 6:
        return cumsum(a, static_cast<int>(draw() % 2)) * 0.1;
      case 7:
        return softmax(a, static_cast<int>(draw() % 2));
      case 8:
        return sort(a, static_cast<int>(draw() % 2));
      case 9:
        return a - mean(a, {static_cast<int>(draw() % 2)}, true);
      case 10:
        return a * sum(b, {}, true);
      case 11:
        return tanh(matmul(a, a.T()));
      case 12:
        return tanh(matmul(a.T(), a));
      case 13:
        return reshape(reshape(a, {-1}), {cols, rows});
      case 14:
        return reshape(a, {-1, 4});
      case 15:
        return reshape(transpose(reshape(a, {rows, -1, 2}), 0, 1), {-1, rows});
      case 16:
        return tanh(a) + flip(a, {1});
      case 17:
        return a / static_cast<double>(rows + cols);
      case 18:
        return where(greater_equal(reshape(arange(0, rows, 1, i32, a.device()), {rows, 1}),
                                   reshape(arange(0, cols, 1, i32, a.device()), {1, cols})),
                     a, a * 0.25);
      case 19:
        return slice(a, {{0, (rows + 1) / 2}});
      case 20:
        return grad([](const Tensor& x) { return sum(square(softmax(x))) + mean(flip(x, {0}) * x); })(a);
      default:
        return concat({slice(a, {{1, {}}}), slice(a, {{0, 1}})}, 0);
    }
  };
  const Quiet quiet;
  std::size_t served = 0;
  const unsigned programs = on_cpu() ? 200 : 4;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const TensorFunction f = [&](const Tensors& in) {
      std::mt19937 draw(seed);
      Tensors all = in;
      for (int i = 0; i < 8; ++i) {
        const Tensor& a = all[all.size() - 1 - draw() % std::min<std::size_t>(all.size(), 2)];
        const Tensor& b = all[draw() % all.size()];
        all.push_back(step(draw, a, b));
      }
      return Tensors{all.back(), all[all.size() - 2]};
    };
    const bool tall = seed % 2 == 0;
    const auto arguments = [&](std::int64_t n) { return Tensors{tall ? wave({n, 8}) : wave({8, n})}; };
    const Counted counted{f};
    const Compiled compiled = compile(counted, {.dynamic_axes = {{0, tall ? 0 : 1, "n"}}});
    int calls = 0;
    std::mt19937 draw(seed);
    std::vector<std::int64_t> sizes{5, 6, 8, 2, 3, 16, 4, 12, 31};
    std::swap(sizes[0], sizes[seed % 6]);
    if (!on_cpu()) sizes.resize(3);
    for (const std::int64_t n : sizes) {
      const std::string what = "program " + std::to_string(seed) + " at " + std::to_string(n);
      Tensors expected;
      try {
        expected = f(arguments(n));
        eval(expected);
      } catch (const Error&) {
        EXPECT_THROW(compiled(arguments(n)), Error) << what;
        continue;
      }
      const int before = *counted.calls;
      expect_close(compiled(arguments(n)), expected, what);
      if (calls++ > 0 && *counted.calls == before) ++served;
    }
  }
  EXPECT_GT(served, on_cpu() ? programs * 4 : 2) << "sizes that did not call the function";
}

// ---- Functions that are not the same graph at all sizes ----

TEST_P(DynamicAxesOn, BranchesOnSizesEndATrace) {
  const TensorFunction f = [](const Tensors& in) {
    const std::int64_t n = in[0].size(0);
    return Tensors{n > 100 ? in[0] * 2.0 : n >= 12 ? exp(in[0]) : in[0] + 1.0};
  };
  const Counted counted{f};
  const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {5, 2, 11, 12, 13, 50, 100, 101, 102, 500, 3}) {
    const Tensor x = wave({n});
    expect_close(compiled({x}), f({x}), std::to_string(n));
  }
  EXPECT_EQ(compiled.traces(), 3U);
  const int before = *counted.calls;
  for (const std::int64_t n : {4, 10, 14, 99, 103, 300}) {
    const Tensor x = wave({n});
    expect_close(compiled({x}), f({x}), std::to_string(n));
  }
  EXPECT_EQ(*counted.calls, before);
}

TEST_P(DynamicAxesOn, BranchesOnEqualShapesAreSeen) {
  const Tensor w = wave({12, 8});
  const TensorFunction f = [&](const Tensors& in) {
    const Tensor y = matmul(in[0], w.T());
    return Tensors{in[0].size(0) == 12 ? y * 2.0 : y, in[0].shape() == w.shape() ? in[0] : exp(in[0])};
  };
  const Compiled compiled = compile(f, {.dynamic_axes = {{0, 0, "n"}}});
  const TensorFunction g = [](const Tensors& in) {
    return Tensors{in[0].size(0) == in[1].size(0) ? in[0] * 3.0 : in[0] + sum(in[1])};
  };
  const Compiled both = compile(g, {.dynamic_axes = {{0, 0, "n"}, {1, 0, "m"}}});
  for (const std::int64_t n : {5, 8, 11, 12, 13}) {
    const Tensor x = wave({n, 8});
    expect_close(compiled({x}), f({x}), std::to_string(n));
    for (const std::int64_t m : {5, 6, 12}) {
      const Tensors in{wave({n}), wave({m})};
      expect_close(both(in), g(in), std::to_string(n) + " and " + std::to_string(m));
    }
  }
  EXPECT_EQ(compiled.traces(), 2U);
  EXPECT_LE(both.traces(), 4U);
}

TEST_P(DynamicAxesOn, BlocksAndHalves) {
  // Padded to a multiple of 16: one trace for each block.
  const TensorFunction padded = [](const Tensors& in) {
    const std::int64_t n = in[0].size(0);
    return Tensors{sum(reshape(pad(in[0], {{0, (16 - n % 16) % 16}}), {-1, 4}), {0})};
  };
  // Even sizes alone.
  const TensorFunction halves = [](const Tensors& in) {
    const std::int64_t n = in[0].size(0);
    const Tensor x = reshape(in[0], {2, n / 2});
    return Tensors{flip(x, {0}) * 2.0, slice(in[0], {{0, n / 2}})};
  };
  const Quiet quiet;
  for (const bool even : {false, true}) {
    const TensorFunction& f = even ? halves : padded;
    const Compiled compiled = compile(f, {.dynamic_axes = {{0, 0, "n"}}});
    for (const std::int64_t n : {6, 2, 8, 14, 16, 18, 20, 30, 32, 34, 40}) {
      const Tensor x = wave({n});
      expect_close(compiled({x}), f({x}), std::to_string(n));
    }
    if (even) {
      EXPECT_EQ(compiled.traces(), 1U);
      EXPECT_THROW(compiled({wave({7})}), Error) << "as the function itself";
    } else {
      EXPECT_LE(compiled.traces(), 6U);
    }
  }
}

TEST_P(DynamicAxesOn, CapacitiesAreKept) {
  const Tensor table = wave({32, 4});
  const TensorFunction f = [&](const Tensors& in) { return Tensors{in[0] + slice(table, {{0, in[0].size(0)}})}; };
  for (const std::int64_t start : {4, 31, 32}) {
    const Counted counted{f};
    const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 0, "n"}}});
    const auto call = [&](std::int64_t n) {
      const Tensor x = wave({n, 4});
      expect_close(compiled({x}), f({x}), std::to_string(n));
    };
    call(start);
    const int first = *counted.calls;
    for (const std::int64_t n : {2, 3, 8, 30, 31, 32}) call(n);
    EXPECT_EQ(compiled.traces(), 1U) << start;
    EXPECT_EQ(*counted.calls, first) << start;
    for (const std::int64_t n : {33, 40, 1000}) {
      EXPECT_THROW(compiled({wave({n, 4})}), Error) << "as the function itself, from " << start;
    }
  }
}

TEST_P(DynamicAxesOn, WithoutAPolynomialEverySizeIsTraced) {
  const Quiet quiet;
  const TensorFunction steps = [](const Tensors& in) {
    Tensor x = in[0];
    for (std::int64_t i = 1; i < in[0].size(0); ++i) x = tanh(x) + static_cast<double>(i);
    return Tensors{x};
  };
  const TensorFunction data = [&](const Tensors& in) {
    Floats host(static_cast<std::size_t>(in[0].size(0)));
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = std::log(static_cast<float>(i + 1));
    return Tensors{in[0] * Tensor(host, {in[0].size(0)}, device_)};
  };
  const TensorFunction number = [](const Tensors& in) {
    return Tensors{in[0] * std::log(static_cast<double>(in[0].size(0)))};
  };
  const TensorFunction rows = [](const Tensors& in) {
    return scan([](const Tensors& c, const Tensors& x) { return Scanned{{c[0] + x[0]}, {}}; }, {zeros({})}, {in[0]})
        .carry;
  };
  int k = 0;
  for (const TensorFunction& f : {steps, data, number, rows}) {
    const Counted counted{f};
    const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 0, "n"}}});
    int before = 0;
    for (const std::int64_t n : {6, 2, 9, 6, 1, 2}) {
      const Tensor x = wave({n}, 1);
      expect_close(compiled({x}), f({x}), std::to_string(k) + " at " + std::to_string(n));
      if (before == 0) before = *counted.calls;
    }
    EXPECT_LT(before, 40) << k;
    EXPECT_EQ(compiled.traces(), 4U) << k << ": one for each size";
    EXPECT_EQ(*counted.calls - before, 3) << k;
    ++k;
  }
}

TEST_P(DynamicAxesOn, ConstantsOfTheFunctionAreNotDynamic) {
  const Counted counted{[&](const Tensors& in) {
    return Tensors{in[0] * Tensor(Floats{1, 2, 3}, {3}, device_) + full({3}, 2.0, f32, device_)};
  }};
  const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {5, 3, 17}) {
    const Tensor x = wave({n, 3});
    expect_close(compiled({x}), counted.f({x}), std::to_string(n));
  }
  EXPECT_EQ(compiled.traces(), 1U);
}

// ---- Draws ----

TEST_P(DynamicAxesOn, DrawsAreThoseOfTheFunctionItself) {
  const TensorFunction f = [](const Tensors& in) {
    const Tensor noise = random::normal(in[0].shape(), 0.0, 1.0, f32, in[0].device());
    return Tensors{dropout(in[0], 0.5) + noise, random::uniform({3}, 0.0, 1.0, f32, in[0].device())};
  };
  const Counted counted{f};
  const Compiled compiled = compile(counted, {.dynamic_axes = {{0, 0, "n"}}});
  const auto run = [&](const TensorFunction& g) {
    random::set_seed(3);
    std::vector<Tensors> all;
    for (const std::int64_t n : {6, 4, 20, 6}) {
      all.push_back(g({wave({n, 4})}));
      eval(all.back());
      all.push_back({random::uniform({2}, 0.0, 1.0, f32, device_).eval()});
    }
    return all;
  };
  const std::vector<Tensors> got = run(compiled);
  const int first = *counted.calls;
  const std::vector<Tensors> expected = run(f);
  for (std::size_t i = 0; i < got.size(); ++i) expect_close(got[i], expected[i], "call " + std::to_string(i));
  const std::vector<Tensors> again = run(compiled);
  for (std::size_t i = 0; i < got.size(); ++i) expect_close(again[i], expected[i], "again " + std::to_string(i));
  EXPECT_EQ(compiled.traces(), 1U);
  EXPECT_EQ(*counted.calls, first);
}

// ---- Calls ----

TEST_P(DynamicAxesOn, SizesAreBoundedAndThreadsRunConcurrently) {
  const TensorFunction f = [](const Tensors& in) { return Tensors{softmax(matmul(in[0], in[0].T())), mean(in[0])}; };
  const Counted counted{f};
  const Compiled compiled = compile(counted, {.max_traces = 3, .dynamic_axes = {{0, 0, "n"}}});
  static_cast<void>(compiled({wave({5, 8})}));
  const int first = *counted.calls;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 12; ++i) {
        const Tensor x = wave({2 + (i * 5 + t * 3) % 9, 8}, t);
        const Tensors got = compiled({x});
        const Tensors expected = f({x});
        if (max(abs(got[0] - expected[0])).item<float>() > 1e-4F) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(compiled.traces(), 1U);
  EXPECT_EQ(*counted.calls, first) << "sizes that were dropped are bound again, not traced";
}

TEST_P(DynamicAxesOn, ThreadsWithTheFirstCall) {
  const TensorFunction f = [](const Tensors& in) { return Tensors{cumsum(in[0] * 2.0, 0)}; };
  const Compiled compiled = compile(f, {.dynamic_axes = {{0, 0, "n"}}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t n = 2 + t; n < 20; n += 3) {
        const Tensor x = wave({n}, t);
        expect_close(compiled({x}), f({x}), std::to_string(n));
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(compiled.traces(), 1U);
}

TEST_P(DynamicAxesOn, DtypesRanksAndOtherSizesArePartOfTheSignature) {
  const TensorFunction f = [](const Tensors& in) { return Tensors{in[0] + in[0]}; };
  const Compiled compiled = compile(f, {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {4, 6}) {
    for (const Tensor& x : {wave({n}), wave({n, 3}), wave({n, 4}), cast(wave({n}), i32).eval()}) {
      expect_close(compiled({x}), f({x}), x.shape().str());
    }
  }
  EXPECT_EQ(compiled.traces(), 4U);
}

TEST_P(DynamicAxesOn, InsideOfOtherGraphs) {
  const Compiled inner =
      compile([](const Tensors& in) { return Tensors{sum(square(in[0]))}; }, {.dynamic_axes = {{0, 0, "n"}}});
  const Compiled outer =
      compile([&](const Tensors& in) { return inner({in[0] * 3.0}); }, {.dynamic_axes = {{0, 0, "n"}}});
  for (const std::int64_t n : {4, 7}) {
    const Tensor x = wave({n});
    expect_close(outer({x}), {sum(square(x * 3.0))}, "nested");
    expect_close({grad([&](const Tensor& y) { return inner({y})[0]; })(x)}, {x * 2.0}, "gradient");
  }
  EXPECT_EQ(inner.traces(), 0U);
  EXPECT_EQ(outer.traces(), 1U);
  Tensor variable = wave({6});
  variable.requires_grad();
  expect_close({inner({variable})[0]}, {sum(square(wave({6})))}, "variable");
}

TEST_P(DynamicAxesOn, ACapturedTensorThatAnotherCallDonatedIsAnError) {
  for (const bool returned : {false, true}) {
    const Tensor w = wave({8});
    const Compiled f = compile([&](const Tensors& in) { return Tensors{in[0] * 2.0, returned ? w : in[0] + w}; },
                               {.dynamic_axes = {{0, 0, "n"}}});
    const Compiled step = compile([](const Tensors& in) { return Tensors{in[0] * 2.0}; }, {.donate = {0}});
    static_cast<void>(f({wave({5, 8})}));
    static_cast<void>(step({w}));
    for (const std::int64_t n : {5, 6}) {
      const Error e = error_of([&] { static_cast<void>(f({wave({n, 8})})); });
      EXPECT_EQ(e.kind(), ErrorKind::kValue);
      EXPECT_NE(std::string(e.what()).find("f32 and shape [8] that was donated"), std::string::npos) << e.what();
    }
  }
}

TEST_P(DynamicAxesOn, WrongAxesAreErrors) {
  const TensorFunction f = [](const Tensors& in) { return Tensors{sum(in[0])}; };
  const auto text = [&](std::vector<DynamicAxis> axes) {
    const Compiled compiled = compile(f, {.dynamic_axes = std::move(axes)});
    return std::string(error_of([&] { compiled({wave({3, 4}), wave({5})}); }).what());
  };
  EXPECT_EQ(text({{0, 0, ""}}), "compile: the dynamic axis 0 of argument 0 has an empty name; a name is expected.");
  EXPECT_EQ(
      text({{2, 0, "n"}}),
      "compile: axis 0 of argument 2 is to be dynamic ('n'), and there are 2 arguments; a position from 0 to 1 is "
      "expected.");
  EXPECT_EQ(text({{-1, 0, "n"}}).substr(0, 30), "compile: axis 0 of argument -1");
  EXPECT_EQ(
      text({{0, 2, "n"}}),
      "compile: axis 2 of argument 0 is to be dynamic ('n'), and the argument has shape [3, 4]; an axis from -2 to "
      "1 is expected.");
  EXPECT_EQ(
      text({{0, 0, "n"}, {1, 0, "n"}}),
      "compile: axes of the name 'n' have sizes 3 (axis 0 of argument 0) and 5 (axis 0 of argument 1); one size is "
      "expected.");
  EXPECT_EQ(text({{0, 1, "n"}, {0, -1, "m"}}),
            "compile: axis 1 of argument 0 is listed twice in dynamic_axes, as 'n' and 'm'.");
}

// ---- Formulas ----

TEST(SizeFormulas, PolynomialsReciprocalsAndRoots) {
  const SizeGrid grid({5, 7}, {1, 2});
  ASSERT_EQ(grid.points(), 9U);
  const auto check_integer = [&](const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < grid.points(); ++i) values.push_back(f(grid.point(i)[0], grid.point(i)[1]));
    const SizeFormula formula = SizeFormula::of_integers(grid, values);
    for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{2, 3}, {5, 7}, {1000, 9}, {31, 70001}})
      EXPECT_EQ(formula.integer(grid.basis({a, b})), f(a, b)) << a << ", " << b;
  };
  check_integer([](auto, auto) { return 3; });
  check_integer([](auto a, auto b) { return a * b * 64 - 3; });
  check_integer([](auto a, auto b) { return a * a * b * b - a * 7; });
  check_integer([](auto a, auto b) { return a * (b - 1) / 2; });
  const auto check_real = [&](const std::function<double(double, double)>& f) {
    std::vector<double> values;
    for (std::size_t i = 0; i < grid.points(); ++i) {
      values.push_back(f(static_cast<double>(grid.point(i)[0]), static_cast<double>(grid.point(i)[1])));
    }
    const auto formula = SizeFormula::of_doubles(grid, values);
    ASSERT_TRUE(formula.has_value());
    for (const auto& [a, b] : {std::pair<std::int64_t, std::int64_t>{2, 3}, {5, 7}, {1000, 9}, {31, 70001}}) {
      const double expected = f(static_cast<double>(a), static_cast<double>(b));
      EXPECT_NEAR(formula->real(grid.basis({a, b})), expected, 1e-15 * std::abs(expected)) << a << ", " << b;
    }
  };
  check_real([](double, double) { return 0.3; });
  check_real([](double a, double b) { return a * b; });
  check_real([](double a, double b) { return -2.5 / (a * b); });
  check_real([](double a, double) { return 1 / (a - 1); });
  check_real([](double a, double) { return 1 / std::sqrt(a * 8); });
  check_real([](double, double b) { return static_cast<double>(1.0F / static_cast<float>(b * 1e5)); });
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < grid.points(); ++i) logarithms.push_back(std::log(static_cast<double>(grid.point(i)[0])));
  EXPECT_FALSE(SizeFormula::of_doubles(grid, logarithms).has_value());
}

}  // namespace
}  // namespace tessera::test
