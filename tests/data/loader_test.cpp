// The loader: the order of samples and batches for any number of threads, epochs, positions, parts and options.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

#include "data/support.h"
#include "support/devices.h"
#include "support/watchdog.h"

namespace tessera::test {
namespace {

using data::Array;
using data::DataLoader;
using data::LoaderOptions;
using data::LoaderState;
using data::Sample;

class LoaderTest : public DataTest {
 protected:
  Watchdog watchdog_;
};

Batches epochs(DataLoader& loader, int count) {
  Batches all;
  for (int i = 0; i < count; ++i) {
    for (auto& batch : batches_of(loader)) all.push_back(std::move(batch));
  }
  return all;
}

TEST_F(LoaderTest, BatchesInOrder) {
  for (const int workers : {0, 1, 2, 4}) {
    DataLoader loader(numbers(7), {.batch = 3, .workers = workers});
    EXPECT_EQ(loader.size(), 3);
    for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(batches_of(loader), (Batches{{0, 1, 2}, {3, 4, 5}, {6}}));
    DataLoader whole(numbers(7), {.batch = 3, .drop_last = true, .workers = workers});
    EXPECT_EQ(batches_of(whole), (Batches{{0, 1, 2}, {3, 4, 5}}));
  }
}

TEST_F(LoaderTest, OddSizes) {
  for (const int workers : {0, 2}) {
    for (const int prefetch : {0, 1, 5, std::numeric_limits<int>::max()}) {
      const auto load = [&](std::int64_t size, std::int64_t batch) {
        DataLoader loader(numbers(size), {.batch = batch, .workers = workers, .prefetch = prefetch});
        Batches first = batches_of(loader);
        EXPECT_EQ(first, batches_of(loader));
        return first;
      };
      EXPECT_EQ(load(1, 1), (Batches{{0}}));
      EXPECT_EQ(load(1, 100), (Batches{{0}}));
      EXPECT_EQ(load(3, std::numeric_limits<std::int64_t>::max()), (Batches{{0, 1, 2}}));
      EXPECT_EQ(load(4, 2), (Batches{{0, 1}, {2, 3}}));
      EXPECT_EQ(load(3, 1), (Batches{{0}, {1}, {2}}));
    }
  }
}

TEST_F(LoaderTest, OptionsThatAreRefused) {
  const auto error = [](const data::DatasetPtr& dataset, const LoaderOptions& options) {
    const Error e = error_of([&] { const DataLoader loader(dataset, options); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue) << e.what();
    return e;
  };
  expect_text(error(numbers(0), {}), "no samples; at least one is expected");
  expect_text(error(nullptr, {}), "no data set");
  expect_text(error(numbers(3), {.batch = 0}), "a batch of 0");
  expect_text(error(numbers(3), {.batch = 4, .drop_last = true}), "drop_last leaves no batch of 4 samples from 3");
  expect_text(error(numbers(3), {.workers = -1}), "-1 workers");
  expect_text(error(numbers(3), {.workers = 100000}), "100000 workers");
  expect_text(error(numbers(3), {.prefetch = -1}), "a prefetch of -1");
  expect_text(error(numbers(3), {.part = 2, .parts = 2}), "part 2 of 2");
  expect_text(error(numbers(3), {.part = -1, .parts = 2}), "part -1 of 2");
  expect_text(error(numbers(3), {.part = 0, .parts = 0}), "part 0 of 0");
  expect_text(error(numbers(3), {.part = 0, .parts = 4}), "4 parts");
}

TEST_F(LoaderTest, ShuffledEpochsDependOnSeedAndEpochAlone) {
  DataLoader inline_loader(numbers(50), {.batch = 8, .shuffle = true, .seed = 3, .workers = 0});
  const Batches expected = epochs(inline_loader, 3);
  for (const int workers : {1, 2, 3, 4}) {
    for (const int prefetch : {0, 1, 4}) {
      DataLoader loader(numbers(50),
                        {.batch = 8, .shuffle = true, .seed = 3, .workers = workers, .prefetch = prefetch});
      EXPECT_EQ(epochs(loader, 3), expected) << workers << " workers, prefetch " << prefetch;
    }
  }
  // Batches of another size have the samples in the same order.
  DataLoader singles(numbers(50), {.batch = 50, .shuffle = true, .seed = 3, .workers = 0});
  std::vector<std::int32_t> first;
  for (std::size_t b = 0; b < 7; ++b) first.insert(first.end(), expected[b].begin(), expected[b].end());
  EXPECT_EQ(batches_of(singles)[0], first);
  EXPECT_EQ(std::set<std::int32_t>(first.begin(), first.end()).size(), 50U);
  EXPECT_NE(batches_of(singles)[0], first);
  DataLoader other(numbers(50), {.batch = 50, .shuffle = true, .seed = 4, .workers = 0});
  EXPECT_NE(batches_of(other)[0], first);
}

TEST_F(LoaderTest, ContinuesFromEveryPosition) {
  const LoaderOptions options{.batch = 3, .shuffle = true, .seed = 9, .workers = 0};
  DataLoader whole(numbers(10), options);
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    for (std::int64_t batch = 0; batch <= whole.size(); ++batch) {
      for (const int workers : {0, 1, 3}) {
        LoaderOptions threaded = options;
        threaded.workers = workers;
        DataLoader loader(numbers(10), threaded);
        // In the middle of an epoch of its own, with batches that wait.
        (void)loader.next();
        loader.set_state({epoch, batch, 5});
        EXPECT_EQ(loader.state(), (LoaderState{epoch, batch, 5}));
        whole.set_state({epoch, batch, 0});
        EXPECT_EQ(batches_of(loader), batches_of(whole)) << epoch << " " << batch;
        EXPECT_EQ(loader.state(), (LoaderState{epoch + 1, 0, 5}));
        EXPECT_EQ(batches_of(loader), batches_of(whole)) << "the epoch after " << epoch << " " << batch;
      }
    }
  }
  EXPECT_EQ(error_of([&] { whole.set_state({0, 5, 0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { whole.set_state({-1, 0, 0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { whole.set_state({0, -1, 0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { whole.set_state({0, 0, -1}); }).kind(), ErrorKind::kValue);
  whole.set_state({std::numeric_limits<std::int64_t>::max() - 1, 0, 0});
  EXPECT_EQ(batches_of(whole).size(), 4U);
}

TEST_F(LoaderTest, StateCountsBatchesThatWereReturned) {
  DataLoader loader(numbers(6), {.batch = 2, .workers = 2, .prefetch = 3});
  EXPECT_EQ(loader.state(), LoaderState());
  (void)loader.next();
  EXPECT_EQ(loader.state(), (LoaderState{0, 1, 0}));
  (void)loader.next();
  (void)loader.next();
  EXPECT_EQ(loader.state(), (LoaderState{0, 3, 0}));
  EXPECT_FALSE(loader.next().has_value());
  EXPECT_EQ(loader.state(), (LoaderState{1, 0, 0}));
}

TEST_F(LoaderTest, PartsAreDisjointAndHaveEqualBatches) {
  for (const std::int64_t parts : {1, 2, 3, 7}) {
    std::set<std::int32_t> seen;
    std::vector<std::size_t> sizes;
    for (std::int64_t part = 0; part < parts; ++part) {
      DataLoader loader(numbers(23),
                        {.batch = 2, .shuffle = true, .seed = 1, .workers = 1, .part = part, .parts = parts});
      const Batches batches = batches_of(loader);
      EXPECT_EQ(static_cast<std::int64_t>(batches.size()), loader.size());
      EXPECT_EQ(loader.size(), (23 / parts + 1) / 2);
      std::size_t samples = 0;
      for (const auto& batch : batches) {
        samples += batch.size();
        for (const std::int32_t x : batch) EXPECT_TRUE(seen.insert(x).second) << x;
      }
      sizes.push_back(samples);
    }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), 23 / parts * parts);
    EXPECT_EQ(std::set<std::size_t>(sizes.begin(), sizes.end()).size(), 1U);
  }
}

TEST_F(LoaderTest, RangeForEndsWithTheEpoch) {
  DataLoader loader(numbers(5), {.batch = 2});
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::int64_t samples = 0;
    for (const Tree& batch : loader) samples += batch["x"].size(0);
    EXPECT_EQ(samples, 5);
  }
}

TEST_F(LoaderTest, MovesInTheMiddleOfAnEpoch) {
  DataLoader a(numbers(9), {.batch = 2, .workers = 2});
  (void)a.next();
  DataLoader b(std::move(a));
  EXPECT_EQ((*b.next())["x"].to_vector<std::int32_t>(), (std::vector<std::int32_t>{2, 3}));
  DataLoader c(numbers(3), {.batch = 1, .workers = 3});
  (void)c.next();
  c = std::move(b);
  EXPECT_EQ(batches_of(c), (Batches{{4, 5}, {6, 7}, {8}}));
  EXPECT_EQ(error_of([&] { (void)b.next(); }).kind(), ErrorKind::kValue);  // NOLINT(bugprone-use-after-move)
}

TEST_F(LoaderTest, ACollateFunctionMakesTheBatch) {
  for (const int workers : {0, 2}) {
    DataLoader loader(numbers(5), {.batch = 2, .workers = workers, .collate = [](std::span<const Sample> samples) {
                                     std::int32_t sum = 0;
                                     for (const Sample& s : samples) sum += s["x"].values<std::int32_t>()[0];
                                     return Sample{{"x", Array(std::vector<std::int32_t>{sum}, {1})}};
                                   }});
    EXPECT_EQ(batches_of(loader), (Batches{{1}, {5}, {4}}));
  }
}

TEST_F(LoaderTest, FieldsKeepTheirNamesDTypesAndShapes) {
  const auto dataset = data::from_arrays({{"image", Array(std::vector<std::uint8_t>(4 * 6, 200), {4, 2, 3})},
                                          {"größe", Array(std::vector<double>{1, NAN, INFINITY, 4}, {4})},
                                          {"empty", Array(std::vector<float>{}, {4, 0})}});
  DataLoader loader(dataset, {.batch = 3});
  const Tree batch = *loader.next();
  EXPECT_EQ(batch.names(), (std::vector<std::string>{"image", "größe", "empty"}));
  EXPECT_EQ(batch["image"].shape(), Shape({3, 2, 3}));
  EXPECT_EQ(batch["image"].dtype(), u8);
  EXPECT_TRUE(std::isnan(batch["größe"].to_vector<double>()[1]));
  EXPECT_EQ(batch["empty"].shape(), Shape({3, 0}));
}

TEST_F(LoaderTest, WaitedIsMeasured) {
  using std::chrono::milliseconds;
  const auto slow = data::from_function(4, [](std::int64_t i) {
    std::this_thread::sleep_for(milliseconds(20));
    return Sample{{"x", static_cast<std::int32_t>(i)}};
  });
  for (const int workers : {0, 1}) {
    DataLoader loader(slow, {.workers = workers});
    EXPECT_EQ(loader.waited(), 0);
    (void)loader.next();
    EXPECT_GE(loader.waited(), 0.02);
  }
}

class LoaderOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(LoaderOn);

TEST_P(LoaderOn, BatchesAreOnTheDevice) {
  const Watchdog watchdog;
  DataLoader loader(numbers(100), {.batch = 7, .shuffle = true, .device = device_});
  DataLoader host(numbers(100),
                  {.batch = 7, .shuffle = true, .workers = 0, .device = Device::create({.device = "cpu"})});
  for (const Tree& batch : loader) {
    EXPECT_EQ(batch["x"].device(), device_);
    EXPECT_EQ((batch["x"] * 2).to_vector<std::int32_t>(), ((*host.next())["x"] * 2).to_vector<std::int32_t>());
  }
}

TEST_P(LoaderOn, BatchesThatWaitAreUploaded) {
  if (on_cpu()) GTEST_SKIP() << "batches are in host memory";
  const Watchdog watchdog;
  constexpr std::int64_t kFloats = std::int64_t{1} << 18U;  // 1 MiB
  const auto dataset = data::from_function(
      8, [](std::int64_t /*i*/) { return Sample{{"x", Array(std::vector<float>(kFloats, 1), {kFloats})}}; });
  DataLoader loader(dataset, {.workers = 2, .prefetch = 3, .device = device_});
  const std::uint64_t before = device_.memory_stats().in_use;
  const auto batch = loader.next();
  // Nobody asks for the next ones; they arrive all the same, and no more of them.
  const std::uint64_t expected = before + 4 * sizeof(float) * kFloats;
  while (device_.memory_stats().in_use < expected) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LT(device_.memory_stats().in_use, expected + sizeof(float) * kFloats);
}

}  // namespace
}  // namespace tessera::test
