// Attention as plain loops over queries and keys.
#include "ops/attention/attention_host.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace tessera::ops {

namespace {

template <class T, class In>
void widen(const std::byte* bytes, std::size_t first, std::size_t count, T* out) {
  const In* in = reinterpret_cast<const In*>(bytes) + first;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_arithmetic_v<In>) {
      out[i] = static_cast<T>(in[i]);
    } else {
      out[i] = static_cast<T>(static_cast<float>(in[i]));
    }
  }
}

/// Elements of an input from `first` on.
template <class T>
void widen(const CustomHostCall& call, std::size_t input, std::size_t first, std::size_t count, T* out) {
  const std::byte* bytes = call.inputs[input].data();
  switch (call.input_tensors[input].dtype) {
    case DType::kF16:
      return widen<T, Half>(bytes, first, count, out);
    case DType::kBF16:
      return widen<T, BFloat16>(bytes, first, count, out);
    case DType::kF32:
      return widen<T, float>(bytes, first, count, out);
    default:
      return widen<T, double>(bytes, first, count, out);
  }
}

template <class T, class Out>
void put_row(const T* row, std::size_t d, Out* to) {
  for (std::size_t c = 0; c < d; ++c) to[c] = Out(row[c]);
}

/// A whole input.
template <class T>
void input(std::vector<T>& out, const CustomHostCall& call, std::size_t i) {
  const TensorSpec& t = call.input_tensors[i];
  out.resize(call.inputs[i].size() / size_of(t.dtype));
  widen(call, i, 0, out.size(), out.data());
}

/// A strided input [batch, heads, rows, d] in row-major order; the rows are in pages if there is a block table.
template <class T>
void input(std::vector<T>& out, const CustomHostCall& call, std::size_t i, std::uint32_t batch, std::uint32_t heads,
           std::uint32_t rows, std::uint32_t d, const AttentionParams* paged = nullptr) {
  const auto* table = paged != nullptr ? reinterpret_cast<const std::int32_t*>(call.inputs.back().data()) : nullptr;
  const InputStrides s = call.strides(i);
  out.resize(std::size_t{batch} * heads * rows * d);
  T* to = out.data();
  for (std::uint32_t b = 0; b < batch; ++b) {
    for (std::uint32_t h = 0; h < heads; ++h) {
      for (std::uint32_t r = 0; r < rows; ++r, to += d) {
        std::uint32_t page = b;
        std::uint32_t row = r;
        if (table != nullptr) {
          const std::uint32_t size = rows / paged->pages;
          page = std::min(static_cast<std::uint32_t>(std::max(table[b * paged->pages + r / size], 0)), paged->pool - 1);
          row = r % size;
        }
        const std::uint32_t quad = s.offset + page * s.strides[0] + h * s.strides[1] + row * s.strides[2];
        widen(call, i, std::size_t{quad} * 4, d, to);
      }
    }
  }
}

/// Keys or values [batch, heads, rows, d] in i8 times their scales, in row-major order or in pages.
template <class T>
void scaled_input(std::vector<T>& out, const CustomHostCall& call, std::size_t i, const AttentionParams& p) {
  const auto* table = p.pages != 0 ? reinterpret_cast<const std::int32_t*>(call.inputs.back().data()) : nullptr;
  const auto* quants = reinterpret_cast<const std::int8_t*>(call.inputs[i].data());
  std::size_t scales_at = 3;
  while (call.bindings[scales_at].name != "k_scales") ++scales_at;
  const auto* scales = reinterpret_cast<const float*>(call.inputs[scales_at + i - 1].data());
  const std::size_t each = call.inputs[i].size() / (call.inputs[scales_at].size() / 4);  // elements of a scale
  out.resize(std::size_t{p.batch} * p.hkv * p.lk * p.d);
  T* to = out.data();
  for (std::size_t b = 0; b < p.batch; ++b) {
    for (std::size_t h = 0; h < p.hkv; ++h) {
      for (std::size_t r = 0; r < p.lk; ++r) {
        std::size_t row = (b * p.hkv + h) * p.lk + r;
        if (table != nullptr) {
          const std::size_t size = p.lk / p.pages;
          const std::int32_t page =
              std::clamp<std::int32_t>(table[b * p.pages + r / size], 0, static_cast<std::int32_t>(p.pool) - 1);
          row = (static_cast<std::size_t>(page) * p.hkv + h) * size + r % size;
        }
        for (std::size_t at = row * p.d; at < (row + 1) * p.d; ++at) {
          *to++ = static_cast<T>(static_cast<float>(quants[at]) * scales[at / each]);
        }
      }
    }
  }
}

