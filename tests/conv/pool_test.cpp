// Pooling against plain loops, and its gradients against differences.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conv/loops.h"
#include "ops/conv/conv.h"
#include "support/bounds.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

class Pooling : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
};
TESSERA_ON_ALL_DEVICES(Pooling);

struct PoolCase {
  std::int64_t h, w;
  std::int64_t kernel[2], stride[2], pad[2], dilation[2];
  bool ceil;
};
const PoolCase kPoolCases[] = {
    {8, 8, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false},  {9, 11, {3, 3}, {2, 2}, {1, 1}, {1, 1}, false},
    {9, 11, {3, 2}, {2, 3}, {1, 0}, {1, 1}, true},  {13, 7, {4, 3}, {1, 2}, {2, 1}, {2, 1}, false},
    {10, 10, {3, 3}, {3, 3}, {0, 1}, {1, 2}, true}, {5, 5, {5, 5}, {1, 1}, {0, 0}, {1, 1}, false},
    {7, 6, {2, 2}, {3, 3}, {1, 1}, {1, 1}, true},
};

std::int64_t windows(std::int64_t size, const PoolCase& c, int i) {
  const std::int64_t span = (c.kernel[i] - 1) * c.dilation[i] + 1;
  std::int64_t n = 0;
  // Windows that fit; in ceil mode also those that start inside, or in the padding before.
  for (std::int64_t start = -c.pad[i];; start += c.stride[i], ++n) {
    const bool fits = start + span <= size + c.pad[i];
    const bool starts = start < size && start + span - (c.stride[i] - 1) <= size + c.pad[i];
    if (!(c.ceil ? fits || starts : fits)) return n;
  }
}

PoolOptions options_of(const PoolCase& c, bool include_pad = true) {
  return {.stride = {c.stride[0], c.stride[1]},
          .padding = {c.pad[0], c.pad[1]},
          .dilation = {c.dilation[0], c.dilation[1]},
          .ceil_mode = c.ceil,
          .count_include_pad = include_pad};
}

TEST_P(Pooling, MaxEqualsLoops) {
  for (const DType t : {f32, f16, i32}) {
    for (std::size_t k = 0; k < std::size(kPoolCases); ++k) {
      const PoolCase& c = kPoolCases[k];
      const Tensor x = t == i32 ? cast(data(f32, {2, 3, c.h, c.w}, 1) * 100.0, i32) : data(t, {2, 3, c.h, c.w}, 1);
      const Numbers nx = numbers_of(x);
      Numbers want({2, 3, windows(c.h, c, 0), windows(c.w, c, 1)});
      Numbers place(want.shape);
      for (std::int64_t i = 0; i < want.shape.numel(); ++i) {
        const std::int64_t plane = i / (want.shape[2] * want.shape[3]);
        const std::int64_t oh = i / want.shape[3] % want.shape[2];
        const std::int64_t ow = i % want.shape[3];
        double best = -kInf;
        for (std::int64_t a = 0; a < c.kernel[0]; ++a) {
          for (std::int64_t b = 0; b < c.kernel[1]; ++b) {
            const std::int64_t h = oh * c.stride[0] + a * c.dilation[0] - c.pad[0];
            const std::int64_t w = ow * c.stride[1] + b * c.dilation[1] - c.pad[1];
            if (h < 0 || w < 0 || h >= c.h || w >= c.w) continue;
            const double v = nx.value[Numbers::index((plane * c.h + h) * c.w + w)];
            if (v > best) best = v, place.value[Numbers::index(i)] = static_cast<double>(h * c.w + w);
          }
        }
        want.value[Numbers::index(i)] = best;
      }
      const auto [values, indices] = max_pool2d_with_indices(x, {c.kernel[0], c.kernel[1]}, options_of(c));
      const std::string what = fmt::format("case {}, {}", k, name(t));
      expect_near(what, values, want, 0);
      expect_near(what + ", indices", cast(indices, f32), place, 0);
    }
  }
}

