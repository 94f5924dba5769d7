// The CPU's elementwise block functions against scalar functions, for each instruction set that the machine has.
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "cpu/kernel_run.h"
#include "ops/elementwise/elementwise_cpu.h"

namespace tessera {
namespace {

template <class T>
constexpr Compute kComputeOf = std::is_same_v<T, std::int32_t>    ? Compute::kI32
                               : std::is_same_v<T, std::uint32_t> ? Compute::kU32
                               : std::is_same_v<T, std::int64_t>  ? Compute::kI64
                               : std::is_same_v<T, std::uint64_t> ? Compute::kU64
                               : std::is_same_v<T, float>         ? Compute::kF32
                               : std::is_same_v<T, double>        ? Compute::kF64
                                                                  : Compute::kBool;

template <class T, class R = T>
std::vector<R> run1(CpuFn fn, const std::vector<T>& x) {
  std::vector<R> out(x.size());
  const void* args[] = {x.data()};
  fn({kComputeOf<T>, args, out.data(), static_cast<std::int64_t>(x.size())});
  return out;
}

template <class T, class R = T>
std::vector<R> run2(CpuFn fn, const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<R> out(x.size());
  const void* args[] = {x.data(), y.data()};
  fn({kComputeOf<T>, args, out.data(), static_cast<std::int64_t>(x.size())});
  return out;
}

// Steps between two floats along the number line; a NaN is at home only with a NaN.
double ulps(float got, double want) {
  const auto rounded = static_cast<float>(want);
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want) ? 0 : 1e9;
  if (got == rounded) return std::signbit(got) == std::signbit(rounded) ? 0 : 1e9;
  if (std::isinf(got) || std::isinf(rounded)) return 1e9;
  const auto place = [](float v) {
    const auto bits = std::bit_cast<std::int32_t>(v);
    return static_cast<std::int64_t>(bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits);
  };
  return static_cast<double>(std::abs(place(got) - place(rounded)));
}

std::vector<float> awkward_floats() {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float least = std::numeric_limits<float>::min();
  const float most = std::numeric_limits<float>::max();
  std::vector<float> some{0.0F,    tiny,     2 * tiny, least,  least / 2, 1e-30F, 1e-7F, 0x1p-24F, 0x1p-23F, 1e-3F,
                          0.25F,   0.5F,     0.75F,    0.999F, 1.0F,      1.001F, 1.5F,  2.0F,     2.5F,     3.0F,
                          3.5F,    4.0F,     5.0F,     7.0F,   10.0F,     20.0F,  44.0F, 87.0F,    88.722F,  88.73F,
                          89.41F,  89.42F,   103.0F,   104,    105,       150,    1000,  38999,    39001,    1e6F,
                          8388608, 16777216, 1e10F,    1e20F,  most,      kInf,   kNan};
  const std::size_t n = some.size();
  for (std::size_t i = 0; i < n; ++i) some.push_back(-some[i]);
  return some;
}

// All magnitudes alike (by bits), and the ranges in which the functions bend.
std::vector<float> many_floats() {
  std::vector<float> x = awkward_floats();
  std::mt19937 random(7);
  for (int i = 0; i < 200000; ++i) x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  for (const float range : {1.0F, 5.0F, 20.0F, 110.0F, 5000.0F}) {
    std::uniform_real_distribution<float> within(-range, range);
    for (int i = 0; i < 40000; ++i) x.push_back(within(random));
  }
  std::uniform_real_distribution<float> near_one(0.9F, 1.1F);
  for (int i = 0; i < 40000; ++i) x.push_back(near_one(random));
  return x;
}

class EachTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> result;
  for (const std::int64_t t : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_STATIC_TARGET}) {
    if ((hwy::SupportedTargets() & t) != 0) result.push_back(t);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Simd, EachTarget, testing::ValuesIn(targets()),
                         [](const auto& param) { return std::string(hwy::TargetName(param.param)); });

struct Unary {
  const char* name;
  CpuFn fn;
  double (*reference)(double);
  double ulp = 4;
};

