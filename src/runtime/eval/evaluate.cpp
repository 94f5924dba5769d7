// Eager evaluation: simplify, plan, bind, allocate, submit, publish.
#include "runtime/eval/evaluate.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "base/fail.h"
#include "base/ints.h"
#include "base/recycler.h"
#include "graph/host_step.h"
#include "graph/made_nodes.h"
#include "graph/op.h"
#include "ops/build.h"
#include "runtime/dump.h"
#include "runtime/eval/dispatches.h"
#include "runtime/eval/ownership.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/new_storage.h"
#include "runtime/memory/peaks.h"
#include "runtime/placement/placement.h"
#include "runtime/planning.h"
#include "runtime/registry.h"
#include "schedule/in_place.h"
#include "schedule/lower/chunks.h"
#include "schedule/lower/fit.h"
#include "schedule/ranges.h"
#include "schedule/simplify/simplify.h"

namespace tessera::runtime {

namespace {

/// Buffers of one submission: freed ones are reused by later kernels of it, and all return to the pool after the
/// submit, so that a concurrent trim cannot free them.
class Arena {
 public:
  explicit Arena(Pool& pool) : pool_(pool) {}
  ~Arena() {
    for (auto& [size, buffers] : free_) {
      for (auto& b : buffers) pool_.release(std::move(b));
    }
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::unique_ptr<Buffer> acquire(std::size_t bytes) {
    if (const auto it = free_.find(Pool::size_class(bytes)); it != free_.end() && !it->second.empty()) {
      auto buffer = std::move(it->second.back());
      it->second.pop_back();
      return buffer;
    }
    return pool_.acquire(bytes);
  }
  void release(std::unique_ptr<Buffer> buffer) { free_[buffer->bytes()].push_back(std::move(buffer)); }

 private:
  Pool& pool_;
  std::map<std::size_t, std::vector<std::unique_ptr<Buffer>>> free_;  // by size
};

/// Runs on `device`; the results belong to `owner`, which is another device if the host computes for it.
void run_plan(const std::shared_ptr<Device>& device, const std::shared_ptr<Device>& owner, const schedule::Plan& plan,
              const Graph& graph, std::vector<std::shared_ptr<Storage>>& storages,
              const std::vector<Buffer*>& given = {}) {
  auto timer = std::make_optional<PassTimer>("bind");
  const bool at_home = device == owner;
  std::vector<std::unique_ptr<Buffer>> temporary(graph.entries.size());
  Arena arena(device->pool());
  // On an exception, temporaries return to the pool.
  struct Return {
    std::vector<std::unique_ptr<Buffer>>& buffers;
    Pool& pool;
    ~Return() {
      for (auto& b : buffers) {
        if (b != nullptr) pool.release(std::move(b));
      }
    }
  } give_back{temporary, device->pool()};
  std::vector<char> is_root(graph.entries.size(), 0);
  for (const int r : graph.roots) is_root[as_index(r)] = 1;
  const auto finished = [&](std::unique_ptr<Buffer> buffer) {
    return at_home ? make_storage(device, std::move(buffer))
                   : std::allocate_shared<Storage>(Recycler<Storage>(), Storage::OnHost{}, owner,
                                                   shared_host_memory(std::move(buffer)));
  };
  std::vector<std::shared_ptr<Storage>> written;  // inputs that are overwritten
  for (const Kernel& kernel : plan.kernels) {
    for (const auto& [in, out] : kernel.aliases) {
      const std::shared_ptr<Storage>& storage = storages[as_index(kernel.inputs[as_index(in)].node)];
      if (storage != nullptr) static_cast<void>(storage->device_memory(false));  // its own memory, before it is bound
    }
  }
  std::deque<Binding> bindings;
  std::deque<RangeBuffer> ranges;
  const std::vector<schedule::MemoryRange> in_memory = schedule::memory_ranges(graph);
  /// The memory of a node, given that of the node that it is a range of.
  const auto range_of = [&](int n, Buffer* memory) -> Buffer* {
    const schedule::MemoryRange& r = in_memory[as_index(n)];
    if (!r.part) return memory;
    const DType dtype = graph.node(n).dtype();
    RangeBuffer& range =
        ranges.emplace_back(as_index(r.offset) * size_of(dtype), storage_bytes(graph.node(n).numel(), dtype));
    range.set(*memory);
    return &range;
  };
  const auto memory_of = [&](int n) -> Buffer* {  // null: it has none yet
    if (storages[as_index(n)] != nullptr) {
      return at_home ? &storages[as_index(n)]->buffer() : storages[as_index(n)]->host();
    }
    if (temporary[as_index(n)] != nullptr || given.empty()) return temporary[as_index(n)].get();
    return given[as_index(n)];
  };
  Submission submission;
  submission.dispatches.reserve(plan.kernels.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    const std::vector<BufferSlot> places = add_kernel(submission, *device, kernel, graph, bindings);
    std::vector<Buffer*> buffers(kernel.inputs.size() + kernel.outputs.size());
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
      const int n = kernel.inputs[i].node;
      buffers[i] = range_of(n, memory_of(in_memory[as_index(n)].base));
    }
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const Slot& slot = kernel.outputs[i];
      const auto alias = std::ranges::find(kernel.aliases, static_cast<int>(i), &std::pair<int, int>::second);
      if (alias != kernel.aliases.end()) {
        const int from = kernel.inputs[as_index(alias->first)].node;
        buffers[kernel.inputs.size() + i] = buffers[as_index(alias->first)];
        if (from == slot.node) continue;
        if (storages[as_index(from)] != nullptr) {  // an input that nobody else holds
          written.push_back(storages[as_index(from)]);
          storages[as_index(slot.node)] = storages[as_index(from)];
        } else if (is_root[as_index(slot.node)] != 0) {
          storages[as_index(slot.node)] = finished(std::move(temporary[as_index(from)]));
        } else {
          temporary[as_index(slot.node)] = std::move(temporary[as_index(from)]);
        }
        continue;
      }
      const int n = in_memory[as_index(slot.node)].base;
      // Pieces of an arena share its memory, which the first of them allocates.
      Buffer* memory = in_memory[as_index(slot.node)].part ? memory_of(n) : nullptr;
      if (memory == nullptr && !given.empty()) memory = given[as_index(n)];
      if (memory == nullptr) {
        auto buffer = arena.acquire(storage_bytes(graph.node(n).numel(), slot.dtype));
        memory = buffer.get();
        if (is_root[as_index(n)] != 0) {
          storages[as_index(n)] = finished(std::move(buffer));
        } else {
          temporary[as_index(n)] = std::move(buffer);
        }
      }
      buffers[kernel.inputs.size() + i] = range_of(slot.node, memory);
    }
    for (const BufferSlot& p : places) submission.dispatches[p.dispatch].buffers[p.buffer] = buffers[p.of_kernel];
    for (const int n : plan.last_use[k]) arena.release(std::move(temporary[as_index(n)]));
  }
  timer.reset();
  note_peak(*owner, plan, graph);
  device->submit(submission);
  for (const auto& storage : written) storage->written_on_device();
}

/// The roots, and the other results of the same calls that are referenced and not computed yet.
std::vector<NodePtr> with_results(std::span<const NodePtr> roots, const Graph& graph) {
  std::vector<NodePtr> all(roots.begin(), roots.end());
  std::set<const Node*> known;
  for (const NodePtr& root : roots) known.insert(root.get());
  for (const Graph::Entry& e : graph.entries) {
    if (e.op() == Op::kInput) continue;
    for (const auto& weak : results_of_call(*e.node)) {
      NodePtr result = weak.lock();
      if (result == nullptr || result == e.node || result->storage() != nullptr) continue;
      if (known.insert(result.get()).second) all.push_back(std::move(result));
    }
  }
  return all;
}

/// A simplified graph with its plan; no plan if everything is computed already.
struct PlannedGraph {
  Graph graph;
  std::shared_ptr<const schedule::Plan> plan;
};

/// `owned`: inputs that may be overwritten.
PlannedGraph plan_for(const Graph& taken, Device& device, std::span<const NodePtr> owned = {}) {
  PlannedGraph p{schedule::simplify(taken, device.info()), nullptr};
  const auto computed = [](const Graph::Entry& e) { return e.op() == Op::kInput; };
  if (std::all_of(taken.entries.begin(), taken.entries.end(), computed)) return p;
  check_kernels(p.graph, device.info());
  const auto donated = [&] {
    std::vector<int> positions;
    for (int n = 0; !owned.empty() && n < p.graph.size(); ++n) {
      if (p.graph[n].op() == Op::kInput && std::ranges::find(owned, p.graph[n].node) != owned.end())
        positions.push_back(n);
    }
    return positions;
  };
  p.plan = device.plans().find_or_make(p.graph, donated(), device.info());
  const PassTimer timer("fit");
  if (!schedule::bindable(p.plan->kernels, p.graph, device.info())) {
    p.graph = schedule::fit(taken, device.info());
    p.plan = device.plans().find_or_make(p.graph, donated(), device.info());
  }
  dump_graph(p.graph, *p.plan);
  return p;
}

/// Runs the first host step that the graph needs, and publishes its results. False if there is none.
bool run_host_step(const std::shared_ptr<Device>& device, const Graph& graph) {
  const auto is_host = [](const Graph::Entry& e) {
    return e.op() == Op::kCall && e.node->call().call->step != nullptr;
  };
  const auto it = std::ranges::find_if(graph.entries, is_host);
  if (it == graph.entries.end()) return false;
  std::vector<NodePtr> inputs;
  for (const int in : it->inputs) inputs.push_back(graph[in].node);
  evaluate(inputs, device);
  std::vector<std::shared_ptr<Storage>> storages;
  const Call& call = *it->node->call().call;
  const std::vector<char> used(call.outputs.size(), 1);
  const auto bound = call.step->bind(used, {});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    storages.push_back(current_storage(*inputs[i]));
    if (bound->overwritten()[i] != 0) storages.back() = copy_of_storage(*inputs[i], storages.back());
  }
  std::vector<std::shared_ptr<Storage>> results(call.outputs.size());
  bound->run(storages, {}, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const NodePtr node = call.results[i].lock(); node != nullptr) node->publish(results[i]);
  }
  return true;
}

