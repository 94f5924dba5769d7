// Tensors larger than one binding of the device: checks their results, and compares their speed with a smaller
// tensor's.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bench/bench.h"

namespace tessera::app {

namespace {

constexpr std::int64_t kPeriod = 256;

/// x[r, c] = ((97 c + r) mod 256) / 256: 256 neighbours along a row or a column hold every value once, and their sums
/// are exact in f32.
struct Pattern {
  std::int64_t rows = 0, cols = 0;

  [[nodiscard]] std::int64_t numel() const { return rows * cols; }
  [[nodiscard]] double bytes() const { return 4.0 * static_cast<double>(numel()); }
  [[nodiscard]] static double at(std::int64_t r, std::int64_t c) {
    return static_cast<double>((97 * c + r) % kPeriod) / kPeriod;
  }
  [[nodiscard]] Tensor make(const Device& device) const {
    const Tensor i = arange(0, static_cast<double>(numel()), 1, u32, device);
    const Tensor row = right_shift(i, tessera::full({}, std::log2(static_cast<double>(cols)), u32, device));
    const Tensor last = tessera::full({}, kPeriod - 1, u32, device);
    const Tensor x = cast(bitwise_and(i * tessera::full({}, 97, u32, device) + row, last), f32) * (1.0 / kPeriod);
    return reshape(x, {rows, cols}).eval();
  }
};

constexpr double kMean = 0.5 * (kPeriod - 1) / kPeriod;

/// The small tensor can be bound whole, the large one cannot.
std::vector<Pattern> patterns(const Bench& bench) {
  if (bench.quick()) return {{1024, 1024}, {2048, 1024}};
  const DeviceInfo& info = bench.device().info();
  const bool unlimited = info.type == DeviceType::kCpu;
  const std::uint64_t binding = unlimited ? std::uint64_t{128} << 20U : info.limits.max_storage_binding_size;
  constexpr std::int64_t kCols = 16384;
  const auto rows = [&](double share) {
    const double whole = share * static_cast<double>(binding) / (4.0 * kCols * 1024);
    return std::max<std::int64_t>(std::llround(whole), 1) * 1024;
  };
  const std::vector<Pattern> both{{rows(0.5), kCols}, {rows(1.75), kCols}};
  if (both[1].bytes() > static_cast<double>(info.limits.max_buffer_size)) {
    throw Error(ErrorKind::kLimit,
                fmt::format("limits: {} is too small: a tensor past its largest binding of {} bytes needs a buffer of "
                            "{:.0f}, and the largest is {}.",
                            info.name, binding, both[1].bytes(), info.limits.max_buffer_size),
                {.requested = static_cast<std::uint64_t>(both[1].bytes()), .available = info.limits.max_buffer_size});
  }
  return both;
}

/// Reads elements of [rows, cols] from both ends, from about each window's border and from between.
void check(const char* what, const Tensor& got, const std::function<double(std::int64_t, std::int64_t)>& expected) {
  const std::int64_t n = got.numel();
  const std::int64_t cols = got.shape().back();
  std::set<std::int64_t> places;
  const auto around = [&](std::int64_t i) {
    for (const std::int64_t near : {-2, -1, 0, 1}) places.insert(std::clamp<std::int64_t>(i + near, 0, n - 1));
  };
  for (int sixteenth = 0; sixteenth <= 16; ++sixteenth) around(n / 16 * sixteenth);
  const auto window = static_cast<std::int64_t>(got.device().info().limits.max_storage_binding_size / sizeof(float));
  for (std::int64_t i = window; i < n; i += window) around(i);
  const Tensor flat = reshape(got, {n});
  for (const std::int64_t i : places) {
    const double value = slice(flat, {{i, i + 1}}).to_vector<float>()[0];
    const double right = expected(i / cols, i % cols);
    if (std::abs(value - right) <= 1e-5 * std::abs(right) + 1e-12) continue;
    throw Error(ErrorKind::kValue, fmt::format("limits: {}: element {} of {} is {}, expected {}.", what, i,
                                               got.shape().str(), value, right));
  }
}

struct Work {
  const char* name;
  double trips;  // how often the tensor is moved
  Tensor (*run)(const Tensor& x);
  double (*expected)(const Pattern& p, std::int64_t r, std::int64_t c);  // of the result as a matrix
};

/// 1, 1/2, .., 1/128, 1, 1/2, ..: 64 weights that keep sums exact.
double weight(std::int64_t j) { return std::exp2(-static_cast<double>(j % 8)); }
Tensor weights(const Device& device) {
  std::vector<float> values;
  for (int j = 0; j < 64; ++j) values.push_back(static_cast<float>(weight(j)));
  return Tensor(values, {64}, device);
}

const Work kWorks[] = {
    {"limits_scale_f32", 2, [](const Tensor& x) { return x * 2.0; },
     [](const Pattern&, std::int64_t r, std::int64_t c) { return 2 * Pattern::at(r, c); }},
    {"limits_sum_f32", 1, [](const Tensor& x) { return reshape(sum(x), {1, 1}); },
     [](const Pattern& p, std::int64_t, std::int64_t) { return static_cast<double>(p.numel()) * kMean; }},
    {"limits_col_sum_f32", 1, [](const Tensor& x) { return sum(x, {0}, true); },
     [](const Pattern& p, std::int64_t, std::int64_t) { return static_cast<double>(p.rows) * kMean; }},
    {"limits_softmax_f32", 2, [](const Tensor& x) { return softmax(x); },
     [](const Pattern& p, std::int64_t r, std::int64_t c) {
       double all = 0;
       for (int k = 0; k < kPeriod; ++k) all += std::exp(static_cast<double>(k) / kPeriod);
       return std::exp(Pattern::at(r, c)) / (all * static_cast<double>(p.cols) / kPeriod);
     }},
    {"limits_transpose_f32", 2, [](const Tensor& x) { return contiguous(x.T()); },
     [](const Pattern&, std::int64_t r, std::int64_t c) { return Pattern::at(c, r); }},
    {"limits_matmul_left_f32", 1,
     [](const Tensor& x) { return matmul(x, broadcast_to(weights(x.device()), {x.shape()[1], 64})); },
     [](const Pattern& p, std::int64_t, std::int64_t c) { return static_cast<double>(p.cols) * kMean * weight(c); }},
    {"limits_matmul_right_f32", 1,
     [](const Tensor& x) { return matmul(broadcast_to(reshape(weights(x.device()), {64, 1}), {64, x.shape()[0]}), x); },
     [](const Pattern& p, std::int64_t r, std::int64_t) { return static_cast<double>(p.rows) * kMean * weight(r); }},
};

void limits(const Bench& bench) {
  for (const Pattern& p : patterns(bench)) {
    const Tensor x = p.make(bench.device());
    check("the tensor itself", x, [](std::int64_t r, std::int64_t c) { return Pattern::at(r, c); });
    for (const Work& work : kWorks) {
      check(work.name, work.run(x).eval(), [&](std::int64_t r, std::int64_t c) { return work.expected(p, r, c); });
      const double seconds = bench.seconds_of([&] { return std::vector{x}; },
                                              [&](const std::vector<Tensor>& in) { return work.run(in[0]); });
      bench.report({work.name, {{"M", p.rows}, {"N", p.cols}}, "gbs", work.trips * p.bytes() * 1e-9 / seconds});
    }
  }
}

}  // namespace

std::vector<BenchRow> limits_benches() { return {{"limits", "limits", limits}}; }

}  // namespace tessera::app
