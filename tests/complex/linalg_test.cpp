// Decompositions and norms of complex matrices: what they are made of multiplies back.
#include "complex/support.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

Tensor adjoint(const Tensor& x) { return conj(transpose(x)); }

void expect_equal(const char* what, const Tensor& got, const Tensor& want) {
  ASSERT_EQ(got.shape(), want.shape()) << what;
  const double room = real_of(want.dtype()) == f64 ? 1e-12 : 2e-4;
  EXPECT_LE(max(abs(got - want)).item<double>(), room * (1 + max(abs(want)).item<double>())) << what;
}

Tensor random(DType t, const Shape& shape, std::uint32_t seed) {
  return make_tensor(complex_values(t, shape, seed), cpu());
}

Tensor one(const Tensor& like, std::int64_t n) { return eye(n, -1, 0, like.dtype(), cpu()); }

TEST(ComplexLinalg, FactorsMultiplyBack) {
  for (const DType t : {c64, c128}) {
    const Tensor x = random(t, {2, 5, 5}, 1);
    const Tensor hermitian = matmul(x, adjoint(x)) + one(x, 5);
    const Tensor l = linalg::cholesky(hermitian);
    expect_equal("cholesky", matmul(l, adjoint(l)), hermitian);
    for (const Shape& shape : {Shape{4, 3}, Shape{3, 4}, Shape{40, 35}}) {
      const Tensor a = random(t, shape, 2);
      const auto [q, r] = linalg::qr(a);
      expect_equal("qr", matmul(q, r), a);
      expect_equal("q", matmul(adjoint(q), q), one(a, q.size(-1)));
      const auto [u, s, vh] = linalg::svd(a);
      EXPECT_EQ(s.dtype(), real_of(t));
      expect_equal("svd", matmul(u * s, vh), a);
      expect_equal("u", matmul(adjoint(u), u), one(a, u.size(-1)));
      expect_equal("pinv", matmul(matmul(a, linalg::pinv(a)), a), a);
    }
    const auto [w, v] = linalg::eigh(hermitian);
    EXPECT_EQ(w.dtype(), real_of(t));
    expect_equal("eigh", matmul(hermitian, v), v * expand_dims(w, -2));
    expect_equal("eigvalsh", linalg::eigvalsh(hermitian), w);
  }
}

TEST(ComplexLinalg, SolutionsAndDeterminants) {
  for (const DType t : {c64, c128}) {
    const Tensor a = random(t, {3, 4, 4}, 3) + one(random(t, {1}, 0), 4) * 6.0;
    const Tensor b = random(t, {3, 4, 2}, 4);
    expect_equal("solve", matmul(a, linalg::solve(a, b)), b);
    expect_equal("a real right side", matmul(a, linalg::solve(a, real(b))), cast(real(b), t));
    expect_equal("inv", matmul(a, linalg::inv(a)), broadcast_to(one(a, 4), a.shape()));
    const auto [sign, logabs] = linalg::slogdet(a);
    EXPECT_EQ(sign.dtype(), t);
    EXPECT_EQ(logabs.dtype(), real_of(t));
    expect_equal("slogdet", sign * exp(logabs), linalg::det(a));
    expect_equal("lstsq", linalg::lstsq(a, b), linalg::solve(a, b));
  }
  // np.linalg.det([[1 + 2j, 3], [-1j, 4 - 1j]])
  const Tensor m(std::vector<Complex>{{1, 2}, {3, 0}, {0, -1}, {4, -1}}, {2, 2}, cpu());
  EXPECT_LE(std::abs(linalg::det(m).item<Complex>() - Complex(6, 10)), 1e-14);
  EXPECT_EQ(linalg::matrix_rank(m).item<int>(), 2);
}

TEST(ComplexLinalg, NormsAndProducts) {
  const Tensor x(std::vector<Complex>{{3, 4}, {0, -12}}, {2}, cpu());
  EXPECT_DOUBLE_EQ(linalg::vector_norm(x).item<double>(), 13);
  EXPECT_DOUBLE_EQ(linalg::vector_norm(x, 1).item<double>(), 17);
  EXPECT_DOUBLE_EQ(linalg::vector_norm(x, 0).item<double>(), 2);
  EXPECT_EQ(vdot(x, x).item<Complex>(), Complex(169, 0));
  EXPECT_EQ(dot(x, x).item<Complex>(), Complex(-151, 24));
  EXPECT_EQ(einsum("i,j->ij", {x, x}).shape(), (Shape{2, 2}));
  const Tensor m = random(c128, {3, 3}, 5);
  expect_equal("nuclear", linalg::matrix_norm(m, linalg::MatrixNorm::kNuclear), sum(linalg::svdvals(m)));
  expect_equal("trace", trace(m), sum(m * one(m, 3)));
  const Tensor a = random(c128, {3}, 6);
  const Tensor b = random(c128, {3}, 7);
  EXPECT_LE(std::abs(sum(cross(a, b) * a).item<Complex>()), 1e-13);
}

TEST(ComplexLinalg, SingularOnesAreNamed) {
  const Tensor x = zeros({2, 2}, c64, cpu());
  EXPECT_STREQ(error_of([&] { linalg::inv(x).eval(); }).what(), "inv: the matrix is singular.");
  EXPECT_STREQ(error_of([&] { linalg::cholesky(x).eval(); }).what(), "cholesky: the matrix is not positive definite.");
}

}  // namespace
}  // namespace tessera::test
