// Augmentation against plain loops over pixels, and its random numbers in compiled steps.
#include "tessera/data/augment.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

constexpr ImageLayout kFirst = ImageLayout::kChannelsFirst;
constexpr ImageLayout kLast = ImageLayout::kChannelsLast;

/// A batch in host memory: [N, C, H, W].
struct Host {
  std::int64_t n, c, h, w;
  std::vector<double> values;

  [[nodiscard]] std::size_t position(std::int64_t i, std::int64_t k, std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>(((i * c + k) * h + y) * w + x);
  }
  [[nodiscard]] double at(std::int64_t i, std::int64_t k, std::int64_t y, std::int64_t x) const {
    return values[position(i, k, y, x)];
  }
  /// Zero outside.
  [[nodiscard]] double padded(std::int64_t i, std::int64_t k, std::int64_t y, std::int64_t x) const {
    return y < 0 || x < 0 || y >= h || x >= w ? 0 : at(i, k, y, x);
  }
};

/// Each element is f(i, k, y, x).
template <class F>
Host host_of(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w, F&& f) {
  Host out{n, c, h, w, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < c; ++k) {
      for (std::int64_t y = 0; y < h; ++y) {
        for (std::int64_t x = 0; x < w; ++x) out.values.push_back(f(i, k, y, x));
      }
    }
  }
  return out;
}

/// Whole numbers from 1 to 255; neighbors differ.
Host random_host(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  std::mt19937 random(static_cast<unsigned>(n * 1000 + c * 100 + h * 10 + w));
  return host_of(n, c, h, w, [&](auto...) { return 1 + static_cast<double>(random() % 255); });
}

Host like(const Host& x, const std::function<double(std::int64_t, std::int64_t, std::int64_t, std::int64_t)>& f) {
  return host_of(x.n, x.c, x.h, x.w, f);
}

Tensor tensor_of(const Host& x, DType dtype, ImageLayout layout, const Device& device) {
  const Tensor all = Tensor(std::vector<float>(x.values.begin(), x.values.end()), {x.n, x.c, x.h, x.w}, device);
  return (layout == kLast ? contiguous(all.permute({0, 2, 3, 1})) : all).astype(dtype);
}

Host host_from(const Tensor& x, ImageLayout layout) {
  const Tensor all = (layout == kLast ? x.permute({0, 3, 1, 2}) : x).astype(f32);
  const std::vector<float> values = all.to_vector<float>();
  return {all.size(0), all.size(1), all.size(2), all.size(3), {values.begin(), values.end()}};
}

/// u8 is the number rounded; floats may differ by a few bits.
void expect_near(const Tensor& got, const Host& want, ImageLayout layout, const std::string& what) {
  const Host g = host_from(got, layout);
  ASSERT_EQ(g.n * g.c * g.h * g.w, want.n * want.c * want.h * want.w) << what << " " << got.shape().str();
  ASSERT_EQ(g.h, want.h) << what;
  ASSERT_EQ(g.w, want.w) << what;
  const double most = got.dtype() == u8 ? 0.51 : got.dtype() == f16 ? 0.2 : 0.01;
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    ASSERT_NEAR(g.values[i], want.values[i], most) << what << ", element " << i << " of " << got.shape().str();
  }
}

struct Kind {
  DType dtype;
  ImageLayout layout;
};
const Kind kKinds[] = {{u8, kFirst}, {f32, kLast}, {f16, kFirst}};
const Host kHosts[] = {random_host(1, 1, 1, 1), random_host(3, 3, 5, 7), random_host(2, 4, 4, 4),
                       random_host(2, 1, 9, 1)};

std::string text_of(const Host& x, const Kind& kind) {
  return std::string(name(kind.dtype)) + " " + Shape{x.n, x.c, x.h, x.w}.str();
}

class Augment : public DeviceTest {
 protected:
  /// f for all sizes, dtypes and layouts; on software adapters, which compile for long, for one pixel and one odd size.
  template <class F>
  void for_all(F&& f) const {
    for (const Host& x : kHosts) {
      if (!on_cpu() && !full() && &x != &kHosts[0] && &x != &kHosts[1]) continue;
      for (const Kind& kind : kKinds) {
        if (!on_cpu() && !full() && &x == &kHosts[0] && kind.dtype != u8) continue;
        f(x, kind, tensor_of(x, kind.dtype, kind.layout, device_), text_of(x, kind));
      }
    }
  }
};

