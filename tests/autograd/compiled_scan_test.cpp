// scan() and loop() inside compile(): results and gradients are those of the loop outside, and a plan of a few steps is
// replayed.
#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "loops.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/nn/recurrent.h"
#include "tessera/nn/transforms.h"
#include "tessera/optim/optimizers.h"

namespace tessera::test {
namespace {

class CompiledScans : public DeviceTest {
 protected:
  [[nodiscard]] Tensor some(const Shape& shape, double phase) const { return pattern(shape, phase, device_).eval(); }

  /// The loss and its gradients with respect to weights, carry and xs, and the results of the loop.
  static Tensors train(const Cell& cell, const Tensors& all, std::size_t weights, std::size_t carry,
                       const ScanOptions& options) {
    Tensors out;
    const auto part = [&](const Tensors& v, std::size_t from, std::size_t to) {
      return Tensors(v.begin() + static_cast<std::ptrdiff_t>(from), v.begin() + static_cast<std::ptrdiff_t>(to));
    };
    const auto [value, gradients] = value_and_grad_of(
        [&](const Tensors& v) {
          const Tensors w = part(v, 0, weights);
          // The weights are results of what is before the loop.
          Tensors scaled;
          for (const Tensor& t : w) scaled.push_back(t * 1.5);
          const Scanned s = scan([&](const Tensors& c, const Tensors& x) { return cell(scaled, c, x); },
                                 part(v, weights, weights + carry), part(v, weights + carry, v.size()), options);
          for (const auto* list : {&s.carry, &s.ys}) {
            for (const Tensor& t : *list) out.push_back(stop_gradient(t));
          }
          return loss_of(s, v[0].device());
        },
        all);
    out.push_back(value);
    out.insert(out.end(), gradients.begin(), gradients.end());
    return out;
  }

