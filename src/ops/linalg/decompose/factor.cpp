// Cholesky and QR factors of matrices.
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "ops/linalg/decompose/batch.h"

namespace tessera::ops::host {

template <class T>
void cholesky(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Eigen::LLT<Matrix<T>, Eigen::Lower> llt(x);
    if (llt.info() != Eigen::Success || !x.allFinite()) {
      fail(ErrorKind::kValue, "cholesky: {} is not positive definite.", which_matrix(i, batch.count));
    }
    batch.out(0, i, x.rows(), x.cols()) = Matrix<T>(llt.matrixL());
  });
}

template <class T>
void qr(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Index k = std::min(x.rows(), x.cols());
    // By a power of two, which changes no digit: squares of large numbers must not overflow.
    const Real<T> largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : Real<T>{0};
    const int exponent = std::isfinite(largest) && largest > 0 ? std::ilogb(largest) : 0;
    const Eigen::HouseholderQR<Matrix<T>> made(x * std::ldexp(Real<T>{1}, -exponent));
    batch.out(0, i, x.rows(), k) = made.householderQ() * Matrix<T>::Identity(x.rows(), k);
    batch.out(1, i, k, x.cols()) = Matrix<T>(made.matrixQR().topRows(k).template triangularView<Eigen::Upper>()) *
                                   std::ldexp(Real<T>{1}, exponent);
  });
}

template void cholesky<float>(const CustomHostCall& call);
template void cholesky<double>(const CustomHostCall& call);
template void cholesky<std::complex<double>>(const CustomHostCall& call);
template void qr<float>(const CustomHostCall& call);
template void qr<double>(const CustomHostCall& call);
template void qr<std::complex<double>>(const CustomHostCall& call);

}  // namespace tessera::ops::host
