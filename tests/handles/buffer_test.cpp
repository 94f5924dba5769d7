// Buffer handles: transfers at every offset, checks, mirrored buffers that move only what is out of date.
#include <numeric>

#include <gtest/gtest.h>

#include "runtime/forwarding.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes ramp(std::size_t n, std::uint8_t first = 1) {
  Bytes v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

class Buffers : public DeviceTest {
 protected:
  Buffer make(std::uint64_t size, BufferLocation location = BufferLocation::kDevice) const {
    return Buffer::allocate(device_, {.label = "b", .size = size, .location = location});
  }
};
TESSERA_ON_ALL_DEVICES(Buffers);

constexpr auto kLocations = {BufferLocation::kDevice, BufferLocation::kHostVisible, BufferLocation::kMirrored};

TEST_P(Buffers, WritesKeepTheirNeighboursAtEveryOffsetAndSize) {
  for (const BufferLocation location : kLocations) {
    const Buffer b = make(37, location);
    for (std::size_t offset = 0; offset < 9; ++offset) {
      for (std::size_t n = 0; n < 11; ++n) {
        b.copy_to(Bytes(37, 0xee));
        b.copy_to(ramp(n), offset);
        Bytes expected(37, 0xee);
        const Bytes data = ramp(n);
        std::copy(data.begin(), data.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
        ASSERT_EQ(b.copy_from<std::uint8_t>(37), expected) << offset << "+" << n;
        ASSERT_EQ(b.copy_from<std::uint8_t>(n, offset), data) << offset << "+" << n;
      }
    }
  }
}

TEST_P(Buffers, AreWrittenInPlace) {
  for (const BufferLocation location : kLocations) {
    for (const std::size_t n : {1U, 5U, 64U}) {
      const Buffer b = make(n, location);
      const Tensor x = b.tensor({static_cast<std::int64_t>(n)}, u8);
      const std::uint64_t before = statistics(device_).uploaded_bytes;
      const RawBytes to = b.to_write();
      ASSERT_NE(to.host, nullptr);
      ASSERT_EQ(to.size, n);
      const Bytes data = ramp(n);
      std::copy(data.begin(), data.end(), static_cast<std::uint8_t*>(to.host));
      // By a kernel, and as it lies.
      EXPECT_EQ((x + Tensor(0)).astype(u8).to_vector<std::uint8_t>(), data);
      EXPECT_EQ(b.copy_from<std::uint8_t>(n), data);
      EXPECT_GE(statistics(device_).uploaded_bytes - before, location == BufferLocation::kDevice ? n : 0);
    }
  }
  const Buffer gone = make(4);
  gone.free();
  EXPECT_EQ(error_of([&] { static_cast<void>(gone.to_write()); }).kind(), ErrorKind::kValue);
  const Buffer closed = Buffer::allocate(device_, {.label = "r", .size = 4, .usage = BufferUsage::kRead});
  EXPECT_EQ(error_of([&] { static_cast<void>(closed.to_write()); }).kind(), ErrorKind::kValue);
}

TEST_P(Buffers, CopiesAndFillsAtEveryOffset) {
  for (const BufferLocation location : kLocations) {
    const Buffer from = make(64, location);
    const Buffer to = make(64, location);
    const Bytes data = ramp(64);
    from.copy_to(data);
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = 0; b < 5; ++b) {
        for (const std::size_t n : {0U, 1U, 4U, 7U, 33U}) {
          to.fill(0xcc);
          to.fill(0xdd, b, n + 1);
          copy(from, a, to, b, n);
          Bytes expected(64, 0xcc);
          std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(b), n + 1, 0xdd);
          std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(a), n,
                      expected.begin() + static_cast<std::ptrdiff_t>(b));
          ASSERT_EQ(to.copy_from<std::uint8_t>(64), expected) << a << " " << b << " " << n;
        }
      }
    }
    // Inside one buffer, where the ranges stand apart.
    copy(from, 1, from, 30, 20);
    EXPECT_EQ(from.copy_from<std::uint8_t>(20, 30), ramp(20, 2));
  }
}

