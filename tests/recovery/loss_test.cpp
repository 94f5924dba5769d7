// Loss of a device at any moment: who is told, who is not, what survives, and that work goes on afterwards.
#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/webgpu/webgpu_device.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

void lose(const Device& device) { dynamic_cast<runtime::WebGpuDevice&>(*device.impl()).destroy(); }

class Loss : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = Device::create({.device = "webgpu:llvmpipe", .keep_host_copies = true});
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  [[nodiscard]] static Tensor from_host(const Device& device, std::int64_t n) {
    std::vector<float> data(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i % 17) * 0.25F - 1;
    return {data, Shape{n}, device};
  }
  static ErrorKind kind_of(const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::kValue;
  }
  Device device_;
};

TEST_F(Loss, DataFromTheHostSurvivesAndResultsAreGone) {
  const Tensor x = from_host(device_, 100);
  const Tensor y = (x * 2.0).eval();
  const auto expected = (x + 1.0).to_vector<float>();
  lose(device_);
  EXPECT_FALSE(device_.is_available());
  EXPECT_EQ(kind_of([&] { static_cast<void>((x + 1.0).to_vector<float>()); }), ErrorKind::kDeviceLost);
  device_.restore();
  EXPECT_TRUE(device_.is_available());
  EXPECT_EQ((x + 1.0).to_vector<float>(), expected);
  try {
    static_cast<void>((y + 1.0).to_vector<float>());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kDeviceLost);
    EXPECT_NE(std::string(e.what()).find("the host has no copy"), std::string::npos) << e.what();
  }
  EXPECT_EQ(kind_of([&] { static_cast<void>(y.to_vector<float>()); }), ErrorKind::kDeviceLost);
  device_.restore();  // not lost: nothing happens
  EXPECT_EQ((x + 1.0).to_vector<float>(), expected);
}

TEST_F(Loss, WithoutHostCopiesOnlyNewDataGoesOn) {
  const Device device = Device::create({.device = "webgpu:llvmpipe"});
  const Tensor x = from_host(device, 100);
  lose(device);
  device.restore();
  EXPECT_EQ(kind_of([&] { static_cast<void>((x + 1.0).to_vector<float>()); }), ErrorKind::kDeviceLost);
  EXPECT_EQ((from_host(device, 100) + 1.0).to_vector<float>()[0], 0.0F);
}

TEST_F(Loss, CompiledFunctionsAreTracedAnew) {
  const Tensor x = from_host(device_, 64);
  const Tensor scale = from_host(device_, 64);  // a constant of the function
  const Compiled f = compile([&](const std::vector<Tensor>& in) {
    return std::vector<Tensor>{softmax(matmul(in[0].reshape({8, 8}), scale.reshape({8, 8})))};
  });
  const auto expected = f({x})[0].to_vector<float>();
  lose(device_);
  EXPECT_EQ(kind_of([&] { static_cast<void>(f({x})); }), ErrorKind::kDeviceLost);
  device_.restore();
  EXPECT_EQ(f({x})[0].to_vector<float>(), expected);
  EXPECT_EQ(f.traces(), 1U);
}

TEST_F(Loss, DynamicTracesAreTracedAnew) {
  const Tensor scale = from_host(device_, 8);
  const Compiled f = compile(
      [&](const std::vector<Tensor>& in) { return std::vector<Tensor>{softmax(in[0].reshape({-1, 8}) * scale)}; },
      {.dynamic_axes = {{0, 0, "n"}}});
  const Tensor x = from_host(device_, 64);
  const auto expected = f({x})[0].to_vector<float>();
  lose(device_);
  device_.restore();
  EXPECT_EQ(f({from_host(device_, 16)})[0].to_vector<float>().size(), 16U);
  EXPECT_EQ(f({x})[0].to_vector<float>(), expected);
  EXPECT_EQ(f.traces(), 1U);
}

TEST_F(Loss, StateInArenasIsRestoredFromACheckpoint) {
  device_.set_current();
  nn::Sequential model(nn::Linear(16, 32), nn::ReLU(), nn::Linear(32, 16));
  optim::SGD optimizer(model, {.lr = 0.01, .momentum = 0.9});
  const Tensor x = from_host(device_, 64).reshape({4, 16});
  auto step = compile(
      [&](const Tensor& in) {
        auto [loss, gradients] = value_and_grad(model, [&] { return mean(square(model(in) - 1.0)); })();
        optimizer.update(model, gradients);
        return loss;
      },
      model, optimizer);
  const auto on_host = [](const Tree& tree) {
    const Device cpu = Device::create({.device = "cpu"});
    return tree.map([&](const Tensor& t) { return t.to(cpu).eval(); });
  };
  for (int i = 0; i < 2; ++i) step(x);
  const Tree parameters = on_host(model.state());
  const Tree moments = on_host(nn::state_of(optimizer));
  const std::vector<float> expected{step(x).item<float>(), step(x).item<float>()};
  lose(device_);
  EXPECT_EQ(kind_of([&] { step(x).eval(); }), ErrorKind::kDeviceLost);
  device_.restore();
  EXPECT_EQ(kind_of([&] { step(x).eval(); }), ErrorKind::kDeviceLost) << "the parameters are gone";
  const auto on_device = [&](const Tree& tree) { return tree.map([&](const Tensor& t) { return t.to(device_); }); };
  model.load(on_device(parameters));
  nn::set_state(optimizer, on_device(moments));
  EXPECT_EQ(step(x).item<float>(), expected[0]);
  EXPECT_EQ(step(x).item<float>(), expected[1]);
}

