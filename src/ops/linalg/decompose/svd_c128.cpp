// Singular values and vectors in c128.
#include <complex>

#include "ops/linalg/decompose/svd-inl.h"

namespace tessera::ops::host {

template void svd<std::complex<double>>(const CustomHostCall& call);

}  // namespace tessera::ops::host
