// Fitting: fuse, look for a kernel that cannot be cut, write out what stands in its way, and again until there is none.
#include "schedule/lower/fit.h"

#include <algorithm>

#include "base/fail.h"
#include "base/ints.h"
#include "graph/op.h"
#include "schedule/fuse/fuse.h"
#include "schedule/lower/chunks.h"
#include "schedule/simplify/simplify.h"

namespace tessera::schedule {

namespace {

/// Rebuilds a graph with copies in it.
class Rebuilder {
 public:
  explicit Rebuilder(const Graph& from) : from_(from), at_(from.entries.size(), -1) {}

  /// All that reads `view` reads a copy of it instead.
  Graph write_out(int view) {
    for (int n = 0; n < from_.size(); ++n) {
      if (n != view) {
        keep(n);
        continue;
      }
      const int base = under_reshapes(at_[as_index(from_[n].inputs[0])]);
      const SplitView s = split_view(from_.node(n).view(), from_.node(n).shape());
      // What was copied in order and is still read in jumps is spread out: then it is written out as it is read.
      const bool whole = out_.node(base).in_ranges();
      at_[as_index(n)] = whole ? copy(add(Op::kView, from_.node(n), {base}, from_.node(n).attrs()))
                               : in_order(base, from_.node(n), s, s.dims);
    }
    return finish();
  }

  /// The pad `n` reads a copy of its own of what lies inside it.
  Graph write_out_padded(int n) {
    for (int i = 0; i < from_.size(); ++i) {
      if (i != n) {
        keep(i);
        continue;
      }
      int& inside = at_[as_index(from_[n].inputs[0])];
      const int shared = inside;
      inside = copy(shared);
      keep(n);
      inside = shared;
    }
    return finish();
  }

  /// The gather `n` reads parts of its tensor that can be bound, one after the other, and takes what lies in each.
  Graph gather_in_parts(int n, std::int64_t limit) {
    for (int i = 0; i < from_.size(); ++i) {
      if (i != n) {
        keep(i);
        continue;
      }
      const Node& gather = from_.node(n);
      const int data = at_[as_index(from_[n].inputs[0])];
      const int at = at_[as_index(from_[n].inputs[1])];
      const Node& positions = out_.node(at);
      const std::int64_t total = out_.node(data).numel();
      const std::int64_t most = limit / kRangeAlign * kRangeAlign / static_cast<std::int64_t>(size_of(gather.dtype()));
      const auto number = [&](std::int64_t v) {
        const int scalar = add(Op::kScalar, positions.dtype(), {}, {}, Scalar{v});
        return add(Op::kView, positions, {scalar}, make_view({{positions.numel(), 0}}, 0, {}, 1));
      };
      const auto op = [&](Op which, DType dtype, std::vector<int> inputs) {
        return add(which, dtype, gather.shape(), std::move(inputs), {});
      };
      int result = -1;
      for (std::int64_t first = 0; first < total; first += most) {
        const std::int64_t count = std::min(most, total - first);
        const int part =
            copy(add(Op::kView, gather.dtype(), Shape{count}, {data}, make_view({{count, 1}}, first, {}, total)));
        const int low = op(Op::kGreaterEqual, DType::kBool, {at, number(first)});
        const int high = op(Op::kLess, DType::kBool, {at, number(first + count)});
        const int inside = op(Op::kLogicalAnd, DType::kBool, {low, high});
        const int shifted = op(Op::kSubtract, positions.dtype(), {at, number(first)});
        const int local = op(Op::kWhere, positions.dtype(), {inside, shifted, number(0)});
        const int taken = op(Op::kGather, gather.dtype(), {part, local});
        result = result < 0 ? taken : op(Op::kWhere, gather.dtype(), {inside, taken, result});
      }
      at_[as_index(n)] = result;
    }
    return finish();
  }

