// The search for the op that made the first NaN or infinity of some results: they are computed op by op, in the order
// in which the ops were recorded, and the values that are not finite are followed back.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/gradient.h"
#include "graph/node_log.h"
#include "graph/op.h"
#include "ops/autocast.h"
#include "runtime/eval/evaluate.h"
#include "runtime/registry.h"
#include "tessera/async.h"
#include "tessera/explain.h"
#include "tessera/grad.h"
#include "tessera/ops.h"

namespace tessera::detail {

namespace {

/// Of a tensor: all elements are finite, some are infinite, some are NaN.
enum Code : std::uint8_t { kFinite = 0, kInfinite = 1, kNan = 2 };

enum class Kind : std::uint8_t {
  kLeaf,      // an input, a number, random bits
  kThrough,   // elements of its first operand: a view or a mark
  kComputed,  // an op
};

bool may_be_infinite(DType t) { return is_float(t) || is_complex(t); }

/// A Code, as an i32 on the device.
Tensor code_of(const Tensor& x) { return max(isnan(x).astype(i32) * 2 + isinf(x).astype(i32)).eval(); }

struct Item {
  NodePtr node;
  Kind kind = Kind::kLeaf;
  std::vector<int> inputs = {};         // operands, as positions in the list
  const NodeLog::Made* made = nullptr;  // null: created before the recording
  std::size_t group = 0;
  Code code = kFinite;
  std::vector<std::pair<int, Code>> operand_codes = {};  // kWhere: of what is selected from an operand
  int uses = 0;                                          // by items that are not computed yet
  NodePtr value = nullptr;                               // evaluated, or a view of something that is
};

/// A tensor that no recorded op made, and no number.
bool is_input(const Item& item) { return item.kind == Kind::kLeaf && item.node->op() != Op::kScalar; }

/// A copy of the node with other inputs, which nothing else refers to: a call has this result alone.
NodePtr copy_with(const Node& n, Node::Inputs inputs) {
  const auto made = [&](Attrs attrs) {
    return std::make_shared<const Node>(n.op(), n.dtype(), n.shape(), n.device(), std::move(inputs), std::move(attrs));
  };
  if (n.op() == Op::kCall) {
    const auto call = std::make_shared<Call>(*n.call().call);
    call->results.assign(call->outputs.size(), {});
    NodePtr result = made(CallResult{call, n.call().output});
    call->results[as_index(n.call().output)] = result;
    return result;
  }
  if (n.op() == Op::kCustom) {
    const auto call = std::make_shared<CustomCall>(*n.custom().call);
    call->results.assign(call->outputs.size(), {});
    NodePtr result = made(CustomResult{call, n.custom().output});
    call->results[as_index(n.custom().output)] = result;
    return result;
  }
  return made(n.attrs());
}

std::string number_text(const Tensor& x) {
  if (is_complex(x.dtype())) {
    const std::complex<double> v = x.item<std::complex<double>>();
    return fmt::format("{}{:+}i", v.real(), v.imag());
  }
  const double v = (is_float(x.dtype()) ? x : x.astype(f32)).item();
  return std::isnan(v) ? "nan" : fmt::format("{:.6g}", v);  // without the sign
}

/// "-inf at [3, 7] of [8, 16] f32": the first element that is not finite, or that is NaN.
std::string first_element_of(const Tensor& x, bool nan = false) {
  const Tensor flat = x.reshape({x.numel()});
  const auto at = argmax((nan ? isnan(flat) : logical_not(isfinite(flat))).astype(i32)).item<std::int64_t>();
  const std::string value = number_text(slice(flat, {Slice{at, at + 1}}).reshape({}));
  if (x.rank() == 0) return fmt::format("{}, a single {}", value, name(x.dtype()));
  std::vector<std::int64_t> position(as_index(x.rank()));
  std::int64_t rest = at;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    position[as_index(axis)] = rest % x.size(axis);
    rest /= x.size(axis);
  }
  return fmt::format("{} at [{}] of {} {}", value, fmt::join(position, ", "), x.shape().str(), name(x.dtype()));
}

/// "ranges from 0 to 1", "is 0".
std::string range_of(const Tensor& x) {
  if (x.numel() == 0) return "is empty";
  if (is_complex(x.dtype()) || is_block(x.dtype()))
    return fmt::format("has the shape {} and the type {}", x.shape().str(), name(x.dtype()));
  const Tensor wide = x.dtype() == boolean ? x.astype(i32) : x;
  const std::string low = number_text(min(wide));
  const std::string high = number_text(max(wide));
  return low == high ? "is " + low : fmt::format("ranges from {} to {}", low, high);
}

/// The graph of the results, and its values op by op.
class Search {
 public:
  Search(const NodeLog& log, std::span<const std::vector<Tensor>> groups, std::span<const Tensor> known) : log_(log) {
    for (std::size_t k = 0; k < known.size(); ++k) known_.emplace(known[k].node().get(), static_cast<int>(k));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::vector<int>& roots = roots_.emplace_back();
      for (const Tensor& t : groups[g]) {
        if (!t.defined()) {
          roots.push_back(-1);
          continue;
        }
        roots.push_back(add(t.node(), g));
        if (fallback_ == nullptr) fallback_ = t.node()->device();
      }
    }
    if (fallback_ == nullptr) fallback_ = runtime::default_device();
    sort();
  }

