// Compiled functions: one bound plan for each signature of the arguments.
#include "tessera/compile.h"

#include <algorithm>
#include <mutex>

#include "base/fail.h"
#include "base/recycler.h"
#include "runtime/execute.h"
#include "runtime/registry.h"
#include "schedule/fit.h"

namespace tessera {

namespace {

struct Signature {
  Shape shape;
  DType dtype;
};

struct Trace {
  std::vector<Signature> arguments;
  std::shared_ptr<runtime::Device> device;
  std::uint64_t generation = 0;  // of the device: a trace does not outlive it
  std::vector<Signature> results;
  std::unique_ptr<runtime::BoundPlan> plan;
  std::vector<std::shared_ptr<Storage>> inputs;  // reused from call to call
  std::vector<std::shared_ptr<Storage>> outputs;
};

}  // namespace

struct Compiled::State {
  Function function;
  CompileOptions options;
  std::mutex mutex;  // one call at a time: a bound plan has one set of intermediates
  std::vector<std::unique_ptr<Trace>> traces;

  Trace& trace_for(std::span<const Tensor> arguments);
  std::unique_ptr<Trace> trace(std::span<const Tensor> arguments, std::shared_ptr<runtime::Device> device);
};

Compiled::Compiled(Function function, CompileOptions options) : state_(std::make_shared<State>()) {
  state_->function = std::move(function);
  state_->options = std::move(options);
}

Trace& Compiled::State::trace_for(std::span<const Tensor> arguments) {
  const runtime::Device* device = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].defined()) fail(ErrorKind::kValue, "compile: argument {} is an empty Tensor.", i);
    const auto& on = arguments[i].node()->device();
    if (on == nullptr) continue;
    if (device != nullptr && device != on.get()) fail(ErrorKind::kDevice, "compile: the arguments are on two devices.");
    device = on.get();
  }
  std::erase_if(traces, [](const auto& t) { return t->generation != t->device->generation(); });
  for (auto& t : traces) {
    if (device != nullptr && t->device.get() != device) continue;
    const bool same =
        t->arguments.size() == arguments.size() &&
        std::equal(arguments.begin(), arguments.end(), t->arguments.begin(),
                   [](const Tensor& a, const Signature& s) { return a.dtype() == s.dtype && a.shape() == s.shape; });
    if (same) return *t;
  }
  std::shared_ptr<runtime::Device> on;
  for (const Tensor& a : arguments) {
    if (a.node()->device() != nullptr) on = a.node()->device();
  }
  traces.push_back(trace(arguments, on != nullptr ? on : runtime::default_device()));
  return *traces.back();
}

std::unique_ptr<Trace> Compiled::State::trace(std::span<const Tensor> arguments,
                                              std::shared_ptr<runtime::Device> device) {
  auto t = std::make_unique<Trace>();
  t->device = device;
  t->generation = device->generation();
  std::vector<Tensor> placeholders;
  for (const Tensor& a : arguments) {
    t->arguments.push_back({a.shape(), a.dtype()});
    placeholders.emplace_back(std::make_shared<const Node>(Op::kInput, a.dtype(), a.shape(), device, Node::Inputs{}));
  }
  const std::vector<Tensor> results = function(placeholders);
  std::vector<NodePtr> roots;
  for (const Tensor& r : results) {
    if (!r.defined()) fail(ErrorKind::kValue, "compile: the function returned an empty Tensor.");
    if (r.node()->device() != nullptr && r.node()->device() != device) {
      fail(ErrorKind::kDevice, "compile: the function returned a tensor on another device than its arguments.");
    }
    roots.push_back(r.node());
    t->results.push_back({r.shape(), r.dtype()});
  }
  Graph graph = schedule::simplify_to_fit(runtime::current_snapshot(roots), device->info());
  std::vector<int> inputs;
  std::vector<int> donated;
  for (std::size_t i = 0; i < placeholders.size(); ++i) {
    int position = -1;
    for (int n = 0; n < graph.size(); ++n) {
      if (graph[n].node == placeholders[i].node()) position = n;
    }
    inputs.push_back(position);
    const bool give =
        std::find(options.donate.begin(), options.donate.end(), static_cast<int>(i)) != options.donate.end();
    const bool returned = std::find(graph.roots.begin(), graph.roots.end(), position) != graph.roots.end();
    if (give && position >= 0 && !returned) donated.push_back(position);
  }
  for (const int d : options.donate) {
    if (d < 0 || d >= static_cast<int>(arguments.size())) {
      fail(ErrorKind::kValue, "compile: argument {} is to be donated, and there are {} arguments.", d,
           arguments.size());
    }
  }
  for (int n = 0; n < graph.size(); ++n) {
    const bool placeholder = std::find(inputs.begin(), inputs.end(), n) != inputs.end();
    if (graph[n].op() == Op::kInput && graph[n].storage == nullptr && !placeholder) {
      fail(ErrorKind::kValue, "compile: the function uses a tensor of shape {} that has no data.",
           graph.node(n).shape().str());
    }
  }
  t->inputs.resize(arguments.size());
  t->outputs.resize(results.size());
  t->plan = std::make_unique<runtime::BoundPlan>(std::move(device), std::move(graph), std::move(inputs), donated);
  return t;
}

