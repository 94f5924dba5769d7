// The host's view of tensors: the same numbers on every device, the CPU's own memory, and what keeps it alive.
#include <cstring>

#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class Host : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Host);

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

void expect_value_error(const std::function<void()>& f, std::string_view text) {
  const Error e = error_of(f);
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_NE(std::string_view(e.what()).find(text), std::string_view::npos) << e.what();
}

TEST_P(Host, AViewHasTheElementsAndOutlivesTheTensor) {
  HostView view;
  {
    const Tensor x(std::vector<float>{1, 2, 3, 4, 5}, {5}, device_);
    view = host_view(x * 2);
  }
  const Tensor other = full({5}, 9, f32, device_);  // would take memory that was given back
  other.eval();
  EXPECT_EQ(floats(view.bytes), (std::vector<float>{2, 4, 6, 8, 10}));
  EXPECT_EQ(view.shared, device_.info().type == DeviceType::kCpu);
}

TEST_P(Host, ViewsOfTheCpuAreItsMemory) {
  if (device_.info().type != DeviceType::kCpu) GTEST_SKIP() << "only the CPU shares its memory";
  const Tensor x(std::vector<float>{1, 2}, {2}, device_);
  EXPECT_EQ(host_view(x).bytes.data(), host_view(x).bytes.data());
  const Compiled f = compile([](const Tensors& t) { return Tensors{t[0] + 1}; }, {.donate = {0}});
  const HostView view = host_view(x);
  EXPECT_EQ(f({x})[0].to_vector<float>(), (std::vector<float>{2, 3}));
  EXPECT_EQ(floats(view.bytes), (std::vector<float>{1, 2})) << "the result is in other memory";
  expect_value_error([&] { (void)x.to_vector<float>(); }, "was donated");
}

TEST_P(Host, WhatWasComputedAndThenDonatedIsAnError) {
  const Tensor x = ones({1000}, f32, device_) * 3;
  x.eval();
  const Compiled f = compile([](const Tensors& t) { return Tensors{t[0] + 1}; }, {.donate = {0}});
  EXPECT_EQ(f({x})[0].to_vector<float>()[0], 4);
  expect_value_error([&] { (void)host_view(x); }, "was donated");
  expect_value_error([&] { (void)x.to_vector<float>(); }, "was donated");
  expect_value_error([&] { (x + 1).eval(); }, "was donated");
  const Compiled g = compile([&](const Tensors& t) { return Tensors{t[0] + x}; });
  expect_value_error([&] { (void)g({ones({1000}, f32, device_)}); }, "was donated");
}

TEST_P(Host, ReadsIntoMemoryOfTheCaller) {
  std::vector<std::int16_t> out(3);
  read_into(Tensor(std::vector<std::int16_t>{7, -8, 9}, {3}, device_), std::as_writable_bytes(std::span(out)));
  EXPECT_EQ(out, (std::vector<std::int16_t>{7, -8, 9}));
  read_into(zeros({0, 3}, f32, device_), {});
  EXPECT_EQ(host_view(zeros({0, 3}, f32, device_)).bytes.size(), 0U);
}

TEST_P(Host, RefusesRoomOfAnotherSizeAndEmptyTensors) {
  std::vector<std::byte> room(5);
  expect_value_error([&] { (void)read_into(zeros({2}, f32, device_), room); }, "5 bytes was given for a tensor of 8");
  expect_value_error([&] { (void)host_view(Tensor()); }, "empty Tensor");
}

}  // namespace
}  // namespace tessera::test
