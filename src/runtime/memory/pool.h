// A device's memory pool: whole buffers in size classes, reused as soon as the commands that used them are submitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "tessera/device_info.h"

namespace tessera::runtime {

class Device;

/// A device buffer. Backends derive from it.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {}
  virtual ~Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The memory itself on devices that share it with the host, else null.
  [[nodiscard]] virtual void* host() { return nullptr; }
  /// The provider's object, for code that writes to it directly; null if it is not reachable.
  [[nodiscard]] virtual void* object() { return nullptr; }
  /// Device::generation() at its creation; a later device cannot use it.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// The buffer of the backend: another one if this is a range of it.
  [[nodiscard]] virtual Buffer& whole() { return *this; }
  /// The first byte of the range.
  [[nodiscard]] virtual std::size_t offset() const { return 0; }

 private:
  friend class Pool;
  friend class RangeBuffer;
  std::size_t bytes_;
  std::uint64_t generation_ = 0;
};

/// A range of a buffer that is bound, read and written like a buffer.
class RangeBuffer final : public Buffer {
 public:
  /// `offset`, a multiple of 256, and `bytes` are inside the buffer that set() gives.
  RangeBuffer(std::size_t offset, std::size_t bytes) : Buffer(bytes), at_(offset) {}
  /// `of` may be a range itself.
  void set(Buffer& of) {
    whole_ = &of.whole();
    first_ = of.offset() + at_;
    generation_ = whole_->generation_;
  }
  [[nodiscard]] void* host() override {
    auto* const start = static_cast<std::byte*>(whole_->host());
    return start == nullptr ? nullptr : start + first_;
  }
  [[nodiscard]] Buffer& whole() override { return *whole_; }
  [[nodiscard]] std::size_t offset() const override { return first_; }

 private:
  std::size_t at_;
  std::size_t first_ = 0;
  Buffer* whole_ = nullptr;
};

/// The pool of one device. Safe from any thread.
class Pool {
 public:
  explicit Pool(Device& device) : device_(device) {}

  /// A buffer of at least `bytes` bytes with undefined content. Past the budget, or if the allocation fails: frees idle
  /// buffers, waits for submissions in flight, tries again, then throws out_of_memory with requested and available.
  std::unique_ptr<Buffer> acquire(std::size_t bytes);
  /// Returns a buffer. Commands submitted before may still use it, since later ones run after them.
  void release(std::unique_ptr<Buffer> buffer);
  /// Frees all idle buffers; returns the bytes freed.
  std::uint64_t trim();
  [[nodiscard]] MemoryStats stats() const;
  /// The budget (without one, the device's memory) minus the memory in use; 0 if neither is known.
  [[nodiscard]] std::uint64_t available() const;
  void reset_peak();
  /// Called (outside the lock) when the budget is reached, with the bytes needed, before the second try; not reentrant,
  /// and not while its thread has a Quiet.
  void on_memory_pressure(std::function<void(std::uint64_t)> callback);
  /// While it lives, its thread does not call the memory-pressure callback.
  class Quiet {
   public:
    Quiet();
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

   private:
    bool was_;
  };

  /// The size class of a request: at most 12.5 % more than requested, a multiple of 16, at least 256.
  static std::size_t size_class(std::size_t bytes);

 private:
  std::unique_ptr<Buffer> try_acquire(std::size_t size);
  /// Bytes of idle buffers that are kept.
  [[nodiscard]] std::uint64_t most_idle() const;
  /// Under the lock: takes out the buffers past most_idle(), the longest idle first.
  std::vector<std::unique_ptr<Buffer>> take_surplus();

  Device& device_;
  mutable std::mutex mutex_;
  struct Idle {
    std::unique_ptr<Buffer> buffer;
    std::uint64_t since;  // a count of releases
  };
  std::unordered_map<std::size_t, std::deque<Idle>> idle_;  // by size; the longest idle first
  std::uint64_t idle_bytes_ = 0;
  std::uint64_t releases_ = 0;
  MemoryStats stats_;
  std::function<void(std::uint64_t)> pressure_;
};

}  // namespace tessera::runtime
