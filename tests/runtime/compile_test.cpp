// Compiled functions: what they capture, what they draw, and how they call each other.
#include <random>
#include <thread>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

class CompiledOn : public DeviceTest {
 protected:
  [[nodiscard]] Tensor vec(const Floats& v) const { return {v, {static_cast<std::int64_t>(v.size())}, device_}; }
  [[nodiscard]] std::uint64_t dispatches() const { return statistics(device_).dispatches; }
};
TESSERA_ON_ALL_DEVICES(CompiledOn);

Floats floats(const Tensor& t) { return t.to_vector<float>(); }

// ---- What is captured ----

TEST_P(CompiledOn, CapturedTensorsAreComputedOnce) {
  const Tensor x = vec({1, 2, 3, 4});
  const Tensor table = sum(exp(reshape(x, {4, 1}) * reshape(x, {1, 4})), {1});  // not evaluated: two kernels or more
  const Tensor turned = reshape(x, {2, 2}).T();                                 // a view is read where it lies
  const Compiled f =
      compile([&](const Tensors& in) { return Tensors{in[0] + table, matmul(reshape(in[0], {2, 2}), turned)}; });
  const Floats first = floats(f({x})[0]);
  EXPECT_EQ(first, floats(x + table));
  EXPECT_TRUE(table.is_evaluated());
  EXPECT_FALSE(turned.is_evaluated());
  const std::uint64_t before = dispatches();
  const Tensors again = f({x * 1.0});
  EXPECT_EQ(floats(again[0]), first);
  EXPECT_EQ(floats(again[1]), (Floats{5, 11, 11, 25}));
  EXPECT_LE(dispatches() - before, 1 + f.kernel_count());
  EXPECT_LE(f.kernel_count(), 2U) << "the table is a constant of the plan";
}

TEST_P(CompiledOn, WhatTheFunctionMakesItselfStaysFused) {
  const Compiled f = compile([&](const Tensors& in) {
    return Tensors{where(greater(in[0], arange(0, 4, 1, f32, device_)), in[0] * 2.0, full({4}, 7, f32, device_))};
  });
  EXPECT_EQ(floats(f({vec({1, 1, 1, 9})})[0]), (Floats{2, 7, 7, 18}));
  EXPECT_EQ(f.kernel_count(), 1U);
}

TEST_P(CompiledOn, CapturedDrawsStay) {
  const Tensor noise = random::uniform({8}, 0.0, 1.0, f32, device_);
  const Compiled f = compile([&](const Tensors& in) { return Tensors{in[0] + noise}; });
  const Tensor x = zeros({8}, f32, device_).eval();
  EXPECT_EQ(floats(f({x})[0]), floats(noise));
  EXPECT_EQ(floats(f({x})[0]), floats(noise));
}

TEST_P(CompiledOn, CapturedBuffersAreReadAtEachCall) {
  for (const BufferLocation where :
       {BufferLocation::kDevice, BufferLocation::kHostVisible, BufferLocation::kMirrored}) {
    const Buffer buffer = Buffer::allocate(device_, {.label = "captured", .size = 16, .location = where});
    buffer.copy_to(Floats{1, 2, 3, 4});
    const Tensor inside = buffer.tensor({4});
    const Compiled f = compile([&](const Tensors& in) { return Tensors{in[0] * inside}; });
    const Tensor x = vec({1, 10, 100, 1000});
    EXPECT_EQ(floats(f({x})[0]), (Floats{1, 20, 300, 4000})) << static_cast<int>(where);
    buffer.copy_to(Floats{5, 6, 7, 8});
    EXPECT_EQ(floats(f({x})[0]), (Floats{5, 60, 700, 8000})) << static_cast<int>(where);
    buffer.fill(0, 0, 4);
    EXPECT_EQ(floats(f({x})[0]), (Floats{0, 60, 700, 8000})) << static_cast<int>(where);
    EXPECT_EQ(f.traces(), 1U);
  }
}

TEST_P(CompiledOn, MemoryOfTheHostThatIsCapturedMayBeWritten) {
  const Floats data{1, 2, 3, 4};
  const Tensor lent = from_host({std::as_bytes(std::span(data)), nullptr}, f32, {4}, device_);
  const Compiled f = compile([&](const Tensors& in) { return Tensors{in[0] + lent}; });
  const Tensor x = zeros({4}, f32, device_).eval();
  EXPECT_EQ(floats(f({x})[0]), data);
  Buffer::of(lent).copy_to(Floats{9, 9, 9, 9});  // on the CPU the tensor takes memory of its own now
  EXPECT_EQ(floats(f({x})[0]), (Floats{9, 9, 9, 9}));
  EXPECT_EQ(data, (Floats{1, 2, 3, 4}));
}

