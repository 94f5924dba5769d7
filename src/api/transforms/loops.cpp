// Replayed loops: the function is traced once, and a bound plan runs for each step; gradients run a second plan
// backwards.
#include "api/transforms/loops.h"

#include <algorithm>
#include <optional>
#include <span>

#include "api/transforms/differentiating.h"
#include "api/transforms/draws.h"
#include "api/transforms/traced.h"
#include "autograd/reverse.h"
#include "base/compute.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/index/index.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/planning.h"

namespace tessera::loops {

namespace {

using Nodes = std::vector<NodePtr>;
using StoragePtr = std::shared_ptr<Storage>;
using Storages = std::vector<StoragePtr>;
using DevicePtr = std::shared_ptr<runtime::Device>;

Nodes nodes_of(const Tensors& tensors) {
  Nodes nodes;
  for (const Tensor& t : tensors) nodes.push_back(t.node());
  return nodes;
}

Tensors tensors_of(std::span<const NodePtr> nodes) {
  Tensors tensors;
  for (const NodePtr& n : nodes) tensors.emplace_back(n);
  return tensors;
}

void append(Nodes& to, std::span<const NodePtr> nodes) { to.insert(to.end(), nodes.begin(), nodes.end()); }

NodePtr input(DType dtype, const Shape& shape, const DevicePtr& device, StoragePtr storage = nullptr) {
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, device, Node::Inputs{});
  if (storage != nullptr) node->replace_storage(std::move(storage));
  return node;
}

NodePtr input_like(const NodePtr& n, const DevicePtr& device, StoragePtr storage = nullptr) {
  return input(n->dtype(), n->shape(), device, std::move(storage));
}

NodePtr zeros_like(const NodePtr& n, DType dtype, const DevicePtr& device) {
  return ops::full(n->shape(), ops::scalar({0.0}, dtype), device);
}

NodePtr i32(std::int64_t value) { return ops::scalar({value}, DType::kI32); }

Shape row_shape(const Shape& all) {
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < all.rank(); ++i) sizes.push_back(all[i]);
  return Shape(sizes);
}

Shape with_rows(std::int64_t rows, const Shape& row) {
  std::vector<std::int64_t> sizes{rows};
  for (int i = 0; i < row.rank(); ++i) sizes.push_back(row[i]);
  return Shape(sizes);
}

/// all[row], read where it is: the position is part of the loads of its readers.
NodePtr read_row(const NodePtr& all, const NodePtr& row) {
  const Shape shape = row_shape(all->shape());
  const auto count = shape.numel();
  const NodePtr at = ops::arange(0, static_cast<double>(count), 1, DType::kI32, all->device());
  return ops::gather(all, ops::reshape(at, shape) + row * i32(count));
}

/// `all` with `value` as all[row].
NodePtr write_row(const NodePtr& all, const NodePtr& value, const NodePtr& row) {
  const Shape& shape = all->shape();
  std::vector<std::int64_t> first(as_index(shape.rank()), 1);
  first[0] = shape[0];
  const NodePtr at = ops::arange(0, static_cast<double>(shape[0]), 1, DType::kI32, all->device());
  const NodePtr here = ops::elementwise(Op::kEqual, {ops::reshape(at, Shape(first)), row});
  first.assign(first.size(), 1);
  for (int i = 1; i < shape.rank(); ++i) first[as_index(i)] = shape[i];
  const NodePtr whole = ops::reshape(ops::broadcast_to(ops::cast(value, all->dtype()), row_shape(shape)), Shape(first));
  return ops::elementwise(Op::kWhere, {here, whole, all});
}

/// While it lives, the nodes of the thread belong to a traced function again.
class Noting {
 public:
  explicit Noting(MadeNodes& made) : made_(made) { made_.resume(); }
  ~Noting() { made_.stop(); }
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;

 private:
  MadeNodes& made_;
};

