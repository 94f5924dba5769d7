// The oracle's integer and bool ops against numbers written down from NumPy 2.
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "reference/graphs.h"

namespace tessera::reference {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

struct IntCase {
  Op op;
  DType dtype;
  std::vector<std::int64_t> a;
  std::vector<std::int64_t> b;  // empty: one operand
  std::vector<std::int64_t> want;
};

/// The call above a row gives its last list from the others, as arrays of its dtype; u64 as two's complement.
const std::vector<IntCase>& int_cases() {
  static const std::vector<IntCase> cases{
      // np.negative(a)
      {Op::kNegative, i8, {5, -128}, {}, {-5, -128}},
      {Op::kNegative, u8, {0, 1}, {}, {0, 255}},
      {Op::kNegative, i64, {7, kMin}, {}, {-7, kMin}},
      // np.abs(a)
      {Op::kAbs, i32, {5, -5, -2147483648}, {}, {5, 5, -2147483648}},
      {Op::kAbs, u64, {-1}, {}, {-1}},
      {Op::kAbs, boolean, {0, 1}, {}, {0, 1}},
      // np.sign(a)
      {Op::kSign, i8, {5, -5, 0}, {}, {1, -1, 0}},
      {Op::kSign, u64, {0, -1}, {}, {0, 1}},
      // np.square(a)
      {Op::kSquare, i8, {11, 16, -12}, {}, {121, 0, -112}},
      {Op::kSquare, u64, {8589934593}, {}, {17179869185}},
      // np.floor(a)
      {Op::kFloor, i32, {5, -5, -2147483648}, {}, {5, -5, -2147483648}},
      // np.ceil(a)
      {Op::kCeil, i32, {5, -5, -2147483648}, {}, {5, -5, -2147483648}},
      // np.round(a)
      {Op::kRound, i32, {5, -5, -2147483648}, {}, {5, -5, -2147483648}},
      // np.trunc(a)
      {Op::kTrunc, i32, {5, -5, -2147483648}, {}, {5, -5, -2147483648}},
      // np.isnan(a)
      {Op::kIsNan, i32, {0, -1}, {}, {0, 0}},
      // np.isinf(a)
      {Op::kIsInf, i32, {0, -1}, {}, {0, 0}},
      // np.isfinite(a)
      {Op::kIsFinite, i32, {0, -1}, {}, {1, 1}},
      // np.logical_not(a)
      {Op::kLogicalNot, boolean, {0, 1}, {}, {1, 0}},
      // np.invert(a)
      {Op::kBitwiseNot, u8, {0, 5}, {}, {255, 250}},
      {Op::kBitwiseNot, i64, {0, 5}, {}, {-1, -6}},
      {Op::kBitwiseNot, boolean, {0, 1}, {}, {1, 0}},
      // np.add(a, b)
      {Op::kAdd, i8, {100, -100}, {100, -100}, {-56, 56}},
      {Op::kAdd, u64, {-1}, {2}, {1}},
      {Op::kAdd, i64, {9223372036854775807}, {1}, {kMin}},
      {Op::kAdd, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
      // np.subtract(a, b)
      {Op::kSubtract, u8, {1, 5}, {2, 3}, {255, 2}},
      {Op::kSubtract, i32, {-2147483648}, {1}, {2147483647}},
      // np.multiply(a, b)
      {Op::kMultiply, i16, {300, -300}, {300, 300}, {24464, -24464}},
      {Op::kMultiply, i64, {4611686018427387904, -3}, {3, 5}, {-4611686018427387904, -15}},
      {Op::kMultiply, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
      // np.floor_divide(a, b)
      {Op::kFloorDivide,
       i8,
       {7, -7, 7, -7, 5, -5, -128, 0},
       {2, 2, -2, -2, 0, 0, -1, 0},
       {3, -4, -4, 3, 0, 0, -128, 0}},
      // np.remainder(a, b)
      {Op::kRemainder, i8, {7, -7, 7, -7, 5, -5, -128, 6}, {2, 2, -2, -2, 0, 0, -1, -3}, {1, 1, -1, -1, 0, 0, 0, 0}},
      // np.floor_divide(a, b)
      {Op::kFloorDivide,
       i32,
       {7, -7, 7, -7, 5, -5, -2147483648, 0},
       {2, 2, -2, -2, 0, 0, -1, 0},
       {3, -4, -4, 3, 0, 0, -2147483648, 0}},
      // np.remainder(a, b)
      {Op::kRemainder,
       i32,
       {7, -7, 7, -7, 5, -5, -2147483648, 6},
       {2, 2, -2, -2, 0, 0, -1, -3},
       {1, 1, -1, -1, 0, 0, 0, 0}},
      // np.floor_divide(a, b)
      {Op::kFloorDivide,
       i64,
       {7, -7, 7, -7, 5, -5, kMin, 0},
       {2, 2, -2, -2, 0, 0, -1, 0},
       {3, -4, -4, 3, 0, 0, kMin, 0}},
      // np.remainder(a, b)
      {Op::kRemainder, i64, {7, -7, 7, -7, 5, -5, kMin, 6}, {2, 2, -2, -2, 0, 0, -1, -3}, {1, 1, -1, -1, 0, 0, 0, 0}},
      // np.floor_divide(a, b)
      {Op::kFloorDivide, u64, {-1, 5}, {3, 0}, {6148914691236517205, 0}},
      // np.remainder(a, b)
      {Op::kRemainder, u64, {-1, 5}, {10, 0}, {5, 0}},
      // np.power(a, b)
      {Op::kPower, i8, {2, 2, -3, 0, 5}, {6, 7, 3, 0, 0}, {64, -128, -27, 1, 1}},
      {Op::kPower, u64, {3, 2}, {50, 64}, {6048575297968530377, 0}},
      {Op::kPower, i64, {-7}, {21}, {-558545864083284007}},
      // NumPy refuses negative exponents: 1 / a ** -b, truncated.
      {Op::kPower, i32, {2, 1, -1, -1, 0, -5}, {-1, -5, -3, -2, -1, -1}, {0, 1, -1, 1, 0, 0}},
      // np.maximum(a, b)
      {Op::kMaximum, i64, {-1, 5}, {1, -5}, {1, 5}},
      {Op::kMaximum, u64, {-1, 5}, {1, 7}, {-1, 7}},
      {Op::kMaximum, boolean, {0, 0, 1}, {0, 1, 1}, {0, 1, 1}},
      // np.minimum(a, b)
      {Op::kMinimum, i64, {-1, 5}, {1, -5}, {-1, -5}},
      {Op::kMinimum, u64, {-1, 5}, {1, 7}, {1, 5}},
      {Op::kMinimum, boolean, {0, 0, 1}, {0, 1, 1}, {0, 0, 1}},
      // np.equal(a, b)
      {Op::kEqual, i32, {-1, 1, 2}, {1, -1, 2}, {0, 0, 1}},
      {Op::kEqual, u64, {-1, 1}, {1, -1}, {0, 0}},
      // np.not_equal(a, b)
      {Op::kNotEqual, i32, {-1, 1, 2}, {1, -1, 2}, {1, 1, 0}},
      {Op::kNotEqual, u64, {-1, 1}, {1, -1}, {1, 1}},
      // np.less(a, b)
      {Op::kLess, i32, {-1, 1, 2}, {1, -1, 2}, {1, 0, 0}},
      {Op::kLess, u64, {-1, 1}, {1, -1}, {0, 1}},
      // np.less_equal(a, b)
      {Op::kLessEqual, i32, {-1, 1, 2}, {1, -1, 2}, {1, 0, 1}},
      {Op::kLessEqual, u64, {-1, 1}, {1, -1}, {0, 1}},
      // np.greater(a, b)
      {Op::kGreater, i32, {-1, 1, 2}, {1, -1, 2}, {0, 1, 0}},
      {Op::kGreater, u64, {-1, 1}, {1, -1}, {1, 0}},
      // np.greater_equal(a, b)
      {Op::kGreaterEqual, i32, {-1, 1, 2}, {1, -1, 2}, {0, 1, 1}},
      {Op::kGreaterEqual, u64, {-1, 1}, {1, -1}, {1, 0}},
      // np.logical_and(a, b)
      {Op::kLogicalAnd, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
      // np.logical_or(a, b)
      {Op::kLogicalOr, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
      // np.logical_xor(a, b)
      {Op::kLogicalXor, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}},
      // np.bitwise_and(a, b)
      {Op::kBitwiseAnd, i8, {12, -1}, {10, 7}, {8, 7}},
      {Op::kBitwiseAnd, u64, {-9223372036854775803}, {-9223372036854775805}, {-9223372036854775807}},
      {Op::kBitwiseAnd, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
      // np.bitwise_or(a, b)
      {Op::kBitwiseOr, i8, {12, -1}, {10, 7}, {14, -1}},
      {Op::kBitwiseOr, u64, {-9223372036854775803}, {-9223372036854775805}, {-9223372036854775801}},
      {Op::kBitwiseOr, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
      // np.bitwise_xor(a, b)
      {Op::kBitwiseXor, i8, {12, -1}, {10, 7}, {6, -8}},
      {Op::kBitwiseXor, u64, {-9223372036854775803}, {-9223372036854775805}, {6}},
      {Op::kBitwiseXor, boolean, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}},
      // np.signbit(a)
      {Op::kSignBit, i8, {-1, 0, 5}, {}, {1, 0, 0}},
      {Op::kSignBit, u64, {-1, 0}, {}, {0, 0}},
      // np.gcd(a, b)
      {Op::kGcd, i32, {12, -12, 0, 7, 0, 17}, {18, 18, 5, 0, 0, 5}, {6, 6, 5, 7, 0, 1}},
      {Op::kGcd, u64, {-1}, {3}, {3}},
      {Op::kCheckIndex, i32, {0, -1, 4, -5}, {5, 5, 5, 5}, {0, 4, 4, 0}},
      // np.left_shift(a, b)
      {Op::kLeftShift, i8, {1, 3, 1, 1, -1, 1}, {3, 6, 7, 8, 100, -1}, {8, -64, -128, 0, 0, 0}},
      {Op::kLeftShift, u64, {3, 1}, {63, 64}, {kMin, 0}},
      {Op::kLeftShift, i64, {3, -1, 1}, {62, 63, 64}, {-4611686018427387904, kMin, 0}},
      // np.right_shift(a, b)
      {Op::kRightShift, i8, {-128, 127, -1, 1, -5, 5}, {3, 3, 7, 8, 100, -1}, {-16, 15, -1, 0, -1, 0}},
      {Op::kRightShift, u64, {-1, 5}, {63, 64}, {1, 0}},
      {Op::kRightShift, i64, {kMin, kMin, 7}, {62, 64, 64}, {-2, -1, 0}},
  };
  return cases;
}

TEST(Reference, IntegerOpsAgreeWithNumPy) {
  for (const IntCase& c : int_cases()) {
    const ElementwiseOp& row = elementwise(c.op);
    Graphs g;
    const Shape shape{static_cast<std::int64_t>(c.a.size())};
    Node::Inputs inputs{g.integers(c.dtype, shape, c.a)};
    if (!c.b.empty()) inputs.push_back(g.integers(c.dtype, shape, c.b));
    ASSERT_EQ(static_cast<int>(inputs.size()), row.arity) << row.name;
    const bool to_bool = row.rule == TypeRule::kCompare || row.rule == TypeRule::kTest;
    const Value got = g.value(Graphs::node(c.op, to_bool ? boolean : c.dtype, shape, inputs));
    EXPECT_EQ(got.i, c.want) << row.name << " of " << name(c.dtype);
  }
}

TEST(Reference, EveryIntegerOpHasACase) {
  std::set<Op> seen{Op::kCast, Op::kWhere};  // their tests are among the structural ones
  for (const IntCase& c : int_cases()) seen.insert(c.op);
  for (const ElementwiseOp& row : elementwise_ops()) {
    EXPECT_EQ(seen.contains(row.op), row.reference_int != nullptr) << row.name;
  }
}

}  // namespace
}  // namespace tessera::reference
