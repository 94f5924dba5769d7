// The pool: size classes, reuse, budget, pressure, and what happens when memory runs out.
#include "runtime/memory/pool.h"

#include <thread>

#include <gtest/gtest.h>

#include "../schedule/support.h"

namespace tessera::test {

TEST(Pool, ClassesWasteAtMostAnEighth) {
  for (std::size_t bytes = 257; bytes < (std::size_t{1} << 32U); bytes += 1 + bytes / 13) {
    const std::size_t size = runtime::Pool::size_class(bytes);
    ASSERT_GE(size, bytes);
    ASSERT_EQ(size % 16, 0U);
    ASSERT_LE(static_cast<double>(size - bytes), 0.125 * static_cast<double>(bytes) + 16) << bytes;
    ASSERT_EQ(runtime::Pool::size_class(size), size);
  }
}

class PoolTest : public ::testing::Test {
 protected:
  static Device make(std::uint64_t budget) {
    DeviceConfig config;
    config.memory_budget = budget;
    return Device(runtime::make_null_device(gpu_info(), config));
  }
};

TEST_F(PoolTest, ARepeatingStepHitsThePool) {
  const Device device = make(0);
  for (int i = 0; i < 200; ++i) {
    const Tensor x = full({1000}, 1.0, f32, device);
    sum(softmax(x.reshape({10, 100}) + 1.0) * 2.0).eval();
  }
  const MemoryStats s = device.memory_stats();
  EXPECT_GE(static_cast<double>(s.hits) / static_cast<double>(s.hits + s.misses), 0.99);
  EXPECT_EQ(s.in_use, 0U);
  EXPECT_GT(s.peak, 0U);
}

TEST_F(PoolTest, TrimFreesWhatIsIdle) {
  const Device device = make(0);
  {
    const Tensor x = full({1 << 20}, 1.0, f32, device).eval();
  }
  EXPECT_GE(device.memory_stats().allocated, std::uint64_t{4} << 20U);
  EXPECT_GE(device.trim(), std::uint64_t{4} << 20U);
  EXPECT_EQ(device.memory_stats().allocated, 0U);
}

TEST_F(PoolTest, IdleMemoryIsBounded) {
  DeviceConfig config;
  config.max_idle_memory = std::uint64_t{10} << 20U;
  const Device device(runtime::make_null_device(gpu_info(), config));
  const auto make_one = [&](std::int64_t mebibytes) { return full({mebibytes << 18U}, 1.0, f32, device).eval(); };
  {
    std::vector<Tensor> spike;
    for (int i = 0; i < 64; ++i) spike.push_back(make_one(4));
    EXPECT_EQ(device.memory_stats().allocated, std::uint64_t{256} << 20U) << "memory in use has no bound";
  }
  EXPECT_EQ(device.memory_stats().allocated, std::uint64_t{8} << 20U) << "two buffers of 4 MiB stay";
  {
    const Tensor other = make_one(7);
  }
  EXPECT_EQ(device.memory_stats().allocated, std::uint64_t{7} << 20U) << "the longest idle go first";
  const std::uint64_t misses = device.memory_stats().misses;
  for (int i = 0; i < 10; ++i) {
    const Tensor again = make_one(7);
  }
  EXPECT_EQ(device.memory_stats().misses, misses) << "what is used again and again stays";
  {
    const Tensor large = make_one(64);
  }
  EXPECT_EQ(device.memory_stats().allocated, 0U) << "a buffer past the bound is not kept, nor what is older";
  EXPECT_EQ(device.trim(), 0U);
}

TEST_F(PoolTest, IdleMemoryIsAtMostAQuarterOfTheDevice) {
  DeviceInfo info = gpu_info();
  info.memory_size = std::uint64_t{64} << 20U;
  const Device device(runtime::make_null_device(info, {}));
  {
    std::vector<Tensor> spike;
    for (int i = 0; i < 12; ++i) spike.push_back(full({1 << 20}, 1.0, f32, device).eval());
  }
  EXPECT_EQ(device.memory_stats().allocated, std::uint64_t{16} << 20U);
}

TEST_F(PoolTest, PastTheBudgetIsAnErrorThatLosesNothing) {
  const Device device = make(std::uint64_t{10} << 20U);
  const Tensor kept(std::vector<float>(1 << 20, 1.5F), {1 << 20}, device);
  std::uint64_t pressed = 0;
  device.on_memory_pressure([&](std::uint64_t bytes) { pressed = bytes; });
  const Tensor large = full({4 << 20}, 2.0, f32, device);
  try {
    large.eval();
    FAIL() << "16 MiB fitted a budget of 10";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory);
    EXPECT_EQ(e.fields().requested, std::uint64_t{16} << 20U);
    EXPECT_EQ(e.fields().available, std::uint64_t{6} << 20U);
    EXPECT_NE(std::string(e.what()).find("16777216 bytes were requested"), std::string::npos) << e.what();
  }
  EXPECT_EQ(pressed, std::uint64_t{16} << 20U);
  EXPECT_EQ(kept.to_vector<float>()[12345], 1.5F);
  EXPECT_FALSE(large.is_evaluated());
  EXPECT_NO_THROW(full({1 << 20}, 2.0, f32, device).eval());
  EXPECT_EQ(device.memory_stats().in_use, std::uint64_t{4} << 20U) << "only what is kept is in use";
}

TEST_F(PoolTest, IdleMemoryIsGivenUpBeforeAnError) {
  const Device device = make(std::uint64_t{10} << 20U);
  {
    const Tensor x = full({2 << 20}, 1.0, f32, device).eval();
  }  // 8 MiB, idle now
  EXPECT_NO_THROW(full({9 << 18}, 2.0, f32, device).eval());  // 9 MiB of another class
}

TEST_F(PoolTest, PastTheLargestBufferIsALimit) {
  DeviceConfig config;
  config.max_buffer_size = 1 << 20;
  const Device device(runtime::make_null_device(gpu_info(), config));
  try {
    full({1 << 20}, 1.0, f32, device).eval();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kLimit);
    EXPECT_EQ(e.fields().requested, std::uint64_t{4} << 20U);
    EXPECT_EQ(e.fields().available, std::uint64_t{1} << 20U);
  }
}

TEST_F(PoolTest, ThreadsShareIt) {
  const Device device = make(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        auto buffer = device.impl()->pool().acquire(static_cast<std::size_t>(256 + 512 * ((i + t) % 7)));
        device.impl()->pool().release(std::move(buffer));
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(device.memory_stats().in_use, 0U);
}

}  // namespace tessera::test
