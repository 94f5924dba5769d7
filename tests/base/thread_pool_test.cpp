// The thread pool: coverage of ranges, nesting, exceptions, and use from many threads at once.
#include "base/thread_pool.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::int64_t n : {0, 1, 7, 64, 1000, 12345}) {
      for (const std::int64_t grain : {1, 3, 64, 100000}) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        pool.parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
          EXPECT_EQ(begin % grain, 0);
          EXPECT_LT(begin, end);
          for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
        });
        for (const int count : seen) ASSERT_EQ(count, 1);
      }
    }
  }
}

TEST(ThreadPool, NestedCallsRunInline) {
  ThreadPool pool(4);
  std::atomic<std::int64_t> sum{0};
  pool.parallel_for(8, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto me = std::this_thread::get_id();
      pool.parallel_for(100, 1, [&](std::int64_t b, std::int64_t e) {
        EXPECT_EQ(std::this_thread::get_id(), me);
        sum += e - b;
      });
    }
  });
  EXPECT_EQ(sum, 800);
}

TEST(ThreadPool, TheFirstExceptionReachesTheCaller) {
  ThreadPool pool(3);
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(pool.parallel_for(1000, 1,
                                   [&](std::int64_t begin, std::int64_t) {
                                     if (begin >= 500) throw std::runtime_error("here");
                                   }),
                 std::runtime_error);
    std::atomic<int> count{0};
    pool.parallel_for(100, 1, [&](std::int64_t b, std::int64_t e) { count += static_cast<int>(e - b); });
    EXPECT_EQ(count, 100);
  }
}

TEST(ThreadPool, ManyThreadsAtOnce) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<std::int64_t> total{0};
  for (int t = 0; t < 6; ++t) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        std::vector<std::int64_t> values(257);
        pool.parallel_for(257, 8, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] = i;
        });
        total += std::accumulate(values.begin(), values.end(), std::int64_t{0});
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 6 * 200 * (256 * 257 / 2));
}

TEST(ThreadPool, TheGlobalPoolIsOne) {
  EXPECT_EQ(&ThreadPool::global(), &ThreadPool::global());
  EXPECT_GE(ThreadPool::global().threads(), 1);
}

}  // namespace
}  // namespace tessera
