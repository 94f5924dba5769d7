// einsum and its relatives against plain loops, on all devices and for several types; parts of matrices.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "autograd/support.h"
#include "support/check.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

class Contractions : public DeviceTest {
 protected:
  [[nodiscard]] Tensor data(const Shape& s, std::uint32_t seed, DType t = f32) const {
    return make_tensor(plain(t, s, seed, -2, 2), device_);
  }
};

/// An einsum by its definition: a loop over all indices. `inputs` has no "...".
std::vector<double> by_definition(const std::vector<std::string>& inputs, const std::string& output,
                                  const std::vector<reference::Value>& x) {
  std::map<char, std::int64_t> sizes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t a = 0; a < inputs[i].size(); ++a) sizes[inputs[i][a]] = x[i].shape[static_cast<int>(a)];
  }
  std::int64_t total = 1;
  for (const auto& [label, size] : sizes) total *= size;
  std::int64_t out_size = 1;
  for (const char c : output) out_size *= sizes.at(c);
  std::vector<double> result(static_cast<std::size_t>(out_size));
  for (std::int64_t at = 0; at < total; ++at) {
    std::map<char, std::int64_t> index;
    std::int64_t rest = at;
    for (const auto& [label, size] : sizes) {
      index[label] = rest % size;
      rest /= size;
    }
    const auto place = [&](const std::string& labels) {
      std::int64_t p = 0;
      for (const char c : labels) p = p * sizes.at(c) + index.at(c);
      return static_cast<std::size_t>(p);
    };
    double product = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t p = place(inputs[i]);
      product *= is_float(x[i].dtype) ? x[i].f[p] : static_cast<double>(x[i].i[p]);
    }
    result[place(output)] += product;
  }
  return result;
}

TEST_P(Contractions, Einsum) {
  struct Case {
    std::string equation;
    std::vector<std::string> inputs;
    std::string output;
    std::vector<Shape> shapes;
  };
  const std::vector<Case> cases{
      {"ij,jk->ik", {"ij", "jk"}, "ik", {{5, 7}, {7, 3}}},
      {"ij,jk", {"ij", "jk"}, "ik", {{5, 7}, {7, 3}}},
      {"ba", {"ba"}, "ab", {{3, 4}}},
      {"bij, bjk -> bki", {"bij", "bjk"}, "bki", {{2, 5, 7}, {2, 7, 3}}},
      {"ii->i", {"ii"}, "i", {{6, 6}}},
      {"ii", {"ii"}, "", {{6, 6}}},
      {"iij,jkk->ik", {"iij", "jkk"}, "ik", {{4, 4, 3}, {3, 5, 5}}},
      {"ij->", {"ij"}, "", {{4, 9}}},
      {"ijk->kj", {"ijk"}, "kj", {{4, 3, 5}}},
      {"i,j->ij", {"i", "j"}, "ij", {{4}, {6}}},
      {"i,i->", {"i", "i"}, "", {{65}, {65}}},
      {"ij,ij->ij", {"ij", "ij"}, "ij", {{3, 4}, {3, 4}}},
      {"ab,bc,cd->ad", {"ab", "bc", "cd"}, "ad", {{3, 20}, {20, 2}, {2, 9}}},
      {"ab,cb,db,b->acd", {"ab", "cb", "db", "b"}, "acd", {{3, 4}, {2, 4}, {5, 4}, {4}}},
      {"bqhd,bkhd->bhqk", {"bqhd", "bkhd"}, "bhqk", {{2, 5, 3, 8}, {2, 6, 3, 8}}},
      {"ijk,ilm,njm,nlk->", {"ijk", "ilm", "njm", "nlk"}, "", {{2, 3, 4}, {2, 3, 2}, {5, 3, 2}, {5, 3, 4}}},
      {"...ij,...jk->...ik", {"xij", "xjk"}, "xik", {{3, 4, 5}, {3, 5, 2}}},
      {"i...,i...->...", {"ixy", "ixy"}, "xy", {{3, 4, 5}, {3, 4, 5}}},
      {"...", {"xy"}, "xy", {{3, 4}}},
      {"aB,Bc->ca", {"aB", "Bc"}, "ca", {{3, 4}, {4, 0}}},
  };
  for (const DType t : {f32, i32}) {
    for (const Case& c : cases) {
      std::vector<reference::Value> values;
      std::vector<Tensor> tensors;
      for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        values.push_back(plain(t, c.shapes[i], 20 + static_cast<std::uint32_t>(i), -2, 2));
        tensors.push_back(make_tensor(values.back(), device_));
      }
      const Tensor y = einsum(c.equation, tensors);
      EXPECT_EQ(y.dtype(), t) << c.equation;
      const auto got = read_values({y})[0];
      const auto want = by_definition(c.inputs, c.output, values);
      ASSERT_EQ(static_cast<std::size_t>(y.numel()), want.size()) << c.equation;
      for (std::size_t i = 0; i < want.size(); ++i) {
        const double value = is_float(t) ? got.f[i] : static_cast<double>(got.i[i]);
        // Sums of up to 1,440 products of numbers up to 2.
        ASSERT_NEAR(value, want[i], is_float(t) ? 1440 * 16 * unit_roundoff(f32) : 0) << c.equation << " at " << i;
      }
    }
  }
}

