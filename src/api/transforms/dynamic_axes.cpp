// The search for the sizes that one trace serves: a few sizes to interpolate from, then bounds to which it holds.
#include "api/transforms/dynamic_axes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/fail.h"
#include "base/ints.h"

namespace tessera {

namespace {

constexpr std::int64_t kLeastSize = 2;
constexpr std::int64_t kLeastCount = 8;  // a graph for fewer sizes is not worth the calls that find it
constexpr int kMaxCalls = 160;
constexpr int kMaxCoincidences = 16;
// Bounds are looked for up to these sizes, then when a call passes them.
constexpr std::int64_t kFarForOne = 32768;
constexpr std::int64_t kFarForSeveral = 4096;

std::string text_of(const Sizes& sizes) { return fmt::format("{}", fmt::join(sizes, ", ")); }

}  // namespace

DynamicAxes::DynamicAxes(std::vector<DynamicAxis> axes) : axes_(std::move(axes)) {
  for (const DynamicAxis& a : axes_) {
    const auto it = std::ranges::find(names_, a.name);
    name_of_.push_back(as_index(it - names_.begin()));
    if (it == names_.end()) names_.push_back(a.name);
  }
}

std::string DynamicAxes::names() const { return fmt::format("{}", fmt::join(names_, ", ")); }

Sizes DynamicAxes::sizes_of(std::span<const Tensor> arguments) const {
  Sizes sizes(names_.size(), -1);
  std::vector<const DynamicAxis*> from(names_.size());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const DynamicAxis& a = axes_[i];
    if (a.name.empty()) {
      fail(ErrorKind::kValue, "compile: the dynamic axis {} of argument {} has an empty name; a name is expected.",
           a.axis, a.argument);
    }
    if (a.argument < 0 || as_index(a.argument) >= arguments.size()) {
      fail(ErrorKind::kValue,
           "compile: axis {} of argument {} is to be dynamic ('{}'), and there are {} arguments; a position from 0 to "
           "{} is expected.",
           a.axis, a.argument, a.name, arguments.size(), static_cast<std::int64_t>(arguments.size()) - 1);
    }
    const Tensor& t = arguments[as_index(a.argument)];
    if (a.axis < -t.rank() || a.axis >= t.rank()) {
      fail(ErrorKind::kValue,
           "compile: axis {} of argument {} is to be dynamic ('{}'), and the argument has shape {}; an axis from {} to "
           "{} is expected.",
           a.axis, a.argument, a.name, t.shape(), -t.rank(), t.rank() - 1);
    }
    const int axis = a.axis < 0 ? a.axis + t.rank() : a.axis;
    for (std::size_t k = 0; k < i; ++k) {
      const int other = axes_[k].axis < 0 ? axes_[k].axis + t.rank() : axes_[k].axis;
      if (axes_[k].argument == a.argument && other == axis) {
        fail(ErrorKind::kValue, "compile: axis {} of argument {} is listed twice in dynamic_axes, as '{}' and '{}'.",
             axis, a.argument, axes_[k].name, a.name);
      }
    }
    const std::size_t name = name_of_[i];
    const std::int64_t size = t.shape()[axis];
    if (sizes[name] >= 0 && sizes[name] != size) {
      fail(ErrorKind::kShape,
           "compile: axes of the name '{}' have sizes {} (axis {} of argument {}) and {} (axis {} of argument {}); one "
           "size is expected.",
           a.name, sizes[name], from[name]->axis, from[name]->argument, size, a.axis, a.argument);
    }
    sizes[name] = size;
    from[name] = &a;
  }
  return sizes;
}

Shape DynamicAxes::with_sizes(std::size_t argument, Shape shape, const Sizes& sizes) const {
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (as_index(axes_[i].argument) != argument) continue;
    const int axis = axes_[i].axis < 0 ? axes_[i].axis + shape.rank() : axes_[i].axis;
    shape[axis] = sizes[name_of_[i]];
  }
  return shape;
}

