// Augmentation of batches of images on the device: in a compiled step, or outside of one.
//
// Images are [N, C, H, W], or [N, H, W, C] with ImageLayout::kChannelsLast, of u8 or floats. Results have the dtype of
// the images, but for normalize; what is computed between pixels is in f32, and u8 is rounded. Each sample has random
// numbers of its own, from the default generator or that of random::Use: in a compiled step they differ from call to
// call.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/conv.h"
#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {
namespace data {

/// (x - mean) / deviation for each channel; u8 is divided by 255 first and becomes f32. One number stands for all
/// channels. Error of kind value for a deviation that is not positive.
Tensor normalize(const Tensor& images, const std::vector<double>& mean, const std::vector<double>& deviation,
                 ImageLayout layout = ImageLayout::kChannelsFirst);
/// To another size, without antialiasing: tessera::interpolate with align_corners = false.
Tensor resize(const Tensor& images, std::int64_t height, std::int64_t width,
              InterpolationMode mode = InterpolationMode::kLinear, ImageLayout layout = ImageLayout::kChannelsFirst);

// ---- Crops ----

/// The window of each sample from row tops[i] and column lefts[i] on, integers of shape [N]. Zero outside of the image.
Tensor crop(const Tensor& images, const Tensor& tops, const Tensor& lefts, std::int64_t height, std::int64_t width,
            ImageLayout layout = ImageLayout::kChannelsFirst);
/// The window in the middle. Error of kind value if it is larger than the image.
Tensor center_crop(const Tensor& images, std::int64_t height, std::int64_t width,
                   ImageLayout layout = ImageLayout::kChannelsFirst);
/// A window anywhere in the image with `padding` zeros on each side. Error of kind value if it is larger than that.
Tensor random_crop(const Tensor& images, std::int64_t height, std::int64_t width, std::int64_t padding = 0,
                   ImageLayout layout = ImageLayout::kChannelsFirst);
/// The boxes of the samples, f32 [N, 4] of top, left, height and width in pixels, resized bilinearly without
/// antialiasing. Boxes are cut off at the edges of the image.
Tensor resized_crop(const Tensor& images, const Tensor& boxes, std::int64_t height, std::int64_t width,
                    ImageLayout layout = ImageLayout::kChannelsFirst);

/// Boxes by their part of the area and their ratio of width to height, whose logarithm is uniform. Sides are rounded to
/// whole pixels, at least 1, and cut off at the size of the image.
struct BoxOptions {
  double min_area = 0.08, max_area = 1;
  double min_ratio = 3.0 / 4, max_ratio = 4.0 / 3;
};
/// resized_crop of a random box.
Tensor random_resized_crop(const Tensor& images, std::int64_t height, std::int64_t width,
                           const BoxOptions& options = {}, ImageLayout layout = ImageLayout::kChannelsFirst);

// ---- Flips and rotations ----

/// Mirrors left and right with the probability `horizontal`, and top and bottom with `vertical`.
Tensor random_flip(const Tensor& images, double horizontal = 0.5, double vertical = 0,
                   ImageLayout layout = ImageLayout::kChannelsFirst);
/// About the middle by degrees[i], counter-clockwise, floats of shape [N] or a number; bilinear, and zero outside of
/// the image. Positions are rounded to 1/1024 pixel, so that multiples of 90 degrees are exact for square images.
Tensor rotate(const Tensor& images, const Tensor& degrees, ImageLayout layout = ImageLayout::kChannelsFirst);
/// By an angle between -degrees and degrees.
Tensor random_rotate(const Tensor& images, double degrees, ImageLayout layout = ImageLayout::kChannelsFirst);

// ---- Erasing and mixing ----

/// A square of `size` pixels about a random pixel is `value`; what of it is outside of the image is cut off.
Tensor cutout(const Tensor& images, std::int64_t size, double value = 0,
              ImageLayout layout = ImageLayout::kChannelsFirst);
struct EraseOptions {
  double probability = 0.5;
  BoxOptions box = {.min_area = 0.02, .max_area = 1.0 / 3, .min_ratio = 0.3, .max_ratio = 3.3};
  double value = 0;
};
/// A random box of some samples is `value`.
Tensor random_erase(const Tensor& images, const EraseOptions& options = {},
                    ImageLayout layout = ImageLayout::kChannelsFirst);
/// Sample i times l plus sample N - 1 - i times 1 - l, of images of any shape [N, ..] and labels [N, K], floats such as
/// one_hot gives; l is from Beta(alpha, alpha), for each sample. With alpha = 0 nothing is mixed.
std::pair<Tensor, Tensor> mixup(const Tensor& images, const Tensor& labels, double alpha = 0.2);

}  // namespace data
}  // namespace tessera
