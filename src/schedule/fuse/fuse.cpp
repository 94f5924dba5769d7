// Fusion: every computed node starts as a group of its own; groups merge where one loop nest can serve both.
#include "schedule/fuse/fuse.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/pass_timer.h"
#include "schedule/fuse/inline.h"
#include "schedule/fuse/order.h"
#include "schedule/lower/emit.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

std::int64_t last_axis(const Shape& shape) { return shape.rank() > 0 ? shape.back() : 1; }

std::int64_t SizeRef::get(const Graph& graph) const {
  switch (what) {
    case What::kNumel:
      return graph.node(node).numel();
    case What::kCols:
      if (!is_reduction(graph[node].op())) return last_axis(graph.node(node).shape());
      return reduce_cols(graph.node(node), graph.node(graph[node].inputs[0]));
    case What::kRows:
      return graph.node(node).numel() / std::max<std::int64_t>(last_axis(graph.node(node).shape()), 1);
    case What::kReads: {
      const int operand = graph[node].inputs[static_cast<std::size_t>(dim)];
      const int base = graph[operand].op() == Op::kView ? graph[operand].inputs[0] : operand;
      const std::int64_t k = last_axis(graph.node(graph[node].inputs[0]).shape());
      return graph.node(node).numel() * k / std::max<std::int64_t>(graph.node(base).numel(), 1);
    }
    case What::kViewDim:
      return graph.node(node).view().levels[0].dims[static_cast<std::size_t>(dim)].size;
    case What::kViewTail: {
      const std::vector<Dim>& dims = graph.node(node).view().levels[0].dims;
      std::int64_t product = 1;
      for (std::size_t d = static_cast<std::size_t>(dim); d < dims.size(); ++d) product *= dims[d].size;
      return product;
    }
    case What::kConstant:
      return value;
  }
  return 0;
}

bool Guard::holds(const Graph& graph) const {
  const std::int64_t x = a.get(graph);
  const std::int64_t y = b.get(graph);
  switch (kind) {
    case Kind::kEqual:
      return x == y;
    case Kind::kAtMost:
      return x <= y;
    case Kind::kMore:
      return x > y;
  }
  return false;
}

int cost_of(Op op) {
  switch (op) {
    case Op::kView:
    case Op::kCopy:
    case Op::kScalar:
    case Op::kIota:
    case Op::kInput:
      return 0;
    case Op::kRandom:
      return 16;
    case Op::kGather:
    case Op::kSqrt:
    case Op::kRsqrt:
    case Op::kReciprocal:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kFloorDivide:
      return 3;
    default:
      break;
  }
  if ((op >= Op::kExp && op <= Op::kSigmoid && op != Op::kSquare) || op == Op::kPower || op == Op::kAtan2) return 8;
  return 1;
}

namespace {

constexpr int kMaxGroupNodes = 96;      // keeps a kernel's text, registers and compile time in bounds
constexpr std::int64_t kSmall = 16384;  // elements of a map that does not fill a GPU by itself
constexpr std::size_t kMaxParts = 8;
constexpr std::int64_t kFewMatmulRows = 64;
constexpr std::int64_t kWide = 128;  // columns of the widest tile that matmuls usually have

/// Results with which a matmul fills the device by itself. On a large GPU, 192 tiles of 128 x 128 are where larger
/// tiles begin to win, and below that sharing a dispatch pays: q, k and v of 4096 columns took 50 instead of 71 us with
/// 128 rows and 102 instead of 168 us with 512 (H200). WebGPU does not tell how large a GPU is: the others are orders
/// of magnitude.
std::int64_t filling(DeviceType type) {
  constexpr std::int64_t kTile = 128 * 128;
  switch (type) {
    case DeviceType::kDiscreteGpu:
      return 192 * kTile;
    case DeviceType::kIntegratedGpu:
      return 24 * kTile;
    default:
      return 8 * kTile;
  }
}

/// Whether a node computes something of its own, as opposed to leaves and views.
bool computes(Op op) { return !is_leaf(op) && op != Op::kView; }

class Fuser {
 public:
  Fuser(const Graph& graph, const DeviceInfo& device)
      : g_(graph),
        most_buffers_(device.limits.max_storage_buffers),
        most_results_(device.horizontal ? filling(device.type) : 0),
        few_rows_ungrouped_(device.type == DeviceType::kDiscreteGpu && !device.matrices.empty()),
        size_(graph.entries.size()),
        inline_(find_inline(graph, device, guards_)) {
    for (const int r : g_.roots) root_[u(r)] = 1;
    // What checks indices binds the device's report too.
    const bool reports = std::any_of(graph.entries.begin(), graph.entries.end(),
                                     [](const Graph::Entry& e) { return e.op() == Op::kCheckIndex; });
    if (reports) --most_buffers_;
  }

