// Evaluation on real devices: threads, reads, replay with donation, profiles, loss.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "tessera/tessera.h"

namespace tessera::test {

class OnDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      DeviceConfig config;
      config.device = GetParam();
      device_ = Device::create(config);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  Tensor iota(std::int64_t n) const { return arange(0, static_cast<double>(n), 1, f32, device_); }
  Device device_;
};
INSTANTIATE_TEST_SUITE_P(Devices, OnDevice, ::testing::Values("cpu", "webgpu:llvmpipe"),
                         [](const auto& name) { return std::string(name.param).substr(0, 3); });

TEST_P(OnDevice, ThreadsShareNodes) {
  const Tensor base = sin(iota(1000)) * 2.0;
  const Tensor shared = softmax(base.reshape({10, 100}));
  const std::vector<float> expected = (shared * 3.0).to_vector<float>();
  // The same graph again, unevaluated, seen by several threads at once.
  const Tensor again = softmax((sin(iota(1000)) * 2.0).reshape({10, 100}));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        if ((again * 3.0).to_vector<float>() != expected) ++wrong;
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(OnDevice, ReadsByCallbackAndFuture) {
  const Tensor x = iota(10) * 2.0;
  auto future = x.read_async<float>();
  std::promise<float> by_callback;
  x.read<float>([&](std::vector<float> v, std::exception_ptr error) {
    if (error) {
      by_callback.set_exception(error);
    } else {
      by_callback.set_value(v[4]);
    }
  });
  EXPECT_EQ(future.get()[3], 6.0F);
  EXPECT_EQ(by_callback.get_future().get(), 8.0F);
}

TEST_P(OnDevice, SeveralReadsShareAWait) {
  const std::vector<Tensor> all{iota(5), iota(7) + 1.0, zeros({0}, f32, device_)};
  std::promise<std::vector<std::size_t>> sizes;
  read_all(all, [&](std::vector<std::vector<std::byte>> bytes, std::exception_ptr) {
    sizes.set_value({bytes[0].size(), bytes[1].size(), bytes[2].size()});
  });
  EXPECT_EQ(sizes.get_future().get(), (std::vector<std::size_t>{20, 28, 0}));
}

TEST_P(OnDevice, DonatedStepsGiveTheSameNumbers) {
  const auto f = [](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] - in[1] * in[2], in[1] * 0.9}; };
  const Compiled step = compile(f, {.donate = {0, 1}});
  Tensor w = iota(1000).eval();
  Tensor m = ones({1000}, f32, device_).eval();
  Tensor plain_w = iota(1000);
  Tensor plain_m = ones({1000}, f32, device_);
  for (int i = 0; i < 5; ++i) {
    const Tensor rate(std::vector<float>{0.1F * static_cast<float>(i)}, Shape{}, device_);
    const auto next = step({w, m, rate});
    w = next[0];
    m = next[1];
    const auto same = f({plain_w, plain_m, rate});
    plain_w = same[0];
    plain_m = same[1];
  }
  EXPECT_EQ(w.to_vector<float>(), plain_w.to_vector<float>());
  EXPECT_EQ(m.to_vector<float>(), plain_m.to_vector<float>());
  EXPECT_EQ(step.traces(), 1U);
}

TEST_P(OnDevice, ProfilesKernels) {
  Profiler profiler(device_);
  const Tensor a = ones({64, 64}, f32, device_).eval();
  softmax(matmul(a, a)).eval();
  const auto& records = profiler.records();
  ASSERT_GE(records.size(), 2U);
  bool matmul_seen = false;
  for (const KernelRecord& r : records) {
    EXPECT_GE(r.duration_us, 0);
    if (r.label == "matmul") {
      matmul_seen = true;
      EXPECT_EQ(r.flops, 2U * 64 * 64 * 64);
    }
  }
  EXPECT_TRUE(matmul_seen);
  EXPECT_NE(profiler.table().find("matmul"), std::string::npos);
  const std::string path = ::testing::TempDir() + "tessera_trace.json";
  profiler.write_trace(path);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("\"traceEvents\""), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_THROW(profiler.write_trace("/nonexistent/trace.json"), Error);
}

TEST_P(OnDevice, CallsBackWhenKernelsAreMeasured) {
  Profiler profiler(device_);
  const Tensor y = exp(ones({64}, f32, device_).eval()).eval();
  std::atomic<bool> told = false;
  profiler.on_measured([&](const std::exception_ptr& failure) {
    EXPECT_EQ(failure, nullptr);
    told = true;
  });
  device_.synchronize();
  EXPECT_TRUE(told);
  EXPECT_EQ(profiler.records().size(), 2U);
}

TEST_P(OnDevice, ExplainsWhatWasFused) {
  const Tensor a = ones({64, 64}, f32, device_).eval();
  const auto kernels = explain(softmax(matmul(a, a))).kernels;
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kind, "matmul");
  EXPECT_EQ(kernels[0].ops, std::vector<std::string>{"matmul"});
  EXPECT_EQ(kernels[1].kind, "reduce");
  EXPECT_EQ(kernels[1].ops, (std::vector<std::string>{"max", "subtract", "exp", "sum", "divide"}));
  EXPECT_EQ(explain(a + 1.0).kernels.at(0).kind, "map");
}

TEST_P(OnDevice, TransposesInTiles) {
  for (const auto& [b, r, c] : {std::tuple{1, 64, 64}, {3, 36, 100}, {2, 65, 33}, {1, 128, 32}}) {
    const Tensor x = iota(std::int64_t{b} * r * c).reshape({b, r, c});
    const auto got = (transpose(x) * 2.0 + 1.0).to_vector<float>();
    std::size_t at = 0;
    for (int i = 0; i < b; ++i) {
      for (int j = 0; j < c; ++j) {
        for (int k = 0; k < r; ++k)
          ASSERT_EQ(got[at++], 2.0F * static_cast<float>((i * r + k) * c + j) + 1.0F) << r << "x" << c;
      }
    }
  }
}

TEST_P(OnDevice, RepeatsBitForBit) {
  const Tensor x = random::normal({37, 1025}, 0.0, 1.0, f32, device_).eval();
  const auto once = [&] { return (sum(exp(x), {1}) + sum(x)).to_vector<float>(); };
  const auto first = once();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(once(), first);
}

TEST(Devices, AreNotMixed) {
  const Device a = Device::create({.device = "cpu"});
  const Device b = Device::create({.device = "cpu"});
  const Tensor x = ones({2}, f32, a);
  try {
    static_cast<void>(x + ones({2}, f32, b));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  }
  EXPECT_EQ((x + ones({2}, f32, b).to(a)).to_vector<float>(), (std::vector<float>{2, 2}));
  EXPECT_EQ((x + 1).to_vector<float>(), (std::vector<float>{2, 2})) << "host numbers meet any device";
}

}  // namespace tessera::test
