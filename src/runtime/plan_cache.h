// The plans of a device, found by key and guards.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/lru_cache.h"
#include "schedule/plan.h"

namespace tessera::runtime {

struct PlanStats {
  std::uint64_t plans = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
};

/// Safe from any thread. Plans are shared: one may be evicted while another thread still runs it.
class PlanCache {
 public:
  std::shared_ptr<const schedule::Plan> find_or_make(const Graph& graph, const std::vector<int>& donated,
                                                     const DeviceInfo& device);
  [[nodiscard]] PlanStats stats() const;
  void clear();

 private:
  static constexpr std::size_t kMost = 2048;
  mutable std::mutex mutex_;
  LruCache<std::vector<std::shared_ptr<const schedule::Plan>>> plans_{kMost};
  PlanStats stats_;
};

}  // namespace tessera::runtime