  Fused run() {
    collect_accesses();
    number_tree();
    for (int n = 0; n < g_.size(); ++n) {
      if (!grouped_[u(n)]) continue;
      const Op op = g_[n].op();
      if (op == Op::kCustom && g_.node(n).custom().output > 0) {  // one dispatch writes all results
        group_of_[u(n)] = group_of_[u(n - 1)];
        groups_[u(group_of_[u(n)])].nodes.push_back(n);
        continue;
      }
      group_of_[u(n)] = static_cast<int>(groups_.size());
      Group group;
      group.nodes = {n};
      group.kind = kind_of(op);
      group.domain = n;
      group.table = dequantizes(g_, n, inline_);
      groups_.push_back(std::move(group));
      groups_.back().level = level_of(group_of_[u(n)]);
      row_[u(n)] = is_reduction(op);
      merge_with_producers(n);
    }
    merge_siblings();
    group_matmuls();
    batch_small_maps();
    return emit_all();
  }

 private:
  enum class Access : std::uint8_t { kIdentity, kRowBroadcast, kOther };
  struct Read {
    int source;
    Access access;
    int view;  // kRowBroadcast: the view node
  };
  struct Group {
    Kernel::Kind kind = Kernel::Kind::kMap;
    int domain = -1;
    std::vector<int> nodes;  // ascending
    std::vector<int> parts;  // kBatch: the groups in it; `domain` is the first one's
    bool merged = false;     // it lives on in another group
    int table = -1;          // the call whose elements its gathers decode
    int level = 0;           // higher than that of any group that it reads
  };

  static std::size_t u(int i) { return static_cast<std::size_t>(i); }

  static Kernel::Kind kind_of(Op op) {
    if (is_reduction(op)) return Kernel::Kind::kReduce;
    if (op == Op::kMatmul) return Kernel::Kind::kMatmul;
    return op == Op::kCustom ? Kernel::Kind::kCustom : Kernel::Kind::kMap;
  }

  // ---- Who reads whom, and how ----

  [[nodiscard]] bool is_apart(int n) const { return g_[n].op() == Op::kCopy && g_.node(n).apart(); }

  [[nodiscard]] bool is_row_broadcast(int view) const {
    const std::string layout = g_.node(view).view().layout_class();
    return layout == "[10]" || (layout == "[0]" && g_.node(g_[view].inputs[0]).numel() == 1);
  }

  void collect(int s, Access access, int view, std::vector<Read>& reads, std::vector<int>& leaves) const {
    const Graph::Entry& e = g_[s];
    if (grouped_[u(s)]) {
      reads.push_back({s, access, view});
    } else if (e.op() == Op::kInput) {
      leaves.push_back(s);
    } else if (e.op() == Op::kView) {
      for (std::size_t k = 1; k < e.inputs.size(); ++k) {  // only to be waited for
        collect(e.inputs[k], Access::kOther, -1, reads, leaves);
      }
      if (e.node->view().identity()) {
        collect(e.inputs[0], access, view, reads, leaves);
      } else if (access == Access::kIdentity && is_row_broadcast(s)) {
        collect(e.inputs[0], Access::kRowBroadcast, s, reads, leaves);
      } else {
        collect(e.inputs[0], Access::kOther, -1, reads, leaves);
      }
    } else {
      collect_args(s, access, view, reads, leaves);
    }
  }

  void collect_args(int n, Access access, int view, std::vector<Read>& reads, std::vector<int>& leaves) const {
    const Graph::Entry& e = g_[n];
    for (std::size_t k = 0; k < e.inputs.size(); ++k) {
      const bool other = reads_memory(e.op(), k) || (e.op() == Op::kPad && k == 0);
      collect(e.inputs[k], other ? Access::kOther : access, view, reads, leaves);
    }
  }

  void collect_accesses() {
    grouped_.assign(size_, 0);
    row_.assign(size_, 0);
    group_of_.assign(size_, -1);
    reads_.resize(size_);
    leaf_reads_.resize(size_);
    readers_.resize(size_);
    for (int n = 0; n < g_.size(); ++n) {
      const Op op = g_[n].op();
      // A root that is a view or a constant is written out by a map of its own.
      grouped_[u(n)] = op != Op::kInput && ((computes(op) && inline_[u(n)] == 0) || root_[u(n)] != 0 ||
                                            (op == Op::kRandom && inline_[u(n)] == 0));
    }
    for (int n = 0; n < g_.size(); ++n) {
      if (!grouped_[u(n)]) continue;
      if (g_[n].op() == Op::kView) {
        collect(g_[n].inputs[0], Access::kOther, -1, reads_[u(n)], leaf_reads_[u(n)]);
      } else {
        collect_args(n, Access::kIdentity, -1, reads_[u(n)], leaf_reads_[u(n)]);
      }
      for (const Read& r : reads_[u(n)]) readers_[u(r.source)].push_back(n);
    }
  }

