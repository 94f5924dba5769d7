// Shards: parameters as equal parts of ranks, which exchange gradients and new parameters in buckets.
#include "tessera/optim/shards.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "nn/fail.h"
#include "tessera/autocast.h"
#include "tessera/grad.h"
#include "tessera/ops.h"
#include "tessera/optim/optimizers.h"

namespace tessera::optim {

using distributed::Reduce;
using nn::fail;

namespace {

constexpr const char* kMasters = "masters.";

void check(const Optimizer& optimizer) {
  if (dynamic_cast<const Muon*>(&optimizer) == nullptr && dynamic_cast<const Adafactor*>(&optimizer) == nullptr) return;
  fail(ErrorKind::kUnsupported,
       "Shards: Muon and Adafactor compute with whole matrices; an optimizer that computes each element by itself is "
       "expected.");
}

/// The elements in their order, and zeros up to so many.
Tensor padded(const Tensor& x, std::int64_t length) {
  const Tensor flat = x.reshape({x.numel()});
  if (length == x.numel()) return flat;
  return concat({flat, zeros({length - x.numel()}, x.dtype(), x.device())});
}

}  // namespace

Shards::Shards(const Parameters& parameters, const distributed::Group& group,
               const distributed::GradientOptions& options)
    : group_(group), options_(options), ranks_(group.size()), rank_(group.rank()) {
  if (rank_ < 0) fail(ErrorKind::kValue, "Shards: this process is not in the group that was given.");
  if (options.bucket_bytes < 1) {
    fail(ErrorKind::kValue, "Shards: bucket_bytes is {}; at least 1 is expected.", options.bucket_bytes);
  }
  if (options.wire.has_value() && *options.wire != f16 && *options.wire != bf16) {
    fail(ErrorKind::kDType, "Shards: wire is {}; f16 or bf16 is expected.", name(*options.wire));
  }
  for (const auto& [name, p] : parameters.tree.flatten()) {
    shapes_.push_back({name, p.shape(), p.dtype(), p.numel(), (p.numel() + ranks_ - 1) / ranks_});
  }
  if (shapes_.empty()) fail(ErrorKind::kValue, "Shards: there are no parameters to train.");
  reset(parameters.tree);
}

Tensor Shards::own_part(const Tensor& whole, const Part& part) const {
  return slice(padded(whole, part.length * ranks_), {{rank_ * part.length, (rank_ + 1) * part.length}});
}

Tensor Shards::joined(const Tensor& part, const Part& of) const {
  const Tensor all = distributed::all_gather(part, 0, group_);
  return slice(all, {{0, of.numel}}).reshape(of.shape);
}

void Shards::reset(const Tree& parameters) {
  std::unordered_map<std::string, Tensor> now;
  for (auto& [name, p] : parameters.flatten()) now.emplace(name, p.detach());
  std::vector<Tree::Named> parts;
  Tensors made;
  for (const Part& part : shapes_) {
    const auto found = now.find(part.name);
    if (found == now.end() || found->second.shape() != part.shape) {
      fail(ErrorKind::kValue, "Shards: the parameter '{}' of shape {} was not given.", part.name, part.shape.str());
    }
    Tensor own = own_part(found->second, part);
    if (part.has_master()) own = own.astype(f32);
    // Memory of its own: a slice of the parameter would share it, and a step writes both.
    own = (own + 0.0).detach();
    made.push_back(own);
    parts.emplace_back(part.name, std::move(own));
  }
  eval(made);
  parts_ = Tree::unflatten(parts);
}

Tree Shards::scatter(const Tree& gradients) const {
  const Autocast disabled(std::nullopt);
  std::unordered_map<std::string, std::size_t> position;
  for (std::size_t i = 0; i < shapes_.size(); ++i) position.emplace(shapes_[i].name, i);
  std::vector<Tree::Named> named = gradients.flatten();
  std::vector<const Part*> parts;
  Tensors rows;  // [ranks, length]
  for (const auto& [name, g] : named) {
    const auto found = position.find(name);
    if (found == position.end() || shapes_[found->second].shape != g.shape()) {
      fail(ErrorKind::kValue, "Shards::scatter: there is a gradient of '{}' of shape {}, and no such parameter.", name,
           g.shape().str());
    }
    const Part& part = shapes_[found->second];
    parts.push_back(&part);
    const Tensor flat = padded(g, part.length * ranks_);
    rows.push_back(part.numel == 0 ? flat : flat.reshape({ranks_, part.length}));  // without elements: in no bucket
  }
  for (const std::vector<std::size_t>& bucket : distributed::buckets(rows, options_.bucket_bytes)) {
    Tensors some;
    for (const std::size_t i : bucket) some.push_back(rows[i]);
    Tensor all = some.size() == 1 ? some[0] : concat(some, 1);
    const DType dtype = all.dtype();
    const bool narrow = options_.wire.has_value() && size_of(dtype) > size_of(*options_.wire);
    if (narrow) all = all.astype(*options_.wire);
    const Tensor own = distributed::reduce_scatter(all, Reduce::kMean, 0, group_).astype(dtype);
    std::int64_t at = 0;
    for (const std::size_t i : bucket) {
      const std::int64_t length = parts[i]->length;
      rows[i] = slice(own, {{0, 1}, {at, at + length}}).reshape({length});
      if (parts[i]->has_master()) rows[i] = rows[i].astype(f32);
      at += length;
    }
  }
  for (std::size_t i = 0; i < named.size(); ++i) named[i].second = rows[i];
  return named.empty() ? Tree() : Tree::unflatten(named);
}

ClippedGradients Shards::clip_grad_norm(const Tree& parts, double max_norm) const {
  if (!(max_norm > 0)) {
    fail(ErrorKind::kValue, "clip_grad_norm: a norm of {} was given; a positive number is expected.", max_norm);
  }
  if (parts.empty()) fail(ErrorKind::kValue, "clip_grad_norm: there are no gradients.");
  const Autocast disabled(std::nullopt);
  Tensor squares;
  for (const Tensor& g : parts.tensors()) {
    const Tensor own = sum(square(g));
    squares = squares.defined() ? squares + own : own;
  }
  const Tensor norm = sqrt(distributed::all_reduce(squares, Reduce::kSum, group_));
  const Tensor factor = minimum(max_norm / (norm + 1e-6), 1.0);
  return {parts.map([&](const Tensor& g) { return g * factor; }), norm};
}

Tree Shards::gather() const {
  const Autocast disabled(std::nullopt);
  std::vector<Tree::Named> named = parts_.flatten();
  Tensors parts;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const Part& p = shapes_[i];
    parts.push_back(named[i].second.astype(p.dtype));
    if (p.numel == 0) named[i].second = parts.back().reshape(p.shape);  // in no bucket
  }
  for (const std::vector<std::size_t>& bucket : distributed::buckets(parts, options_.bucket_bytes)) {
    Tensors some;
    std::int64_t length = 0;
    for (const std::size_t i : bucket) {
      some.push_back(parts[i]);
      length += shapes_[i].length;
    }
    const Tensor own = some.size() == 1 ? some[0] : concat(some);
    const Tensor all = distributed::all_gather(own.reshape({1, length}), 0, group_);
    std::int64_t at = 0;
    for (const std::size_t i : bucket) {
      const Part& p = shapes_[i];
      const Tensor flat = slice(all, {{}, {at, at + p.length}}).reshape({ranks_ * p.length});
      named[i].second = slice(flat, {{0, p.numel}}).reshape(p.shape);
      at += p.length;
    }
  }
  return Tree::unflatten(named);
}

