// Loads, stores and casts of blocks, compiled for several instruction sets.
#include "runtime/cpu/convert.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/cpu/convert.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// The inner loop has a constant length, so that -O2 vectorises it too.
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
    default:
      return take_strided_values<std::uint64_t>(source, base, stride, n, out);
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
    default:
      return take_values<std::uint64_t>(source, at, n, out);
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
    default:
      return fill_values<std::uint64_t>(element, n, out);
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
HWY_EXPORT(take_block);
HWY_EXPORT(fill_block);

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
  HWY_DYNAMIC_DISPATCH(cast_block)(from, to, source, n, out);
}

void take_strided(std::size_t size, const void* source, std::uint32_t base, std::uint32_t stride, std::int64_t n,
                  void* out) {
  HWY_DYNAMIC_DISPATCH(take_strided_block)(size, source, base, stride, n, out);
}

void take(std::size_t size, const void* source, const std::uint32_t* at, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(take_block)(size, source, at, n, out);
}

void fill(std::size_t size, const void* element, std::int64_t n, void* out) {
  HWY_DYNAMIC_DISPATCH(fill_block)(size, element, n, out);
}

}  // namespace tessera::runtime::cpu
#endif
