// Elementwise compositions and activations against the standard library, on every device; distributions by their
// moments.
#include <cmath>
#include <limits>
#include <numeric>

#include "autograd/support.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class Functions : public DeviceTest {
 protected:
  using F1 = std::function<Tensor(const Tensor&)>;
  [[nodiscard]] Tensor vec(const std::vector<float>& v) const {
    return {v, Shape{static_cast<std::int64_t>(v.size())}, device_};
  }
  /// f against g at points, within 8 units of f32 of what it is made of.
  void compare(const char* name, const F1& f, const std::function<double(double)>& g) const {
    const std::vector<float> x{-7, -3.5F, -3, -2, -1, -0.6F, -0.5F, -0.2F, 0, 0.1F, 0.5F, 0.7F, 1, 2, 3, 4, 6, 7.5F};
    const std::vector<float> got = f(vec(x)).to_vector<float>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = g(x[i]);
      EXPECT_NEAR(got[i], want, 1e-6 * (1 + std::abs(want))) << name << " of " << x[i];
    }
  }
};

TEST_P(Functions, Activations) {
  const auto sigmoid_of = [](double x) { return 1 / (1 + std::exp(-x)); };
  compare("relu6", [](const Tensor& t) { return relu6(t); }, [](double x) { return std::clamp(x, 0.0, 6.0); });
  compare("hardtanh", [](const Tensor& t) { return hardtanh(t); }, [](double x) { return std::clamp(x, -1.0, 1.0); });
  compare(
      "hardsigmoid", [](const Tensor& t) { return hardsigmoid(t); },
      [](double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); });
  compare(
      "hardswish", [](const Tensor& t) { return hardswish(t); },
      [](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); });
  compare(
      "selu", [](const Tensor& t) { return selu(t); },
      [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); });
  compare(
      "celu", [](const Tensor& t) { return celu(t, 2); }, [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
  compare(
      "prelu", [&](const Tensor& t) { return prelu(t, vec({0.3F})); }, [](double x) { return x > 0 ? x : 0.3F * x; });
  compare(
      "threshold", [](const Tensor& t) { return threshold(t, 0.6, -9); }, [](double x) { return x > 0.6 ? x : -9; });
  compare(
      "logsigmoid", [](const Tensor& t) { return logsigmoid(t); }, [&](double x) { return std::log(sigmoid_of(x)); });
  compare("tanhshrink", [](const Tensor& t) { return tanhshrink(t); }, [](double x) { return x - std::tanh(x); });
  compare(
      "softshrink", [](const Tensor& t) { return softshrink(t); },
      [](double x) { return x > 0.5 ? x - 0.5 : (x < -0.5 ? x + 0.5 : 0); });
  compare(
      "hardshrink", [](const Tensor& t) { return hardshrink(t); }, [](double x) { return std::abs(x) > 0.5 ? x : 0; });
  compare(
      "glu", [](const Tensor& t) { return reshape(glu(stack({t, t}, -1)), t.shape()); },
      [&](double x) { return x * sigmoid_of(x); });
  compare("swiglu", [](const Tensor& t) { return swiglu(t, t); }, [&](double x) { return x * sigmoid_of(x) * x; });
  compare("rrelu", [](const Tensor& t) { return rrelu(t); }, [](double x) { return x > 0 ? x : x * 11.0 / 48; });
}

TEST_P(Functions, Math) {
  compare("erfc", [](const Tensor& t) { return erfc(t); }, [](double x) { return std::erfc(x); });
  compare("hypot", [](const Tensor& t) { return hypot(t, t + 1.0); }, [](double x) { return std::hypot(x, x + 1); });
  compare(
      "logaddexp", [](const Tensor& t) { return logaddexp(t, t * -2.0); },
      [](double x) { return std::log(std::exp(x) + std::exp(-2 * x)); });
  compare(
      "xlogy", [](const Tensor& t) { return xlogy(t, abs(t)); },
      [](double x) { return x == 0 ? 0 : x * std::log(std::abs(x)); });
  compare("fmod", [](const Tensor& t) { return fmod(t, 1.5); }, [](double x) { return std::fmod(x, 1.5); });
  compare(
      "copysign", [](const Tensor& t) { return copysign(t, t - 1.0); },
      [](double x) { return std::copysign(x, static_cast<float>(x) - 1.0F); });
  EXPECT_EQ(hypot(vec({3e38F, kInf}), vec({3e38F, kNan})).to_vector<float>()[1], kInf);
  EXPECT_EQ(hypot(vec({2e38F}), vec({0})).to_vector<float>()[0], 2e38F);
  EXPECT_EQ(logaddexp(vec({-kInf, kInf}), vec({-kInf, 1})).to_vector<float>(), (std::vector<float>{-kInf, kInf}));
  const Tensor a(std::vector<std::int32_t>{7, -7, 7, -7, 12}, {5}, device_);
  const Tensor b(std::vector<std::int32_t>{3, 3, -3, -3, 18}, {5}, device_);
  EXPECT_EQ(fmod(a, b).to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, -1, 1, -1, 12}));
  EXPECT_EQ(lcm(a, b).to_vector<std::int32_t>(), (std::vector<std::int32_t>{21, 21, 21, 21, 36}));
  EXPECT_EQ(nan_to_num(vec({kNan, kInf, -kInf, 1}), 5, 6.0).to_vector<float>(),
            (std::vector<float>{5, 6, -std::numeric_limits<float>::max(), 1}));
  EXPECT_EQ(isclose(vec({1, kInf, kNan, 1, kInf}), vec({1 + 1e-6F, kInf, kNan, 2, 1})).to_vector<bool>(),
            (std::vector<bool>{true, true, false, false, false}));
  const std::vector<float> from{1, 1, -1, 0, 0, -0.0F, 1e-45F, kInf, 2, 3.4028234e38F, 1.17549435e-38F};
  const std::vector<float> to{2, 0, 0, 1, -1, 1, -1, 0, 2, kInf, 0};
  const std::vector<float> next = nextafter(vec(from), vec(to)).to_vector<float>();
  for (std::size_t i = 0; i < from.size(); ++i) EXPECT_EQ(next[i], std::nextafter(from[i], to[i])) << from[i];
  EXPECT_TRUE(std::isnan(nextafter(vec({1}), vec({kNan})).to_vector<float>()[0]));
  EXPECT_EQ(nextafter(vec({1, 2}), 3.0).to_vector<float>()[0], std::nextafter(1.0F, 3.0F));
  EXPECT_EQ(error_of([&] { nextafter(cast(vec({1}), f16), 2.0); }).kind(), ErrorKind::kDType);
  EXPECT_TRUE(allclose(vec({kNan}), vec({kNan}), 1e-5, 1e-8, true));
  EXPECT_EQ(error_of([&] { positive(cast(a, boolean)); }).kind(), ErrorKind::kDType);
}

