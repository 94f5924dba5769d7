// Loops inside compile(): calls of the graph that replay a plan of one step, forward and backward.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "api/transforms/loop_trace.h"
#include "api/transforms/loops/replay.h"
#include "api/transforms/traced.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/gradient.h"
#include "graph/host_step.h"
#include "graph/op.h"
#include "ops/build.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"

namespace tessera::loops {

namespace {

/// A replayed loop as a step of a plan. The inputs of its call are the first carried tensors, then `others` and the
/// count, if there is one; its results are the carried tensors after the last step, but for the row.
class LoopStep final : public HostStep {
 public:
  Loop loop;        // without its function
  StepGraph graph;  // carried: those that are given, the row, then those that the steps write whole
  std::size_t given = 0;
  std::int64_t first_row = 0;
  std::vector<RandomState> drawn;      // in the graph
  std::vector<RandomState> positions;  // of the draws of all steps, in order

  [[nodiscard]] std::unique_ptr<Bound> bind(std::span<const char> used,
                                            std::span<const RandomState> around) const override;

  /// The tensor behind each result.
  [[nodiscard]] const NodePtr& result(std::size_t i) const { return graph.carried[i < given ? i : i + 1]; }
  [[nodiscard]] std::size_t results() const { return graph.carried.size() - 1; }
};

class BoundLoop final : public HostStep::Bound {
 public:
  BoundLoop(const LoopStep& step, StepGraph graph, std::vector<int> written, std::vector<int> drawn_at)
      : loop_(step.loop),
        given_(step.given),
        fixed_(step.positions),
        drawn_(step.drawn.size()),
        carried_(graph.carried),
        written_(std::move(written)),
        drawn_at_(std::move(drawn_at)),
        row_(row_storage(step.loop, step.first_row)),
        replay_(loop_.what, loop_.device, graph, step.drawn) {
    note_overwritten();
  }
  BoundLoop(const BoundLoop& other, Replay replay)
      : loop_(other.loop_),
        given_(other.given_),
        fixed_(other.fixed_),
        drawn_(other.drawn_.size()),
        carried_(other.carried_),
        written_(other.written_),
        drawn_at_(other.drawn_at_),
        row_(other.row_),
        replay_(std::move(replay)) {
    note_overwritten();
  }

  void run(std::span<StoragePtr> inputs, std::span<const RandomState> drawn, std::span<StoragePtr> outputs) override {
    struct Forget {
      Storages& storages;
      ~Forget() {
        for (StoragePtr& s : storages) s = nullptr;
      }
    } forget{replay_.inputs};
    const std::int64_t steps = loop_.count != nullptr ? count_in(inputs.back()) : loop_.steps;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (i < given_) {
        replay_.inputs[i] = std::move(inputs[i]);
      } else {
        replay_.inputs[i] =
            i == given_ ? row_ : runtime::new_storage(loop_.device, carried_[i]->numel(), carried_[i]->dtype());
      }
    }
    for (std::size_t i = carried_.size(); i < replay_.inputs.size(); ++i) {
      replay_.inputs[i] = inputs[i - carried_.size() + given_];
    }
    for (std::int64_t t = 0; t < steps; ++t) {
      for (std::size_t d = 0; d < drawn_.size(); ++d) {
        const std::size_t k = as_index(t) * drawn_.size() + d;
        drawn_[d] = drawn_at_[k] >= 0 ? drawn[as_index(drawn_at_[k])] : fixed_[k];
      }
      replay_.run(drawn_, t == 0);
    }
    for (StoragePtr& s : outputs) s = nullptr;
    for (std::size_t i = 0; i < carried_.size(); ++i) {
      if (i != given_) outputs[as_index(written_[i])] = std::move(replay_.inputs[i]);
    }
  }

  [[nodiscard]] std::span<const char> overwritten() const override { return overwritten_; }
  [[nodiscard]] std::size_t kernel_count() const override { return replay_.kernel_count(); }
  [[nodiscard]] std::unique_ptr<Bound> twin() const override {
    return std::make_unique<BoundLoop>(*this, replay_.twin());
  }

 private:
  void note_overwritten() {
    overwritten_.assign(given_ + replay_.inputs.size() - carried_.size() + (loop_.count != nullptr ? 1 : 0), 0);
    std::copy_n(replay_.overwritten().begin(), given_, overwritten_.begin());
  }

