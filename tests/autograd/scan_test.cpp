// scan() and loop(): results and gradients are those of a loop that calls the function, and nothing is planned per
// step.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "loops.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class Scans : public DeviceTest {
 protected:
  [[nodiscard]] Tensor vec(const Floats& v) const { return {v, {static_cast<std::int64_t>(v.size())}, device_}; }
  [[nodiscard]] Tensor some(const Shape& shape, double phase) const { return pattern(shape, phase, device_); }

  /// Results and gradients with respect to weights, carry and xs.
  void check(const std::string& name, const Cell& cell, const Tensors& weights, const Tensors& carry, const Tensors& xs,
             const ScanOptions& options = {}) const {
    const std::int64_t steps = options.length.has_value() ? *options.length : xs[0].shape()[0];
    const auto run = [&](const Tensors& all, bool scanned) {
      const auto part = [&](std::size_t from, std::size_t count) {
        return Tensors(all.begin() + static_cast<std::ptrdiff_t>(from),
                       all.begin() + static_cast<std::ptrdiff_t>(from + count));
      };
      const Tensors w = part(0, weights.size());
      const Tensors c = part(weights.size(), carry.size());
      const Tensors x = part(weights.size() + carry.size(), xs.size());
      const ScanFunction f = [&](const Tensors& state, const Tensors& row) { return cell(w, state, row); };
      return scanned ? scan(f, c, x, options) : by_hand(f, c, x, steps, options.reverse);
    };
    Tensors all = weights;
    all.insert(all.end(), carry.begin(), carry.end());
    all.insert(all.end(), xs.begin(), xs.end());
    Tensors on_cpu;  // the unrolled loop runs there: an adapter would compile a program for each of its graphs
    for (const Tensor& t : all) on_cpu.push_back(t.to(cpu()));
    const Scanned got = run(all, true);
    const Scanned expected = run(on_cpu, false);
    ASSERT_EQ(got.carry.size(), expected.carry.size()) << name;
    ASSERT_EQ(got.ys.size(), expected.ys.size()) << name;
    for (std::size_t i = 0; i < got.carry.size(); ++i) expect_close(got.carry[i], expected.carry[i], name + ", carry");
    for (std::size_t i = 0; i < got.ys.size(); ++i) expect_close(got.ys[i], expected.ys[i], name + ", ys");
    const auto gradients = [&](bool scanned) {
      const Device& on = scanned ? device_ : cpu();
      return value_and_grad_of([&](const Tensors& v) { return loss_of(run(v, scanned), on); }, scanned ? all : on_cpu);
    };
    const auto [value, g] = gradients(true);
    const auto [expected_value, e] = gradients(false);
    expect_close(value, expected_value, name + ", loss");
    for (std::size_t i = 0; i < g.size(); ++i) {
      expect_close(g[i], e[i], name + ", gradient " + std::to_string(i));
      EXPECT_FALSE(g[i].is_tracked());
    }
  }
};
TESSERA_ON_ALL_DEVICES(Scans);

TEST_P(Scans, CumulativeSum) {
  const Tensor start = vec({100, 200});
  const Tensor x(Ints{1, 2, 3, 4, 5, 6}, {3, 2}, device_);
  const ScanFunction f = [](const Tensors& c, const Tensors& row) { return Scanned{{c[0] + row[0]}, {c[0] + row[0]}}; };
  const Scanned s = scan(f, {start}, {x.astype(f32)});
  EXPECT_EQ(s.carry[0].to_vector<float>(), (Floats{109, 212}));
  EXPECT_EQ(s.ys[0].to_vector<float>(), (Floats{101, 202, 104, 206, 109, 212}));
  const Scanned back = scan(f, {start}, {x.astype(f32)}, {.reverse = true});
  EXPECT_EQ(back.ys[0].to_vector<float>(), (Floats{109, 212, 108, 210, 105, 206}));
  EXPECT_EQ(start.to_vector<float>(), (Floats{100, 200})) << "the given carry keeps its value";
  const Scanned ints = scan(f, {Tensor(Ints{10, 20}, {2}, device_)}, {x});
  EXPECT_EQ(ints.ys[0].to_vector<std::int32_t>(), (Ints{11, 22, 14, 26, 19, 32}));
}