TEST_P(Functions, Distributions) {
  const std::int64_t n = 20000;
  random::set_seed(3);
  const auto moments = [](const Tensor& t) {
    const std::vector<float> v = t.to_vector<float>();
    double mean = 0;
    for (const float x : v) mean += x / static_cast<double>(v.size());
    double var = 0;
    for (const float x : v) var += (x - mean) * (x - mean) / static_cast<double>(v.size());
    return std::pair(mean, var);
  };
  const auto near = [&](const char* name, const Tensor& t, double mean, double var) {
    const auto [m, s] = moments(t);
    EXPECT_NEAR(m, mean, 5 * std::sqrt(var / n)) << name;  // five deviations of the mean
    EXPECT_NEAR(s, var, 0.1 * var) << name;
  };
  near("exponential", random::exponential({n}, 2.0, f32, device_), 0.5, 0.25);
  near("gamma of 3", random::gamma({n}, 3.0, f32, device_), 3, 3);
  near("gamma of 0.5", random::gamma({n}, 0.5, f32, device_), 0.5, 0.5);
  near("truncated normal", random::truncated_normal({n}, -2, 2, 0, 1, f32, device_), 0, 0.7737);
  const std::vector<float> cut = random::truncated_normal({n}, 1, 1.5, 0, 1, f32, device_).to_vector<float>();
  EXPECT_GE(*std::min_element(cut.begin(), cut.end()), 1);
  EXPECT_LE(*std::max_element(cut.begin(), cut.end()), 1.5F);
  near("dropout", dropout(ones({n}, f32, device_), 0.25), 1, 1.0 / 3);
  EXPECT_EQ(dropout(vec({1, 2}), 0.5, false).to_vector<float>(), (std::vector<float>{1, 2}));
  const Tensor soft = gumbel_softmax(zeros({4, 5}, f32, device_), 1, true);
  EXPECT_EQ(sum(soft, {1}).to_vector<float>(), (std::vector<float>(4, 1)));
  // Halves that are all infinite beside the noise are equal: the first alone is 1.
  const Tensor equal = gumbel_softmax(full({3, 4}, 60000, f16, device_), 1, true);
  EXPECT_EQ(sum(cast(equal, f32), {1}).to_vector<float>(), (std::vector<float>(3, 1)));
}

