// Every function of the user's that the engine calls may use the engine: no lock is held meanwhile. And what callbacks
// throw goes no further.
#include "support.h"
#include "support/devices.h"
#include "support/watchdog.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

const char* const kCopy = R"(
@compute @workgroup_size(workgroup_x) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < params.y_size) { y[id.x] = x[id.x]; }
}
)";

class Reentry : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    use();  // makes what is made once
    uses_ = 0;
  }

  /// Uses of the engine that take locks of many kinds.
  void use() {
    const Tensor x(Floats{1, 2, 3, 4}, {4}, device_);
    EXPECT_EQ((x * 2.0 + shared_).to_vector<float>(), (Floats{3, 5, 7, 9}));
    EXPECT_EQ(compiled_({x})[0].to_vector<float>(), (Floats{2, 3, 4, 5}));
    EXPECT_LE(compiled_.traces(), 1U);
    EXPECT_LE(compiled_.kernel_count(), 1U);
    EXPECT_EQ(compile([](const Tensors& in) { return Tensors{in[0] * 3.0}; })({x})[0].to_vector<float>(),
              (Floats{3, 6, 9, 12}));
    const Buffer buffer = Buffer::allocate(device_, {.label = "inside", .size = 16});
    buffer.fill(0);
    EXPECT_EQ(buffer.copy_from<float>(4), Floats(4));
    EXPECT_EQ(sum(random::uniform({4}, 2.0, 2.0, f32, device_)).item<float>(), 8.0F);
    EXPECT_EQ(read<float>(x + 0.0).get().size(), 4U);
    EXPECT_GT(device_.memory_stats().peak, 0U);
    static_cast<void>(statistics(device_));
    device_.synchronize();
    ++uses_;
  }
  /// Waits until it was used once more.
  void used(int times = 1) {
    while (uses_ < times) {
      poll(device_);
      std::this_thread::yield();
    }
    EXPECT_EQ(uses_, times);
    uses_ = 0;
  }

  Watchdog watchdog_;
  std::atomic<int> uses_ = 0;
  const Tensor shared_{1.0};
  const Compiled compiled_ = compile([](const Tensors& in) { return Tensors{in[0] + 1.0}; });
};
TESSERA_ON_ALL_DEVICES(Reentry);

TEST_P(Reentry, FunctionsOfFunctions) {
  const Tensor x(Floats{1, 2}, {2}, device_);
  const TensorFunction f = [&](const Tensors& in) {
    use();
    return Tensors{in[0] * in[0]};
  };
  const Compiled outer = compile(f);
  EXPECT_EQ(outer({x})[0].to_vector<float>(), (Floats{1, 4}));
  used();
  EXPECT_EQ(grad([&](const Tensor& t) { return sum(f({t})[0]); })(x).to_vector<float>(), (Floats{2, 4}));
  used();
  static_cast<void>(vjp(f, {x}, {x}));
  used();
  static_cast<void>(jvp(f, {x}, {x}));
  used();
  const TensorFunction kept = checkpoint(f);
  EXPECT_EQ(grad([&](const Tensor& t) { return sum(kept({t})[0]); })(x).to_vector<float>(), (Floats{2, 4}));
  used(2);
  const TensorFunction own = custom_vjp(f, [&](const Tensors&, const Tensors&, const Tensors& g) {
    use();
    return g;
  });
  EXPECT_EQ(grad([&](const Tensor& t) { return sum(own({t})[0]); })(x).to_vector<float>(), (Floats{1, 1}));
  used(2);
  Tensor w = x * 1.0;
  w.requires_grad();
  sum(own({w})[0]).backward();
  used(2);
  const ScanFunction step = [&](const Tensors& c, const Tensors&) { return Scanned{f(c), {}}; };
  EXPECT_EQ(scan(step, {x}, {}, {.length = 2}).carry[0].to_vector<float>(), (Floats{1, 16}));
  used();
  const auto last = [&](const Tensor& t) { return sum(scan(step, {t}, {}, {.length = 2}).carry[0]); };
  EXPECT_EQ(grad(last)(x).to_vector<float>(), (Floats{4, 32}));
  used();
  EXPECT_EQ(grad([&](const Tensor& t) { return sum(grad(last)(t)); })(x).to_vector<float>(), (Floats{12, 48}));
  used(3);  // for each step of the second gradient
  EXPECT_EQ(loop(2, [&](const Tensor&, const Tensors& c) { return own(c); }, {w})[0].to_vector<float>(),
            (Floats{1, 16}));
  uses_ = 0;
}