TEST_P(Scans, EqualTheUnrolledLoop) {
  check("rnn", rnn, {some({3, 3}, 1)}, {some({2, 3}, 2)}, {some({5, 2, 3}, 3)});
  check("rnn, reverse", rnn, {some({3, 3}, 1)}, {some({2, 3}, 2)}, {some({5, 2, 3}, 3)}, {.reverse = true});
  check("one step", rnn, {some({3, 3}, 1)}, {some({2, 3}, 2)}, {some({1, 2, 3}, 3)});
  for (const std::int64_t k : {1, 3, 100}) {
    check("lstm, " + std::to_string(k), lstm, {some({3, 16}, 1), some({4, 16}, 2), some({16}, 3)},
          {some({2, 4}, 4), some({2, 4}, 5)}, {some({7, 2, 3}, 6)}, {.checkpoint_every = k});
  }
  check("lstm, reverse, segments", lstm, {some({3, 16}, 1), some({4, 16}, 2), some({16}, 3)},
        {some({2, 4}, 4), some({2, 4}, 5)}, {some({7, 2, 3}, 6)}, {.reverse = true, .checkpoint_every = 3});
  for (const bool reverse : {false, true}) {
    for (const std::int64_t unroll : {0, 2, 3, 7, 100}) {
      check("rnn, unroll " + std::to_string(unroll), rnn, {some({3, 3}, 1)}, {some({2, 3}, 2)}, {some({7, 2, 3}, 3)},
            {.reverse = reverse, .checkpoint_every = 3, .unroll = unroll});
    }
  }
}

TEST_P(Scans, StatesThatPassThroughSwapAndRepeat) {
  // A carry that is returned as it is, two that swap, one that is returned twice, a captured tensor as a carry.
  check("unchanged",
        [](const Tensors&, const Tensors& c, const Tensors& x) { return Scanned{{c[0], c[1] + c[0] * x[0]}, {}}; }, {},
        {some({3}, 1), some({3}, 2)}, {some({4, 3}, 3)});
  check("swap", [](const Tensors&, const Tensors& c, const Tensors& x) { return Scanned{{c[1], c[0] * x[0]}, {c[0]}}; },
        {}, {some({3}, 1), some({3}, 2)}, {some({5, 3}, 3)});
  check("twice",
        [](const Tensors&, const Tensors& c, const Tensors& x) {
          const Tensor y = c[0] * c[1] + x[0];
          return Scanned{{y, y}, {}};
        },
        {}, {some({3}, 1), some({3}, 2)}, {some({5, 3}, 3)});
  check("captured",
        [](const Tensors& w, const Tensors& c, const Tensors& x) { return Scanned{{w[0], c[1] * c[0] + x[0]}, {}}; },
        {some({3}, 4)}, {some({3}, 1), some({3}, 2)}, {some({5, 3}, 3)});
  check("constant y",
        [](const Tensors&, const Tensors& c, const Tensors&) { return Scanned{{c[0] * 0.5}, {Tensor(3.0F)}}; }, {},
        {some({3}, 1)}, {some({5, 3}, 3)});
  check("no xs", [](const Tensors& w, const Tensors& c, const Tensors&) { return Scanned{{sin(c[0] * w[0])}, {c[0]}}; },
        {some({3}, 1)}, {some({3}, 2)}, {}, {.length = 4});
  check("no carry",
        [](const Tensors& w, const Tensors&, const Tensors& x) { return Scanned{{}, {w[0] * x[0] * x[0]}}; },
        {some({3}, 1)}, {}, {some({4, 3}, 2)});
  check("scalars",
        [](const Tensors& w, const Tensors& c, const Tensors& x) { return Scanned{{c[0] * w[0] + x[0]}, {c[0]}}; },
        {some({}, 1)}, {some({}, 2)}, {some({4}, 3)});
}

