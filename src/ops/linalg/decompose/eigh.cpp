// Eigenvalues and eigenvectors of symmetric and Hermitian matrices; those of f32 in f64.
#include <type_traits>

#include <Eigen/Eigenvalues>

#include "ops/linalg/decompose/batch.h"

namespace tessera::ops::host {

template <class T>
void eigh(const CustomHostCall& call) {
  using C = std::conditional_t<std::is_same_v<T, float>, double, T>;
  const Batch<T> batch(call);
  batch.each([&](std::int64_t i) {
    const auto x = batch.in(0, i);
    if (x.rows() == 0) return;
    const Eigen::SelfAdjointEigenSolver<Matrix<C>> made(x.template cast<C>());
    if (made.info() != Eigen::Success || !x.allFinite()) {
      fail(ErrorKind::kValue, "eigh: the values of {} were not found: it has numbers that are not finite.",
           which_matrix(i, batch.count));
    }
    batch.template out<Real<T>>(0, i, x.rows(), 1) = made.eigenvalues().template cast<Real<T>>();
    batch.out(1, i, x.rows(), x.rows()) = made.eigenvectors().template cast<T>();
  });
}

template void eigh<float>(const CustomHostCall& call);
template void eigh<double>(const CustomHostCall& call);
template void eigh<std::complex<double>>(const CustomHostCall& call);

}  // namespace tessera::ops::host
