// Losses against plain loops, and their gradients.
#include "autograd/support.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using Doubles = std::vector<double>;

/// Cross entropy of [n, c] in the plainest form.
double plain_cross_entropy(const Doubles& x, const std::vector<std::int32_t>& t, std::size_t n, std::size_t c,
                           const Doubles& w, int ignore, double smoothing) {
  double total = 0;
  double share = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (t[i] == ignore) continue;
    double z = 0;
    for (std::size_t k = 0; k < c; ++k) z += std::exp(x[i * c + k]);
    const auto log_p = [&](std::size_t k) { return x[i * c + k] - std::log(z); };
    const auto k = static_cast<std::size_t>(t[i]);
    double loss = -(1 - smoothing) * w[k] * log_p(k);
    for (std::size_t j = 0; j < c; ++j) loss -= smoothing / static_cast<double>(c) * w[j] * log_p(j);
    total += loss;
    share += w[k];
  }
  return total / share;
}

TEST(CrossEntropy, AgreesWithLoops) {
  const Tensor x = random_f64({4, 5}, 1);
  const std::vector<std::int32_t> t{1, 4, 0, 2};
  const Tensor target(t, {4}, cpu());
  const Doubles w{1, 2, 0.5, 3, 1};
  const Doubles ones(5, 1.0);
  const Doubles data = x.to_vector<double>();
  EXPECT_NEAR(cross_entropy(x, target).item<double>(), plain_cross_entropy(data, t, 4, 5, ones, -1, 0), 1e-12);
  CrossEntropyOptions o{.weight = f64_tensor(w, {5}), .ignore_index = 4};
  EXPECT_NEAR(cross_entropy(x, target, o).item<double>(), plain_cross_entropy(data, t, 4, 5, w, 4, 0), 1e-12);
  o.label_smoothing = 0.2;
  EXPECT_NEAR(cross_entropy(x, target, o).item<double>(), plain_cross_entropy(data, t, 4, 5, w, 4, 0.2), 1e-12);
  EXPECT_NEAR(cross_entropy(x, target, {.label_smoothing = 0.1}).item<double>(),
              plain_cross_entropy(data, t, 4, 5, ones, -1, 0.1), 1e-12);
  EXPECT_NEAR(nll_loss(log_softmax(x, 1), target).item<double>(), cross_entropy(x, target).item<double>(), 1e-12);
  EXPECT_NEAR(cross_entropy(x, one_hot(target, 5, f64)).item<double>(), cross_entropy(x, target).item<double>(), 1e-12);
  EXPECT_EQ(cross_entropy(x, target, {.reduction = Reduction::kNone}).shape(), (Shape{4}));
  // Classes on axis 1 of more axes; a single example.
  const Tensor image = random_f64({2, 3, 2, 2}, 2);
  const Tensor labels(std::vector<std::int32_t>{0, 1, 2, 0, 1, 1, 2, 2}, {2, 2, 2}, cpu());
  const Tensor moved = reshape(permute(image, {0, 2, 3, 1}), {8, 3});
  EXPECT_NEAR(cross_entropy(image, labels).item<double>(), cross_entropy(moved, reshape(labels, {8})).item<double>(),
              1e-12);
  EXPECT_NEAR(
      cross_entropy(reshape(slice(x, {{0, 1}}), {5}), Tensor(std::vector<std::int32_t>{1}, {}, cpu())).item<double>(),
      cross_entropy(slice(x, {{0, 1}}), slice(target, {{0, 1}})).item<double>(), 1e-12);
}

TEST(CrossEntropy, Gradients) {
  const Tensor x = random_f64({3, 4}, 3);
  const Tensor t(std::vector<std::int32_t>{1, 3, 0}, {3}, cpu());
  const auto check = [&](const char* name, const CrossEntropyOptions& o) {
    check_gradient(name, [&](const Tensors& a) { return cross_entropy(a[0], t, o); }, {x});
  };
  check("cross_entropy", {});
  check("with weights", {.weight = f64_tensor({1, 2, 3, 4}, {4}), .ignore_index = 3, .label_smoothing = 0.1});
  check("of each", {.reduction = Reduction::kNone});
  check_gradient("probabilities", [&](const Tensors& a) { return cross_entropy(a[0], softmax(a[1], 1)); },
                 {x, random_f64({3, 4}, 4)});
  check_gradient("nll_loss", [&](const Tensors& a) { return nll_loss(log_softmax(a[0], 1), t); }, {x});
}

class Losses : public DeviceTest {};