/// The function, called once on placeholders.
struct Body {
  MadeNodes made;
  random::DrawLog draws;
  // Placeholders: the state, all rows of xs, and the row of the step.
  Nodes carry;
  Nodes xs;
  NodePtr row;
  // The arguments of the function: variables, if they are floats and gradients are enabled.
  Nodes carry_in;
  Nodes x_in;
  // Its results.
  Nodes carry_out;
  Nodes ys;
  Nodes captured;  // tracked tensors that it did not make
};

std::shared_ptr<Body> trace(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  auto body = std::make_shared<Body>();
  const auto argument = [](const NodePtr& n) {
    return gradients_enabled() && is_float(n->dtype()) ? autograd::variable(n) : n;
  };
  body->row = input(DType::kI32, Shape{}, loop.device);
  for (const Tensor& c : carry) {
    body->carry.push_back(input_like(c.node(), loop.device));
    body->carry_in.push_back(argument(body->carry.back()));
  }
  for (const Tensor& x : xs) {
    body->xs.push_back(input_like(x.node(), loop.device));
    body->x_in.push_back(argument(read_row(body->xs.back(), body->row)));
  }
  const Scanned returned = loop.step(Tensor(body->row), tensors_of(body->carry_in), tensors_of(body->x_in));
  body->draws.stop();
  body->made.stop();
  check_step(loop, carry, returned);
  body->carry_out = nodes_of(returned.carry);
  body->ys = nodes_of(returned.ys);
  Nodes outputs = body->carry_out;
  append(outputs, body->ys);
  body->captured = autograd::captured_by(outputs, body->made);
  return body;
}

/// A bound plan that runs for each step. Its first inputs are carried: the results of a step are those of the next one.
class Replay {
 public:
  /// `carried` and `others` are the placeholders, `results` one for each carried one.
  Replay(const Loop& loop, const Body& body, Nodes carried, std::span<const NodePtr> others,
         std::span<const NodePtr> results, std::span<const int> donate)
      : carried_(std::move(carried)) {
    evaluate_captured(results, body.made, loop.device);
    Nodes placeholders = carried_;
    append(placeholders, others);
    const runtime::PlanningMeasurement measurement(*loop.device);
    const Graph taken = runtime::current_snapshot(results);
    MeasurePasses::count_nodes(taken.entries.size());
    plan_ = bind_trace(loop.what, taken, loop.device, placeholders, donate, body.draws.drawn());
    inputs.resize(placeholders.size());
    outputs_.resize(carried_.size());
  }

  /// The arguments of the next step, carried ones first.
  Storages inputs;

  void run(std::span<const RandomState> drawn) {
    const std::vector<char>& overwritten = plan_->overwritten();
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (overwritten[i] == 0 || inputs[i].use_count() == 1) continue;  // others would see the data change
      inputs[i] = runtime::copy_of_storage(*carried_[i], inputs[i]);
    }
    plan_->run(inputs, drawn, outputs_);
    for (std::size_t i = 0; i < carried_.size(); ++i) inputs[i] = std::move(outputs_[i]);
  }

 private:
  Nodes carried_;
  std::unique_ptr<runtime::BoundPlan> plan_;
  Storages outputs_;
};

std::vector<int> range(std::size_t from, std::size_t to) {
  std::vector<int> all;
  for (std::size_t i = from; i < to; ++i) all.push_back(static_cast<int>(i));
  return all;
}

StoragePtr row_storage(const Loop& loop, std::int64_t row) {
  const auto value = static_cast<std::int32_t>(row);
  return runtime::storage_from(loop.device, 1, DType::kI32, std::as_bytes(std::span(&value, 1)));
}

/// The storages of evaluated nodes.
Storages storages_of(const Loop& loop, std::span<const NodePtr> nodes, std::string_view which) {
  runtime::evaluate(nodes, loop.device);
  Storages all;
  for (const NodePtr& n : nodes) {
    all.push_back(runtime::current_storage(*n));
    if (all.back() == nullptr) {
      fail(ErrorKind::kValue, "{}: {} {} has no data: it was donated before.", loop.what, which, all.size() - 1);
    }
  }
  return all;
}

