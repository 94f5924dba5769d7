// Placement: the decision for one graph.
#include "runtime/placement/placement.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/log.h"
#include "graph/op.h"
#include "graph/op_name.h"
#include "runtime/device.h"
#include "runtime/memory/storage.h"
#include "runtime/placement/placement_store.h"

namespace tessera::runtime {

namespace {

/// This thread's decision whose read is still to come.
struct Pending {
  const Placer* placer = nullptr;
  bool on_host = false;
  std::size_t bucket = 0;
  double predicted = 0;
  std::uint64_t compiled = 0;
};
thread_local Pending pending;

constexpr float kLearn = 0.25F;   // weight of a new error
constexpr float kForget = 0.02F;  // decay of the other side's error, so that it is tried again eventually
constexpr float kLargest = 3;

std::uint64_t bytes_of(const Node& n) { return static_cast<std::uint64_t>(n.numel()) * size_of(n.dtype()); }

}  // namespace

std::uint64_t threshold_of(const PlacementSpeeds& speeds) {
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 10U;
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  std::uint64_t best = kLeast;
  for (std::uint64_t bytes = kLeast; bytes <= kMost; bytes += bytes / 4) {
    schedule::GraphWork work;
    work.kernels = 1;
    work.moved = 2.0 * static_cast<double>(bytes);
    // Larger data is uploaded at once, without a copy in host memory.
    const double host = predict(work, work.moved, speeds.host) + predict_arrival(work.moved / 2, speeds.host);
    if (host <= predict(work, work.moved, speeds.device)) best = bytes;
  }
  return best * 5 / 4 > kMost ? kMost : best;
}

const PlacementSpeeds& Placer::speeds() {
  std::call_once(measured_, [this] {
    const std::string key = placement_key(device_.info());
    if (const auto known = load_speeds(key)) {
      speeds_ = *known;
    } else {
      const Pool::Quiet alone;  // no callbacks of the user while others wait for the measurement
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
      if (e.storage == nullptr || e.storage->host() == nullptr) return false;  // no choice: the data is on the device
      if (!e.storage->valid_on_device()) transfer += static_cast<double>(bytes_of(*e.node));
    }
    if (e.op() == Op::kCustom) return false;  // unknown cost, and WGSL is meant for the device
    if (e.op() == Op::kCall && !schedule::flops_of(graph, e)) return false;
    small = small && bytes_of(*e.node) <= most;
  }
  PlacementDecision decision{.what = {}, .on_host = small};
  if (small && !by_size) {
    for (const int root : graph.roots) transfer += static_cast<double>(bytes_of(graph.node(root)));
    const schedule::GraphWork work = schedule::work_of(graph);
    const auto bucket = std::min<std::size_t>(std::bit_width(static_cast<std::uint64_t>(work.moved)), kBuckets - 1);
    const double host = predict(work, work.moved, speeds().host);
    const double gpu = predict(work, transfer, speeds().device);
    decision.host_us = host * (1 + host_error_[bucket]);
    decision.device_us = gpu * (1 + device_error_[bucket]);
    decision.on_host = decision.host_us <= decision.device_us;
    pending = {
        .placer = this, .on_host = decision.on_host, .bucket = bucket, .predicted = decision.on_host ? host : gpu};
    if (!decision.on_host) pending.compiled = device_.compile_stats().misses;
  }
  (decision.on_host ? on_host_ : on_device_).fetch_add(1, std::memory_order_relaxed);
  if (recording_.load(std::memory_order_relaxed)) {
    decision.what = op_name(graph[graph.roots[0]].op());
    const std::lock_guard lock(mutex_);
    decisions_.push_back(decision);
  }
  return decision.on_host;
}

void Placer::observe(std::chrono::steady_clock::time_point since) {
  const Pending read = std::exchange(pending, {});
  if (read.placer != this) return;
  if (!read.on_host && device_.compile_stats().misses != read.compiled) return;  // the read included a compilation
  const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - since).count();
  const auto error = static_cast<float>(us / read.predicted - 1);
  std::atomic<float>& own = (read.on_host ? host_error_ : device_error_)[read.bucket];
  std::atomic<float>& other = (read.on_host ? device_error_ : host_error_)[read.bucket];
  // A race between two threads may lose an update, which is harmless.
  own = own + kLearn * (std::clamp(error, -0.75F, kLargest) - own);
  other = other * (1 - kForget);
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
