// Resizing and the normalisations of images against plain loops.
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

TEST_P(Images, NormsEqualLoops) {
  const std::int64_t n = 4, c = 6, s = 15;
  const Tensor x = data(f32, {n, c, 3, 5}, 3);
  const Tensor w = data(f32, {c}, 4);
  const Tensor b = data(f32, {c}, 5);
  const Numbers nx = numbers_of(x), nw = numbers_of(w), nb = numbers_of(b);
  const auto at = [&](std::int64_t i, std::int64_t k, std::int64_t j) { return Numbers::index((i * c + k) * s + j); };
  // Statistics over images [i0, i1) and channels [k0, k1).
  const auto stats = [&](std::int64_t i0, std::int64_t i1, std::int64_t k0, std::int64_t k1) {
    double total = 0, squares = 0;
    const auto count = static_cast<double>((i1 - i0) * (k1 - k0) * s);
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t k = k0; k < k1; ++k)
        for (std::int64_t j = 0; j < s; ++j) total += nx.value[at(i, k, j)];
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t k = k0; k < k1; ++k)
        for (std::int64_t j = 0; j < s; ++j) squares += std::pow(nx.value[at(i, k, j)] - total / count, 2);
    return std::pair(total / count, squares / count);
  };
  Numbers batch(x.shape()), group(x.shape()), instance(x.shape()), response(x.shape());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < c; ++k) {
      const auto [bm, bv] = stats(0, n, k, k + 1);
      const auto [gm, gv] = stats(i, i + 1, k / 2 * 2, k / 2 * 2 + 2);
      const auto [im, iv] = stats(i, i + 1, k, k + 1);
      for (std::int64_t j = 0; j < s; ++j) {
        const double v = nx.value[at(i, k, j)];
        const auto set = [&](Numbers& to, double m, double var) {
          to.value[at(i, k, j)] =
              (v - m) / std::sqrt(var + 1e-5) * nw.value[Numbers::index(k)] + nb.value[Numbers::index(k)];
          to.room[at(i, k, j)] = 8;
        };
        set(batch, bm, bv), set(group, gm, gv), set(instance, im, iv);
        double near = 0;
        for (std::int64_t d = k - 2; d <= k + 1; ++d) near += d >= 0 && d < c ? std::pow(nx.value[at(i, d, j)], 2) : 0;
        response.value[at(i, k, j)] = v / std::pow(2 + 0.3 * near / 4, 0.75);
        response.room[at(i, k, j)] = 8;
      }
    }
  }
  const Tensor mean = zeros({c}) + 0.5, var = ones({c}) * 2.0;
  const BatchNorm trained = batch_norm_training(x, mean, var, w, b, 0.25);
  expect_near("batch_norm, training", trained.result, batch, 32);
  Numbers moved_mean({c}), moved_var({c});
  for (std::int64_t k = 0; k < c; ++k) {
    const auto [m, v] = stats(0, n, k, k + 1);
    moved_mean.value[Numbers::index(k)] = 0.75 * 0.5 + 0.25 * m;
    moved_var.value[Numbers::index(k)] = 0.75 * 2 + 0.25 * v * 60 / 59;
    moved_mean.room[Numbers::index(k)] = moved_var.room[Numbers::index(k)] = 4;
  }
  expect_near("running mean", trained.mean, moved_mean, 64);
  expect_near("running variance", trained.var, moved_var, 64);
  Numbers fixed(x.shape());
  for (std::int64_t i = 0; i < fixed.shape.numel(); ++i) {
    const std::size_t k = Numbers::index(i / s % c);
    fixed.value[Numbers::index(i)] =
        (nx.value[Numbers::index(i)] - 0.5) / std::sqrt(2 + 1e-5) * nw.value[k] + nb.value[k];
    fixed.room[Numbers::index(i)] = 4;
  }
  expect_near("batch_norm", batch_norm(x, mean, var, w, b), fixed, 16);
  expect_near("group_norm", group_norm(x, 3, w, b), group, 32);
  expect_near("instance_norm", instance_norm(x, w, b), instance, 32);
  expect_near("local_response_norm", local_response_norm(x, 4, 0.3, 0.75, 2), response, 32);
  EXPECT_EQ(group_norm(data(f16, {2, 4, 3}, 6), 2).dtype(), f16);
  for (const double p : {1.0, 2.0, 3.0, static_cast<double>(INFINITY)}) {
    Numbers unit(x.shape());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < s; ++j) {
        double norm = 0;
        for (std::int64_t k = 0; k < c; ++k) {
          const double v = std::abs(nx.value[at(i, k, j)]);
          norm = std::isinf(p) ? std::max(norm, v) : norm + std::pow(v, p);
        }
        if (!std::isinf(p)) norm = std::pow(norm, 1 / p);
        for (std::int64_t k = 0; k < c; ++k)
          unit.value[at(i, k, j)] = nx.value[at(i, k, j)] / norm, unit.room[at(i, k, j)] = 1;
      }
    }
    expect_near(fmt::format("normalize, p = {}", p), normalize(x, p), unit, 64);
  }
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
  has([&] { return group_norm(x, 3); }, "do not divide into 3 groups");
  has([&] { return batch_norm(x, zeros({3}), ones({4})); }, "the mean has shape [3]; [4]");
  has([&] { return batch_norm_training(zeros({1, 4}), {}, {}).result; }, "training needs at least 2");
  has([&] { return normalize(x, 0); }, "p is 0");
  has([&] { return local_response_norm(x, 0); }, "the size is 0");
}

}  // namespace
}  // namespace tessera::test
