// Places the results of a plan's kernels, in the order of the kernels.
#include "runtime/eval/memory_plan.h"

#include <algorithm>
#include <deque>
#include <limits>
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

constexpr std::size_t kLarge = std::size_t{1} << 16U;  // bytes: smaller values share buffers one after the other
constexpr std::size_t kAlignment = 256;                // of ranges, where a binding may begin on every adapter

/// A large intermediate: the kernels from the first that writes it to the last that reads it.
struct Value {
  int node;
  std::size_t bytes;
  std::size_t first, last;
};

/// Places large values, the largest first: each into the smallest gap that is free for its whole life, else into a
/// buffer of its own.
class PlaceLarge {
 public:
  PlaceLarge(const schedule::Plan& plan, MemoryPlan& memory, const std::vector<Value>& values)
      : memory_(memory), values_(values), clashes_(values.size()), buffer_(values.size(), -1) {
    std::vector<int> value_of(memory.holder.size(), -1);
    for (std::size_t v = 0; v < values.size(); ++v) value_of[as_index(values[v].node)] = static_cast<int>(v);
    const auto value = [&](const Slot& slot) { return value_of[as_index(memory.holder[as_index(slot.node)])]; };
    for (const Kernel& kernel : plan.kernels) {
      for (const Slot& output : kernel.outputs) {
        const int to = value(output);
        if (to < 0) continue;
        for (const Slot& input : kernel.inputs) {
          const int from = value(input);
          if (from < 0 || from == to) continue;
          clashes_[as_index(from)].push_back(to);
          clashes_[as_index(to)].push_back(from);
        }
      }
    }
  }

  void run() {
    std::vector<std::size_t> order(values_.size());
    for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t v) { return values_[v].bytes; });
    for (const std::size_t v : order) place(v);
  }

 private:
  struct Gap {
    std::size_t buffer = 0, offset = 0;
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
  };

  void place(std::size_t v) {
    Gap best;
    for (std::size_t b = 0; b < inside_.size(); ++b) {
      if (std::ranges::none_of(clashes_[v], [&](int other) { return buffer_[as_index(other)] == static_cast<int>(b); }))
        find_gap(v, b, best);
    }
    if (best.bytes == std::numeric_limits<std::size_t>::max()) {
      best.buffer = inside_.size();
      inside_.emplace_back();
      first_.push_back(static_cast<int>(memory_.sizes.size()));
      memory_.sizes.push_back(Pool::size_class(values_[v].bytes));
    }
    buffer_[v] = static_cast<int>(best.buffer);
    inside_[best.buffer].push_back(v);
    memory_.owned[as_index(values_[v].node)] = first_[best.buffer];
    memory_.offsets[as_index(values_[v].node)] = best.offset;
  }

  /// Replaces `best` by a gap of buffer b that is smaller and holds value v.
  void find_gap(std::size_t v, std::size_t b, Gap& best) {
    const Value& value = values_[v];
    used_.clear();
    for (const std::size_t other : inside_[b]) {
      const Value& o = values_[other];
      if (o.first > value.last || o.last < value.first) continue;
      const std::size_t from = memory_.offsets[as_index(o.node)];
      used_.emplace_back(from, round_up(from + o.bytes, kAlignment));
    }
    std::ranges::sort(used_);
    used_.emplace_back(memory_.sizes[as_index(first_[b])], 0);
    std::size_t free = 0;
    for (const auto& [from, to] : used_) {
      if (from >= free + value.bytes && from - free < best.bytes) best = {b, free, from - free};
      free = std::max(free, to);
    }
  }

  MemoryPlan& memory_;
  const std::vector<Value>& values_;
  std::vector<std::vector<int>> clashes_;         // by value: others that a kernel reads while it writes it, or writes
  std::vector<int> buffer_;                       // by value
  std::vector<std::vector<std::size_t>> inside_;  // by buffer: values
  std::vector<int> first_;                        // by buffer: its position in the plan
  std::vector<std::pair<std::size_t, std::size_t>> used_;
};

}  // namespace

MemoryPlan plan_memory(const schedule::Plan& plan, const Graph& graph, std::span<const int> donated) {
  MemoryPlan memory;
  memory.holder = holders(plan, graph, donated);
  memory.owned.assign(graph.entries.size(), -1);
  memory.offsets.assign(graph.entries.size(), 0);
  std::vector<char> is_root(graph.entries.size(), 0);
  for (const int r : graph.roots) is_root[as_index(r)] = 1;
  std::vector<char> placed(graph.entries.size(), 0);  // memory is allocated, or is an input's
  for (const int n : donated) placed[as_index(n)] = 1;
  const std::vector<std::vector<int>> freed = free_after(plan, graph, donated);
  std::map<std::size_t, std::deque<int>> idle;      // by size: intermediates whose last use has passed
  std::map<std::size_t, std::deque<int>> given_up;  // by size: donated inputs that nobody reads any more
  std::vector<Value> large;
  std::vector<int> large_of(graph.entries.size(), -1);
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
      if (bytes_of(in) >= kLarge) {
        large_of[as_index(in)] = static_cast<int>(large.size());
        large.push_back({in, bytes_of(in), k, plan.kernels.size()});
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
      const int holder = memory.holder[as_index(n)];
      if (const int value = large_of[as_index(holder)]; value >= 0) large[as_index(value)].last = k;
      const int buffer = memory.owned[as_index(holder)];
      if (buffer >= 0) idle[memory.sizes[as_index(buffer)]].push_back(buffer);
    }
  }
  PlaceLarge(plan, memory, large).run();
  return memory;
}

}  // namespace tessera::runtime