TEST_P(Buffers, LargeCopiesFillAGridOfTwoDimensions) {
  const std::size_t n = (std::size_t{65535} * 256 + 1000) * 4;  // more words than one row of workgroups holds
  const Buffer a = make(n);
  const Buffer b = make(n);
  a.fill(7);
  b.fill(0);
  copy(a, 4, b, 8, n - 8);
  EXPECT_EQ(b.copy_from<std::uint8_t>(10, 0), (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 7, 7}));
  EXPECT_EQ(b.copy_from<std::uint8_t>(6, n - 6), (Bytes{7, 7, 7, 7, 7, 7}));
}

TEST_P(Buffers, ReadsByCallbackAndFuture) {
  const Buffer b = make(10);
  b.copy_to(ramp(10));
  auto future = b.copy_from_async(3, 2);
  std::promise<std::size_t> called;
  b.copy_from(5, 1, [&](std::vector<std::byte> bytes, std::exception_ptr error) {
    if (error) {
      called.set_exception(error);
    } else {
      called.set_value(bytes.size() + std::to_integer<std::size_t>(bytes[0]));
    }
  });
  EXPECT_EQ(future.get(), (std::vector{std::byte{3}, std::byte{4}, std::byte{5}}));
  EXPECT_EQ(called.get_future().get(), 7U);
}