  // ---- Merging ----

  /// Numbers the nodes so that those below a node in the tree of youngest sources follow it without a gap.
  void number_tree() {
    std::vector<int> parent(size_, -1);
    below_.assign(size_, 1);
    for (int n = g_.size() - 1; n >= 0; --n) {
      for (const Read& r : reads_[u(n)]) parent[u(n)] = std::max(parent[u(n)], r.source);
      if (parent[u(n)] >= 0) below_[u(parent[u(n)])] += below_[u(n)];
    }
    entered_.assign(size_, 0);
    std::vector<int> next(size_, 0);
    int next_root = 0;
    for (int n = 0; n < g_.size(); ++n) {
      int& at = parent[u(n)] >= 0 ? next[u(parent[u(n)])] : next_root;
      entered_[u(n)] = at;
      at += below_[u(n)];
      next[u(n)] = entered_[u(n)] + 1;
    }
  }

  /// Whether `node` follows from `source` along youngest sources, or is it. They are most of what a graph depends on: a
  /// gradient on all of the forward pass.
  [[nodiscard]] bool in_tree_of(int source, int node) const {
    return entered_[u(node)] >= entered_[u(source)] && entered_[u(node)] < entered_[u(source)] + below_[u(source)];
  }

  /// A depth-first search over groups that goes on edge by edge.
  struct Search {
    struct Frame {
      int group;
      std::size_t node = 0, edge = 0;
    };
    std::vector<Frame> stack;
    std::vector<int> visited;  // of a group: the last search that came by
    void start(int group, std::size_t groups) {
      stack.assign(1, {group});
      visited.resize(groups, 0);
    }
  };

  /// Whether something that group `from` makes reaches group `to` through at least one other group. Looks from both
  /// ends, an edge at a time, so that the side with less to look at decides.
  [[nodiscard]] bool indirect_path(int from, int to) {
    const int lowest = groups_[u(from)].level;
    const int highest = groups_[u(to)].level;
    if (highest <= lowest) return false;
    tops_.clear();
    for (const int n : groups_[u(from)].nodes) {
      if (std::ranges::none_of(tops_, [&](int t) { return in_tree_of(t, n); })) tops_.push_back(n);
    }
    ++search_;
    up_.start(to, groups_.size());
    down_.start(from, groups_.size());
    const auto between = [&](int group) {
      return groups_[u(group)].level > lowest && groups_[u(group)].level < highest;
    };
    while (true) {
      if (up_.stack.empty() || down_.stack.empty()) return false;
      if (const int s = next_source(); s >= 0) {
        const int group = up_.stack.back().group;
        const int p = group_of_[u(s)];
        if (p == from && group != to) return true;
        if (between(p) && up_.visited[u(p)] != search_) {
          if (down_.visited[u(p)] == search_ || std::ranges::any_of(tops_, [&](int t) { return in_tree_of(t, s); }))
            return true;
          up_.visited[u(p)] = search_;
          up_.stack.push_back({p});
        }
      }
      if (const int n = next_reader(); n >= 0) {
        const int group = down_.stack.back().group;
        const int c = group_of_[u(n)];
        if (c < 0) continue;
        if (c == to && group != from) return true;
        if (between(c) && down_.visited[u(c)] != search_) {
          if (up_.visited[u(c)] == search_) return true;
          down_.visited[u(c)] = search_;
          down_.stack.push_back({c});
        }
      }
    }
  }

  /// The next node that the search up from a group comes to; -1: it went back to where it came from.
  int next_source() {
    Search::Frame& top = up_.stack.back();
    const std::vector<int>& nodes = groups_[u(top.group)].nodes;
    for (; top.node < nodes.size(); ++top.node, top.edge = 0) {
      const std::vector<Read>& reads = reads_[u(nodes[top.node])];
      if (top.edge < reads.size()) return reads[top.edge++].source;
    }
    up_.stack.pop_back();
    return -1;
  }

  /// The same for the search down.
  int next_reader() {
    Search::Frame& top = down_.stack.back();
    const std::vector<int>& nodes = groups_[u(top.group)].nodes;
    for (; top.node < nodes.size(); ++top.node, top.edge = 0) {
      const std::vector<int>& readers = readers_[u(nodes[top.node])];
      if (top.edge < readers.size()) return readers[top.edge++];
    }
    down_.stack.pop_back();
    return -1;
  }

