// The body of a kernel, built by asking for the value of each stored node at its index; equal questions share an
// answer.
#include "schedule/lower/emit.h"

#include <algorithm>
#include <map>

#include "base/ints.h"
#include "schedule/fuse/inline.h"
#include "schedule/fuse/prologue.h"
#include "schedule/lower/operand.h"

namespace tessera::schedule {

namespace {

class Emitter {
 public:
  explicit Emitter(const EmitRequest& request) : request_(request), graph_(request.graph) {
    kernel_.kind = request_.kind;
    kernel_.domain = request_.domain;
    kernel_.in_ranges = graph_.node(request_.domain).in_ranges() &&
                        std::ranges::find(request_.stored, request_.domain) != request_.stored.end();
    kernel_.indices.push_back({});  // kElement
    if (request_.kind == Kernel::Kind::kReduce) {
      kernel_.indices.push_back({Index::Kind::kRow});
      row_index_ = 1;
    }
  }

  Kernel run() {
    if (request_.kind == Kernel::Kind::kMatmul) {
      kernel_.a = operand(graph_[request_.domain].inputs[0]);
      kernel_.b = operand(graph_[request_.domain].inputs[1]);
    }
    for (const int n : request_.stored) {
      if (graph_[n].op() == Op::kPut) {
        put(n);
        continue;
      }
      const bool row = request_.kind == Kernel::Kind::kReduce && request_.row[as_index(n)] != 0;
      const int result = value(n, row ? row_index_ : 0);
      kernel_.outputs.push_back({n, graph_.node(n).dtype()});
      kernel_.stores.push_back({result, static_cast<int>(kernel_.outputs.size()) - 1, row});
    }
    for (std::size_t i = 0; i < kernel_.aliases.size(); ++i) load_what_is_updated(kernel_.aliases[i]);
    return std::move(kernel_);
  }

 private:
  /// A store into the memory of the first input, which has a slot of its own.
  void put(int n) {
    const Graph::Entry& e = graph_[n];
    const int result = value(e.inputs[1], 0);
    const int at = value(e.inputs[2], 0);
    kernel_.inputs.push_back({e.inputs[0], e.node->dtype()});
    kernel_.outputs.push_back({n, e.node->dtype()});
    const int out = static_cast<int>(kernel_.outputs.size()) - 1;
    kernel_.stores.push_back({result, out, false, at});
    kernel_.aliases.emplace_back(static_cast<int>(kernel_.inputs.size()) - 1, out);
  }

  /// If the kernel loads what it updates only at the positions that it then writes, as an addition does, it loads it
  /// through the slot of the update, so that it can be updated in place.
  void load_what_is_updated(const std::pair<int, int>& alias) {
    const auto it = slots_.find(kernel_.inputs[as_index(alias.first)].node);
    if (it == slots_.end()) return;
    const int loaded = it->second;
    const int at = std::ranges::find(kernel_.stores, alias.second, &Store::slot)->at;
    for (const Instr& x : kernel_.instrs) {
      if (x.kind == Instr::Kind::kLoad && x.slot == loaded && (x.args.empty() || x.args[0] != at)) return;
    }
    const auto moved = [&, to = alias.first](int slot) {
      const int s = slot == loaded ? to : slot;
      return s > loaded ? s - 1 : s;
    };
    slots_.erase(it);
    kernel_.inputs.erase(kernel_.inputs.begin() + loaded);
    for (auto& [node, slot] : slots_) slot = moved(slot);
    for (Instr& x : kernel_.instrs) x.slot = moved(x.slot);
    for (auto& [in, out] : kernel_.aliases) in = moved(in);
    kernel_.table.slot = moved(kernel_.table.slot);
  }

  int add(Instr instr) {
    kernel_.instrs.push_back(std::move(instr));
    return static_cast<int>(kernel_.instrs.size()) - 1;
  }

  int slot(int node) {
    const auto [it, fresh] = slots_.emplace(node, static_cast<int>(kernel_.inputs.size()));
    if (fresh) kernel_.inputs.push_back({node, graph_.node(node).dtype()});
    return it->second;
  }

