// Plans: found again for other sizes and scalars, guarded where they took sizes for granted, replayed without
// allocation.
#include <algorithm>
#include <array>

#include "allocations.h"
#include "support.h"

namespace tessera::test {

using Plans = NullTest;

TEST_F(Plans, OnePlanForAHundredStepsWithChangingScalars) {
  Tensor w = input({256, 128});
  const Tensor g = input({256, 128});
  for (int i = 0; i < 100; ++i) {
    w = w - g * (0.1 / (i + 1)) + i * 0.5;
    w.eval();
  }
  const Statistics s = statistics(device_);
  EXPECT_EQ(s.plan_misses, 1U);
  EXPECT_EQ(s.plan_hits, 99U);
  EXPECT_EQ(s.pipeline_misses, 1U);
}

TEST_F(Plans, OnePlanForAHundredGrowingLengths) {
  const Tensor cache = input({8, 256, 64});
  for (int length = 2; length <= 101; ++length) {
    const Tensor keys = slice(cache, {{}, {0, length}, {}});
    const Tensor padded = pad(keys, {{0, 0}, {0, 256 - length}, {0, 0}}, 0.0);
    eval(softmax(sum(padded * 0.125, {2})), max(keys, {2}));
  }
  const Statistics s = statistics(device_);
  EXPECT_LE(s.plan_misses, 2U) << "a length that happens to equal another size may make one more";
  EXPECT_LE(s.pipeline_misses, 4U);
}

TEST_F(Plans, SizesThatCoincideDoNotLeakIntoOtherSizes) {
  // Square: rows equal columns, which a plan may take for granted; then not square.
  for (const auto& [r, c] : {std::pair{64, 64}, {64, 32}, {32, 64}}) {
    const Tensor x = input({r, c});
    eval({x - mean(x, {1}, true), sum(x, {0})});
  }
  EXPECT_LE(statistics(device_).plan_misses, 3U);
}

TEST_F(Plans, ReplayAllocatesAndCompilesNothing) {
  const Compiled step = compile([](const std::vector<Tensor>& in) {
    const Tensor h = relu(matmul(in[0], in[1]) + in[2]);
    return std::vector<Tensor>{softmax(h), mean(h, {1})};
  });
  const std::vector<Tensor> arguments{input({64, 32}), input({32, 48}), input({48})};
  std::vector<Tensor> results(2);
  for (int i = 0; i < 5; ++i) step.run(arguments, results);
  const Statistics before = statistics(device_);
  const std::uint64_t counted = allocations();
  for (int i = 0; i < 100; ++i) step.run(arguments, results);
  EXPECT_EQ(allocations() - counted, 0U);
  const Statistics after = statistics(device_);
  EXPECT_EQ(after.pipeline_misses, before.pipeline_misses);
  EXPECT_EQ(after.plan_misses, before.plan_misses);
  EXPECT_EQ(after.memory.misses, before.memory.misses);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(Plans, ReplayOfDrawsAndConstantsAllocatesNothing) {
  const Tensor captured = exp(input({48}));
  const Compiled step = compile([&](const std::vector<Tensor>& in) {
    const Tensor h = dropout(matmul(dropout(in[0], 0.1), in[1]) + captured, 0.5);
    return std::vector<Tensor>{h + random::normal({64, 48}, 0.0, 1.0, f32, in[0].device()), sum(h)};
  });
  const std::vector<Tensor> arguments{input({64, 32}), input({32, 48})};
  std::vector<Tensor> results(2);
  for (int i = 0; i < 5; ++i) step.run(arguments, results);
  EXPECT_TRUE(captured.is_evaluated());
  const std::uint64_t counted = allocations();
  for (int i = 0; i < 100; ++i) step.run(arguments, results);
  EXPECT_EQ(allocations() - counted, 0U);
}

TEST_F(Plans, SizesOfDynamicAxesThatWereSeenAllocateNothing) {
  int calls = 0;
  const Tensor w = input({32, 48});
  const Compiled step = compile(
      [&](const std::vector<Tensor>& in) {
        ++calls;
        return std::vector<Tensor>{softmax(matmul(dropout(in[0], 0.1), w)), mean(in[0], {0})};
      },
      {.dynamic_axes = {{0, 0, "n"}}});
  std::vector<Tensor> results(2);
  const std::vector<std::vector<Tensor>> arguments{{input({64, 32})}, {input({48, 32})}, {input({7, 32})}};
  for (int i = 0; i < 5; ++i) {
    for (const auto& a : arguments) step.run(a, results);
  }
  const int before = calls;
  const std::uint64_t counted = allocations();
  for (int i = 0; i < 50; ++i) {
    for (const auto& a : arguments) step.run(a, results);
  }
  EXPECT_EQ(allocations() - counted, 0U);
  EXPECT_EQ(calls, before);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(Plans, StepsOfAScanAllocateNothing) {
  const Tensor w = input({48, 48});
  const auto run = [&](std::int64_t steps) {
    const Tensor x = input({steps, 64, 48});
    const std::uint64_t counted = allocations();
    const Statistics before = statistics(device_);
    scan(
        [&](const Tensors& c, const Tensors& row) {
          const Tensor h = tanh(matmul(dropout(c[0], 0.1), w) + row[0]);
          return Scanned{{h}, {sum(h, {1})}};
        },
        {input({64, 48})}, {x});
    const Statistics after = statistics(device_);
    EXPECT_LE(after.plan_misses + after.plan_hits - before.plan_misses - before.plan_hits, 2U);
    EXPECT_GE(after.submissions - before.submissions, static_cast<std::uint64_t>(steps));
    return allocations() - counted;
  };
  for (const int steps : {8, 300}) run(steps);  // plans are made
  const std::uint64_t few = run(8);
  EXPECT_LT(run(300), few + 20) << "292 more steps; sets of nodes differ by a few with their addresses";
}

TEST_F(Plans, DonatedArgumentsAreUpdatedInPlace) {
  const Compiled step =
      compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] - in[1] * 0.1}; }, {.donate = {0}});
  std::vector<Tensor> w{input({1024}), input({1024})};
  const auto* buffer = &w[0].node()->storage()->buffer();
  std::vector<Tensor> result(1);
  step.run(w, result);
  EXPECT_EQ(&result[0].node()->storage()->buffer(), buffer);
  EXPECT_THROW(static_cast<void>(w[0].to_vector<float>()), Error) << "a donated tensor has no value";
  EXPECT_THROW(step.run(w, result), Error);
}

