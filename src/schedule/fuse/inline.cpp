// Inlining: through index maps where that is cheap, through padding into matmuls, quantized weights into what reads
// them; prologue.cpp adds the prologues of matmuls.
#include "schedule/fuse/inline.h"

#include <algorithm>

#include "base/compute.h"
#include "base/ints.h"
#include "base/pass_timer.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/fuse/prologue.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

namespace {

constexpr int kMaxInlineDepth = 24;  // nodes recomputed through a view
constexpr int kCheap = 4;            // recomputing this much costs less than a trip through memory
/// Rows of a matmul up to which its right operand is dequantized on load: each tile of rows does it again. Of
/// 14336 x 4096 weights in Q4_K that took 0.22 of the time of a copy with 16 rows, 0.88 with 512, 1.16 with 2048
/// (H200).
constexpr std::int64_t kDequantizedRows = 1024;

class InlineFinder {
 public:
  InlineFinder(const Graph& graph, const DeviceInfo& device, std::vector<Guard>& guards)
      : graph_(graph), device_(device), guards_(guards), size_(graph.entries.size()) {}

  std::vector<int> run() {
    find_uses();
    if (device_.type != DeviceType::kCpu) find_dequantized();
    mark_inline();
    find_prologues(graph_, device_, inline_, guards_);
    return std::move(inline_);
  }

 private:
  void find_uses() {
    for (const int r : graph_.roots) root_[as_index(r)] = 1;
    find_mapped_operands();
    for (int n = 0; n < graph_.size(); ++n) {
      const Op op = graph_[n].op();
      for (const int in : graph_[n].inputs) users_[as_index(in)].push_back(n);
      widened_[as_index(n)] = widened(n);
      cost_[as_index(n)] = ops::cost(op);
      leaves_[as_index(n)] = op == Op::kInput || is_reduction(op) || reads_memory(op) || op == Op::kPut ? 1 : 0;
      if (leaves_[as_index(n)] == 0) {
        for (const int in : op == Op::kView ? std::vector{graph_[n].inputs[0]} : graph_[n].inputs) {
          cost_[as_index(n)] = std::min(1000, cost_[as_index(n)] + cost_[as_index(in)]);
          leaves_[as_index(n)] = std::min(1000, leaves_[as_index(n)] + leaves_[as_index(in)]);
        }
      }
    }
  }

  /// Matmuls read some operands through pads, which then need no memory, while what lies under them does.
  void find_mapped_operands() {
    for (int n = 0; n < graph_.size(); ++n) {
      if (graph_[n].op() != Op::kMatmul) continue;
      for (int in : graph_[n].inputs) {
        if (is_strided_operand(graph_, in)) continue;
        for (; graph_[in].op() == Op::kView || graph_[in].op() == Op::kPad; in = graph_[in].inputs[0])
          read_through_[as_index(in)] = 1;
        in_memory_[as_index(in)] = 1;
      }
    }
  }

  struct Uses {
    int count = 0;
    int mapped = 0;      // through an index map
    int plain = 0;       // at its own index, by a node that is not inlined
    bool must = false;   // has to be in memory
    bool grows = false;  // some map reads elements several times
    int depth = 0;       // of the inlined nodes above it
  };

  void add_uses(int p, int via, bool mapped, Uses& uses) const {
    const std::int64_t numel = graph_.node(p).numel();
    for (const int c : users_[as_index(via)]) {
      const Graph::Entry& e = graph_[c];
      if (e.op() == Op::kView && e.inputs[0] != via) {  // only to be waited for
        uses.must = true;
        continue;
      }
      if (e.op() == Op::kView) {
        const bool map = mapped || !e.node->view().identity();
        uses.grows = uses.grows || e.node->numel() > numel;
        if (root_[as_index(c)] != 0) {
          ++uses.count;
          if (map)
            ++uses.mapped;
          else
            uses.must = true;
        }
        add_uses(p, c, map, uses);
        continue;
      }
      for (std::size_t k = 0; k < e.inputs.size(); ++k) {
        if (e.inputs[k] != via) continue;
        ++uses.count;
        const bool through =
            read_through_[as_index(p)] != 0 && e.op() == Op::kMatmul && !is_strided_operand(graph_, via);
        if ((reads_memory(e.op(), k) && !through) || e.node->in_ranges()) uses.must = true;
        if (mapped || (e.op() == Op::kPad && k == 0)) {
          ++uses.mapped;
        } else if (inline_[as_index(c)] == 0) {
          ++uses.plain;
        }
        if (inline_[as_index(c)] != 0) uses.depth = std::max(uses.depth, inline_[as_index(c)]);
      }
    }
  }

