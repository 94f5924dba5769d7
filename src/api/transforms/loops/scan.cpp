// scan() and loop(): checks of their arguments, and loops that are unrolled.
#include "tessera/scan.h"

#include <algorithm>
#include <string>

#include "api/transforms/loop_trace.h"
#include "api/transforms/loops/loops.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/made_nodes.h"
#include "graph/node_log.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "ops/build.h"
#include "runtime/registry.h"
#include "tessera/index.h"
#include "tessera/random.h"

namespace tessera {

namespace {

std::string described(const Tensor& t) { return fmt::format("{} {}", name(t.dtype()), t.shape()); }

Tensor placeholder(const Shape& shape, DType dtype, const std::shared_ptr<runtime::Device>& device) {
  return Tensor(std::make_shared<const Node>(Op::kInput, dtype, shape, device, Node::Inputs{}));
}

/// No steps: the carry as it is, and ys without rows. The function is called for the shapes of ys alone.
Scanned without_steps(const loops::Loop& loop, const Tensors& carry, const Tensors& xs) {
  const random::Use aside{random::Generator(0)};  // draws do not count
  Tensors state;
  Tensors x;
  for (const Tensor& c : carry) state.push_back(placeholder(c.shape(), c.dtype(), loop.device));
  for (const Tensor& t : xs) x.push_back(placeholder(loops::row_shape(t.shape()), t.dtype(), loop.device));
  const Scanned one = loop.step(placeholder(Shape{}, DType::kI32, loop.device), state, x);
  loops::check_step(loop, carry, one);
  Scanned none{carry, {}};
  for (const Tensor& y : one.ys) {
    none.ys.emplace_back(
        ops::full(loops::with_rows(0, y.shape()), ops::scalar({std::int64_t{0}}, y.dtype()), loop.device));
  }
  return none;
}

using Runner = Scanned (*)(const loops::Loop&, const Tensors&, const Tensors&);

/// Several steps in each plan: a loop over chunks of `size` rows, and one plan for the rest.
Scanned chunked(const loops::Loop& loop, const Tensors& carry, const Tensors& xs, std::int64_t size, Runner run) {
  const std::int64_t whole = loop.steps / size * size;
  // The rows [from, to) in chunks of `rows`.
  const auto part = [&](const Tensors& state, std::int64_t from, std::int64_t to, std::int64_t rows) {
    loops::Loop chunks = loop;
    chunks.steps = (to - from) / rows;
    chunks.checkpoint_every = ceil_div(loop.checkpoint_every, rows);
    chunks.step = [loop, from, rows](const Tensor& chunk, const Tensors& c, const Tensors& x) {
      loops::Loop inside = loop;
      inside.steps = rows;
      inside.step = [&](const Tensor& row, const Tensors& now, const Tensors& one) {
        return loop.step(chunk * rows + row + from, now, one);
      };
      return loops::unrolled(inside, c, x);
    };
    Tensors pieces;
    for (const Tensor& x : xs) {
      const Tensor piece = slice(x, {Slice{from, to}});
      pieces.push_back(
          reshape(piece, loops::with_rows(chunks.steps, loops::with_rows(rows, loops::row_shape(x.shape())))));
    }
    Scanned result = run(chunks, state, pieces);
    for (Tensor& y : result.ys)
      y = reshape(y, loops::with_rows(to - from, loops::row_shape(loops::row_shape(y.shape()))));
    return result;
  };
  if (whole == loop.steps) return part(carry, 0, whole, size);
  const auto head = [&](const Tensors& state) { return part(state, 0, whole, size); };
  const auto rest = [&](const Tensors& state) { return part(state, whole, loop.steps, loop.steps - whole); };
  const Scanned first = loop.reverse ? rest(carry) : head(carry);
  Scanned last = loop.reverse ? head(first.carry) : rest(first.carry);
  for (std::size_t i = 0; i < last.ys.size(); ++i) {
    last.ys[i] = loop.reverse ? concat({last.ys[i], first.ys[i]}, 0) : concat({first.ys[i], last.ys[i]}, 0);
  }
  return last;
}

/// Inside compile(), so many nodes are one plan: it is made in a few milliseconds, and its kernels take longer than a
/// submission does.
constexpr std::int64_t kNodesOfAPlan = 256;

/// A loop inside compile(): unrolled if it is small, else a call that replays a plan of some steps.
Scanned inside_compile(loops::Loop loop, const Tensors& carry, const Tensors& xs, std::int64_t unroll) {
  LoopCalls::note_call();
  std::int64_t size = unroll;
  if (loop.count != nullptr) return loops::called(loop, carry, xs);
  if (unroll == 1) {
    size = std::clamp<std::int64_t>(kNodesOfAPlan / loops::nodes_in_step(loop, carry, xs), 1, loop.steps);
    if (size == loop.steps) return loops::unrolled(loop, carry, xs);
  }
  // A plan computes the steps between two kept states again, all of them.
  loop.recompute = loop.checkpoint_every > 1;
  size = std::min(loop.recompute ? loop.checkpoint_every : size, loop.steps);
  for (std::int64_t s = size; s > size / 2 && unroll == 1 && !loop.recompute; --s) {  // rather without a rest
    if (loop.steps % s == 0)
      return s == 1 ? loops::called(loop, carry, xs) : chunked(loop, carry, xs, s, loops::called);
  }
  return size == 1 ? loops::called(loop, carry, xs) : chunked(loop, carry, xs, size, loops::called);
}

Scanned run(loops::Loop loop, const Tensors& carry, const Tensors& xs, std::int64_t unroll) {
  if (unroll < 0) fail(ErrorKind::kValue, "{}: unroll is {}; at least 0 is expected.", loop.what, unroll);
  if (loop.checkpoint_every < 1) {
    fail(ErrorKind::kValue, "{}: checkpoint_every is {}; at least 1 is expected.", loop.what, loop.checkpoint_every);
  }
  for (const auto& [list, which] : {std::pair(&carry, "carry"), std::pair(&xs, "xs")}) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Tensor& t = (*list)[i];
      if (!t.defined()) fail(ErrorKind::kValue, "{}: {} {} is an empty Tensor.", loop.what, which, i);
      const auto& on = t.node()->device();
      if (on == nullptr) continue;
      if (loop.device != nullptr && loop.device != on) {
        fail(ErrorKind::kDevice, "{}: carry and xs are on two devices, {} and {}; one is expected.", loop.what,
             loop.device->info().id, on->info().id);
      }
      loop.device = on;
    }
  }
  if (loop.device == nullptr) loop.device = runtime::default_device();
  // Gradients may call the function again, after the scope.
  loop.step = [step = std::move(loop.step), low = ops::autocast_dtype()](const Tensor& row, const Tensors& c,
                                                                         const Tensors& x) {
    const ops::AutocastScope scope(low);
    return step(row, c, x);
  };
  if (loop.steps == 0 && loop.count == nullptr) return without_steps(loop, carry, xs);
  if (LoopCalls::allowed() && unroll > 0) return inside_compile(std::move(loop), carry, xs, unroll);
  if (MadeNodes::noting() || NodeLog::recording() || unroll == 0) return loops::unrolled(loop, carry, xs);
  const std::int64_t size = std::min(unroll, loop.steps);
  return size == 1 ? loops::replayed(loop, carry, xs) : chunked(loop, carry, xs, size, loops::replayed);
}

