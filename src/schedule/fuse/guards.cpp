// Sizes read from a graph, and whether guards hold for it.
#include "schedule/fuse/guards.h"

#include <algorithm>

#include "base/ints.h"
#include "graph/op.h"
#include "schedule/kernel.h"

namespace tessera::schedule {

std::int64_t last_axis(const Shape& shape) { return shape.rank() > 0 ? shape.back() : 1; }

std::int64_t SizeRef::get(const Graph& graph) const {
  switch (what) {
    case What::kNumel:
      return graph.node(node).numel();
    case What::kCols:
      if (!is_reduction(graph[node].op())) return last_axis(graph.node(node).shape());
      return reduce_cols(graph.node(node), graph.node(graph[node].inputs[0]));
    case What::kRows:
      return graph.node(node).numel() / std::max<std::int64_t>(last_axis(graph.node(node).shape()), 1);
    case What::kReads: {
      const int operand = graph[node].inputs[as_index(dim)];
      const int base = graph[operand].op() == Op::kView ? graph[operand].inputs[0] : operand;
      const std::int64_t k = last_axis(graph.node(graph[node].inputs[0]).shape());
      return graph.node(node).numel() * k / std::max<std::int64_t>(graph.node(base).numel(), 1);
    }
    case What::kViewDim:
      return graph.node(node).view().levels[0].dims[as_index(dim)].size;
    case What::kViewTail: {
      const std::vector<Dim>& dims = graph.node(node).view().levels[0].dims;
      std::int64_t product = 1;
      for (std::size_t d = as_index(dim); d < dims.size(); ++d) product *= dims[d].size;
      return product;
    }
    case What::kConstant:
      return value;
  }
  return 0;
}

bool Guard::holds(const Graph& graph) const {
  const std::int64_t x = a.get(graph);
  const std::int64_t y = b.get(graph);
  switch (kind) {
    case Kind::kEqual:
      return x == y;
    case Kind::kAtMost:
      return x <= y;
    case Kind::kMore:
      return x > y;
  }
  return false;
}

bool at_most(const Graph& graph, const SizeRef& size, const SizeRef& limit, std::vector<Guard>& guards) {
  const bool ok = size.get(graph) <= limit.get(graph);
  guards.push_back({ok ? Guard::Kind::kAtMost : Guard::Kind::kMore, size, limit});
  return ok;
}

bool at_most(const Graph& graph, const SizeRef& size, std::int64_t limit, std::vector<Guard>& guards) {
  return at_most(graph, size, SizeRef::constant(limit), guards);
}

}  // namespace tessera::schedule
