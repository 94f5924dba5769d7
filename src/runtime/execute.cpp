// Evaluation: simplify, plan, bind, allocate, submit, publish.
#include "runtime/execute.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "base/fail.h"
#include "base/ints.h"
#include "base/recycler.h"
#include "ops/build.h"
#include "runtime/dump.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/peaks.h"
#include "runtime/placement/placement.h"
#include "runtime/planning.h"
#include "runtime/registry.h"
#include "schedule/lower/chunks.h"
#include "schedule/lower/fit.h"
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

std::shared_ptr<Storage> make_storage(const std::shared_ptr<Device>& device, std::unique_ptr<Buffer> buffer) {
  return std::allocate_shared<Storage>(Recycler<Storage>(), device, std::move(buffer));
}

void check_types(const Graph& graph, const DeviceInfo& device) {
  for (const Graph::Entry& e : graph.entries) {
    if (e.op() == Op::kCustom) ops::check_custom(*e.node->custom().call, device);
  }
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

/// Whole words and whole elements, and never zero bytes.
std::size_t custom_bytes(const CustomTensor& t) {
  const std::size_t bytes = static_cast<std::size_t>(t.shape.numel()) * size_of(t.dtype);
  return std::max<std::size_t>((bytes + 3) / 4 * 4, 8);
}

/// Adds a dispatch of `kernel` to the submission; the caller fills in its buffers.
void add_dispatch(Submission& s, Device& device, const Kernel& kernel, const Binding& binding,
                  std::span<const schedule::Span> ranges = {}) {
  Dispatch d;
  {
    const PassTimer timer("compile");
    d.executable = device.compile(kernel, binding);
  }
  d.first_param = static_cast<std::uint32_t>(s.params.size());
  d.param_count = static_cast<std::uint32_t>(binding.params.size());
  d.kernel = &kernel;
  d.binding = &binding;
  device.grid(*d.executable, binding, d.grid);
  s.params.insert(s.params.end(), binding.params.begin(), binding.params.end());
  s.params.resize((s.params.size() + 63) / 64 * 64);
  d.buffers.resize(kernel.inputs.size() + kernel.outputs.size(), nullptr);
  if (kernel.kind == Kernel::Kind::kCustom) {  // so that arrayLength() is exact
    for (const auto* tensors : {&binding.custom->inputs, &binding.custom->outputs}) {
      for (const CustomTensor& t : *tensors) d.ranges.push_back({0, custom_bytes(t)});
    }
  }
  for (const schedule::Span& w : ranges) {
    const std::size_t i = d.ranges.size();
    const Slot& slot = i < kernel.inputs.size() ? kernel.inputs[i] : kernel.outputs[i - kernel.inputs.size()];
    const std::size_t size = size_of(slot.dtype);
    d.ranges.push_back(
        {static_cast<std::size_t>(w.first) * size, static_cast<std::size_t>(w.last - w.first + 1) * size});
  }
  s.dispatches.push_back(std::move(d));
}

/// A buffer of a dispatch, and which of the kernel's buffers it is.
struct Place {
  std::size_t dispatch;
  std::size_t buffer;
  std::size_t of_kernel;
};

/// Adds the dispatches of `kernel` (several if it is chunked), and returns the places of its buffers.
std::vector<Place> add_kernel(Submission& s, Device& device, const Kernel& kernel, const Graph& graph,
                              std::deque<Binding>& bindings) {
  std::vector<Place> places;
  const auto note = [&](std::size_t count, std::size_t at, std::size_t of_kernel) {
    for (std::size_t i = 0; i < count; ++i) places.push_back({s.dispatches.size() - 1, at + i, of_kernel + i});
  };
  const auto add = [&](const Kernel& part, std::size_t first_in, std::size_t first_out) {
    bindings.push_back(bind(part, graph));
    const auto noted = [&] {
      note(part.inputs.size(), 0, first_in);
      note(part.outputs.size(), part.inputs.size(), first_out);
    };
    if (schedule::fits_whole(part, graph, device.info())) {
      add_dispatch(s, device, part, bindings.back());
      return noted();
    }
    const Binding whole = bindings.back();
    for (const schedule::Chunk& chunk : schedule::chunks_of(part, graph, device.info()).chunks) {
      bindings.push_back(schedule::bind_chunk(part, whole, chunk));
      add_dispatch(s, device, part, bindings.back(), chunk.ranges);
      noted();
    }
  };
  if (kernel.parts.empty() || schedule::fits_whole(kernel, graph, device.info())) {
    add(kernel, 0, kernel.inputs.size());
    return places;
  }
  std::size_t first_in = 0;
  std::size_t first_out = kernel.inputs.size();
  for (const Kernel& part : kernel.parts) {
    add(part, first_in, first_out);
    first_in += part.inputs.size();
    first_out += part.outputs.size();
  }
  return places;
}

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
  std::deque<Binding> bindings;
  Submission submission;
  submission.dispatches.reserve(plan.kernels.size());
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    const std::vector<Place> places = add_kernel(submission, *device, kernel, graph, bindings);
    std::vector<Buffer*> buffers(kernel.inputs.size() + kernel.outputs.size());
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
      const int n = kernel.inputs[i].node;
      if (storages[as_index(n)] == nullptr) {
        buffers[i] = temporary[as_index(n)].get();
      } else {
        buffers[i] = at_home ? &storages[as_index(n)]->buffer() : storages[as_index(n)]->host();
      }
    }
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const Slot& slot = kernel.outputs[i];
      if (!given.empty() && given[as_index(slot.node)] != nullptr) {
        buffers[kernel.inputs.size() + i] = given[as_index(slot.node)];
        continue;
      }
      auto buffer = arena.acquire(storage_bytes(graph.node(slot.node).numel(), slot.dtype));
      buffers[kernel.inputs.size() + i] = buffer.get();
      if (is_root[as_index(slot.node)] != 0) {
        storages[as_index(slot.node)] =
            at_home ? make_storage(device, std::move(buffer))
                    : std::allocate_shared<Storage>(Recycler<Storage>(), Storage::OnHost{}, owner,
                                                    shared_host_memory(std::move(buffer)));
      } else {
        temporary[as_index(slot.node)] = std::move(buffer);
      }
    }
    for (const Place& p : places) submission.dispatches[p.dispatch].buffers[p.buffer] = buffers[p.of_kernel];
    for (const int n : plan.last_use[k]) arena.release(std::move(temporary[as_index(n)]));
  }
  timer.reset();
  note_peak(*owner, plan, graph);
  device->submit(submission);
}

