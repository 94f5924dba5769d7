// Index maps of views: composing, splitting and simplifying them.
#include "graph/view.h"

#include <algorithm>

namespace tessera {

std::int64_t ViewLevel::map(std::int64_t index) const {
  std::int64_t result = offset;
  for (std::size_t i = dims.size(); i-- > 0;) {
    result += (index % dims[i].size) * dims[i].stride;
    index /= dims[i].size;
  }
  return result;
}

std::int64_t View::map(std::int64_t index) const {
  for (const ViewLevel& level : levels) index = level.map(index);
  return index;
}

ViewLayout View::layout() const {
  ViewLayout layout;
  for (const ViewLevel& level : levels) {
    LevelLayout x{.strides = {}, .offset = level.offset != 0};
    for (const Dim& d : level.dims) x.strides.push_back(stride_class(d.stride));
    layout.add(x);
  }
  return layout;
}

bool ViewLayout::broadcasts() const { return std::ranges::any_of(levels(), &LevelLayout::broadcasts); }

std::string ViewLayout::str() const {
  std::string text;
  for (const LevelLayout& level : levels()) {
    text += '[';
    level.strides.append_to(text);
    text += level.offset ? "+]" : "]";
  }
  return text;
}

std::vector<Dim> contiguous_dims(const Shape& shape) {
  std::vector<Dim> dims(static_cast<std::size_t>(shape.rank()));
  std::int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    dims[static_cast<std::size_t>(i)] = {shape[i], stride};
    stride *= shape[i];
  }
  return dims;
}

namespace {

void simplify(ViewLevel& level) {
  std::vector<Dim> merged;
  for (const Dim& d : level.dims) {
    if (d.size == 1) continue;
    if (!merged.empty() && merged.back().stride == d.size * d.stride) {
      merged.back() = {merged.back().size * d.size, d.stride};
    } else {
      merged.push_back(d);
    }
  }
  level.dims = std::move(merged);
}

bool is_identity(const ViewLevel& level, std::int64_t numel_below) {
  if (level.offset != 0) return false;
  if (level.dims.empty()) return numel_below <= 1;
  return level.dims.size() == 1 && level.dims[0].stride == 1 && level.dims[0].size == numel_below;
}

}  // namespace

View make_view(std::vector<Dim> dims, std::int64_t offset, std::span<const ViewLevel> below, std::int64_t base_numel) {
  View view;
  view.levels.push_back({std::move(dims), offset});
  view.levels.insert(view.levels.end(), below.begin(), below.end());
  ViewLevel& top = view.levels[0];
  for (const Dim& d : top.dims) {
    if (d.size == 0) {  // empty: one simple form
      top = {{{0, 1}}, 0};
      view.levels.resize(1);
      return view;
    }
  }
  simplify(top);
  // A level of one dim (or none) below is an affine map and folds into the one above it.
  while (view.levels.size() > 1 && view.levels[1].dims.size() <= 1) {
    const ViewLevel& next = view.levels[1];
    const std::int64_t scale = next.dims.empty() ? 0 : next.dims[0].stride;
    for (Dim& d : top.dims) d.stride *= scale;
    top.offset = next.offset + top.offset * scale;
    view.levels.erase(view.levels.begin() + 1);
    simplify(top);
  }
  std::int64_t numel_below = base_numel;
  if (view.levels.size() > 1) {
    numel_below = 1;
    for (const Dim& d : view.levels[1].dims) numel_below *= d.size;
  }
  if (is_identity(top, numel_below)) view.levels.erase(view.levels.begin());
  return view;
}

SplitView split_view(const View& view, const Shape& shape) {
  if (!view.levels.empty()) {
    // Axes and dims from the innermost: each axis must be inside one dim.
    const ViewLevel& level = view.levels[0];
    std::vector<Dim> dims(static_cast<std::size_t>(shape.rank()));
    std::size_t d = level.dims.size();
    std::int64_t left = 1;    // remaining size of the current dim
    std::int64_t stride = 0;  // stride of its next axis
    bool ok = true;
    for (int axis = shape.rank() - 1; axis >= 0 && ok; --axis) {
      const std::int64_t size = shape[axis];
      if (size == 1) {
        dims[static_cast<std::size_t>(axis)] = {1, 0};
        continue;
      }
      if (left == 1) {
        if (d == 0) {
          ok = false;
          break;
        }
        --d;
        left = level.dims[d].size;
        stride = level.dims[d].stride;
      }
      if (size == 0 || left % size != 0) {
        ok = false;
        break;
      }
      dims[static_cast<std::size_t>(axis)] = {size, stride};
      left /= size;
      stride *= size;
    }
    if (ok && left == 1 && d == 0) return {std::move(dims), level.offset, std::span(view.levels).subspan(1)};
  }
  return {contiguous_dims(shape), 0, view.levels};
}

}  // namespace tessera
