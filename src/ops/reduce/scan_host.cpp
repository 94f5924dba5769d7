// The host functions of scans.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/fail.h"
#include "ops/host_call.h"
#include "ops/reduce/scan.h"

namespace tessera::ops {

namespace {

template <ScanKind S, class E>
struct Running {
  E value;
  E second;  // kLogSumExp: the sum, relative to the largest
  std::uint32_t at;
};

constexpr std::uint32_t kNowhere = 0xffffffffU;

template <ScanKind S, class E>
Running<S, E> identity_of() {
  if constexpr (S == ScanKind::kLogSumExp) return {-std::numeric_limits<E>::infinity(), 0, 0};
  return {static_cast<E>(S == ScanKind::kProd ? 1 : 0), 0, kNowhere};
}

template <ScanKind S, class E>
Running<S, E> combined(const Running<S, E>& a, const Running<S, E>& b) {
  if constexpr (S == ScanKind::kSum || S == ScanKind::kProd) {
    if constexpr (std::is_floating_point_v<E>) {
      return {S == ScanKind::kSum ? a.value + b.value : a.value * b.value, 0, 0};
    } else {  // wraps
      using U = std::make_unsigned_t<E>;
      const U x = static_cast<U>(a.value);
      const U y = static_cast<U>(b.value);
      return {static_cast<E>(S == ScanKind::kSum ? x + y : x * y), 0, 0};
    }
  } else if constexpr (S == ScanKind::kLogSumExp) {
    const E m = std::isnan(a.value) || a.value > b.value ? a.value : b.value;
    if (!std::isfinite(m)) return {m, 1, 0};
    return {m, a.second * std::exp(a.value - m) + b.second * std::exp(b.value - m), 0};
  } else {
    if (b.at == kNowhere) return a;
    if (a.at == kNowhere || b.value != b.value) return b;
    if (a.value != a.value) return a;
    return (S == ScanKind::kMax ? b.value >= a.value : b.value <= a.value) ? b : a;
  }
}

template <ScanKind S, class E>
void save(std::span<std::uint32_t> words, std::size_t i, const Running<S, E>& r) {
  constexpr std::size_t kEach = sizeof(E) / 4;
  constexpr bool kPair = S == ScanKind::kLogSumExp || with_index(S);
  std::uint32_t* to = words.data() + i * (kPair ? 2 * kEach : kEach);
  std::memcpy(to, &r.value, sizeof(E));
  if (S == ScanKind::kLogSumExp) std::memcpy(to + kEach, &r.second, sizeof(E));
  if (with_index(S)) to[kEach] = r.at;
}

template <ScanKind S, class E>
Running<S, E> restored(std::span<const std::uint32_t> words, std::size_t i) {
  constexpr std::size_t kEach = sizeof(E) / 4;
  constexpr bool kPair = S == ScanKind::kLogSumExp || with_index(S);
  const std::uint32_t* from = words.data() + i * (kPair ? 2 * kEach : kEach);
  Running<S, E> r{};
  std::memcpy(&r.value, from, sizeof(E));
  if (S == ScanKind::kLogSumExp) std::memcpy(&r.second, from + kEach, sizeof(E));
  if (with_index(S)) r.at = from[kEach];
  return r;
}

template <ScanKind S, class E>
E lowered(const Running<S, E>& r) {
  if constexpr (S == ScanKind::kLogSumExp) {
    return std::isfinite(r.value) ? r.value + std::log(r.second) : r.value;
  } else {
    return r.value;
  }
}

template <ScanKind S, class E>
void host_segment(ScanStep step, const ScanAttributes& a, const CustomHostCall& call, const ScanParams& p,
                  std::size_t segment) {
  const std::size_t row = segment / p.tiles;
  const std::size_t first = segment % p.tiles * p.tile;
  const std::size_t last = p.tiles == 1 ? p.cols : std::min<std::size_t>(p.cols, first + p.tile);
  const auto in_words = [&](std::size_t i) { return host_input<std::uint32_t>(call, i); };
  Running<S, E> run = identity_of<S, E>();
  if (step == ScanStep::kOfTotals) {
    for (std::size_t at = row * p.cols + first; at < row * p.cols + last; ++at) {
      save(host_output<std::uint32_t>(call, 0), at, run);
      run = combined(run, restored<S, E>(in_words(0), at));
    }
    return;
  }
  if (step == ScanStep::kWithCarry) run = restored<S, E>(in_words(1), segment);
  const HostRow<E> x(call, 0, row, p.cols);
  const std::ptrdiff_t by = a.reverse ? -1 : 1;
  auto at = static_cast<std::ptrdiff_t>(a.reverse ? p.cols - 1 - first : first);
  const auto own = [&](std::size_t e) {
    return Running<S, E>{x[static_cast<std::size_t>(at)], 1, static_cast<std::uint32_t>(e)};
  };
  if (step == ScanStep::kTotals) {
    for (std::size_t e = first; e < last; ++e, at += by) run = combined(run, own(e));
    save(host_output<std::uint32_t>(call, 0), segment, run);
    return;
  }
  E* y = host_output<E>(call, 0).data() + row * p.cols;
  std::uint32_t* places = with_index(S) ? host_output<std::uint32_t>(call, 1).data() + row * p.cols : nullptr;
  const auto loop = [&]<bool kExclusive>(std::bool_constant<kExclusive>) {
    for (std::size_t e = first; e < last; ++e, at += by) {
      const Running<S, E> before = run;
      run = combined(run, own(e));
      const Running<S, E>& result = kExclusive ? before : run;
      y[at] = lowered(result);
      if constexpr (with_index(S)) places[at] = result.at;
    }
  };
  if (a.exclusive) {
    loop(std::true_type{});
  } else {
    loop(std::false_type{});
  }
}

template <ScanKind S, class E>
void host_step(ScanStep step, const ScanAttributes& a, const CustomHostCall& call) {
  ScanParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  const std::int64_t length = std::max<std::int64_t>(p.tiles == 1 ? p.cols : p.tile, 1);
  host_for(p.segments, length, [&](std::size_t i) { host_segment<S, E>(step, a, call, p, i); });
}

template <ScanKind S>
std::function<void(const CustomHostCall&)> host_of(ScanStep step, DType t, const ScanAttributes& a) {
  const auto make = [&]<class E>(E) {
    return [step, a](const CustomHostCall& call) { host_step<S, E>(step, a, call); };
  };
  switch (t) {
    case DType::kF64:
      return make(double{});
    case DType::kF32:
      return make(float{});
    default:
      break;
  }
  if constexpr (S != ScanKind::kLogSumExp) {
    switch (t) {
      case DType::kI32:
        return make(std::int32_t{});
      case DType::kU32:
        return make(std::uint32_t{});
      case DType::kI64:
        return make(std::int64_t{});
      case DType::kU64:
        return make(std::uint64_t{});
      default:
        break;
    }
  }
  fail(ErrorKind::kDType, "{}: type {} has no scan.", name_of(S), name(t));
}

}  // namespace

std::function<void(const CustomHostCall&)> scan_host(const ScanAttributes& a, ScanStep step, DType t) {
  if (is_complex(t)) return [a](const CustomHostCall& call) { complex_scan_host(a, call); };
  switch (a.kind) {
    case ScanKind::kSum:
      return host_of<ScanKind::kSum>(step, t, a);
    case ScanKind::kProd:
      return host_of<ScanKind::kProd>(step, t, a);
    case ScanKind::kMax:
      return host_of<ScanKind::kMax>(step, t, a);
    case ScanKind::kMin:
      return host_of<ScanKind::kMin>(step, t, a);
    case ScanKind::kLogSumExp:
      return host_of<ScanKind::kLogSumExp>(step, t, a);
  }
  return {};
}

}  // namespace tessera::ops
