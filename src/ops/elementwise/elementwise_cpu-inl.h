// The loops of the CPU's elementwise ops over a block: included once per instruction set.
#include "ops/elementwise/elementwise.h"

// clang-format off
#if defined(TESSERA_OPS_ELEMENTWISE_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_OPS_ELEMENTWISE_CPU_INL_H_
#undef TESSERA_OPS_ELEMENTWISE_CPU_INL_H_
#else
#define TESSERA_OPS_ELEMENTWISE_CPU_INL_H_
#endif
// clang-format on

#include <hwy/highway.h>

#include "base/fail.h"

#ifndef TESSERA_CPU_OP
// Defines the public function that picks the best instruction set at its first call.
#define TESSERA_CPU_OP(name) \
  HWY_EXPORT(name);          \
  void name(const CpuBlock& block) { HWY_DYNAMIC_DISPATCH(name)(block); }
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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

template <class T, class R, class F>
HWY_INLINE void loop1(const CpuBlock& b, F f) {
  const auto* HWY_RESTRICT x = static_cast<const T*>(b.args[0]);
  loop(static_cast<R*>(b.out), b.n, [=](std::int64_t i) HWY_ATTR { return f(x[i]); });
}

template <class T, class R, class F>
HWY_INLINE void loop2(const CpuBlock& b, F f) {
  const auto* HWY_RESTRICT x = static_cast<const T*>(b.args[0]);
  const auto* HWY_RESTRICT y = static_cast<const T*>(b.args[1]);
  loop(static_cast<R*>(b.out), b.n, [=](std::int64_t i) HWY_ATTR { return f(x[i], y[i]); });
}

// Calls f(d, x) on whole vectors; the rest of the block goes through padded ones.
template <class T, class F>
HWY_INLINE void vectors1(const CpuBlock& b, F f) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* HWY_RESTRICT x = static_cast<const T*>(b.args[0]);
  auto* HWY_RESTRICT out = static_cast<T*>(b.out);
  std::int64_t i = 0;
  for (; i + lanes <= b.n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, x + i)), d, out + i);
  if (i == b.n) return;
  HWY_ALIGN T padded[hn::MaxLanes(d)] = {};
  for (std::int64_t j = i; j < b.n; ++j) padded[j - i] = x[j];
  hn::Store(f(d, hn::Load(d, padded)), d, padded);
  for (std::int64_t j = i; j < b.n; ++j) out[j] = padded[j - i];
}

template <class T, class F>
HWY_INLINE void vectors2(const CpuBlock& b, F f) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* HWY_RESTRICT x = static_cast<const T*>(b.args[0]);
  const auto* HWY_RESTRICT y = static_cast<const T*>(b.args[1]);
  auto* HWY_RESTRICT out = static_cast<T*>(b.out);
  std::int64_t i = 0;
  for (; i + lanes <= b.n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, out + i);
  if (i == b.n) return;
  HWY_ALIGN T first[hn::MaxLanes(d)] = {};
  HWY_ALIGN T second[hn::MaxLanes(d)] = {};
  for (std::int64_t j = i; j < b.n; ++j) {
    first[j - i] = x[j];
    second[j - i] = y[j];
  }
  hn::Store(f(d, hn::Load(d, first), hn::Load(d, second)), d, first);
  for (std::int64_t j = i; j < b.n; ++j) out[j] = first[j - i];
}

template <class F>
void by_float(const CpuBlock& b, F f) {
  switch (b.type) {
    case Compute::kF32:
      return f(float{});
    case Compute::kF64:
      return f(double{});
    default:
      fail(ErrorKind::kDType, "A block of integers or bool reached an elementwise op that takes floats.");
  }
}

}  // namespace
}  // namespace tessera::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard for each instruction set