TEST_P(Augment, Normalize) {
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    std::vector<double> mean;
    std::vector<double> deviation;
    for (std::int64_t k = 0; k < x.c; ++k) {
      mean.push_back(0.1 * static_cast<double>(k + 1));
      deviation.push_back(0.2 * static_cast<double>(k + 1));
    }
    const double scale = kind.dtype == u8 ? 255 : 1;
    const Tensor y = data::normalize(images, mean, deviation, kind.layout);
    EXPECT_EQ(y.dtype(), kind.dtype == u8 ? f32 : kind.dtype);
    const Host want = like(x, [&](auto i, auto k, auto r, auto c) {
      const auto at = static_cast<std::size_t>(k);
      return (x.at(i, k, r, c) / scale - mean[at]) / deviation[at];
    });
    const Host got = host_from(y, kind.layout);
    for (std::size_t i = 0; i < want.values.size(); ++i) {
      ASSERT_NEAR(got.values[i], want.values[i], (kind.dtype == f16 ? 1e-3 : 1e-5) * (1 + std::abs(want.values[i])))
          << what;
    }
    // One number for all channels.
    const Host one = host_from(data::normalize(images, {0.5}, {0.25}, kind.layout), kind.layout);
    EXPECT_NEAR(one.values[0], (x.values[0] / scale - 0.5) / 0.25, kind.dtype == f16 ? 1 : 1e-2) << what;
  });
}

TEST_P(Augment, Resize) {
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    for (const auto& [h, w] : {std::pair{1, 1}, {3, 11}, {8, 2}}) {
      // A pixel of the result is at (i + 0.5) * size / to - 0.5 of the image.
      const auto place = [](std::int64_t i, std::int64_t size, std::int64_t to) {
        return std::clamp((static_cast<double>(i) + 0.5) * static_cast<double>(size) / static_cast<double>(to) - 0.5,
                          0.0, static_cast<double>(size - 1));
      };
      const Host want = host_of(x.n, x.c, h, w, [&](auto i, auto k, auto r, auto c) {
        const double y = place(r, x.h, h);
        const double z = place(c, x.w, w);
        const auto y0 = static_cast<std::int64_t>(y);
        const auto z0 = static_cast<std::int64_t>(z);
        const double dy = y - static_cast<double>(y0);
        const double dz = z - static_cast<double>(z0);
        return (x.padded(i, k, y0, z0) * (1 - dz) + x.padded(i, k, y0, z0 + 1) * dz) * (1 - dy) +
               (x.padded(i, k, y0 + 1, z0) * (1 - dz) + x.padded(i, k, y0 + 1, z0 + 1) * dz) * dy;
      });
      const Tensor y = data::resize(images, h, w, InterpolationMode::kLinear, kind.layout);
      EXPECT_EQ(y.dtype(), kind.dtype);
      expect_near(y, want, kind.layout, what);
      const Host near =
          host_of(x.n, x.c, h, w, [&](auto i, auto k, auto r, auto c) { return x.at(i, k, r * x.h / h, c * x.w / w); });
      expect_near(data::resize(images, h, w, InterpolationMode::kNearest, kind.layout), near, kind.layout, what);
    }
    expect_near(data::resize(images, x.h, x.w, InterpolationMode::kLinear, kind.layout), x, kind.layout, what);
  });
  // A cubic kernel overshoots: u8 is clamped.
  const Tensor edge = Tensor(std::vector<std::uint8_t>{0, 0, 255, 255}, {1, 1, 1, 4}, device_);
  const std::vector<std::uint8_t> cubic =
      data::resize(edge, 1, 16, InterpolationMode::kCubic).to_vector<std::uint8_t>();
  EXPECT_EQ(cubic.front(), 0);
  EXPECT_EQ(cubic.back(), 255);
  EXPECT_EQ(*std::ranges::max_element(cubic), 255);
  EXPECT_TRUE(std::ranges::is_sorted(cubic.begin() + 6, cubic.begin() + 10));
}

Host crop_of(const Host& x, const std::vector<std::int64_t>& tops, const std::vector<std::int64_t>& lefts,
             std::int64_t h, std::int64_t w) {
  return host_of(x.n, x.c, h, w, [&](auto i, auto k, auto r, auto c) {
    const auto at = static_cast<std::size_t>(i);
    return x.padded(i, k, tops[at] + r, lefts[at] + c);
  });
}

