// The rows of the elementwise table: NumPy's meaning of each op, in WGSL and for the oracle.
#include "ops/elementwise.h"

#include <array>
#include <bit>
#include <cmath>

#include "ops/elementwise_cpu.h"

namespace tessera {
namespace {

using D = const double*;
using I = const std::int64_t*;

std::uint64_t bits(std::int64_t v) { return std::bit_cast<std::uint64_t>(v); }
double flag(bool v) { return v ? 1 : 0; }
std::int64_t wrap(std::uint64_t v) { return std::bit_cast<std::int64_t>(v); }

double maximum(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double minimum(double a, double b) { return std::isnan(a) || a < b ? a : b; }

double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_divide(double a, double b) {
  if (b == 0) return a / b;
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  return std::round(quotient);
}

bool less(I a, bool u) { return u ? bits(a[0]) < bits(a[1]) : a[0] < a[1]; }

std::int64_t floor_divide(I a, bool u) {
  if (a[1] == 0) return 0;
  if (u) return wrap(bits(a[0]) / bits(a[1]));
  if (a[1] == -1) return wrap(0 - bits(a[0]));
  const std::int64_t quotient = a[0] / a[1];
  return a[0] % a[1] != 0 && (a[0] < 0) != (a[1] < 0) ? quotient - 1 : quotient;
}

std::int64_t remainder(I a, bool u) { return a[1] == 0 ? 0 : wrap(bits(a[0]) - bits(floor_divide(a, u)) * bits(a[1])); }

std::int64_t power(I a, bool u) {
  if (!u && a[1] < 0) {
    if (a[0] == -1) return (a[1] & 1) != 0 ? -1 : 1;
    return a[0] == 1 ? 1 : 0;
  }
  std::uint64_t result = 1;
  std::uint64_t base = bits(a[0]);
  for (std::uint64_t e = bits(a[1]); e != 0; e >>= 1U, base *= base) {
    if ((e & 1U) != 0) result *= base;
  }
  return wrap(result);
}

std::int64_t left_shift(I a, bool) { return bits(a[1]) < 64 ? wrap(bits(a[0]) << bits(a[1])) : 0; }

std::int64_t right_shift(I a, bool u) {
  if (u) return bits(a[1]) < 64 ? wrap(bits(a[0]) >> bits(a[1])) : 0;
  if (bits(a[1]) < 64) return a[0] >> a[1];
  return a[0] < 0 ? -1 : 0;
}

std::int64_t sign(I a, bool u) { return u ? std::int64_t{a[0] != 0} : std::int64_t{a[0] > 0} - std::int64_t{a[0] < 0}; }
std::int64_t same(I a, bool) { return a[0]; }
std::int64_t never(I, bool) { return 0; }

using enum TypeRule;

constexpr std::array kElementwise{
    ElementwiseOp{Op::kCast, "cast", 1, kCast, "", "", [](D a) { return a[0]; }, same, nullptr},

    ElementwiseOp{Op::kNegative, "negative", 1, kNumeric, "(-$0)", "($T(0) - $0)", [](D a) { return -a[0]; },
                  [](I a, bool) { return wrap(0 - bits(a[0])); }, cpu::negative},
    ElementwiseOp{Op::kAbs, "abs", 1, kSame, "abs($0)", "=", [](D a) { return std::abs(a[0]); },
                  [](I a, bool u) { return !u && a[0] < 0 ? wrap(0 - bits(a[0])) : a[0]; }, cpu::abs},
    ElementwiseOp{Op::kSign, "sign", 1, kNumeric, "sign_f32($0)", "$T_sign($0)",
                  [](D a) { return std::isnan(a[0]) ? a[0] : flag(a[0] > 0) - flag(a[0] < 0); }, sign, cpu::sign},

    ElementwiseOp{Op::kExp, "exp", 1, kFloat, "exp_f32($0)", "", [](D a) { return std::exp(a[0]); }, nullptr, cpu::exp},
    ElementwiseOp{Op::kExpm1, "expm1", 1, kFloat, "expm1_f32($0)", "", [](D a) { return std::expm1(a[0]); }, nullptr,
                  cpu::expm1},
    ElementwiseOp{Op::kLog, "log", 1, kFloat, "log_f32($0)", "", [](D a) { return std::log(a[0]); }, nullptr, cpu::log},
    ElementwiseOp{Op::kLog2, "log2", 1, kFloat, "log2_f32($0)", "", [](D a) { return std::log2(a[0]); }, nullptr,
                  cpu::log2},
    ElementwiseOp{Op::kLog10, "log10", 1, kFloat, "log10_f32($0)", "", [](D a) { return std::log10(a[0]); }, nullptr,
                  cpu::log10},
    ElementwiseOp{Op::kLog1p, "log1p", 1, kFloat, "log1p_f32($0)", "", [](D a) { return std::log1p(a[0]); }, nullptr,
                  cpu::log1p},
    ElementwiseOp{Op::kSqrt, "sqrt", 1, kFloat, "sqrt($0)", "", [](D a) { return std::sqrt(a[0]); }, nullptr,
                  cpu::sqrt},
    ElementwiseOp{Op::kRsqrt, "rsqrt", 1, kFloat, "inverseSqrt($0)", "", [](D a) { return 1 / std::sqrt(a[0]); },
                  nullptr, cpu::rsqrt},
    ElementwiseOp{Op::kSquare, "square", 1, kSame, "($0 * $0)", "=", [](D a) { return a[0] * a[0]; },
                  [](I a, bool) { return wrap(bits(a[0]) * bits(a[0])); }, cpu::square},
    ElementwiseOp{Op::kReciprocal, "reciprocal", 1, kFloat, "(1.0 / $0)", "", [](D a) { return 1 / a[0]; }, nullptr,
                  cpu::reciprocal},

    ElementwiseOp{Op::kSin, "sin", 1, kFloat, "sin_f32($0)", "", [](D a) { return std::sin(a[0]); }, nullptr, cpu::sin},
    ElementwiseOp{Op::kCos, "cos", 1, kFloat, "cos_f32($0)", "", [](D a) { return std::cos(a[0]); }, nullptr, cpu::cos},
    ElementwiseOp{Op::kTan, "tan", 1, kFloat, "tan_f32($0)", "", [](D a) { return std::tan(a[0]); }, nullptr, cpu::tan},
    ElementwiseOp{Op::kAsin, "asin", 1, kFloat, "asin_f32($0)", "", [](D a) { return std::asin(a[0]); }, nullptr,
                  cpu::asin},
    ElementwiseOp{Op::kAcos, "acos", 1, kFloat, "acos_f32($0)", "", [](D a) { return std::acos(a[0]); }, nullptr,
                  cpu::acos},
    ElementwiseOp{Op::kAtan, "atan", 1, kFloat, "atan_f32($0)", "", [](D a) { return std::atan(a[0]); }, nullptr,
                  cpu::atan},
    ElementwiseOp{Op::kSinh, "sinh", 1, kFloat, "sinh_f32($0)", "", [](D a) { return std::sinh(a[0]); }, nullptr,
                  cpu::sinh},
    ElementwiseOp{Op::kCosh, "cosh", 1, kFloat, "cosh_f32($0)", "", [](D a) { return std::cosh(a[0]); }, nullptr,
                  cpu::cosh},
    ElementwiseOp{Op::kTanh, "tanh", 1, kFloat, "tanh_f32($0)", "", [](D a) { return std::tanh(a[0]); }, nullptr,
                  cpu::tanh},
    ElementwiseOp{Op::kAsinh, "asinh", 1, kFloat, "asinh_f32($0)", "", [](D a) { return std::asinh(a[0]); }, nullptr,
                  cpu::asinh},
    ElementwiseOp{Op::kAcosh, "acosh", 1, kFloat, "acosh_f32($0)", "", [](D a) { return std::acosh(a[0]); }, nullptr,
                  cpu::acosh},
    ElementwiseOp{Op::kAtanh, "atanh", 1, kFloat, "atanh_f32($0)", "", [](D a) { return std::atanh(a[0]); }, nullptr,
                  cpu::atanh},
    ElementwiseOp{Op::kErf, "erf", 1, kFloat, "erf_f32($0)", "", [](D a) { return std::erf(a[0]); }, nullptr, cpu::erf},
    ElementwiseOp{Op::kSigmoid, "sigmoid", 1, kFloat, "sigmoid_f32($0)", "",
                  [](D a) { return 1 / (1 + std::exp(-a[0])); }, nullptr, cpu::sigmoid},

    ElementwiseOp{Op::kSoftsign, "softsign", 1, kFloat, "divide_f32($0, 1.0 + abs($0))", "",
                  [](D a) { return a[0] / (1 + std::fabs(a[0])); }, nullptr,
                  cpu::each<[](auto x) { return x / (1 + (x < 0 ? -x : x)); }>},
    ElementwiseOp{Op::kFloor, "floor", 1, kSame, "floor($0)", "$0", [](D a) { return std::floor(a[0]); }, same,
                  cpu::floor},
    ElementwiseOp{Op::kCeil, "ceil", 1, kSame, "ceil($0)", "$0", [](D a) { return std::ceil(a[0]); }, same, cpu::ceil},
    ElementwiseOp{Op::kRound, "round", 1, kSame, "round($0)", "$0", [](D a) { return std::nearbyint(a[0]); }, same,
                  cpu::round},
    ElementwiseOp{Op::kTrunc, "trunc", 1, kSame, "trunc($0)", "$0", [](D a) { return std::trunc(a[0]); }, same,
                  cpu::trunc},

    ElementwiseOp{Op::kIsNan, "isnan", 1, kTest, "is_nan_f32($0)", "false", [](D a) { return flag(std::isnan(a[0])); },
                  never, cpu::isnan},
    ElementwiseOp{Op::kIsInf, "isinf", 1, kTest, "is_inf_f32($0)", "false", [](D a) { return flag(std::isinf(a[0])); },
                  never, cpu::isinf},
    ElementwiseOp{Op::kIsFinite, "isfinite", 1, kTest, "is_finite_f32($0)", "true",
                  [](D a) { return flag(std::isfinite(a[0])); }, [](I, bool) { return std::int64_t{1}; },
                  cpu::isfinite},

    ElementwiseOp{Op::kLogicalNot, "logical_not", 1, kLogical, "(!$0)", "", [](D a) { return flag(a[0] == 0); },
                  [](I a, bool) { return std::int64_t{a[0] == 0}; }, cpu::logical_not},
    ElementwiseOp{Op::kBitwiseNot, "bitwise_not", 1, kBits, "(!$0)", "(~$0)", nullptr, [](I a, bool) { return ~a[0]; },
                  cpu::bitwise_not},

    ElementwiseOp{Op::kAdd, "add", 2, kSame, "($0 + $1)", "=", [](D a) { return a[0] + a[1]; },
                  [](I a, bool) { return wrap(bits(a[0]) + bits(a[1])); }, cpu::add},
    ElementwiseOp{Op::kSubtract, "subtract", 2, kNumeric, "($0 - $1)", "=", [](D a) { return a[0] - a[1]; },
                  [](I a, bool) { return wrap(bits(a[0]) - bits(a[1])); }, cpu::subtract},
    ElementwiseOp{Op::kMultiply, "multiply", 2, kSame, "($0 * $1)", "=", [](D a) { return a[0] * a[1]; },
                  [](I a, bool) { return wrap(bits(a[0]) * bits(a[1])); }, cpu::multiply},
    ElementwiseOp{Op::kDivide, "divide", 2, kFloat, "divide_f32($0, $1)", "", [](D a) { return a[0] / a[1]; }, nullptr,
                  cpu::divide},
    ElementwiseOp{Op::kFloorDivide, "floor_divide", 2, kNumeric, "floor_divide_f32($0, $1)", "$T_floor_divide($0, $1)",
                  [](D a) { return floor_divide(a[0], a[1]); }, floor_divide, cpu::floor_divide},
    ElementwiseOp{Op::kRemainder, "remainder", 2, kNumeric, "remainder_f32($0, $1)", "$T_remainder($0, $1)",
                  [](D a) { return remainder(a[0], a[1]); }, remainder, cpu::remainder},
    ElementwiseOp{Op::kPower, "power", 2, kNumeric, "power_f32($0, $1)", "$T_power($0, $1)",
                  [](D a) { return std::pow(a[0], a[1]); }, power, cpu::power},
    ElementwiseOp{Op::kMaximum, "maximum", 2, kSame, "max_f32($0, $1)", "max($0, $1)",
                  [](D a) { return maximum(a[0], a[1]); }, [](I a, bool u) { return less(a, u) ? a[1] : a[0]; },
                  cpu::maximum},
    ElementwiseOp{Op::kMinimum, "minimum", 2, kSame, "min_f32($0, $1)", "min($0, $1)",
                  [](D a) { return minimum(a[0], a[1]); }, [](I a, bool u) { return less(a, u) ? a[0] : a[1]; },
                  cpu::minimum},
    ElementwiseOp{Op::kAtan2, "atan2", 2, kFloat, "atan2_f32($0, $1)", "", [](D a) { return std::atan2(a[0], a[1]); },
                  nullptr, cpu::atan2},

    ElementwiseOp{Op::kEqual, "equal", 2, kCompare, "($0 == $1)", "=", [](D a) { return flag(a[0] == a[1]); },
                  [](I a, bool) { return std::int64_t{a[0] == a[1]}; }, cpu::equal},
    // Not by !=, which some compilers of WGSL make false for NaN.
    ElementwiseOp{Op::kNotEqual, "not_equal", 2, kCompare, "(!($0 == $1))", "=", [](D a) { return flag(a[0] != a[1]); },
                  [](I a, bool) { return std::int64_t{a[0] != a[1]}; }, cpu::not_equal},
    ElementwiseOp{Op::kLess, "less", 2, kCompare, "($0 < $1)", "=", [](D a) { return flag(a[0] < a[1]); },
                  [](I a, bool u) { return std::int64_t{less(a, u)}; }, cpu::less},
    ElementwiseOp{Op::kLessEqual, "less_equal", 2, kCompare, "($0 <= $1)", "=", [](D a) { return flag(a[0] <= a[1]); },
                  [](I a, bool u) { return std::int64_t{less(a, u) || a[0] == a[1]}; }, cpu::less_equal},
    ElementwiseOp{Op::kGreater, "greater", 2, kCompare, "($0 > $1)", "=", [](D a) { return flag(a[0] > a[1]); },
                  [](I a, bool u) { return std::int64_t{!less(a, u) && a[0] != a[1]}; }, cpu::greater},
    ElementwiseOp{Op::kGreaterEqual, "greater_equal", 2, kCompare, "($0 >= $1)", "=",
                  [](D a) { return flag(a[0] >= a[1]); }, [](I a, bool u) { return std::int64_t{!less(a, u)}; },
                  cpu::greater_equal},

    ElementwiseOp{Op::kLogicalAnd, "logical_and", 2, kLogical, "($0 && $1)", "",
                  [](D a) { return flag(a[0] != 0 && a[1] != 0); },
                  [](I a, bool) { return std::int64_t{a[0] != 0 && a[1] != 0}; }, cpu::logical_and},
    ElementwiseOp{Op::kLogicalOr, "logical_or", 2, kLogical, "($0 || $1)", "",
                  [](D a) { return flag(a[0] != 0 || a[1] != 0); },
                  [](I a, bool) { return std::int64_t{a[0] != 0 || a[1] != 0}; }, cpu::logical_or},
    ElementwiseOp{Op::kLogicalXor, "logical_xor", 2, kLogical, "($0 != $1)", "",
                  [](D a) { return flag((a[0] != 0) != (a[1] != 0)); },
                  [](I a, bool) { return std::int64_t{(a[0] != 0) != (a[1] != 0)}; }, cpu::logical_xor},

    ElementwiseOp{Op::kBitwiseAnd, "bitwise_and", 2, kBits, "($0 && $1)", "($0 & $1)", nullptr,
                  [](I a, bool) { return a[0] & a[1]; }, cpu::bitwise_and},
    ElementwiseOp{Op::kBitwiseOr, "bitwise_or", 2, kBits, "($0 || $1)", "($0 | $1)", nullptr,
                  [](I a, bool) { return a[0] | a[1]; }, cpu::bitwise_or},
    ElementwiseOp{Op::kBitwiseXor, "bitwise_xor", 2, kBits, "($0 != $1)", "($0 ^ $1)", nullptr,
                  [](I a, bool) { return a[0] ^ a[1]; }, cpu::bitwise_xor},
    ElementwiseOp{Op::kLeftShift, "left_shift", 2, kShift, "", "$T_left_shift($0, $1)", nullptr, left_shift,
                  cpu::left_shift},
    ElementwiseOp{Op::kRightShift, "right_shift", 2, kShift, "", "$T_right_shift($0, $1)", nullptr, right_shift,
                  cpu::right_shift},

    ElementwiseOp{Op::kWhere, "where", 3, kWhere, "select($2, $1, $0)", "=",
                  [](D a) { return a[0] != 0 ? a[1] : a[2]; }, [](I a, bool) { return a[0] != 0 ? a[1] : a[2]; },
                  cpu::where},
};

constexpr std::size_t row_of(Op op) {
  return static_cast<std::size_t>(op) - static_cast<std::size_t>(kFirstElementwise);
}

constexpr bool rows_follow_enum() {
  for (std::size_t i = 0; i < kElementwise.size(); ++i) {
    if (row_of(kElementwise[i].op) != i) return false;
  }
  return kElementwise.size() == row_of(kLastElementwise) + 1;
}
static_assert(rows_follow_enum());

}  // namespace

std::span<const ElementwiseOp> elementwise_ops() { return kElementwise; }

const ElementwiseOp& elementwise(Op op) { return kElementwise[row_of(op)]; }

}  // namespace tessera
