// Draws shapes, and reads images from npz files.
#include "train/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "train/job.h"

namespace tessera::app {

namespace {

// Signed distances from the edge of a shape around the origin, negative inside. A shape has a radius of about 1.

double circle(double x, double y, double radius) { return std::hypot(x, y) - radius; }

double box(double x, double y, double width, double height) {
  return std::max(std::abs(x) - width, std::abs(y) - height);
}

/// Points at a radius of 1, corners between them at `inner`. A regular polygon has corners at cos(pi / points).
double star(double x, double y, int points, double inner) {
  const double half = std::numbers::pi / points;
  const double angle = std::abs(std::remainder(std::atan2(y, x), 2 * half));  // from the nearest point
  const double corner_x = inner * std::cos(half);
  const double corner_y = inner * std::sin(half);
  const double r = std::hypot(x, y);
  const double outward = (r * std::cos(angle) - 1) * corner_y + r * std::sin(angle) * (1 - corner_x);
  return outward / std::hypot(corner_y, 1 - corner_x);
}

struct ShapeClass {
  const char* name;
  double (*distance)(double x, double y);
};
constexpr std::array<ShapeClass, 10> kShapes{{
    {"disc", [](double x, double y) { return circle(x, y, 0.9); }},
    {"half disc", [](double x, double y) { return std::max(circle(x + 0.4, y, 1), -0.4 - x); }},
    {"crescent", [](double x, double y) { return std::max(circle(x, y, 0.95), -circle(x - 0.45, y, 0.75)); }},
    {"ring", [](double x, double y) { return std::abs(circle(x, y, 0.72)) - 0.2; }},
    {"triangle", [](double x, double y) { return star(x, y, 3, 0.5); }},
    {"square", [](double x, double y) { return box(x, y, 0.75, 0.75); }},
    {"frame", [](double x, double y) { return std::abs(box(x, y, 0.6, 0.6)) - 0.2; }},
    {"cross", [](double x, double y) { return std::min(box(x, y, 0.95, 0.28), box(x, y, 0.28, 0.95)); }},
    {"star", [](double x, double y) { return star(x, y, 5, 0.45); }},
    {"checkers",
     [](double x, double y) {
       const double inside = std::min(std::abs(x), std::abs(y));
       return std::max(box(x, y, 0.85, 0.85), x * y > 0 ? -inside : inside);
     }},
}};

using Color = std::array<double, 3>;  // from 0 to 1

class ShapePainter {
 public:
  ShapePainter(std::int64_t size, std::uint64_t seed) : size_(size), random_(seed) {}

  std::int32_t label() { return static_cast<std::int32_t>(random_() % kShapes.size()); }

  /// Fills the three planes of an image.
  void paint(std::int32_t label, std::uint8_t* pixels) {
    constexpr double kNoise = 0.15;
    const auto size = static_cast<double>(size_);
    const double radius = size * between(0.16, 0.36);
    const double x = between(radius, size - radius);
    const double y = between(radius, size - radius);
    const double angle = between(0, 2 * std::numbers::pi);
    const double direction = between(0, 2 * std::numbers::pi);  // of the background's change
    const Color first = color(0, 0.5);
    const Color second = color(0, 0.5);
    const Color ink = bright_color(first, second);
    const auto distance = kShapes[static_cast<std::size_t>(label)].distance;
    for (std::int64_t row = 0; row < size_; ++row) {
      for (std::int64_t column = 0; column < size_; ++column) {
        const double dx = (static_cast<double>(column) + 0.5 - x) / radius;
        const double dy = (static_cast<double>(row) + 0.5 - y) / radius;
        const double d =
            distance(dx * std::cos(angle) + dy * std::sin(angle), dy * std::cos(angle) - dx * std::sin(angle));
        const double covered = std::clamp(0.5 - d * radius, 0.0, 1.0);
        const double across = (static_cast<double>(column) - size / 2) * std::cos(direction) +
                              (static_cast<double>(row) - size / 2) * std::sin(direction);
        const double part = std::clamp(0.5 + across / size, 0.0, 1.0);
        for (std::size_t c = 0; c < 3; ++c) {
          const double behind = first[c] + part * (second[c] - first[c]);
          const double value = behind + covered * (ink[c] - behind) + between(-kNoise, kNoise);
          pixels[(static_cast<std::int64_t>(c) * size_ + row) * size_ + column] =
              static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
        }
      }
    }
  }

 private:
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11U) * 0x1p-53;
  }

  Color color(double low, double high) {
    Color out{};
    for (double& channel : out) channel = between(low, high);
    return out;
  }

