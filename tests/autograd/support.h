// Gradients against finite differences, in f64 on the CPU.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tessera/tessera.h"

namespace tessera::test {

inline std::vector<float> floats(const Tensor& t) { return t.to_vector<float>(); }

inline const Device& cpu() {
  static const Device device = Device::create({.device = "cpu"});
  return device;
}

inline Tensor f64_tensor(const std::vector<double>& data, const Shape& shape) { return {data, shape, cpu()}; }

/// Numbers in [low, high], the same for the same seed.
inline Tensor random_f64(const Shape& shape, unsigned seed, double low = -2, double high = 2) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<double> data(static_cast<std::size_t>(shape.numel()));
  for (double& v : data) v = draw(engine);
  return f64_tensor(data, shape);
}

using Function = std::function<Tensor(const Tensors&)>;

/// sum(f(x) * weights) for weights that tell the elements of the result apart.
inline Tensor weighted(const Tensor& y) {
  std::vector<double> w(static_cast<std::size_t>(y.numel()));
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::cos(1.7 * static_cast<double>(i) + 0.3);
  return sum(y * f64_tensor(w, y.shape()));
}

/// Central differences with two steps, extrapolated: an error of h^4.
inline std::vector<double> differences(const Function& f, const Tensors& x, std::size_t which, double h = 1e-3) {
  std::vector<double> base = x[which].to_vector<double>();
  std::vector<double> result(base.size());
  const auto at = [&](std::size_t i, double step) {
    std::vector<double> moved = base;
    moved[i] += step;
    Tensors arguments = x;
    arguments[which] = f64_tensor(moved, x[which].shape());
    return weighted(f(arguments)).item<double>();
  };
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double near = (at(i, h) - at(i, -h)) / (2 * h);
    const double far = (at(i, 2 * h) - at(i, -2 * h)) / (4 * h);
    result[i] = (4 * near - far) / 3;
  }
  return result;
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance,
                        const std::string& name) {
  ASSERT_EQ(got.size(), expected.size()) << name;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << name << ", element " << i;
  }
}

/// The gradient of f against differences of f; with `second`, that of a product with the gradient too.
inline void check_gradient(const std::string& name, const Function& f, const Tensors& x, bool second = true,
                           double tolerance = 1e-7) {
  const auto loss = [&](const Tensors& a) { return weighted(f(a)); };
  const Tensors gradients = value_and_grad_of(loss, x).second;
  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_EQ(gradients[k].shape(), x[k].shape()) << name;
    expect_near(gradients[k].to_vector<double>(), differences(f, x, k), tolerance,
                name + ", argument " + std::to_string(k));
    if (::testing::Test::HasFatalFailure()) return;
  }
  if (!second) return;
  const Function first = [&](const Tensors& a) {
    Tensors each;
    for (const Tensor& g : value_and_grad_of(loss, a).second) each.push_back(reshape(g, Shape{-1}));
    return concat(each);
  };
  const Tensors seconds = value_and_grad_of([&](const Tensors& a) { return weighted(first(a)); }, x).second;
  for (std::size_t k = 0; k < x.size(); ++k) {
    expect_near(seconds[k].to_vector<double>(), differences(first, x, k), tolerance * 100,
                "second derivative of " + name + ", argument " + std::to_string(k));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace tessera::test