TEST_P(Contractions, EinsumBroadcastsTheDots) {
  const Tensor a = data({3, 1, 4, 5}, 1);
  const Tensor b = data({2, 5, 6}, 2);
  const Tensor y = einsum("...ij,...jk->...ik", {a, b});
  EXPECT_EQ(y.shape(), (Shape{3, 2, 4, 6}));
  EXPECT_EQ(read_values({y})[0].f, read_values({matmul(a, b)})[0].f);
}

TEST_P(Contractions, Products) {
  const Tensor a = data({3, 4, 5}, 3);
  const Tensor b = data({5, 4, 2}, 4);
  const auto same = [](const Tensor& x, const Tensor& y, const char* what) {
    EXPECT_EQ(x.shape(), y.shape()) << what;
    const auto p = read_values({x})[0].f;
    const auto q = read_values({y})[0].f;
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-4) << what;
  };
  same(tensordot(a, b, {1, 2}, {1, 0}), einsum("ijk,kjl->il", {a, b}), "tensordot");
  same(tensordot(a, data({4, 5, 2}, 5), 2), einsum("ijk,jkl->il", {a, data({4, 5, 2}, 5)}), "tensordot 2");
  same(tensordot(a, b, 0), einsum("ijk,abc->ijkabc", {a, b}), "tensordot 0");
  same(dot(a, data({2, 5, 6}, 6)), einsum("ijk,akb->ijab", {a, data({2, 5, 6}, 6)}), "dot");
  same(dot(a, data({5}, 7)), einsum("ijk,k->ij", {a, data({5}, 7)}), "dot with a vector");
  same(vdot(a, data({5, 4, 3}, 8)), einsum("i,i->", {reshape(a, {60}), reshape(data({5, 4, 3}, 8), {60})}), "vdot");
  same(outer(data({3}, 9), data({2, 2}, 10)), einsum("i,j->ij", {data({3}, 9), reshape(data({2, 2}, 10), {4})}),
       "outer");
  const Tensor m = data({3, 4}, 11);
  const Tensor n = data({4, 2}, 12);
  same(addmm(data({2}, 13), m, n, 2, 0.5), data({2}, 13) * 2.0 + matmul(m, n) * 0.5, "addmm");
  const Tensor nan = Tensor(std::vector<float>{NAN, NAN}, {2}, device_);
  same(addmm(nan, m, n, 0), matmul(m, n), "addmm without c");
  // kron by hand: blocks a[i][j] * b.
  const Tensor k =
      kron(Tensor(std::vector<float>{1, 2, 3, 4}, {2, 2}, device_), Tensor(std::vector<float>{1, 10}, {1, 2}, device_));
  EXPECT_EQ(k.shape(), (Shape{2, 4}));
  EXPECT_EQ(k.to_vector<float>(), (std::vector<float>{1, 10, 2, 20, 3, 30, 4, 40}));
  const Tensor c = cross(Tensor(std::vector<float>{1, 2, 3, 1, 0, 0}, {2, 3}, device_),
                         Tensor(std::vector<float>{4, 5, 6}, {3}, device_));
  EXPECT_EQ(c.to_vector<float>(), (std::vector<float>{-3, 6, -3, 0, -6, 5}));
}