TEST_P(Scans, ValuesOfCallsAreKeptForTheBackwardPass) {
  const Cell attention = [](const Tensors& w, const Tensors& c, const Tensors& x) {
    const Tensors qkv = split(matmul(c[0], w[0]) + x[0], 3, -1);
    const Tensor y = scaled_dot_product_attention(qkv[0], qkv[1], qkv[2]);
    return Scanned{{y + softmax(cumsum(y, -1))}, {max(y, {-1})}};
  };
  for (const std::int64_t k : {1, 2}) {
    check("attention", attention, {some({4, 12}, 1)}, {some({2, 3, 5, 4}, 2)}, {some({3, 5, 12}, 3)},
          {.checkpoint_every = k});
  }
  const Cell sorted = [](const Tensors& w, const Tensors& c, const Tensors& x) {
    const Tensor y = sort(matmul(c[0], w[0]) * x[0]);
    return Scanned{{y * prod(c[0], {-1}, true)}, {take(y, Tensor(Ints{2, 0}, {2}, y.device()), 1)}};
  };
  check("sort", sorted, {some({4, 4}, 1)}, {some({3, 4}, 2)}, {some({4, 3, 4}, 3)});
}

TEST(ScanPlans, MatmulsAreComputedOnce) {
  const Tensors w{pattern({16, 64}, 1, cpu()), pattern({16, 64}, 2, cpu()), pattern({64}, 3, cpu())};
  const Tensors start{pattern({8, 16}, 4, cpu()), pattern({8, 16}, 5, cpu())};
  const Tensor x = pattern({10, 8, 16}, 6, cpu());
  const auto matmuls = [&](std::int64_t checkpoint_every) {
    Profiler profiler(cpu());
    eval(value_and_grad_of(
             [&](const Tensors& v) {
               return loss_of(scan([&](const Tensors& c, const Tensors& row) { return lstm(v, c, row); }, start, {x},
                                   {.checkpoint_every = checkpoint_every}),
                              cpu());
             },
             w)
             .second);
    return std::ranges::count_if(profiler.records(),
                                 [](const KernelRecord& r) { return r.label.find("matmul") != std::string::npos; });
  };
  EXPECT_EQ(matmuls(1), 10 * 5) << "two forward, and three for the gradients of h and of two weights";
  EXPECT_EQ(matmuls(4), 10 * 7) << "each forward step twice";
}

TEST(ScanPlans, AStepReadsAndWritesItsOwnRows) {
  const auto bytes_per_step = [&](std::int64_t steps) {
    const Tensor x = pattern({steps, 64}, 1, cpu());
    const Tensor h = pattern({64}, 2, cpu());
    Profiler profiler(cpu());
    value_and_grad_of(
        [&](const Tensors& v) {
          const Scanned s = scan(
              [](const Tensors& c, const Tensors& row) {
                const Tensor y = tanh(c[0] + row[0]);
                return Scanned{{y}, {y * 2}};
              },
              {v[0]}, {v[1]});
          return sum(s.carry[0]);
        },
        {h, x});
    std::uint64_t bytes = 0;
    for (const KernelRecord& r : profiler.records()) bytes += r.bytes;
    return static_cast<double>(bytes) / static_cast<double>(steps);
  };
  EXPECT_NEAR(bytes_per_step(512) / bytes_per_step(64), 1, 0.1);
}

TEST_P(Scans, GradientsOfCapturedExpressions) {
  // f captures v and an expression of it: the gradient of v is the sum of both ways, counted once each.
  const Tensor x = some({4, 3}, 1);
  const auto run = [&](bool scanned) {
    return grad([&](const Tensor& v) {
      const Tensor twice = sin(v) * 2;
      const ScanFunction f = [&](const Tensors& c, const Tensors& row) {
        return Scanned{{tanh(c[0] * twice + row[0] * v)}, {}};
      };
      const Tensors start{v * 0.5};
      return loss_of(scanned ? scan(f, start, {x}) : by_hand(f, start, {x}, 4), device_);
    })(some({3}, 2));
  };
  expect_close(run(true), run(false), "v");
}