void evaluate_on(const std::shared_ptr<Device>& owner, std::span<const NodePtr> wanted, Purpose purpose) {
  const PlanningMeasurement measurement(*owner);
  Graph taken = current_snapshot(wanted);
  while (run_host_step(owner, taken)) taken = current_snapshot(wanted);
  const std::vector<NodePtr> roots = with_results(wanted, taken);
  if (roots.size() > wanted.size()) taken = current_snapshot(roots);
  bool work = false;
  for (const Graph::Entry& e : taken.entries) {
    if (e.op() == Op::kInput && e.storage == nullptr) {
      if (MadeNodes::noting()) {
        fail(ErrorKind::kValue,
             "A tensor of shape {} has no data: it is an argument of a function that compile() or scan() traces, and "
             "what depends on it has no value to read before the call. Return it from the function and read the result "
             "of the call; choose by where() instead of reading.",
             e.node->shape().str());
      }
      fail(
          ErrorKind::kValue,
          "A tensor of shape {} has no data: it was an argument of a function while it was traced, or was donated to a "
          "compiled function. Return from the function what is needed after the call.",
          e.node->shape().str());
    }
    work = work || e.op() != Op::kInput;
  }
  MeasurePasses::count_nodes(taken.entries.size());
  check_types(taken, owner->info());
  const bool on_host =
      work && purpose == Purpose::kRead && owner->placer() != nullptr && owner->placer()->on_host(taken);
  const std::shared_ptr<Device>& device = on_host ? host_device() : owner;
  Claim claim(work && !on_host ? inputs_to_overwrite(taken) : std::vector<NodePtr>{});
  const PlannedGraph planned = plan_for(taken, *device, claim.nodes());
  const Graph& graph = planned.graph;
  std::vector<std::shared_ptr<Storage>> storages;
  storages.reserve(graph.entries.size());
  for (const Graph::Entry& e : graph.entries) storages.push_back(e.storage);
  if (planned.plan != nullptr) run_plan(device, owner, *planned.plan, graph, storages);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i]->publish(storages[as_index(graph.roots[i])]);
  claim.consume();
}

}  // namespace

