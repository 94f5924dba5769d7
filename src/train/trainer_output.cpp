// What a Trainer shows, logs and saves, and how a run continues from what was saved.
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "base/log.h"
#include "io/json_document.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kReadEvery = 50;  // updates, where nothing is shown and log_every is not given
constexpr int kSkippedInARow = 8;        // losses that are not finite, with loss scaling

float number(const std::vector<std::byte>& bytes) {
  float value = 0;
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

Json json_of(const Values& values) {
  Json list = Json::array();
  for (const auto& [name, value] : values) {
    list.push_back({name, std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value))});
  }
  return list;
}

Values values_of(const Json& list) {
  Values values;
  for (const Json& pair : list) {
    const Json& value = pair.at(1);
    const double number = value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
    values.emplace_back(pair.at(0).get<std::string>(), number);
  }
  return values;
}

/// f of a value of a checkpoint, which may be anything.
template <class F>
auto parsed(const RunValues& values, const char* name, F f) {
  const io::Fault fault(name, "Trainer: the checkpoint's value");
  const auto found = values.find(name);
  if (found == values.end()) fault("is missing");
  const Json json = io::parse_json(found->second, "a value", fault);
  try {
    return f(json);
  } catch (const std::exception& e) {
    fault(fmt::format("is {}: {}", io::quote(found->second), e.what()));
  }
}

std::int64_t count_at(const Json& json, const char* key) {
  const auto value = json.at(key).get<std::int64_t>();
  if (value < 0) throw std::out_of_range(fmt::format("{} is negative", key));
  return value;
}

std::string not_finite_loss(double loss) {
  return fmt::format("the loss is {}", std::isnan(loss) ? "nan" : loss > 0 ? "infinite" : "minus infinite");
}

std::string callback_name(std::size_t i) { return fmt::format("callback.{}", i); }

}  // namespace

std::string RunPosition::text() const {
  Json json = {{"step", step},           {"epoch", epoch},          {"epoch_over", epoch_over},
               {"waited", waited},       {"better", better},        {"validation_due", validation_due},
               {"validated", validated}, {"train", json_of(train)}, {"validation", json_of(validation)}};
  if (best.has_value()) json["best"] = json_of({{"best", *best}});
  return json.dump();
}

RunPosition RunPosition::of(const RunValues& values) {
  return parsed(values, "trainer", [](const Json& json) {
    RunPosition run;
    run.step = count_at(json, "step");
    run.epoch = count_at(json, "epoch");
    run.epoch_over = json.at("epoch_over").get<bool>();
    run.waited = count_at(json, "waited");
    run.better = json.at("better").get<bool>();
    run.validation_due = json.at("validation_due").get<bool>();
    run.validated = json.at("validated").get<std::int64_t>();
    run.train = values_of(json.at("train"));
    run.validation = values_of(json.at("validation"));
    if (json.contains("best")) run.best = values_of(json.at("best")).at(0).second;
    return run;
  });
}

// ---- Shown and logged ----

void Trainer::State::open_output() {
  readings.clear();
  if (!options.out.empty()) {
    checkpoints.emplace(options.out / "checkpoints", CheckpointOptions{.keep_last = options.keep_last});
    resume();
    log.emplace(options.out);
    on_log([&](RunLog& l) { l.continue_from(run.step); });
  }
  if (options.progress) {
    planned = (loader->size() + options.accumulate - 1) / options.accumulate * options.epochs;
    if (options.steps > 0) planned = std::min(options.steps, planned);
    progress.emplace(
        ProgressOptions{.steps = planned, .unit = options.unit, .terminal = options.terminal, .print = options.print});
  }
  if (run.step > 0) note(fmt::format("continues after step {}", run.step), false);
}

void Trainer::State::close_output() noexcept {
  readings.clear();
  snapshot.reset();
  next_snapshot.reset();
  progress.reset();
  if (log.has_value()) on_log([](RunLog& l) { l.flush(); });
  log.reset();
  checkpoints.reset();  // waits
}

void Trainer::State::on_log(const std::function<void(RunLog&)>& f) {
  if (!log.has_value()) return;
  try {
    f(*log);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kIo) throw;
    log_warn("{}", e.what());  // a full disk does not end a run
  }
}

void Trainer::State::write_log(std::int64_t at, std::string_view kind, const Values& values) {
  on_log([&](RunLog& l) { l.write(at, kind, values); });
}

void Trainer::State::note(const std::string& text, bool warns) {
  if (progress.has_value()) {
    progress->line(text);
  } else {
    log_at(warns ? LogLevel::kWarn : LogLevel::kInfo, "Trainer: {}", text);
  }
  on_log([&](RunLog& l) { l.note(run.step, text); });
}

void Trainer::State::read_loss(const Update& made, bool now) {
  const auto every = [&](std::int64_t updates) { return run.step % updates == 0; };
  const bool waits = std::ranges::any_of(readings, &Reading::shown);
  const bool shown = progress.has_value() && (!waits || run.step == planned) && progress->due(run.step);
  const bool logged =
      log.has_value() &&
      (options.log_every > 0 ? every(options.log_every) : shown || (!progress.has_value() && every(kReadEvery)));
  if (!shown && !logged && !now && !every(kReadEvery)) return;
  Reading reading{run.step, done, shown, logged};
  reading.numbers = read_all(Tensors{made.loss.astype(f32), optimizer.rate()});
  if (now) take_readings(true);  // in order
  if (now) return take_reading(std::move(reading));
  readings.push_back(std::move(reading));
}

