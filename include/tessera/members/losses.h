// Written by tools/members.py: the members of Tensor that are ops of tessera/losses.h, which includes this at its end.
#pragma once

namespace TESSERA_API tessera {
namespace detail {

inline Tensor Members::binary_cross_entropy(const Tensor& target, const Tensor& weight = {},
                                            Reduction reduction = Reduction::kMean) const {
  return tessera::binary_cross_entropy(self(), target, weight, reduction);
}
inline Tensor Members::binary_cross_entropy_with_logits(const Tensor& target, const Tensor& weight = {},
                                                        const Tensor& pos_weight = {},
                                                        Reduction reduction = Reduction::kMean) const {
  return tessera::binary_cross_entropy_with_logits(self(), target, weight, pos_weight, reduction);
}
inline Tensor Members::cosine_embedding_loss(const Tensor& b, const Tensor& target, double margin = 0,
                                             Reduction reduction = Reduction::kMean) const {
  return tessera::cosine_embedding_loss(self(), b, target, margin, reduction);
}
inline Tensor Members::cosine_similarity(const Tensor& b, int axis = 1, double eps = 1e-8) const {
  return tessera::cosine_similarity(self(), b, axis, eps);
}
inline Tensor Members::cross_entropy(const Tensor& target, const CrossEntropyOptions& options = {}) const {
  return tessera::cross_entropy(self(), target, options);
}
inline Tensor Members::hinge_embedding_loss(const Tensor& target, double margin = 1,
                                            Reduction reduction = Reduction::kMean) const {
  return tessera::hinge_embedding_loss(self(), target, margin, reduction);
}
inline Tensor Members::huber_loss(const Tensor& target, double delta = 1,
                                  Reduction reduction = Reduction::kMean) const {
  return tessera::huber_loss(self(), target, delta, reduction);
}
inline Tensor Members::kl_div(const Tensor& target, bool log_target = false,
                              Reduction reduction = Reduction::kMean) const {
  return tessera::kl_div(self(), target, log_target, reduction);
}
inline Tensor Members::l1_loss(const Tensor& target, Reduction reduction = Reduction::kMean) const {
  return tessera::l1_loss(self(), target, reduction);
}
inline Tensor Members::mse_loss(const Tensor& target, Reduction reduction = Reduction::kMean) const {
  return tessera::mse_loss(self(), target, reduction);
}
inline Tensor Members::nll_loss(const Tensor& target, const CrossEntropyOptions& options = {}) const {
  return tessera::nll_loss(self(), target, options);
}
inline Tensor Members::smooth_l1_loss(const Tensor& target, double beta = 1,
                                      Reduction reduction = Reduction::kMean) const {
  return tessera::smooth_l1_loss(self(), target, beta, reduction);
}
inline Tensor Members::triplet_margin_loss(const Tensor& positive, const Tensor& negative, double margin = 1,
                                           double p = 2, double eps = 1e-6,
                                           Reduction reduction = Reduction::kMean) const {
  return tessera::triplet_margin_loss(self(), positive, negative, margin, p, eps, reduction);
}

}  // namespace detail
}  // namespace tessera