  void check(const std::string& name, const Cell& cell, const Tensors& weights, const Tensors& carry, const Tensors& xs,
             const ScanOptions& options) const {
    Tensors all = weights;
    all.insert(all.end(), carry.begin(), carry.end());
    all.insert(all.end(), xs.begin(), xs.end());
    ScanOptions outside = options;
    outside.unroll = 1;
    const auto f = [&](const ScanOptions& o) {
      return [&, o](const Tensors& in) { return train(cell, in, weights.size(), carry.size(), o); };
    };
    const Compiled compiled = compile(f(options));
    for (const double scale : {1.0, 0.5}) {
      Tensors in;
      for (const Tensor& t : all) in.push_back((t * scale).eval());
      const Tensors got = compiled(in);
      Tensors there;
      for (const Tensor& t : in) there.push_back(t.to(cpu()));
      const Tensors expected = f(outside)(there);
      ASSERT_EQ(got.size(), expected.size()) << name;
      for (std::size_t i = 0; i < got.size(); ++i) {
        expect_close(got[i], expected[i].to(device_), name + ", result " + std::to_string(i));
        if (HasFatalFailure()) return;
      }
      for (std::size_t i = 0; i < in.size(); ++i) {  // the arguments keep their values
        expect_close(in[i], all[i] * scale, name + ", argument " + std::to_string(i));
      }
    }
    EXPECT_EQ(compiled.traces(), 1U) << name;
  }
};
TESSERA_ON_ALL_DEVICES(CompiledScans);

TEST_P(CompiledScans, EqualTheLoopOutside) {
  const Tensors w{some({3, 12}, 1), some({3, 12}, 2), some({12}, 3)};
  const Tensors start{some({2, 3}, 4), some({2, 3}, 5)};
  for (const std::int64_t steps : {1, 2, 17, 40}) {
    if (!on_cpu() && steps != 17) continue;
    const Tensors x{some({steps, 2, 3}, 6)};
    const auto named = [&](const char* what) { return std::string(what) + " of " + std::to_string(steps); };
    check(named("lstm"), lstm, w, start, x, {});
    if (!on_cpu()) continue;
    check(named("lstm, two steps in a plan"), lstm, w, start, x, {.unroll = 2});
    check(named("lstm, backwards"), lstm, w, start, x, {.reverse = true, .unroll = 2});
    check(named("lstm, checkpoints"), lstm, w, start, x, {.checkpoint_every = 3, .unroll = 2});
    check(named("lstm, unrolled"), lstm, w, start, x, {.unroll = 0});
    check(named("rnn"), rnn, {some({3, 3}, 7)}, {some({2, 3}, 8)}, x, {.unroll = 3});
  }
}

TEST_P(CompiledScans, CarriesThatPassThroughSwapAndCount) {
  const Cell cell = [](const Tensors& w, const Tensors& c, const Tensors& x) {
    // Swapped, kept, counted, and one that nobody changes.
    return Scanned{{c[1], c[0] * w[0] + x[0], c[2]}, {c[0] + c[1], x[0] * c[2]}};
  };
  check("swap", cell, {some({3}, 1)}, {some({3}, 2), some({3}, 3), some({3}, 4)}, {some({120, 3}, 5)}, {});
}

TEST_P(CompiledScans, NoSteps) {
  const Compiled f = compile([](const Tensors& in) {
    const Scanned s =
        scan([](const Tensors& c, const Tensors& x) { return Scanned{{c[0] + x[0]}, {c[0]}}; }, {in[0]}, {in[1]});
    return Tensors{s.carry[0], s.ys[0]};
  });
  const Tensors got = f({some({3}, 1), zeros({0, 3}, f32, device_)});
  expect_close(got[0], some({3}, 1), "carry");
  EXPECT_EQ(got[1].shape(), (Shape{0, 3}));
}

TEST_P(CompiledScans, PlansDoNotDependOnTheNumberOfSteps) {
  const Tensors w{some({8, 32}, 1), some({8, 32}, 2), some({32}, 3)};
  struct Counted {
    std::size_t kernels;
    std::uint64_t plans;
    int calls;
  };
  const auto count = [&](std::int64_t steps) {
    int calls = 0;
    const Compiled step = compile([&](const Tensors& in) {
      const auto [value, g] = value_and_grad_of(
          [&](const Tensors& v) {
            const Tensor zero = zeros({4, 8}, f32, in[0].device());
            return sum(square(scan(
                                  [&](const Tensors& c, const Tensors& x) {
                                    ++calls;
                                    return lstm(v, c, x);
                                  },
                                  {zero, zero}, {in[3]})
                                  .ys[0]));
          },
          {in[0], in[1], in[2]});
      return Tensors{value, g[0], g[1], g[2]};
    });
    const Tensor x = some({steps, 4, 8}, 4);
    const Statistics before = statistics(device_);
    eval(step({w[0], w[1], w[2], x}));
    const Statistics after = statistics(device_);
    return Counted{step.kernel_count(), after.plan_misses + after.plan_hits - before.plan_misses - before.plan_hits,
                   calls};
  };
  const Counted few = count(64);
  const Counted many = count(on_cpu() ? 512 : 128);
  EXPECT_EQ(many.kernels, few.kernels);
  EXPECT_EQ(many.plans, few.plans);
  EXPECT_EQ(many.calls, few.calls);
  EXPECT_LT(many.calls, 24);
}

TEST_P(CompiledScans, DrawsAreThoseOfTheUnrolledLoop) {
  const Tensor h = ones({16}, f32, device_).eval();
  const Tensor x = some({6, 16}, 1);
  const ScanFunction f = [&](const Tensors& c, const Tensors& row) {
    return Scanned{{dropout(c[0] + row[0], 0.5)}, {random::uniform({16}, 0.0, 1.0, f32, device_) + c[0]}};
  };
  const auto run = [&](std::int64_t unroll) {
    const Compiled compiled = compile([&, unroll](const Tensors& in) {
      const Tensor before = random::uniform({4}, 0.0, 1.0, f32, device_);
      Tensors out;
      const auto [value, g] = value_and_grad_of(
          [&](const Tensors& v) {
            const Scanned s = scan(f, {v[0]}, {v[1]}, {.unroll = unroll});
            out = {stop_gradient(s.carry[0]), stop_gradient(s.ys[0])};
            return loss_of(s, device_);
          },
          in);
      out.insert(out.end(), {before, value, g[0], g[1], random::uniform({4}, 0.0, 1.0, f32, device_)});
      return out;
    });
    random::set_seed(5);
    Tensors all;
    for (int i = 0; i < 3; ++i) {
      for (const Tensor& t : compiled({h, x})) all.push_back(t);
    }
    return all;
  };
  const Tensors expected = run(0);
  for (const std::int64_t unroll : {2, 4}) {
    if (unroll == 4 && !on_cpu()) continue;  // each is some forty pipelines
    const Tensors got = run(unroll);
    for (std::size_t i = 0; i < got.size(); ++i) expect_close(got[i], expected[i], "result " + std::to_string(i));
  }
  EXPECT_NE(expected[0].to_vector<float>(), expected[7].to_vector<float>()) << "each call draws others";
}

TEST_P(CompiledScans, ArgumentsAreDonatedAcrossTheLoop) {
  // The weight is read before the loop, in it and behind it, where its memory becomes that of the new one.
  const auto step = [](const Tensors& in) {
    const auto [value, g] = value_and_grad_of(
        [&](const Tensors& v) {
          const Scanned s = scan([&](const Tensors& c, const Tensors& x) { return rnn({v[0]}, c, x); }, {in[1]},
                                 {in[2]}, {.unroll = 2});
          return sum(square(s.ys[0])) + sum(v[0]);
        },
        {in[0]});
    return Tensors{in[0] - g[0] * 0.01, in[1] * 0.5, value};
  };
  const Tensor x = some({9, 2, 3}, 3);
  Tensors state{some({3, 3}, 1), some({2, 3}, 2)};
  Tensors expected{some({3, 3}, 1), some({2, 3}, 2)};
  const Compiled compiled = compile(step, {.donate = {0, 1}});
  for (int i = 0; i < 4; ++i) {
    const Tensors given = state;
    const Tensors got = compiled({given[0], given[1], x});
    static_cast<void>(error_of([&] { return given[0].to_vector<float>(); }));  // it was donated
    const Tensors want = step({expected[0], expected[1], x});
    for (std::size_t k = 0; k < 3; ++k) expect_close(got[k], want[k], "step " + std::to_string(i));
    state = {got[0], got[1]};
    expected = {want[0].eval(), want[1].eval()};
  }
  expect_close(x, some({9, 2, 3}, 3), "an argument that is not donated");
}

TEST_P(CompiledScans, SeveralLoopsAndWhatLiesBetweenThem) {
  const auto f = [](const Tensors& in) {
    const ScanFunction step = [&](const Tensors& c, const Tensors& x) {
      return Scanned{{c[0] * 0.5 + x[0] * in[1]}, {c[0] + in[1]}};
    };
    const Scanned first = scan(step, {in[0]}, {in[2]}, {.unroll = 2});
    const Tensor between = first.carry[0] * 2 + mean(first.ys[0], {0});
    const Scanned second = scan(step, {between}, {first.ys[0]}, {.reverse = true, .unroll = 2});
    // Results of either loop, of what is between them, of both, and arguments as they are.
    return Tensors{first.ys[0],
                   second.carry[0],
                   between,
                   second.ys[0] + first.ys[0],
                   in[0],
                   reshape(first.ys[0], {24}),
                   first.carry[0] - second.carry[0],
                   first.ys[0]};
  };
  const Tensors in{some({3}, 1), some({3}, 2), some({8, 3}, 3)};
  const Tensors expected = f(in);
  const Compiled compiled = compile(f);
  for (int i = 0; i < 2; ++i) {
    const Tensors got = compiled(in);
    for (std::size_t k = 0; k < got.size(); ++k) expect_close(got[k], expected[k], "result " + std::to_string(k));
  }
}

TEST_P(CompiledScans, NestAndDifferentiateTwice) {
  const auto f = [](const Tensors& in) {
    const auto inner = [&](const Tensors& v) {
      const Scanned s = scan(
          [v](const Tensors& c, const Tensors& x) {  // called again for the second gradient
            const Scanned deep = scan(
                [&](const Tensors& d, const Tensors& y) { return Scanned{{d[0] * v[0] + y[0]}, {}}; }, {c[0]}, {x[0]});
            return Scanned{{tanh(deep.carry[0])}, {}};
          },
          {in[1]}, {in[2]}, {.unroll = 2});
      return sum(square(s.carry[0]));
    };
    const auto [value, g] = value_and_grad_of(
        [&](const Tensors& v) { return sum(square(value_and_grad_of(inner, v).second[0])); }, {in[0]});
    return Tensors{value, g[0]};
  };
  const Tensors in{some({3}, 1), some({3}, 2), some({6, 2, 3}, 3)};
  const Tensors expected = f(in);
  const Compiled inside = compile(f);
  const Compiled outside = compile([&](const Tensors& v) { return inside(v); });
  for (const Compiled& c : {inside, outside}) {
    const Tensors got = c(in);
    for (std::size_t k = 0; k < got.size(); ++k) expect_close(got[k], expected[k], "result " + std::to_string(k));
  }
}

TEST_P(CompiledScans, CountsAreTensors) {
  const Compiled f = compile([](const Tensors& in) {
    const Tensors out =
        loop(in[0], [](const Tensor& step, const Tensors& c) { return Tensors{c[0] * 0.5 + step}; }, {in[1]});
    return Tensors{out[0], in[1] + out[0]};
  });
  const Tensor start = some({3}, 1);
  for (const std::int32_t n : {0, 1, 5, 2}) {
    const Tensors expected =
        loop(n, [](const Tensor& step, const Tensors& c) { return Tensors{c[0] * 0.5 + step}; }, {start});
    const Tensors got = f({Tensor(Ints{n}, {}, device_), start});
    expect_close(got[0], expected[0], "after " + std::to_string(n));
    expect_close(got[1], expected[0] + start, "after " + std::to_string(n));
  }
  EXPECT_EQ(f.traces(), 1U);
  const Error error = error_of([&] { f({Tensor(Ints{-1}, {}, device_), start}); });
  EXPECT_NE(std::string(error.what()).find("-1 steps were given"), std::string::npos) << error.what();
}

TEST_P(CompiledScans, EffectsOfAStepUnrollTheLoop) {
  Tensor kept;  // of the last step
  const auto f = [&](const Tensors& in) {
    const Scanned s = scan(
        [&](const Tensors& c, const Tensors& x) {
          kept = c[0] * x[0];
          return Scanned{{c[0] + x[0]}, {}};
        },
        {in[0]}, {in[1]}, {.unroll = 2});
    return Tensors{s.carry[0], kept};
  };
  const Tensors in{some({3}, 1), some({9, 3}, 2)};
  const Tensors got = compile(f)(in);
  Tensor c = in[0];
  for (std::int64_t t = 0; t < 8; ++t) c = c + index(in[1], {At(t)});
  expect_close(got[1], c * index(in[1], {At(8)}), "of the last step");
  expect_close(got[0], c + index(in[1], {At(8)}), "carry");
}

TEST_P(CompiledScans, CallsOverlap) {
  const auto f = [](const Tensors& in) {
    const Scanned s =
        scan([&](const Tensors& c, const Tensors& x) { return Scanned{{c[0] * 0.9 + x[0] * in[0]}, {c[0]}}; }, {in[0]},
             {in[1]}, {.unroll = 2});
    return Tensors{s.carry[0] + sum(s.ys[0], {0})};
  };
  const Compiled compiled = compile(f);
  const Tensor x = some({12, 5}, 1);
  std::vector<Tensor> starts;
  std::vector<Floats> expected;
  for (int i = 0; i < 4; ++i) {
    starts.push_back(some({5}, i + 2));
    expected.push_back(f({starts.back(), x})[0].to_vector<float>());
  }
  std::vector<std::thread> threads;
  std::vector<double> worst(4, 0);
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 5; ++k) {
        const Floats got = compiled({starts[i], x})[0].to_vector<float>();
        for (std::size_t e = 0; e < got.size(); ++e)
          worst[i] = std::max<double>(worst[i], std::abs(got[e] - expected[i][e]));
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const double w : worst) EXPECT_LT(w, 1e-4);
}

TEST_P(CompiledScans, ModulesTrainAsOutside) {
  const Tensor x = some({40, 2, 3}, 1);
  const auto losses = [&](bool compiled) {
    random::set_seed(3);
    nn::LSTM model(3, 4);
    model.to(device_);
    optim::Adam optimizer(model, {.lr = 0.05});
    const auto step = [&] {
      auto [loss, gradients] = value_and_grad(model, [&] { return mean(square(model.run(x).output - 0.3)); })();
      optimizer.update(model, gradients);
      return loss;
    };
    auto replayed = compile(step, model, optimizer);
    Floats all;
    for (int i = 0; i < 4; ++i) all.push_back((compiled ? replayed() : step()).item<float>());
    return all;
  };
  const Floats outside = losses(false);
  const Floats inside = losses(true);
  for (std::size_t i = 0; i < outside.size(); ++i) EXPECT_NEAR(inside[i], outside[i], 1e-4 * (1 + outside[i])) << i;
  EXPECT_LT(inside[3], inside[0]);
}

}  // namespace
}  // namespace tessera::test