void check_kernels(const Graph& graph, const DeviceInfo& device) {
  for (const Graph::Entry& e : graph.entries) {
    if (e.op() == Op::kCustom) ops::check_custom(*e.node->custom().call, device);
  }
}

void check_types(const Graph& graph, const DeviceInfo& device) {
  if (device.features.f64 && device.features.complex) return;
  for (const Graph::Entry& e : graph.entries) {
    if (e.node->dtype() == DType::kF64 && !device.features.f64) {
      fail(ErrorKind::kUnsupported,
           "f64 tensors run on the CPU backend only; {} has none. Cast to f32 or move to the CPU.", device.name);
    }
    if (is_complex(e.node->dtype()) && !device.features.complex) {
      fail(ErrorKind::kUnsupported,
           "{} tensors run on the CPU backend only; {} has none. Move to the CPU, or compute with real and imaginary "
           "parts.",
           name(e.node->dtype()), device.name);
    }
  }
}

void check_type(std::string_view what, DType dtype, const DeviceInfo& device) {
  if (dtype == DType::kF64 && !device.features.f64) {
    fail(ErrorKind::kUnsupported, "{}: f64 tensors run on the CPU backend only; {} has none.", what, device.name);
  }
  if (is_complex(dtype) && !device.features.complex) {
    fail(ErrorKind::kUnsupported,
         "{}: {} tensors run on the CPU backend only; {} has none. Make them on the device \"cpu\", or keep real and "
         "imaginary parts in two tensors.",
         what, name(dtype), device.name);
  }
}

