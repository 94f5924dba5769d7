// The engine's own f32 GEMM: packed panels of both operands, a tile of C in registers, several instruction sets.
#include "runtime/cpu/gemm/gemm.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ints.h"
#include "base/thread_pool.h"
#include "runtime/cpu/convert.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/gemm/gemm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h.
#include <hwy/cache_control.h>

#ifndef TESSERA_RUNTIME_CPU_GEMM_ONCE
#define TESSERA_RUNTIME_CPU_GEMM_ONCE
namespace tessera::runtime::cpu {
namespace {

constexpr std::int64_t kDepth = 384;   // k of a panel: panels of A stay in L1, panels of B stream through
constexpr std::int64_t kTall = 4096;   // rows of A packed at once
constexpr std::int64_t kWide = 2048;   // columns of B packed at once
constexpr std::int64_t kTaskRows = 8;  // panels of A that one task multiplies with one stretch of B

const std::byte* element(const Matrix& x, std::int64_t i, std::int64_t j) {
  const auto size = static_cast<std::int64_t>(tessera::size_of(x.dtype));
  return static_cast<const std::byte*>(x.data) + (i * x.row_stride + j * x.col_stride) * size;
}

// Packing buffers of the calling thread.
struct Packed {
  std::vector<float> memory;
  float* room(std::size_t n) {
    if (memory.size() < n + 16) memory.resize(n + 16);
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + ((64 - at % 64) % 64) / sizeof(float);
  }
};

}  // namespace
}  // namespace tessera::runtime::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;

// As many rows as leave registers for two vectors of B and one of A.
constexpr std::int64_t kRows = HWY_TARGET == HWY_AVX3 ? 14 : (HWY_TARGET == HWY_SCALAR ? 4 : 6);

HWY_INLINE std::int64_t columns() { return 2 * static_cast<std::int64_t>(hn::Lanes(Tag())); }

// A tile of C: kRows rows of two vectors (or of one, at the right edge), over `depth` steps of k.
template <bool kTwo, std::size_t... I>
HWY_INLINE void multiply_tile(std::index_sequence<I...>, const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                              std::int64_t depth, bool add, float* HWY_RESTRICT c, std::int64_t stride) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  constexpr std::int64_t kAhead = 8;  // prefetch distance, in steps of k
  Vec left[] = {((void)I, hn::Zero(d))...};
  Vec right[] = {((void)I, hn::Zero(d))...};
  for (std::int64_t k = 0; k < depth; ++k) {
    hwy::Prefetch(b + kAhead * 2 * lanes);
    hwy::Prefetch(b + (kAhead * 2 + 1) * lanes);
    const Vec b0 = hn::Load(d, b);
    if constexpr (kTwo) {
      const Vec b1 = hn::Load(d, b + lanes);
      ((left[I] = hn::MulAdd(hn::Set(d, a[I]), b0, left[I]), right[I] = hn::MulAdd(hn::Set(d, a[I]), b1, right[I])),
       ...);
    } else {
      ((left[I] = hn::MulAdd(hn::Set(d, a[I]), b0, left[I])), ...);
    }
    a += kRows;
    b += 2 * lanes;
  }
  const auto put = [&](Vec x, Vec y, float* to) HWY_ATTR {
    hn::StoreU(add ? hn::Add(x, hn::LoadU(d, to)) : x, d, to);
    if constexpr (kTwo) hn::StoreU(add ? hn::Add(y, hn::LoadU(d, to + lanes)) : y, d, to + lanes);
  };
  (put(left[I], right[I], c + static_cast<std::int64_t>(I) * stride), ...);
}

template <bool kTwo>
void tile(const float* a, const float* b, std::int64_t depth, bool add, float* c, std::int64_t stride) {
  multiply_tile<kTwo>(std::make_index_sequence<kRows>(), a, b, depth, add, c, stride);
}

