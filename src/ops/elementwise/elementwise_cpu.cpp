// The arithmetic, comparison, logic and bit ops over blocks of values on the CPU, compiled for several instruction
// sets.
#include "ops/elementwise/elementwise_cpu.h"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/fail.h"
#include "ops/elementwise/special.h"

// AVX2, AVX-512 and SSE4; targets in between are not worth their size.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/elementwise/elementwise_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/elementwise/elementwise_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::cpu::HWY_NAMESPACE {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
constexpr bool kFloating = std::is_floating_point_v<T>;

// Calls f with a zero of the operands' type.
template <class F>
void by_integer(const CpuBlock& b, F f) {
  switch (b.type) {
    case Compute::kI32:
      return f(std::int32_t{});
    case Compute::kU32:
      return f(std::uint32_t{});
    case Compute::kI64:
      return f(std::int64_t{});
    case Compute::kU64:
      return f(std::uint64_t{});
    default:
      fail(ErrorKind::kDType, "A block of bool, floats or complex numbers reached an elementwise op that takes none.");
  }
}

// Of all types but bool and complex numbers.
template <class F>
void by_number(const CpuBlock& b, F f) {
  if (b.type == Compute::kF32 || b.type == Compute::kF64) return by_float(b, f);
  by_integer(b, f);
}

// `ints` is a plain function of values, `floats` one of vectors.
template <class Floats, class Ints>
void unary_number(const CpuBlock& b, Floats floats, Ints ints) {
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    if constexpr (kFloating<T>) {
      vectors1<T>(b, floats);
    } else {
      loop1<T, T>(b, ints);
    }
  });
}

template <class Floats, class Ints>
void binary_number(const CpuBlock& b, Floats floats, Ints ints) {
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    if constexpr (kFloating<T>) {
      vectors2<T>(b, floats);
    } else {
      loop2<T, T>(b, ints);
    }
  });
}

template <class F>
void unary_bool(const CpuBlock& b, F f) {
  loop1<std::uint8_t, std::uint8_t>(b, f);
}

template <class F>
void binary_bool(const CpuBlock& b, F f) {
  loop2<std::uint8_t, std::uint8_t>(b, f);
}

void copy_block(const CpuBlock& b) {
  std::size_t size = 1;
  if (b.type != Compute::kBool) by_number(b, [&](auto zero) { size = sizeof(zero); });
  std::memcpy(b.out, b.args[0], size * static_cast<std::size_t>(b.n));
}

std::uint8_t both(std::uint8_t x, std::uint8_t y) { return x & y; }
std::uint8_t either(std::uint8_t x, std::uint8_t y) { return x | y; }
std::uint8_t differ(std::uint8_t x, std::uint8_t y) { return x ^ y; }

// One operand.

void negative(const CpuBlock& b) {
  if (b.type == Compute::kBool) return copy_block(b);
  unary_number(
      b, [](auto, auto x) HWY_ATTR { return hn::Neg(x); },
      [](auto x) HWY_ATTR { return static_cast<decltype(x)>(0 - static_cast<Unsigned<decltype(x)>>(x)); });
}

void abs(const CpuBlock& b) {
  if (b.type == Compute::kBool) return copy_block(b);
  unary_number(
      b, [](auto, auto x) HWY_ATTR { return hn::Abs(x); },
      [](auto x) HWY_ATTR {
        using T = decltype(x);
        return x < T{0} ? static_cast<T>(0 - static_cast<Unsigned<T>>(x)) : x;
      });
}

void sign(const CpuBlock& b) {
  if (b.type == Compute::kBool) return copy_block(b);
  unary_number(
      b,
      [](auto d, auto x) HWY_ATTR {
        const auto zero = hn::Zero(d);
        const auto one = hn::Set(d, 1);
        const auto or_nan = hn::IfThenElse(hn::Eq(x, zero), zero, x);
        return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElse(hn::Lt(x, zero), hn::Neg(one), or_nan));
      },
      [](auto x) HWY_ATTR {
        using T = decltype(x);
        return static_cast<T>((x > T{0}) - (x < T{0}));
      });
}

void square(const CpuBlock& b) {
  if (b.type == Compute::kBool) return copy_block(b);
  unary_number(
      b, [](auto, auto x) HWY_ATTR { return hn::Mul(x, x); },
      [](auto x) HWY_ATTR {
        const auto u = static_cast<Unsigned<decltype(x)>>(x);
        return static_cast<decltype(x)>(u * u);
      });
}

