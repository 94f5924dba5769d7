// Merges of two groups: by the vertical rules, and as parts of one dispatch.
#include "schedule/fuse/merge.h"

#include <algorithm>

#include "schedule/fuse/inline.h"

namespace tessera::schedule {

Fusion::Fusion(const Graph& simplified, const DeviceInfo& on)
    : graph(simplified),
      device(on),
      model(on),
      max_buffers(on.limits.max_storage_buffers),
      inlined(find_inline(simplified, on, guards)),
      groups(simplified, inlined),
      row(simplified.entries.size(), 0) {
  // What checks indices binds the device's report too.
  const bool reports =
      std::ranges::any_of(graph.entries, [](const Graph::Entry& e) { return e.op() == Op::kCheckIndex; });
  if (reports) --max_buffers;
}

namespace {

/// Custom kernels and copies that run alone merge with nothing, and groups that dequantize on load or update tensors
/// only as maps, which alone can.
bool may_merge(const Groups& groups, const Group& a, const Group& b) {
  using Kind = Kernel::Kind;
  if (a.kind == Kind::kCustom || b.kind == Kind::kCustom) return false;
  if (groups.in_ranges(a.domain) || groups.in_ranges(b.domain)) return false;
  if (a.puts && b.puts) return false;  // a kernel has one update, so that it can run once for each binding range
  if (a.table < 0 && b.table < 0 && !a.puts && !b.puts) return true;
  if (a.kind != Kind::kMap || b.kind != Kind::kMap) return false;
  return a.table < 0 || b.table < 0 || a.table == b.table;
}

std::optional<Merge> fits(const Fusion& fusion, int a, int b) {
  const Group& x = fusion.groups[a];
  const Group& y = fusion.groups[b];
  if (!may_merge(fusion.groups, x, y)) return std::nullopt;
  for (const VerticalRule& rule : vertical_rules()) {
    if (rule.matches(x, y)) return rule.legal(fusion, a, b);
  }
  return std::nullopt;
}

}  // namespace

bool try_merge(Fusion& fusion, int a, int b) {
  Groups& groups = fusion.groups;
  if (a == b || groups[a].nodes.size() + groups[b].nodes.size() > kMaxGroupNodes) return false;
  const std::optional<Merge> merge = fits(fusion, a, b);
  if (!merge.has_value() || groups.makes_cycle(a, b)) return false;
  std::vector<int> nodes = groups.nodes_of(a, b);
  if (groups.buffers(nodes, a, b) > fusion.max_buffers) return false;
  Group& into = groups[a];
  const Group& from = groups[b];
  if (merge->map_is_row.has_value()) {
    const Group& map = into.kind == Kernel::Kind::kMap ? into : from;
    for (const int n : map.nodes) fusion.row[as_index(n)] = *merge->map_is_row ? 1 : 0;
  }
  fusion.guards.insert(fusion.guards.end(), merge->guards.begin(), merge->guards.end());
  if (from.kind != Kernel::Kind::kMap) {
    into.kind = from.kind;
    into.domain = from.domain;
  }
  into.table = std::max(into.table, from.table);
  into.puts = into.puts || from.puts;
  groups.merge(a, b, std::move(nodes));
  return true;
}

bool add_part(Fusion& fusion, int a, int b) {
  Groups& groups = fusion.groups;
  if (groups[a].parts.size() >= kMaxParts) return false;
  const bool independent = groups.cross_reads(a, b, [](int, const Read&) { return false; });
  if (!independent || groups.makes_cycle(a, b)) return false;
  std::vector<int> nodes = groups.nodes_of(a, b);
  // Matmuls bind what they share once.
  const bool matmuls = groups[b].kind == Kernel::Kind::kMatmul;
  const std::size_t bound = matmuls ? groups.buffers(nodes, a, b) : groups.buffers(a) + groups.buffers(b);
  if (bound > fusion.max_buffers || nodes.size() > kMaxGroupNodes) return false;
  groups.merge_as_part(a, b, std::move(nodes));
  return true;
}

}  // namespace tessera::schedule
