// Placement: the decision for one graph.
#include "runtime/placement.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "graph/op_name.h"
#include "runtime/device.h"
#include "runtime/placement_store.h"
#include "runtime/storage.h"

namespace tessera::runtime {

namespace {

std::uint64_t bytes_of(const Node& n) { return static_cast<std::uint64_t>(n.numel()) * size_of(n.dtype()); }

}  // namespace

std::uint64_t threshold_of(const PlacementSpeeds& speeds) {
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 10U;
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  std::uint64_t best = kLeast;
  for (std::uint64_t bytes = kLeast; bytes <= kMost; bytes += bytes / 4) {
    schedule::Work work;
    work.kernels = 1;
    work.moved = 2.0 * static_cast<double>(bytes);
    if (predict(work, work.moved, speeds.host) <= predict(work, work.moved, speeds.device)) best = bytes;
  }
  return best * 5 / 4 > kMost ? kMost : best;
}

const PlacementSpeeds& Placer::speeds() {
  std::call_once(measured_, [this] {
    const std::string key = placement_key(device_.info());
    if (const auto known = load_speeds(key)) {
      speeds_ = *known;
    } else {
      speeds_ = measure_speeds(device_);
      store_speeds(key, speeds_);
      log_info("placement measured for {}: one map of 16 elements takes {:.0f} us there and {:.0f} us on the host",
               device_.info().name, speeds_.device.light[0], speeds_.host.light[0]);
    }
    threshold_ = threshold_of(speeds_);
  });
  return speeds_;
}

std::uint64_t Placer::threshold() {
  if (device_.config().placement_threshold != 0) return device_.config().placement_threshold;
  speeds();
  return threshold_;
}

bool Placer::on_host(const Graph& graph) {
  const bool by_size = device_.config().placement_threshold != 0;
  const std::uint64_t most = threshold();
  bool small = true;
  double transfer = 0;
  for (const Graph::Entry& e : graph.entries) {
    if (e.op() == Op::kInput) {
      if (e.storage == nullptr || e.storage->host() == nullptr) return false;  // not a choice: its data is elsewhere
      if (!e.storage->valid_on_device()) transfer += static_cast<double>(bytes_of(*e.node));
    }
    small = small && bytes_of(*e.node) <= most;
  }
  PlacementDecision decision{.what = {}, .on_host = small};
  if (small && !by_size) {
    for (const int root : graph.roots) transfer += static_cast<double>(bytes_of(graph.node(root)));
    const schedule::Work work = schedule::work_of(graph);
    decision.host_us = predict(work, work.moved, speeds().host);
    decision.device_us = predict(work, transfer, speeds().device);
    decision.on_host = decision.host_us <= decision.device_us;
  }
  (decision.on_host ? on_host_ : on_device_).fetch_add(1, std::memory_order_relaxed);
  if (recording_.load(std::memory_order_relaxed)) {
    decision.what = op_name(graph[graph.roots[0]].op());
    const std::lock_guard lock(mutex_);
    decisions_.push_back(decision);
  }
  return decision.on_host;
}

void Placer::set_recording(bool on) {
  recording_ = on;
  const std::lock_guard lock(mutex_);
  decisions_.clear();
}

std::vector<PlacementDecision> Placer::take_decisions() {
  const std::lock_guard lock(mutex_);
  return std::exchange(decisions_, {});
}

}  // namespace tessera::runtime
