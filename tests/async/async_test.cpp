// Async: every way to take a result gives the same, errors travel, nothing is leaked.
#include "tessera/async.h"

#include "support.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

Async<float> first_of(Tensor t) {
  auto values = co_await read<float>(t);
  co_return values[0];
}

Async<float> sum_of_firsts(std::vector<Tensor> tensors) {
  float total = 0;
  for (const Tensor& t : tensors) total += co_await first_of(t);
  co_return total;
}

Async<> append_item(Tensor t, std::vector<float>& out) {
  co_await eval_async(t);
  out.push_back(co_await first_of(t));
}

Async<std::string> describe_failure(Async<float> failing) {
  try {
    co_await failing;
  } catch (const Error& e) {
    co_return std::string(name(e.kind()));
  }
  co_return "none";
}

Async<float> throws_before_awaiting() {
  throw std::runtime_error("on purpose");
  co_return 1.0F;
}

class AsyncOn : public DeviceTest {
 protected:
  [[nodiscard]] Tensor iota(std::int64_t n) const { return arange(0, static_cast<double>(n), 1, f32, device_); }
};
TESSERA_ON_ALL_DEVICES(AsyncOn);

TEST_P(AsyncOn, EveryWayToTakeAResultGivesTheSame) {
  const Tensor x = iota(100) * 3.0;
  const std::vector<float> expected = x.to_vector<float>();
  EXPECT_EQ(read<float>(x).get(), expected);
  EXPECT_EQ(read<float>(x + 0.0).future().get(), expected);
  std::promise<std::vector<float>> by_callback;
  read<float>(x * 1.0).then([&](Async<std::vector<float>> done) {
    EXPECT_TRUE(done.ready());
    by_callback.set_value(done.get());
  });
  EXPECT_EQ(by_callback.get_future().get(), expected);
  EXPECT_EQ(first_of(x + 5.0).get(), 5.0F);
  EXPECT_EQ(first_of(x + 5.0).future().get(), 5.0F);
}

template <class V>
void check_type(const Device& device, const std::vector<V>& values) {
  const Tensor x(values, {static_cast<std::int64_t>(values.size())}, device);
  EXPECT_EQ(read<V>(x).get(), values) << name(dtype_of<V>);
  std::promise<std::vector<V>> by_callback;
  x.template read<V>([&](std::vector<V> got, std::exception_ptr) { by_callback.set_value(std::move(got)); });
  EXPECT_EQ(by_callback.get_future().get(), values) << name(dtype_of<V>);
  EXPECT_EQ(x.template read_async<V>().get(), values) << name(dtype_of<V>);
}

TEST_P(AsyncOn, ReadsEveryElementType) {
  check_type<bool>(device_, {true, false, true, true, false});
  check_type<std::int8_t>(device_, {-128, 0, 127});
  check_type<std::uint8_t>(device_, {0, 1, 255});
  check_type<std::int16_t>(device_, {-32768, 7, 32767});
  check_type<std::uint16_t>(device_, {0, 65535, 3});
  check_type<std::int32_t>(device_, {-5, 0, 5});
  check_type<std::uint32_t>(device_, {1, 2, 4000000000U});
  check_type<std::int64_t>(device_, {-(std::int64_t{1} << 40), 1});
  check_type<std::uint64_t>(device_, {std::uint64_t{1} << 63U, 1});
  check_type<float>(device_, {0.5F, -1.0F, 3.25F});
  check_type<Half>(device_, {Half(0.5F), Half(-2.0F)});
  check_type<BFloat16>(device_, {BFloat16(0.5F), BFloat16(-2.0F)});
  if (on_cpu()) check_type<double>(device_, {0.1, -1e300});
}

TEST_P(AsyncOn, CoroutinesAwaitEachOther) {
  EXPECT_EQ(sum_of_firsts({iota(3) + 1.0, iota(1000) + 2.0, iota(7) + 3.0}).get(), 6.0F);
  std::vector<float> out;
  append_item(iota(5) - 4.0, out).get();
  EXPECT_EQ(out, std::vector<float>{-4.0F});
}

TEST_P(AsyncOn, EvalIsReadyWhenTheDeviceHasFinished) {
  const Tensor a = iota(64) * 2.0;
  const Tensor b = sum(iota(64));
  eval_async(a, b).get();
  EXPECT_TRUE(a.is_evaluated());
  EXPECT_TRUE(b.is_evaluated());
  EXPECT_EQ(b.item<float>(), 2016.0F);
  eval_async(std::span<const Tensor>(), {}).get();
}

