// Workgroup sizes of custom kernels: measured, or by a heuristic.
#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>

#include "api/profiling.h"
#include "api/wgsl/wgsl_state.h"
#include "base/fail.h"
#include "graph/node.h"
#include "runtime/registry.h"

namespace tessera {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRuns = 5;

/// The kernel's best time in a few runs, after one that compiles it.
double measure(const WgslKernel& kernel, const std::vector<Tensor>& inputs, const WgslParams& params,
               runtime::Device& device) {
  const auto run = [&] {
    eval(kernel(inputs, params));
    device.wait();
  };
  run();
  double best = std::numeric_limits<double>::infinity();
  if (!device.info().features.timestamps || is_profiled(device)) {
    for (int i = 0; i < kRuns; ++i) {
      const auto start = Clock::now();
      run();
      best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return best;
  }
  device.set_profiling(true);
  struct Stop {
    runtime::Device& device;
    ~Stop() {
      try {
        device.set_profiling(false);
      } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a lost device has nothing to switch off
      }
    }
  } stop{device};
  for (int i = 0; i < kRuns; ++i) {
    run();
    for (const runtime::KernelTime& t : device.times()) {
      if (t.label == kernel.definition().name) best = std::min(best, t.duration_us);
    }
  }
  return best;
}

}  // namespace

WgslTuning tune_workgroup(const WgslKernel& kernel, const std::vector<Tensor>& inputs,
                          const std::vector<WgslSize>& candidates, const WgslParams& params) {
  const WgslDefinition& d = kernel.definition();
  if (candidates.empty()) fail(ErrorKind::kValue, "tune_workgroup: no candidates were given for kernel '{}'.", d.name);
  if (std::holds_alternative<WgslSize>(d.grid)) {
    fail(ErrorKind::kValue,
         "tune_workgroup: the grid of kernel '{}' is plain numbers, which do not follow the workgroup size; give a "
         "function.",
         d.name);
  }
  WgslKernel::State& state = *kernel.state();
  std::shared_ptr<runtime::Device> device;
  std::vector<TensorSpec> shapes;
  for (const Tensor& t : inputs) {
    if (t.defined() && device == nullptr) device = t.node()->device();
    if (t.defined()) shapes.push_back({t.dtype(), t.shape()});
  }
  if (device == nullptr) device = runtime::default_device();
  {
    const std::lock_guard lock(state.mutex);
    std::erase_if(state.tuned, [](const auto& t) { return t.device.expired(); });
    for (const auto& t : state.tuned) {
      if (t.device.lock() == device && t.inputs == shapes && t.candidates == candidates) return t.result;
    }
  }
  eval(inputs);
  WgslTuning result;
  std::string why;
  for (const WgslSize& size : candidates) {
    try {
      result.times.push_back({size, measure(kernel.with_workgroup(size), inputs, params, *device)});
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kLimit) throw;
      why = e.what();
    }
  }
  if (result.times.empty()) {
    throw Error(ErrorKind::kLimit,
                fmt::format("tune_workgroup: none of the {} candidates for kernel '{}' fits the device. {}",
                            candidates.size(), d.name, why),
                {.available = device->info().limits.max_workgroup_size, .op = d.name});
  }
  result.best = std::ranges::min_element(result.times, {}, &WgslTuning::Time::microseconds)->size;
  const std::lock_guard lock(state.mutex);
  state.tuned.push_back({device, std::move(shapes), candidates, result});
  return result;
}

std::uint32_t optimal_workgroup_size(const Device& device, std::uint64_t n) {
  const DeviceInfo& info = device.info();
  // Enough workgroups to fill a GPU take precedence over full ones, down to a few subgroups.
  constexpr std::uint64_t kGroups = 256;
  const std::uint32_t least = std::min(std::max(info.limits.subgroup_max, 32U), info.limits.max_workgroup_size);
  std::uint32_t size = info.workgroup_size != 0 ? info.workgroup_size : 256;
  size = std::bit_floor(std::min(size, info.limits.max_workgroup_size));
  while (size / 2 >= least && n < kGroups * size) size /= 2;
  return size;
}

}  // namespace tessera