  NonFinite run() {
    count_uses(all());
    for (std::size_t g = 0; g < roots_.size(); ++g) {
      std::vector<int> group;
      for (int i = 0; i < size(); ++i) {
        if (items_[as_index(i)].group == g) group.push_back(i);
      }
      compute(group, true);
      read_codes();
      const auto bad = std::ranges::find_if(
          roots_[g], [&](int root) { return root >= 0 && items_[as_index(root)].code != kFinite; });
      if (bad == roots_[g].end()) continue;
      NonFinite result = origin(roots_[g]);
      result.found = true;
      result.group = g;
      result.root = static_cast<std::size_t>(bad - roots_[g].begin());
      return result;
    }
    return {};
  }

 private:
  [[nodiscard]] int size() const { return static_cast<int>(items_.size()); }
  [[nodiscard]] std::vector<int> all() const {
    std::vector<int> positions(items_.size());
    for (int i = 0; i < size(); ++i) positions[as_index(i)] = i;
    return positions;
  }

  /// The operands that the search follows.
  std::pair<Kind, std::shared_ptr<const Node::Inputs>> operands_of(const Node& n, const NodeLog::Made* made) const {
    if (is_leaf(n.op()) || is_block(n.dtype()) || known_.contains(&n)) return {Kind::kLeaf, nullptr};
    auto inputs = n.inputs();
    if (inputs == nullptr && made != nullptr) inputs = made->inputs;
    if (inputs == nullptr || inputs->empty()) return {Kind::kLeaf, nullptr};
    if (n.op() != Op::kView && n.op() != Op::kMark) return {Kind::kComputed, std::move(inputs)};
    return {Kind::kThrough, std::make_shared<const Node::Inputs>(Node::Inputs{inputs->front()})};
  }

