// The names of ops, for printing, labels and errors.
#pragma once

#include <string_view>

#include "graph/op_fwd.h"

namespace tessera {

std::string_view op_name(Op op);

}  // namespace tessera
