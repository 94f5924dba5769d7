// Snapshots in host memory, recovery from device loss, and the search for what made a loss that is not finite.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/fail.h"
#include "base/log.h"
#include "tessera/autocast.h"
#include "tessera/ops.h"
#include "tessera/train/anomaly.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

constexpr int kLossesInARow = 3;

}  // namespace

Device Trainer::State::model_device() const {
  Device device;
  nn::visit(model, [&](const nn::Field& field) {
    if (device.impl() == nullptr) device = field.tensor.device();
  });
  return device;
}

void Trainer::State::take_snapshot(bool wait) {
  look_at_snapshot(true);
  const Tensor finite = finite_parameters();
  const Aside own({&metrics});
  ranks.add_up(metrics);  // several ranks go on from a checkpoint that is made of it
  if (whole.has_value()) whole->gather();
  next_snapshot.emplace(Snapshot{run.step, values(), HostCopy::start(saved(true)), read_all(std::span(&finite, 1))});
  if (whole.has_value()) whole->clear();
  look_at_snapshot(wait);
}

void Trainer::State::look_at_snapshot(bool wait) {
  if (!next_snapshot.has_value() || (!wait && !next_snapshot->tensors->ready())) return;
  Snapshot taken = std::move(*next_snapshot);
  next_snapshot.reset();
  taken.tensors->wait();
  while (!readings.empty() && readings.front().step <= taken.step) take_next_reading();  // lines of the log up to it
  if (taken.finite.get().at(0).at(0) == std::byte{0})
    found_not_finite(taken.step, "the parameters after it are not finite");
  proven = std::max(proven, taken.step);
  snapshot = std::move(taken);
}

void Trainer::State::restore_snapshot() {
  set_values(snapshot->values, [&] {
    make_room();
    snapshot->tensors->restore(saved(true));
  });
}

void Trainer::State::go_back() {
  restore_snapshot();
  take_whole();
}

void Trainer::State::recover(const Error& loss) {
  const std::int64_t at = run.step;
  try {
    look_at_snapshot(true);  // it may have arrived
  } catch (const Error&) {
    next_snapshot.reset();
  }
  readings.clear();
  if (proven > proven_before) lost_in_a_row = 0;
  proven_before = proven;
  ++lost;
  if (++lost_in_a_row > kLossesInARow) {
    hopeless = true;
    throw Error(
        loss.kind(),
        fmt::format("{} The device was lost {} times in a row after step {}.", loss.what(), lost_in_a_row, proven),
        loss.fields());
  }
  try {
    check_saved(true);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kDeviceLost) throw;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10) * (1 << lost_in_a_row));
  const Saved objects = saved(true);
  for (const auto& [name, object] : objects) {
    nn::visit(*object, [](const nn::Field& field) {
      const Device device = field.tensor.device();
      if (!device.is_available()) device.restore();
    });
  }
  const std::optional<std::int64_t> checkpoint = checkpoints.has_value() ? checkpoints->latest() : std::nullopt;
  const bool from_host = snapshot.has_value() && snapshot->step >= checkpoint.value_or(0);
  if (from_host) {
    go_back();
  } else if (checkpoint.has_value()) {
    load_checkpoint(*checkpoint);
  } else {
    throw Error(
        loss.kind(),
        fmt::format("{} There is no copy of the run to continue from: snapshot_every is 0, and no checkpoint was "
                    "written yet.",
                    loss.what()),
        loss.fields());
  }
  ending.reset();
  changed = true;
  save_better = false;
  save_metric.reset();
  careful_until = at + 1;
  continue_log();
  note(
      fmt::format("the device was lost after step {} and restored; the run continues after step {} with the state of a "
                  "{} ({})",
                  at, run.step, from_host ? "copy in host memory" : "checkpoint", loss.what()));
}

void Trainer::State::save_after_loss_of_peer() noexcept {
  try {
    if (!checkpoints.has_value()) return;
    look_at_snapshot(true);
    const std::int64_t latest = checkpoints->latest().value_or(-1);
    if (!snapshot.has_value() || snapshot->step <= std::max<std::int64_t>(latest, 0)) return;
    restore_snapshot();  // the checkpoint has the state of all ranks as it is
    checkpoints->save(saved(true), {run.step, values()});
    checkpoints->wait();
    note(fmt::format("another rank is gone; the state of step {} is saved", run.step));
  } catch (const std::exception& e) {
    log_warn("Trainer: after the loss of another rank the state was not saved: {}", e.what());
  }
}

// ---- Losses that are not finite ----

Tensor Trainer::State::finite_parameters() const {
  Tensor all_finite = equal(Tensor(0.0), 0.0);
  nn::visit(model, [&](const nn::Field& field) {
    if (field.trainable && is_float(field.tensor.dtype())) {
      all_finite = logical_and(all_finite, all(isfinite(field.tensor)));
    }
  });
  return all_finite;
}

void Trainer::State::found_not_finite(std::int64_t at, const std::string& what) {
  if (!ranks.several()) fail_not_finite(at, what);
  if (!found.has_value()) found.emplace(at, what);
}

void Trainer::State::fail_not_finite(std::int64_t at, const std::string& what) {
  together = true;
  std::string cause;
  try {
    if (!ranks.several()) cause = find_anomaly(at);
  } catch (const std::exception& second) {  // what was seen is what counts
    log_info("Trainer: the search for it ended with: {}", second.what());
  }
  if (cause.empty()) {
    cause = "train::detect_anomaly(model, loss) finds the op and the module of the first value that is not finite.";
  }
  const std::string text = fmt::format("step {}: {}. {}", at, what, cause);
  note(text);
  throw Error(ErrorKind::kValue, "Trainer: " + text);
}

std::string Trainer::State::find_anomaly(std::int64_t at) {
  if (!snapshot.has_value() || snapshot->step >= at) return {};
  // Again from the snapshot: first to find the update where it began, then up to that update.
  const auto replay = [&](std::int64_t until, bool checks) -> std::int64_t {
    go_back();
    for (bool empty = false; run.step < until;) {
      const std::optional<Update> made = update();
      if (!made.has_value()) {  // the next epoch, which may have lost its samples
        if (std::exchange(empty, true)) return 0;
        run.epoch_over = false;
        continue;
      }
      empty = false;
      ++run.step;
      if (checks && (!std::isfinite(made->loss.item()) || !finite_parameters().item<bool>())) return run.step;
    }
    return 0;
  };
  const std::int64_t first = replay(at, true);
  if (first == 0) return {};
  replay(first - 1, false);
  step = run.step;
  run.epoch_over = false;
  for (std::int64_t i = 0; i < options.accumulate; ++i) {
    std::optional<Tree> batch = loader->next();
    if (!batch.has_value() && i == 0) batch = loader->next();
    if (!batch.has_value()) break;
    const Anomaly anomaly = detect_anomaly(model, [&] { return loss_of(*batch); });
    if (!anomaly.found) continue;
    return first == at ? anomaly.text : fmt::format("It began with step {}: {}", first, anomaly.text);
  }
  return fmt::format("Loss and gradients of step {} are finite, and its update is not: the learning rate is too large.",
                     first);
}

}  // namespace tessera::train
