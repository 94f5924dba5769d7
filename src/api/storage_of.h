// The memory of tensors that are about to be read.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "graph/node.h"
#include "runtime/device.h"
#include "tessera/tensor.h"

namespace tessera {

/// Evaluates the node first where needed; Error of kind value where its data was donated.
std::shared_ptr<Storage> storage_of(const NodePtr& node);

/// Computes all, then reads all with one wait; aim(i, read) says where the bytes of tensor i go. Not called for those
/// without elements.
void read_each(std::span<const Tensor> tensors, const std::function<void(std::size_t i, runtime::Read& read)>& aim,
               std::function<void(std::exception_ptr)> done);

}  // namespace tessera
