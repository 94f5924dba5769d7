// Tensors seen from the host: the memory of the CPU backend as it is, that of other devices downloaded.
#include "tessera/host.h"

#include "api/storage_of.h"
#include "base/fail.h"
#include "runtime/execute.h"
#include "runtime/registry.h"

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
    storage->device()->wait();  // throws what failed in the kernels before
    const auto* data = static_cast<const std::byte*>(storage->buffer().host());
    return {std::span(data, bytes), std::move(storage), true};
  }
  const std::shared_ptr<std::byte[]> copy(new std::byte[bytes]);  // NOLINT: not filled with zeros first
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

}  // namespace tessera
