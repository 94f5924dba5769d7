// Back-pressure: places are counted right, the bound holds, and nothing hangs at it.
#include "runtime/webgpu/in_flight.h"

#include "support.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

using runtime::webgpu::InFlight;
using Numbers = std::vector<std::uint64_t>;

TEST(InFlight, PlacesAreBounded) {
  InFlight places;
  places.set_limit(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(places.try_enter());
  EXPECT_FALSE(places.try_enter());
  EXPECT_FALSE(places.has_room());
  EXPECT_EQ(places.count(), 3U);
  EXPECT_TRUE(places.leave(1).empty());
  EXPECT_TRUE(places.has_room());
  EXPECT_TRUE(places.try_enter());
  EXPECT_FALSE(places.try_enter());
}

TEST(InFlight, NoBound) {
  InFlight places;
  places.set_limit(0);
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(places.try_enter());
  EXPECT_TRUE(places.has_room());
}

TEST(InFlight, TheQueueIsAskedEveryHalfBound) {
  for (const std::uint32_t limit : {1U, 2U, 3U, 8U, 256U, 1000U}) {
    InFlight places;
    places.set_limit(limit);
    std::uint32_t marked = 0;
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < limit; ++i) {
      ASSERT_TRUE(places.try_enter());
      const std::uint32_t now = places.submitted();
      marked += now;
      asked += now > 0 ? 1 : 0;
    }
    // At the bound some places must be on their way back, or everybody would wait forever.
    EXPECT_GE(marked, 1U) << limit;
    EXPECT_LE(asked, limit >= 256 ? limit / 128 : limit) << limit;
    EXPECT_EQ(marked + places.take_unmarked(), limit);
    EXPECT_EQ(places.take_unmarked(), 0U);
  }
}

TEST(InFlight, WaitingCallbacksGoOnInOrderAsRoomComes) {
  InFlight places;
  places.set_limit(2);
  EXPECT_TRUE(places.try_enter());
  EXPECT_TRUE(places.try_enter());
  for (const std::uint64_t number : {7U, 8U, 9U}) places.wait_for_room(number);
  EXPECT_EQ(places.leave(0), Numbers{});
  EXPECT_EQ(places.leave(1), Numbers{7});
  // 7 did not submit anything after all: its place goes to the next.
  EXPECT_EQ(places.leave(0), Numbers{8});
  EXPECT_TRUE(places.try_enter());
  EXPECT_EQ(places.leave(0), Numbers{});
  EXPECT_EQ(places.leave(2), Numbers{9});
}

TEST(InFlight, ANonsenseBoundIsAnError) {
  const Error e = error_of([] { Device::create({.device = "cpu", .max_in_flight = static_cast<std::uint32_t>(-1)}); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, 4294967295U);
  EXPECT_NE(std::string(e.what()).find("4294967295"), std::string::npos) << e.what();
}

/// A device of its own with a small bound.
class MaxInFlight : public testing::TestWithParam<std::uint32_t> {
 protected:
  void SetUp() override {
    for (const TestDevice& d : devices()) {
      if (!d.device.starts_with("webgpu")) continue;
      device_ = Device::create({.device = d.device, .max_in_flight = GetParam()});
      return;
    }
    GTEST_SKIP() << "there is no WebGPU device here";
  }
  Device device_;
};
INSTANTIATE_TEST_SUITE_P(Bound, MaxInFlight, testing::Values(1, 2, 3, 7));

TEST_P(MaxInFlight, HoldsWhateverIsSubmitted) {
  Tensor x = ones({64}, f32, device_).eval();
  std::uint64_t most = 0;
  for (int i = 0; i < 60; ++i) {
    x = (x + 1.0).eval();
    most = std::max(most, statistics(device_).in_flight);
  }
  EXPECT_GE(most, 1U);
  EXPECT_LE(most, GetParam());
  EXPECT_EQ(x.to_vector<float>()[5], 61.0F);
  device_.synchronize();
  EXPECT_EQ(statistics(device_).in_flight, 0U);
}

TEST_P(MaxInFlight, ThreadsTogetherKeepTheBound) {
  std::atomic<std::uint64_t> most = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Tensor x = full({16}, t, f32, device_).eval();
      for (int i = 0; i < 20; ++i) {
        x = (x + 1.0).eval();
        const std::uint64_t now = statistics(device_).in_flight;
        for (std::uint64_t seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
      }
      if (x.to_vector<float>()[3] != static_cast<float>(t + 20)) ++wrong;
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(most, GetParam());
}

TEST_P(MaxInFlight, AsyncWorkIsDeferredAndNothingHangs) {
  // Far more than there is room for, without waiting; half of it from inside callbacks.
  std::atomic<int> good = 0;
  std::atomic<int> left = 100;
  std::promise<void> all;
  const auto finished = [&] {
    if (--left == 0) all.set_value();
  };
  for (int i = 0; i < 50; ++i) {
    const Tensor x = full({8}, i, f32, device_) + 1.0;
    read<float>(x).then([&, i, x](Async<std::vector<float>> done) {
      if (done.get()[0] == static_cast<float>(i + 1)) ++good;
      // Blocking and asynchronous work from a callback, at the bound.
      (x * 2.0).eval();
      read<float>(x * 3.0).then([&, i](Async<std::vector<float>> next) {
        if (next.get()[0] == static_cast<float>(3 * (i + 1))) ++good;
        finished();
      });
      finished();
    });
  }
  all.get_future().get();
  EXPECT_EQ(good, 100);
}

TEST_P(MaxInFlight, CancelledWorkMakesRoomForTheNext) {
  std::vector<Async<std::vector<float>>> reads;
  for (int i = 0; i < 40; ++i) reads.push_back(read<float>(full({8}, i, f32, device_) + 1.0));
  for (std::size_t i = 0; i < reads.size(); i += 2) reads[i].cancel();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    try {
      EXPECT_EQ(reads[i].get()[0], static_cast<float>(i + 1));
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kCancelled);
      EXPECT_EQ(i % 2, 0U);
    }
  }
}

}  // namespace
}  // namespace tessera::test
