// Formulas that several optimizers share.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/ops.h"

namespace tessera::optim {

/// Zeros of a parameter's shape.
inline Tensor like(const Tensor& p) { return zeros(p.shape(), p.dtype(), p.device()); }

/// The gradient with weight decay as a part of it.
inline Tensor decayed(const Tensor& g, const Tensor& p, double weight_decay) {
  return weight_decay == 0 ? g : g + p * weight_decay;
}

/// keep * old + (1 - keep) * fresh.
inline Tensor lerp(const Tensor& fresh, const Tensor& old, double keep) { return old + (fresh - old) * (1 - keep); }

struct AdamNumbers {
  double beta1, beta2, eps;
};

inline std::vector<std::pair<std::string, Tensor>> adam_moments(const Tensor& p, bool amsgrad) {
  std::vector<std::pair<std::string, Tensor>> all{{"exp_avg", like(p)}, {"exp_avg_sq", like(p)}};
  if (amsgrad) all.emplace_back("max_exp_avg_sq", like(p));
  return all;
}

/// Adam's step; the corrections are 1 - beta^count. A third tensor of the state is the largest second moment: amsgrad.
inline Tensor adam_step(const AdamNumbers& a, const Tensor& correction1, const Tensor& correction2, const Tensor& lr,
                        const Tensor& p, const Tensor& g, std::span<Tensor> state) {
  state[0] = lerp(g, state[0], a.beta1);
  state[1] = state[1] * a.beta2 + square(g) * (1 - a.beta2);
  Tensor second = state[1];
  if (state.size() == 3) second = state[2] = maximum(state[2], state[1]);
  return p - lr / correction1 * state[0] / (sqrt(second) / sqrt(correction2) + a.eps);
}

}  // namespace tessera::optim
