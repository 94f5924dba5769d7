// SGD, Lion, Muon, and the optimizers that scale by second moments without Adam's corrections.
#include "tessera/optim/optimizers.h"

#include <algorithm>
#include <cmath>

#include "nn/fail.h"
#include "optim/rules.h"
#include "tessera/ops.h"

namespace tessera::optim {

using nn::fail;

// ---- SGD ----

SGD::SGD(const Parameters& parameters, SgdOptions options, std::vector<Group<SgdOptions>> groups)
    : OptimizerWith("SGD", std::move(options), std::move(groups)) {
  for (std::size_t i = 0; i < this->groups(); ++i) {
    const SgdOptions& o = this->options(i);
    if (o.nesterov && (o.momentum <= 0 || o.dampening != 0)) {
      fail(ErrorKind::kValue,
           "SGD: nesterov was given with a momentum of {} and a dampening of {}; it needs a momentum "
           "and no dampening.",
           o.momentum, o.dampening);
    }
  }
  add(parameters);
}

Optimizer::Moments SGD::moments(const Tensor& p, std::size_t group) const {
  if (options(group).momentum == 0) return {};
  return {{"momentum_buffer", like(p)}};
}

Tensor SGD::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const SgdOptions& o = options(u.group);
  Tensor d = decayed(g, p, u.weight_decay);
  if (o.momentum != 0) {
    Tensor next = state[0] * o.momentum + d * (1 - o.dampening);
    if (o.dampening != 0) next = where(equal(u.count, 1.0), d, next);  // the first one is not damped
    state[0] = next;
    d = o.nesterov ? d + state[0] * o.momentum : state[0];
  }
  return p - u.lr * d;
}

// ---- RMSprop ----

RMSprop::RMSprop(const Parameters& parameters, RMSpropOptions options, std::vector<Group<RMSpropOptions>> groups)
    : OptimizerWith("RMSprop", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments RMSprop::moments(const Tensor& p, std::size_t group) const {
  Moments all{{"square_avg", like(p)}};
  if (options(group).momentum > 0) all.emplace_back("momentum_buffer", like(p));
  if (options(group).centered) all.emplace_back("grad_avg", like(p));
  return all;
}

Tensor RMSprop::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const RMSpropOptions& o = options(u.group);
  const Tensor d = decayed(g, p, u.weight_decay);
  state[0] = lerp(square(d), state[0], o.alpha);
  Tensor variance = state[0];
  if (o.centered) {
    Tensor& average = state[state.size() - 1];
    average = lerp(d, average, o.alpha);
    variance = maximum(variance - square(average), 0.0);  // rounding may pass zero
  }
  Tensor step = d / (sqrt(variance) + o.eps);
  if (o.momentum > 0) step = state[1] = state[1] * o.momentum + step;
  return p - u.lr * step;
}

// ---- Adagrad ----

Adagrad::Adagrad(const Parameters& parameters, AdagradOptions options, std::vector<Group<AdagradOptions>> groups)
    : OptimizerWith("Adagrad", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Adagrad::moments(const Tensor& p, std::size_t group) const {
  return {{"sum", full(p.shape(), options(group).initial_accumulator_value, p.dtype(), p.device())}};
}

Tensor Adagrad::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdagradOptions& o = options(u.group);
  const Tensor d = decayed(g, p, u.weight_decay);
  state[0] = state[0] + square(d);
  const Tensor rate = o.lr_decay == 0 ? u.lr : u.lr / (1 + (u.count - 1) * o.lr_decay);
  return p - rate * d / (sqrt(state[0]) + o.eps);
}

// ---- Adadelta ----

Adadelta::Adadelta(const Parameters& parameters, AdadeltaOptions options, std::vector<Group<AdadeltaOptions>> groups)
    : OptimizerWith("Adadelta", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Adadelta::moments(const Tensor& p, std::size_t /*group*/) const {
  return {{"square_avg", like(p)}, {"acc_delta", like(p)}};
}

Tensor Adadelta::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdadeltaOptions& o = options(u.group);
  const Tensor d = decayed(g, p, u.weight_decay);
  state[0] = lerp(square(d), state[0], o.rho);
  const Tensor delta = sqrt(state[1] + o.eps) / sqrt(state[0] + o.eps) * d;
  state[1] = lerp(square(delta), state[1], o.rho);
  return p - u.lr * delta;
}

// ---- Adafactor ----

