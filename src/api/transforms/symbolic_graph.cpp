// Symbolic graphs: the numbers of each node, their formulas, and nodes made from them.
#include "api/transforms/symbolic_graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/op.h"
#include "graph/op_name.h"
#include "runtime/memory/storage.h"
#include "tessera/grad.h"

namespace tessera {

namespace {

/// A node as a form, which must be equal at all sizes, and numbers, which may depend on them.
struct Described {
  std::string form;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;

  void add(const Shape& shape) {
    form += fmt::format("r{}", shape.rank());
    integers.insert(integers.end(), shape.begin(), shape.end());
  }
  void add(const std::vector<TensorSpec>& tensors) {
    for (const TensorSpec& t : tensors) {
      form += name(t.dtype);
      add(t.shape);
    }
    form += ';';
  }
  template <class List>
  void add_list(const List& list) {
    form += fmt::format("l{}", list.size());
    integers.insert(integers.end(), list.begin(), list.end());
  }
};

Described describe(const Graph::Entry& e) {
  const Node& n = *e.node;
  Described d;
  d.form = fmt::format("{} {} ", static_cast<int>(e.op()), name(n.dtype()));
  d.add(n.shape());
  if (e.op() == Op::kInput) return d;
  std::visit(
      [&](const auto& a) {
        using T = std::decay_t<decltype(a)>;
        if constexpr (std::is_same_v<T, Scalar>) {
          d.form += fmt::format("s{}{}", a.value.index(), a.weak);
          if (const auto* real = std::get_if<double>(&a.value)) {
            d.reals.push_back(*real);
          } else if (const auto* c = std::get_if<std::complex<double>>(&a.value)) {
            d.reals.insert(d.reals.end(), {c->real(), c->imag()});
          } else {
            d.integers.push_back(a.as_int());
          }
        } else if constexpr (std::is_same_v<T, View>) {
          for (const ViewLevel& level : a.levels) {
            d.form += fmt::format("v{}", level.dims.size());
            for (const Dim& dim : level.dims) d.integers.insert(d.integers.end(), {dim.size, dim.stride});
            d.integers.push_back(level.offset);
          }
        } else if constexpr (std::is_same_v<T, PadLow>) {
          d.add_list(a.low);
        } else if constexpr (std::is_same_v<T, RandomState>) {
          d.form += fmt::format("d{},{}", a.seed, a.counter);
        } else if constexpr (std::is_same_v<T, CallResult>) {
          d.form += fmt::format("c{} {} ", a.call->op, a.output);
          d.add_list(a.call->attributes);
          d.add(a.call->outputs);
        } else if constexpr (std::is_same_v<T, CustomResult>) {
          d.form += fmt::format("k{} {} ", a.call->kernel->id, a.output);
          d.add_list(a.call->params);
          d.add_list(a.call->grid);
          for (const auto* list : {&a.call->inputs, &a.call->bound, &a.call->outputs}) d.add(*list);
        }
      },
      n.attrs());
  return d;
}

/// The calls of a new graph, by those of the old one: results of one call share it.
using Calls = std::unordered_map<const void*, std::shared_ptr<const void>>;

/// Reads the numbers of a node in the order of describe().
struct Reader {
  std::span<const std::int64_t> integers;
  std::span<const double> reals;

