// Cuts a graph at the calls that the host runs, and runs the parts one after the other.
#include "api/transforms/plan_sequence.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "api/transforms/traced.h"
#include "base/ints.h"
#include "graph/op.h"
#include "graph/part.h"
#include "ops/quant/quant.h"
#include "runtime/eval/evaluate.h"

namespace tessera {

namespace {

const HostStep* host_step_of(const Graph::Entry& e) {
  return e.op() == Op::kCall ? e.node->call().call->step.get() : nullptr;
}

/// Whether each part of the graph computes it again: it has no memory, or is read in place.
bool is_free(const Graph::Entry& e) {
  if (e.op() == Op::kView || e.op() == Op::kMark) return e.inputs.size() == 1;
  return e.op() == Op::kInput || e.op() == Op::kScalar || e.op() == Op::kIota ||
         (e.op() == Op::kCall && ops::is_dequantize(*e.node));
}

}  // namespace

/// Part p runs before the host steps of group p, and the last one after all of them. Asynchronous steps that need no
/// results of each other are a group, the others are groups by themselves. An entry is computed in the first part that
/// needs it; what other parts, host steps and the caller read is a value.
class PlanSequence::Builder {
 public:
  Builder(PlanSequence& out, std::string_view what, const Graph& graph, const std::shared_ptr<runtime::Device>& device,
          std::span<const NodePtr> placeholders, std::span<const int> donate, const std::vector<RandomState>& drawn)
      : out_(out),
        what_(what),
        graph_(graph),
        device_(device),
        placeholders_(placeholders.begin(), placeholders.end()),
        drawn_(drawn),
        uses_(graph.entries.size()),
        value_(graph.entries.size(), -1),
        donated_(placeholders.size(), 0) {
    for (const int d : donate) donated_[as_index(d)] = 1;
    find_calls();
    find_groups();
    find_uses();
    bind_calls();
    make_values();
    cut();
    bind_parts();
  }

 private:
  struct HostCall {
    std::shared_ptr<const Call> call;
    std::vector<int> inputs;        // entries
    std::vector<int> outputs = {};  // entries; -1 for a result that nothing reads
    std::unique_ptr<HostStep::Bound> bound = {};
    std::vector<int> reads = {};  // values
  };
  struct Uses {
    std::set<int> parts;       // that read it
    std::multiset<int> calls;  // groups of host steps
    bool returned = false;
    [[nodiscard]] bool none() const { return parts.empty() && calls.empty() && !returned; }
  };
  /// A root of a part: an entry, or a copy of one.
  struct Root {
    int entry;
    bool copy;
    int value;
  };

  [[nodiscard]] int last_part() const { return groups_; }

  /// What has the memory of entry `at`.
  [[nodiscard]] int memory_of(int at) const {
    const auto same = [&](const Graph::Entry& e) {
      return (e.op() == Op::kMark || (e.op() == Op::kView && e.node->view().identity())) && e.inputs.size() == 1;
    };
    while (same(graph_[at])) at = graph_[at].inputs[0];
    return at;
  }
  [[nodiscard]] int argument(int at) const {
    const auto it = arguments_.find(graph_[at].node.get());
    return it != arguments_.end() && graph_[at].storage == nullptr ? it->second : -1;
  }
  /// Whether a value stands for the entry: otherwise the last part that needs it in memory makes one.
  [[nodiscard]] bool is_value(int at) const {
    return argument(at) >= 0 || host_step_of(graph_[at]) != nullptr || !is_free(graph_[at]);
  }