void sqrt(const CpuBlock& b) {
  by_float(b,
           [&](auto zero) HWY_ATTR { vectors1<decltype(zero)>(b, [](auto, auto x) HWY_ATTR { return hn::Sqrt(x); }); });
}

void rsqrt(const CpuBlock& b) {
  by_float(b, [&](auto zero) HWY_ATTR {
    vectors1<decltype(zero)>(b, [](auto d, auto x) HWY_ATTR { return hn::Div(hn::Set(d, 1), hn::Sqrt(x)); });
  });
}

void reciprocal(const CpuBlock& b) {
  by_float(b, [&](auto zero) HWY_ATTR {
    vectors1<decltype(zero)>(b, [](auto d, auto x) HWY_ATTR { return hn::Div(hn::Set(d, 1), x); });
  });
}

// Integers and bool are whole already. The sign is restored for the targets that lose that of -0.
template <class F>
void rounding(const CpuBlock& b, F f) {
  if (b.type != Compute::kF32 && b.type != Compute::kF64) return copy_block(b);
  by_float(b, [&](auto zero) HWY_ATTR {
    vectors1<decltype(zero)>(b, [&](auto, auto x) HWY_ATTR { return hn::CopySign(f(x), x); });
  });
}

void floor(const CpuBlock& b) {
  rounding(b, [](auto x) HWY_ATTR { return hn::Floor(x); });
}
void ceil(const CpuBlock& b) {
  rounding(b, [](auto x) HWY_ATTR { return hn::Ceil(x); });
}
void round(const CpuBlock& b) {
  rounding(b, [](auto x) HWY_ATTR { return hn::Round(x); });
}
void trunc(const CpuBlock& b) {
  rounding(b, [](auto x) HWY_ATTR { return hn::Trunc(x); });
}

// `test` gets the magnitude's bits and those of infinity.
template <class F>
void float_test(const CpuBlock& b, std::uint8_t otherwise, F test) {
  if (b.type == Compute::kF32) {
    loop1<std::uint32_t, std::uint8_t>(
        b, [=](std::uint32_t x) HWY_ATTR { return std::uint8_t{test(x & 0x7fffffffU, 0x7f800000U)}; });
  } else if (b.type == Compute::kF64) {
    loop1<std::uint64_t, std::uint8_t>(b, [=](std::uint64_t x) HWY_ATTR {
      return std::uint8_t{test(x & 0x7fffffffffffffffU, std::uint64_t{0x7ff0000000000000U})};
    });
  } else {
    std::memset(b.out, otherwise, static_cast<std::size_t>(b.n));
  }
}

void isnan(const CpuBlock& b) {
  float_test(b, 0, [](auto x, auto inf) HWY_ATTR { return x > inf; });
}
void isinf(const CpuBlock& b) {
  float_test(b, 0, [](auto x, auto inf) HWY_ATTR { return x == inf; });
}
void isfinite(const CpuBlock& b) {
  float_test(b, 1, [](auto x, auto inf) HWY_ATTR { return x < inf; });
}

void signbit(const CpuBlock& b) {
  if (b.type == Compute::kBool)
    return loop1<std::uint8_t, std::uint8_t>(b, [](std::uint8_t) HWY_ATTR { return std::uint8_t{0}; });
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop1<T, std::uint8_t>(b, [](T x) HWY_ATTR {
      if constexpr (std::is_floating_point_v<T>) {
        return static_cast<std::uint8_t>(std::signbit(x));
      } else {
        return static_cast<std::uint8_t>(x < T{0});
      }
    });
  });
}

void logical_not(const CpuBlock& b) {
  unary_bool(b, [](std::uint8_t x) HWY_ATTR { return static_cast<std::uint8_t>(x ^ 1U); });
}

void bitwise_not(const CpuBlock& b) {
  if (b.type == Compute::kBool) return logical_not(b);
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop1<T, T>(b, [](T x) HWY_ATTR { return static_cast<T>(~x); });
  });
}

// Two operands.

void add(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, either);
  binary_number(
      b, [](auto, auto x, auto y) HWY_ATTR { return hn::Add(x, y); },
      [](auto x, auto y) HWY_ATTR {
        using U = Unsigned<decltype(x)>;
        return static_cast<decltype(x)>(static_cast<U>(x) + static_cast<U>(y));
      });
}

void subtract(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, differ);
  binary_number(
      b, [](auto, auto x, auto y) HWY_ATTR { return hn::Sub(x, y); },
      [](auto x, auto y) HWY_ATTR {
        using U = Unsigned<decltype(x)>;
        return static_cast<decltype(x)>(static_cast<U>(x) - static_cast<U>(y));
      });
}

