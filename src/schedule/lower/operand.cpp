// Maps of operands: dims over the top of a chain of views and pads, brought down level by level.
#include "schedule/lower/operand.h"

#include "graph/op.h"

namespace tessera {

namespace {

/// A space of coordinates under a map: its axes, and where they lead.
struct Space {
  std::vector<Dim> dims;  // sizes, and strides of what lies below
  std::int64_t offset = 0;
  const PadLow* window = nullptr;  // of a pad
  const Shape* inner = nullptr;    // the shape inside it
};

/// A dim that runs over the end of an axis, as one over all groups of channels of all images does, becomes two: one
/// that ends there, and one that goes on outwards.
void split_at_ends(std::vector<Im2colView::Dim>& dims, const Space& space, const std::vector<std::int64_t>& row_major,
                   const std::vector<std::int64_t>& start) {
  for (std::size_t d = 0; d < dims.size();) {
    std::size_t i = 0;  // the axis that it goes along
    while (i < row_major.size() && (space.dims[i].size == 1 || dims[d].stride < row_major[i])) ++i;
    const std::int64_t step = i < row_major.size() ? dims[d].stride / row_major[i] : 0;
    const std::int64_t count = step > 0 && space.dims[i].size % step == 0 ? space.dims[i].size / step : dims[d].size;
    if (i == row_major.size() || dims[d].stride % row_major[i] != 0 || start[i] >= step || count >= dims[d].size ||
        count < 2 || dims[d].size % count != 0) {
      ++d;
      continue;
    }
    Im2colView::Dim outer{dims[d].size / count, dims[d].stride * count, dims[d].steps};
    for (std::int64_t& s : outer.steps) s *= count;
    dims[d].size = count;
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(d), outer);  // and may run over an end itself
  }
}

/// The dims and the offset of a map, whose strides are those of the row-major order of `space`, become such over what
/// lies below it. False where some stride is not a sum of whole steps along the axes.
bool lower(Im2colView& map, const Space& space) {
  const std::size_t rank = space.dims.size();
  std::vector<std::int64_t> row_major(rank, 1);
  for (std::size_t i = rank; i-- > 1;) row_major[i - 1] = row_major[i] * space.dims[i].size;
  const auto unravel = [&](std::int64_t x, std::vector<std::int64_t>& steps) {
    steps.assign(rank, 0);
    if (x < 0) return false;
    for (std::size_t i = 0; i < rank; ++i) {
      if (space.dims[i].size == 1) continue;
      steps[i] = x / row_major[i];
      x %= row_major[i];
    }
    return x == 0;
  };
  std::vector<std::int64_t> start;
  if (!unravel(map.offset, start)) return false;
  for (auto& axis : map.dims) split_at_ends(axis, space, row_major, start);
  std::vector<std::int64_t> reach = start;
  std::vector<std::vector<std::int64_t>> steps;
  for (const auto& axis : map.dims) {
    for (const Im2colView::Dim& d : axis) {
      if (!unravel(d.stride, steps.emplace_back())) return false;
      for (std::size_t i = 0; i < rank; ++i) reach[i] += (d.size - 1) * steps.back()[i];
    }
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (reach[i] >= space.dims[i].size) return false;
  }
  map.offset = space.offset;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t low = space.window != nullptr ? space.window->low[i] : 0;
    map.offset += (start[i] - low) * space.dims[i].stride;
  }
  std::size_t at = 0;
  for (auto& axis : map.dims) {
    for (Im2colView::Dim& d : axis) {
      d.stride = 0;
      for (std::size_t i = 0; i < rank; ++i) d.stride += steps[at][i] * space.dims[i].stride;
      ++at;
    }
  }
  if (space.window == nullptr) return true;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t low = space.window->low[i];
    const std::int64_t size = (*space.inner)[static_cast<int>(i)];
    if (start[i] >= low && reach[i] < low + size) continue;  // nothing is read from outside
    map.tests.push_back({start[i] - low, size});
    at = 0;
    for (auto& axis : map.dims) {
      for (Im2colView::Dim& d : axis) d.steps.push_back(steps[at++][i]);
    }
  }
  return true;
}

