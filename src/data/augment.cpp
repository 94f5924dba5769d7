// Augmentation as compositions of ops: pixels are taken at positions that are computed from those of the result.
#include "tessera/data/augment.h"

#include <cmath>
#include <numbers>
#include <string_view>

#include "base/fail.h"
#include "tessera/index.h"
#include "tessera/ops.h"
#include "tessera/random.h"

namespace tessera::data {

namespace {

/// Images that have been checked, their sizes, and those of the result.
struct Batch {
  Tensor x;
  std::int64_t samples, channels, height, width;
  bool last;  // the channels
  std::int64_t to_height = height, to_width = width;

  [[nodiscard]] Batch to(std::int64_t h, std::int64_t w) const {
    Batch other = *this;
    other.to_height = h;
    other.to_width = w;
    return other;
  }
  [[nodiscard]] Shape shape(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) const {
    return last ? Shape{n, h, w, c} : Shape{n, c, h, w};
  }
  [[nodiscard]] int row_axis() const { return last ? 1 : 2; }
  [[nodiscard]] int column_axis() const { return last ? 2 : 3; }

  // The positions of each element of the result, and numbers of its sample, of shape [N]. All of them have the shape of
  // the result: what is computed from them is one kernel, and positions are not stored.
  [[nodiscard]] Tensor sample() const { return spread(range(samples), shape(samples, 1, 1, 1)); }
  [[nodiscard]] Tensor channel() const { return spread(range(channels), shape(1, channels, 1, 1)); }
  [[nodiscard]] Tensor row() const { return spread(range(to_height), shape(1, 1, to_height, 1)); }
  [[nodiscard]] Tensor column() const { return spread(range(to_width), shape(1, 1, 1, to_width)); }
  [[nodiscard]] Tensor of_sample(const Tensor& numbers) const { return spread(numbers, shape(samples, 1, 1, 1)); }

  [[nodiscard]] Tensor uniform(double low = 0, double high = 1) const {
    return random::uniform({samples}, low, high, f32, x.device());
  }