TEST_P(Scans, BackwardAccumulatesIntoVariables) {
  Tensor w = some({3, 3}, 1);
  w.requires_grad();
  const Tensor x = some({6, 2, 3}, 2);
  const Tensor h = zeros({2, 3}, f32, device_);
  const ScanFunction f = [&](const Tensors& c, const Tensors& row) { return rnn({w}, c, row); };
  const Scanned s = scan(f, {h}, {x}, {.checkpoint_every = 2});
  EXPECT_TRUE(s.carry[0].is_tracked());
  loss_of(s, device_).backward();
  const Tensor got = w.grad();
  w.zero_grad();
  loss_of(by_hand(f, {h}, {x}, 6), device_).backward();
  expect_close(got, w.grad(), "w");
  EXPECT_FALSE(got.is_tracked());
  const NoGrad untracked;
  EXPECT_FALSE(scan(f, {h}, {x}).carry[0].is_tracked());
}

TEST_P(Scans, HalvesAccumulateInF32) {
  // 2100 steps add 1 to the gradient of w: a sum in f16 would end at 2048.
  Tensor w = zeros({2}, f16, device_);
  w.requires_grad();
  const Scanned s = scan([&](const Tensors& c, const Tensors&) { return Scanned{{c[0] + w}, {}}; },
                         {zeros({2}, f16, device_)}, {}, {.length = 2100, .checkpoint_every = 50});
  sum(s.carry[0].astype(f32)).backward();
  EXPECT_EQ(w.grad().astype(f32).to_vector<float>(), (Floats{2100, 2100}));
}

using ChunkedScans = Scans;
TESSERA_ON_WINDOWED_DEVICES(ChunkedScans);

TEST_P(ChunkedScans, PastTheBindingLimit) {  // x and ys have 7 KiB, and bindings 4
  check("rnn", rnn, {some({8, 8}, 1)}, {some({4, 8}, 2)}, {some({56, 4, 8}, 3)}, {.checkpoint_every = 10});
}

TEST_P(Scans, NestInEachOtherAndInCompile) {
  // Each row of x is scanned in its own loop.
  const ScanFunction inner = [](const Tensors& c, const Tensors& x) { return Scanned{{c[0] * 0.5 + x[0]}, {c[0]}}; };
  const Cell outer = [&](const Tensors& w, const Tensors& c, const Tensors& x) {
    const Scanned s = scan(inner, {c[0] * w[0]}, {x[0]});
    return Scanned{{s.carry[0]}, {sum(s.ys[0], {0})}};
  };
  check("nested", outer, {some({3}, 1)}, {some({3}, 2)}, {some({4, 2, 3}, 3)});
  const Tensor w = some({3, 3}, 1);
  const Tensor h = some({2, 3}, 2);
  const Tensor x = some({5, 2, 3}, 3);
  const auto whole = [&](const Tensors& in) {
    const auto [value, gradients] = value_and_grad_of(
        [&](const Tensors& v) {
          return loss_of(
              scan([&](const Tensors& c, const Tensors& row) { return rnn({v[0]}, c, row); }, {in[1]}, {in[2]}),
              device_);
        },
        {in[0]});
    return Tensors{value, gradients[0]};
  };
  const Tensors expected = whole({w, h, x});
  const Compiled compiled = compile(whole);
  for (int i = 0; i < 2; ++i) {
    const Tensors got = compiled({w, h, x});
    expect_close(got[0], expected[0], "loss");
    expect_close(got[1], expected[1], "gradient");
  }
  EXPECT_EQ(compiled.traces(), 1U);
}

