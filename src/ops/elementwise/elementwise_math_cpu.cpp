// The exponential, logarithmic, trigonometric and hyperbolic ops over blocks of values on the CPU.
#include <cmath>
#include <cstdint>

#include "ops/elementwise/elementwise_cpu.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/elementwise/elementwise_math_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h.
#include <hwy/contrib/math/math-inl.h>

#include "ops/elementwise/elementwise_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::cpu::HWY_NAMESPACE {
namespace {

// To f32, infinities included: the scalar target's own narrowing stops at the largest number.
template <class D32, class V>
HWY_INLINE auto narrow(D32 d32, V v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d32, static_cast<float>(hn::GetLane(v)));
#else
  return hn::DemoteTo(d32, v);
#endif
}

// f32 through vectors of f64, whose extra bits absorb the cancellation of the short formula.
template <class F>
HWY_INLINE void wide1(const CpuBlock& b, F f) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* HWY_RESTRICT x = static_cast<const float*>(b.args[0]);
  auto* HWY_RESTRICT out = static_cast<float*>(b.out);
  std::int64_t i = 0;
  for (; i + lanes <= b.n; i += lanes) {
    hn::StoreU(narrow(d32, f(d, hn::PromoteTo(d, hn::LoadU(d32, x + i)))), d32, out + i);
  }
  if (i == b.n) return;
  HWY_ALIGN float padded[hn::MaxLanes(d)] = {};
  for (std::int64_t j = i; j < b.n; ++j) padded[j - i] = x[j];
  hn::Store(narrow(d32, f(d, hn::PromoteTo(d, hn::Load(d32, padded)))), d32, padded);
  for (std::int64_t j = i; j < b.n; ++j) out[j] = padded[j - i];
}

template <class F>
HWY_INLINE void wide2(const CpuBlock& b, F f) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* HWY_RESTRICT x = static_cast<const float*>(b.args[0]);
  const auto* HWY_RESTRICT y = static_cast<const float*>(b.args[1]);
  auto* HWY_RESTRICT out = static_cast<float*>(b.out);
  const auto at = [&](const float* px, const float* py, float* to) HWY_ATTR {
    const auto r = f(d, hn::PromoteTo(d, hn::LoadU(d32, px)), hn::PromoteTo(d, hn::LoadU(d32, py)));
    hn::StoreU(narrow(d32, r), d32, to);
  };
  std::int64_t i = 0;
  for (; i + lanes <= b.n; i += lanes) at(x + i, y + i, out + i);
  if (i == b.n) return;
  HWY_ALIGN float first[hn::MaxLanes(d)] = {};
  HWY_ALIGN float second[hn::MaxLanes(d)] = {};
  for (std::int64_t j = i; j < b.n; ++j) {
    first[j - i] = x[j];
    second[j - i] = y[j];
  }
  at(first, second, first);
  for (std::int64_t j = i; j < b.n; ++j) out[j] = first[j - i];
}

template <class F>
HWY_INLINE void doubles1(const CpuBlock& b, F f) {
  by_float(b, [&](auto zero) HWY_ATTR {
    if constexpr (sizeof(zero) == 8) loop1<double, double>(b, f);
  });
}

// The library's functions are for finite arguments inside their domain; these add the other cases.

template <class D, class V>
HWY_INLINE V exp_all(D d, V x) {
  using T = hn::TFromD<D>;
  const V limit = hn::Set(d, sizeof(T) == 4 ? T(104) : T(706));
  const V y = hn::Exp(d, hn::Min(x, limit));
  const V high = hn::IfThenElse(hn::Gt(x, limit), hn::Inf(d), y);
  return hn::IfThenElse(hn::IsNaN(x), x, high);
}

template <class D, class V>
HWY_INLINE V log_all(D d, V x) {
  const V zero = hn::Zero(d);
  const V y = hn::IfThenElse(hn::Eq(x, hn::Inf(d)), x, hn::Log(d, x));
  const V low = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(hn::Inf(d)), hn::NaN(d));
  return hn::IfThenElse(hn::Gt(x, zero), y, low);
}

// Below 2^-24 the functions that use this equal their argument to the last bit of f32.
template <class D, class V>
HWY_INLINE V unless_tiny(D d, V x, V y) {
  return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-24)), x, y);
}

void exp(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::exp(x); });
  vectors1<float>(b, [](auto d, auto x) HWY_ATTR { return exp_all(d, x); });
}

void expm1(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::expm1(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return unless_tiny(d, x, hn::Sub(exp_all(d, x), hn::Set(d, 1))); });
}

void log(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::log(x); });
  vectors1<float>(b, [](auto d, auto x) HWY_ATTR { return log_all(d, x); });
}

void log2(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::log2(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return hn::Mul(log_all(d, x), hn::Set(d, 1.4426950408889634)); });
}

void log10(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::log10(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return hn::Mul(log_all(d, x), hn::Set(d, 0.4342944819032518)); });
}

void log1p(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::log1p(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return unless_tiny(d, x, log_all(d, hn::Add(x, hn::Set(d, 1)))); });
}

