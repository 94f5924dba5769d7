// scan(f, carry, xs) and loop(n, f, carry): a function that is traced and planned once and replayed for each step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tessera/export.h"
#include "tessera/grad.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// The state after the last step, and the results of all steps along a new first axis. A function that scan() calls
/// returns the state after its step and the results of its step.
struct Scanned {
  Tensors carry = {};
  Tensors ys = {};
};
/// One step: receives the state and the elements of xs at this step (x[t] for each x of xs).
using ScanFunction = std::function<Scanned(const Tensors& carry, const Tensors& x)>;
/// One step of loop(): receives the number of the step (i32, rank 0), counted from 0, and the state; returns the state.
using LoopFunction = std::function<Tensors(const Tensor& step, const Tensors& carry)>;

struct ScanOptions {
  /// The number of steps; needed if there are no xs.
  std::optional<std::int64_t> length = {};
  /// From the last element of xs to the first one. Results have the positions of their elements.
  bool reverse = false;
  /// The backward pass needs the state before each step, and what its matmuls and calls gave. 1: all of it is kept; k:
  /// the state before every k-th step, and the backward pass computes the rest again.
  std::int64_t checkpoint_every = 1;
  /// The number of steps in one plan: f is called so often, and each submission runs so many steps. 0: all of them, as
  /// part of a graph, which nothing is submitted for before it is evaluated.
  std::int64_t unroll = 1;
};

/// Calls f for each element of xs along their first axis and passes the state on from step to step. f is called once,
/// on tensors without values: its plan is replayed for each step without waiting. The state is donated from step to
/// step, elements of xs are read where they are and results are written into their place in ys; the given carry keeps
/// its value. Tensors that f captures are constants. Random draws differ from step to step and equal those of a loop
/// that calls f.
///
/// f must return a carry of the same shapes and dtypes: otherwise Error of kind value.
///
/// Gradients pass to carry, xs and all tracked tensors that f captures. The backward pass is a replayed loop too.
/// Gradients of gradients are those of the unrolled loop: for them, f is kept and called for each step, so that it must
/// not refer to what is gone by then.
///
/// Inside compile() a plan of some steps is part of the compiled function and is replayed with it; a loop of a few
/// steps is unrolled into the surrounding graph. In a function of another scan, and with dynamic axes, f is called for
/// each step and becomes part of the surrounding graph: the result is the same, but planning takes time in proportion
/// to the number of steps, once per trace.
Scanned scan(const ScanFunction& f, const Tensors& carry, const Tensors& xs, const ScanOptions& options = {});

struct LoopOptions {
  std::int64_t checkpoint_every = 1;  // as in ScanOptions, like unroll
  std::int64_t unroll = 1;
};
/// The state after n steps of f; all of scan() applies.
Tensors loop(std::int64_t n, const LoopFunction& f, const Tensors& carry, const LoopOptions& options = {});
/// The same with a number of steps that is a single integer on a device: it is read, which waits for it. Inside of
/// compile() each call reads it in the middle; there the loop has no gradient, and f draws no random numbers.
Tensors loop(const Tensor& n, const LoopFunction& f, const Tensors& carry, const LoopOptions& options = {});

}  // namespace tessera
