// Adam and its relatives: AdamW, Adamax, NAdam, RAdam.
#include <cmath>

#include "optim/rules.h"
#include "tessera/optim/optimizers.h"

namespace tessera::optim {

// ---- Adam, AdamW ----

Adam::Adam(const Parameters& parameters, AdamOptions options, std::vector<Group<AdamOptions>> groups)
    : OptimizerWith("Adam", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Adam::moments(const Tensor& p, std::size_t group) const {
  return adam_moments(p, options(group).amsgrad);
}

Tensor Adam::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdamOptions& o = options(u.group);
  return adam_step({o.beta1, o.beta2, o.eps}, correction(o.beta1, u.count), correction(o.beta2, u.count), u.lr, p,
                   decayed(g, p, u.weight_decay), state);
}

AdamW::AdamW(const Parameters& parameters, AdamWOptions options, std::vector<Group<AdamWOptions>> groups)
    : OptimizerWith("AdamW", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments AdamW::moments(const Tensor& p, std::size_t group) const {
  return adam_moments(p, options(group).amsgrad);
}

Tensor AdamW::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdamWOptions& o = options(u.group);
  const Tensor shrunk = u.weight_decay == 0 ? p : p * (1 - u.lr * u.weight_decay);
  return adam_step({o.beta1, o.beta2, o.eps}, correction(o.beta1, u.count), correction(o.beta2, u.count), u.lr, shrunk,
                   g, state);
}

// ---- Adamax ----

Adamax::Adamax(const Parameters& parameters, AdamaxOptions options, std::vector<Group<AdamaxOptions>> groups)
    : OptimizerWith("Adamax", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Adamax::moments(const Tensor& p, std::size_t /*group*/) const {
  return {{"exp_avg", like(p)}, {"exp_inf", like(p)}};
}

Tensor Adamax::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdamaxOptions& o = options(u.group);
  const Tensor d = decayed(g, p, u.weight_decay);
  state[0] = lerp(d, state[0], o.beta1);
  state[1] = maximum(state[1] * o.beta2, abs(d) + o.eps);
  return p - u.lr / correction(o.beta1, u.count) * state[0] / state[1];
}

// ---- NAdam ----

NAdam::NAdam(const Parameters& parameters, NAdamOptions options, std::vector<Group<NAdamOptions>> groups)
    : OptimizerWith("NAdam", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments NAdam::moments(const Tensor& p, std::size_t /*group*/) const {
  return {{"exp_avg", like(p)}, {"exp_avg_sq", like(p)}, {"mu_product", ones({}, f32, p.device())}};
}

Tensor NAdam::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const NAdamOptions& o = options(u.group);
  const Tensor now = o.decoupled_weight_decay && u.weight_decay != 0 ? p * (1 - u.lr * u.weight_decay) : p;
  const Tensor d = o.decoupled_weight_decay ? g : decayed(g, p, u.weight_decay);
  const auto mu_at = [&](const Tensor& count) {
    return o.beta1 * (1 - 0.5 * exp(count * (o.momentum_decay * std::log(0.96))));
  };
  const Tensor mu = mu_at(u.count);
  const Tensor mu_next = mu_at(u.count + 1);
  state[0] = lerp(d, state[0], o.beta1);
  state[1] = state[1] * o.beta2 + square(d) * (1 - o.beta2);
  state[2] = state[2] * mu;
  const Tensor denominator = sqrt(state[1] / correction(o.beta2, u.count)) + o.eps;
  return now -
         (u.lr * (1 - mu) / (1 - state[2]) * d + u.lr * mu_next / (1 - state[2] * mu_next) * state[0]) / denominator;
}

// ---- RAdam ----

RAdam::RAdam(const Parameters& parameters, RAdamOptions options, std::vector<Group<RAdamOptions>> groups)
    : OptimizerWith("RAdam", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments RAdam::moments(const Tensor& p, std::size_t /*group*/) const { return adam_moments(p, false); }

Tensor RAdam::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const RAdamOptions& o = options(u.group);
  const Tensor now = o.decoupled_weight_decay && u.weight_decay != 0 ? p * (1 - u.lr * u.weight_decay) : p;
  const Tensor d = o.decoupled_weight_decay ? g : decayed(g, p, u.weight_decay);
  state[0] = lerp(d, state[0], o.beta1);
  state[1] = state[1] * o.beta2 + square(d) * (1 - o.beta2);
  const Tensor correction2 = correction(o.beta2, u.count);
  const Tensor corrected = state[0] / correction(o.beta1, u.count);
  // rho = rho_inf - 2 t beta2^t / (1 - beta2^t), which cancels for small t. With s = t * rate and rate = -log(beta2) it
  // is (rho_inf - 2 / rate) + 2 / rate * (1 - s / expm1(s)), by a series where s is small.
  const double rate = -std::log(o.beta2);
  const double rho_inf = 2 / (1 - o.beta2) - 1;
  const Tensor s = u.count * rate;
  const Tensor s2 = square(s);
  const Tensor series = s * (0.5 - s * (1.0 / 12) + s * s2 * (1.0 / 720 - s2 * (1.0 / 30240)));
  const Tensor closed = 1 - s / expm1(maximum(s, 0.25));
  const Tensor rho = (rho_inf - 2 / rate) + (2 / rate) * where(less(s, 0.5), series, closed);
  const Tensor factor = (rho - 4) * (rho - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho);
  const Tensor rectified = greater(rho, 5.0);
  const Tensor rectification = sqrt(where(rectified, factor, 1.0));
  const Tensor adaptive = sqrt(correction2) * rectification / (sqrt(state[1]) + o.eps);
  return now - u.lr * corrected * where(rectified, adaptive, 1.0);
}

}  // namespace tessera::optim
