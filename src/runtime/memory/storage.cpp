// The two sides of a storage, and transfers between them.
#include "runtime/memory/storage.h"

#include "base/fail.h"
#include "base/recycler.h"
#include "runtime/device.h"
#include "runtime/registry.h"

namespace tessera {

using runtime::Buffer;

std::shared_ptr<Buffer> new_host_memory(std::size_t bytes) {
  return shared_host_memory(runtime::host_device()->pool().acquire(bytes));
}

std::shared_ptr<Buffer> shared_host_memory(std::unique_ptr<Buffer> buffer) {
  return {buffer.release(), [](Buffer* b) { runtime::host_device()->pool().release(std::unique_ptr<Buffer>(b)); },
          Recycler<Buffer>()};
}

namespace {

class BorrowedMemory final : public Buffer {
 public:
  BorrowedMemory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : Buffer(bytes.size()), data_(bytes.data()), owner_(std::move(owner)) {}
  void* host() override { return const_cast<std::byte*>(data_); }  // Storage never writes to it

 private:
  const std::byte* data_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

std::shared_ptr<Buffer> borrowed_memory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  return std::make_shared<BorrowedMemory>(bytes, std::move(owner));
}

Storage::Storage(std::shared_ptr<runtime::Device> device, std::unique_ptr<Buffer> buffer)
    : device_(std::move(device)),
      bytes_(buffer->bytes()),
      on_device_(true),
      on_host_(false),
      buffer_(std::move(buffer)) {}

Storage::Storage(OnHost, std::shared_ptr<runtime::Device> device, std::shared_ptr<Buffer> host)
    : device_(std::move(device)), bytes_(host->bytes()), on_device_(false), on_host_(true), host_(std::move(host)) {}

Storage::Storage(std::shared_ptr<Storage> parent, std::size_t offset, std::size_t bytes)
    : device_(parent->device_),
      bytes_(bytes),
      on_device_(true),
      on_host_(false),
      parent_(std::move(parent)),
      offset_(offset) {
  auto range = std::make_unique<runtime::RangeBuffer>(offset, bytes);
  range->set(parent_->buffer());
  buffer_ = std::move(range);
}

Storage::~Storage() { give_back(); }

void Storage::give_back() const {
  const bool range = buffer_ != nullptr && &buffer_->whole() != buffer_.get();  // of the parent's memory
  if (buffer_ != nullptr && !range) device_->pool().release(std::move(buffer_));
  buffer_ = nullptr;
}

bool Storage::shares_memory() const { return buffer_ != nullptr && buffer_->host() != nullptr; }

bool Storage::borrowed() const {
  return !on_device_.load(std::memory_order_acquire) && device_->info().type == DeviceType::kCpu;
}

bool Storage::stale() const {
  return on_device_.load(std::memory_order_acquire) && buffer_->generation() != device_->generation();
}

bool Storage::valid_on_device() const { return on_device_.load(std::memory_order_acquire) && !stale(); }

std::shared_ptr<Storage> Storage::revived() const {
  if (!on_host_.load(std::memory_order_acquire)) throw lost();
  return std::make_shared<Storage>(OnHost{}, device_, host_);
}

Error Storage::lost() const {
  return {ErrorKind::kDeviceLost,
          fmt::format("A tensor's {} bytes went with the device {}, which was lost; the host has no copy of them.",
                      bytes_, device_->info().name)};
}

Buffer& Storage::buffer() const {
  if (stale()) throw lost();
  if (on_device_.load(std::memory_order_acquire)) return *buffer_;
  return borrowed() ? *host_ : own();
}

Buffer& Storage::own() const {
  const auto lock = make_room();
  if (on_device_.load(std::memory_order_acquire)) return *buffer_;
  device_->upload(*buffer_, 0, std::span(static_cast<const std::byte*>(host_->host()), bytes_));
  on_device_.store(true, std::memory_order_release);
  return *buffer_;
}

std::unique_lock<std::mutex> Storage::make_room() const {
  std::unique_lock lock(mutex_);
  const auto has_room = [this] {
    if (on_device_.load(std::memory_order_acquire)) return true;
    // Memory that was stale when its device was lost holds no data.
    if (buffer_ != nullptr && buffer_->generation() != device_->generation()) give_back();
    return buffer_ != nullptr;
  };
  if (has_room()) return lock;
  lock.unlock();
  // Not under the lock: the memory-pressure callback may use this storage.
  auto room = device_->pool().acquire(bytes_);
  lock.lock();
  if (has_room()) {
    device_->pool().release(std::move(room));
  } else {
    buffer_ = std::move(room);
  }
  return lock;
}

Buffer* Storage::host() const {
  if (on_host_.load(std::memory_order_acquire)) return host_.get();
  return shares_memory() ? buffer_.get() : nullptr;
}

Buffer& Storage::read_host() const {
  if (Buffer* host = this->host()) return *host;
  Buffer& from = buffer();
  // Not under the lock: callbacks that run while it waits may use this storage.
  auto copy = new_host_memory(bytes_);
  runtime::wait_for(
      *device_, [&](runtime::Done done) { device_->download({{&from, 0, bytes_, copy->host()}}, std::move(done)); });
  const std::lock_guard lock(mutex_);
  if (!on_host_.load(std::memory_order_acquire)) {
    host_.swap(copy);  // the old one is destroyed outside of the lock: its owner may be the user's
    on_host_.store(true, std::memory_order_release);
  }
  return *host_;
}

Storage::Side Storage::readable() const {
  if (on_host_.load(std::memory_order_acquire)) return {runtime::host_device().get(), host_.get()};
  return {device_.get(), &buffer()};
}

Buffer& Storage::device_memory(bool whole) const {
  if (on_device_.load(std::memory_order_acquire)) return buffer();
  if (!whole) return own();
  const auto lock = make_room();
  return *buffer_;
}

Buffer& Storage::host_memory(bool whole) const {
  if (borrowed()) {
    Buffer& memory = device_memory(whole);
    written_on_device();
    return memory;
  }
  if (!whole || host() != nullptr) return read_host();
  const std::lock_guard lock(mutex_);
  if (host_ == nullptr) host_ = new_host_memory(bytes_);
  return *host_;
}

void Storage::written_on_device() const {
  if (shares_memory() && !on_host_.load(std::memory_order_acquire)) return;
  on_device_.store(true, std::memory_order_release);
  on_host_.store(false, std::memory_order_release);
}

void Storage::written_on_host() const {
  if (shares_memory()) return;
  on_host_.store(true, std::memory_order_release);
  on_device_.store(false, std::memory_order_release);
}

void Storage::keep_host(std::shared_ptr<Buffer> host) const {
  const std::lock_guard lock(mutex_);
  host_.swap(host);  // the old one is destroyed outside of the lock: its owner may be the user's
  on_host_.store(true, std::memory_order_release);
}

}  // namespace tessera
