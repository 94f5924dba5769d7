// Decompositions: what they must satisfy, known values, what they say to bad data, and their gradients.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "autograd/support.h"
#include "support/check.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using linalg::MatrixNorm;

class Decompositions : public DeviceTest {
 protected:
  [[nodiscard]] Tensor data(const Shape& s, std::uint32_t seed, DType t = f32) const {
    return make_tensor(plain(t, s, seed, -1, 1), device_);
  }
  [[nodiscard]] Tensor positive(const Shape& s, std::uint32_t seed) const {
    const Tensor x = data(s, seed);
    return matmul(x, x.T()) + eye(s.back(), -1, 0, f32, device_);
  }
  /// Numbers of a product of n terms, each at most `size`.
  static void near(const Tensor& got, const Tensor& want, double n, double size, const std::string& what) {
    ASSERT_EQ(got.shape(), want.shape()) << what;
    const auto a = read_values({got})[0].f;
    const auto b = read_values({want})[0].f;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(a[i], b[i], 64 * unit_roundoff(got.dtype()) * n * size) << what << " at " << i;
    }
  }
};

TEST_P(Decompositions, Factorings) {
  for (const std::int64_t n : {1, 2, 7, 40}) {
    const auto size = static_cast<double>(n);
    const std::string what = fmt::format("{}", n);
    const Tensor p = positive({2, n, n}, 1);
    const Tensor l = linalg::cholesky(p);
    EXPECT_EQ(l.device(), device_);
    near(matmul(l, l.T()), p, size, size, "cholesky " + what);
    near(tril(l), l, 1, 0, "cholesky is lower " + what);
    for (const auto& [rows, cols] : {std::pair{n, n}, std::pair{n + 3, n}, std::pair{n, n + 2}}) {
      const Tensor x = data({2, rows, cols}, 2);
      const auto [q, r] = linalg::qr(x);
      const std::int64_t k = std::min(rows, cols);
      near(matmul(q, r), x, size, 2, "qr " + what);
      near(matmul(q.T(), q), broadcast_to(eye(k, -1, 0, f32, device_), {2, k, k}), size, 1, "q " + what);
      near(triu(r), r, 1, 0, "r is upper " + what);
      const auto [u, s, vh] = linalg::svd(x);
      near(matmul(u * expand_dims(s, -2), vh), x, size, size, "svd " + what);
      near(matmul(u.T(), u), broadcast_to(eye(k, -1, 0, f32, device_), {2, k, k}), size, 1, "u " + what);
      near(matmul(vh, vh.T()), broadcast_to(eye(k, -1, 0, f32, device_), {2, k, k}), size, 1, "vh " + what);
      const auto values = read_values({s})[0].f;
      for (std::int64_t i = 1; i < k; ++i)
        EXPECT_GE(values[static_cast<std::size_t>(i - 1)], values[static_cast<std::size_t>(i)]);
      EXPECT_GE(values.back(), 0);
      near(matmul(matmul(x, linalg::pinv(x)), x), x, size, 64 * size, "pinv " + what);
    }
    const auto [w, v] = linalg::eigh(p);
    near(matmul(v * expand_dims(w, -2), v.T()), p, size, size * size, "eigh " + what);
    const Tensor b = data({2, n, 3}, 4);
    near(matmul(p, linalg::solve(p, b)), b, size, size * size, "solve " + what);
    near(matmul(p, linalg::inv(p)), broadcast_to(eye(n, -1, 0, f32, device_), {2, n, n}), size, size * size,
         "inv " + what);
  }
}

