// Singular values and vectors in c64.
#include <complex>

#include "ops/linalg/decompose/svd-inl.h"

namespace tessera::ops::host {

template void svd<std::complex<float>>(const CustomHostCall& call);

}  // namespace tessera::ops::host
