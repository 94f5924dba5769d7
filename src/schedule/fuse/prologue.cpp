// Prologues: which expressions on operands of matmuls would need a separate kernel, and cost little enough to be
// computed again for each tile that reads them.
#include "schedule/fuse/prologue.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/ints.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/fuse/inline.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

namespace {

constexpr int kMostCost = 16;            // of an element: gelu and the multiplication behind it
constexpr std::size_t kMostBuffers = 4;  // that one expression reads
constexpr std::size_t kKeptBuffers = 3;  // for the result and the work on it
constexpr std::int64_t kCheapest = 2;    // loads and conversions count as well
/// How often a matmul reads an element, times what it costs: a tile of 128 computes it once for 128 of these. Of
/// weights of 4096 x 4096 times a vector, x @ (w * s) took 0.83 of the time of two kernels with 16 rows, 0.72 with 128,
/// 1.42 with 1024 (H200).
constexpr std::int64_t kMostWork = 512;
constexpr std::int64_t kOneTile = 64;  // rows or columns that one tile has: it is computed once
/// Rows up to which a left operand is computed however wide the matmul is: the expression's own kernel would do next
/// to nothing. With 16 rows, silu(g) * u of 4096 columns took 1.34 of the time of two kernels (H200).
constexpr std::int64_t kFewRows = 4;

class Prologues {
 public:
  Prologues(const Graph& graph, const DeviceInfo& device, std::vector<int>& inlined, std::vector<Guard>& guards)
      : graph_(graph), device_(device), inline_(inlined), guards_(guards), users_(as_index(graph.size())) {
    for (int n = 0; n < graph_.size(); ++n) {
      for (const int in : graph_[n].inputs) users_[as_index(in)].push_back(n);
    }
    root_.assign(users_.size(), 0);
    for (const int r : graph_.roots) root_[as_index(r)] = 1;
  }

  void run() {
    for (int n = graph_.size() - 1; n >= 0; --n) {
      if (!is_prologue(graph_, n) || root_[as_index(n)] != 0 || inline_[as_index(n)] != 0) continue;
      std::vector<Reader> readers;
      if (!only_matmuls(n, n, readers) || readers.empty()) continue;
      const std::optional<Expression> e = expression(n);
      if (!e || !has_room(readers, e->sources.size()) || !pays(*e, readers)) continue;
      for (const int i : e->nodes) inline_[as_index(i)] = 1;
      for (const Reader& r : readers) buffers_of(r.matmul)[as_index(r.operand)] = e->sources.size();
    }
  }

 private:
  struct Reader {
    int matmul;
    int operand;
  };
  struct Expression {
    std::vector<int> nodes;  // that are computed
    std::set<int> sources;   // what they read from memory
    int cost = 0;
  };
  enum Access : std::uint8_t { kSame, kRow, kOther };  // how an index is read: the first two may share a loop nest

  /// Whether matmuls are all that reads node n, or the view `via` of it, with one stride for each axis.
  bool only_matmuls(int n, int via, std::vector<Reader>& readers) const {
    for (const int c : users_[as_index(via)]) {
      const Graph::Entry& e = graph_[c];
      if (e.op() == Op::kView && e.inputs.size() == 1 && via == n && root_[as_index(c)] == 0) {
        if (!only_matmuls(n, c, readers)) return false;
        continue;
      }
      if (e.op() != Op::kMatmul || !is_strided_operand(graph_, via)) return false;
      for (int k = 0; k < 2; ++k) {
        if (e.inputs[as_index(k)] == via) readers.push_back({c, k});
      }
      if (!is_strided_operand(graph_, e.inputs[0]) || !is_strided_operand(graph_, e.inputs[1])) return false;
    }
    return true;
  }

  /// What node n is computed from; nothing where that takes too much, or where some kernel that has to run anyway could
  /// do it at the back.
  [[nodiscard]] std::optional<Expression> expression(int n) const {
    Expression e;
    std::set<std::pair<int, Access>, std::greater<>> open{{n, kSame}};
    std::set<int> inside;  // computed here, and views of that
    while (!open.empty()) {
      const auto [i, access] = *open.begin();  // after all that reads it
      open.erase(open.begin());
      const Graph::Entry& x = graph_[i];
      const bool own = i == n || (root_[as_index(i)] == 0 &&
                                  std::ranges::all_of(users_[as_index(i)], [&](int c) { return inside.contains(c); }));
      if (x.op() == Op::kScalar || x.op() == Op::kIota) continue;
      if (x.op() == Op::kView) {
        const std::optional<Access> next = through(i, access);
        if (!next) return std::nullopt;
        if (own) inside.insert(i);
        open.insert({x.inputs[0], *next});
        continue;
      }
      if (inline_[as_index(i)] != 0 || (is_prologue(graph_, i) && own && access == kSame)) {
        if (!is_prologue(graph_, i)) return std::nullopt;
        if (inside.insert(i).second) {
          e.cost += ops::cost(x.op());
          if (inline_[as_index(i)] == 0) e.nodes.push_back(i);
        }
        for (const int in : x.inputs) open.insert({in, access});
        continue;
      }
      const bool alone = x.op() == Op::kInput || x.op() == Op::kCustom;
      if (!alone && access != kOther) return std::nullopt;
      e.sources.insert(i);
    }
    if (e.cost > kMostCost || e.sources.empty() || e.sources.size() > kMostBuffers) return std::nullopt;
    return e;
  }

