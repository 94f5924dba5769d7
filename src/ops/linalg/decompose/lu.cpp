// LU decomposition: solutions, inverses and determinants.
#include <cmath>

#include <Eigen/LU>

#include "ops/linalg/decompose/batch.h"

namespace tessera::ops::host {

namespace {

template <class T>
Eigen::PartialPivLU<Matrix<T>> invertible(const char* what, const Batch<T>& batch, std::int64_t i) {
  Eigen::PartialPivLU<Matrix<T>> lu(batch.in(0, i));
  const auto pivots = lu.matrixLU().diagonal();
  for (Index k = 0; k < pivots.size(); ++k) {
    if (pivots[k] == T{0}) fail(ErrorKind::kValue, "{}: {} is singular.", what, which_matrix(i, batch.count));
  }
  return lu;
}

}  // namespace

template <class T>
void solve(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto b = batch.in(1, i);
    if (b.rows() == 0) return;
    batch.out(0, i, b.rows(), b.cols()) = invertible("solve", batch, i).solve(Matrix<T>(b));
  });
}

template <class T>
void inverse(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const Index n = batch.in(0, i).rows();
    if (n > 0) batch.out(0, i, n, n) = invertible("inv", batch, i).inverse();
  });
}

template <class T>
void determinant(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    T det = 1;
    T sign = 1;
    Real<T> log = 0;
    if (batch.in(0, i).rows() > 0) {
      const Eigen::PartialPivLU<Matrix<T>> lu(batch.in(0, i));
      sign = static_cast<T>(lu.permutationP().determinant());
      det = sign;
      const auto pivots = lu.matrixLU().diagonal();
      for (Index k = 0; k < pivots.size(); ++k) {
        det *= pivots[k];
        const Real<T> size = std::abs(pivots[k]);
        sign *= size == 0 ? T{0} : pivots[k] / size;
        log += std::log(size);
      }
    }
    batch.out(0, i, 1, 1)(0, 0) = det;
    batch.out(1, i, 1, 1)(0, 0) = sign;
    batch.template out<Real<T>>(2, i, 1, 1)(0, 0) = log;
  });
}

template void solve<float>(const CustomHostCall& call);
template void solve<double>(const CustomHostCall& call);
template void solve<std::complex<double>>(const CustomHostCall& call);
template void inverse<float>(const CustomHostCall& call);
template void inverse<double>(const CustomHostCall& call);
template void inverse<std::complex<double>>(const CustomHostCall& call);
template void determinant<float>(const CustomHostCall& call);
template void determinant<double>(const CustomHostCall& call);
template void determinant<std::complex<double>>(const CustomHostCall& call);

}  // namespace tessera::ops::host
