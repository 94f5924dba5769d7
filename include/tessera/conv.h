// Convolution, pooling and resizing, with PyTorch's names and arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/norms.h"  // IWYU pragma: export
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// A number for each spatial axis; a single one applies to all of them.
class PerAxis {
 public:
  PerAxis() = default;  // not given
  template <std::integral I>
  PerAxis(I all) : values_{static_cast<std::int64_t>(all)} {}  // NOLINT(google-explicit-constructor)
  PerAxis(std::initializer_list<std::int64_t> values) : values_(values) {}
  PerAxis(std::vector<std::int64_t> values) : values_(std::move(values)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }

 private:
  std::vector<std::int64_t> values_;
};

/// Padding at the ends of the spatial axes: a number for all, one for each axis, a pair (before, after) for each axis,
/// or "valid" (none) or "same" (keeps the size; stride 1).
class Padding {
 public:
  template <std::integral I>
  Padding(I all) : sides_{{static_cast<std::int64_t>(all), static_cast<std::int64_t>(all)}} {}  // NOLINT
  Padding(std::initializer_list<std::int64_t> axes) {
    for (const std::int64_t p : axes) sides_.emplace_back(p, p);
  }
  Padding(std::initializer_list<std::pair<std::int64_t, std::int64_t>> sides) : sides_(sides) {}
  Padding(std::vector<std::pair<std::int64_t, std::int64_t>> sides) : sides_(std::move(sides)) {}  // NOLINT
  Padding(const char* mode) : mode_(mode) {}                                                       // NOLINT
  [[nodiscard]] const std::vector<std::pair<std::int64_t, std::int64_t>>& sides() const { return sides_; }
  [[nodiscard]] const std::string& mode() const { return mode_; }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> sides_;
  std::string mode_;
};

/// The position of the channels: [N, C, H, W] or [N, H, W, C].
enum class ImageLayout : std::uint8_t { kChannelsFirst, kChannelsLast };

// ---- Convolution. Inputs are [N, C, L] or [N, C, H, W], or without N; weights are [O, C / groups, taps..]. With
// channels last, weights are fastest if C is contiguous in memory, too: permute([O, taps.., C], ..). ----

struct ConvOptions {
  PerAxis stride = 1;
  Padding padding = 0;
  PerAxis dilation = 1;
  std::int64_t groups = 1;
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {});
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {});

/// Weights are [C, O / groups, taps..]: those of the convolution that this transposes.
struct ConvTransposeOptions {
  PerAxis stride = 1;
  Padding padding = 0;
  PerAxis output_padding = 0;
  PerAxis dilation = 1;
  std::int64_t groups = 1;
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                        const ConvTransposeOptions& options = {});
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                        const ConvTransposeOptions& options = {});

struct UnfoldOptions {
  PerAxis dilation = 1;
  Padding padding = 0;
  PerAxis stride = 1;
};
/// im2col: the windows of [N, C, H, W] as columns [N, C * taps, windows].
Tensor unfold(const Tensor& x, const PerAxis& kernel, const UnfoldOptions& options = {});
/// col2im, the transpose of unfold: sums the columns at their positions in images of `size`.
Tensor fold(const Tensor& columns, const PerAxis& size, const PerAxis& kernel, const UnfoldOptions& options = {});

// ---- Pooling, over the last one or two axes (those before the channels, with channels last) ----

struct PoolOptions {
  PerAxis stride = {};  // default: the kernel's size
  Padding padding = 0;
  PerAxis dilation = 1;           // max pooling
  bool ceil_mode = false;         // windows may start inside and extend past the end
  bool count_include_pad = true;  // average: padding counts in the divisor
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
Tensor max_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
Tensor max_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
/// Also returns the index of each maximum, row-major in the pooled axes: i32.
std::pair<Tensor, Tensor> max_pool1d_with_indices(const Tensor& x, const PerAxis& kernel,
                                                  const PoolOptions& options = {});
std::pair<Tensor, Tensor> max_pool2d_with_indices(const Tensor& x, const PerAxis& kernel,
                                                  const PoolOptions& options = {});
Tensor avg_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
Tensor avg_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
/// Pools the last axes (as many as `size` has) to `size`, with windows that differ by at most one element.
Tensor adaptive_avg_pool(const Tensor& x, const PerAxis& size);
Tensor adaptive_max_pool(const Tensor& x, const PerAxis& size);
/// [N, C, ..] to [N, C, 1, ..].
Tensor global_avg_pool(const Tensor& x);
Tensor global_max_pool(const Tensor& x);

// ---- Resizing the spatial axes of [N, C, ..] ----

enum class InterpolationMode : std::uint8_t { kNearest, kLinear, kCubic };  // linear: bilinear in two axes
struct InterpolateOptions {
  std::optional<std::vector<std::int64_t>> size = {};  // output size: this,
  std::vector<double> scale = {};                      // or scale factors; one applies to all
  InterpolationMode mode = InterpolationMode::kNearest;
  bool align_corners = false;
};
Tensor interpolate(const Tensor& x, const InterpolateOptions& options);
Tensor pixel_shuffle(const Tensor& x, std::int64_t factor);    // [.., C * f * f, H, W] to [.., C, H * f, W * f]
Tensor pixel_unshuffle(const Tensor& x, std::int64_t factor);  // the inverse of pixel_shuffle

}  // namespace tessera

#include "tessera/members/conv.h"  // IWYU pragma: export
