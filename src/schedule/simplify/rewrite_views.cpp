// Rewrite rules: marks are dropped, and views of what was a mark become one view.
#include "graph/view_compose.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

bool is_mark(const Rewriter&, const Graph::Entry& e) { return e.op() == Op::kMark; }

/// Marks mean nothing here, but that of something to wait for: a view that depends on it.
int drop_mark(Rewriter& out, const Graph::Entry& e) {
  const std::vector<int>& inputs = e.inputs;
  if (inputs.size() == 1) return inputs[0];
  const Graph::Entry x = out.graph()[inputs[0]];
  const bool is_view = x.op() == Op::kView;
  std::vector<int> after{is_view ? x.inputs[0] : inputs[0]};
  after.insert(after.end(), inputs.begin() + 1, inputs.end());
  return out.make(Op::kView, e.node->dtype(), e.node->shape(), std::move(after), is_view ? x.node->view() : View{});
}

bool is_view_of_view(const Rewriter& out, const Graph::Entry& e) {
  return e.op() == Op::kView && out.graph()[e.inputs[0]].op() == Op::kView;
}

/// A view of what was a mark or a call, whose own input turned out to be a view.
int view_of_view(Rewriter& out, const Graph::Entry& e) {
  const int input = e.inputs[0];
  const Graph::Entry inner = out.graph()[input];
  if (inner.inputs.size() > 1 && e.node->view().identity())  // keep what it waits for
    return out.make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, inner.node->view());
  View view = inner.node->view();
  const std::int64_t numel = out.graph().node(inner.inputs[0]).numel();
  const std::vector<ViewLevel>& levels = e.node->view().levels;
  for (std::size_t i = levels.size(); i-- > 0;) {
    const auto joined = view.identity() ? std::nullopt : compose(levels[i], view.levels[0]);
    view = joined ? make_view(joined->dims, joined->offset, std::span(view.levels).subspan(1), numel)
                  : make_view(levels[i].dims, levels[i].offset, view.levels, numel);
  }
  if (view.levels.size() <= View::kMaxLevels)
    return out.make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, std::move(view));
  const int copy = out.make(Op::kCopy, inner.node->dtype(), inner.node->shape(), {input});
  return out.make(Op::kView, e.node->dtype(), e.node->shape(), {copy}, e.node->view());
}

}  // namespace

extern const RewriteRule kDropMark{"drop mark", is_mark, always_legal, drop_mark};
extern const RewriteRule kViewOfView{"view of view", is_view_of_view, always_legal, view_of_view};

}  // namespace tessera::schedule
