// Horizontal rule: groups that read the same data in the same loop nest become one.
#include <algorithm>

#include "graph/op.h"
#include "schedule/fuse/merge.h"

namespace tessera::schedule {

namespace {

/// Whether large groups gain nothing from reading a node together, such as the rate of all updates: one kernel for them
/// would keep what each of them reads in memory until it runs.
bool too_small_to_share(const Fusion& fusion, int node, int group) {
  const std::int64_t elements = fusion.graph.node(fusion.groups[group].domain).numel();
  return elements > fusion.model.small_map && 64 * fusion.graph.node(node).numel() < elements;
}

/// For each node: the groups that read it, ascending.
std::vector<std::vector<int>> groups_by_source(const Fusion& fusion) {
  const Groups& groups = fusion.groups;
  std::vector<std::vector<int>> by_source(fusion.graph.entries.size());
  for (int i = 0; i < groups.size(); ++i) {
    if (groups[i].merged || groups[i].kind == Kernel::Kind::kMatmul) continue;
    for (const int n : groups[i].nodes) {
      for (const int in : fusion.graph[n].inputs) {
        if (fusion.graph[in].op() == Op::kScalar || groups.of(in) == i) continue;
        int base = in;  // under what spreads it
        while (fusion.graph[base].op() == Op::kView) base = fusion.graph[base].inputs[0];
        if (!too_small_to_share(fusion, base, i)) by_source[as_index(in)].push_back(i);
      }
    }
  }
  return by_source;
}

void merge_siblings(Fusion& fusion) {
  const Groups& groups = fusion.groups;
  const auto numel = [&](int group) { return fusion.graph.node(groups[group].domain).numel(); };
  for (std::vector<int>& list : groups_by_source(fusion)) {
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (std::size_t k = 1; k < list.size(); ++k) {
      const int a = list[k - 1];
      const int b = list[k];
      if (groups[a].merged || groups[b].merged || a == b || groups[a].kind != groups[b].kind) continue;
      if (groups[a].kind == Kernel::Kind::kMap && numel(a) != numel(b)) continue;
      if (try_merge(fusion, a, b)) list[k] = a;
    }
  }
}

}  // namespace

extern const HorizontalRule kSiblings{"siblings", merge_siblings};

}  // namespace tessera::schedule
