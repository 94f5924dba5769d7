// Uploads and downloads, callbacks without polling, waiting, and threads.
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "support.h"

namespace tessera::runtime {
namespace {

using std::chrono::seconds;

class Transfer : public WebGpuTest {
 protected:
  void SetUp() override {
    WebGpuTest::SetUp();
    if (!IsSkipped()) device_ = make_test_device();
  }
  std::shared_ptr<WebGpuDevice> device_;
};

std::vector<std::uint8_t> pattern(std::size_t n, std::uint8_t start = 1) {
  std::vector<std::uint8_t> out(n);
  std::iota(out.begin(), out.end(), start);
  return out;
}

TEST_F(Transfer, NewBuffersAreZeroAndRounded) {
  const auto buffer = device_->create_buffer(5);
  EXPECT_EQ(buffer->bytes() % 16, 0U);
  EXPECT_GE(buffer->bytes(), 256U);
  EXPECT_EQ(get<std::uint8_t>(*device_, *buffer, 5), std::vector<std::uint8_t>(5, 0));
}

TEST_F(Transfer, RoundTripAtOddSizesAndOffsets) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 255, 256, 257, 1000003}) {
    const auto buffer = device_->create_buffer(n);
    const auto data = pattern(n);
    put(*device_, *buffer, data);
    EXPECT_EQ(get<std::uint8_t>(*device_, *buffer, n), data) << n;
    for (const std::size_t skip : {1, 2, 3, 5}) {
      if (n <= skip) continue;
      const std::vector<std::uint8_t> tail(data.begin() + static_cast<std::ptrdiff_t>(skip), data.end());
      EXPECT_EQ(get<std::uint8_t>(*device_, *buffer, n - skip, skip), tail) << n << " from " << skip;
    }
  }
}

TEST_F(Transfer, UploadAtAnOffset) {
  const auto buffer = device_->create_buffer(64);
  put(*device_, *buffer, std::vector<std::uint32_t>{1, 2, 3, 4});
  put(*device_, *buffer, std::vector<std::uint32_t>{9}, 8);
  EXPECT_EQ(get<std::uint32_t>(*device_, *buffer, 4), (std::vector<std::uint32_t>{1, 2, 9, 4}));
  EXPECT_EQ(error_of([&] { put(*device_, *buffer, std::vector<std::uint32_t>{9}, 2); }).kind(), ErrorKind::kValue);
}