#if HWY_TARGET != HWY_SCALAR
// out[k * width + i] = rows[i * stride + k] for four rows and `depth` steps of k, four by four.
HWY_INLINE void transpose_four(const float* HWY_RESTRICT rows, std::int64_t stride, std::int64_t depth,
                               std::int64_t width, float* HWY_RESTRICT out) {
  const hn::Full128<float> d;
  const hn::Full128<double> wide;
  std::int64_t k = 0;
  for (; k + 4 <= depth; k += 4) {
    const auto r0 = hn::LoadU(d, rows + k);
    const auto r1 = hn::LoadU(d, rows + stride + k);
    const auto r2 = hn::LoadU(d, rows + 2 * stride + k);
    const auto r3 = hn::LoadU(d, rows + 3 * stride + k);
    const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
    const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
    const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
    const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
    float* to = out + k * width;
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, to + width);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, to + 2 * width);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, to + 3 * width);
  }
  for (; k < depth; ++k) {
    for (std::int64_t i = 0; i < 4; ++i) out[k * width + i] = rows[i * stride + k];
  }
}
#endif

// `depth` elements along k as floats: in place, or converted into `room`.
HWY_INLINE const float* along_k(DType dtype, const std::byte* source, std::int64_t step_k, std::int64_t depth,
                                float* room) {
  if (step_k == 1 && dtype == DType::kF32) return reinterpret_cast<const float*>(source);
  if (step_k == 1) {
    widen(dtype, source, depth, room);
    return room;
  }
  const auto size = static_cast<std::int64_t>(tessera::size_of(dtype));
  for (std::int64_t k = 0; k < depth; ++k) widen(dtype, source + k * step_k * size, 1, room + k);
  return room;
}

// out[k * width + i] = source(i, k), zero from `count` on; the strides along i and k are in elements.
void pack_panel(DType dtype, const std::byte* source, std::int64_t step_i, std::int64_t step_k, std::int64_t count,
                std::int64_t depth, std::int64_t width, float* HWY_RESTRICT out) {
  const auto size = static_cast<std::int64_t>(tessera::size_of(dtype));
  if (count < width) {
    for (std::int64_t k = 0; k < depth; ++k) std::fill(out + k * width + count, out + (k + 1) * width, 0.0F);
  }
  if (step_i == 1) {
    const Tag d;
    if (dtype == DType::kF32 && count == columns() && width == count) {
      const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
      const auto* HWY_RESTRICT from = reinterpret_cast<const float*>(source);
      for (std::int64_t k = 0; k < depth; ++k, from += step_k, out += width) {
        hn::Store(hn::LoadU(d, from), d, out);
        hn::Store(hn::LoadU(d, from + lanes), d, out + lanes);
      }
      return;
    }
    for (std::int64_t k = 0; k < depth; ++k) widen(dtype, source + k * step_k * size, count, out + k * width);
    return;
  }
  float room[4 * kDepth];
  std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  for (; i + 4 <= count; i += 4) {
    const std::byte* from = source + i * step_i * size;
    if (step_k == 1 && dtype == DType::kF32) {
      transpose_four(reinterpret_cast<const float*>(from), step_i, depth, width, out + i);
      continue;
    }
    for (std::int64_t r = 0; r < 4; ++r) {
      along_k(dtype, from + r * step_i * size, step_k, depth, room + r * depth);
    }
    transpose_four(room, depth, depth, width, out + i);
  }
#endif
  for (; i < count; ++i) {
    const float* HWY_RESTRICT values = along_k(dtype, source + i * step_i * size, step_k, depth, room);
    for (std::int64_t k = 0; k < depth; ++k) out[k * width + i] = values[k];
  }
}