  /// What is computed in f32 from one or two halves, numbers and what is spread over many elements: read again from
  /// them, it takes no more of the memory's time than a copy in f32, which need not be written.
  struct Widened {
    int halves = 0;  // 0: it is something else, or takes too long
    int cost = 0;
  };

  [[nodiscard]] Widened widened(int n) const {
    const Graph::Entry& e = graph_[n];
    if (!is_elementwise(e.op()) || e.node->dtype() != DType::kF32) return {};
    if (e.op() == Op::kCast) {
      const DType from = graph_.node(e.inputs[0]).dtype();
      return {wide_float(from) != from ? 1 : 0, 0};
    }
    Widened sum{0, ops::cost(e.op())};
    for (int in : e.inputs) {
      while (graph_[in].op() == Op::kView && graph_[in].inputs.size() == 1 && graph_.node(in).view().identity())
        in = graph_[in].inputs[0];
      if (graph_[in].op() == Op::kScalar) continue;
      if (graph_[in].op() == Op::kView && graph_.node(in).view().layout().broadcasts()) continue;
      if (widened_[as_index(in)].halves == 0) return {};
      sum.halves += widened_[as_index(in)].halves;
      sum.cost += widened_[as_index(in)].cost;
    }
    return sum.halves <= 2 && sum.cost <= kCheap ? sum : Widened{};
  }

  /// A node that is only read through index maps is recomputed where it is read, when that costs little.
  void mark_inline() {
    for (int p = graph_.size() - 1; p >= 0; --p) {
      const Op op = graph_[p].op();
      const bool simple =
          is_elementwise(op) || op == Op::kCopy || op == Op::kPad || op == Op::kRandom || op == Op::kGather;
      if (!simple || inline_[as_index(p)] != 0 || root_[as_index(p)] != 0 || graph_.node(p).in_ranges() ||
          in_memory_[as_index(p)] != 0)
        continue;
      if (dequantized_by(graph_, p, inline_) >= 0) continue;  // only maps can
      Uses uses;
      add_uses(p, p, false, uses);
      const bool widened = widened_[as_index(p)].halves > 0 && uses.depth < kMaxInlineDepth;
      if ((read_through_[as_index(p)] != 0 || widened) && !uses.must) {
        inline_[as_index(p)] = uses.depth + 1;
        continue;
      }
      if (uses.must || uses.depth >= kMaxInlineDepth || leaves_[as_index(p)] > 2) continue;
      const bool cheap = cost_[as_index(p)] <= kCheap;
      const bool only_mapped = uses.plain == 0;
      const bool once = uses.count == 1 && !uses.grows;
      if (only_mapped ? (once || cheap) : (cheap && uses.mapped > 0)) inline_[as_index(p)] = uses.depth + 1;
    }
  }

  // ---- Dequantizing on load ----

  /// A call that can be dequantized on load runs nowhere by itself where matmuls of not too many rows, and gathers of
  /// not too many elements, are all that reads it.
  void find_dequantized() {
    for (int n = 0; n < graph_.size(); ++n) {
      if (graph_[n].op() != Op::kCustom || dequantizable(graph_, n) != n || !fits(n)) continue;
      std::vector<int> through;
      if (!only_matmuls(n, through)) continue;
      for (const int i : through) inline_[as_index(i)] = 1;
    }
  }