TEST_P(Augment, Crop) {
  std::mt19937 random(3);
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    for (const auto& [h, w] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {x.h, x.w}, {3, 2}, {x.h + 2, 4}}) {
      std::vector<std::int64_t> tops;
      std::vector<std::int64_t> lefts;
      for (std::int64_t i = 0; i < x.n; ++i) {
        tops.push_back(static_cast<std::int64_t>(random() % 9) - 4);
        lefts.push_back(static_cast<std::int64_t>(random() % 9) - 4);
      }
      const std::vector<std::int32_t> narrow(lefts.begin(), lefts.end());
      const Tensor y =
          data::crop(images, Tensor(tops, {x.n}, device_), Tensor(narrow, {x.n}, device_), h, w, kind.layout);
      EXPECT_EQ(y.dtype(), kind.dtype);
      expect_near(y, crop_of(x, tops, lefts, h, w), kind.layout, what);
    }
    const Tensor zero = zeros({x.n}, u8, device_);
    expect_near(data::crop(images, zero, zero, x.h, x.w, kind.layout), x, kind.layout, what);
  });
  // Far outside there is nothing.
  const Host& x = kHosts[1];
  const Tensor far(std::vector<std::int64_t>{INT64_MAX, INT64_MIN, -6}, {3}, device_);
  const Tensor big(std::vector<std::uint32_t>{UINT32_MAX, 0, 0}, {3}, device_);
  const Tensor images = tensor_of(x, u8, kFirst, device_);
  for (const std::uint8_t v : data::crop(images, far, far, 6, 6).to_vector<std::uint8_t>()) ASSERT_EQ(v, 0);
  expect_near(data::crop(images, big, big, 2, 2), crop_of(x, {99, 0, 0}, {99, 0, 0}, 2, 2), kFirst, "u32");
}

TEST_P(Augment, CenterCrop) {
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    for (const std::int64_t less : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}}) {
      const std::int64_t h = std::max<std::int64_t>(1, x.h - less);
      const std::int64_t w = std::max<std::int64_t>(1, x.w - less);
      const std::vector<std::int64_t> tops(static_cast<std::size_t>(x.n), (x.h - h) / 2);
      const std::vector<std::int64_t> lefts(static_cast<std::size_t>(x.n), (x.w - w) / 2);
      expect_near(data::center_crop(images, h, w, kind.layout), crop_of(x, tops, lefts, h, w), kind.layout, what);
    }
  });
}

TEST_P(Augment, RandomCropsAreAllWindows) {
  const Host x = random_host(16, 2, 4, 3);
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    random::set_seed(5);
    for (int round = 0; round < 8; ++round) {
      const Host got = host_from(data::random_crop(images, 4, 2, 1, kind.layout), kind.layout);
      for (std::int64_t i = 0; i < x.n; ++i) {
        int fitting = 0;
        for (std::int64_t top = -1; top <= 1; ++top) {
          for (std::int64_t left = -1; left <= 2; ++left) {
            bool same = true;
            for (std::int64_t k = 0; k < x.c; ++k) {
              for (std::int64_t r = 0; r < 4; ++r) {
                for (std::int64_t c = 0; c < 2; ++c) same &= got.at(i, k, r, c) == x.padded(i, k, top + r, left + c);
              }
            }
            if (same) seen.emplace(top, left);
            fitting += same ? 1 : 0;
          }
        }
        EXPECT_EQ(fitting, 1) << "sample " << i;
      }
    }
    EXPECT_EQ(seen.size(), 12U);
    // As large as the image, and as the image with its padding.
    expect_near(data::random_crop(images, 4, 3, 0, kind.layout), x, kind.layout, "whole");
    const std::vector<std::int64_t> one(16, -1);
    expect_near(data::random_crop(images, 6, 5, 1, kind.layout), crop_of(x, one, one, 6, 5), kind.layout, "padded");
  }
}

TEST_P(Augment, RandomFlipsAreEachSamplesOwn) {
  const Host x = random_host(32, 2, 3, 5);
  const auto flipped = [&](bool across, bool down) {
    return like(x, [&](auto i, auto k, auto r, auto c) {
      return x.at(i, k, down ? x.h - 1 - r : r, across ? x.w - 1 - c : c);
    });
  };
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    expect_near(data::random_flip(images, 0, 0, kind.layout), x, kind.layout, "never");
    expect_near(data::random_flip(images, 1, 0, kind.layout), flipped(true, false), kind.layout, "across");
    expect_near(data::random_flip(images, 0, 1, kind.layout), flipped(false, true), kind.layout, "down");
    expect_near(data::random_flip(images, 1, 1, kind.layout), flipped(true, true), kind.layout, "both");
    random::set_seed(2);
    const Host got = host_from(data::random_flip(images, 0.5, 0.5, kind.layout), kind.layout);
    std::set<int> seen;
    for (std::int64_t i = 0; i < x.n; ++i) {
      for (int way = 0; way < 4; ++way) {
        const Host want = flipped((way & 1) != 0, (way & 2) != 0);
        const auto from = static_cast<std::ptrdiff_t>(x.position(i, 0, 0, 0));
        const auto count = static_cast<std::ptrdiff_t>(x.c * x.h * x.w);
        if (std::equal(want.values.begin() + from, want.values.begin() + from + count, got.values.begin() + from))
          seen.insert(way);
      }
    }
    EXPECT_EQ(seen.size(), 4U);
  }
}

