// GEMM in f64, complex and integer dtypes: rows of C as sums of rows of B, block by block.
#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "runtime/cpu/convert.h"
#include "runtime/cpu/gemm/gemm.h"

namespace tessera::runtime::cpu {

namespace {

constexpr std::int64_t kInner = 64;   // rows of B in a block
constexpr std::int64_t kWidth = 256;  // columns

// `count` elements of a row, widened.
template <class T>
void read_row(const Matrix& x, std::int64_t row, std::int64_t col, std::int64_t count, T* out) {
  const std::size_t size = tessera::size_of(x.dtype);
  const auto* from = static_cast<const std::byte*>(x.data) +
                     (row * x.row_stride + col * x.col_stride) * static_cast<std::int64_t>(size);
  if (x.col_stride == 1) return widen(x.dtype, from, count, out);
  for (std::int64_t i = 0; i < count; ++i) {
    widen(x.dtype, from + i * x.col_stride * static_cast<std::int64_t>(size), 1, out + i);
  }
}

template <class T>
void add_product(T& to, T a, T b) {
  to += a * b;
}
template <class T>  // C's own operator repairs infinities, element by element
void add_product(std::complex<T>& to, std::complex<T> a, std::complex<T> b) {
  to += std::complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}

template <class T>
void multiply(const GemmSize& size, const Matrix& a, const Matrix& b, T* c) {
  const std::int64_t blocks = ceil_div(size.n, kWidth);
  const std::int64_t work = std::max<std::int64_t>(size.m * size.k * kWidth, 1);
  ThreadPool::global().parallel_for(blocks, std::max<std::int64_t>(1, 65536 / work),
                                    [&](std::int64_t begin, std::int64_t end) {
                                      static thread_local std::vector<T> packed(kInner * kWidth);
                                      T left[kInner];
                                      for (std::int64_t block = begin; block < end; ++block) {
                                        const std::int64_t col = block * kWidth;
                                        const std::int64_t width = std::min(kWidth, size.n - col);
                                        for (std::int64_t i = 0; i < size.m; ++i)
                                          std::fill_n(c + i * size.n + col, width, T{0});
                                        for (std::int64_t k = 0; k < size.k; k += kInner) {
                                          const std::int64_t depth = std::min(kInner, size.k - k);
                                          for (std::int64_t d = 0; d < depth; ++d)
                                            read_row(b, k + d, col, width, packed.data() + d * kWidth);
                                          for (std::int64_t i = 0; i < size.m; ++i) {
                                            read_row(a, i, k, depth, left);
                                            T* __restrict out = c + i * size.n + col;
                                            for (std::int64_t d = 0; d < depth; ++d) {
                                              const T factor = left[d];
                                              const T* __restrict row = packed.data() + d * kWidth;
                                              for (std::int64_t j = 0; j < width; ++j)
                                                add_product(out[j], factor, row[j]);
                                            }
                                          }
                                        }
                                      }
                                    });
}

}  // namespace

void gemm_plain(const GemmSize& size, const Matrix& a, const Matrix& b, void* c) {
  // Two's complement addition and multiplication are the same with and without a sign.
  switch (compute_type(a.dtype)) {
    case Compute::kF64:
      return multiply(size, a, b, static_cast<double*>(c));
    case Compute::kF32:
      return multiply(size, a, b, static_cast<float*>(c));
    case Compute::kC64:
      return multiply(size, a, b, static_cast<std::complex<float>*>(c));
    case Compute::kC128:
      return multiply(size, a, b, static_cast<std::complex<double>*>(c));
    case Compute::kI64:
    case Compute::kU64:
      return multiply(size, a, b, static_cast<std::uint64_t*>(c));
    default:
      return multiply(size, a, b, static_cast<std::uint32_t*>(c));
  }
}

}  // namespace tessera::runtime::cpu