  /// Waits for the number of steps.
  [[nodiscard]] std::int64_t count_in(const StoragePtr& storage) const {
    const std::int64_t steps = Tensor(input(DType::kI32, Shape{}, loop_.device, storage)).item<std::int64_t>();
    if (steps < 0) fail(ErrorKind::kValue, "loop: {} steps were given; at least 0 are expected.", steps);
    return steps;
  }

  Loop loop_;
  std::size_t given_;
  std::vector<RandomState> fixed_;
  std::vector<RandomState> drawn_;  // of one step
  Nodes carried_;
  std::vector<int> written_;   // the result of each carried tensor
  std::vector<int> drawn_at_;  // of all steps: the position among the draws of the function around it, or -1
  StoragePtr row_;
  Replay replay_;
  std::vector<char> overwritten_;
};

std::unique_ptr<HostStep::Bound> LoopStep::bind(std::span<const char> used, std::span<const RandomState> around) const {
  StepGraph own = graph;
  std::vector<int> written;
  own.carried.clear();
  own.results.clear();
  for (std::size_t i = 0; i < graph.carried.size(); ++i) {
    const std::size_t result = i <= given ? i : i - 1;
    if (i > given && used[result] == 0) continue;  // nobody reads what the steps write there
    own.carried.push_back(graph.carried[i]);
    own.results.push_back(graph.results[i]);
    written.push_back(static_cast<int>(result));
  }
  own.donate = range(0, own.carried.size());
  own.donate.erase(own.donate.begin() + static_cast<std::ptrdiff_t>(given));  // the first row is that of all runs
  const auto key = [](const RandomState& r) { return r.seed * 0x9e3779b97f4a7c15ULL ^ r.counter; };
  std::unordered_multimap<std::uint64_t, int> known;
  for (std::size_t i = 0; i < around.size(); ++i) known.emplace(key(around[i]), static_cast<int>(i));
  std::vector<int> drawn_at;
  for (const RandomState& position : positions) {
    drawn_at.push_back(-1);
    const auto [first, last] = known.equal_range(key(position));
    for (auto it = first; it != last; ++it) {
      if (around[as_index(it->second)] == position) drawn_at.back() = it->second;
    }
  }
  return std::make_unique<BoundLoop>(*this, std::move(own), std::move(written), std::move(drawn_at));
}

/// What a plan of the graph needs and the function did not make: not constants, which have values, and not what is
/// computed where it is read.
Nodes captured_in(const Graph& graph, const MadeNodes& made) {
  Nodes found;
  std::vector<char> seen(graph.entries.size(), 0);
  std::vector<int> stack(graph.roots.begin(), graph.roots.end());
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    if (std::exchange(seen[as_index(at)], 1) != 0) continue;
    const Graph::Entry& e = graph[at];
    if (e.storage != nullptr) continue;
    const bool in_place = e.op() == Op::kView || e.op() == Op::kMark || e.op() == Op::kScalar || e.op() == Op::kIota ||
                          ops::is_dequantize(*e.node);
    if (made.contains(e.node.get()) || in_place || (e.node->device() == nullptr && !e.inputs.empty())) {
      stack.insert(stack.end(), e.inputs.begin(), e.inputs.end());
    } else {
      found.push_back(e.node);
    }
  }
  return found;
}

/// The call of a loop: `inputs` are those that are given, then the others of the step. What it captures is added.
Nodes call_of(std::shared_ptr<LoopStep> step, Nodes inputs, const MadeNodes& made) {
  for (const NodePtr& n : captured_in(step->graph.snapshot(), made)) {
    step->graph.replaced.push_back(n);
    step->graph.instead.push_back(input_like(n, step->loop.device));
    step->graph.others.push_back(step->graph.instead.back());
    inputs.push_back(n);
  }
  if (step->loop.count != nullptr) inputs.push_back(ops::cast(ops::reshape(step->loop.count, {}), DType::kI32));
  std::vector<TensorSpec> outputs;
  for (std::size_t i = 0; i < step->results(); ++i) {
    outputs.push_back({step->result(i)->dtype(), step->result(i)->shape()});
  }
  const std::string_view what = step->loop.what;
  const DevicePtr device = step->loop.device;
  return ops::host_call(what, std::move(step), std::move(inputs), std::move(outputs), device);
}

