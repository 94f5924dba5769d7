// Resizing of images against plain loops.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conv/loops.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

class Images : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
};
TESSERA_ON_ALL_DEVICES(Images);

double cubic(double d) {
  constexpr double a = -0.75;
  d = std::abs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// (element, weight) pairs of one result along an axis.
std::vector<std::pair<std::int64_t, double>> sources(std::int64_t o, std::int64_t size, std::int64_t out, double scale,
                                                     InterpolationMode mode, bool align) {
  const double ratio = scale != 0 ? 1 / scale : static_cast<double>(size) / static_cast<double>(out);
  const auto clip = [&](double i) {
    return static_cast<std::int64_t>(std::clamp(i, 0.0, static_cast<double>(size - 1)));
  };
  if (mode == InterpolationMode::kNearest) {
    return {{scale != 0 ? clip(std::floor(static_cast<double>(o) * ratio)) : o * size / out, 1}};
  }
  double at = align ? (out > 1 ? static_cast<double>(o * (size - 1)) / static_cast<double>(out - 1) : 0)
                    : (static_cast<double>(o) + 0.5) * ratio - 0.5;
  if (mode == InterpolationMode::kLinear) {
    at = std::max(at, 0.0);
    const double base = std::min(std::floor(at), static_cast<double>(size - 1));
    const double part = std::min(at - base, 1.0);
    return {{clip(base), 1 - part}, {clip(base + 1), part}};
  }
  const double base = std::floor(at);
  std::vector<std::pair<std::int64_t, double>> list;
  for (int k = -1; k <= 2; ++k) list.emplace_back(clip(base + k), cubic(at - base - k));
  return list;
}

TEST_P(Images, InterpolateEqualsLoops) {
  struct Case {
    std::int64_t h, w, oh, ow;
    double sh, sw;  // not 0: given as scales
  };
  for (const DType t : {f32, f16}) {
    for (const Case& c :
         {Case{6, 7, 12, 21, 0, 0}, Case{12, 9, 4, 3, 0, 0}, Case{8, 10, 12, 15, 0, 0}, Case{7, 11, 17, 13, 0, 0},
          Case{9, 9, 1, 2, 0, 0}, Case{7, 5, 11, 8, 1.7, 1.6}, Case{4, 6, 8, 9, 2, 1.5}}) {
      for (const InterpolationMode mode :
           {InterpolationMode::kNearest, InterpolationMode::kLinear, InterpolationMode::kCubic}) {
        for (const bool align : {false, true}) {
          if (align && mode == InterpolationMode::kNearest) continue;
          const Tensor x = data(t, {2, 3, c.h, c.w}, 1);
          const Numbers nx = numbers_of(x);
          Numbers want({2, 3, c.oh, c.ow});
          for (std::int64_t p = 0; p < 6; ++p) {
            for (std::int64_t a = 0; a < c.oh; ++a) {
              for (std::int64_t b = 0; b < c.ow; ++b) {
                for (const auto& [h, u] : sources(a, c.h, c.oh, c.sh, mode, align)) {
                  for (const auto& [w, v] : sources(b, c.w, c.ow, c.sw, mode, align)) {
                    want.add({p / 3, p % 3, a, b}, u * v * nx.value[nx.at({p / 3, p % 3, h, w})]);
                    // Weights come from places, which are rounded: they are off by ulps of the place.
                    want.room[want.at({p / 3, p % 3, a, b})] +=
                        mode == InterpolationMode::kNearest ? 0 : 4 * std::abs(nx.value[nx.at({p / 3, p % 3, h, w})]);
                  }
                }
              }
            }
          }
          InterpolateOptions options{.mode = mode, .align_corners = align};
          if (c.sh != 0) {
            options.scale = {c.sh, c.sw};
          } else {
            options.size = std::vector<std::int64_t>{c.oh, c.ow};
          }
          expect_near(fmt::format("{}x{} to {}x{}, mode {}, {}, {}", c.h, c.w, c.oh, c.ow, static_cast<int>(mode),
                                  align, name(t)),
                      interpolate(x, options), want, mode == InterpolationMode::kNearest ? 0 : 32);
        }
      }
    }
  }
  EXPECT_EQ(interpolate(arange(0, 3, 1, i32).reshape({1, 1, 3}), {.scale = {2}}).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2}));
}

TEST_P(Images, PixelShuffle) {
  const Tensor x = data(f32, {2, 12, 3, 5}, 2);
  const Numbers nx = numbers_of(x);
  Numbers want({2, 3, 6, 10});
  for (std::int64_t n = 0; n < 2; ++n)
    for (std::int64_t c = 0; c < 12; ++c)
      for (std::int64_t h = 0; h < 3; ++h)
        for (std::int64_t w = 0; w < 5; ++w)
          want.add({n, c / 4, h * 2 + c / 2 % 2, w * 2 + c % 2}, nx.value[nx.at({n, c, h, w})]);
  const Tensor y = pixel_shuffle(x, 2);
  expect_near("pixel_shuffle", y, want, 0);
  expect_near("and back", pixel_unshuffle(y, 2), nx, 0);
}

TEST_P(Images, BadArguments) {
  const Tensor x = zeros({2, 4, 8, 8});
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  const auto has = [&](auto f, const char* part) { EXPECT_NE(text(f).find(part), std::string::npos) << text(f); };
  has([&] { return interpolate(x, {}); }, "neither size nor scale");
  has([&] { return interpolate(x, {.size = std::vector<std::int64_t>{0}}); }, "the size is 0");
  has([&] { return interpolate(x, {.scale = {0.01}}); }, "leaves none");
  has([&] { return interpolate(x, {.scale = {2}, .align_corners = true}); }, "align_corners");
  has([&] { return interpolate(zeros({2, 4}), {.scale = {2}}); }, "at least 3 axes");
  has([&] { return interpolate(zeros({2, 4, 4}, i32), {.scale = {2}, .mode = InterpolationMode::kLinear}); },
      "the input is i32");
  has([&] { return pixel_shuffle(x, 3); }, "do not divide by the factor 3");
  has([&] { return pixel_unshuffle(x, 3); }, "does not divide by the factor 3");
  has([&] { return pixel_shuffle(x, 0); }, "the factor is 0");
}

}  // namespace
}  // namespace tessera::test