// A weight that the forward and the backward pass read before the update writes it.
TEST_F(Plans, DonatedArgumentsMayBeReadByEarlierKernels) {
  const auto sgd = [](const std::vector<Tensor>& in) {
    const Tensor h = tanh(matmul(in[1], in[0]));
    const Tensor g = matmul(in[1].T(), h * (1.0 - h * h));
    return std::vector<Tensor>{in[0] - g * 0.1, sum(h)};
  };
  const std::size_t bytes = std::size_t{512} * 512 * 4;
  std::array<std::uint64_t, 2> peak{};
  for (const bool donate : {false, true}) {
    const Compiled step = compile(sgd, {.donate = donate ? std::vector<int>{0} : std::vector<int>{}});
    std::vector<Tensor> arguments{input({512, 512}), input({64, 512})};
    std::vector<Tensor> results(2);
    step.run(arguments, results);
    device_.impl()->pool().reset_peak();
    for (int i = 0; i < 3; ++i) {
      const auto* buffer = &results[0].node()->storage()->buffer();
      arguments[0] = std::move(results[0]);
      step.run(arguments, results);
      EXPECT_EQ(&results[0].node()->storage()->buffer() == buffer, donate);
      EXPECT_EQ(arguments[0].is_evaluated(), !donate);
    }
    peak[donate ? 1 : 0] = device_.memory_stats().peak;
  }
  EXPECT_GE(peak[0], peak[1] + bytes) << "the update writes into the weight's memory";
}

TEST_F(Plans, ResultsOfAnyKernelReuseDonatedMemoryAfterItsLastRead) {
  // The second kernel does not read x, and the matmul could not write in place.
  const Compiled f = compile(
      [](const std::vector<Tensor>& in) { return std::vector<Tensor>{matmul(softmax(matmul(in[0], in[1])), in[1])}; },
      {.donate = {0}});
  const std::vector<Tensor> arguments{input({64, 64}), input({64, 64})};
  const auto* buffer = &arguments[0].node()->storage()->buffer();
  std::vector<Tensor> result(1);
  f.run(arguments, result);
  EXPECT_EQ(&result[0].node()->storage()->buffer(), buffer);
}

TEST_F(Plans, ADonatedArgumentNeverHasAValueAfterTheCall) {
  const Compiled f = compile(
      [](const std::vector<Tensor>& in) {
        return std::vector<Tensor>{sum(in[0]), in[1]};  // no result takes the memory of 0; 1 is returned; 2 is not used
      },
      {.donate = {2, 0, 1, 0}});
  const std::vector<Tensor> arguments{input({64}), input({8}), input({16})};
  const auto* returned = &arguments[1].node()->storage()->buffer();
  std::vector<Tensor> results(2);
  f.run(arguments, results);
  for (const Tensor& a : arguments) EXPECT_THROW(static_cast<void>(a.to_vector<float>()), Error);
  EXPECT_EQ(&results[1].node()->storage()->buffer(), returned);
}