Adafactor::Adafactor(const Parameters& parameters, AdafactorOptions options,
                     std::vector<Group<AdafactorOptions>> groups)
    : OptimizerWith("Adafactor", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Adafactor::moments(const Tensor& p, std::size_t /*group*/) const {
  if (p.rank() < 2) return {{"variance", like(p)}};
  Shape row = p.shape();
  Shape col = p.shape();
  row[p.rank() - 1] = 1;
  col[p.rank() - 2] = 1;
  return {{"row_var", zeros(row, p.dtype(), p.device())}, {"col_var", zeros(col, p.dtype(), p.device())}};
}

Tensor Adafactor::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const AdafactorOptions& o = options(u.group);
  const double eps1 = o.eps1 > 0 ? o.eps1 : (p.dtype() == f64 ? 0x1p-52 : 0x1p-23);
  const auto root = [](const Tensor& x) { return sqrt(mean(square(x))); };
  const Tensor keep = 1 - power(u.count, o.beta2_decay);  // of the old moments
  const Tensor rho = minimum(u.lr, rsqrt(u.count));
  const Tensor alpha = maximum(root(p), o.eps2) * rho;
  const Tensor shrunk = u.weight_decay == 0 ? p : p * (1 - u.lr * u.weight_decay);
  const auto mixed = [&](const Tensor& fresh, const Tensor& old) { return fresh + (old - fresh) * keep; };
  Tensor variance;
  if (p.rank() < 2) {
    variance = state[0] = mixed(square(g), state[0]);
  } else {
    state[0] = mixed(mean(square(g), {-1}, true), state[0]);
    state[1] = mixed(mean(square(g), {-2}, true), state[1]);
    variance = state[0] * state[1] / maximum(mean(state[0], {-2}, true), eps1);
  }
  const Tensor step = rsqrt(maximum(variance, eps1 * eps1)) * g;
  return shrunk - alpha / maximum(root(step) / o.d, 1.0) * step;
}

// ---- Lion ----

Lion::Lion(const Parameters& parameters, LionOptions options, std::vector<Group<LionOptions>> groups)
    : OptimizerWith("Lion", std::move(options), std::move(groups)) {
  add(parameters);
}

Optimizer::Moments Lion::moments(const Tensor& p, std::size_t /*group*/) const { return {{"exp_avg", like(p)}}; }

Tensor Lion::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const LionOptions& o = options(u.group);
  const Tensor direction = sign(lerp(g, state[0], o.beta1));
  state[0] = lerp(g, state[0], o.beta2);
  return (u.weight_decay == 0 ? p : p * (1 - u.lr * u.weight_decay)) - u.lr * direction;
}

// ---- Muon ----

namespace {

/// The nearest matrix with orthonormal rows or columns, roughly: singular values come near 1.
Tensor orthogonalized(const Tensor& g, int steps, double eps) {
  const bool tall = g.size(0) > g.size(1);
  Tensor x = tall ? g.T() : g;
  x = x / maximum(sqrt(sum(square(x))), eps);
  for (int i = 0; i < steps; ++i) {
    const Tensor gram = matmul(x, x.T());
    x = x * 3.4445 + matmul(gram * -4.7750 + matmul(gram, gram) * 2.0315, x);
  }
  return tall ? x.T() : x;
}

}  // namespace

Muon::Muon(const Parameters& parameters, MuonOptions options)
    : Optimizer("Muon", {{"", options.lr, options.weight_decay, options.no_decay},
                         {"", options.adamw.lr, options.adamw.weight_decay, options.adamw.no_decay}}),
      options_(std::move(options)) {
  add(parameters);
}

std::size_t Muon::group_of(const std::string& name, const Tensor& p) const {
  const bool adamw = p.rank() != 2 || std::ranges::any_of(options_.use_adamw, [&](const std::string& pattern) {
                       return nn::matches(pattern, name);
                     });
  return adamw ? 1 : 0;
}

Optimizer::Moments Muon::moments(const Tensor& p, std::size_t group) const {
  if (group == 1) return adam_moments(p, options_.adamw.amsgrad);
  return {{"momentum_buffer", like(p)}};
}

Tensor Muon::apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const {
  const Tensor shrunk = u.weight_decay == 0 ? p : p * (1 - u.lr * u.weight_decay);
  if (u.group == 1) {
    const AdamWOptions& a = options_.adamw;
    return adam_step({a.beta1, a.beta2, a.eps}, correction(a.beta1, u.count), correction(a.beta2, u.count), u.lr,
                     shrunk, g, state);
  }
  state[0] = lerp(g, state[0], options_.momentum);
  const Tensor direction = options_.nesterov ? lerp(g, state[0], options_.momentum) : state[0];
  const Tensor step = orthogonalized(direction.astype(f32), options_.ns_steps, options_.eps);
  const auto rows = static_cast<double>(p.size(0));
  const auto cols = static_cast<double>(p.size(1));
  const double scale = options_.scale == MuonScale::kOriginal ? std::sqrt(std::max(1.0, rows / cols))
                                                              : 0.2 * std::sqrt(std::max(rows, cols));
  return shrunk - u.lr * scale * step;
}

}  // namespace tessera::optim
