// The host functions of scattering.
#include <algorithm>
#include <cstring>

#include "base/ints.h"
#include "ops/host_call.h"
#include "ops/index/scatter.h"
#include "ops/sort/sort_keys.h"

namespace tessera::ops {

namespace {

struct SegmentParams {
  std::uint32_t entries, cols, key_step, log_chunk;
};
struct JoinParams {
  std::uint32_t cols, count, log_chunk;
};

template <class E>
E combined(ScatterMode m, E a, E b) {
  const auto wraps = [](E x) {
    if constexpr (std::is_integral_v<E>) {
      return static_cast<std::make_unsigned_t<E>>(x);
    } else {
      return x;
    }
  };
  switch (m) {
    case ScatterMode::kAdd:
      return static_cast<E>(wraps(a) + wraps(b));
    case ScatterMode::kMul:
      return static_cast<E>(wraps(a) * wraps(b));
    case ScatterMode::kSet:
      return b;
    default:
      break;
  }
  if constexpr (std::is_arithmetic_v<E>) {
    if (m == ScatterMode::kMax) return a != a || a > b ? a : b;
    return a != a || a < b ? a : b;
  }
  return b;
}

}  // namespace

void scatter_segments_host(const CustomHostCall& call, ScatterMode mode) {
  SegmentParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  const bool first = call.inputs.size() == 3;
  const auto keys = host_input<std::uint32_t>(call, 0);
  const auto key_of = [&](std::size_t i) { return keys[(i + 1) * p.key_step - 1]; };
  const auto row_of = [&](std::size_t i) {
    return first ? static_cast<std::size_t>(host_input<std::int32_t>(call, 2)[i]) : ((i + 1) << p.log_chunk) - 1;
  };
  for_element(call.input_tensors[1].dtype, [&]<class E>(E) {
    const auto y = host_output<E>(call, 0);
    const std::size_t chunk = std::size_t{1} << p.log_chunk;
    const auto chunks = static_cast<std::int64_t>(ceil_div(p.entries, chunk));
    host_for(chunks, static_cast<std::int64_t>(chunk) * p.cols, [&](std::size_t n) {
      for (std::size_t i = n * chunk; i < std::min<std::size_t>(p.entries, (n + 1) * chunk); ++i) {
        const bool goes_on = i > n * chunk && key_of(i - 1) == key_of(i);
        const HostRow<E> from(call, 1, row_of(i), p.cols);
        for (std::size_t c = 0; c < p.cols; ++c)
          y[i * p.cols + c] = goes_on ? combined(mode, y[(i - 1) * p.cols + c], from[c]) : from[c];
      }
    });
  });
}

void scatter_join_host(const CustomHostCall& call, ScatterMode mode, std::int64_t levels, bool with_base) {
  JoinParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  const auto starts = host_input<std::int32_t>(call, 0);
  for_element(call.output_tensors[0].dtype, [&]<class E>(E) {
    host_for(p.count, 8, [&](std::size_t i) {
      const std::size_t row = i / p.cols;
      const std::size_t c = i % p.cols;
      auto low = static_cast<std::size_t>(starts[row]);
      auto high = static_cast<std::size_t>(starts[row + 1]);
      const E base = with_base ? HostRow<E>(call, call.inputs.size() - 1, row, p.cols)[c] : E{};
      E& out = host_output<E>(call, 0)[i];
      out = base;
      if (low == high) return;
      if (mode == ScatterMode::kSet) {
        const auto at = static_cast<std::size_t>(host_input<std::int32_t>(call, 2)[high - 1]);
        out = HostRow<E>(call, 1, at, p.cols)[c];
        return;
      }
      // From the end to the front: the rest of the last chunk, then whole chunks by the next level.
      E sum{};
      bool any = false;
      for (std::int64_t l = 0; l < levels; ++l) {
        const E end = host_input<E>(call, static_cast<std::size_t>(1 + l))[(high - 1) * p.cols + c];
        const bool one = (high - 1) >> p.log_chunk == low >> p.log_chunk;
        if (one || (high & ((std::size_t{1} << p.log_chunk) - 1)) != 0) {
          sum = any ? combined(mode, end, sum) : end;
          any = true;
        }
        if (one) break;
        low >>= p.log_chunk;
        high >>= p.log_chunk;
      }
      out = with_base ? combined(mode, base, sum) : sum;
    });
  });
}

}  // namespace tessera::ops
