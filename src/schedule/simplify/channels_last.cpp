// Finds sets of images that are connected by elementwise ops, and drops those with a producer or a reader that needs
// the order of the shape.
#include "schedule/simplify/channels_last.h"

#include <algorithm>
#include <numeric>

#include "base/ints.h"
#include "graph/call.h"
#include "graph/op.h"
#include "ops/conv/conv.h"

namespace tessera::schedule {

namespace {

/// Elements of an image from which on it pays: one of 64 x 56 x 56 is slower in f32, 32 of 512 x 7 x 7 are not.
constexpr std::int64_t kManyElements = std::int64_t{1} << 19;
/// Channels are loaded in whole quads of f16.
constexpr std::int64_t kWholeChannels = 8;

bool is_conv(const Graph::Entry& e) {
  if (e.op() != Op::kCall) return false;
  const std::string_view op = e.node->call().call->op;
  return op == "conv" || op == "conv_input" || op == "conv_weight";
}

class ImageSets {
 public:
  explicit ImageSets(const Graph& graph)
      : graph_(graph),
        set_(graph.entries.size()),
        made_(graph.entries.size(), 0),
        trained_(graph.entries.size(), 0),
        dropped_(graph.entries.size(), 0),
        only_reduced_(graph.entries.size(), 1) {
    std::iota(set_.begin(), set_.end(), 0);
  }

  std::vector<char> find() {
    for (int i = 0; i < graph_.size(); ++i) {
      if (!is_reduction(graph_[i].op())) {
        for (const int in : graph_[i].inputs) only_reduced_[as_index(in)] = 0;
      }
    }
    for (const int root : graph_.roots) {
      only_reduced_[as_index(root)] = 0;
      dropped_[as_index(root)] = 1;  // sets are dropped as a whole in the end
    }
    for (int i = 0; i < graph_.size(); ++i) visit(i);
    std::vector<char> good(graph_.entries.size(), 0);
    std::vector<char> trained(graph_.entries.size(), 0);
    for (int i = 0; i < graph_.size(); ++i) {
      if (made_[as_index(i)] != 0) good[as_index(set_of(i))] = 1;
      if (trained_[as_index(i)] != 0) trained[as_index(set_of(i))] = 1;
    }
    // Without gradients, f32 layers with 128 or more channels lose by the copies of their weights what they gain.
    for (int i = 0; i < graph_.size(); ++i) {
      if (made_[as_index(i)] != 0 && graph_.node(i).dtype() != DType::kF16 && trained[as_index(set_of(i))] == 0)
        drop(i);
    }
    for (int i = 0; i < graph_.size(); ++i) {
      if (dropped_[as_index(i)] != 0) good[as_index(set_of(i))] = 0;
    }
    std::vector<char> last(graph_.entries.size(), 0);
    for (int i = 0; i < graph_.size(); ++i) last[as_index(i)] = is_member(i) ? good[as_index(set_of(i))] : char{0};
    return last;
  }

 private:
  int set_of(int i) {
    while (set_[as_index(i)] != i) i = set_[as_index(i)] = set_[as_index(set_[as_index(i)])];
    return i;
  }
  void drop(int i) { dropped_[as_index(i)] = 1; }

  [[nodiscard]] bool is_member(int i) const {
    const Graph::Entry& e = graph_[i];
    return is_elementwise(e.op()) || e.op() == Op::kMark || (is_conv(e) && e.node->call().call->op != "conv_weight");
  }

  /// An operand of an elementwise op or a mark.
  void connect(int i, int in) {
    const Graph::Entry& e = graph_[in];
    if (is_member(in)) {
      set_[as_index(set_of(in))] = set_of(i);
    } else if (e.op() == Op::kView) {
      // What is broadcast has no order of its own.
      if (graph_.node(e.inputs[0]).numel() >= e.node->numel()) drop(i);
    } else if (e.op() != Op::kScalar) {
      drop(i);
    }
  }

  void visit_conv(int i) {
    const Graph::Entry& e = graph_[i];
    const bool plain = from_attributes<ops::ConvShape>(e.node->call().call->attributes).groups == 1;
    for (const int in : e.inputs) {
      if (!plain) drop(in);
      if (!is_member(i)) trained_[as_index(in)] = 1;
    }
    if (!is_member(i)) return;
    made_[as_index(i)] = 1;
    if (!plain || e.node->shape()[1] % kWholeChannels != 0 || e.node->numel() < kManyElements) drop(i);
  }

  void visit(int i) {
    const Graph::Entry& e = graph_[i];
    if (is_conv(e)) {
      visit_conv(i);
    } else if (is_elementwise(e.op())) {
      for (const int in : e.inputs) connect(i, in);
    } else if (e.op() == Op::kMark) {
      connect(i, e.inputs[0]);
      for (std::size_t k = 1; k < e.inputs.size(); ++k) drop(e.inputs[k]);
    } else if (!is_reduction(e.op()) && !(e.op() == Op::kView && only_reduced_[as_index(i)] != 0)) {
      for (const int in : e.inputs) drop(in);
    }
  }

  const Graph& graph_;
  std::vector<int> set_;
  std::vector<char> made_;          // by a convolution
  std::vector<char> trained_;       // a weight gradient reads it
  std::vector<char> dropped_;       // there is a reason against it
  std::vector<char> only_reduced_;  // only reductions read it
};

}  // namespace

std::vector<char> stored_channels_last(const Graph& graph) {
  if (std::ranges::none_of(graph.entries, is_conv)) return {};
  return ImageSets(graph).find();
}

}  // namespace tessera::schedule
