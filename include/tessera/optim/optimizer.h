// Optimizer: what all optimizers share. State and learning rates are tensors, so that one compiled step serves all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/module.h"
#include "tessera/optim/schedule.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace optim {

/// What an optimizer is made for: the trainable parameters of a module, or a tree of parameters.
class Parameters {
 public:
  Parameters(const nn::Module& model) : tree(model.trainable_parameters()) {}  // NOLINT(google-explicit-constructor)
  Parameters(Tree parameters) : tree(std::move(parameters)) {}                 // NOLINT(google-explicit-constructor)
  Tree tree;
};

/// Other options for the parameters whose names match a pattern of '*' and '?'.
template <class Options>
struct Group {
  std::string pattern;
  Options options;
};

/// Updates parameters by their gradients. The number of updates, learning rates and moments are tensors, listed by
/// fields(): an optimizer is part of the state of a compiled step, compile(step, model, optimizer), and is saved and
/// loaded by nn::state_of and nn::set_state. Moments of f16 and bf16 parameters are f32. A value: copies are
/// independent.
class Optimizer : public nn::Stateful {
 public:
  /// One step. Parameters without a gradient stay as they are. Error of kind value for a gradient of a parameter that
  /// the optimizer does not know. Inside a compiled function model and optimizer must be part of its state; outside,
  /// the call starts computing parameters and state in one submission, and does not wait. Where `when` is given, a bool
  /// of rank 0, and false, parameters and state stay as they were; that is decided on the device.
  void update(nn::Module& model, const Tree& gradients, const Tensor& when = {});
  void update(Tree& parameters, const Tree& gradients, const Tensor& when = {});
  /// Makes state for parameters that have none: those that were frozen when the optimizer was made.
  void add(const Parameters& parameters);

  void fields(nn::Fields& f) override;
  [[nodiscard]] std::vector<nn::NameLists> together() const override;
  /// The number of updates so far: i32 of rank 0.
  [[nodiscard]] const Tensor& steps() const { return step_; }
  /// The learning rate of the latest update, f32 of rank 0; group 0 has the parameters that match no pattern.
  [[nodiscard]] const Tensor& rate(std::size_t group = 0) const;
  /// A new rate from the next update on; a compiled step is not traced again. Error of kind value for a group with a
  /// schedule.
  void set_rate(double rate, std::size_t group = 0);
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }

 protected:
  /// A group as this class needs it.
  struct GroupInfo {
    std::string pattern;
    Rate rate;
    double weight_decay;
    std::vector<std::string> no_decay;
    Tensor lr = {};
  };
  /// One update of one parameter.
  struct Update {
    std::size_t group;
    const Tensor& lr;     // f32 of rank 0
    const Tensor& count;  // this update's number, from 1: f32 of rank 0
    double weight_decay;  // 0 for parameters that do not decay
  };
  using Moments = std::vector<std::pair<std::string, Tensor>>;

  Optimizer(std::string name, std::vector<GroupInfo> groups);
  /// The names and initial values of a parameter's state; p is f32 if the parameter is f16 or bf16.
  [[nodiscard]] virtual Moments moments(const Tensor& p, std::size_t group) const = 0;
  /// The new parameter; replaces its state, in the order of moments().
  virtual Tensor apply(const Update& u, const Tensor& p, const Tensor& g, std::span<Tensor> state) const = 0;
  /// Whether apply() computes each element from the same elements of its arguments: then it may be called once for all
  /// parameters of a group, as arenas.
  [[nodiscard]] virtual bool elementwise(std::size_t group) const;
  /// By the first pattern that matches; 0: none.
  [[nodiscard]] virtual std::size_t group_of(const std::string& name, const Tensor& p) const;
  /// -expm1(count * log(beta)), which is 1 - beta^count without cancellation.
  static Tensor correction(double beta, const Tensor& count);

 private:
  struct Entry {
    std::string name;
    std::size_t group;
    bool decays;
    DType dtype;  // of the parameter
    bool packs;   // it may be updated in an arena
    std::vector<std::string> state_names = {};
    std::vector<Tensor> state = {};
    /// What entries in one arena have in common.
    [[nodiscard]] auto kind() const { return std::tuple(packs, group, decays, dtype, state.size()); }
  };
  /// A parameter and its gradient in an update.
  struct Job {
    Entry* entry;
    Tensor parameter;
    Tensor gradient;
  };
  /// Replaces the parameters and the state of jobs of one kind.
  void apply_all(std::span<Job> jobs, const Tensor& count, const Tensor& when) const;
  [[nodiscard]] Tree updated(const std::vector<Tree::Named>& parameters, const Tree& gradients, const Tensor& when);

  std::string name_;
  std::vector<GroupInfo> groups_;
  std::vector<Entry> entries_;
  Tensor step_;
};

