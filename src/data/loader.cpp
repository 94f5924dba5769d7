// DataLoader: threads load batches ahead of next(), which returns them in order.
#include "tessera/data/loader.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/fail.h"
#include "base/ints.h"
#include "base/log.h"
#include "base/os/system.h"
#include "data/batch.h"
#include "data/order.h"
#include "tessera/profile.h"

namespace tessera::data {

namespace {

constexpr int kMaxWorkers = 1024;
constexpr std::chrono::milliseconds kBetweenCalls(50);  // of while_waiting

/// The loaders whose users' functions run on this thread, the innermost first.
struct Inside {
  explicit Inside(const void* l) : loader(l), outer(innermost) { innermost = this; }
  ~Inside() { innermost = outer; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  static bool contains(const void* loader) {
    for (const Inside* at = innermost; at != nullptr; at = at->outer) {
      if (at->loader == loader) return true;
    }
    return false;
  }

  const void* loader;
  const Inside* outer;
  static thread_local const Inside* innermost;
};
thread_local const Inside* Inside::innermost = nullptr;

/// In traces: "DataLoader 2", of this process.
std::string next_track() {
  static std::atomic<int> count = 0;
  return fmt::format("DataLoader {}", ++count);
}

LoaderOptions checked(const DatasetPtr& dataset, LoaderOptions options) {
  if (dataset == nullptr) fail(ErrorKind::kValue, "DataLoader: no data set was given.");
  if (options.batch < 1)
    fail(ErrorKind::kValue, "DataLoader: a batch of {} was given; at least 1 is expected.", options.batch);
  if (options.workers < 0 || options.workers > kMaxWorkers) {
    fail(ErrorKind::kValue, "DataLoader: {} workers were given; 0 to {} are expected.", options.workers, kMaxWorkers);
  }
  if (options.prefetch < 0) {
    fail(ErrorKind::kValue, "DataLoader: a prefetch of {} was given; 0 or more is expected.", options.prefetch);
  }
  if (options.group.has_value()) {
    if (options.part != 0 || options.parts != 1) {
      fail(ErrorKind::kValue,
           "DataLoader: part {} of {} was given beside a group, which sets both; one of them is expected.",
           options.part, options.parts);
    }
    options.part = options.group->rank();
    options.parts = options.group->size();
    if (options.part < 0) fail(ErrorKind::kValue, "DataLoader: this process is not in the group.");
    if (options.even && options.batch % options.parts != 0) {
      fail(ErrorKind::kValue, "DataLoader: a batch of {} samples was given for {} ranks; a multiple of {} is expected.",
           options.batch, options.parts, options.parts);
    }
    options.batch = ceil_div(options.batch, options.parts);
  }
  if (options.parts < 1 || options.part < 0 || options.part >= options.parts) {
    fail(ErrorKind::kValue, "DataLoader: part {} of {} was given; part 0 to parts - 1 of at least 1 is expected.",
         options.part, options.parts);
  }
  if (options.device.impl() == nullptr) options.device = Device::current();
  return options;
}

}  // namespace

struct DataLoader::State {
  State(DatasetPtr d, LoaderOptions o) : dataset(std::move(d)), options(checked(dataset, std::move(o))) {
    total = dataset->size();
    if (total < 1) fail(ErrorKind::kValue, "DataLoader: the data set has no samples; at least one is expected.");
    samples = (options.even ? total : total + options.parts - 1 - options.part) / options.parts;
    if (total < options.parts) {
      fail(ErrorKind::kValue,
           "DataLoader: {} parts were given for a data set of {} samples; at least one sample for each part is "
           "expected.",
           options.parts, total);
    }
    batches = options.drop_last ? samples / options.batch : ceil_div(samples, options.batch);
    if (batches == 0) {
      fail(ErrorKind::kValue, "DataLoader: drop_last leaves no batch of {} samples from {}.", options.batch, samples);
    }
    if constexpr (os::kHasThreads) threads_ = static_cast<int>(std::min<std::int64_t>(options.workers, batches));
    prefetch = std::min<std::int64_t>(options.prefetch, batches);
  }

  ~State() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      ++run_;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::optional<Tree> next();
  void set(const LoaderState& to);

