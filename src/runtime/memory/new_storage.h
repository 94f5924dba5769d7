// Storages of tensors: new ones, ones with data from the host, and those of nodes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "graph/node.h"
#include "runtime/device.h"
#include "runtime/memory/storage.h"

namespace tessera::runtime {

/// Bytes of a buffer for so many elements: whole quads, since kernels store whole quads.
std::size_t storage_bytes(std::int64_t numel, DType dtype);
std::shared_ptr<Storage> new_storage(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype);
/// The node's storage, or null before evaluation. If its device was recreated since, a new one with the host's copy.
std::shared_ptr<Storage> current_storage(const Node& node);
/// A storage with these elements. It has a host side if the device takes part in placement or keeps host copies.
std::shared_ptr<Storage> storage_from(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype,
                                      std::span<const std::byte> data);
/// A storage that owns the buffer.
std::shared_ptr<Storage> make_storage(const std::shared_ptr<Device>& device, std::unique_ptr<Buffer> buffer);

/// So many elements of a storage from `offset` on, a multiple of 256 bytes, in its memory.
std::shared_ptr<Storage> range_of_storage(const std::shared_ptr<Storage>& storage, std::int64_t offset,
                                          std::int64_t numel, DType dtype);

}  // namespace tessera::runtime
