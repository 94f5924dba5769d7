// Loads, stores and casts of blocks, compiled for several instruction sets.
#include "runtime/cpu/convert.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/cpu/complex_block.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// An element of 16 bytes.
struct Pair {
  std::uint64_t low, high;
};

// The inner loop has a constant length, so that -O2 vectorizes it too.
template <class R, class F>
HWY_INLINE void loop(R* HWY_RESTRICT out, std::int64_t n, F f) {
  constexpr std::int64_t kStep = 64;
  std::int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    for (std::int64_t j = 0; j < kStep; ++j) out[i + j] = f(i + j);
  }
  for (; i < n; ++i) out[i] = f(i);
}

template <class S, class R>
HWY_INLINE void convert(const void* source, std::int64_t n, void* out) {
  const S* HWY_RESTRICT x = static_cast<const S*>(source);
  loop(static_cast<R*>(out), n, [=](std::int64_t i) HWY_ATTR { return static_cast<R>(x[i]); });
}

constexpr bool kHasF16 = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3;

void widen_half(const void* source, std::int64_t n, void* out) {
  const auto* x = static_cast<const std::uint16_t*>(source);
  auto* to = static_cast<float*>(out);
  std::int64_t i = 0;
  if constexpr (kHasF16) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> d16;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto* half = reinterpret_cast<const hwy::float16_t*>(x);
    for (; i + lanes <= n; i += lanes) hn::StoreU(hn::PromoteTo(d, hn::LoadU(d16, half + i)), d, to + i);
  }
  for (; i < n; ++i) {
    Half h;
    h.bits = x[i];
    to[i] = static_cast<float>(h);
  }
}

void narrow_half(const void* source, std::int64_t n, void* out) {
  const auto* x = static_cast<const float*>(source);
  auto* to = static_cast<std::uint16_t*>(out);
  std::int64_t i = 0;
  if constexpr (kHasF16) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> d16;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto* half = reinterpret_cast<hwy::float16_t*>(to);
    for (; i + lanes <= n; i += lanes) hn::StoreU(hn::DemoteTo(d16, hn::LoadU(d, x + i)), d16, half + i);
  }
  for (; i < n; ++i) to[i] = Half(x[i]).bits;
}

HWY_INLINE std::uint16_t bfloat_bits(std::uint32_t bits) {
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
  const std::uint32_t nan = (bits >> 16U) | 0x40U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? nan : rounded);
}

void widen_block(DType from, const void* source, std::int64_t n, void* out) {
  switch (from) {
    case DType::kBool: {  // callers may have written any byte for true
      const auto* HWY_RESTRICT x = static_cast<const std::uint8_t*>(source);
      return loop(static_cast<std::uint8_t*>(out), n,
                  [=](std::int64_t i) HWY_ATTR { return static_cast<std::uint8_t>(x[i] != 0); });
    }
    case DType::kI8:
      return convert<std::int8_t, std::int32_t>(source, n, out);
    case DType::kU8:
      return convert<std::uint8_t, std::uint32_t>(source, n, out);
    case DType::kI16:
      return convert<std::int16_t, std::int32_t>(source, n, out);
    case DType::kU16:
      return convert<std::uint16_t, std::uint32_t>(source, n, out);
    case DType::kF16:
      return widen_half(source, n, out);
    case DType::kBF16: {
      const auto* HWY_RESTRICT x = static_cast<const std::uint16_t*>(source);
      return loop(static_cast<std::uint32_t*>(out), n,
                  [=](std::int64_t i) HWY_ATTR { return static_cast<std::uint32_t>(x[i]) << 16U; });
    }
    default:
      std::memcpy(out, source, tessera::size_of(from) * static_cast<std::size_t>(n));
  }
}

void narrow_block(DType to, const void* source, std::int64_t n, void* out) {
  switch (to) {
    case DType::kI8:
    case DType::kU8:
      return convert<std::uint32_t, std::uint8_t>(source, n, out);
    case DType::kI16:
    case DType::kU16:
      return convert<std::uint32_t, std::uint16_t>(source, n, out);
    case DType::kF16:
      return narrow_half(source, n, out);
    case DType::kBF16: {
      const auto* HWY_RESTRICT x = static_cast<const std::uint32_t*>(source);
      return loop(static_cast<std::uint16_t*>(out), n, [=](std::int64_t i) HWY_ATTR { return bfloat_bits(x[i]); });
    }
    default:
      std::memcpy(out, source, tessera::size_of(to) * static_cast<std::size_t>(n));
  }
}

