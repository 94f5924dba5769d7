// Draws digits from strokes.
#include "train/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "tessera/data/image.h"

namespace tessera::app {

namespace {

struct Point {
  double x, y;  // y points down; a digit fills [0.2, 0.8] x [0.1, 0.9]
};
using Stroke = std::vector<Point>;

/// A part of an ellipse, in degrees clockwise from the right.
Stroke arc(Point center, double rx, double ry, double from, double to, Stroke behind = {}) {
  constexpr int kPieces = 12;
  Stroke out;
  for (int i = 0; i <= kPieces; ++i) {
    const double angle = (from + (to - from) * i / kPieces) * std::numbers::pi / 180;
    out.push_back({center.x + rx * std::cos(angle), center.y + ry * std::sin(angle)});
  }
  out.insert(out.end(), behind.begin(), behind.end());
  return out;
}

const std::array<std::vector<Stroke>, 10>& glyphs() {
  static const std::array<std::vector<Stroke>, 10> all{{
      {arc({.5, .5}, .28, .4, 0, 360)},
      {{{.34, .28}, {.52, .1}, {.52, .9}}},
      {arc({.5, .32}, .26, .22, 190, 400, {{.24, .9}, {.78, .9}})},
      {arc({.45, .3}, .27, .2, 205, 450), arc({.45, .7}, .3, .2, 270, 515)},
      {{{.62, .9}, {.62, .1}, {.2, .62}, {.82, .62}}},
      {{{.74, .1}, {.33, .1}, {.3, .47}}, arc({.47, .65}, .28, .25, 225, 505)},
      {arc({.7, .62}, .45, .52, 265, 180), arc({.5, .68}, .25, .22, 180, 540)},
      {{{.22, .1}, {.78, .1}, {.42, .9}}},
      {arc({.5, .3}, .22, .2, 90, 450), arc({.5, .7}, .27, .2, 270, 630)},
      {arc({.5, .33}, .25, .23, 0, 360), {{.75, .33}, {.73, .55}, {.6, .9}}},
  }};
  return all;
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / std::max(dx * dx + dy * dy, 1e-12);
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

class Drawer {
 public:
  Drawer(std::int64_t size, std::uint64_t seed) : size_(size), random_(seed) {}

  std::uint8_t label() { return static_cast<std::uint8_t>(random_() % 10); }

  void draw(std::uint8_t digit, std::vector<std::uint8_t>& to) {
    const double angle = between(-0.2, 0.2);
    const double shear = between(-0.25, 0.25);
    const double width = between(0.8, 1.05);
    const double height = between(0.85, 1.05);
    const Point shift{between(-0.05, 0.05), between(-0.04, 0.04)};
    const Point bend{between(-0.04, 0.04), between(-0.04, 0.04)};
    const double phase = between(0, 2 * std::numbers::pi);
    const double radius = between(0.04, 0.075);
    std::vector<Stroke> strokes = glyphs()[digit];
    for (Stroke& stroke : strokes) {
      for (Point& p : stroke) {
        const double x = (p.x - 0.5 + bend.x * std::sin(5 * p.y + phase)) * width + shear * (0.5 - p.y);
        const double y = (p.y - 0.5 + bend.y * std::sin(5 * p.x + phase)) * height;
        p = {0.5 + shift.x + x * std::cos(angle) - y * std::sin(angle),
             0.5 + shift.y + x * std::sin(angle) + y * std::cos(angle)};
      }
    }
    for (std::int64_t row = 0; row < size_; ++row) {
      for (std::int64_t column = 0; column < size_; ++column) to.push_back(pixel(strokes, row, column, radius));
    }
  }

 private:
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11U) * 0x1p-53;
  }

  [[nodiscard]] std::uint8_t pixel(const std::vector<Stroke>& strokes, std::int64_t row, std::int64_t column,
                                   double radius) const {
    const auto size = static_cast<double>(size_);
    const Point p{(static_cast<double>(column) + 0.5) / size, (static_cast<double>(row) + 0.5) / size};
    double nearest = 1;
    for (const Stroke& stroke : strokes) {
      for (std::size_t i = 1; i < stroke.size(); ++i)
        nearest = std::min(nearest, distance(p, stroke[i - 1], stroke[i]));
    }
    return static_cast<std::uint8_t>(255 * std::clamp((radius - nearest) * size + 0.5, 0.0, 1.0));
  }

  std::int64_t size_;
  std::mt19937_64 random_;
};

}  // namespace

Images draw_digits(std::int64_t count, std::int64_t size, std::uint64_t seed) {
  Drawer drawer(size, seed);
  std::vector<std::uint8_t> images;
  std::vector<std::uint8_t> labels;
  images.reserve(static_cast<std::size_t>(count * size * size));
  for (std::int64_t i = 0; i < count; ++i) {
    labels.push_back(drawer.label());
    drawer.draw(labels.back(), images);
  }
  return {Tensor(images, {count, size, size}), Tensor(labels, {count})};
}

ImageSets digits_of(const std::filesystem::path& folder, std::int64_t count, std::uint64_t seed) {
  if (!folder.empty()) return load_images(folder);
  constexpr std::int64_t kSize = 16;
  return {draw_digits(count, kSize, seed), draw_digits(std::max<std::int64_t>(count / 10, 1), kSize, seed + 1)};
}

double white_of(const Images& set) { return std::max(max(set.images).item(), 1.0); }

Tensor as_floats(const Tensor& images, double white) { return minimum(images.astype(f32) / white, 1.0); }

void save_sheet(const std::filesystem::path& file, const Tensor& images, std::int64_t columns) {
  constexpr std::int64_t kLeast = 48;  // pixels of a side
  const std::int64_t times = std::max<std::int64_t>(kLeast / images.size(2), 1);
  const Tensor large = repeat(repeat(clamp(images, 0.0, 1.0), times, 1), times, 2);
  data::save_png(file, data::image_grid(expand_dims(large, 1), columns));
}

}  // namespace tessera::app