TEST_P(Buffers, MisuseIsRefusedWithASentence) {
  const Buffer b = make(16);
  const auto kind = [](auto f) {
    const Error e = error_of(f);
    EXPECT_EQ(std::string(e.what()).back(), '.') << e.what();
    return e.kind();
  };
  EXPECT_EQ(kind([&] { b.copy_to(ramp(17)); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { b.copy_to(ramp(4), 13); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { b.copy_to(ramp(4), ~std::uint64_t{0}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { static_cast<void>(b.copy_from<std::uint8_t>(1, 16)); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { static_cast<void>(b.copy_from_async(17)); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { b.fill(0, 17); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { copy(b, 0, b, 3, 4); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { copy(b, 0, make(2), 0, 3); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { static_cast<void>(b.tensor({5})); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { make(0); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { Buffer().copy_to(ramp(1)); }), ErrorKind::kValue);
  const Error limit = error_of([&] { make(device_.info().limits.max_buffer_size + 1); });
  EXPECT_EQ(limit.kind(), ErrorKind::kLimit);
  EXPECT_EQ(limit.fields().requested, device_.info().limits.max_buffer_size + 1);
  EXPECT_EQ(limit.fields().available, device_.info().limits.max_buffer_size);
  const Buffer elsewhere = Buffer::allocate(Device::create({.device = "null"}), {.size = 16});
  EXPECT_EQ(kind([&] { copy(b, 0, elsewhere, 0, 4); }), ErrorKind::kDevice);
  const Buffer read_only = Buffer::allocate(device_, {.label = "r", .size = 16, .usage = BufferUsage::kRead});
  EXPECT_EQ(kind([&] { read_only.copy_to(ramp(4)); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { read_only.fill(1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { static_cast<void>(read_only.tensor({1})); }), ErrorKind::kValue);
}

TEST_P(Buffers, FreeGivesTheMemoryBackAndEndsEveryCopyOfTheHandle) {
  const std::uint64_t before = device_.memory_stats().in_use;
  const Buffer b = make(1000);
  const Buffer same = b;
  EXPECT_GE(device_.memory_stats().in_use, before + 1000);
  b.copy_to(ramp(4));
  const Tensor t = same.tensor({1}, i32);
  b.free();
  EXPECT_TRUE(same.freed());
  EXPECT_EQ(error_of([&] { same.copy_to(ramp(1)); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { static_cast<void>(same.copy_from<char>(1)); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { same.free(); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(t.item<std::int32_t>(), 0x04030201) << "a tensor keeps what it was made of";
}

TEST_P(Buffers, FreedBuffersLeaveNothingInUse) {
  const std::uint64_t before = device_.memory_stats().in_use;
  for (const BufferLocation location : kLocations) {
    const Buffer b = make(5000, location);
    b.copy_to(ramp(3), 1);
    (b.tensor({4}) + 1.0).eval();
    b.free();
  }
  EXPECT_EQ(device_.memory_stats().in_use, before);
}

TEST_P(Buffers, TensorsAndBuffersShareMemory) {
  const Buffer b = make(16);
  b.copy_to(std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ((b.tensor({2, 2}).T() * 2.0).to_vector<float>(), (std::vector<float>{2, 6, 4, 8}));
  const std::uint64_t before = device_.memory_stats().in_use;
  const Tensor t = b.tensor({4});
  EXPECT_EQ(device_.memory_stats().in_use, before) << "no copy";
  const Tensor made = (t + 1.0).eval();
  const Buffer of = Buffer::of(made);
  EXPECT_EQ(of.size(), 16U);
  of.copy_to(std::vector<float>{9}, 4);
  EXPECT_EQ(made.to_vector<float>(), (std::vector<float>{2, 9, 4, 5}));
  EXPECT_EQ(error_of([&] { Buffer::of(zeros({0})); }).kind(), ErrorKind::kValue);
}

/// Counts what crosses between host and device, in front of another device.
class CountingDevice final : public runtime::Forwarding<> {
 public:
  explicit CountingDevice(std::shared_ptr<runtime::Device> to)
      : Forwarding(to->info(), to->config()), to_(std::move(to)) {}
  void upload(runtime::Buffer& to, std::size_t offset, std::span<const std::byte> from) override {
    ++uploads;
    to_->upload(to, offset, from);
  }
  void download(std::vector<runtime::Read> reads, runtime::Done done) override {
    ++downloads;
    to_->download(std::move(reads), std::move(done));
  }
  int uploads = 0, downloads = 0;

 protected:
  [[nodiscard]] std::shared_ptr<runtime::Device> target() const override { return to_; }

 private:
  std::shared_ptr<runtime::Device> to_;
};

TEST_P(Buffers, MirroredBuffersMoveOnlyWhatIsOutOfDate) {
  if (on_cpu()) GTEST_SKIP() << "one memory is both sides";
  for (const BufferLocation location : {BufferLocation::kHostVisible, BufferLocation::kMirrored}) {
    const auto counter = std::make_shared<CountingDevice>(device_.impl());
    const Device device(counter);
    {
      const Buffer a = Buffer::allocate(device, {.label = "a", .size = 16, .location = location});
      const Buffer out = Buffer::allocate(device, {.label = "out", .size = 16, .location = location});
      a.copy_to(std::vector<float>{1, 2, 3, 4});
      a.copy_to(std::vector<float>{5}, 4);
      EXPECT_EQ(a.copy_from<float>(4), (std::vector<float>{1, 5, 3, 4}));
      EXPECT_EQ(counter->uploads + counter->downloads, 0) << "the host has it all";
      const Executor ex(device);
      const auto step = [&] { ex.scale({a, {4}}, 2, {out, {4}}).wait(); };
      step();
      EXPECT_EQ(counter->uploads, 1) << "of the operand, and not of the output, which is overwritten";
      step();
      EXPECT_EQ(counter->uploads, 1) << "the device is up to date";
      EXPECT_EQ(out.copy_from<float>(4), (std::vector<float>{2, 10, 6, 8}));
      EXPECT_EQ(out.copy_from<float>(1, 4), (std::vector<float>{10}));
      EXPECT_EQ(counter->downloads, 1) << "the second read finds it on the host";
      a.copy_to(std::vector<float>{7}, 0);
      step();
      EXPECT_EQ(counter->uploads, 2) << "the host was written";
      EXPECT_EQ(out.copy_from<float>(4), (std::vector<float>{14, 10, 6, 8}));
      EXPECT_EQ(counter->downloads, 2) << "the device was written";
      out.copy_to(std::vector<float>{0, 0, 0, 0});
      ex.scale({a, {4}}, 3, {out, {4}}).wait();
      EXPECT_EQ(out.copy_from<float>(1, 12), (std::vector<float>{12}));
      EXPECT_EQ(counter->uploads, 2) << "what is overwritten is not moved";
    }
    counter->pool().trim();
  }
}

}  // namespace
}  // namespace tessera::test