  /// One that differs from both colors and from their mean, in one channel at least.
  Color bright_color(const Color& first, const Color& second) {
    constexpr double kContrast = 0.3;
    while (true) {
      const Color out = color(0.6, 1);
      double nearest = 1;
      for (const double part : {0.0, 0.5, 1.0}) {
        double most = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          most = std::max(most, std::abs(out[c] - first[c] - part * (second[c] - first[c])));
        }
        nearest = std::min(nearest, most);
      }
      if (nearest >= kContrast) return out;
    }
  }

  std::int64_t size_;
  std::mt19937_64 random_;
};

// ---- Files ----

constexpr std::int64_t kLeastSide = 8;
constexpr std::int64_t kMostClasses = 1000;

void expect_array(bool good, const std::string& key, const Tensor& t, const std::filesystem::path& file,
                  const char* expected) {
  expect_option("resnet", good,
                fmt::format("{} of {} {} in '{}'", key, name(t.dtype()), t.shape().str(), file.string()), expected);
}

ColorImages color_images_of(const Tree& arrays, const std::filesystem::path& file, const std::string& set) {
  const Tensor& images = arrays[set + "_images"];
  const Tensor& labels = arrays[set + "_labels"];
  const Shape& shape = images.shape();
  const bool first = shape.rank() == 4 && shape[1] == 3;
  const bool last = shape.rank() == 4 && shape[3] == 3;
  expect_array(images.dtype() == u8 && (first || last) && shape[0] > 0, set + "_images", images, file,
               "u8 [N, 3, H, W] or [N, H, W, 3]");
  ColorImages out{first ? images : permute(images, {0, 3, 1, 2}).eval(), {}};
  expect_array(out.images.size(2) >= kLeastSide && out.images.size(3) >= kLeastSide, set + "_images", images, file,
               "a size of at least 8 x 8");
  const bool fits = labels.shape() == Shape{shape[0]} || labels.shape() == Shape{shape[0], 1};
  expect_array(is_integer(labels.dtype()) && fits, set + "_labels", labels, file,
               fmt::format("a dtype of integers and the shape [{}]", shape[0]).c_str());
  const auto least = min(labels).item<std::int64_t>();
  const auto most = max(labels).item<std::int64_t>();
  expect_option("resnet", least >= 0 && most < kMostClasses,
                fmt::format("{}_labels from {} to {} in '{}'", set, least, most, file.string()),
                "a range within 0 to 999");
  out.labels = labels.reshape({-1}).astype(i32).eval();
  return out;
}

}  // namespace

ColorImages draw_shapes(std::int64_t count, std::int64_t size, std::uint64_t seed) {
  ShapePainter painter(size, seed);
  const std::int64_t bytes = 3 * size * size;
  std::vector<std::uint8_t> images(static_cast<std::size_t>(count * bytes));
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    labels.push_back(painter.label());
    painter.paint(labels.back(), images.data() + i * bytes);
  }
  return {Tensor(images, {count, 3, size, size}), Tensor(labels, {count})};
}

ColorSets shape_sets(std::int64_t count, std::int64_t size, std::uint64_t seed) {
  ColorSets sets{draw_shapes(count, size, seed), draw_shapes(std::max<std::int64_t>(count / 5, 1), size, seed + 1), {}};
  for (const ShapeClass& shape : kShapes) sets.classes.emplace_back(shape.name);
  return sets;
}

ColorSets load_color_images(const std::filesystem::path& file) {
  const Tree arrays = io::load_npz(file);
  for (const char* key : {"train_images", "train_labels", "test_images", "test_labels"}) {
    expect_option("resnet", arrays.contains(key) && arrays.at(key).is_leaf(),
                  fmt::format("'{}', which has no array '{}',", file.string(), key),
                  "an npz file with train_images, train_labels, test_images and test_labels");
  }
  ColorSets sets{color_images_of(arrays, file, "train"), color_images_of(arrays, file, "test"), {}};
  const Shape& train = sets.train.images.shape();
  const Shape& test = sets.test.images.shape();
  expect_option("resnet", train[2] == test[2] && train[3] == test[3],
                fmt::format("'{}' with images of {} x {} for the training and {} x {} for the test", file.string(),
                            train[2], train[3], test[2], test[3]),
                "one size");
  const auto most = std::max(max(sets.train.labels).item<std::int64_t>(), max(sets.test.labels).item<std::int64_t>());
  for (std::int64_t i = 0; i <= most; ++i) sets.classes.push_back(std::to_string(i));
  return sets;
}

}  // namespace tessera::app
