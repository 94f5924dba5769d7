// Groups of nodes that are to be kernels: who reads whom and how, and whether a merge of two would make a cycle.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ints.h"
#include "schedule/kernel.h"

namespace tessera::schedule {

enum class Access : std::uint8_t { kIdentity, kRowBroadcast, kOther };

struct Read {
  int source;  // a node that some group computes
  Access access;
  int view;  // kRowBroadcast: the view node
};

struct Group {
  Kernel::Kind kind = Kernel::Kind::kMap;
  int domain = -1;
  std::vector<int> nodes;  // ascending
  std::vector<int> parts;  // kGrouped: the groups in it; `domain` is the first one's
  bool merged = false;     // it lives on in another group
  bool puts = false;       // it updates tensors in memory: only a map can
  int table = -1;          // the call whose elements its gathers dequantize on load
  int level = 0;           // higher than that of any group that it reads
};

class Groups {
 public:
  /// No groups yet. `inlined`: see find_inline().
  Groups(const Graph& graph, const std::vector<int>& inlined);

  [[nodiscard]] int size() const { return static_cast<int>(groups_.size()); }
  [[nodiscard]] const Group& operator[](int group) const { return groups_[as_index(group)]; }
  [[nodiscard]] Group& operator[](int group) { return groups_[as_index(group)]; }

  // ---- Nodes ----

  /// Whether a node is computed by a group, as opposed to leaves and to what is computed wherever it is read.
  [[nodiscard]] bool computed(int node) const { return computed_[as_index(node)] != 0; }
  [[nodiscard]] const std::vector<char>& all_computed() const { return computed_; }
  [[nodiscard]] bool is_root(int node) const { return root_[as_index(node)] != 0; }
  /// The group of a node; -1 before it has one.
  [[nodiscard]] int of(int node) const { return group_of_[as_index(node)]; }
  [[nodiscard]] const std::vector<Read>& reads(int node) const { return reads_[as_index(node)]; }
  /// Inputs of the graph that a node reads.
  [[nodiscard]] const std::vector<int>& leaf_reads(int node) const { return leaf_reads_[as_index(node)]; }
  [[nodiscard]] const std::vector<int>& readers(int node) const { return readers_[as_index(node)]; }
  /// Whether a node of `group` has to be in memory: for other groups or for the user.
  [[nodiscard]] bool is_stored(int node, int group) const;
  /// Whether other groups than its own compute a node again instead of reading it from memory.
  [[nodiscard]] bool recomputed(int node) const { return recomputed_[as_index(node)] != 0; }
  [[nodiscard]] const std::vector<char>& all_recomputed() const { return recomputed_; }
  /// Has other groups compute these nodes of one group again, which they read at their own index: from what is not in
  /// the list and so is in memory. False where some group would bind more than `max_buffers`: then nothing changes.
  bool recompute(const std::vector<int>& nodes, std::size_t max_buffers);
  /// Whether it is a copy that runs alone (see InRanges).
  [[nodiscard]] bool in_ranges(int node) const { return graph_.node(node).in_ranges(); }

  // ---- Groups ----

  /// A new group for a node whose sources have theirs.
  int add(Group group);
  /// One node more for the newest group.
  void extend(int node);
  /// Group `a` takes over the nodes of `b`; the nodes of both in order are given.
  void merge(int a, int b, std::vector<int> nodes);
  /// Group `b` becomes a part of `a`, which becomes a kGrouped.
  void merge_as_part(int a, int b, std::vector<int> nodes);
  [[nodiscard]] std::vector<int> nodes_of(int a, int b) const;

  /// Whether one kernel of both groups would have to run before and after another one.
  [[nodiscard]] bool makes_cycle(int a, int b) { return indirect_path(a, b) || indirect_path(b, a); }
  /// Buffers that a kernel of these nodes, which are in groups `a` and `b`, binds: what it reads from others and what
  /// others (or the user) need of it.
  [[nodiscard]] std::size_t buffers(const std::vector<int>& nodes, int a, int b) const;
  /// The same of a group; parts of a kGrouped bind each their own.
  [[nodiscard]] std::size_t buffers(int group) const;

  /// Calls `visit(reader, read)` for every read between two groups, until it returns false.
  template <class F>
  bool cross_reads(int a, int b, F visit) const {
    for (const auto& [group, other] : {std::pair(a, b), std::pair(b, a)}) {
      for (const int n : groups_[as_index(group)].nodes) {
        for (const Read& r : reads(n)) {
          if (of(r.source) == other && !visit(n, r)) return false;
        }
      }
    }
    return true;
  }

 private:
  /// A depth-first search over groups that goes on edge by edge.
  struct Search {
    struct Frame {
      int group;
      std::size_t node = 0, edge = 0;
    };
    std::vector<Frame> stack;
    std::vector<int> visited;  // of a group: the last search that came by
    void start(int group, std::size_t groups);
  };

  [[nodiscard]] bool is_row_broadcast(int view) const;
  void collect(int source, Access access, int view, int reader);
  void collect_args(int node, Access access, int view, int reader);
  void collect_reads(int reader);
  void collect_again(const std::vector<int>& readers);
  void number_tree();
  [[nodiscard]] bool in_tree_of(int source, int node) const;
  [[nodiscard]] bool indirect_path(int from, int to);
  int next_source();
  int next_reader();
  [[nodiscard]] int level_of(int group) const;
  void raise(int group, int taken_level, const std::vector<int>& taken);

  const Graph& graph_;
  std::vector<Group> groups_;
  std::vector<int> group_of_;
  std::vector<char> computed_;
  std::vector<char> root_;
  std::vector<char> recomputed_;
  std::vector<std::vector<Read>> reads_;
  std::vector<std::vector<int>> leaf_reads_;
  std::vector<std::vector<int>> readers_;
  std::vector<int> entered_;  // of a node: its number in the tree of youngest sources
  std::vector<int> below_;    // of a node: how many nodes the tree has from it on
  Search up_, down_;          // of indirect_path(), kept for their memory
  int search_ = 0;            // how many there were
  std::vector<int> tops_;     // nodes of a group whose trees hold all others of it
};

}  // namespace tessera::schedule