// ---- Random draws ----

Tensors drawing(const Tensors& in) {
  const Tensor kept = random::bernoulli(in[0].shape(), 0.5, in[0].device());
  const Tensor noise = random::normal(in[0].shape(), 0.0, 1.0, f32, in[0].device());
  return {where(kept, in[0] * 2.0, 0.0), in[0] + noise, sum(noise * in[0])};
}

TEST_P(CompiledOn, DrawsAreThoseOfTheFunctionItself) {
  const Tensor x = ones({64}, f32, device_).eval();
  const Tensor wide = ones({3, 16}, f32, device_).eval();
  const auto run = [&](const auto& f) {
    random::set_seed(42);
    std::vector<Floats> all;
    for (int i = 0; i < 3; ++i) {
      for (const Tensor& t : f({x})) all.push_back(floats(t));
      all.push_back(floats(random::uniform({5}, 0.0, 1.0, f32, device_)));  // draws between calls
      for (const Tensor& t : f({wide})) all.push_back(floats(t));
    }
    return all;
  };
  const Compiled f = compile(drawing);
  const std::vector<Floats> first = run(f);
  const std::vector<Floats> again = run(f);
  const std::vector<Floats> plain = run(drawing);
  EXPECT_EQ(f.traces(), 2U);
  EXPECT_EQ(first, again) << "the seed repeats them";
  ASSERT_EQ(first.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(first[i].size(), plain[i].size());
    for (std::size_t k = 0; k < plain[i].size(); ++k)
      EXPECT_NEAR(first[i][k], plain[i][k], 1e-4F) << i << ", element " << k;
  }
  EXPECT_NE(first[0], first[7]) << "a mask for each call";
  EXPECT_NE(first[1], first[8]);
  random::set_seed(43);
  EXPECT_NE(floats(f({x})[0]), first[0]);
}

/// What f gives in three calls, compiled and by itself: the same numbers, others at each call.
void expect_same_draws(const TensorFunction& f, const Tensors& arguments) {
  const Compiled compiled = compile(f);
  const auto run = [&](const TensorFunction& g) {
    random::set_seed(5);
    std::vector<std::vector<Floats>> all(3);
    for (std::vector<Floats>& call : all) {
      for (const Tensor& t : g(arguments)) call.push_back(floats(t));
    }
    return all;
  };
  const auto got = run(compiled);
  const auto expected = run(f);
  EXPECT_EQ(compiled.traces(), 1U);
  for (std::size_t i = 0; i < got[0].size(); ++i) {
    EXPECT_NE(got[0][i], got[1][i]) << "result " << i;
    EXPECT_NE(got[1][i], got[2][i]) << "result " << i;
    for (std::size_t call = 0; call < got.size(); ++call) {
      ASSERT_EQ(got[call][i].size(), expected[call][i].size());
      for (std::size_t k = 0; k < got[call][i].size(); ++k)
        ASSERT_NEAR(got[call][i][k], expected[call][i][k], 1e-3F) << call << ' ' << i << ' ' << k;
    }
  }
}

// Where a draw's words lie depends on the kernel: maps that share a dispatch, and what is fused in front of a matmul.
TEST_P(CompiledOn, DrawsInEveryKindOfKernel) {
  const Tensor x = ones({64, 32}, f32, device_).eval();
  const Tensor w = ones({32, 48}, f32, device_).eval();
  const Tensor y = ones({40}, f32, device_).eval();
  expect_same_draws(
      [](const Tensors& in) {
        const auto noise = [&](const Shape& shape) { return random::uniform(shape, 0.0, 1.0, f32, in[0].device()); };
        return Tensors{matmul(dropout(in[0], 0.5), in[1]),
                       matmul(in[0], in[1] * noise({32, 1})) + noise({48}),
                       in[0] * noise({64, 32}),
                       in[2] + noise({40}),
                       sum(in[0] * noise({32}), {1}),
                       concat({noise({7}), in[2] * noise({1})})};
      },
      {x, w, y});
}

class CompiledInWindows : public CompiledOn {};
TESSERA_ON_WINDOWED_DEVICES(CompiledInWindows);