void multiply(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, both);
  binary_number(
      b, [](auto, auto x, auto y) HWY_ATTR { return hn::Mul(x, y); },
      [](auto x, auto y) HWY_ATTR {
        using U = Unsigned<decltype(x)>;
        return static_cast<decltype(x)>(static_cast<U>(x) * static_cast<U>(y));
      });
}

void divide(const CpuBlock& b) {
  by_float(b, [&](auto zero) HWY_ATTR {
    vectors2<decltype(zero)>(b, [](auto, auto x, auto y) HWY_ATTR { return hn::Div(x, y); });
  });
}

template <class T>
T divide_down(T a, T b) {
  if constexpr (kFloating<T>) {
    if (b == 0) return a / b;
    const T mod = std::fmod(a, b);
    T div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
    if (div == 0) return std::copysign(T{0}, a / b);
    const T whole = std::floor(div);
    return div - whole > T(0.5) ? whole + 1 : whole;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
      return static_cast<T>(a / b - static_cast<T>(a % b != 0 && (a < 0) != (b < 0)));
    } else {
      return a / b;
    }
  }
}

template <class T>
T remainder_down(T a, T b) {
  if constexpr (kFloating<T>) {
    const T mod = std::fmod(a, b);
    if (b == 0) return mod;
    if (mod == 0) return std::copysign(T{0}, b);
    return (b < 0) != (mod < 0) ? mod + b : mod;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
      const T mod = static_cast<T>(a % b);
      return mod != 0 && (b < 0) != (mod < 0) ? static_cast<T>(mod + b) : mod;
    } else {
      return a % b;
    }
  }
}

void floor_divide(const CpuBlock& b) {
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T x, T y) HWY_ATTR { return divide_down(x, y); });
  });
}

void remainder(const CpuBlock& b) {
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T x, T y) HWY_ATTR { return remainder_down(x, y); });
  });
}

// NaN wins over any number.
void maximum(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, either);
  binary_number(
      b,
      [](auto, auto x, auto y)
          HWY_ATTR { return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), hn::Max(x, y)); },
      [](auto x, auto y) HWY_ATTR { return x < y ? y : x; });
}

void minimum(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, both);
  binary_number(
      b,
      [](auto, auto x, auto y)
          HWY_ATTR { return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), hn::Min(x, y)); },
      [](auto x, auto y) HWY_ATTR { return y < x ? y : x; });
}

template <class F>
void compare(const CpuBlock& b, F f) {
  if (b.type == Compute::kBool) {
    return binary_bool(b, [=](std::uint8_t x, std::uint8_t y) HWY_ATTR { return std::uint8_t{f(x, y)}; });
  }
  by_number(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, std::uint8_t>(b, [=](T x, T y) HWY_ATTR { return std::uint8_t{f(x, y)}; });
  });
}

void equal(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x == y; });
}
void not_equal(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x != y; });
}
void less(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x < y; });
}
void less_equal(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x <= y; });
}
void greater(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x > y; });
}
void greater_equal(const CpuBlock& b) {
  compare(b, [](auto x, auto y) HWY_ATTR { return x >= y; });
}

void logical_and(const CpuBlock& b) { binary_bool(b, both); }
void logical_or(const CpuBlock& b) { binary_bool(b, either); }
void logical_xor(const CpuBlock& b) { binary_bool(b, differ); }

void bitwise_and(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, both);
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T x, T y) HWY_ATTR { return static_cast<T>(x & y); });
  });
}

void bitwise_or(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, either);
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T x, T y) HWY_ATTR { return static_cast<T>(x | y); });
  });
}

void bitwise_xor(const CpuBlock& b) {
  if (b.type == Compute::kBool) return binary_bool(b, differ);
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    loop2<T, T>(b, [](T x, T y) HWY_ATTR { return static_cast<T>(x ^ y); });
  });
}

// Counts past the width, and negative ones, shift everything out.
void left_shift(const CpuBlock& b) {
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    using U = Unsigned<T>;
    constexpr U kBits = sizeof(T) * 8;
    loop2<T, T>(b, [](T x, T y) HWY_ATTR {
      const U count = static_cast<U>(y);
      return static_cast<T>(count < kBits ? static_cast<U>(x) << (count & (kBits - 1)) : U{0});
    });
  });
}

