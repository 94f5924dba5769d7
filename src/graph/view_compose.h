// A view of a view with fewer levels.
#pragma once

#include <optional>

#include "graph/view.h"

namespace tessera {

/// The two levels as one, `outer` over the row-major index of `inner`'s dims: where no step along a dim of `outer`
/// carries from one dim of `inner` to another.
std::optional<ViewLevel> compose(const ViewLevel& outer, const ViewLevel& inner);

}  // namespace tessera
