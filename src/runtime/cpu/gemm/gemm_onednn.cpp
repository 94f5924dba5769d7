// GEMM by oneDNN, if the build has it.
#include <utility>

#include "runtime/cpu/gemm/gemm.h"

// Its OpenMP runtime is not built for the thread sanitizer, which then reports false races.
#if defined(TESSERA_HAVE_ONEDNN) && !defined(__SANITIZE_THREAD__)
#define TESSERA_USE_ONEDNN 1
#include <dnnl.h>

#include "base/thread_pool.h"

// Of the OpenMP runtime that oneDNN is linked with; null if it has another one.
extern "C" __attribute__((weak)) void omp_set_num_threads(int threads);
#endif

namespace tessera::runtime::cpu {

#ifdef TESSERA_USE_ONEDNN

namespace {

// The BLAS transposition flag of a matrix with one unit stride: 'N' row-major, 'T' column-major, 0 unsupported.
char layout(const Matrix& x, std::int64_t rows, std::int64_t cols, std::int64_t& stride) {
  if (x.col_stride == 1 && x.row_stride >= cols) {
    stride = x.row_stride;
    return 'N';
  }
  if (x.row_stride == 1 && x.col_stride >= rows) {
    stride = x.col_stride;
    return 'T';
  }
  return 0;
}

/// As many threads as the pool has. OpenMP keeps the number for each calling thread; by default it is that of all CPUs,
/// which processes that share a machine (TESSERA_THREADS, mpirun) would take from each other.
void set_threads() {
  static thread_local bool done = false;
  if (std::exchange(done, true) || omp_set_num_threads == nullptr) return;
  omp_set_num_threads(ThreadPool::global().threads());
}

}  // namespace

bool gemm_onednn(const GemmSize& size, const Matrix& a, const Matrix& b, float* c) {
  // For smaller sizes its threads wait for each other longer than they compute.
  constexpr std::int64_t kWorthIt = std::int64_t{1} << 24U;
  if (a.dtype != DType::kF32 || b.dtype != DType::kF32 || size.m * size.n * size.k < kWorthIt) return false;
  std::int64_t stride_a = 0;
  std::int64_t stride_b = 0;
  const char trans_a = layout(a, size.m, size.k, stride_a);
  const char trans_b = layout(b, size.k, size.n, stride_b);
  if (trans_a == 0 || trans_b == 0) return false;
  set_threads();
  return dnnl_sgemm(trans_a, trans_b, size.m, size.n, size.k, 1.0F, static_cast<const float*>(a.data), stride_a,
                    static_cast<const float*>(b.data), stride_b, 0.0F, c, size.n) == dnnl_success;
}

#else

bool gemm_onednn(const GemmSize&, const Matrix&, const Matrix&, float*) { return false; }

#endif

}  // namespace tessera::runtime::cpu