/// What the backward pass needs of a loop.
struct Called : Unrolling {
  std::vector<RandomState> positions;  // of the draws of all steps, in order
  std::vector<int> states;             // the carried tensors that are kept
  Nodes saved;                         // the states before all steps, then the kept values of all steps

  [[nodiscard]] Nodes saved_nodes() const {
    Nodes nodes;
    for (const int i : states) nodes.push_back(body->carry[as_index(i)]);
    append(nodes, body->kept);
    return nodes;
  }
};

/// The states that the backward step reads.
std::vector<int> states_to_keep(const Loop& loop, const Body& body, const std::vector<char>& wanted) try {
  const MadeNodes made(&body.made);
  std::vector<char> given;
  for (const NodePtr& y : body.ys) given.push_back(is_float(y->dtype()) ? 1 : 0);
  StepGraph graph{.results = backward_step(loop, body, wanted, given).results, .replaced = body.kept};
  for (const NodePtr& n : body.kept) graph.instead.push_back(input_like(n, loop.device));
  std::unordered_set<const Node*> read;
  for (const Graph::Entry& e : graph.snapshot().entries) read.insert(e.node.get());
  std::vector<int> states;
  for (std::size_t i = 0; i < body.carry.size(); ++i) {
    if (read.contains(body.carry[i].get())) states.push_back(static_cast<int>(i));
  }
  return states;
} catch (...) {  // the error is that of the backward pass
  return range(0, body.carry.size());
}

/// The backward pass as a call: its steps read rows of what the forward pass saved.
Nodes called_gradients(const std::shared_ptr<Called>& run, const Gradient::Call& call) {
  const std::vector<char> wanted = wanted_of(call.inputs);
  if (!LoopCalls::allowed()) return graph_gradients(*run, call, wanted);
  const Loop& loop = run->loop;
  const Body& body = *run->body;
  const std::size_t states = body.carry.size();
  MadeNodes made(&body.made);
  std::vector<char> has;
  for (const NodePtr& g : call.gradients.subspan(states)) has.push_back(g != nullptr ? 1 : 0);
  const BackwardStep step = backward_step(loop, body, wanted, has);
  auto back = std::make_shared<LoopStep>();
  back->loop = loop;
  back->loop.step = nullptr;
  // In the order of a LoopStep: gradients of the carry, sums, the row, and rows of xs.
  const std::size_t rows =
      static_cast<std::size_t>(std::count(wanted.begin() + static_cast<std::ptrdiff_t>(states),
                                          wanted.begin() + static_cast<std::ptrdiff_t>(states + body.xs.size()), 1));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < step.floats; ++i) order.push_back(i);
  for (std::size_t i = step.floats + 1 + rows; i < step.carried.size(); ++i) order.push_back(i);
  back->given = order.size();
  for (std::size_t i = step.floats; i < step.floats + 1 + rows; ++i) order.push_back(i);
  for (const std::size_t i : order) {
    back->graph.carried.push_back(step.carried[i]);
    back->graph.results.push_back(step.results[i]);
  }
  Nodes inputs;
  for (std::size_t i = 0; i < states; ++i) {
    if (!is_float(body.carry[i]->dtype())) continue;
    const NodePtr& g = call.gradients[i];
    inputs.push_back(g != nullptr ? g : zeros_like(body.carry[i], body.carry[i]->dtype(), loop.device));
  }
  for (std::size_t i = step.floats; i < back->given; ++i) {
    inputs.push_back(zeros_like(step.carried[order[i]], step.carried[order[i]]->dtype(), loop.device));
  }
  back->graph.replaced = run->saved_nodes();
  for (const NodePtr& all : run->saved) {
    back->graph.others.push_back(input_like(all, loop.device));
    back->graph.instead.push_back(read_row(back->graph.others.back(), body.row));
    inputs.push_back(all);
  }
  append(back->graph.others, body.xs);
  append(inputs, call.inputs.subspan(states, body.xs.size()));
  append(back->graph.others, step.others);
  for (const NodePtr& g : call.gradients.subspan(states)) {
    if (g != nullptr) inputs.push_back(g);
  }
  made.stop();
  back->first_row = loop.row(loop.steps - 1);
  back->drawn = body.draws.drawn();
  for (std::int64_t t = loop.steps; t-- > 0;) {
    const auto first = run->positions.begin() + t * static_cast<std::ptrdiff_t>(back->drawn.size());
    back->positions.insert(back->positions.end(), first, first + static_cast<std::ptrdiff_t>(back->drawn.size()));
  }
  const std::size_t given = back->given;
  const Nodes results = call_of(std::move(back), std::move(inputs), made);
  Nodes gradients(wanted.size());
  std::size_t of_carry = 0;
  std::size_t of_x = given;
  std::size_t of_captured = step.floats;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i < states) {
      if (!is_float(body.carry[i]->dtype())) continue;
      const NodePtr& g = results[of_carry++];
      if (wanted[i] != 0) gradients[i] = g;
    } else if (wanted[i] != 0) {
      const NodePtr& g = results[i < states + body.xs.size() ? of_x++ : of_captured++];
      gradients[i] = ops::cast(g, call.inputs[i]->dtype());
    }
  }
  return with_second_gradients(run, call, wanted, picked(gradients, wanted));
}

}  // namespace

