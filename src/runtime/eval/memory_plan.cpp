// Places the results of a plan's kernels, in the order of the kernels.
#include "runtime/eval/memory_plan.h"

#include <deque>
#include <map>

#include "base/ints.h"
#include "graph/op.h"
#include "runtime/memory/new_storage.h"
#include "runtime/memory/pool.h"
#include "schedule/in_place.h"

namespace tessera::runtime {

namespace {

/// Where several nodes share memory, it is a donated input's, a result's, or the first one's.
std::vector<int> holders(const schedule::Plan& plan, const Graph& graph, std::span<const int> donated) {
  const std::vector<int> first = schedule::shared_memory(plan, graph);
  std::vector<int> holder(graph.entries.size(), -1);
  for (const int n : graph.roots) holder[as_index(first[as_index(n)])] = n;
  for (const int n : donated) holder[as_index(n)] = n;
  for (std::size_t n = 0; n < holder.size(); ++n) {
    if (holder[as_index(first[n])] < 0) holder[as_index(first[n])] = first[n];
  }
  for (std::size_t n = 0; n < holder.size(); ++n) {
    if (as_index(first[n]) != n) holder[n] = holder[as_index(first[n])];
  }
  return holder;
}

/// By kernel: donated inputs that it reads last, and that no result is written into.
std::vector<std::vector<int>> free_after(const schedule::Plan& plan, const Graph& graph, std::span<const int> donated) {
  std::vector<std::vector<int>> result(plan.kernels.size());
  const std::vector<int> last_reader = schedule::last_readers(plan, graph);
  std::vector<char> given(graph.entries.size(), 0);
  for (const Kernel& kernel : plan.kernels) {
    for (const auto& [in, out] : kernel.aliases) given[as_index(kernel.inputs[as_index(in)].node)] = 1;
  }
  for (const int n : donated) {
    const int last = last_reader[as_index(n)];
    if (given[as_index(n)] == 0 && last >= 0) result[as_index(last)].push_back(n);
  }
  return result;
}

}  // namespace

MemoryPlan plan_memory(const schedule::Plan& plan, const Graph& graph, std::span<const int> donated) {
  MemoryPlan memory;
  memory.holder = holders(plan, graph, donated);
  memory.owned.assign(graph.entries.size(), -1);
  std::vector<char> is_root(graph.entries.size(), 0);
  for (const int r : graph.roots) is_root[as_index(r)] = 1;
  std::vector<char> placed(graph.entries.size(), 0);  // memory is allocated, or is an input's
  for (const int n : donated) placed[as_index(n)] = 1;
  const std::vector<std::vector<int>> freed = free_after(plan, graph, donated);
  std::map<std::size_t, std::deque<int>> idle;      // by size: intermediates whose last use has passed
  std::map<std::size_t, std::deque<int>> given_up;  // by size: donated inputs that nobody reads any more
  const auto bytes_of = [&](int n) { return storage_bytes(graph.node(n).numel(), graph.node(n).dtype()); };
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& output : plan.kernels[k].outputs) {
      const int in = memory.holder[as_index(output.node)];
      if (graph[in].op() == Op::kInput) memory.taken.emplace_back(in, output.node);
      if (placed[as_index(in)] != 0) continue;
      placed[as_index(in)] = 1;
      if (is_root[as_index(in)] != 0) {
        // Into the buffer of a donated input of this size, if its readers are done.
        if (auto& same_size = given_up[bytes_of(in)]; !same_size.empty()) {
          memory.taken.emplace_back(same_size.front(), in);
          same_size.pop_front();
        } else {
          memory.made.push_back(in);
        }
        continue;
      }
      const std::size_t size = Pool::size_class(bytes_of(in));
      if (auto& same_size = idle[size]; !same_size.empty()) {
        memory.owned[as_index(in)] = same_size.front();
        same_size.pop_front();
      } else {
        memory.owned[as_index(in)] = static_cast<int>(memory.sizes.size());
        memory.sizes.push_back(size);
      }
    }
    for (const int n : freed[k]) given_up[bytes_of(n)].push_back(n);
    for (const int n : plan.last_use[k]) {
      const int buffer = memory.owned[as_index(memory.holder[as_index(n)])];
      if (buffer >= 0) idle[memory.sizes[as_index(buffer)]].push_back(buffer);
    }
  }
  return memory;
}

}  // namespace tessera::runtime
