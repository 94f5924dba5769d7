// What the tests of attention share: problems, and gradients asked of the rule itself.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "codegen/matmul/matmul_shape.h"
#include "ops/attention/attention.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {

struct Problem {
  std::int64_t batch = 1, hq = 1, hkv = 1, lq = 1, lk = 1, d = 4;
  bool causal = false;
  std::int64_t window = 0;
  enum class Mask : std::uint8_t { kNone, kAdditive, kBool, kRow } mask = Mask::kNone;
  std::uint64_t workgroup_memory = 0;  // 0: the device's
  bool split = false;
  std::vector<std::int32_t> lengths = {};  // of the sequences; none: all have lk keys
  double softcap = 0;                      // 0: none
  std::optional<double> sinks = {};        // around this number

  [[nodiscard]] std::string name() const {
    return fmt::format("[{}, {}/{}, {}x{}, {}]{} window {} mask {} lengths {} softcap {} sinks {}", batch, hq, hkv, lq,
                       lk, d, causal ? " causal" : "", window, static_cast<int>(mask), fmt::join(lengths, " "), softcap,
                       sinks.value_or(NAN));
  }
};

struct Data {
  Tensor q, k, v, mask, gradient, sinks = {};
};

/// The same numbers on every device: those of `source` are exact in every type that they are asked for in.
inline Data data_of(const Problem& p, DType source, DType dtype, const Device& device, std::uint32_t seed = 1) {
  const auto make = [&](const Shape& shape, std::uint32_t s, double range) {
    reference::Value v = plain(source, shape, seed + s, -range, range);
    v.dtype = dtype;
    return make_tensor(v, device);
  };
  Data x;
  x.q = make({p.batch, p.hq, p.lq, p.d}, 1, 2);
  x.k = make({p.batch, p.hkv, p.lk, p.d}, 2, 2);
  x.v = make({p.batch, p.hkv, p.lk, p.d}, 3, 2);
  x.gradient = make({p.batch, p.hq, p.lq, p.d}, 4, 1);
  const DType wide = dtype == f64 ? f64 : f32;
  if (p.mask == Problem::Mask::kAdditive) {
    reference::Value m = plain(f16, {p.batch, p.hq, p.lq, p.lk}, seed + 5, -2, 2);
    m.dtype = wide;
    for (std::size_t i = 0; i < m.f.size(); i += 3) m.f[i] = -std::numeric_limits<double>::infinity();
    x.mask = make_tensor(m, device);
  } else if (p.mask == Problem::Mask::kBool) {
    x.mask = make_tensor(plain(boolean, {p.lq, p.lk}, seed + 6), device);
  } else if (p.mask == Problem::Mask::kRow) {
    reference::Value m = plain(f16, {p.batch, 1, 1, p.lk}, seed + 7, -2, 2);
    m.dtype = wide;
    x.mask = make_tensor(m, device);
  }
  if (p.sinks) {
    reference::Value s = plain(f16, {p.hq}, seed + 8, *p.sinks - 1, *p.sinks + 1);
    s.dtype = wide;
    x.sinks = make_tensor(s, device);
  }
  return x;
}

inline ops::AttentionSpec spec_of(const Problem& p, const Data& x) {
  ops::AttentionSpec spec;
  spec.mask = x.mask.node();
  spec.causal = p.causal;
  spec.window = p.window;
  if (p.softcap > 0) spec.softcap = p.softcap;
  spec.sinks = x.sinks.node();
  if (!p.lengths.empty()) spec.lengths = Tensor(p.lengths, {p.batch}, x.q.device()).node();
  spec.workgroup_memory = p.workgroup_memory;
  spec.split = p.split ? ops::SplitKv::kAlways : ops::SplitKv::kNever;
  return spec;
}

/// Whether to test every variant of the kernels: software drivers take seconds to compile each, so that is for a full
/// run.
inline bool every_variant(const Device& device) { return full() || device.info().type != DeviceType::kSoftware; }

inline std::vector<double> numbers(const Tensor& t) { return read_values({t})[0].f; }

/// The largest difference, and the largest number of `b`.
struct Difference {
  double most = 0;
  double scale = 0;
};
inline Difference compare(const std::vector<double>& a, const std::vector<double>& b) {
  Difference d;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    d.most = std::isnan(a[i]) || std::isnan(b[i]) ? INFINITY : std::max(d.most, std::abs(a[i] - b[i]));
    d.scale = std::max(d.scale, std::abs(b[i]));
  }
  return d;
}

}  // namespace tessera::test