std::int64_t nodes_in_step(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  const random::DrawTape none;
  const random::DrawTape::Rehearse rehearse(none);
  const auto body = trace(loop, carry, xs);
  Nodes outputs = body->carry_out;
  append(outputs, body->ys);
  return std::max<std::int64_t>(snapshot(outputs).size(), 1);
}

Scanned called(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  auto run = std::make_shared<Called>();
  {
    const random::DrawTape::Record record(run->tape);
    run->body = trace(loop, carry, xs);
  }
  Body& body = *run->body;
  const bool draws = !body.draws.drawn().empty();
  if (loop.count != nullptr && draws) {
    fail(
        ErrorKind::kUnsupported,
        "loop: the function draws random numbers, and the number of steps is a tensor inside of compile(); a number is "
        "expected there, since each step draws others.");
  }
  // Draws that a plan cannot distinguish, or that are repeated from a tape.
  if (!body.draws.distinct() || (random::DrawTape::playing() && !run->tape.empty())) {
    return unrolled_again(*run, loop, carry, xs);
  }
  run->positions = body.draws.drawn();
  for (std::int64_t t = 1; t < loop.steps && draws; ++t) {
    const random::DrawTape::Record record(run->tape);
    body.draws.repeat(run->positions);
  }
  Nodes inputs = nodes_of(carry);
  append(inputs, nodes_of(xs));
  append(inputs, body.captured);
  const bool tracked =
      gradients_enabled() && std::ranges::any_of(inputs, [](const NodePtr& n) { return n->tracked(); });
  auto step = std::make_shared<LoopStep>();
  step->loop = loop;
  step->loop.step = nullptr;
  MadeNodes made(&body.made);
  step->graph.carried = body.carry;
  step->graph.results = body.carry_out;
  step->given = carry.size();
  step->graph.carried.push_back(body.row);
  step->graph.results.push_back(body.row + i32(loop.reverse ? -1 : 1));
  Nodes written = body.ys;
  if (tracked && loop.count == nullptr) {
    if (!loop.recompute) note_kept(loop, body, wanted_of(inputs));
    run->states = states_to_keep(loop, body, wanted_of(inputs));
    append(written, run->saved_nodes());
  }
  for (const NodePtr& y : written) {
    step->graph.carried.push_back(input(y->dtype(), with_rows(loop.steps, y->shape()), loop.device));
    step->graph.results.push_back(write_row(step->graph.carried.back(), y, body.row));
  }
  made.stop();
  step->graph.others = body.xs;
  step->first_row = loop.row(0);
  step->drawn = body.draws.drawn();
  step->positions = run->positions;
  Nodes given = nodes_of(carry);
  append(given, nodes_of(xs));
  Nodes outputs = call_of(std::move(step), std::move(given), made);
  const auto own = static_cast<std::ptrdiff_t>(carry.size() + body.ys.size());
  run->saved.assign(outputs.begin() + own, outputs.end());
  outputs.resize(as_index(own));
  if (tracked) {
    run->loop = loop;
    Gradient::Function rule;
    if (loop.count == nullptr) rule = [run](const Gradient::Call& call) { return called_gradients(run, call); };
    outputs = ops::with_gradient(std::string(loop.what), std::move(inputs), outputs, std::move(rule));
  }
  const std::span<const NodePtr> all = outputs;
  return {tensors_of(all.first(carry.size())), tensors_of(all.subspan(carry.size()))};
}

}  // namespace tessera::loops