  void find_calls() {
    for (std::size_t i = 0; i < placeholders_.size(); ++i) arguments_.emplace(placeholders_[i].get(), i);
    for (int i = 0; i < graph_.size(); ++i) {
      if (host_step_of(graph_[i]) == nullptr) continue;
      const CallResult& result = graph_[i].node->call();
      const auto [it, fresh] = call_at_.emplace(result.call.get(), static_cast<int>(calls_.size()));
      if (fresh) {
        calls_.push_back({.call = result.call, .inputs = graph_[i].inputs});
        calls_.back().outputs.assign(result.call->outputs.size(), -1);
      }
      calls_[as_index(it->second)].outputs[as_index(result.output)] = i;
    }
    std::ranges::stable_sort(calls_, {}, [](const HostCall& c) { return c.call->step->number(); });
    for (std::size_t c = 0; c < calls_.size(); ++c) call_at_[calls_[c].call.get()] = static_cast<int>(c);
  }

  void find_groups() {
    std::vector<int> needs(graph_.entries.size(), -1);  // the latest host step whose result the entry needs
    std::vector<int> call_needs(calls_.size(), -1);
    for (int i = 0; i < graph_.size(); ++i) {
      int& latest = needs[as_index(i)];
      for (const int in : graph_[i].inputs) latest = std::max(latest, needs[as_index(in)]);
      if (host_step_of(graph_[i]) == nullptr) continue;
      const int c = call_at_.at(graph_[i].node->call().call.get());
      call_needs[as_index(c)] = latest;
      latest = c;
    }
    group_.resize(calls_.size());
    std::size_t first = 0;  // of the group
    const auto asynchronous = [&](std::size_t c) { return calls_[c].call->step->asynchronous(); };
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const bool joins = c > 0 && asynchronous(c) && asynchronous(c - 1) && call_needs[c] < static_cast<int>(first);
      if (!joins) {
        first = c;
        ++groups_;
      }
      group_[c] = groups_ - 1;
    }
  }

  /// An entry that is needed in memory after part `p`, by host steps of group p or by the caller.
  void need_stored(int at, int p, bool by_caller) {
    const int memory = memory_of(at);
    if (is_value(memory)) {
      Uses& u = uses_[as_index(memory)];
      by_caller ? static_cast<void>(u.returned = true) : static_cast<void>(u.calls.insert(p));
    } else {
      uses_[as_index(at)].parts.insert(p);
    }
  }

  [[nodiscard]] int part_of_entry(int at) const {
    const Uses& u = uses_[as_index(at)];
    int p = u.returned ? last_part() : last_part() + 1;
    if (!u.parts.empty()) p = std::min(p, *u.parts.begin());
    if (!u.calls.empty()) p = std::min(p, *u.calls.begin());
    return p;
  }

  void find_uses() {
    for (const int r : graph_.roots) need_stored(r, last_part(), true);
    for (int i = graph_.size(); i-- > 0;) {
      const Graph::Entry& e = graph_[i];
      if (host_step_of(e) != nullptr) {
        const int c = call_at_.at(e.node->call().call.get());
        // Its inputs are before all of its results.
        if (!uses_[as_index(i)].none()) used_calls_.insert(c);
        if (used_calls_.contains(c) && is_first_output(c, i)) {
          for (const int in : calls_[as_index(c)].inputs) need_stored(in, group_[as_index(c)], false);
        }
        continue;
      }
      if (uses_[as_index(i)].none()) continue;
      if (is_free(e)) {
        for (const int in : e.inputs)
          uses_[as_index(in)].parts.insert(uses_[as_index(i)].parts.begin(), uses_[as_index(i)].parts.end());
      } else {
        for (const int in : e.inputs) uses_[as_index(in)].parts.insert(part_of_entry(i));
      }
    }
  }
  /// Whether it is the one with the lowest position.
  [[nodiscard]] bool is_first_output(int call, int at) const {
    return std::ranges::all_of(calls_[as_index(call)].outputs, [&](int o) { return o < 0 || o >= at; });
  }

  void bind_calls() {
    for (HostCall& c : calls_) {
      std::vector<char> used;
      for (const int o : c.outputs) used.push_back(o >= 0 && !uses_[as_index(o)].none() ? 1 : 0);
      c.bound = c.call->step->bind(used, drawn_);
    }
  }

