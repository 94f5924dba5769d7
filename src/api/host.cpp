// Tensors in host memory: that of the CPU backend in place, that of other devices downloaded.
#include "tessera/host.h"

#include <algorithm>

#include "api/storage_of.h"
#include "base/fail.h"
#include "base/host_memory.h"
#include "base/sizes.h"
#include "graph/op.h"
#include "runtime/memory/storage.h"
#include "runtime/registry.h"
#include "tessera/quant.h"

namespace tessera {

namespace {

const NodePtr& checked(const Tensor& tensor, std::string_view what) {
  if (!tensor.defined()) fail(ErrorKind::kValue, "{}: an empty Tensor was given; it holds no value.", what);
  return tensor.node();
}

std::size_t byte_count(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.numel()) * size_of(tensor.dtype());
}

void download(const Storage& storage, std::span<std::byte> to) {
  if (to.empty()) return;
  const Storage::Side side = storage.readable();
  runtime::wait_for(*side.device, [&](runtime::Done done) {
    side.device->download({{side.buffer, 0, to.size(), to.data()}}, std::move(done));
  });
}

}  // namespace

HostView host_view(const Tensor& tensor) {
  auto storage = storage_of(checked(tensor, "host_view"));
  const std::size_t bytes = byte_count(tensor);
  if (storage->device()->info().type == DeviceType::kCpu) {
    storage->device()->wait();  // throws errors of earlier kernels
    const auto* data = static_cast<const std::byte*>(storage->buffer().host());
    return {std::span(data, bytes), std::move(storage), true};
  }
  const std::shared_ptr<std::byte[]> copy(host_memory(std::max<std::size_t>(bytes, 1)));  // NOLINT: none of std
  if (copy == nullptr) {
    throw Error(ErrorKind::kOutOfMemory, fmt::format("The host has no memory for a copy of {} bytes.", bytes),
                {.requested = bytes});
  }
  download(*storage, {copy.get(), bytes});
  return {{copy.get(), bytes}, copy, false};
}

void read_into(const Tensor& tensor, std::span<std::byte> to) {
  const auto storage = storage_of(checked(tensor, "read_into"));
  if (to.size() != byte_count(tensor)) {
    fail(ErrorKind::kValue, "read_into: memory of {} bytes was given for a tensor of {} bytes.", to.size(),
         byte_count(tensor));
  }
  download(*storage, to);
}

Tensor from_host(const HostView& view, DType dtype, const Shape& shape, const Device& device) {
  if (is_block(dtype)) return from_blocks(dtype, view.bytes, shape, device);
  const std::size_t size = size_of(dtype);
  const auto target = device.impl() != nullptr ? device.impl() : runtime::default_device();
  const std::size_t expected = static_cast<std::size_t>(checked_numel("from_host", shape, dtype)) * size;
  const bool aligned = reinterpret_cast<std::uintptr_t>(view.bytes.data()) % std::min<std::size_t>(size, 8) == 0;
  if (target->info().type != DeviceType::kCpu || !aligned || view.bytes.empty() || view.bytes.size() != expected) {
    if (view.bytes.size() % size != 0) {
      fail(ErrorKind::kValue, "from_host: {} bytes were given, which are no whole elements of {}.", view.bytes.size(),
           name(dtype));
    }
    return Tensor::from_bytes(view.bytes.data(), view.bytes.size() / size, dtype, shape, Device(target));
  }
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, target, Node::Inputs{});
  node->publish(std::make_shared<Storage>(Storage::OnHost{}, target, borrowed_memory(view.bytes, view.owner)));
  return Tensor(std::move(node));
}

}  // namespace tessera
