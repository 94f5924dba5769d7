// Nodes are rebuilt bottom-up by the rewrite rules and looked up by structure; what nobody reads any more is dropped.
#include "schedule/simplify/simplify.h"

#include <algorithm>

#include "base/ints.h"
#include "base/pass_timer.h"
#include "ops/autocast.h"
#include "schedule/ranges.h"
#include "schedule/simplify/channels_last.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// A live result of a custom kernel keeps the others: `i` is the last of them, and all that reads them was seen.
void keep_results(const Graph& graph, int i, std::vector<char>& live) {
  const CustomResult& last = graph[i].node->custom();
  const auto count = static_cast<std::ptrdiff_t>(last.call->outputs.size());
  if (last.output + 1 != count) return;
  const auto first = live.begin() + i + 1 - count;
  const char any = *std::max_element(first, first + count);
  std::fill(first, first + count, any);
}

Graph without_dead_nodes(Graph graph) {
  std::vector<char> live(graph.entries.size(), 0);
  for (const int root : graph.roots) live[as_index(root)] = 1;
  for (int i = graph.size() - 1; i >= 0; --i) {
    if (graph[i].op() == Op::kCustom) keep_results(graph, i, live);
    if (live[as_index(i)] == 0) continue;
    for (const int in : graph[i].inputs) live[as_index(in)] = 1;
  }
  Graph result;
  std::vector<int> at(graph.entries.size(), -1);
  for (int i = 0; i < graph.size(); ++i) {
    if (live[as_index(i)] == 0) continue;
    at[as_index(i)] = result.size();
    result.entries.push_back(std::move(graph.entries[as_index(i)]));
    for (int& in : result.entries.back().inputs) in = at[as_index(in)];
  }
  for (const int root : graph.roots) result.roots.push_back(at[as_index(root)]);
  return result;
}

class Simplifier {
 public:
  Simplifier(const Graph& from, const DeviceInfo& device, std::int64_t longest_row)
      : from_(from), to_(device, longest_row) {}

  Graph run() {
    // Only what the roots reach is in a snapshot, so nothing here is dead until a rewrite drops it.
    note_roots();
    std::vector<int> at(from_.entries.size());
    const std::vector<std::int64_t> read = elements_read();
    const std::vector<char> last =
        to_.gpu() && to_.longest_row() == kAnyRow ? stored_channels_last(from_) : std::vector<char>{};
    for (int i = 0; i < from_.size(); ++i) {
      to_.set_channels_last(!last.empty() && last[as_index(i)] != 0);
      at[as_index(i)] = rebuild(from_[i], at);
      if (read[as_index(i)] >= from_.node(i).numel()) to_.note_whole(at[as_index(i)]);
    }
    std::vector<int> roots;
    for (const int root : from_.roots) {
      int r = at[as_index(root)];
      while (out()[r].op() == Op::kView && out()[r].node->view().identity()) r = out()[r].inputs[0];
      // A result has memory of its own.
      if (is_range(out()[r])) r = to_.make(Op::kCopy, out().node(r).dtype(), out().node(r).shape(), {r});
      roots.push_back(r);
    }
    Graph all = to_.take();
    all.roots = std::move(roots);
    return without_dead_nodes(std::move(all));
  }

 private:
  [[nodiscard]] const Graph& out() const { return to_.graph(); }

  /// Calls whose results are roots, under marks and reshapes.
  void note_roots() {
    for (int r : from_.roots) {
      while (from_[r].op() == Op::kMark || (from_[r].op() == Op::kView && from_[r].node->view().identity()))
        r = from_[r].inputs[0];
      if (from_[r].op() == Op::kCall) to_.note_root(*from_[r].node->call().call);
    }
  }

  /// How many elements of each node are read, by views and others.
  [[nodiscard]] std::vector<std::int64_t> elements_read() const {
    std::vector<std::int64_t> read(from_.entries.size(), 0);
    for (int i = from_.size() - 1; i >= 0; --i) {
      const Graph::Entry& e = from_[i];
      for (const int in : e.inputs) {
        std::int64_t& n = read[as_index(in)];
        const std::int64_t numel = from_.node(in).numel();
        const std::int64_t more = e.op() == Op::kMark   ? read[as_index(i)]
                                  : e.op() == Op::kView ? e.node->numel()
                                                        : numel;
        n = std::min(numel, n + more);
      }
    }
    return read;
  }

  int rebuild(const Graph::Entry& e, const std::vector<int>& at) {
    if (e.op() == Op::kInput) return to_.add({e.node, {}, e.storage});
    Graph::Entry moved{e.node, {}, nullptr};
    moved.inputs.reserve(e.inputs.size());
    for (const int in : e.inputs) moved.inputs.push_back(at[as_index(in)]);
    return apply_rules(to_, moved);
  }

  const Graph& from_;
  Rewriter to_;
};

}  // namespace

Graph simplify(const Graph& graph, const DeviceInfo& device, std::int64_t longest_row) {
  const PassTimer timer("simplify");
  const ops::AutocastScope as_given(std::nullopt);
  return Simplifier(graph, device, longest_row).run();
}

}  // namespace tessera::schedule
