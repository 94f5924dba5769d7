// Replayed loops: the function is traced once, and a bound plan runs for each step; gradients run a second plan
// backwards.
#include "api/transforms/loops.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "api/transforms/differentiating.h"
#include "api/transforms/draws.h"
#include "api/transforms/loop_trace.h"
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

/// The positions of the elements of all[row].
NodePtr positions_in(const NodePtr& all, const NodePtr& row) {
  const Shape shape = row_shape(all->shape());
  const auto count = shape.numel();
  const NodePtr at = ops::arange(0, static_cast<double>(count), 1, DType::kI32, all->device());
  return ops::reshape(at, shape) + row * i32(count);
}

/// all[row], read where it is: the position is part of the loads of its readers.
NodePtr read_row(const NodePtr& all, const NodePtr& row) { return ops::gather(all, positions_in(all, row)); }

/// `all` with `value` as all[row], which is all that is written if `all` is donated.
NodePtr write_row(const NodePtr& all, const NodePtr& value, const NodePtr& row) {
  if (all->numel() == 0) return all;
  const NodePtr values = ops::broadcast_to(ops::cast(value, all->dtype()), row_shape(all->shape()));
  return ops::put(all, values, positions_in(all, row));
}

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
  Nodes kept;      // values that the backward pass needs and that take long to compute
};

