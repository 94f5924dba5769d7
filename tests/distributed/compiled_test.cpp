// Collectives as steps of compiled functions: replays with donated state, their order, and those that nothing reads.
#include <array>
#include <cmath>
#include <tuple>

#include "distributed/support.h"

namespace tessera::test {

namespace {

using dist::Reduce;

constexpr int kBatch = 24;
constexpr int kSteps = 20;

struct Problem {
  Tree params;
  Tensor x;  // of all ranks
  Tensor y;
};

std::vector<float> waves(std::int64_t count, float by) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(std::sin(static_cast<float>(i) * by));
  return all;
}

Problem small_problem() {
  Problem p;
  p.params = Tree{{"w1", Tensor(waves(6 * 16, 0.7F), {6, 16}) * 0.4},
                  {"b1", zeros({16})},
                  {"w2", Tensor(waves(16 * 2, 1.3F), {16, 2}) * 0.3},
                  {"b2", zeros({2})}};
  p.x = Tensor(waves(kBatch * 6, 0.37F), {kBatch, 6});
  p.y = Tensor(waves(kBatch * 2, 0.11F), {kBatch, 2});
  return p;
}

Tensor mlp_loss(const Tree& p, const Tensor& x, const Tensor& y) {
  return ((x.matmul(p["w1"]) + p["b1"]).tanh().matmul(p["w2"]) + p["b2"]).mse_loss(y);
}

/// The losses of an SGD training on the rows of this rank, and the last weights; gradients are the mean over the ranks.
std::pair<std::vector<float>, std::vector<float>> train_mlp(bool all_ranks, bool compiled) {
  const Problem problem = small_problem();
  const std::int64_t rows = all_ranks ? kBatch / dist::size() : kBatch;
  const std::int64_t first = all_ranks ? rows * dist::rank() : 0;
  const Tensor x = problem.x[{Slice{first, first + rows}}];
  const Tensor y = problem.y[{Slice{first, first + rows}}];
  const auto over_ranks = [&](const Tensor& t) { return all_ranks ? dist::all_reduce(t, Reduce::kMean) : t; };
  const auto sgd = [&](const Tree& p, const Tensor& in, const Tensor& out) {
    const auto [loss, gradients] = value_and_grad(mlp_loss, argnums<0>)(p, in, out);
    return std::pair(over_ranks(loss), Tree::zip(p, gradients, [&](const Tensor& w, const Tensor& g) {
                       return w - 0.2 * over_ranks(g);
                     }));
  };
  const auto step = compile(sgd, {.donate = {0}});
  Tree params = problem.params;
  std::vector<float> losses;
  for (int i = 0; i < kSteps; ++i) {
    Tensor loss;
    if (compiled) {
      std::tie(loss, params) = step(params, x, y);
    } else {
      std::tie(loss, params) = sgd(params, x, y);
    }
    losses.push_back(static_cast<float>(loss.item()));
  }
  if (compiled) {
    EXPECT_EQ(step.traces(), 1U);
  }
  return {losses, params["w1"].to_vector<float>()};
}

TEST(CompiledCollectives, DataParallelTrainingHasTheLossesOfOneProcess) {
  const auto alone = train_mlp(false, true);
  const auto together = train_mlp(true, true);
  const auto eager = train_mlp(true, false);
  EXPECT_LT(alone.first.back(), alone.first.front());
  for (std::size_t i = 0; i < alone.first.size(); ++i) {
    EXPECT_NEAR(together.first[i], alone.first[i], 2e-6F * alone.first[i] + 1e-7F) << i;
    EXPECT_NEAR(eager.first[i], alone.first[i], 2e-6F * alone.first[i] + 1e-7F) << i;
  }
  for (std::size_t i = 0; i < alone.second.size(); ++i) EXPECT_NEAR(together.second[i], alone.second[i], 1e-5F) << i;
  // Bit for bit, on all ranks and in each run.
  EXPECT_EQ(train_mlp(true, true), together);
  expect_equal_on_all_ranks(Tensor(together.second));
  expect_equal_on_all_ranks(Tensor(together.first));
}

// Parameters and moments are in arenas, and donated.
TEST(CompiledCollectives, AStepOfAModelAndAnOptimizer) {
  const Problem problem = small_problem();
  const auto train = [&](bool all_ranks) {
    const std::int64_t rows = all_ranks ? kBatch / dist::size() : kBatch;
    const std::int64_t first = all_ranks ? rows * dist::rank() : 0;
    random::set_seed(7);
    nn::Sequential model(nn::Linear(6, 16), nn::Tanh(), nn::Linear(16, 2));
    optim::Adam optimizer(model, {.lr = 0.01});
    const auto over_ranks = [&](const Tensor& t) { return all_ranks ? dist::all_reduce(t, Reduce::kMean) : t; };
    const auto step = compile(
        [&](const Tensor& x, const Tensor& y) {
          const auto [loss, gradients] =
              value_and_grad(model, [&](const Tensor& in, const Tensor& out) { return model(in).mse_loss(out); })(x, y);
          optimizer.update(model, gradients.map(over_ranks));
          return over_ranks(loss);
        },
        model, optimizer);
    std::vector<float> losses;
    for (int i = 0; i < kSteps; ++i) {
      losses.push_back(static_cast<float>(
          step(problem.x[{Slice{first, first + rows}}], problem.y[{Slice{first, first + rows}}]).item()));
    }
    return losses;
  };
  const std::vector<float> alone = train(false);
  const std::vector<float> together = train(true);
  EXPECT_LT(alone.back(), alone.front());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(together[i], alone[i], 1e-4F * alone[i]) << i;
  EXPECT_EQ(train(true), together);
}

// Ranks that use the results differently run the same collectives in the same order, since it is that of their
// creation.
TEST(CompiledCollectives, RunInTheOrderOfTheirCreation) {
  const int n = dist::size();
  const bool odd = dist::rank() % 2 == 1;
  const auto f = compile([&](const Tensor& x) {
    const Tensor a = dist::all_reduce(x);
    const Tensor b = dist::all_reduce(x.sum({1}), Reduce::kMax);
    const Tensor again = dist::all_reduce(x);  // not merged with the first
    const Tensor c = dist::all_gather(b * 2.0);
    if (odd) return std::array{c * 1.0, again + 1.0, b + a.sum({1}), a * 1.0};
    return std::array{c * 1.0, a + 1.0, a.sum({1}) + b, again * 1.0};
  });
  const auto g = compile([&](const Tensor& x) {
    const Tensor a = dist::all_reduce(x);
    const Tensor b = dist::all_gather(x);
    return odd ? std::array{b[{Slice{0, 4}}] + 0.0, a + 0.0} : std::array{a + 0.0, b[{Slice{0, 4}}] + 0.0};
  });
  for (int i = 0; i < 20; ++i) {
    const Tensor x = Tensor(elements<float>(dist::rank(), 12), {4, 3}) + static_cast<double>(i);
    const auto [c, sum, mixed, same] = f(x);
    const std::vector<float> got = sum.to_vector<float>();
    for (std::int64_t k = 0; k < 12; ++k) EXPECT_EQ(got[at(k)], reduced(Reduce::kSum, k, n) + n * i + 1);
    EXPECT_EQ(same.to_vector<float>(), (sum - 1.0).to_vector<float>());
    expect_equal_on_all_ranks(mixed);
    EXPECT_EQ(c.numel(), 4 * n);
    const auto [first, second] = g(x);
    EXPECT_EQ((odd ? second : first).to_vector<float>(), same.to_vector<float>());
  }
}

TEST(CompiledCollectives, RunWhetherOrNotTheirResultsAreUsed) {
  const int n = dist::size();
  const bool last = dist::rank() == n - 1;
  const auto f = compile([&](const Tensor& x) {
    const Tensor unread = dist::all_reduce(x * 2.0);
    const Tensor read = dist::all_reduce(x);
    if (last) return read + unread;
    return read * 3.0;
  });
  for (int i = 0; i < 20; ++i) {
    const Tensor x = tessera::full({5}, static_cast<double>(dist::rank() + i));
    const float sum = static_cast<float>(n * (n - 1) / 2 + n * i);
    EXPECT_EQ(f(x).to_vector<float>(), std::vector<float>(5, 3 * sum));
  }
}

TEST(CompiledCollectives, SendAndReceive) {
  const int n = dist::size();
  if (n == 1) GTEST_SKIP() << "one rank";
  // A pipeline of two stages with their gradients; other ranks have no part in it.
  if (dist::rank() > 1) return;
  const auto stage = compile([&](const Tensor& w, const Tensor& x) {
    const auto loss = [&](const Tensor& v, const Tensor& in) {
      if (dist::rank() == 0) return dist::send(in * v, 1);
      return (dist::recv(in, 0) * v).sum();
    };
    return value_and_grad(loss)(w, x).second[0];
  });
  const Tensor x(elements<float>(0, 6), {6});
  const Tensor w = tessera::full({6}, dist::rank() == 0 ? 3.0 : 5.0);
  for (int i = 0; i < 20; ++i) {
    const std::vector<float> g = stage(w, x).to_vector<float>();
    for (std::int64_t k = 0; k < 6; ++k)
      EXPECT_EQ(g[at(k)], static_cast<float>(element(0, k) * (dist::rank() == 0 ? 5 : 3)));
  }
}

TEST(CompiledCollectives, BesideLoops) {
  const int n = dist::size();
  const auto f = compile([](const Tensor& x) {
    const Tensor before = dist::all_reduce(x);
    const Tensors after =
        loop(400, [](const Tensor&, const Tensors& c) { return Tensors{(c[0] * 0.5 + 1.0).tanh()}; }, {before});
    return dist::all_reduce(after[0], Reduce::kMax) + before;
  });
  const Tensor x = tessera::full({3}, 0.25);
  const std::vector<float> first = f(x).to_vector<float>();
  EXPECT_NEAR(first[0], 0.25F * static_cast<float>(n) + 0.90F, 0.1F);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(f(x).to_vector<float>(), first);
}

TEST(CompiledCollectives, InsideOfALoop) {
  const int n = dist::size();
  const auto body = [](const Tensor&, const Tensors& c) { return Tensors{dist::all_reduce(c[0]) * 0.5}; };
  const auto f = compile([&](const Tensor& x) { return loop(3, body, {x})[0]; });  // unrolled
  const float by = static_cast<float>(n) * 0.5F;
  EXPECT_EQ(f(ones({2})).to_vector<float>(), std::vector<float>(2, by * by * by));
  if (n > 1) {
    EXPECT_EQ(error_of([&] { loop(3, body, {ones({2})}); }).kind(), ErrorKind::kUnsupported);
    EXPECT_EQ(error_of([&] {
                compile([](const Tensor& x) {
                  dist::barrier();
                  return x;
                })(ones({2}));
              }).kind(),
              ErrorKind::kUnsupported);
  }
}

TEST(CompiledCollectives, SizesThatVaryAreTracedOneByOne) {
  const int n = dist::size();
  const auto f =
      compile([](const Tensor& x) { return dist::all_reduce(x * 2.0) + 1.0; }, {.dynamic_axes = {{0, 0, "length"}}});
  for (const std::int64_t length : {3, 8, 3, 5, 1}) {
    EXPECT_EQ(f(ones({length})).to_vector<float>(), std::vector<float>(at(length), static_cast<float>(2 * n + 1)));
  }
}

}  // namespace

}  // namespace tessera::test