  /// The matmul `n` reads a copy of its operand that has k innermost.
  Graph write_out_operand(int n, int which) {
    static const View kPlain;
    for (int i = 0; i < from_.size(); ++i) {
      if (i == n) {
        const int old = from_[n].inputs[as_index(which)];
        const Graph::Entry& e = from_[old];
        const SplitView s = split_view(e.op() == Op::kView ? e.node->view() : kPlain, e.node->shape());
        const int base = under_reshapes(at_[as_index(e.op() == Op::kView ? e.inputs[0] : old)]);
        std::vector<Dim> order = s.dims;
        if (which == 1) std::swap(order[order.size() - 2], order.back());
        const int copied = in_order(base, *e.node, s, order, which == 1);
        Graph::Entry entry = from_[n];
        for (std::size_t k = 0; k < entry.inputs.size(); ++k) {
          entry.inputs[k] = static_cast<int>(k) == which ? copied : at_[as_index(entry.inputs[k])];
        }
        out_.entries.push_back(std::move(entry));
        at_[as_index(n)] = out_.size() - 1;
      } else {
        keep(i);
      }
    }
    return finish();
  }

 private:
  void keep(int n) {
    Graph::Entry entry = from_[n];
    for (int& in : entry.inputs) in = at_[as_index(in)];
    if (entry.op() == Op::kView) entry.inputs[0] = under_reshapes(entry.inputs[0]);
    // A copy of what was just written out in the same order is that itself, unless its memory is a part of an arena.
    if (entry.op() == Op::kCopy && !entry.node->in_ranges() && !is_piece(n) && written_out(entry.inputs[0])) {
      at_[as_index(n)] = entry.inputs[0];
      return;
    }
    out_.entries.push_back(std::move(entry));
    at_[as_index(n)] = out_.size() - 1;
  }

  [[nodiscard]] bool is_piece(int n) const {
    return std::ranges::any_of(from_.entries, [&](const Graph::Entry& e) {
      return e.op() == Op::kPack && std::ranges::find(e.inputs, n) != e.inputs.end();
    });
  }

  [[nodiscard]] bool written_out(int n) const { return out_.node(under_reshapes(n)).in_ranges(); }

  /// A view's input is no view: what was a copy may have become a reshape.
  [[nodiscard]] int under_reshapes(int n) const {
    while (out_[n].op() == Op::kView && out_[n].node->view().identity()) n = out_[n].inputs[0];
    return n;
  }

  int add(Op op, const Node& like, std::vector<int> inputs, Attrs attrs) {
    return add(op, like.dtype(), like.shape(), std::move(inputs), std::move(attrs));
  }
  int add(Op op, DType dtype, const Shape& shape, std::vector<int> inputs, Attrs attrs) {
    Node::Inputs nodes;
    for (const int in : inputs) nodes.push_back(out_[in].node);
    auto node = std::make_shared<const Node>(op, dtype, shape, nullptr, std::move(nodes), std::move(attrs));
    out_.entries.push_back({std::move(node), std::move(inputs), nullptr});
    return out_.size() - 1;
  }
  int copy(int input) { return add(Op::kCopy, out_.node(input), {input}, InRanges{}); }

  /// A view of the shape and type of `like`, over a copy of `base` in the order of `order` (the dims of `s`, perhaps
  /// with the last two swapped) without those that only repeat.
  int in_order(int base, const Node& like, const SplitView& s, const std::vector<Dim>& order, bool swapped = false) {
    std::vector<Dim> once;
    std::int64_t count = 1;
    for (const Dim& d : order) {
      if (d.stride == 0) continue;
      once.push_back(d);
      count *= d.size;
    }
    View from = make_view(once, s.offset, s.below, out_.node(base).numel());
    const int copied = copy(add(Op::kView, like.dtype(), Shape{count}, {base}, std::move(from)));
    std::vector<Dim> dims = order;
    std::int64_t stride = 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
      if (dims[i].stride == 0) continue;
      dims[i].stride = stride;
      stride *= dims[i].size;
    }
    if (swapped) std::swap(dims[dims.size() - 2], dims.back());
    View to = make_view(std::move(dims), 0, {}, out_.node(copied).numel());
    return add(Op::kView, like, {copied}, std::move(to));
  }

