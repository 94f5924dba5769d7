// The gradients of attention against finite differences, the kernels against the host, and second derivatives.
#include "graph/op.h"
#include "schedule/device_model.h"
#include "support.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

/// The gradients of q, k, v, from the rule of a tracked result; and, where `again` is given, what the rule of these
/// gradients makes of it.
std::vector<Tensor> gradients(const Problem& p, const Data& x, std::vector<Tensor>* again = nullptr) {
  for (const Tensor* t : {&x.q, &x.k, &x.v}) t->node()->set_tracked(true);
  NodePtr y = ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x));
  if (y->op() == Op::kCast) y = (*y->inputs())[0];  // the rule is that of the sums, which are f32
  if (y->gradient() == nullptr) throw std::runtime_error("the result has no rule");
  const auto outputs = [](const Gradient& rule) {
    std::vector<NodePtr> list;
    for (const auto& o : rule.outputs) list.push_back(o.lock());
    return list;
  };
  const std::vector<NodePtr> out = outputs(*y->gradient());
  const std::vector<NodePtr> given{x.gradient.node()};
  const std::vector<NodePtr> made = y->gradient()->function({*y->gradient()->inputs, out, given});
  if (again != nullptr) {
    const Gradient& rule = *made[0]->gradient();
    const std::vector<NodePtr> of{(*again)[0].node(), (*again)[1].node(), (*again)[2].node()};
    const auto second = rule.function({*rule.inputs, outputs(rule), of});
    *again = {second.begin(), second.end()};
  }
  return {made.begin(), made.end()};
}

std::vector<double> sum_of(const std::vector<double>& a, double h, const std::vector<double>& b) {
  std::vector<double> r(a);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += h * b[i];
  return r;
}
double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

class AttentionGradient : public testing::Test {
 protected:
  Device cpu_ = open({"cpu", "cpu", "", 0});

  [[nodiscard]] Tensor tensor(const std::vector<double>& v, const Shape& s) const { return {v, s, cpu_}; }
  /// The data moved by h along a direction in q, k, v and the output's gradient.
  [[nodiscard]] Data moved(const Data& x, double h, const Data& along) const {
    const auto move = [&](const Tensor& a, const Tensor& b) {
      return tensor(sum_of(numbers(a), h, numbers(b)), a.shape());
    };
    return {move(x.q, along.q), move(x.k, along.k), move(x.v, along.v), x.mask, move(x.gradient, along.gradient)};
  }

  void check(const Problem& p) {
    const Data x = data_of(p, f64, f64, cpu_, 10);
    const Data along = data_of(p, f64, f64, cpu_, 50);
    std::vector<Tensor> second{along.q, along.k, along.v};
    const auto g = gradients(p, x, &second);
    const double h = 1e-5;
    const auto loss = [&](const Data& at) {
      const Tensor y(ops::attention(at.q.node(), at.k.node(), at.v.node(), spec_of(p, at)));
      return dot(numbers(y), numbers(x.gradient));
    };
    const double slope = (loss(moved(x, h, along)) - loss(moved(x, -h, along))) / (2 * h);
    const double given = dot(numbers(g[0]), numbers(along.q)) + dot(numbers(g[1]), numbers(along.k)) +
                         dot(numbers(g[2]), numbers(along.v));
    // The third derivative times h^2, and the rounding of the losses over h.
    const double size = 1 + std::abs(slope) + std::sqrt(dot(numbers(g[0]), numbers(g[0])));
    EXPECT_NEAR(given, slope, 1e-6 * size) << p.name();

    // The gradient's gradient: along . gradients(x) as a function of q, k, v and the output's gradient.
    const Data other = data_of(p, f64, f64, cpu_, 90);
    const auto inner = [&](const Data& at) {
      const auto made = gradients(p, at);
      return dot(numbers(made[0]), numbers(along.q)) + dot(numbers(made[1]), numbers(along.k)) +
             dot(numbers(made[2]), numbers(along.v));
    };
    const double bend = (inner(moved(x, h, other)) - inner(moved(x, -h, other))) / (2 * h);
    const double got = dot(numbers(second[0]), numbers(other.q)) + dot(numbers(second[1]), numbers(other.k)) +
                       dot(numbers(second[2]), numbers(other.v)) + dot(numbers(second[3]), numbers(other.gradient));
    EXPECT_NEAR(got, bend, 1e-6 * (1 + std::abs(bend) + std::sqrt(dot(numbers(second[0]), numbers(second[0])))))
        << p.name();
  }
};

