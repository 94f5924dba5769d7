// Replayed loops: the function is traced once, and a bound plan runs for each step; gradients run a second plan
// backwards.
#include <algorithm>
#include <optional>

#include "api/transforms/loops/replay.h"
#include "api/transforms/traced.h"
#include "base/fail.h"
#include "base/ints.h"
#include "graph/gradient.h"
#include "ops/build.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"

namespace tessera::loops {

namespace {

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
struct Run : Unrolling {
  std::vector<Storages> states;        // before every `checkpoint_every`-th step
  std::vector<Storages> kept;          // of each step, if all states are there
  std::vector<RandomState> positions;  // of the draws of all steps, in order

  [[nodiscard]] std::span<const RandomState> drawn(std::int64_t t) const {
    const std::size_t count = body->draws.drawn().size();
    return std::span(positions).subspan(as_index(t) * count, count);
  }
};

/// Evaluates what the results need and the function did not make, and binds a plan of the step.
Replay replay_of(const Loop& loop, const Body& body, const MadeNodes& made, const StepGraph& step) {
  evaluate_captured(step.results, made, loop.device);
  return {loop.what, loop.device, step, body.draws.drawn()};
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
    append(others, known_);
    Replay backward =
        replay_of(loop_, body_, made_,
                  {step_.carried, others, step_.results, range(0, step_.carried.size()), body_.kept, known_});
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
      forward_.emplace(replay_of(loop_, body_, made_, {carried, body_.xs, results, range(states, states + 1)}));
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

/// The gradient rule of a loop. Its inputs are carry, xs and captured tensors, its outputs carry and ys.
Nodes gradients_of(const std::shared_ptr<Run>& run, const Gradient::Call& call) {
  const std::vector<char> wanted = wanted_of(call.inputs);
  if (MadeNodes::noting()) return graph_gradients(*run, call, wanted);
  const Nodes gradients = Backward(*run, call, wanted).gradients();
  return with_second_gradients(run, call, wanted, picked(gradients, wanted));
}

}  // namespace

Scanned replayed(const Loop& loop, const Tensors& carry, const Tensors& xs) {
  auto run = std::make_shared<Run>();
  {
    const random::DrawTape::Record record(run->tape);
    run->body = trace(loop, carry, xs);
  }
  Body& body = *run->body;
  // Draws that a plan cannot distinguish, or that are repeated from a tape.
  if (!body.draws.distinct() || (random::DrawTape::playing() && !run->tape.empty())) {
    return unrolled_again(*run, loop, carry, xs);
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
  Replay replay =
      replay_of(loop, body, made, {carried, body.xs, results, range(all_kept ? carry.size() : 0, carried.size())});
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
