// Rewrite rule: a view of one tensor of an arena that is an input reads a range of it, which is bound as a buffer of
// its own: kernels and plans are those of a tensor that is not in an arena.
#include <algorithm>

#include "schedule/ranges.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// The elements that the lowest level of a view reads, from its offset on: a block without gaps; 0: another form.
std::int64_t block(const ViewLevel& level) {
  std::vector<Dim> dims;
  std::ranges::copy_if(level.dims, std::back_inserter(dims), [](const Dim& d) { return d.stride != 0; });
  std::ranges::sort(dims, {}, &Dim::stride);
  std::int64_t count = 1;
  for (const Dim& d : dims) {
    if (d.stride != count) return 0;
    count *= d.size;
  }
  return count;
}

bool matches(const Rewriter& out, const Graph::Entry& e) {
  if (e.op() != Op::kView || e.inputs.size() != 1 || e.node->view().identity() || e.node->numel() == 0) return false;
  const Graph::Entry& base = out.graph()[e.inputs[0]];
  return base.op() == Op::kInput && !is_range(base) && base.node->shape().rank() == 1;
}

/// Other views of inputs, as of rows of a table, read the input itself: several views then share one binding.
bool legal(const Rewriter& out, const Graph::Entry& e) {
  const std::int64_t whole = out.graph().node(e.inputs[0]).numel();
  const ViewLevel& level = e.node->view().levels.back();
  const std::int64_t count = block(level);
  return whole % kPackUnit == 0 && level.offset % kPackUnit == 0 && count > 0 && count < whole;
}

int rewrite(Rewriter& out, const Graph::Entry& e) {
  View view = e.node->view();
  ViewLevel& level = view.levels.back();
  const Shape shape{block(level)};
  const int range =
      out.make(Op::kInput, e.node->dtype(), shape, {e.inputs[0]}, View{{{{{shape[0], 1}}, level.offset}}});
  level.offset = 0;
  if (level.dims.empty() || (level.dims.size() == 1 && level.dims[0] == Dim{shape[0], 1})) view.levels.pop_back();
  return out.make(Op::kView, e.node->dtype(), e.node->shape(), {range}, std::move(view));
}

}  // namespace

extern const RewriteRule kRangeOfArena{"range of an arena", matches, legal, rewrite};

}  // namespace tessera::schedule