Host rotation_of(const Host& x, const std::vector<double>& degrees) {
  return like(x, [&](auto i, auto k, auto r, auto c) {
    const double angle = degrees[static_cast<std::size_t>(i)] * std::numbers::pi / 180;
    const double my = static_cast<double>(x.h - 1) / 2;
    const double mx = static_cast<double>(x.w - 1) / 2;
    const double dy = static_cast<double>(r) - my;
    const double dx = static_cast<double>(c) - mx;
    const double sy = std::round((dx * std::sin(angle) + dy * std::cos(angle) + my) * 1024) / 1024;
    const double sx = std::round((dx * std::cos(angle) - dy * std::sin(angle) + mx) * 1024) / 1024;
    double sum = 0;
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        const double wy = a == 0 ? 1 - (sy - std::floor(sy)) : sy - std::floor(sy);
        const double wx = b == 0 ? 1 - (sx - std::floor(sx)) : sx - std::floor(sx);
        sum += wy * wx *
               x.padded(i, k, static_cast<std::int64_t>(std::floor(sy)) + a,
                        static_cast<std::int64_t>(std::floor(sx)) + b);
      }
    }
    return sum;
  });
}

TEST_P(Augment, Rotate) {
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    expect_near(data::rotate(images, 0, kind.layout), x, kind.layout, what);
    const Host half = like(x, [&](auto i, auto k, auto r, auto c) { return x.at(i, k, x.h - 1 - r, x.w - 1 - c); });
    expect_near(data::rotate(images, 180, kind.layout), half, kind.layout, what);
    expect_near(data::rotate(images, -180, kind.layout), half, kind.layout, what);
    std::vector<double> degrees;
    for (std::int64_t i = 0; i < x.n; ++i) degrees.push_back(33.7 + 40 * static_cast<double>(i));
    const Tensor given(std::vector<float>(degrees.begin(), degrees.end()), {x.n}, device_);
    const Host got = host_from(data::rotate(images, given, kind.layout), kind.layout);
    const Host want = rotation_of(x, degrees);
    // A position may be rounded to the next 1/1024 of a pixel.
    const double most = 0.5 + (kind.dtype == f32 ? 0 : 0.51);
    for (std::size_t i = 0; i < want.values.size(); ++i) ASSERT_NEAR(got.values[i], want.values[i], most) << what;
  });
  // Quarters of a square, counter-clockwise, are exact.
  const Host& x = kHosts[2];
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    for (int times = 1; times < 4; ++times) {
      const Tensor want = rot90(images, times, kind.layout == kLast ? 1 : 2, kind.layout == kLast ? 2 : 3);
      const Tensor got = data::rotate(images, 90 * times, kind.layout);
      EXPECT_EQ(host_from(got, kind.layout).values, host_from(want, kind.layout).values) << 90 * times;
    }
  }
}

TEST_P(Augment, RandomRotationsAreBetweenTheBounds) {
  const Host& x = kHosts[1];
  const Tensor images = tensor_of(x, f32, kFirst, device_);
  expect_near(data::random_rotate(images, 0), x, kFirst, "0 degrees");
  random::set_seed(11);
  const Tensor got = data::random_rotate(images, 25);
  random::set_seed(11);
  const Tensor degrees = random::uniform({3}, -25.0, 25.0, f32, device_);
  EXPECT_EQ(got.to_vector<float>(), data::rotate(images, degrees).to_vector<float>());
  const std::vector<float> d = degrees.to_vector<float>();
  EXPECT_NE(d[0], d[1]);
}