TEST_P(Reentry, CallbacksOfReads) {
  const Tensor x(Floats{1, 2, 3}, {3}, device_);
  (x + 1.0).read<float>([&](Floats, const std::exception_ptr&) { use(); });
  used();
  zeros({0}, f32, device_).read<float>([&](Floats, const std::exception_ptr&) { use(); });
  used();
  const std::vector<Tensor> both{x + 2.0, x};
  read_all(both, [&](std::vector<std::vector<std::byte>>, const std::exception_ptr&) { use(); });
  used();
  read<float>(x + 3.0).then([&](Async<Floats>) { use(); });
  used();
  read_pieces(both, [&](std::size_t, std::size_t, const RawBytes&) { use(); }).get();
  used(2);
  eval_async(x + 4.0).then([&](Async<>) { use(); });
  used();
  const auto coroutine = [this](Tensor t) -> Async<> {
    co_await read<float>(t);
    use();
    co_await eval_async(t * 2.0);
    use();
  };
  coroutine(x + 5.0).get();
  used(2);
  const Buffer buffer = Buffer::allocate(device_, {.label = "read", .size = 16});
  buffer.copy_from(16, 0, [&](std::vector<std::byte>, const std::exception_ptr&) { use(); });
  used();
  const Executor executor(device_);
  const Array out{buffer, {4}, f32};
  executor.affine(out, 2, 1, out).then([&](const std::exception_ptr&) { use(); });
  used();
  Profiler profiler(device_);
  (x + 6.0).eval();
  profiler.on_measured([&](const std::exception_ptr&) { use(); });
  used();
}

TEST_P(Reentry, CancellationAndDevices) {
  std::stop_source stop;
  const std::stop_callback told(stop.get_token(), [&] { use(); });
  Async<Floats> never = read<float>(Tensor(Floats{1}, {1}, device_) + 1.0, stop.get_token());
  stop.request_stop();
  used();
  std::promise<void> made;
  Device::create_async({.device = "cpu"}, [&](const Device&, const std::exception_ptr&) {
    use();
    made.set_value();
  });
  made.get_future().wait();
  used();
  int attempts = 0;
  retry(
      [&] {
        use();
        if (++attempts == 1) throw Error(ErrorKind::kDeviceLost, "as the test wants it");
      },
      {.device = device_, .lost = [&](const Error&) { use(); }});
  used(3);
}

TEST_P(Reentry, FunctionsOfKernels) {
  int depth = 0;
  std::optional<Compiled> around;
  const WgslKernel kernel({.name = "copy",
                           .source = kCopy,
                           .inputs = {"x"},
                           .outputs = {{"y", f32,
                                        [&](std::span<const Shape> in) {
                                          use();
                                          return in[0];
                                        }}},
                           .grid = [&](std::span<const Shape> in, std::span<const Shape>, WgslSize size) -> WgslSize {
                             use();
                             return {static_cast<std::uint32_t>(in[0].numel()) / size.x + 1, 1, 1};
                           },
                           .gradient =
                               [&](const WgslGradient& g) {
                                 use();
                                 return g.gradients;
                               },
                           .cpu =
                               [&](const WgslHostCall& call) {
                                 use();
                                 if (around && ++depth < 3) {  // the same plan while it runs
                                   const Floats expected(4, 30.0F * static_cast<float>(depth));
                                   const Tensor other = full({4}, 10.0 * depth, f32, device_);
                                   EXPECT_EQ((*around)({other.eval()})[0].to_vector<float>(), expected);
                                 }
                                 std::ranges::copy(call.input<float>(0), call.output<float>(0).begin());
                               }});
  const Tensor x(Floats{1, 2, 3, 4}, {4}, device_);
  const int on_host = on_cpu() ? 1 : 0;
  EXPECT_EQ(kernel({x})[0].to_vector<float>(), (Floats{1, 2, 3, 4}));
  used(2 + on_host);
  EXPECT_EQ(grad([&](const Tensor& t) { return sum(kernel({t})[0]); })(x).to_vector<float>(), Floats(4, 1.0F));
  used(3);
  around = compile([&](const Tensors& in) { return Tensors{kernel({in[0] * 2.0})[0] + in[0]}; });
  EXPECT_EQ((*around)({x})[0].to_vector<float>(), (Floats{3, 6, 9, 12}));
  used(2 + 3 * on_host);
  EXPECT_EQ((*around)({x})[0].to_vector<float>(), (Floats{3, 6, 9, 12}));
}