TEST_P(EachTarget, UnaryFloatFunctionsAreWithinUlps) {
  const Unary all[] = {
      {"negative", cpu::negative, [](double x) { return -x; }, 0},
      {"abs", cpu::abs, [](double x) { return std::fabs(x); }, 0},
      {"square", cpu::square, [](double x) { return x * x; }, 0},
      {"sqrt", cpu::sqrt, [](double x) { return std::sqrt(x); }, 0},
      {"rsqrt", cpu::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 1},
      {"reciprocal", cpu::reciprocal, [](double x) { return 1 / x; }, 0},
      {"floor", cpu::floor, [](double x) { return std::floor(x); }, 0},
      {"ceil", cpu::ceil, [](double x) { return std::ceil(x); }, 0},
      {"round", cpu::round, [](double x) { return std::nearbyint(x); }, 0},
      {"trunc", cpu::trunc, [](double x) { return std::trunc(x); }, 0},
      {"sign", cpu::sign, [](double x) { return x > 0 ? 1. : (x < 0 ? -1. : (x == 0 ? 0. : x)); }, 0},
      {"exp", cpu::exp, [](double x) { return std::exp(x); }},
      {"expm1", cpu::expm1, [](double x) { return std::expm1(x); }},
      {"log", cpu::log, [](double x) { return std::log(x); }},
      {"log2", cpu::log2, [](double x) { return std::log2(x); }},
      {"log10", cpu::log10, [](double x) { return std::log10(x); }},
      {"log1p", cpu::log1p, [](double x) { return std::log1p(x); }},
      {"sin", cpu::sin, [](double x) { return std::sin(x); }},
      {"cos", cpu::cos, [](double x) { return std::cos(x); }},
      {"tan", cpu::tan, [](double x) { return std::tan(x); }},
      {"asin", cpu::asin, [](double x) { return std::asin(x); }},
      {"acos", cpu::acos, [](double x) { return std::acos(x); }},
      {"atan", cpu::atan, [](double x) { return std::atan(x); }},
      {"sinh", cpu::sinh, [](double x) { return std::sinh(x); }},
      {"cosh", cpu::cosh, [](double x) { return std::cosh(x); }},
      {"tanh", cpu::tanh, [](double x) { return std::tanh(x); }},
      {"asinh", cpu::asinh, [](double x) { return std::asinh(x); }},
      {"acosh", cpu::acosh, [](double x) { return std::acosh(x); }},
      {"atanh", cpu::atanh, [](double x) { return std::atanh(x); }},
      {"erf", cpu::erf, [](double x) { return std::erf(x); }, 2},
      {"sigmoid", cpu::sigmoid,
       [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }},
  };
  const std::vector<float> x = many_floats();
  for (const Unary& op : all) {
    const std::vector<float> got = run1(op.fn, x);
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double e = ulps(got[i], op.reference(x[i]));
      if (e > worst) {
        worst = e;
        at = i;
      }
    }
    std::printf("  %-10s %4.0f ulp at %.9g\n", op.name, worst, static_cast<double>(x[at]));
    EXPECT_LE(worst, op.ulp) << op.name << "(" << x[at] << ") = " << got[at] << ", not " << op.reference(x[at]);
    // f64: the standard library itself, or one correctly rounded operation.
    const std::vector<double> wide(x.begin(), x.end());
    const std::vector<double> got64 = run1(op.fn, wide);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = op.reference(wide[i]);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(got64[i])) << op.name << " f64 at " << wide[i];
      } else {
        ASSERT_TRUE(got64[i] == want || std::fabs(got64[i] - want) <= 1e-15 * std::fabs(want))
            << op.name << " f64 at " << wide[i] << ": " << got64[i] << ", not " << want;
      }
    }
  }
}

double python_mod(double a, double b) {
  const double mod = std::fmod(a, b);
  if (b == 0) return mod;
  if (mod == 0) return std::copysign(0.0, b);
  return (b < 0) != (mod < 0) ? mod + b : mod;
}

