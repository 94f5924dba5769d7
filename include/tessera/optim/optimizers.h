// The optimizers, with the names and defaults of torch.optim. Lion's are those of MLX.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/optim/optimizer.h"

namespace TESSERA_API tessera {
namespace optim {

// Names of `no_decay` are patterns of parameters without weight decay: {"*.bias", "*norm*"}, or vectors_of(model).

struct SgdOptions {
  Rate lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  std::vector<std::string> no_decay = {};
};
class SGD : public OptimizerWith<SgdOptions> {
 public:
  explicit SGD(const Parameters& parameters, SgdOptions options = {}, std::vector<Group<SgdOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct AdamOptions {
  Rate lr = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // added to the gradient
  bool amsgrad = false;
  std::vector<std::string> no_decay = {};
};
class Adam : public OptimizerWith<AdamOptions> {
 public:
  explicit Adam(const Parameters& parameters, AdamOptions options = {}, std::vector<Group<AdamOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct AdamWOptions {
  Rate lr = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 1e-2;  // of the parameter itself, times the rate
  bool amsgrad = false;
  std::vector<std::string> no_decay = {};
};
class AdamW : public OptimizerWith<AdamWOptions> {
 public:
  explicit AdamW(const Parameters& parameters, AdamWOptions options = {}, std::vector<Group<AdamWOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct AdamaxOptions {
  Rate lr = 2e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  std::vector<std::string> no_decay = {};
};
class Adamax : public OptimizerWith<AdamaxOptions> {
 public:
  explicit Adamax(const Parameters& parameters, AdamaxOptions options = {},
                  std::vector<Group<AdamaxOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct NAdamOptions {
  Rate lr = 2e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum_decay = 4e-3;
  bool decoupled_weight_decay = false;
  std::vector<std::string> no_decay = {};
};
class NAdam : public OptimizerWith<NAdamOptions> {
 public:
  explicit NAdam(const Parameters& parameters, NAdamOptions options = {}, std::vector<Group<NAdamOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct RAdamOptions {
  Rate lr = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled_weight_decay = false;
  std::vector<std::string> no_decay = {};
};
class RAdam : public OptimizerWith<RAdamOptions> {
 public:
  explicit RAdam(const Parameters& parameters, RAdamOptions options = {}, std::vector<Group<RAdamOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct RMSpropOptions {
  Rate lr = 1e-2;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  std::vector<std::string> no_decay = {};
};
class RMSprop : public OptimizerWith<RMSpropOptions> {
 public:
  explicit RMSprop(const Parameters& parameters, RMSpropOptions options = {},
                   std::vector<Group<RMSpropOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct AdagradOptions {
  Rate lr = 1e-2;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
  std::vector<std::string> no_decay = {};
};
class Adagrad : public OptimizerWith<AdagradOptions> {
 public:
  explicit Adagrad(const Parameters& parameters, AdagradOptions options = {},
                   std::vector<Group<AdagradOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

struct AdadeltaOptions {
  Rate lr = 1.0;
  double rho = 0.9;
  double eps = 1e-6;
  double weight_decay = 0;
  std::vector<std::string> no_decay = {};
};
class Adadelta : public OptimizerWith<AdadeltaOptions> {
 public:
  explicit Adadelta(const Parameters& parameters, AdadeltaOptions options = {},
                    std::vector<Group<AdadeltaOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

/// Second moments of matrices as a row and a column: state of n + m instead of n * m numbers.
struct AdafactorOptions {
  Rate lr = 1e-2;  // an upper bound of the relative step
  double beta2_decay = -0.8;
  double eps1 = 0;  // 0: the epsilon of f32, or of f64
  double eps2 = 1e-3;
  double d = 1;  // the largest root mean square of an update
  double weight_decay = 0;
  std::vector<std::string> no_decay = {};
};
class Adafactor : public OptimizerWith<AdafactorOptions> {
 public:
  explicit Adafactor(const Parameters& parameters, AdafactorOptions options = {},
                     std::vector<Group<AdafactorOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
};

struct LionOptions {
  Rate lr = 1e-4;
  double beta1 = 0.9, beta2 = 0.99;
  double weight_decay = 0;
  std::vector<std::string> no_decay = {};
};
class Lion : public OptimizerWith<LionOptions> {
 public:
  explicit Lion(const Parameters& parameters, LionOptions options = {}, std::vector<Group<LionOptions>> groups = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t /*group*/) const override { return true; }
};

enum class MuonScale : std::uint8_t {
  kOriginal,       // sqrt(max(1, rows / columns))
  kMatchRmsAdamW,  // 0.2 * sqrt(max(rows, columns)): updates as large as AdamW's
};
struct MuonOptions {
  Rate lr = 1e-3;
  double weight_decay = 0.1;
  double momentum = 0.95;
  bool nesterov = true;
  double eps = 1e-7;
  int ns_steps = 5;  // Newton-Schulz iterations
  MuonScale scale = MuonScale::kOriginal;
  std::vector<std::string> no_decay = {};
  /// For parameters that are not matrices, and for those that match one of the patterns: embeddings, the head.
  AdamWOptions adamw = {};
  std::vector<std::string> use_adamw = {};
};
/// Momentum whose matrices are made orthogonal. The rate of the matrices is that of group 0, that of AdamW of group 1.
class Muon : public Optimizer {
 public:
  explicit Muon(const Parameters& parameters, MuonOptions options = {});

 private:
  [[nodiscard]] Moments moments(const Tensor& p, std::size_t group) const override;
  Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const override;
  [[nodiscard]] bool elementwise(std::size_t group) const override { return group == 1; }
  [[nodiscard]] std::size_t group_of(const std::string& name, const Tensor& p) const override;
  MuonOptions options_;
};

}  // namespace optim
}  // namespace tessera
