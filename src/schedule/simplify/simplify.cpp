// The rewrites before scheduling, each a few lines over one node; nodes are rebuilt bottom-up and looked up by
// structure.
#include "schedule/simplify/simplify.h"

#include <algorithm>

#include "base/pass_timer.h"
#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

/// A live result of a custom kernel keeps the others: `i` is the last of them, and all that reads them was seen.
void keep_results(const Graph& graph, int i, std::vector<char>& live) {
  const CustomResult& last = graph[i].node->custom();
  const auto count = static_cast<std::ptrdiff_t>(last.call->outputs.size());
  if (last.output + 1 != count) return;
  const auto first = live.begin() + i + 1 - count;
  const char any = *std::max_element(first, first + count);
  std::fill(first, first + count, any);
}

Graph without_dead_nodes(Graph graph) {
  std::vector<char> live(graph.entries.size(), 0);
  for (const int root : graph.roots) live[static_cast<std::size_t>(root)] = 1;
  for (int i = graph.size() - 1; i >= 0; --i) {
    if (graph[i].op() == Op::kCustom) keep_results(graph, i, live);
    if (live[static_cast<std::size_t>(i)] == 0) continue;
    for (const int in : graph[i].inputs) live[static_cast<std::size_t>(in)] = 1;
  }
  Graph result;
  std::vector<int> at(graph.entries.size(), -1);
  for (int i = 0; i < graph.size(); ++i) {
    if (live[static_cast<std::size_t>(i)] == 0) continue;
    at[static_cast<std::size_t>(i)] = result.size();
    result.entries.push_back(std::move(graph.entries[static_cast<std::size_t>(i)]));
    for (int& in : result.entries.back().inputs) in = at[static_cast<std::size_t>(in)];
  }
  for (const int root : graph.roots) result.roots.push_back(at[static_cast<std::size_t>(root)]);
  return result;
}

class Simplifier {
 public:
  Simplifier(const Graph& from, const DeviceInfo& device, std::int64_t longest_row)
      : from_(from), to_(device, longest_row) {}

  Graph run() {
    // Only what the roots reach is in a snapshot, so nothing here is dead until a rewrite drops it.
    std::vector<int> at(from_.entries.size());
    for (int i = 0; i < from_.size(); ++i) at[static_cast<std::size_t>(i)] = rebuild(from_[i], at);
    std::vector<int> roots;
    for (const int root : from_.roots) {
      int r = at[static_cast<std::size_t>(root)];
      while (out()[r].op() == Op::kView && out()[r].node->view().identity()) r = out()[r].inputs[0];
      roots.push_back(r);
    }
    Graph all = to_.take();
    all.roots = std::move(roots);
    return without_dead_nodes(std::move(all));
  }

 private:
  [[nodiscard]] const Graph& out() const { return to_.graph(); }

  int rebuild(const Graph::Entry& e, const std::vector<int>& at) {
    std::vector<int> inputs;
    inputs.reserve(e.inputs.size());
    for (const int in : e.inputs) inputs.push_back(at[static_cast<std::size_t>(in)]);
    if (e.op() == Op::kInput) return to_.add({e.node, {}, e.storage});
    if (to_.gpu() && is_reduction(e.op())) return rewrite_reduction(to_, e, inputs[0]);
    if (e.op() == Op::kMatmul) return rewrite_matmul(to_, e, std::move(inputs));
    if (e.op() == Op::kCustom) return custom(e, std::move(inputs));
    if (e.op() == Op::kGather) return to_.add({e.node, {in_memory(inputs[0]), inputs[1]}, nullptr});
    if (e.op() == Op::kMark) return mark(e, inputs);
    if (e.op() == Op::kView && out()[inputs[0]].op() == Op::kView) return view_of_view(e, inputs[0]);
    return to_.add({e.node, std::move(inputs), nullptr});
  }

  /// Marks mean nothing here, but that of something to wait for: a view that depends on it.
  int mark(const Graph::Entry& e, const std::vector<int>& inputs) {
    if (inputs.size() == 1) return inputs[0];
    const Graph::Entry x = out()[inputs[0]];
    const bool is_view = x.op() == Op::kView;
    std::vector<int> after{is_view ? x.inputs[0] : inputs[0]};
    after.insert(after.end(), inputs.begin() + 1, inputs.end());
    return to_.make(Op::kView, e.node->dtype(), e.node->shape(), std::move(after), is_view ? x.node->view() : View{});
  }

  /// A view of what was a mark, whose own input turned out to be a view.
  int view_of_view(const Graph::Entry& e, int input) {
    const Graph::Entry inner = out()[input];
    if (inner.inputs.size() > 1 && e.node->view().identity())  // keep what it waits for
      return to_.make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, inner.node->view());
    View view = inner.node->view();
    const std::int64_t numel = out().node(inner.inputs[0]).numel();
    const std::vector<ViewLevel>& levels = e.node->view().levels;
    for (std::size_t i = levels.size(); i-- > 0;)
      view = make_view(levels[i].dims, levels[i].offset, view.levels, numel);
    if (view.levels.size() <= View::kMaxLevels)
      return to_.make(Op::kView, e.node->dtype(), e.node->shape(), inner.inputs, std::move(view));
    const int copy = to_.make(Op::kCopy, inner.node->dtype(), inner.node->shape(), {input});
    return to_.make(Op::kView, e.node->dtype(), e.node->shape(), {copy}, e.node->view());
  }

  /// Something that lies in memory in the order of `n`: what is not so is written out.
  int in_memory(int n) {
    const auto plain = [&](int x) {
      return out()[x].op() == Op::kView && out()[x].node->view().identity() && out()[x].inputs.size() == 1;
    };
    while (plain(n)) n = out()[n].inputs[0];
    const Graph::Entry x = out()[n];
    if (x.op() != Op::kView && x.op() != Op::kScalar && x.op() != Op::kIota) return n;
    return to_.make(Op::kCopy, x.node->dtype(), x.node->shape(), {n});
  }

  /// A custom kernel reads whole tensors from memory and writes all of its results, which become neighbours here.
  int custom(const Graph::Entry& e, std::vector<int> inputs) {
    for (int& in : inputs) in = in_memory(in);
    const CustomResult own = e.node->custom();
    int result = -1;
    for (std::size_t i = 0; i < own.call->outputs.size(); ++i) {
      const auto output = static_cast<int>(i);
      const CustomTensor& t = own.call->outputs[i];
      const int at = output == own.output
                         ? to_.add({e.node, inputs, nullptr})
                         : to_.make(Op::kCustom, t.dtype, t.shape, inputs, CustomResult{own.call, output});
      if (output == own.output) result = at;
    }
    return result;
  }

  const Graph& from_;
  Rewriter to_;
};

}  // namespace

Graph simplify(const Graph& graph, const DeviceInfo& device, std::int64_t longest_row) {
  const PassTimer timer("simplify");
  return Simplifier(graph, device, longest_row).run();
}

}  // namespace tessera::schedule