  int index(Index::Kind kind, int parent = -1, int node = -1, const ViewLayout& layout = {}, int pad_axes = 0) {
    const auto [it, fresh] =
        index_of_.emplace(std::tuple(kind, parent, node), static_cast<int>(kernel_.indices.size()));
    if (fresh) kernel_.indices.push_back({kind, parent, node, layout, pad_axes});
    return it->second;
  }

  /// Whether an index is the same for all elements of a row.
  [[nodiscard]] bool is_row(int i) const {
    const Index& x = kernel_.indices[as_index(i)];
    if (x.kind == Index::Kind::kRow) return request_.kind == Kernel::Kind::kReduce;
    return x.parent >= 0 && is_row(x.parent);
  }

  Operand operand(int node) {
    const DType t = graph_.node(node).dtype();
    if (!is_strided_operand(graph_, node)) {
      int base = graph_[node].inputs[0];
      while (graph_[base].op() == Op::kView ||
             (graph_[base].op() == Op::kPad && (*request_.grouped)[as_index(base)] == 0)) {
        base = graph_[base].inputs[0];
      }
      return {slot(base), node, im2col_view(graph_, node, base)->layout(), t};
    }
    const StridedLayout layout = strided_layout(graph_, node);
    const int base = graph_[node].op() == Op::kView ? graph_[node].inputs[0] : node;
    const int call = dequantizable(graph_, base);
    if (call >= 0 && (*request_.grouped)[as_index(call)] == 0) {
      Operand x = dequantized(call);
      x.node = node, x.layout = layout, x.dtype = t;
      return x;
    }
    if (graph_[base].op() != Op::kInput && (*request_.grouped)[as_index(base)] == 0)
      return computed_operand(base, node, layout);
    return {slot(base), node, layout, t};
  }

  /// The slots of a custom call's inputs, and how they are read.
  Operand dequantized(int call) {
    Operand x;
    x.slot = static_cast<int>(kernel_.inputs.size());
    for (const int plane : graph_[call].inputs) slot(plane);
    x.source = Operand::Source::kDequantized;
    x.dequantizer = graph_.node(call).custom().call->kernel;
    return x;
  }

  Operand computed_operand(int base, int node, const StridedLayout& layout) {
    EmitRequest request{graph_, Kernel::Kind::kMap, base, {}, {base}, request_.row, request_.guards};
    request.grouped = request_.grouped;
    request.operand = true;
    auto map = std::make_shared<Kernel>(emit(request));
    Operand x{-1, node, layout, graph_.node(node).dtype(), Operand::Source::kComputed};
    for (const Slot& in : map->inputs) x.sources.push_back(slot(in.node));
    x.slot = x.sources[0];
    x.computed = std::move(map);
    return x;
  }

  int value(int n, int at) {
    const auto key = std::pair(n, at);
    if (const auto it = values_.find(key); it != values_.end()) return it->second;
    const int result = make_value(n, at);
    values_.emplace(key, result);
    return result;
  }

  int make_value(int n, int at) {
    const Graph::Entry& e = graph_[n];
    if (e.op() == Op::kInput || in_memory(n)) {
      return add({Instr::Kind::kLoad, Op::kInput, e.node->dtype(), is_row(at), at, slot(n), -1, {}});
    }
    return compute(n, at);
  }

  /// Whether another kernel writes a node for this one.
  [[nodiscard]] bool in_memory(int n) const {
    if ((*request_.grouped)[as_index(n)] == 0 || std::ranges::binary_search(request_.inside, n)) return false;
    return request_.recomputed == nullptr || (*request_.recomputed)[as_index(n)] == 0;
  }

