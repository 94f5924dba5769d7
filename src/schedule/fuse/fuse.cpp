// Fusion: every computed node starts as a group of its own; groups merge where one loop nest can serve both.
#include "schedule/fuse/fuse.h"

#include <algorithm>
#include <functional>

#include "base/pass_timer.h"
#include "schedule/fuse/inline.h"
#include "schedule/fuse/merge.h"
#include "schedule/fuse/recompute.h"

namespace tessera::schedule {

namespace {

Kernel::Kind kind_of(Op op) {
  if (is_reduction(op)) return Kernel::Kind::kReduce;
  if (op == Op::kMatmul) return Kernel::Kind::kMatmul;
  // An arena is no kernel, and merges with none: its pieces are stored by the kernels that compute them.
  return op == Op::kCustom || op == Op::kPack ? Kernel::Kind::kCustom : Kernel::Kind::kMap;
}

void merge_with_producers(Fusion& fusion, int n) {
  // The youngest producer first: joining an older one would put the younger between them.
  std::vector<int> sources;
  for (const Read& r : fusion.groups.reads(n)) sources.push_back(r.source);
  std::ranges::sort(sources, std::greater<>());
  for (const int s : sources) try_merge(fusion, fusion.groups.of(s), fusion.groups.of(n));
}

void add_node(Fusion& fusion, int n) {
  const Op op = fusion.graph[n].op();
  if (op == Op::kCustom && fusion.graph.node(n).custom().output > 0) {  // one dispatch writes all results
    fusion.groups.extend(n);
    return;
  }
  Group group;
  group.kind = kind_of(op);
  group.puts = op == Op::kPut;
  group.domain = group.puts ? fusion.graph[n].inputs[2] : n;  // its loop is over the positions
  group.nodes = {n};
  group.table = dequantized_by(fusion.graph, n, fusion.inlined);
  fusion.groups.add(std::move(group));
  fusion.row[as_index(n)] = is_reduction(op) ? 1 : 0;
  merge_with_producers(fusion, n);
}

}  // namespace

Fused fuse(const Graph& graph, const DeviceInfo& device) {
  const PassTimer timer("fuse");
  Fusion fusion(graph, device);
  for (int n = 0; n < graph.size(); ++n) {
    if (fusion.groups.computed(n)) add_node(fusion, n);
  }
  choose_recomputed(fusion);
  for (const HorizontalRule& rule : horizontal_rules()) rule.run(fusion);
  Fused result;
  result.kernels = emit_groups(fusion);
  std::ranges::sort(fusion.guards);
  fusion.guards.erase(std::ranges::unique(fusion.guards).begin(), fusion.guards.end());
  result.guards = std::move(fusion.guards);
  return result;
}

}  // namespace tessera::schedule
