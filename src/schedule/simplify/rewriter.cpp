// Builds nodes and views of them.
#include "schedule/simplify/rewriter.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "schedule/calls/calls.h"

namespace tessera::schedule {

namespace {

std::uint64_t hash_attrs(const Attrs& attrs) {
  std::uint64_t h = attrs.index();
  if (const auto* s = std::get_if<Scalar>(&attrs)) {
    h = hash_mix(h, std::bit_cast<std::uint64_t>(s->as_double()));
  } else if (const auto* v = std::get_if<View>(&attrs)) {
    for (const ViewLevel& level : v->levels) {
      h = hash_mix(h, static_cast<std::uint64_t>(level.offset));
      for (const Dim& d : level.dims) {
        h = hash_mix(hash_mix(h, static_cast<std::uint64_t>(d.size)), static_cast<std::uint64_t>(d.stride));
      }
    }
  } else if (const auto* w = std::get_if<PadLow>(&attrs)) {
    for (const std::int64_t low : w->low) h = hash_mix(h, static_cast<std::uint64_t>(low));
  } else if (const auto* r = std::get_if<RandomState>(&attrs)) {
    h = hash_mix(hash_mix(h, r->seed), r->counter);
  } else if (const auto* c = std::get_if<CustomResult>(&attrs)) {
    h = hash_mix(hash_mix(h, c->call->kernel->id), static_cast<std::uint64_t>(c->output));
    for (const std::uint32_t word : c->call->params) h = hash_mix(h, word);
  } else if (const auto* call = std::get_if<CallResult>(&attrs)) {
    h = hash_mix(h, static_cast<std::uint64_t>(call->output));
    for (const std::int64_t word : call->call->attributes) h = hash_mix(h, static_cast<std::uint64_t>(word));
  }
  return h;
}

std::int64_t numel_of(const ViewLevel& level) {
  std::int64_t n = 1;
  for (const Dim& d : level.dims) n *= d.size;
  return n;
}

}  // namespace

std::int64_t divisor(std::int64_t n, std::int64_t most) {
  for (std::int64_t d = std::min(n, most); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

int Rewriter::add(Graph::Entry entry) {
  const Node& n = *entry.node;
  std::uint64_t h = hash_mix(static_cast<std::uint64_t>(entry.op()), static_cast<std::uint64_t>(n.dtype()));
  const bool leaf = entry.op() == Op::kInput && entry.inputs.empty();
  if (leaf) {
    h = hash_mix(h, reinterpret_cast<std::uintptr_t>(entry.node.get()));
  } else {
    h = hash_mix(h, hash_attrs(n.attrs()));
    for (const std::int64_t d : n.shape()) h = hash_mix(h, static_cast<std::uint64_t>(d));
    for (const int in : entry.inputs) h = hash_mix(h, static_cast<std::uint64_t>(in));
  }
  auto [it, end] = seen_.equal_range(h);
  for (; it != end; ++it) {
    const Graph::Entry& other = out_[it->second];
    if (other.node == entry.node) return it->second;
    if (leaf || other.op() != entry.op()) continue;
    if (other.inputs == entry.inputs && other.node->dtype() == n.dtype() && other.node->shape() == n.shape() &&
        other.node->attrs() == n.attrs()) {
      return it->second;
    }
  }
  out_.entries.push_back(std::move(entry));
  seen_.emplace(h, out_.size() - 1);
  return out_.size() - 1;
}

int Rewriter::make(Op op, DType dtype, const Shape& shape, std::vector<int> inputs, Attrs attrs) {
  Node::Inputs nodes;
  nodes.reserve(inputs.size());
  for (const int in : inputs) nodes.push_back(out_[in].node);
  auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, std::move(nodes), std::move(attrs));
  return add({std::move(node), std::move(inputs), nullptr});
}

int Rewriter::separate_copy(int input) {
  const NodePtr& from = out_[input].node;
  auto node =
      std::make_shared<const Node>(Op::kCopy, from->dtype(), from->shape(), nullptr, Node::Inputs{from}, Attrs{});
  out_.entries.push_back({std::move(node), {input}, nullptr});
  return out_.size() - 1;
}

SplitView Rewriter::split(int input) const {
  static const View kPlain;
  const Graph::Entry& e = out_[input];
  return split_view(e.op() == Op::kView ? e.node->view() : kPlain, e.node->shape());
}

int Rewriter::make_view_of(int input, std::vector<Dim> dims, const SplitView& from, const Shape& shape) {
  const Graph::Entry e = out_[input];
  int base = e.op() == Op::kView ? e.inputs[0] : input;
  View view = make_view(std::move(dims), from.offset, from.below, out_.node(base).numel());
  if (view.levels.size() > View::kMaxLevels) {
    base = make(Op::kCopy, e.node->dtype(), Shape{view.levels[1].dims.empty() ? 1 : numel_of(view.levels[1])},
                {make(Op::kView, e.node->dtype(), Shape{numel_of(view.levels[1])}, {base},
                      View{{view.levels.begin() + 1, view.levels.end()}})});
    view.levels.resize(1);
  }
  std::vector<int> inputs{base};  // and what the view waits for
  if (e.op() == Op::kView) inputs.insert(inputs.end(), e.inputs.begin() + 1, e.inputs.end());
  return make(Op::kView, e.node->dtype(), shape, std::move(inputs), std::move(view));
}

int Rewriter::make_view_of(int input, std::vector<Dim> dims, const SplitView& from) {
  std::vector<std::int64_t> sizes;
  for (const Dim& d : dims) sizes.push_back(d.size);
  return make_view_of(input, std::move(dims), from, Shape(sizes));
}

int Rewriter::reshape(int input, const Shape& shape) {
  const SplitView from = split(input);
  return make_view_of(input, from.dims, from, shape);
}

std::vector<int> Rewriter::import(std::span<const NodePtr> roots, std::span<const NodePtr> leaves,
                                  std::span<const int> positions) {
  const Graph nodes = snapshot(roots);
  std::unordered_map<const Node*, int> known;
  for (std::size_t i = 0; i < leaves.size(); ++i) known.emplace(leaves[i].get(), positions[i]);
  std::vector<int> at(nodes.entries.size());
  for (int i = 0; i < nodes.size(); ++i) {
    const Graph::Entry& e = nodes[i];
    if (const auto it = known.find(e.node.get()); it != known.end()) {
      at[as_index(i)] = it->second;
      continue;
    }
    // A node of its own, whose inputs are those of this graph instead of the leaves.
    Graph::Entry moved;
    Node::Inputs inputs;
    std::shared_ptr<runtime::Device> device = e.node->device();
    for (const int in : e.inputs) {
      moved.inputs.push_back(at[as_index(in)]);
      inputs.push_back(out_[moved.inputs.back()].node);
      if (device == nullptr) device = inputs.back()->device();
    }
    moved.node = std::make_shared<const Node>(e.op(), e.node->dtype(), e.node->shape(), std::move(device),
                                              std::move(inputs), e.node->attrs());
    at[as_index(i)] = apply_rules(*this, moved);
  }
  std::vector<int> results;
  for (const int root : nodes.roots) results.push_back(at[as_index(root)]);
  return results;
}

const std::vector<int>& Rewriter::lowered(const std::shared_ptr<const Call>& call, std::span<const int> inputs) {
  if (const auto it = lowered_.find(call.get());
      it != lowered_.end() &&
      std::equal(inputs.begin(), inputs.end(), it->second.inputs.begin(), it->second.inputs.end()))
    return it->second.results;
  std::vector<TensorSpec> specs;
  CallLayout layout{
      .in_order = roots_.contains(call.get()), .channels_last = set_channels_last(false), .channels_last_inputs = {}};
  for (const int in : inputs) {
    specs.push_back({out_.node(in).dtype(), out_.node(in).shape()});
    const std::vector<Dim> dims = split(in).dims;
    const bool contiguous = dims.size() > 2 && dims[1].size > 1 && dims[1].stride == 1;
    layout.channels_last_inputs.push_back(contiguous && out_.node(in).numel() > dims[0].size * dims[1].size);
  }
  const LoweredCall made = lower(*call, specs, device_, layout);
  LoweredAt entry{call, {inputs.begin(), inputs.end()}, import(made.results, made.placeholders, inputs)};
  set_channels_last(layout.channels_last);
  return lowered_.insert_or_assign(call.get(), std::move(entry)).first->second.results;
}

const Scalar* constant(const Graph& graph, int n) {
  if (graph[n].op() == Op::kView && graph[n].inputs.size() == 1) n = graph[n].inputs[0];
  return graph[n].op() == Op::kScalar ? &graph.node(n).scalar() : nullptr;
}

}  // namespace tessera::schedule
