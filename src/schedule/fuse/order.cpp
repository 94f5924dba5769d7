// The order of kernels: depth first over producers, with those that free memory brought forward.
#include "schedule/fuse/order.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "base/pass_timer.h"

namespace tessera::schedule {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

class Orderer {
 public:
  Orderer(const Graph& graph, const std::vector<Stage>& stages)
      : graph_(graph),
        stages_(stages),
        sources_(stages.size()),
        writer_(graph.entries.size(), -1),
        root_(graph.entries.size(), 0),
        unplaced_(graph.entries.size()),
        freeing_(graph.entries.size()),
        entered_(stages.size(), 0),
        placed_(stages.size(), 0),
        frees_(stages.size(), 0) {
    for (const int r : graph.roots) root_[u(r)] = 1;
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
      for (const int n : stages[u(i)].writes) writer_[u(n)] = i;
      std::vector<int>& sources = sources_[u(i)];
      sources = stages[u(i)].reads;
      std::ranges::sort(sources);
      sources.erase(std::ranges::unique(sources).begin(), sources.end());
      for (const int s : sources) unplaced_[u(s)].add(i);
    }
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
      for (const int s : sources_[u(i)]) note_last_reader(s);
    }
  }

  std::vector<int> run() {
    for (int i = 0; i < static_cast<int>(stages_.size()); ++i) {
      if (entered_[u(i)] == 0) place_with_producers(i);
    }
    return std::move(order_);
  }

 private:
  /// Readers of a node that are not placed yet: how many, and, of the last one, which.
  struct Unplaced {
    int count = 0;
    std::int64_t sum = 0;
    void add(int stage) { ++count, sum += stage; }
    void remove(int stage) { --count, sum -= stage; }
  };

  void place_with_producers(int stage) {
    std::vector<std::pair<int, std::size_t>> stack{{stage, 0}};
    entered_[u(stage)] = 1;
    while (!stack.empty()) {
      auto& [top, next] = stack.back();
      if (next < stages_[u(top)].reads.size()) {
        const int p = writer_[u(stages_[u(top)].reads[next++])];
        if (entered_[u(p)] == 0) {
          entered_[u(p)] = 1;
          stack.emplace_back(p, 0);
        }
        continue;
      }
      const int last = top;
      stack.pop_back();
      place(last);
      // Whoever gives back more memory than it takes goes next: gradients of weights let go of activations.
      for (std::vector<int> fresh{last}; !fresh.empty();) {
        const int soon = relief(fresh.back());
        if (soon < 0) {
          fresh.pop_back();
          continue;
        }
        entered_[u(soon)] = 1;
        place(soon);
        fresh.push_back(soon);
      }
    }
  }

  void place(int stage) {
    order_.push_back(stage);
    placed_[u(stage)] = 1;
    for (const int s : sources_[u(stage)]) {
      unplaced_[u(s)].remove(stage);
      freeing_[u(s)].erase(stage);
      note_last_reader(s);
    }
  }

  /// A stage that is the last to read something may free memory; others cannot, and are not looked at.
  void note_last_reader(int node) {
    if (unplaced_[u(node)].count != 1 || root_[u(node)] != 0) return;
    const int stage = static_cast<int>(unplaced_[u(node)].sum);
    if (std::exchange(frees_[u(stage)], 1) != 0) return;
    for (const int s : sources_[u(stage)]) freeing_[u(s)].insert(stage);
  }

  /// A stage that can run now that `stage` has, is not waiting its turn, and frees more than it takes; -1: none.
  [[nodiscard]] int relief(int stage) const {
    std::vector<int> near = sources_[u(stage)];
    near.insert(near.end(), stages_[u(stage)].writes.begin(), stages_[u(stage)].writes.end());
    std::ranges::sort(near);
    for (const int n : near) {
      for (const int c : freeing_[u(n)]) {
        if (entered_[u(c)] == 0 && is_ready(c) && net_bytes(c) < 0) return c;
      }
    }
    return -1;
  }

  [[nodiscard]] bool is_ready(int stage) const {
    return std::ranges::all_of(sources_[u(stage)], [&](int s) { return placed_[u(writer_[u(s)])] != 0; });
  }

  /// What a stage takes for its results, less what nobody needs after it.
  [[nodiscard]] std::int64_t net_bytes(int stage) const {
    std::int64_t net = 0;
    for (const int n : stages_[u(stage)].writes) net += bytes(n);
    for (const int s : sources_[u(stage)]) {
      if (unplaced_[u(s)].count == 1 && root_[u(s)] == 0) net -= bytes(s);
    }
    return net;
  }

  [[nodiscard]] std::int64_t bytes(int n) const {
    return graph_.node(n).numel() * static_cast<std::int64_t>(size_of(graph_.node(n).dtype()));
  }

  const Graph& graph_;
  const std::vector<Stage>& stages_;
  std::vector<std::vector<int>> sources_;  // of a stage: what it reads, ascending, each once
  std::vector<int> writer_;                // of a node: its stage
  std::vector<char> root_;
  std::vector<Unplaced> unplaced_;      // of a node
  std::vector<std::set<int>> freeing_;  // of a node: readers that may free memory and are not placed
  std::vector<char> entered_;           // of a stage: placed, or waiting for its producers
  std::vector<char> placed_;
  std::vector<char> frees_;  // of a stage: it is the last to read something
  std::vector<int> order_;
};

}  // namespace

std::vector<int> order_stages(const Graph& graph, const std::vector<Stage>& stages) {
  const PassTimer timer("order");
  return Orderer(graph, stages).run();
}

}  // namespace tessera::schedule