std::int64_t steps_of(const Tensors& xs, const ScanOptions& options) {
  std::optional<std::int64_t> steps = options.length;
  if (steps.has_value() && *steps < 0) {
    fail(ErrorKind::kValue, "scan: a length of {} was given; at least 0 is expected.", *steps);
  }
  for (std::size_t i = 0; i < xs.size(); ++i) {
    if (!xs[i].defined()) fail(ErrorKind::kValue, "scan: xs {} is an empty Tensor.", i);
    if (xs[i].rank() == 0) {
      fail(ErrorKind::kShape, "scan: xs {} has rank 0; a first axis with one element per step is expected.", i);
    }
    const std::int64_t size = xs[i].shape()[0];
    if (!steps.has_value()) steps = size;
    if (size == *steps) continue;
    if (options.length.has_value()) {
      fail(ErrorKind::kShape, "scan: xs {} has shape {}; a first axis of {} is expected, the given length.", i,
           xs[i].shape(), *steps);
    }
    fail(ErrorKind::kShape, "scan: xs 0 has shape {} and xs {} has shape {}; first axes of one size are expected.",
         xs[0].shape(), i, xs[i].shape());
  }
  if (!steps.has_value()) {
    fail(ErrorKind::kValue,
         "scan: neither xs nor a length was given; one of them is expected, for the number of steps.");
  }
  return *steps;
}

}  // namespace