  /// One more than the highest level of what a group reads.
  [[nodiscard]] int level_of(int group) const {
    int level = 0;
    for (const int n : groups_[u(group)].nodes) {
      for (const Read& r : reads_[u(n)]) {
        const int p = group_of_[u(r.source)];
        if (p != group) level = std::max(level, groups_[u(p)].level + 1);
      }
    }
    return level;
  }

  /// Brings the level of a group that took over the nodes `taken` up to date, and those of all that depends on it.
  void raise(int group, int taken_level, const std::vector<int>& taken) {
    const int own_level = groups_[u(group)].level;
    const int level = level_of(group);
    groups_[u(group)].level = level;
    std::vector<int> stack;
    const auto raise_readers = [&](int x, const std::vector<int>& nodes) {
      for (const int n : nodes) {
        for (const int c : readers_[u(n)]) {
          const int reader = group_of_[u(c)];
          if (reader < 0 || reader == x || groups_[u(reader)].level > groups_[u(x)].level) continue;
          groups_[u(reader)].level = groups_[u(x)].level + 1;
          stack.push_back(reader);
        }
      }
    };
    if (level > own_level) raise_readers(group, groups_[u(group)].nodes);
    if (level > taken_level) raise_readers(group, taken);
    while (!stack.empty()) {
      const int x = stack.back();
      stack.pop_back();
      raise_readers(x, groups_[u(x)].nodes);
    }
  }

  [[nodiscard]] std::array<SizeRef, 2> size_refs(const Group& r) const {
    return {SizeRef{SizeRef::What::kNumel, r.domain}, SizeRef{SizeRef::What::kCols, r.domain}};
  }

  bool require_equal(const SizeRef& x, const SizeRef& y, std::vector<Guard>& guards) const {
    guards.push_back({Guard::Kind::kEqual, x, y});
    return guards.back().holds(g_);
  }

  /// The level at which a node reads its arguments: a reduction reads elements.
  [[nodiscard]] bool reads_rows(int n) const { return row_[u(n)] != 0 && !is_reduction(g_[n].op()); }

  /// A row-broadcast view spreads one value over the columns of the group.
  bool spreads_rows(int view, const Group& r, std::vector<Guard>& guards) const {
    const int dims = static_cast<int>(g_.node(view).view().levels[0].dims.size());
    return require_equal({SizeRef::What::kViewDim, view, dims - 1}, size_refs(r)[1], guards);
  }

  struct Merge {
    std::vector<Guard> guards;
    std::optional<bool> map_is_row;  // the level of a map merged into a reduction
  };

