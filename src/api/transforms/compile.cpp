// Compiled functions: one trace per signature of the arguments, and bound plans that replay it.
#include "tessera/compile.h"

#include <algorithm>
#include <mutex>
#include <ranges>

#include "api/transforms/differentiating.h"
#include "api/transforms/draws.h"
#include "api/transforms/traced.h"
#include "base/fail.h"
#include "base/ints.h"
#include "base/recycler.h"
#include "graph/gradient.h"
#include "graph/made_nodes.h"
#include "graph/op.h"
#include "runtime/eval/bound_plan.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/planning.h"
#include "runtime/registry.h"

namespace tessera {

namespace {

struct Signature {
  Shape shape;
  DType dtype;
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
  std::unique_ptr<runtime::BoundPlan> plan;
  std::vector<std::shared_ptr<Storage>> inputs;   // reused from call to call, like the members below
  std::vector<std::shared_ptr<Storage>> donated;  // the storages of donated arguments, for an exception
  std::vector<std::shared_ptr<Storage>> outputs;
  std::vector<RandomState> drawn;
  std::vector<RandomState> room;
};

struct Trace {
  enum class Use : std::uint8_t {
    kReplay,
    kReplayUntracked,  // only without tracking: it was traced so, and captures variables
    kInlineTracked,    // only with tracking: it captures variables, so the function itself is called
    kInline,           // the function itself is called: its draws cannot be distinguished
  };
  std::vector<Signature> arguments;
  std::shared_ptr<runtime::Device> device;
  std::uint64_t generation = 0;  // of the device: a trace is invalid after a device loss
  std::vector<Signature> results;
  Use use = Use::kReplay;
  random::DrawLog draws;
  // Guarded by the function's mutex. Several instances if calls overlap.
  std::vector<std::unique_ptr<Instance>> instances;
  std::vector<Instance*> idle;

  [[nodiscard]] bool replays() const { return use == Use::kReplay || use == Use::kReplayUntracked; }
  [[nodiscard]] bool serves(std::span<const Tensor> given, const runtime::Device* on, bool tracking) const {
    if (use == (tracking ? Use::kReplayUntracked : Use::kInlineTracked)) return false;
    return (on == nullptr || device.get() == on) && same(given, arguments);
  }
  void add(std::unique_ptr<Instance> instance) {
    instance->inputs.resize(arguments.size());
    instance->donated.resize(arguments.size());
    instance->outputs.resize(results.size());
    instance->drawn.resize(draws.drawn().size());
    instance->room.resize(draws.generators());
    instances.push_back(std::move(instance));
    idle.reserve(instances.size());
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

void check_results(std::span<const Tensor> results) {
  for (const Tensor& r : results) {
    if (!r.defined()) fail(ErrorKind::kValue, "compile: the function returned an empty Tensor.");
  }
}

}  // namespace

// The lock guards the list of traces and their idle instances, and nothing else: the user's function, the evaluation of
// arguments and submissions run without it.
struct Compiled::State {
  Function function;
  CompileOptions options;
  std::mutex mutex;
  std::vector<std::shared_ptr<Trace>> traces;  // the least recently used first

  /// The outcome of a call: a trace to replay, or results.
  struct Choice {
    std::shared_ptr<Trace> trace = {};
    bool first = false;  // it was traced for this call
    std::vector<Tensor> results = {};
  };
  Choice choose(std::span<const Tensor> arguments);
  void replay(const Choice& choice, std::span<const Tensor> arguments, std::span<Tensor> results);