TEST_P(Reentry, OwnersOfMemoryAndOfFunctions) {
  struct Owner {
    std::function<void()> gone;
    ~Owner() { gone(); }
  };
  const auto owner = [&] {
    auto own = std::make_shared<Owner>();
    own->gone = [this] { use(); };
    return own;
  };
  const Floats data{1, 2, 3, 4};
  const auto lend = [&] {
    return from_host({std::as_bytes(std::span(data)), owner()}, f32, {4}, Device::create({.device = "cpu"}));
  };
  lend();
  used();
  {  // of a trace, of a gradient, and of a buffer that takes memory of its own
    const Tensor lent = lend();
    const Compiled f = compile([lent](const Tensors& in) { return Tensors{in[0] + lent}; });
    static_cast<void>(f({Tensor(data, {4}, lent.device())}));
  }
  used();
  {
    Tensor w = Tensor(data, {4}, Device::create({.device = "cpu"}));
    w.requires_grad();
    w.backward(lend());  // the gradient is the seed
    w.zero_grad();
    used();
  }
  {
    const Tensor lent = lend();
    const Buffer of = Buffer::of(lent);
    of.copy_to(Floats{5, 6, 7, 8});
    EXPECT_EQ(lent.to_vector<float>(), (Floats{5, 6, 7, 8}));
  }
  used();
  {
    const Compiled f = compile([own = owner()](const Tensors& in) { return Tensors{in[0] + 1.0}; });
    static_cast<void>(f({Tensor(data, {4}, device_)}));
  }
  used();
  {
    Tensor(data, {4}, device_).read<float>([own = owner()](Floats, const std::exception_ptr&) {});
  }
  used();
}

// A tensor of host memory is uploaded when a kernel needs it; what is called because memory runs out reads it.
TEST_P(Reentry, MemoryPressure) {
  constexpr std::int64_t kMany = 64 << 10;
  const Device tight = Device::create({.device = GetParam().device, .memory_budget = 1 << 20});
  const Buffer buffer =
      Buffer::allocate(tight, {.label = "uploaded", .size = kMany * 4, .location = BufferLocation::kHostVisible});
  buffer.copy_to(Floats(kMany, 2.0F));
  const Tensor uploaded = buffer.tensor({kMany});
  const Compiled f = compile([](const Tensors& in) { return Tensors{in[0] * 3.0}; });
  // The CPU has nothing to upload: there, the result does not fit.
  Tensor hog = full({kMany * (on_cpu() ? 2 : 3) + 4096}, 1.0, f32, tight).eval();
  int pressed = 0;
  const auto pressure = [&](std::uint64_t) {
    ++pressed;
    hog = Tensor();
    EXPECT_EQ(sum(uploaded).item<float>(), 2.0F * kMany);
    EXPECT_EQ(sum(f({uploaded})[0]).item<float>(), 6.0F * kMany);
    EXPECT_EQ(f.traces(), 1U);
    EXPECT_EQ(uploaded.to_vector<float>().size(), static_cast<std::size_t>(kMany));
    static_cast<void>(tight.memory_stats());
    use();
  };
  tight.on_memory_pressure(pressure);
  EXPECT_EQ(sum(uploaded * 2.0, {0}).item<float>(), 4.0F * kMany);
  EXPECT_EQ((uploaded * 2.0).to_vector<float>()[7], 4.0F);
  EXPECT_GE(pressed, 1);
  // And while a compiled function runs that is called again from there.
  const Floats expected(kMany, 6.0F);
  tight.trim();
  hog = full({kMany * 2 + 4096}, 1.0, f32, tight).eval();
  pressed = 0;
  const Tensor first = f({uploaded})[0];
  const Tensor second = f({uploaded})[0];
  EXPECT_EQ(first.to_vector<float>(), expected);
  EXPECT_EQ(second.to_vector<float>(), expected);
  EXPECT_GE(pressed, 1);
  tight.on_memory_pressure({});
}