void right_shift(const CpuBlock& b) {
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    using U = Unsigned<T>;
    constexpr U kBits = sizeof(T) * 8;
    loop2<T, T>(b, [](T x, T y) HWY_ATTR {
      const U count = static_cast<U>(y);
      return static_cast<T>(count < kBits ? x >> (count & (kBits - 1)) : (x < T{0} ? static_cast<T>(-1) : T{0}));
    });
  });
}

void gcd(const CpuBlock& b) {
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    using U = Unsigned<T>;
    loop2<T, T>(b, [](T x, T y) HWY_ATTR {
      U p = x < T{0} ? U{0} - static_cast<U>(x) : static_cast<U>(x);
      U q = y < T{0} ? U{0} - static_cast<U>(y) : static_cast<U>(y);
      while (q != 0) {
        const U rest = p % q;
        p = q;
        q = rest;
      }
      return static_cast<T>(p);
    });
  });
}

void check_index(const CpuBlock& b) {
  by_integer(b, [&](auto zero) HWY_ATTR {
    using T = decltype(zero);
    const auto* index = static_cast<const T*>(b.args[0]);
    const auto* size = static_cast<const T*>(b.args[1]);
    for (std::int64_t i = 0; i < b.n; ++i) {
      const T at = index[i] < T{0} ? static_cast<T>(index[i] + size[i]) : index[i];
      if (at < T{0} || at >= size[i])
        fail_index(static_cast<std::int64_t>(index[i]), static_cast<std::int64_t>(size[i]));
      static_cast<T*>(b.out)[i] = at;
    }
  });
}

template <class T>
void select(const CpuBlock& b) {
  const auto* HWY_RESTRICT which = static_cast<const std::uint8_t*>(b.args[0]);
  const auto* HWY_RESTRICT yes = static_cast<const T*>(b.args[1]);
  const auto* HWY_RESTRICT no = static_cast<const T*>(b.args[2]);
  loop(static_cast<T*>(b.out), b.n, [=](std::int64_t i) HWY_ATTR { return which[i] != 0 ? yes[i] : no[i]; });
}

void where(const CpuBlock& b) {
  if (b.type == Compute::kBool) return select<std::uint8_t>(b);
  if (b.type == Compute::kC64) return select<std::uint64_t>(b);
  if (b.type == Compute::kC128) return select<std::complex<double>>(b);
  by_number(b, [&](auto zero) HWY_ATTR {
    if constexpr (sizeof(zero) == 4) {
      select<std::uint32_t>(b);
    } else {
      select<std::uint64_t>(b);
    }
  });
}

}  // namespace
}  // namespace tessera::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::cpu {

TESSERA_CPU_OP(negative)
TESSERA_CPU_OP(abs)
TESSERA_CPU_OP(sign)
TESSERA_CPU_OP(sqrt)
TESSERA_CPU_OP(rsqrt)
TESSERA_CPU_OP(square)
TESSERA_CPU_OP(reciprocal)
TESSERA_CPU_OP(floor)
TESSERA_CPU_OP(ceil)
TESSERA_CPU_OP(round)
TESSERA_CPU_OP(trunc)
TESSERA_CPU_OP(isnan)
TESSERA_CPU_OP(isinf)
TESSERA_CPU_OP(isfinite)
TESSERA_CPU_OP(signbit)
TESSERA_CPU_OP(logical_not)
TESSERA_CPU_OP(bitwise_not)
TESSERA_CPU_OP(add)
TESSERA_CPU_OP(subtract)
TESSERA_CPU_OP(multiply)
TESSERA_CPU_OP(divide)
TESSERA_CPU_OP(floor_divide)
TESSERA_CPU_OP(remainder)
TESSERA_CPU_OP(maximum)
TESSERA_CPU_OP(minimum)
TESSERA_CPU_OP(equal)
TESSERA_CPU_OP(not_equal)
TESSERA_CPU_OP(less)
TESSERA_CPU_OP(less_equal)
TESSERA_CPU_OP(greater)
TESSERA_CPU_OP(greater_equal)
TESSERA_CPU_OP(logical_and)
TESSERA_CPU_OP(logical_or)
TESSERA_CPU_OP(logical_xor)
TESSERA_CPU_OP(bitwise_and)
TESSERA_CPU_OP(bitwise_or)
TESSERA_CPU_OP(bitwise_xor)
TESSERA_CPU_OP(left_shift)
TESSERA_CPU_OP(right_shift)
TESSERA_CPU_OP(gcd)
TESSERA_CPU_OP(check_index)
TESSERA_CPU_OP(where)

}  // namespace tessera::cpu
#endif
