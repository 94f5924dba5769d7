// Compiled functions: one trace per signature of the arguments, or for all sizes of dynamic axes, and bound plans that
// replay it.
#include "tessera/compile.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <ranges>
#include <unordered_set>

#include "api/transforms/block_lists.h"
#include "api/transforms/differentiating.h"
#include "api/transforms/draws.h"
#include "api/transforms/dynamic_axes.h"
#include "api/transforms/host_calls.h"
#include "api/transforms/loop_trace.h"
#include "api/transforms/memory_estimate.h"
#include "api/transforms/plan_sequence.h"
#include "api/transforms/traced.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/log.h"
#include "base/recycler.h"
#include "graph/gradient.h"
#include "graph/made_nodes.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/planning.h"
#include "runtime/registry.h"

namespace tessera {

namespace {

struct Signature {
  Shape shape;
  DType dtype;
  friend bool operator==(const Signature&, const Signature&) = default;
};

bool same(std::span<const Tensor> arguments, const std::vector<Signature>& signatures) {
  return std::ranges::equal(arguments, signatures, [](const Tensor& a, const Signature& s) {
    return a.dtype() == s.dtype && a.shape() == s.shape;
  });
}

std::vector<Signature> signatures_of(std::span<const Tensor> tensors) {
  std::vector<Signature> all;
  for (const Tensor& t : tensors) all.push_back({t.shape(), t.dtype()});
  return all;
}

/// The state of one call, used exclusively while it runs.
struct Instance {
  std::unique_ptr<PlanSequence> plan;
  std::vector<std::shared_ptr<Storage>> inputs;   // reused from call to call, like the members below
  std::vector<std::shared_ptr<Storage>> donated;  // the storages of donated arguments, for an exception
  std::vector<std::shared_ptr<Storage>> outputs;
  std::vector<RandomState> drawn;
  std::vector<RandomState> room;
};

/// What a trace is for.
struct Traced {
  enum class Use : std::uint8_t {
    kReplay,
    kReplayUntracked,  // only without tracking: it was traced so, and captures variables
    kInlineTracked,    // only with tracking: it captures variables, so the function itself is called
    kInline,           // the function itself is called: its draws cannot be distinguished
  };
  std::vector<Signature> arguments;  // of block dtypes, their planes: see with_planes()
  BlockEntries blocks;               // among the arguments
  BlockEntries block_results;
  std::shared_ptr<runtime::Device> device;
  std::uint64_t generation = 0;  // of the device: a trace is invalid after a device loss
  Use use = Use::kReplay;
  std::optional<DType> autocast = ops::autocast_dtype();  // of the scope in which it was traced
  std::shared_ptr<random::DrawLog> draws;
  std::shared_ptr<const void> form;  // of the results

  [[nodiscard]] bool replays() const { return use == Use::kReplay || use == Use::kReplayUntracked; }
  [[nodiscard]] bool valid() const { return generation == device->generation(); }
  [[nodiscard]] bool usable(const runtime::Device* on, bool tracking) const {
    if (use == (tracking ? Use::kReplayUntracked : Use::kInlineTracked)) return false;
    if (autocast != ops::autocast_dtype()) return false;
    return on == nullptr || device.get() == on;
  }
};

/// A trace for all sizes of the dynamic axes that its graph serves. Its arguments have -1 there.
struct DynamicTrace : Traced {
  std::shared_ptr<const DynamicGraph> graph;  // guarded by the function's mutex; null: each size is traced
  Sizes pinned;                               // the names of size 0 or 1; -1 for others
};

/// A trace with arguments of one signature, or a dynamic trace bound to sizes.
struct Trace : Traced {
  std::vector<Signature> results;
  bool dynamic = false;  // its sizes are served by a dynamic trace
  // Guarded by the function's mutex. Several instances if calls overlap.
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<Instance*> idle;

