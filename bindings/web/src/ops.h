// The generated binding of the ops.
#pragma once

#include <vector>

#include <tessera/tensor.h>

namespace tessera::web {

class Arguments;

/// Calls the op of that row of the generated table.
std::vector<Tensor> call_op(int op, Arguments& in);

}  // namespace tessera::web