/// The calls of one search, each size once.
class DynamicGraph::Search {
 public:
  Search(const Sizes& given, const std::shared_ptr<const TracedGraph>& traced, const Probe& probe)
      : given_(given), probe_(probe) {
    known_.emplace(given, traced);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i] >= kLeastSize) varying_.push_back(i);
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& varying() const { return varying_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// A graph from a grid of steps along the varying names; null if there is none.
  std::shared_ptr<const SymbolicGraph> symbolic() {
    if (varying_.empty()) {
      reason_ = "sizes 0 and 1 are traced separately";
      return nullptr;
    }
    Sizes start = given_;
    Sizes step(given_.size(), 0);
    std::shared_ptr<const SymbolicGraph> graph;
    std::set<std::int64_t> used;  // names differ at all points
    for (const std::size_t name : varying_) {
      graph = along(name, used);
      if (graph == nullptr) return nullptr;
      start[name] = graph->grid().start()[name];
      step[name] = graph->grid().step()[name];
      for (const std::int64_t i : {0, 1, 2}) used.insert(start[name] + i * step[name]);
    }
    return varying_.size() == 1 ? graph : fit(SizeGrid(start, step)).graph;
  }

  /// Whether the function gives this graph.
  bool agrees(const SymbolicGraph& graph, const Sizes& sizes) {
    const TracedGraph* const traced = at(sizes);
    if (traced == nullptr) return false;
    std::optional<std::string> difference = graph.difference(sizes, *traced);
    if (!difference.has_value()) return true;
    reason_ = std::move(*difference);
    return false;
  }

  /// Moves one bound towards a size; returns whether it got there.
  bool move(DynamicGraph& graph, Sizes& bounds, std::size_t name, std::int64_t to) {
    const std::int64_t step = graph.graph_->grid().step()[name];
    Sizes corner = bounds;
    const auto holds = [&](std::int64_t size) {
      corner[name] = size;
      return agrees(*graph.graph_, corner);
    };
    if (holds(to)) {
      bounds[name] = to;
      return true;
    }
    std::int64_t from = bounds[name];
    while (from + step < to || to + step < from) {
      const std::int64_t middle = from + (to - from) / step / 2 * step;
      (holds(middle) ? from : to) = middle;
    }
    bounds[name] = from;
    return false;
  }

  /// Compares the graphs at sizes that equal other extents or each other, and excepts those that differ.
  void compare_at_coincidences(DynamicGraph& graph) {
    const SizeGrid& grid = graph.graph_->grid();
    const Sizes& others = grid.start();
    for (const std::size_t name : varying_) {
      int left = kMaxCoincidences;
      for (const std::int64_t extent : graph.graph_->fixed_extents()) {
        Sizes sizes = others;
        sizes[name] = extent;
        if (left == 0 || extent < graph.lowest_[name] || extent > graph.highest_[name] || !grid.on_grid(sizes))
          continue;
        --left;
        if (agrees(*graph.graph_, sizes)) continue;
        Sizes excepted(sizes.size(), -1);
        excepted[name] = extent;
        graph.except_.push_back(std::move(excepted));
      }
    }
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      for (std::size_t k = i + 1; k < varying_.size(); ++k) {
        Sizes equal = others;
        equal[varying_[k]] = equal[varying_[i]];
        if (graph.serves(equal) && !agrees(*graph.graph_, equal)) graph.unequal_.emplace_back(varying_[i], varying_[k]);
      }
    }
  }

  /// Moves the upper bounds by factors of about four, each name in turn.
  void rise(DynamicGraph& graph, std::int64_t far) {
    std::vector<std::size_t> rising = varying_;
    for (std::int64_t round = 0; !rising.empty(); ++round) {
      std::erase_if(rising, [&](std::size_t name) {
        const std::int64_t step = graph.graph_->grid().step()[name];
        const std::int64_t now = graph.highest_[name];
        // Sizes with several remainders: a period shows.
        const std::int64_t to = now + (std::min(4 * now + round, far) - now) / step * step;
        return to <= now || !move(graph, graph.highest_, name, to);
      });
    }
  }

 private:
  const TracedGraph* at(const Sizes& sizes) {
    const auto it = known_.find(sizes);
    if (it != known_.end()) return it->second.get();
    if (calls_ == kMaxCalls) return nullptr;
    ++calls_;
    return known_.emplace(sizes, probe_(sizes)).first->second.get();
  }

  SymbolicGraph::Fit fit(SizeGrid grid) {
    threw_ = false;
    std::vector<const TracedGraph*> graphs;
    for (std::size_t i = 0; i < grid.points(); ++i) {
      graphs.push_back(at(grid.point(i)));
      if (graphs.back() == nullptr) {
        threw_ = true;
        reason_ = fmt::format("it throws at size {}", text_of(grid.point(i)));
        return {nullptr, reason_};
      }
    }
    SymbolicGraph::Fit result = SymbolicGraph::fit(std::move(grid), graphs);
    if (result.graph == nullptr) reason_ = result.reason;
    return result;
  }

  /// The graph with one varying name; others have the sizes of the call. Its grid may be away from the call's size,
  /// which may coincide with other extents, and in steps, for functions of even sizes or of multiples of a block.
  std::shared_ptr<const SymbolicGraph> along(std::size_t name, const std::set<std::int64_t>& used) {
    const std::int64_t n = given_[name];
    std::string reason;  // the first one: steps of 1 say most
    for (const std::int64_t step : {1, 2, 4, 8, 16, 32, 64}) {
      std::vector<std::int64_t> starts{n + step, n - 4 * step};
      if (step == 1) starts = {n + 1, n + 7, n - 4, n - 11, n / 2};
      for (std::size_t i = 0; i < starts.size(); ++i) {
        if (starts[i] < kLeastSize || (i >= 2 && !threw_)) continue;
        if (step > 1 && i == 1 && !threw_) continue;
        Sizes start = given_;
        Sizes steps(given_.size(), 0);
        start[name] = starts[i];
        const auto meets = [&](std::int64_t k) { return used.contains(start[name] + k * step); };
        while (starts[i] > n && (meets(0) || meets(1) || meets(2))) start[name] += step;
        steps[name] = step;
        SymbolicGraph::Fit found = fit(SizeGrid(start, steps));
        if (found.graph != nullptr) {
          Sizes after = start;
          after[name] += 3 * step;
          Sizes before = start;
          before[name] -= step;
          if (agrees(*found.graph, after) || (before[name] >= kLeastSize && agrees(*found.graph, before)))
            return found.graph;
        }
        if (reason.empty() || found.final) reason = reason_;
        if (found.final) {
          reason_ = std::move(reason);
          return nullptr;
        }
      }
    }
    reason_ = std::move(reason);
    return nullptr;
  }

  const Sizes& given_;
  const Probe& probe_;
  std::vector<std::size_t> varying_;
  std::map<Sizes, std::shared_ptr<const TracedGraph>> known_;
  std::string reason_;
  bool threw_ = false;
  int calls_ = 0;
};