TEST_P(Functions, ActivationsAsInPyTorch) {
  EXPECT_EQ(prelu(full({}, -2, f32, device_), full({1}, 0.25, f32, device_)).shape(), Shape{});
  EXPECT_TRUE(std::isnan(threshold(vec({std::nanf("")}), 0.5, 9).to_vector<float>()[0]));
  const Tensor x = vec({1, 2, 3, 4, 5, 6, 7, 8});
  const auto turned = [&](const Tensor& at) { return rope(reshape(x, {2, 4}), at).to_vector<float>(); };
  EXPECT_EQ(turned(full({}, 3, i32, device_)), turned(full({2}, 3, i32, device_)));
}

TEST_P(Functions, GeneratorsRepeat) {
  const auto draw = [&] { return random::uniform({8}, 0.0, 1.0, f32, device_).to_vector<float>(); };
  random::Generator a(5);
  std::vector<float> first;
  {
    const random::Use use(a);
    first = draw();
    EXPECT_NE(draw(), first);
  }
  {
    const random::Use use(random::Generator(5));
    EXPECT_EQ(draw(), first);
  }
  const random::Use use(a.split());
  EXPECT_NE(draw(), first);
}

TEST_P(Functions, RandomStatesRepeat) {
  const auto draws = [&] {
    std::vector<float> all = random::uniform({5}, 0.0, 1.0, f32, device_).to_vector<float>();
    const std::vector<float> more = random::normal({3}, 0.0, 1.0, f32, device_).to_vector<float>();  // two positions
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  random::set_seed(11);
  EXPECT_EQ(random::state(), (random::RandomState{.seed = 11, .position = 0}));
  draws();
  const random::RandomState state = random::state();
  EXPECT_EQ(state, (random::RandomState{.seed = 11, .position = 3}));
  const std::vector<float> expected = draws();
  random::set_seed(12);
  EXPECT_NE(draws(), expected);
  random::set_state(state);
  EXPECT_EQ(draws(), expected);
  // Of another generator; copies share it, and the default one stays.
  random::Generator g(5);
  const random::Generator copy = g;
  const random::Use use(g);
  g.set_state(state);
  EXPECT_EQ(copy.state(), state);
  EXPECT_EQ(draws(), expected);
  EXPECT_EQ(copy.state().position, 6U);
  EXPECT_EQ(random::state().position, 6U);
  constexpr std::uint64_t kLast = ~std::uint64_t{0};
  g.set_state({kLast, kLast});
  EXPECT_EQ(draws().size(), 8U);
  EXPECT_EQ(g.state(), (random::RandomState{kLast, 2}));  // around the end
}

TEST_P(Functions, AForkLeavesGeneratorsAsTheyWere) {
  const auto draw = [&] { return random::uniform({6}, 0.0, 1.0, f32, device_).to_vector<float>(); };
  random::set_seed(3);
  random::Generator g(4);
  draw();
  const random::RandomState before = random::state();
  std::vector<float> first;
  {
    const random::Fork fork;
    first = draw();
    {
      const random::Fork inner;
      EXPECT_NE(draw(), first);
      random::set_seed(9);
      random::Generator part = g.split();
      const random::Use use(part);
      draw();
      const random::Use made(random::Generator(8));  // gone before the fork ends
      draw();
    }
    EXPECT_EQ(random::state().position, before.position + 1);
  }
  EXPECT_EQ(random::state(), before);
  EXPECT_EQ(g.state(), (random::RandomState{.seed = 4, .position = 0}));
  EXPECT_EQ(draw(), first);
  EXPECT_THROW(
      {
        const random::Fork fork;
        draw();
        throw std::runtime_error("inside");
      },
      std::runtime_error);
  EXPECT_EQ(random::state().position, before.position + 1);
}

TEST_P(Functions, MeansOfNothingAreNaN) {
  const Tensor none = zeros({3, 0}, f32, device_);
  for (const Tensor& t : {mean(none, {1}), var(none, {1}), stddev(none, {1}), mean(none) + zeros({3}, f32, device_)}) {
    ASSERT_EQ(t.shape(), (Shape{3}));
    for (const float v : t.to_vector<float>()) EXPECT_TRUE(std::isnan(v));
  }
}

TEST_P(Functions, BadInput) {
  const auto kind = [&](auto f) { return error_of(f).kind(); };
  const Tensor x = vec({1, 2, 3});
  EXPECT_EQ(kind([&] { dropout(x, 1.5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { glu(x); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { prelu(x, vec({1, 2})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { celu(x, 0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { softshrink(x, -1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { gumbel_softmax(x, 0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { rrelu(x, 2, 1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { random::truncated_normal({2}, 1, 1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { gcd(x, x); }), ErrorKind::kDType);
}

TESSERA_ON_ALL_DEVICES(Functions);

TEST(FunctionGradients, MatchDifferences) {
  const Tensor x = random_f64({6}, 1);
  for (const auto& [name, f] : std::vector<std::pair<std::string, std::function<Tensor(const Tensor&)>>>{
           {"hardsigmoid", [](const Tensor& t) { return hardsigmoid(t * 3.0); }},
           {"hardswish", [](const Tensor& t) { return hardswish(t); }},
           {"selu", [](const Tensor& t) { return selu(t); }},
           {"celu", [](const Tensor& t) { return celu(t, 2); }},
           {"logsigmoid", [](const Tensor& t) { return logsigmoid(t); }},
           {"tanhshrink", [](const Tensor& t) { return tanhshrink(t); }},
           {"softshrink", [](const Tensor& t) { return softshrink(t); }},
           {"glu", [](const Tensor& t) { return glu(t); }},
           {"softmin", [](const Tensor& t) { return softmin(t); }},
           {"hypot", [](const Tensor& t) { return hypot(t, t * t); }},
           {"logaddexp", [](const Tensor& t) { return logaddexp(t, t * t); }},
           {"xlogy", [](const Tensor& t) { return xlogy(t, abs(t) + 0.1); }},
           {"fmod", [](const Tensor& t) { return fmod(t, 0.7); }},
           {"copysign", [](const Tensor& t) { return copysign(t, t - 1.0); }},
           {"erfc", [](const Tensor& t) { return erfc(t); }}}) {
    check_gradient(name, [f = f](const Tensors& a) { return f(a[0]); }, {x});
    if (HasFatalFailure()) return;
  }
  check_gradient("prelu", [](const Tensors& a) { return prelu(a[0], a[1]); },
                 {random_f64({2, 3}, 2), random_f64({3}, 3)});
}

}  // namespace
}  // namespace tessera::test
