// The order of kernels: depth first over producers, with those that free memory brought forward.
#include "schedule/fuse/order.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "base/ints.h"
#include "base/pass_timer.h"

namespace tessera::schedule {

namespace {

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
    for (const int r : graph.roots) root_[as_index(r)] = 1;
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
      for (const int n : stages[as_index(i)].writes) writer_[as_index(n)] = i;
      std::vector<int>& sources = sources_[as_index(i)];
      sources = stages[as_index(i)].reads;
      std::ranges::sort(sources);
      sources.erase(std::ranges::unique(sources).begin(), sources.end());
      for (const int s : sources) unplaced_[as_index(s)].add(i);
    }
    for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
      for (const int s : sources_[as_index(i)]) note_last_reader(s);
    }
  }

  std::vector<int> run() {
    place_small();
    for (int i = 0; i < static_cast<int>(stages_.size()); ++i) {
      if (entered_[as_index(i)] == 0) place_with_producers(i);
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

  /// Small results of inputs alone come first: a schedule's rate, a correction of moments. Updates that wait for them
  /// would keep gradients in memory.
  void place_small() {
    constexpr std::int64_t kSmall = 4096;  // bytes
    for (int i = 0; i < static_cast<int>(stages_.size()); ++i) {
      std::int64_t written = 0;
      for (const int n : stages_[as_index(i)].writes) written += bytes(n);
      if (written > kSmall || !is_ready(i)) continue;
      entered_[as_index(i)] = 1;
      place(i);
    }
  }

  void place_with_producers(int stage) {
    std::vector<std::pair<int, std::size_t>> stack{{stage, 0}};
    entered_[as_index(stage)] = 1;
    while (!stack.empty()) {
      auto& [top, next] = stack.back();
      const Stage& s = stages_[as_index(top)];
      if (next < s.reads.size() + s.after.size()) {
        const int p = next < s.reads.size() ? writer_[as_index(s.reads[next])] : s.after[next - s.reads.size()];
        ++next;
        if (entered_[as_index(p)] == 0) {
          entered_[as_index(p)] = 1;
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
        entered_[as_index(soon)] = 1;
        place(soon);
        fresh.push_back(soon);
      }
    }
  }

  void place(int stage) {
    order_.push_back(stage);
    placed_[as_index(stage)] = 1;
    for (const int s : sources_[as_index(stage)]) {
      unplaced_[as_index(s)].remove(stage);
      freeing_[as_index(s)].erase(stage);
      note_last_reader(s);
    }
  }

  /// A stage that is the last to read something may free memory; others cannot, and are not looked at.
  void note_last_reader(int node) {
    if (unplaced_[as_index(node)].count != 1 || root_[as_index(node)] != 0) return;
    const int stage = static_cast<int>(unplaced_[as_index(node)].sum);
    if (std::exchange(frees_[as_index(stage)], 1) != 0) return;
    for (const int s : sources_[as_index(stage)]) freeing_[as_index(s)].insert(stage);
  }

  /// A stage that can run now that `stage` has, is not waiting its turn, and frees more than it takes; -1: none.
  [[nodiscard]] int relief(int stage) const {
    std::vector<int> near = sources_[as_index(stage)];
    near.insert(near.end(), stages_[as_index(stage)].writes.begin(), stages_[as_index(stage)].writes.end());
    std::ranges::sort(near);
    for (const int n : near) {
      for (const int c : freeing_[as_index(n)]) {
        if (entered_[as_index(c)] == 0 && is_ready(c) && frees_memory(c)) return c;
      }
    }
    return -1;
  }

  /// Whether a stage frees more than it takes, by itself or together with the next few stages that only wait for it:
  /// the parts of a split sum may be larger than what was summed, and are freed at once.
  [[nodiscard]] bool frees_memory(int stage) const {
    constexpr int kChain = 4;
    std::int64_t net = 0;
    for (int length = 0; length < kChain && stage >= 0; ++length) {
      net += net_bytes(stage);
      if (net < 0) return true;
      stage = next_in_chain(stage);
    }
    return false;
  }

  /// The only reader of a stage's only result, if it waits for nothing else; -1: there is none.
  [[nodiscard]] int next_in_chain(int stage) const {
    const std::vector<int>& writes = stages_[as_index(stage)].writes;
    if (writes.size() != 1 || root_[as_index(writes[0])] != 0 || unplaced_[as_index(writes[0])].count != 1) return -1;
    const int reader = static_cast<int>(unplaced_[as_index(writes[0])].sum);
    return entered_[as_index(reader)] == 0 && is_ready(reader, stage) ? reader : -1;
  }

  /// Whether all that a stage waits for is placed, but for `except`.
  [[nodiscard]] bool is_ready(int stage, int except = -1) const {
    const auto placed = [&](int s) { return placed_[as_index(s)] != 0 || s == except; };
    return std::ranges::all_of(sources_[as_index(stage)], [&](int s) { return placed(writer_[as_index(s)]); }) &&
           std::ranges::all_of(stages_[as_index(stage)].after, placed);
  }

  /// What a stage takes for its results, less what nobody needs after it.
  [[nodiscard]] std::int64_t net_bytes(int stage) const {
    std::int64_t net = 0;
    for (const int n : stages_[as_index(stage)].writes) net += bytes(n);
    for (const int s : sources_[as_index(stage)]) {
      if (unplaced_[as_index(s)].count == 1 && root_[as_index(s)] == 0) net -= bytes(s);
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