  [[nodiscard]] bool serves(std::span<const Tensor> given, const BlockEntries& given_blocks, const runtime::Device* on,
                            bool tracking) const {
    return usable(on, tracking) && same(given, arguments) && blocks == given_blocks;
  }
  void add(std::unique_ptr<Instance> instance) {
    instance->inputs.resize(arguments.size());
    instance->donated.resize(arguments.size());
    instance->outputs.resize(results.size());
    instance->drawn.resize(draws->drawn().size());
    instance->room.resize(draws->generators());
    instances.push_back(std::move(instance));
    idle.reserve(instances.size());
  }
  /// Sets the results, the first roots of the graph, and the first instance.
  void bind(const TracedGraph& traced, std::size_t count, const std::vector<int>& donate) {
    const Graph& graph = traced.graph;
    for (const int r : std::span(graph.roots).first(count)) {
      results.push_back({graph.node(r).shape(), graph.node(r).dtype()});
    }
    auto instance = std::make_unique<Instance>();
    instance->plan =
        std::make_unique<PlanSequence>("compile", graph, device, traced.placeholders, donate, draws->drawn());
    add(std::move(instance));
    idle.push_back(instances.back().get());
  }
};

/// Functions that this thread is calling, to trace them or inside of other graphs.
struct ActiveCall {
  const void* function;
  std::vector<Signature> arguments;
};
thread_local std::vector<ActiveCall> active_calls;

class Calling {
 public:
  Calling(const void* function, std::span<const Tensor> arguments) {
    for (const ActiveCall& c : active_calls) {
      if (c.function != function || !same(arguments, c.arguments)) continue;
      std::string text;
      for (const Tensor& t : arguments)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(t.dtype()), t.shape());
      fail(ErrorKind::kValue,
           "compile: the function calls itself with arguments of the same types and shapes ({}), without end; a call "
           "of itself needs other shapes.",
           text);
    }
    active_calls.push_back({function, signatures_of(arguments)});
  }
  ~Calling() { active_calls.pop_back(); }
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;
};

/// Moves what a device loss made invalid.
template <class T>
void take_invalid(std::vector<std::shared_ptr<T>>& from, std::vector<std::shared_ptr<T>>& to) {
  for (auto it = from.begin(); it != from.end();) {
    if ((*it)->valid()) {
      ++it;
      continue;
    }
    to.push_back(std::move(*it));
    it = from.erase(it);
  }
}

std::vector<Tensor> placeholders_like(std::span<const Signature> arguments,
                                      const std::shared_ptr<runtime::Device>& device) {
  std::vector<Tensor> all;
  for (const Signature& a : arguments) {
    all.emplace_back(std::make_shared<const Node>(Op::kInput, a.dtype, a.shape, device, Node::Inputs{}));
  }
  return all;
}

/// The device of the arguments; null if none has one.
std::shared_ptr<runtime::Device> device_of(std::span<const Tensor> arguments) {
  std::shared_ptr<runtime::Device> device;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].defined()) fail(ErrorKind::kValue, "compile: argument {} is an empty Tensor.", i);
    const auto& on = arguments[i].node()->device();
    if (on == nullptr) continue;
    if (device != nullptr && device != on) fail(ErrorKind::kDevice, "compile: the arguments are on two devices.");
    device = on;
  }
  return device;
}

/// A call of the function on placeholders.
struct TracedCall {
  MadeNodes made;
  Compiled::Formed formed;
  std::vector<NodePtr> host_calls;  // that each call runs
};

/// Adds the calls that are not behind the roots.
void add_unread(std::vector<NodePtr>& roots, const std::vector<NodePtr>& host_calls) {
  if (host_calls.empty()) return;
  std::unordered_set<const Node*> read;
  for (const Graph::Entry& e : snapshot(roots).entries) read.insert(e.node.get());
  for (const NodePtr& call : host_calls) {
    if (!read.contains(call.get())) roots.push_back(call);
  }
}

