// What all optimizers share: groups, state, clipping, averages.
#include "tessera/optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "nn/fail.h"
#include "nn/start.h"
#include "optim/arenas.h"
#include "tessera/autocast.h"
#include "tessera/math.h"
#include "tessera/ops.h"

namespace tessera::optim {

using nn::fail;

namespace {

/// f16 and bf16 are updated in f32.
Tensor widened(const Tensor& x) { return x.dtype() == f16 || x.dtype() == bf16 ? x.astype(f32) : x; }

bool any_matches(const std::vector<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(patterns, [&](const std::string& p) { return nn::matches(p, name); });
}

}  // namespace

Optimizer::Optimizer(std::string name, std::vector<GroupInfo> groups)
    : name_(std::move(name)), groups_(std::move(groups)) {}

std::size_t Optimizer::group_of(const std::string& name, const Tensor& /*p*/) const {
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    if (nn::matches(groups_[i].pattern, name)) return i;
  }
  return 0;
}

void Optimizer::add(const Parameters& parameters) {
  const std::vector<Tree::Named> named = parameters.tree.flatten();
  if (named.empty()) fail(ErrorKind::kValue, "{}: there are no parameters to train.", name_);
  std::vector<bool> used(groups_.size());
  for (const auto& [name, tensor] : named) {
    if (!is_float(tensor.dtype())) {
      fail(ErrorKind::kDType, "{}: the parameter '{}' has the dtype {}; a float dtype is expected.", name_, name,
           tessera::name(tensor.dtype()));
    }
    const std::size_t group = group_of(name, tensor);
    used[group] = true;
    if (std::ranges::any_of(entries_, [&](const Entry& e) { return e.name == name; })) continue;
    Entry entry{.name = name,
                .group = group,
                .decays = !any_matches(groups_[group].no_decay, name),
                .dtype = tensor.dtype(),
                .packs = elementwise(group) && tensor.numel() > 0};
    for (auto& [state_name, state] : moments(widened(tensor), group)) {
      entry.packs = entry.packs && state.shape() == tensor.shape();
      entry.state_names.push_back(state_name);
      entry.state.push_back(std::move(state));
    }
    entries_.push_back(std::move(entry));
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (!groups_[i].pattern.empty() && !used[i]) {
      fail(ErrorKind::kValue, "{}: no parameter is in the group of the pattern '{}'; the first parameter is '{}'.",
           name_, groups_[i].pattern, named[0].first);
    }
  }
  const Device device = named[0].second.device();
  if (!step_.defined()) step_ = zeros({}, i32, device);
  for (GroupInfo& g : groups_) {
    if (g.lr.defined()) continue;
    if (!g.rate.schedule() && !(g.rate.value() >= 0)) {
      fail(ErrorKind::kValue, "{}: a learning rate of {} was given; it must not be negative.", name_, g.rate.value());
    }
    g.lr = full({}, g.rate.schedule() ? 0.0 : g.rate.value(), f32, device);
  }
}

void Optimizer::fields(nn::Fields& f) {
  f.buffer("step", step_);
  for (std::size_t i = 0; i < groups_.size(); ++i) f.buffer("lr." + std::to_string(i), groups_[i].lr);
  std::string path;
  for (Entry& e : entries_) {
    for (std::size_t i = 0; i < e.state.size(); ++i) {
      path = "state." + e.name + "." + e.state_names[i];
      f.buffer(path, e.state[i]);
    }
  }
}

std::vector<nn::NameLists> Optimizer::together() const {
  std::map<decltype(entries_[0].kind()), std::vector<const Entry*>> kinds;
  for (const Entry& e : entries_) {
    if (e.packs) kinds[e.kind()].push_back(&e);
  }
  std::vector<nn::NameLists> groups;
  for (const auto& [kind, entries] : kinds) {
    nn::NameLists& lists = groups.emplace_back(1 + entries[0]->state.size());
    for (const Entry* e : entries) {
      lists[0].push_back(e->name);
      for (std::size_t i = 0; i < e->state.size(); ++i) {
        lists[1 + i].push_back("state." + e->name + "." + e->state_names[i]);
      }
    }
  }
  return groups;
}

bool Optimizer::elementwise(std::size_t /*group*/) const { return false; }

const Tensor& Optimizer::rate(std::size_t group) const {
  if (group >= groups_.size()) {
    fail(ErrorKind::kValue, "{}::rate: group {} was given, and there are {}.", name_, group, groups_.size());
  }
  return groups_[group].lr;
}

void Optimizer::set_rate(double rate, std::size_t group) {
  const Device device = this->rate(group).device();
  if (groups_[group].rate.schedule()) {
    fail(ErrorKind::kValue, "{}::set_rate: the rate of group {} is a schedule.", name_, group);
  }
  if (!(rate >= 0)) {
    fail(ErrorKind::kValue, "{}::set_rate: a rate of {} was given; it must not be negative.", name_, rate);
  }
  nn::detail::check_write(groups_[group].lr, name_ + "::set_rate", "lr");
  groups_[group].rate = rate;
  groups_[group].lr = full({}, rate, f32, device);
}

