// Creates and destroys WebGPU devices.
#include "runtime/webgpu/device.h"

#include <algorithm>

#include "base/fail.h"
#include "base/log.h"
#include "base/os/system.h"
#include "runtime/webgpu/restoring.h"

namespace tessera::runtime {

namespace webgpu {

DeviceImpl::DeviceImpl(DeviceInfo info, const DeviceConfig& config, std::shared_ptr<Core> core,
                       const WGPULimits& limits)
    : WebGpuDevice(std::move(info), config),
      core_(std::move(core)),
      limits_(limits),
      pipeline_store_(core_, config.pipeline_cache),
      bind_groups_(core_),
      ring_(core_) {
  core_->in_flight().set_limit(config.max_in_flight);
  if (!config.deterministic) tuning_ = tuning_of(this->info());
  if (core_->api().wgpuQueueGetTimestampPeriod != nullptr) {
    tick_ns_ = core_->api().wgpuQueueGetTimestampPeriod(core_->queue());
  }
}

DeviceImpl::~DeviceImpl() {
  pipeline_store_.save();
  core_->shut_down();
  pool().trim();
}

void DeviceImpl::on_done(Done done) {
  const auto alive = core_->alive();
  core_->expect_end([core = core_, done = std::move(done)](const std::exception_ptr& failure) {
    done(failure != nullptr ? failure : core->peek_error());
  });
}

void DeviceImpl::wait() {
  counters().waits.fetch_add(1, std::memory_order_relaxed);
  free_dead_buffers();
  bool reports = false;
  {
    const std::lock_guard lock(submit_mutex_);
    reports = reports_pending_;
  }
  if (reports) wait_for(*this, [&](Done done) { download({}, std::move(done)); });
  core_->wait();
}

SubmitStats DeviceImpl::submit_stats() const {
  const std::lock_guard lock(submit_mutex_);
  return {.submissions = submissions_,
          .dispatches = dispatches_,
          .provider_ms = std::chrono::duration<double, std::milli>(provider_time_).count(),
          .in_flight = core_->lost() ? 0 : core_->in_flight().count(),
          .throttled = core_->throttled(),
          .bind_groups = bind_groups_.size(),
          .bind_group_hits = bind_groups_.hits(),
          .bind_group_misses = bind_groups_.misses(),
          .param_writes = ring_.writes()};
}

WebGpuStats DeviceImpl::webgpu_stats() const {
  const SubmitStats submitted = submit_stats();
  const std::lock_guard lock(submit_mutex_);
  return {submitted, ring_.wraps(), ring_.size()};
}

namespace {

// Requests everything, then without experimental features, without features, and with the standard's limits only.
std::shared_ptr<Core> request_device(const Provider& provider, const Adapter& adapter) {
  std::vector<WGPUFeatureName> sure = adapter.useful;
  std::erase_if(sure, [&](WGPUFeatureName id) { return std::ranges::count(adapter.experimental, id) > 0; });
  struct Wish {
    std::vector<WGPUFeatureName> features;
    const char* name;
  };
  std::vector<Wish> wishes{{adapter.useful, "all"}, {sure, "no experimental"}, {{}, "no"}};
  if (adapter.experimental.empty()) wishes.erase(wishes.begin() + 1);
  std::string first_reason;
  for (const bool full_limits : {true, false}) {
    for (const Wish& wish : wishes) {
      auto core = std::make_shared<Core>(provider, adapter.info.name);
      WGPUDeviceDescriptor wanted = WGPU_DEVICE_DESCRIPTOR_INIT;
      wanted.requiredFeatureCount = wish.features.size();
      wanted.requiredFeatures = wish.features.data();
      if (full_limits) wanted.requiredLimits = &adapter.limits;
      std::string why;
      if (core->request(adapter.handle.get(), wanted, why)) {
        if (!first_reason.empty()) {
          log_warn("{} gave a device only with {} limits and {} features: {}.", adapter.info.name,
                   full_limits ? "full" : "default", wish.name, first_reason);
        }
        return core;
      }
      if (first_reason.empty()) first_reason = why;
    }
  }
  fail(ErrorKind::kDevice, "The adapter {} gives no device: {}.", adapter.info.name, first_reason);
}

}  // namespace

std::shared_ptr<DeviceImpl> make_impl(const DeviceConfig& config, std::size_t index) {
  const Provider& provider = Provider::get(config);
  const Adapters adapters = adapters_of(provider);
  if (index >= adapters->size()) {
    fail(ErrorKind::kDevice, "There is no adapter webgpu:{}; there are {}.", index, adapters->size());
  }
  const Adapter& adapter = (*adapters)[index];
  auto core = request_device(provider, adapter);
  const Functions& api = core->api();
  WGPULimits limits = WGPU_LIMITS_INIT;
  api.wgpuDeviceGetLimits(core->device(), &limits);
  const auto has = [&](int feature) {
    return api.wgpuDeviceHasFeature(core->device(), static_cast<WGPUFeatureName>(feature)) != 0;
  };
  DeviceInfo info = adapter.info;
  info.limits = limits_of(limits, info.limits);
  if (config.max_binding_size != 0) {
    info.limits.max_storage_binding_size = std::min(info.limits.max_storage_binding_size, config.max_binding_size);
  }
  info.features.f16 &= has(WGPUFeatureName_ShaderF16);
  info.features.subgroups &= has(WGPUNativeFeature_Subgroup) || has(WGPUFeatureName_Subgroups);
  info.features.timestamps &= has(WGPUFeatureName_TimestampQuery);
  info.features.i64 &= has(WGPUNativeFeature_ShaderInt64);
  info.features.trusted &= !config.debug;
  info.reduced_precision = config.reduced_precision;
  info.half_sums = config.half_sums;
  info.workgroup_size = config.workgroup_size;
  if (!has(WGPUNativeFeature_CooperativeMatrix)) info.matrices.clear();
  if (const auto disabled = os::environment("TESSERA_DISABLE")) {  // for tests of devices without a feature
    const std::string_view names = *disabled;
    if (names.find("f16") != std::string_view::npos) info.features.f16 = false;
    if (names.find("subgroups") != std::string_view::npos) info.features.subgroups = false;
    if (names.find("matrices") != std::string_view::npos) info.matrices.clear();
    if (names.find("grouped_gemm") != std::string_view::npos) info.grouped_gemm = false;
    if (names.find("prologues") != std::string_view::npos) info.prologues = false;
  }
  if (!info.features.subgroups) {
    info.limits.subgroup_min = info.limits.subgroup_max = 0;
    info.matrices.clear();  // a subgroup computes them together
  }
  return std::make_shared<DeviceImpl>(std::move(info), config, std::move(core), limits);
}

}  // namespace webgpu

WebGpuProvider webgpu_provider(const DeviceConfig& config) {
  try {
    const webgpu::Provider& provider = webgpu::Provider::get(config);
    return {.name = provider.traits().name, .version = provider.version(), .path = provider.path(), .error = {}};
  } catch (const Error& e) {
    return {.name = {}, .version = {}, .path = {}, .error = e.what()};
  }
}

std::vector<DeviceInfo> list_webgpu_devices(const DeviceConfig& config) {
  std::vector<DeviceInfo> out;
  for (const webgpu::Adapter& adapter : *webgpu::adapters_of(webgpu::Provider::get(config)))
    out.push_back(adapter.info);
  return out;
}

std::shared_ptr<WebGpuDevice> make_webgpu_device(const DeviceConfig& config, std::size_t index) {
  return std::make_shared<webgpu::RestoringDevice>(webgpu::make_impl(config, index));
}

}  // namespace tessera::runtime