  std::int64_t integer() {
    const std::int64_t v = integers.front();
    integers = integers.subspan(1);
    return v;
  }
  double real() {
    const double v = reals.front();
    reals = reals.subspan(1);
    return v;
  }
  void read(Shape& shape) {
    for (int i = 0; i < shape.rank(); ++i) shape[i] = integer();
  }
  void read(std::vector<TensorSpec>& tensors) {
    for (TensorSpec& t : tensors) read(t.shape);
  }
  template <class List>
  void read_list(List& list) {
    for (auto& v : list) v = static_cast<std::decay_t<decltype(v)>>(integer());
  }
};

/// In normal form, which merges more dims where sizes coincide.
View normal(const View& view, std::int64_t base_numel) {
  View result;
  for (std::size_t i = view.levels.size(); i-- > 0;) {
    const std::vector<ViewLevel> below = std::move(result.levels);
    result = make_view(view.levels[i].dims, view.levels[i].offset, below, base_numel);
  }
  return result;
}

Attrs attributes_of(const Node& like, Reader& numbers, const Node::Inputs& inputs, Calls& calls) {
  Attrs attrs = like.attrs();
  std::visit(
      [&](auto& a) {
        using T = std::decay_t<decltype(a)>;
        if constexpr (std::is_same_v<T, Scalar>) {
          if (auto* real = std::get_if<double>(&a.value)) {
            *real = numbers.real();
          } else if (auto* c = std::get_if<std::complex<double>>(&a.value)) {
            const double re = numbers.real();
            *c = {re, numbers.real()};
          } else if (auto* u = std::get_if<std::uint64_t>(&a.value)) {
            *u = static_cast<std::uint64_t>(numbers.integer());
          } else {
            a.value = numbers.integer();
          }
        } else if constexpr (std::is_same_v<T, View>) {
          for (ViewLevel& level : a.levels) {
            for (Dim& dim : level.dims) {
              dim.size = numbers.integer();
              dim.stride = numbers.integer();
            }
            level.offset = numbers.integer();
          }
          a = normal(a, inputs.at(0)->numel());
        } else if constexpr (std::is_same_v<T, PadLow>) {
          numbers.read_list(a.low);
        } else if constexpr (std::is_same_v<T, CallResult>) {
          std::shared_ptr<const void>& made = calls[a.call.get()];
          if (made == nullptr) {
            auto call = std::make_shared<Call>(*a.call);
            numbers.read_list(call->attributes);
            numbers.read(call->outputs);
            call->results.clear();
            made = std::move(call);
          }
          a.call = std::static_pointer_cast<const Call>(made);
        } else if constexpr (std::is_same_v<T, CustomResult>) {
          std::shared_ptr<const void>& made = calls[a.call.get()];
          if (made == nullptr) {
            auto call = std::make_shared<CustomCall>(*a.call);
            numbers.read_list(call->params);
            numbers.read_list(call->grid);
            for (auto* list : {&call->inputs, &call->bound, &call->outputs}) numbers.read(*list);
            call->results.clear();
            made = std::move(call);
          }
          a.call = std::static_pointer_cast<const CustomCall>(made);
        }
      },
      attrs);
  return attrs;
}

/// Whether two evaluated tensors have the same elements; large ones are not compared.
bool same_data(const Graph::Entry& a, const Graph::Entry& b) {
  if (a.node->dtype() != b.node->dtype() || a.node->shape() != b.node->shape()) return false;
  if (a.storage == b.storage) return true;
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const std::size_t bytes = as_index(a.node->numel()) * size_of(a.node->dtype());
  if (bytes > kMost) return false;
  try {
    const void* const x = a.storage->read_host().host();
    const void* const y = b.storage->read_host().host();
    return bytes == 0 || (x != nullptr && y != nullptr && std::memcmp(x, y, bytes) == 0);
  } catch (const Error&) {  // not readable here: in a browser, reads do not wait
    return false;
  }
}

bool close(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (static_cast<double>(static_cast<float>(a)) == a) {  // rounded to f32
    return std::abs(a - b) <= double{std::numeric_limits<float>::epsilon()} * std::abs(b);
  }
  return std::abs(a - b) <= 8 * std::numeric_limits<double>::epsilon() * std::abs(b);
}

std::string described(const Graph::Entry& e) {
  return fmt::format("{} {}{}", op_name(e.node->op()), name(e.node->dtype()), e.node->shape().str());
}

/// The position of each placeholder in the graph; -1 for one that it does not need.
std::vector<int> positions_of(const TracedGraph& traced) {
  std::unordered_map<const Node*, int> at;
  for (int i = 0; i < traced.graph.size(); ++i) at.emplace(traced.graph[i].node.get(), i);
  std::vector<int> positions;
  for (const NodePtr& p : traced.placeholders) {
    const auto it = at.find(p.get());
    positions.push_back(it != at.end() ? it->second : -1);
  }
  return positions;
}

struct Mismatch {
  std::string reason;  // empty: none
  bool final = false;
};

/// What makes the structure of two graphs different, of everything but numbers.
Mismatch structure(const TracedGraph& a, const TracedGraph& b) {
  if (a.graph.size() != b.graph.size()) {
    return {fmt::format("it makes {} nodes at one size and {} at another", a.graph.size(), b.graph.size())};
  }
  if (a.graph.roots != b.graph.roots || positions_of(a) != positions_of(b)) {
    return {"its results are other nodes at other sizes"};
  }
  for (int i = 0; i < a.graph.size(); ++i) {
    const Graph::Entry& x = a.graph[i];
    const Graph::Entry& y = b.graph[i];
    if (x.node == y.node) continue;
    if (x.op() != y.op() || x.inputs != y.inputs || x.node->device() != y.node->device() ||
        (x.storage == nullptr) != (y.storage == nullptr)) {
      return {fmt::format("{} at one size is {} at another", described(x), described(y))};
    }
    if (x.storage != nullptr && !same_data(x, y)) {
      return {fmt::format("it creates a tensor {}{} with other data at other sizes", name(x.node->dtype()),
                          x.node->shape().str()),
              true};
    }
  }
  return {};
}

/// The graph without views that change nothing: a slice of all elements, which is no node where it is written so.
TracedGraph without_identities(const TracedGraph& traced) {
  TracedGraph result{{}, traced.placeholders};
  std::vector<int> position;
  for (const Graph::Entry& e : traced.graph.entries) {
    if (e.op() == Op::kView && e.node->view().identity() &&
        e.node->shape() == traced.graph[e.inputs.at(0)].node->shape()) {
      position.push_back(position[as_index(e.inputs[0])]);
      continue;
    }
    position.push_back(result.graph.size());
    result.graph.entries.push_back(e);
    for (int& in : result.graph.entries.back().inputs) in = position[as_index(in)];
  }
  for (const int root : traced.graph.roots) result.graph.roots.push_back(position[as_index(root)]);
  return result;
}

}  // namespace

SymbolicGraph::Fit SymbolicGraph::fit(SizeGrid grid, std::span<const TracedGraph* const> at) {
  const TracedGraph& first = *at[0];
  for (const TracedGraph* other : at.subspan(1)) {
    if (Mismatch m = structure(first, *other); !m.reason.empty()) return {nullptr, std::move(m.reason), m.final};
  }
  std::shared_ptr<SymbolicGraph> result(new SymbolicGraph(std::move(grid)));
  result->first_ = first;
  for (int i = 0; i < first.graph.size(); ++i) {
    Entry entry;
    const Graph::Entry& e = first.graph[i];
    const bool same_node = std::ranges::all_of(at, [&](const TracedGraph* t) { return t->graph[i].node == e.node; }) ||
                           e.storage != nullptr;
    for (const int in : e.inputs) entry.fixed = entry.fixed && result->entries_[as_index(in)].fixed;
    if (!same_node) {
      std::vector<Described> nodes;
      for (const TracedGraph* t : at) {
        nodes.push_back(describe(t->graph[i]));
        if (nodes.back().form != nodes[0].form) {
          return {nullptr, fmt::format("{} has another form at other sizes", described(e))};
        }
      }
      for (std::size_t k = 0; k < nodes[0].integers.size(); ++k) {
        std::vector<std::int64_t> values;
        for (const Described& d : nodes) values.push_back(d.integers[k]);
        entry.integers.push_back(SizeFormula::of_integers(result->grid_, std::move(values)));
        entry.fixed = entry.fixed && entry.integers.back().constant();
      }
      for (std::size_t k = 0; k < nodes[0].reals.size(); ++k) {
        std::vector<double> values;
        for (const Described& d : nodes) values.push_back(d.reals[k]);
        std::optional<SizeFormula> f = SizeFormula::of_doubles(result->grid_, values);
        if (!f.has_value()) {
          return {nullptr,
                  fmt::format("the number {} is not a polynomial of the size, nor a reciprocal or a root of one",
                              values[0])};
        }
        entry.reals.push_back(std::move(*f));
        entry.fixed = entry.fixed && entry.reals.back().constant();
      }
    } else if (!entry.fixed) {
      return {nullptr, fmt::format("{} was not created by it, but depends on the size", described(e))};
    }
    result->entries_.push_back(std::move(entry));
  }
  return {std::move(result), {}};
}

std::vector<std::int64_t> SymbolicGraph::fixed_extents() const {
  std::set<std::int64_t> all;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Shape& shape = first_.graph.entries[i].node->shape();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (entries_[i].integers.empty() || entries_[i].integers[as_index(axis)].constant()) all.insert(shape[axis]);
    }
  }
  return {all.begin(), all.end()};
}