/// The memory of a Problem.
template <class T>
struct Operands {
  std::vector<T> q, k, v, gradient, stats, mask, sinks;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t count = 0;
    for (const auto* x : {&q, &k, &v, &gradient, &stats, &mask}) count += x->capacity();
    return count * sizeof(T);
  }
  /// That of this thread's last call, unless it was large: a decoder's steps allocate nothing.
  static Operands& spare() {
    static thread_local Operands operands;
    return operands;
  }
};

/// The operands of one call, and the positions of their rows.
template <class T>
struct Problem : Operands<T> {
  using Operands<T>::q, Operands<T>::k, Operands<T>::v, Operands<T>::gradient, Operands<T>::stats, Operands<T>::mask,
      Operands<T>::sinks;
  static constexpr std::size_t kMostSpare = std::size_t{16} << 20U;

  Problem(const CustomHostCall& call, bool backward) : Operands<T>(std::move(Operands<T>::spare())) {
    std::memcpy(&p, call.params.data(), sizeof(p));
    d = p.d;
    input(q, call, 0, p.batch, p.hq, p.lq, p.d);
    const AttentionParams* paged = p.pages != 0 ? &p : nullptr;
    for (const std::size_t i : {1U, 2U}) {
      std::vector<T>& to = i == 1 ? k : v;
      if (call.input_tensors[i].dtype == DType::kI8) {
        scaled_input(to, call, i, p);
      } else {
        input(to, call, i, p.batch, p.hkv, p.lk, p.d, paged);
      }
    }
    std::size_t at = 3;
    if (backward) {
      input(gradient, call, 3, p.batch, p.hq, p.lq, p.d);
      if (call.bindings[4].name == "stats") {
        input(stats, call, 4);
        at = 5;
      } else {
        std::vector<T> logs;
        std::vector<T> deltas;
        input(logs, call, 4);
        input(deltas, call, 5);
        stats.clear();
        for (std::size_t i = 0; i < logs.size(); ++i) stats.insert(stats.end(), {logs[i], deltas[i]});
        at = 6;
      }
    }
    mask.clear();
    sinks.clear();
    if ((p.has_mask & AttentionParams::kMask) != 0) input(mask, call, at++);
    if ((p.has_mask & AttentionParams::kSoftcap) != 0) {
      std::memcpy(&softcap, call.params.data() + sizeof(p) / 4, sizeof(softcap));
    }
    for (; at < call.inputs.size(); ++at) {
      if (call.bindings[at].name == "lengths") {
        lengths = {reinterpret_cast<const std::int32_t*>(call.inputs[at].data()), call.inputs[at].size() / 4};
      } else if (call.bindings[at].name == "sinks") {
        input(sinks, call, at);
      }
    }
  }
  ~Problem() {
    if (this->bytes() <= kMostSpare) Operands<T>::spare() = std::move(static_cast<Operands<T>&>(*this));
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  AttentionParams p{};
  std::size_t d = 0;
  AttentionSoftcap softcap = 0;  // 0: none
  std::span<const std::int32_t> lengths;

  [[nodiscard]] const T* row(const std::vector<T>& of, std::size_t head, std::size_t length, std::size_t i) const {
    return of.data() + (head * length + i) * d;
  }
  /// The row of the results for row `i` of a head out of `heads`.
  [[nodiscard]] std::size_t result_row(std::size_t head, std::size_t heads, std::size_t i) const {
    return head / heads * p.output_b + head % heads * p.output_h + i * p.output_l;
  }
  [[nodiscard]] T dot(const T* a, const T* b) const {
    constexpr std::size_t kLanes = 8;
    T parts[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= d; i += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) parts[l] += a[i + l] * b[i + l];
    }
    for (; i < d; ++i) parts[0] += a[i] * b[i];
    return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
  }
  /// The keys that query i of a head attends to, from first to last - 1.
  void range(std::size_t head, std::size_t i, std::size_t& first, std::size_t& last) const {
    const std::int64_t keys = lengths.empty() ? p.lk : std::clamp<std::int64_t>(lengths[head / p.hq], 0, p.lk);
    const std::int64_t at = static_cast<std::int64_t>(i) + keys - p.lq;
    first = static_cast<std::size_t>(std::max<std::int64_t>(at - p.left, 0));
    last = static_cast<std::size_t>(std::clamp<std::int64_t>(at + p.right + 1, 0, keys));
  }
  /// The score of query i and key j; minus infinity if it is masked.
  [[nodiscard]] T score(std::size_t head, std::size_t i, std::size_t j) const {
    const std::size_t batch = head / p.hq;
    const std::size_t kv = batch * p.hkv + head % p.hq / p.group;
    T s = dot(row(q, head, p.lq, i), row(k, kv, p.lk, j)) * static_cast<T>(p.exact_scale);
    if (softcap > 0) s = static_cast<T>(softcap) * std::tanh(s / static_cast<T>(softcap));
    if (!mask.empty()) s += mask[batch * p.mask_b + head % p.hq * p.mask_h + i * p.mask_q + j * p.mask_k];
    return s;
  }
};