// The vector reductions hold to 39000; larger arguments, infinities and NaN are computed one by one.
template <class F, class Scalar>
HWY_INLINE void periodic(const CpuBlock& b, F f, Scalar scalar) {
  wide1(b, [&](auto d, auto x) HWY_ATTR { return f(d, x); });
  const auto* x = static_cast<const float*>(b.args[0]);
  auto* out = static_cast<float*>(b.out);
  for (std::int64_t i = 0; i < b.n; ++i) {
    if (!(std::fabs(x[i]) <= 39000.0F)) out[i] = scalar(x[i]);
  }
}

void sin(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::sin(x); });
  periodic(
      b, [](auto d, auto x) HWY_ATTR { return unless_tiny(d, x, hn::Sin(d, x)); }, [](float x) { return std::sin(x); });
}

void cos(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::cos(x); });
  periodic(b, [](auto d, auto x) HWY_ATTR { return hn::Cos(d, x); }, [](float x) { return std::cos(x); });
}

void tan(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::tan(x); });
  periodic(
      b, [](auto d, auto x) HWY_ATTR { return unless_tiny(d, x, hn::Div(hn::Sin(d, x), hn::Cos(d, x))); },
      [](float x) { return std::tan(x); });
}

template <class D, class V>
HWY_INLINE V nan_past_one(D d, V x, V y) {
  return hn::IfThenElse(hn::Le(hn::Abs(x), hn::Set(d, 1)), y, hn::NaN(d));
}

void asin(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::asin(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return nan_past_one(d, x, hn::Asin(d, x)); });
}

void acos(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::acos(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return nan_past_one(d, x, hn::Acos(d, x)); });
}

void atan(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::atan(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR { return hn::IfThenElse(hn::IsNaN(x), x, hn::Atan(d, x)); });
}

void sinh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::sinh(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR {
    const auto y = hn::Mul(hn::Sub(exp_all(d, x), exp_all(d, hn::Neg(x))), hn::Set(d, 0.5));
    return unless_tiny(d, x, y);
  });
}

void cosh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::cosh(x); });
  wide1(b, [](auto d, auto x)
               HWY_ATTR { return hn::Mul(hn::Add(exp_all(d, x), exp_all(d, hn::Neg(x))), hn::Set(d, 0.5)); });
}

void tanh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::tanh(x); });
  vectors1<float>(b, [](auto d, auto x) HWY_ATTR {
    // Past 10 the result is 1; the library's own limit comes after its quotient.
    const auto y = hn::Tanh(d, hn::Max(hn::Min(x, hn::Set(d, 20)), hn::Set(d, -20)));
    return hn::IfThenElse(hn::IsNaN(x), x, y);
  });
}

void asinh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::asinh(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR {
    const auto a = hn::Abs(x);
    const auto y = log_all(d, hn::Add(a, hn::Sqrt(hn::MulAdd(a, a, hn::Set(d, 1)))));
    return unless_tiny(d, x, hn::CopySign(y, x));
  });
}

void acosh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::acosh(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR {
    const auto one = hn::Set(d, 1);
    const auto root = hn::Sqrt(hn::Mul(hn::Sub(x, one), hn::Add(x, one)));
    return hn::IfThenElse(hn::Lt(x, one), hn::NaN(d), log_all(d, hn::Add(x, root)));
  });
}

void atanh(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::atanh(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR {
    const auto one = hn::Set(d, 1);
    const auto y = log_all(d, hn::Div(hn::Add(one, x), hn::Sub(one, x)));
    return unless_tiny(d, x, hn::Mul(y, hn::Set(d, 0.5)));
  });
}

// erf(x) / x on [-4, 4], a polynomial in x^2 / 8 - 1 fitted at Chebyshev points; past 4 f32 has only 1.
constexpr double kErf[] = {9.73518721593791e-05, -0.000246708837397591, 0.000158341649432714, -0.000324302516607133,
                           0.00143801713540199,  -0.00291183913754445,  0.0047468305225749,   -0.00838207398154216,
                           0.0143975675372845,   -0.0225635978077228,   0.0330475860253393,   -0.0457440016912727,
                           0.0598889353999091,   -0.0747305361065557,   0.0902088340535545,   -0.107710289378619,
                           0.13167512178008,     -0.176576235873102,    0.353530995618833};

void erf(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return std::erf(x); });
  wide1(b, [](auto d, auto x) HWY_ATTR {
    const auto s = hn::MulSub(hn::Mul(x, x), hn::Set(d, 0.125), hn::Set(d, 1));
    auto y = hn::Set(d, kErf[0]);
    for (std::size_t i = 1; i < std::size(kErf); ++i) y = hn::MulAdd(y, s, hn::Set(d, kErf[i]));
    const auto one = hn::CopySign(hn::Set(d, 1), x);
    return hn::IfThenElse(hn::Gt(hn::Abs(x), hn::Set(d, 4)), one, hn::Mul(x, y));
  });
}