namespace {

bool is_computed_leaf(const Node& node) {
  return node.op() == Op::kScalar || node.op() == Op::kIota || node.op() == Op::kRandom;
}

}  // namespace

Graph current_snapshot(std::span<const NodePtr> roots) {
  Graph graph = snapshot(roots);
  // Another evaluation may take a storage between this one's look at a node and at its inputs: then the node has its
  // value, or soon has, and what has none in a second snapshot has none at all.
  for (std::vector<const Node*> before;;) {
    std::vector<const Node*> empty;
    for (const Graph::Entry& e : graph.entries) {
      if (e.storage != nullptr || !e.inputs.empty() || is_computed_leaf(*e.node)) continue;
      empty.push_back(e.node.get());
      wait_for_claim(*e.node);
    }
    if (empty == before) break;
    before = std::move(empty);
    graph = snapshot(roots);
  }
  for (Graph::Entry& e : graph.entries) {
    if (e.storage != nullptr && e.storage->stale()) e.storage = current_storage(*e.node);
    // It was computed, so its inputs are gone, and then its memory was donated.
    if (e.storage == nullptr && e.inputs.empty() && e.node->inputs() == nullptr && e.node->storage() == nullptr) {
      fail(ErrorKind::kValue, "A tensor of shape {} has no data: it was donated to a compiled function.",
           e.node->shape().str());
    }
  }
  return graph;
}

void evaluate(std::span<const NodePtr> roots, const std::shared_ptr<Device>& fallback, Purpose purpose) {
  // Usually one device; with several, each gets its own graph.
  std::vector<std::pair<std::shared_ptr<Device>, std::vector<NodePtr>>> by_device;
  std::vector<NodePtr> all;
  for (const NodePtr& root : roots) {
    const auto inputs = is_block(root->dtype()) ? root->inputs() : nullptr;  // its planes are computed
    if (inputs == nullptr) {
      all.push_back(root);
    } else {
      all.insert(all.end(), inputs->begin(), inputs->end());
    }
  }
  for (const NodePtr& root : all) {
    if (root->storage() != nullptr) continue;
    const std::shared_ptr<Device>& device = root->device() != nullptr ? root->device() : fallback;
    auto it = std::find_if(by_device.begin(), by_device.end(), [&](const auto& x) { return x.first == device; });
    if (it == by_device.end()) it = by_device.insert(by_device.end(), {device, {}});
    it->second.push_back(root);
  }
  for (const auto& [device, nodes] : by_device) {
    try {
      evaluate_on(device, nodes, purpose);
    } catch (...) {
      device->counters().count_error(std::current_exception());
      throw;
    }
  }
}

std::shared_ptr<Storage> copy_of_storage(const Node& node, std::shared_ptr<Storage> storage) {
  const auto from =
      std::make_shared<const Node>(Op::kInput, node.dtype(), node.shape(), storage->device(), Node::Inputs{});
  from->replace_storage(std::move(storage));
  const NodePtr copy =
      std::make_shared<const Node>(Op::kCopy, node.dtype(), node.shape(), from->device(), Node::Inputs{from});
  evaluate(std::span(&copy, 1), copy->device());
  return copy->storage();
}

void evaluate_into(const NodePtr& root, const std::shared_ptr<Device>& device, const std::shared_ptr<Storage>& into,
                   bool padding, bool whole) {
  const Graph taken = current_snapshot(std::span(&root, 1));
  check_types(taken, device->info());
  const PlannedGraph planned = plan_for(taken, *device);
  const Graph& graph = planned.graph;
  std::vector<std::shared_ptr<Storage>> storages(graph.entries.size());
  bool read = false;
  for (int i = 0; i < graph.size(); ++i) {
    storages[as_index(i)] = graph[i].storage;
    read = read || graph[i].storage == into;
  }
  const int at = graph.roots[0];
  const bool work = graph[at].op() != Op::kInput;
  // A dispatch cannot bind one buffer for reading and writing.
  const bool direct = work && padding && !read && schedule::shared_memory(*planned.plan, graph)[as_index(at)] == at;
  if (work) {
    std::vector<Buffer*> given(graph.entries.size(), nullptr);
    if (direct) given[as_index(at)] = &into->device_memory(whole);
    run_plan(device, device, *planned.plan, graph, storages, given);
  }
  if (storages[as_index(at)] == into) return;
  if (direct) return into->written_on_device();
  const std::size_t bytes = static_cast<std::size_t>(root->numel()) * size_of(root->dtype());
  copy_bytes(*device, storages[as_index(at)]->buffer(), 0, into->device_memory(whole), 0, bytes);
  into->written_on_device();
}

}  // namespace tessera::runtime