TEST_P(AsyncOn, ReadsSeveralWithOneWait) {
  const std::vector<Tensor> all{iota(5), iota(7) + 1.0, zeros({0}, f32, device_)};
  const std::uint64_t before = statistics(device_).downloads;
  const auto bytes = read_all(all).get();
  EXPECT_EQ(statistics(device_).downloads, before + 1);
  ASSERT_EQ(bytes.size(), 3U);
  EXPECT_EQ(bytes[0].size(), 20U);
  EXPECT_EQ(reinterpret_cast<const float*>(bytes[1].data())[6], 7.0F);
  EXPECT_TRUE(read_all(std::span<const Tensor>()).get().empty());
}

TEST_P(AsyncOn, HandsOutPiecesThatMakeTheWhole) {
  constexpr std::int64_t kMany = (std::int64_t{17} << 20) + 3;  // past what one staging buffer holds
  const std::vector<Tensor> all{iota(5), zeros({0}, f32, device_), iota(kMany) * 0.5, iota(3)};
  std::vector<std::vector<std::byte>> got(4);
  std::vector<int> pieces(4);
  const std::uint64_t before = statistics(device_).downloads;
  read_pieces(all, [&](std::size_t i, std::size_t at, const RawBytes& piece) {
    ASSERT_NE(piece.host, nullptr);
    ASSERT_EQ(at, got[i].size());
    const auto* first = static_cast<const std::byte*>(piece.host);
    got[i].insert(got[i].end(), first, first + piece.size);
    ++pieces[i];
  }).get();
  EXPECT_EQ(statistics(device_).downloads, before + 1);
  const auto whole = read_all(all).get();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(got[i] == whole[i]) << i;
  EXPECT_EQ(pieces[1], 0);
  EXPECT_GT(pieces[2], device_.info().type == DeviceType::kCpu ? 0 : 1);
  read_pieces({}, {}).get();
}

TEST_P(AsyncOn, ContinuationsMayUseTheDevice) {
  // A callback that evaluates, reads and waits, several levels deep.
  std::promise<float> result;
  const Tensor x = iota(10);
  read<float>(x + 1.0).then([&](Async<std::vector<float>> first) {
    const float a = first.get()[0];
    const float b = (x + 2.0).to_vector<float>()[0];
    read<float>(x + 3.0).then([&, a, b](Async<std::vector<float>> second) {
      const float c = read<float>(x + 4.0).get()[0];
      device_.synchronize();
      result.set_value(a + b + second.get()[0] + c);
    });
  });
  EXPECT_EQ(result.get_future().get(), 10.0F);
}

TEST_P(AsyncOn, AHandleMayGoBeforeItsResult) {
  std::atomic<int> frames = 0;
  const auto run = [](Tensor t, Probe) -> Async<float> {
    auto values = co_await read<float>(t);
    co_return values[0];
  };
  device_.synchronize();
  const std::uint64_t before = device_.memory_stats().in_use;
  for (int i = 0; i < 20; ++i) static_cast<void>(run(iota(1000 + i) * 2.0, Probe(frames)));
  for (int i = 0; i < 20; ++i) static_cast<void>(read<float>(iota(500 + i) * 2.0));
  device_.synchronize();
  EXPECT_EQ(frames, 0);
  EXPECT_EQ(device_.memory_stats().in_use, before);
}

TEST_P(AsyncOn, ALongLoopOfAwaitsNeedsNoStack) {
  const auto loop = [](Tensor t, int rounds) -> Async<int> {
    int good = 0;
    for (int i = 0; i < rounds; ++i) {
      const float first = co_await first_of(t);
      good += first == 7.0F ? 1 : 0;
    }
    co_return good;
  };
  const Tensor x = (iota(4) + 7.0).eval();
  const int rounds = on_cpu() ? 100000 : 300;
  EXPECT_EQ(loop(x, rounds).get(), rounds);
}