  /// Adds a node and what it depends on, operands first. Iterative: depth costs no stack.
  int add(const NodePtr& root, std::size_t group) {
    struct Frame {
      NodePtr node;
      const NodeLog::Made* made;
      Kind kind;
      std::shared_ptr<const Node::Inputs> inputs;
      std::size_t next = 0;
    };
    std::vector<Frame> stack;
    const auto enter = [&](const NodePtr& n) {
      if (!position_.emplace(n.get(), -1).second) return;
      const NodeLog::Made* made = log_.find(n.get());
      auto [kind, inputs] = operands_of(*n, made);
      stack.push_back({n, made, kind, std::move(inputs)});
    };
    enter(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.inputs != nullptr && top.next < top.inputs->size()) {
        const NodePtr next = (*top.inputs)[top.next++];
        enter(next);
        continue;
      }
      Item item{.node = top.node, .kind = top.kind, .made = top.made, .group = group};
      if (top.inputs != nullptr) {
        for (const NodePtr& in : *top.inputs) item.inputs.push_back(position_.at(in.get()));
      }
      position_[top.node.get()] = size();
      items_.push_back(std::move(item));
      stack.pop_back();
    }
    return position_.at(root.get());
  }

  /// In the order of creation; what was there before the recording comes first.
  void sort() {
    std::vector<int> order = all();
    std::ranges::stable_sort(order, {}, [&](int i) {
      const NodeLog::Made* made = items_[as_index(i)].made;
      return made != nullptr ? made->order + 1 : 0;
    });
    std::vector<int> at(items_.size());
    std::vector<Item> sorted;
    for (std::size_t k = 0; k < order.size(); ++k) at[as_index(order[k])] = static_cast<int>(k);
    for (const int i : order) sorted.push_back(std::move(items_[as_index(i)]));
    for (Item& item : sorted) {
      for (int& in : item.inputs) in = at[as_index(in)];
    }
    for (std::vector<int>& roots : roots_) {
      for (int& root : roots) root = root < 0 ? -1 : at[as_index(root)];
    }
    items_ = std::move(sorted);
  }

  void count_uses(std::span<const int> positions) {
    for (Item& item : items_) item.uses = 0;
    for (const int i : positions) {
      for (const int in : items_[as_index(i)].inputs) ++items_[as_index(in)].uses;
    }
  }

  void make_value(Item& item) {
    const Node& n = *item.node;
    if (item.kind == Kind::kLeaf || n.storage() != nullptr) {
      item.value = item.node;
      return;
    }
    Node::Inputs inputs;
    for (const int in : item.inputs) inputs.push_back(items_[as_index(in)].value);
    if (n.op() == Op::kMark) {
      item.value = inputs.front();
      return;
    }
    item.value = copy_with(n, std::move(inputs));
    if (item.kind == Kind::kComputed) runtime::evaluate(std::span(&item.value, 1), fallback_);
  }

  /// Computes items whose operands have values, and drops values that nothing else needs.
  void compute(std::span<const int> positions, bool with_codes) {
    for (const int i : positions) {
      Item& item = items_[as_index(i)];
      make_value(item);
      if (with_codes) ask_codes(i);
      for (const int in : item.inputs) {
        if (--items_[as_index(in)].uses == 0) items_[as_index(in)].value = nullptr;
      }
      if (item.uses == 0 && with_codes) item.value = nullptr;
    }
  }

  void ask_codes(int i) {
    Item& item = items_[as_index(i)];
    const Node& n = *item.node;
    if (!may_be_infinite(n.dtype()) || is_block(n.dtype()) || n.numel() == 0) return;
    if (n.op() == Op::kScalar) {
      const std::complex<double> v = n.scalar().as_complex();
      const bool nan = std::isnan(v.real()) || std::isnan(v.imag());
      const bool infinite = std::isinf(v.real()) || std::isinf(v.imag());
      item.code = nan ? kNan : (infinite ? kInfinite : kFinite);
      return;
    }
    if (n.op() == Op::kIota) return;
    if (item.kind == Kind::kThrough && (n.op() == Op::kMark || n.view().identity())) {
      same_as_.emplace_back(i, item.inputs.front());
      return;
    }
    asked_.push_back({i, -1, code_of(Tensor(item.value))});
    if (n.op() != Op::kWhere || item.kind != Kind::kComputed) return;
    const auto operand = [&](std::size_t k) { return Tensor(items_[as_index(item.inputs[k])].value); };
    asked_.push_back({i, item.inputs[1], code_of(where(operand(0), operand(1), 0.0))});
    asked_.push_back({i, item.inputs[2], code_of(where(operand(0), 0.0, operand(2)))});
  }

  void read_codes() {
    std::vector<Tensor> tensors;
    for (const Asked& a : asked_) tensors.push_back(a.code);
    std::vector<std::vector<std::byte>> bytes;
    if (!tensors.empty()) bytes = read_all(tensors).get();
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      std::int32_t code = 0;
      std::memcpy(&code, bytes[k].data(), sizeof code);
      Item& item = items_[as_index(asked_[k].item)];
      if (asked_[k].operand < 0) {
        item.code = static_cast<Code>(code);
      } else {
        item.operand_codes.emplace_back(asked_[k].operand, static_cast<Code>(code));
      }
    }
    for (const auto& [i, of] : same_as_) items_[as_index(i)].code = items_[as_index(of)].code;
    asked_.clear();
    same_as_.clear();
  }

  [[nodiscard]] Code operand_code(const Item& item, int operand) const {
    const auto it = std::ranges::find(item.operand_codes, operand, &std::pair<int, Code>::first);
    return it != item.operand_codes.end() ? it->second : items_[as_index(operand)].code;
  }

  /// Follows what is not finite from the roots back to its origins.
  NonFinite origin(std::span<const int> roots) {
    int maker = -1;     // an op whose operands are finite
    int born = -1;      // an op that makes a NaN of infinities
    int nan_leaf = -1;  // an input with a NaN
    int leaf = -1;      // another one, or a number
    int known_leaf = -1;
    const auto earliest = [](int& at, int i) { at = at < 0 ? i : std::min(at, i); };
    const auto is_known = [&](const Item& item) { return known_.contains(item.node.get()); };
    std::vector<char> seen(items_.size(), 0);
    std::vector<int> stack;
    const auto enter = [&](int i) {
      if (std::exchange(seen[as_index(i)], 1) == 0) stack.push_back(i);
    };
    for (const int root : roots) {
      if (root >= 0 && items_[as_index(root)].code != kFinite) enter(root);
    }
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      const Item& item = items_[as_index(i)];
      Code worst = kFinite;  // of the operands
      for (const int in : item.inputs) {
        const Code code = operand_code(item, in);
        worst = std::max(worst, code);
        if (code != kFinite) enter(in);
      }
      if (item.code == kNan && worst == kInfinite && item.kind == Kind::kComputed) earliest(born, i);
      if (worst != kFinite) continue;
      if (item.kind == Kind::kComputed) {
        earliest(maker, i);
      } else if (is_known(item)) {
        earliest(known_leaf, i);
      } else if (item.code == kNan && is_input(item)) {
        earliest(nan_leaf, i);
      } else {
        earliest(leaf, i);
      }
    }
    NonFinite result;
    int at = leaf;
    for (const int better : {born, maker, nan_leaf, known_leaf}) at = better >= 0 ? better : at;
    describe(at, result);
    if (at == known_leaf) result.known = known_.at(items_[as_index(at)].node.get());
    return result;
  }

  void describe(int at, NonFinite& result) {
    // The values again, of what it depends on.
    std::vector<char> needed(items_.size(), 0);
    needed[as_index(at)] = 1;
    std::vector<int> positions;
    for (int i = at; i >= 0; --i) {
      if (needed[as_index(i)] == 0) continue;
      positions.push_back(i);
      for (const int in : items_[as_index(i)].inputs) needed[as_index(in)] = 1;
    }
    std::ranges::reverse(positions);
    for (Item& item : items_) item.value = nullptr;
    count_uses(positions);
    for (const int in : items_[as_index(at)].inputs) ++items_[as_index(in)].uses;
    compute(positions, false);

    const Item& item = items_[as_index(at)];
    if (item.kind == Kind::kComputed) {
      result.op = op_name_of(*item.node);
      if (item.made != nullptr) {
        result.label = item.made->label;
        result.backward = item.made->gradient_of != nullptr;
        if (result.backward) result.gradient_of = *item.made->gradient_of;
      }
      // Integers beside floats are positions, masks and words of quantized blocks.
      const auto is_number = [&](int in) { return may_be_infinite(items_[as_index(in)].node->dtype()); };
      const bool any = std::ranges::any_of(item.inputs, is_number);
      std::vector<int> listed;
      for (const int in : item.inputs) {
        if ((any && !is_number(in)) || std::ranges::find(listed, in) != listed.end() || listed.size() == 3) continue;
        listed.push_back(in);
        const Tensor operand(items_[as_index(in)].value);
        const bool infinite = operand_code(item, in) != kFinite;
        result.from_infinite = result.from_infinite || infinite;
        result.operands.push_back(infinite ? "has " + first_element_of(operand) : range_of(operand));
      }
    } else {
      result.op = is_input(item) ? "input" : "constant";
    }
    result.value = first_element_of(Tensor(item.value), result.from_infinite);
  }

  struct Asked {
    int item;
    int operand;  // -1: of the item itself
    Tensor code;
  };

  const NodeLog& log_;
  std::unordered_map<const Node*, int> known_;
  std::vector<Item> items_;  // each after its operands
  std::vector<std::vector<int>> roots_;
  std::unordered_map<const Node*, int> position_;  // before sort()
  std::vector<Asked> asked_;
  std::vector<std::pair<int, int>> same_as_;
  std::shared_ptr<runtime::Device> fallback_;
};

}  // namespace

struct OpLog::State {
  NodeLog log;
};

OpLog::OpLog() : state_(std::make_unique<State>()) {}
OpLog::~OpLog() = default;
int OpLog::set_label(int label) { return state_->log.set_label(label); }

NonFinite OpLog::first_non_finite(std::span<const std::vector<Tensor>> groups, std::span<const Tensor> known) {
  state_->log.stop();
  const NoGrad untracked;
  const ops::AutocastScope as_recorded(std::nullopt);
  return Search(state_->log, groups, known).run();
}

}  // namespace tessera::detail