 private:
  [[nodiscard]] Tensor range(std::int64_t to) const { return arange(static_cast<double>(to), i32, x.device()); }
  [[nodiscard]] Tensor spread(const Tensor& numbers, const Shape& along) const {
    return broadcast_to(numbers.reshape(along), shape(samples, channels, to_height, to_width));
  }
};

Batch batch_of(std::string_view what, const Tensor& images, ImageLayout layout) {
  if (!images.defined()) fail(ErrorKind::kValue, "{}: an empty Tensor was given.", what);
  const bool last = layout == ImageLayout::kChannelsLast;
  const Shape& s = images.shape();
  if (s.rank() != 4 || s[1] == 0 || s[2] == 0 || s[3] == 0) {
    fail(ErrorKind::kShape, "{}: images of shape {} were given; {} with at least one pixel is expected.", what, s,
         last ? "[N, H, W, C]" : "[N, C, H, W]");
  }
  if (images.dtype() != u8 && !is_float(images.dtype())) {
    fail(ErrorKind::kDType, "{}: images of {} were given; u8 or floats are expected.", what, name(images.dtype()));
  }
  return {.x = images,
          .samples = s[0],
          .channels = last ? s[3] : s[1],
          .height = last ? s[1] : s[2],
          .width = last ? s[2] : s[3],
          .last = last};
}

void check_size(std::string_view what, std::int64_t height, std::int64_t width) {
  if (height < 1 || width < 1 || height > INT32_MAX || width > INT32_MAX) {
    fail(ErrorKind::kValue, "{}: a size of {} x {} was given; at least 1 x 1 is expected.", what, height, width);
  }
}

void check_probability(std::string_view what, double p) {
  if (!(p >= 0 && p <= 1)) {
    fail(ErrorKind::kValue, "{}: a probability of {} was given; 0 to 1 is expected.", what, p);
  }
}

void check_boxes(std::string_view what, const BoxOptions& o) {
  if (!(o.min_area > 0 && o.min_area <= o.max_area && o.max_area <= 1)) {
    fail(ErrorKind::kValue, "{}: areas from {} to {} were given; parts above 0, up to 1, are expected.", what,
         o.min_area, o.max_area);
  }
  if (!(o.min_ratio > 0 && o.min_ratio <= o.max_ratio && std::isfinite(o.max_ratio))) {
    fail(ErrorKind::kValue, "{}: ratios from {} to {} were given; positive numbers are expected, the smaller first.",
         what, o.min_ratio, o.max_ratio);
  }
}

/// What is computed between pixels: f32, or f64 for f64.
Tensor widened(const Tensor& x) { return x.dtype() == f64 ? x : cast(x, f32); }
Tensor narrowed(const Tensor& x, DType dtype) {
  return dtype == u8 ? cast(clamp(round(x), 0.0, 255.0), u8) : cast(x, dtype);
}

Tensor inside(const Tensor& at, std::int64_t size) { return logical_and(greater_equal(at, 0), less(at, size)); }

/// The pixels at rows and columns of i32, which are clamped to the image.
Tensor pixels_at(const Batch& b, const Tensor& rows, const Tensor& columns) {
  const Tensor r = clamp(rows, 0, b.height - 1);
  const Tensor c = clamp(columns, 0, b.width - 1);
  const Tensor at = b.last ? ((b.sample() * b.height + r) * b.width + c) * b.channels + b.channel()
                           : ((b.sample() * b.channels + b.channel()) * b.height + r) * b.width + c;
  return take(b.x.reshape({b.x.numel()}), at, 0);
}

/// Bilinear, at rows and columns of f32; the pixels outside of the image are zero, or those at its edge.
Tensor between_pixels(const Batch& b, const Tensor& rows, const Tensor& columns, bool zero_outside) {
  const Tensor row = floor(rows);
  const Tensor column = floor(columns);
  const Tensor down = rows - row;
  const Tensor right = columns - column;
  // Far outside they would not be integers.
  const Tensor r = cast(clamp(row, -2, b.height + 1), i32);
  const Tensor c = cast(clamp(column, -2, b.width + 1), i32);
  Tensor sum;
  for (int dr = 0; dr < 2; ++dr) {
    for (int dc = 0; dc < 2; ++dc) {
      const Tensor weight = (dr == 0 ? 1.0 - down : down) * (dc == 0 ? 1.0 - right : right);
      Tensor value = widened(pixels_at(b, r + dr, c + dc));
      if (zero_outside) value = where(logical_and(inside(r + dr, b.height), inside(c + dc, b.width)), value, 0.0);
      const Tensor term = value * weight;
      sum = sum.defined() ? sum + term : term;
    }
  }
  return narrowed(sum, b.x.dtype());
}

void check_numbers(std::string_view what, std::string_view name, const Batch& b, const Tensor& numbers) {
  if (!numbers.defined()) fail(ErrorKind::kValue, "{}: {} is an empty Tensor.", what, name);
  if (numbers.shape() != Shape{b.samples}) {
    fail(ErrorKind::kShape, "{}: {} has shape {}; [{}], a number for each sample, is expected.", what, name,
         numbers.shape(), b.samples);
  }
}

/// Random boxes: top, left, height, width, whole numbers of f32 of shape [N].
struct Boxes {
  Tensor top, left, height, width;
};
Boxes random_boxes(const Batch& b, const BoxOptions& o) {
  const Tensor area =
      b.uniform(o.min_area, o.max_area) * (static_cast<double>(b.height) * static_cast<double>(b.width));
  const Tensor ratio = exp(b.uniform(std::log(o.min_ratio), std::log(o.max_ratio)));
  const Tensor height = clamp(round(sqrt(area / ratio)), 1, b.height);
  const Tensor width = clamp(round(sqrt(area * ratio)), 1, b.width);
  const auto start = [&](std::int64_t size, const Tensor& length) {
    const Tensor room = static_cast<double>(size) - length;
    return minimum(floor(b.uniform() * (room + 1)), room);
  };
  return {.top = start(b.height, height), .left = start(b.width, width), .height = height, .width = width};
}

/// Whether rows and columns of the result are in the boxes, whose sides are i32 along the axes of the images.
Tensor in_boxes(const Batch& b, const Tensor& top, const Tensor& left, const Tensor& height, const Tensor& width) {
  const Tensor r = b.row() - top;
  const Tensor c = b.column() - left;
  return logical_and(logical_and(greater_equal(r, 0), less(r, height)),
                     logical_and(greater_equal(c, 0), less(c, width)));
}

Tensor filled(std::string_view what, const Batch& b, const Tensor& where_filled, double value) {
  if (b.x.dtype() == u8 && !(value >= 0 && value <= 255 && std::floor(value) == value)) {
    fail(ErrorKind::kValue, "{}: a value of {} was given for images of u8; a whole number from 0 to 255 is expected.",
         what, value);
  }
  return where(where_filled, full({}, value, b.x.dtype(), b.x.device()), b.x);
}

/// `b` has the sizes of the result.
Tensor box_crop(const Batch& b, const Boxes& boxes) {
  const auto along = [&](const Tensor& range, const Tensor& start, const Tensor& length, std::int64_t to,
                         std::int64_t size) {
    const Tensor first = clamp(start, 0, size - 1);
    const Tensor end = clamp(start + length - 1.0, first, static_cast<double>(size - 1));
    const Tensor step = length / static_cast<double>(to);
    // The middles of pixels are at halves.
    const Tensor at = (cast(range, f32) + 0.5) * b.of_sample(step) + b.of_sample(start - 0.5);
    return minimum(maximum(at, b.of_sample(first)), b.of_sample(end));
  };
  return between_pixels(b, along(b.row(), boxes.top, boxes.height, b.to_height, b.height),
                        along(b.column(), boxes.left, boxes.width, b.to_width, b.width), false);
}

}  // namespace

Tensor normalize(const Tensor& images, const std::vector<double>& mean, const std::vector<double>& deviation,
                 ImageLayout layout) {
  const Batch b = batch_of("normalize", images, layout);
  const auto count = static_cast<std::size_t>(b.channels);
  if ((mean.size() != 1 && mean.size() != count) || (deviation.size() != 1 && deviation.size() != count)) {
    fail(
        ErrorKind::kShape,
        "normalize: {} means and {} deviations were given for images of shape {}; {}, one for each channel, or one for "
        "all, are expected.",
        mean.size(), deviation.size(), images.shape(), count);
  }
  const double scale = images.dtype() == u8 ? 255 : 1;
  std::vector<double> factor(count);
  std::vector<double> offset(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double m = mean[mean.size() == 1 ? 0 : i];
    const double d = deviation[deviation.size() == 1 ? 0 : i];
    if (!(d > 0) || !std::isfinite(d) || !std::isfinite(m)) {
      fail(ErrorKind::kValue,
           "normalize: a mean of {} and a deviation of {} were given; a finite mean and a positive "
           "deviation are expected.",
           m, d);
    }
    factor[i] = 1 / (scale * d);
    offset[i] = -m / d;
  }
  const DType wide = images.dtype() == f64 ? f64 : f32;
  const auto constants = [&](const std::vector<double>& values) {
    if (wide == f64) return Tensor(values, b.shape(1, b.channels, 1, 1), images.device());
    return Tensor(std::vector<float>(values.begin(), values.end()), b.shape(1, b.channels, 1, 1), images.device());
  };
  const Tensor y = cast(images, wide) * constants(factor) + constants(offset);
  return images.dtype() == u8 ? y : cast(y, images.dtype());
}

Tensor resize(const Tensor& images, std::int64_t height, std::int64_t width, InterpolationMode mode,
              ImageLayout layout) {
  const Batch b = batch_of("resize", images, layout);
  check_size("resize", height, width);
  if (height == b.height && width == b.width) return images;
  const bool between = mode != InterpolationMode::kNearest;
  Tensor x = b.last ? permute(images, {0, 3, 1, 2}) : images;
  if (between) x = widened(x);
  x = interpolate(x, {.size = std::vector<std::int64_t>{height, width}, .mode = mode});
  if (between) x = narrowed(x, images.dtype());
  return b.last ? permute(x, {0, 2, 3, 1}) : x;
}

Tensor crop(const Tensor& images, const Tensor& tops, const Tensor& lefts, std::int64_t height, std::int64_t width,
            ImageLayout layout) {
  const Batch b = batch_of("crop", images, layout);
  check_size("crop", height, width);
  const auto start = [&](std::string_view what, const Tensor& n, std::int64_t length, std::int64_t size) {
    check_numbers("crop", what, b, n);
    if (!is_integer(n.dtype())) {
      fail(ErrorKind::kDType, "crop: {} is {}; integers are expected.", what, name(n.dtype()));
    }
    // Windows further away have no pixel either.
    if (n.dtype() == i64) return cast(clamp(n, -length, size), i32);
    if (n.dtype() == u32 || n.dtype() == u64) return cast(minimum(n, size), i32);
    return clamp(cast(n, i32), -length, size);
  };
  const Batch to = b.to(height, width);
  const Tensor rows = to.of_sample(start("tops", tops, height, b.height)) + to.row();
  const Tensor columns = to.of_sample(start("lefts", lefts, width, b.width)) + to.column();
  return where(logical_and(inside(rows, b.height), inside(columns, b.width)), pixels_at(to, rows, columns), 0);
}

Tensor center_crop(const Tensor& images, std::int64_t height, std::int64_t width, ImageLayout layout) {
  const Batch b = batch_of("center_crop", images, layout);
  check_size("center_crop", height, width);
  if (height > b.height || width > b.width) {
    fail(ErrorKind::kValue, "center_crop: a window of {} x {} was given for images of {} x {}; it must not be larger.",
         height, width, b.height, b.width);
  }
  const std::int64_t top = (b.height - height) / 2;
  const std::int64_t left = (b.width - width) / 2;
  std::vector<Slice> ranges(4);
  ranges[static_cast<std::size_t>(b.row_axis())] = {.start = top, .stop = top + height};
  ranges[static_cast<std::size_t>(b.column_axis())] = {.start = left, .stop = left + width};
  return slice(images, ranges);
}

Tensor random_crop(const Tensor& images, std::int64_t height, std::int64_t width, std::int64_t padding,
                   ImageLayout layout) {
  const Batch b = batch_of("random_crop", images, layout);
  check_size("random_crop", height, width);
  if (padding < 0 || padding > INT32_MAX) {
    fail(ErrorKind::kValue, "random_crop: a padding of {} was given; 0 or more is expected.", padding);
  }
  if (height > b.height + 2 * padding || width > b.width + 2 * padding) {
    fail(
        ErrorKind::kValue,
        "random_crop: a window of {} x {} was given for images of {} x {} with a padding of {}; it must not be larger.",
        height, width, b.height, b.width, padding);
  }
  const auto start = [&](std::int64_t size, std::int64_t length) {
    return random::randint({b.samples}, -padding, size + padding - length + 1, i32, images.device());
  };
  const Tensor tops = start(b.height, height);
  const Tensor lefts = start(b.width, width);
  return crop(images, tops, lefts, height, width, layout);
}

Tensor resized_crop(const Tensor& images, const Tensor& boxes, std::int64_t height, std::int64_t width,
                    ImageLayout layout) {
  const Batch b = batch_of("resized_crop", images, layout);
  check_size("resized_crop", height, width);
  if (!boxes.defined() || boxes.shape() != Shape{b.samples, 4} || !is_float(boxes.dtype())) {
    fail(ErrorKind::kShape, "resized_crop: boxes of shape {} were given; floats of shape [{}, 4] are expected.",
         boxes.defined() ? boxes.shape() : Shape{}, b.samples);
  }
  const auto side = [&](std::int64_t i) { return cast(slice(boxes, {{}, {i, i + 1}}), f32).reshape({b.samples}); };
  return box_crop(b.to(height, width), {.top = side(0), .left = side(1), .height = side(2), .width = side(3)});
}

Tensor random_resized_crop(const Tensor& images, std::int64_t height, std::int64_t width, const BoxOptions& options,
                           ImageLayout layout) {
  const Batch b = batch_of("random_resized_crop", images, layout);
  check_size("random_resized_crop", height, width);
  check_boxes("random_resized_crop", options);
  return box_crop(b.to(height, width), random_boxes(b, options));
}

Tensor random_flip(const Tensor& images, double horizontal, double vertical, ImageLayout layout) {
  const Batch b = batch_of("random_flip", images, layout);
  check_probability("random_flip", horizontal);
  check_probability("random_flip", vertical);
  const auto maybe = [&](const Tensor& x, double p, int axis) {
    if (p == 0) return x;
    return where(b.of_sample(less(b.uniform(), p)), flip(x, {axis}), x);
  };
  return maybe(maybe(images, horizontal, b.column_axis()), vertical, b.row_axis());
}

Tensor rotate(const Tensor& images, const Tensor& degrees, ImageLayout layout) {
  const Batch b = batch_of("rotate", images, layout);
  Tensor angle = degrees;
  if (angle.defined() && angle.rank() == 0) angle = broadcast_to(angle, {b.samples});
  check_numbers("rotate", "degrees", b, angle);
  angle = cast(angle, f32) * (std::numbers::pi / 180);
  const Tensor sine = b.of_sample(sin(angle));
  const Tensor cosine = b.of_sample(cos(angle));
  const double middle_row = static_cast<double>(b.height - 1) / 2;
  const double middle_column = static_cast<double>(b.width - 1) / 2;
  const Tensor y = cast(b.row(), f32) - middle_row;
  const Tensor x = cast(b.column(), f32) - middle_column;
  const auto rounded = [](const Tensor& at) { return round(at * 1024.0) * (1.0 / 1024); };
  return between_pixels(b, rounded(x * sine + y * cosine + middle_row), rounded(x * cosine - y * sine + middle_column),
                        true);
}

Tensor random_rotate(const Tensor& images, double degrees, ImageLayout layout) {
  const Batch b = batch_of("random_rotate", images, layout);
  if (!(degrees >= 0) || !std::isfinite(degrees)) {
    fail(ErrorKind::kValue, "random_rotate: an angle of {} degrees was given; 0 or more is expected.", degrees);
  }
  return rotate(images, b.uniform(-degrees, degrees), layout);
}

Tensor cutout(const Tensor& images, std::int64_t size, double value, ImageLayout layout) {
  const Batch b = batch_of("cutout", images, layout);
  if (size < 0 || size > INT32_MAX) {
    fail(ErrorKind::kValue, "cutout: a size of {} was given; 0 or more is expected.", size);
  }
  const auto start = [&](std::int64_t length) {
    return b.of_sample(random::randint({b.samples}, 0, length, i32, images.device())) - size / 2;
  };
  const Tensor top = start(b.height);
  const Tensor left = start(b.width);
  return filled("cutout", b, in_boxes(b, top, left, size, size), value);
}

Tensor random_erase(const Tensor& images, const EraseOptions& options, ImageLayout layout) {
  const Batch b = batch_of("random_erase", images, layout);
  check_probability("random_erase", options.probability);
  check_boxes("random_erase", options.box);
  const Boxes boxes = random_boxes(b, options.box);
  const auto side = [&](const Tensor& x) { return b.of_sample(cast(x, i32)); };
  const Tensor chosen = b.of_sample(less(b.uniform(), options.probability));
  const Tensor in = in_boxes(b, side(boxes.top), side(boxes.left), side(boxes.height), side(boxes.width));
  return filled("random_erase", b, logical_and(chosen, in), options.value);
}

std::pair<Tensor, Tensor> mixup(const Tensor& images, const Tensor& labels, double alpha) {
  if (!images.defined() || !labels.defined()) fail(ErrorKind::kValue, "mixup: an empty Tensor was given.");
  if (images.rank() < 1 || labels.rank() != 2 || labels.size(0) != images.size(0)) {
    fail(ErrorKind::kShape,
         "mixup: images of shape {} and labels of shape {} were given; [N, ..] and [N, K] are expected.",
         images.shape(), labels.shape());
  }
  if ((images.dtype() != u8 && !is_float(images.dtype())) || !is_float(labels.dtype())) {
    fail(ErrorKind::kDType, "mixup: images of {} and labels of {} were given; u8 or floats, and floats, are expected.",
         name(images.dtype()), name(labels.dtype()));
  }
  if (!(alpha >= 0) || !std::isfinite(alpha)) {
    fail(ErrorKind::kValue, "mixup: an alpha of {} was given; 0 or more is expected.", alpha);
  }
  if (alpha == 0) return {images, labels};
  const std::int64_t n = images.size(0);
  const Tensor a = random::gamma({n}, alpha, f32, images.device());
  const Tensor b = random::gamma({n}, alpha, f32, images.device());
  // Both are 0 where a small alpha underflows.
  const Tensor part = where(greater(a + b, 0.0), a / (a + b), 1.0);
  const auto mixed = [&](const Tensor& x) {
    Shape shape = x.shape();
    for (int i = 1; i < shape.rank(); ++i) shape[i] = 1;
    const Tensor l = part.reshape(shape);
    const Tensor wide = widened(x);
    return narrowed(wide * l + flip(wide, {0}) * (1.0 - l), x.dtype());
  };
  return {mixed(images), mixed(labels)};
}

}  // namespace tessera::data