TEST_P(Pooling, KernelsEqualCompositions) {
  for (const std::int64_t edge : {1, 5, 63, 65}) {
    reference::Value value = awkward_and_random(f32, {2, 3, edge, edge + 2}, 10);
    for (double& v : value.f) v = std::abs(v) < smallest_normal(f32) ? 0 : v;  // which a device may take for zero
    const Tensor x = make_tensor(value, device_);
    value.dtype = f64;  // which is composed
    const Tensor wide = make_tensor(value, open({"cpu", "cpu", "", 0}));
    const ops::PoolShape s{{3, 2}, {2, 1}, {1, 2}, {1, 1}, {1, 1}, {(edge + 2 - 3) / 2 + 1, edge + 2}};
    const ops::MaxPooled composed = ops::max_pool(wide.node(), s, true);
    const ops::MaxPooled direct = ops::max_pool(x.node(), s, true);
    const Numbers want = numbers_of(Tensor(composed.values));
    expect_near(fmt::format("{}", edge), Tensor(direct.values), want, 0);
    expect_near(fmt::format("{}, alone", edge), Tensor(ops::max_pool(x.node(), s, false).values), want, 0);
    expect_near(fmt::format("{}, indices", edge), cast(Tensor(direct.indices), f32),
                numbers_of(cast(Tensor(composed.indices), f32)), 0);
  }
}

TEST_P(Pooling, AverageEqualsLoops) {
  for (const DType t : {f32, f16, bf16}) {
    for (std::size_t k = 0; k < std::size(kPoolCases); ++k) {
      PoolCase c = kPoolCases[k];
      c.dilation[0] = c.dilation[1] = 1;
      for (const bool include : {true, false}) {
        const Tensor x = data(t, {2, 3, c.h, c.w}, 2);
        const Numbers nx = numbers_of(x);
        Numbers want({2, 3, windows(c.h, c, 0), windows(c.w, c, 1)});
        for (std::int64_t i = 0; i < want.shape.numel(); ++i) {
          const std::int64_t plane = i / (want.shape[2] * want.shape[3]);
          const std::int64_t h0 = i / want.shape[3] % want.shape[2] * c.stride[0] - c.pad[0];
          const std::int64_t w0 = i % want.shape[3] * c.stride[1] - c.pad[1];
          double total = 0, room = 0;
          std::int64_t count = 0;
          for (std::int64_t h = h0; h < h0 + c.kernel[0]; ++h) {
            for (std::int64_t w = w0; w < w0 + c.kernel[1]; ++w) {
              const bool inside = h >= 0 && w >= 0 && h < c.h && w < c.w;
              const double v = inside ? nx.value[Numbers::index((plane * c.h + h) * c.w + w)] : 0;
              total += v, room += std::abs(v);
              if (inside || (include && h < c.h + c.pad[0] && w < c.w + c.pad[1])) ++count;
            }
          }
          want.value[Numbers::index(i)] = total / static_cast<double>(count);
          want.room[Numbers::index(i)] = room / static_cast<double>(count);
        }
        expect_near(fmt::format("case {}, {}, {}", k, name(t), include),
                    avg_pool2d(x, {c.kernel[0], c.kernel[1]}, options_of(c, include)), want, 30);
      }
    }
  }
}