void Compiled::run(std::span<const Tensor> arguments, std::span<Tensor> results) const {
  const std::lock_guard lock(state_->mutex);
  Trace& t = state_->trace_for(arguments);
  if (results.size() != t.results.size()) {
    fail(ErrorKind::kValue, "compile: room for {} results was given; the function has {}.", results.size(),
         t.results.size());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const NodePtr& node = arguments[i].node();
    if (node->storage() == nullptr) runtime::evaluate(std::span(&node, 1), t.device);
    t.inputs[i] = runtime::current_storage(*node);
    if (t.inputs[i] == nullptr) fail(ErrorKind::kValue, "compile: argument {} has no data: it was donated before.", i);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (t.plan->consumed()[i] == 0) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (t.inputs[j] == t.inputs[i])
        fail(ErrorKind::kValue, "compile: arguments {} and {} are the same data, and one is donated.", j, i);
    }
    // The node's own reference and ours: another one would see the data change.
    if (t.inputs[i].use_count() > 2) {
      const long others = t.inputs[i].use_count() - 2;
      t.inputs[i] = nullptr;
      fail(ErrorKind::kValue, "compile: argument {} is donated, but {} other tensors share its data.", i, others);
    }
    static_cast<void>(arguments[i].node()->take_storage());
  }
  try {
    t.plan->run(t.inputs, t.outputs);
  } catch (...) {  // nothing ran: what was donated goes back to its owner
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (t.plan->consumed()[i] != 0) arguments[i].node()->replace_storage(std::move(t.inputs[i]));
      t.inputs[i] = nullptr;
    }
    throw;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Signature& s = t.results[i];
    auto node =
        std::allocate_shared<const Node>(Recycler<Node>(), Op::kInput, s.dtype, s.shape, t.device, Node::Inputs{});
    node->replace_storage(std::move(t.outputs[i]));
    results[i] = Tensor(std::move(node));
  }
  for (auto& s : t.inputs) s = nullptr;
}

std::vector<Tensor> Compiled::operator()(const std::vector<Tensor>& arguments) const {
  std::size_t count = 0;
  {
    const std::lock_guard lock(state_->mutex);
    count = state_->trace_for(arguments).results.size();
  }
  std::vector<Tensor> results(count);
  run(arguments, results);
  return results;
}

std::size_t Compiled::traces() const {
  const std::lock_guard lock(state_->mutex);
  return state_->traces.size();
}

std::size_t Compiled::kernel_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->traces.empty() ? 0 : state_->traces.back()->plan->kernel_count();
}

Compiled compile(Compiled::Function function, CompileOptions options) {
  return {std::move(function), std::move(options)};
}

}  // namespace tessera
