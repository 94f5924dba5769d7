// Horizontal rule: grouped GEMMs with a shared A. Matmuls of one left operand share a dispatch where they are ready at
// the same time and none of them fills the device: q, k and v of an attention (docs/adr/0012-grouped-gemm.md).
#include <algorithm>
#include <map>

#include "schedule/fuse/inline.h"
#include "schedule/fuse/merge.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

namespace {

constexpr std::int64_t kWide = 128;  // columns of the widest tile that matmuls usually have

class GroupedGemm {
 public:
  explicit GroupedGemm(Fusion& fusion)
      : fusion_(fusion), groups_(fusion.groups), graph_(fusion.graph), latest_(find_latest()) {}

  void run() {
    for (const auto& [operand, matmuls] : matmuls_by_operand()) {
      if (matmuls.size() > 1) batch(matmuls);
    }
  }

 private:
  struct Candidate {
    int group;
    int waits_for;
  };

  [[nodiscard]] std::map<int, std::vector<int>> matmuls_by_operand() const {
    std::map<int, std::vector<int>> by_operand;
    for (int i = 0; i < groups_.size(); ++i) {
      if (groups_[i].merged || groups_[i].kind != Kernel::Kind::kMatmul) continue;
      const std::vector<int>& in = graph_[groups_[i].domain].inputs;
      if (is_strided_operand(graph_, in[0]) && is_strided_operand(graph_, in[1])) by_operand[in[0]].push_back(i);
    }
    return by_operand;
  }

  /// Matmuls that wait for different things stay apart: together, the results of the first would be kept until the
  /// last can run.
  void batch(const std::vector<int>& matmuls) {
    std::vector<Candidate> candidates;
    for (const int i : matmuls) candidates.push_back({i, waits_for(i)});
    std::vector<Candidate> batches;
    for (const Candidate& x : candidates) {
      if (!is_small(groups_[x.group].domain)) continue;
      std::erase_if(batches, [&](const Candidate& b) { return groups_[b.group].parts.size() >= kMaxParts; });
      const auto takes = [&](const Candidate& b) {
        if (b.waits_for != x.waits_for || !alike(groups_[b.group].domain, groups_[x.group].domain) ||
            !add_part(fusion_, b.group, x.group)) {
          return false;
        }
        raise_latest(b.group, latest_[as_index(x.group)]);
        return true;
      };
      if (std::ranges::none_of(batches, takes)) batches.push_back(x);
    }
  }

  /// Whether a matmul does not fill the device, and is not better off alone.
  bool is_small(int matmul) {
    const SizeRef numel = SizeRef::numel(matmul);
    if (!at_most(graph_, numel, fusion_.model.filling_results, fusion_.guards)) return false;
    if (fusion_.model.ungrouped_rows == 0 || graph_.node(matmul).dtype() != DType::kF16) return true;
    return !at_most(graph_, numel, fusion_.model.ungrouped_rows * graph_.node(matmul).shape().back(), fusion_.guards);
  }

  /// The kernel whose result a matmul dequantizes on load as its right operand; none where it is in memory.
  [[nodiscard]] const CustomKernel* dequantizer(int matmul) const {
    const int call = dequantizable(graph_, graph_[matmul].inputs[1]);
    return call >= 0 && !groups_.computed(call) ? graph_.node(call).custom().call->kernel.get() : nullptr;
  }

  /// Whether one program reads both matmuls' right operands as well as programs of their own would: the same dtype and
  /// strides; and neither both wide and narrow nor whole and broken quads, for speed alone, so that costs no guard.
  [[nodiscard]] bool alike(int x, int y) const {
    const int bx = graph_[x].inputs[1];
    const int by = graph_[y].inputs[1];
    const std::int64_t nx = graph_.node(x).shape().back();
    const std::int64_t ny = graph_.node(y).shape().back();
    return graph_.node(bx).dtype() == graph_.node(by).dtype() && dequantizer(x) == dequantizer(y) &&
           strided_layout(graph_, bx) == strided_layout(graph_, by) && (nx >= kWide) == (ny >= kWide) &&
           (nx % 4 == 0) == (ny % 4 == 0);
  }

  // ---- What a matmul waits for ----

  /// The youngest node that a matmul has to wait for. What is made of leaves alone does not count: a cast of weights,
  /// which may be quantized, can run at any time.
  [[nodiscard]] int waits_for(int i) const {
    const auto weights = [&](const Read& r) {
      return dequantizable(graph_, r.source) == r.source && groups_.reads(r.source).empty();
    };
    const auto of_leaves = [&](int p) {
      return std::ranges::all_of(groups_[p].nodes, [&](int n) {
        return std::ranges::all_of(groups_.reads(n),
                                   [&](const Read& r) { return groups_.of(r.source) == p || weights(r); });
      });
    };
    int youngest = -1;
    for (const int n : groups_[i].nodes) {
      for (const Read& r : groups_.reads(n)) {
        const int p = groups_.of(r.source);
        if (p != i && !of_leaves(p)) youngest = std::max(youngest, latest_[as_index(p)]);
      }
    }
    return youngest;
  }

  /// Of each group: the youngest node in it or in any group that it depends on.
  [[nodiscard]] std::vector<int> find_latest() const {
    std::vector<std::vector<int>> by_level;
    for (int i = 0; i < groups_.size(); ++i) {
      if (groups_[i].merged) continue;
      by_level.resize(std::max(by_level.size(), as_index(groups_[i].level) + 1));
      by_level[as_index(groups_[i].level)].push_back(i);
    }
    std::vector<int> latest(as_index(groups_.size()), -1);
    for (const std::vector<int>& level : by_level) {
      for (const int i : level) {
        int& youngest = latest[as_index(i)];
        youngest = groups_[i].nodes.back();
        for (const int n : groups_[i].nodes) {
          for (const Read& r : groups_.reads(n)) youngest = std::max(youngest, latest[as_index(groups_.of(r.source))]);
        }
      }
    }
    return latest;
  }

  /// Brings `latest_` up to date in a group and all that depends on it: kernels wait for whole groups, so an old node
  /// may have to wait for a young one.
  void raise_latest(int group, int youngest) {
    latest_[as_index(group)] = std::max(latest_[as_index(group)], youngest);
    std::vector<int> stack{group};
    while (!stack.empty()) {
      const int x = stack.back();
      stack.pop_back();
      for (const int n : groups_[x].nodes) {
        for (const int c : groups_.readers(n)) {
          const int reader = groups_.of(c);
          if (latest_[as_index(reader)] >= latest_[as_index(x)]) continue;
          latest_[as_index(reader)] = latest_[as_index(x)];
          stack.push_back(reader);
        }
      }
    }
  }

  Fusion& fusion_;
  const Groups& groups_;
  const Graph& graph_;
  std::vector<int> latest_;
};

void batch_matmuls(Fusion& fusion) {
  if (fusion.device.grouped_gemm) GroupedGemm(fusion).run();
}

}  // namespace

extern const HorizontalRule kGroupedGemm{"grouped GEMM (shared A)", batch_matmuls};

}  // namespace tessera::schedule
