// The thread pool: jobs are on their callers' stacks, and workers take ranges of the oldest one.
#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <string>

#include "base/ints.h"
#include "base/os/system.h"

namespace tessera {

struct ThreadPool::Job {
  Range range;
  void* fn;
  std::int64_t n;
  std::int64_t step;
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error = nullptr;  // guarded by the pool's mutex, like the members below
  int users = 0;                       // workers that run it
  bool linked = true;
  Job* following = nullptr;
};

namespace {

int default_threads() {
  if (const auto text = os::environment("TESSERA_THREADS")) {
    const long asked = std::strtol(text->c_str(), nullptr, 10);
    if (asked > 0) return static_cast<int>(std::min(asked, 1024L));
  }
  return os::cpu_count();
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (!os::kHasThreads) threads = 1;
  workers_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

ThreadPool& ThreadPool::global() {
  static ThreadPool pool(default_threads());
  return pool;
}

bool& ThreadPool::inside() {
  static thread_local bool flag = false;
  return flag;
}

void ThreadPool::unlink(Job& job) {
  if (!job.linked) return;
  Job** at = &jobs_;
  while (*at != &job) at = &(*at)->following;
  *at = job.following;
  job.linked = false;
}

namespace {

// Takes ranges until none is left; returns the exception, if any.
template <class Job>
std::exception_ptr take_ranges(Job& job) {
  try {
    for (;;) {
      const std::int64_t begin = job.next.fetch_add(job.step, std::memory_order_relaxed);
      if (begin >= job.n) return nullptr;
      job.range(job.fn, begin, std::min(begin + job.step, job.n));
    }
  } catch (...) {
    job.next.store(job.n, std::memory_order_relaxed);
    return std::current_exception();
  }
}

}  // namespace

void ThreadPool::run(std::int64_t n, std::int64_t grain, Range range, void* fn) {
  grain = std::max<std::int64_t>(grain, 1);
  // Eight ranges per thread balance unequal ones.
  const std::int64_t even = n / (std::int64_t{8} * threads());
  Job job{.range = range, .fn = fn, .n = n, .step = std::max(grain, round_up(even, grain))};
  const std::int64_t ranges = ceil_div(n, job.step);
  {
    const std::lock_guard lock(mutex_);
    Job** last = &jobs_;
    while (*last != nullptr) last = &(*last)->following;
    *last = &job;
  }
  if (ranges > 2) {
    wake_.notify_all();
  } else {
    wake_.notify_one();
  }
  inside() = true;
  std::exception_ptr error = take_ranges(job);
  inside() = false;
  std::unique_lock lock(mutex_);
  unlink(job);
  idle_.wait(lock, [&] { return job.users == 0; });
  if (error == nullptr) error = job.error;
  lock.unlock();
  if (error != nullptr) std::rethrow_exception(error);
}

void ThreadPool::work() {
  inside() = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || jobs_ != nullptr; });
    if (stop_) return;
    Job& job = *jobs_;
    ++job.users;
    lock.unlock();
    const std::exception_ptr error = take_ranges(job);
    lock.lock();
    if (error != nullptr && job.error == nullptr) job.error = error;
    unlink(job);
    if (--job.users == 0) idle_.notify_all();
  }
}

}  // namespace tessera