DynamicGraph::Found DynamicGraph::find(const Sizes& given, const std::shared_ptr<const TracedGraph>& traced,
                                       const Probe& probe) {
  Search search(given, traced, probe);
  auto result = std::make_shared<DynamicGraph>();
  result->graph_ = search.symbolic();
  if (result->graph_ == nullptr) return {nullptr, search.reason()};
  const SizeGrid& grid = result->graph_->grid();
  result->lowest_ = grid.start();
  result->highest_ = grid.start();
  for (const std::size_t name : search.varying()) result->highest_[name] += 2 * grid.step()[name];
  if (grid.on_grid(given) && !search.agrees(*result->graph_, given)) result->except_.push_back(given);
  // Downwards: the call's own size first, then the least.
  for (const std::size_t name : search.varying()) {
    const std::int64_t step = grid.step()[name];
    const std::int64_t least = grid.start()[name] - (grid.start()[name] - kLeastSize) / step * step;
    if (result->except_.empty() && given[name] < result->lowest_[name] &&
        !search.move(*result, result->lowest_, name, given[name])) {
      continue;
    }
    if (least < result->lowest_[name]) search.move(*result, result->lowest_, name, least);
  }
  search.rise(*result, search.varying().size() == 1 ? kFarForOne : kFarForSeveral);
  search.compare_at_coincidences(*result);
  for (const std::size_t name : search.varying()) {
    if ((result->highest_[name] - result->lowest_[name]) / grid.step()[name] + 1 >= kLeastCount) continue;
    return {nullptr, fmt::format("it computes something else or throws below size {} and above size {}: {}",
                                 result->lowest_[name], result->highest_[name], search.reason())};
  }
  return {std::move(result), {}};
}

bool DynamicGraph::serves(const Sizes& sizes) const {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < lowest_[i] || sizes[i] > highest_[i]) return false;
  }
  const auto is = [&](const Sizes& e) {
    return std::ranges::equal(e, sizes, [](std::int64_t a, std::int64_t b) { return a < 0 || a == b; });
  };
  return graph_->grid().on_grid(sizes) && std::ranges::none_of(except_, is) &&
         std::ranges::none_of(unequal_, [&](const auto& p) { return sizes[p.first] == sizes[p.second]; });
}

std::shared_ptr<const DynamicGraph> DynamicGraph::widened(const Sizes& sizes,
                                                          const std::shared_ptr<const TracedGraph>& traced,
                                                          const Probe& probe) const {
  if (!graph_->grid().on_grid(sizes) || graph_->difference(sizes, *traced).has_value()) return nullptr;
  bool inside = true;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    inside = inside && lowest_[i] <= sizes[i] && sizes[i] <= highest_[i];
  }
  if (inside) return nullptr;  // an exception
  Search search(sizes, traced, probe);
  auto result = std::make_shared<DynamicGraph>(*this);
  std::int64_t far = 0;
  for (const std::size_t name : search.varying()) {
    far = std::max(far, 4 * sizes[name]);
    if (sizes[name] < lowest_[name] && !search.move(*result, result->lowest_, name, sizes[name])) return nullptr;
    if (sizes[name] > highest_[name] && !search.move(*result, result->highest_, name, sizes[name])) return nullptr;
  }
  search.rise(*result, far);
  return result;
}

}  // namespace tessera