  /// A value like the entry. Its placeholder stands for it in the parts that read it.
  int new_value(int at) {
    const Node& n = *graph_[at].node;
    out_.values_.push_back(std::make_shared<const Node>(Op::kInput, n.dtype(), n.shape(), device_, Node::Inputs{}));
    return static_cast<int>(out_.values_.size()) - 1;
  }
  int value_of(int at) {
    int& v = value_[as_index(at)];
    if (v < 0) v = new_value(at);
    return v;
  }

  /// Values, the roots of the parts that make them, and what the host steps and the caller read.
  void make_values() {
    roots_.resize(as_index(groups_) + 1);
    out_.values_ = placeholders_;
    out_.inputs_ = placeholders_.size();
    for (int i = 0; i < graph_.size(); ++i) {
      if (const int a = argument(i); a >= 0) value_[as_index(i)] = a;
    }
    for (int i = 0; i < graph_.size(); ++i) {
      const Uses& u = uses_[as_index(i)];
      if (u.none() || argument(i) >= 0) continue;
      if (host_step_of(graph_[i]) != nullptr) {
        value_of(i);
      } else if (!is_free(graph_[i]) && (u.returned || !u.calls.empty() || u.parts.size() > 1)) {
        roots_[as_index(part_of_entry(i))].push_back({i, false, value_of(i)});
      }
    }
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      HostCall& call = calls_[c];
      if (!used_calls_.contains(static_cast<int>(c))) continue;
      for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        call.reads.push_back(read_by_call(call.inputs[i], group_[c], call.bound->overwritten()[i] != 0));
      }
    }
    for (const int r : graph_.roots) {
      const int memory = memory_of(r);
      if (is_value(memory)) {
        out_.results_.push_back(value_[as_index(memory)]);
        if (const int a = argument(memory); a >= 0) donated_[as_index(a)] = 0;
      } else {
        out_.results_.push_back(new_value(r));
        roots_.back().push_back({r, false, out_.results_.back()});
      }
    }
  }

  /// The value that a host step of group `g` reads; where it overwrites one that others read too, a copy.
  int read_by_call(int at, int g, bool overwritten) {
    const int memory = memory_of(at);
    if (!is_value(memory)) {
      const bool constant = graph_[memory].op() == Op::kInput;
      const int v = new_value(at);
      roots_[as_index(g)].push_back({at, overwritten && constant, v});
      return v;
    }
    const Uses& u = uses_[as_index(memory)];
    const int a = argument(memory);
    const bool alone = !u.returned && (u.parts.empty() || *u.parts.rbegin() <= g) && *u.calls.rbegin() == g &&
                       u.calls.count(g) == 1 && (a < 0 || donated_[as_index(a)] != 0);
    if (!overwritten || alone) return value_[as_index(memory)];
    const int v = new_value(memory);
    roots_[as_index(g)].push_back({memory, true, v});
    return v;
  }

  void cut() {
    for (int p = 0; p <= last_part(); ++p) {
      const std::vector<Root>& roots = roots_[as_index(p)];
      parts_.emplace_back();
      if (roots.empty()) continue;
      Graph whole = graph_;
      std::vector<int> positions;
      std::vector<NodePtr> leaves(graph_.entries.size());
      for (int i = 0; i < graph_.size(); ++i) {
        const bool later = !is_free(graph_[i]) && host_step_of(graph_[i]) == nullptr && part_of_entry(i) >= p;
        if (value_[as_index(i)] >= 0 && !later) leaves[as_index(i)] = out_.values_[as_index(value_[as_index(i)])];
      }
      for (const Root& r : roots) {
        if (r.copy) {
          const Node& n = *graph_[r.entry].node;
          whole.entries.push_back({std::make_shared<const Node>(Op::kCopy, n.dtype(), n.shape(), device_,
                                                                Node::Inputs{graph_[r.entry].node}),
                                   {r.entry},
                                   nullptr});
          leaves.emplace_back();
        }
        positions.push_back(r.copy ? whole.size() - 1 : r.entry);
      }
      parts_.back() = ordered_by(part_of(whole, positions, leaves), read_by_calls(p));
    }
  }

  /// Of the roots of part p, those that asynchronous steps of its group read, in the order in which they start.
  [[nodiscard]] std::vector<int> read_by_calls(int p) const {
    const std::vector<Root>& roots = roots_[as_index(p)];
    std::vector<int> read;
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      if (group_[c] != p || !calls_[c].call->step->asynchronous()) continue;
      for (const int v : calls_[c].reads) {
        const auto root = std::ranges::find(roots, v, &Root::value);
        if (root != roots.end()) read.push_back(static_cast<int>(root - roots.begin()));
      }
    }
    return read;
  }

  /// Steps in order, then the last reader of each value, which may overwrite it.
  void bind_parts() {
    for (int p = 0; p <= last_part(); ++p) {
      const std::size_t plan_at = out_.steps_.size();
      const bool has_plan = !roots_[as_index(p)].empty();
      if (has_plan) {
        Step& s = out_.steps_.emplace_back();
        std::unordered_map<const Node*, int> known;
        for (std::size_t v = 0; v < out_.values_.size(); ++v) known.emplace(out_.values_[v].get(), v);
        for (const Graph::Entry& e : parts_[as_index(p)].entries) {
          const auto it = e.storage == nullptr && e.inputs.empty() ? known.find(e.node.get()) : known.end();
          if (it != known.end()) s.reads.push_back(it->second);
        }
        for (const Root& r : roots_[as_index(p)]) s.makes.push_back(r.value);
      }
      for (std::size_t k = 0; k < calls_.size(); ++k) {
        if (group_[k] != p || !used_calls_.contains(static_cast<int>(k))) continue;
        HostCall& c = calls_[k];
        Step& s = out_.steps_.emplace_back();
        s.host = std::move(c.bound);
        s.asynchronous = c.call->step->asynchronous();
        s.reads = c.reads;
        for (const int o : c.outputs)
          s.makes.push_back(o >= 0 && !uses_[as_index(o)].none() ? value_[as_index(o)] : -1);
        if (has_plan && s.asynchronous) starts_during(out_.steps_[plan_at], s);
      }
    }
    std::vector<char> needed(out_.values_.size(), 0);
    for (const int v : out_.results_) needed[as_index(v)] = 1;
    for (std::size_t v = 0; v < out_.inputs_; ++v) needed[v] = needed[v] != 0 || donated_[v] == 0 ? 1 : 0;
    for (std::size_t k = out_.steps_.size(); k-- > 0;) {
      Step& s = out_.steps_[k];
      s.last.assign(s.reads.size(), 0);
      for (std::size_t i = s.reads.size(); i-- > 0;) {
        s.last[i] = std::exchange(needed[as_index(s.reads[i])], 1) == 0 ? 1 : 0;
      }
    }
    std::size_t p = 0;
    for (Step& s : out_.steps_) {
      s.inputs.resize(s.reads.size());
      s.outputs.resize(s.makes.size());
      if (s.host != nullptr) continue;
      while (roots_[p].empty()) ++p;
      std::vector<NodePtr> read;
      std::vector<int> donate;
      for (std::size_t i = 0; i < s.reads.size(); ++i) {
        read.push_back(out_.values_[as_index(s.reads[i])]);
        if (s.last[i] != 0) donate.push_back(static_cast<int>(i));
      }
      s.plan = bind_trace(what_, parts_[p++], device_, read, donate, drawn_);
      std::vector<std::vector<int>> stops;
      for (const int h : s.starts) {
        std::vector<int>& roots = stops.emplace_back();
        for (const int made : out_.steps_[as_index(h)].from_plan) {
          if (made >= 0) roots.push_back(made);
        }
      }
      s.plan->set_stops(stops);
    }
  }
  /// The latest step starts when the plan has stored what it reads.
  void starts_during(Step& plan, Step& s) {
    plan.starts.push_back(static_cast<int>(out_.steps_.size()) - 1);
    for (const int v : s.reads) {
      const auto made = std::ranges::find(plan.makes, v);
      s.from_plan.push_back(made != plan.makes.end() ? static_cast<int>(made - plan.makes.begin()) : -1);
    }
  }

  PlanSequence& out_;
  std::string_view what_;
  const Graph& graph_;
  std::shared_ptr<runtime::Device> device_;
  std::vector<NodePtr> placeholders_;
  const std::vector<RandomState>& drawn_;
  std::vector<Uses> uses_;  // by entry, like value_
  std::vector<int> value_;
  std::vector<char> donated_;  // by argument
  std::unordered_map<const Node*, int> arguments_;
  std::vector<HostCall> calls_;
  std::vector<int> group_;  // by call
  int groups_ = 0;
  std::unordered_map<const Call*, int> call_at_;
  std::set<int> used_calls_;
  std::vector<std::vector<Root>> roots_;  // by part
  std::vector<Graph> parts_;
};