namespace loops {

void check_step(const Loop& loop, const Tensors& carry, const Scanned& returned) {
  if (returned.carry.size() != carry.size()) {
    fail(ErrorKind::kValue, "{}: the function returned a carry of {} tensors; {} were given and are expected.",
         loop.what, returned.carry.size(), carry.size());
  }
  for (std::size_t i = 0; i < carry.size(); ++i) {
    const Tensor& c = returned.carry[i];
    if (!c.defined()) fail(ErrorKind::kValue, "{}: the function returned an empty Tensor as carry {}.", loop.what, i);
    if (c.dtype() == carry[i].dtype() && c.shape() == carry[i].shape()) continue;
    fail(ErrorKind::kValue, "{}: the function returned {} as carry {}, which was given as {}; the same is expected.",
         loop.what, described(c), i, described(carry[i]));
  }
  for (std::size_t i = 0; i < returned.ys.size(); ++i) {
    if (!returned.ys[i].defined()) {
      fail(ErrorKind::kValue, "{}: the function returned an empty Tensor as y {}.", loop.what, i);
    }
  }
  for (const auto* list : {&returned.carry, &returned.ys}) {
    for (const Tensor& t : *list) {
      const auto& on = t.node()->device();
      if (on == nullptr || on == loop.device) continue;
      fail(ErrorKind::kDevice, "{}: the function returned a tensor on {}; its arguments are on {}.", loop.what,
           on->info().id, loop.device->info().id);
    }
  }
}

Scanned unrolled(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  Scanned now{carry, {}};
  std::vector<Tensors> rows;  // of each y
  for (std::int64_t t = 0; t < loop.steps; ++t) {
    const std::int64_t row = loop.row(t);
    Tensors x;
    for (const Tensor& all : xs) x.push_back(index(all, {At(row)}));
    const Tensor number(ops::full(Shape{}, ops::scalar({row}, DType::kI32), loop.device));
    Scanned next = loop.step(number, now.carry, x);
    check_step(loop, carry, next);
    if (t == 0) rows.resize(next.ys.size(), Tensors(as_index(loop.steps)));
    if (next.ys.size() != rows.size()) {
      fail(ErrorKind::kValue,
           "{}: the function returned {} ys in step {} and {} in the first one; as many are expected.", loop.what,
           next.ys.size(), t, rows.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][as_index(row)] = std::move(next.ys[i]);
    now.carry = std::move(next.carry);
  }
  for (const Tensors& y : rows) now.ys.push_back(stack(y, 0));
  return now;
}

}  // namespace loops

Scanned scan(const ScanFunction& f, const Tensors& carry, const Tensors& xs, const ScanOptions& options) {
  if (!f) fail(ErrorKind::kValue, "scan: an empty function was given.");
  return run({.what = "scan",
              .step = [f](const Tensor&, const Tensors& c, const Tensors& x) { return f(c, x); },
              .steps = steps_of(xs, options),
              .reverse = options.reverse,
              .checkpoint_every = options.checkpoint_every},
             carry, xs, options.unroll);
}

Tensors loop(std::int64_t n, const LoopFunction& f, const Tensors& carry, const LoopOptions& options) {
  if (!f) fail(ErrorKind::kValue, "loop: an empty function was given.");
  if (n < 0) fail(ErrorKind::kValue, "loop: {} steps were given; at least 0 are expected.", n);
  return run({.what = "loop",
              .step = [f](const Tensor& row, const Tensors& c, const Tensors&) { return Scanned{f(row, c), {}}; },
              .steps = n,
              .checkpoint_every = options.checkpoint_every},
             carry, {}, options.unroll)
      .carry;
}

Tensors loop(const Tensor& n, const LoopFunction& f, const Tensors& carry, const LoopOptions& options) {
  if (!n.defined()) fail(ErrorKind::kValue, "loop: the number of steps is an empty Tensor.");
  if (!is_integer(n.dtype()) || n.numel() != 1) {
    fail(ErrorKind::kValue, "loop: the number of steps is {}; a number, or a single integer in a tensor, is expected.",
         described(n));
  }
  if (LoopCalls::allowed() && n.node()->device() != nullptr) {
    if (!f) fail(ErrorKind::kValue, "loop: an empty function was given.");
    return run({.what = "loop",
                .step = [f](const Tensor& row, const Tensors& c, const Tensors&) { return Scanned{f(row, c), {}}; },
                .device = n.node()->device(),
                .count = n.node()},
               carry, {}, 1)
        .carry;
  }
  if (MadeNodes::noting() && n.node()->device() != nullptr) {
    fail(ErrorKind::kValue,
         "loop: the number of steps is a tensor, which has no value inside of another loop or with dynamic axes; a "
         "number is expected there.");
  }
  return loop(n.item<std::int64_t>(), f, carry, options);
}

}  // namespace tessera