TEST_F(AttentionGradient, FiniteDifferences) {
  check({1, 1, 1, 3, 4, 4});
  check({2, 4, 2, 5, 7, 8, true});
  check({1, 3, 1, 7, 5, 4, true});  // some queries see nothing
  check({1, 2, 2, 6, 9, 8, true, 3});
  check({2, 2, 1, 5, 6, 4, false, 0, Mask::kAdditive});
  check({1, 4, 2, 5, 6, 4, false, 0, Mask::kBool});
}

class AttentionGradientKernels : public DeviceTest {
 protected:
  void check(const Problem& p, DType dtype = f32) {
    const Device cpu = open({"cpu", "cpu", "", 0});
    const auto want = gradients(p, data_of(p, dtype, f64, cpu, 7));
    open(GetParam());
    const auto got = gradients(p, data_of(p, dtype, dtype, device_, 7));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(got[i].dtype(), dtype);
      const Difference diff = compare(numbers(got[i]), numbers(want[i]));
      // Sums of d products inside sums over the other side's rows, of both signs.
      const double terms = static_cast<double>(p.d + std::max(p.lq * p.hq / p.hkv, p.lk)) + 32;
      double bound = 4 * unit_roundoff(f32) * terms + 2 * unit_roundoff(dtype);
      if (on_tensor_cores(dtype)) bound += 2 * unit_roundoff(f16);
      EXPECT_LE(diff.most, bound * (1 + diff.scale)) << p.name() << " input " << i << " " << name(dtype);
    }
  }

  /// Tensor cores take weights and gradients of scores in f16: each is rounded once more.
  [[nodiscard]] bool on_tensor_cores(DType dtype) const {
    return dtype == f16 && schedule::DeviceModel(device_.info()).matrix_size != 0;
  }

  /// Operands in f16, multiplied by powers of two; the bound is in proportion to the results.
  void check_scaled(const Problem& p, double q, double k, double v, double gradient) {
    const auto scaled = [&](DType dtype, const Device& device) {
      Data x = data_of(p, f16, dtype, device, 7);
      x.q = x.q * q;
      x.k = x.k * k;
      x.v = x.v * v;
      x.gradient = x.gradient * gradient;
      for (Tensor* t : {&x.q, &x.k, &x.v, &x.gradient}) t->eval();
      return gradients(p, x);
    };
    const auto want = scaled(f64, open({"cpu", "cpu", "", 0}));
    open(GetParam());
    const auto got = scaled(f16, device_);
    for (std::size_t i = 0; i < 3; ++i) {
      const Difference diff = compare(numbers(got[i]), numbers(want[i]));
      if (diff.scale > 65504 || diff.scale < 0x1p-12) continue;  // not a result for f16
      EXPECT_LE(diff.most, 8 * unit_roundoff(f16) * diff.scale) << "input " << i << " gradient " << gradient;
      ++compared_;
    }
  }
  int compared_ = 0;
};

TEST_P(AttentionGradientKernels, AgreeWithTheHost) {
  for (const std::int64_t d : {32, 100}) check({1, 2, 1, 33, 70, d, true});
  if (every_variant(device_)) check({1, 2, 1, 33, 70, 256, true});
  check({2, 4, 2, 65, 64, 32});
  check({1, 1, 1, 130, 1, 32});
  check({1, 1, 1, 1, 130, 32, true});
  check({1, 2, 2, 90, 20, 32, true});
  check({1, 2, 1, 70, 90, 32, true, 9});
  check({2, 4, 2, 30, 70, 32, false, 0, Mask::kAdditive});
  check({1, 2, 1, 70, 70, 32, true, 0, Mask::kRow});
}

TEST_P(AttentionGradientKernels, OfFewQueries) {
  Problem p{1, 2, 1, 2, 300, 32, true};
  p.split = true;
  check(p);
}

TEST_P(AttentionGradientKernels, LengthsOfSequences) {
  for (const bool causal : {false, true}) {
    Problem p{4, 4, 2, 33, 70, 32, causal};
    p.lengths = {0, 5, 64, 70};
    check(p);
    p.window = 9;
    check(p);
    p.mask = Mask::kRow;
    if (every_variant(device_)) check(p);
  }
}

TEST_P(AttentionGradientKernels, Types) {
  const std::int64_t d = every_variant(device_) ? 64 : 32;
  if (every_variant(device_)) check({1, 4, 2, 33, 70, d, true}, f16);
  check({1, 4, 2, 33, 70, d, true}, bf16);
}

