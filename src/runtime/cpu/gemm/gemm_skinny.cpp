// Skinny GEMM and GEMV: the large operand is read once, as stored, without packing.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "runtime/cpu/convert.h"
#include "runtime/cpu/gemm/gemm.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/gemm/gemm_skinny.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TESSERA_RUNTIME_CPU_GEMM_SKINNY_ONCE
#define TESSERA_RUNTIME_CPU_GEMM_SKINNY_ONCE
namespace tessera::runtime::cpu {
namespace {

// out(l, s) = sum over k of large(l, k) * few[s * k_count + k].
struct Skinny {
  DType dtype = DType::kF32;
  const std::byte* large = nullptr;
  std::int64_t step_l = 0;  // in elements
  std::int64_t step_k = 0;
  std::int64_t l_count = 0;
  std::int64_t k_count = 0;
  const float* few = nullptr;
  float* out = nullptr;
  std::int64_t out_l = 0;
  std::int64_t out_s = 0;

  [[nodiscard]] const std::byte* at(std::int64_t l, std::int64_t k) const {
    return large + (l * step_l + k * step_k) * static_cast<std::int64_t>(tessera::size_of(dtype));
  }
};

constexpr std::int64_t kStretch = 1024;  // of l: its sums stay in L1
constexpr std::int64_t kLines = 8;       // of k, read at once

}  // namespace
}  // namespace tessera::runtime::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;

// `n` elements as floats: in place, or converted into `room`.
HWY_INLINE const float* floats(DType dtype, const std::byte* from, std::int64_t n, float* room) {
  if (dtype == DType::kF32) return reinterpret_cast<const float*>(from);
  widen(dtype, from, n, room);
  return room;
}

// The dot products of one line with several others, `stride` floats apart.
template <std::size_t... I>
HWY_INLINE void dots(std::index_sequence<I...>, const float* HWY_RESTRICT one, const float* HWY_RESTRICT others,
                     std::int64_t stride, std::int64_t n, float* out, std::int64_t out_stride) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto line = [=](std::size_t s) HWY_ATTR { return others + static_cast<std::int64_t>(s) * stride; };
  // Two accumulators each, to hide the latency of additions.
  Vec even[] = {((void)I, hn::Zero(d))...};
  Vec odd[] = {((void)I, hn::Zero(d))...};
  std::int64_t k = 0;
  for (; k + 2 * lanes <= n; k += 2 * lanes) {
    const Vec v = hn::LoadU(d, one + k);
    const Vec w = hn::LoadU(d, one + k + lanes);
    ((even[I] = hn::MulAdd(v, hn::LoadU(d, line(I) + k), even[I]),
      odd[I] = hn::MulAdd(w, hn::LoadU(d, line(I) + k + lanes), odd[I])),
     ...);
  }
  const auto put = [&](std::size_t s, Vec sum) HWY_ATTR {
    float total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (std::int64_t rest = k; rest < n; ++rest) total += one[rest] * line(s)[rest];
    out[static_cast<std::int64_t>(s) * out_stride] = total;
  };
  (put(I, hn::Add(even[I], odd[I])), ...);
}

// Contiguous along k: dot products of the large operand's lines with the few.
void dot_rows(const Skinny& x, std::int64_t few, std::int64_t begin, std::int64_t end) {
  static thread_local std::vector<float> room;
  if (x.dtype != DType::kF32) room.resize(std::max<std::size_t>(room.size(), static_cast<std::size_t>(x.k_count)));
  const std::int64_t n = x.k_count;
  std::int64_t l = begin;
  if (few <= 2 && x.dtype == DType::kF32) {  // several lines of the large operand at once keep memory busy
    for (; l + 4 <= end; l += 4) {
      const auto* lines = reinterpret_cast<const float*>(x.at(l, 0));
      for (std::int64_t s = 0; s < few; ++s) {
        float* out = x.out + l * x.out_l + s * x.out_s;
        dots(std::make_index_sequence<4>(), x.few + s * n, lines, x.step_l, n, out, x.out_l);
      }
    }
  }
  for (; l < end; ++l) {
    const float* y = floats(x.dtype, x.at(l, 0), n, room.data());
    float* out = x.out + l * x.out_l;
    std::int64_t s = 0;
    for (; s + 8 <= few; s += 8) {
      dots(std::make_index_sequence<8>(), y, x.few + s * n, n, n, out + s * x.out_s, x.out_s);
    }
    for (; s + 4 <= few; s += 4) {
      dots(std::make_index_sequence<4>(), y, x.few + s * n, n, n, out + s * x.out_s, x.out_s);
    }
    for (; s < few; ++s) dots(std::make_index_sequence<1>(), y, x.few + s * n, n, n, out + s * x.out_s, x.out_s);
  }
}