TEST_P(Pooling, OneAxisLayoutsAndAwkwardValues) {
  const Tensor x(std::vector<float>{1.F, 3.F, 2.F, 5.F, 4.F, 0.F}, {1, 1, 6}, device_);
  EXPECT_EQ(max_pool1d(x, 2).to_vector<float>(), (std::vector<float>{3, 5, 4}));
  EXPECT_EQ(max_pool1d_with_indices(x, 3, {.stride = 1, .padding = 1}).second.to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{1, 1, 3, 3, 3, 4}));
  EXPECT_EQ(avg_pool1d(x, 2).to_vector<float>(), (std::vector<float>{2, 3.5F, 2}));
  EXPECT_EQ(avg_pool1d(x.reshape({1, 6}), 2).shape().str(), "[1, 3]");
  // NaN wins, ties go to the first, and windows of nothing but -inf stay inside.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float low = -std::numeric_limits<float>::infinity();
  const Tensor y(std::vector<float>{1.F, nan, 7.F, 7.F, low, low}, {1, 1, 6}, device_);
  const auto [values, indices] = max_pool1d_with_indices(y, 2);
  EXPECT_TRUE(std::isnan(values.to_vector<float>()[0]));
  EXPECT_EQ(indices.to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 2, 4}));
  EXPECT_EQ(max_pool1d_with_indices(Tensor(std::vector<float>{low, low}, {1, 1, 2}, device_), 2, {.padding = 1})
                .second.to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{0, 1}));
  const Tensor image = data(f32, {2, 3, 6, 7}, 3);
  const PoolOptions last{.stride = 2, .padding = 1, .layout = ImageLayout::kChannelsLast};
  expect_near("channels last", permute(max_pool2d(permute(image, {0, 2, 3, 1}), 3, last), {0, 3, 1, 2}),
              numbers_of(max_pool2d(image, 3, {.stride = 2, .padding = 1})), 0);
}

TEST_P(Pooling, AdaptiveAndGlobal) {
  for (const DType t : {f32, f16}) {
    const Tensor x = data(t, {2, 3, 10, 13}, 4);
    const Numbers nx = numbers_of(x);
    for (const auto& [oh, ow] : {std::pair<std::int64_t, std::int64_t>{5, 13}, {4, 3}, {7, 7}, {1, 1}, {12, 20}}) {
      Numbers average({2, 3, oh, ow});
      Numbers largest(average.shape);
      for (std::int64_t i = 0; i < average.shape.numel(); ++i) {
        const std::int64_t plane = i / (oh * ow);
        const std::int64_t a = i / ow % oh, b = i % ow;
        double total = 0, room = 0, best = -kInf;
        std::int64_t count = 0;
        for (std::int64_t h = a * 10 / oh; h < ((a + 1) * 10 + oh - 1) / oh; ++h) {
          for (std::int64_t w = b * 13 / ow; w < ((b + 1) * 13 + ow - 1) / ow; ++w) {
            const double v = nx.value[Numbers::index((plane * 10 + h) * 13 + w)];
            total += v, room += std::abs(v), best = std::max(best, v), ++count;
          }
        }
        average.value[Numbers::index(i)] = total / static_cast<double>(count);
        average.room[Numbers::index(i)] = room / static_cast<double>(count);
        largest.value[Numbers::index(i)] = best;
      }
      const std::string what = fmt::format("{} x {}, {}", oh, ow, name(t));
      expect_near(what + ", average", adaptive_avg_pool(x, {oh, ow}), average, 130);
      expect_near(what + ", maximum", adaptive_max_pool(x, {oh, ow}), largest, 0);
      if (oh != 1 || t == f16) continue;
      expect_near("global average", global_avg_pool(x), average, 130);
      expect_near("global maximum", global_max_pool(x), largest, 0);
    }
  }
}

TEST_P(Pooling, OneKernelEach) {
  const Tensor x = data(f32, {2, 8, 12, 12}, 5).eval();
  const Tensor g = data(f32, {2, 8, 6, 6}, 6).eval();
  EXPECT_EQ(explain(max_pool2d(x, 3, {.stride = 2, .padding = 1})).kernels.size(), 1U);
  EXPECT_EQ(explain(avg_pool2d(x, 3, {.stride = 2, .padding = 1})).kernels.size(), 1U);
  // The transpose of the windows is one reduction, nothing of the windows' size is written.
  const std::vector<ops::Slide> slides{{2, 6, 3, 2, 1}, {3, 6, 3, 2, 1}};
  const NodePtr spread = ops::broadcast_to(ops::reshape(g.node(), {2, 8, 6, 6, 1, 1}), {2, 8, 6, 6, 3, 3});
  EXPECT_EQ(explain(Tensor(ops::slide_sum(spread, slides, {2, 8, 14, 14}))).kernels.size(), 1U);
}

