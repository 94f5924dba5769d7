// The loader with samples that cannot be loaded, users' functions that throw or use loaders, and slow ones.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/log.h"
#include "data/support.h"
#include "support/watchdog.h"

namespace tessera::test {
namespace {

using data::Array;
using data::DataLoader;
using data::DatasetPtr;
using data::LoaderOptions;
using data::LoaderState;
using data::Sample;

class LoaderErrorsTest : public DataTest {
 protected:
  Watchdog watchdog_;
};

/// Numbers, of which some cannot be loaded.
class BadNumbers final : public data::Dataset {
 public:
  BadNumbers(std::int64_t size, std::set<std::int64_t> bad, std::function<void()> error)
      : size_(size), bad_(std::move(bad)), error_(std::move(error)) {}
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] Sample get(std::int64_t i) const override {
    if (bad_.contains(i)) error_();
    return {{"x", static_cast<std::int32_t>(i)}};
  }
  [[nodiscard]] std::string name(std::int64_t i) const override { return "bilder/größe " + std::to_string(i) + ".png"; }

 private:
  std::int64_t size_;
  std::set<std::int64_t> bad_;
  std::function<void()> error_;
};

DatasetPtr bad_numbers(
    std::int64_t size, std::set<std::int64_t> bad,
    std::function<void()> error = [] { throw Error(ErrorKind::kParse, "It is damaged.", {.line = 7}); }) {
  return std::make_shared<const BadNumbers>(size, std::move(bad), std::move(error));
}

TEST_F(LoaderErrorsTest, ABadSampleIsNamedAndTheLoaderGoesOn) {
  for (const int workers : {0, 1, 2, 4}) {
    for (const std::int64_t bad : {0, 1, 4, 8, 9}) {
      DataLoader loader(bad_numbers(10, {bad}), {.batch = 2, .workers = workers});
      for (int epoch = 0; epoch < 2; ++epoch) {
        Batches batches;
        for (std::int64_t b = 0; b < 5; ++b) {
          if (b == bad / 2) {
            const Error e = error_of([&] { (void)loader.next(); });
            EXPECT_EQ(e.kind(), ErrorKind::kParse);
            EXPECT_EQ(e.fields().line, 7);
            EXPECT_EQ(std::string(e.what()), "DataLoader: sample " + std::to_string(bad) + " (bilder/größe " +
                                                 std::to_string(bad) + ".png) cannot be loaded: It is damaged.");
          } else {
            batches.push_back((*loader.next())["x"].to_vector<std::int32_t>());
          }
          EXPECT_EQ(loader.state().batch, b + 1);
        }
        EXPECT_FALSE(loader.next().has_value());
        Batches expected{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
        expected.erase(expected.begin() + bad / 2);
        EXPECT_EQ(batches, expected);
      }
    }
  }
}

TEST_F(LoaderErrorsTest, BadSamplesAreLeftOutAndCounted) {
  for (const int workers : {0, 1, 3}) {
    DataLoader loader(bad_numbers(10, {0, 2, 3, 9}), {.batch = 2, .workers = workers, .skip_bad = true});
    EXPECT_EQ(loader.size(), 5);
    testing::internal::CaptureStderr();
    EXPECT_EQ(batches_of(loader), (Batches{{1}, {4, 5}, {6, 7}, {8}}));
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(loader.state(), (LoaderState{1, 0, 4}));
    EXPECT_NE(log.find("1 samples left out so far: sample 0 (bilder/größe 0.png) cannot be loaded: It is damaged."),
              std::string::npos)
        << log;
    EXPECT_NE(log.find("4 samples left out so far: sample 9"), std::string::npos) << log;
    testing::internal::CaptureStderr();
    EXPECT_EQ(batches_of(loader).size(), 4U);
    (void)testing::internal::GetCapturedStderr();
    EXPECT_EQ(loader.state().skipped, 8);
    // A batch in which all are bad is passed over: the position is that of the batch after it.
    loader.set_state({0, 1, 1});
    testing::internal::CaptureStderr();
    EXPECT_EQ((*loader.next())["x"].to_vector<std::int32_t>(), (std::vector<std::int32_t>{4, 5}));
    (void)testing::internal::GetCapturedStderr();
    EXPECT_EQ(loader.state(), (LoaderState{0, 3, 3}));
  }
}

TEST_F(LoaderErrorsTest, AnEpochOfBadSamplesEnds) {
  for (const int workers : {0, 2}) {
    DataLoader loader(bad_numbers(3, {0, 1, 2}), {.batch = 2, .workers = workers, .skip_bad = true});
    testing::internal::CaptureStderr();
    EXPECT_FALSE(loader.next().has_value());
    (void)testing::internal::GetCapturedStderr();
    EXPECT_EQ(loader.state(), (LoaderState{1, 0, 3}));
    DataLoader failing(bad_numbers(3, {0, 1, 2}), {.batch = 2, .workers = workers});
    EXPECT_EQ(error_of([&] { (void)failing.next(); }).kind(), ErrorKind::kParse);
    EXPECT_EQ(error_of([&] { (void)failing.next(); }).kind(), ErrorKind::kParse);
    EXPECT_FALSE(failing.next().has_value());
  }
}

TEST_F(LoaderErrorsTest, WhateverIsThrownBecomesAnError) {
  const auto kind_of = [](const std::function<void()>& error, std::string_view text, bool skip = false) {
    DataLoader loader(bad_numbers(2, {1}, error), {.workers = 1, .skip_bad = skip});
    (void)loader.next();
    const Error e = error_of([&] { (void)loader.next(); });
    expect_text(e, "sample 1 (");
    expect_text(e, text);
    return e.kind();
  };
  EXPECT_EQ(kind_of([] { throw std::runtime_error("Kaputt."); }, "Kaputt."), ErrorKind::kValue);
  EXPECT_EQ(kind_of([] { throw 3; }, "no std::exception"), ErrorKind::kValue);
  EXPECT_EQ(kind_of([] { throw std::bad_alloc(); }, "no memory"), ErrorKind::kOutOfMemory);
  // What is not the sample's fault is not left out.
  EXPECT_EQ(kind_of([] { throw std::bad_alloc(); }, "no memory", true), ErrorKind::kOutOfMemory);
  EXPECT_EQ(kind_of([] { throw Error(ErrorKind::kDeviceLost, "Gone."); }, "Gone.", true), ErrorKind::kDeviceLost);
}

TEST_F(LoaderErrorsTest, ANameThatThrowsIsThePosition) {
  class Nameless final : public data::Dataset {
   public:
    [[nodiscard]] std::int64_t size() const override { return 1; }
    [[nodiscard]] Sample get(std::int64_t /*i*/) const override { throw Error(ErrorKind::kIo, "No file."); }
    [[nodiscard]] std::string name(std::int64_t /*i*/) const override { throw std::runtime_error("no name"); }
  };
  DataLoader loader(std::make_shared<const Nameless>(), {});
  const Error e = error_of([&] { (void)loader.next(); });
  EXPECT_EQ(e.kind(), ErrorKind::kIo);
  expect_text(e, "sample 0 cannot be loaded: No file.");
}

TEST_F(LoaderErrorsTest, SamplesThatDoNotStack) {
  const auto dataset = data::from_function(6, [](std::int64_t i) {
    if (i == 3) return Sample{{"x", Array(std::vector<std::int32_t>{1, 2}, {2})}};
    return Sample{{"x", static_cast<std::int32_t>(i)}};
  });
  for (const bool skip : {false, true}) {
    DataLoader loader(dataset, {.batch = 2, .skip_bad = skip});
    (void)loader.next();
    const Error e = error_of([&] { (void)loader.next(); });
    EXPECT_EQ(e.kind(), ErrorKind::kShape);
    expect_text(e, "batch 1 of epoch 0");
    expect_text(e, "field 'x' of sample 2 is i32 of shape [], and that of sample 3 is i32 of shape [2]");
    EXPECT_EQ((*loader.next())["x"].to_vector<std::int32_t>(), (std::vector<std::int32_t>{4, 5}));
  }
}

TEST_F(LoaderErrorsTest, CollateFunctionsThatThrowOrGiveNothing) {
  for (const int workers : {0, 2}) {
    DataLoader throwing(numbers(2), {.workers = workers, .collate = [](std::span<const Sample> s) -> Sample {
                                       if (s[0]["x"].values<std::int32_t>()[0] == 0) throw std::runtime_error("No.");
                                       return s[0];
                                     }});
    expect_text(error_of([&] { (void)throwing.next(); }), "batch 0 of epoch 0: No.");
    EXPECT_TRUE(throwing.next().has_value());
    DataLoader nothing(numbers(1), {.workers = workers, .collate = [](std::span<const Sample>) { return Sample(); }});
    EXPECT_EQ(error_of([&] { (void)nothing.next(); }).kind(), ErrorKind::kValue);
    DataLoader empty(numbers(1),
                     {.workers = workers, .collate = [](std::span<const Sample>) { return Sample{{"x", Array()}}; }});
    expect_text(error_of([&] { (void)empty.next(); }), "cannot be uploaded");
  }
}

TEST_F(LoaderErrorsTest, LoadersInsideOfLoaders) {
  for (const int workers : {0, 2}) {
    for (const int inner_workers : {0, 2}) {
      const auto dataset = data::from_function(4, [inner_workers](std::int64_t i) {
        DataLoader inner(numbers(i + 1), {.batch = 2, .workers = inner_workers});
        std::int32_t sum = 0;
        for (const auto& batch : batches_of(inner)) {
          for (const std::int32_t x : batch) sum += x;
        }
        return Sample{{"x", sum}};
      });
      DataLoader loader(dataset, {.batch = 4, .workers = workers});
      EXPECT_EQ(batches_of(loader), (Batches{{0, 1, 3, 6}}));
    }
  }
}

TEST_F(LoaderErrorsTest, AFunctionThatUsesItsOwnLoaderIsAnError) {
  DataLoader* self = nullptr;
  const auto dataset = data::from_function(1, [&self](std::int64_t /*i*/) {
    (void)self->next();
    return Sample{{"x", 1}};
  });
  for (const int workers : {0, 1}) {
    DataLoader loader(dataset, {.workers = workers});
    self = &loader;
    expect_text(error_of([&] { (void)loader.next(); }), "has used the loader itself");
  }
}

/// Counts samples; each waits until it is let through.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  int started = 0;
  int open = 0;

  Sample pass(std::int64_t i) {
    std::unique_lock lock(mutex);
    ++started;
    changed.notify_all();
    changed.wait(lock, [&] { return open > 0; });
    --open;
    return {{"x", static_cast<std::int32_t>(i)}};
  }
  void let(int count) {
    const std::lock_guard lock(mutex);
    open += count;
    changed.notify_all();
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return started >= count; });
  }
};