/// What the backward pass needs of a loop that ran.
struct Run {
  Loop loop;
  std::shared_ptr<Body> body;
  std::vector<Storages> states;        // before every `checkpoint_every`-th step
  std::vector<RandomState> positions;  // of the draws of all steps, in order
  random::DrawTape tape;               // the same for a loop that calls the function

  [[nodiscard]] std::span<const RandomState> drawn(std::int64_t t) const {
    const std::size_t count = body->draws.drawn().size();
    return std::span(positions).subspan(as_index(t) * count, count);
  }
};

// ---- Gradients of an unrolled loop ----

/// The loop as a graph, with variables in place of carry and xs.
struct Graphed {
  Nodes created;    // variables
  Nodes variables;  // of carry, xs and captured tensors; captured ones are their own
  Nodes outputs;    // carry and ys
};

Graphed graph_of(const Run& run, std::span<const NodePtr> inputs) {
  Graphed g;
  const std::size_t given = run.body->carry.size() + run.body->xs.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool variable = i < given && is_float(inputs[i]->dtype());
    g.variables.push_back(variable ? autograd::variable(inputs[i]) : inputs[i]);
    if (variable) g.created.push_back(g.variables.back());
  }
  const std::span<const NodePtr> all = g.variables;
  const random::DrawTape::Play play(run.tape);
  const Scanned result = unrolled(run.loop, tensors_of(all.first(run.body->carry.size())),
                                  tensors_of(all.subspan(run.body->carry.size(), run.body->xs.size())));
  g.outputs = nodes_of(result.carry);
  append(g.outputs, nodes_of(result.ys));
  return g;
}

Nodes picked(std::span<const NodePtr> all, const std::vector<char>& wanted) {
  Nodes result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted[i] != 0) result.push_back(all[i]);
  }
  return result;
}

/// In the places of all inputs.
Nodes spread(std::span<const NodePtr> gradients, const std::vector<char>& wanted) {
  Nodes all(wanted.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted[i] != 0) all[i] = gradients[next++];
  }
  return all;
}

Nodes graph_gradients(const Run& run, const Gradient::Call& call, const std::vector<char>& wanted) {
  const Tracking tracking;
  Graphed g = graph_of(run, call.inputs);
  const Nodes gradients = autograd::reverse(g.outputs, call.gradients, picked(g.variables, wanted));
  append(g.outputs, gradients);
  autograd::retire(g.created, g.outputs);
  return spread(gradients, wanted);
}

/// The gradients of the backward pass. Its inputs are those of the loop, then the gradients that were `given`.
Nodes second_gradients(const Run& run, const Gradient::Call& call, const std::vector<char>& wanted,
                       const std::vector<char>& given) {
  const Tracking tracking;
  Graphed g = graph_of(run, call.inputs.first(wanted.size()));
  Nodes seeds;
  for (const NodePtr& n : call.inputs.subspan(wanted.size())) seeds.push_back(autograd::variable(n));
  const Nodes first = autograd::reverse(g.outputs, spread(seeds, given), picked(g.variables, wanted));
  append(g.variables, seeds);
  append(g.created, seeds);
  std::vector<char> floats;
  for (const NodePtr& n : g.variables) floats.push_back(is_float(n->dtype()) ? 1 : 0);
  const Nodes gradients = autograd::reverse(first, call.gradients, picked(g.variables, floats));
  Nodes made = g.outputs;
  append(made, first);
  append(made, gradients);
  autograd::retire(g.created, made);
  return spread(gradients, floats);
}

// ---- The backward pass ----

/// The states before the steps [first, last), from that before the first one.
std::vector<Storages> states_between(const Run& run, Replay& forward, const Storages& state, const Storages& xs,
                                     std::int64_t first, std::int64_t last) {
  std::vector<Storages> states{state};
  std::ranges::copy(state, forward.inputs.begin());
  forward.inputs[state.size()] = row_storage(run.loop, run.loop.row(first));
  std::ranges::copy(xs, forward.inputs.begin() + static_cast<std::ptrdiff_t>(state.size() + 1));
  for (std::int64_t t = first; t + 1 < last; ++t) {
    forward.run(run.drawn(t));
    states.emplace_back(forward.inputs.begin(), forward.inputs.begin() + static_cast<std::ptrdiff_t>(state.size()));
  }
  for (StoragePtr& s : forward.inputs) s = nullptr;
  return states;
}

