// Trains a Q-network on the cart pole.
#include "train/dqn.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>

#include "terminal.h"
#include "train/files.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kDqnSolved = 475;         // of 500
constexpr std::int64_t kDqnEpisodes = 20;  // of an evaluation
constexpr std::int64_t kDqnFirst = 1000;   // transitions before the first update
constexpr double kDqnExploring = 0.5;      // of the steps until the part of random actions is the last one

void check_dqn(const DqnOptions& o) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("dqn", good, given, expected);
  };
  const std::pair<const char*, std::int64_t> counts[] = {{"steps", o.steps},
                                                         {"carts", o.carts},
                                                         {"updates", o.updates},
                                                         {"batch", o.batch},
                                                         {"hidden", o.hidden},
                                                         {"memory", o.memory},
                                                         {"evaluate-every", o.evaluate_every}};
  for (const auto& [name, value] : counts) expect(value >= 1, fmt::format("{} for {}", value, name), "at least 1");
  expect(o.lr > 0, fmt::format("a rate of {}", o.lr), "more than 0");
  expect(o.discount >= 0 && o.discount <= 1, fmt::format("a discount of {}", o.discount), "from 0 to 1");
  expect(o.target_rate > 0 && o.target_rate <= 1, fmt::format("a target rate of {}", o.target_rate),
         "more than 0 and at most 1");
  expect(o.explore >= 0 && o.explore <= 1, fmt::format("a part of {} random actions", o.explore), "from 0 to 1");
}

Tensor states_of(const std::vector<CartPole>& carts) {
  std::vector<float> flat;
  for (const CartPole& cart : carts) {
    const CartPole::State state = cart.state();
    flat.insert(flat.end(), state.begin(), state.end());
  }
  return Tensor(flat, {static_cast<std::int64_t>(carts.size()), static_cast<std::int64_t>(CartPole::kSize)});
}

/// The best action of each state, compiled.
auto policy_of(nn::Module& network) {
  return compile([&network](const Tensor& states) { return argmax(network(states), 1).astype(i32); }, network);
}

template <class Policy>
std::vector<int> play_by(const Policy& policy, std::int64_t episodes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<CartPole> carts(static_cast<std::size_t>(episodes));
  for (CartPole& cart : carts) cart.reset(random);
  while (!std::ranges::all_of(carts, &CartPole::over)) {
    const std::vector<std::int32_t> actions = policy(states_of(carts)).template to_vector<std::int32_t>();
    for (std::size_t i = 0; i < carts.size(); ++i) {
      if (!carts[i].over()) carts[i].step(actions[i]);
    }
  }
  std::vector<int> returns;
  for (const CartPole& cart : carts) returns.push_back(cart.steps());
  return returns;
}

double mean_return_of(const std::vector<int>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

void ReplayBuffer::add(const Transition& t) {
  if (all_.size() < most_) return all_.push_back(t);
  all_[oldest_] = t;
  oldest_ = (oldest_ + 1) % most_;
}

Tree ReplayBuffer::draw(std::int64_t count, std::mt19937_64& random) const {
  std::vector<float> state;
  std::vector<float> next;
  std::vector<float> fallen;
  std::vector<std::int32_t> action;
  for (std::int64_t i = 0; i < count; ++i) {
    const Transition& t = all_.at(random() % all_.size());
    state.insert(state.end(), t.state.begin(), t.state.end());
    next.insert(next.end(), t.next.begin(), t.next.end());
    action.push_back(t.action);
    fallen.push_back(t.fallen);
  }
  const auto width = static_cast<std::int64_t>(CartPole::kSize);
  return {{"state", Tensor(state, {count, width})},
          {"action", Tensor(action, {count, 1})},
          {"next", Tensor(next, {count, width})},
          {"fallen", Tensor(fallen, {count, 1})}};
}

nn::Sequential q_network(std::int64_t hidden) {
  return nn::Sequential(nn::Linear(static_cast<std::int64_t>(CartPole::kSize), hidden), nn::ReLU(),
                        nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, 2));
}

std::vector<int> play(nn::Module& network, std::int64_t episodes, std::uint64_t seed) {
  return play_by(policy_of(network), episodes, seed);
}