double sigmoid_of(double x) {
  const double z = std::exp(-std::fabs(x));
  return (x < 0 ? z : 1) / (1 + z);
}

void sigmoid(const CpuBlock& b) {
  if (b.type != Compute::kF32) return doubles1(b, [](double x) HWY_ATTR { return sigmoid_of(x); });
  vectors1<float>(b, [](auto d, auto x) HWY_ATTR {
    const auto one = hn::Set(d, 1);
    const auto z = exp_all(d, hn::Neg(hn::Abs(x)));
    return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), z, one), hn::Add(one, z));
  });
}

template <class T>
T integer_power(T base, T exponent) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == -1) return (exponent & 1) != 0 ? -1 : 1;
      return base == 1 ? 1 : 0;
    }
  }
  U result = 1;
  U factor = static_cast<U>(base);
  for (U e = static_cast<U>(exponent); e != 0; e >>= 1U) {
    if ((e & 1U) != 0) result *= factor;
    factor *= factor;
  }
  return static_cast<T>(result);
}

template <class D, class V>
HWY_INLINE V power_of(D d, V x, V y) {
  const V one = hn::Set(d, 1);
  const V half = hn::Set(d, 0.5);
  const V zero = hn::Zero(d);
  // |x|^y; exponents past 300 are past f32 in either direction.
  V product = hn::Mul(y, log_all(d, hn::Abs(x)));
  const auto unordered = hn::IsNaN(product);
  product = hn::Max(hn::Min(product, hn::Set(d, 300)), hn::Set(d, -300));
  V r = hn::IfThenElse(unordered, hn::NaN(d), hn::Exp(d, product));
  // A negative base: the sign follows an odd exponent, and a broken one has no answer unless the base is 0 or infinite.
  const auto whole = hn::Eq(y, hn::Floor(y));
  const auto even = hn::Eq(hn::Mul(y, half), hn::Floor(hn::Mul(y, half)));
  const auto negative_sign = hn::Lt(hn::CopySign(one, x), zero);
  r = hn::IfThenElse(hn::And(negative_sign, hn::AndNot(even, whole)), hn::Neg(r), r);
  const auto broken = hn::And(hn::And(hn::Lt(x, zero), hn::IsFinite(x)), hn::Not(whole));
  r = hn::IfThenElse(broken, hn::NaN(d), r);
  // 1^y, x^0 and (-1)^inf are 1 even with NaN.
  const auto sure =
      hn::Or(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), hn::And(hn::Eq(hn::Abs(x), one), hn::Eq(hn::Abs(y), hn::Inf(d))));
  return hn::IfThenElse(sure, one, r);
}

void power(const CpuBlock& b) {
  switch (b.type) {
    case Compute::kBool:
      return loop2<std::uint8_t, std::uint8_t>(
          b, [](std::uint8_t x, std::uint8_t y) HWY_ATTR { return static_cast<std::uint8_t>(x | (y ^ 1U)); });
    case Compute::kI32:
      return loop2<std::int32_t, std::int32_t>(b, integer_power<std::int32_t>);
    case Compute::kU32:
      return loop2<std::uint32_t, std::uint32_t>(b, integer_power<std::uint32_t>);
    case Compute::kI64:
      return loop2<std::int64_t, std::int64_t>(b, integer_power<std::int64_t>);
    case Compute::kU64:
      return loop2<std::uint64_t, std::uint64_t>(b, integer_power<std::uint64_t>);
    case Compute::kF32:
      return wide2(b, [](auto d, auto x, auto y) HWY_ATTR { return power_of(d, x, y); });
    case Compute::kF64:
      return loop2<double, double>(b, [](double x, double y) HWY_ATTR { return std::pow(x, y); });
    default:
      fail(ErrorKind::kDType, "A block of complex numbers reached an elementwise op that takes real numbers.");
  }
}

void atan2(const CpuBlock& b) {
  by_float(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T y, T x) HWY_ATTR { return std::atan2(y, x); });
  });
}

}  // namespace
}  // namespace tessera::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::cpu {

TESSERA_CPU_OP(exp)
TESSERA_CPU_OP(expm1)
TESSERA_CPU_OP(log)
TESSERA_CPU_OP(log2)
TESSERA_CPU_OP(log10)
TESSERA_CPU_OP(log1p)
TESSERA_CPU_OP(sin)
TESSERA_CPU_OP(cos)
TESSERA_CPU_OP(tan)
TESSERA_CPU_OP(asin)
TESSERA_CPU_OP(acos)
TESSERA_CPU_OP(atan)
TESSERA_CPU_OP(sinh)
TESSERA_CPU_OP(cosh)
TESSERA_CPU_OP(tanh)
TESSERA_CPU_OP(asinh)
TESSERA_CPU_OP(acosh)
TESSERA_CPU_OP(atanh)
TESSERA_CPU_OP(erf)
TESSERA_CPU_OP(sigmoid)
TESSERA_CPU_OP(power)
TESSERA_CPU_OP(atan2)

}  // namespace tessera::cpu
#endif