TEST_P(Reentry, WhatIsNeededUnderPressureDoesNotPressAgain) {
  const Device tight = Device::create({.device = GetParam().device, .memory_budget = 1 << 20});
  int pressed = 0;
  tight.on_memory_pressure([&](std::uint64_t) {
    ++pressed;
    full({1 << 20}, 1.0, f32, tight).eval();
  });
  EXPECT_EQ(error_of([&] { full({1 << 20}, 1.0, f32, tight).eval(); }).kind(), ErrorKind::kOutOfMemory);
  EXPECT_EQ(pressed, 1);
}

// ---- Tracing beside other threads ----

TEST_P(Reentry, OthersMayAskWhileAFunctionIsTraced) {
  const Compiled* self = nullptr;
  const Compiled f = compile([&](const Tensors& in) {
    std::thread([&] { EXPECT_LE(self->traces() + self->kernel_count(), 4U); }).join();
    if (in[0].size(0) == 4) {  // another signature meanwhile, and the same one
      std::thread([&] {
        EXPECT_EQ((*self)({Tensor(Floats{1, 2}, {2}, device_)})[0].to_vector<float>(), (Floats{2, 4}));
      }).join();
    }
    return Tensors{in[0] * 2.0};
  });
  self = &f;
  EXPECT_EQ(f({Tensor(Floats{1, 2, 3, 4}, {4}, device_)})[0].to_vector<float>(), (Floats{2, 4, 6, 8}));
  EXPECT_EQ(f.traces(), 2U);
}

TEST_P(Reentry, TwoThreadsMayTraceOneSignature) {
  std::atomic<int> inside = 0;
  const Compiled f = compile([&](const Tensors& in) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
    return Tensors{in[0] + random::uniform({4}, 0.0, 1.0, f32, device_)};
  });
  const Tensor x = zeros({4}, f32, device_).eval();
  Floats got[2];
  std::vector<std::thread> threads;
  for (Floats& g : got) threads.emplace_back([&] { g = f({x})[0].to_vector<float>(); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(f.traces(), 1U);
  EXPECT_NE(got[0], got[1]);
  EXPECT_NE(f({x})[0].to_vector<float>(), got[0]);
}

// ---- What callbacks throw ----

TEST_P(Reentry, WhatCallbacksThrowGoesNoFurther) {
  const Tensor x(Floats{1, 2, 3}, {3}, device_);
  std::atomic<int> called = 0;
  const auto throws = [&](auto&&...) {
    ++called;
    throw 42;  // NOLINT: no std::exception, on purpose
  };
  const auto all = [&](int times) {
    while (called < times) {
      poll(device_);
      std::this_thread::yield();
    }
    device_.synchronize();
  };
  (x + 1.0).read<float>(throws);
  all(1);
  zeros({0}, f32, device_).read<float>(throws);
  const std::vector<Tensor> both{x + 2.0, x};
  read_all(both, throws);
  all(3);
  read<float>(x + 3.0).then(throws);
  Async<Floats> ready = read<float>(x + 4.0);
  while (!ready.ready()) poll(device_);
  ready.then(throws);
  eval_async(x + 5.0).then(throws);
  const Buffer buffer = Buffer::allocate(device_, {.label = "read", .size = 16});
  buffer.copy_from(16, 0, throws);
  buffer.copy_from(0, 0, throws);
  Work(device_).then(throws);
  Profiler profiler(device_);
  profiler.on_measured(throws);
  all(10);
  Device::create_async({.device = "cpu"}, throws);
  all(11);
  EXPECT_THROW(read_pieces(both, throws).get(), int) << "what `take` throws is the result";
  const auto coroutine = [&](Tensor t) -> Async<> {
    co_await read<float>(t);
    throw 42;  // NOLINT
  };
  EXPECT_THROW(coroutine(x + 6.0).get(), int);
  EXPECT_EQ((x + 7.0).to_vector<float>(), (Floats{8, 9, 10})) << "the device goes on";
}

}  // namespace
}  // namespace tessera::test
