// Functions of complex numbers, with the special cases of C's Annex G and, where that is silent, NumPy's.
#pragma once

#include <cmath>
#include <complex>

#include "ops/elementwise/elementwise.h"

namespace tessera::complex {

using Complex = std::complex<double>;

// The math functions compute in f64 for both types.
Complex expm1(Complex x);
Complex log1p(Complex x);
Complex log2(Complex x);
Complex log10(Complex x);
Complex sign(Complex x);        // x / |x|; 0 at 0, NaN at infinity
Complex reciprocal(Complex x);  // without overflow in intermediate results, like divide
Complex divide(Complex x, Complex y);
Complex power(Complex x, Complex y);  // small whole exponents by repeated multiplication

template <class T>
Complex wide(std::complex<T> x) {
  return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
}

/// Plain: C's own operator repairs infinities, which costs more than the multiplication.
template <class T>
std::complex<T> multiply(std::complex<T> x, std::complex<T> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

template <class F, class... Args>
void run(F formula, std::int64_t n, void* out, const Args*... args) {
  using R = decltype(formula(args[0]...));
  using C = std::common_type_t<Args...>;
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<R, bool>) {
      static_cast<std::uint8_t*>(out)[i] = formula(args[i]...) ? 1 : 0;
    } else if constexpr (std::is_floating_point_v<R>) {
      static_cast<typename C::value_type*>(out)[i] = static_cast<typename C::value_type>(formula(args[i]...));
    } else {
      static_cast<C*>(out)[i] = static_cast<C>(formula(args[i]...));
    }
  }
}

template <class T, auto kFormula>
void block_of(const CpuBlock& b) {
  using C = std::complex<T>;
  const auto* x = static_cast<const C*>(b.args[0]);
  if constexpr (std::is_invocable_v<decltype(kFormula), C>) {
    run(kFormula, b.n, b.out, x);
  } else {
    run(kFormula, b.n, b.out, x, static_cast<const C*>(b.args[1]));
  }
}

/// Both columns of a row from one formula, a function of one or two std::complex<T>, whose result is complex, real or
/// bool.
template <auto kFormula>
inline constexpr ComplexOp kOp{
    [](const Complex* x) -> Complex {
      if constexpr (std::is_invocable_v<decltype(kFormula), Complex>) {
        return Complex(kFormula(x[0]));
      } else {
        return Complex(kFormula(x[0], x[1]));
      }
    },
    [](const CpuBlock& b) { b.type == Compute::kC64 ? block_of<float, kFormula>(b) : block_of<double, kFormula>(b); }};

}  // namespace tessera::complex
