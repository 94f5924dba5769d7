// Bound plans: dispatches and intermediates made once, buffers of arguments and results replaced in each run.
#include "runtime/eval/bound_plan.h"

#include <algorithm>

#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"
#include "runtime/dump.h"
#include "runtime/eval/dispatches.h"
#include "runtime/eval/evaluate.h"
#include "runtime/eval/memory_plan.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/new_storage.h"
#include "runtime/memory/peaks.h"
#include "runtime/memory/pool.h"
#include "runtime/planning.h"
#include "schedule/ranges.h"

namespace tessera::runtime {

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
    if (x.is_computed()) each_draw(*x.computed, base + as_index(layout.prologue_at[i]), f);
  }
}

}  // namespace

BoundPlan::BoundPlan(std::shared_ptr<Device> device, Graph graph, std::vector<int> inputs, std::vector<int> donated,
                     std::vector<RandomState> drawn)
    : BoundPlan(std::move(device), std::move(graph), std::move(inputs), std::move(donated), std::move(drawn), nullptr) {
}

std::unique_ptr<BoundPlan> BoundPlan::twin() const {
  const bool shares = !runs_user_code(*plan_, *device_) && stops_.empty();
  auto other = std::unique_ptr<BoundPlan>(
      new BoundPlan(device_, graph_, inputs_, donated_, drawn_, shares ? this : nullptr));  // NOLINT: it is private
  other->stops_ = stops_;
  return other;
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
  check_kernels(graph_, device_->info());
  plan_ = device_->plans().find_or_make(graph_, donated_, device_->info());
  dump_graph(graph_, *plan_);
  const PassTimer timer("bind");
  storages_.resize(graph_.entries.size());
  overwritten_.assign(inputs_.size(), 0);
  const MemoryPlan memory = plan_memory(*plan_, graph_, donated_);
  made_ = memory.made;
  taken_ = memory.taken;
  for (const std::size_t bytes : memory.sizes) {
    owned_.push_back(twin != nullptr ? twin->owned_[owned_.size()]
                                     : make_storage(device_, device_->pool().acquire(bytes)));
  }
  std::vector<Buffer*> fixed_buffer(graph_.entries.size(), nullptr);
  const auto fixed = [&](int node) -> Buffer* {
    const int i = memory.owned[as_index(node)];
    if (i < 0 || fixed_buffer[as_index(node)] != nullptr) return fixed_buffer[as_index(node)];
    Buffer& whole = owned_[as_index(i)]->buffer();
    const std::size_t bytes = storage_bytes(graph_.node(node).numel(), graph_.node(node).dtype());
    const std::size_t offset = memory.offsets[as_index(node)];
    if (offset == 0 && Pool::size_class(bytes) == memory.sizes[as_index(i)])
      return fixed_buffer[as_index(node)] = &whole;
    RangeBuffer& range = ranges_.emplace_back(offset, bytes);
    range.set(whole);
    return fixed_buffer[as_index(node)] = &range;
  };
  const std::vector<schedule::MemoryRange> in_memory = schedule::memory_ranges(graph_);
  std::vector<RangeBuffer*> range_of(graph_.entries.size(), nullptr);
  const auto range = [&](int n) {
    const schedule::MemoryRange& r = in_memory[as_index(n)];
    if (r.part && range_of[as_index(n)] == nullptr) {
      const DType dtype = graph_.node(n).dtype();
      range_of[as_index(n)] =
          &ranges_.emplace_back(as_index(r.offset) * size_of(dtype), storage_bytes(graph_.node(n).numel(), dtype));
    }
    return range_of[as_index(n)];
  };
  std::vector<std::size_t> stored(graph_.entries.size(), 0);
  for (const Kernel& kernel : plan_->kernels) {
    const std::vector<BufferSlot> places = add_kernel(submission_, *device_, kernel, graph_, bindings_);
    const auto set_slot = [&](std::size_t at, int node) {
      const int holder = memory.holder[as_index(node)];
      for (const BufferSlot& p : places) {
        if (p.of_kernel != at) continue;
        const Place place{p.dispatch, p.buffer, range(node)};
        if (Buffer* const buffer = fixed(holder); buffer != nullptr) {
          set(place, *buffer);
        } else {
          patches_.push_back({place, holder});
        }
      }
    };
    for (std::size_t i = 0; i < kernel.inputs.size(); ++i) set_slot(i, kernel.inputs[i].node);
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      set_slot(kernel.inputs.size() + i, kernel.outputs[i].node);
      stored[as_index(memory.holder[as_index(kernel.outputs[i].node)])] = submission_.dispatches.size();
    }
  }
  for (const int root : graph_.roots) stored_.push_back(stored[as_index(memory.holder[as_index(root)])]);
  std::vector<char> taken(graph_.entries.size(), 0);
  for (const auto& [in, out] : taken_) taken[as_index(in)] = 1;
  for (std::size_t i = 0; i < inputs_.size(); ++i) overwritten_[i] = inputs_[i] >= 0 ? taken[as_index(inputs_[i])] : 0;
  note_captured();
  note_draws();
}

