// The memory of a tensor that is about to be read.
#pragma once

#include <memory>

#include "graph/node.h"

namespace tessera {

/// Evaluates the node first where needed; Error of kind value where its data was donated.
std::shared_ptr<Storage> storage_of(const NodePtr& node);

}  // namespace tessera