TEST_P(EachTarget, BinaryFloatFunctions) {
  struct Binary {
    const char* name;
    CpuFn fn;
    double (*reference)(double, double);
    double ulp;
  };
  const auto larger = [](double x, double y) { return std::isnan(x) || std::isnan(y) ? x + y : (x < y ? y : x); };
  const auto smaller = [](double x, double y) { return std::isnan(x) || std::isnan(y) ? x + y : (y < x ? y : x); };
  const Binary all[] = {
      {"add", cpu::add, [](double x, double y) { return x + y; }, 0},
      {"subtract", cpu::subtract, [](double x, double y) { return x - y; }, 0},
      {"multiply", cpu::multiply, [](double x, double y) { return x * y; }, 0},
      {"divide", cpu::divide, [](double x, double y) { return x / y; }, 0},
      {"maximum", cpu::maximum, larger, 0},
      {"minimum", cpu::minimum, smaller, 0},
      {"atan2", cpu::atan2, [](double x, double y) { return std::atan2(x, y); }, 4},
      {"power", cpu::power, [](double x, double y) { return std::pow(x, y); }, 4},
  };
  std::vector<float> x;
  std::vector<float> y;
  for (const float a : awkward_floats()) {
    for (const float b : awkward_floats()) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  std::mt19937 random(11);
  std::uniform_real_distribution<float> base(-10, 10);
  std::uniform_real_distribution<float> high(0, 1e5);
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i % 2 == 0 ? base(random) : high(random));
    y.push_back(i % 4 < 2 ? base(random) : std::round(base(random)));
  }
  for (const Binary& op : all) {
    const std::vector<float> got = run2(op.fn, x, y);
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      double e = ulps(got[i], op.reference(x[i], y[i]));
      // Which zero the larger of two zeros is, is nobody's promise.
      if (got[i] == 0 && op.reference(x[i], y[i]) == 0 && op.fn != cpu::power) e = 0;
      if (e > worst) {
        worst = e;
        at = i;
      }
    }
    std::printf("  %-10s %4.0f ulp at %.9g, %.9g\n", op.name, worst, static_cast<double>(x[at]),
                static_cast<double>(y[at]));
    EXPECT_LE(worst, op.ulp) << op.name << "(" << x[at] << ", " << y[at] << ") = " << got[at] << ", not "
                             << op.reference(x[at], y[at]);
    const std::vector<double> xd(x.begin(), x.end());
    const std::vector<double> yd(y.begin(), y.end());
    const std::vector<double> got64 = run2(op.fn, xd, yd);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double want = op.reference(xd[i], yd[i]);
      ASSERT_TRUE(got64[i] == want || (std::isnan(want) && std::isnan(got64[i])))
          << op.name << " f64 at " << xd[i] << ", " << yd[i];
    }
  }
}

