// A minimum cut over the expressions of a group, between what cannot be computed again and what other groups read.
#include "schedule/fuse/recompute.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/pass_timer.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/fuse/inline.h"

namespace tessera::schedule {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;
// What an element costs, in bytes of traffic: memory that is taken until it is read counts as well.
constexpr std::int64_t kKeep = 5;      // written, kept and read
constexpr std::int64_t kKeepOn = 2;    // in memory already: kept longer, and read
constexpr std::int64_t kReadOnly = 1;  // an input of the graph, or what all readers read anyway

/// Vertices with capacities, and the cut of them that is nearest to the sinks.
class VertexCut {
 public:
  int add(std::int64_t capacity) {
    const int v = size();
    edges_.resize(edges_.size() + 2);
    connect(in(v), out(v), capacity);
    return v;
  }
  void edge(int from, int to) { connect(out(from), in(to), kNever); }
  void source(int v) { sources_.push_back(v); }
  void sink(int v) { sinks_.push_back(v); }

  /// Of each vertex: whether sinks are reached from it without passing the cut; it is then on their side. Nothing if
  /// every cut is infinite.
  std::vector<char> sink_side() {
    const int s = static_cast<int>(edges_.size());
    edges_.resize(edges_.size() + 2);
    for (const int v : sources_) connect(s, in(v), kNever);
    for (const int v : sinks_) connect(out(v), s + 1, kNever);
    for (std::int64_t flow = 0; augment(s, s + 1);) {
      flow += pushed_;
      if (flow >= kNever) return {};
    }
    // Backwards from the sinks over what has capacity left.
    std::vector<char> reached(edges_.size(), 0);
    std::vector<int> stack{s + 1};
    reached[as_index(s + 1)] = 1;
    while (!stack.empty()) {
      const int x = stack.back();
      stack.pop_back();
      for (const Edge& e : edges_[as_index(x)]) {
        if (edges_[as_index(e.to)][e.back].left == 0 || reached[as_index(e.to)] != 0) continue;
        reached[as_index(e.to)] = 1;
        stack.push_back(e.to);
      }
    }
    std::vector<char> side(as_index(s / 2));
    for (int v = 0; v < s / 2; ++v) side[as_index(v)] = reached[as_index(in(v))];
    return side;
  }

 private:
  struct Edge {
    int to;
    std::size_t back;  // the position of the opposite edge
    std::int64_t left;
  };

  [[nodiscard]] int size() const { return static_cast<int>(edges_.size()) / 2; }
  static int in(int v) { return 2 * v; }
  static int out(int v) { return 2 * v + 1; }

  void connect(int from, int to, std::int64_t capacity) {
    std::vector<Edge>& a = edges_[as_index(from)];
    std::vector<Edge>& b = edges_[as_index(to)];
    a.push_back({to, b.size(), capacity});
    b.push_back({from, a.size() - 1, 0});
  }

  /// One more path, the shortest.
  bool augment(int s, int t) {
    std::vector<std::pair<int, std::size_t>> from(edges_.size(), {-1, 0});
    std::vector<int> queue{s};
    for (std::size_t i = 0; i < queue.size() && from[as_index(t)].first < 0; ++i) {
      const std::vector<Edge>& list = edges_[as_index(queue[i])];
      for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k].left == 0 || list[k].to == s || from[as_index(list[k].to)].first >= 0) continue;
        from[as_index(list[k].to)] = {queue[i], k};
        queue.push_back(list[k].to);
      }
    }
    if (from[as_index(t)].first < 0) return false;
    const auto along = [&](auto visit) {
      for (int x = t; x != s; x = from[as_index(x)].first)
        visit(edges_[as_index(from[as_index(x)].first)][from[as_index(x)].second]);
    };
    pushed_ = kNever;
    along([&](const Edge& e) { pushed_ = std::min(pushed_, e.left); });
    along([&](Edge& e) {
      e.left -= pushed_;
      edges_[as_index(e.to)][e.back].left += pushed_;
    });
    return true;
  }

  std::vector<std::vector<Edge>> edges_;
  std::vector<int> sources_, sinks_;
  std::int64_t pushed_ = 0;
};

class Recomputation {
 public:
  Recomputation(Fusion& fusion, int group) : fusion_(fusion), groups_(fusion.groups), group_(group) {}

  void run() {
    find_wanted();
    if (wanted_.empty()) return;
    for (const int n : wanted_) {
      vertex(n);
      cut_.sink(vertices_.at(n));
    }
    const std::vector<char> side = cut_.sink_side();
    if (side.empty()) return;
    std::vector<int> again;
    int cost = 0;
    for (const auto& [n, v] : vertices_) {
      if (side[as_index(v)] == 0) continue;
      if (in_group(n)) again.push_back(n);
      cost += ops::cost(fusion_.graph[n].op());
    }
    if (again.empty() || cost > fusion_.model.recompute_cost || !has_room(again.size())) return;
    groups_.recompute(again, fusion_.max_buffers);
  }

 private:
  [[nodiscard]] bool in_group(int n) const { return groups_.computed(n) && groups_.of(n) == group_; }

