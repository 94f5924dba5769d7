// Folding blocks of values, compiled for several instruction sets.
#include "runtime/cpu/reduce_block.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "graph/op.h"
#include "runtime/cpu/complex_block.h"
#include "runtime/cpu/convert.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/reduce_block.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr bool kFloating = std::is_floating_point_v<T>;

// A partial's value as T, and back.
template <class T>
HWY_INLINE T get(const Partial& p) {
  if constexpr (kFloating<T>) {
    return static_cast<T>(p.number);
  } else {
    return static_cast<T>(p.integer);
  }
}

template <class T>
HWY_INLINE void set(Partial& p, T value) {
  if constexpr (kFloating<T>) {
    p.number = static_cast<double>(value);
  } else if constexpr (std::is_signed_v<T>) {
    p.integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  } else {
    p.integer = value;
  }
}

// The accumulator type of sums and products.
template <class T>
using Wide = std::conditional_t<kFloating<T>, double, std::uint64_t>;

template <class T>
HWY_INLINE Wide<T> widened(T x) {
  if constexpr (std::is_signed_v<T> && !kFloating<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
  } else {
    return static_cast<Wide<T>>(x);
  }
}

// Whether a beats b; NaN beats every number.
template <bool kMax, class T>
HWY_INLINE bool beats(T a, T b) {
  if constexpr (kFloating<T>) {
    if (a != a) return b == b;
  }
  return kMax ? a > b : a < b;
}

// f32 in lanes of f64.
HWY_INLINE double sum_floats(const float* HWY_RESTRICT x, std::int64_t n) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  double sum = 0;
  if (n >= lanes) {
    auto a = hn::Zero(d);
    auto b = hn::Zero(d);
    auto c = hn::Zero(d);
    auto e = hn::Zero(d);
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      a = hn::Add(a, hn::PromoteTo(d, hn::LoadU(d32, x + i)));
      b = hn::Add(b, hn::PromoteTo(d, hn::LoadU(d32, x + i + lanes)));
      c = hn::Add(c, hn::PromoteTo(d, hn::LoadU(d32, x + i + 2 * lanes)));
      e = hn::Add(e, hn::PromoteTo(d, hn::LoadU(d32, x + i + 3 * lanes)));
    }
    for (; i + lanes <= n; i += lanes) a = hn::Add(a, hn::PromoteTo(d, hn::LoadU(d32, x + i)));
    sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
  }
  for (; i < n; ++i) sum += static_cast<double>(x[i]);
  return sum;
}

template <class T>
HWY_INLINE Wide<T> sum_of(const T* HWY_RESTRICT x, std::int64_t n) {
  if constexpr (std::is_same_v<T, float>) {
    return sum_floats(x, n);
  } else {
    constexpr std::int64_t kLanes = 8;
    Wide<T> lane[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (std::int64_t j = 0; j < kLanes; ++j) lane[j] += widened(x[i + j]);
    }
    for (std::int64_t j = 0; i < n; ++i, ++j) lane[j] += widened(x[i]);
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  }
}

template <class T>
HWY_INLINE Wide<T> problem_of(const T* HWY_RESTRICT x, std::int64_t n) {
  Wide<T> lane[4] = {1, 1, 1, 1};
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::int64_t j = 0; j < 4; ++j) lane[j] *= widened(x[i + j]);
  }
  for (; i < n; ++i) lane[0] *= widened(x[i]);
  return (lane[0] * lane[1]) * (lane[2] * lane[3]);
}

