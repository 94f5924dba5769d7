// Losses, with the names of torch.nn.functional; its activations, dropout and normalizations are included.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/activations.h"  // IWYU pragma: export
#include "tessera/export.h"
#include "tessera/norms.h"  // IWYU pragma: export
#include "tessera/ops.h"    // IWYU pragma: export

namespace TESSERA_API tessera {

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

#include "tessera/members/losses.h"  // IWYU pragma: export
