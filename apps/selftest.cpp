// The self-test: small problems with odd sizes, checked against plain loops on the host.
#include "selftest.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tessera/tessera.h"

namespace tessera::app {

namespace {

std::vector<float> ramp(std::size_t count, float start) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = std::sin(start + 0.37F * static_cast<float>(i));
  return out;
}

/// Empty, or what differs.
std::string compare(const char* what, const std::vector<float>& got, const std::vector<double>& expected,
                    double tolerance) {
  if (got.size() != expected.size()) return fmt::format("{}: {} values, not {}", what, got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    // Written so that NaN fails.
    if (!(std::abs(static_cast<double>(got[i]) - expected[i]) <= tolerance * (1 + std::abs(expected[i]))))
      return fmt::format("{}: element {} is {}, not {}", what, i, got[i], expected[i]);
  }
  return {};
}

std::string check(const Device& device) {
  constexpr std::size_t kRows = 67;
  constexpr std::size_t kInner = 131;
  constexpr std::size_t kCols = 35;
  const std::vector<float> a = ramp(kRows * kInner, 0.1F);
  const std::vector<float> b = ramp(kInner * kCols, 0.7F);
  const Tensor x(a, Shape{kRows, kInner}, device);
  const Tensor y(b, Shape{kInner, kCols}, device);

  if (x.to_vector<float>() != a) return "upload and read-back: the values differ";

  std::vector<double> fused(a.size());
  std::vector<double> rows(kRows, 0);
  std::vector<double> total(1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double v = a[i];
    fused[i] = std::max(v * v + 0.5 - v, 0.75) * 2;
    rows[i / kInner] += v;
    total[0] += v * v;
  }
  std::vector<double> gemm(kRows * kCols, 0);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t k = 0; k < kInner; ++k) {
      for (std::size_t j = 0; j < kCols; ++j)
        gemm[i * kCols + j] += static_cast<double>(a[i * kInner + k]) * static_cast<double>(b[k * kCols + j]);
    }
  }
  struct Case {
    const char* what;
    Tensor result;
    const std::vector<double>& expected;
  };
  const Case cases[] = {{"fused kernel", maximum(x * x + 0.5 - x, 0.75) * 2.0, fused},
                        {"sum of rows", sum(x, {1}), rows},
                        {"sum of all", sum(square(x)), total},
                        {"matmul", matmul(x, y), gemm}};
  for (const Case& c : cases) {
    const std::string why = compare(c.what, c.result.to_vector<float>(), c.expected, 1e-4);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace

std::string type_text(DeviceType type) {
  switch (type) {
    case DeviceType::kDiscreteGpu:
      return "discrete GPU";
    case DeviceType::kIntegratedGpu:
      return "integrated GPU";
    case DeviceType::kSoftware:
      return "software adapter";
    case DeviceType::kCpu:
      return "CPU";
    case DeviceType::kNull:
      return "null";
  }
  return "unknown";
}

std::string selftest(const Device& device) {
  try {
    const std::string why = check(device);
    return why.empty() ? "pass" : "fail: " + why;
  } catch (const std::exception& e) {
    return fmt::format("fail: {}", e.what());
  }
}

std::string selftest(const DeviceInfo& device) {
  try {
    return selftest(Device::create({.device = device.id}));
  } catch (const std::exception& e) {
    return fmt::format("fail: {}", e.what());
  }
}

}  // namespace tessera::app