/// The roots, and the other results of the same custom calls that are referenced and not computed yet.
std::vector<NodePtr> with_results(std::span<const NodePtr> roots, const Graph& graph) {
  std::vector<NodePtr> all(roots.begin(), roots.end());
  std::set<const Node*> known;
  for (const NodePtr& root : roots) known.insert(root.get());
  for (const Graph::Entry& e : graph.entries) {
    if (e.op() != Op::kCustom) continue;
    for (const auto& weak : e.node->custom().call->results) {
      NodePtr result = weak.lock();
      if (result == nullptr || result == e.node || result->storage() != nullptr) continue;
      if (known.insert(result.get()).second) all.push_back(std::move(result));
    }
  }
  return all;
}

/// A simplified graph with its plan; no plan if everything is computed already.
struct Planned {
  Graph graph;
  std::shared_ptr<const schedule::Plan> plan;
};
Planned plan_for(const Graph& taken, Device& device) {
  Planned p{schedule::simplify(taken, device.info()), nullptr};
  const auto computed = [](const Graph::Entry& e) { return e.op() == Op::kInput; };
  if (std::all_of(taken.entries.begin(), taken.entries.end(), computed)) return p;
  p.plan = device.plans().find_or_make(p.graph, {}, device.info());
  const PassTimer timer("fit");
  if (!schedule::bindable(p.plan->kernels, p.graph, device.info())) {
    p.graph = schedule::fit(taken, device.info());
    p.plan = device.plans().find_or_make(p.graph, {}, device.info());
  }
  dump_graph(p.graph, *p.plan);
  return p;
}