  /// How the input of a view is read: neighbours have to be neighbours there, or the same.
  [[nodiscard]] std::optional<Access> through(int view, Access access) const {
    const View& v = graph_.node(view).view();
    if (graph_[view].inputs.size() > 1 || v.levels.size() > 1) return std::nullopt;
    if (v.identity()) return access;
    const LevelLayout level = v.layout().levels()[0];
    if (level.strided()) return std::nullopt;
    const bool one = level.broadcasts_element() && graph_.node(graph_[view].inputs[0]).numel() == 1;
    const bool row = level.follows_row() || one;
    return row && access == kSame ? kRow : kOther;
  }

  /// The buffers that both operands of a matmul bind, as far as has been decided.
  std::array<std::size_t, 2>& buffers_of(int matmul) {
    const auto [it, fresh] = buffers_.try_emplace(matmul, std::array<std::size_t, 2>{1, 1});
    if (fresh) {
      const int call = dequantizable(graph_, graph_[matmul].inputs[1]);
      if (call >= 0 && inline_[as_index(call)] != 0) it->second[1] = graph_[call].inputs.size();
    }
    return it->second;
  }

  bool has_room(const std::vector<Reader>& readers, std::size_t count) {
    return std::ranges::all_of(readers, [&](const Reader& r) {
      std::array<std::size_t, 2> bound = buffers_of(r.matmul);
      for (const Reader& other : readers) {
        if (other.matmul == r.matmul) bound[as_index(other.operand)] = count;
      }
      return bound[0] + bound[1] + kKeptBuffers <= device_.limits.max_storage_buffers;
    });
  }

  bool at_most(const SizeRef& size, std::int64_t limit) { return schedule::at_most(graph_, size, limit, guards_); }

  bool pays(const Expression& e, const std::vector<Reader>& readers) {
    const auto bytes = static_cast<std::int64_t>(device_.limits.max_storage_binding_size);
    for (const int source : e.sources) {
      const auto size = static_cast<std::int64_t>(size_of(graph_.node(source).dtype()));
      if (!at_most({SizeRef::What::kNumel, source}, bytes / size - 4)) return false;
    }
    for (const Reader& r : readers) {
      const SizeRef reads{SizeRef::What::kReads, r.matmul, r.operand};
      const bool few = r.operand == 0 && at_most({SizeRef::What::kRows, e.nodes.front()}, kFewRows);
      if (!few && !at_most(reads, std::max(kMostWork / std::max<std::int64_t>(e.cost, kCheapest), kOneTile)))
        return false;
      // The other buffers are bound whole, too.
      const int other = graph_[r.matmul].inputs[as_index(1 - r.operand)];
      const int base = graph_[other].op() == Op::kView ? graph_[other].inputs[0] : other;
      if (!at_most({SizeRef::What::kNumel, r.matmul}, bytes / 8) || !at_most({SizeRef::What::kNumel, base}, bytes / 8))
        return false;
    }
    return true;
  }

  const Graph& graph_;
  const DeviceInfo& device_;
  std::vector<int>& inline_;
  std::vector<Guard>& guards_;
  std::vector<std::vector<int>> users_;
  std::vector<char> root_;
  std::map<int, std::array<std::size_t, 2>> buffers_;
};

}  // namespace

bool is_prologue(const Graph& graph, int base) {
  const Op op = graph[base].op();
  const DType t = graph.node(base).dtype();
  return is_elementwise(op) && op != Op::kCheckIndex && size_of(t) <= 4;
}

void find_prologues(const Graph& graph, const DeviceInfo& device, std::vector<int>& inlined,
                    std::vector<Guard>& guards) {
  if (device.type == DeviceType::kCpu || !device.prologues) return;
  Prologues(graph, device, inlined, guards).run();
}

}  // namespace tessera::schedule