TEST_P(Scans, DrawsAreThoseOfTheUnrolledLoop) {
  const Tensor h = ones({64}, f32, device_).eval();
  const Tensor x = some({5, 64}, 1);
  const TensorFunction kept = checkpoint([](const Tensors& v) { return Tensors{dropout(v[0] * v[0], 0.3)}; });
  const ScanFunction f = [&](const Tensors& c, const Tensors& row) {
    const Tensor y = dropout(c[0] + row[0], 0.5);
    return Scanned{{kept({y})[0] + random::uniform({64}, 0.0, 1.0, f32, c[0].device())}, {y}};
  };
  for (const std::int64_t k : {1, 2}) {
    const auto run = [&](bool scanned) {
      const Device on = scanned ? device_ : cpu();
      random::set_seed(5);
      Tensors out;
      const auto [value, g] = value_and_grad_of(
          [&](const Tensors& v) {
            const Scanned s =
                scanned ? scan(f, {v[0]}, {v[1]}, {.checkpoint_every = k}) : by_hand(f, {v[0]}, {v[1]}, 5);
            out = {stop_gradient(s.carry[0]), stop_gradient(s.ys[0])};
            return loss_of(s, on);
          },
          {h.to(on), x.to(on)});
      out.insert(out.end(), g.begin(), g.end());
      out.push_back(random::uniform({4}, 0.0, 1.0, f32, on));  // the generator goes on from there
      return out;
    };
    const Tensors got = run(true);
    const Tensors expected = run(false);
    for (std::size_t i = 0; i < got.size(); ++i) expect_close(got[i], expected[i], "result " + std::to_string(i));
  }
  // Draws at one position cannot be distinguished in a plan: the function is called for each step.
  const ScanFunction same = [&](const Tensors& c, const Tensors&) {
    const auto draw = [&] {
      const random::Use use{random::Generator(7)};
      return random::uniform({64}, 0.0, 1.0, f32, device_);
    };
    return Scanned{{c[0] + draw() * draw()}, {}};
  };
  expect_close(scan(same, {h}, {}, {.length = 3}).carry[0], by_hand(same, {h}, {}, 3).carry[0], "fixed draws");
}

TEST_P(Scans, RandomStatesRepeat) {
  const Tensor h = ones({16}, f32, device_).eval();
  const auto walk = [&] {
    return scan([&](const Tensors& c, const Tensors&) { return Scanned{{dropout(c[0], 0.5) + 1.0}, {}}; }, {h}, {},
                {.length = 4})
        .carry[0];
  };
  const auto compiled = compile([&](const Tensor& x) { return x + walk(); });
  random::set_seed(4);
  compiled(h).eval();
  const random::RandomState state = random::state();
  const Tensors expected{walk().eval(), compiled(h).eval()};
  const random::RandomState after = random::state();
  random::set_state(state);
  expect_close(walk(), expected[0], "scan");
  expect_close(compiled(h), expected[1], "compiled scan");
  EXPECT_EQ(random::state(), after);
  EXPECT_EQ(after.position, state.position + 8);
}

TEST_P(Scans, DrawsInsideCheckpoints) {
  const Tensor h = ones({16}, f32, device_).eval();
  const auto gradient = [&](bool kept) {
    const TensorFunction f = [&](const Tensors& v) {
      return scan([&](const Tensors& c, const Tensors&) { return Scanned{{dropout(c[0] * v[0], 0.5)}, {}}; }, {v[0]},
                  {}, {.length = 3})
          .carry;
    };
    random::set_seed(7);
    return value_and_grad_of([&](const Tensors& v) { return sum((kept ? f : checkpoint(f))(v)[0] * v[0]); }, {h});
  };
  const auto [value, g] = gradient(false);
  const auto [expected, e] = gradient(true);
  expect_close(value, expected, "loss");
  expect_close(g[0], e[0], "gradient");
}

TEST_P(Scans, LoopsCountTheirSteps) {
  const LoopFunction f = [](const Tensor& step, const Tensors& c) { return Tensors{c[0] * 2 + step.astype(f32)}; };
  EXPECT_EQ(loop(4, f, {vec({1})})[0].to_vector<float>(), (Floats{27}));
  EXPECT_EQ(loop(Tensor(Ints{4}, {}, device_), f, {vec({1})})[0].to_vector<float>(), (Floats{27}));
  EXPECT_EQ(loop(Tensor(std::vector<std::int64_t>{2}, {1}, device_), f, {vec({1})})[0].to_vector<float>(), (Floats{5}));
  for (const std::int64_t unroll : {0, 2, 3, 4}) {
    EXPECT_EQ(loop(4, f, {vec({1})}, {.unroll = unroll})[0].to_vector<float>(), (Floats{27})) << unroll;
  }
  EXPECT_EQ(loop(0, f, {vec({1})})[0].to_vector<float>(), (Floats{1}));
  EXPECT_EQ(grad([&](const Tensor& x) { return sum(loop(3, f, {x}, {.checkpoint_every = 2})[0]); })(vec({1, 2}))
                .to_vector<float>(),
            (Floats{8, 8}));
  const Compiled unrolled = compile([&](const Tensors& in) { return loop(4, f, {in[0]}); });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(unrolled({vec({1})})[0].to_vector<float>(), (Floats{27}));
}

