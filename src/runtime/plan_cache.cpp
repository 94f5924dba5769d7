// Plan lookup: equal keys, and of those the first whose guards hold.
#include "runtime/plan_cache.h"

#include "base/log.h"

namespace tessera::runtime {

std::shared_ptr<const schedule::Plan> PlanCache::find_or_make(const Graph& graph, const std::vector<int>& donated,
                                                              const DeviceInfo& device) {
  const std::string key = schedule::plan_key(graph, donated);
  {
    const std::lock_guard lock(mutex_);
    if (const auto* known = plans_.find(key)) {
      for (const auto& plan : *known) {
        if (plan->serves(graph)) {
          ++stats_.hits;
          return plan;
        }
      }
    }
  }
  auto made =
      std::make_shared<schedule::Plan>(schedule::make_plan(graph, donated, device));  // outside the lock: it is slow
  std::vector<std::vector<std::shared_ptr<const schedule::Plan>>> evicted;            // destroyed outside of the lock
  const std::lock_guard lock(mutex_);
  made->id = static_cast<int>(++stats_.misses);
  plans_.put(key, {}, &evicted).push_back(made);
  log_debug("plan {}: {} nodes in {} kernels", made->id, graph.size(), made->kernels.size());
  for (const Kernel& kernel : made->kernels) log_debug("  {}", kernel.label());
  return made;
}

PlanStats PlanCache::stats() const {
  const std::lock_guard lock(mutex_);
  PlanStats stats = stats_;
  stats.plans = plans_.size();
  return stats;
}

void PlanCache::clear() {
  std::vector<std::vector<std::shared_ptr<const schedule::Plan>>> evicted;  // destroyed outside of the lock
  const std::lock_guard lock(mutex_);
  plans_.clear(&evicted);
  stats_ = {};
}

}  // namespace tessera::runtime