std::shared_ptr<Body> trace(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  const LoopTrace tracing;
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

/// The graph with placeholders instead of some of its nodes, without what only they need.
Graph with_placeholders(Graph graph, std::span<const NodePtr> nodes, std::span<const NodePtr> placeholders) {
  if (nodes.empty()) return graph;
  std::unordered_map<const Node*, NodePtr> instead;
  for (std::size_t i = 0; i < nodes.size(); ++i) instead.emplace(nodes[i].get(), placeholders[i]);
  for (Graph::Entry& e : graph.entries) {
    if (const auto it = instead.find(e.node.get()); it != instead.end()) e = {it->second, {}, nullptr};
  }
  std::vector<char> used(graph.entries.size(), 0);
  for (const int r : graph.roots) used[as_index(r)] = 1;
  for (std::size_t i = graph.entries.size(); i-- > 0;) {
    if (used[i] == 0) continue;
    for (const int in : graph.entries[i].inputs) used[as_index(in)] = 1;
  }
  std::vector<int> position(graph.entries.size(), -1);
  Graph rest;
  for (std::size_t i = 0; i < graph.entries.size(); ++i) {
    if (used[i] == 0) continue;
    position[i] = rest.size();
    Graph::Entry e = std::move(graph.entries[i]);
    for (int& in : e.inputs) in = position[as_index(in)];
    rest.entries.push_back(std::move(e));
  }
  for (const int r : graph.roots) rest.roots.push_back(position[as_index(r)]);
  return rest;
}

/// A bound plan that runs for each step. Its first inputs are carried: the first results of a step are those of the
/// next one.
class Replay {
 public:
  /// The placeholders are `carried`, `others` and `known`, which stand for the nodes `body.kept` in the results.
  struct Inputs {
    Nodes carried;
    Nodes others;
    Nodes known = {};
  };
  /// `made`: the nodes of the function and of the results.
  Replay(const Loop& loop, const Body& body, const MadeNodes& made, const Inputs& placeholders,
         std::span<const NodePtr> results, std::span<const int> donate)
      : carried_(placeholders.carried) {
    evaluate_captured(results, made, loop.device);
    Nodes all = carried_;
    append(all, placeholders.others);
    append(all, placeholders.known);
    const runtime::PlanningMeasurement measurement(*loop.device);
    Graph taken = runtime::current_snapshot(results);
    MeasurePasses::count_nodes(taken.entries.size());
    if (!placeholders.known.empty()) taken = with_placeholders(std::move(taken), body.kept, placeholders.known);
    plan_ = bind_trace(loop.what, taken, loop.device, all, donate, body.draws.drawn());
    inputs.resize(all.size());
    outputs_.resize(results.size());
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
  /// The results of the last step that are not carried.
  [[nodiscard]] Storages others() {
    return {std::make_move_iterator(outputs_.begin() + static_cast<std::ptrdiff_t>(carried_.size())),
            std::make_move_iterator(outputs_.end())};
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
  std::vector<Storages> kept;          // of each step, if all states are there
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

/// One step of the backward pass: from the gradients of the state after it to those of the state before it, with sums
/// for captured tensors and rows for xs.
struct BackwardStep {
  Nodes carried;  // placeholders: gradients of the float carries, the row, rows of xs, sums of captured tensors
  Nodes results;  // one for each
  Nodes others;   // placeholders: the gradients of ys
  std::vector<char> given;  // of all ys: whether it has a gradient
  std::size_t floats = 0;   // among the carry
};

/// `wanted`: of carry, xs and captured tensors. Errors of kind unsupported, as of the function itself.
BackwardStep backward_step(const Loop& loop, const Body& body, const std::vector<char>& wanted,
                           const std::vector<char>& given) {
  const Tracking tracking;
  BackwardStep step;
  step.given = given;
  Nodes outputs;
  Nodes seeds;
  Nodes variables;
  for (std::size_t i = 0; i < body.carry.size(); ++i) {
    const NodePtr& out = body.carry_out[i];
    if (is_complex(out->dtype()) && out->tracked()) {
      fail(ErrorKind::kUnsupported, "{}: a gradient came to carry {}, of type {}; complex numbers have none yet.",
           loop.what, i, name(out->dtype()));
    }
    if (!is_float(out->dtype())) continue;
    step.carried.push_back(input_like(out, loop.device));
    outputs.push_back(out);
    seeds.push_back(step.carried.back());
    variables.push_back(body.carry_in[i]);
  }
  step.floats = step.carried.size();
  for (std::size_t i = 0; i < body.ys.size(); ++i) {
    if (given[i] == 0) continue;
    const NodePtr& y = body.ys[i];
    step.others.push_back(input(y->dtype(), with_rows(loop.steps, y->shape()), loop.device));
    outputs.push_back(y);
    seeds.push_back(read_row(step.others.back(), body.row));
  }
  const auto wanted_x = [&](std::size_t i) { return wanted[body.carry.size() + i] != 0; };
  for (std::size_t i = 0; i < body.xs.size(); ++i) {
    if (wanted_x(i)) variables.push_back(body.x_in[i]);
  }
  append(variables, body.captured);
  const autograd::Reached reached = autograd::reverse_to(outputs, seeds, variables);
  for (std::size_t i = 0; i < step.floats; ++i) {
    const NodePtr& g = reached.gradients[i];
    step.results.push_back(g != nullptr ? g : zeros_like(variables[i], variables[i]->dtype(), loop.device));
  }
  step.carried.push_back(body.row);
  step.results.push_back(body.row + i32(loop.reverse ? 1 : -1));
  std::size_t at = step.floats;
  for (std::size_t i = 0; i < body.xs.size(); ++i) {
    if (!wanted_x(i)) continue;
    step.carried.push_back(input_like(body.xs[i], loop.device));
    const NodePtr g = autograd::gradient_or_zeros(reached, at, variables[at]);
    step.results.push_back(write_row(step.carried.back(), g, body.row));
    ++at;
  }
  for (std::size_t i = 0; i < body.captured.size(); ++i, ++at) {
    if (wanted[body.carry.size() + body.xs.size() + i] == 0) continue;
    const NodePtr& w = body.captured[i];
    const DType wide = wide_float(w->dtype());  // sums over many steps
    step.carried.push_back(input(wide, w->shape(), loop.device));
    const NodePtr g = autograd::gradient_or_zeros(reached, at, w);
    const NodePtr& sum = step.carried.back();
    step.results.push_back(reached.gradients[at] != nullptr ? sum + ops::cast(g, wide) : sum);
  }
  return step;
}

/// The values of the forward step that the backward step would compute again and that take long: matmuls and calls, or
/// a sum of several of them. The rest is computed again from them.
Nodes values_to_keep(const Body& body, const BackwardStep& step) {
  Nodes outputs = body.carry_out;
  append(outputs, body.ys);
  std::unordered_set<const Node*> forward;
  for (const Graph::Entry& e : snapshot(outputs).entries) forward.insert(e.node.get());
  std::unordered_set<const Node*> gradients;
  for (const auto* list : {&step.carried, &step.others}) {
    for (const NodePtr& n : *list) gradients.insert(n.get());
  }
  gradients.erase(body.row.get());
  const Graph graph = snapshot(step.results);
  std::unordered_set<const Node*> arguments{body.row.get()};
  for (const auto* list : {&body.carry, &body.xs}) {
    for (const NodePtr& n : *list) arguments.insert(n.get());
  }
  std::vector<char> late(graph.entries.size(), 0);    // depends on a gradient
  std::vector<char> varies(graph.entries.size(), 0);  // from step to step
  std::vector<std::set<int>> behind(graph.entries.size());
  const auto bytes = [&](int i) { return runtime::storage_bytes(graph.node(i).numel(), graph.node(i).dtype()); };
  std::set<int> kept;
  for (int i = 0; i < graph.size(); ++i) {
    const Graph::Entry& e = graph[i];
    late[as_index(i)] = gradients.contains(e.node.get()) ? 1 : 0;
    for (const int in : e.inputs) late[as_index(i)] = late[as_index(i)] | late[as_index(in)];
    if (late[as_index(i)] != 0) {
      for (const int in : e.inputs) kept.insert(behind[as_index(in)].begin(), behind[as_index(in)].end());
      continue;
    }
    varies[as_index(i)] = arguments.contains(e.node.get()) || e.op() == Op::kRandom ? 1 : 0;
    for (const int in : e.inputs) varies[as_index(i)] = varies[as_index(i)] | varies[as_index(in)];
    if (varies[as_index(i)] == 0) continue;
    std::set<int>& mine = behind[as_index(i)];
    for (const int in : e.inputs) mine.insert(behind[as_index(in)].begin(), behind[as_index(in)].end());
    if (e.inputs.empty() || !forward.contains(e.node.get())) continue;
    std::size_t instead = 0;
    for (const int k : mine) instead += bytes(k);
    const bool slow = e.op() == Op::kMatmul || e.op() == Op::kCall || e.op() == Op::kCustom;
    if (slow || (is_elementwise(e.op()) && mine.size() > 1 && bytes(i) < instead)) mine = {i};
  }
  for (const int r : graph.roots) {
    if (late[as_index(r)] == 0) kept.insert(behind[as_index(r)].begin(), behind[as_index(r)].end());
  }
  Nodes result;
  for (const int k : kept) result.push_back(graph[k].node);
  return result;
}

class Backward {
 public:
  Backward(const Run& run, const Gradient::Call& call, const std::vector<char>& wanted)
      : run_(run), loop_(run.loop), body_(*run.body), call_(call), wanted_(wanted), made_(&body_.made) {
    std::vector<char> given;
    for (const NodePtr& g : call.gradients.subspan(body_.carry.size())) given.push_back(g != nullptr ? 1 : 0);
    step_ = backward_step(loop_, body_, wanted, given);
    for (const NodePtr& n : body_.kept) known_.push_back(input_like(n, loop_.device));
    next_row_ = body_.row + i32(loop_.reverse ? -1 : 1);
    made_.stop();
  }

  Nodes gradients() {
    const std::size_t states = body_.carry.size();
    Nodes others = body_.carry;
    append(others, body_.xs);
    append(others, step_.others);
    Replay backward(loop_, body_, made_, {step_.carried, others, known_}, step_.results,
                    range(0, step_.carried.size()));
    xs_ = storages_of(loop_, call_.inputs.subspan(states, body_.xs.size()), "xs");
    std::size_t at = step_.carried.size() + states;
    for (const StoragePtr& s : xs_) backward.inputs[at++] = s;
    Nodes of_ys;
    for (std::size_t i = 0; i < step_.given.size(); ++i) {
      if (step_.given[i] != 0) of_ys.push_back(call_.gradients[states + i]);
    }
    for (const StoragePtr& s : storages_of(loop_, of_ys, "the gradient of y")) backward.inputs[at++] = s;
    start(backward);
    for (std::size_t i = run_.states.size(); i-- > 0;) {
      const std::int64_t first = static_cast<std::int64_t>(i) * loop_.checkpoint_every;
      const std::int64_t last = std::min(first + loop_.checkpoint_every, loop_.steps);
      const Segment segment = segment_of(i, first, last);
      for (std::int64_t t = last; t-- > first;) {
        std::ranges::copy(segment.states[as_index(t - first)],
                          backward.inputs.begin() + static_cast<std::ptrdiff_t>(step_.carried.size()));
        std::ranges::copy(segment.kept[as_index(t - first)], backward.inputs.begin() + static_cast<std::ptrdiff_t>(at));
        backward.run(run_.drawn(t));
      }
    }
    return results(backward);
  }

 private:
  /// Of consecutive steps: the states before them, and the values that are kept of them.
  struct Segment {
    std::vector<Storages> states;
    std::vector<Storages> kept;
  };

  /// The i-th segment, computed again from its first state unless all of it is there.
  Segment segment_of(std::size_t i, std::int64_t first, std::int64_t last) {
    if (loop_.checkpoint_every == 1) return {{run_.states[i]}, {run_.kept[i]}};
    const std::size_t states = body_.carry.size();
    if (!forward_.has_value()) {
      Nodes carried = body_.carry;
      carried.push_back(body_.row);
      Nodes results = body_.carry_out;
      results.push_back(next_row_);
      append(results, body_.kept);
      forward_.emplace(loop_, body_, made_, Replay::Inputs{carried, body_.xs}, results, range(states, states + 1));
    }
    Storages& inputs = forward_->inputs;
    std::ranges::copy(run_.states[i], inputs.begin());
    inputs[states] = row_storage(loop_, loop_.row(first));
    std::ranges::copy(xs_, inputs.begin() + static_cast<std::ptrdiff_t>(states + 1));
    Segment segment;
    for (std::int64_t t = first; t < last; ++t) {
      segment.states.emplace_back(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(states));
      if (t + 1 < last || !body_.kept.empty()) forward_->run(run_.drawn(t));
      segment.kept.push_back(forward_->others());
    }
    for (StoragePtr& s : inputs) s = nullptr;
    return segment;
  }

  /// The gradients after the last step, the row of that step, and zeros for rows and sums.
  void start(Replay& backward) {
    Nodes first;
    for (std::size_t i = 0; i < body_.carry.size(); ++i) {
      if (!is_float(body_.carry[i]->dtype())) continue;
      const NodePtr& g = call_.gradients[i];
      first.push_back(g != nullptr ? g : zeros_like(body_.carry[i], body_.carry[i]->dtype(), loop_.device));
    }
    for (std::size_t i = step_.floats + 1; i < step_.carried.size(); ++i) {
      first.push_back(zeros_like(step_.carried[i], step_.carried[i]->dtype(), loop_.device));
    }
    Storages all = storages_of(loop_, first, "the gradient of carry");
    first.clear();  // their values are overwritten
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(step_.floats), row_storage(loop_, loop_.row(loop_.steps - 1)));
    std::ranges::move(all, backward.inputs.begin());
  }

  Nodes results(Replay& backward) {
    Nodes all(wanted_.size());
    std::size_t at = 0;
    const auto next = [&] {
      NodePtr node = input_like(step_.carried[at], loop_.device, std::move(backward.inputs[at]));
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
  const Body& body_;
  const Gradient::Call& call_;
  const std::vector<char>& wanted_;
  MadeNodes made_;  // records during construction
  BackwardStep step_;
  NodePtr next_row_;
  Nodes known_;  // placeholders of the kept values
  Storages xs_;
  std::optional<Replay> forward_;  // made if states are computed again
};

std::vector<char> wanted_of(std::span<const NodePtr> inputs) {
  std::vector<char> wanted;
  for (const NodePtr& n : inputs) wanted.push_back(n->tracked() && is_float(n->dtype()) ? 1 : 0);
  return wanted;
}

/// Decides what the backward pass will need besides the states. Without a gradient nothing is kept: the error, if there
/// is one, is that of the backward pass.
void note_kept(const Loop& loop, Body& body, const std::vector<char>& wanted) try {
  const MadeNodes made(&body.made);
  std::vector<char> given;
  for (const NodePtr& y : body.ys) given.push_back(is_float(y->dtype()) ? 1 : 0);
  body.kept = values_to_keep(body, backward_step(loop, body, wanted, given));
} catch (...) {  // also what a gradient function of the user throws
  body.kept.clear();
}

/// The gradient rule of a loop. Its inputs are carry, xs and captured tensors, its outputs carry and ys.
Nodes gradients_of(const std::shared_ptr<Run>& run, const Gradient::Call& call) {
  const std::vector<char> wanted = wanted_of(call.inputs);
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
  MadeNodes made(&body.made);
  carried.push_back(body.row);
  results.push_back(body.row + i32(loop.reverse ? -1 : 1));
  for (const NodePtr& y : body.ys) {
    carried.push_back(input(y->dtype(), with_rows(loop.steps, y->shape()), loop.device));
    results.push_back(write_row(carried.back(), y, body.row));
  }
  made.stop();
  // States that are kept are not overwritten: with longer segments a copy of one is, where it begins.
  const bool all_kept = tracked && loop.checkpoint_every == 1;
  if (tracked) note_kept(loop, body, wanted_of(inputs));
  if (all_kept) append(results, body.kept);
  Replay replay(loop, body, made, {carried, body.xs}, results, range(all_kept ? carry.size() : 0, carried.size()));
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
    if (all_kept) run->kept.push_back(replay.others());
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