TEST_P(Contractions, PartsOfMatrices) {
  for (const DType t : {f32, i32, boolean}) {
    const Tensor x = data({2, 3, 4}, 14, t);
    const auto v = read_values({x})[0];
    const auto at = [&](std::int64_t b, std::int64_t i, std::int64_t j) {
      const auto p = static_cast<std::size_t>((b * 3 + i) * 4 + j);
      return is_float(t) ? v.f[p] : static_cast<double>(v.i[p]);
    };
    for (const std::int64_t d : {-9, -3, -1, 0, 1, 3, 9}) {
      const auto upper = read_values({triu(x, d)})[0];
      const auto lower = read_values({tril(x, d)})[0];
      for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t i = 0; i < 3; ++i) {
          for (std::int64_t j = 0; j < 4; ++j) {
            const auto p = static_cast<std::size_t>((b * 3 + i) * 4 + j);
            const double u = is_float(t) ? upper.f[p] : static_cast<double>(upper.i[p]);
            const double l = is_float(t) ? lower.f[p] : static_cast<double>(lower.i[p]);
            EXPECT_EQ(u, j - i >= d ? at(b, i, j) : 0);
            EXPECT_EQ(l, j - i <= d ? at(b, i, j) : 0);
          }
        }
      }
      const Tensor line = diagonal(x, d);
      const auto got = read_values({line})[0];
      const std::int64_t k = line.size(-1);
      EXPECT_EQ(
          k, std::max<std::int64_t>(0, std::min(3 + std::min<std::int64_t>(d, 0), 4 - std::max<std::int64_t>(d, 0))));
      for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t i = 0; i < k; ++i) {
          const auto p = static_cast<std::size_t>(b * k + i);
          EXPECT_EQ(is_float(t) ? got.f[p] : static_cast<double>(got.i[p]),
                    at(b, i + std::max<std::int64_t>(-d, 0), i + std::max<std::int64_t>(d, 0)));
        }
      }
    }
  }
  const Tensor x = Tensor(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}, device_);
  EXPECT_EQ(trace(x).to_vector<float>(), (std::vector<float>{5, 13}));
  EXPECT_EQ(trace(x, 0, 0, 1).to_vector<float>(), (std::vector<float>{8, 10}));
  EXPECT_EQ(diagonal(x, 0, 0, 2).to_vector<float>(), (std::vector<float>{1, 6, 3, 8}));
}

TEST_P(Contractions, Norms) {
  const Tensor x(std::vector<float>{3, -4, 0, 12, 0, -5}, {2, 3}, device_);
  EXPECT_EQ(linalg::vector_norm(x, 2, {1}).to_vector<float>(), (std::vector<float>{5, 13}));
  EXPECT_EQ(linalg::vector_norm(x, 1).item<float>(), 24);
  EXPECT_EQ(linalg::vector_norm(x, INFINITY, {0}).to_vector<float>(), (std::vector<float>{12, 4, 5}));
  EXPECT_EQ(linalg::vector_norm(x, -INFINITY).item<float>(), 0);
  EXPECT_EQ(linalg::vector_norm(x, 0, {1}, true).to_vector<float>(), (std::vector<float>{2, 2}));
  EXPECT_NEAR(linalg::vector_norm(x, 3, {1}).to_vector<float>()[0], std::cbrt(91.0), 1e-5);
  using N = linalg::MatrixNorm;
  EXPECT_NEAR(linalg::matrix_norm(x).item<float>(), std::sqrt(194.0), 1e-5);
  EXPECT_EQ(linalg::matrix_norm(x, N::kOne).item<float>(), 15);
  EXPECT_EQ(linalg::matrix_norm(x, N::kMinusOne).item<float>(), 4);
  EXPECT_EQ(linalg::matrix_norm(x, N::kInf).item<float>(), 17);
  EXPECT_EQ(linalg::matrix_norm(x, N::kMinusInf, true).shape(), (Shape{1, 1}));
}

