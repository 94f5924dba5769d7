// What all devices share.
#include "runtime/device.h"

#include <condition_variable>
#include <mutex>

#include "runtime/placement.h"

namespace tessera::runtime {

Device::Device(DeviceInfo info, const DeviceConfig& config) : info_(std::move(info)), config_(config), pool_(*this) {}
Device::~Device() = default;

void Device::set_placer(std::unique_ptr<Placer> placer) { placer_ = std::move(placer); }

void Device::next_generation() {
  generation_.fetch_add(1, std::memory_order_acq_rel);
  pool_.trim();
}

void wait_for(Device& device, const std::function<void(Done)>& start) {
  struct Latch {
    std::mutex mutex;
    std::condition_variable signal;
    bool done = false;
    std::exception_ptr error;
  };
  // Shared: where a wait throws, the callback may still be on its way.
  const auto latch = std::make_shared<Latch>();
  start([latch](std::exception_ptr error) {
    const std::lock_guard lock(latch->mutex);
    latch->error = std::move(error);
    latch->done = true;
    latch->signal.notify_all();
  });
  std::unique_lock lock(latch->mutex);
  if (!latch->done) {
    lock.unlock();
    device.wait();
    lock.lock();
    latch->signal.wait(lock, [&] { return latch->done; });
  }
  if (latch->error) std::rethrow_exception(latch->error);
}

}  // namespace tessera::runtime
