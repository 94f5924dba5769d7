// The parameter ring.
#include "runtime/webgpu/param_ring.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/fail.h"
#include "base/ints.h"

namespace tessera::runtime::webgpu {

void ParamRing::grow(std::size_t bytes) {
  const std::size_t size = std::max(kBytes, std::bit_ceil(bytes));
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.label = view("parameters");
  descriptor.usage = WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst;
  descriptor.size = size;
  const ErrorCatch errors;
  BufferHandle buffer(core_->api(), core_->api().wgpuDeviceCreateBuffer(core_->device(), &descriptor));
  if (errors.caught())
    throw translate(errors.type(), errors.message(), fmt::format("making {} bytes for parameters", size));
  buffer_ = std::move(buffer);
  mirror_.assign(size / sizeof(std::uint32_t), 0);  // new buffers are zero
  head_ = 0;
}

std::uint32_t ParamRing::place(std::span<const std::uint32_t> params, std::size_t bytes, std::uint64_t hint) {
  bytes = round_up(std::max(bytes, params.size_bytes()), kAlign);
  if (will_grow(bytes)) grow(bytes);
  std::uint32_t& recent = recent_[(hint * 0x9e3779b97f4a7c15U) >> 58U];
  const auto same = [&](std::size_t at) {
    return at + bytes <= size() &&
           std::memcmp(mirror_.data() + at / sizeof(std::uint32_t), params.data(), params.size_bytes()) == 0;
  };
  if (params.empty() || same(recent)) return recent + bytes <= size() ? recent : 0;
  if (head_ + bytes > size()) {
    head_ = 0;
    ++wraps_;
  }
  const std::size_t at = head_;
  std::memcpy(mirror_.data() + at / sizeof(std::uint32_t), params.data(), params.size_bytes());
  core_->api().wgpuQueueWriteBuffer(core_->queue(), buffer_.get(), at, params.data(), params.size_bytes());
  ++writes_;
  head_ += bytes;
  recent = static_cast<std::uint32_t>(at);
  return recent;
}

}  // namespace tessera::runtime::webgpu
