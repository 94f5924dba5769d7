// When the pipeline cache is opened and saved. Its format and its safety are the provider's.
#include "runtime/webgpu/pipeline_store.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "runtime/cache_folder.h"

namespace tessera::runtime::webgpu {

namespace {

constexpr double kWorthSaving = 50;  // ms of compilation
constexpr double kSaveShare = 20;    // saving takes at most this fraction of the time of compiling

void say(WGPUStringView line, void* /*userdata*/) { log_warn("{}", text_of(line)); }

}  // namespace

PipelineStore::PipelineStore(std::shared_ptr<Core> core, bool wanted) : core_(std::move(core)) {
  const std::string folder = cache_folder().string();
  const Functions& api = core_->api();
  if (!wanted || folder.empty() || api.tesseraDeviceOpenPipelineCache == nullptr) return;
  if (api.wgpuDeviceHasFeature(core_->device(), static_cast<WGPUFeatureName>(WGPUNativeFeature_PipelineCache)) == 0) {
    return;
  }
  const ErrorCatch errors;  // failures are not fatal
  const TesseraCacheStatus status = api.tesseraDeviceOpenPipelineCache(core_->device(), view(folder), &say, nullptr);
  open_ = status == TesseraCacheStatus_Fresh || status == TesseraCacheStatus_Loaded ||
          status == TesseraCacheStatus_SetAside;
  log_debug("compiled pipelines in {}: {}", folder,
            status == TesseraCacheStatus_Loaded ? "loaded" : (open_ ? "none yet" : "not kept"));
}

void PipelineStore::compiled(double ms) {
  if (!open_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;  // another thread is saving
  unsaved_ms_ += ms;
  if (unsaved_ms_ >= std::max(kWorthSaving, kSaveShare * last_save_ms_)) write();
}

void PipelineStore::save() {
  const std::lock_guard lock(mutex_);
  if (open_ && unsaved_ms_ > 0 && !core_->lost()) write();
}

void PipelineStore::write() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const ErrorCatch errors;  // failures are not fatal
  const TesseraCacheStatus status = core_->api().tesseraDeviceSavePipelineCache(core_->device(), &say, nullptr);
  if (status == TesseraCacheStatus_Failed) open_ = false;  // logged once
  last_save_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  unsaved_ms_ = 0;
}

}  // namespace tessera::runtime::webgpu