Tensor Optimizer::correction(double beta, const Tensor& count) {
  return beta == 0 ? ones({}, f32, count.device()) : -expm1(count * std::log(beta));
}

void Optimizer::update(nn::Module& model, const Tree& gradients, const Tensor& when) {
  model.update(updated(model.parameters().flatten(), gradients, when));
}

void Optimizer::update(Tree& parameters, const Tree& gradients, const Tensor& when) {
  const std::vector<Tree::Named> named = updated(parameters.flatten(), gradients, when).flatten();
  for (const auto& [name, tensor] : named) {
    Tensor& slot = parameters.at(name).tensor();
    nn::detail::check_write(slot, name_ + "::update", name);
    slot = tensor;
  }
}

Tree Optimizer::updated(const std::vector<Tree::Named>& parameters, const Tree& gradients, const Tensor& when) {
  nn::detail::check_write(step_, name_ + "::update", "step");
  if (when.defined() && (when.dtype() != boolean || when.rank() != 0)) {
    fail(ErrorKind::kValue, "{}::update: the condition is {} of shape {}; a bool of rank 0 is expected.", name_,
         tessera::name(when.dtype()), when.shape().str());
  }
  const auto kept = [&](const Tensor& now, const Tensor& old) { return when.defined() ? where(when, now, old) : now; };
  const Autocast disabled(std::nullopt);
  std::unordered_map<std::string, Tensor> now(parameters.begin(), parameters.end());
  std::unordered_map<std::string, Tensor> given;
  for (const auto& [name, g] : gradients.flatten()) {
    if (!now.contains(name)) {
      fail(ErrorKind::kValue, "{}::update: there is a gradient of '{}', and no parameter of that name.", name_, name);
    }
    given.emplace(name, g);
  }
  const Tensor before = step_.astype(f32);
  const Tensor count = (step_ + 1).astype(f32);
  step_ = kept(step_ + 1, step_);
  for (GroupInfo& g : groups_) {
    if (const Schedule& schedule = g.rate.schedule()) {
      const Tensor rate = schedule(before);
      if (!rate.defined() || rate.rank() != 0) {
        fail(ErrorKind::kShape, "{}: the schedule returned {}; a tensor of rank 0 is expected.", name_,
             rate.defined() ? "the shape " + rate.shape().str() : "an empty Tensor");
      }
      g.lr = kept(full({}, rate, f32, step_.device()), g.lr);
    }
  }
  std::map<decltype(entries_[0].kind()), std::vector<Job>> kinds;
  for (Entry& e : entries_) {
    const auto it = given.find(e.name);
    if (it == given.end()) continue;
    Job job{&e, now.at(e.name), std::move(it->second)};
    given.erase(it);
    if (job.gradient.shape() != job.parameter.shape()) {
      fail(ErrorKind::kShape, "{}::update: the gradient of '{}' has the shape {}; {} is expected.", name_, e.name,
           job.gradient.shape().str(), job.parameter.shape().str());
    }
    kinds[e.kind()].push_back(std::move(job));
  }
  if (!given.empty()) {
    fail(ErrorKind::kValue,
         "{}::update: there is a gradient of '{}', which the optimizer does not know: it was frozen when the optimizer "
         "was made. Call add(model) before.",
         name_, given.begin()->first);
  }
  std::unordered_map<const Entry*, Tensor> next;
  for (auto& [kind, jobs] : kinds) {
    apply_all(jobs, count, when);
    for (Job& job : jobs) next.emplace(job.entry, std::move(job.parameter));
  }
  std::vector<Tree::Named> result;
  for (const Entry& e : entries_) {
    if (const auto it = next.find(&e); it != next.end()) result.emplace_back(e.name, it->second);
  }
  std::vector<Tensor> fresh{step_};
  for (const auto& [name, t] : result) fresh.push_back(t);
  for (const GroupInfo& g : groups_) fresh.push_back(g.lr);
  for (const Entry& e : entries_) fresh.insert(fresh.end(), e.state.begin(), e.state.end());
  nn::start_unless_recorded(fresh);
  return result.empty() ? Tree() : Tree::unflatten(result);
}

void Optimizer::apply_all(std::span<Job> jobs, const Tensor& count, const Tensor& when) const {
  const Entry& front = *jobs[0].entry;
  const GroupInfo& group = groups_[front.group];
  const Update u{
      .group = front.group, .lr = group.lr, .count = count, .weight_decay = front.decays ? group.weight_decay : 0};
  /// Of a gradient, a parameter and its state.
  const auto step = [&](std::span<Tensor> all) {
    const Tensors old(all.begin() + 1, all.end());
    const Tensor wide = widened(old[0]);
    all[1] = apply(u, wide, all[0].astype(wide.dtype()), all.subspan(2)).astype(old[0].dtype());
    for (std::size_t i = 0; i < old.size() && when.defined(); ++i) all[1 + i] = where(when, all[1 + i], old[i]);
  };
  std::vector<Tensors> lists(2 + front.state.size());
  for (const Job& job : jobs) {
    lists[0].push_back(job.gradient);
    lists[1].push_back(job.parameter);
    for (std::size_t i = 0; i < job.entry->state.size(); ++i) lists[2 + i].push_back(job.entry->state[i]);
  }
  if (front.packs) {
    apply_together(lists, step);
  } else {
    apply_each(lists, step);
  }
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    jobs[k].parameter = lists[1][k];
    for (std::size_t i = 0; i < jobs[k].entry->state.size(); ++i) jobs[k].entry->state[i] = lists[2 + i][k];
  }
}