TEST_P(Scans, NoSteps) {
  const Tensor h = some({2, 3}, 1);
  const Tensor w = some({3, 3}, 2);
  const auto f = [&](const Tensor& weights) {
    return [&](const Tensors& c, const Tensors& x) { return rnn({weights}, c, x); };
  };
  const Scanned s = scan(f(w), {h}, {zeros({0, 2, 3}, f32, device_)});
  EXPECT_EQ(s.carry[0].to_vector<float>(), h.to_vector<float>());
  EXPECT_EQ(s.ys[0].shape(), (Shape{0, 2, 3}));
  EXPECT_EQ(s.ys[1].shape(), (Shape{0}));
  const auto [gw, gh] = grad([&](const Tensor& a, const Tensor& b) {
    return sum(scan(f(a), {b}, {zeros({0, 2, 3}, f32, device_)}).carry[0]);
  })(w, h);
  EXPECT_EQ(gw.to_vector<float>(), Floats(9, 0));
  EXPECT_EQ(gh.to_vector<float>(), Floats(6, 1));
}

TEST_P(Scans, FiveHundredStepsAreOnePlan) {
  const Tensors w{some({8, 32}, 1), some({8, 32}, 2), some({32}, 3)};
  const auto run = [&](std::int64_t steps, int& calls) {
    const Tensor x = some({steps, 4, 8}, 4).eval();
    const Tensors start{zeros({4, 8}, f32, device_).eval(), zeros({4, 8}, f32, device_).eval()};
    const auto [value, g] = value_and_grad_of(
        [&](const Tensors& v) {
          return loss_of(scan(
                             [&](const Tensors& c, const Tensors& row) {
                               ++calls;
                               return lstm(v, c, row);
                             },
                             start, {x}),
                         device_);
        },
        w);
    Tensors all = g;
    all.push_back(value);
    eval(all);
  };
  const auto counted = [&](std::int64_t steps) {
    int calls = 0;
    const Statistics before = statistics(device_);
    run(steps, calls);
    const Statistics after = statistics(device_);
    EXPECT_EQ(calls, 1);
    return std::pair(after.plan_misses + after.plan_hits - before.plan_misses - before.plan_hits,
                     after.uploads - before.uploads);
  };
  const auto few = counted(8);
  const auto many = counted(512);
  EXPECT_EQ(many.first, few.first) << "plans do not depend on the number of steps";
  EXPECT_LE(many.first, 12U);
  EXPECT_EQ(many.second, few.second) << "nothing is uploaded per step";
}

