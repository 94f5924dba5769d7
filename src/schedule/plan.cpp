// Plans: their keys, the lives of intermediates, and which outputs take over a donated input.
#include "schedule/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ints.h"
#include "base/pass_timer.h"
#include "graph/op.h"
#include "schedule/fuse/fuse.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

bool Plan::serves(const Graph& graph) const {
  const PassTimer timer("guards");
  return std::all_of(guards.begin(), guards.end(), [&](const Guard& guard) { return guard.holds(graph); });
}

namespace {

void append(std::string& key, int value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));  // compact: keys are compared, not read
}

/// Appends the layout of a matmul's operand: its kernel is written for it. Of an im2col view, the layouts over the
/// first pad, which may be in memory, and under it.
void append_operand(std::string& key, const Graph& graph, int node) {
  if (is_strided_operand(graph, node)) {
    key += strided_layout(graph, node).matrix_str();
    return;
  }
  int first = graph[node].inputs[0];
  while (graph[first].op() == Op::kView) first = graph[first].inputs[0];
  key += im2col_view(graph, node, first)->layout().str() + ';' + im2col_view(graph, node)->layout().str() + ';';
}

/// Whether an operand of a matmul reads the slot.
bool reads_slot(const Operand& x, int slot) {
  if (x.is_computed()) return std::ranges::find(x.sources, slot) != x.sources.end();
  const int count = x.is_dequantized() ? static_cast<int>(x.dequantizer->inputs.size()) : 1;
  return slot >= x.slot && slot < x.slot + count;
}

/// An input may become an output in place when every load of it is at the element that is then written: in maps and in
/// the epilogues of matmuls, which compute each result once.
bool loads_in_place(const Kernel& kernel, int slot) {
  if (kernel.kind == Kernel::Kind::kMatmul && (reads_slot(kernel.a, slot) || reads_slot(kernel.b, slot))) return false;
  return std::all_of(kernel.instrs.begin(), kernel.instrs.end(),
                     [&](const Instr& x) { return x.kind != Instr::Kind::kLoad || x.slot != slot || x.index == 0; });
}

/// Whether the kernel could write the element of an input that it loaded. Results of matmuls with several elements in a
/// word may be stored by atomic operations, which loads do not share.
bool updates_in_place(const Kernel& kernel, DType dtype, const DeviceInfo& device) {
  if (kernel.kind == Kernel::Kind::kMap) return !kernel.table.is_dequantized();
  return kernel.kind == Kernel::Kind::kMatmul &&
         (size_of(dtype) >= 4 || (dtype == DType::kF16 && device.features.f16) || device.type == DeviceType::kCpu);
}

void donate(Plan& plan, const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device) {
  if (donated.empty()) return;
  std::vector<char> given(graph.entries.size(), 0);
  for (const int n : donated) given[as_index(n)] = 1;
  std::vector<int> last_reader(graph.entries.size(), -1);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& slot : plan.kernels[k].inputs) last_reader[as_index(slot.node)] = static_cast<int>(k);
  }
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    Kernel& kernel = plan.kernels[k];
    std::vector<char> taken(kernel.outputs.size(), 0);
    for (std::size_t in = 0; in < kernel.inputs.size(); ++in) {
      const Slot& slot = kernel.inputs[in];
      if (given[as_index(slot.node)] == 0) continue;
      if (last_reader[as_index(slot.node)] != static_cast<int>(k)) continue;
      if (!updates_in_place(kernel, slot.dtype, device) || !loads_in_place(kernel, static_cast<int>(in))) continue;
      for (std::size_t out = 0; out < kernel.outputs.size(); ++out) {
        const Slot& target = kernel.outputs[out];
        // Sizes agree because a load at the element reads a tensor of the domain's size.
        if (taken[out] != 0 || target.dtype != slot.dtype) continue;
        kernel.aliases.emplace_back(static_cast<int>(in), static_cast<int>(out));
        taken[out] = 1;
        break;
      }
    }
  }
}

}  // namespace

std::string plan_key(const Graph& graph, const std::vector<int>& donated) {
  const PassTimer timer("key");
  std::string key;
  key.reserve(graph.entries.size() * 24);
  for (const Graph::Entry& e : graph.entries) {
    key += static_cast<char>(e.op());
    key += static_cast<char>(e.node->dtype());
    key += static_cast<char>(e.node->shape().rank());
    for (const int in : e.inputs) append(key, in);
    if (e.op() == Op::kView) {
      key += static_cast<char>(e.inputs.size());
      key += e.node->view().layout().str();
      key += graph.node(e.inputs[0]).numel() == 1 ? '1' : 'm';
    }
    if (e.op() == Op::kCustom) {
      const CustomResult& result = e.node->custom();
      key.append(reinterpret_cast<const char*>(&result.call->kernel->id), sizeof(result.call->kernel->id));
      append(key, result.output);
    }
    if (e.op() == Op::kCopy && e.node->in_ranges()) key += '\xff';
    if (e.op() == Op::kMatmul) {
      for (const int operand : e.inputs) append_operand(key, graph, operand);
    }
  }
  key += '|';
  for (const int root : graph.roots) append(key, root);
  key += '|';
  for (const int d : donated) append(key, d);
  return key;
}

Plan make_plan(const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device) {
  Fused fused = fuse(graph, device);
  const PassTimer timer("lifetimes");
  Plan plan;
  plan.key = plan_key(graph, donated);
  plan.guards = std::move(fused.guards);
  plan.kernels = std::move(fused.kernels);
  plan.last_use.resize(plan.kernels.size());
  std::vector<int> last(graph.entries.size(), -1);
  std::vector<char> made(graph.entries.size(), 0);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& slot : plan.kernels[k].inputs) last[as_index(slot.node)] = static_cast<int>(k);
    for (const Slot& slot : plan.kernels[k].outputs) {
      made[as_index(slot.node)] = 1;
      last[as_index(slot.node)] = static_cast<int>(k);  // a result that nobody reads
    }
  }
  for (const int root : graph.roots) last[as_index(root)] = -1;
  for (std::size_t n = 0; n < last.size(); ++n) {
    if (last[n] >= 0 && made[n] != 0) plan.last_use[as_index(last[n])].push_back(static_cast<int>(n));
  }
  donate(plan, graph, donated, device);
  return plan;
}

}  // namespace tessera::schedule