/// Whether the results depend on placeholders of a loop: the function kept a tensor of a step.
bool uses_others(std::span<const Tensor> results, std::span<const Tensor> placeholders) {
  const Graph graph = snapshot(nodes_of(results));
  return std::ranges::any_of(graph.entries, [&](const Graph::Entry& e) {
    return e.op() == Op::kInput && e.storage == nullptr &&
           std::ranges::none_of(placeholders, [&](const Tensor& p) { return p.node() == e.node; });
  });
}

void check_results(std::span<const Tensor> results) {
  for (const Tensor& r : results) {
    if (!r.defined()) fail(ErrorKind::kValue, "compile: the function returned an empty Tensor.");
  }
}

}  // namespace

// The lock guards the list of traces and their idle instances, and nothing else: the user's function, the evaluation of
// arguments and submissions run without it.
struct Compiled::State {
  FormedFunction function;
  CompileOptions options;
  DynamicAxes axes;
  std::mutex mutex;
  std::vector<std::shared_ptr<Trace>> traces;  // the least recently used first
  std::vector<std::shared_ptr<DynamicTrace>> dynamic_traces;
  bool warned = false;  // that sizes are traced one by one

  /// The outcome of a call: a trace to replay, or results.
  struct Choice {
    std::shared_ptr<Trace> trace = {};
    bool first = false;  // it was traced for this call
    Formed results = {};
  };
  /// Arguments of block dtypes are their planes in `given`.
  Choice choose(std::span<const Tensor> arguments, std::span<const Tensor> given, const BlockEntries& blocks);
  /// A call whose outcome is chosen.
  struct Call {
    Call(State& state, std::span<const Tensor> arguments)
        : blocks(block_entries(arguments)),
          planes(blocks.empty() ? std::vector<Tensor>{} : with_planes(arguments, blocks)),
          given(blocks.empty() ? arguments : planes),
          choice(state.choose(arguments, given, blocks)) {}
    BlockEntries blocks;
    std::vector<Tensor> planes;
    std::span<const Tensor> given;
    Choice choice;
  };
  /// The results of a call.
  Formed finish(const Call& call);
  void replay(const Choice& choice, std::span<const Tensor> arguments, std::span<Tensor> results);
  [[nodiscard]] MemoryEstimate memory(std::span<const Tensor> arguments) const;

 private:
  std::shared_ptr<Trace> find(std::span<const Tensor> given, const BlockEntries& blocks, const runtime::Device* device,
                              bool tracking);
  std::shared_ptr<Trace> trace(std::span<const Tensor> given, const BlockEntries& blocks,
                               std::shared_ptr<runtime::Device> device, std::shared_ptr<const TracedGraph>& traced);
  std::unique_ptr<TracedCall> call_traced(const std::vector<Tensor>& placeholders, const BlockEntries& blocks,
                                          LoopCalls::Use use) const;
  void keep(const std::shared_ptr<Trace>& trace, std::span<const Tensor> given, const BlockEntries& blocks,
            const runtime::Device* device, bool tracking);
  // Dynamic axes.
  std::shared_ptr<Trace> bound(std::span<const Tensor> given, const BlockEntries& blocks, const Sizes& sizes,
                               const runtime::Device* device, bool tracking);
  void look_for_dynamic(Trace& trace, const Sizes& sizes, const std::shared_ptr<const TracedGraph>& traced,
                        const random::DrawTape& drawn);
  std::shared_ptr<const TracedGraph> probe(const Trace& trace, const Sizes& sizes, const random::DrawTape& drawn);
  [[nodiscard]] std::vector<Signature> without_sizes(std::vector<Signature> arguments) const;
  Formed call(std::span<const Tensor> arguments) const;

  /// An instance of the trace for one call.
  class Borrowed {
   public:
    Borrowed(State& state, Trace& trace);
    ~Borrowed();
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    Instance& operator*() const { return *instance_; }

   private:
    State& state_;
    Trace& trace_;
    Instance* instance_ = nullptr;
  };
};

