// Sizes of storages, and which side has the data first.
#include "runtime/memory/new_storage.h"

#include <algorithm>
#include <cstring>

#include "base/recycler.h"
#include "runtime/memory/copy.h"
#include "runtime/placement/placement.h"

namespace tessera::runtime {

std::shared_ptr<Storage> make_storage(const std::shared_ptr<Device>& device, std::unique_ptr<Buffer> buffer) {
  return std::allocate_shared<Storage>(Recycler<Storage>(), device, std::move(buffer));
}

std::size_t storage_bytes(std::int64_t numel, DType dtype) {
  const auto quads = static_cast<std::size_t>((numel + 3) / 4);
  return std::max<std::size_t>(quads * 4 * size_of(dtype), 16);
}

std::shared_ptr<Storage> new_storage(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype) {
  return make_storage(device, device->pool().acquire(storage_bytes(numel, dtype)));
}

std::shared_ptr<Storage> current_storage(const Node& node) {
  auto storage = node.storage();
  if (storage == nullptr || !storage->stale()) return storage;
  storage = storage->revived();
  node.replace_storage(storage);
  return storage;
}

std::shared_ptr<Storage> storage_from(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype,
                                      std::span<const std::byte> data) {
  const std::size_t bytes = storage_bytes(numel, dtype);
  const bool waits = device->placer() != nullptr && bytes <= device->placer()->threshold();
  std::shared_ptr<Buffer> host;
  if (waits || (device->config().keep_host_copies && device->info().type != DeviceType::kCpu)) {
    host = new_host_memory(bytes);
    if (!data.empty()) std::memcpy(host->host(), data.data(), data.size());
  }
  if (waits) return std::allocate_shared<Storage>(Recycler<Storage>(), Storage::OnHost{}, device, std::move(host));
  auto storage = new_storage(device, numel, dtype);
  if (!data.empty()) device->upload(storage->buffer(), 0, data);
  if (host != nullptr) storage->keep_host(std::move(host));
  return storage;
}

std::shared_ptr<Storage> range_of_storage(const std::shared_ptr<Storage>& storage, std::int64_t offset,
                                          std::int64_t numel, DType dtype) {
  const bool nested = storage->parent() != nullptr;
  const std::size_t first = static_cast<std::size_t>(offset) * size_of(dtype) + (nested ? storage->offset() : 0);
  return std::allocate_shared<Storage>(Recycler<Storage>(), nested ? storage->parent() : storage, first,
                                       storage_bytes(numel, dtype));
}

}  // namespace tessera::runtime