TEST_F(Loss, MemoryOfTheOldDeviceIsNotReused) {
  Tensor y = (from_host(device_, 4096) * 2.0).eval();
  const MemoryStats before = device_.memory_stats();
  lose(device_);
  device_.restore();
  EXPECT_LT(device_.memory_stats().allocated, before.allocated) << "idle buffers went with the device";
  y = {};
  EXPECT_EQ(device_.memory_stats().in_use, 0U);
  EXPECT_EQ(device_.memory_stats().allocated, 0U);
}

TEST_F(Loss, RetryRunsTheFunctionAgain) {
  const Tensor x = from_host(device_, 1000);
  const float expected = sum(exp(x)).item<float>();
  int calls = 0;
  int losses = 0;
  const float got = retry(
      [&] {
        const Tensor e = exp(x).eval();
        if (++calls <= 2) lose(device_);
        return sum(e).item<float>();
      },
      {.backoff = std::chrono::milliseconds(1), .device = device_, .lost = [&](const Error&) { ++losses; }});
  EXPECT_EQ(got, expected);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(losses, 2);
}

TEST_F(Loss, RetryGivesUp) {
  int calls = 0;
  const auto always = [&] {
    ++calls;
    lose(device_);
    return from_host(device_, 4).to_vector<float>();
  };
  EXPECT_EQ(
      kind_of([&] {
        static_cast<void>(retry(always, {.attempts = 2, .backoff = std::chrono::milliseconds(0), .device = device_}));
      }),
      ErrorKind::kDeviceLost);
  EXPECT_EQ(calls, 2);
  device_.restore();
  calls = 0;
  EXPECT_EQ(kind_of([&] {
              retry(
                  [&] {
                    ++calls;
                    static_cast<void>(matmul(ones({2, 3}, f32, device_), ones({2, 3}, f32, device_)));
                  },
                  {.device = device_});
            }),
            ErrorKind::kShape);
  EXPECT_EQ(calls, 1) << "only a loss is worth another attempt";
  EXPECT_EQ(kind_of([&] { retry([] {}, {.attempts = 0, .device = device_}); }), ErrorKind::kValue);
  EXPECT_EQ(kind_of([&] { retry([] {}, {.backoff = std::chrono::milliseconds(-1), .device = device_}); }),
            ErrorKind::kValue);
}

// Three threads work on a device that is destroyed a hundred times, and one on another device that is not.
TEST_F(Loss, AtRandomMomentsOfAWorkload) {
  constexpr int kLosses = 100;
  const auto work = [](const Tensor& x) {
    const Tensor m = x.reshape({16, 16});
    return sum(softmax(matmul(m, m)) * 3.0, {0}).to_vector<float>();
  };
  const Tensor x = from_host(device_, 256);
  const auto expected = work(x);
  const Device other = Device::create({.device = "webgpu:llvmpipe"});
  const Tensor on_other = from_host(other, 256);
  ASSERT_EQ(work(on_other), expected);
  const std::uint64_t in_use = device_.memory_stats().in_use;

  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::atomic<int> unexpected{0};
  std::atomic<int> told{0};
  std::atomic<std::uint64_t> rounds{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      while (!stop) {
        try {
          if (t == 2) {  // by a callback
            std::promise<std::vector<float>> promise;
            auto future = promise.get_future();
            const Tensor m = x.reshape({16, 16});
            sum(softmax(matmul(m, m)) * 3.0, {0}).read<float>([&](std::vector<float> v, std::exception_ptr error) {
              error ? promise.set_exception(error) : promise.set_value(std::move(v));
            });
            if (future.wait_for(std::chrono::seconds(60)) != std::future_status::ready) std::abort();  // it hangs
            if (future.get() != expected) ++wrong;
          } else if (work(x) != expected) {
            ++wrong;
          }
          ++rounds;
        } catch (const Error& e) {
          if (e.kind() != ErrorKind::kDeviceLost) ++unexpected;
          ++told;
          std::this_thread::yield();
        }
      }
    });
  }
  std::atomic<int> other_wrong{0};
  threads.emplace_back([&] {
    while (!stop) {
      try {
        if (work(on_other) != expected) ++other_wrong;
      } catch (const Error&) {
        ++other_wrong;
      }
    }
  });

  std::mt19937 random(7);
  for (int i = 0; i < kLosses; ++i) {
    const std::uint64_t before = rounds;
    while (rounds == before) std::this_thread::yield();  // the workload runs again
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    lose(device_);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
    device_.restore();
  }
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(unexpected, 0);
  EXPECT_EQ(other_wrong, 0);
  EXPECT_GT(told, 0);
  EXPECT_EQ(work(x), expected);
  device_.synchronize();
  EXPECT_EQ(device_.memory_stats().in_use, in_use) << "nothing leaks";
}

}  // namespace
}  // namespace tessera::test