void evaluate_on(const std::shared_ptr<Device>& owner, std::span<const NodePtr> wanted, Purpose purpose) {
  const PlanningMeasurement measurement(*owner);
  Graph taken = current_snapshot(wanted);
  const std::vector<NodePtr> roots = with_results(wanted, taken);
  if (roots.size() > wanted.size()) taken = current_snapshot(roots);
  bool work = false;
  for (const Graph::Entry& e : taken.entries) {
    if (e.op() == Op::kInput && e.storage == nullptr) {
      fail(ErrorKind::kValue,
           "A tensor of shape {} has no data: it is an argument of a function being compiled, or was donated to one.",
           e.node->shape().str());
    }
    work = work || e.op() != Op::kInput;
  }
  MeasurePasses::count_nodes(taken.entries.size());
  check_types(taken, owner->info());
  const bool on_host =
      work && purpose == Purpose::kRead && owner->placer() != nullptr && owner->placer()->on_host(taken);
  const std::shared_ptr<Device>& device = on_host ? host_device() : owner;
  const Planned planned = plan_for(taken, *device);
  const Graph& graph = planned.graph;
  std::vector<std::shared_ptr<Storage>> storages;
  storages.reserve(graph.entries.size());
  for (const Graph::Entry& e : graph.entries) storages.push_back(e.storage);
  if (planned.plan != nullptr) run_plan(device, owner, *planned.plan, graph, storages);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i]->publish(storages[as_index(graph.roots[i])]);
}

}  // namespace

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

std::size_t storage_bytes(std::int64_t numel, DType dtype) {
  const auto quads = static_cast<std::size_t>((numel + 3) / 4);
  return std::max<std::size_t>(quads * 4 * size_of(dtype), 16);
}

std::shared_ptr<Storage> new_storage(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype) {
  return make_storage(device, device->pool().acquire(storage_bytes(numel, dtype)));
}

std::shared_ptr<Storage> current_storage(const Node& node) {
  auto storage = node.storage();
  if (storage == nullptr || !storage->stale()) return storage;
  storage = storage->revived();
  node.replace_storage(storage);
  return storage;
}

