// What a Trainer shows, logs and saves, and how a run continues from what was saved.
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "base/ints.h"
#include "base/log.h"
#include "io/json_document.h"
#include "train/trainer_state.h"

namespace tessera::train {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kReadEvery = 50;                  // updates, where nothing is shown and log_every is not given
constexpr int kSkippedInARow = 8;                        // losses that are not finite, with loss scaling
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15;  // from rank to rank: far from seeds that people choose

float number(const std::vector<std::byte>& bytes) {
  float value = 0;
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

Json json_of(const Values& values) {
  Json list = Json::array();
  for (const auto& [name, value] : values) {
    const char* const text = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    list.push_back({name, std::isfinite(value) ? Json(value) : Json(text)});
  }
  return list;
}

std::optional<double> number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan" || json == "-nan") return std::nan("");
  if (json == "inf" || json == "-inf") return json == "inf" ? HUGE_VAL : -HUGE_VAL;
  return std::nullopt;
}

constexpr std::string_view kValue = "Trainer: the checkpoint's value";
constexpr std::int64_t kMostBad = std::int64_t{1} << 30U;    // steps of a plateau, an int
constexpr std::int64_t kMostCount = std::int64_t{1} << 53U;  // of updates and epochs: one more is no overflow

/// A value of a checkpoint, which may be anything. What is not as expected is an Error of kind parse.
class CheckedValue {
 public:
  CheckedValue(const RunValues& values, const char* name) : fault_(name, kValue) {
    const auto found = values.find(name);
    if (found == values.end()) fault_("is missing");
    json_ = io::parse_json(found->second, "a text", fault_);
  }

