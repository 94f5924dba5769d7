// The elementwise ops over blocks of values on the CPU: one function for each row of the table.
#pragma once

#include "ops/elementwise.h"

namespace tessera::cpu {

void negative(const CpuBlock& block);
void abs(const CpuBlock& block);
void sign(const CpuBlock& block);
void exp(const CpuBlock& block);
void expm1(const CpuBlock& block);
void log(const CpuBlock& block);
void log2(const CpuBlock& block);
void log10(const CpuBlock& block);
void log1p(const CpuBlock& block);
void sqrt(const CpuBlock& block);
void rsqrt(const CpuBlock& block);
void square(const CpuBlock& block);
void reciprocal(const CpuBlock& block);
void sin(const CpuBlock& block);
void cos(const CpuBlock& block);
void tan(const CpuBlock& block);
void asin(const CpuBlock& block);
void acos(const CpuBlock& block);
void atan(const CpuBlock& block);
void sinh(const CpuBlock& block);
void cosh(const CpuBlock& block);
void tanh(const CpuBlock& block);
void asinh(const CpuBlock& block);
void acosh(const CpuBlock& block);
void atanh(const CpuBlock& block);
void erf(const CpuBlock& block);
void sigmoid(const CpuBlock& block);
void floor(const CpuBlock& block);
void ceil(const CpuBlock& block);
void round(const CpuBlock& block);
void trunc(const CpuBlock& block);
void is_nan(const CpuBlock& block);
void is_inf(const CpuBlock& block);
void is_finite(const CpuBlock& block);
void logical_not(const CpuBlock& block);
void bitwise_not(const CpuBlock& block);
void add(const CpuBlock& block);
void subtract(const CpuBlock& block);
void multiply(const CpuBlock& block);
void divide(const CpuBlock& block);
void floor_divide(const CpuBlock& block);
void remainder(const CpuBlock& block);
void power(const CpuBlock& block);
void maximum(const CpuBlock& block);
void minimum(const CpuBlock& block);
void atan2(const CpuBlock& block);
void equal(const CpuBlock& block);
void not_equal(const CpuBlock& block);
void less(const CpuBlock& block);
void less_equal(const CpuBlock& block);
void greater(const CpuBlock& block);
void greater_equal(const CpuBlock& block);
void logical_and(const CpuBlock& block);
void logical_or(const CpuBlock& block);
void logical_xor(const CpuBlock& block);
void bitwise_and(const CpuBlock& block);
void bitwise_or(const CpuBlock& block);
void bitwise_xor(const CpuBlock& block);
void left_shift(const CpuBlock& block);
void right_shift(const CpuBlock& block);
void where(const CpuBlock& block);

}  // namespace tessera::cpu