TEST_P(Augment, ResizedCrop) {
  for_all([&](const Host& x, const Kind& kind, const Tensor& images, const std::string& what) {
    std::vector<float> boxes;
    std::vector<std::int64_t> tops;
    std::vector<std::int64_t> lefts;
    const std::int64_t bh = std::max<std::int64_t>(1, x.h - 2);
    const std::int64_t bw = std::max<std::int64_t>(1, x.w / 2);
    for (std::int64_t i = 0; i < x.n; ++i) {
      tops.push_back(i % (x.h - bh + 1));
      lefts.push_back((i + 1) % (x.w - bw + 1));
      for (const std::int64_t v : {tops.back(), lefts.back(), bh, bw}) boxes.push_back(static_cast<float>(v));
    }
    // A crop of the box, and then a resize.
    const Tensor at(boxes, {x.n, 4}, device_);
    const Tensor window = data::crop(images.astype(f32), Tensor(tops, {x.n}, device_), Tensor(lefts, {x.n}, device_),
                                     bh, bw, kind.layout);
    for (const auto& [h, w] : {std::pair{5, 3}, {1, 1}, {2, 9}}) {
      if (!on_cpu() && !full() && h != 5) continue;
      const Host want = host_from(data::resize(window, h, w, InterpolationMode::kLinear, kind.layout), kind.layout);
      const Tensor y = data::resized_crop(images, at, h, w, kind.layout);
      EXPECT_EQ(y.dtype(), kind.dtype);
      expect_near(y, want, kind.layout, what);
    }
    expect_near(data::resized_crop(images, at, bh, bw, kind.layout), crop_of(x, tops, lefts, bh, bw), kind.layout,
                what);
  });
  // Boxes that are not in the image, or have no numbers, read nothing outside of it.
  const Tensor images = tensor_of(kHosts[1], f32, kFirst, device_);
  const Tensor wild(std::vector<float>{-5, -5, 100, 100, 1e30F, -1e30F, 1e30F, 3, NAN, 0, INFINITY, -1}, {3, 4},
                    device_);
  const std::vector<float> values = data::resized_crop(images, wild, 4, 4).to_vector<float>();
  EXPECT_EQ(values.size(), 3U * 3 * 4 * 4);
  for (std::size_t i = 0; i < 48; ++i) EXPECT_TRUE(values[i] >= 1 && values[i] <= 255) << values[i];
}

TEST_P(Augment, RandomResizedCropsAreInTheImage) {
  // The value of a pixel is its column, and in the second channel its row.
  const std::int64_t size = 40;
  const Host x =
      host_of(64, 2, size, size, [](auto, auto k, auto r, auto c) { return static_cast<double>(k == 0 ? c : r); });
  const Tensor images = tensor_of(x, f32, kFirst, device_);
  random::set_seed(8);
  const data::BoxOptions options{.min_area = 0.1, .max_area = 0.5, .min_ratio = 0.5, .max_ratio = 2};
  const Host got = host_from(data::random_resized_crop(images, 20, 20, options), kFirst);
  std::set<double> corners;
  for (std::int64_t i = 0; i < x.n; ++i) {
    // 20 pixels from the middle of the first to that of the last have the step of the box.
    const double w = (got.at(i, 0, 0, 12) - got.at(i, 0, 0, 7)) * 4;
    const double h = (got.at(i, 1, 12, 0) - got.at(i, 1, 7, 0)) * 4;
    EXPECT_NEAR(w, std::round(w), 0.01);
    EXPECT_NEAR(h, std::round(h), 0.01);
    EXPECT_GT(w * h, 0.1 * 1600 - 50);
    EXPECT_LT(w * h, 0.5 * 1600 + 50);
    EXPECT_GT(w / h, 0.45);
    EXPECT_LT(w / h, 2.2);
    corners.insert(got.at(i, 0, 0, 0) * 100 + got.at(i, 1, 0, 0));
    for (std::int64_t c = 1; c < 20; ++c) EXPECT_GE(got.at(i, 0, 5, c), got.at(i, 0, 5, c - 1));
    EXPECT_GE(got.at(i, 0, 0, 0), 0);
    EXPECT_LE(got.at(i, 0, 0, 19), 39);
  }
  EXPECT_GT(corners.size(), 40U);
  // All of a square is the square.
  const data::BoxOptions whole{.min_area = 1, .max_area = 1, .min_ratio = 1, .max_ratio = 1};
  expect_near(data::random_resized_crop(images, size, size, whole), x, kFirst, "whole");
  const Tensor pixel = tensor_of(kHosts[0], u8, kLast, device_);
  expect_near(data::random_resized_crop(pixel, 2, 3, {}, kLast),
              host_of(1, 1, 2, 3, [](auto...) { return kHosts[0].at(0, 0, 0, 0); }), kLast, "one pixel");
}

/// The smallest box around what is not the image; an error where it is not all `value`.
struct Erased {
  std::int64_t top = 1000, left = 1000, bottom = -1, right = -1;
  [[nodiscard]] bool none() const { return bottom < 0; }
  [[nodiscard]] std::int64_t height() const { return bottom - top + 1; }
  [[nodiscard]] std::int64_t width() const { return right - left + 1; }
};
Erased erased(const Host& x, const Host& got, std::int64_t i, double value) {
  Erased box;
  for (std::int64_t r = 0; r < x.h; ++r) {
    for (std::int64_t c = 0; c < x.w; ++c) {
      if (got.at(i, 0, r, c) == x.at(i, 0, r, c)) continue;
      box = {std::min(box.top, r), std::min(box.left, c), std::max(box.bottom, r), std::max(box.right, c)};
    }
  }
  for (std::int64_t k = 0; k < x.c; ++k) {
    for (std::int64_t r = 0; r < x.h; ++r) {
      for (std::int64_t c = 0; c < x.w; ++c) {
        const bool in = r >= box.top && r <= box.bottom && c >= box.left && c <= box.right;
        EXPECT_EQ(got.at(i, k, r, c), in ? value : x.at(i, k, r, c)) << i << " " << r << " " << c;
      }
    }
  }
  return box;
}

