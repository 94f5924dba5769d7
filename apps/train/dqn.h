// `tessera train dqn`: deep Q-learning balances the cart pole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <vector>

#include "tessera/tessera.h"
#include "train/cart_pole.h"

namespace tessera::app {

struct DqnOptions {
  std::int64_t steps = 60000;  // of all carts, at most; the run ends when the task is solved
  std::int64_t carts = 8;      // that gather experience side by side
  std::int64_t updates = 8;    // of the network behind a step of all carts
  std::int64_t batch = 128, hidden = 256;
  std::int64_t memory = 50000;         // transitions of the replay buffer
  std::int64_t evaluate_every = 2000;  // steps
  double lr = 5e-4, discount = 0.99;
  double target_rate = 0.005;  // how far an update moves the target network to the other one
  double explore = 0.04;       // the last part of random actions
  std::uint64_t seed = 1;
  std::filesystem::path out = {};  // a folder for model.safetensors
  friend bool operator==(const DqnOptions&, const DqnOptions&) = default;
};

/// What a cart did: the replay buffer's entries.
struct Transition {
  CartPole::State state, next;
  std::int32_t action;
  float fallen;  // 1: there is no future; the limit of steps does not count
};

/// The latest transitions, of which batches are drawn.
class ReplayBuffer {
 public:
  explicit ReplayBuffer(std::int64_t most) : most_(static_cast<std::size_t>(most)) {}
  void add(const Transition& t);
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(all_.size()); }
  /// state [N, 4], action [N, 1], next [N, 4], fallen [N, 1].
  [[nodiscard]] Tree draw(std::int64_t count, std::mt19937_64& random) const;

 private:
  std::size_t most_, oldest_ = 0;
  std::vector<Transition> all_;
};

/// States [N, 4] to the values of both actions, [N, 2].
nn::Sequential q_network(std::int64_t hidden);

/// The returns of episodes in which the best action of the network is always taken.
std::vector<int> play(nn::Module& network, std::int64_t episodes, std::uint64_t seed);

struct DqnResult {
  nn::Sequential network;
  double mean_return;  // of the last 20 evaluation episodes
  std::int64_t steps;
};
/// Trains until 20 episodes have a mean return of at least 475, with progress on standard output.
DqnResult fit_dqn(const DqnOptions& options);

/// The exit code: 1 if the default job does not solve the task.
int train_dqn(const DqnOptions& options);

}  // namespace tessera::app
