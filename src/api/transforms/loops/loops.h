// Loops over a function of the user: unrolled into the surrounding graph, or traced once and replayed, at once or as a
// call of the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "graph/node.h"
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
  // Of called() alone:
  bool recompute = false;   // the backward pass computes a step again from the state, and nothing else is kept
  NodePtr count = nullptr;  // the number of steps, an integer on the device

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
/// The same inside of compile(): a call of the graph, which the host runs between plans. LoopCalls::allowed() must
/// hold.
Scanned called(const Loop& loop, const Tensors& carry, const Tensors& xs);
/// The nodes of one step.
std::int64_t nodes_in_step(const Loop& loop, const Tensors& carry, const Tensors& xs);

}  // namespace tessera::loops
