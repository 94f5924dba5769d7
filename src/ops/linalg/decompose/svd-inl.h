// Singular values and vectors of matrices of T. Each type compiles in a file of its own: it takes most of a minute.
#pragma once

#include <Eigen/SVD>

#include "ops/linalg/decompose/batch.h"

namespace tessera::ops::host {

template <class T>
void svd(const CustomHostCall& call) {
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    const Index k = std::min(x.rows(), x.cols());
    if (k == 0) return;
    if (!x.allFinite())
      fail(ErrorKind::kValue, "svd: {} has numbers that are not finite.", which_matrix(i, batch.count));
    const auto keep = [&](const auto& made) {
      batch.out(0, i, x.rows(), k) = made.matrixU();
      batch.template out<Real<T>>(1, i, k, 1) = made.singularValues();
      batch.out(2, i, k, x.cols()) = made.matrixV().adjoint();
    };
    constexpr Index kSmall = 32;
    const unsigned thin = Eigen::ComputeThinU | Eigen::ComputeThinV;
    if (k <= kSmall) {
      keep(Eigen::JacobiSVD<Matrix<T>>(x, thin));
    } else {
      keep(Eigen::BDCSVD<Matrix<T>>(x, thin));
    }
  });
}

}  // namespace tessera::ops::host