TEST_P(CompiledInWindows, DrawsInEveryPiece) {
  const Tensor x = ones({3000}, f32, device_).eval();  // three bindings of 4 KiB
  expect_same_draws([](const Tensors& in) { return Tensors{dropout(in[0], 0.5), sum(dropout(in[0] * 3.0, 0.3))}; },
                    {x});
}

TEST_P(CompiledOn, GeneratorsOfOnesOwn) {
  random::Generator outside(7);
  const auto f = [&](const Tensors& in) {
    const auto draw = [&] { return random::uniform(in[0].shape(), 0.0, 1.0, f32, in[0].device()); };
    random::Generator inside(9);  // starts anew at each call
    random::Generator part = outside.split();
    Tensors all{draw()};
    for (const random::Generator* g : {&inside, &outside, &part, &inside}) {
      const random::Use use(*g);
      all.push_back(draw());
    }
    return all;
  };
  const Tensor x = zeros({6}, f32, device_).eval();
  const auto run = [&](const auto& g) {
    outside = random::Generator(7);
    random::set_seed(1);
    std::vector<Floats> all;
    for (int i = 0; i < 3; ++i) {
      const random::Generator around(static_cast<std::uint64_t>(100 + i));  // the thread's, as the call finds it
      const random::Use use(around);
      for (const Tensor& t : g({x})) all.push_back(floats(t));
    }
    return all;
  };
  // `outside` is captured by reference: a new trace for its new state.
  const std::vector<Floats> got = run(compile(f));
  const std::vector<Floats> expected = run(f);
  EXPECT_EQ(got, expected);
  EXPECT_EQ(got[1], got[6]) << "of a generator that the function makes";
  EXPECT_NE(got[2], got[7]) << "of one that it captures";
  EXPECT_NE(got[3], got[8]) << "of one that was split off";
}

TEST_P(CompiledOn, RandomStates) {
  const auto f = compile([&](const Tensor& x) { return x + random::uniform(x.shape(), 0.0, 1.0, f32, x.device()); });
  const Tensor x = zeros({6}, f32, device_).eval();
  random::set_seed(5);
  f(x).eval();  // traced
  for (int round = 0; round < 2; ++round) {
    const random::RandomState state = random::state();
    std::vector<Floats> expected;
    for (int i = 0; i < 3; ++i) expected.push_back(floats(f(x)));
    random::set_state(state);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(floats(f(x)), expected[static_cast<std::size_t>(i)]) << round;
    random::set_state(state);
    EXPECT_EQ(floats(random::uniform({6}, 0.0, 1.0, f32, device_)), expected[0]) << "eagerly";
    const auto fresh =
        compile([](const Tensor& y) { return y + random::uniform(y.shape(), 0.0, 1.0, f32, y.device()); });
    EXPECT_EQ(floats(fresh(x)), expected[1]) << "in a first call";
    EXPECT_EQ(floats(f(x)), expected[2]) << "in a replay behind others";
  }
  EXPECT_EQ(f.traces(), 1U);

  // Set inside of the function: at each call.
  const random::RandomState fixed{.seed = 77, .position = 41};
  const auto sets = compile([&](const Tensor& y) {
    const Tensor free = random::uniform(y.shape(), 0.0, 1.0, f32, y.device());
    random::set_state(fixed);
    return std::pair(free, y + random::uniform(y.shape(), 0.0, 1.0, f32, y.device()));
  });
  random::set_state(fixed);
  const Floats at = floats(random::uniform({6}, 0.0, 1.0, f32, device_));
  random::set_seed(1);
  std::vector<Floats> free;
  for (int i = 0; i < 3; ++i) {
    const auto [before, after] = sets(x);
    free.push_back(floats(before));
    EXPECT_EQ(floats(after), at) << i;
    EXPECT_EQ(random::state(), (random::RandomState{.seed = 77, .position = 42}));
  }
  EXPECT_NE(free[0], free[1]);
  EXPECT_EQ(free[1], free[2]) << "from position 42 on, both";

  // Asking for one, or for a scope that puts them back, would keep that of the trace.
  const auto asks = compile([&](const Tensor& y) { return y + static_cast<double>(random::state().position); });
  EXPECT_EQ(error_of([&] { asks(x); }).kind(), ErrorKind::kValue);
  const auto forks = compile([&](const Tensor& y) {
    const random::Fork fork;
    return y + random::uniform(y.shape(), 0.0, 1.0, f32, y.device());
  });
  EXPECT_EQ(error_of([&] { forks(x); }).kind(), ErrorKind::kValue);
}