Graph current_snapshot(std::span<const NodePtr> roots) {
  Graph graph = snapshot(roots);
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

std::shared_ptr<Storage> storage_from(const std::shared_ptr<Device>& device, std::int64_t numel, DType dtype,
                                      std::span<const std::byte> data) {
  const std::size_t bytes = storage_bytes(numel, dtype);
  const bool waits = device->placer() != nullptr && bytes <= device->placer()->threshold();
  std::shared_ptr<Buffer> host;
  if (waits || (device->config().keep_host_copies && device->info().type != DeviceType::kCpu)) {
    host = new_host_memory(bytes);
    if (!data.empty()) std::memcpy(host->host(), data.data(), data.size());
  }
  if (waits) return std::allocate_shared<Storage>(Recycler<Storage>(), Storage::OnHost{}, device, std::move(host));
  auto storage = new_storage(device, numel, dtype);
  if (!data.empty()) device->upload(storage->buffer(), 0, data);
  if (host != nullptr) storage->keep_host(std::move(host));
  return storage;
}

void evaluate(std::span<const NodePtr> roots, const std::shared_ptr<Device>& fallback, Purpose purpose) {
  // Usually one device; with several, each gets its own graph.
  std::vector<std::pair<std::shared_ptr<Device>, std::vector<NodePtr>>> by_device;
  for (const NodePtr& root : roots) {
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

void evaluate_into(const NodePtr& root, const std::shared_ptr<Device>& device, const std::shared_ptr<Storage>& into,
                   bool padding, bool whole) {
  const Graph taken = current_snapshot(std::span(&root, 1));
  check_types(taken, device->info());
  const Planned planned = plan_for(taken, *device);
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
  const bool direct = work && padding && !read;
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

namespace {

/// Whether the user's functions run inside the plan's submissions, where others may begin.
bool runs_user_code(const schedule::Plan& plan, const Device& device) {
  return device.info().type == DeviceType::kCpu &&
         std::ranges::any_of(plan.kernels, [](const Kernel& k) { return k.custom != nullptr && !k.custom->trusted; });
}

/// Calls f(word, node) for each draw of the kernel whose parameters begin at `base`.
template <class F>
void each_draw(const Kernel& kernel, std::size_t base, const F& f) {
  for (const Kernel& part : kernel.parts) {
    each_draw(part, base, f);
    base += as_index(ParamLayout(part).words);
  }
  const ParamLayout layout(kernel);
  for (std::size_t i = 0; i < kernel.instrs.size(); ++i) {
    if (kernel.instrs[i].kind == Instr::Kind::kRandom) f(base + as_index(layout.instr_at[i]), kernel.instrs[i].node);
  }
  for (const int i : {0, 1}) {
    const Operand& x = i == 0 ? kernel.a : kernel.b;
    if (x.computed != nullptr) each_draw(*x.computed, base + as_index(layout.prologue_at[i]), f);
  }
}

}  // namespace

BoundPlan::BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
                     std::vector<RandomState> drawn)
    : BoundPlan(std::move(device), std::move(graph), std::move(inputs), std::move(donated), std::move(drawn), nullptr) {
}

std::unique_ptr<BoundPlan> BoundPlan::twin() const {
  const bool shares = !runs_user_code(*plan_, *device_);
  return std::unique_ptr<BoundPlan>(
      new BoundPlan(device_, graph_, inputs_, donated_, drawn_, shares ? this : nullptr));  // NOLINT: it is private
}

BoundPlan::BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
                     std::vector<RandomState> drawn, const BoundPlan* twin)
    : device_(std::move(device)),
      graph_(std::move(graph)),
      inputs_(std::move(inputs)),
      donated_(std::move(donated)),
      drawn_(std::move(drawn)) {
  const PlanningMeasurement measurement(*device_);
  check_types(graph_, device_->info());
  plan_ = device_->plans().find_or_make(graph_, donated_, device_->info());
  dump_graph(graph_, *plan_);
  const PassTimer timer("bind");
  storages_.resize(graph_.entries.size());
  consumed_.assign(inputs_.size(), 0);
  std::vector<char> is_root(graph_.entries.size(), 0);
  for (const int r : graph_.roots) is_root[as_index(r)] = 1;
  std::vector<Buffer*> fixed(graph_.entries.size(), nullptr);
  std::map<std::size_t, std::deque<Buffer*>> idle;  // by size: intermediates whose last use has passed
  for (std::size_t k = 0; k < plan_->kernels.size(); ++k) {
    const Kernel& kernel = plan_->kernels[k];
    const std::vector<Place> places = add_kernel(submission_, *device_, kernel, graph_, bindings_);
    const auto set = [&](std::size_t at, int node) {
      for (const Place& p : places) {
        if (p.of_kernel != at) continue;
        submission_.dispatches[p.dispatch].buffers[p.buffer] = fixed[as_index(node)];
        if (fixed[as_index(node)] == nullptr) patches_.push_back({p.dispatch, p.buffer, node});
      }
    };
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) set(i, kernel.inputs[i].node);
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const int node = kernel.outputs[i].node;
      const auto alias = std::find_if(kernel.aliases.begin(), kernel.aliases.end(),
                                      [&](const auto& a) { return a.second == static_cast<int>(i); });
      if (alias != kernel.aliases.end() && is_root[as_index(node)] != 0) {
        taken_.emplace_back(kernel.inputs[as_index(alias->first)].node, node);
      } else if (is_root[as_index(node)] != 0) {
        made_.push_back(node);
      } else if (alias != kernel.aliases.end()) {
        // The value is in the donated buffer; found through the input.
        fixed[as_index(node)] = nullptr;
        taken_.emplace_back(kernel.inputs[as_index(alias->first)].node, node);
      } else {
        const std::size_t bytes = storage_bytes(graph_.node(node).numel(), kernel.outputs[i].dtype);
        const std::size_t size = Pool::size_class(bytes);
        if (const auto again = idle.find(size); again != idle.end() && !again->second.empty()) {
          fixed[as_index(node)] = again->second.front();
          again->second.pop_front();
        } else {
          owned_.push_back(twin != nullptr ? twin->owned_[owned_.size()]
                                           : make_storage(device_, device_->pool().acquire(bytes)));
          fixed[as_index(node)] = &owned_.back()->buffer();
        }
      }
      set(kernel.inputs.size() + i, node);
    }
    for (const int n : plan_->last_use[k]) {
      if (fixed[as_index(n)] != nullptr) idle[fixed[as_index(n)]->bytes()].push_back(fixed[as_index(n)]);
    }
  }
  std::vector<char> taken(graph_.entries.size(), 0);
  for (const auto& [in, out] : taken_) taken[as_index(in)] = 1;
  for (std::size_t i = 0; i < inputs_.size(); ++i) consumed_[i] = inputs_[i] >= 0 ? taken[as_index(inputs_[i])] : 0;
  note_captured();
  note_draws();
}