TEST_F(LoaderErrorsTest, ASlowSourceLoadsWhileTheStepRuns) {
  constexpr int kSteps = 20;
  Gate gate;
  DataLoader loader(data::from_function(100, [&](std::int64_t i) { return gate.pass(i); }),
                    {.workers = 1, .prefetch = 2});
  gate.let(1);
  for (int step = 1; step <= kSteps; ++step) {
    EXPECT_TRUE(loader.next().has_value());
    // The step: it does not end before the next sample was loaded, from its beginning to its end. The watchdog ends a
    // test in which nothing is loaded between two calls of next().
    gate.wait_for(step + 1);
    gate.let(1);
    gate.wait_for(step + 2);
  }
  EXPECT_LT(loader.waited(), 60);
  gate.let(100);
}

TEST_F(LoaderErrorsTest, WithoutWorkersNothingIsLoadedDuringTheStep) {
  std::atomic<int> loaded = 0;
  DataLoader loader(data::from_function(10,
                                        [&](std::int64_t i) {
                                          ++loaded;
                                          return Sample{{"x", static_cast<std::int32_t>(i)}};
                                        }),
                    {.workers = 0});
  for (int step = 1; step <= 10; ++step) {
    EXPECT_TRUE(loader.next().has_value());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(loaded, step);
  }
}