TEST_P(Contractions, BadInput) {
  const auto text = [](const auto& f) { return std::string(error_of(f).what()); };
  const Tensor m = data({3, 4}, 1);
  const auto says = [&](const auto& f, const char* part) {
    EXPECT_NE(text(f).find(part), std::string::npos) << text(f);
  };
  says([&] { einsum("ij,jk->ik", {m}); }, "names 2 operands; 1 were given");
  says([&] { einsum("ijk->i", {m}); }, "names 3 axes of operand 0");
  says([&] { einsum("ij,jk->ik", {m, m}); }, "has size 3; 4 is expected");
  says([&] { einsum("ij->ik", {m}); }, "'k' does not");
  says([&] { einsum("ij->ii", {m}); }, "'i' does not");
  says([&] { einsum("i%->i", {m}); }, "at place 1");
  says([&] { einsum("ij->i->j", {m}); }, "not understood");
  says([&] { einsum("i", {}); }, "no operands");
  says([&] { tensordot(m, m, 1); }, "different sizes");
  says([&] { tensordot(m, m, 3); }, "3 axes");
  says([&] { tensordot(m, m, {0}, {0, 1}); }, "partner");
  says([&] { vdot(m, data({5}, 2)); }, "12 and 5 elements");
  says([&] { addmm(m, m, data({4}, 1)); }, "b is [4]");
  says([&] { kron(data({1, 1, 1, 1, 1}, 1), m); }, "at most 4 axes");
  says([&] { triu(data({4}, 1)); }, "[4]");
  says([&] { diagonal(m, 0, 1, 1); }, "both axes are axis 1");
  says([&] { diagonal(data({4}, 1)); }, "at least two axes");
  says([&] { cross(m, m); }, "vectors of 3");
  says([&] { linalg::vector_norm(m, NAN); }, "not a number");
}

TESSERA_ON_ALL_DEVICES(Contractions);

TEST(ContractionGradients, FiniteDifferences) {
  check_gradient("einsum", [](const Tensors& x) { return einsum("iij,jk,kl->il", {x[0], x[1], x[2]}); },
                 {random_f64({2, 2, 3}, 1), random_f64({3, 4}, 2), random_f64({4, 2}, 3)});
  check_gradient("tensordot", [](const Tensors& x) { return tensordot(x[0], x[1], {1}, {0}); },
                 {random_f64({2, 3}, 4), random_f64({3, 2}, 5)});
  check_gradient("kron", [](const Tensors& x) { return kron(x[0], x[1]); },
                 {random_f64({2, 2}, 6), random_f64({2}, 7)});
  check_gradient("cross", [](const Tensors& x) { return cross(x[0], x[1]); },
                 {random_f64({2, 3}, 8), random_f64({3}, 9)});
  check_gradient("tril", [](const Tensors& x) { return tril(x[0], 1) * triu(x[0]); }, {random_f64({3, 4}, 10)});
  check_gradient("trace", [](const Tensors& x) { return trace(x[0] * x[0], 1); }, {random_f64({2, 3, 3}, 11)});
  check_gradient("vector_norm", [](const Tensors& x) { return linalg::vector_norm(x[0], 3, {1}); },
                 {random_f64({2, 3}, 12, 0.5, 2)});
}

}  // namespace
}  // namespace tessera::test
