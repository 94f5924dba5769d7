// The rows of the elementwise table: NumPy's semantics of each op, in WGSL and for the oracle.
#include "ops/elementwise/elementwise.h"

#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "graph/op.h"
#include "ops/build.h"
#include "ops/elementwise/complex_math.h"
#include "ops/elementwise/elementwise_cpu.h"
#include "ops/elementwise/special.h"

namespace tessera {
namespace {

using D = const double*;
using I = const std::int64_t*;
using V = const VjpArgs&;
using complex::kOp;
using complex::wide;

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

std::int64_t gcd(I a, bool u) {
  std::uint64_t x = !u && a[0] < 0 ? 0 - bits(a[0]) : bits(a[0]);
  std::uint64_t y = !u && a[1] < 0 ? 0 - bits(a[1]) : bits(a[1]);
  while (y != 0) x = std::exchange(y, x % y);
  return wrap(x);
}

std::int64_t check_index(I a, bool) {
  const std::int64_t at = a[0] < 0 ? a[0] + a[1] : a[0];
  if (at < 0 || at >= a[1]) fail_index(a[0], a[1]);
  return at;
}

// Gradients that take more than a line.

NodePtr op(Op which, const NodePtr& x) { return ops::elementwise(which, {x}); }
NodePtr op(Op which, const NodePtr& x, const NodePtr& y) { return ops::elementwise(which, {x, y}); }

Grads flat(V v) { return Grads(v.in.size()); }  // constant between jumps: zero gradient

/// Operands that tie share the gradient.
NodePtr extreme_gradient(V v, Op wins, std::size_t k) {
  if (!v.needs(k)) return nullptr;
  const NodePtr zero = ops::number(0);
  const NodePtr tie = op(Op::kEqual, v.in[0], v.in[1]);
  const NodePtr alone = ops::elementwise(Op::kWhere, {op(wins, v.in[k], v.in[1 - k]), v.g, zero});
  return ops::elementwise(Op::kWhere, {tie, v.g * 0.5, alone});
}

/// The value of a scalar constant.
std::optional<double> constant(const NodePtr& x) {
  const auto inputs = x->op() == Op::kView ? x->inputs() : nullptr;
  const Node& n = inputs != nullptr ? *(*inputs)[0] : *x;
  return n.op() == Op::kScalar ? std::optional(n.scalar().as_double()) : std::nullopt;
}

/// x^y * y / x is wrong at x = 0. x^0 has no slope, and there is none along y where 0^y is 0.
Grads power_gradient(V v) {
  const NodePtr& x = v.in[0];
  const NodePtr& y = v.in[1];
  const auto either = [](const NodePtr& where, double number, const NodePtr& otherwise) {
    return ops::elementwise(Op::kWhere, {where, ops::number(number), otherwise});
  };
  Grads result(2);
  const std::optional<double> exponent = constant(y);
  if (v.needs(0) && exponent.value_or(0) != 0) {  // 0 is a special case
    result[0] = v.g * (y * op(Op::kPower, x, ops::number(*exponent - 1)));
  } else if (v.needs(0)) {
    const NodePtr none = op(Op::kEqual, y, ops::number(0));
    result[0] = either(none, 0, v.g * (y * op(Op::kPower, x, either(none, 1, y - 1.0))));
  }
  if (v.needs(1)) {
    const NodePtr zero = op(Op::kEqual, x, ops::number(0));
    const NodePtr flat = op(Op::kLogicalAnd, zero, op(Op::kGreaterEqual, y, ops::number(0)));
    result[1] = v.g * v.out * op(Op::kLog, either(flat, 1, x));
  }
  return result;
}

/// The derivative of digamma: reflection for small x, then eight steps up and the series in 1 / x.
NodePtr trigamma(const NodePtr& x) {
  const NodePtr small = op(Op::kLess, x, ops::number(0.5));
  const auto pick = [&](const NodePtr& a, const NodePtr& b) { return ops::elementwise(Op::kWhere, {small, a, b}); };
  NodePtr z = pick(ops::number(1) - x, x);
  NodePtr sum = op(Op::kReciprocal, op(Op::kSquare, z));
  for (int i = 0; i < 8; ++i) {
    z = z + 1.0;
    if (i < 7) sum = sum + op(Op::kReciprocal, op(Op::kSquare, z));
  }
  const NodePtr r = op(Op::kReciprocal, z);
  const NodePtr s = op(Op::kSquare, r);
  NodePtr series = s * (5.0 / 66) - 1.0 / 30;  // Bernoulli's numbers
  for (const double b : {1.0 / 42, -1.0 / 30, 1.0 / 6}) series = s * series + b;
  sum = sum + r + s * 0.5 + r * s * series;
  const NodePtr sine = op(Op::kSin, pick(x * 3.141592653589793, ops::number(1)));
  return pick(ops::number(9.869604401089358) / op(Op::kSquare, sine) - sum, sum);
}

/// At the origin, where the angle jumps, the gradient is zero, as in PyTorch.
Grads atan2_gradient(V v) {
  const NodePtr squares = op(Op::kSquare, v.in[0]) + op(Op::kSquare, v.in[1]);
  const NodePtr zero = op(Op::kEqual, squares, ops::number(0));
  const NodePtr inverse = op(Op::kReciprocal, ops::elementwise(Op::kWhere, {zero, ops::number(1), squares}));
  const NodePtr scale = v.g * ops::elementwise(Op::kWhere, {zero, ops::number(0), inverse});
  return {scale * v.in[1], op(Op::kNegative, scale) * v.in[0]};
}

using enum TypeRule;

// Costs.
constexpr int kStep = 1;      // an add, a comparison, a few instructions
constexpr int kDivision = 3;  // and roots
constexpr int kFunction = 8;  // a polynomial or a series

// Functions whose results leave the range of f16, or lose its few digits, for ordinary arguments: PyTorch's list, and
// the inverse hyperbolic and gamma functions, and square.
constexpr bool kInF32 = true;

constexpr std::array kElementwise{
    ElementwiseOp{Op::kCast, "cast", 1, kCast, kStep, "", "", [](D a) { return a[0]; }, same, nullptr,
                  [](V v) -> Grads { return {ops::cast(v.g, v.in[0]->dtype())}; }},

    ElementwiseOp{Op::kNegative, "negative", 1, kNumeric, kStep, "(-$0)", "($T(0) - $0)", [](D a) { return -a[0]; },
                  [](I a, bool) { return wrap(0 - bits(a[0])); }, cpu::negative,
                  [](V v) -> Grads { return {op(Op::kNegative, v.g)}; }, kOp<[](auto x) { return -x; }>},
    ElementwiseOp{Op::kAbs, "abs", 1, kReal, kStep, "abs($0)", "=", [](D a) { return std::abs(a[0]); },
                  [](I a, bool u) { return !u && a[0] < 0 ? wrap(0 - bits(a[0])) : a[0]; }, cpu::abs,
                  [](V v) -> Grads { return {v.g * op(Op::kSign, v.in[0])}; },
                  kOp<[](auto x) { return std::hypot(wide(x).real(), wide(x).imag()); }>},
    ElementwiseOp{Op::kSign, "sign", 1, kNumeric, kStep, "sign_f32($0)", "$T_sign($0)",
                  [](D a) { return std::isnan(a[0]) ? a[0] : flag(a[0] > 0) - flag(a[0] < 0); }, sign, cpu::sign, flat,
                  kOp<[](auto x) { return complex::sign(wide(x)); }>},

    ElementwiseOp{Op::kExp, "exp", 1, kFloat, kFunction, "exp_f32($0)", "", [](D a) { return std::exp(a[0]); }, nullptr,
                  cpu::exp, [](V v) -> Grads { return {v.g * v.out}; }, kOp<[](auto x) { return std::exp(wide(x)); }>,
                  kInF32},
    ElementwiseOp{Op::kExpm1, "expm1", 1, kFloat, kFunction, "expm1_f32($0)", "", [](D a) { return std::expm1(a[0]); },
                  nullptr, cpu::expm1, [](V v) -> Grads { return {v.g * (v.out + 1.0)}; },
                  kOp<[](auto x) { return complex::expm1(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kLog, "log", 1, kFloat, kFunction, "log_f32($0)", "", [](D a) { return std::log(a[0]); }, nullptr,
                  cpu::log, [](V v) -> Grads { return {v.g / v.in[0]}; }, kOp<[](auto x) { return std::log(wide(x)); }>,
                  kInF32},
    ElementwiseOp{Op::kLog2, "log2", 1, kFloat, kFunction, "log2_f32($0)", "", [](D a) { return std::log2(a[0]); },
                  nullptr, cpu::log2, [](V v) -> Grads { return {v.g / (v.in[0] * 0.6931471805599453)}; },
                  kOp<[](auto x) { return complex::log2(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kLog10, "log10", 1, kFloat, kFunction, "log10_f32($0)", "", [](D a) { return std::log10(a[0]); },
                  nullptr, cpu::log10, [](V v) -> Grads { return {v.g / (v.in[0] * 2.302585092994046)}; },
                  kOp<[](auto x) { return complex::log10(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kLog1p, "log1p", 1, kFloat, kFunction, "log1p_f32($0)", "", [](D a) { return std::log1p(a[0]); },
                  nullptr, cpu::log1p, [](V v) -> Grads { return {v.g / (v.in[0] + 1.0)}; },
                  kOp<[](auto x) { return complex::log1p(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kSqrt, "sqrt", 1, kFloat, kDivision, "sqrt($0)", "", [](D a) { return std::sqrt(a[0]); }, nullptr,
                  cpu::sqrt, [](V v) -> Grads { return {v.g * 0.5 / v.out}; },
                  kOp<[](auto x) { return std::sqrt(wide(x)); }>},
    ElementwiseOp{Op::kRsqrt,
                  "rsqrt",
                  1,
                  kFloat,
                  kDivision,
                  "inverseSqrt($0)",
                  "",
                  [](D a) { return 1 / std::sqrt(a[0]); },
                  nullptr,
                  cpu::rsqrt,
                  [](V v) -> Grads { return {v.g * -0.5 * v.out * op(Op::kSquare, v.out)}; },
                  {},
                  kInF32},
    ElementwiseOp{Op::kSquare, "square", 1, kSame, kStep, "($0 * $0)", "=", [](D a) { return a[0] * a[0]; },
                  [](I a, bool) { return wrap(bits(a[0]) * bits(a[0])); }, cpu::square,
                  [](V v) -> Grads { return {v.g * 2.0 * v.in[0]}; },
                  kOp<[](auto x) { return complex::multiply(x, x); }>, kInF32},
    ElementwiseOp{Op::kReciprocal, "reciprocal", 1, kFloat, kDivision, "(1.0 / $0)", "", [](D a) { return 1 / a[0]; },
                  nullptr, cpu::reciprocal,
                  [](V v) -> Grads { return {op(Op::kNegative, v.g) * op(Op::kSquare, v.out)}; },
                  kOp<[](auto x) { return complex::reciprocal(wide(x)); }>, kInF32},

    ElementwiseOp{Op::kSin, "sin", 1, kFloat, kFunction, "sin_f32($0)", "", [](D a) { return std::sin(a[0]); }, nullptr,
                  cpu::sin, [](V v) -> Grads { return {v.g * op(Op::kCos, v.in[0])}; },
                  kOp<[](auto x) { return std::sin(wide(x)); }>},
    ElementwiseOp{Op::kCos, "cos", 1, kFloat, kFunction, "cos_f32($0)", "", [](D a) { return std::cos(a[0]); }, nullptr,
                  cpu::cos, [](V v) -> Grads { return {op(Op::kNegative, v.g) * op(Op::kSin, v.in[0])}; },
                  kOp<[](auto x) { return std::cos(wide(x)); }>},
    ElementwiseOp{Op::kTan, "tan", 1, kFloat, kFunction, "tan_f32($0)", "", [](D a) { return std::tan(a[0]); }, nullptr,
                  cpu::tan, [](V v) -> Grads { return {v.g * (op(Op::kSquare, v.out) + 1.0)}; },
                  kOp<[](auto x) { return std::tan(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kAsin, "asin", 1, kFloat, kFunction, "asin_f32($0)", "", [](D a) { return std::asin(a[0]); },
                  nullptr, cpu::asin,
                  [](V v) -> Grads { return {v.g * op(Op::kRsqrt, ops::number(1) - op(Op::kSquare, v.in[0]))}; },
                  kOp<[](auto x) { return std::asin(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kAcos, "acos", 1, kFloat, kFunction, "acos_f32($0)", "", [](D a) { return std::acos(a[0]); },
                  nullptr, cpu::acos,
                  [](V v) -> Grads {
                    return {op(Op::kNegative, v.g) * op(Op::kRsqrt, ops::number(1) - op(Op::kSquare, v.in[0]))};
                  },
                  kOp<[](auto x) { return std::acos(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kAtan, "atan", 1, kFloat, kFunction, "atan_f32($0)", "", [](D a) { return std::atan(a[0]); },
                  nullptr, cpu::atan, [](V v) -> Grads { return {v.g / (op(Op::kSquare, v.in[0]) + 1.0)}; },
                  kOp<[](auto x) { return std::atan(wide(x)); }>},
    ElementwiseOp{Op::kSinh, "sinh", 1, kFloat, kFunction, "sinh_f32($0)", "", [](D a) { return std::sinh(a[0]); },
                  nullptr, cpu::sinh, [](V v) -> Grads { return {v.g * op(Op::kCosh, v.in[0])}; },
                  kOp<[](auto x) { return std::sinh(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kCosh, "cosh", 1, kFloat, kFunction, "cosh_f32($0)", "", [](D a) { return std::cosh(a[0]); },
                  nullptr, cpu::cosh, [](V v) -> Grads { return {v.g * op(Op::kSinh, v.in[0])}; },
                  kOp<[](auto x) { return std::cosh(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kTanh, "tanh", 1, kFloat, kFunction, "tanh_f32($0)", "", [](D a) { return std::tanh(a[0]); },
                  nullptr, cpu::tanh, [](V v) -> Grads { return {v.g * (ops::number(1) - op(Op::kSquare, v.out))}; },
                  kOp<[](auto x) { return std::tanh(wide(x)); }>},
    ElementwiseOp{Op::kAsinh, "asinh", 1, kFloat, kFunction, "asinh_f32($0)", "", [](D a) { return std::asinh(a[0]); },
                  nullptr, cpu::asinh,
                  [](V v) -> Grads { return {v.g * op(Op::kRsqrt, op(Op::kSquare, v.in[0]) + 1.0)}; },
                  kOp<[](auto x) { return std::asinh(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kAcosh, "acosh", 1, kFloat, kFunction, "acosh_f32($0)", "",
                  // Some libraries return values below 1.
                  [](D a) { return a[0] < 1 ? std::nan("") : std::acosh(a[0]); }, nullptr, cpu::acosh,
                  [](V v) -> Grads { return {v.g * op(Op::kRsqrt, v.in[0] - 1.0) * op(Op::kRsqrt, v.in[0] + 1.0)}; },
                  kOp<[](auto x) { return std::acosh(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kAtanh, "atanh", 1, kFloat, kFunction, "atanh_f32($0)", "", [](D a) { return std::atanh(a[0]); },
                  nullptr, cpu::atanh, [](V v) -> Grads { return {v.g / (ops::number(1) - op(Op::kSquare, v.in[0]))}; },
                  kOp<[](auto x) { return std::atanh(wide(x)); }>, kInF32},
    ElementwiseOp{Op::kErf, "erf", 1, kFloat, kFunction, "erf_f32($0)", "", [](D a) { return std::erf(a[0]); }, nullptr,
                  cpu::erf,
                  [](V v) -> Grads {
                    return {v.g * 1.1283791670955126 * op(Op::kExp, op(Op::kNegative, op(Op::kSquare, v.in[0])))};
                  }},
    ElementwiseOp{Op::kErfinv,
                  "erfinv",
                  1,
                  kFloat,
                  kFunction,
                  "erfinv_f32($0)",
                  "",
                  [](D a) { return erfinv(a[0]); },
                  nullptr,
                  cpu::each<[](auto x) { return erfinv_of(x); }>,
                  [](V v) -> Grads { return {v.g * 0.886226925452758 * op(Op::kExp, op(Op::kSquare, v.out))}; },
                  {},
                  kInF32},
    ElementwiseOp{Op::kLgamma,
                  "lgamma",
                  1,
                  kFloat,
                  kFunction,
                  "lgamma_f32($0)",
                  "",
                  [](D a) { return lgamma(a[0]); },
                  nullptr,
                  cpu::each<[](auto x) { return lgamma_of(x); }>,
                  [](V v) -> Grads { return {v.g * op(Op::kDigamma, v.in[0])}; },
                  {},
                  kInF32},
    ElementwiseOp{Op::kDigamma,
                  "digamma",
                  1,
                  kFloat,
                  kFunction,
                  "digamma_f32($0)",
                  "",
                  [](D a) { return digamma(a[0]); },
                  nullptr,
                  cpu::each<[](auto x) { return digamma_of(x); }>,
                  [](V v) -> Grads { return {v.g * trigamma(v.in[0])}; },
                  {},
                  kInF32},
    ElementwiseOp{Op::kSigmoid, "sigmoid", 1, kFloat, kFunction, "sigmoid_f32($0)", "",
                  [](D a) { return 1 / (1 + std::exp(-a[0])); }, nullptr, cpu::sigmoid,
                  [](V v) -> Grads { return {v.g * v.out * (ops::number(1) - v.out)}; }},

    ElementwiseOp{Op::kSoftsign, "softsign", 1, kFloat, kDivision, "divide_f32($0, 1.0 + abs($0))", "",
                  [](D a) { return a[0] / (1 + std::fabs(a[0])); }, nullptr,
                  cpu::each<[](auto x) { return x / (1 + (x < 0 ? -x : x)); }>,
                  [](V v) -> Grads { return {v.g / op(Op::kSquare, op(Op::kAbs, v.in[0]) + 1.0)}; }},
    ElementwiseOp{Op::kFloor, "floor", 1, kSame, kStep, "floor($0)", "$0", [](D a) { return std::floor(a[0]); }, same,
                  cpu::floor, flat},
    ElementwiseOp{Op::kCeil, "ceil", 1, kSame, kStep, "ceil($0)", "$0", [](D a) { return std::ceil(a[0]); }, same,
                  cpu::ceil, flat},
    ElementwiseOp{Op::kRound, "round", 1, kSame, kStep, "round($0)", "$0", [](D a) { return std::nearbyint(a[0]); },
                  same, cpu::round, flat,
                  kOp<[](auto x) { return decltype(x)(std::nearbyint(x.real()), std::nearbyint(x.imag())); }>},
    ElementwiseOp{Op::kTrunc, "trunc", 1, kSame, kStep, "trunc($0)", "$0", [](D a) { return std::trunc(a[0]); }, same,
                  cpu::trunc, flat},

    ElementwiseOp{Op::kIsNan, "isnan", 1, kTest, kStep, "is_nan_f32($0)", "false",
                  [](D a) { return flag(std::isnan(a[0])); }, never, cpu::isnan, nullptr,
                  kOp<[](auto x) { return std::isnan(x.real()) || std::isnan(x.imag()); }>},
    ElementwiseOp{Op::kIsInf, "isinf", 1, kTest, kStep, "is_inf_f32($0)", "false",
                  [](D a) { return flag(std::isinf(a[0])); }, never, cpu::isinf, nullptr,
                  kOp<[](auto x) { return std::isinf(x.real()) || std::isinf(x.imag()); }>},
    ElementwiseOp{Op::kIsFinite, "isfinite", 1, kTest, kStep, "is_finite_f32($0)", "true",
                  [](D a) { return flag(std::isfinite(a[0])); }, [](I, bool) { return std::int64_t{1}; }, cpu::isfinite,
                  nullptr, kOp<[](auto x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }>},

    ElementwiseOp{Op::kSignBit, "signbit", 1, kTest, kStep, "sign_bit_f32($0)", "$T_sign_bit($0)",
                  [](D a) { return flag(std::signbit(a[0])); },
                  [](I a, bool u) { return std::int64_t{!u && a[0] < 0}; }, cpu::signbit, nullptr},
    ElementwiseOp{Op::kReal, "real", 1, kComplex, kStep, "", "", nullptr, nullptr, nullptr, nullptr,
                  kOp<[](auto x) { return x.real(); }>},
    ElementwiseOp{Op::kImag, "imag", 1, kComplex, kStep, "", "", nullptr, nullptr, nullptr, nullptr,
                  kOp<[](auto x) { return x.imag(); }>},
    ElementwiseOp{Op::kConj, "conj", 1, kComplex, kStep, "", "", nullptr, nullptr, nullptr, nullptr,
                  kOp<[](auto x) { return std::conj(x); }>},
    ElementwiseOp{Op::kLogicalNot, "logical_not", 1, kLogical, kStep, "(!$0)", "", [](D a) { return flag(a[0] == 0); },
                  [](I a, bool) { return std::int64_t{a[0] == 0}; }, cpu::logical_not, nullptr},
    ElementwiseOp{Op::kBitwiseNot, "bitwise_not", 1, kBits, kStep, "(!$0)", "(~$0)", nullptr,
                  [](I a, bool) { return ~a[0]; }, cpu::bitwise_not, nullptr},

    ElementwiseOp{Op::kAdd, "add", 2, kSame, kStep, "($0 + $1)", "=", [](D a) { return a[0] + a[1]; },
                  [](I a, bool) { return wrap(bits(a[0]) + bits(a[1])); }, cpu::add,
                  [](V v) -> Grads { return {v.g, v.g}; }, kOp<[](auto x, auto y) { return x + y; }>},
    ElementwiseOp{Op::kSubtract, "subtract", 2, kNumeric, kStep, "($0 - $1)", "=", [](D a) { return a[0] - a[1]; },
                  [](I a, bool) { return wrap(bits(a[0]) - bits(a[1])); }, cpu::subtract,
                  [](V v) -> Grads { return {v.g, op(Op::kNegative, v.g)}; },
                  kOp<[](auto x, auto y) { return x - y; }>},
    ElementwiseOp{
        Op::kMultiply, "multiply", 2, kSame, kStep, "($0 * $1)", "=", [](D a) { return a[0] * a[1]; },
        [](I a, bool) { return wrap(bits(a[0]) * bits(a[1])); }, cpu::multiply,
        [](V v) -> Grads { return {v.needs(0) ? v.g * v.in[1] : nullptr, v.needs(1) ? v.g * v.in[0] : nullptr}; },
        kOp<[](auto x, auto y) { return complex::multiply(x, y); }>},
    ElementwiseOp{
        Op::kDivide, "divide", 2, kFloat, kDivision, "divide_f32($0, $1)", "", [](D a) { return a[0] / a[1]; }, nullptr,
        cpu::divide,
        [](V v) -> Grads { return {v.g / v.in[1], v.needs(1) ? op(Op::kNegative, v.g) * v.out / v.in[1] : nullptr}; },
        kOp<[](auto x, auto y) { return complex::divide(wide(x), wide(y)); }>},
    ElementwiseOp{Op::kFloorDivide, "floor_divide", 2, kNumeric, kDivision, "floor_divide_f32($0, $1)",
                  "$T_floor_divide($0, $1)", [](D a) { return floor_divide(a[0], a[1]); }, floor_divide,
                  cpu::floor_divide, flat},
    ElementwiseOp{Op::kRemainder, "remainder", 2, kNumeric, kDivision, "remainder_f32($0, $1)", "$T_remainder($0, $1)",
                  [](D a) { return remainder(a[0], a[1]); }, remainder, cpu::remainder,
                  [](V v) -> Grads {
                    return {v.g,
                            v.needs(1) ? op(Op::kNegative, v.g) * op(Op::kFloorDivide, v.in[0], v.in[1]) : nullptr};
                  }},
    ElementwiseOp{Op::kPower, "power", 2, kNumeric, kFunction, "power_f32($0, $1)", "$T_power($0, $1)",
                  [](D a) { return std::pow(a[0], a[1]); }, power, cpu::power, power_gradient,
                  kOp<[](auto x, auto y) { return complex::power(wide(x), wide(y)); }>, kInF32},
    ElementwiseOp{
        Op::kMaximum, "maximum", 2, kSame, kStep, "max_f32($0, $1)", "max($0, $1)",
        [](D a) { return maximum(a[0], a[1]); }, [](I a, bool u) { return less(a, u) ? a[1] : a[0]; }, cpu::maximum,
        [](V v) -> Grads { return {extreme_gradient(v, Op::kGreater, 0), extreme_gradient(v, Op::kGreater, 1)}; }},
    ElementwiseOp{Op::kMinimum, "minimum", 2, kSame, kStep, "min_f32($0, $1)", "min($0, $1)",
                  [](D a) { return minimum(a[0], a[1]); }, [](I a, bool u) { return less(a, u) ? a[0] : a[1]; },
                  cpu::minimum,
                  [](V v) -> Grads { return {extreme_gradient(v, Op::kLess, 0), extreme_gradient(v, Op::kLess, 1)}; }},
    ElementwiseOp{Op::kAtan2, "atan2", 2, kFloat, kFunction, "atan2_f32($0, $1)", "",
                  [](D a) { return std::atan2(a[0], a[1]); }, nullptr, cpu::atan2, atan2_gradient},

    ElementwiseOp{Op::kEqual, "equal", 2, kCompare, kStep, "($0 == $1)", "=", [](D a) { return flag(a[0] == a[1]); },
                  [](I a, bool) { return std::int64_t{a[0] == a[1]}; }, cpu::equal, nullptr,
                  kOp<[](auto x, auto y) { return x == y; }>},
    // Not by !=, which some WGSL compilers fold to false for NaN.
    ElementwiseOp{Op::kNotEqual, "not_equal", 2, kCompare, kStep, "(!($0 == $1))", "=",
                  [](D a) { return flag(a[0] != a[1]); }, [](I a, bool) { return std::int64_t{a[0] != a[1]}; },
                  cpu::not_equal, nullptr, kOp<[](auto x, auto y) { return x != y; }>},
    ElementwiseOp{Op::kLess, "less", 2, kCompare, kStep, "($0 < $1)", "=", [](D a) { return flag(a[0] < a[1]); },
                  [](I a, bool u) { return std::int64_t{less(a, u)}; }, cpu::less, nullptr},
    ElementwiseOp{Op::kLessEqual, "less_equal", 2, kCompare, kStep, "($0 <= $1)", "=",
                  [](D a) { return flag(a[0] <= a[1]); },
                  [](I a, bool u) { return std::int64_t{less(a, u) || a[0] == a[1]}; }, cpu::less_equal, nullptr},
    ElementwiseOp{Op::kGreater, "greater", 2, kCompare, kStep, "($0 > $1)", "=", [](D a) { return flag(a[0] > a[1]); },
                  [](I a, bool u) { return std::int64_t{!less(a, u) && a[0] != a[1]}; }, cpu::greater, nullptr},
    ElementwiseOp{Op::kGreaterEqual, "greater_equal", 2, kCompare, kStep, "($0 >= $1)", "=",
                  [](D a) { return flag(a[0] >= a[1]); }, [](I a, bool u) { return std::int64_t{!less(a, u)}; },
                  cpu::greater_equal, nullptr},

    ElementwiseOp{Op::kLogicalAnd, "logical_and", 2, kLogical, kStep, "($0 && $1)", "",
                  [](D a) { return flag(a[0] != 0 && a[1] != 0); },
                  [](I a, bool) { return std::int64_t{a[0] != 0 && a[1] != 0}; }, cpu::logical_and, nullptr},
    ElementwiseOp{Op::kLogicalOr, "logical_or", 2, kLogical, kStep, "($0 || $1)", "",
                  [](D a) { return flag(a[0] != 0 || a[1] != 0); },
                  [](I a, bool) { return std::int64_t{a[0] != 0 || a[1] != 0}; }, cpu::logical_or, nullptr},
    ElementwiseOp{Op::kLogicalXor, "logical_xor", 2, kLogical, kStep, "($0 != $1)", "",
                  [](D a) { return flag((a[0] != 0) != (a[1] != 0)); },
                  [](I a, bool) { return std::int64_t{(a[0] != 0) != (a[1] != 0)}; }, cpu::logical_xor, nullptr},

    ElementwiseOp{Op::kBitwiseAnd, "bitwise_and", 2, kBits, kStep, "($0 && $1)", "($0 & $1)", nullptr,
                  [](I a, bool) { return a[0] & a[1]; }, cpu::bitwise_and, nullptr},
    ElementwiseOp{Op::kBitwiseOr, "bitwise_or", 2, kBits, kStep, "($0 || $1)", "($0 | $1)", nullptr,
                  [](I a, bool) { return a[0] | a[1]; }, cpu::bitwise_or, nullptr},
    ElementwiseOp{Op::kBitwiseXor, "bitwise_xor", 2, kBits, kStep, "($0 != $1)", "($0 ^ $1)", nullptr,
                  [](I a, bool) { return a[0] ^ a[1]; }, cpu::bitwise_xor, nullptr},
    ElementwiseOp{Op::kLeftShift, "left_shift", 2, kShift, kStep, "", "$T_left_shift($0, $1)", nullptr, left_shift,
                  cpu::left_shift, nullptr},
    ElementwiseOp{Op::kRightShift, "right_shift", 2, kShift, kStep, "", "$T_right_shift($0, $1)", nullptr, right_shift,
                  cpu::right_shift, nullptr},

    ElementwiseOp{Op::kGcd, "gcd", 2, kShift, kStep, "", "$T_gcd($0, $1)", nullptr, gcd, cpu::gcd, nullptr},
    ElementwiseOp{Op::kCheckIndex, "check_index", 2, kIndex, kStep, "", "$T_check_index($0, $1)", nullptr, check_index,
                  cpu::check_index, nullptr},
    ElementwiseOp{Op::kWhere,
                  "where",
                  3,
                  kWhere,
                  kStep,
                  "select($2, $1, $0)",
                  "=",
                  [](D a) { return a[0] != 0 ? a[1] : a[2]; },
                  [](I a, bool) { return a[0] != 0 ? a[1] : a[2]; },
                  cpu::where,
                  [](V v) -> Grads {
                    return {nullptr, ops::elementwise(Op::kWhere, {v.in[0], v.g, ops::number(0)}),
                            ops::elementwise(Op::kWhere, {v.in[0], ops::number(0), v.g})};
                  },
                  {[](const std::complex<double>* a) { return a[0] != 0.0 ? a[1] : a[2]; }, cpu::where}},
};

constexpr std::size_t row_of(Op op) {
  return static_cast<std::size_t>(op) - static_cast<std::size_t>(kFirstElementwise);
}

/// The first row that does not match the op of its position: at the latest the one past the last.
constexpr std::size_t first_wrong_row() {
  std::size_t i = 0;
  while (i < kElementwise.size() && row_of(kElementwise[i].op) == i) ++i;
  return i;
}
constexpr bool row_agrees(Op op, std::string_view name, int arity) {
  const std::size_t i = row_of(op);
  return i >= first_wrong_row() || (kElementwise[i].name == name && kElementwise[i].arity == arity);
}

// Only the first wrong row is reported.
#define TESSERA_CHECK_ROW(Name, name, arity)                                                                         \
  static_assert(first_wrong_row() != row_of(Op::k##Name), "The row of k" #Name                                       \
                                                          " is missing from the table, or stands elsewhere than in " \
                                                          "graph/elementwise_list.h.");                              \
  static_assert(row_agrees(Op::k##Name, #name, arity),                                                               \
                "The row of k" #Name " has another name or arity than in graph/elementwise_list.h.");
TESSERA_CHECK_ROW(Cast, cast, 1)
TESSERA_ELEMENTWISE_OPS(TESSERA_CHECK_ROW)
#undef TESSERA_CHECK_ROW
static_assert(kElementwise.size() <= row_of(kLastElementwise) + 1,
              "The table has rows behind that of kWhere, the last.");

}  // namespace

bool VjpArgs::needs(std::size_t k) const { return in[k]->tracked(); }

std::span<const ElementwiseOp> elementwise_ops() { return kElementwise; }

const ElementwiseOp& elementwise(Op op) { return kElementwise[row_of(op)]; }

int ops::cost(Op op) {
  if (is_elementwise(op)) return elementwise(op).cost;
  switch (op) {
    case Op::kInput:
    case Op::kScalar:
    case Op::kIota:
    case Op::kView:
    case Op::kCopy:
      return 0;
    case Op::kRandom:
      return 16;
    case Op::kGather:
      return 3;
    default:
      return 1;
  }
}

}  // namespace tessera