/// The top level's dims as those of the batch, the row and the column.
bool share_out(std::vector<Dim> from, const Shape& shape, Im2colView& map) {
  std::array<std::int64_t, 3> sizes{1, shape[shape.rank() - 2], shape.back()};
  for (int i = 0; i < shape.rank() - 2; ++i) sizes[0] *= shape[i];
  std::size_t axis = 2;
  std::int64_t left = sizes[2];
  for (std::size_t d = from.size(); d-- > 0;) {
    Dim x = from[d];
    while (x.size > 1) {
      while (left == 1 && axis > 0) left = sizes[--axis];
      if (left == 1) return false;
      const std::int64_t size = left % x.size == 0 ? x.size : left;
      if (x.size % size != 0) return false;
      map.dims[axis].insert(map.dims[axis].begin(), {size, x.stride, {}});
      x = {x.size / size, x.stride * size};
      left /= size;
    }
  }
  return true;
}

void merge(std::vector<Im2colView::Dim>& dims) {
  std::vector<Im2colView::Dim> merged;
  for (const Im2colView::Dim& d : dims) {
    bool same = !merged.empty() && merged.back().stride == d.size * d.stride;
    for (std::size_t t = 0; same && t < d.steps.size(); ++t) same = merged.back().steps[t] == d.size * d.steps[t];
    if (same) {
      const std::int64_t size = merged.back().size * d.size;
      merged.back() = d;
      merged.back().size = size;
    } else {
      merged.push_back(d);
    }
  }
  dims = std::move(merged);
}

bool is_zero(const Graph& graph, int node) {
  while (graph[node].op() == Op::kView) node = graph[node].inputs[0];
  return graph[node].op() == Op::kScalar && graph.node(node).scalar().as_complex() == 0.0;
}

}  // namespace

Im2colLayout Im2colView::layout() const {
  Im2colLayout layout;
  layout.tests.resize(tests.size());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    for (const Dim& d : dims[axis]) {
      layout.strides[axis].push_back(stride_class(d.stride));
      for (std::size_t t = 0; t < tests.size(); ++t) layout.tests[t][axis].push_back(stride_class(d.steps[t]));
    }
  }
  return layout;
}

bool is_strided_operand(const Graph& graph, int node) {
  static const View kPlain;
  const Graph::Entry& e = graph[node];
  return split_view(e.op() == Op::kView ? e.node->view() : kPlain, e.node->shape()).below.empty();
}

StridedLayout strided_layout(const Graph& graph, int node) {
  static const View kPlain;
  const Graph::Entry& e = graph[node];
  const SplitView s = split_view(e.op() == Op::kView ? e.node->view() : kPlain, e.node->shape());
  const std::size_t rank = s.dims.size();
  return {static_cast<int>(rank) - 2, stride_class(s.dims[rank - 2].stride), stride_class(s.dims[rank - 1].stride)};
}

std::optional<Im2colView> im2col_view(const Graph& graph, int node, int base) {
  const Graph::Entry& top = graph[node];
  if (top.op() != Op::kView || top.node->numel() == 0) return std::nullopt;
  const std::vector<ViewLevel>& levels = top.node->view().levels;
  Im2colView map;
  if (!share_out(levels.empty() ? contiguous_dims(top.node->shape()) : levels[0].dims, top.node->shape(), map)) {
    return std::nullopt;
  }
  map.offset = levels.empty() ? 0 : levels[0].offset;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (!lower(map, {levels[i].dims, levels[i].offset})) return std::nullopt;
  }
  int n = top.inputs[0];
  while (n != base && (graph[n].op() == Op::kView || graph[n].op() == Op::kPad)) {
    const Graph::Entry& e = graph[n];
    if (e.op() == Op::kView) {
      for (const ViewLevel& level : e.node->view().levels) {
        if (!lower(map, {level.dims, level.offset})) return std::nullopt;
      }
    } else {
      // What is padded may be a view itself, of channels that lie last: places outside have no place in it, so both are
      // gone through at once.
      const Graph::Entry& inside = graph[e.inputs[0]];
      const Shape& inner = inside.node->shape();
      Space space{contiguous_dims(inner), 0, &e.node->pad_low(), &inner};
      if (inside.op() == Op::kView && e.inputs[0] != base) {
        const SplitView strided = split_view(inside.node->view(), inner);
        if (strided.below.empty()) {
          space.dims = strided.dims;
          space.offset = strided.offset;
          n = e.inputs[0];
        }
      }
      for (std::size_t i = 0; i < space.dims.size(); ++i) space.dims[i].size = e.node->shape()[static_cast<int>(i)];
      if (!map.tests.empty() || !is_zero(graph, e.inputs[1]) || !lower(map, space)) return std::nullopt;
    }
    n = graph[n].inputs[0];
  }
  if (graph[n].op() == Op::kScalar || graph[n].op() == Op::kIota || (base >= 0 && n != base)) return std::nullopt;
  map.base = n;
  for (auto& axis : map.dims) merge(axis);
  return map;
}

}  // namespace tessera