class Backward {
 public:
  Backward(const Run& run, const Gradient::Call& call, const std::vector<char>& wanted)
      : run_(run), loop_(run.loop), body_(*run.body), call_(call), wanted_(wanted) {}

  Nodes gradients() {
    build();
    return replay();
  }

 private:
  [[nodiscard]] const DevicePtr& device() const { return loop_.device; }
  [[nodiscard]] bool wanted_x(std::size_t i) const { return wanted_[body_.carry.size() + i] != 0; }
  [[nodiscard]] bool wanted_captured(std::size_t i) const {
    return wanted_[body_.carry.size() + body_.xs.size() + i] != 0;
  }

  /// One step: the gradients of the state before it from those of the state after it, with the sums for captured
  /// tensors and the rows for xs.
  void build() {
    const Tracking tracking;
    const Noting noting(body_.made);
    Nodes outputs;
    Nodes seeds;
    Nodes variables;
    Nodes state;  // gradients of the state, before a step
    for (std::size_t i = 0; i < body_.carry.size(); ++i) {
      const NodePtr& out = body_.carry_out[i];
      if (is_complex(out->dtype()) && out->tracked()) {
        fail(ErrorKind::kUnsupported, "{}: a gradient came to carry {}, of type {}; complex numbers have none yet.",
             loop_.what, i, name(out->dtype()));
      }
      if (!is_float(out->dtype())) continue;
      carried_.push_back(input_like(out, device()));
      const NodePtr& last = call_.gradients[i];
      initial_.push_back(last != nullptr ? last : zeros_like(out, out->dtype(), device()));
      outputs.push_back(out);
      seeds.push_back(carried_.back());
      variables.push_back(body_.carry_in[i]);
    }
    const std::size_t floats = carried_.size();
    for (std::size_t i = 0; i < body_.ys.size(); ++i) {
      const NodePtr& given = call_.gradients[body_.carry.size() + i];
      if (given == nullptr) continue;
      others_.push_back(input_like(given, device()));
      other_values_.push_back(given);
      outputs.push_back(body_.ys[i]);
      seeds.push_back(read_row(others_.back(), body_.row));
    }
    for (std::size_t i = 0; i < body_.xs.size(); ++i) {
      if (wanted_x(i)) variables.push_back(body_.x_in[i]);
    }
    append(variables, body_.captured);
    const autograd::Reached reached = autograd::reverse_to(outputs, seeds, variables);
    // The state.
    for (std::size_t i = 0; i < floats; ++i) {
      const NodePtr& g = reached.gradients[i];
      results_.push_back(g != nullptr ? g : zeros_like(variables[i], variables[i]->dtype(), device()));
    }
    carried_.push_back(body_.row);
    results_.push_back(body_.row + i32(loop_.reverse ? 1 : -1));
    // xs: rows.
    std::size_t at = floats;
    for (std::size_t i = 0; i < body_.xs.size(); ++i) {
      if (!wanted_x(i)) continue;
      const NodePtr g = autograd::gradient_or_zeros(reached, at, variables[at]);
      carried_.push_back(input_like(body_.xs[i], device()));
      results_.push_back(write_row(carried_.back(), g, body_.row));
      ++at;
    }
    // Captured tensors: sums over the steps, in f32 for halves.
    for (std::size_t i = 0; i < body_.captured.size(); ++i, ++at) {
      if (!wanted_captured(i)) continue;
      const NodePtr& w = body_.captured[i];
      const DType wide = wide_float(w->dtype());
      carried_.push_back(input(wide, w->shape(), device()));
      const NodePtr g = autograd::gradient_or_zeros(reached, at, w);
      results_.push_back(reached.gradients[at] != nullptr ? carried_.back() + ops::cast(g, wide) : carried_.back());
    }
    floats_ = floats;
  }

