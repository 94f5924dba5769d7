// The oracle's float ops against numbers written down from NumPy 2 (and SciPy for erf), in f64.
#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "reference/graphs.h"

namespace tessera::reference {
namespace {

struct FloatCase {
  Op op;
  std::vector<double> a;
  std::vector<double> b;  // empty: one operand
  std::vector<double> want;
};

/// The call above a row gives its last list from the others, as float64 arrays.
const std::vector<FloatCase>& float_cases() {
  static const std::vector<FloatCase> cases{
      // np.negative(a)
      {Op::kNegative, {1.5, 0, -0.0, kInf, -kInf, kNan}, {}, {-1.5, -0.0, 0, -kInf, kInf, kNan}},
      // np.abs(a)
      {Op::kAbs, {-1.5, 2, 0, -0.0, kInf, -kInf, kNan}, {}, {1.5, 2, 0, 0, kInf, kInf, kNan}},
      // np.sign(a)
      {Op::kSign, {-1.5, 2, 0, -0.0, kInf, -kInf, kNan}, {}, {-1, 1, 0, 0, 1, -1, kNan}},
      // np.exp(a)
      {Op::kExp,
       {1, -2.5, 710, 0, -0.0, kInf, -kInf, kNan},
       {},
       {2.718281828459045, 0.0820849986238988, kInf, 1, 1, kInf, 0, kNan}},
      // np.expm1(a)
      {Op::kExpm1,
       {1e-10, 1, -40, 0, -0.0, kInf, -kInf, kNan},
       {},
       {1.00000000005e-10, 1.7182818284590453, -1, 0, -0.0, kInf, -1, kNan}},
      // np.log(a)
      {Op::kLog,
       {10, 0.5, 1, -1, 0, -0.0, kInf, -kInf, kNan},
       {},
       {2.302585092994046, -0.6931471805599453, 0, kNan, -kInf, -kInf, kInf, kNan, kNan}},
      // np.log2(a)
      {Op::kLog2,
       {8, 10, 0.1, -1, 0, -0.0, kInf, -kInf, kNan},
       {},
       {3, 3.321928094887362, -3.321928094887362, kNan, -kInf, -kInf, kInf, kNan, kNan}},
      // np.log10(a)
      {Op::kLog10,
       {1000, 2, -1, 0, -0.0, kInf, -kInf, kNan},
       {},
       {3, 0.3010299956639812, kNan, -kInf, -kInf, kInf, kNan, kNan}},
      // np.log1p(a)
      {Op::kLog1p,
       {1e-10, 1, -1, -2, 0, -0.0, kInf, -kInf, kNan},
       {},
       {9.999999999500001e-11, 0.6931471805599453, -kInf, kNan, 0, -0.0, kInf, kNan, kNan}},
      // np.sqrt(a)
      {Op::kSqrt, {2, 9, -1, 0, -0.0, kInf, -kInf, kNan}, {}, {1.4142135623730951, 3, kNan, 0, -0.0, kInf, kNan, kNan}},
      // 1 / np.sqrt(a)
      {Op::kRsqrt,
       {2, 0.25, -1, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.7071067811865475, 2, kNan, kInf, -kInf, 0, kNan, kNan}},
      // np.square(a)
      {Op::kSquare, {-1.5, 1e+200, 0, -0.0, kInf, -kInf, kNan}, {}, {2.25, kInf, 0, 0, kInf, kInf, kNan}},
      // np.reciprocal(a)
      {Op::kReciprocal,
       {3, -0.5, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.3333333333333333, -2, kInf, -kInf, 0, -0.0, kNan}},
      // np.sin(a)
      {Op::kSin,
       {1, -3, 100000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.8414709848078965, -0.1411200080598672, 0.03574879797201651, 0, -0.0, kNan, kNan, kNan}},
      // np.cos(a)
      {Op::kCos,
       {1, -3, 100000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.5403023058681398, -0.9899924966004454, -0.9993608074382124, 1, 1, kNan, kNan, kNan}},
      // np.tan(a)
      {Op::kTan,
       {1, -3, 1.5707963, 0, -0.0, kInf, -kInf, kNan},
       {},
       {1.5574077246549023, 0.1425465430742778, 37320539.634354815, 0, -0.0, kNan, kNan, kNan}},
      // np.arcsin(a)
      {Op::kAsin,
       {0.5, -1, 1.5, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.5235987755982989, -1.5707963267948966, kNan, 0, -0.0, kNan, kNan, kNan}},
      // np.arccos(a)
      {Op::kAcos,
       {0.5, -1, 1, 1.5, 0, -0.0, kInf, -kInf, kNan},
       {},
       {1.0471975511965976, 3.141592653589793, 0, kNan, 1.5707963267948966, 1.5707963267948966, kNan, kNan, kNan}},
      // np.arctan(a)
      {Op::kAtan,
       {0.5, -3, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.4636476090008061, -1.2490457723982544, 0, -0.0, 1.5707963267948966, -1.5707963267948966, kNan}},
      // np.sinh(a)
      {Op::kSinh,
       {0.5, -3, 1000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.5210953054937474, -10.017874927409903, kInf, 0, -0.0, kInf, -kInf, kNan}},
      // np.cosh(a)
      {Op::kCosh,
       {0.5, -3, 1000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {1.1276259652063807, 10.067661995777765, kInf, 1, 1, kInf, kInf, kNan}},
      // np.tanh(a)
      {Op::kTanh,
       {0.5, -3, 1000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.46211715726000974, -0.9950547536867305, 1, 0, -0.0, 1, -1, kNan}},
      // np.arcsinh(a)
      {Op::kAsinh,
       {0.5, -3, 1e+200, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.48121182505960347, -1.8184464592320668, 461.2101657793691, 0, -0.0, kInf, -kInf, kNan}},
      // np.arccosh(a)
      {Op::kAcosh,
       {1, 2.5, 0.5, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0, 1.566799236972411, kNan, kNan, kNan, kInf, kNan, kNan}},
      // np.arctanh(a)
      {Op::kAtanh,
       {0.5, -1, 1, 2, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.5493061443340549, -kInf, kInf, kNan, 0, -0.0, kNan, kNan, kNan}},
      // scipy.special.erf(a)
      {Op::kErf,
       {0.5, -2, 1e-10, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.5204998778130465, -0.9953222650189527, 1.1283791670955126e-10, 0, -0.0, 1, -1, kNan}},
      // scipy.special.erfinv(a)
      {Op::kErfinv,
       {0.5, -0.9, 0.999, 0, -0.0, 1, -1, 2, kNan},
       {},
       {0.4769362762044699, -1.1630871536766743, 2.326753765513525, 0, -0.0, kInf, -kInf, kNan, kNan}},
      // scipy.special.gammaln(a)
      {Op::kLgamma,
       {0.5, 10, -0.5, 1, 2, 0, -1, kInf, kNan},
       {},
       {0.5723649429247001, 12.801827480081469, 1.2655121234846454, 0, 0, kInf, kInf, kInf, kNan}},
      // scipy.special.digamma(a)
      {Op::kDigamma,
       {1, 0.5, 10, -1.5, 0, -0.0, -1, kInf, kNan},
       {},
       {-0.5772156649015329, -1.9635100260214235, 2.251752589066721, 0.7031566406452432, -kInf, kInf, kNan, kInf,
        kNan}},
      // np.signbit(a)
      {Op::kSignBit, {1, -1, 0, -0.0, kInf, -kInf}, {}, {0, 1, 0, 1, 0, 1}},
      // 1 / (1 + np.exp(-a))
      {Op::kSigmoid,
       {1, -3, 1000, -1000, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0.7310585786300049, 0.04742587317756678, 1, 0, 0.5, 0.5, 1, 0, kNan}},
      // a / (1 + np.abs(a))
      {Op::kSoftsign, {1, -3, 0, -0.0, kInf, kNan}, {}, {0.5, -0.75, 0, -0.0, kNan, kNan}},
      // np.floor(a)
      {Op::kFloor, {1.5, -1.5, -0.5, 0, -0.0, kInf, -kInf, kNan}, {}, {1, -2, -1, 0, -0.0, kInf, -kInf, kNan}},
      // np.ceil(a)
      {Op::kCeil, {1.5, -1.5, -0.5, 0, -0.0, kInf, -kInf, kNan}, {}, {2, -1, -0.0, 0, -0.0, kInf, -kInf, kNan}},
      // np.round(a)
      {Op::kRound,
       {0.5, 1.5, 2.5, -0.5, -1.5, 2.6, 0, -0.0, kInf, -kInf, kNan},
       {},
       {0, 2, 2, -0.0, -2, 3, 0, -0.0, kInf, -kInf, kNan}},
      // np.trunc(a)
      {Op::kTrunc, {1.7, -1.7, -0.5, 0, -0.0, kInf, -kInf, kNan}, {}, {1, -1, -0.0, 0, -0.0, kInf, -kInf, kNan}},
      // np.isnan(a)
      {Op::kIsNan, {1, 0, -0.0, kInf, -kInf, kNan}, {}, {0, 0, 0, 0, 0, 1}},
      // np.isinf(a)
      {Op::kIsInf, {1, 0, -0.0, kInf, -kInf, kNan}, {}, {0, 0, 0, 1, 1, 0}},
      // np.isfinite(a)
      {Op::kIsFinite, {1, 0, -0.0, kInf, -kInf, kNan}, {}, {1, 1, 1, 0, 0, 0}},
      // np.logical_not(a)
      {Op::kLogicalNot, {2, 0, -0.0, kInf, -kInf, kNan}, {}, {0, 1, 1, 0, 0, 0}},
      // np.add(a, b)
      {Op::kAdd, {1, kInf, kInf, kNan, -0.0, -0.0}, {2, 1, -kInf, 1, -0.0, 0}, {3, kInf, kNan, kNan, -0.0, 0}},
      // np.subtract(a, b)
      {Op::kSubtract, {1, kInf, kNan, 0, -0.0}, {2, kInf, 1, 0, 0}, {-1, kNan, kNan, 0, -0.0}},
      // np.multiply(a, b)
      {Op::kMultiply, {3, kInf, kNan, -0.0, 1e+200}, {-2, 0, 1, 2, 1e+200}, {-6, kNan, kNan, -0.0, kInf}},
      // np.divide(a, b)
      {Op::kDivide,
       {1, 1, -1, 0, kInf, 1, kNan},
       {3, 0, 0, 0, kInf, -kInf, 1},
       {0.3333333333333333, kInf, -kInf, kNan, kNan, -0.0, kNan}},
      // np.floor_divide(a, b)
      {Op::kFloorDivide,
       {7, -7, 7, -7, 0.3, 1, -1, 0, 5, -5, 5, kInf, kNan, 1, 0, -0.0, 6, 1e+18},
       {2, 2, -2, -2, 0.1, 0, 0, 0, kInf, kInf, -kInf, 2, 2, kNan, -3, 3, -3, 3},
       {3, -4, -4, 3, 2, kInf, -kInf, kNan, 0, -1, -1, kNan, kNan, kNan, -0.0, -0.0, -2, 3.333333333333333e+17}},
      // np.remainder(a, b)
      {Op::kRemainder,
       {7, -7, 7, -7, 0.3, 1, -1, 0, 5, -5, 5, kInf, kNan, 1, 0, -0.0, 6, 1e+18},
       {2, 2, -2, -2, 0.1, 0, 0, 0, kInf, kInf, -kInf, 2, 2, kNan, -3, 3, -3, 3},
       {1, 1, -1, -1, 0.09999999999999998, kNan, kNan, kNan, 5, kInf, -kInf, kNan, kNan, kNan, -0.0, 0, -0.0, 1}},
      // np.power(a, b)
      {Op::kPower,
       {2, -8, -8, kNan, 1, 0, -0.0, -0.0, -0.0, kInf, -kInf, -kInf, 0.5, 0.5, -1, 2, kNan, 2, -2},
       {0.5, 3, 0.3333333333333333, 0, kNan, 0, -1, -2, 3, -1, 3, 2, kInf, -kInf, kInf, 1024, 1, kNan, -3},
       {1.4142135623730951, -512, kNan, 1, 1, 1, -kInf, kInf, -0.0, 0, -kInf, kInf, 0, kInf, 1, kInf, kNan, kNan,
        -0.125}},
      // np.maximum(a, b)
      {Op::kMaximum,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf},
       {2, 2, 2, kNan, kNan, kNan, kInf, kInf}},
      // np.minimum(a, b)
      {Op::kMinimum,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf},
       {1, 1, 2, kNan, kNan, kNan, kInf, -kInf}},
      // np.arctan2(a, b)
      {Op::kAtan2,
       {1, -1, 0, -0.0, 0, -0.0, kInf, kInf, -kInf, 1, 1, kNan},
       {2, -2, 1, -1, -1, 1, kInf, -kInf, 1, kInf, -kInf, 1},
       {0.4636476090008061, -2.677945044588987, 0, -3.141592653589793, 3.141592653589793, -0.0, 0.7853981633974483,
        2.356194490192345, -1.5707963267948966, 0, 3.141592653589793, kNan}},
      // np.equal(a, b)
      {Op::kEqual,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {0, 0, 1, 0, 0, 0, 1, 0, 1}},
      // np.not_equal(a, b)
      {Op::kNotEqual,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {1, 1, 0, 1, 1, 1, 0, 1, 0}},
      // np.less(a, b)
      {Op::kLess,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {1, 0, 0, 0, 0, 0, 0, 1, 0}},
      // np.less_equal(a, b)
      {Op::kLessEqual,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {1, 0, 1, 0, 0, 0, 1, 1, 1}},
      // np.greater(a, b)
      {Op::kGreater,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {0, 1, 0, 0, 0, 0, 0, 0, 0}},
      // np.greater_equal(a, b)
      {Op::kGreaterEqual,
       {1, 2, 2, kNan, 1, kNan, kInf, -kInf, 0},
       {2, 1, 2, 1, kNan, kNan, kInf, kInf, -0.0},
       {0, 1, 1, 0, 0, 0, 1, 0, 1}},
      // np.logical_and(a, b)
      {Op::kLogicalAnd, {0, 0, 2, kNan, -0.0}, {0, 1, -1, 0, kNan}, {0, 0, 1, 0, 0}},
      // np.logical_or(a, b)
      {Op::kLogicalOr, {0, 0, 2, kNan, -0.0}, {0, 1, -1, 0, kNan}, {0, 1, 1, 1, 1}},
      // np.logical_xor(a, b)
      {Op::kLogicalXor, {0, 0, 2, kNan, -0.0}, {0, 1, -1, 0, kNan}, {0, 1, 0, 1, 1}},
  };
  return cases;
}

void expect_close(double got, double want, const std::string& what) {
  if (std::isnan(want) || std::isinf(want) || want == 0) {
    EXPECT_EQ(std::isnan(got), std::isnan(want)) << what;
    if (!std::isnan(want)) {
      EXPECT_EQ(got, want) << what;
      EXPECT_EQ(std::signbit(got), std::signbit(want)) << what;
    }
  } else {
    EXPECT_LE(std::abs(got - want), 1e-15 * std::abs(want)) << what << " got " << got << " want " << want;
  }
}

bool gives_bool(TypeRule rule) {
  return rule == TypeRule::kCompare || rule == TypeRule::kTest || rule == TypeRule::kLogical;
}

TEST(Reference, FloatOpsAgreeWithNumPy) {
  for (const FloatCase& c : float_cases()) {
    const ElementwiseOp& row = elementwise(c.op);
    Graphs g;
    const Shape shape{static_cast<std::int64_t>(c.a.size())};
    Node::Inputs inputs{g.floats(f64, shape, c.a)};
    if (!c.b.empty()) inputs.push_back(g.floats(f64, shape, c.b));
    ASSERT_EQ(static_cast<int>(inputs.size()), row.arity) << row.name;
    const DType dtype = gives_bool(row.rule) ? boolean : f64;
    const Value got = g.value(Graphs::node(c.op, dtype, shape, inputs));
    for (std::size_t k = 0; k < c.want.size(); ++k) {
      const double value = dtype == boolean ? static_cast<double>(got.i[k]) : got.f[k];
      expect_close(value, c.want[k], std::string(row.name) + " at " + std::to_string(k));
    }
  }
}

TEST(Reference, EveryFloatOpHasACase) {
  std::set<Op> seen{Op::kCast, Op::kWhere};  // their tests are among the structural ones
  for (const FloatCase& c : float_cases()) seen.insert(c.op);
  for (const ElementwiseOp& row : elementwise_ops())
    EXPECT_EQ(seen.contains(row.op), row.reference != nullptr) << row.name;
}

TEST(Reference, IntegersBecomeFloatsForFloatOps) {
  Graphs g;
  const NodePtr a = g.integers(i32, {3}, {1, -7, 0});
  const NodePtr b = g.integers(i32, {3}, {4, 2, 0});
  const Value got = g.value(Graphs::node(Op::kDivide, f32, {3}, {a, b}));
  EXPECT_EQ(got.f[0], 0.25);
  EXPECT_EQ(got.f[1], -3.5);
  EXPECT_TRUE(std::isnan(got.f[2]));
}

TEST(Reference, RoundingAfterEachNode) {
  Graphs g;
  const NodePtr big = g.floats(f32, {1}, {16777216});
  const NodePtr one = g.floats(f32, {1}, {1});
  const NodePtr sum = Graphs::node(Op::kAdd, f32, {1}, {big, one});
  const NodePtr back = Graphs::node(Op::kSubtract, f32, {1}, {sum, big});
  EXPECT_EQ(g.value(back, Rounding::kNone).f[0], 1);
  EXPECT_EQ(g.value(back, Rounding::kEachNode).f[0], 0);
}

}  // namespace
}  // namespace tessera::reference
