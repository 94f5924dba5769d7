// Singular values and vectors in f32.
#include "ops/linalg/decompose/svd-inl.h"

namespace tessera::ops::host {

template void svd<float>(const CustomHostCall& call);

}  // namespace tessera::ops::host
