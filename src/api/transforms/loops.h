// Loops over a function of the user: unrolled into the surrounding graph, or traced once and replayed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "runtime/device.h"
#include "tessera/scan.h"

namespace tessera::loops {

/// One step: the row of xs and ys (i32, rank 0), the state and the row of each x.
using Step = std::function<Scanned(const Tensor& row, const Tensors& carry, const Tensors& x)>;

struct Loop {
  std::string_view what;  // in errors; a literal
  Step step;
  std::int64_t steps = 0;
  bool reverse = false;
  std::int64_t checkpoint_every = 1;
  std::shared_ptr<runtime::Device> device = {};

  /// The row of xs and ys that step t uses.
  [[nodiscard]] std::int64_t row(std::int64_t t) const { return reverse ? steps - 1 - t : t; }
};

/// The shape of one row of a tensor of xs or ys, and that of so many rows.
Shape row_shape(const Shape& all);
Shape with_rows(std::int64_t rows, const Shape& row);

/// Error of kind value unless a step returned a carry like the given one, and no empty tensors.
void check_step(const Loop& loop, const Tensors& carry, const Scanned& returned);

/// Calls the function for each step.
Scanned unrolled(const Loop& loop, const Tensors& carry, const Tensors& xs);
/// Calls the function once and replays its plan. The thread must not be tracing, and there is at least one step.
Scanned replayed(const Loop& loop, const Tensors& carry, const Tensors& xs);

}  // namespace tessera::loops