TEST_P(Augment, Cutout) {
  const Host x = random_host(48, 2, 6, 5);
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    expect_near(data::cutout(images, 0, 0, kind.layout), x, kind.layout, "nothing");
    random::set_seed(4);
    const Tensor y = data::cutout(images, 3, 0, kind.layout);
    EXPECT_EQ(y.dtype(), kind.dtype);
    const Host got = host_from(y, kind.layout);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (std::int64_t i = 0; i < x.n; ++i) {
      const Erased box = erased(x, got, i, 0);
      ASSERT_FALSE(box.none());
      // Smaller only where the edge of the image is.
      EXPECT_TRUE(box.height() == 3 || (box.height() == 2 && (box.top == 0 || box.bottom == 5))) << box.height();
      EXPECT_TRUE(box.width() == 3 || (box.width() == 2 && (box.left == 0 || box.right == 4))) << box.width();
      seen.emplace(box.top, box.left);
    }
    EXPECT_GT(seen.size(), 10U);
    for (const double v : host_from(data::cutout(images, 100, 7, kind.layout), kind.layout).values) ASSERT_EQ(v, 7);
  }
}

TEST_P(Augment, RandomErase) {
  const Host x = random_host(64, 2, 12, 10);
  const data::BoxOptions box{.min_area = 0.1, .max_area = 0.3, .min_ratio = 0.5, .max_ratio = 2};
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    expect_near(data::random_erase(images, {.probability = 0}, kind.layout), x, kind.layout, "never");
    random::set_seed(6);
    int some = 0;
    for (const double probability : {1.0, 0.5}) {
      const Host got = host_from(
          data::random_erase(images, {.probability = probability, .box = box, .value = 0}, kind.layout), kind.layout);
      for (std::int64_t i = 0; i < x.n; ++i) {
        const Erased e = erased(x, got, i, 0);
        if (probability == 1) {
          ASSERT_FALSE(e.none());
          EXPECT_NEAR(static_cast<double>(e.height() * e.width()), 24, 12 + 5);
        }
        some += e.none() ? 0 : 1;
      }
    }
    EXPECT_GT(some, 64 + 16);
    EXPECT_LT(some, 64 + 48);
  }
}

TEST_P(Augment, Mixup) {
  const Host x = random_host(9, 2, 3, 4);
  std::vector<std::int32_t> classes{0, 1, 2, 3, 4, 3, 2, 1, 0};
  const Tensor labels = one_hot(Tensor(classes, {9}, device_), 5);
  for (const Kind& kind : kKinds) {
    const Tensor images = tensor_of(x, kind.dtype, kind.layout, device_);
    random::set_seed(9);
    const auto [mixed, both] = data::mixup(images, labels, 0.4);
    EXPECT_EQ(mixed.dtype(), kind.dtype);
    EXPECT_EQ(both.dtype(), f32);
    const std::vector<float> l = both.to_vector<float>();
    std::vector<double> part;
    for (std::size_t i = 0; i < 9; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += l[i * 5 + k];
      EXPECT_NEAR(sum, 1, 1e-6);
      part.push_back(l[i * 5 + static_cast<std::size_t>(classes[i])]);  // the partner's class is the same
      EXPECT_NEAR(part.back(), 1, 1e-6);
    }
    // Labels that tell the samples apart give the parts.
    random::set_seed(9);
    const std::vector<float> parts = data::mixup(images, eye(9, 9, 0, f32, device_), 0.4).second.to_vector<float>();
    double least = 1;
    for (std::size_t i = 0; i < 9; ++i) {
      part[i] = parts[i * 9 + i];
      EXPECT_NEAR(part[i] + (i == 4 ? 0 : parts[i * 9 + 8 - i]), 1, 1e-6);
      least = std::min(least, part[i]);
    }
    EXPECT_LT(least, 0.9);
    const Host want = like(x, [&](auto i, auto k, auto r, auto c) {
      const double p = part[static_cast<std::size_t>(i)];
      return i == 4 ? x.at(i, k, r, c) : p * x.at(i, k, r, c) + (1 - p) * x.at(8 - i, k, r, c);
    });
    expect_near(mixed, want, kind.layout, "mixed");
    const auto [same, labeled] = data::mixup(images, labels, 0);
    expect_near(same, x, kind.layout, "alpha 0");
    EXPECT_EQ(labeled.to_vector<float>(), labels.to_vector<float>());
  }
  // Parts are in [0, 1], with a mean of a half, for small alphas too.
  for (const double alpha : {0.01, 1.0, 30.0}) {
    const auto [values, unused] = data::mixup(tile(Tensor(std::vector<float>{1, 0}, {2, 1}, device_), {500, 1}),
                                              zeros({1000, 1}, f32, device_), alpha);
    double sum = 0;
    for (const float v : values.to_vector<float>()) {
      ASSERT_TRUE(v >= 0 && v <= 1) << v;
      sum += v;
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.08) << alpha;
  }
}

