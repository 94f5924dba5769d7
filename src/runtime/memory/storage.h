// The elements of an evaluated node: in device memory, in host memory, or in both.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include "runtime/memory/pool.h"
#include "tessera/error.h"

namespace tessera {

/// Elements in row-major order, on up to two sides: device memory, and host memory (a buffer of
/// runtime::host_device()). A stale side is updated from the other one when it is used. A device that shares its memory
/// with the host has one side. Memory returns to its pool at the end. Safe from any thread, but the caller must
/// synchronize writers of one storage.
class Storage {
 public:
  /// Valid on the device.
  Storage(std::shared_ptr<runtime::Device> device, std::unique_ptr<runtime::Buffer> buffer);
  /// Valid on the host: `host` is memory of runtime::host_device(), or borrowed memory (see borrowed_memory), which is
  /// only read. The CPU computes with borrowed memory in place, and takes memory of its own when the storage is
  /// written.
  struct OnHost {};
  Storage(OnHost, std::shared_ptr<runtime::Device> device, std::shared_ptr<runtime::Buffer> host);
  /// A range of another storage's device memory, which stays alive with it; both show what is written to either. The
  /// offset is a multiple of 256 bytes.
  Storage(std::shared_ptr<Storage> parent, std::size_t offset, std::size_t bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] const std::shared_ptr<runtime::Device>& device() const { return device_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The storage that this one is a range of, if it is one: others may use the same memory.
  [[nodiscard]] const std::shared_ptr<Storage>& parent() const { return parent_; }
  /// The range's first byte in its parent.
  [[nodiscard]] std::size_t offset() const { return offset_; }

  /// The device's memory, uploaded from the host if only that side is valid. Error of kind device_lost if the memory
  /// went with a lost device (see revived).
  [[nodiscard]] runtime::Buffer& buffer() const;
  /// The host's memory if it is valid, else null. Never moves data.
  [[nodiscard]] runtime::Buffer* host() const;
  /// The host's memory, downloaded if only the device's side is valid: waits.
  [[nodiscard]] runtime::Buffer& read_host() const;
  /// A valid side to read from, preferably the host's.
  struct Side {
    runtime::Device* device;
    runtime::Buffer* buffer;
  };
  [[nodiscard]] Side readable() const;
  [[nodiscard]] bool valid_on_device() const;
  /// Whether buffer() returned `memory` before and would again, on the same device: a fast check for replays.
  [[nodiscard]] bool still_in(const runtime::Buffer* memory) const {
    return on_device_.load(std::memory_order_acquire) && buffer_.get() == memory;
  }

  /// One side's memory for writing, updated first unless all of it (`whole`) will be written.
  [[nodiscard]] runtime::Buffer& device_memory(bool whole) const;
  [[nodiscard]] runtime::Buffer& host_memory(bool whole) const;
  /// Marks one side as written: the other one is stale.
  void written_on_device() const;
  void written_on_host() const;
  /// Keeps a copy on the host next to the device's, so that the data survives a device loss.
  void keep_host(std::shared_ptr<runtime::Buffer> host) const;

  /// Whether the device was lost and recreated since this storage got memory there.
  [[nodiscard]] bool stale() const;
  /// A storage for the new device with the host's copy; device_lost if there is none. This storage stays unchanged,
  /// since others may still use it.
  [[nodiscard]] std::shared_ptr<Storage> revived() const;

 private:
  [[nodiscard]] bool shares_memory() const;
  [[nodiscard]] bool borrowed() const;         // on the CPU, in borrowed memory
  [[nodiscard]] runtime::Buffer& own() const;  // the device's memory, uploaded from the host if only that side is valid
  /// Allocates device memory while that side is not valid; returns the lock that guards it.
  [[nodiscard]] std::unique_lock<std::mutex> make_room() const;
  void give_back() const;  // its memory, to the pool
  [[nodiscard]] Error lost() const;

  std::shared_ptr<runtime::Device> device_;
  std::size_t bytes_;
  mutable std::atomic<bool> on_device_;
  mutable std::atomic<bool> on_host_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<runtime::Buffer> buffer_;
  mutable std::shared_ptr<runtime::Buffer> host_;
  std::shared_ptr<Storage> parent_;
  std::size_t offset_ = 0;
};

/// Memory of runtime::host_device() with undefined content, which returns to its pool after the last owner.
std::shared_ptr<runtime::Buffer> new_host_memory(std::size_t bytes);
/// Borrowed memory, which `owner` keeps alive.
std::shared_ptr<runtime::Buffer> borrowed_memory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
/// The same for a buffer that came from that pool.
std::shared_ptr<runtime::Buffer> shared_host_memory(std::unique_ptr<runtime::Buffer> buffer);

}  // namespace tessera
