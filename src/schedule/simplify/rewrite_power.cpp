// Rewrite rule: a power with a small constant exponent becomes multiplications, a reciprocal or a root, with the same
// results for infinities, both zeros and NaN.
#include <array>
#include <limits>

#include "schedule/simplify/rewriter.h"

namespace tessera::schedule {

namespace {

constexpr std::array kExponents{0.0, 1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 0.5, -0.5};

bool matches(const Rewriter& out, const Graph::Entry& e) {
  return e.op() == Op::kPower && is_float(e.node->dtype()) && constant(out.graph(), e.inputs[1]) != nullptr;
}

bool legal(const Rewriter& out, const Graph::Entry& e) {
  return std::ranges::find(kExponents, constant(out.graph(), e.inputs[1])->as_double()) != kExponents.end();
}

int rewrite(Rewriter& out, const Graph::Entry& e) {
  const double exponent = constant(out.graph(), e.inputs[1])->as_double();
  const int x = e.inputs[0];
  const DType t = e.node->dtype();
  const Shape& shape = e.node->shape();
  const auto op = [&](Op o, std::vector<int> inputs, DType dtype) {
    return out.make(o, dtype, shape, std::move(inputs));
  };
  const auto number = [&](double v) {
    const int scalar = out.make(Op::kScalar, t, {}, {}, Scalar{v});
    return out.make_view_of(scalar, {{shape.numel(), 0}}, out.split(scalar), shape);
  };
  const auto square = [&](int v) { return op(Op::kMultiply, {v, v}, t); };
  const auto reciprocal = [&](int v) { return op(Op::kReciprocal, {v}, t); };
  // A power of -0 is 0, and of -infinity infinity, where roots are -0 and NaN.
  const auto root = [&] {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const int lowest = op(Op::kEqual, {x, number(-kInfinity)}, DType::kBool);
    return op(Op::kWhere, {lowest, number(kInfinity), op(Op::kAdd, {op(Op::kSqrt, {x}, t), number(0)}, t)}, t);
  };
  if (exponent == 0) return number(1);
  if (exponent == 1) return x;
  if (exponent == 2) return square(x);
  if (exponent == 3) return op(Op::kMultiply, {square(x), x}, t);
  if (exponent == 4) return square(square(x));
  if (exponent == -1) return reciprocal(x);
  if (exponent == -2) return square(reciprocal(x));
  return exponent == 0.5 ? root() : reciprocal(root());
}

}  // namespace

extern const RewriteRule kPower{"power with a constant exponent", matches, legal, rewrite};

}  // namespace tessera::schedule