Compiled::Compiled(Function function, CompileOptions options)
    : Compiled(FormedFunction([f = std::move(function)](const std::vector<Tensor>& in) { return Formed{f(in)}; }),
               std::move(options)) {}

Compiled::Compiled(FormedFunction function, CompileOptions options) : state_(std::make_shared<State>()) {
  state_->function = std::move(function);
  state_->options = std::move(options);
  if (state_->options.max_traces == 0) {
    fail(ErrorKind::kValue, "compile: max_traces is 0; at least 1 is expected.");
  }
  state_->axes = DynamicAxes(state_->options.dynamic_axes);
  auto& donate = state_->options.donate;
  std::ranges::sort(donate);
  donate.erase(std::ranges::unique(donate).begin(), donate.end());
}

Compiled::Formed Compiled::State::call(std::span<const Tensor> arguments) const {
  const Calling calling(this, arguments);
  Formed formed = function({arguments.begin(), arguments.end()});
  check_results(formed.results);
  return formed;
}

Compiled::State::Choice Compiled::State::choose(std::span<const Tensor> arguments, std::span<const Tensor> given,
                                                const BlockEntries& blocks) {
  const bool tracking = gradients_enabled();
  bool inside = MadeNodes::noting() || (tracking && Differentiating::now());
  const std::shared_ptr<runtime::Device> device = device_of(arguments);
  for (const Tensor& a : arguments) inside = inside || (tracking && a.is_tracked());
  for (const int d : options.donate) {
    if (d < 0 || d >= static_cast<int>(arguments.size())) {
      fail(ErrorKind::kValue, "compile: argument {} is to be donated, and there are {} arguments.", d,
           arguments.size());
    }
  }
  Choice choice{.trace = inside ? nullptr : find(given, blocks, device.get(), tracking)};
  if (choice.trace != nullptr) {
    if (choice.trace->replays()) return choice;
    return {.results = call(arguments)};
  }
  Sizes sizes;
  if (!axes.empty()) sizes = axes.sizes_of(arguments);
  if (inside) return {.results = call(arguments)};  // part of the surrounding graph
  if (!axes.empty()) choice.trace = bound(given, blocks, sizes, device.get(), tracking);
  random::DrawTape drawn;
  if (choice.trace == nullptr) {
    std::shared_ptr<const TracedGraph> traced;
    {
      const random::DrawTape::Record record(drawn);
      choice.trace = trace(given, blocks, device != nullptr ? device : runtime::default_device(), traced);
    }
    choice.first = true;
    if (!axes.empty() && choice.trace->replays()) look_for_dynamic(*choice.trace, sizes, traced, drawn);
  }
  keep(choice.trace, given, blocks, device.get(), tracking);
  if (choice.trace->replays()) return choice;
  const random::DrawTape::Play play(drawn);  // the second call for the same results
  return {.results = call(arguments)};
}

void Compiled::State::keep(const std::shared_ptr<Trace>& trace, std::span<const Tensor> given,
                           const BlockEntries& blocks, const runtime::Device* device, bool tracking) {
  std::shared_ptr<Trace> gone;  // destroyed outside of the lock
  const std::lock_guard lock(mutex);
  // Another thread may have traced it meanwhile: then this trace is used for this call alone.
  const bool known =
      std::ranges::any_of(traces, [&](const auto& t) { return t->serves(given, blocks, device, tracking); });
  if (!known) traces.push_back(trace);
  if (traces.size() > options.max_traces) {
    gone = std::move(traces.front());
    traces.erase(traces.begin());
  }
}

std::shared_ptr<Trace> Compiled::State::find(std::span<const Tensor> given, const BlockEntries& blocks,
                                             const runtime::Device* device, bool tracking) {
  std::vector<std::shared_ptr<Trace>> gone;  // destroyed outside of the lock
  const std::lock_guard lock(mutex);
  take_invalid(traces, gone);
  const auto it =
      std::ranges::find_if(traces, [&](const auto& t) { return t->serves(given, blocks, device, tracking); });
  if (it == traces.end()) return nullptr;
  std::rotate(it, it + 1, traces.end());  // the most recently used is last
  return traces.back();
}