void BoundPlan::set(const Place& place, Buffer& buffer) {
  if (place.range != nullptr) place.range->set(buffer);
  submission_.dispatches[place.dispatch].buffers[place.buffer] = place.range != nullptr ? place.range : &buffer;
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
    captured_[as_index(i)].places.push_back(p.place);
    return true;
  });
  for (const int root : graph_.roots) {
    if (graph_[root].storage != nullptr && at[as_index(root)] < 0) captured_.push_back({root, nullptr, {}});
  }
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
                    std::span<std::shared_ptr<Storage>> outputs, const AtStop& at_stop) try {
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
  for (const Patch& p : patches_) set(p.place, storages_[as_index(p.node)]->buffer());
  for (Captured& c : captured_) {
    const Storage& storage = *graph_[c.node].storage;
    if (const Node& n = graph_.node(c.node); n.storage() == nullptr) {
      fail(ErrorKind::kValue,
           "compile: the function captured a tensor of type {} and shape {} that was donated to another call: pass it "
           "as an argument.",
           name(n.dtype()), n.shape().str());
    }
    if (c.places.empty() || storage.still_in(c.bound)) continue;
    c.bound = &storage.buffer();
    for (const Place& place : c.places) set(place, *c.bound);
  }
  for (const Draw& d : draws_) {
    const RandomState& position = drawn[d.draw];
    std::uint32_t* words = submission_.params.data() + d.word;
    for (const std::uint64_t number : {position.seed, position.counter}) {
      *words++ = static_cast<std::uint32_t>(number);
      *words++ = static_cast<std::uint32_t>(number >> 32U);
    }
  }
  const auto give = [&] {
    for (const auto& [in, out] : taken_) storages_[as_index(out)]->written_on_device();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const int root = graph_.roots[i];
      outputs[i] = graph_[root].storage != nullptr ? graph_[root].storage : storages_[as_index(root)];
    }
  };
  if (!stops_.empty()) give();
  submit(at_stop);
  if (stops_.empty()) give();
} catch (...) {
  device_->counters().count_error(std::current_exception());
  throw;
}

void BoundPlan::set_stops(std::span<const std::vector<int>> roots) {
  std::size_t needed = 0;
  for (const std::vector<int>& some : roots) {
    for (const int root : some) needed = std::max(needed, stored_[as_index(root)]);
    stops_.push_back(needed);
  }
}

void BoundPlan::submit(const AtStop& at_stop) {
  if (stops_.empty()) return device_->submit(submission_);
  const auto submit_up_to = [&](std::size_t end) {
    submission_.count = end - submission_.first;
    if (submission_.count > 0) device_->submit(submission_);
    submission_.first = end;
  };
  submission_.first = 0;
  for (std::size_t k = 0; k < stops_.size(); ++k) {
    submit_up_to(stops_[k]);
    at_stop(k);
  }
  submit_up_to(submission_.dispatches.size());
}

}  // namespace tessera::runtime