void Shards::update(Optimizer& optimizer, nn::Module& model, const Tree& parts) {
  check(optimizer);
  optimizer.update(parts_, parts);
  model.update(gather());
}

void Shards::update(Optimizer& optimizer, nn::Module& model, LossScaler& scaler, UnscaledGradients unscaled) {
  check(optimizer);
  const Tensor all_finite = distributed::all_reduce(unscaled.finite.astype(f32), Reduce::kMin, group_);
  unscaled.finite = greater(all_finite, 0.5);
  scaler.update(optimizer, parts_, unscaled);
  model.update(gather());
}

void Shards::fields(nn::Fields& f) { f.buffer("parts", parts_); }

// ---- Whole states ----

void Shards::visit_state(Optimizer& optimizer,
                         const std::function<void(const std::string&, Tensor&, const Part*)>& f) const {
  check(optimizer);
  nn::visit(optimizer, [&](const nn::Field& field) {
    const Part* of = nullptr;
    for (const Part& part : shapes_) {
      const std::string prefix = "state." + part.name + ".";
      // "state.NAME.MOMENT", and the name of a moment has no dot: "layers.1" is not "layers.1.bias".
      if (!field.name.starts_with(prefix) || field.name.find('.', prefix.size()) != std::string::npos) continue;
      if (field.tensor.shape() == Shape{part.length}) of = &part;
      break;
    }
    f(field.name, field.tensor, of);
  });
}

Tree Shards::whole_state(Optimizer& optimizer) const {
  std::vector<Tree::Named> whole;
  visit_state(optimizer, [&](const std::string& name, Tensor& slot, const Part* part) {
    whole.emplace_back(name, part != nullptr ? joined(slot.detach(), *part) : slot.detach());
  });
  const std::vector<Tree::Named> parts = parts_.flatten();
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].has_master())
      whole.emplace_back(kMasters + shapes_[i].name, joined(parts[i].second.detach(), shapes_[i]));
  }
  return Tree::unflatten(whole);
}

Tree Shards::blank_state(Optimizer& optimizer) const {
  std::vector<Tree::Named> blank;
  visit_state(optimizer, [&](const std::string& name, Tensor& slot, const Part* part) {
    blank.emplace_back(name, zeros(part != nullptr ? part->shape : slot.shape(), slot.dtype(), slot.device()));
  });
  for (const Part& part : shapes_) {
    if (part.has_master()) blank.emplace_back(kMasters + part.name, zeros(part.shape));
  }
  return Tree::unflatten(blank);
}

void Shards::set_whole_state(Optimizer& optimizer, const Tree& whole) {
  std::unordered_map<std::string, Tensor> given;
  for (auto& [name, t] : whole.flatten()) given.emplace(name, t.detach());
  const auto own = [&](const std::string& name, const Part& part) {
    return (own_part(given.at(name), part) + 0.0).detach();
  };
  Tensors made;
  visit_state(optimizer, [&](const std::string& name, Tensor& slot, const Part* part) {
    slot = part != nullptr ? own(name, *part) : given.at(name);
    made.push_back(slot);
  });
  std::size_t i = 0;
  parts_.visit([&](const std::string&, Tensor& slot) {
    const Part& part = shapes_[i++];
    if (part.has_master()) made.push_back(slot = own(kMasters + part.name, part));
  });
  eval(made);
}

}  // namespace tessera::optim