/// Calls the function on placeholders. Null if its loops must be unrolled instead: one has effects that a replay would
/// not repeat, or threw an error.
std::unique_ptr<TracedCall> Compiled::State::call_traced(const std::vector<Tensor>& placeholders,
                                                         const BlockEntries& blocks, LoopCalls::Use use) const {
  auto traced = std::make_unique<TracedCall>();
  const LoopCalls loops(use);
  const HostCalls host_calls;
  try {
    traced->formed = function(without_planes(placeholders, blocks));
    check_results(traced->formed.results);
  } catch (...) {
    if (!loops.any()) throw;
    return nullptr;
  }
  traced->made.stop();
  traced->host_calls = host_calls.results();
  if (loops.refused() || (loops.any() && uses_others(traced->formed.results, placeholders))) return nullptr;
  return traced;
}

std::shared_ptr<Trace> Compiled::State::trace(std::span<const Tensor> given, const BlockEntries& blocks,
                                              std::shared_ptr<runtime::Device> device,
                                              std::shared_ptr<const TracedGraph>& traced) {
  const Calling calling(this, given);
  auto t = std::make_shared<Trace>();
  t->arguments = signatures_of(given);
  t->blocks = blocks;
  t->device = device;
  t->generation = device->generation();
  const std::vector<Tensor> placeholders = placeholders_like(t->arguments, device);
  t->draws = std::make_shared<random::DrawLog>();  // logs draws from here on
  std::unique_ptr<TracedCall> traced_call;
  random::DrawTape drawn;
  if (axes.empty()) {
    const random::DrawTape::Record record(drawn);
    traced_call = call_traced(placeholders, blocks, LoopCalls::Use::kCalls);
  }
  if (traced_call == nullptr) {
    std::optional<random::DrawTape::Play> play;
    if (axes.empty()) play.emplace(drawn);  // what was drawn before
    traced_call = call_traced(placeholders, blocks, LoopCalls::Use::kUnrolled);
  }
  t->draws->stop();
  const MadeNodes& made = traced_call->made;
  t->block_results = block_entries(traced_call->formed.results);
  const std::vector<Tensor> results = with_planes(traced_call->formed.results, t->block_results);
  t->form = traced_call->formed.form;
  bool tracked = false;
  for (const Tensor& r : results) {
    if (r.node()->device() != nullptr && r.node()->device() != device) {
      fail(ErrorKind::kDevice, "compile: the function returned a tensor on another device than its arguments.");
    }
    tracked = tracked || r.is_tracked();
  }
  if (tracked || !t->draws->distinct()) {
    t->use = tracked ? Trace::Use::kInlineTracked : Trace::Use::kInline;
    return t;
  }
  std::vector<NodePtr> roots = nodes_of(results);
  add_unread(roots, traced_call->host_calls);
  evaluate_captured(roots, made, device);
  const runtime::PlanningMeasurement measurement(*device);
  traced = std::make_shared<const TracedGraph>(TracedGraph{runtime::current_snapshot(roots), nodes_of(placeholders)});
  const std::vector<Graph::Entry>& entries = traced->graph.entries;
  MeasurePasses::count_nodes(entries.size());
  if (!gradients_enabled() && std::ranges::any_of(entries, [](const Graph::Entry& e) { return e.node->tracked(); })) {
    t->use = Trace::Use::kReplayUntracked;
  }
  t->bind(*traced, results.size(), options.donate);
  return t;
}

// ---- Dynamic axes ----