  /// Calls `visit(reader, read)` for every read between two groups.
  template <class F>
  bool cross_reads(const Group& a, const Group& b, int ia, int ib, F visit) const {
    for (const auto& [group, other] : {std::pair(&a, ib), std::pair(&b, ia)}) {
      for (const int n : group->nodes) {
        for (const Read& r : reads_[u(n)]) {
          if (group_of_[u(r.source)] == other && !visit(n, r)) return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] std::optional<Merge> fits(int ia, int ib) const {
    const Group& a = groups_[u(ia)];
    const Group& b = groups_[u(ib)];
    using Kind = Kernel::Kind;
    if (a.kind == Kind::kCustom || b.kind == Kind::kCustom || is_apart(a.domain) || is_apart(b.domain))
      return std::nullopt;
    // The text that dequantizes a table is there once, and maps alone have it.
    if (a.table >= 0 || b.table >= 0) {
      if (a.kind != Kind::kMap || b.kind != Kind::kMap) return std::nullopt;
      if (a.table >= 0 && b.table >= 0 && a.table != b.table) return std::nullopt;
    }
    Merge merge;
    int count = 0;
    const auto plain_only = [&](int, const Read& r) {
      ++count;
      return r.access == Access::kIdentity;
    };
    if (a.kind == Kind::kMap && b.kind == Kind::kMap) {
      if (!cross_reads(a, b, ia, ib, plain_only)) return std::nullopt;
      if (count == 0 &&
          !require_equal({SizeRef::What::kNumel, a.domain}, {SizeRef::What::kNumel, b.domain}, merge.guards)) {
        return std::nullopt;
      }
      return merge;
    }
    if (a.kind == Kind::kMatmul || b.kind == Kind::kMatmul) {
      const Group& other = a.kind == Kind::kMatmul ? b : a;
      if (other.kind != Kind::kMap || !cross_reads(a, b, ia, ib, plain_only) || count == 0) return std::nullopt;
      return merge;
    }
    if (a.kind == Kind::kReduce && b.kind == Kind::kReduce) {
      const auto sa = size_refs(a);
      const auto sb = size_refs(b);
      if (!require_equal(sa[0], sb[0], merge.guards) || !require_equal(sa[1], sb[1], merge.guards)) return std::nullopt;
      const bool ok = cross_reads(a, b, ia, ib, [&](int n, const Read& r) {
        const bool source_row = row_[u(r.source)] != 0;
        if (r.access == Access::kIdentity) return source_row == reads_rows(n);
        return r.access == Access::kRowBroadcast && source_row && !reads_rows(n) &&
               spreads_rows(r.view, a, merge.guards);
      });
      if (!ok) return std::nullopt;
      return merge;
    }
    if (a.kind == Kind::kBatch || b.kind == Kind::kBatch) return std::nullopt;
    const bool a_is_map = a.kind == Kind::kMap;
    const Group& reduce = a_is_map ? b : a;
    const int map_index = a_is_map ? ia : ib;
    const bool ok = cross_reads(a, b, ia, ib, [&](int n, const Read& r) {
      if (r.access == Access::kOther) return false;
      const bool reader_in_map = group_of_[u(n)] == map_index;
      bool level = false;  // true: row
      if (r.access == Access::kRowBroadcast) {
        if (!spreads_rows(r.view, reduce, merge.guards)) return false;
        if (reader_in_map ? row_[u(r.source)] == 0 : reads_rows(n)) return false;
        level = !reader_in_map;
      } else {
        level = reader_in_map ? row_[u(r.source)] != 0 : reads_rows(n);
      }
      if (merge.map_is_row.has_value() && *merge.map_is_row != level) return false;
      merge.map_is_row = level;
      return true;
    });
    if (!ok || !merge.map_is_row.has_value()) return std::nullopt;
    return merge;
  }

  /// Buffers that a group of these nodes binds: what it reads from others and what others (or the user) need of it.
  [[nodiscard]] std::size_t buffers(const std::vector<int>& nodes, int ia, int ib) const {
    std::set<int> in;
    std::size_t out = 0;
    const auto inside = [&](int n) { return group_of_[u(n)] == ia || group_of_[u(n)] == ib; };
    for (const int n : nodes) {
      in.insert(leaf_reads_[u(n)].begin(), leaf_reads_[u(n)].end());
      for (const Read& r : reads_[u(n)]) {
        if (!inside(r.source)) in.insert(r.source);
      }
      if (root_[u(n)] != 0 || !std::ranges::all_of(readers_[u(n)], inside)) ++out;
    }
    return in.size() + std::max<std::size_t>(out, 1);
  }

  bool try_merge(int ia, int ib) {
    if (ia == ib) return false;
    if (groups_[u(ia)].nodes.size() + groups_[u(ib)].nodes.size() > kMaxGroupNodes) return false;
    const auto merge = fits(ia, ib);
    if (!merge.has_value() || indirect_path(ia, ib) || indirect_path(ib, ia)) return false;
    std::vector<int> nodes;
    std::merge(groups_[u(ia)].nodes.begin(), groups_[u(ia)].nodes.end(), groups_[u(ib)].nodes.begin(),
               groups_[u(ib)].nodes.end(), std::back_inserter(nodes));
    if (buffers(nodes, ia, ib) > most_buffers_) return false;
    Group& a = groups_[u(ia)];
    Group& b = groups_[u(ib)];
    if (merge->map_is_row.has_value()) {
      const Group& map = a.kind == Kernel::Kind::kMap ? a : b;
      for (const int n : map.nodes) row_[u(n)] = *merge->map_is_row ? 1 : 0;
    }
    guards_.insert(guards_.end(), merge->guards.begin(), merge->guards.end());
    if (b.kind != Kernel::Kind::kMap) {
      a.kind = b.kind;
      a.domain = b.domain;
    }
    a.nodes = std::move(nodes);
    a.table = std::max(a.table, b.table);
    for (const int n : a.nodes) group_of_[u(n)] = ia;
    b.merged = true;
    raise(ia, b.level, std::exchange(b.nodes, {}));
    return true;
  }

  void merge_with_producers(int n) {
    // The youngest producer first: joining an older one would put the younger between them.
    std::vector<int> sources;
    for (const Read& r : reads_[u(n)]) sources.push_back(r.source);
    std::sort(sources.rbegin(), sources.rend());
    for (const int s : sources) try_merge(group_of_[u(s)], group_of_[u(n)]);
  }

  /// Groups that read the same data in the same loop nest become one.
  void merge_siblings() {
    std::vector<std::vector<int>> by_source(size_);
    for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
      if (groups_[u(i)].merged || groups_[u(i)].kind == Kernel::Kind::kMatmul) continue;
      for (const int n : groups_[u(i)].nodes) {
        for (const int in : g_[n].inputs) {
          if (g_[in].op() != Op::kScalar && group_of_[u(in)] != i) by_source[u(in)].push_back(i);
        }
      }
    }
    for (auto& list : by_source) {
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (std::size_t k = 1; k < list.size(); ++k) {
        const int a = list[k - 1];
        const int b = list[k];
        if (groups_[u(a)].merged || groups_[u(b)].merged || a == b) continue;
        if (groups_[u(a)].kind != groups_[u(b)].kind) continue;
        if (groups_[u(a)].kind == Kernel::Kind::kMap &&
            g_.node(groups_[u(a)].domain).numel() != g_.node(groups_[u(b)].domain).numel()) {
          continue;
        }
        if (try_merge(a, b)) list[k] = a;
      }
    }
  }

  /// The youngest node that a matmul has to wait for. What is made of leaves alone does not count: a cast of weights,
  /// which may be quantized, can run at any time.
  [[nodiscard]] int waits_for(int i, const std::vector<int>& latest) const {
    const auto weights = [&](const Read& r) {
      return dequantizable(g_, r.source) == r.source && reads_[u(r.source)].empty();
    };
    const auto of_leaves = [&](int p) {
      return std::ranges::all_of(groups_[u(p)].nodes, [&](int n) {
        return std::ranges::all_of(reads_[u(n)],
                                   [&](const Read& r) { return group_of_[u(r.source)] == p || weights(r); });
      });
    };
    int youngest = -1;
    for (const int n : groups_[u(i)].nodes) {
      for (const Read& r : reads_[u(n)]) {
        const int p = group_of_[u(r.source)];
        if (p != i && !of_leaves(p)) youngest = std::max(youngest, latest[u(p)]);
      }
    }
    return youngest;
  }

  /// Of each group: the youngest node in it or in any group that it depends on.
  [[nodiscard]] std::vector<int> find_latest() const {
    std::vector<std::vector<int>> by_level;
    for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
      if (groups_[u(i)].merged) continue;
      if (u(groups_[u(i)].level) >= by_level.size()) by_level.resize(u(groups_[u(i)].level) + 1);
      by_level[u(groups_[u(i)].level)].push_back(i);
    }
    std::vector<int> latest(groups_.size(), -1);
    for (const std::vector<int>& level : by_level) {
      for (const int i : level) {
        latest[u(i)] = groups_[u(i)].nodes.back();
        for (const int n : groups_[u(i)].nodes) {
          for (const Read& r : reads_[u(n)]) latest[u(i)] = std::max(latest[u(i)], latest[u(group_of_[u(r.source)])]);
        }
      }
    }
    return latest;
  }

  /// Brings `latest` up to date in all that depends on a group: kernels wait for whole groups, so an old node may have
  /// to wait for a young one.
  void raise_latest(int group, std::vector<int>& latest) const {
    std::vector<int> stack{group};
    while (!stack.empty()) {
      const int x = stack.back();
      stack.pop_back();
      for (const int n : groups_[u(x)].nodes) {
        for (const int c : readers_[u(n)]) {
          const int reader = group_of_[u(c)];
          if (latest[u(reader)] >= latest[u(x)]) continue;
          latest[u(reader)] = latest[u(x)];
          stack.push_back(reader);
        }
      }
    }
  }

  /// Matmuls of one left operand share a dispatch where they are ready at the same time and none of them fills the
  /// device: q, k and v of an attention. Those that wait for different things stay apart: together, the results of
  /// the first would be kept until the last can run.
  void group_matmuls() {
    if (most_results_ == 0) return;
    std::map<int, std::vector<int>> by_operand;
    for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
      if (groups_[u(i)].merged || groups_[u(i)].kind != Kernel::Kind::kMatmul) continue;
      const std::vector<int>& in = g_[groups_[u(i)].domain].inputs;
      if (plain_operand(g_, in[0]) && plain_operand(g_, in[1])) by_operand[in[0]].push_back(i);
    }
    std::vector<int> latest = find_latest();
    struct Open {
      int group;
      int waits;
    };
    for (const auto& [operand, list] : by_operand) {
      if (list.size() < 2) continue;
      std::vector<Open> candidates;
      for (const int i : list) candidates.push_back({i, waits_for(i, latest)});
      std::vector<Open> batches;
      for (const Open& x : candidates) {
        const int x_domain = groups_[u(x.group)].domain;
        const SizeRef numel{SizeRef::What::kNumel, x_domain};
        const SizeRef limit{SizeRef::What::kConstant, -1, 0, most_results_};
        const bool small = numel.get(g_) <= most_results_;
        guards_.push_back({small ? Guard::Kind::kAtMost : Guard::Kind::kMore, numel, limit});
        if (!small) continue;
        // Measured on an H200: up to so many rows, a program for one matmul alone has more loads on their way (21
        // instead of 29 us for q, k and v of 16 rows).
        if (few_rows_ungrouped_ && g_.node(x_domain).dtype() == DType::kF16) {
          const SizeRef rows{SizeRef::What::kConstant, -1, 0, kFewMatmulRows * g_.node(x_domain).shape().back()};
          const bool few = numel.get(g_) <= rows.value;
          guards_.push_back({few ? Guard::Kind::kAtMost : Guard::Kind::kMore, numel, rows});
          if (few) continue;
        }
        std::erase_if(batches, [&](const Open& b) { return groups_[u(b.group)].parts.size() >= kMaxParts; });
        const auto takes = [&](const Open& b) {
          if (b.waits != x.waits || !alike(groups_[u(b.group)].domain, groups_[u(x.group)].domain) ||
              !add_part(b.group, x.group)) {
            return false;
          }
          latest[u(b.group)] = std::max(latest[u(b.group)], latest[u(x.group)]);
          raise_latest(b.group, latest);
          return true;
        };
        if (std::ranges::none_of(batches, takes)) batches.push_back(x);
      }
    }
  }

