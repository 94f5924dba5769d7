// Decompositions over a batch of matrices of T, float, double or std::complex<double>, on the host: the kernels that
// decompose() calls.
#pragma once

#include "graph/custom.h"

namespace tessera::ops::host {

template <class T>
void cholesky(const CustomHostCall& call);
template <class T>
void qr(const CustomHostCall& call);
template <class T>
void solve(const CustomHostCall& call);
template <class T>
void inverse(const CustomHostCall& call);
template <class T>
void determinant(const CustomHostCall& call);
template <class T>
void svd(const CustomHostCall& call);
template <class T>
void eigh(const CustomHostCall& call);

}  // namespace tessera::ops::host