  // Unchanged after the constructor:
  DatasetPtr dataset;
  LoaderOptions options;
  std::string track = next_track();
  std::int64_t total = 0;    // samples of the data set
  std::int64_t samples = 0;  // of this part
  std::int64_t batches = 0;
  std::int64_t prefetch = 0;

  // Of the thread that calls next():
  LoaderState at;
  std::chrono::steady_clock::duration waited{};

 private:
  void check_outside() const;
  [[nodiscard]] BatchRange range_of(std::int64_t epoch, std::int64_t batch) const;
  [[nodiscard]] HostBatch load(const Order& of_epoch, const BatchRange& range, std::uint64_t of_run,
                               const std::string& on_track);
  [[nodiscard]] LoadedBatch upload(HostBatch batch, const BatchRange& range, const std::string& on_track) const;
  void begin_epoch();
  void drop_epoch();
  LoadedBatch take();
  void work(int worker);
  std::optional<LoadedBatch>& slot(std::int64_t batch) { return slots_[as_index(batch) % slots_.size()]; }

  int threads_ = 0;
  std::vector<std::thread> workers_;
  std::shared_ptr<const Order> order_;  // of the epoch that is being loaded; none: no batch of it was asked for

  // Guarded by the mutex:
  std::mutex mutex_;
  std::condition_variable changed_;  // workers wait for batches to load, and for room on the device
  std::condition_variable loaded_;   // next() waits for its batch
  struct Job {
    std::shared_ptr<const Order> order;
    std::int64_t epoch = 0;
  };
  Job job_;                  // of the workers; without an order they wait
  std::int64_t ahead_ = 0;   // the batch that a worker loads next
  std::int64_t wanted_ = 0;  // the batch that next() returns next
  bool waiting_ = false;     // next() waits for it
  bool stop_ = false;
  std::vector<std::optional<LoadedBatch>> slots_;  // of batches from `wanted_` on
  std::atomic<std::uint64_t> run_{0};              // written under the mutex; batches of an earlier run are dropped
};

void DataLoader::State::check_outside() const {
  if (Inside::contains(this)) {
    fail(ErrorKind::kValue, "DataLoader: a function that this loader calls has used the loader itself.");
  }
}

BatchRange DataLoader::State::range_of(std::int64_t epoch, std::int64_t batch) const {
  const std::int64_t first = batch * options.batch;
  return {epoch, batch, first, first + std::min(options.batch, samples - first)};
}

HostBatch DataLoader::State::load(const Order& of_epoch, const BatchRange& range, std::uint64_t of_run,
                                  const std::string& on_track) {
  const Inside inside(this);
  const HostSpan span(options.device, on_track, "load batch", range.batch);
  return load_batch(*dataset, options, of_epoch, range, [&] { return run_.load(std::memory_order_relaxed) != of_run; });
}

LoadedBatch DataLoader::State::upload(HostBatch batch, const BatchRange& range, const std::string& on_track) const {
  const HostSpan span(options.device, on_track, "upload batch", range.batch);
  return upload_batch(std::move(batch), range, options.device);
}

void DataLoader::State::begin_epoch() {
  order_ = options.shuffle ? std::make_shared<const Order>(total, OrderUse::kEpoch, options.seed,
                                                           static_cast<std::uint64_t>(at.epoch))
                           : std::make_shared<const Order>();
  if (threads_ == 0) return;
  if (workers_.empty()) {
    slots_.resize(as_index(prefetch) + as_index(threads_) + 1);
    workers_.reserve(as_index(threads_));
    try {
      for (int i = 0; i < threads_; ++i) workers_.emplace_back([this, i] { work(i); });
    } catch (const std::system_error& e) {
      log_warn("DataLoader: {} of {} threads can be started: {}", workers_.size(), threads_, e.what());
      if (workers_.empty()) threads_ = 0;
    }
  }
  const std::lock_guard lock(mutex_);
  job_ = {order_, at.epoch};
  ahead_ = wanted_ = at.batch;
  changed_.notify_all();
}

void DataLoader::State::drop_epoch() {
  std::vector<std::optional<LoadedBatch>> dropped(slots_.size());
  {
    const std::lock_guard lock(mutex_);
    ++run_;
    job_ = {};
    slots_.swap(dropped);
  }
  changed_.notify_all();
  order_ = nullptr;
}

LoadedBatch DataLoader::State::take() {
  const HostSpan span(options.device, track, "wait for batch", at.batch);
  std::unique_lock lock(mutex_);
  const auto is_there = [this] { return slot(wanted_).has_value(); };
  waiting_ = true;
  changed_.notify_all();
  if (options.while_waiting) {
    while (!loaded_.wait_for(lock, kBetweenCalls, is_there)) {
      lock.unlock();
      options.while_waiting();  // if it throws, the batch still goes to the device
      lock.lock();
    }
  } else {
    loaded_.wait(lock, is_there);
  }
  waiting_ = false;
  LoadedBatch taken = std::move(*slot(wanted_));
  slot(wanted_).reset();
  ++wanted_;
  lock.unlock();
  changed_.notify_all();
  return taken;
}

void DataLoader::State::work(int worker) {
  const std::string on_track = fmt::format("{}, worker {}", track, worker);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] {
      return stop_ || (job_.order != nullptr && ahead_ < batches && ahead_ - wanted_ < prefetch + threads_);
    });
    if (stop_) return;
    const Job mine = job_;
    const std::uint64_t of_run = run_;
    const BatchRange range = range_of(mine.epoch, ahead_++);
    lock.unlock();
    HostBatch host = load(*mine.order, range, of_run, on_track);
    lock.lock();
    changed_.wait(lock, [&] {
      return run_ != of_run || range.batch - wanted_ < prefetch || (waiting_ && range.batch == wanted_);
    });
    const bool current = run_ == of_run;
    lock.unlock();
    LoadedBatch result;
    if (current) result = upload(std::move(host), range, on_track);
    lock.lock();
    if (run_ == of_run) {
      slot(range.batch) = std::move(result);
      loaded_.notify_one();
    } else {  // memory of the user and the device is freed without the lock
      lock.unlock();
      result = {};
      host = {};
      lock.lock();
    }
  }
}

