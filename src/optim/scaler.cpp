// Dynamic loss scaling, and sums of gradients over micro-batches.
#include "tessera/optim/scaler.h"

#include <map>
#include <span>

#include "nn/fail.h"
#include "nn/start.h"
#include "optim/arenas.h"
#include "tessera/autocast.h"
#include "tessera/math.h"
#include "tessera/ops.h"

namespace tessera::optim {

using nn::fail;

namespace {

/// f64 stays as it is.
Tensor in_f32(const Tensor& x) { return x.astype(promote(x.dtype(), f32)); }

}  // namespace

// ---- LossScaler ----

LossScaler::LossScaler(const LossScalerOptions& options, const Device& device)
    : options_(options),
      scale_(full({}, options.init_scale, f32, device)),
      growth_tracker_(zeros({}, i32, device)),
      skipped_(zeros({}, i32, device)) {
  if (!(options.init_scale > 0 && options.growth_factor > 1 && options.backoff_factor > 0 &&
        options.backoff_factor < 1 && options.growth_interval > 0)) {
    fail(ErrorKind::kValue,
         "LossScaler: a scale of {}, a growth factor of {}, a backoff factor of {} and a growth interval of {} were "
         "given; a positive scale, a growth factor above 1, a backoff factor between 0 and 1 and an interval of at "
         "least 1 are expected.",
         options.init_scale, options.growth_factor, options.backoff_factor, options.growth_interval);
  }
}

void LossScaler::fields(nn::Fields& f) {
  f.buffer("scale", scale_);
  f.buffer("growth_tracker", growth_tracker_);
  f.buffer("skipped", skipped_);
}

Tensor LossScaler::scale(const Tensor& loss) const {
  const Autocast disabled(std::nullopt);
  return in_f32(loss) * scale_;
}

UnscaledGradients LossScaler::unscale(const Tree& scaled) const {
  const Autocast disabled(std::nullopt);
  if (scaled.empty()) fail(ErrorKind::kValue, "LossScaler::unscale: there are no gradients.");
  const Tensor inverse = 1.0 / scale_;
  Flattened flat(scaled.tensors());
  UnscaledGradients result;
  for (Tensor& g : flat.values) {
    const Tensor all_finite = all(isfinite(g));
    result.finite = result.finite.defined() ? logical_and(result.finite, all_finite) : all_finite;
    g = in_f32(g) * inverse;
  }
  result.gradients = scaled.with_tensors(flat.tensors());
  return result;
}

Tensor LossScaler::update(Optimizer& optimizer, nn::Module& model, const Tree& scaled) {
  return update(optimizer, model, unscale(scaled));
}

Tensor LossScaler::update(Optimizer& optimizer, nn::Module& model, const UnscaledGradients& gradients) {
  optimizer.update(model, gradients.gradients, gradients.finite);
  return finish(gradients.finite);
}

Tensor LossScaler::update(Optimizer& optimizer, Tree& parameters, const Tree& scaled) {
  return update(optimizer, parameters, unscale(scaled));
}

Tensor LossScaler::update(Optimizer& optimizer, Tree& parameters, const UnscaledGradients& gradients) {
  optimizer.update(parameters, gradients.gradients, gradients.finite);
  return finish(gradients.finite);
}

Tensor LossScaler::finish(const Tensor& finite) {
  for (Tensor* slot : {&scale_, &growth_tracker_, &skipped_}) {
    nn::detail::check_write(*slot, "LossScaler::update", "scale");
  }
  const Autocast disabled(std::nullopt);
  const Tensor successes = growth_tracker_ + 1;
  const Tensor grows = equal(successes, options_.growth_interval);
  const Tensor grown = scale_ * options_.growth_factor;
  const Tensor larger = where(logical_and(grows, isfinite(grown)), grown, scale_);
  scale_ = where(finite, larger, scale_ * options_.backoff_factor);
  growth_tracker_ = where(logical_and(finite, logical_not(grows)), successes, 0);
  skipped_ = skipped_ + where(finite, 0, 1);
  const Tensor skipped = logical_not(finite);
  nn::start_unless_recorded({scale_, growth_tracker_, skipped_, skipped});
  return skipped;
}

// ---- Accumulator ----

Accumulator::Accumulator(const Parameters& parameters) {
  if (parameters.tree.empty()) fail(ErrorKind::kValue, "Accumulator: there are no parameters.");
  sum_ = parameters.tree.map([](const Tensor& p) { return zeros(p.shape(), promote(p.dtype(), f32), p.device()); });
  count_ = zeros({}, i32, parameters.tree.tensors()[0].device());
}

void Accumulator::fields(nn::Fields& f) {
  f.buffer("sum", sum_);
  f.buffer("count", count_);
}

std::vector<nn::NameLists> Accumulator::together() const {
  std::map<DType, nn::NameLists> by_dtype;
  for (const auto& [name, t] : sum_.flatten()) {
    nn::NameLists& lists = by_dtype[t.dtype()];
    lists.resize(1);
    lists[0].push_back("sum." + name);
  }
  std::vector<nn::NameLists> groups;
  for (auto& [dtype, lists] : by_dtype) groups.push_back(std::move(lists));
  return groups;
}

void Accumulator::write(const Tensors& sum, const Tensor& count) {
  std::size_t i = 0;
  sum_.visit([&](const std::string&, Tensor& t) { t = sum[i++]; });
  count_ = count;
}

void Accumulator::add(const Tree& gradients) {
  nn::detail::check_write(count_, "Accumulator::add", "count");
  const Tree matched = Tree::zip(sum_, gradients, [](const Tensor& s, const Tensor& g) {
    if (g.shape() != s.shape()) {
      fail(ErrorKind::kShape, "Accumulator::add: a gradient has the shape {}; {} is expected.", g.shape().str(),
           s.shape().str());
    }
    return g;
  });
  std::vector<Tensors> lists{matched.tensors(), sum_.tensors()};
  apply_together(lists, [](std::span<Tensor> x) { x[1] = x[1] + x[0].astype(x[1].dtype()); });
  write(lists[1], count_ + 1);
  std::vector<Tensor> fresh = sum_.tensors();
  fresh.push_back(count_);
  nn::start_unless_recorded(fresh);
}

Tree Accumulator::take() {
  nn::detail::check_write(count_, "Accumulator::take", "count");
  const Tensor divisor = maximum(count_, 1).astype(f32);
  std::vector<Tensors> lists{sum_.tensors(), sum_.tensors()};
  apply_together(lists, [&](std::span<Tensor> x) {
    x[0] = x[1] / divisor;
    x[1] = zeros(x[1].shape(), x[1].dtype(), x[1].device());
  });
  const Tree mean = sum_.with_tensors(lists[0]);
  write(lists[1], zeros({}, i32, count_.device()));
  return mean;
}

}  // namespace tessera::optim
