// The elements of tensors in host memory: viewed in place, or copied into the caller's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// Elements in row-major order, which do not change while a copy of this exists.
struct HostView {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  bool shared = false;  // the tensor's own memory; else a copy
};

/// The elements, evaluated first if needed: waits, and throws errors. On the CPU backend they are not copied.
HostView host_view(const Tensor& tensor);

/// Copies the elements into the caller's memory. Error of kind value if its size is not that of the tensor.
void read_into(const Tensor& tensor, std::span<std::byte> to);

/// A tensor over row-major elements in the caller's memory, which `view.owner` keeps alive and unchanged: it is
/// unspecified whether changes are seen. The CPU backend uses them in place if they are aligned; other devices copy
/// them.
Tensor from_host(const HostView& view, DType dtype, const Shape& shape, const Device& device = {});

}  // namespace tessera
