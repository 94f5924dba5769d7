// Casts and reductions of blocks of complex numbers, element by element.
#include "runtime/cpu/complex_block.h"

#include <algorithm>
#include <complex>

#include "base/fail.h"
#include "graph/op.h"
#include "runtime/cpu/convert.h"

namespace tessera::runtime::cpu {

namespace {

using Complex = std::complex<double>;

template <class R, class S>
void cast_values(const void* source, std::int64_t n, void* out) {
  const auto* x = static_cast<const S*>(source);
  auto* to = static_cast<R*>(out);
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<R, std::uint8_t>) {
      to[i] = x[i] != S{} ? 1 : 0;
    } else {
      to[i] = static_cast<R>(x[i]);
    }
  }
}

template <class S>
void from_complex(DType to, const void* source, std::int64_t n, void* out) {
  switch (to) {
    case DType::kC64:
      return cast_values<std::complex<float>, S>(source, n, out);
    case DType::kC128:
      return cast_values<Complex, S>(source, n, out);
    case DType::kBool:
      return cast_values<std::uint8_t, S>(source, n, out);
    default:
      fail(ErrorKind::kDType, "A block of complex numbers was to be cast to {}.", name(to));
  }
}

/// Through the dtype of the parts, which are contiguous in the result's own memory.
template <class T>
void from_real(Compute from, DType part, const void* source, std::int64_t n, void* out) {
  auto* parts = static_cast<T*>(out);
  cast(from, part, source, n, parts);
  for (std::int64_t i = n - 1; i >= 0; --i) {
    parts[2 * i] = parts[i];
    parts[2 * i + 1] = 0;
  }
}

Complex get(const Partial& p) { return {p.number, p.imaginary}; }

void fold(Op op, Partial& p, Complex x) {
  const Complex a = get(p);
  const Complex r = op == Op::kSum
                        ? a + x
                        : Complex(a.real() * x.real() - a.imag() * x.imag(), a.real() * x.imag() + a.imag() * x.real());
  p.number = r.real();
  p.imaginary = r.imag();
}

template <class T>
void fold_rows(Op op, const void* values, std::int64_t rows, std::int64_t cols, Partial* partials) {
  const auto* x = static_cast<const std::complex<T>*>(values);
  for (std::int64_t r = 0; r < rows; ++r, x += cols) {
    for (std::int64_t i = 0; i < cols; ++i) fold(op, partials[r], Complex(x[i]));
  }
}

}  // namespace

void cast_complex(Compute from, DType to, const void* source, std::int64_t n, void* out) {
  if (from == Compute::kC64) return from_complex<std::complex<float>>(to, source, n, out);
  if (from == Compute::kC128) return from_complex<Complex>(to, source, n, out);
  if (to == DType::kC64) return from_real<float>(from, DType::kF32, source, n, out);
  from_real<double>(from, DType::kF64, source, n, out);
}

void fold_complex(Op op, Compute type, const void* values, std::int64_t rows, std::int64_t cols, Partial* partials) {
  if (op != Op::kSum && op != Op::kProd) fail(ErrorKind::kDType, "Complex numbers have no largest and no smallest.");
  if (type == Compute::kC64) return fold_rows<float>(op, values, rows, cols, partials);
  fold_rows<double>(op, values, rows, cols, partials);
}

void merge_complex(Op op, Partial& first, const Partial& next) { fold(op, first, get(next)); }

}  // namespace tessera::runtime::cpu
