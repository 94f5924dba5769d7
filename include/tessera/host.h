// The elements of tensors in memory of the host: seen where they lie, or copied into memory of one's own.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// Elements in row-major order, which stay as they are while a copy of this lives.
struct HostView {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
  bool shared = false;  // it is the tensor's own memory; else a copy
};

/// The elements, computed first where needed: waits, and throws what went wrong. On the CPU backend they are not
/// copied.
HostView host_view(const Tensor& tensor);

/// The same into memory of the caller, which has room for exactly all elements: Error of kind value where it has not.
void read_into(const Tensor& tensor, std::span<std::byte> to);

/// A tensor of elements in memory of the caller, row-major, which `view.owner` keeps as they are: changes of them may
/// or may not be seen. The CPU backend computes with them where they are, if they are aligned; other devices copy them.
Tensor from_host(const HostView& view, DType dtype, const Shape& shape, const Device& device = {});

}  // namespace tessera