TEST_P(Losses, ManyClassesOnTheDevice) {
  // The gradient is softmax - one_hot, in few kernels and without a scatter.
  const std::int64_t n = 5;
  const std::int64_t c = 1000;
  const Tensor x = random::normal({n, c}, 0.0, 1.0, f32, device_);
  const Tensor t(std::vector<std::int32_t>{0, 999, 5, 500, 7}, {n}, device_);
  auto [value, g] = value_and_grad([&](const Tensor& a) { return cross_entropy(a, t); })(x);
  const Tensor expected = (softmax(x, 1) - one_hot(t, c)) / static_cast<double>(n);
  EXPECT_TRUE(allclose(g, expected, 1e-4, 1e-7));
  EXPECT_TRUE(allclose(value, mean(logsumexp(x, {1}) - reshape(take_along_axis(x, reshape(t, {n, 1})), {n})), 1e-5));
  const Tensor bad(std::vector<std::int32_t>{0, 1000, 5, 500, 7}, {n}, device_);
  EXPECT_EQ(error_of([&] { static_cast<void>(cross_entropy(x, bad).item<float>()); }).kind(), ErrorKind::kValue);
}

TESSERA_ON_ALL_DEVICES(Losses);

TEST(Losses, ValuesAndGradients) {
  const Tensor x = f64_tensor({0.2, 0.7, 0.9, 0.4}, {2, 2});
  const Tensor y = f64_tensor({0.0, 1.0, 1.0, 0.5}, {2, 2});
  EXPECT_NEAR(mse_loss(x, y).item<double>(), (0.04 + 0.09 + 0.01 + 0.01) / 4, 1e-12);
  EXPECT_NEAR(l1_loss(x, y, Reduction::kSum).item<double>(), 0.2 + 0.3 + 0.1 + 0.1, 1e-12);
  EXPECT_NEAR(huber_loss(x, y, 0.25, Reduction::kSum).item<double>(), 0.02 + 0.25 * (0.3 - 0.125) + 0.005 + 0.005,
              1e-12);
  EXPECT_NEAR(smooth_l1_loss(x, y, 0.25, Reduction::kSum).item<double>(),
              (0.02 + 0.25 * (0.3 - 0.125) + 0.005 + 0.005) / 0.25, 1e-12);
  const double bce = -(std::log(0.8) + std::log(0.7) + std::log(0.9) + 0.5 * std::log(0.4) + 0.5 * std::log(0.6)) / 4;
  EXPECT_NEAR(binary_cross_entropy(x, y).item<double>(), bce, 1e-12);
  const Tensor logits = log(x / (1.0 - x));
  EXPECT_NEAR(binary_cross_entropy_with_logits(logits, y).item<double>(), bce, 1e-12);
  EXPECT_NEAR(binary_cross_entropy_with_logits(logits, y, {}, 2.0, Reduction::kSum).item<double>(),
              -(std::log(0.8) + 2 * std::log(0.7) + 2 * std::log(0.9) + std::log(0.4) + 0.5 * std::log(0.6)), 1e-12);
  EXPECT_NEAR(kl_div(log(x), y, false, Reduction::kSum).item<double>(),
              -std::log(0.7) - std::log(0.9) + 0.5 * std::log(0.5) - 0.5 * std::log(0.4), 1e-12);
  const Tensor a = f64_tensor({1, 0, 3, 4}, {2, 2});
  const Tensor b = f64_tensor({1, 1, -3, -4}, {2, 2});
  const Tensor sign(std::vector<std::int32_t>{1, -1}, {2}, cpu());
  EXPECT_NEAR(cosine_embedding_loss(a, b, sign, 0, Reduction::kSum).item<double>(), 1 - std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(hinge_embedding_loss(f64_tensor({0.3, 0.4}, {2}), sign, 1, Reduction::kSum).item<double>(), 0.9, 1e-12);
  EXPECT_NEAR(triplet_margin_loss(a, b, f64_tensor({1, 0.5, 0, 0}, {2, 2}), 1, 2, 0, Reduction::kSum).item<double>(),
              1.5 + 6, 1e-12);
  const Tensors both{random_f64({3, 2}, 5, 0.2, 0.8), random_f64({3, 2}, 6, 0.1, 0.9)};
  const auto check = [&](const char* name, auto f) {
    check_gradient(name, [&](const Tensors& t) { return f(t[0], t[1]); }, both);
  };
  check("mse", [](const Tensor& p, const Tensor& q) { return mse_loss(p, q); });
  check("huber", [](const Tensor& p, const Tensor& q) { return huber_loss(p, q, 0.2); });
  check("bce", [](const Tensor& p, const Tensor& q) { return binary_cross_entropy(p, q); });
  check("bce with logits", [](const Tensor& p, const Tensor& q) { return binary_cross_entropy_with_logits(p, q); });
  check("kl_div", [](const Tensor& p, const Tensor& q) { return kl_div(p, q); });
  check("cosine", [](const Tensor& p, const Tensor& q) { return cosine_similarity(p, q); });
  check("triplet", [](const Tensor& p, const Tensor& q) { return triplet_margin_loss(p, q, p * 0.5 + q * q); });
}

/// Numbers from PyTorch 2.11's formulas by hand.
TEST(Losses, ShapesAndTargetsAsInPyTorch) {
  // The axis is one of [2, 2, 3], which both broadcast to: each cosine is of two pairs of numbers.
  const Tensor a = f64_tensor({1, 2, 3, 4, 5, 6}, {1, 2, 3});
  const Tensor b = f64_tensor({1, -1, 2, 3, 0.5, -2}, {2, 1, 3});
  const Tensor c = cosine_similarity(a, b, -2);
  ASSERT_EQ(c.shape(), (Shape{2, 3}));
  const Doubles got = c.to_vector<double>();
  const Doubles x{1, 2, 3, 4, 5, 6};
  const Doubles y{1, -1, 2, 3, 0.5, -2};
  for (std::size_t i = 0; i < 6; ++i) {
    const double p = x[i % 3];
    const double q = x[i % 3 + 3];
    EXPECT_NEAR(got[i], (p + q) * y[i] / (std::hypot(p, q) * std::sqrt(2.0) * std::abs(y[i])), 1e-12) << i;
  }
  EXPECT_NEAR(cosine_similarity(full({1, 2}, 1e18, f32, cpu()), full({1, 2}, 1e15, f32, cpu())).item<float>(), 1, 1e-6);
  const Tensor zero = cosine_similarity(f64_tensor({0, 0}, {1, 2}), f64_tensor({1, 2}, {1, 2}));
  EXPECT_EQ(zero.item<double>(), 0);
  // Targets other than 1 and -1: both terms of the hinge, and none of the cosine's.
  const Tensor t(std::vector<std::int32_t>{1, -1, 0}, {3}, cpu());
  EXPECT_EQ(hinge_embedding_loss(f64_tensor({0.25, 0.25, 0.25}, {3}), t, 1, Reduction::kNone).to_vector<double>(),
            (Doubles{0.25, 0.75, 1}));
  EXPECT_EQ(hinge_embedding_loss(Tensor(0.25), Tensor(-1), 1).shape(), Shape{});
  const Tensor rows = f64_tensor({1, 0, 1, 0, 1, 0}, {3, 2});
  EXPECT_EQ(cosine_embedding_loss(rows, rows, t, 0.5, Reduction::kNone).to_vector<double>().back(), 0);
  // A class below 0 is an error, though indices count from the end elsewhere, unless it is ignored.
  const Tensor logits = random_f64({2, 3}, 1);
  const Tensor below(std::vector<std::int32_t>{0, -1}, {2}, cpu());
  EXPECT_EQ(error_of([&] { static_cast<void>(cross_entropy(logits, below).item<double>()); }).kind(),
            ErrorKind::kValue);
  EXPECT_NEAR(cross_entropy(logits, below, {.ignore_index = -1}).item<double>(),
              cross_entropy(slice(logits, {Slice{0, 1}}), slice(below, {Slice{0, 1}})).item<double>(), 1e-12);
  // -100 is no u8, and ignores none: not 156, which it would wrap to.
  const Tensor wide = random_f64({1, 200}, 2);
  EXPECT_GT(cross_entropy(wide, full({1}, 156, u8, cpu()), {.ignore_index = -100}).item<double>(), 0);
}

TEST(Losses, BadInput) {
  const Tensor x = random_f64({2, 3}, 1);
  const Tensor t(std::vector<std::int32_t>{0, 1}, {2}, cpu());
  const auto kind = [&](auto f) { return error_of(f).kind(); };
  EXPECT_EQ(kind([&] { mse_loss(x, random_f64({3, 2}, 2)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { cross_entropy(x, cast(t, boolean)); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { cross_entropy(x, reshape(t, {1, 2})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { cross_entropy(x, random_f64({2}, 2)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { cross_entropy(x, t, {.weight = random_f64({2}, 2)}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { cross_entropy(x, t, {.label_smoothing = 2}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { nll_loss(x, t, {.label_smoothing = 0.5}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { huber_loss(x, x, 0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { static_cast<void>(cross_entropy(x, t + 2).item<double>()); }), ErrorKind::kValue);
}

}  // namespace
}  // namespace tessera::test
