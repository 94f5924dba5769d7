// Special functions in double precision, for the oracle and the CPU, and the error of an index out of bounds.
#pragma once

#include <cstdint>
#include <type_traits>

namespace tessera {

double erfinv(double x);
double lgamma(double x);   // safe from any thread; NaN at minus infinity, infinite at the poles
double digamma(double x);  // infinite at zero, away from its sign; NaN at the other poles

// For values of any type, as formulas of blocks are written; integers never come here.
template <class T>
T erfinv_of(T x) {
  return static_cast<T>(erfinv(static_cast<double>(x)));
}
template <class T>
T lgamma_of(T x) {
  return static_cast<T>(lgamma(static_cast<double>(x)));
}
template <class T>
T digamma_of(T x) {
  return static_cast<T>(digamma(static_cast<double>(x)));
}

[[noreturn]] void fail_index(std::int64_t index, std::int64_t size);

}  // namespace tessera