  /// Whether the planes are different buffers that can be bound whole.
  [[nodiscard]] bool fits(int custom) const {
    std::vector<int> planes = graph_[custom].inputs;
    std::ranges::sort(planes);
    if (std::ranges::adjacent_find(planes) != planes.end()) return false;
    for (const int plane : planes) {
      const auto bytes = static_cast<std::int64_t>(device_.limits.max_storage_binding_size);
      if (!at_most({SizeRef::What::kNumel, plane},
                   bytes / static_cast<std::int64_t>(size_of(graph_.node(plane).dtype())))) {
        return false;
      }
    }
    return true;
  }

  bool at_most(const SizeRef& size, std::int64_t limit) const {
    return schedule::at_most(graph_, size, limit, guards_);
  }

  /// Whether node n is read by matmuls alone, as their right operand, and by gathers; `through` gets it and what lies
  /// between.
  bool only_matmuls(int n, std::vector<int>& through) const {
    if (root_[as_index(n)] != 0) return false;
    if (graph_[n].op() != Op::kView) through.push_back(n);
    for (const int c : users_[as_index(n)]) {
      const Graph::Entry& e = graph_[c];
      const bool cast = e.op() == Op::kCast && graph_[n].op() == Op::kCustom && is_float(e.node->dtype());
      const bool view = e.op() == Op::kView && e.inputs[0] == n;
      if (cast || view) {
        if (!only_matmuls(c, through)) return false;
        continue;
      }
      if (e.op() == Op::kGather && e.inputs[0] == n && graph_[n].op() != Op::kView) {
        // An element takes the work of four, and yet less than writing and reading all of them.
        const bool few = schedule::at_most(graph_, SizeRef::numel(c), SizeRef::numel(n), guards_);
        if (!few) return false;
        continue;
      }
      if (e.op() != Op::kMatmul || e.inputs[0] == n || !is_strided_operand(graph_, n) || !is_float(e.node->dtype()))
        return false;
      if (!at_most({SizeRef::What::kRows, c}, kDequantizedRows)) return false;
      // The other buffers are bound whole, too.
      const auto bytes = static_cast<std::int64_t>(device_.limits.max_storage_binding_size / 8);
      if (!at_most({SizeRef::What::kNumel, c}, bytes) || !at_most({SizeRef::What::kNumel, e.inputs[0]}, bytes)) {
        return false;
      }
    }
    return true;
  }

  const Graph& graph_;
  const DeviceInfo& device_;
  std::vector<Guard>& guards_;
  std::size_t size_;
  std::vector<std::vector<int>> users_ = std::vector<std::vector<int>>(size_);
  std::vector<char> root_ = std::vector<char>(size_, 0);
  std::vector<int> cost_ = std::vector<int>(size_, 0);    // of recomputing the node from memory
  std::vector<int> leaves_ = std::vector<int>(size_, 0);  // buffers that recomputing it reads
  std::vector<Widened> widened_ = std::vector<Widened>(size_);
  std::vector<char> read_through_ =
      std::vector<char>(size_, 0);                             // views and pads that a matmul reads an operand through
  std::vector<char> in_memory_ = std::vector<char>(size_, 0);  // what lies under them
  std::vector<int> inline_ = std::vector<int>(size_, 0);
};

}  // namespace

int dequantized_by(const Graph& graph, int gather, const std::vector<int>& inlined) {
  if (graph[gather].op() != Op::kGather) return -1;
  const int call = dequantizable(graph, graph[gather].inputs[0]);
  return call >= 0 && inlined[as_index(call)] != 0 ? call : -1;
}

int dequantizable(const Graph& graph, int node) {
  if (graph[node].op() == Op::kView) node = graph[node].inputs[0];
  if (graph[node].op() == Op::kCast) node = graph[node].inputs[0];
  if (graph[node].op() != Op::kCustom || !graph.node(node).custom().call->kernel->dequantizes) return -1;
  return node;
}

std::vector<int> find_inline(const Graph& graph, const DeviceInfo& device, std::vector<Guard>& guards) {
  const PassTimer timer("inline");
  return InlineFinder(graph, device, guards).run();
}

}  // namespace tessera::schedule
