// Recreates a lost device on the adapter of the same name.
#include "runtime/webgpu/restoring.h"

#include "base/fail.h"
#include "base/log.h"

namespace tessera::runtime::webgpu {

RestoringDevice::RestoringDevice(const std::shared_ptr<DeviceImpl>& inner)
    : Forwarding(inner->info(), inner->config()), inner_(inner) {
  inner->become_part_of(*this);
}

RestoringDevice::~RestoringDevice() {
  inner_ = nullptr;  // finishes pending work
  pool().trim();
}

std::shared_ptr<const Executable> RestoringDevice::compile_program(const Program& program, bool trusted) {
  return target()->compile_program(program, trusted);
}
void RestoringDevice::destroy() { target()->destroy(); }
WebGpuStats RestoringDevice::webgpu_stats() const { return target()->webgpu_stats(); }

void RestoringDevice::set_profiling(bool on) {
  profiling_ = on;
  target()->set_profiling(on);
}

void RestoringDevice::restore() {
  const std::lock_guard lock(restoring_);
  if (is_available()) return;
  const Adapters adapters = adapters_of(Provider::get(config()));
  for (std::size_t i = 0; i < adapters->size(); ++i) {
    if ((*adapters)[i].info.name != info().name) continue;
    auto fresh = make_impl(config(), i);
    fresh->become_part_of(*this);
    if (profiling_) fresh->set_profiling(true);
    {
      const std::unique_lock change(inner_mutex_);
      inner_.swap(fresh);
    }
    next_generation();
    log_info("the device {} was recreated after a device loss", info().name);
    return;
  }
  fail(ErrorKind::kDevice, "The device {} was lost, and there is no adapter of that name any more; there {} {}.",
       info().name, adapters->size() == 1 ? "is" : "are", adapters->size());
}

}  // namespace tessera::runtime::webgpu