TEST_P(CompiledOn, DrawsThatMeetAreNotTakenForEachOther) {
  // Both draws have the same position at first: that of the thread's generator moves on, the other one's does not.
  random::set_seed(0);
  const auto f = [&](const Tensors& in) {
    const auto draw = [&] { return random::uniform(in[0].shape(), 0.0, 1.0, f32, in[0].device()); };
    const Tensor first = draw();
    const random::Generator own(0);
    const random::Use use(own);
    return Tensors{first, draw()};
  };
  const Compiled compiled = compile(f);
  const Tensor x = zeros({6}, f32, device_).eval();
  const Tensors once = compiled({x});
  const Tensors twice = compiled({x});
  EXPECT_EQ(floats(once[0]), floats(once[1]));
  EXPECT_EQ(floats(twice[1]), floats(once[1]));
  EXPECT_NE(floats(twice[0]), floats(once[0]));
}

// ---- Calls of each other ----

TEST_P(CompiledOn, MayCallItselfWithOtherShapes) {
  std::optional<Compiled> halves;
  halves = compile([&](const Tensors& in) {
    const std::int64_t n = in[0].size(0);
    if (n == 1) return Tensors{in[0]};
    const std::vector<Tensor> parts = split(in[0], 2);
    return Tensors{(*halves)({parts[0]})[0] + (*halves)({parts[1]})[0] * 10.0};
  });
  EXPECT_EQ(floats((*halves)({vec({1, 2, 3, 4})})[0]), (Floats{1 + 20 + 30 + 400}));
  EXPECT_EQ(floats((*halves)({vec({4, 3, 2, 1})})[0]), (Floats{4 + 30 + 20 + 100}));
  EXPECT_EQ(halves->traces(), 1U);
}

