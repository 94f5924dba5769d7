// Reads between groups, and the search for cycles: levels and a spanning tree answer most of it, and what is left is
// looked for from both ends.
#include "schedule/fuse/groups.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "schedule/fuse/inline.h"

namespace tessera::schedule {

namespace {

/// Whether a node computes something of its own, as opposed to leaves and views.
bool computes(Op op) { return !is_leaf(op) && op != Op::kView; }

}  // namespace

// ---- Nodes ----

Groups::Groups(const Graph& graph, const std::vector<int>& inlined)
    : graph_(graph),
      group_of_(graph.entries.size(), -1),
      computed_(graph.entries.size(), 0),
      root_(graph.entries.size(), 0),
      recomputed_(graph.entries.size(), 0),
      reads_(graph.entries.size()),
      leaf_reads_(graph.entries.size()),
      readers_(graph.entries.size()) {
  for (const int r : graph_.roots) root_[as_index(r)] = 1;
  for (int n = 0; n < graph_.size(); ++n) {
    const Op op = graph_[n].op();
    // A root that is a view or a constant is written out by a map of its own.
    const bool own = (computes(op) || op == Op::kRandom) && inlined[as_index(n)] == 0;
    computed_[as_index(n)] = op != Op::kInput && (own || is_root(n)) ? 1 : 0;
  }
  for (int n = 0; n < graph_.size(); ++n) {
    if (computed(n)) collect_reads(n);
  }
  number_tree();
}

void Groups::collect_reads(int n) {
  if (graph_[n].op() == Op::kView) {
    collect(graph_[n].inputs[0], Access::kOther, -1, n);
  } else {
    collect_args(n, Access::kIdentity, -1, n);
  }
  for (const Read& r : reads(n)) readers_[as_index(r.source)].push_back(n);
}

bool Groups::is_row_broadcast(int view) const {
  const ViewLayout layout = graph_.node(view).view().layout();
  return layout.follows_row() || (layout.broadcasts_element() && graph_.node(graph_[view].inputs[0]).numel() == 1);
}

void Groups::collect(int s, Access access, int view, int reader) {
  const Graph::Entry& e = graph_[s];
  if (computed(s) && (!recomputed(s) || of(s) == of(reader))) {
    // An updated tensor is whole only in memory.
    if (e.op() == Op::kPut) access = Access::kOther;
    reads_[as_index(reader)].push_back({s, access, view});
  } else if (e.op() == Op::kInput) {
    leaf_reads_[as_index(reader)].push_back(s);
  } else if (e.op() == Op::kView) {
    for (std::size_t k = 1; k < e.inputs.size(); ++k) {  // only to be waited for
      collect(e.inputs[k], Access::kOther, -1, reader);
    }
    if (e.node->view().identity()) {
      collect(e.inputs[0], access, view, reader);
    } else if (access == Access::kIdentity && is_row_broadcast(s)) {
      collect(e.inputs[0], Access::kRowBroadcast, s, reader);
    } else {
      collect(e.inputs[0], Access::kOther, -1, reader);
    }
  } else {
    collect_args(s, access, view, reader);
  }
}

void Groups::collect_args(int n, Access access, int view, int reader) {
  const Graph::Entry& e = graph_[n];
  for (std::size_t k = 0; k < e.inputs.size(); ++k) {
    const bool other = reads_memory(e.op(), k) || (e.op() == Op::kPad && k == 0);
    collect(e.inputs[k], other ? Access::kOther : access, view, reader);
  }
}

bool Groups::is_stored(int n, int group) const {
  return root_[as_index(n)] != 0 ||
         std::ranges::any_of(readers_[as_index(n)], [&](int c) { return group_of_[as_index(c)] != group; });
}

void Groups::collect_again(const std::vector<int>& readers) {
  for (const int n : readers) {
    for (const Read& r : reads(n)) std::erase(readers_[as_index(r.source)], n);
    reads_[as_index(n)].clear();
    leaf_reads_[as_index(n)].clear();
    collect_reads(n);
  }
}

bool Groups::recompute(const std::vector<int>& nodes, std::size_t max_buffers) {
  std::vector<int> affected;
  for (const int n : nodes) {
    std::ranges::copy_if(readers(n), std::back_inserter(affected), [&](int c) { return of(c) != of(n); });
  }
  std::ranges::sort(affected);
  affected.erase(std::ranges::unique(affected).begin(), affected.end());
  for (const int n : nodes) recomputed_[as_index(n)] = 1;
  collect_again(affected);
  if (std::ranges::all_of(affected, [&](int c) { return buffers(of(c)) <= max_buffers; })) return true;
  for (const int n : nodes) recomputed_[as_index(n)] = 0;
  collect_again(affected);
  return false;
}

// ---- Groups ----

int Groups::add(Group group) {
  const int i = size();
  for (const int n : group.nodes) group_of_[as_index(n)] = i;
  groups_.push_back(std::move(group));
  groups_.back().level = level_of(i);
  return i;
}

void Groups::extend(int node) {
  group_of_[as_index(node)] = size() - 1;
  groups_.back().nodes.push_back(node);
}

std::vector<int> Groups::nodes_of(int a, int b) const {
  std::vector<int> nodes;
  std::ranges::merge(groups_[as_index(a)].nodes, groups_[as_index(b)].nodes, std::back_inserter(nodes));
  return nodes;
}

void Groups::merge(int a, int b, std::vector<int> nodes) {
  for (const int n : groups_[as_index(b)].nodes) group_of_[as_index(n)] = a;
  groups_[as_index(a)].nodes = std::move(nodes);
  groups_[as_index(b)].merged = true;
  raise(a, groups_[as_index(b)].level, std::exchange(groups_[as_index(b)].nodes, {}));
}

void Groups::merge_as_part(int a, int b, std::vector<int> nodes) {
  const auto keep_as_part = [&](int group) {
    Group part = groups_[as_index(group)];
    part.merged = true;
    groups_.push_back(std::move(part));
    groups_[as_index(a)].parts.push_back(size() - 1);
  };
  if (groups_[as_index(a)].parts.empty()) {
    keep_as_part(a);
    groups_[as_index(a)].kind = Kernel::Kind::kGrouped;
  }
  keep_as_part(b);
  groups_[as_index(a)].puts = groups_[as_index(a)].puts || groups_[as_index(b)].puts;
  merge(a, b, std::move(nodes));
}

std::size_t Groups::buffers(const std::vector<int>& nodes, int ia, int ib) const {
  std::set<int> in;
  std::size_t out = 0;
  const auto inside = [&](int n) { return group_of_[as_index(n)] == ia || group_of_[as_index(n)] == ib; };
  for (const int n : nodes) {
    in.insert(leaf_reads_[as_index(n)].begin(), leaf_reads_[as_index(n)].end());
    for (const Read& r : reads_[as_index(n)]) {
      if (!inside(r.source)) in.insert(r.source);
    }
    if (root_[as_index(n)] != 0 || !std::ranges::all_of(readers_[as_index(n)], inside)) ++out;
  }
  return in.size() + std::max<std::size_t>(out, 1);
}

std::size_t Groups::buffers(int i) const {
  const Group& group = groups_[as_index(i)];
  if (group.parts.empty()) return buffers(group.nodes, i, i);
  std::size_t total = 0;
  for (const int p : group.parts) total += buffers(groups_[as_index(p)].nodes, i, i);
  return total;
}

// ---- Cycles ----

/// Numbers the nodes so that those below a node in the tree of youngest sources follow it without a gap.
void Groups::number_tree() {
  const std::size_t size = reads_.size();
  std::vector<int> parent(size, -1);
  below_.assign(size, 1);
  for (int n = graph_.size() - 1; n >= 0; --n) {
    for (const Read& r : reads_[as_index(n)]) parent[as_index(n)] = std::max(parent[as_index(n)], r.source);
    if (parent[as_index(n)] >= 0) below_[as_index(parent[as_index(n)])] += below_[as_index(n)];
  }
  entered_.assign(size, 0);
  std::vector<int> next(size, 0);
  int next_root = 0;
  for (int n = 0; n < graph_.size(); ++n) {
    int& at = parent[as_index(n)] >= 0 ? next[as_index(parent[as_index(n)])] : next_root;
    entered_[as_index(n)] = at;
    at += below_[as_index(n)];
    next[as_index(n)] = entered_[as_index(n)] + 1;
  }
}

/// Whether `node` follows from `source` along youngest sources, or is it. They are most of what a graph depends on: a
/// gradient on all of the forward pass.
bool Groups::in_tree_of(int source, int node) const {
  return entered_[as_index(node)] >= entered_[as_index(source)] &&
         entered_[as_index(node)] < entered_[as_index(source)] + below_[as_index(source)];
}

void Groups::Search::start(int group, std::size_t groups) {
  stack.assign(1, {group});
  visited.resize(groups, 0);
}

/// Whether something that group `from` makes reaches group `to` through at least one other group. Looks from both
/// ends, an edge at a time, so that the side with less to look at decides.
bool Groups::indirect_path(int from, int to) {
  const int lowest = groups_[as_index(from)].level;
  const int highest = groups_[as_index(to)].level;
  if (highest <= lowest) return false;
  tops_.clear();
  for (const int n : groups_[as_index(from)].nodes) {
    if (std::ranges::none_of(tops_, [&](int t) { return in_tree_of(t, n); })) tops_.push_back(n);
  }
  ++search_;
  up_.start(to, groups_.size());
  down_.start(from, groups_.size());
  const auto between = [&](int group) {
    return groups_[as_index(group)].level > lowest && groups_[as_index(group)].level < highest;
  };
  while (true) {
    if (up_.stack.empty() || down_.stack.empty()) return false;
    if (const int s = next_source(); s >= 0) {
      const int group = up_.stack.back().group;
      const int p = group_of_[as_index(s)];
      if (p == from && group != to) return true;
      if (between(p) && up_.visited[as_index(p)] != search_) {
        if (down_.visited[as_index(p)] == search_ ||
            std::ranges::any_of(tops_, [&](int t) { return in_tree_of(t, s); }))
          return true;
        up_.visited[as_index(p)] = search_;
        up_.stack.push_back({p});
      }
    }
    if (const int n = next_reader(); n >= 0) {
      const int group = down_.stack.back().group;
      const int c = group_of_[as_index(n)];
      if (c < 0) continue;
      if (c == to && group != from) return true;
      if (between(c) && down_.visited[as_index(c)] != search_) {
        if (up_.visited[as_index(c)] == search_) return true;
        down_.visited[as_index(c)] = search_;
        down_.stack.push_back({c});
      }
    }
  }
}

/// The next node that the search up from a group comes to; -1: it went back to where it came from.
int Groups::next_source() {
  Search::Frame& top = up_.stack.back();
  const std::vector<int>& nodes = groups_[as_index(top.group)].nodes;
  for (; top.node < nodes.size(); ++top.node, top.edge = 0) {
    const std::vector<Read>& reads = reads_[as_index(nodes[top.node])];
    if (top.edge < reads.size()) return reads[top.edge++].source;
  }
  up_.stack.pop_back();
  return -1;
}

/// The same for the search down.
int Groups::next_reader() {
  Search::Frame& top = down_.stack.back();
  const std::vector<int>& nodes = groups_[as_index(top.group)].nodes;
  for (; top.node < nodes.size(); ++top.node, top.edge = 0) {
    const std::vector<int>& readers = readers_[as_index(nodes[top.node])];
    if (top.edge < readers.size()) return readers[top.edge++];
  }
  down_.stack.pop_back();
  return -1;
}

/// One more than the highest level of what a group reads.
int Groups::level_of(int group) const {
  int level = 0;
  for (const int n : groups_[as_index(group)].nodes) {
    for (const Read& r : reads_[as_index(n)]) {
      const int p = group_of_[as_index(r.source)];
      if (p != group) level = std::max(level, groups_[as_index(p)].level + 1);
    }
  }
  return level;
}

/// Brings the level of a group that took over the nodes `taken` up to date, and those of all that depends on it.
void Groups::raise(int group, int taken_level, const std::vector<int>& taken) {
  const int own_level = groups_[as_index(group)].level;
  const int level = level_of(group);
  groups_[as_index(group)].level = level;
  std::vector<int> stack;
  const auto raise_readers = [&](int x, const std::vector<int>& nodes) {
    for (const int n : nodes) {
      for (const int c : readers_[as_index(n)]) {
        const int reader = group_of_[as_index(c)];
        if (reader < 0 || reader == x || groups_[as_index(reader)].level > groups_[as_index(x)].level) continue;
        groups_[as_index(reader)].level = groups_[as_index(x)].level + 1;
        stack.push_back(reader);
      }
    }
  };
  if (level > own_level) raise_readers(group, groups_[as_index(group)].nodes);
  if (level > taken_level) raise_readers(group, taken);
  while (!stack.empty()) {
    const int x = stack.back();
    stack.pop_back();
    raise_readers(x, groups_[as_index(x)].nodes);
  }
}

}  // namespace tessera::schedule