TEST_P(Scans, BadArguments) {
  const Tensor x = some({4, 3}, 1);
  const Tensor h = some({3}, 2);
  const ScanFunction keep = [](const Tensors& c, const Tensors&) { return Scanned{c, {}}; };
  const auto message = [](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  const auto expect = [&](const std::function<void()>& f, const std::string& part) {
    EXPECT_NE(message(f).find(part), std::string::npos) << message(f);
  };
  expect([&] { scan(keep, {h}, {}); }, "neither xs nor a length was given");
  expect([&] { scan(keep, {h}, {x, some({5, 3}, 1)}); }, "xs 0 has shape [4, 3] and xs 1 has shape [5, 3]");
  expect([&] { scan(keep, {h}, {x}, {.length = 3}); }, "a first axis of 3 is expected");
  expect([&] { scan(keep, {h}, {sum(x)}); }, "xs 0 has rank 0");
  expect([&] { scan(keep, {h}, {}, {.length = -1}); }, "a length of -1");
  expect([&] { scan(keep, {h}, {x}, {.checkpoint_every = 0}); }, "checkpoint_every is 0");
  expect([&] { scan(keep, {h}, {x}, {.unroll = -1}); }, "unroll is -1");
  expect([&] { scan(keep, {Tensor()}, {x}); }, "carry 0 is an empty Tensor");
  expect([&] { scan([](const Tensors& c, const Tensors&) { return Scanned{{sum(c[0])}, {}}; }, {h}, {x}); },
         "returned f32 [] as carry 0, which was given as f32 [3]");
  expect([&] { scan([](const Tensors& c, const Tensors&) { return Scanned{{c[0].astype(i32)}, {}}; }, {h}, {x}); },
         "returned i32 [3] as carry 0, which was given as f32 [3]");
  expect([&] { scan([](const Tensors&, const Tensors&) { return Scanned{{}, {}}; }, {h}, {x}); },
         "returned a carry of 0 tensors; 1 were given");
  expect([&] { scan([](const Tensors& c, const Tensors&) { return Scanned{c, {Tensor()}}; }, {h}, {x}); },
         "an empty Tensor as y 0");
  expect([&] { loop(-2, [](const Tensor&, const Tensors& c) { return c; }, {h}); }, "-2 steps were given");
  expect([&] { loop(h, [](const Tensor&, const Tensors& c) { return c; }, {h}); }, "the number of steps is f32 [3]");
  // An error in the function ends the trace: the next call works.
  EXPECT_THROW(scan([](const Tensors&, const Tensors&) -> Scanned { throw std::runtime_error("mine"); }, {h}, {x}),
               std::runtime_error);
  EXPECT_EQ(scan(keep, {h}, {x}).carry[0].to_vector<float>(), h.to_vector<float>());
}

TEST(ScanGradients, FirstAndSecondAgainstDifferences) {
  const Function f = [](const Tensors& v) {
    const Scanned s = scan(
        [v](const Tensors& c, const Tensors& x) {
          const Tensor h = tanh(c[0] * v[2] + x[0]);
          return Scanned{{h}, {h * v[2]}};
        },
        {v[0]}, {v[1]}, {.checkpoint_every = 2});
    return concat({s.carry[0], reshape(s.ys[0], Shape{-1})});
  };
  check_gradient("scan", f, {random_f64({2}, 1), random_f64({3, 2}, 2), random_f64({2}, 3)});
  const Tensors at{random_f64({2}, 1), random_f64({3, 2}, 2), random_f64({2}, 3)};
  const Tensors along{random_f64({2}, 4), random_f64({3, 2}, 5), random_f64({2}, 6)};
  const TensorFunction g = [&](const Tensors& v) { return Tensors{f(v)}; };
  const double h = 1e-5;
  Tensors up;
  Tensors down;
  for (std::size_t i = 0; i < at.size(); ++i) {
    up.push_back(at[i] + h * along[i]);
    down.push_back(at[i] - h * along[i]);
  }
  expect_near(jvp(g, at, along).second[0].to_vector<double>(), ((f(up) - f(down)) / (2 * h)).to_vector<double>(), 1e-8,
              "jvp");
}

TEST(ScanGradients, SecondGradientsSeeTheSameDraws) {
  const Tensor x = f64_tensor(std::vector<double>(32, 0.5), {32});
  const auto run = [&](bool scanned) {
    random::set_seed(9);
    const ScanFunction f = [](const Tensors& c, const Tensors&) { return Scanned{{dropout(sin(c[0]), 0.5)}, {}}; };
    const auto value = [&](const Tensor& v) {
      return sum(scanned ? scan(f, {v}, {}, {.length = 3}).carry[0] : by_hand(f, {v}, {}, 3).carry[0]);
    };
    return grad([&](const Tensor& v) { return sum(square(grad(value)(v))); })(x).to_vector<double>();
  };
  expect_near(run(true), run(false), 1e-12, "dropout");
}

}  // namespace
}  // namespace tessera::test