PlanSequence::PlanSequence(std::string_view what, const Graph& traced, const std::shared_ptr<runtime::Device>& device,
                           std::span<const NodePtr> placeholders, std::span<const int> donate,
                           const std::vector<RandomState>& drawn) {
  if (std::ranges::none_of(traced.entries, [](const Graph::Entry& e) { return host_step_of(e) != nullptr; })) {
    steps_.emplace_back().plan = bind_trace(what, traced, device, placeholders, donate, drawn);
    overwritten_ = steps_[0].plan->overwritten();
    lost_.assign(overwritten_.size(), 0);
    return;
  }
  const Builder fills_this(*this, what, traced, device, placeholders, donate, drawn);
  find_order();
  overwritten_.assign(inputs_, 0);
  for (const Step& s : steps_) {
    for (std::size_t i = 0; i < s.reads.size(); ++i) {
      if (as_index(s.reads[i]) < inputs_ && s.overwritten()[i] != 0) overwritten_[as_index(s.reads[i])] = 1;
    }
  }
  lost_.assign(inputs_, 0);
  storages_.resize(values_.size());
}

std::unique_ptr<PlanSequence> PlanSequence::twin() const {
  auto other = std::unique_ptr<PlanSequence>(new PlanSequence());  // NOLINT: it is private
  for (const Step& s : steps_) {
    Step& to = other->steps_.emplace_back();
    if (s.plan != nullptr) to.plan = s.plan->twin();
    if (s.host != nullptr) to.host = s.host->twin();
    to.reads = s.reads;
    to.last = s.last;
    to.makes = s.makes;
    to.asynchronous = s.asynchronous;
    to.after = s.after;
    to.starts = s.starts;
    to.from_plan = s.from_plan;
    to.inputs.resize(s.inputs.size());
    to.outputs.resize(s.outputs.size());
  }
  other->results_ = results_;
  other->values_ = values_;
  other->inputs_ = inputs_;
  other->overwritten_ = overwritten_;
  other->lost_.assign(lost_.size(), 0);
  other->storages_.resize(storages_.size());
  return other;
}

