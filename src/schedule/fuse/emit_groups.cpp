// Emission: the kernels of all groups, in the order in which they run.
#include <algorithm>
#include <iterator>

#include "base/pass_timer.h"
#include "schedule/fuse/merge.h"
#include "schedule/fuse/order.h"
#include "schedule/lower/emit.h"

namespace tessera::schedule {

namespace {

Kernel custom_kernel(const Graph& graph, const Group& group) {
  Kernel kernel;
  kernel.kind = group.kind;
  kernel.domain = group.domain;
  kernel.custom = graph.node(group.domain).custom().call->kernel;
  for (const int in : graph[group.domain].inputs) kernel.inputs.push_back({in, graph.node(in).dtype()});
  for (const int n : group.nodes) kernel.outputs.push_back({n, graph.node(n).dtype()});
  return kernel;
}

/// The kernel of group `i`, which is `owner` or a part of it.
Kernel emit_group(Fusion& fusion, int i, int owner) {
  const Group& group = fusion.groups[i];
  if (!group.parts.empty()) {
    Kernel batch;
    batch.kind = Kernel::Kind::kGrouped;
    for (const int p : group.parts) {
      batch.parts.push_back(emit_group(fusion, p, owner));
      const Kernel& part = batch.parts.back();
      batch.inputs.insert(batch.inputs.end(), part.inputs.begin(), part.inputs.end());
      batch.outputs.insert(batch.outputs.end(), part.outputs.begin(), part.outputs.end());
    }
    return batch;
  }
  if (group.kind == Kernel::Kind::kCustom) return custom_kernel(fusion.graph, group);
  EmitRequest request{fusion.graph, group.kind, group.domain, group.nodes, {}, fusion.row, fusion.guards};
  std::ranges::copy_if(group.nodes, std::back_inserter(request.stored),
                       [&](int n) { return fusion.groups.is_stored(n, owner); });
  request.grouped = &fusion.groups.all_computed();
  return emit(request);
}

}  // namespace

std::vector<Kernel> emit_groups(Fusion& fusion) {
  const PassTimer timer("emit");
  const Groups& groups = fusion.groups;
  std::vector<int> owners;  // groups that stand for themselves
  std::vector<Stage> stages;
  for (int i = 0; i < groups.size(); ++i) {
    if (groups[i].merged) continue;
    Stage stage;
    for (const int n : groups[i].nodes) {
      for (const Read& r : groups.reads(n)) {
        if (groups.of(r.source) != i) stage.reads.push_back(r.source);
      }
      if (groups.is_stored(n, i)) stage.writes.push_back(n);
    }
    owners.push_back(i);
    stages.push_back(std::move(stage));
  }
  std::vector<Kernel> kernels;
  kernels.reserve(stages.size());
  for (const int s : order_stages(fusion.graph, stages))
    kernels.push_back(emit_group(fusion, owners[as_index(s)], owners[as_index(s)]));
  return kernels;
}

}  // namespace tessera::schedule