  /// The kernel whose result a matmul dequantizes as its right operand; none where it is in memory.
  [[nodiscard]] const CustomKernel* dequantizer(int matmul) const {
    const int call = dequantizable(g_, g_[matmul].inputs[1]);
    return call >= 0 && grouped_[u(call)] == 0 ? g_.node(call).custom().call->kernel.get() : nullptr;
  }

  /// Whether one program reads both matmuls' right operands as well as programs of their own would: the same type and
  /// strides; and neither both wide and narrow nor whole and broken quads, for speed alone, so that costs no guard.
  [[nodiscard]] bool alike(int x, int y) const {
    const int bx = g_[x].inputs[1];
    const int by = g_[y].inputs[1];
    const std::int64_t nx = g_.node(x).shape().back();
    const std::int64_t ny = g_.node(y).shape().back();
    return g_.node(bx).dtype() == g_.node(by).dtype() && dequantizer(x) == dequantizer(y) &&
           stride_classes(g_, bx) == stride_classes(g_, by) && (nx >= kWide) == (ny >= kWide) &&
           (nx % 4 == 0) == (ny % 4 == 0);
  }

  /// Independent maps that are too small to fill a GPU share one dispatch.
  void batch_small_maps() {
    int batch = -1;
    const int count = static_cast<int>(groups_.size());
    for (int i = 0; i < count; ++i) {
      const Group& group = groups_[u(i)];
      if (group.merged || group.kind != Kernel::Kind::kMap || is_apart(group.domain) || group.table >= 0) continue;
      const SizeRef numel{SizeRef::What::kNumel, group.domain};
      const SizeRef limit{SizeRef::What::kConstant, -1, 0, kSmall};
      const bool small = numel.get(g_) <= kSmall;
      guards_.push_back({small ? Guard::Kind::kAtMost : Guard::Kind::kMore, numel, limit});
      if (!small) continue;
      if (batch < 0 || !add_part(batch, i)) batch = i;
    }
  }