constexpr double kLog2E = 1.4426950408889634;

template <class T, class Out>
void forward(const CustomHostCall& call) {
  const Problem<T> x(call, false);
  Out* out = reinterpret_cast<Out*>(call.outputs[0].data());
  T* logs = reinterpret_cast<T*>(call.outputs[1].data());
  const std::size_t lq = x.p.lq;
  ThreadPool::global().parallel_for(static_cast<std::int64_t>(x.p.heads * lq), 16, [&](std::int64_t b, std::int64_t e) {
    static thread_local std::vector<T> s;
    static thread_local std::vector<T> sums;
    s.resize(x.p.lk);
    sums.resize(x.d);
    for (auto at = static_cast<std::size_t>(b); at < static_cast<std::size_t>(e); ++at) {
      const std::size_t head = at / lq;
      const std::size_t i = at % lq;
      const std::size_t kv = head / x.p.hq * x.p.hkv + head % x.p.hq / x.p.group;
      std::size_t first = 0;
      std::size_t last = 0;
      x.range(head, i, first, last);
      const T sink = x.sinks.empty() ? -std::numeric_limits<T>::infinity() : x.sinks[head % x.p.hq];
      T top = sink;
      for (std::size_t j = first; j < last; ++j) {
        s[j] = x.score(head, i, j);
        top = std::max(top, s[j]);
      }
      T total = sink == -std::numeric_limits<T>::infinity() ? T(0) : std::exp(sink - top);
      std::fill(sums.begin(), sums.end(), T(0));
      for (std::size_t j = first; j < last; ++j) {
        if (s[j] == -std::numeric_limits<T>::infinity()) continue;
        const T w = std::exp(s[j] - top);
        total += w;
        const T* v = x.row(x.v, kv, x.p.lk, j);
        for (std::size_t c = 0; c < x.d; ++c) sums[c] += w * v[c];
      }
      const bool none = total == 0;
      for (T& c : sums) c = none ? T(0) : c / total;
      put_row(sums.data(), x.d, out + x.result_row(head, x.p.hq, i) * x.d);
      logs[at] = none ? std::numeric_limits<T>::lowest() : static_cast<T>((top + std::log(total)) * kLog2E);
    }
  });
}