  /// Whether node n of the group has to be in memory, whatever its readers could compute: as a root, for a matmul, or
  /// since some read is not at its own index.
  [[nodiscard]] bool must_be_stored(int n) const {
    if (groups_.is_root(n)) return true;
    return std::ranges::any_of(groups_.readers(n), [&](int c) {
      if (groups_.of(c) == group_) return false;
      const Group& reader = groups_[groups_.of(c)];
      if (reader.kind == Kernel::Kind::kCustom || groups_.in_ranges(reader.domain)) return true;
      return std::ranges::any_of(groups_.reads(c),
                                 [&](const Read& r) { return r.source == n && r.access != Access::kIdentity; });
    });
  }

  /// Whether a node can be computed at an index from its inputs at that index.
  [[nodiscard]] bool elementwise(int n) const {
    const Op op = fusion_.graph[n].op();
    return (is_elementwise(op) && op != Op::kCheckIndex) || op == Op::kCopy || op == Op::kRandom;
  }

  /// What others read of the group and could compute themselves.
  void find_wanted() {
    for (const int n : groups_[group_].nodes) {
      if (!elementwise(n) || !groups_.is_stored(n, group_) || must_be_stored(n)) continue;
      wanted_.push_back(n);
      for (const int c : groups_.readers(n)) {
        if (groups_.of(c) != group_) readers_.insert(groups_.of(c));
      }
    }
  }

  [[nodiscard]] bool has_room(std::size_t more) const {
    return std::ranges::all_of(readers_, [&](int r) { return groups_[r].nodes.size() + more <= kMaxGroupNodes; });
  }

  [[nodiscard]] std::int64_t bytes(int n) const {
    const Node& node = fusion_.graph.node(n);
    return node.numel() * static_cast<std::int64_t>(size_of(node.dtype()));
  }

  [[nodiscard]] bool all_read(int n) const {
    return std::ranges::all_of(readers_, [&](int r) {
      return std::ranges::any_of(groups_[r].nodes, [&](int c) {
        return std::ranges::find(groups_.leaf_reads(c), n) != groups_.leaf_reads(c).end() ||
               std::ranges::any_of(groups_.reads(c), [&](const Read& read) { return read.source == n; });
      });
    });
  }

  /// Whether a view spreads what lies under it, or changes nothing: others are not read again through.
  [[nodiscard]] bool spreads(int view) const {
    const Graph::Entry& e = fusion_.graph[view];
    if (e.inputs.size() > 1) return false;
    return e.node->view().identity() || fusion_.graph.node(e.inputs[0]).numel() < e.node->numel();
  }

  /// The vertex of a node, made with all that it is computed from.
  int vertex(int root) {
    std::vector<int> open{root};
    while (!open.empty()) {
      const int n = open.back();
      if (vertices_.contains(n)) {
        open.pop_back();
        continue;
      }
      const std::vector<int> inputs = computed_from(n);
      const auto missing = [&](int i) { return !vertices_.contains(i); };
      if (std::ranges::any_of(inputs, missing)) {
        std::ranges::copy_if(inputs, std::back_inserter(open), missing);
        continue;
      }
      open.pop_back();
      add(n, inputs);
    }
    return vertices_.at(root);
  }

  /// The nodes that a node would be computed from again; none of those that are barriers.
  [[nodiscard]] std::vector<int> computed_from(int n) const {
    const Graph::Entry& e = fusion_.graph[n];
    if (e.op() == Op::kInput || e.op() == Op::kScalar || e.op() == Op::kIota) return {};
    if (groups_.computed(n) && !groups_.recomputed(n)) {
      const bool again = in_group(n) && elementwise(n) && !must_be_stored(n);
      return again ? e.inputs : std::vector<int>{};
    }
    if (e.op() == Op::kView) return spreads(n) ? std::vector<int>{e.inputs[0]} : std::vector<int>{};
    return elementwise(n) ? e.inputs : std::vector<int>{};
  }

  void add(int n, const std::vector<int>& inputs) {
    const Graph::Entry& e = fusion_.graph[n];
    const bool free = e.op() == Op::kScalar || e.op() == Op::kIota || e.op() == Op::kRandom;
    std::int64_t capacity = kNever;  // views and what is inlined are in no memory
    if (e.op() == Op::kInput) {
      capacity = bytes(n) * (all_read(n) ? 0 : kReadOnly);
    } else if (groups_.computed(n) && !groups_.recomputed(n)) {
      const bool stored = !in_group(n) || must_be_stored(n);
      capacity = bytes(n) * (!stored ? kKeep : all_read(n) ? kReadOnly : kKeepOn);
    }
    const int v = cut_.add(capacity);
    vertices_.emplace(n, v);
    for (const int i : inputs) cut_.edge(vertices_.at(i), v);
    if (inputs.empty() && !free) cut_.source(v);
  }

  Fusion& fusion_;
  Groups& groups_;
  int group_;
  std::vector<int> wanted_;
  std::set<int> readers_;  // groups that read them
  VertexCut cut_;
  std::map<int, int> vertices_;  // of nodes
};

}  // namespace

void choose_recomputed(Fusion& fusion) {
  const PassTimer timer("recompute");
  for (int i = 0; i < fusion.groups.size(); ++i) {
    const Group& group = fusion.groups[i];
    if (!group.merged && group.kind != Kernel::Kind::kCustom) Recomputation(fusion, i).run();
  }
}

}  // namespace tessera::schedule