  bool add_part(int ia, int ib) {
    Group& a = groups_[u(ia)];
    if (a.parts.size() >= kMaxParts) return false;
    bool independent = true;
    cross_reads(a, groups_[u(ib)], ia, ib, [&](int, const Read&) { return independent = false; });
    if (!independent || indirect_path(ia, ib) || indirect_path(ib, ia)) return false;
    std::vector<int> nodes;
    std::merge(a.nodes.begin(), a.nodes.end(), groups_[u(ib)].nodes.begin(), groups_[u(ib)].nodes.end(),
               std::back_inserter(nodes));
    // Matmuls bind what they share once.
    const bool matmuls = groups_[u(ib)].kind == Kernel::Kind::kMatmul;
    const std::size_t bound = matmuls ? buffers(nodes, ia, ib) : slots(ia) + slots(ib);
    if (bound > most_buffers_ || nodes.size() > kMaxGroupNodes) return false;
    if (a.parts.empty()) {
      Group first = a;
      groups_.push_back(std::move(first));
      groups_.back().merged = true;
      Group& again = groups_[u(ia)];
      again.kind = Kernel::Kind::kBatch;
      again.parts = {static_cast<int>(groups_.size()) - 1};
    }
    Group part = groups_[u(ib)];
    part.merged = true;
    groups_.push_back(std::move(part));
    groups_[u(ia)].parts.push_back(static_cast<int>(groups_.size()) - 1);
    groups_[u(ia)].nodes = std::move(nodes);
    for (const int n : groups_[u(ia)].nodes) group_of_[u(n)] = ia;
    groups_[u(ib)].merged = true;
    raise(ia, groups_[u(ib)].level, std::exchange(groups_[u(ib)].nodes, {}));
    return true;
  }