/// An optimizer with options for each group: those of group 0 first.
template <class Options>
class OptimizerWith : public Optimizer {
 protected:
  OptimizerWith(std::string name, Options options, std::vector<Group<Options>> groups)
      : Optimizer(std::move(name), infos(options, groups)) {
    options_.push_back(std::move(options));
    for (Group<Options>& g : groups) options_.push_back(std::move(g.options));
  }
  [[nodiscard]] const Options& options(std::size_t group) const { return options_[group]; }

 private:
  static std::vector<GroupInfo> infos(const Options& options, const std::vector<Group<Options>>& groups) {
    std::vector<GroupInfo> all{{"", options.lr, options.weight_decay, options.no_decay}};
    for (const Group<Options>& g : groups) {
      all.push_back({g.pattern, g.options.lr, g.options.weight_decay, g.options.no_decay});
    }
    return all;
  }
  std::vector<Options> options_;
};

/// The names of parameters with fewer than two axes, biases and the weights of norms: for no_decay.
std::vector<std::string> vectors_of(const Parameters& parameters);

struct ClippedGradients {
  Tree gradients;
  Tensor norm;  // before clipping: f32 of rank 0
};
/// Scales all gradients by one factor, so that their norm is at most max_norm. Nothing is read back.
ClippedGradients clip_grad_norm(const Tree& gradients, double max_norm);
/// Limits each element to [-limit, limit].
Tree clip_grad_value(const Tree& gradients, double limit);

/// An exponential moving average of the parameters: average += (1 - decay) * (parameter - average).
class Ema : public nn::Stateful {
 public:
  explicit Ema(const Parameters& parameters, double decay = 0.999);
  void update(const nn::Module& model);
  void update(const Tree& parameters);
  [[nodiscard]] const Tree& parameters() const { return average_; }
  /// Exchanges the averages and the parameters of the model: twice gives the model back its own.
  void swap(nn::Module& model);
  void fields(nn::Fields& f) override;

 private:
  double decay_;
  Tree average_;
};

struct PlateauOptions {
  bool maximize = false;  // the metric should rise
  double factor = 0.1;
  int patience = 10;  // calls without an improvement before the rate is reduced
  double threshold = 1e-4;
  bool relative = true;  // the threshold is a part of the best metric
  int cooldown = 0;      // calls after a reduction that do not count
  double minimum = 0;
  double eps = 1e-8;  // smaller reductions are left out
};
/// Reduces the learning rates if a metric does not improve any more. Runs on the host: step() once per epoch.
class ReduceOnPlateau {
 public:
  explicit ReduceOnPlateau(const PlateauOptions& options = {});
  /// Whether it reduced a rate. Reads the rates.
  bool step(double metric, Optimizer& optimizer);

  /// What it remembers between steps: for saving a run.
  struct State {
    double best = 0;
    int bad = 0;      // steps since the best
    int cooling = 0;  // steps that do not count any more
  };
  [[nodiscard]] State state() const { return {best_, bad_, cooling_}; }
  void set_state(const State& state) {
    best_ = state.best;
    bad_ = state.bad;
    cooling_ = state.cooling;
  }

 private:
  PlateauOptions options_;
  double best_;
  int bad_ = 0;
  int cooling_ = 0;
};

}  // namespace optim
}  // namespace tessera