std::shared_ptr<Trace> Compiled::State::bound(std::span<const Tensor> given, const BlockEntries& blocks,
                                              const Sizes& sizes, const runtime::Device* device, bool tracking) {
  auto t = std::make_shared<Trace>();
  t->arguments = signatures_of(given);
  t->blocks = blocks;
  const std::vector<Signature> key = without_sizes(t->arguments);
  std::shared_ptr<const DynamicGraph> graph;
  {
    std::vector<std::shared_ptr<DynamicTrace>> gone;  // destroyed outside of the lock
    const std::lock_guard lock(mutex);
    take_invalid(dynamic_traces, gone);
    const auto it = std::ranges::find_if(dynamic_traces, [&](const auto& d) {
      return d->graph != nullptr && d->usable(device, tracking) && d->arguments == key && d->blocks == blocks &&
             d->graph->serves(sizes);
    });
    if (it == dynamic_traces.end()) return nullptr;
    std::rotate(it, it + 1, dynamic_traces.end());  // the most recently used is last
    const DynamicTrace& d = *dynamic_traces.back();
    graph = d.graph;
    t->device = d.device;
    t->generation = d.generation;
    t->use = d.use;
    t->draws = d.draws;
    t->form = d.form;
    t->block_results = d.block_results;
  }
  t->dynamic = true;
  const runtime::PlanningMeasurement measurement(*t->device);
  const TracedGraph at = graph->at(sizes);
  MeasurePasses::count_nodes(at.graph.entries.size());
  t->bind(at, at.graph.roots.size(), options.donate);
  return t;
}

std::vector<Signature> Compiled::State::without_sizes(std::vector<Signature> arguments) const {
  const Sizes none(axes.count(), -1);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].shape = axes.with_sizes(i, arguments[i].shape, none);
  }
  return arguments;
}

/// The graph of the function at other sizes; null if it throws there.
std::shared_ptr<const TracedGraph> Compiled::State::probe(const Trace& trace, const Sizes& sizes,
                                                          const random::DrawTape& drawn) try {
  std::vector<Signature> arguments = trace.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].shape = axes.with_sizes(i, arguments[i].shape, sizes);
  }
  const std::vector<Tensor> placeholders = placeholders_like(arguments, trace.device);
  const random::DrawTape::Rehearse rehearse(drawn);
  MadeNodes made;
  const std::vector<Tensor> formed = call(without_planes(placeholders, trace.blocks)).results;
  if (block_entries(formed) != trace.block_results) return nullptr;  // their shapes depend on the sizes
  const std::vector<Tensor> results = with_planes(formed, trace.block_results);
  made.stop();
  const std::vector<NodePtr> roots = nodes_of(results);
  evaluate_captured(roots, made, trace.device);
  return std::make_shared<const TracedGraph>(TracedGraph{runtime::current_snapshot(roots), nodes_of(placeholders)});
} catch (...) {
  return nullptr;
}