void multiply(const GemmSize& size, const Matrix& a, const Matrix& b, float* c) {
  static thread_local Packed packed_a;
  static thread_local Packed packed_b;
  ThreadPool& pool = ThreadPool::global();
  const std::int64_t width = columns();
  const std::int64_t depth_most = std::min(kDepth, size.k);
  float* const left = packed_a.room(static_cast<std::size_t>(round_up(std::min(kTall, size.m), kRows) * depth_most));
  float* const right = packed_b.room(static_cast<std::size_t>(round_up(std::min(kWide, size.n), width) * depth_most));
  for (std::int64_t m0 = 0; m0 < size.m; m0 += kTall) {
    const std::int64_t tall = std::min(kTall, size.m - m0);
    const std::int64_t row_panels = ceil_div(tall, kRows);
    for (std::int64_t k0 = 0; k0 < size.k; k0 += kDepth) {
      const std::int64_t depth = std::min(kDepth, size.k - k0);
      pool.parallel_for(row_panels, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) {
          const std::int64_t i = p * kRows;
          pack_panel(a.dtype, element(a, m0 + i, k0), a.row_stride, a.col_stride, std::min(kRows, tall - i), depth,
                     kRows, left + i * depth);
        }
      });
      for (std::int64_t n0 = 0; n0 < size.n; n0 += kWide) {
        const std::int64_t wide = std::min(kWide, size.n - n0);
        const std::int64_t col_panels = ceil_div(wide, width);
        pool.parallel_for(col_panels, 4, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t p = begin; p < end; ++p) {
            const std::int64_t j = p * width;
            pack_panel(b.dtype, element(b, k0, n0 + j), b.col_stride, b.row_stride, std::min(width, wide - j), depth,
                       width, right + j * depth);
          }
        });
        // Tasks: a group of A's panels times a stretch of B's.
        const std::int64_t groups = ceil_div(row_panels, kTaskRows);
        const std::int64_t stretch = std::max<std::int64_t>(1, (col_panels + 7) / 8);
        const std::int64_t stretches = ceil_div(col_panels, stretch);
        pool.parallel_for(groups * stretches, 1, [&](std::int64_t begin, std::int64_t end) {
          HWY_ALIGN float edge[kRows * 2 * hn::MaxLanes(Tag())];
          for (std::int64_t task = begin; task < end; ++task) {
            const std::int64_t first = task / stretches * kTaskRows;
            const std::int64_t last = std::min(first + kTaskRows, row_panels);
            const std::int64_t from = task % stretches * stretch;
            const std::int64_t to = std::min(from + stretch, col_panels);
            for (std::int64_t p = first; p < last; ++p) {
              for (std::int64_t q = from; q < to; ++q) {
                const std::int64_t i = p * kRows;
                const std::int64_t j = q * width;
                const std::int64_t rows = std::min(kRows, tall - i);
                const std::int64_t cols = std::min(width, wide - j);
                float* out = c + (m0 + i) * size.n + n0 + j;
                if (rows == kRows && cols == width) {
                  tile<true>(left + i * depth, right + j * depth, depth, k0 != 0, out, size.n);
                  continue;
                }
                const auto narrow_tile = 2 * cols <= width ? tile<false> : tile<true>;
                narrow_tile(left + i * depth, right + j * depth, depth, false, edge, width);
                for (std::int64_t r = 0; r < rows; ++r) {
                  for (std::int64_t s = 0; s < cols; ++s) {
                    float& at = out[r * size.n + s];
                    at = (k0 != 0 ? at : 0.0F) + edge[r * width + s];
                  }
                }
              }
            }
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace tessera::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::runtime::cpu {

HWY_EXPORT(multiply);

void gemm_blocked(const GemmSize& size, const Matrix& a, const Matrix& b, float* c) {
  if (size.k == 0) {
    std::fill_n(c, size.m * size.n, 0.0F);
    return;
  }
  if (!gemm_skinny(size, a, b, c)) HWY_DYNAMIC_DISPATCH(multiply)(size, a, b, c);
}

void gemm(const GemmSize& size, const Matrix& a, const Matrix& b, float* c) {
  const bool skinny = std::min(size.m, size.n) <= kSkinny;
  if (skinny || !gemm_onednn(size, a, b, c)) gemm_blocked(size, a, b, c);
}

}  // namespace tessera::runtime::cpu
#endif