TEST_F(LoaderErrorsTest, LoadingStaysWithinItsBounds) {
  for (const int workers : {1, 3}) {
    for (const int prefetch : {0, 1, 4}) {
      std::atomic<int> loaded = 0;
      DataLoader loader(data::from_function(50,
                                            [&](std::int64_t i) {
                                              ++loaded;
                                              return Sample{{"x", static_cast<std::int32_t>(i)}};
                                            }),
                        {.workers = workers, .prefetch = prefetch});
      EXPECT_EQ(loaded, 0);  // nothing before the first call
      for (int b = 1; b <= 10; ++b) {
        (void)loader.next();
        EXPECT_LE(loaded, b + workers + prefetch);
      }
      const int bound = 10 + workers + prefetch;
      while (loaded < bound) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(loaded, bound);
    }
  }
}

TEST_F(LoaderErrorsTest, EndsInTheMiddleOfAnEpoch) {
  for (const int workers : {1, 4}) {
    for (int batches = 0; batches < 4; ++batches) {
      DataLoader loader(data::from_function(1000,
                                            [](std::int64_t i) {
                                              std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                              return Sample{{"x", static_cast<std::int32_t>(i)}};
                                            }),
                        {.batch = 20, .workers = workers});
      for (int i = 0; i < batches; ++i) (void)loader.next();
    }
  }
}

