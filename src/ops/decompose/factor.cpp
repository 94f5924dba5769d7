// Cholesky and QR factors of matrices.
#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "ops/decompose/batch.h"

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
    const Eigen::HouseholderQR<Matrix<T>> made(x);
    batch.out(0, i, x.rows(), k) = made.householderQ() * Matrix<T>::Identity(x.rows(), k);
    batch.out(1, i, k, x.cols()) = Matrix<T>(made.matrixQR().topRows(k).template triangularView<Eigen::Upper>());
  });
}

template void cholesky<float>(const CustomHostCall& call);
template void cholesky<double>(const CustomHostCall& call);
template void qr<float>(const CustomHostCall& call);
template void qr<double>(const CustomHostCall& call);

}  // namespace tessera::ops::host