  Nodes replay() {
    const std::size_t states = body_.carry.size();
    Nodes others = body_.carry;
    append(others, body_.xs);
    append(others, others_);
    Replay backward(loop_, body_, carried_, others, results_, range(0, carried_.size()));
    std::optional<Replay> forward;
    if (loop_.checkpoint_every > 1) {
      const Noting noting(body_.made);
      Nodes carried = body_.carry;
      carried.push_back(body_.row);
      Nodes results = body_.carry_out;
      results.push_back(body_.row + i32(loop_.reverse ? -1 : 1));
      forward.emplace(loop_, body_, carried, body_.xs, results, range(states, states + 1));
    }
    const Storages xs = storages_of(loop_, call_.inputs.subspan(states, body_.xs.size()), "xs");
    std::size_t at = carried_.size() + states;
    for (const StoragePtr& s : xs) backward.inputs[at++] = s;
    for (const StoragePtr& s : storages_of(loop_, other_values_, "the gradient of y")) backward.inputs[at++] = s;
    start(backward);
    for (std::size_t segment = run_.states.size(); segment-- > 0;) {
      const std::int64_t first = static_cast<std::int64_t>(segment) * loop_.checkpoint_every;
      const std::int64_t last = std::min(first + loop_.checkpoint_every, loop_.steps);
      std::vector<Storages> between{run_.states[segment]};
      if (last - first > 1) between = states_between(run_, *forward, run_.states[segment], xs, first, last);
      for (std::int64_t t = last; t-- > first;) {
        std::ranges::copy(between[as_index(t - first)],
                          backward.inputs.begin() + static_cast<std::ptrdiff_t>(carried_.size()));
        backward.run(run_.drawn(t));
      }
    }
    return results(backward);
  }

  /// The gradients after the last step, and sums and rows without a value.
  void start(Replay& backward) {
    for (std::size_t i = floats_ + 1; i < carried_.size(); ++i) {
      initial_.push_back(zeros_like(carried_[i], carried_[i]->dtype(), device()));
    }
    Storages first = storages_of(loop_, initial_, "the gradient of carry");
    initial_.clear();  // they are overwritten
    std::size_t at = 0;
    for (StoragePtr& s : first) {
      if (at == floats_) backward.inputs[at++] = row_storage(loop_, loop_.row(loop_.steps - 1));
      backward.inputs[at++] = std::move(s);
    }
    if (first.size() == floats_) backward.inputs[floats_] = row_storage(loop_, loop_.row(loop_.steps - 1));
  }

  Nodes results(Replay& backward) {
    Nodes all(wanted_.size());
    std::size_t at = 0;
    const auto next = [&] {
      NodePtr node = input_like(carried_[at], device(), std::move(backward.inputs[at]));
      ++at;
      return node;
    };
    for (std::size_t i = 0; i < body_.carry.size(); ++i) {
      if (!is_float(body_.carry[i]->dtype())) continue;
      const NodePtr g = next();
      if (wanted_[i] != 0) all[i] = g;
    }
    ++at;  // the row
    for (std::size_t i = body_.carry.size(); i < all.size(); ++i) {
      if (wanted_[i] != 0) all[i] = ops::cast(next(), call_.inputs[i]->dtype());
    }
    return all;
  }

  const Run& run_;
  const Loop& loop_;
  Body& body_;
  const Gradient::Call& call_;
  const std::vector<char>& wanted_;
  // Placeholders of a step: the gradients of the float carries, the row, rows of xs and sums of captured tensors.
  Nodes carried_;
  Nodes results_;
  Nodes initial_;       // values of the carried ones, but for the row
  Nodes others_;        // the gradients of ys
  Nodes other_values_;  // and their values
  std::size_t floats_ = 0;
};