/// What waits for which asynchronous step: the first that reads its result, or writes into memory that it reads.
void PlanSequence::find_order() {
  std::vector<int> running;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    Step& s = steps_[k];
    std::erase_if(running, [&](int r) {
      const Step& other = steps_[as_index(r)];
      bool waits = false;
      for (std::size_t i = 0; i < s.reads.size(); ++i) {
        waits = waits || std::ranges::count(other.makes, s.reads[i]) > 0 ||
                (s.overwritten()[i] != 0 && std::ranges::count(other.reads, s.reads[i]) > 0);
      }
      if (waits) s.after.push_back(r);
      return waits;
    });
    if (s.asynchronous) running.push_back(static_cast<int>(k));
  }
}

void PlanSequence::start(Step& step, const Step* plan) {
  for (const int earlier : step.after) finish(steps_[as_index(earlier)]);
  for (std::size_t i = 0; i < step.reads.size(); ++i) {
    const int made = plan != nullptr ? step.from_plan[i] : -1;
    step.inputs[i] = made >= 0 ? plan->outputs[as_index(made)] : storages_[as_index(step.reads[i])];
  }
  step.host->start(step.inputs);
  step.started = true;
  for (auto& input : step.inputs) input = nullptr;
}

void PlanSequence::finish(Step& step) {
  if (!std::exchange(step.started, false)) return;
  step.host->finish(step.outputs);
  for (std::size_t i = 0; i < step.makes.size(); ++i) {
    if (step.makes[i] >= 0) storages_[as_index(step.makes[i])] = std::move(step.outputs[i]);
  }
}

