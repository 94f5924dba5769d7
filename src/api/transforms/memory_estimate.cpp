// Estimates of device memory: the buffers of a memory plan with the names of what they hold.
#include "api/transforms/memory_estimate.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/op.h"
#include "runtime/eval/evaluate.h"
#include "runtime/eval/memory_plan.h"
#include "runtime/memory/new_storage.h"
#include "runtime/plan_cache.h"
#include "schedule/ranges.h"

namespace tessera {

namespace {

std::string described(const Node& n) { return fmt::format("{} {}", name(n.dtype()), n.shape().str()); }

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  const char* unit = "KiB";
  for (const char* next : {"MiB", "GiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

}  // namespace

MemoryEstimate estimate_memory(const PositionedTrace& trace, std::span<const Tensor> arguments,
                               const std::shared_ptr<runtime::Device>& device) {
  const Graph& graph = trace.graph;
  runtime::check_types(graph, device->info());
  runtime::check_kernels(graph, device->info());
  const auto plan = device->plans().find_or_make(graph, trace.donated, device->info());
  const runtime::MemoryPlan memory = runtime::plan_memory(*plan, graph, trace.donated);
  const auto bytes_of = [](const Node& n) { return std::uint64_t{runtime::storage_bytes(n.numel(), n.dtype())}; };
  MemoryEstimate result;
  const auto add = [&](std::uint64_t& sum, const char* kind, std::string text, std::uint64_t bytes) {
    sum += bytes;
    result.peak += bytes;
    result.holders.push_back({std::move(text), kind, bytes});
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    add(result.arguments, "arguments", fmt::format("argument {}", i), bytes_of(*arguments[i].node()));
  }
  std::unordered_set<int> is_argument(trace.inputs.begin(), trace.inputs.end());
  for (int n = 0; n < graph.size(); ++n) {
    if (graph[n].op() != Op::kInput || schedule::is_range(graph[n]) || is_argument.contains(n)) continue;
    add(result.constants, "constants", "constant " + described(graph.node(n)), bytes_of(graph.node(n)));
  }
  for (const int n : memory.made) {
    const auto at = std::ranges::find(graph.roots, n) - graph.roots.begin();
    add(result.results, "results", fmt::format("result {}", at), bytes_of(graph.node(n)));
  }
  // A buffer has the name of the largest value that it holds.
  std::vector<std::pair<std::uint64_t, std::string>> largest(memory.sizes.size());
  for (const Kernel& kernel : plan->kernels) {
    for (const Slot& output : kernel.outputs) {
      const int holder = memory.holder[as_index(output.node)];
      const int buffer = memory.owned[as_index(holder)];
      const bool arena = graph[holder].op() == Op::kPack;
      const Node& value = graph.node(arena ? holder : output.node);
      if (buffer < 0 || bytes_of(value) <= largest[as_index(buffer)].first) continue;
      largest[as_index(buffer)] = {bytes_of(value), (arena ? "arena" : kernel.label()) + " " + described(value)};
    }
  }
  for (std::size_t b = 0; b < memory.sizes.size(); ++b) {
    add(result.intermediates, "intermediates", largest[b].second, memory.sizes[b]);
  }
  std::ranges::stable_sort(result.holders, std::greater(), &MemoryEstimate::Holder::bytes);
  return result;
}

std::string MemoryEstimate::str(std::size_t most) const {
  std::string text = fmt::format("peak {}\n", bytes_text(peak));
  const std::pair<const char*, std::uint64_t> sums[] = {{"parameters", parameters}, {"optimizer", optimizer},
                                                        {"arguments", arguments},   {"constants", constants},
                                                        {"results", results},       {"intermediates", intermediates}};
  for (const auto& [kind, bytes] : sums) {
    if (bytes > 0) text += fmt::format("  {:<14} {:>10}\n", kind, bytes_text(bytes));
  }
  for (std::size_t i = 0; i < std::min(most, holders.size()); ++i) {
    text += fmt::format("{:>12}  {}\n", bytes_text(holders[i].bytes), holders[i].name);
  }
  return text;
}

}  // namespace tessera