TEST_P(EachTarget, FloatDivisionDown) {
  // From NumPy's floor_divide and remainder of float32.
  const std::vector<float> a{7, -7, 7, -7, 1, -1, 1, -1, kInf, 5, -5, 0, -0.0F, 0, kNan, 1};
  const std::vector<float> b{2, 2, -2, -2, kInf, kInf, -kInf, -kInf, 2, 0, 0, 0, 3, -3, 1, kNan};
  const std::vector<float> down{3, -4, -4, 3, 0, -1, -1, 0, kNan, kInf, -kInf, kNan, -0.0F, -0.0F, kNan, kNan};
  const std::vector<float> rest{1, 1, -1, -1, 1, kInf, -kInf, -1, kNan, kNan, kNan, kNan, 0, -0.0F, kNan, kNan};
  const auto div = run2(cpu::floor_divide, a, b);
  const auto mod = run2(cpu::remainder, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(ulps(div[i], static_cast<double>(down[i])), 0) << a[i] << " // " << b[i] << " = " << div[i];
    EXPECT_EQ(ulps(mod[i], static_cast<double>(rest[i])), 0) << a[i] << " % " << b[i] << " = " << mod[i];
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<double> within(-100, 100);
  std::vector<double> x(1000);
  std::vector<double> y(1000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = within(random);
    y[i] = within(random);
  }
  const auto div64 = run2(cpu::floor_divide, x, y);
  const auto mod64 = run2(cpu::remainder, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(div64[i], std::floor(x[i] / y[i]));
    EXPECT_EQ(mod64[i], python_mod(x[i], y[i]));
  }
}

template <class T>
std::vector<T> integers() {
  using L = std::numeric_limits<T>;
  std::vector<T> some{L::min(), static_cast<T>(L::min() + 1), L::max(), static_cast<T>(L::max() - 1)};
  for (const int v : {0, 1, 2, 3, 5, 7, 31, 32, 33, 63, 64, 65, 100, 1000, 65536}) {
    some.push_back(static_cast<T>(v));
    some.push_back(static_cast<T>(-v));
  }
  std::mt19937_64 random(5);
  for (int i = 0; i < 90; ++i) some.push_back(static_cast<T>(random()));
  return some;
}

template <class T>
void check_integers() {
  using U = std::make_unsigned_t<T>;
  __extension__ using Wide = __int128;
  constexpr int kBits = sizeof(T) * 8;
  const std::vector<T> some = integers<T>();
  std::vector<T> x;
  std::vector<T> y;
  for (const T a : some) {
    for (const T b : some) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  const auto wrap = [](Wide v) { return static_cast<T>(static_cast<U>(v)); };
  const auto down = [](Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  const auto power = [](T base, T e) {
    if (e < 0) return static_cast<T>(base == 1 ? 1 : (base == static_cast<T>(-1) ? (e % 2 == 0 ? 1 : -1) : 0));
    U r = 1;
    for (int bit = kBits - 1; bit >= 0; --bit) {
      r = r * r;
      if ((static_cast<U>(e) >> bit & 1) != 0) r = r * static_cast<U>(base);
    }
    return static_cast<T>(r);
  };
  const auto check = [&](const char* name, CpuFn fn, auto want) {
    const auto got = run2(fn, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(got[i], static_cast<T>(want(x[i], y[i]))) << name << "(" << x[i] << ", " << y[i] << ")";
    }
  };
  check("add", cpu::add, [&](T a, T b) { return wrap(Wide{a} + b); });
  check("subtract", cpu::subtract, [&](T a, T b) { return wrap(Wide{a} - b); });
  check("multiply", cpu::multiply, [&](T a, T b) { return static_cast<T>(static_cast<U>(a) * static_cast<U>(b)); });
  check("floor_divide", cpu::floor_divide, [&](T a, T b) { return b == 0 ? T{0} : wrap(down(a, b)); });
  check("remainder", cpu::remainder, [&](T a, T b) { return b == 0 ? T{0} : wrap(Wide{a} - down(a, b) * Wide{b}); });
  check("power", cpu::power, power);
  check("maximum", cpu::maximum, [](T a, T b) { return std::max(a, b); });
  check("minimum", cpu::minimum, [](T a, T b) { return std::min(a, b); });
  check("and", cpu::bitwise_and, [](T a, T b) { return a & b; });
  check("or", cpu::bitwise_or, [](T a, T b) { return a | b; });
  check("xor", cpu::bitwise_xor, [](T a, T b) { return a ^ b; });
  check("left_shift", cpu::left_shift,
        [&](T a, T b) { return static_cast<U>(b) >= U{kBits} ? T{0} : static_cast<T>(static_cast<U>(a) << b); });
  check("right_shift", cpu::right_shift,
        [&](T a, T b) { return static_cast<U>(b) >= U{kBits} ? (a < 0 ? static_cast<T>(-1) : T{0}) : a >> b; });
  const auto check1 = [&](const char* name, CpuFn fn, auto want) {
    const auto got = run1(fn, some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      ASSERT_EQ(got[i], static_cast<T>(want(some[i]))) << name << "(" << some[i] << ")";
    }
  };
  check1("negative", cpu::negative, [&](T a) { return wrap(-Wide{a}); });
  check1("abs", cpu::abs, [&](T a) { return wrap(a < 0 ? -Wide{a} : Wide{a}); });
  check1("sign", cpu::sign, [](T a) { return a > 0 ? 1 : (a < 0 ? -1 : 0); });
  check1("square", cpu::square, [](T a) { return static_cast<U>(a) * static_cast<U>(a); });
  check1("bitwise_not", cpu::bitwise_not, [](T a) { return ~a; });
  check1("floor", cpu::floor, [](T a) { return a; });
  check1("round", cpu::round, [](T a) { return a; });
  const auto compare = [&](const char* name, CpuFn fn, auto want) {
    const auto got = run2<T, std::uint8_t>(fn, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(got[i], static_cast<std::uint8_t>(want(x[i], y[i]))) << name << "(" << x[i] << ", " << y[i] << ")";
    }
  };
  compare("equal", cpu::equal, [](T a, T b) { return a == b; });
  compare("less", cpu::less, [](T a, T b) { return a < b; });
  compare("greater_equal", cpu::greater_equal, [](T a, T b) { return a >= b; });
  const auto test = [&](CpuFn fn, int want) {
    for (const std::uint8_t v : run1<T, std::uint8_t>(fn, some)) ASSERT_EQ(v, want);
  };
  test(cpu::isnan, 0);
  test(cpu::isinf, 0);
  test(cpu::isfinite, 1);
}

TEST_P(EachTarget, IntegersWrap) {
  check_integers<std::int32_t>();
  check_integers<std::uint32_t>();
  check_integers<std::int64_t>();
  check_integers<std::uint64_t>();
}

template <class T>
void check_float_tests() {
  std::vector<T> x;
  std::vector<T> y;
  for (const float a : awkward_floats()) {
    for (const float b : awkward_floats()) {
      x.push_back(static_cast<T>(a));
      y.push_back(static_cast<T>(b));
    }
  }
  const auto nan = run1<T, std::uint8_t>(cpu::isnan, x);
  const auto inf = run1<T, std::uint8_t>(cpu::isinf, x);
  const auto finite = run1<T, std::uint8_t>(cpu::isfinite, x);
  const auto equal = run2<T, std::uint8_t>(cpu::equal, x, y);
  const auto differ = run2<T, std::uint8_t>(cpu::not_equal, x, y);
  const auto less = run2<T, std::uint8_t>(cpu::less, x, y);
  const auto less_equal = run2<T, std::uint8_t>(cpu::less_equal, x, y);
  const auto greater = run2<T, std::uint8_t>(cpu::greater, x, y);
  const auto greater_equal = run2<T, std::uint8_t>(cpu::greater_equal, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(nan[i], std::isnan(x[i]));
    ASSERT_EQ(inf[i], std::isinf(x[i]));
    ASSERT_EQ(finite[i], std::isfinite(x[i]));
    ASSERT_EQ(equal[i], x[i] == y[i]);
    ASSERT_EQ(differ[i], x[i] != y[i]);
    ASSERT_EQ(less[i], x[i] < y[i]);
    ASSERT_EQ(less_equal[i], x[i] <= y[i]);
    ASSERT_EQ(greater[i], x[i] > y[i]);
    ASSERT_EQ(greater_equal[i], x[i] >= y[i]);
  }
}

TEST_P(EachTarget, FloatTestsAndComparisons) {
  check_float_tests<float>();
  check_float_tests<double>();
}

TEST_P(EachTarget, BoolIsLogic) {
  const std::vector<std::uint8_t> x{0, 0, 1, 1};
  const std::vector<std::uint8_t> y{0, 1, 0, 1};
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(run2(cpu::add, x, y), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(run2(cpu::multiply, x, y), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(run2(cpu::maximum, x, y), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(run2(cpu::minimum, x, y), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(run2(cpu::logical_and, x, y), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(run2(cpu::logical_or, x, y), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(run2(cpu::logical_xor, x, y), (Bytes{0, 1, 1, 0}));
  EXPECT_EQ(run2(cpu::bitwise_and, x, y), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(run2(cpu::bitwise_or, x, y), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(run2(cpu::bitwise_xor, x, y), (Bytes{0, 1, 1, 0}));
  EXPECT_EQ(run2(cpu::power, x, y), (Bytes{1, 0, 1, 1}));
  EXPECT_EQ(run2(cpu::equal, x, y), (Bytes{1, 0, 0, 1}));
  EXPECT_EQ(run2(cpu::less, x, y), (Bytes{0, 1, 0, 0}));
  EXPECT_EQ(run2(cpu::greater_equal, x, y), (Bytes{1, 0, 1, 1}));
  EXPECT_EQ(run1(cpu::logical_not, x), (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(run1(cpu::bitwise_not, x), (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(run1(cpu::abs, x), x);
  EXPECT_EQ(run1(cpu::isfinite, x), (Bytes{1, 1, 1, 1}));
}

template <class T>
void check_where() {
  for (const std::size_t n : {0U, 1U, 63U, 64U, 65U, 200U}) {
    std::vector<std::uint8_t> which(n);
    std::vector<T> yes(n);
    std::vector<T> no(n);
    std::vector<T> out(n);
    for (std::size_t i = 0; i < n; ++i) {
      which[i] = i % 3 == 0;
      yes[i] = static_cast<T>(i % 2);
      no[i] = static_cast<T>(i % 5 == 0);
    }
    const void* args[] = {which.data(), yes.data(), no.data()};
    cpu::where({kComputeOf<T>, args, out.data(), static_cast<std::int64_t>(n)});
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], which[i] != 0 ? yes[i] : no[i]);
  }
}

TEST_P(EachTarget, Where) {
  check_where<std::uint8_t>();
  check_where<std::int32_t>();
  check_where<std::uint64_t>();
  check_where<float>();
  check_where<double>();
}

TEST_P(EachTarget, EveryLengthOfBlock) {
  for (std::int64_t n = 0; n < 70; ++n) {
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.1F;
    std::vector<float> out(x.size() + 1, -1);
    const void* args[] = {x.data(), x.data()};
    for (const CpuFn fn : {cpu::exp, cpu::add, cpu::erf, cpu::power}) {
      fn({Compute::kF32, args, out.data(), n});
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NE(out[i], -1);
      ASSERT_EQ(out.back(), -1) << "wrote past the end";
    }
  }
}

}  // namespace
}  // namespace tessera