std::size_t PlanSequence::kernel_count() const {
  std::size_t count = 0;
  for (const Step& s : steps_) count += s.plan != nullptr ? s.plan->kernel_count() : s.host->kernel_count();
  return count;
}

void PlanSequence::run(std::span<const std::shared_ptr<Storage>> inputs, std::span<const RandomState> drawn,
                       std::span<std::shared_ptr<Storage>> outputs) {
  if (values_.empty()) return steps_[0].plan->run(inputs, drawn, outputs);
  // On an exception, nothing is kept.
  struct Forget {
    PlanSequence& of;
    ~Forget() {
      for (Step& step : of.steps_) {
        try {
          of.finish(step);
        } catch (...) {  // NOLINT(bugprone-empty-catch): the first exception is the one that counts
        }
      }
      for (auto& s : of.storages_) s = nullptr;
      for (Step& step : of.steps_) {
        for (auto* list : {&step.inputs, &step.outputs}) {
          for (auto& s : *list) s = nullptr;
        }
      }
    }
  } forget{*this};
  std::ranges::fill(lost_, 0);
  std::ranges::copy(inputs, storages_.begin());
  for (Step& s : steps_) {
    if (s.asynchronous) {
      if (!s.started) start(s, nullptr);
      for (std::size_t i = 0; i < s.reads.size(); ++i) {
        if (s.last[i] != 0) storages_[as_index(s.reads[i])] = nullptr;
      }
      continue;
    }
    for (const int earlier : s.after) finish(steps_[as_index(earlier)]);
    const std::span<const char> overwritten = s.overwritten();
    for (std::size_t i = 0; i < s.reads.size(); ++i) {
      const auto v = as_index(s.reads[i]);
      s.inputs[i] = s.last[i] != 0 ? std::move(storages_[v]) : storages_[v];
      if (overwritten[i] == 0) continue;
      if (v < inputs_) {  // the caller sees to its storages
        lost_[v] = s.host != nullptr || !s.starts.empty() ? 1 : lost_[v];
      } else if (s.inputs[i].use_count() > 1) {
        s.inputs[i] = runtime::copy_of_storage(*values_[v], s.inputs[i]);
      }
    }
    if (s.plan != nullptr) {
      s.plan->run(s.inputs, drawn, s.outputs, [&](std::size_t stop) { start(steps_[as_index(s.starts[stop])], &s); });
    } else {
      s.host->run(s.inputs, drawn, s.outputs);
    }
    for (std::size_t i = 0; i < s.reads.size(); ++i) {
      if (overwritten[i] != 0 && as_index(s.reads[i]) < inputs_) lost_[as_index(s.reads[i])] = 1;
      s.inputs[i] = nullptr;
    }
    for (std::size_t i = 0; i < s.makes.size(); ++i) {
      if (s.makes[i] >= 0) storages_[as_index(s.makes[i])] = std::move(s.outputs[i]);
    }
  }
  for (Step& s : steps_) finish(s);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = storages_[as_index(results_[i])];
}

}  // namespace tessera