template <class T>
void few(const CustomHostCall& call) {
  const Problem<T> x(call, false);
  T* out = reinterpret_cast<T*>(call.outputs[0].data());
  T* stats = reinterpret_cast<T*>(call.outputs[1].data());
  const std::size_t splits = x.p.tiles;
  const std::size_t each = std::size_t{x.p.keys};
  for (std::size_t at = 0; at < std::size_t{x.p.heads} * x.p.lq * splits; ++at) {
    const std::size_t head = at / splits / x.p.lq;
    const std::size_t i = at / splits % x.p.lq;
    const std::size_t kv = head / x.p.hq * x.p.hkv + head % x.p.hq / x.p.group;
    std::size_t first = 0;
    std::size_t last = 0;
    x.range(head, i, first, last);
    first = std::max(first, at % splits * each);
    last = std::min(last, (at % splits + 1) * each);
    T top = std::numeric_limits<T>::lowest();
    for (std::size_t j = first; j < last; ++j) top = std::max(top, static_cast<T>(x.score(head, i, j) * kLog2E));
    T total = 0;
    const std::size_t to = x.result_row(head, x.p.hq, i) + at % splits;
    std::fill_n(out + to * x.d, x.d, T(0));
    for (std::size_t j = first; j < last; ++j) {
      const T s = x.score(head, i, j);
      if (s == -std::numeric_limits<T>::infinity()) continue;
      const T w = std::exp2(static_cast<T>(s * kLog2E) - top);
      total += w;
      for (std::size_t c = 0; c < x.d; ++c) out[to * x.d + c] += w * x.row(x.v, kv, x.p.lk, j)[c];
    }
    stats[2 * to] = top;
    stats[2 * to + 1] = total;
  }
}

/// Calls use(i, j, weight, score's gradient) for the pairs of one head in the order of queries.
template <class T, class Use>
void for_pairs(const Problem<T>& x, std::size_t head, std::size_t begin, std::size_t end, Use use) {
  const std::size_t kv = head / x.p.hq * x.p.hkv + head % x.p.hq / x.p.group;
  for (std::size_t i = begin; i < end; ++i) {
    std::size_t first = 0;
    std::size_t last = 0;
    x.range(head, i, first, last);
    const T log = x.stats[2 * (head * x.p.lq + i)];
    const T delta = x.stats[2 * (head * x.p.lq + i) + 1];
    for (std::size_t j = first; j < last; ++j) {
      const T s = x.score(head, i, j);
      if (s == -std::numeric_limits<T>::infinity()) continue;
      const T w = std::exp2(static_cast<T>(s * kLog2E) - log);
      const T g = x.dot(x.row(x.gradient, head, x.p.lq, i), x.row(x.v, kv, x.p.lk, j));
      use(i, j, w, w * (g - delta) * static_cast<T>(x.p.exact_scale));
    }
  }
}

template <class T, class Out>
void backward_q(const CustomHostCall& call) {
  const Problem<T> x(call, true);
  Out* out = reinterpret_cast<Out*>(call.outputs[0].data());
  const std::size_t lq = x.p.lq;
  ThreadPool::global().parallel_for(static_cast<std::int64_t>(x.p.heads * lq), 16, [&](std::int64_t b, std::int64_t e) {
    std::vector<T> sums(x.d);
    for (auto at = static_cast<std::size_t>(b); at < static_cast<std::size_t>(e); ++at) {
      const std::size_t head = at / lq;
      const std::size_t kv = head / x.p.hq * x.p.hkv + head % x.p.hq / x.p.group;
      std::fill(sums.begin(), sums.end(), T(0));
      for_pairs(x, head, at % lq, at % lq + 1, [&](std::size_t, std::size_t j, T, T g) {
        const T* k = x.row(x.k, kv, x.p.lk, j);
        for (std::size_t c = 0; c < x.d; ++c) sums[c] += g * k[c];
      });
      put_row(sums.data(), x.d, out + x.result_row(head, x.p.hq, at % lq) * x.d);
    }
  });
}