// The largest or smallest of n > 0 values; NaN when there is one.
template <bool kMax, class T>
HWY_INLINE T best_of(const T* HWY_RESTRICT x, std::int64_t n) {
  if constexpr (kFloating<T>) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    T best = x[0];
    std::int64_t i = 0;
    bool nan = false;
    if (n >= lanes) {
      auto a = hn::LoadU(d, x);
      auto b = a;
      auto missing = hn::VecFromMask(d, hn::IsNaN(a));
      const auto better = [](auto v, auto w) HWY_ATTR {
        if constexpr (kMax) {
          return hn::Max(v, w);
        } else {
          return hn::Min(v, w);
        }
      };
      for (i = lanes; i + 2 * lanes <= n; i += 2 * lanes) {
        const auto v = hn::LoadU(d, x + i);
        const auto w = hn::LoadU(d, x + i + lanes);
        a = better(a, v);
        b = better(b, w);
        missing = hn::Or(missing, hn::VecFromMask(d, hn::Or(hn::IsNaN(v), hn::IsNaN(w))));
      }
      for (; i + lanes <= n; i += lanes) {
        const auto v = hn::LoadU(d, x + i);
        a = better(a, v);
        missing = hn::Or(missing, hn::VecFromMask(d, hn::IsNaN(v)));
      }
      nan = !hn::AllFalse(d, hn::MaskFromVec(missing));
      a = better(a, b);
      best = hn::GetLane(kMax ? hn::MaxOfLanes(d, a) : hn::MinOfLanes(d, a));
    }
    if (nan) return std::numeric_limits<T>::quiet_NaN();
    for (; i < n; ++i) {
      if (beats<kMax>(x[i], best)) best = x[i];
    }
    return best;
  } else {
    constexpr std::int64_t kLanes = 16;
    T lane[kLanes];
    for (T& l : lane) l = x[0];
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (std::int64_t j = 0; j < kLanes; ++j) {
        const T v = x[i + j];
        lane[j] = kMax ? (v > lane[j] ? v : lane[j]) : (v < lane[j] ? v : lane[j]);
      }
    }
    T best = lane[0];
    for (const T l : lane) best = beats<kMax>(l, best) ? l : best;
    for (; i < n; ++i) best = beats<kMax>(x[i], best) ? x[i] : best;
    return best;
  }
}

template <bool kMax, bool kWhere, class T>
HWY_INLINE void fold_best(const T* x, std::int64_t cols, std::uint32_t first_col, Partial& p) {
  const T best = best_of<kMax>(x, cols);
  if (p.any && !beats<kMax>(best, get<T>(p))) return;
  set(p, best);
  p.any = true;
  if constexpr (kWhere) {
    std::int64_t i = 0;
    if constexpr (kFloating<T>) {
      if (best != best) {
        while (x[i] == x[i]) ++i;
        p.at = first_col + static_cast<std::uint32_t>(i);
        return;
      }
    }
    while (x[i] != best) ++i;
    p.at = first_col + static_cast<std::uint32_t>(i);
  }
}

template <class T>
void fold_rows(Op op, const void* values, std::int64_t rows, std::int64_t cols, std::uint32_t first_col,
               Partial* partials) {
  const T* x = static_cast<const T*>(values);
  if (cols == 0) return;
  for (std::int64_t r = 0; r < rows; ++r, x += cols) {
    Partial& p = partials[r];
    switch (op) {
      case Op::kSum:
        set<Wide<T>>(p, get<Wide<T>>(p) + sum_of(x, cols));
        break;
      case Op::kProd:
        set<Wide<T>>(p, get<Wide<T>>(p) * problem_of(x, cols));
        break;
      case Op::kMax:
        fold_best<true, false>(x, cols, first_col, p);
        break;
      case Op::kMin:
        fold_best<false, false>(x, cols, first_col, p);
        break;
      case Op::kArgMax:
        fold_best<true, true>(x, cols, first_col, p);
        break;
      default:
        fold_best<false, true>(x, cols, first_col, p);
        break;
    }
  }
}

template <class F>
HWY_INLINE void by_type(Compute type, F f) {
  switch (type) {
    case Compute::kBool:
      return f(std::uint8_t{});
    case Compute::kI32:
      return f(std::int32_t{});
    case Compute::kU32:
      return f(std::uint32_t{});
    case Compute::kI64:
      return f(std::int64_t{});
    case Compute::kU64:
      return f(std::uint64_t{});
    case Compute::kF32:
      return f(float{});
    case Compute::kF64:
      return f(double{});
    default:
      return;  // fold_complex, merge_complex
  }
}

void fold_block(Op op, Compute type, const void* values, std::int64_t rows, std::int64_t cols, std::uint32_t first_col,
                Partial* partials) {
  by_type(type, [&](auto zero) HWY_ATTR { fold_rows<decltype(zero)>(op, values, rows, cols, first_col, partials); });
}