void Compiled::State::look_for_dynamic(Trace& trace, const Sizes& sizes,
                                       const std::shared_ptr<const TracedGraph>& traced,
                                       const random::DrawTape& drawn) {
  const DynamicGraph::Probe probe_at = [&](const Sizes& s) { return probe(trace, s, drawn); };
  const std::vector<Signature> key = without_sizes(trace.arguments);
  Sizes pinned = sizes;
  for (std::int64_t& s : pinned) s = s > 1 ? -1 : s;
  if (pinned == sizes) return;  // sizes 0 and 1 alone
  std::vector<std::pair<std::shared_ptr<DynamicTrace>, std::shared_ptr<const DynamicGraph>>> known;
  {
    const std::lock_guard lock(mutex);
    for (const auto& d : dynamic_traces) {
      if (d->device == trace.device && d->use == trace.use && d->autocast == trace.autocast && d->arguments == key &&
          d->blocks == trace.blocks && d->pinned == pinned) {
        known.emplace_back(d, d->graph);
      }
    }
  }
  for (const auto& [d, graph] : known) {
    if (graph == nullptr) return;  // it was looked for in vain
    std::shared_ptr<const DynamicGraph> wider = graph->widened(sizes, traced, probe_at);
    if (wider == nullptr) continue;
    trace.dynamic = true;
    const std::lock_guard lock(mutex);
    d->graph.swap(wider);
    return;
  }
  DynamicGraph::Found found = DynamicGraph::find(sizes, traced, probe_at);
  auto d = std::make_shared<DynamicTrace>();
  static_cast<Traced&>(*d) = trace;
  d->arguments = key;
  d->pinned = std::move(pinned);
  d->graph = std::move(found.graph);
  trace.dynamic = d->graph != nullptr && d->graph->serves(sizes);
  if (!trace.dynamic && d->graph != nullptr && !known.empty()) return;  // others know the sizes around this one
  std::shared_ptr<DynamicTrace> gone;                                   // destroyed outside of the lock
  bool warn = false;
  {
    const std::lock_guard lock(mutex);
    warn = d->graph == nullptr && !std::exchange(warned, true);
    // Another thread may have found it meanwhile.
    const bool found_before = std::ranges::any_of(dynamic_traces, [&](const auto& other) {
      return other->device == d->device && other->use == d->use && other->autocast == d->autocast &&
             other->arguments == d->arguments && other->blocks == d->blocks && other->pinned == d->pinned &&
             (other->graph == nullptr || other->graph->serves(sizes));
    });
    if (!found_before) dynamic_traces.push_back(std::move(d));
    if (dynamic_traces.size() > options.max_traces) {
      gone = std::move(dynamic_traces.front());
      dynamic_traces.erase(dynamic_traces.begin());
    }
  }
  if (warn) {
    log_warn("compile: the function is traced for each size of its dynamic axes ({}), since {}.", axes.names(),
             found.reason);
  }
}

Compiled::State::Borrowed::Borrowed(State& state, Trace& trace) : state_(state), trace_(trace) {
  const Instance* other = nullptr;
  {
    const std::lock_guard lock(state_.mutex);
    if (!trace_.idle.empty()) {
      instance_ = trace_.idle.back();
      trace_.idle.pop_back();
      return;
    }
    other = trace_.instances.front().get();
  }
  auto fresh = std::make_unique<Instance>();
  fresh->plan = other->plan->twin();
  instance_ = fresh.get();
  const std::lock_guard lock(state_.mutex);
  trace_.add(std::move(fresh));
}

Compiled::State::Borrowed::~Borrowed() {
  for (auto& s : instance_->inputs) s = nullptr;  // outside of the lock
  for (auto& s : instance_->donated) s = nullptr;
  for (auto& s : instance_->outputs) s = nullptr;
  const std::lock_guard lock(state_.mutex);
  trace_.idle.push_back(instance_);
}

void Compiled::State::replay(const Choice& choice, std::span<const Tensor> arguments, std::span<Tensor> results) {
  Trace& t = *choice.trace;
  for (const Tensor& a : arguments) {
    if (a.node()->storage() == nullptr) runtime::evaluate(std::span(&a.node(), 1), t.device);
  }
  const Borrowed borrowed(*this, t);
  Instance& own = *borrowed;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    own.inputs[i] = runtime::current_storage(*arguments[i].node());
    if (own.inputs[i] == nullptr)
      fail(ErrorKind::kValue, "compile: argument {} has no data: it was donated before.", i);
  }
  // The node's own reference and ours: any other owner would see the data change, as would others of a range's memory.
  for (const int i : options.donate) {
    std::shared_ptr<Storage>& given = own.inputs[as_index(i)];
    if (own.plan->overwritten()[as_index(i)] != 0 && (given.use_count() > 2 || given->parent() != nullptr)) {
      given = runtime::copy_of_storage(*arguments[as_index(i)].node(), given);
    }
  }
  for (const int i : options.donate) own.donated[as_index(i)] = arguments[as_index(i)].node()->take_storage();
  try {
    if (choice.first) {
      std::ranges::copy(t.draws->drawn(), own.drawn.begin());
    } else {
      t.draws->again(own.drawn, own.room);
    }
    own.plan->run(own.inputs, own.drawn, own.outputs);
  } catch (...) {  // donated storages return to their owners, unless they were overwritten
    for (const int i : options.donate) {
      std::shared_ptr<Storage>& taken = own.donated[as_index(i)];
      if (taken == nullptr || own.plan->lost()[as_index(i)] != 0) continue;
      arguments[as_index(i)].node()->replace_storage(std::move(taken));
    }
    throw;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Signature& s = t.results[i];
    auto node =
        std::allocate_shared<const Node>(Recycler<Node>(), Op::kInput, s.dtype, s.shape, t.device, Node::Inputs{});
    node->replace_storage(std::move(own.outputs[i]));
    results[i] = Tensor(std::move(node));
  }
}