std::vector<std::string> vectors_of(const Parameters& parameters) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : parameters.tree.flatten()) {
    if (tensor.rank() < 2) names.push_back(name);
  }
  return names;
}

ClippedGradients clip_grad_norm(const Tree& gradients, double max_norm) {
  if (!(max_norm > 0)) {
    fail(ErrorKind::kValue, "clip_grad_norm: a norm of {} was given; a positive number is expected.", max_norm);
  }
  if (gradients.empty()) fail(ErrorKind::kValue, "clip_grad_norm: there are no gradients.");
  Flattened all(gradients.tensors());
  Tensor squares;
  for (const Tensor& g : all.values) {
    const Tensor part = sum(square(widened(g)));
    squares = squares.defined() ? squares + part : part;
  }
  const Tensor norm = sqrt(squares);
  const Tensor factor = minimum(max_norm / (norm + 1e-6), 1.0);
  for (Tensor& g : all.values) g = (widened(g) * factor).astype(g.dtype());
  return {gradients.with_tensors(all.tensors()), norm};
}

Tree clip_grad_value(const Tree& gradients, double limit) {
  if (!(limit > 0)) {
    fail(ErrorKind::kValue, "clip_grad_value: a limit of {} was given; a positive number is expected.", limit);
  }
  return gradients.map([&](const Tensor& g) { return clamp(g, -limit, limit); });
}

Ema::Ema(const Parameters& parameters, double decay)
    : decay_(decay), average_(parameters.tree.map([](const Tensor& x) { return widened(x); })) {
  if (!(decay >= 0 && decay <= 1)) {
    fail(ErrorKind::kValue, "Ema: a decay of {} was given; from 0 to 1 is expected.", decay);
  }
}

void Ema::update(const nn::Module& model) {
  std::unordered_map<std::string, Tensor> now;
  for (auto& [name, t] : model.parameters().flatten()) now.emplace(name, t);
  std::vector<Tree::Named> own;
  for (const std::string& name : average_.names()) {
    const auto it = now.find(name);
    if (it == now.end()) fail(ErrorKind::kValue, "Ema: the model has no parameter '{}'.", name);
    own.emplace_back(name, it->second);
  }
  update(Tree::unflatten(own));
}

void Ema::update(const Tree& parameters) {
  const Tree next = Tree::zip(average_, parameters,
                              [&](const Tensor& a, const Tensor& p) { return a + (widened(p) - a) * (1 - decay_); });
  for (const auto& [name, t] : next.flatten()) {
    Tensor& slot = average_.at(name).tensor();
    nn::detail::check_write(slot, "Ema::update", name);
    slot = t;
  }
  nn::start_unless_recorded(average_.tensors());
}

void Ema::swap(nn::Module& model) {
  const Tree own = model.parameters();
  const Tree averages =
      average_.map_named([&](const std::string& name, const Tensor& a) { return a.astype(own.tensor(name).dtype()); });
  const Tree before =
      average_.map_named([&](const std::string& name, const Tensor&) { return widened(own.tensor(name)); });
  model.update(averages);
  average_ = before;
}

void Ema::fields(nn::Fields& f) { f.buffer("average", average_); }

ReduceOnPlateau::ReduceOnPlateau(const PlateauOptions& options)
    : options_(options),
      best_(options.maximize ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity()) {
  if (!(options.factor < 1)) {
    fail(ErrorKind::kValue, "ReduceOnPlateau: a factor of {} was given; one below 1 is expected.", options.factor);
  }
}

bool ReduceOnPlateau::step(double metric, Optimizer& optimizer) {
  const double sign = options_.maximize ? -1 : 1;
  const double threshold = options_.relative ? options_.threshold * std::abs(best_) : options_.threshold;
  const double margin = std::isinf(best_) ? 0 : threshold;  // the first metric
  if (sign * metric < sign * best_ - margin) {              // a NaN is no improvement
    best_ = metric;
    bad_ = 0;
  } else {
    ++bad_;
  }
  if (cooling_ > 0) {
    --cooling_;
    bad_ = 0;
  }
  if (bad_ <= options_.patience) return false;
  cooling_ = options_.cooldown;
  bad_ = 0;
  bool reduced = false;
  for (std::size_t i = 0; i < optimizer.groups(); ++i) {
    const auto before = optimizer.rate(i).item<double>();
    const double next = std::max(before * options_.factor, options_.minimum);
    if (before - next <= options_.eps) continue;
    optimizer.set_rate(next, i);
    reduced = true;
  }
  return reduced;
}

}  // namespace tessera::optim
