// The bias of a layer.
#pragma once

#include "tessera/autocast.h"
#include "tessera/ops.h"

namespace tessera::nn {

/// y + bias, or y if there is none. Inside of an Autocast scope an f32 bias does not widen the result of a matmul.
inline Tensor with_bias(const Tensor& y, const Tensor& bias) {
  if (!bias.defined()) return y;
  return y + (Autocast::dtype().has_value() ? bias.astype(y.dtype()) : bias);
}

}  // namespace tessera::nn
