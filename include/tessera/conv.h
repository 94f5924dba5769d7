// Convolution, pooling, resizing and the normalisations of images, under PyTorch's names and with its arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

/// A number for each spatial axis; a single one stands for all of them.
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

/// Elements of padding at the ends of the spatial axes: a number for all, one for each axis, a pair (before, after) for
/// each axis, or "valid" (none) or "same" (as many as keep the size; stride 1).
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

/// Where the channels are: [N, C, H, W] or [N, H, W, C].
enum class ImageLayout : std::uint8_t { kChannelsFirst, kChannelsLast };

// ---- Convolution. Inputs are [N, C, L] or [N, C, H, W], or without N; weights are [O, C / groups, taps..]. Where
// channels lie last, weights are read fastest if C lies last in their memory, too: permute([O, taps.., C], ..). ----

struct ConvOptions {
  PerAxis stride = 1;
  Padding padding = 0;
  PerAxis dilation = 1;
  std::int64_t groups = 1;
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {});
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const ConvOptions& options = {});

/// Weights are [C, O / groups, taps..]: those of the convolution whose transpose this is.
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
/// The windows of [N, C, H, W] as columns: [N, C * taps, windows].
Tensor unfold(const Tensor& x, const PerAxis& kernel, const UnfoldOptions& options = {});
/// The transpose of unfold: columns are added up where they come from, in images of `size`.
Tensor fold(const Tensor& columns, const PerAxis& size, const PerAxis& kernel, const UnfoldOptions& options = {});

// ---- Pooling, over the last one or two axes (before the channels, where they come last) ----

struct PoolOptions {
  PerAxis stride = {};  // not given: the kernel's size
  Padding padding = 0;
  PerAxis dilation = 1;           // max pooling
  bool ceil_mode = false;         // windows may start inside and reach beyond the end
  bool count_include_pad = true;  // average: padding counts as elements
  ImageLayout layout = ImageLayout::kChannelsFirst;
};
Tensor max_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
Tensor max_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
/// Also where each maximum was, as a row-major place in the pooled axes: i32.
std::pair<Tensor, Tensor> max_pool1d_with_indices(const Tensor& x, const PerAxis& kernel,
                                                  const PoolOptions& options = {});
std::pair<Tensor, Tensor> max_pool2d_with_indices(const Tensor& x, const PerAxis& kernel,
                                                  const PoolOptions& options = {});
Tensor avg_pool1d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
Tensor avg_pool2d(const Tensor& x, const PerAxis& kernel, const PoolOptions& options = {});
/// The last axes (as many as `size` has) brought to `size` by windows that differ by at most one element.
Tensor adaptive_avg_pool(const Tensor& x, const PerAxis& size);
Tensor adaptive_max_pool(const Tensor& x, const PerAxis& size);
/// [N, C, ..] to [N, C, 1, ..].
Tensor global_avg_pool(const Tensor& x);
Tensor global_max_pool(const Tensor& x);

// ---- Resizing the axes of [N, C, ..] behind the second ----

enum class InterpolationMode : std::uint8_t { kNearest, kLinear, kCubic };  // linear: bilinear in two axes
struct InterpolateOptions {
  std::optional<std::vector<std::int64_t>> size = {};  // of the results: this,
  std::vector<double> scale = {};                      // or factors; one stands for all
  InterpolationMode mode = InterpolationMode::kNearest;
  bool align_corners = false;
};
Tensor interpolate(const Tensor& x, const InterpolateOptions& options);
Tensor pixel_shuffle(const Tensor& x, std::int64_t factor);    // [.., C * f * f, H, W] to [.., C, H * f, W * f]
Tensor pixel_unshuffle(const Tensor& x, std::int64_t factor);  // and back

// ---- Normalisation of [N, C, ..] ----

struct BatchNorm {
  Tensor result;
  Tensor mean, var;  // the new running statistics
};
/// With the statistics of the batch; the running ones move towards them by `momentum` (var without bias).
BatchNorm batch_norm_training(const Tensor& x, const Tensor& running_mean, const Tensor& running_var,
                              const Tensor& weight = {}, const Tensor& bias = {}, double momentum = 0.1,
                              double eps = 1e-5);
/// With given statistics.
Tensor batch_norm(const Tensor& x, const Tensor& mean, const Tensor& var, const Tensor& weight = {},
                  const Tensor& bias = {}, double eps = 1e-5);
Tensor group_norm(const Tensor& x, std::int64_t groups, const Tensor& weight = {}, const Tensor& bias = {},
                  double eps = 1e-5);
Tensor instance_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-5);
/// x / max(norm, eps), with the p-norm along an axis.
Tensor normalize(const Tensor& x, double p = 2, int axis = 1, double eps = 1e-12);
Tensor local_response_norm(const Tensor& x, std::int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1);

}  // namespace tessera
