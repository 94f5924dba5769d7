// Shards: gradients and the state of an optimizer in equal parts over the ranks of a job (ZeRO 1 and 2).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tessera/distributed.h"
#include "tessera/export.h"
#include "tessera/nn/module.h"
#include "tessera/optim/optimizer.h"
#include "tessera/optim/scaler.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace optim {

/// This rank's part of each trainable parameter: its elements in their order, padded with zeros, in as many equal parts
/// as there are ranks. An optimizer that is made for the parts has 1 / ranks of the state, and a gradient lives until
/// its bucket is summed. Parts are f32 of f16 and bf16 parameters: then they are the masters. Part of the state of a
/// compiled step:
///
///   optim::Shards shards(model);
///   optim::AdamW optimizer(shards.parameters(), {.lr = 3e-4, .no_decay = optim::vectors_of(model)});
///   auto step = compile([&](const Tensor& x, const Tensor& y) {
///     auto [loss, gradients] = value_and_grad(model, [&] { return cross_entropy(model(x), y); })();
///     shards.update(optimizer, model, shards.scatter(gradients));
///     return distributed::all_reduce(loss, distributed::Reduce::kMean);
///   }, model, optimizer, shards);
///
/// For optimizers that compute each element by itself: not Adafactor and Muon.
class Shards : public nn::Stateful {
 public:
  /// Of parameters as they are now, which must be equal on all ranks.
  explicit Shards(const Parameters& parameters, const distributed::Group& group = {},
                  const distributed::GradientOptions& options = {});

  /// What an optimizer is made for, by the names of the model's parameters: tensors of rank 1.
  [[nodiscard]] Parameters parameters() const { return {parts_}; }
  /// This rank's parts of the means of gradients over the ranks, in buckets.
  [[nodiscard]] Tree scatter(const Tree& gradients) const;
  /// clip_grad_norm() by the norm of all ranks' parts together.
  [[nodiscard]] ClippedGradients clip_grad_norm(const Tree& parts, double max_norm) const;
  /// One step of the optimizer on the parts, and the parameters that all ranks have made.
  void update(Optimizer& optimizer, nn::Module& model, const Tree& parts);
  /// The same with loss scaling: unless a gradient of any rank is not finite. `unscaled`: of scattered gradients.
  void update(Optimizer& optimizer, nn::Module& model, LossScaler& scaler, UnscaledGradients unscaled);

  /// Takes the parts of parameters of the same names as they are now.
  void reset(const Tree& parameters);
  void fields(nn::Fields& f) override;

  /// The state that the optimizer would have without shards, by the names of its fields, and the masters of f16 and
  /// bf16 parameters as "masters.NAME": for checkpoints that do not depend on the number of ranks. All ranks call them.
  [[nodiscard]] Tree whole_state(Optimizer& optimizer) const;
  /// Its shapes, filled with zeros. Does not exchange anything.
  [[nodiscard]] Tree blank_state(Optimizer& optimizer) const;
  /// Takes this rank's part of such a state.
  void set_whole_state(Optimizer& optimizer, const Tree& whole);

 private:
  struct Part {
    std::string name;
    Shape shape;
    DType dtype;
    std::int64_t numel;
    std::int64_t length;  // of a part
    [[nodiscard]] bool has_master() const { return dtype == f16 || dtype == bf16; }
  };
  [[nodiscard]] Tensor own_part(const Tensor& whole, const Part& part) const;
  [[nodiscard]] Tensor joined(const Tensor& part, const Part& of) const;
  [[nodiscard]] Tree gather() const;
  /// Calls f with each tensor of the optimizer's state, its name, and the parameter whose part it is of, or none.
  void visit_state(Optimizer& optimizer,
                   const std::function<void(const std::string& name, Tensor& slot, const Part* part)>& f) const;

  distributed::Group group_;
  distributed::GradientOptions options_;
  int ranks_, rank_;
  std::vector<Part> shapes_;
  Tree parts_;
};

}  // namespace optim
}  // namespace tessera
