// Device buffers as handles: allocated from a descriptor, written, read, copied and filled at any byte offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tessera/export.h"
#include "tessera/raw_bytes.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

class Storage;

/// Where a buffer's bytes are stored.
enum class BufferLocation : std::uint8_t {
  kDevice,       // on the device; every transfer copies
  kHostVisible,  // on the host, with a device copy from the first use by a kernel on
  kMirrored,     // on both, with both copies allocated up front
};

/// Allowed uses of a buffer; others are errors.
enum class BufferUsage : std::uint8_t {
  kNone = 0,
  kRead = 1,    // copy_from, and the source of copy
  kWrite = 2,   // copy_to, fill, and the target of copy
  kKernel = 4,  // operands of kernels
  kAll = 7,
};
constexpr BufferUsage operator|(BufferUsage a, BufferUsage b) {
  return static_cast<BufferUsage>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

struct BufferDescriptor {
  std::string label = {};  // for error messages
  std::uint64_t size = 0;  // bytes
  BufferUsage usage = BufferUsage::kAll;
  BufferLocation location = BufferLocation::kDevice;
};

/// A handle to a byte buffer; copies share it. If a buffer is stored on the host and on the device, it is transferred
/// only if the accessed copy is stale. The content of a new kDevice buffer is undefined, of others zero. Every call
/// throws an Error of kind value for an out-of-bounds range, for a use that the descriptor does not allow, and after
/// free(). Calls take effect in order; concurrent writes to one buffer must be synchronized by the caller.
class Buffer {
 public:
  Buffer() = default;  // none
  /// Error of kind value for a size of 0; limit or out_of_memory if the memory is not available.
  static Buffer allocate(const Device& device, const BufferDescriptor& descriptor);
  /// The buffer of a tensor, evaluated first if needed; nothing is copied, so a write changes every tensor that shares
  /// it.
  static Buffer of(const Tensor& tensor, std::string label = "tensor");

  [[nodiscard]] bool defined() const { return state_ != nullptr; }
  [[nodiscard]] const BufferDescriptor& descriptor() const;
  [[nodiscard]] std::uint64_t size() const { return descriptor().size; }
  [[nodiscard]] Device device() const;
  /// Whether free() was called on this handle or a copy of it.
  [[nodiscard]] bool freed() const;

  /// Copies from the host into the buffer; `data` may be freed when it returns.
  void copy_to(std::span<const std::byte> data, std::uint64_t offset = 0) const;
  template <class T>
  void copy_to(const std::vector<T>& data, std::uint64_t offset = 0) const {
    copy_to(std::as_bytes(std::span(data)), offset);
  }
  /// Direct write access to all bytes, in order with other calls and before anything reads them: host memory if there
  /// is any, which is valid as long as the buffer and its tensors. Counts as an upload.
  [[nodiscard]] RawBytes to_write() const;
  /// Copies from the buffer to the host, after all submitted work: waits.
  void copy_from(std::span<std::byte> data, std::uint64_t offset = 0) const;
  template <class T>
  [[nodiscard]] std::vector<T> copy_from(std::size_t count, std::uint64_t offset = 0) const {
    std::vector<T> result(count);
    copy_from(std::as_writable_bytes(std::span(result)), offset);
    return result;
  }
  /// The same without waiting: called once with the bytes or the error, like the callback of Tensor::read().
  void copy_from(std::uint64_t bytes, std::uint64_t offset,
                 std::function<void(std::vector<std::byte>, std::exception_ptr)> done) const;
  [[nodiscard]] std::future<std::vector<std::byte>> copy_from_async(std::uint64_t bytes,
                                                                    std::uint64_t offset = 0) const;
  /// Sets `bytes` bytes from `offset` on; by default the rest of the buffer.
  void fill(std::uint8_t value, std::uint64_t offset = 0, std::uint64_t bytes = ~std::uint64_t{0}) const;
  /// Frees the memory, for all copies of the handle; tensors that share it keep it alive.
  void free() const;

  /// The bytes as a tensor, without a copy: later writes are visible in it, and in calls of compiled functions that
  /// capture it.
  [[nodiscard]] Tensor tensor(const Shape& shape, DType dtype = f32) const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Buffer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Copies on the device; does not wait. `from` and `to` may be the same buffer if the ranges do not overlap. Error of
/// kind device if they are on different devices.
void copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to, std::uint64_t to_offset,
          std::uint64_t bytes);

}  // namespace tessera
