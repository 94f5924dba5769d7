// The public side of Trainer: checks what it is given.
#include "tessera/train/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

void check(const TrainerOptions& o) {
  const auto at_least = [](std::int64_t value, std::int64_t least, const char* name) {
    if (value >= least) return;
    fail(ErrorKind::kValue, "Trainer: {} is {}; {} or more is expected.", name, value, least);
  };
  at_least(o.epochs, 1, "epochs");
  at_least(o.steps, 0, "steps");
  at_least(o.accumulate, 1, "accumulate");
  at_least(o.checkpoint_every, 0, "checkpoint_every");
  at_least(o.keep_last, 0, "keep_last");
  at_least(o.patience, 0, "patience");
  at_least(o.validate_every, 0, "validate_every");
  at_least(o.log_every, 0, "log_every");
  at_least(o.snapshot_every, 0, "snapshot_every");
  if (!(o.clip_norm >= 0)) {
    fail(ErrorKind::kValue, "Trainer: clip_norm is {}; the largest norm, or 0 for any, is expected.", o.clip_norm);
  }
  if (o.autocast.has_value() && *o.autocast != f16 && *o.autocast != bf16) {
    fail(ErrorKind::kDType, "Trainer: autocast is {}; f16 or bf16 is expected.", name(*o.autocast));
  }
  if (o.unit.empty()) fail(ErrorKind::kValue, "Trainer: unit is empty; what the speed counts is expected.");
}

/// Names that lines of the log, or files, have already.
void check_name(const char* what, const std::string& name, std::initializer_list<std::string_view> taken) {
  if (std::ranges::find(taken, name) == taken.end() && !name.empty()) return;
  fail(ErrorKind::kValue, "Trainer::{}: the name '{}' was given; another one than {} is expected.", what, name,
       fmt::join(taken, ", "));
}

}  // namespace

Trainer::State::State(Trainer& trainer, nn::Module& m, optim::Optimizer& o, LossFunction l, TrainerOptions given)
    : self(trainer),
      model(m),
      optimizer(o),
      loss_function(std::move(l)),
      options(std::move(given)),
      ranks(options.group),
      metrics(model_device()) {
  check(options);
  if (!loss_function) fail(ErrorKind::kValue, "Trainer: the loss function is empty.");
  if (distributed::kSupported && options.shards != nullptr) whole.emplace(*options.shards, optimizer);
  if (options.autocast == f16) scaler.emplace(optim::LossScalerOptions{}, model_device());
}

Trainer::Trainer(nn::Module& model, optim::Optimizer& optimizer, LossFunction loss, TrainerOptions options)
    : state_(std::make_unique<State>(*this, model, optimizer, std::move(loss), std::move(options))) {}

Trainer::~Trainer() = default;

void Trainer::State::check_idle(const char* what) const {
  if (running) fail(ErrorKind::kValue, "Trainer::{}: fit() is running; it is expected before or after it.", what);
}

void Trainer::metric(std::string name, Metric& metric) {
  state_->check_idle("metric");
  check_name("metric", name, {"loss", "rate", "step", "kind", "time", "text"});
  for (const auto& [other, object] : state_->metrics.others) {
    if (other == name) fail(ErrorKind::kValue, "Trainer::metric: there is a metric of the name '{}' already.", name);
  }
  state_->forget_steps();
  state_->metrics.others.emplace_back(std::move(name), &metric);
}

void Trainer::state(std::string name, nn::Stateful& object) {
  state_->check_idle("state");
  check_name("state", name, {"model", "optimizer", "scaler", "metrics"});
  if (name.front() == '.' || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
    fail(ErrorKind::kValue,
         "Trainer::state: the name '{}' was given; the name of a file, without slashes, is expected.", name);
  }
  for (const auto& [other, known] : state_->others) {
    if (other == name) fail(ErrorKind::kValue, "Trainer::state: there is an object of the name '{}' already.", name);
  }
  state_->forget_steps();
  state_->others.emplace_back(std::move(name), &object);
}

void Trainer::callback(std::shared_ptr<Callback> callback) {
  if (callback == nullptr) fail(ErrorKind::kValue, "Trainer::callback: the callback is null.");
  state_->callbacks.push_back(std::move(callback));
}

void Trainer::plateau(optim::ReduceOnPlateau& plateau) {
  state_->check_idle("plateau");
  state_->plateau = &plateau;
}

Result Trainer::fit(data::DataLoader& train, data::DataLoader* validation) { return state_->fit(train, validation); }
Values Trainer::evaluate(data::DataLoader& loader) { return state_->evaluate(loader); }
void Trainer::stop() { state_->stopping = true; }
std::int64_t Trainer::step() const { return state_->step; }
const TrainerOptions& Trainer::options() const { return state_->options; }

bool Trainer::State::load(const char* what, bool best) {
  check_idle(what);
  bool there = false;
  ranks.on_first([&] {
    if (options.out.empty()) {
      fail(ErrorKind::kValue, "Trainer::{}: the run has no folder; `out` is expected.", what);
    }
    Checkpoints from(options.out / "checkpoints");
    const std::optional<std::int64_t> at = best ? from.best() : from.latest();
    if (at.has_value()) make_room();
    if (at.has_value()) from.load(*at, saved(false));
    there = at.has_value();
  });
  there = ranks.from_first(there);
  if (!there) return false;
  if (!ranks.first()) make_room();
  ranks.share(saved(false));
  take_whole();
  return true;
}

bool Trainer::load_best() { return state_->load("load_best", true); }
bool Trainer::load_latest() { return state_->load("load_latest", false); }

}  // namespace tessera::train
