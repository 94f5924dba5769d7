// The two sides of a storage, and the moves between them.
#include "runtime/storage.h"

#include "base/fail.h"
#include "runtime/device.h"
#include "runtime/registry.h"

namespace tessera {

using runtime::Buffer;

Storage::Storage(std::shared_ptr<runtime::Device> device, std::unique_ptr<Buffer> buffer)
    : device_(std::move(device)),
      bytes_(buffer->bytes()),
      on_device_(true),
      on_host_(false),
      generation_(buffer->generation()),
      buffer_(std::move(buffer)) {}

Storage::Storage(OnHost, std::shared_ptr<runtime::Device> device, std::unique_ptr<Buffer> host)
    : device_(std::move(device)),
      bytes_(host->bytes()),
      on_device_(false),
      on_host_(true),
      generation_(device_->generation()),
      host_(std::move(host)) {}

Storage::~Storage() {
  if (buffer_ != nullptr) device_->pool().release(std::move(buffer_));
  for (auto& buffer : lost_) device_->pool().release(std::move(buffer));
  if (host_ != nullptr) runtime::host_device()->pool().release(std::move(host_));
}

bool Storage::shares_memory() const { return buffer_ != nullptr && buffer_->host() != nullptr; }

bool Storage::valid_on_device() const {
  return on_device_.load(std::memory_order_acquire) &&
         generation_.load(std::memory_order_relaxed) == device_->generation();
}

Buffer& Storage::buffer() const {
  if (valid_on_device()) return *buffer_;
  const std::lock_guard lock(mutex_);
  if (valid_on_device()) return *buffer_;
  if (!on_host_.load(std::memory_order_acquire)) {
    throw Error(
        ErrorKind::kDeviceLost,
        fmt::format("A tensor's {} bytes went with the device {}, which was lost; the host has no copy of them.",
                    bytes_, device_->info().name));
  }
  if (buffer_ != nullptr && buffer_->generation() != device_->generation()) lost_.push_back(std::move(buffer_));
  if (buffer_ == nullptr) buffer_ = device_->pool().acquire(bytes_);
  device_->upload(*buffer_, 0, std::span(static_cast<const std::byte*>(host_->host()), bytes_));
  generation_.store(buffer_->generation(), std::memory_order_relaxed);
  on_device_.store(true, std::memory_order_release);
  return *buffer_;
}

Buffer* Storage::host() const {
  if (on_host_.load(std::memory_order_acquire)) return host_.get();
  return shares_memory() ? buffer_.get() : nullptr;
}

Buffer& Storage::read_host() const {
  if (Buffer* host = this->host()) return *host;
  Buffer& from = buffer();
  // Not under the lock: callbacks that run while it waits may look at this storage too.
  auto copy = runtime::host_device()->pool().acquire(bytes_);
  runtime::wait_for(
      *device_, [&](runtime::Done done) { device_->download({{&from, 0, bytes_, copy->host()}}, std::move(done)); });
  const std::lock_guard lock(mutex_);
  if (!on_host_.load(std::memory_order_acquire)) {
    host_.swap(copy);
    on_host_.store(true, std::memory_order_release);
  }
  if (copy != nullptr) runtime::host_device()->pool().release(std::move(copy));
  return *host_;
}

Storage::Side Storage::readable() const {
  if (on_host_.load(std::memory_order_acquire)) return {runtime::host_device().get(), host_.get()};
  return {device_.get(), &buffer()};
}

void Storage::written_on_device() const {
  if (shares_memory()) return;
  on_host_.store(false, std::memory_order_release);
}

void Storage::written_on_host() const {
  if (shares_memory()) return;
  on_device_.store(false, std::memory_order_release);
}

void Storage::keep_host(std::unique_ptr<Buffer> host) const {
  const std::lock_guard lock(mutex_);
  host_ = std::move(host);
  on_host_.store(true, std::memory_order_release);
}

}  // namespace tessera
