// What an evaluated node holds: its elements in memory of the device, of the host, or of both.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "runtime/memory/pool.h"
#include "tessera/error.h"

namespace tessera {

/// Elements in row-major order, on up to two sides: memory of the device, and memory of the host (a buffer of
/// runtime::host_device()). A side that is not valid is brought up to date when it is asked for. On a device that
/// shares its memory with the host there is one side. Memory goes back to its pool at the end. Safe from any thread,
/// but writers of one storage are the caller's to keep apart.
class Storage {
 public:
  /// Valid on the device.
  Storage(std::shared_ptr<runtime::Device> device, std::unique_ptr<runtime::Buffer> buffer);
  /// Valid on the host: `host` is memory of runtime::host_device(), or memory of others (see lent_memory) that is read
  /// alone. The CPU, which can, computes with it where it is, and takes memory of its own when the storage is written.
  struct OnHost {};
  Storage(OnHost, std::shared_ptr<runtime::Device> device, std::shared_ptr<runtime::Buffer> host);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] const std::shared_ptr<runtime::Device>& device() const { return device_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// The device's memory, uploaded from the host where only that is valid. Error of kind device_lost where the memory
  /// went with a device that was lost (see revived).
  [[nodiscard]] runtime::Buffer& buffer() const;
  /// The host's memory where it is valid, else null. Never moves data.
  [[nodiscard]] runtime::Buffer* host() const;
  /// The host's memory, downloaded where only the device is valid: waits.
  [[nodiscard]] runtime::Buffer& read_host() const;
  /// A valid side to read from, the host's where there is a choice.
  struct Side {
    runtime::Device* device;
    runtime::Buffer* buffer;
  };
  [[nodiscard]] Side readable() const;
  [[nodiscard]] bool valid_on_device() const;
  /// Whether buffer() gave `memory` before and would again, on the same device: a look, for replays.
  [[nodiscard]] bool still_in(const runtime::Buffer* memory) const {
    return on_device_.load(std::memory_order_acquire) && buffer_.get() == memory;
  }

  /// Memory of one side to write to, brought up to date first unless all of it (`whole`) will be written.
  [[nodiscard]] runtime::Buffer& device_memory(bool whole) const;
  [[nodiscard]] runtime::Buffer& host_memory(bool whole) const;
  /// Says that one side was written: the other is out of date.
  void written_on_device() const;
  void written_on_host() const;
  /// Keeps a copy on the host beside the device's, so that the data outlives a loss of the device.
  void keep_host(std::shared_ptr<runtime::Buffer> host) const;

  /// Whether the device was lost and made anew since this storage got memory there.
  [[nodiscard]] bool stale() const;
  /// A storage for the new device with the host's copy; device_lost where the host has none. Others may still be using
  /// this one: it stays as it is.
  [[nodiscard]] std::shared_ptr<Storage> revived() const;

 private:
  [[nodiscard]] bool shares_memory() const;
  [[nodiscard]] bool lent() const;             // on the CPU, in memory of others
  [[nodiscard]] runtime::Buffer& own() const;  // the device's memory, uploaded from the host where only that is valid
  /// Memory on the device while that side is not valid; gives the lock under which there is some.
  [[nodiscard]] std::unique_lock<std::mutex> make_room() const;
  [[nodiscard]] Error lost() const;

  std::shared_ptr<runtime::Device> device_;
  std::size_t bytes_;
  mutable std::atomic<bool> on_device_;
  mutable std::atomic<bool> on_host_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<runtime::Buffer> buffer_;
  mutable std::shared_ptr<runtime::Buffer> host_;
};

/// Memory of runtime::host_device() with undefined content, back in its pool after the last owner.
std::shared_ptr<runtime::Buffer> new_host_memory(std::size_t bytes);
/// Memory of others, which `owner` keeps as it is.
std::shared_ptr<runtime::Buffer> lent_memory(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);
/// The same of a buffer that came from that pool.
std::shared_ptr<runtime::Buffer> shared_host_memory(std::unique_ptr<runtime::Buffer> buffer);

}  // namespace tessera