template <class T, class Out>
void backward_kv(const CustomHostCall& call) {
  const Problem<T> x(call, true);
  Out* keys = reinterpret_cast<Out*>(call.outputs[0].data());
  Out* values = reinterpret_cast<Out*>(call.outputs[1].data());
  // Each range has whole heads of keys, so no two threads write to the same place.
  ThreadPool::global().parallel_for(x.p.heads, 1, [&](std::int64_t b, std::int64_t e) {
    std::vector<T> key_sums(x.p.lk * x.d);
    std::vector<T> value_sums(x.p.lk * x.d);
    for (auto kv = static_cast<std::size_t>(b); kv < static_cast<std::size_t>(e); ++kv) {
      std::fill(key_sums.begin(), key_sums.end(), T(0));
      std::fill(value_sums.begin(), value_sums.end(), T(0));
      for (std::size_t g = 0; g < x.p.group; ++g) {
        const std::size_t head = kv / x.p.hkv * x.p.hq + kv % x.p.hkv * x.p.group + g;
        for_pairs(x, head, 0, x.p.lq, [&](std::size_t i, std::size_t j, T w, T s) {
          const T* q = x.row(x.q, head, x.p.lq, i);
          const T* gradient = x.row(x.gradient, head, x.p.lq, i);
          T* to_key = key_sums.data() + j * x.d;
          T* to_value = value_sums.data() + j * x.d;
          for (std::size_t c = 0; c < x.d; ++c) {
            to_key[c] += s * q[c];
            to_value[c] += w * gradient[c];
          }
        });
      }
      for (std::size_t j = 0; j < x.p.lk; ++j) {
        const std::size_t to = x.result_row(kv, x.p.hkv, j) * x.d;
        put_row(key_sums.data() + j * x.d, x.d, keys + to);
        put_row(value_sums.data() + j * x.d, x.d, values + to);
      }
    }
  });
}

template <class T, class Out>
void combine(const CustomHostCall& call) {
  const T* parts = reinterpret_cast<const T*>(call.inputs[0].data());
  const T* stats = reinterpret_cast<const T*>(call.inputs[1].data());
  Out* out = reinterpret_cast<Out*>(call.outputs[0].data());
  T* logs = reinterpret_cast<T*>(call.outputs[1].data());
  const std::size_t rows = call.params[0];
  const std::size_t splits = call.params[1];
  const auto d = static_cast<std::size_t>(call.output_tensors[0].shape.back());
  std::vector<T> sinks;
  if (call.inputs.size() > 2) input(sinks, call, 2);
  std::vector<T> sums(d);
  for (std::size_t row = 0; row < rows; ++row) {
    const T* of_row = stats + 2 * row * splits;
    T top = std::numeric_limits<T>::lowest();
    const T sink = sinks.empty() ? -std::numeric_limits<T>::infinity()
                                 : static_cast<T>(sinks[row / call.params[2] % call.params[3]] * kLog2E);
    top = std::max(top, sink);
    for (std::size_t s = 0; s < splits; ++s) top = std::max(top, of_row[2 * s]);
    T total = std::exp2(sink - top);
    std::fill(sums.begin(), sums.end(), T(0));
    for (std::size_t s = 0; s < splits; ++s) {
      const T share = std::exp2(of_row[2 * s] - top);
      total += share * of_row[2 * s + 1];
      for (std::size_t c = 0; c < d; ++c) sums[c] += share * parts[(row * splits + s) * d + c];
    }
    const bool none = total == 0;
    for (T& x : sums) x = none ? T(0) : x / total;
    put_row(sums.data(), d, out + row * d);
    logs[row] = none ? std::numeric_limits<T>::lowest() : top + std::log2(total);
  }
}

/// Calls f with the compute type and the type of the first result.
template <class F>
void with_types(const CustomHostCall& call, F f) {
  switch (call.output_tensors[0].dtype) {
    case DType::kF64:
      return f(double{}, double{});
    case DType::kF16:
      return f(float{}, Half{});
    case DType::kBF16:
      return f(float{}, BFloat16{});
    default:
      return f(float{}, float{});
  }
}

}  // namespace

void attention_forward_host(const CustomHostCall& call) {
  with_types(call, [&]<class T, class Out>(T, Out) { forward<T, Out>(call); });
}
void attention_split_kv_host(const CustomHostCall& call) {
  call.output_tensors[0].dtype == DType::kF64 ? few<double>(call) : few<float>(call);
}
void attention_combine_host(const CustomHostCall& call) {
  with_types(call, [&]<class T, class Out>(T, Out) { combine<T, Out>(call); });
}
void attention_backward_q_host(const CustomHostCall& call) {
  with_types(call, [&]<class T, class Out>(T, Out) { backward_q<T, Out>(call); });
}
void attention_backward_kv_host(const CustomHostCall& call) {
  with_types(call, [&]<class T, class Out>(T, Out) { backward_kv<T, Out>(call); });
}

}  // namespace tessera::ops