  /// Storage bindings of a group's kernel; parts of a batch bind each their own.
  [[nodiscard]] std::size_t slots(int i) const {
    const Group& group = groups_[u(i)];
    if (group.parts.empty()) return buffers(group.nodes, i, i);
    std::size_t total = 0;
    for (const int p : group.parts) total += buffers(groups_[u(p)].nodes, i, i);
    return total;
  }

  // ---- Kernels ----

  Fused emit_all() {
    const PassTimer timer("emit");
    std::vector<int> groups;  // that stand for themselves
    std::vector<Stage> stages;
    for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
      if (groups_[u(i)].merged) continue;
      Stage stage;
      for (const int n : groups_[u(i)].nodes) {
        for (const Read& r : reads_[u(n)]) {
          if (group_of_[u(r.source)] != i) stage.reads.push_back(r.source);
        }
        if (is_stored(n, i)) stage.writes.push_back(n);
      }
      groups.push_back(i);
      stages.push_back(std::move(stage));
    }
    Fused result;
    for (const int s : order_stages(g_, stages)) result.kernels.push_back(emit_group(groups[u(s)], groups[u(s)]));
    std::ranges::sort(guards_);
    guards_.erase(std::ranges::unique(guards_).begin(), guards_.end());
    result.guards = std::move(guards_);
    return result;
  }

  /// Whether a node of a group has to be in memory: for other groups or for the user.
  [[nodiscard]] bool is_stored(int n, int group) const {
    return root_[u(n)] != 0 || std::ranges::any_of(readers_[u(n)], [&](int c) { return group_of_[u(c)] != group; });
  }

  Kernel emit_group(int i, int owner) {
    const Group& group = groups_[u(i)];
    if (!group.parts.empty()) {
      Kernel batch;
      batch.kind = Kernel::Kind::kBatch;
      for (const int p : group.parts) {
        batch.parts.push_back(emit_group(p, owner));
        const Kernel& part = batch.parts.back();
        batch.inputs.insert(batch.inputs.end(), part.inputs.begin(), part.inputs.end());
        batch.outputs.insert(batch.outputs.end(), part.outputs.begin(), part.outputs.end());
      }
      return batch;
    }
    if (group.kind == Kernel::Kind::kCustom) return custom_kernel(group);
    EmitRequest request{g_, group.kind, group.domain, group.nodes, {}, row_, guards_};
    std::ranges::copy_if(group.nodes, std::back_inserter(request.stored), [&](int n) { return is_stored(n, owner); });
    request.grouped = &grouped_;
    return emit(request);
  }

  [[nodiscard]] Kernel custom_kernel(const Group& group) const {
    Kernel kernel;
    kernel.kind = group.kind;
    kernel.domain = group.domain;
    kernel.custom = g_.node(group.domain).custom().call->kernel;
    for (const int in : g_[group.domain].inputs) kernel.inputs.push_back({in, g_.node(in).dtype()});
    for (const int n : group.nodes) kernel.outputs.push_back({n, g_.node(n).dtype()});
    return kernel;
  }

  const Graph& g_;
  std::size_t most_buffers_;
  std::int64_t most_results_;  // of a matmul that shares a dispatch; 0: none does
  bool few_rows_ungrouped_;    // matmuls of few rows do not
  std::size_t size_;
  std::vector<Guard> guards_;
  std::vector<int> inline_;  // 0: the node is not inlined
  std::vector<char> root_ = std::vector<char>(size_, 0);
  std::vector<char> grouped_;
  std::vector<char> row_;  // the node's level in its group
  std::vector<int> group_of_;
  std::vector<std::vector<Read>> reads_;
  std::vector<std::vector<int>> leaf_reads_;
  std::vector<std::vector<int>> readers_;
  std::vector<Group> groups_;
  std::vector<int> entered_;  // of a node: its number in the tree of youngest sources
  std::vector<int> below_;    // of a node: how many nodes the tree has from it on
  Search up_, down_;          // of indirect_path(), kept for their memory
  int search_ = 0;            // how many there were
  std::vector<int> tops_;     // nodes of a group whose trees hold all others of it
};

}  // namespace

Fused fuse(const Graph& graph, const DeviceInfo& device) {
  const PassTimer timer("fuse");
  return Fuser(graph, device).run();
}

}  // namespace tessera::schedule
