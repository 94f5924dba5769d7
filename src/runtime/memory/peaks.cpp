// Finds the peak of a plan from its kernels and last uses.
#include "runtime/memory/peaks.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/op_name.h"
#include "runtime/memory/new_storage.h"
#include "runtime/watched.h"
#include "schedule/ranges.h"

namespace tessera::runtime {

namespace {

Watched<std::optional<Peak>>& watched() { return Watched<std::optional<Peak>>::all(); }

}  // namespace

Peak peak_of(const schedule::Plan& plan, const Graph& graph) {
  const auto bytes_of = [&](int n) {
    return static_cast<std::uint64_t>(storage_bytes(graph.node(n).numel(), graph.node(n).dtype()));
  };
  const std::vector<schedule::MemoryRange> ranges = schedule::memory_ranges(graph);
  std::vector<char> live(graph.entries.size(), 0);
  std::vector<char> fullest;
  Peak peak;
  std::uint64_t now = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    for (const Slot& slot : plan.kernels[k].outputs) {
      const int memory = ranges[as_index(slot.node)].base;
      if (live[as_index(memory)] != 0) continue;
      live[as_index(memory)] = 1;
      now += bytes_of(memory);
    }
    if (now > peak.bytes) {
      peak.bytes = now;
      peak.kernel = plan.kernels[k].label();
      fullest = live;
    }
    for (const int n : plan.last_use[k]) {
      if (live[as_index(n)] == 0) continue;
      live[as_index(n)] = 0;
      now -= bytes_of(n);
    }
  }
  for (std::size_t n = 0; n < fullest.size(); ++n) {
    if (fullest[n] == 0) continue;
    const Node& node = *graph.entries[n].node;
    peak.holders.push_back({fmt::format("{} {}{}", op_name(node.op()), name(node.dtype()), node.shape().str()),
                            bytes_of(static_cast<int>(n))});
  }
  std::stable_sort(peak.holders.begin(), peak.holders.end(),
                   [](const Peak::Holder& a, const Peak::Holder& b) { return a.bytes > b.bytes; });
  return peak;
}

void watch_peaks(const Device& device, bool on) { watched().watch(device, on); }

void note_peak(const Device& device, const schedule::Plan& plan, const Graph& graph) {
  watched().record(device, [&](std::optional<Peak>& most) {
    Peak peak = peak_of(plan, graph);
    if (!most.has_value() || peak.bytes > most->bytes) most = std::move(peak);
  });
}

std::optional<Peak> take_peak(const Device& device) { return watched().take(device); }

}  // namespace tessera::runtime