TEST_F(LoaderErrorsTest, NoSamplesAreLoadedAfterTheEnd) {
  Gate gate;
  std::jthread opens;
  {
    DataLoader loader(data::from_function(100, [&](std::int64_t i) { return gate.pass(i); }),
                      {.batch = 50, .workers = 1});
    gate.let(50);
    (void)loader.next();
    gate.wait_for(51);
    opens = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      gate.let(100);
    });
  }
  EXPECT_LT(gate.started, 100);  // the rest of the second batch
}

TEST_F(LoaderErrorsTest, ManyChangesOfPosition) {
  DataLoader loader(data::from_function(64,
                                        [](std::int64_t i) {
                                          if (i % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
                                          return Sample{{"x", static_cast<std::int32_t>(i)}};
                                        }),
                    {.batch = 2, .workers = 4, .prefetch = 3});
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::int64_t batch = i * 7 % 32;
    loader.set_state({i % 3, batch, 0});
    for (std::int64_t k = 0; k < i % 4 && batch + k < 32; ++k) {
      const auto first = static_cast<std::int32_t>(2 * (batch + k));
      EXPECT_EQ((*loader.next())["x"].to_vector<std::int32_t>(), (std::vector<std::int32_t>{first, first + 1}));
    }
  }
}

TEST_F(LoaderErrorsTest, FortyLoadersOfOneDataset) {
  const DatasetPtr dataset = numbers(200);
  std::atomic<std::int64_t> sum = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 40; ++t) {
      threads.emplace_back([&, t] {
        DataLoader loader(dataset, {.batch = 16, .shuffle = true, .seed = t, .workers = 2});
        for (const auto& batch : batches_of(loader)) {
          for (const std::int32_t x : batch) sum += x;
        }
      });
    }
  }
  EXPECT_EQ(sum, 40 * 19900);
}

}  // namespace
}  // namespace tessera::test