template <class T>
void merge_as(Op op, Partial& first, const Partial& next) {
  switch (op) {
    case Op::kSum:
      return set<Wide<T>>(first, get<Wide<T>>(first) + get<Wide<T>>(next));
    case Op::kProd:
      return set<Wide<T>>(first, get<Wide<T>>(first) * get<Wide<T>>(next));
    default: {
      if (!next.any) return;
      const bool max = op == Op::kMax || op == Op::kArgMax;
      const T a = get<T>(next);
      const T b = get<T>(first);
      if (!first.any || (max ? beats<true>(a, b) : beats<false>(a, b))) first = next;
    }
  }
}

void merge_partials(Op op, Compute type, Partial& first, const Partial& next) {
  by_type(type, [&](auto zero) HWY_ATTR { merge_as<decltype(zero)>(op, first, next); });
}

}  // namespace
}  // namespace tessera::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::runtime::cpu {

HWY_EXPORT(fold_block);
HWY_EXPORT(merge_partials);

void fold(Op op, Compute type, const void* values, std::int64_t rows, std::int64_t cols, std::uint32_t first_col,
          Partial* partials) {
  if (is_complex(type)) return fold_complex(op, type, values, rows, cols, partials);
  HWY_DYNAMIC_DISPATCH(fold_block)(op, type, values, rows, cols, first_col, partials);
}

void merge(Op op, Compute type, Partial& first, const Partial& next) {
  if (is_complex(type)) return merge_complex(op, first, next);
  HWY_DYNAMIC_DISPATCH(merge_partials)(op, type, first, next);
}

namespace {

// The range of an integer type, as 64 bits.
std::uint64_t extreme(DType dtype, bool lowest) {
  const auto bits = static_cast<unsigned>(8 * tessera::size_of(dtype));
  if (dtype == DType::kBool) return lowest ? 0 : 1;
  if (is_signed(dtype)) {
    const std::uint64_t past = std::uint64_t{1} << (bits - 1);
    return lowest ? 0 - past : past - 1;
  }
  return lowest ? 0 : ~std::uint64_t{0} >> (64 - bits);
}

}  // namespace

Partial identity(Op op, DType dtype) {
  if (op == Op::kProd) return {.number = 1, .integer = 1};
  if (op != Op::kMax && op != Op::kMin) return {};
  const bool lowest = op == Op::kMax;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {.number = lowest ? -kInf : kInf, .integer = extreme(dtype, lowest)};
}

void finish(Op op, Compute type, DType dtype, const Partial* partials, std::int64_t n, void* out) {
  const bool where = op == Op::kArgMax || op == Op::kArgMin;
  const bool floating = type == Compute::kF32 || type == Compute::kF64;
  for (std::int64_t i = 0; i < n; ++i) {
    const Partial& p = partials[i];
    std::uint64_t bits = where ? p.at : p.integer;
    switch (compute_type(dtype)) {
      case Compute::kF32:
        static_cast<float*>(out)[i] = static_cast<float>(p.number);
        continue;
      case Compute::kF64:
        static_cast<double*>(out)[i] = p.number;
        continue;
      case Compute::kC64:
        static_cast<std::complex<float>*>(out)[i] = {static_cast<float>(p.number), static_cast<float>(p.imaginary)};
        continue;
      case Compute::kC128:
        static_cast<std::complex<double>*>(out)[i] = {p.number, p.imaginary};
        continue;
      case Compute::kBool:
        static_cast<std::uint8_t*>(out)[i] = (floating ? p.number != 0 : bits != 0) ? 1 : 0;
        continue;
      case Compute::kI32:
      case Compute::kU32: {
        const auto low = static_cast<std::uint32_t>(bits);
        std::memcpy(static_cast<std::byte*>(out) + 4 * i, &low, 4);
        continue;
      }
      default:
        std::memcpy(static_cast<std::byte*>(out) + 8 * i, &bits, 8);
    }
  }
  wrap(dtype, out, n);
}

}  // namespace tessera::runtime::cpu
#endif
