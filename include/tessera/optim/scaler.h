// Training in mixed precision and in micro-batches: dynamic loss scaling, and sums of gradients.
#pragma once

#include <cstdint>

#include "tessera/export.h"
#include "tessera/optim/optimizer.h"

namespace TESSERA_API tessera {
namespace optim {

struct LossScalerOptions {
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  int growth_interval = 2000;
};

/// Gradients without the factor of a LossScaler, in f32.
struct UnscaledGradients {
  Tree gradients;
  Tensor finite;  // whether all of them were finite: bool of rank 0
};

/// Multiplies the loss, so that small gradients do not vanish in f16, and skips updates whose gradients overflowed, as
/// PyTorch's GradScaler does. Everything happens on the device, nothing is read back: a skipped update leaves
/// parameters, moments and the optimizer's step as they were and multiplies the scale by backoff_factor;
/// growth_interval updates in a row without one multiply it by growth_factor. Part of the state of a compiled step, and
/// saved and loaded by nn::state_of and nn::set_state:
///
///   auto step = compile([&](const Tensor& x, const Tensor& y) {
///     auto [loss, gradients, aux] = value_and_grad(model, [&] {
///       const Autocast scope(f16);
///       const Tensor loss = cross_entropy(model(x), y);
///       return std::pair<Tensor, Tensor>(scaler.scale(loss), loss);
///     })();
///     scaler.update(optimizer, model, gradients);
///     return aux;
///   }, model, optimizer, scaler);
class LossScaler : public nn::Stateful {
 public:
  explicit LossScaler(const LossScalerOptions& options = {}, const Device& device = {});
  /// The loss in f32, times the scale.
  [[nodiscard]] Tensor scale(const Tensor& loss) const;
  /// Before gradients are clipped: clip_grad_norm(unscaled.gradients, ..) has the norm of the gradients themselves.
  [[nodiscard]] UnscaledGradients unscale(const Tree& scaled) const;
  /// One step of the optimizer, unless a gradient is not finite, and the scale of the next one. The result is whether
  /// the step was skipped: bool of rank 0.
  Tensor update(Optimizer& optimizer, nn::Module& model, const Tree& scaled);
  Tensor update(Optimizer& optimizer, nn::Module& model, const UnscaledGradients& gradients);
  Tensor update(Optimizer& optimizer, Tree& parameters, const Tree& scaled);
  Tensor update(Optimizer& optimizer, Tree& parameters, const UnscaledGradients& gradients);

  /// The factor of the next loss: f32 of rank 0.
  [[nodiscard]] const Tensor& factor() const { return scale_; }
  /// The number of skipped updates: i32 of rank 0.
  [[nodiscard]] const Tensor& skipped() const { return skipped_; }
  void fields(nn::Fields& f) override;

 private:
  Tensor finish(const Tensor& finite);

  LossScalerOptions options_;
  Tensor scale_;
  Tensor growth_tracker_;  // updates since the scale changed
  Tensor skipped_;
};

/// Sums the gradients of micro-batches in f32, for one update by their mean, which is that of the whole batch:
///
///   auto accumulate = compile([&](const Tensor& x, const Tensor& y) {
///     auto [loss, gradients] = value_and_grad(model, loss_of)(x, y);
///     accumulator.add(gradients);
///     return loss;
///   }, model, accumulator);
///   auto apply = compile([&] { optimizer.update(model, accumulator.take()); }, model, optimizer, accumulator);
class Accumulator : public nn::Stateful {
 public:
  explicit Accumulator(const Parameters& parameters);
  /// Error of kind value for other names than those of the parameters.
  void add(const Tree& gradients);
  /// The mean of the gradients since the last call, in f32; the sums become zero. Zeros if there are none.
  [[nodiscard]] Tree take();
  /// The number of gradients since the last take(): i32 of rank 0.
  [[nodiscard]] const Tensor& count() const { return count_; }
  void fields(nn::Fields& f) override;
  [[nodiscard]] std::vector<nn::NameLists> together() const override;

 private:
  void write(const std::vector<Tensor>& sum, const Tensor& count);

  Tree sum_;
  Tensor count_;
};

}  // namespace optim
}  // namespace tessera