TEST_P(Decompositions, KnownValues) {
  const Tensor a(std::vector<float>{4, 2, 2, 3}, {2, 2}, device_);
  const auto l = linalg::cholesky(a).to_vector<float>();
  EXPECT_FLOAT_EQ(l[0], 2);
  EXPECT_FLOAT_EQ(l[1], 0);
  EXPECT_FLOAT_EQ(l[2], 1);
  EXPECT_FLOAT_EQ(l[3], std::sqrt(2.0F));
  const Tensor m(std::vector<float>{0, 2, 3, 4}, {2, 2}, device_);
  EXPECT_FLOAT_EQ(linalg::det(m).item<float>(), -6);
  const auto [sign, log] = linalg::slogdet(m);
  EXPECT_EQ(sign.item<float>(), -1);
  EXPECT_FLOAT_EQ(log.item<float>(), std::log(6.0F));
  const auto x = linalg::solve(m, Tensor(std::vector<float>{2, 7}, {2}, device_));
  EXPECT_EQ(x.shape(), (Shape{2}));
  EXPECT_FLOAT_EQ(x.to_vector<float>()[0], 1);
  EXPECT_FLOAT_EQ(x.to_vector<float>()[1], 1);
  const Tensor d(std::vector<float>{3, 0, 0, 0, -2, 0}, {2, 3}, device_);
  EXPECT_EQ(linalg::svdvals(d).to_vector<float>(), (std::vector<float>{3, 2}));
  EXPECT_FLOAT_EQ(linalg::matrix_norm(d, MatrixNorm::kNuclear).item<float>(), 5);
  EXPECT_FLOAT_EQ(linalg::matrix_norm(d, MatrixNorm::kTwo).item<float>(), 3);
  EXPECT_FLOAT_EQ(linalg::matrix_norm(d, MatrixNorm::kMinusTwo).item<float>(), 2);
  const Tensor e(std::vector<float>{2, 9, 1, 2}, {2, 2}, device_);  // the lower triangle: [[2, 1], [1, 2]]
  const auto w = linalg::eigvalsh(e).to_vector<float>();
  EXPECT_FLOAT_EQ(w[0], 1);
  EXPECT_FLOAT_EQ(w[1], 3);
  const Tensor low(std::vector<float>{1, 2, 2, 4, 3, 6}, {3, 2}, device_);
  EXPECT_EQ(linalg::matrix_rank(low).item<int>(), 1);
  EXPECT_EQ(linalg::matrix_rank(m).item<int>(), 2);
  // A line through (0, 1), (1, 3), (2, 5): 1 + 2 x.
  const Tensor points(std::vector<float>{1, 0, 1, 1, 1, 2}, {3, 2}, device_);
  const auto line = linalg::lstsq(points, Tensor(std::vector<float>{1, 3, 5}, {3}, device_)).to_vector<float>();
  EXPECT_NEAR(line[0], 1, 1e-5);
  EXPECT_NEAR(line[1], 2, 1e-5);
}

