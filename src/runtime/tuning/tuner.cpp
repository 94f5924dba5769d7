// Compiles and times the candidate programs of a matmul.
#include "runtime/tuning/tuner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"

namespace tessera::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFewestRounds = 4;
constexpr int kMostRounds = 25;
constexpr double kLongEnough = 100e3;  // us in all rounds of one matmul
constexpr double kWarm = 100e3;        // us of work after which a device runs at its full clock
constexpr double kBusy = 2e3;          // us of work in one submission, to keep the clock there
constexpr int kMostRepeats = 20;
// A candidate is dropped if it is slower than the best by this factor: after the first, warm-up round, and after each
// later one.
constexpr double kHopelessAtFirst = 3;
constexpr double kHopeless = 1.3;

/// Enables kernel timing while it lives.
class Timestamps {
 public:
  Timestamps(Device& device, bool wanted) : device_(device), wanted_(wanted) {
    if (wanted_) device_.set_profiling(true);
  }
  ~Timestamps() {
    try {
      if (wanted_) device_.set_profiling(false);
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a lost device has nothing to switch off
    }
  }
  Timestamps(const Timestamps&) = delete;
  Timestamps& operator=(const Timestamps&) = delete;

 private:
  Device& device_;
  bool wanted_;
};

}  // namespace

bool is_fault(const Error& error) {
  return error.kind() != ErrorKind::kDeviceLost && error.kind() != ErrorKind::kOutOfMemory;
}

Tuner::Tuner(std::shared_ptr<WebGpuDevice> device, const Kernel& kernel, const Binding& binding,
             std::vector<Buffer*> buffers, Change change)
    : device_(std::move(device)),
      kernel_(kernel),
      binding_(binding),
      buffers_(std::move(buffers)),
      change_(std::move(change)) {}

std::vector<Trial> Tuner::compile(const std::vector<codegen::MatmulShape>& shapes) const {
  std::vector<Trial> trials(shapes.size());
  ThreadPool::global().parallel_for(static_cast<std::int64_t>(shapes.size()), 1, [&](auto begin, auto end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      Trial& trial = trials[i];
      trial.shape = shapes[i];
      Program program = codegen::generate(kernel_, binding_, codegen::variant_of(shapes[i]), device_->info());
      codegen::grid_of(kernel_, program.variant, binding_, device_->info(), trial.grid.data());
      if (change_) change_(shapes[i], program);
      try {
        trial.executable = device_->compile_program(program, program.trusted);
      } catch (const Error& e) {
        if (!is_fault(e)) throw;
        trial.fault = e.what();
      }
    }
  });
  return trials;
}

void Tuner::run(const Trial& trial) const {
  Submission submission;
  Dispatch d;
  d.executable = trial.executable;
  d.buffers = buffers_;
  d.first_param = submission.add_params(binding_.params);
  d.param_count = static_cast<std::uint32_t>(binding_.params.size());
  std::ranges::copy(trial.grid, d.grid);
  d.kernel = &kernel_;
  d.binding = &binding_;
  submission.dispatches.push_back(std::move(d));
  device_->submit(submission);
}

double Tuner::time_once(const Trial& trial, int repeats, bool timestamps) const {
  const auto start = Clock::now();
  for (int i = 0; i < repeats; ++i) run(trial);
  device_->wait();
  const double wall = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / repeats;
  if (!timestamps) return wall;
  const std::vector<KernelTime> times = device_->times();
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(times.size(), static_cast<std::size_t>(repeats)); ++i) {
    const double us = times[times.size() - 1 - i].duration_us;
    if (us > 0) best = std::min(best, us);  // a clock that did not advance gives no time
  }
  return std::isfinite(best) ? best : wall;
}

void Tuner::warm_up(const Trial& trial) const {
  if (device_->info().type == DeviceType::kSoftware) return;
  for (double spent = 0; spent < kWarm;) spent += time_once(trial, kMostRepeats, false) * kMostRepeats;
}

void Tuner::time(std::span<Trial> trials, bool timestamps) const {
  if (trials.empty()) return;
  warm_up(trials[0]);
  const Timestamps on(*device_, timestamps);
  std::vector<Trial*> alive;
  for (Trial& t : trials) alive.push_back(&t);
  double spent = 0;
  for (int round = 0; round < kMostRounds && (round < kFewestRounds || spent < kLongEnough); ++round) {
    double best = std::numeric_limits<double>::infinity();
    for (Trial* t : alive) {
      const int repeats = std::isfinite(t->us) ? std::clamp(static_cast<int>(kBusy / t->us), 1, kMostRepeats) : 1;
      const double us = time_once(*t, repeats, timestamps);
      spent += us * repeats;
      t->us = std::min(t->us, us);
      best = std::min(best, t->us);
    }
    const double most = best * (round == 0 ? kHopelessAtFirst : kHopeless);
    std::erase_if(alive, [&](const Trial* t) { return t != trials.data() && t->us > most; });
  }
}

}  // namespace tessera::runtime