 private:
  std::shared_ptr<Trace> find(std::span<const Tensor> arguments, const runtime::Device* device, bool tracking);
  std::shared_ptr<Trace> trace(std::span<const Tensor> arguments, std::shared_ptr<runtime::Device> device);
  std::vector<Tensor> call(std::span<const Tensor> arguments) const;

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

Compiled::Compiled(Function function, CompileOptions options) : state_(std::make_shared<State>()) {
  state_->function = std::move(function);
  state_->options = std::move(options);
  if (state_->options.max_traces == 0) {
    fail(ErrorKind::kValue, "compile: max_traces is 0; at least 1 is expected.");
  }
  auto& donate = state_->options.donate;
  std::ranges::sort(donate);
  donate.erase(std::ranges::unique(donate).begin(), donate.end());
}

std::vector<Tensor> Compiled::State::call(std::span<const Tensor> arguments) const {
  const Calling calling(this, arguments);
  std::vector<Tensor> results = function({arguments.begin(), arguments.end()});
  check_results(results);
  return results;
}

Compiled::State::Choice Compiled::State::choose(std::span<const Tensor> arguments) {
  const bool tracking = gradients_enabled();
  bool inside = MadeNodes::noting() || (tracking && Differentiating::now());
  std::shared_ptr<runtime::Device> device;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].defined()) fail(ErrorKind::kValue, "compile: argument {} is an empty Tensor.", i);
    inside = inside || (tracking && arguments[i].is_tracked());
    const auto& on = arguments[i].node()->device();
    if (on == nullptr) continue;
    if (device != nullptr && device != on) fail(ErrorKind::kDevice, "compile: the arguments are on two devices.");
    device = on;
  }
  for (const int d : options.donate) {
    if (d < 0 || d >= static_cast<int>(arguments.size())) {
      fail(ErrorKind::kValue, "compile: argument {} is to be donated, and there are {} arguments.", d,
           arguments.size());
    }
  }
  if (inside) return {.results = call(arguments)};  // part of the surrounding graph
  Choice choice{.trace = find(arguments, device.get(), tracking)};
  random::DrawTape drawn;
  if (choice.trace == nullptr) {
    {
      const random::DrawTape::Record record(drawn);
      choice.trace = trace(arguments, device != nullptr ? device : runtime::default_device());
    }
    choice.first = true;
    std::shared_ptr<Trace> gone;  // destroyed outside of the lock
    const std::lock_guard lock(mutex);
    // Another thread may have traced it meanwhile: then this trace is used for this call alone.
    const bool known =
        std::ranges::any_of(traces, [&](const auto& t) { return t->serves(arguments, device.get(), tracking); });
    if (!known) traces.push_back(choice.trace);
    if (traces.size() > options.max_traces) {
      gone = std::move(traces.front());
      traces.erase(traces.begin());
    }
  }
  if (choice.trace->replays()) return choice;
  if (!choice.first) return {.results = call(arguments)};
  const random::DrawTape::Play play(drawn);  // the second call for the same results
  return {.results = call(arguments)};
}

std::shared_ptr<Trace> Compiled::State::find(std::span<const Tensor> arguments, const runtime::Device* device,
                                             bool tracking) {
  std::vector<std::shared_ptr<Trace>> gone;  // destroyed outside of the lock
  const std::lock_guard lock(mutex);
  for (auto it = traces.begin(); it != traces.end();) {
    if ((*it)->generation == (*it)->device->generation()) {
      ++it;
      continue;
    }
    gone.push_back(std::move(*it));
    it = traces.erase(it);
  }
  const auto it = std::ranges::find_if(traces, [&](const auto& t) { return t->serves(arguments, device, tracking); });
  if (it == traces.end()) return nullptr;
  std::rotate(it, it + 1, traces.end());  // the most recently used is last
  return traces.back();
}

std::shared_ptr<Trace> Compiled::State::trace(std::span<const Tensor> arguments,
                                              std::shared_ptr<runtime::Device> device) {
  const Calling calling(this, arguments);
  std::vector<Tensor> placeholders;
  for (const Tensor& a : arguments) {
    placeholders.emplace_back(std::make_shared<const Node>(Op::kInput, a.dtype(), a.shape(), device, Node::Inputs{}));
  }
  MadeNodes made;
  auto t = std::make_shared<Trace>();  // logs draws from here on
  t->arguments = signatures_of(arguments);
  t->device = device;
  t->generation = device->generation();
  const std::vector<Tensor> results = function(placeholders);
  t->draws.stop();
  made.stop();
  check_results(results);
  t->results = signatures_of(results);
  std::vector<NodePtr> roots;
  bool tracked = false;
  for (const Tensor& r : results) {
    if (r.node()->device() != nullptr && r.node()->device() != device) {
      fail(ErrorKind::kDevice, "compile: the function returned a tensor on another device than its arguments.");
    }
    roots.push_back(r.node());
    tracked = tracked || r.is_tracked();
  }
  if (tracked || !t->draws.distinct()) {
    t->use = tracked ? Trace::Use::kInlineTracked : Trace::Use::kInline;
    return t;
  }
  evaluate_captured(roots, made, device);
  const runtime::PlanningMeasurement measurement(*device);
  const Graph taken = runtime::current_snapshot(roots);
  MeasurePasses::count_nodes(taken.entries.size());
  if (!gradients_enabled() &&
      std::ranges::any_of(taken.entries, [](const Graph::Entry& e) { return e.node->tracked(); })) {
    t->use = Trace::Use::kReplayUntracked;
  }
  std::vector<NodePtr> inputs;
  for (const Tensor& p : placeholders) inputs.push_back(p.node());
  auto instance = std::make_unique<Instance>();
  instance->plan = bind_trace("compile", taken, device, inputs, options.donate, t->draws.drawn());
  t->add(std::move(instance));
  t->idle.push_back(t->instances.back().get());
  return t;
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
  // The node's own reference and ours: any other owner would see the data change.
  for (const int i : options.donate) {
    std::shared_ptr<Storage>& given = own.inputs[as_index(i)];
    if (own.plan->overwritten()[as_index(i)] != 0 && given.use_count() > 2) {
      given = runtime::copy_of_storage(*arguments[as_index(i)].node(), given);
    }
  }
  for (const int i : options.donate) own.donated[as_index(i)] = arguments[as_index(i)].node()->take_storage();
  try {
    if (choice.first) {
      std::ranges::copy(t.draws.drawn(), own.drawn.begin());
    } else {
      t.draws.again(own.drawn, own.room);
    }
    own.plan->run(own.inputs, own.drawn, own.outputs);
  } catch (...) {  // nothing ran: donated storages return to their owners
    for (const int i : options.donate) {
      std::shared_ptr<Storage>& taken = own.donated[as_index(i)];
      if (taken != nullptr) arguments[as_index(i)].node()->replace_storage(std::move(taken));
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

void Compiled::run(std::span<const Tensor> arguments, std::span<Tensor> results) const {
  State::Choice choice = state_->choose(arguments);
  const std::size_t count = choice.trace != nullptr ? choice.trace->results.size() : choice.results.size();
  if (results.size() != count) {
    fail(ErrorKind::kValue, "compile: room for {} results was given; the function has {}.", results.size(), count);
  }
  if (choice.trace != nullptr) return state_->replay(choice, arguments, results);
  std::ranges::move(choice.results, results.begin());
}

std::vector<Tensor> Compiled::operator()(const std::vector<Tensor>& arguments) const {
  State::Choice choice = state_->choose(arguments);
  if (choice.trace == nullptr) return std::move(choice.results);
  std::vector<Tensor> results(choice.trace->results.size());
  state_->replay(choice, arguments, results);
  return results;
}

std::size_t Compiled::traces() const {
  const std::lock_guard lock(state_->mutex);
  return static_cast<std::size_t>(std::ranges::count_if(state_->traces, [](const auto& t) { return t->replays(); }));
}

std::size_t Compiled::kernel_count() const {
  const std::lock_guard lock(state_->mutex);
  for (const auto& t : std::views::reverse(state_->traces)) {
    if (t->replays()) return t->instances.front()->plan->kernel_count();
  }
  return 0;
}

Compiled compile(Compiled::Function function, CompileOptions options) {
  return {std::move(function), std::move(options)};
}

}  // namespace tessera