TEST_P(Augment, EmptyBatchesStayEmpty) {
  const Tensor none = zeros({0, 3, 4, 4}, u8, device_);
  EXPECT_EQ(data::random_crop(none, 2, 2, 1).shape(), (Shape{0, 3, 2, 2}));
  EXPECT_EQ(data::random_flip(none).shape(), (Shape{0, 3, 4, 4}));
  EXPECT_EQ(data::random_rotate(none, 10).to_vector<std::uint8_t>().size(), 0U);
  EXPECT_EQ(data::random_resized_crop(none, 5, 6).shape(), (Shape{0, 3, 5, 6}));
  EXPECT_EQ(data::normalize(none, {0}, {1}).shape(), (Shape{0, 3, 4, 4}));
  EXPECT_EQ(data::random_erase(data::cutout(none, 2)).to_vector<std::uint8_t>().size(), 0U);
}

TEST_P(Augment, CompiledStepsDrawAgain) {
  const Host x = random_host(8, 3, 9, 9);
  const Tensor images = tensor_of(x, u8, kFirst, device_);
  const auto augmented = [](const Tensor& batch) {
    Tensor y = data::random_crop(data::random_flip(batch), 8, 8, 2);
    y = data::random_rotate(y, 20);
    y = data::random_erase(data::random_resized_crop(y, 8, 8));
    return data::normalize(data::cutout(y, 2), {0.5}, {0.25});
  };
  const auto step = compile(augmented);
  random::set_seed(1);
  const std::vector<float> first = step(images).to_vector<float>();
  const std::vector<float> second = step(images).to_vector<float>();
  EXPECT_NE(first, second);
  random::set_seed(1);
  EXPECT_EQ(step(images).to_vector<float>(), first);
  EXPECT_EQ(step(images).to_vector<float>(), second);
  EXPECT_EQ(step.traces(), 1U);
  random::set_seed(1);
  const std::vector<float> eager = augmented(images).to_vector<float>();
  for (std::size_t i = 0; i < eager.size(); ++i) ASSERT_NEAR(eager[i], first[i], 1e-5);
}

TEST_P(Augment, AreFewKernels) {
  const Tensor images = tensor_of(kHosts[1], u8, kFirst, device_);
  const auto kernels = [&](auto&& f) {
    const auto step = compile([&](const Tensor& x) { return f(x); });
    const Tensor result = step(images);
    result.eval();
    return step.kernel_count();
  };
  // The numbers of the samples are one more than the pixels.
  EXPECT_EQ(kernels([](const Tensor& x) { return data::normalize(x, {0, 0, 0}, {1, 1, 1}); }), 1U);
  EXPECT_EQ(kernels([](const Tensor& x) { return data::random_flip(x); }), 2U);
  EXPECT_EQ(kernels([](const Tensor& x) { return data::random_flip(x, 0.5, 0.5); }), 3U);
  EXPECT_EQ(kernels([](const Tensor& x) { return data::random_crop(x, 5, 7, 2); }), 2U);
  EXPECT_EQ(kernels([](const Tensor& x) { return data::cutout(x, 2); }), 2U);
  EXPECT_EQ(kernels([](const Tensor& x) { return data::random_erase(x); }), 2U);
  EXPECT_LE(kernels([](const Tensor& x) { return data::random_rotate(x, 30); }), 3U);
  // Where a kernel may have eight buffers only, there are more.
  EXPECT_LE(kernels([](const Tensor& x) { return data::random_resized_crop(x, 4, 4); }), 4U);
}