template <class Small, class T>
HWY_INLINE void wrap_values(void* values, std::int64_t n) {
  T* v = static_cast<T*>(values);
  for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<Small>(v[i]));
}

void wrap_block(DType type, void* values, std::int64_t n) {
  switch (type) {
    case DType::kI8:
      return wrap_values<std::int8_t, std::int32_t>(values, n);
    case DType::kU8:
      return wrap_values<std::uint8_t, std::uint32_t>(values, n);
    case DType::kI16:
      return wrap_values<std::int16_t, std::int32_t>(values, n);
    case DType::kU16:
      return wrap_values<std::uint16_t, std::uint32_t>(values, n);
    default:
      return;
  }
}

template <class S, class R>
HWY_INLINE R cast_value(S x) {
  if constexpr (std::is_floating_point_v<S> && std::is_integral_v<R>) {
    using L = std::numeric_limits<R>;
    // The first power of two past the range is exact in any float type.
    constexpr S kPast = static_cast<S>(std::uint64_t{1} << (L::digits - 1)) * 2;
    if (!(x > (std::is_signed_v<R> ? -kPast : S{-1}))) return x == x ? L::min() : R{0};
    return x >= kPast ? L::max() : static_cast<R>(x);
  } else {
    return static_cast<R>(x);
  }
}

template <class S, class R>
HWY_INLINE void cast_values(const void* source, std::int64_t n, void* out) {
  const S* HWY_RESTRICT x = static_cast<const S*>(source);
  loop(static_cast<R*>(out), n, [=](std::int64_t i) HWY_ATTR { return cast_value<S, R>(x[i]); });
}

template <class S>
HWY_INLINE void cast_from(Compute to, const void* source, std::int64_t n, void* out) {
  switch (to) {
    case Compute::kBool: {
      const S* HWY_RESTRICT x = static_cast<const S*>(source);
      return loop(static_cast<std::uint8_t*>(out), n,
                  [=](std::int64_t i) HWY_ATTR { return static_cast<std::uint8_t>(x[i] != S{0}); });
    }
    case Compute::kI32:
      return cast_values<S, std::int32_t>(source, n, out);
    case Compute::kU32:
      return cast_values<S, std::uint32_t>(source, n, out);
    case Compute::kI64:
      return cast_values<S, std::int64_t>(source, n, out);
    case Compute::kU64:
      return cast_values<S, std::uint64_t>(source, n, out);
    case Compute::kF32:
      return cast_values<S, float>(source, n, out);
    case Compute::kF64:
      return cast_values<S, double>(source, n, out);
    default:
      return;  // cast_complex
  }
}

void round_half(void* values, std::int64_t n) {
  auto* v = static_cast<float*>(values);
  constexpr std::int64_t kPiece = 256;
  std::uint16_t bits[kPiece];
  for (std::int64_t i = 0; i < n; i += kPiece) {
    const std::int64_t piece = std::min(kPiece, n - i);
    narrow_half(v + i, piece, bits);
    widen_half(bits, piece, v + i);
  }
}

void cast_block(Compute from, DType to, const void* source, std::int64_t n, void* out) {
  const Compute type = compute_type(to);
  switch (from) {
    case Compute::kBool:
      cast_from<std::uint8_t>(type, source, n, out);
      break;
    case Compute::kI32:
      cast_from<std::int32_t>(type, source, n, out);
      break;
    case Compute::kU32:
      cast_from<std::uint32_t>(type, source, n, out);
      break;
    case Compute::kI64:
      cast_from<std::int64_t>(type, source, n, out);
      break;
    case Compute::kU64:
      cast_from<std::uint64_t>(type, source, n, out);
      break;
    case Compute::kF32:
      cast_from<float>(type, source, n, out);
      break;
    case Compute::kF64:
      cast_from<double>(type, source, n, out);
      break;
    default:
      return;  // cast_complex
  }
  if (to == DType::kF16) {
    round_half(out, n);
  } else if (to == DType::kBF16) {
    auto* v = static_cast<std::uint32_t*>(out);
    for (std::int64_t i = 0; i < n; ++i) v[i] = static_cast<std::uint32_t>(bfloat_bits(v[i])) << 16U;
  } else {
    wrap_block(to, out, n);
  }
}