void Trainer::State::take_reading(Reading reading) {
  const std::vector<std::vector<std::byte>> numbers = reading.numbers.get();
  const double loss = number(numbers.at(0));
  proven = std::max(proven, reading.step);
  not_finite = std::isfinite(loss) ? 0 : not_finite + 1;
  if (not_finite > (scaler.has_value() ? kSkippedInARow : 0)) fail_not_finite(reading.step, not_finite_loss(loss));
  Values values{{"loss", loss}, {"rate", number(numbers.at(1))}};
  if (reading.shown && progress.has_value()) progress->show(reading.step, reading.done, values);
  if (!reading.logged) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (reading.done > logged_done && seconds > logged_seconds) {
    values.emplace_back(options.unit + "_per_second", (reading.done - logged_done) / (seconds - logged_seconds));
  }
  logged_done = reading.done;
  logged_seconds = seconds;
  write_log(reading.step, "train", values);
}

void Trainer::State::take_readings(bool all) {
  while (!readings.empty()) {
    if (!all && !readings.front().numbers.ready()) {
      poll(model_device());
      if (!readings.front().numbers.ready()) return;
    }
    Reading next = std::move(readings.front());
    readings.erase(readings.begin());
    take_reading(std::move(next));
  }
}

// ---- Saved ----

Saved Trainer::State::saved(bool with_metrics) {
  Saved all{{"model", &model}, {"optimizer", &optimizer}};
  if (scaler.has_value()) all.emplace_back("scaler", &*scaler);
  if (with_metrics) all.emplace_back("metrics", &metrics);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

RunValues Trainer::State::values() const {
  const data::LoaderState at = loader->state();
  const random::RandomState draws = random::state();
  RunValues all{
      {"trainer", run.text()},
      {"loader", Json{{"epoch", at.epoch}, {"batch", at.batch}, {"skipped", at.skipped}}.dump()},
      {"random", Json{{"seed", draws.seed}, {"position", draws.position}}.dump()},
  };
  if (plateau != nullptr) {
    const optim::ReduceOnPlateau::State s = plateau->state();
    all["plateau"] = Json{{"best", json_of({{"best", s.best}})}, {"bad", s.bad}, {"cooling", s.cooling}}.dump();
  }
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    if (std::string text = callbacks[i]->state(); !text.empty()) all[callback_name(i)] = std::move(text);
  }
  return all;
}

void Trainer::State::set_values(const RunValues& given, const std::function<void()>& load) {
  const RunPosition position = RunPosition::of(given);
  const auto at = parsed(given, "loader", [](const Json& json) {
    return data::LoaderState{count_at(json, "epoch"), count_at(json, "batch"), count_at(json, "skipped")};
  });
  const auto draws = parsed(given, "random", [](const Json& json) {
    return random::RandomState{json.at("seed").get<std::uint64_t>(), json.at("position").get<std::uint64_t>()};
  });
  std::optional<optim::ReduceOnPlateau::State> rates;
  if (plateau != nullptr && given.contains("plateau")) {
    rates = parsed(given, "plateau", [](const Json& json) {
      return optim::ReduceOnPlateau::State{values_of(json.at("best")).at(0).second, json.at("bad").get<int>(),
                                           json.at("cooling").get<int>()};
    });
  }
  const data::LoaderState before = loader->state();
  loader->set_state(at);
  try {
    load();
  } catch (...) {
    loader->set_state(before);
    throw;
  }
  run = position;
  step = run.step;
  random::set_state(draws);
  if (rates.has_value()) plateau->set_state(*rates);
  if (accumulator.has_value()) accumulator.emplace(model);  // between updates its sums are zero
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    const auto text = given.find(callback_name(i));
    if (text != given.end()) callbacks[i]->set_state(text->second);
  }
}

void Trainer::State::resume() {
  const std::optional<std::int64_t> latest = checkpoints->latest();
  if (!latest.has_value()) return;
  if (!options.resume) {
    fail(ErrorKind::kValue,
         "Trainer::fit: '{}' has a checkpoint of step {}, and resume is false: a new run would remove it. Another "
         "folder "
         "is expected, or resume.",
         options.out.string(), *latest);
  }
  set_values(checkpoints->load(*latest, {}).values, [&] { checkpoints->load(*latest, saved(true)); });
}

void Trainer::State::save() {
  take_readings(true);  // lines of the log up to this step
  on_log([](RunLog& l) { l.flush(); });
  check_saved(true);
  if (!finite_parameters().item<bool>()) fail_not_finite(run.step, "the parameters after it are not finite");
  checkpoints->save(saved(true), {run.step, values()}, save_metric, options.maximize);
  saving_step = run.step;
  changed = false;
}

void Trainer::State::check_saved(bool wait) {
  if (saving_step < 0 || (!wait && checkpoints->saving())) return;
  const std::int64_t saved_step = std::exchange(saving_step, -1);
  try {
    checkpoints->wait();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kIo) throw;
    save_failed = std::current_exception();
    return note(fmt::format("the checkpoint of step {} was not written: {}", saved_step, e.what()));
  }
  save_failed = nullptr;
  call([&](Callback& c) { c.on_checkpoint(self, saved_step); });
}

}  // namespace tessera::train