TEST_P(CompiledOn, CallsOfItselfWithoutEndAreAnError) {
  std::optional<Compiled> f;
  f = compile([&](const Tensors& in) { return Tensors{(*f)({in[0] + 1.0})[0]}; });
  const Error e = error_of([&] { (*f)({vec({1, 2})}); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_NE(std::string(e.what()).find("calls itself"), std::string::npos) << e.what();
  Tensor w = vec({1, 2});
  w.requires_grad();
  EXPECT_EQ(error_of([&] { (*f)({w}); }).kind(), ErrorKind::kValue);
  const Compiled other = compile([](const Tensors& in) { return Tensors{in[0] + 1.0}; });
  EXPECT_EQ(floats(other({vec({1, 2})})[0]), (Floats{2, 3})) << "nothing is left behind";
}

TEST_P(CompiledOn, InsideOfAnotherItIsPartOfIt) {
  const Compiled inner = compile([](const Tensors& in) { return Tensors{in[0] * 2.0}; }, {.donate = {0}});
  const Tensor captured = vec({1, 2});
  const Compiled outer = compile([&](const Tensors& in) {
    const Tensor y = inner({in[0]})[0] + inner({captured})[0];
    return Tensors{compile([&](const Tensors& z) { return Tensors{z[0] + in[0]}; })({y})[0]};
  });
  EXPECT_EQ(floats(outer({vec({10, 20})})[0]), (Floats{32, 64}));
  EXPECT_EQ(floats(outer({vec({1, 2})})[0]), (Floats{5, 10}));
  EXPECT_EQ(outer.kernel_count(), 1U);
  EXPECT_EQ(inner.traces(), 0U);
  EXPECT_EQ(floats(captured), (Floats{1, 2})) << "nothing is donated inside";
}

TEST_P(CompiledOn, DonatedTrainingStepsGiveTheSameNumbers) {
  const auto sgd = [](const Tensors& in) {
    const Tensor h = tanh(matmul(in[1], in[0]));
    const Tensor g = matmul(in[1].T(), h * (1.0 - h * h));
    const Tensor momentum = in[2] * 0.9 + g;
    return Tensors{in[0] - momentum * 0.1, momentum, softmax(matmul(softmax(h), in[0].T()))};
  };
  const Compiled plain = compile(sgd);
  const Compiled donating = compile(sgd, {.donate = {0, 1, 2}});
  const auto start = [&](std::int64_t rows, double first) {
    return sin(reshape(arange(0, 24.0 * static_cast<double>(rows), 1, f32, device_), {rows, 24}) + first).eval();
  };
  Tensors a{start(24, 0), Tensor(), start(24, 1)};
  Tensors b{start(24, 0), Tensor(), start(24, 1)};
  for (int i = 0; i < 4; ++i) {
    a[1] = start(24, 2.0 + i);
    b[1] = start(24, 2.0 + i);
    const Tensors x = plain(a);
    const Tensors y = donating(b);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(floats(x[k]), floats(y[k])) << "step " << i << ", result " << k;
    a = {x[0], Tensor(), x[1]};
    b = {y[0], Tensor(), y[1]};
  }
  // Tied: one tensor as three donated arguments.
  const Tensor tied = start(24, 0);
  const Floats expected = floats(plain({tied, tied, tied})[0]);
  Profiler profiler(device_);
  EXPECT_EQ(floats(donating({tied, tied, tied})[0]), expected);
  EXPECT_GE(std::ranges::count(profiler.records(), "copy", &KernelRecord::label), 1);
  EXPECT_THROW(static_cast<void>(floats(tied)), Error);
}

// Results that are arguments, views of them, read again by later kernels, or of calls with several results.
TEST_P(CompiledOn, RandomFunctionsOfDonatedArgumentsGiveTheSameNumbers) {
  constexpr std::int64_t kEdge = 12;
  constexpr std::size_t kArguments = 4;
  const auto step = [](std::mt19937& draw, const Tensor& a, const Tensor& b, const Tensor& c) {
    switch (draw() % 12) {
      case 0:
        return a + b * 0.5;
      case 1:
        return tanh(a) * b - c;
      case 2:
        return c - matmul(a, b) * 0.1;
      case 3:
        return matmul(a, b) * 0.1;
      case 4:
        return a.T();
      case 5:
        return flip(a, {1}) + b;
      case 6:
        return reshape(reshape(a, {kEdge * kEdge}), {kEdge, kEdge});
      case 7:
        return softmax(a);
      case 8:
        return b - sum(a, {1}, true) * 0.1;
      case 9:
        return cumsum(a, 1) * 0.1;
      case 10:
        return sort(a, 1) + c;
      default:
        return tanh(matmul(softmax(a), b.T()) + c);
    }
  };
  const int seeds = test::full() ? 1000 : (device_.info().type == DeviceType::kCpu ? 200 : 20);
  for (int seed = 0; seed < seeds; ++seed) {
    const auto f = [&](const Tensors& in) {
      std::mt19937 draw(static_cast<std::uint32_t>(seed));
      Tensors values = in;
      const auto any = [&] { return values[draw() % values.size()]; };
      for (std::size_t i = 1 + draw() % 8; i > 0; --i) {
        const Tensor a = any();
        const Tensor b = any();
        values.push_back(step(draw, a, b, any()));
      }
      Tensors results{values.back()};
      for (std::size_t i = draw() % 4; i > 0; --i) results.push_back(any());
      return results;
    };
    const auto arguments = [&] {
      Tensors all;
      for (std::size_t i = 0; i < kArguments; ++i) {
        const double first = static_cast<double>(i);
        all.push_back(sin(reshape(arange(0, kEdge * kEdge, 1, f32, device_), {kEdge, kEdge}) + first).eval());
      }
      return all;
    };
    const Tensors plain = compile(f)(arguments());
    const Compiled donating = compile(f, {.donate = {0, 1, 2, 3}});
    for (int call = 0; call < 2; ++call) {
      const Tensors donated = donating(arguments());
      for (std::size_t k = 0; k < plain.size(); ++k) {
        ASSERT_EQ(floats(plain[k]), floats(donated[k])) << "seed " << seed << ", call " << call << ", result " << k;
      }
    }
  }
}

TEST_P(CompiledOn, ThreadsCallItAtOnce) {
  const Compiled f = compile([](const Tensors& in) {
    const Tensor h = matmul(in[0], in[0]);
    return Tensors{sum(exp(h - max(h, {1}, true)), {1}), h + 1.0};
  });
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      const Tensor x = full({8, 8}, 0.5 + k, f32, device_).eval();
      const Floats expected = floats(matmul(x, x) + 1.0);
      for (int i = 0; i < 8; ++i) {
        const Tensors out = f({x});
        if (floats(out[1]) != expected || floats(out[0]) != Floats(8, 8.0F)) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(f.traces(), 1U);
}

}  // namespace
}  // namespace tessera::test