  Graph finish() {
    for (const int root : from_.roots) {
      out_.roots.push_back(under_reshapes(at_[as_index(root)]));
    }
    return std::move(out_);
  }

  const Graph& from_;
  std::vector<int> at_;
  Graph out_;
};

/// Calls visit(kernel, cut) for each kernel that cannot run; stops where it returns false.
template <class F>
void each_unfit(const std::vector<Kernel>& kernels, const Graph& graph, const DeviceInfo& device, F visit) {
  for (const Kernel& kernel : kernels) {
    if (fits_whole(kernel, graph, device)) continue;
    const std::vector<Kernel> single = kernel.parts.empty() ? std::vector<Kernel>{kernel} : kernel.parts;
    for (const Kernel& part : single) {
      if (fits_whole(part, graph, device)) continue;
      const Chunks c = chunks_of(part, graph, device);
      if (!c.ok() && !visit(part, c)) return;
    }
  }
}

std::uint64_t largest_buffer(const Kernel& kernel, const Graph& graph) {
  std::uint64_t most = 0;
  for (const std::vector<Slot>* slots : {&kernel.inputs, &kernel.outputs}) {
    for (const Slot& x : *slots) {
      most = std::max(most, static_cast<std::uint64_t>(graph.node(x.node).numel()) * size_of(x.dtype));
    }
  }
  return most;
}

}  // namespace

bool bindable(const std::vector<Kernel>& kernels, const Graph& graph, const DeviceInfo& device) {
  bool ok = true;
  each_unfit(kernels, graph, device, [&](const Kernel&, const Chunks&) { return ok = false; });
  return ok;
}

Graph fit(const Graph& snapshot, const DeviceInfo& device) {
  Graph graph = simplify(snapshot, device, longest_row(device));
  while (true) {
    const Fused fused = fuse(graph, device);
    Graph next;
    each_unfit(fused.kernels, graph, device, [&](const Kernel& kernel, const Chunks& c) {
      if (c.wild_gather >= 0) {
        next = Rebuilder(graph).gather_in_parts(c.wild_gather, binding_limit(device));
      } else if (c.wild_view >= 0) {
        next = Rebuilder(graph).write_out(c.wild_view);
      } else if (c.wild_pad >= 0 && !graph.node(graph[c.wild_pad].inputs[0]).in_ranges()) {
        next = Rebuilder(graph).write_out_padded(c.wild_pad);
      } else if (c.wild_operand >= 0) {
        next = Rebuilder(graph).write_out_operand(kernel.domain, c.wild_operand);
      } else {
        const std::uint64_t limit = device.limits.max_storage_binding_size;
        const std::string why = c.too_many ? fmt::format("would take more than {} dispatches", kMaxChunks)
                                           : "needs more of a buffer at once";
        throw Error(
            ErrorKind::kLimit,
            fmt::format("The kernel '{}' {}: {} binds at most {} bytes.", kernel.label(), why, device.name, limit),
            {.requested = largest_buffer(kernel, graph), .available = limit, .op = kernel.label()});
      }
      return false;
    });
    if (next.entries.empty()) return graph;
    graph = std::move(next);
  }
}

Graph simplify_to_fit(const Graph& snapshot, const DeviceInfo& device) {
  Graph graph = simplify(snapshot, device);
  if (device.type == DeviceType::kCpu) return graph;
  const bool large = std::any_of(graph.entries.begin(), graph.entries.end(),
                                 [&](const Graph::Entry& e) { return oversize(*e.node, device); });
  if (!large || bindable(fuse(graph, device).kernels, graph, device)) return graph;
  return fit(snapshot, device);
}

}  // namespace tessera::schedule
