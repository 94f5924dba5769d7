// The storages of tensors that are about to be read.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "graph/node.h"
#include "runtime/device.h"
#include "tessera/tensor.h"

namespace tessera {

/// Evaluates the node if needed; Error of kind value if its data was donated.
std::shared_ptr<Storage> storage_of(const NodePtr& node);

/// Evaluates all, then reads all with one wait; aim(i, read) sets the destination of tensor i. Not called for empty
/// tensors.
void read_each(std::span<const Tensor> tensors, const std::function<void(std::size_t i, runtime::Read& read)>& aim,
               std::function<void(std::exception_ptr)> done);

}  // namespace tessera
