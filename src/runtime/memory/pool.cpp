// The memory pool: size classes, reuse, the budget, and out-of-memory handling.
#include "runtime/memory/pool.h"

#include <bit>
#include <utility>

#include "base/fail.h"
#include "base/ints.h"
#include "runtime/device.h"

namespace tessera::runtime {

namespace {
thread_local bool quiet = false;
}  // namespace

Pool::Quiet::Quiet() : was_(std::exchange(quiet, true)) {}
Pool::Quiet::~Quiet() { quiet = was_; }

std::size_t Pool::size_class(std::size_t bytes) {
  if (bytes <= 256) return 256;
  // Eight steps between powers of two.
  const std::size_t step = std::max<std::size_t>(std::bit_floor(bytes - 1) / 8, 16);
  return round_up(bytes, step);
}

std::unique_ptr<Buffer> Pool::try_acquire(std::size_t size) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto it = idle_.find(size); it != idle_.end() && !it->second.empty()) {
      auto buffer = std::move(it->second.back().buffer);
      it->second.pop_back();
      idle_bytes_ -= size;
      ++stats_.hits;
      stats_.in_use += size;
      stats_.peak = std::max(stats_.peak, stats_.in_use);
      return buffer;
    }
    const std::uint64_t budget = device_.config().memory_budget;
    if (budget != 0 && stats_.allocated + size > budget) return nullptr;
    ++stats_.misses;
    stats_.allocated += size;
    stats_.in_use += size;
    stats_.peak = std::max(stats_.peak, stats_.in_use);
  }
  const std::uint64_t generation = device_.generation();  // before the buffer: an outdated one is only discarded
  try {
    auto buffer = device_.create_buffer(size);
    buffer->generation_ = generation;
    return buffer;
  } catch (const Error& e) {
    const std::lock_guard lock(mutex_);
    stats_.allocated -= size;
    stats_.in_use -= size;
    if (e.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
}

std::unique_ptr<Buffer> Pool::acquire(std::size_t bytes) {
  const DeviceLimits& limits = device_.info().limits;
  const std::uint64_t largest =
      device_.config().max_buffer_size != 0 ? device_.config().max_buffer_size : limits.max_buffer_size;
  if (bytes > largest) {
    throw Error(ErrorKind::kLimit,
                fmt::format("A buffer of {} bytes was asked for; the largest on {} is {} bytes.", bytes,
                            device_.info().name, largest),
                {.requested = bytes, .available = largest});
  }
  // In 64 bits: where std::size_t has 32, the largest buffer may not fit it.
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(size_class(bytes), largest));
  if (auto buffer = try_acquire(size)) return buffer;
  std::function<void(std::uint64_t)> pressure;
  if (!quiet) {
    const std::lock_guard lock(mutex_);
    pressure = pressure_;
  }
  if (pressure) {
    const Quiet inside;  // the callback may need memory too
    pressure(size);
  }
  trim();
  device_.wait();  // submissions in flight may hold memory that the trim freed
  if (auto buffer = try_acquire(size)) return buffer;
  const std::uint64_t free = available();
  const std::uint64_t in_use = stats().in_use;
  std::string of = fmt::format("{} are in use", in_use);
  if (const std::uint64_t budget = device_.config().memory_budget; budget != 0) {
    of = fmt::format("{} are available ({} in use of a budget of {})", free, in_use, budget);
  } else if (const std::uint64_t memory = device_.info().memory_size; memory != 0) {
    of += fmt::format(" by this program, of {} that the device has", memory);
  }
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("Out of memory on {}: {} bytes were requested and {}.", device_.info().name, size, of),
              {.requested = size, .available = free});
}

std::uint64_t Pool::available() const {
  const std::uint64_t budget = device_.config().memory_budget;
  const std::uint64_t whole = budget != 0 ? budget : device_.info().memory_size;
  const std::uint64_t in_use = stats().in_use;
  return whole > in_use ? whole - in_use : 0;
}

void Pool::release(std::unique_ptr<Buffer> buffer) {
  const std::size_t size = buffer->bytes();
  std::vector<std::unique_ptr<Buffer>> surplus;  // destroyed outside of the lock
  const std::lock_guard lock(mutex_);
  stats_.in_use -= size;
  if (buffer->generation() != device_.generation()) {
    stats_.allocated -= size;
    return;
  }
  idle_[size].push_back({std::move(buffer), ++releases_});
  idle_bytes_ += size;
  surplus = take_surplus();
}

std::uint64_t Pool::most_idle() const {
  const DeviceConfig& config = device_.config();
  if (config.max_idle_memory != 0) return config.max_idle_memory;
  const std::uint64_t whole = config.memory_budget != 0 ? config.memory_budget : device_.info().memory_size;
  return whole != 0 ? whole / 4 : ~std::uint64_t{0};
}

std::vector<std::unique_ptr<Buffer>> Pool::take_surplus() {
  std::vector<std::unique_ptr<Buffer>> surplus;
  const std::uint64_t most = most_idle();
  while (idle_bytes_ > most) {
    auto oldest = idle_.end();
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
      if (it->second.empty()) continue;
      if (oldest == idle_.end() || it->second.front().since < oldest->second.front().since) oldest = it;
    }
    surplus.push_back(std::move(oldest->second.front().buffer));
    oldest->second.pop_front();
    idle_bytes_ -= oldest->first;
    stats_.allocated -= oldest->first;
  }
  return surplus;
}

std::uint64_t Pool::trim() {
  decltype(idle_) idle;
  std::uint64_t freed = 0;
  {
    const std::lock_guard lock(mutex_);
    idle.swap(idle_);
    freed = std::exchange(idle_bytes_, 0);
    stats_.allocated -= freed;
  }
  return freed;
}

MemoryStats Pool::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void Pool::reset_peak() {
  const std::lock_guard lock(mutex_);
  stats_.peak = stats_.in_use;
}

void Pool::on_memory_pressure(std::function<void(std::uint64_t)> callback) {
  const std::lock_guard lock(mutex_);
  pressure_.swap(callback);  // the old callback is destroyed outside of the lock
}

}  // namespace tessera::runtime
