// Fixed worker threads that divide the ranges of a loop with the calling thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace tessera {

class ThreadPool {
 public:
  /// `threads` includes the caller: 1 means that everything runs inline, as on systems without threads.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// One pool per process: TESSERA_THREADS threads, by default one per CPU that the process may run on.
  static ThreadPool& global();

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls fn(begin, end) over ranges that cover [0, n); each begins at a multiple of `grain`. The caller takes part
  /// and returns when all are done; a nested call runs inline. The first exception stops the rest and is rethrown here.
  template <class F>
  void parallel_for(std::int64_t n, std::int64_t grain, F&& fn) {
    using Fn = std::remove_reference_t<F>;
    if (n <= 0) return;
    if (n <= grain || inside() || workers_.empty()) {
      fn(std::int64_t{0}, n);
      return;
    }
    run(
        n, grain, [](void* f, std::int64_t begin, std::int64_t end) { (*static_cast<Fn*>(f))(begin, end); },
        const_cast<std::remove_const_t<Fn>*>(&fn));
  }

 private:
  using Range = void (*)(void* fn, std::int64_t begin, std::int64_t end);
  struct Job;

  static bool& inside();  // whether this thread is running a range
  void run(std::int64_t n, std::int64_t grain, Range range, void* fn);
  void work();
  void unlink(Job& job);

  std::mutex mutex_;
  std::condition_variable wake_;  // workers wait for jobs
  std::condition_variable idle_;  // callers wait for the workers on their job
  Job* jobs_ = nullptr;           // those with ranges left, on their callers' stacks
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace tessera
