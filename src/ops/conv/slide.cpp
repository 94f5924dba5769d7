// Sliding windows as views, and their transpose as one reduction.
#include <algorithm>

#include "base/fail.h"
#include "base/ints.h"
#include "ops/conv/conv.h"

namespace tessera::ops {

namespace {

NodePtr zero(DType dtype) { return scalar({std::int64_t{0}}, dtype); }

/// Windows [.., count.., taps..] rearranged to [.., size.., taps..]: the contributions to each element of the sliding
/// axes. Windows are `stride` positions apart, with zeros between them; tap t of the element at i is then t * dilation
/// positions before i, in a tensor padded far enough.
NodePtr gathered(const NodePtr& windows, std::span<const Slide> slides, const Shape& shape, const Sizes& low) {
  const int rank = shape.rank();
  // Each sliding axis becomes two: windows, and positions between them.
  Shape apart;
  std::vector<std::pair<std::int64_t, std::int64_t>> widths;
  Shape padded;  // with the two merged again
  std::vector<std::int64_t> first(as_index(rank), 0);
  for (int i = 0; i < windows->shape().rank(); ++i) {
    const auto slide = std::find_if(slides.begin(), slides.end(), [&](const Slide& s) { return s.axis == i; });
    apart.push_back(windows->shape()[i]);
    if (i >= rank || slide == slides.end()) {
      widths.emplace_back(0, 0);
      padded.push_back(windows->shape()[i]);
      continue;
    }
    const std::int64_t s = slide->stride;
    const std::int64_t before = ceil_div((slide->taps - 1) * slide->dilation, s);
    const std::int64_t start = low.empty() ? 0 : low[static_cast<std::size_t>(slide - slides.begin())];
    const std::int64_t after = std::max<std::int64_t>(0, ceil_div(start + shape[i], s) - slide->count);
    apart.push_back(1);
    widths.emplace_back(before, after);
    widths.emplace_back(0, s - 1);
    padded.push_back((before + slide->count + after) * s);
    first[as_index(i)] = before * s + start;
  }
  const NodePtr spread = reshape(pad(reshape(windows, apart), widths, zero(windows->dtype())), padded);
  Shape result = shape;
  for (const Slide& s : slides) result.push_back(s.taps);
  return strided_view(spread, result, [&](std::vector<Dim> dims, std::int64_t& offset) {
    for (int i = 0; i < rank; ++i) {
      offset += first[as_index(i)] * dims[as_index(i)].stride;
      dims[as_index(i)].size = shape[i];
    }
    for (std::size_t t = 0; t < slides.size(); ++t) {
      dims[as_index(rank) + t].stride -= slides[t].dilation * dims[as_index(slides[t].axis)].stride;
    }
    return dims;
  });
}

}  // namespace

NodePtr sliding_view(const NodePtr& x, std::span<const Slide> slides) {
  Shape shape = x->shape();
  for (const Slide& s : slides) {
    if (s.count > 0 && s.reach() > x->shape()[s.axis]) {
      fail(ErrorKind::kShape, "sliding: {} windows reach {} elements, and axis {} of {} has fewer.", s.count, s.reach(),
           s.axis, x->shape().str());
    }
    shape[s.axis] = s.count;
    shape.push_back(s.taps);
  }
  return strided_view(x, shape, [&](std::vector<Dim> dims, std::int64_t&) {
    for (const Slide& s : slides) {
      const std::int64_t stride = dims[as_index(s.axis)].stride;
      dims.push_back({s.taps, s.taps > 1 ? stride * s.dilation : 0});
      dims[as_index(s.axis)] = {s.count, s.count > 1 ? stride * s.stride : 0};
    }
    return dims;
  });
}

NodePtr sliding(const NodePtr& x, std::span<const Slide> slides) {
  const std::vector<Slide> all(slides.begin(), slides.end());
  return with_gradient("sliding", {x}, sliding_view(x, slides), [all, shape = x->shape()](const Gradient::Call& call) {
    return std::vector{slide_sum(call.gradients[0], all, shape)};
  });
}

NodePtr slide_sum(const NodePtr& windows, std::span<const Slide> slides, const Shape& shape, const Sizes& low) {
  NodePtr result;
  if (windows->numel() == 0) {
    result = broadcast_to(zero(windows->dtype()), shape);
  } else {
    std::vector<int> taps;
    for (std::size_t i = 0; i < slides.size(); ++i) taps.push_back(shape.rank() + static_cast<int>(i));
    result = sum(gathered(windows, slides, shape, low), taps, false);
  }
  const std::vector<Slide> all(slides.begin(), slides.end());
  return with_gradient("slide_sum", {windows}, result, [all, low](const Gradient::Call& call) {
    // Elements outside of the tensor have no gradient.
    NodePtr g = call.gradients[0];
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t before = low.empty() ? 0 : low[i];
      g = resize_ends(g, all[i].axis, {before}, {all[i].reach() - before - g->shape()[all[i].axis]}, zero(g->dtype()));
    }
    return std::vector{sliding(g, all)};
  });
}

NodePtr resize_ends(const NodePtr& x, int first, const Sizes& low, const Sizes& high, const NodePtr& value) {
  std::vector<Range> ranges;
  for (const std::int64_t d : x->shape()) ranges.push_back({0, d, 1});
  std::vector<std::pair<std::int64_t, std::int64_t>> widths(ranges.size(), {0, 0});
  bool cut = false;
  for (std::size_t i = 0; i < low.size(); ++i) {
    Range& r = ranges[as_index(first) + i];
    const std::int64_t size = r.stop;
    r.start = std::min(std::max<std::int64_t>(0, -low[i]), size);
    r.stop = std::max(r.start, std::min(size, size + high[i]));
    cut = cut || r.start != 0 || r.stop != size;
    widths[as_index(first) + i] = {std::max<std::int64_t>(0, low[i]), std::max<std::int64_t>(0, high[i])};
    // A crop past all elements leaves only padding.
    const std::int64_t total = std::max<std::int64_t>(0, size + low[i] + high[i]);
    if (r.start == r.stop) widths[as_index(first) + i] = {0, total};
  }
  return pad(cut ? slice(x, ranges) : x, widths, value);
}

}  // namespace tessera::ops