TEST_P(Augment, GradientsAreTheTransposedMaps) {
  const Host& x = kHosts[1];
  const Tensor images = tensor_of(x, f32, kFirst, device_);
  const Tensor weights = tensor_of(random_host(3, 3, 6, 6), f32, kFirst, device_) / 255.0;
  const auto check = [&](const char* what, auto&& f) {
    const auto total = [&](const Tensor& y) {
      random::set_seed(3);
      return sum(f(y) * weights);
    };
    // Of linear functions the value is the product of the images and the gradient.
    const auto [value, gradient] = value_and_grad(total)(images);
    EXPECT_NEAR(value.item() / sum(images * gradient).item(), 1, 1e-5) << what;
    EXPECT_GT(sum(gradient * gradient).item(), 1) << what;
  };
  check("crop", [](const Tensor& y) { return data::random_crop(data::random_flip(y), 6, 6, 2); });
  if (!on_cpu() && !full()) return;
  check("rotate", [](const Tensor& y) { return data::random_crop(data::random_rotate(y, 40), 6, 6, 1); });
  check("resized_crop", [](const Tensor& y) { return data::random_resized_crop(y, 6, 6); });
  check("resize", [](const Tensor& y) { return data::cutout(data::resize(y, 6, 6), 2); });
}

// The step of docs/guide/images.md.
TEST(AugmentGuide, AModelLearnsFromAugmentedImages) {
  static const Device cpu = Device::create({.device = "cpu"});
  cpu.set_current();
  random::set_seed(1);
  // Bright or dark.
  const Host x = host_of(32, 3, 8, 8, [](auto i, auto k, auto r, auto c) {
    return static_cast<double>((i % 2 == 0 ? 40 : 180) + (k * 31 + r * 7 + c * 3) % 40);
  });
  const Tensor images = tensor_of(x, u8, kFirst, cpu);
  const Tensor labels = arange(32, i32) % 2;
  nn::Sequential model(nn::Flatten(), nn::Linear(3 * 8 * 8, 2));
  optim::AdamW optimizer(model, {.lr = 1e-2});
  const auto step = compile(
      [&](const Tensor& batch, const Tensor& classes) {
        Tensor y = data::random_flip(data::random_crop(batch, 8, 8, 1));
        y = data::cutout(data::random_rotate(y, 10), 2);
        y = data::normalize(y, {0.4914, 0.4822, 0.4465}, {0.2470, 0.2435, 0.2616});
        const auto [mixed, targets] = data::mixup(y, one_hot(classes, 2), 0.2);
        auto [loss, gradients] =
            value_and_grad(model, [&, m = mixed, t = targets] { return cross_entropy(model(m), t); })();
        optimizer.update(model, gradients);
        return loss;
      },
      model, optimizer);
  const double first = step(images, labels).item();
  std::vector<double> later;
  for (int i = 0; i < 30; ++i) later.push_back(step(images, labels).item());
  EXPECT_LT(later.back(), 0.5 * first);
  EXPECT_NE(later[28], later[29]);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_P(Augment, BadArgumentsAreErrors) {
  const Tensor x = zeros({2, 3, 4, 5}, u8, device_);
  const auto kind = [](auto&& f) { return error_of([&] { (void)f(); }).kind(); };
  EXPECT_EQ(kind([&] { return data::normalize({}, {0}, {1}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::normalize(x, {0, 1}, {1}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::normalize(x, {0}, {0}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::normalize(x, {NAN}, {1}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::normalize(zeros({3, 4, 5}, u8, device_), {0}, {1}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::normalize(zeros({1, 3, 0, 5}, u8, device_), {0}, {1}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::normalize(x.astype(i32), {0}, {1}); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { return data::resize(x, 0, 5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::crop(x, zeros({3}, i32, device_), zeros({2}, i32, device_), 1, 1); }),
            ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::crop(x, zeros({2}, f32, device_), zeros({2}, i32, device_), 1, 1); }),
            ErrorKind::kDType);
  EXPECT_EQ(kind([&] { return data::crop(x, {}, zeros({2}, i32, device_), 1, 1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::center_crop(x, 5, 5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_crop(x, 5, 5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_crop(x, 4, 4, -1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_flip(x, 1.5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_flip(x, 0.5, NAN); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::rotate(x, zeros({3}, f32, device_)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::random_rotate(x, -1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::resized_crop(x, zeros({2, 3}, f32, device_), 2, 2); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::random_resized_crop(x, 2, 2, {.min_area = 0.5, .max_area = 0.4}); }),
            ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_resized_crop(x, 2, 2, {.min_ratio = 0}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::cutout(x, -1); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::cutout(x, 1, 0.5); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::cutout(x, 1, 256); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return data::random_erase(x, {.probability = 2}); }), ErrorKind::kValue);
  const Tensor labels = zeros({2, 4}, f32, device_);
  EXPECT_EQ(kind([&] { return data::mixup(x, zeros({3, 4}, f32, device_)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { return data::mixup(x, zeros({2, 4}, i32, device_)); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { return data::mixup(x, labels, -1); }), ErrorKind::kValue);
}

TESSERA_ON_ALL_DEVICES(Augment);

}  // namespace
}  // namespace tessera::test