TEST(PoolingGradients, EqualDifferences) {
  const Device cpu = open({"cpu", "cpu", "", 0});
  using List = std::vector<Tensor>;
  for (std::size_t k = 0; k < std::size(kPoolCases); ++k) {
    const PoolCase& c = kPoolCases[k];
    const Tensor x = make_tensor(plain(f64, {2, 3, c.h, c.w}, 7), cpu);
    const ops::PoolShape s{{c.kernel[0], c.kernel[1]},     {c.stride[0], c.stride[1]},
                           {c.dilation[0], c.dilation[1]}, {c.pad[0], c.pad[1]},
                           {c.pad[0], c.pad[1]},           {windows(c.h, c, 0), windows(c.w, c, 1)}};
    expect_gradients(
        fmt::format("case {}", k), [&](const List& in) { return Tensor(ops::max_pool(in[0].node(), s, false).values); },
        {x},
        [&](const List& in, const Tensor& g) {
          return List{Tensor(ops::max_pool_gradient(in[0].node(), g.node(), s))};
        });
    // Sliding windows and the sum over them.
    const std::vector<ops::Slide> slides{{2, s.out[0] - 1, s.taps[0], s.stride[0], s.dilation[0]}};
    if (slides[0].count < 1 || slides[0].reach() > c.h) continue;
    expect_gradients(
        fmt::format("sliding {}", k), [&](const List& in) { return Tensor(ops::sliding(in[0].node(), slides)); }, {x},
        [&](const List& in, const Tensor& g) { return List{Tensor(ops::slide_sum(g.node(), slides, in[0].shape()))}; });
  }
}

TEST_P(Pooling, MaxGradientOnTheDevice) {
  const Tensor x = data(f32, {2, 3, 9, 10}, 8);
  const ops::PoolShape s{{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {5, 5}};
  const Tensor g = data(f32, {2, 3, 5, 5}, 9);
  const auto places = max_pool2d_with_indices(x, 3, {.stride = 2, .padding = 1}).second.to_vector<std::int32_t>();
  const Numbers ng = numbers_of(g);
  Numbers want(x.shape());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto plane = static_cast<std::int64_t>(i) / 25;
    want.add({plane / 3, plane % 3, places[i] / 10, places[i] % 10}, ng.value[i]);
  }
  const Tensor got(ops::max_pool_gradient(x.node(), g.node(), s));
  EXPECT_LE(explain(got).kernels.size(), 2U);  // where the maxima are, and the sums
  expect_near("the gradient", got, want, 9);
}

TEST_P(Pooling, BadArguments) {
  const Tensor x = zeros({2, 4, 8, 8});
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  const auto has = [&](auto f, const char* part) { EXPECT_NE(text(f).find(part), std::string::npos) << text(f); };
  has([&] { return max_pool2d(zeros({4}), 2); }, "4 axes, or 3 without a batch");
  has([&] { return max_pool2d(x, 0); }, "the kernel size is 0");
  has([&] { return max_pool2d(x, 9); }, "reaches 9 elements");
  has([&] { return max_pool2d(x, 2, {.padding = 2}); }, "more than half of the kernel");
  has([&] { return avg_pool2d(x, 2, {.dilation = 2}); }, "the dilation is 2");
  has([&] { return avg_pool2d(zeros({2, 4, 8, 8}, i32), 2); }, "the input is i32");
  has([&] { return adaptive_avg_pool(x, {0, 1}); }, "the size is 0");
  has([&] { return adaptive_max_pool(x, {1, 1, 1, 1, 1}); }, "5 sizes were given");
  has([&] { return global_avg_pool(zeros({2, 3})); }, "at least 3 axes");
  has([&] { return max_pool2d(Tensor(), 2); }, "an empty Tensor");
}

}  // namespace
}  // namespace tessera::test