std::optional<Tree> DataLoader::State::next() {
  check_outside();
  while (at.batch < batches) {
    const auto begin = std::chrono::steady_clock::now();
    if (order_ == nullptr) begin_epoch();
    LoadedBatch got;
    if (threads_ == 0) {
      const BatchRange range = range_of(at.epoch, at.batch);
      got = upload(load(*order_, range, run_, track), range, track);
    } else {
      got = take();
    }
    waited += std::chrono::steady_clock::now() - begin;
    ++at.batch;
    for (const std::string& reason : got.skipped) {
      ++at.skipped;
      log_warn("DataLoader: {} samples left out so far: {}", at.skipped, reason);
    }
    if (got.failure) throw Error(got.failure->kind, got.failure->message, got.failure->fields);
    if (got.batch) return std::move(got.batch);
  }
  drop_epoch();
  ++at.epoch;
  at.batch = 0;
  return std::nullopt;
}

void DataLoader::State::set(const LoaderState& to) {
  check_outside();
  if (to.epoch < 0 || to.batch < 0 || to.batch > batches || to.skipped < 0) {
    fail(ErrorKind::kValue,
         "DataLoader: batch {} of epoch {} with {} samples left out was given; a batch from 0 to {} and no negative "
         "numbers are expected.",
         to.batch, to.epoch, to.skipped, batches);
  }
  drop_epoch();
  at = to;
}

namespace {

template <class T>
T& existing(const std::unique_ptr<T>& state) {
  if (state == nullptr) fail(ErrorKind::kValue, "DataLoader: the loader was moved away.");
  return *state;
}

}  // namespace

DataLoader::DataLoader(DatasetPtr dataset, LoaderOptions options)
    : state_(std::make_unique<State>(std::move(dataset), std::move(options))) {}
DataLoader::~DataLoader() = default;
DataLoader::DataLoader(DataLoader&&) noexcept = default;
DataLoader& DataLoader::operator=(DataLoader&&) noexcept = default;

std::int64_t DataLoader::size() const { return existing(state_).batches; }
const LoaderOptions& DataLoader::options() const { return existing(state_).options; }
const Dataset& DataLoader::dataset() const { return *existing(state_).dataset; }
std::optional<Tree> DataLoader::next() { return existing(state_).next(); }
LoaderState DataLoader::state() const { return existing(state_).at; }
void DataLoader::set_state(const LoaderState& state) { existing(state_).set(state); }
double DataLoader::waited() const { return std::chrono::duration<double>(existing(state_).waited).count(); }

}  // namespace tessera::data
