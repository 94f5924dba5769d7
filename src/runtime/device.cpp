// The base of all devices: counters, the list of live devices, and waiting for a callback.
#include "runtime/device.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "base/ints.h"
#include "runtime/placement/placement.h"
#include "runtime/registry.h"

namespace tessera::runtime {

std::uint32_t Submission::add_params(std::span<const std::uint32_t> words) {
  constexpr std::size_t kAlignment = 256 / sizeof(std::uint32_t);
  const auto position = static_cast<std::uint32_t>(params.size());
  params.insert(params.end(), words.begin(), words.end());
  params.resize(round_up(params.size(), kAlignment));
  return position;
}

namespace {

// Never destroyed: devices may live until the process ends.
struct Live {
  std::mutex mutex;
  std::vector<std::weak_ptr<Device>> devices;
  std::uint64_t made = 0;
};
Live& live() {
  static auto& value = *new Live;
  return value;
}

}  // namespace

Device::Device(DeviceInfo info, const DeviceConfig& config)
    : info_(std::move(info)), model_(info_), config_(config), pool_(*this) {
  const std::lock_guard lock(live().mutex);
  serial_ = ++live().made;
}

Device::~Device() = default;

void Device::become_part_of(const Device& whole) { counters_ = whole.counters_; }

void enlist(const std::shared_ptr<Device>& device) {
  const std::lock_guard lock(live().mutex);
  std::erase_if(live().devices, [](const auto& d) { return d.expired(); });
  live().devices.push_back(device);
}

void Device::set_placer(std::unique_ptr<Placer> placer) { placer_ = std::move(placer); }

void Device::next_generation() {
  generation_.fetch_add(1, std::memory_order_acq_rel);
  pool_.trim();
}

std::vector<std::shared_ptr<Device>> live_devices() {
  std::vector<std::shared_ptr<Device>> out;
  const std::lock_guard lock(live().mutex);
  for (const auto& device : live().devices) {
    if (auto owner = device.lock()) out.push_back(std::move(owner));
  }
  return out;
}

void Read::give(std::size_t at, const void* from, std::size_t count) const {
  if (count == 0) return;
  if (take) return take(at, {.host = const_cast<void*>(from), .size = count});
  std::memcpy(static_cast<std::byte*>(to) + at, from, count);
}

void Counters::count_upload(std::size_t bytes) {
  uploads.fetch_add(1, std::memory_order_relaxed);
  uploaded_bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void Counters::count_download(std::span<const Read> reads) {
  downloads.fetch_add(1, std::memory_order_relaxed);
  for (const Read& read : reads) downloaded_bytes.fetch_add(read.bytes, std::memory_order_relaxed);
}

void Counters::count_error(const std::exception_ptr& error) {
  if (error == nullptr) return;
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    errors[static_cast<std::size_t>(e.kind())].fetch_add(1, std::memory_order_relaxed);
  } catch (...) {  // NOLINT(bugprone-empty-catch): only our own errors have a kind
  }
}

void wait_for(Device& device, const std::function<void(Done)>& start) {
  struct Latch {
    std::mutex mutex;
    std::condition_variable signal;
    bool done = false;
    std::exception_ptr error;
  };
  // Shared: if a wait throws, the callback may still be pending.
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