template <class T>
HWY_INLINE void take_strided_values(const void* source, std::uint32_t base, std::uint32_t stride, std::int64_t n,
                                    void* out) {
  const T* HWY_RESTRICT x = static_cast<const T*>(source);
  T* HWY_RESTRICT to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i, base += stride) to[i] = x[base];
}

void take_strided_block(std::size_t size, const void* source, std::uint32_t base, std::uint32_t stride, std::int64_t n,
                        void* out) {
  switch (size) {
    case 1:
      return take_strided_values<std::uint8_t>(source, base, stride, n, out);
    case 2:
      return take_strided_values<std::uint16_t>(source, base, stride, n, out);
    case 4:
      return take_strided_values<std::uint32_t>(source, base, stride, n, out);
    case 8:
      return take_strided_values<std::uint64_t>(source, base, stride, n, out);
    default:
      return take_strided_values<Pair>(source, base, stride, n, out);
  }
}

// Lines along memory become columns; four by four where there are vectors for it.
template <class T>
HWY_INLINE void transpose(const T* HWY_RESTRICT x, std::uint32_t base, std::uint32_t col_stride, std::int64_t rows,
                          std::int64_t cols, T* HWY_RESTRICT out) {
  std::int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == 4) {
    const hn::Full128<std::uint32_t> d;
    const hn::Full128<std::uint64_t> wide;
    const std::int64_t whole = rows / 4 * 4;
    for (; done + 4 <= cols; done += 4) {
      const T* line[4];
      for (std::uint32_t e = 0; e < 4; ++e) line[e] = x + (base + (static_cast<std::uint32_t>(done) + e) * col_stride);
      for (std::int64_t r = 0; r < whole; r += 4) {
        const auto r0 = hn::LoadU(d, line[0] + r);
        const auto r1 = hn::LoadU(d, line[1] + r);
        const auto r2 = hn::LoadU(d, line[2] + r);
        const auto r3 = hn::LoadU(d, line[3] + r);
        const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
        const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
        const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
        const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
        T* to = out + r * cols + done;
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), d, to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, to + cols);
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, to + 2 * cols);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, to + 3 * cols);
      }
      for (std::int64_t r = whole; r < rows; ++r) {
        for (std::int64_t e = 0; e < 4; ++e) out[r * cols + done + e] = line[e][r];
      }
    }
  }
#endif
  for (std::int64_t c = done; c < cols; ++c) {
    const T* line = x + (base + static_cast<std::uint32_t>(c) * col_stride);
    for (std::int64_t r = 0; r < rows; ++r) out[r * cols + c] = line[r];
  }
}

template <class T>
HWY_INLINE void take_rectangle_values(const void* source, std::uint32_t base, std::uint32_t row_stride,
                                      std::uint32_t col_stride, std::int64_t rows, std::int64_t cols, void* out) {
  const T* x = static_cast<const T*>(source);
  T* to = static_cast<T*>(out);
  if (row_stride == 1) return transpose(x, base, col_stride, rows, cols, to);
  for (std::int64_t r = 0; r < rows; ++r, base += row_stride, to += cols) {
    take_strided_values<T>(source, base, col_stride, cols, to);
  }
}

void take_rectangle_block(std::size_t size, const void* source, std::uint32_t base, std::uint32_t row_stride,
                          std::uint32_t col_stride, std::int64_t rows, std::int64_t cols, void* out) {
  switch (size) {
    case 1:
      return take_rectangle_values<std::uint8_t>(source, base, row_stride, col_stride, rows, cols, out);
    case 2:
      return take_rectangle_values<std::uint16_t>(source, base, row_stride, col_stride, rows, cols, out);
    case 4:
      return take_rectangle_values<std::uint32_t>(source, base, row_stride, col_stride, rows, cols, out);
    case 8:
      return take_rectangle_values<std::uint64_t>(source, base, row_stride, col_stride, rows, cols, out);
    default:
      return take_rectangle_values<Pair>(source, base, row_stride, col_stride, rows, cols, out);
  }
}

template <class T>
HWY_INLINE void take_values(const void* source, const std::uint32_t* at, std::int64_t n, void* out) {
  const T* HWY_RESTRICT x = static_cast<const T*>(source);
  T* HWY_RESTRICT to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i) to[i] = x[at[i]];
}

