// clamp, with PyTorch's gradient at the bounds.
#include "graph/op.h"
#include "ops/gradient.h"

namespace tessera::ops {

NodePtr clamp(const NodePtr& x, const NodePtr& low, const NodePtr& high) {
  NodePtr y = x;
  if (low != nullptr) y = elementwise(Op::kMaximum, {y, low});
  if (high != nullptr) y = elementwise(Op::kMinimum, {y, high});
  std::vector<NodePtr> inputs{x};
  if (low != nullptr) inputs.push_back(low);
  if (high != nullptr) inputs.push_back(high);
  // The bounds are inclusive, as in PyTorch: a value at a bound passes its gradient, and the bound gets none.
  const auto rule = [lower = low != nullptr](const Gradient::Call& call) {
    const NodePtr& v = call.inputs[0];
    const NodePtr l = lower ? call.inputs[1] : nullptr;
    const NodePtr h = call.inputs.size() > (lower ? 2U : 1U) ? call.inputs.back() : nullptr;
    const auto passed = [&](const NodePtr& where) {
      return elementwise(Op::kWhere, {where, call.gradients[0], number(0)});
    };
    const auto both = [](const NodePtr& a, const NodePtr& b) {
      return a == nullptr || b == nullptr ? (a == nullptr ? b : a) : elementwise(Op::kLogicalAnd, {a, b});
    };
    std::vector<NodePtr> result(call.inputs.size());
    const NodePtr above = l == nullptr ? nullptr : elementwise(Op::kGreaterEqual, {v, l});
    const NodePtr below = h == nullptr ? nullptr : elementwise(Op::kLessEqual, {v, h});
    if (const NodePtr inside = both(above, below); v->tracked()) {
      result[0] = inside == nullptr ? call.gradients[0] : passed(inside);
    }
    if (l != nullptr && l->tracked()) {
      const NodePtr ordered = h == nullptr ? nullptr : elementwise(Op::kLess, {l, h});
      result[1] = passed(both(elementwise(Op::kLess, {v, l}), ordered));
    }
    if (h != nullptr && h->tracked()) {
      NodePtr taken = elementwise(Op::kGreater, {v, h});
      if (l != nullptr) taken = elementwise(Op::kLogicalOr, {taken, elementwise(Op::kLess, {h, l})});
      result.back() = passed(taken);
    }
    return result;
  };
  return with_elementwise_gradient("clamp", std::move(inputs), y, rule);
}

}  // namespace tessera::ops