TEST_P(Decompositions, SingularAndEmpty) {
  const Tensor s(std::vector<float>{1, 2, 2, 4}, {2, 2}, device_);
  EXPECT_EQ(linalg::det(s).item<float>(), 0);
  const auto [sign, log] = linalg::slogdet(s);
  EXPECT_EQ(sign.item<float>(), 0);
  EXPECT_EQ(log.item<float>(), -std::numeric_limits<float>::infinity());
  const Tensor none = zeros({3, 0, 0}, f32, device_);
  EXPECT_EQ(linalg::det(none).to_vector<float>(), (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(linalg::inv(none).shape(), (Shape{3, 0, 0}));
  EXPECT_EQ(linalg::cholesky(zeros({0, 2, 2}, f32, device_)).numel(), 0);
}

TEST_P(Decompositions, BatchesBroadcastAndTypesWiden) {
  const Tensor a = positive({3, 3}, 5);
  const Tensor b = data({4, 3, 2}, 6);
  EXPECT_EQ(linalg::solve(a, b).shape(), (Shape{4, 3, 2}));
  near(matmul(a, linalg::solve(a, b)), b, 3, 9, "solve with one matrix");
  EXPECT_EQ(linalg::inv(a.astype(f16)).dtype(), f32);
  EXPECT_EQ(linalg::det(eye(3, -1, 0, i32, device_)).item<float>(), 1);
  near(linalg::inv(a.T()), linalg::inv(a).T(), 3, 9, "a transposed view");
}

TEST_P(Decompositions, BadInput) {
  const auto says = [](const auto& f, const char* part) {
    const std::string text = error_of(f).what();
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const Tensor flat = data({4}, 7);
  const Tensor wide = data({2, 3}, 8);
  says([&] { linalg::cholesky(flat); }, "cholesky: matrices [.., M, N] are expected; the shape is [4]");
  says([&] { linalg::cholesky(wide); }, "cholesky: the matrices must be square; the shape is [2, 3]");
  says([&] { linalg::inv(wide); }, "inv: the matrices must be square");
  says([&] { linalg::det(wide); }, "det: the matrices must be square");
  says([&] { linalg::slogdet(wide); }, "slogdet: the matrices must be square");
  says([&] { linalg::eigh(wide); }, "eigh: the matrices must be square");
  says([&] { linalg::qr(flat); }, "qr: matrices");
  says([&] { linalg::svd(flat); }, "svd: matrices");
  says([&] { linalg::pinv(flat); }, "pinv: matrices");
  says([&] { linalg::matrix_norm(flat); }, "matrix_norm: matrices");
  says([&] { linalg::solve(wide, wide); }, "solve: the matrices must be square");
  says([&] { linalg::solve(data({2, 2}, 9), data({3, 2}, 9)); }, "it is [3, 2]");
  says([&] { linalg::lstsq(wide, flat); }, "lstsq: b must be");
  // What the data shows: at the wait at the latest.
  const Tensor minus(std::vector<float>{1, 0, 0, 1, 1, 2, 2, 1}, {2, 2, 2}, device_);
  says([&] { linalg::cholesky(minus).eval(); }, "cholesky: matrix 1 of 2 is not positive definite.");
  const Tensor singular(std::vector<float>{1, 2, 2, 4}, {2, 2}, device_);
  says([&] { linalg::inv(singular).eval(); }, "inv: the matrix is singular.");
  says([&] { linalg::solve(singular, singular).eval(); }, "solve: the matrix is singular.");
  const Tensor nan(std::vector<float>{NAN, 0, 0, 1}, {2, 2}, device_);
  says([&] { linalg::svd(nan).s.eval(); }, "svd: the matrix has numbers that are not finite.");
  says([&] { linalg::eigh(nan).values.eval(); }, "eigh:");
  // And the device still works.
  EXPECT_EQ(linalg::det(data({1, 1}, 1)).numel(), 1);
  EXPECT_FLOAT_EQ(linalg::det(eye(2, -1, 0, f32, device_)).item<float>(), 1);
}

TEST_P(Decompositions, GradientOnTheDevice) {
  // d log|det A| / dA = A^-T, wherever A lies.
  const Tensor a = positive({3, 3}, 10);
  a.eval();
  const Tensor g = value_and_grad([](const Tensor& x) { return linalg::slogdet(x).logabsdet; })(a).second;
  near(g, linalg::inv(a).T(), 3, 4, "slogdet");
}

TESSERA_ON_ALL_DEVICES(Decompositions);

TEST(DecompositionGradients, FiniteDifferences) {
  const auto spd = [](const Tensor& x) { return matmul(x, x.T()) + eye(x.size(-1), -1, 0, f64, cpu()); };
  const Tensor x = random_f64({2, 3, 3}, 1);
  check_gradient("cholesky", [&](const Tensors& t) { return linalg::cholesky(spd(t[0])); }, {x});
  const Tensor good = spd(x) + random_f64({2, 3, 3}, 2) * 0.1;
  good.eval();
  check_gradient("inv", [](const Tensors& t) { return linalg::inv(t[0]); }, {good});
  check_gradient("det", [](const Tensors& t) { return linalg::det(t[0]); }, {good});
  check_gradient("slogdet", [](const Tensors& t) { return linalg::slogdet(t[0]).logabsdet; }, {good});
  check_gradient("solve", [](const Tensors& t) { return linalg::solve(t[0], t[1]); }, {good, random_f64({3, 2}, 3)});
  check_gradient("solve a vector", [](const Tensors& t) { return linalg::solve(t[0], t[1]); },
                 {good, random_f64({3}, 4)});
  check_gradient("eigvalsh", [&](const Tensors& t) { return linalg::eigvalsh(spd(t[0])); }, {x});
  // Vectors are known up to their signs: their outer squares are not.
  check_gradient(
      "eigh vectors",
      [&](const Tensors& t) {
        const Tensor v = linalg::eigh(spd(t[0])).vectors;
        return einsum("bij,bkj->bikj", {v, v});
      },
      {x}, false, 1e-6);
  check_gradient("svdvals", [](const Tensors& t) { return linalg::svdvals(t[0]); }, {random_f64({2, 3, 4}, 5)}, false);
  check_gradient("pinv", [](const Tensors& t) { return linalg::pinv(t[0]); }, {random_f64({2, 3, 4}, 6)}, true, 1e-6);
  check_gradient(
      "lstsq", [](const Tensors& t) { return linalg::lstsq(t[0], t[1]); }, {random_f64({5, 3}, 7), random_f64({5}, 8)},
      false);
  check_gradient(
      "matrix_norm", [](const Tensors& t) { return linalg::matrix_norm(t[0], MatrixNorm::kNuclear); },
      {random_f64({3, 2}, 9)}, false);
}

TEST(DecompositionGradients, WhatHasNoneSaysSo) {
  const Tensor x = random_f64({3, 3}, 1);
  const auto text = [&](const auto& f) {
    return std::string(error_of([&] { value_and_grad([&](const Tensor& t) { return sum(f(t)); })(x); }).what());
  };
  EXPECT_NE(text([](const Tensor& t) { return linalg::qr(t).r; }).find("qr"), std::string::npos);
  EXPECT_NE(text([](const Tensor& t) { return linalg::svd(t).u; }).find("vectors of svd"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