TEST_F(Transfer, RangesAreChecked) {
  const auto buffer = device_->create_buffer(256);
  std::vector<std::byte> bytes(257);
  EXPECT_EQ(error_of([&] { device_->upload(*buffer, 0, bytes); }).kind(), ErrorKind::kValue);
  const Error e = error_of([&] { device_->download({{buffer.get(), 8, 256, bytes.data()}}, [](auto) {}); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_TRUE(contains(e.what(), "264")) << e.what();
}

TEST_F(Transfer, LargerThanTheChunks) {
  const std::size_t n = (std::size_t{66} << 20U) / 4 + 7;  // several upload chunks, several staging buffers
  std::vector<std::uint32_t> data(n);
  std::iota(data.begin(), data.end(), 0U);
  const auto buffer = device_->create_buffer(n * 4);
  put(*device_, *buffer, data);
  EXPECT_TRUE(get<std::uint32_t>(*device_, *buffer, n) == data);
}

TEST_F(Transfer, SeveralReadsShareOneCallback) {
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::vector<std::uint8_t>> out;
  std::vector<Read> reads;
  for (std::size_t i = 0; i < 20; ++i) {
    const std::size_t n = i * 37;
    buffers.push_back(device_->create_buffer(n));
    put(*device_, *buffers.back(), pattern(n, static_cast<std::uint8_t>(i)));
    out.emplace_back(n);
  }
  for (std::size_t i = 0; i < 20; ++i) reads.push_back({buffers[i].get(), 0, out[i].size(), out[i].data()});
  const std::uint64_t before = device_->webgpu_stats().submissions;
  std::atomic<int> calls = 0;
  device_->download(reads, [&](std::exception_ptr failure) {
    EXPECT_EQ(failure, nullptr);
    ++calls;
  });
  device_->wait();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(device_->webgpu_stats().submissions, before + 1);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(out[i], pattern(i * 37, static_cast<std::uint8_t>(i)));
}

TEST_F(Transfer, NothingToReadCallsBackToo) {
  std::promise<void> promise;
  device_->download({}, [&](std::exception_ptr failure) {
    EXPECT_EQ(failure, nullptr);
    promise.set_value();
  });
  EXPECT_EQ(promise.get_future().wait_for(seconds(10)), std::future_status::ready);
}

TEST_F(Transfer, OnDoneComesWithoutPolling) {
  const auto buffer = device_->create_buffer(1024);
  put(*device_, *buffer, pattern(1024));
  std::promise<void> promise;
  device_->on_done([&](std::exception_ptr failure) {
    EXPECT_EQ(failure, nullptr);
    promise.set_value();
  });
  EXPECT_EQ(promise.get_future().wait_for(seconds(10)), std::future_status::ready);
}

TEST_F(Transfer, WaitRunsAllCallbacks) {
  const auto buffer = device_->create_buffer(1024);
  std::atomic<int> calls = 0;
  std::vector<std::byte> out(1024);
  for (int i = 0; i < 50; ++i) {
    device_->on_done([&](std::exception_ptr) { ++calls; });
    device_->download({{buffer.get(), 0, 1024, out.data()}}, [&](std::exception_ptr) { ++calls; });
    device_->wait();
    ASSERT_EQ(calls, 2 * (i + 1)) << "every callback has returned when wait() does";
  }
}

TEST_F(Transfer, ACallbackMayReadAndWait) {
  const auto buffer = device_->create_buffer(64);
  put(*device_, *buffer, std::vector<std::uint32_t>{7});
  std::promise<std::uint32_t> by_read;
  std::promise<std::uint32_t> by_wait;
  device_->on_done([&](std::exception_ptr) {
    device_->download({}, [&](std::exception_ptr) {
      std::uint32_t value = 0;
      bool done = false;
      device_->download({{buffer.get(), 0, 4, &value}}, [&](std::exception_ptr) { done = true; });
      device_->wait();
      EXPECT_TRUE(done);
      by_wait.set_value(value);
    });
  });
  device_->on_done([&](std::exception_ptr) {
    put(*device_, *buffer, std::vector<std::uint32_t>{7});
    auto* value = new std::uint32_t(0);
    device_->download({{buffer.get(), 0, 4, value}}, [&, value](std::exception_ptr) {
      by_read.set_value(*value);
      delete value;
    });
  });
  auto read = by_read.get_future();
  auto wait = by_wait.get_future();
  ASSERT_EQ(read.wait_for(seconds(20)), std::future_status::ready);
  ASSERT_EQ(wait.wait_for(seconds(20)), std::future_status::ready);
  EXPECT_EQ(read.get(), 7U);
  EXPECT_EQ(wait.get(), 7U);
  device_->wait();
}

TEST_F(Transfer, ManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 15; ++i) {
        const std::vector<std::uint32_t> data(1000 + t * 100 + i, t * 1000 + i);
        auto buffer = device_->pool().acquire(data.size() * 4);
        put(*device_, *buffer, data);
        if (i % 3 == 0) device_->wait();
        if (get<std::uint32_t>(*device_, *buffer, data.size()) != data) ++wrong;
        device_->pool().release(std::move(buffer));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Transfer, TheLastOwnerMayBeACallback) {
  std::promise<void> promise;
  auto future = promise.get_future();
  device_->on_done([owner = device_, &promise](std::exception_ptr) mutable {
    owner.reset();
    promise.set_value();
  });
  device_.reset();
  EXPECT_EQ(future.wait_for(seconds(10)), std::future_status::ready);
}

TEST_F(Transfer, BuffersMayOutliveTheDevice) {
  auto buffer = device_->create_buffer(1024);
  device_.reset();
  buffer.reset();
}

TEST_F(Transfer, TooLargeIsALimitErrorAndLeavesTheDeviceUsable) {
  const std::uint64_t most = device_->info().limits.max_buffer_size;
  const Error e = error_of([&] { device_->create_buffer(most + 16); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, most + 16);
  EXPECT_EQ(e.fields().available, most);
  const auto buffer = device_->create_buffer(16);
  put(*device_, *buffer, pattern(16));
  EXPECT_EQ(get<std::uint8_t>(*device_, *buffer, 16), pattern(16));
}

TEST_F(Transfer, BudgetIsOutOfMemory) {
  DeviceConfig config;
  config.memory_budget = 1 << 20;
  const auto device = make_test_device(config);
  auto first = device->pool().acquire(600 << 10);
  const Error e = error_of([&] { device->pool().acquire(600 << 10); });
  EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory);
  EXPECT_GT(e.fields().requested, e.fields().available);
  device->pool().release(device->pool().acquire(100 << 10));
  device->pool().release(std::move(first));
  device->pool().release(device->pool().acquire(900 << 10));
}

}  // namespace
}  // namespace tessera::runtime