void take_block(std::size_t size, const void* source, const std::uint32_t* at, std::int64_t n, void* out) {
  switch (size) {
    case 1:
      return take_values<std::uint8_t>(source, at, n, out);
    case 2:
      return take_values<std::uint16_t>(source, at, n, out);
    case 4:
      return take_values<std::uint32_t>(source, at, n, out);
    case 8:
      return take_values<std::uint64_t>(source, at, n, out);
    default:
      return take_values<Pair>(source, at, n, out);
  }
}

template <class T>
HWY_INLINE void fill_values(const void* element, std::int64_t n, void* out) {
  T v;
  std::memcpy(&v, element, sizeof v);
  loop(static_cast<T*>(out), n, [=](std::int64_t) HWY_ATTR { return v; });
}

void fill_block(std::size_t size, const void* element, std::int64_t n, void* out) {
  switch (size) {
    case 1:
      return fill_values<std::uint8_t>(element, n, out);
    case 2:
      return fill_values<std::uint16_t>(element, n, out);
    case 4:
      return fill_values<std::uint32_t>(element, n, out);
    case 8:
      return fill_values<std::uint64_t>(element, n, out);
    default:
      return fill_values<Pair>(element, n, out);
  }
}

template <class T>
HWY_INLINE void repeat_values(const void* elements, std::int64_t n, std::int64_t times, void* out) {
  T* to = static_cast<T*>(out);
  for (std::int64_t i = 0; i < n; ++i, to += times) {
    fill_values<T>(static_cast<const std::byte*>(elements) + i * static_cast<std::int64_t>(sizeof(T)), times, to);
  }
}

void repeat_block(std::size_t size, const void* elements, std::int64_t n, std::int64_t times, void* out) {
  switch (size) {
    case 1:
      return repeat_values<std::uint8_t>(elements, n, times, out);
    case 2:
      return repeat_values<std::uint16_t>(elements, n, times, out);
    case 4:
      return repeat_values<std::uint32_t>(elements, n, times, out);
    case 8:
      return repeat_values<std::uint64_t>(elements, n, times, out);
    default:
      return repeat_values<Pair>(elements, n, times, out);
  }
}

}  // namespace
}  // namespace tessera::runtime::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::runtime::cpu {

HWY_EXPORT(widen_block);
HWY_EXPORT(narrow_block);
HWY_EXPORT(wrap_block);
HWY_EXPORT(cast_block);
HWY_EXPORT(take_strided_block);
HWY_EXPORT(take_rectangle_block);
HWY_EXPORT(take_block);
HWY_EXPORT(fill_block);
HWY_EXPORT(repeat_block);

void widen(DType from, const void* source, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(widen_block)(from, source, n, out);
}

void narrow(DType to, const void* source, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(narrow_block)(to, source, n, out);
}

void wrap(DType type, void* values, std::int64_t n) {
  if (is_subword_integer(type)) HWY_DYNAMIC_DISPATCH(wrap_block)(type, values, n);
}

void cast(Compute from, DType to, const void* source, std::int64_t n, void* out) {
  if (is_complex(from) || is_complex(to)) return cast_complex(from, to, source, n, out);
  HWY_DYNAMIC_DISPATCH(cast_block)(from, to, source, n, out);
}

void take_strided(std::size_t size, const void* source, std::uint32_t base, std::uint32_t stride, std::int64_t n,
                  void* out) {
  HWY_DYNAMIC_DISPATCH(take_strided_block)(size, source, base, stride, n, out);
}

void take_rectangle(std::size_t size, const void* source, std::uint32_t base, std::uint32_t row_stride,
                    std::uint32_t col_stride, std::int64_t rows, std::int64_t cols, void* out) {
  HWY_DYNAMIC_DISPATCH(take_rectangle_block)(size, source, base, row_stride, col_stride, rows, cols, out);
}

void take(std::size_t size, const void* source, const std::uint32_t* at, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(take_block)(size, source, at, n, out);
}

void fill(std::size_t size, const void* element, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(fill_block)(size, element, n, out);
}

void repeat(std::size_t size, const void* elements, std::int64_t n, std::int64_t times, void* out) {
  HWY_DYNAMIC_DISPATCH(repeat_block)(size, elements, n, times, out);
}

}  // namespace tessera::runtime::cpu
#endif