/// The gradient rule of a loop. Its inputs are carry, xs and captured tensors, its outputs carry and ys.
Nodes gradients_of(const std::shared_ptr<Run>& run, const Gradient::Call& call) {
  std::vector<char> wanted;
  for (const NodePtr& n : call.inputs) wanted.push_back(n->tracked() && is_float(n->dtype()) ? 1 : 0);
  if (MadeNodes::noting()) return graph_gradients(*run, call, wanted);
  const Nodes gradients = Backward(*run, call, wanted).gradients();
  std::vector<char> given;
  Nodes inputs(call.inputs.begin(), call.inputs.end());
  for (const NodePtr& g : call.gradients) {
    given.push_back(g != nullptr ? 1 : 0);
    if (g != nullptr) inputs.push_back(g);
  }
  return spread(ops::with_gradient("the backward pass of a loop", std::move(inputs), picked(gradients, wanted),
                                   [run, wanted, given](const Gradient::Call& second) {
                                     return second_gradients(*run, second, wanted, given);
                                   }),
                wanted);
}

}  // namespace

Scanned replayed(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  auto run = std::make_shared<Run>();
  {
    const random::DrawTape::Record record(run->tape);
    run->body = trace(loop, carry, xs);
  }
  Body& body = *run->body;
  if (!body.draws.distinct()) {  // a plan cannot distinguish them
    Loop repeated = loop;
    repeated.step = [&loop, &run, first = true](const Tensor& row, const Tensors& c, const Tensors& x) mutable {
      std::optional<random::DrawTape::Play> play;
      if (first) play.emplace(run->tape);
      first = false;
      return loop.step(row, c, x);
    };
    return unrolled(repeated, carry, xs);
  }
  Nodes inputs = nodes_of(carry);
  append(inputs, nodes_of(xs));
  append(inputs, body.captured);
  const bool tracked =
      gradients_enabled() && std::ranges::any_of(inputs, [](const NodePtr& n) { return n->tracked(); });

  Nodes carried = body.carry;
  Nodes results = body.carry_out;
  {
    const Noting noting(body.made);
    carried.push_back(body.row);
    results.push_back(body.row + i32(loop.reverse ? -1 : 1));
    for (const NodePtr& y : body.ys) {
      carried.push_back(input(y->dtype(), with_rows(loop.steps, y->shape()), loop.device));
      results.push_back(write_row(carried.back(), y, body.row));
    }
  }
  // States that are kept are not overwritten: with longer segments a copy of one is, where it begins.
  const bool all_kept = tracked && loop.checkpoint_every == 1;
  Replay replay(loop, body, carried, body.xs, results, range(all_kept ? carry.size() : 0, carried.size()));
  Nodes given = nodes_of(carry);
  std::ranges::move(storages_of(loop, given, "carry"), replay.inputs.begin());
  replay.inputs[carry.size()] = row_storage(loop, loop.row(0));
  for (std::size_t i = carry.size() + 1; i < carried.size(); ++i) {
    replay.inputs[i] = runtime::new_storage(loop.device, carried[i]->numel(), carried[i]->dtype());
  }
  given = nodes_of(xs);
  std::ranges::move(storages_of(loop, given, "xs"),
                    replay.inputs.begin() + static_cast<std::ptrdiff_t>(carried.size()));
  std::vector<RandomState> drawn = body.draws.drawn();
  std::vector<RandomState> room(body.draws.generators());
  for (std::int64_t t = 0; t < loop.steps; ++t) {
    if (t > 0) {
      std::optional<random::DrawTape::Record> record;
      if (tracked) record.emplace(run->tape);
      body.draws.again(drawn, room);
    }
    if (tracked) {
      run->positions.insert(run->positions.end(), drawn.begin(), drawn.end());
      if (t % loop.checkpoint_every == 0) {
        run->states.emplace_back(replay.inputs.begin(),
                                 replay.inputs.begin() + static_cast<std::ptrdiff_t>(carry.size()));
      }
    }
    replay.run(drawn);
  }
  Nodes outputs;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (i != carry.size()) outputs.push_back(input_like(carried[i], loop.device, std::move(replay.inputs[i])));
  }
  if (tracked) {
    run->loop = loop;
    outputs = ops::with_gradient(std::string(loop.what), std::move(inputs), outputs,
                                 [run](const Gradient::Call& call) { return gradients_of(run, call); });
  }
  const std::span<const NodePtr> all = outputs;
  return {tensors_of(all.first(carry.size())), tensors_of(all.subspan(carry.size()))};
}

}  // namespace tessera::loops
