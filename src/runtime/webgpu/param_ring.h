// The parameters of kernels: one uniform buffer that submissions write as a ring.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

/// Writes are in the queue's order, so a block may be overwritten as soon as its submission has been made. A block
/// whose words are already in the ring is not written again. Not thread-safe: guarded by the submission lock.
class ParamRing {
 public:
  static constexpr std::size_t kBytes = std::size_t{4} << 20U;
  static constexpr std::size_t kAlign = 256;

  explicit ParamRing(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  /// Places `params` into a block of `bytes` bytes and returns its offset. `hint` is equal for submissions that are
  /// likely to have equal parameters.
  std::uint32_t place(std::span<const std::uint32_t> params, std::size_t bytes, std::uint64_t hint);
  [[nodiscard]] WGPUBuffer buffer() const { return buffer_.get(); }
  /// Whether place() with this many bytes will replace the buffer, which invalidates old bind groups.
  [[nodiscard]] bool will_grow(std::size_t bytes) const { return bytes > mirror_.size() * sizeof(std::uint32_t); }

  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  [[nodiscard]] std::uint64_t wraps() const { return wraps_; }
  [[nodiscard]] std::uint64_t size() const { return mirror_.size() * sizeof(std::uint32_t); }

 private:
  void grow(std::size_t bytes);

  std::shared_ptr<Core> core_;
  BufferHandle buffer_;
  std::vector<std::uint32_t> mirror_;       // the buffer's contents
  std::size_t head_ = 0;                    // bytes
  std::array<std::uint32_t, 64> recent_{};  // offsets of blocks, by hint
  std::uint64_t writes_ = 0;
  std::uint64_t wraps_ = 0;
};

}  // namespace tessera::runtime::webgpu