  int compute(int n, int at) {
    const Graph::Entry& e = graph_[n];
    const DType t = e.node->dtype();
    switch (e.op()) {
      case Op::kScalar: {
        // One instr serves every index; it does not vary along a row.
        if (const auto it = values_.find({n, -1}); it != values_.end()) return it->second;
        const int i = add({Instr::Kind::kScalar, e.op(), t, true, -1, -1, n, {}});
        values_.emplace(std::pair(n, -1), i);
        return i;
      }
      case Op::kIota:
        return add({Instr::Kind::kIota, e.op(), t, is_row(at), at, -1, n, {}});
      case Op::kRandom:
        return add({Instr::Kind::kRandom, e.op(), t, is_row(at), at, -1, n, {}});
      case Op::kView:
        return value(e.inputs[0], view_index(n, at));
      case Op::kCopy:
        return value(e.inputs[0], at);
      case Op::kPad: {
        const int window = index(Index::Kind::kPadded, at, n, {}, e.node->shape().rank());
        const int x = value(e.inputs[0], window);
        const int fill = value(e.inputs[1], at);
        return add({Instr::Kind::kPad, e.op(), t, is_row(at), window, -1, n, {x, fill}});
      }
      case Op::kGather: {
        const int position = value(e.inputs[1], at);
        const bool row = kernel_.instrs[as_index(position)].row;
        int data = e.inputs[0];
        while (graph_[data].op() == Op::kView) data = graph_[data].inputs[0];  // identities: simplify() saw to it
        const int where = index(Index::Kind::kAt);
        const int call = dequantizable(graph_, data);
        if (call < 0 || (*request_.grouped)[as_index(call)] != 0) {
          return add({Instr::Kind::kLoad, e.op(), t, row, where, slot(data), n, {position}});
        }
        if (!kernel_.table.is_dequantized()) kernel_.table = dequantized(call);
        const DType from = graph_.node(call).dtype();
        const int x = add({Instr::Kind::kLoad, e.op(), from, row, where, kernel_.table.slot, n, {position}});
        return from == t ? x : add({Instr::Kind::kOp, Op::kCast, t, row, -1, -1, n, {x}});
      }
      case Op::kMatmul:
        return add({Instr::Kind::kContract, e.op(), t, false, 0, -1, n, {}});
      default:
        break;
    }
    if (is_reduction(e.op())) {
      const int x = value(e.inputs[0], 0);
      return add({Instr::Kind::kReduce, e.op(), t, true, -1, -1, n, {x}});
    }
    std::vector<int> args;
    bool row = true;
    for (const int in : e.inputs) {
      args.push_back(value(in, at));
      row = row && kernel_.instrs[as_index(args.back())].row;
    }
    return add({Instr::Kind::kOp, e.op(), t, row, -1, -1, n, std::move(args)});
  }

  [[nodiscard]] bool has_rows() const { return request_.kind != Kernel::Kind::kMap || request_.operand; }

  /// The index of a view's base. Views that follow the rows or the columns of the loop nest need no division.
  int view_index(int n, int at) {
    const Graph::Entry& e = graph_[n];
    if (e.node->view().identity()) return at;
    const ViewLayout layout = e.node->view().layout();
    if (at == 0 && has_rows()) {
      const int dims = static_cast<int>(e.node->view().levels[0].dims.size());
      const SizeRef cols{SizeRef::What::kCols, request_.domain};
      const Guard same{Guard::Kind::kEqual, {SizeRef::What::kViewDim, n, dims - 1}, cols};
      const int base = e.inputs[0];
      const bool one = layout.broadcasts_element() && graph_.node(base).numel() == 1;
      if ((layout.follows_row() || one) && same.holds(graph_)) {
        request_.guards.push_back(same);
        return row_index_ >= 0 ? row_index_ : index(Index::Kind::kRow);
      }
      if (layout.follows_col() && same.holds(graph_)) {
        request_.guards.push_back(same);
        return index(Index::Kind::kCol);
      }
    }
    const int result = index(Index::Kind::kView, at, n, layout);
    if (at == 0 && has_rows()) {
      // Where some of the dims make up the columns exactly, rows and columns are told apart without division.
      const int dims = static_cast<int>(e.node->view().levels[0].dims.size());
      for (int d = 0; d < dims && kernel_.indices[as_index(result)].split < 0; ++d) {
        const Guard same{
            Guard::Kind::kEqual, {SizeRef::What::kViewTail, n, d}, {SizeRef::What::kCols, request_.domain}};
        if (!same.holds(graph_)) continue;
        request_.guards.push_back(same);
        kernel_.indices[as_index(result)].split = d;
      }
    }
    return result;
  }

  const EmitRequest& request_;
  const Graph& graph_;
  Kernel kernel_;
  int row_index_ = -1;
  std::map<int, int> slots_;
  std::map<std::tuple<Index::Kind, int, int>, int> index_of_;
  std::map<std::pair<int, int>, int> values_;
};

}  // namespace

Kernel emit(const EmitRequest& request) { return Emitter(request).run(); }

}  // namespace tessera::schedule