TEST(Async, MakesDevices) {
  const Device device = create_device({.device = "cpu"}).get();
  EXPECT_EQ(first_of(ones({2}, f32, device)).get(), 1.0F);
  const auto coroutine = [](DeviceConfig config) -> Async<std::string> {
    const Device made = co_await create_device(config);
    co_return made.info().id;
  };
  EXPECT_EQ(coroutine({.device = "cpu"}).get(), "cpu");
  const Error e = error_of([] { create_device({.device = "toaster"}).get(); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(error_of([&] { create_device({.device = "cpu"}, source.get_token()).get(); }).kind(),
            ErrorKind::kCancelled);
}

TEST(Async, MisuseIsAnErrorAtTheCall) {
  const Device device = Device::create({.device = "cpu"});
  const Tensor x = ones({2}, f32, device);
  Error e = error_of([&] { static_cast<void>(read<std::int32_t>(x)); });
  EXPECT_EQ(e.kind(), ErrorKind::kDType);
  EXPECT_NE(std::string(e.what()).find("i32"), std::string::npos) << e.what();
  EXPECT_NE(std::string(e.what()).find("f32"), std::string::npos) << e.what();
  EXPECT_EQ(error_of([] { static_cast<void>(read<float>(Tensor())); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { static_cast<void>(eval_async(Tensor())); }).kind(), ErrorKind::kValue);
  const std::vector<Tensor> two{x, ones({2}, f32, Device::create({.device = "cpu"}))};
  EXPECT_EQ(error_of([&] { static_cast<void>(read_all(two)); }).kind(), ErrorKind::kDevice);
  Async<float> none;
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(error_of([&] { none.get(); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { none.cancel(); }).kind(), ErrorKind::kValue);
  Async<float> once = first_of(x);
  EXPECT_EQ(once.get(), 1.0F);
  EXPECT_EQ(error_of([&] { once.get(); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { static_cast<void>(once.future()); }).kind(), ErrorKind::kValue);
}

TEST(Async, EvalSpansDevices) {
  const Tensor a = ones({2}, f32, Device::create({.device = "cpu"})) * 2.0;
  const Tensor b = ones({2}, f32, Device::create({.device = "cpu"})) * 3.0;
  eval_async(a, b).get();
  EXPECT_TRUE(a.is_evaluated());
  EXPECT_TRUE(b.is_evaluated());
}

TEST(Async, ExceptionsTravel) {
  EXPECT_THROW(throws_before_awaiting().get(), std::runtime_error);
  EXPECT_THROW(static_cast<void>(throws_before_awaiting().future().get()), std::runtime_error);
  const auto outer = []() -> Async<float> { co_return 1.0F + co_await throws_before_awaiting(); };
  EXPECT_THROW(outer().get(), std::runtime_error);
}

TEST(Async, AContinuationThatThrowsHarmsNobody) {
  const Tensor x = ones({2}, f32, Device::create({.device = "cpu"}));
  auto held = std::make_shared<HeldDevice>();
  held->hold_callbacks = true;
  read<float>(Tensor(std::vector<float>{1}, {1}, Device(held))).then([](auto) { throw std::runtime_error("oh"); });
  EXPECT_EQ(held->release(), 1U);
}

TEST_F(Held, ResultsComeWhenTheDeviceSaysSo) {
  held_->hold_callbacks = true;
  Async<float> result = first_of(lazy());
  EXPECT_FALSE(result.ready());
  EXPECT_EQ(held_->release(), 1U);
  EXPECT_TRUE(result.ready());
  EXPECT_EQ(result.get(), 2.0F);
}

TEST_F(Held, FailuresOfTheDeviceReachTheWaiter) {
  held_->hold_callbacks = true;
  Async<> evaluated = eval_async(lazy());
  Async<std::string> described = describe_failure(first_of(lazy()));
  const auto failure = std::make_exception_ptr(Error(ErrorKind::kDeviceLost, "It was lost."));
  held_->release(failure);
  EXPECT_EQ(error_of([&] { evaluated.get(); }).kind(), ErrorKind::kDeviceLost);
  EXPECT_EQ(described.get(), "device_lost");
}

TEST_F(Held, ADeviceThatForgetsIsNoLeakAndNoHang) {
  held_->hold_callbacks = true;
  std::atomic<int> frames = 0;
  const auto run = [](Tensor t, Probe) -> Async<float> {
    auto values = co_await read<float>(t);
    co_return values[0];
  };
  Async<float> waiting = run(lazy(), Probe(frames));
  EXPECT_EQ(frames, 1);
  held_->drop();
  EXPECT_EQ(frames, 0);
  EXPECT_EQ(error_of([&] { waiting.get(); }).kind(), ErrorKind::kDevice);
}

TEST_F(Held, TheFrameIsGoneBeforeTheResultIsTold) {
  held_->hold_callbacks = true;
  std::atomic<int> frames = 0;
  const auto run = [](Tensor t, Probe) -> Async<float> {
    auto values = co_await read<float>(t);
    co_return values[0];
  };
  int seen = -1;
  run(lazy(), Probe(frames)).then([&](Async<float>) { seen = frames; });
  held_->release();
  EXPECT_EQ(seen, 0);
}

}  // namespace
}  // namespace tessera::test
