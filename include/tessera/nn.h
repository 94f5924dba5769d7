// Activations, dropout and losses with the names of torch.nn.functional.
#pragma once

#include <optional>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {

// ---- Activations (relu, gelu, silu, elu, leaky_relu, softplus, softsign, mish, softmax: tessera/ops.h) ----
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

// ---- Losses ----
enum class Reduction : std::uint8_t { kMean, kSum, kNone };

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);
Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, double beta = 1,
                      Reduction reduction = Reduction::kMean);
Tensor huber_loss(const Tensor& input, const Tensor& target, double delta = 1, Reduction reduction = Reduction::kMean);

struct CrossEntropyOptions {
  Tensor weight = {};                             // one per class
  std::optional<std::int64_t> ignore_index = {};  // targets to ignore
  double label_smoothing = 0;
  Reduction reduction = Reduction::kMean;
};
/// Logits [N, C, ...] (or [C]) and class indices [N, ...], or probabilities of the logits' shape. No copy of the
/// logits' size is made, and their gradient is one kernel.
Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& options = {});
/// The same with log-probabilities and class indices.
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, const CrossEntropyOptions& options = {});
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {},
                            Reduction reduction = Reduction::kMean);
Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& target, const Tensor& weight = {},
                                        const Tensor& pos_weight = {}, Reduction reduction = Reduction::kMean);
/// Both are probabilities; `input` is given as logarithms, and `target` too if `log_target`.
Tensor kl_div(const Tensor& input, const Tensor& target, bool log_target = false,
              Reduction reduction = Reduction::kMean);
Tensor cosine_similarity(const Tensor& a, const Tensor& b, int axis = 1, double eps = 1e-8);
Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin = 0,
                             Reduction reduction = Reduction::kMean);
Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, double margin = 1,
                            Reduction reduction = Reduction::kMean);
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin = 1,
                           double p = 2, double eps = 1e-6, Reduction reduction = Reduction::kMean);

}  // namespace tessera
