// Activations and dropout, with the names of torch.nn.functional; sigmoid, tanh and softsign are in tessera/ops.h.
#pragma once

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

Tensor relu(const Tensor& x);
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
Tensor silu(const Tensor& x);
Tensor elu(const Tensor& x, double alpha = 1.0);
Tensor leaky_relu(const Tensor& x, double slope = 0.01);
Tensor softplus(const Tensor& x);
Tensor mish(const Tensor& x);
Tensor relu6(const Tensor& x);
Tensor hardtanh(const Tensor& x, double low = -1, double high = 1);
Tensor hardsigmoid(const Tensor& x);
Tensor hardswish(const Tensor& x);
Tensor selu(const Tensor& x);
Tensor celu(const Tensor& x, double alpha = 1);
Tensor prelu(const Tensor& x, const Tensor& slope);
Tensor threshold(const Tensor& x, double at, double value);
Tensor logsigmoid(const Tensor& x);
Tensor tanhshrink(const Tensor& x);
Tensor softshrink(const Tensor& x, double lambda = 0.5);
Tensor hardshrink(const Tensor& x, double lambda = 0.5);
Tensor softmax(const Tensor& x, int axis = -1);
Tensor log_softmax(const Tensor& x, int axis = -1);
Tensor softmin(const Tensor& x, int axis = -1);
/// The first half of the axis times the sigmoid of the second.
Tensor glu(const Tensor& x, int axis = -1);
/// silu(gate) * x, and gelu(gate) * x: the gated activations of transformers.
Tensor swiglu(const Tensor& gate, const Tensor& x);
Tensor geglu(const Tensor& gate, const Tensor& x);
/// Softmax of the logits with Gumbel noise; `hard` returns one-hot values with the gradient of the soft ones.
Tensor gumbel_softmax(const Tensor& logits, double tau = 1, bool hard = false, int axis = -1);
/// Each element is set to 0 with probability p, the others are scaled by 1 / (1 - p); the identity if not training.
Tensor dropout(const Tensor& x, double p = 0.5, bool training = true);
/// Slopes drawn from [low, high] for negative elements; their mean if not training.
Tensor rrelu(const Tensor& x, double low = 1.0 / 8, double high = 1.0 / 3, bool training = false);

}  // namespace tessera

#include "tessera/members/activations.h"  // IWYU pragma: export
