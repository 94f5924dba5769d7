// Decides which results share the memory of what they are made from.
#include "schedule/in_place.h"

#include <algorithm>

#include "base/ints.h"
#include "graph/op.h"
#include "schedule/ranges.h"

namespace tessera::schedule {

namespace {

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

/// A map that writes node `from` out as node `to`, of the same type and size.
Kernel copy_kernel(const Graph& graph, int from, int to) {
  Kernel copy;
  copy.domain = from;
  const DType dtype = graph.node(from).dtype();
  copy.inputs = {{from, dtype}};
  copy.outputs = {{to, dtype}};
  copy.indices = {{}};
  copy.instrs = {{Instr::Kind::kLoad, kInputOp, dtype, false, 0, 0, -1, {}}};
  copy.stores = {{0, 0, false}};
  return copy;
}

/// Gives input `at` of a kernel, and of the part that it belongs to, another node.
void set_input(Kernel& kernel, std::size_t at, int node) {
  kernel.inputs[at].node = node;
  for (Kernel& part : kernel.parts) {
    if (at < part.inputs.size()) {
      part.inputs[at].node = node;
      return;
    }
    at -= part.inputs.size();
  }
}

}  // namespace

std::vector<int> last_readers(const Plan& plan, const Graph& graph) {
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  std::vector<int> last(graph.entries.size(), -1);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& slot : plan.kernels[k].inputs) {
      last[as_index(slot.node)] = last[as_index(ranges[as_index(slot.node)].base)] = static_cast<int>(k);
    }
  }
  return last;
}

void place_updates(Plan& plan, const Graph& graph, const std::vector<int>& donated) {
  if (std::ranges::all_of(plan.kernels, [](const Kernel& k) { return k.aliases.empty(); })) return;
  std::vector<char> owned(graph.entries.size(), 0);
  for (const Kernel& kernel : plan.kernels) {
    for (const Slot& slot : kernel.outputs) owned[as_index(slot.node)] = 1;
  }
  for (const int n : donated) owned[as_index(n)] = 1;
  for (const int root : graph.roots) owned[as_index(root)] = 0;
  const std::vector<int> last_reader = last_readers(plan, graph);
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  std::vector<Kernel> kernels;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    Kernel kernel = std::move(plan.kernels[k]);
    for (const auto& [in, out] : kernel.aliases) {
      const int base = kernel.inputs[as_index(in)].node;
      const bool alone = std::ranges::count_if(kernel.inputs, [&](const Slot& x) {
                           return x.node == base || ranges[as_index(x.node)].base == base;
                         }) == 1;
      if (owned[as_index(base)] != 0 && last_reader[as_index(base)] == static_cast<int>(k) && alone) continue;
      const int node = kernel.outputs[as_index(out)].node;
      kernels.push_back(copy_kernel(graph, base, node));
      set_input(kernel, as_index(in), node);
    }
    kernels.push_back(std::move(kernel));
  }
  plan.kernels = std::move(kernels);
}

void place_donated(Plan& plan, const Graph& graph, const std::vector<int>& donated, const DeviceInfo& device) {
  if (donated.empty()) return;
  std::vector<char> given(graph.entries.size(), 0);
  for (const int n : donated) given[as_index(n)] = 1;
  const std::vector<int> last_reader = last_readers(plan, graph);
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    Kernel& kernel = plan.kernels[k];
    // Its loop nest may run again for each range of the tensor that it updates, and would load what it stored.
    const bool repeats = std::ranges::any_of(kernel.stores, [](const Store& x) { return x.at >= 0; });
    if (repeats && device.type != DeviceType::kCpu) continue;
    std::vector<char> taken(kernel.outputs.size(), 0);
    std::vector<char> gone(kernel.inputs.size(), 0);
    for (const auto& [in, out] : kernel.aliases) taken[as_index(out)] = gone[as_index(in)] = 1;
    for (std::size_t out = 0; out < kernel.outputs.size(); ++out) {  // pieces are in their arena
      if (ranges[as_index(kernel.outputs[out].node)].part) taken[out] = 1;
    }
    // A dispatch must not bind parts of one buffer for reading and for writing.
    const auto read_in_parts = [&](int node) {
      return std::ranges::any_of(
          kernel.inputs, [&](const Slot& x) { return x.node != node && ranges[as_index(x.node)].base == node; });
    };
    for (std::size_t in = 0; in < kernel.inputs.size(); ++in) {
      const Slot& slot = kernel.inputs[in];
      if (given[as_index(slot.node)] == 0 || gone[in] != 0) continue;
      if (last_reader[as_index(slot.node)] != static_cast<int>(k) || read_in_parts(slot.node)) continue;
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

std::vector<int> shared_memory(const Plan& plan, const Graph& graph) {
  std::vector<int> first(graph.entries.size());
  const std::vector<MemoryRange> ranges = memory_ranges(graph);
  for (std::size_t n = 0; n < first.size(); ++n) first[n] = ranges[n].base;
  for (const Kernel& kernel : plan.kernels) {
    for (const auto& [in, out] : kernel.aliases) {
      first[as_index(kernel.outputs[as_index(out)].node)] = first[as_index(kernel.inputs[as_index(in)].node)];
    }
  }
  return first;
}

}  // namespace tessera::schedule
