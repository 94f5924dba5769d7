// Out of memory at each allocation in turn: the Error, and that nothing else changed.
#include <gtest/gtest.h>

#include "runtime/forwarding.h"
#include "runtime/registry.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

/// A device that has no memory after so many more buffers.
class Faulty final : public runtime::Forwarding<> {
 public:
  explicit Faulty(std::shared_ptr<runtime::Device> inner)
      : Forwarding(inner->info(), inner->config()), inner_(std::move(inner)) {}
  ~Faulty() override { pool().trim(); }

  std::unique_ptr<runtime::Buffer> create_buffer(std::size_t bytes) override {
    if (left_ == 0) {
      ++refused_;
      throw Error(ErrorKind::kOutOfMemory, "no memory, as the test wants it", {.requested = bytes});
    }
    --left_;
    return Forwarding::create_buffer(bytes);
  }
  void allow(std::int64_t buffers) {
    left_ = buffers;
    refused_ = 0;
  }
  [[nodiscard]] int refused() const { return refused_; }

 protected:
  [[nodiscard]] std::shared_ptr<runtime::Device> target() const override { return inner_; }

 private:
  std::shared_ptr<runtime::Device> inner_;
  std::int64_t left_ = -1;  // negative: without end
  int refused_ = 0;
};

class OutOfMemory : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      faulty_ = std::make_shared<Faulty>(runtime::make_device({.device = GetParam()}));
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
    device_ = Device(faulty_);
  }
  std::shared_ptr<Faulty> faulty_;
  Device device_;
};
INSTANTIATE_TEST_SUITE_P(Devices, OutOfMemory, ::testing::Values("cpu", "webgpu:llvmpipe"),
                         [](const auto& name) { return std::string(name.param).substr(0, 3); });

TEST_P(OutOfMemory, AtEachAllocationInTurn) {
  const std::vector<float> host(64 * 64, 0.5F);
  const Tensor before = (Tensor(host, {64, 64}, device_) * 3.0).eval();
  const Compiled step = compile(
      [](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] + in[1] * 0.1, matmul(in[0], in[1])}; },
      {.donate = {0}});
  const auto run = [&] {
    const Tensor x(host, {64, 64}, device_);
    const Tensor h = softmax(matmul(x, before));
    Tensor w = sum(matmul(h, x) + before, {0}, true) * x;
    eval(h, w);
    const auto out = step({w, h});
    return std::pair{out[0].to_vector<float>(), out[1].to_vector<float>()};
  };
  const auto expected = run();
  const auto value = before.to_vector<float>();
  device_.synchronize();
  int failures = 0;
  for (int allowed = 0;; ++allowed) {
    ASSERT_LT(allowed, 200) << "the injection never ends";
    device_.trim();
    const MemoryStats start = device_.memory_stats();
    faulty_->allow(allowed);
    try {
      EXPECT_EQ(run(), expected);
      EXPECT_EQ(faulty_->refused(), 0) << "an allocation failed, and nobody was told";
      faulty_->allow(-1);
      break;
    } catch (const Error& e) {
      ++failures;
      ASSERT_EQ(e.kind(), ErrorKind::kOutOfMemory) << e.what();
      EXPECT_GT(e.fields().requested, 0U);
      EXPECT_NE(std::string(e.what()).find("were requested"), std::string::npos) << e.what();
    }
    faulty_->allow(-1);
    EXPECT_EQ(device_.memory_stats().in_use, start.in_use) << "after " << allowed << " buffers";
    EXPECT_EQ(before.to_vector<float>(), value) << "after " << allowed << " buffers";
  }
  EXPECT_GE(failures, 4) << "the workload has fewer allocations than it should";
  EXPECT_EQ(run(), expected);
}

TEST_P(OutOfMemory, SaysHowMuchThereIsWithoutABudget) {
  const std::uint64_t memory = device_.info().memory_size;
  const bool known = device_.info().type == DeviceType::kCpu || Device::provider().name == "wgpu-rs";
  ASSERT_EQ(memory >= std::uint64_t{64} << 20U, known) << memory;
  const Tensor kept = ones({1 << 18}, f32, device_).eval();
  device_.trim();
  faulty_->allow(0);
  try {
    static_cast<void>(ones({1 << 20}, f32, device_).eval());
    FAIL();
  } catch (const Error& e) {
    ASSERT_EQ(e.kind(), ErrorKind::kOutOfMemory) << e.what();
    EXPECT_EQ(e.fields().requested, std::uint64_t{4} << 20U);
    const std::uint64_t in_use = device_.memory_stats().in_use;
    EXPECT_GE(in_use, std::uint64_t{1} << 20U);
    EXPECT_EQ(e.fields().available, known ? memory - in_use : 0);
    EXPECT_EQ(std::string(e.what()).find(std::to_string(memory)) != std::string::npos, known) << e.what();
  }
  faulty_->allow(-1);
}

TEST_P(OutOfMemory, WhatWasDonatedGoesBack) {
  const Compiled step =
      compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] + 1.0, sum(in[0] * 2.0, {0})}; },
              {.donate = {0}});
  Tensor w = ones({1000}, f32, device_).eval();
  static_cast<void>(step({ones({1000}, f32, device_).eval()}));
  device_.trim();
  faulty_->allow(0);
  EXPECT_THROW(static_cast<void>(step({w})), Error);
  faulty_->allow(-1);
  EXPECT_EQ(w.to_vector<float>(), std::vector<float>(1000, 1.0F));
  EXPECT_EQ(step({w})[0].to_vector<float>(), std::vector<float>(1000, 2.0F));
}

}  // namespace
}  // namespace tessera::test
