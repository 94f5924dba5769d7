// The elementwise ops: enumerator, public name, number of operands. Their meaning is in the table of
// ops/elementwise/elementwise.cpp, in the same order. Everything that names them all is made from this list.
#pragma once

// clang-format off
#define TESSERA_ELEMENTWISE_OPS(X) \
  X(Negative, negative, 1) \
  X(Abs, abs, 1) \
  X(Sign, sign, 1) \
  X(Exp, exp, 1) \
  X(Expm1, expm1, 1) \
  X(Log, log, 1) \
  X(Log2, log2, 1) \
  X(Log10, log10, 1) \
  X(Log1p, log1p, 1) \
  X(Sqrt, sqrt, 1) \
  X(Rsqrt, rsqrt, 1) \
  X(Square, square, 1) \
  X(Reciprocal, reciprocal, 1) \
  X(Sin, sin, 1) \
  X(Cos, cos, 1) \
  X(Tan, tan, 1) \
  X(Asin, asin, 1) \
  X(Acos, acos, 1) \
  X(Atan, atan, 1) \
  X(Sinh, sinh, 1) \
  X(Cosh, cosh, 1) \
  X(Tanh, tanh, 1) \
  X(Asinh, asinh, 1) \
  X(Acosh, acosh, 1) \
  X(Atanh, atanh, 1) \
  X(Erf, erf, 1) \
  X(Erfinv, erfinv, 1) \
  X(Lgamma, lgamma, 1) \
  X(Digamma, digamma, 1) \
  X(Sigmoid, sigmoid, 1) \
  X(Softsign, softsign, 1) \
  X(Floor, floor, 1) \
  X(Ceil, ceil, 1) \
  X(Round, round, 1) \
  X(Trunc, trunc, 1) \
  X(IsNan, isnan, 1) \
  X(IsInf, isinf, 1) \
  X(IsFinite, isfinite, 1) \
  X(SignBit, signbit, 1) \
  X(Real, real, 1) \
  X(Imag, imag, 1) \
  X(Conj, conj, 1) \
  X(LogicalNot, logical_not, 1) \
  X(BitwiseNot, bitwise_not, 1) \
  X(Add, add, 2) \
  X(Subtract, subtract, 2) \
  X(Multiply, multiply, 2) \
  X(Divide, divide, 2) \
  X(FloorDivide, floor_divide, 2) \
  X(Remainder, remainder, 2) \
  X(Power, power, 2) \
  X(Maximum, maximum, 2) \
  X(Minimum, minimum, 2) \
  X(Atan2, atan2, 2) \
  X(Equal, equal, 2) \
  X(NotEqual, not_equal, 2) \
  X(Less, less, 2) \
  X(LessEqual, less_equal, 2) \
  X(Greater, greater, 2) \
  X(GreaterEqual, greater_equal, 2) \
  X(LogicalAnd, logical_and, 2) \
  X(LogicalOr, logical_or, 2) \
  X(LogicalXor, logical_xor, 2) \
  X(BitwiseAnd, bitwise_and, 2) \
  X(BitwiseOr, bitwise_or, 2) \
  X(BitwiseXor, bitwise_xor, 2) \
  X(LeftShift, left_shift, 2) \
  X(RightShift, right_shift, 2) \
  X(Gcd, gcd, 2) \
  X(CheckIndex, check_index, 2) \
  X(Where, where, 3)
// clang-format on