// to[i] += sum of line[e][i] * factor[e], in whole vectors; returns the end.
template <std::size_t... I>
HWY_INLINE std::int64_t add_lines(std::index_sequence<I...>, const float* const* line, const float* factor,
                                  std::int64_t n, float* HWY_RESTRICT to) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Vec f[] = {hn::Set(d, factor[I])...};
  const float* const from[] = {line[I]...};
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Vec sum[] = {hn::LoadU(d, to + i), hn::Zero(d)};
    ((sum[I % 2] = hn::MulAdd(hn::LoadU(d, from[I] + i), f[I], sum[I % 2])), ...);
    hn::StoreU(hn::Add(sum[0], sum[1]), d, to + i);
  }
  return i;
}

// Contiguous along l: a few lines of k at a time are added to the sums of a stretch of l.
void sums(const Skinny& x, std::int64_t few, std::int64_t begin, std::int64_t end) {
  static thread_local std::vector<float> memory;
  const std::size_t needed = static_cast<std::size_t>(kStretch * (kLines + kSkinny));
  if (memory.size() < needed) memory.resize(needed);
  float* const room = memory.data();
  float* const total = room + kStretch * kLines;
  for (std::int64_t l = begin; l < end; l += kStretch) {
    const std::int64_t n = std::min(kStretch, end - l);
    std::fill_n(total, few * kStretch, 0.0F);
    for (std::int64_t k = 0; k < x.k_count; k += kLines) {
      const std::int64_t lines = std::min(kLines, x.k_count - k);
      const float* line[kLines];
      for (std::int64_t e = 0; e < lines; ++e) line[e] = floats(x.dtype, x.at(l, k + e), n, room + e * kStretch);
      for (std::int64_t s = 0; s < few; ++s) {
        const float* factor = x.few + s * x.k_count + k;
        float* HWY_RESTRICT to = total + s * kStretch;
        std::int64_t i = 0;
        if (lines == kLines) {
          i = add_lines(std::make_index_sequence<kLines>(), line, factor, n, to);
        }
        for (; i < n; ++i) {
          for (std::int64_t e = 0; e < lines; ++e) to[i] += line[e][i] * factor[e];
        }
      }
    }
    for (std::int64_t s = 0; s < few; ++s) {
      for (std::int64_t i = 0; i < n; ++i) x.out[(l + i) * x.out_l + s * x.out_s] = total[s * kStretch + i];
    }
  }
}

void skinny_block(const Skinny& x, std::int64_t few, std::int64_t begin, std::int64_t end) {
  if (x.step_k == 1) {
    dot_rows(x, few, begin, end);
  } else {
    sums(x, few, begin, end);
  }
}

}  // namespace
}  // namespace tessera::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::runtime::cpu {

HWY_EXPORT(skinny_block);

bool gemm_skinny(const GemmSize& size, const Matrix& a, const Matrix& b, float* c) {
  const bool few_rows = size.m <= size.n;
  const std::int64_t few = few_rows ? size.m : size.n;
  if (few > kSkinny) return false;
  const Matrix& large = few_rows ? b : a;
  const Matrix& small = few_rows ? a : b;
  Skinny x{.dtype = large.dtype,
           .large = static_cast<const std::byte*>(large.data),
           .step_l = few_rows ? large.col_stride : large.row_stride,
           .step_k = few_rows ? large.row_stride : large.col_stride,
           .l_count = few_rows ? size.n : size.m,
           .k_count = size.k,
           .out = c,
           .out_l = few_rows ? 1 : size.n,
           .out_s = few_rows ? size.n : 1};
  if (x.step_k != 1 && x.step_l != 1) return false;
  static thread_local std::vector<float> packed;
  packed.resize(std::max(packed.size(), static_cast<std::size_t>(few * size.k)));
  const std::int64_t step_s = few_rows ? small.row_stride : small.col_stride;
  const std::int64_t step_k = few_rows ? small.col_stride : small.row_stride;
  const auto bytes = static_cast<std::int64_t>(tessera::size_of(small.dtype));
  for (std::int64_t s = 0; s < few; ++s) {
    const std::byte* from = static_cast<const std::byte*>(small.data) + s * step_s * bytes;
    float* to = packed.data() + s * size.k;
    if (step_k == 1) {
      widen(small.dtype, from, size.k, to);
    } else {
      for (std::int64_t k = 0; k < size.k; ++k) widen(small.dtype, from + k * step_k * bytes, 1, to + k);
    }
  }
  x.few = packed.data();
  const std::int64_t grain = x.step_k == 1 ? std::max<std::int64_t>(1, 32768 / size.k)
                                           : std::min(kStretch, std::max<std::int64_t>(64, x.l_count / 16));
  ThreadPool::global().parallel_for(x.l_count, grain, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(skinny_block)(x, few, begin, end);
  });
  return true;
}

}  // namespace tessera::runtime::cpu
#endif