MemoryEstimate Compiled::State::memory(std::span<const Tensor> arguments) const {
  std::shared_ptr<runtime::Device> device = device_of(arguments);
  if (device == nullptr) device = runtime::default_device();
  const BlockEntries blocks = block_entries(arguments);
  const std::vector<Tensor> given = with_planes(arguments, blocks);
  const std::vector<Tensor> placeholders = placeholders_like(signatures_of(given), device);
  const random::DrawTape nothing;
  const random::DrawTape::Rehearse rehearse(nothing);  // generators do not advance
  MadeNodes made;
  const std::vector<Tensor> results = call(without_planes(placeholders, blocks)).results;
  const std::vector<NodePtr> roots = nodes_of(with_planes(results, block_entries(results)));
  made.stop();
  evaluate_captured(roots, made, device);
  const Graph taken = runtime::current_snapshot(roots);
  return estimate_memory(position_trace("compile", taken, device->info(), nodes_of(placeholders), options.donate),
                         given, device);
}

MemoryEstimate Compiled::memory(const std::vector<Tensor>& arguments) const { return state_->memory(arguments); }

void Compiled::run(std::span<const Tensor> arguments, std::span<Tensor> results) const {
  const auto check = [&](std::size_t count) {
    if (results.size() == count) return;
    fail(ErrorKind::kValue, "compile: room for {} results was given; the function has {}.", results.size(), count);
  };
  const State::Call call(*state_, arguments);
  if (call.choice.trace != nullptr && call.choice.trace->block_results.empty()) {  // allocates nothing
    check(call.choice.trace->results.size());
    return state_->replay(call.choice, call.given, results);
  }
  std::vector<Tensor> made = state_->finish(call).results;
  check(made.size());
  std::ranges::move(made, results.begin());
}

Compiled::Formed Compiled::formed(const std::vector<Tensor>& arguments) const {
  return state_->finish(State::Call(*state_, arguments));
}

Compiled::Formed Compiled::State::finish(const Call& call) {
  const Trace* const trace = call.choice.trace.get();
  if (trace == nullptr) return call.choice.results;
  Formed formed{std::vector<Tensor>(trace->results.size()), trace->form};
  replay(call.choice, call.given, formed.results);
  if (!trace->block_results.empty()) {
    formed.results = without_planes(std::move(formed.results), trace->block_results);
  }
  return formed;
}

std::vector<Tensor> Compiled::operator()(const std::vector<Tensor>& arguments) const {
  return formed(arguments).results;
}

std::size_t Compiled::traces() const {
  const std::lock_guard lock(state_->mutex);
  const auto fixed = std::ranges::count_if(state_->traces, [](const auto& t) { return t->replays() && !t->dynamic; });
  const auto dynamic = std::ranges::count_if(state_->dynamic_traces, [](const auto& t) { return t->graph != nullptr; });
  return static_cast<std::size_t>(fixed + dynamic);
}

std::size_t Compiled::kernel_count() const {
  const std::lock_guard lock(state_->mutex);
  for (const auto& t : std::views::reverse(state_->traces)) {
    if (t->replays()) return t->instances.front()->plan->kernel_count();
  }
  return 0;
}

}  // namespace tessera
