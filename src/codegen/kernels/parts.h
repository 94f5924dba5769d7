// WGSL that the texts of several kernels share.
#pragma once

#include <string>
#include <string_view>

#include "tessera/dtype.h"

namespace tessera::codegen {

/// A main function with one invocation for each i below params.`count`, up to its body.
std::string main_per_element(std::string_view count);

/// NAME_at(row, col): where an element of an input [.., cols] is; `cols` is the parameter with that number. `strided`:
/// it may be a view, see KernelBinding::row_axes.
std::string row_index(std::string_view name, bool strided, int row_axes = 3, std::string_view cols = "cols");

/// K, zero_key, to_key(v) of an element of a wide dtype, inverted where `descending`, and before(a, b): see
/// ops/sort/sort_keys.h.
std::string key_text(DType wide, bool descending);

}  // namespace tessera::codegen