// On devices with tensor cores these are their kernels: tiles of 64 rows, or of 32 with matrices of 8.
TEST_P(AttentionGradientKernels, HalvesOfEverySize) {
  const std::int64_t largest = every_variant(device_) ? 128 : 32;
  for (std::int64_t d = 32; d <= largest; d += 32) check({1, 2, 1, 70, 45, d, d > 32}, f16);
  for (const std::int64_t l : {16, 33, 64}) check({1, 1, 1, l, l, 32, l % 2 == 1}, f16);
  check({2, 6, 2, 33, 1, 32}, f16);
  check({1, 1, 1, 1, 130, 32, true}, f16);
}

TEST_P(AttentionGradientKernels, HalvesWithMasks) {
  check({1, 2, 2, 90, 20, 32, true}, f16);  // the first 70 queries see no key
  check({1, 2, 1, 70, 90, 32, true, 9}, f16);
  check({1, 2, 1, 50, 40, 32, false, 12}, f16);
  Problem p{4, 4, 2, 33, 70, 32, true, 9, Mask::kRow};
  p.lengths = {0, 5, 64, 70};
  check(p, f16);
  p = {2, 4, 2, 30, 70, 32, false, 0, Mask::kAdditive};
  if (every_variant(device_)) check(p, f16);
  p.lengths = {70, 33};
  check(p, f16);
}

// The gradients of weights and scores are past the range of f16 at either end, the results are not.
TEST_P(AttentionGradientKernels, HalvesWhoseScoresHaveLargeOrSmallGradients) {
  const Problem p{1, 1, 1, 70, 90, 32, true};
  check_scaled(p, 0x1p-10, 0x1p-10, 32, 32768);
  check_scaled(p, 0x1p-12, 0x1p12, 0x1p-10, 0x1p-10);
  check_scaled(p, 0x1p12, 0x1p-12, 0x1p-10, 0x1p-10);
  EXPECT_GE(compared_, 5);  // some gradients are below f16
}

// Each tile has gradients that are far larger than those before it: the sums are rescaled.
TEST_P(AttentionGradientKernels, HalvesWhoseGradientsRise) {
  constexpr std::int64_t kRows = 96;
  const auto run = [&](const Device& device, DType dtype, bool falling) {
    Problem p{1, 1, 1, kRows, kRows, 32};
    Data x = data_of(p, f16, dtype, device, 7);
    std::vector<float> factors(kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      factors[i] = std::exp2(static_cast<float>((falling ? kRows - 1 - i : i) / 8) - 6);
    }
    const Tensor by = Tensor(factors, {kRows, 1}, device).astype(dtype);
    x.v = x.v * by;
    x.gradient = x.gradient * by;
    for (Tensor* t : {&x.v, &x.gradient}) t->eval();
    return gradients(p, x);
  };
  for (const bool falling : {false, true}) {
    const auto want = run(open({"cpu", "cpu", "", 0}), f64, falling);
    open(GetParam());
    const auto got = run(device_, f16, falling);
    for (std::size_t i = 0; i < 3; ++i) {
      const Difference diff = compare(numbers(got[i]), numbers(want[i]));
      EXPECT_LE(diff.most, 8 * unit_roundoff(f16) * diff.scale) << "input " << i;
    }
  }
}

TEST_P(AttentionGradientKernels, AnInfiniteGradientStaysInItsRow) {
  const Problem p{1, 1, 1, 40, 40, 32};
  Data x = data_of(p, f16, f16, device_, 7);
  const auto want = numbers(gradients(p, x)[0]);
  std::vector<double> g = numbers(x.gradient);
  g[3 * 32 + 5] = std::numeric_limits<double>::infinity();
  x.gradient = Tensor(g, x.gradient.shape(), open({"cpu", "cpu", "", 0})).astype(f16).to(open(GetParam()));
  const auto got = numbers(gradients(p, x)[0]);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i / 32 == 3) {
      ASSERT_FALSE(std::isfinite(got[i])) << i;
    } else {
      ASSERT_NEAR(got[i], want[i], 4 * unit_roundoff(f16) * (1 + std::abs(want[i]))) << i;
    }
  }
}

// Little workgroup memory and few bindings: with a mask, the statistics of the rows share one.
TEST_P(AttentionGradientKernels, SmallDevices) {
  for (const std::int64_t d : {32, 128}) {
    if (d > 32 && !every_variant(device_)) break;
    Problem p{1, 2, 1, 40, 70, d, true, 0, Mask::kRow};
    p.workgroup_memory = 16384;
    check(p);
  }
}

TESSERA_ON_ALL_DEVICES(AttentionGradientKernels);

}  // namespace
}  // namespace tessera::test