TEST_F(Plans, SharedDonatedArgumentsAreCopied) {
  const Compiled step =
      compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] + in[1], in[1] * 2.0}; },
              {.donate = {0, 1}});
  std::vector<Tensor> results(2);
  {
    const Tensor tied = input({64});
    const std::vector<Tensor> twice{tied, tied};
    step.run(twice, results);
    EXPECT_NE(results[0].node()->storage(), results[1].node()->storage());
    EXPECT_THROW(static_cast<void>(tied.to_vector<float>()), Error);
  }
  {
    const Tensor x = input({64});
    const Tensor view = x.reshape({8, 8}).eval();
    const auto* buffer = &view.node()->storage()->buffer();
    const std::vector<Tensor> shared{x, input({64})};
    step.run(shared, results);
    EXPECT_EQ(&view.node()->storage()->buffer(), buffer);
    EXPECT_NE(&results[0].node()->storage()->buffer(), buffer);
    EXPECT_FALSE(x.is_evaluated());
    EXPECT_NO_THROW(static_cast<void>(view.to_vector<float>()));
  }
}

TEST_F(Plans, CapturingATensorThatAnotherCallDonatesIsAnError) {
  const Tensor w = input({64});
  const Compiled f = compile([&](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] * w}; });
  const Compiled step =
      compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] * 2.0}; }, {.donate = {0}});
  static_cast<void>(f({input({64})}));
  static_cast<void>(step({w}));
  try {
    static_cast<void>(f({input({64})}));
    FAIL() << "a stale weight was used";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("captured a tensor of type f32 and shape [64] that was donated"),
              std::string::npos)
        << e.what();
  }
}

TEST_F(Plans, CompiledFunctionsRetraceForOtherShapes) {
  const Compiled f = compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] * 2.0}; });
  EXPECT_EQ(f({input({4})})[0].shape(), (Shape{4}));
  EXPECT_EQ(f({input({5, 2})})[0].shape(), (Shape{5, 2}));
  EXPECT_EQ(f({input({4})})[0].shape(), (Shape{4}));
  EXPECT_EQ(f.traces(), 2U);
}

TEST_F(Plans, TracesAreBounded) {
  int traced = 0;
  const Compiled f = compile(
      [&](const std::vector<Tensor>& in) {
        ++traced;
        return std::vector<Tensor>{in[0] * 2.0};
      },
      {.max_traces = 2});
  const auto call = [&](std::int64_t n) { return f({input({n})})[0].shape(); };
  for (const std::int64_t n : {4, 5, 4, 6, 4}) EXPECT_EQ(call(n), (Shape{n}));
  EXPECT_EQ(traced, 3) << "the trace for 4 was used more recently than that for 5";
  EXPECT_EQ(f.traces(), 2U);
  EXPECT_EQ(call(5), (Shape{5}));
  EXPECT_EQ(traced, 4);
  EXPECT_THROW(compile([](const std::vector<Tensor>& in) { return in; }, {.max_traces = 0}), Error);
}

TEST_F(Plans, TheProfilerReportsPassesOfPlanning) {
  Profiler profiler(device_);
  eval(softmax(matmul(input({64, 32}), input({32, 48}))));
  const PlanningRecord first = profiler.planning();
  EXPECT_GT(first.nodes, 5U);
  for (const char* pass : {"snapshot", "simplify", "key", "inline", "fuse", "order", "emit", "compile", "bind"})
    EXPECT_EQ(std::ranges::count(first.passes, pass, &PlanningRecord::Pass::name), 1) << pass;
  const Compiled f = compile([](const std::vector<Tensor>& in) { return std::vector<Tensor>{in[0] + 1.0}; });
  static_cast<void>(f({input({4})}));
  const std::uint64_t traced = profiler.planning().nodes;
  EXPECT_GT(traced, first.nodes);
  static_cast<void>(f({input({4})}));
  EXPECT_EQ(profiler.planning().nodes, traced) << "replays plan nothing";
}

TEST_F(Plans, HistoryDoesNotPileUp) {
  Tensor x = input({64});
  std::weak_ptr<const Node> first = x.node();
  for (int i = 0; i < 10; ++i) {
    x = x + 1.0;
    x.eval();
  }
  EXPECT_TRUE(first.expired());
}

}  // namespace tessera::test
