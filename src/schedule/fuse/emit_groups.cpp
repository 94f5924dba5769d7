// Emission: the kernels of all groups, in the order in which they run.
#include <algorithm>
#include <iterator>

#include "base/pass_timer.h"
#include "graph/op.h"
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
  for (const int n : group.nodes) {
    // Some of the results may not be in the graph.
    const int updates = kernel.custom->outputs[as_index(graph.node(n).custom().output)].updates;
    if (updates >= 0) kernel.aliases.emplace_back(updates, static_cast<int>(kernel.outputs.size()));
    kernel.outputs.push_back({n, graph.node(n).dtype()});
  }
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
      for (const auto& [in, out] : part.aliases) {
        batch.aliases.emplace_back(in + static_cast<int>(batch.inputs.size()),
                                   out + static_cast<int>(batch.outputs.size()));
      }
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
  request.recomputed = &fusion.groups.all_recomputed();
  return emit(request);
}

/// Groups that read what another one updates come before it, unless they depend on it: then it can be updated in place.
void place_readers_first(const Fusion& fusion, const std::vector<int>& owners, std::vector<Stage>& stages) {
  const Groups& groups = fusion.groups;
  if (std::ranges::none_of(owners, [&](int i) { return groups[i].puts; })) return;
  std::vector<std::vector<int>> readers(fusion.graph.entries.size());  // of a node: stages
  for (std::size_t s = 0; s < owners.size(); ++s) {
    for (const int n : groups[owners[s]].nodes) {
      for (const Read& r : groups.reads(n)) readers[as_index(r.source)].push_back(static_cast<int>(s));
      for (const int leaf : groups.leaf_reads(n)) readers[as_index(leaf)].push_back(static_cast<int>(s));
    }
  }
  // Along these edges the level and then the number grows, and along reads the level: there is no cycle.
  const auto rank = [&](std::size_t s) { return std::pair(groups[owners[s]].level, owners[s]); };
  for (std::size_t s = 0; s < owners.size(); ++s) {
    for (const int n : groups[owners[s]].nodes) {
      if (fusion.graph[n].op() != Op::kPut) continue;
      for (const int r : readers[as_index(fusion.graph[n].inputs[0])]) {
        if (rank(as_index(r)) < rank(s)) stages[s].after.push_back(r);
      }
    }
  }
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
  place_readers_first(fusion, owners, stages);
  std::vector<Kernel> kernels;
  kernels.reserve(stages.size());
  for (const int s : order_stages(fusion.graph, stages)) {
    const int owner = owners[as_index(s)];
    if (fusion.graph[groups[owner].domain].op() == Op::kPack) continue;  // its pieces are in place
    kernels.push_back(emit_group(fusion, owner, owner));
  }
  return kernels;
}

}  // namespace tessera::schedule