void BoundPlan::note_captured() {
  std::vector<int> at(graph_.entries.size(), -1);
  std::erase_if(patches_, [&](const Patch& p) {
    if (graph_[p.node].storage == nullptr) return false;
    int& i = at[as_index(p.node)];
    if (i < 0) {
      i = static_cast<int>(captured_.size());
      captured_.push_back({p.node, nullptr, {}});
    }
    captured_[as_index(i)].places.emplace_back(p.dispatch, p.buffer);
    return true;
  });
}

void BoundPlan::note_draws() {
  if (drawn_.empty()) return;
  for (const Dispatch& d : submission_.dispatches) {
    each_draw(*d.kernel, d.first_param, [&](std::size_t word, int node) {
      const auto it = std::ranges::find(drawn_, graph_.node(node).random());
      if (it != drawn_.end()) draws_.push_back({word, static_cast<std::size_t>(it - drawn_.begin())});
    });
  }
}

BoundPlan::~BoundPlan() = default;

void BoundPlan::run(std::span<const std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
                    std::span<std::shared_ptr<Storage>> outputs) try {
  // On an exception, nothing is kept.
  struct Forget {
    std::vector<std::shared_ptr<Storage>>& storages;
    ~Forget() {
      for (auto& s : storages) s = nullptr;
    }
  } forget{storages_};
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i] >= 0) storages_[as_index(inputs_[i])] = inputs[i];
  }
  for (const int node : made_) {
    const Node& n = graph_.node(node);
    storages_[as_index(node)] = new_storage(device_, n.numel(), n.dtype());
  }
  for (const auto& [in, out] : taken_) {
    static_cast<void>(storages_[as_index(in)]->device_memory(false));  // its own memory, before it counts as written
    storages_[as_index(out)] = storages_[as_index(in)];
  }
  for (const Patch& p : patches_)
    submission_.dispatches[p.dispatch].buffers[p.buffer] = &storages_[as_index(p.node)]->buffer();
  for (Captured& c : captured_) {
    const Storage& storage = *graph_[c.node].storage;
    if (storage.still_in(c.bound)) continue;
    c.bound = &storage.buffer();
    for (const auto& [dispatch, buffer] : c.places) submission_.dispatches[dispatch].buffers[buffer] = c.bound;
  }
  for (const Draw& d : draws_) {
    const RandomState& position = drawn[d.draw];
    std::uint32_t* words = submission_.params.data() + d.word;
    for (const std::uint64_t number : {position.seed, position.counter}) {
      *words++ = static_cast<std::uint32_t>(number);
      *words++ = static_cast<std::uint32_t>(number >> 32U);
    }
  }
  device_->submit(submission_);
  for (const auto& [in, out] : taken_) storages_[as_index(out)]->written_on_device();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const int root = graph_.roots[i];
    outputs[i] = graph_[root].storage != nullptr ? graph_[root].storage : storages_[as_index(root)];
  }
} catch (...) {
  device_->counters().count_error(std::current_exception());
  throw;
}

}  // namespace tessera::runtime
