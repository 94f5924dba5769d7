// The part below the device: refused requests, errors that nobody caught, and the order of callbacks and waits.
#include "runtime/webgpu/core.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "runtime/webgpu/provider/adapter.h"
#include "support.h"

namespace tessera::runtime::webgpu {
namespace {

class CoreTest : public WebGpuTest {
 protected:
  void SetUp() override {
    WebGpuTest::SetUp();
    if (IsSkipped()) return;
    adapters_ = adapters_of(Provider::get({}));
    core_ = make();
    std::string why;
    ASSERT_TRUE(core_->request(adapter().handle.get(), WGPU_DEVICE_DESCRIPTOR_INIT, why)) << why;
  }
  void TearDown() override {
    if (core_ != nullptr) core_->shut_down();
  }
  static std::shared_ptr<Core> make() { return std::make_shared<Core>(Provider::get({}), "test"); }
  [[nodiscard]] const Adapter& adapter() const {
    return *std::ranges::find_if(*adapters_, [](const Adapter& a) { return contains(a.info.name, test_adapter()); });
  }
  void make_bad_buffer() {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.size = 16;
    descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage;  // may not be combined
    const BufferHandle buffer(core_->api(), core_->api().wgpuDeviceCreateBuffer(core_->device(), &descriptor));
  }

  Adapters adapters_;
  std::shared_ptr<Core> core_;
};

TEST_F(CoreTest, ARefusedRequestSaysWhy) {
  WGPULimits limits = WGPU_LIMITS_INIT;
  limits.maxComputeInvocationsPerWorkgroup = 1U << 30U;
  WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
  descriptor.requiredLimits = &limits;
  std::string why;
  EXPECT_FALSE(make()->request(adapter().handle.get(), descriptor, why));
  EXPECT_TRUE(contains(why, "1073741824")) << why;
  EXPECT_FALSE(contains(why, "\n")) << why;
}

TEST_F(CoreTest, AnErrorThatNobodyCaughtIsThrownAtTheNextWaitOnce) {
  make_bad_buffer();
  make_bad_buffer();
  EXPECT_NE(core_->peek_error(), nullptr);
  const Error e = error_of([&] { core_->wait(); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "CreateBuffer")) << e.what();
  core_->wait();
}

TEST_F(CoreTest, AnErrorIsToldToWhatWasPendingAndToNothingLater) {
  std::mutex mutex;  // callbacks run here and on the poller's thread
  std::vector<bool> told;
  const auto kind_told = [&](std::uint64_t& number) {
    number = core_->expect(1, [&](std::exception_ptr) {
      const bool is_told = core_->peek_error() != nullptr;
      const std::lock_guard lock(mutex);
      told.push_back(is_told);
    });
  };
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return told.size();
  };
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  kind_told(first);
  kind_told(second);
  make_bad_buffer();
  core_->arrive(first, nullptr);
  core_->look();
  core_->arrive(second, nullptr);
  core_->look();
  while (count() < 2) std::this_thread::yield();
  EXPECT_EQ(told, (std::vector<bool>{true, true})) << "what was read before the error was told may be stale";
  std::uint64_t third = 0;
  kind_told(third);
  core_->arrive(third, nullptr);
  EXPECT_THROW(core_->wait(), Error);
  EXPECT_EQ(told, (std::vector<bool>{true, true, false})) << "one error does not spoil all that follows";
  // A new one is news again.
  make_bad_buffer();
  std::uint64_t fourth = 0;
  kind_told(fourth);
  core_->arrive(fourth, nullptr);
  EXPECT_THROW(core_->wait(), Error);
  EXPECT_TRUE(told.back());
}

TEST_F(CoreTest, ACatchKeepsTheErrorsOfItsOwnThread) {
  const ErrorCatch outer;
  {
    const ErrorCatch inner;
    make_bad_buffer();
    EXPECT_TRUE(inner.caught());
    EXPECT_EQ(inner.type(), WGPUErrorType_Validation);
  }
  std::thread([&] { make_bad_buffer(); }).join();
  EXPECT_FALSE(outer.caught());
  EXPECT_THROW(core_->wait(), Error);
}

TEST_F(CoreTest, WaitThrowsOnlyAfterTheCallbacks) {
  make_bad_buffer();
  std::atomic<bool> called = false;
  const std::uint64_t number = core_->expect(1, [&](std::exception_ptr) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    called = true;
  });
  core_->arrive(number, nullptr);
  EXPECT_THROW(core_->wait(), Error);
  EXPECT_TRUE(called);
}

TEST_F(CoreTest, ArrivalsAreCountedAndTheFirstFailureIsPassedOn) {
  std::string got;
  const std::uint64_t number = core_->expect(3, [&](std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& e) {
      got = e.what();
    }
  });
  core_->arrive(number, nullptr);
  core_->arrive(number, std::make_exception_ptr(std::runtime_error("first")));
  core_->arrive(number, std::make_exception_ptr(std::runtime_error("second")));
  core_->wait();
  EXPECT_EQ(got, "first");
  core_->arrive(number, nullptr);  // too late, and harmless
}

TEST_F(CoreTest, CallbacksThatWaitDoNotWaitForEachOther) {
  // Two callbacks on two threads, each inside a wait, beside a third thread that waits for both.
  std::atomic<int> inside = 0;
  std::atomic<int> done = 0;
  for (int i = 0; i < 2; ++i) {
    core_->expect(0, [&](std::exception_ptr) {
      ++inside;
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      while (inside < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      core_->wait();
      ++done;
    });
  }
  std::thread other([&] { core_->wait(); });
  core_->wait();
  other.join();
  EXPECT_EQ(done, 2);
}

TEST_F(CoreTest, ACallbackThatThrowsHarmsNobody) {
  core_->expect(0, [](std::exception_ptr) { throw std::runtime_error("on purpose"); });
  bool called = false;
  core_->expect(0, [&](std::exception_ptr) { called = true; });
  core_->wait();
  EXPECT_TRUE(called);
}

TEST_F(CoreTest, ALossReachesWhatIsPending) {
  ErrorKind kind = ErrorKind::kValue;
  const std::uint64_t number = core_->expect(
      1, [&](std::exception_ptr failure) { kind = error_of([&] { std::rethrow_exception(failure); }).kind(); });
  core_->destroy();
  EXPECT_EQ(error_of([&] { core_->wait(); }).kind(), ErrorKind::kDeviceLost);
  EXPECT_EQ(kind, ErrorKind::kDeviceLost);
  core_->arrive(number, nullptr);
}

TEST(OneLine, JoinsTheProvidersLines) {
  EXPECT_EQ(one_line("Validation Error\n\nCaused by:\n  In wgpuX\n    it is wrong.\n"), "In wgpuX: it is wrong");
  EXPECT_EQ(one_line(""), "");
}

}  // namespace
}  // namespace tessera::runtime::webgpu