DqnResult fit_dqn(const DqnOptions& o) {
  check_dqn(o);
  random::set_seed(o.seed);
  std::mt19937_64 random(o.seed);
  nn::Sequential online = q_network(o.hidden);
  nn::Sequential target = online;  // a copy with parameters of its own
  optim::Adam optimizer(online, {.lr = optim::linear(o.lr, 0, o.steps / o.carts * o.updates)});
  const auto update = compile(
      [&](const Tree& batch) {
        // Double DQN: the online network chooses the next action, and the target network says what it is worth.
        const Tensor best = argmax(online(batch["next"]), 1, true);
        const Tensor future = take_along_axis(target(batch["next"]), best, 1);
        const Tensor value = stop_gradient(1.0 + o.discount * (1.0 - batch["fallen"]) * future);
        auto [loss, gradients] = value_and_grad(online, [&] {
          return smooth_l1_loss(take_along_axis(online(batch["state"]), batch["action"], 1), value);
        })();
        optimizer.update(online, optim::clip_grad_norm(gradients, 10).gradients);
        target.update(Tree::zip(target.parameters(), online.parameters(),
                                [&](const Tensor& t, const Tensor& x) { return t + o.target_rate * (x - t); }));
        return loss;
      },
      online, target, optimizer);
  const auto policy = policy_of(online);

  fmt::print("{} carts, {} parameters, on {}\n", o.carts, count_text(static_cast<double>(online.parameter_count())),
             Device::current().name());
  const auto start = std::chrono::steady_clock::now();
  ReplayBuffer memory(o.memory);
  std::vector<CartPole> carts(static_cast<std::size_t>(o.carts));
  for (CartPole& cart : carts) cart.reset(random);
  Tensor loss;
  double mean_return = 0;
  std::int64_t steps = 0;
  while (steps < o.steps) {
    const double part = std::min(static_cast<double>(steps) / (kDqnExploring * static_cast<double>(o.steps)), 1.0);
    const double explore = 1 + part * (o.explore - 1);
    const std::vector<std::int32_t> best = policy(states_of(carts)).to_vector<std::int32_t>();
    for (std::size_t i = 0; i < carts.size(); ++i) {
      const bool tries = uniform_of(random) < explore;
      const auto action = tries ? static_cast<std::int32_t>(random() % 2) : best[i];
      Transition t{.state = carts[i].state(), .next = {}, .action = action, .fallen = 0};
      carts[i].step(action);
      t.next = carts[i].state();
      t.fallen = carts[i].fallen() ? 1 : 0;
      memory.add(t);
      if (carts[i].over()) carts[i].reset(random);
    }
    const std::int64_t before = steps;
    steps += o.carts;
    if (memory.size() >= std::min(kDqnFirst, o.memory)) {
      for (std::int64_t i = 0; i < o.updates; ++i) loss = update(memory.draw(o.batch, random));
    }
    if (steps / o.evaluate_every == before / o.evaluate_every && steps < o.steps) continue;
    // The same episodes in every evaluation, which the training does not see.
    mean_return = mean_return_of(play_by(policy, kDqnEpisodes, o.seed + 1));
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    fmt::print("step {}: mean return {:.1f} of {}, loss {:.4f}, {:.0f} % random actions, {}\n", steps, mean_return,
               CartPole::kMostSteps, loss.defined() ? loss.item() : 0.0, 100 * explore, time_text(passed.count()));
    std::fflush(stdout);
    if (mean_return >= kDqnSolved) break;
  }
  return {online, mean_return, steps};
}

int train_dqn(const DqnOptions& o) {
  if (distributed::size() > 1) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("train dqn: {} ranks were started; this job runs as one process.", distributed::size()));
  }
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  DqnResult result = fit_dqn(o);
  if (!o.out.empty()) {
    io::save_safetensors(o.out / "model.safetensors", result.network.state());
    fmt::print("saved: {}\n", (o.out / "model.safetensors").string());
  }
  fmt::print("mean return of 100 other episodes: {:.1f}\n", mean_return_of(play(result.network, 100, o.seed + 2)));
  fmt::print("mean return of {} episodes: {:.1f} of {}, {} after {} steps\n", kDqnEpisodes, result.mean_return,
             CartPole::kMostSteps, result.mean_return >= kDqnSolved ? "solved" : "not solved", result.steps);
  const bool usual = o == DqnOptions{.out = o.out};
  return usual && result.mean_return < kDqnSolved ? 1 : 0;
}

}  // namespace tessera::app
