// Singular values and vectors in f64.
#include "ops/linalg/decompose/svd-inl.h"

namespace tessera::ops::host {

template void svd<double>(const CustomHostCall& call);

}  // namespace tessera::ops::host