  [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }
  [[nodiscard]] std::int64_t count(const char* key, std::int64_t least = 0, std::int64_t most = kMostCount) const {
    const Json& value = member(key);
    const bool is_small = value.is_number_integer() &&
                          (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
    if (!is_small || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
      wrong(key, fmt::format("an integer from {} to {}", least, most));
    }
    return value.get<std::int64_t>();
  }
  [[nodiscard]] std::uint64_t bits(const char* key) const {
    if (!member(key).is_number_unsigned()) wrong(key, fmt::format("an integer from 0 to {}", UINT64_MAX));
    return member(key).get<std::uint64_t>();
  }
  [[nodiscard]] bool flag(const char* key) const {
    if (!member(key).is_boolean()) wrong(key, "true or false");
    return member(key).get<bool>();
  }
  [[nodiscard]] Values list(const char* key) const {
    constexpr const char* kExpected = "a list of pairs of a name and a number";
    if (!member(key).is_array()) wrong(key, kExpected);
    Values values;
    for (const Json& pair : member(key)) {
      const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_string();
      const std::optional<double> number = is_pair ? number_of(pair[1]) : std::nullopt;
      if (!number.has_value()) wrong(key, kExpected);
      values.emplace_back(pair[0].get<std::string>(), *number);
    }
    return values;
  }
  [[nodiscard]] double number(const char* key) const {
    const Values values = list(key);
    if (values.size() != 1) wrong(key, "one pair of a name and a number in a list");
    return values[0].second;
  }
  [[noreturn]] void wrong(const char* key, const std::string& expected) const {
    fault_(fmt::format("has {} for \"{}\"; {} is expected", io::quote(member(key).dump()), key, expected));
  }

 private:
  [[nodiscard]] const Json& member(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fault_(fmt::format("has no \"{}\"", key));
    return *found;
  }

  io::Fault fault_;
  Json json_;
};

std::string not_finite_loss(double loss) {
  return fmt::format("the loss is {}", std::isnan(loss) ? "nan" : loss > 0 ? "infinite" : "minus infinite");
}

std::string callback_name(std::size_t i) { return fmt::format("callback.{}", i); }

}  // namespace

std::string RunPosition::text() const {
  Json json = {{"step", step},           {"epoch", epoch},          {"epoch_over", epoch_over},
               {"waited", waited},       {"better", better},        {"validation_due", validation_due},
               {"validated", validated}, {"train", json_of(train)}, {"validation", json_of(validation)},
               {"judged", judged}};
  if (best.has_value()) json["best"] = json_of({{"best", *best}});
  return json.dump();
}

RunPosition RunPosition::of(const RunValues& values) {
  const CheckedValue value(values, "trainer");
  RunPosition run;
  run.step = value.count("step");
  run.epoch = value.count("epoch");
  run.epoch_over = value.flag("epoch_over");
  run.waited = value.count("waited");
  run.better = value.flag("better");
  run.validation_due = value.flag("validation_due");
  run.validated = value.count("validated", -1);
  run.train = value.list("train");
  run.validation = value.list("validation");
  run.judged = value.count("judged", -1);
  if (value.has("best")) run.best = value.number("best");
  return run;
}

// ---- Shown and logged ----

void Trainer::State::open_output() {
  readings.clear();
  resume();
  if (checkpoints.has_value()) {
    log.emplace(options.out);
    continue_log();
  }
  if (options.progress && ranks.first()) {
    planned = ceil_div(loader->size(), options.accumulate) * options.epochs;
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

void Trainer::State::continue_log() {
  std::vector<std::string> again;  // what comes behind the state that the run continues with, at its very step
  if (run.validated != run.step) again.emplace_back("validation");
  if (run.epoch_over || loader->state().batch != 0) again.emplace_back("epoch");
  on_log([&](RunLog& l) { l.continue_from(run.step, again); });
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
    warns = warns && ranks.first();  // one of them is enough
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
  if (not_finite > (scaler.has_value() ? kSkippedInARow : 0)) found_not_finite(reading.step, not_finite_loss(loss));
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
    take_next_reading();
  }
}

void Trainer::State::take_next_reading() {
  Reading next = std::move(readings.front());
  readings.erase(readings.begin());
  take_reading(std::move(next));
}

// ---- Saved ----

Saved Trainer::State::saved(bool with_metrics) {
  nn::Stateful* const of_optimizer = whole.has_value() ? static_cast<nn::Stateful*>(&*whole) : &optimizer;
  Saved all{{"model", &model}, {"optimizer", of_optimizer}};
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
  const CheckedValue loading(given, "loader");
  const data::LoaderState at{loading.count("epoch"), loading.count("batch", 0, loader->size()),
                             loading.count("skipped")};
  const CheckedValue drawing(given, "random");
  const random::RandomState draws{drawing.bits("seed"), drawing.bits("position")};
  std::optional<optim::ReduceOnPlateau::State> rates;
  if (plateau != nullptr && given.contains("plateau")) {
    const CheckedValue value(given, "plateau");
    rates = {value.number("best"), static_cast<int>(value.count("bad", 0, kMostBad)),
             static_cast<int>(value.count("cooling", 0, kMostBad))};
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
  epoch_begin = -1;
  // Each rank draws by a seed of its own, and the first one by that of the run.
  random::set_state({draws.seed + kSeedStep * static_cast<std::uint64_t>(ranks.rank()), draws.position});
  if (rates.has_value()) plateau->set_state(*rates);
  if (accumulator.has_value()) accumulator.emplace(model);  // between updates its sums are zero
  for (std::size_t i = 0; i < callbacks.size(); ++i) {
    const auto text = given.find(callback_name(i));
    if (text != given.end()) callbacks[i]->set_state(text->second);
  }
}

void Trainer::State::resume() {
  bool loaded = false;
  together = true;  // what the first rank throws, all throw
  ranks.on_first([&] {
    if (!options.out.empty()) {
      checkpoints.emplace(options.out / "checkpoints", CheckpointOptions{.keep_last = options.keep_last});
    }
    loaded = checkpoints.has_value() && load_latest();
  });
  together = false;
  saves = ranks.from_first(checkpoints.has_value());
  share_state(loaded);
}

bool Trainer::State::load_latest() {
  const std::optional<std::int64_t> latest = checkpoints->latest();
  if (!latest.has_value()) return false;
  if (!options.resume) {
    fail(ErrorKind::kValue,
         "Trainer::fit: '{}' has a checkpoint of step {}, and resume is false: a new run would remove it. Another "
         "folder "
         "is expected, or resume.",
         options.out.string(), *latest);
  }
  load_checkpoint(*latest);
  return true;
}

void Trainer::State::share_state(bool loaded) {
  if (!ranks.several()) return;
  const RunValues own = values();
  const RunValues given = Json::parse(ranks.from_first(Json(own).dump())).get<RunValues>();
  loaded = ranks.from_first(loaded);
  if (!ranks.first()) {
    if (loaded) metrics.reset();  // those of a checkpoint are of all ranks together
    set_values(given, [] {});
    if (loaded) make_room();
  }
  ranks.share(saved(false));
  if (loaded) {
    take_whole();
  } else if (whole.has_value() && run.step == 0) {
    options.shards->reset(model.parameters());
  }
}

void Trainer::State::make_room() {
  if (whole.has_value()) whole->make_room();
}

void Trainer::State::take_whole() {
  if (!whole.has_value()) return;
  whole->scatter(model);
  whole->clear();
}

void Trainer::State::load_checkpoint(std::int64_t at) {
  const RunValues given = checkpoints->load(at, {}).values;
  if (RunPosition::of(given).step != at) {
    CheckedValue(given, "trainer").wrong("step", fmt::format("{}, the step of its run.json,", at));
  }
  set_values(given, [&] {
    make_room();
    checkpoints->load(at, saved(true));
  });
  if (!ranks.several()) take_whole();  // else after the other ranks have it
}

void Trainer::State::save() {
  take_readings(true);  // lines of the log up to this step
  on_log([](RunLog& l) { l.flush(); });
  check_saved(true);
  if (!finite_parameters().item<bool>()) fail_not_finite(run.step, "the parameters after it are not finite");
  const Aside own({&metrics});
  ranks.add_up(metrics);
  if (whole.has_value()) whole->gather();
  if (checkpoints.has_value()) {
    checkpoints->save(saved(true), {run.step, values()}, save_metric, options.maximize);
    saving_step = run.step;
  }
  if (whole.has_value()) whole->clear();
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