TracedGraph SymbolicGraph::at(const Sizes& sizes) const {
  const NoGrad untracked;
  const std::vector<std::uint64_t> basis = grid_.basis(sizes);
  TracedGraph result = first_;
  Calls calls;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.fixed) continue;
    Graph::Entry& e = result.graph.entries[i];
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    for (const SizeFormula& f : entry.integers) integers.push_back(f.integer(basis));
    for (const SizeFormula& f : entry.reals) reals.push_back(f.real(basis));
    Reader numbers{integers, reals};
    Shape shape = e.node->shape();
    numbers.read(shape);
    Node::Inputs inputs;
    for (const int in : e.inputs) inputs.push_back(result.graph[in].node);
    Attrs attrs = attributes_of(*e.node, numbers, inputs, calls);
    e.node = std::make_shared<const Node>(e.node->op(), e.node->dtype(), shape, e.node->device(), std::move(inputs),
                                          std::move(attrs));
  }
  const std::vector<int> positions = positions_of(first_);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= 0) result.placeholders[i] = result.graph[positions[i]].node;
  }
  return result;
}

std::optional<std::string> SymbolicGraph::difference(const Sizes& sizes, const TracedGraph& given) const {
  TracedGraph own;
  try {
    own = without_identities(at(sizes));
  } catch (const Error& e) {  // a negative extent, or one past the limit of a tensor
    return e.what();
  }
  const TracedGraph traced = without_identities(given);
  if (Mismatch m = structure(own, traced); !m.reason.empty()) return std::move(m.reason);
  for (int i = 0; i < own.graph.size(); ++i) {
    if (own.graph[i].node == traced.graph[i].node || own.graph[i].storage != nullptr) continue;
    const Described a = describe(own.graph[i]);
    const Described b = describe(traced.graph[i]);
    if (a.form == b.form && a.integers == b.integers && std::ranges::equal(a.reals, b.reals, close)) continue;
    return fmt::format("{} is not what its graph at other sizes leads to, {}", described(traced.graph[i]),
                       described(own.graph[i]));
  }
  return std::nullopt;
}

}  // namespace tessera
