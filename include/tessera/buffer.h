// Memory of a device as handles: allocated from a descriptor, written, read, copied and filled at any byte.
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

/// Where a buffer's bytes live.
enum class BufferLocation : std::uint8_t {
  kDevice,       // on the device; every transfer moves bytes
  kHostVisible,  // on the host, with a copy on the device from the first time that a kernel needs one
  kMirrored,     // on both, with both copies allocated at once
};

/// What a buffer may be used for; other uses are refused.
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
  std::string label = {};  // for errors
  std::uint64_t size = 0;  // bytes
  BufferUsage usage = BufferUsage::kAll;
  BufferLocation location = BufferLocation::kDevice;
};

/// A handle on bytes; copies share them. Buffers on the host as well as on the device move only when the side that is
/// used is out of date. The content of a new kDevice buffer is undefined, of others zero. Every call throws an Error of
/// kind value for a range that does not lie inside, for a use that the descriptor does not allow, and after free().
/// Order is that of the calls; two threads that write one buffer keep themselves apart.
class Buffer {
 public:
  Buffer() = default;  // none
  /// Error of kind value for a size of 0; limit or out_of_memory where there is no such memory.
  static Buffer allocate(const Device& device, const BufferDescriptor& descriptor);
  /// A tensor's own memory, computed first where needed; nothing is copied, so a write changes every tensor that shares
  /// it.
  static Buffer of(const Tensor& tensor, std::string label = "tensor");

  [[nodiscard]] bool defined() const { return state_ != nullptr; }
  [[nodiscard]] const BufferDescriptor& descriptor() const;
  [[nodiscard]] std::uint64_t size() const { return descriptor().size; }
  [[nodiscard]] Device device() const;
  /// Whether free() was called on this handle or a copy of it.
  [[nodiscard]] bool freed() const;

  /// From the host into the buffer; `data` may go when it returns.
  void copy_to(std::span<const std::byte> data, std::uint64_t offset = 0) const;
  template <class T>
  void copy_to(const std::vector<T>& data, std::uint64_t offset = 0) const {
    copy_to(std::as_bytes(std::span(data)), offset);
  }
  /// Where to write all bytes oneself, in order with other calls and before anything reads them: memory of the host
  /// where there is some, which lasts as long as the buffer and its tensors. Counts as an upload.
  [[nodiscard]] RawBytes to_write() const;
  /// From the buffer to the host, after all that was submitted before: waits.
  void copy_from(std::span<std::byte> data, std::uint64_t offset = 0) const;
  template <class T>
  [[nodiscard]] std::vector<T> copy_from(std::size_t count, std::uint64_t offset = 0) const {
    std::vector<T> result(count);
    copy_from(std::as_writable_bytes(std::span(result)), offset);
    return result;
  }
  /// The same without waiting: called once with the bytes or the error, as the callback of Tensor::read() is.
  void copy_from(std::uint64_t bytes, std::uint64_t offset,
                 std::function<void(std::vector<std::byte>, std::exception_ptr)> done) const;
  [[nodiscard]] std::future<std::vector<std::byte>> copy_from_async(std::uint64_t bytes,
                                                                    std::uint64_t offset = 0) const;
  /// Sets `bytes` bytes from `offset` on; the rest of the buffer without a number.
  void fill(std::uint8_t value, std::uint64_t offset = 0, std::uint64_t bytes = ~std::uint64_t{0}) const;
  /// Gives the memory back, for all copies of the handle; tensors made of it keep it alive until they go.
  void free() const;

  /// The bytes as a tensor, without a copy: what is written later shows in it, and in calls of compiled functions that
  /// capture it.
  [[nodiscard]] Tensor tensor(const Shape& shape, DType dtype = f32) const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Buffer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Copies inside the device's memory; does not wait. One buffer may be both where the ranges do not overlap. Error of
/// kind device where they are on two devices.
void copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to, std::uint64_t to_offset,
          std::uint64_t bytes);

}  // namespace tessera
