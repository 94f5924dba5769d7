// What the tests of loops share: the same loop by hand, recurrent cells, and comparisons.
#pragma once

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "support.h"
#include "tessera/tessera.h"

namespace tessera::test {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
/// A step with weights that it captures.
using Cell = std::function<Scanned(const Tensors& weights, const Tensors& carry, const Tensors& x)>;

/// What scan() should give: the function is called for each step.
inline Scanned by_hand(const ScanFunction& f, Tensors carry, const Tensors& xs, std::int64_t steps,
                       bool reverse = false) {
  std::vector<Tensors> rows;
  for (std::int64_t t = 0; t < steps; ++t) {
    const std::int64_t row = reverse ? steps - 1 - t : t;
    Tensors x;
    for (const Tensor& all : xs) x.push_back(squeeze(slice(all, {Slice{row, row + 1}}), {0}));
    Scanned next = f(carry, x);
    rows.resize(next.ys.size(), Tensors(static_cast<std::size_t>(steps)));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][static_cast<std::size_t>(row)] = next.ys[i];
    carry = next.carry;
  }
  Scanned all{carry, {}};
  for (const Tensors& y : rows) all.ys.push_back(stack(y));
  return all;
}

inline Tensor pattern(const Shape& shape, double phase, const Device& device) {
  Floats data(static_cast<std::size_t>(shape.numel()));
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<float>(0.6 * std::sin(1.3 * static_cast<double>(i) + phase));
  return {data, shape, device};
}

/// A number that depends on each element of the results differently.
inline Tensor loss_of(const Scanned& s, const Device& device) {
  Tensor total = full({}, 0.0, f32, device);
  double phase = 0;
  for (const auto* list : {&s.carry, &s.ys}) {
    for (const Tensor& t : *list) total = total + sum(t * pattern(t.shape(), phase += 0.7, device));
  }
  return total;
}

inline void expect_close(const Tensor& got, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(got.shape(), expected.shape()) << what;
  ASSERT_EQ(got.dtype(), expected.dtype()) << what;
  const Floats a = got.astype(f32).to_vector<float>();
  const Floats b = expected.astype(f32).to_vector<float>();
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], 2e-5 * (1 + std::abs(b[i]))) << what << ", element " << i;
}

inline Scanned lstm(const Tensors& w, const Tensors& carry, const Tensors& x) {
  const Tensors gates = split(matmul(x[0], w[0]) + matmul(carry[0], w[1]) + w[2], 4, -1);
  const Tensor c = sigmoid(gates[1]) * carry[1] + sigmoid(gates[0]) * tanh(gates[2]);
  const Tensor h = sigmoid(gates[3]) * tanh(c);
  return {{h, c}, {h}};
}

inline Scanned rnn(const Tensors& w, const Tensors& carry, const Tensors& x) {
  const Tensor h = tanh(matmul(carry[0], w[0]) + x[0]);
  return {{h}, {h * 2, sum(h)}};
}

}  // namespace tessera::test
