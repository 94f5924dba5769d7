// Convolution, pooling and resizing as modules, with the names and defaults of torch.nn.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/conv.h"
#include "tessera/export.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

struct ConvOptions {
  PerAxis stride = 1;
  Padding padding = 0;
  PerAxis dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
};
/// weight is [out, in / groups, taps..], bias [out].
class Conv : public Module {
 public:
  Tensor weight, bias;

  Conv(int axes, std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvOptions& options);
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;

 private:
  int axes_;
  tessera::ConvOptions options_;
};
/// [N, in, L] or [in, L].
class Conv1d : public Conv {
 public:
  Conv1d(std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvOptions& options = {})
      : Conv(1, in, out, kernel, options) {}
};
/// [N, in, H, W] or [in, H, W].
class Conv2d : public Conv {
 public:
  Conv2d(std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvOptions& options = {})
      : Conv(2, in, out, kernel, options) {}
};

struct ConvTransposeOptions {
  PerAxis stride = 1;
  Padding padding = 0;
  PerAxis output_padding = 0;
  std::int64_t groups = 1;
  bool bias = true;
  PerAxis dilation = 1;
};
/// weight is [in, out / groups, taps..], bias [out].
class ConvTranspose : public Module {
 public:
  Tensor weight, bias;

  ConvTranspose(int axes, std::int64_t in, std::int64_t out, const PerAxis& kernel,
                const ConvTransposeOptions& options);
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override;
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;

 private:
  int axes_;
  tessera::ConvTransposeOptions options_;
};
class ConvTranspose1d : public ConvTranspose {
 public:
  ConvTranspose1d(std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvTransposeOptions& options = {})
      : ConvTranspose(1, in, out, kernel, options) {}
};
class ConvTranspose2d : public ConvTranspose {
 public:
  ConvTranspose2d(std::int64_t in, std::int64_t out, const PerAxis& kernel, const ConvTransposeOptions& options = {})
      : ConvTranspose(2, in, out, kernel, options) {}
};

/// Pooling; the stride defaults to the kernel's size.
class MaxPool1d : public Module {
 public:
  explicit MaxPool1d(PerAxis kernel, PoolOptions options = {})
      : kernel_(std::move(kernel)), options_(std::move(options)) {}
  Tensor forward(const Tensor& x) override { return max_pool1d(x, kernel_, options_); }

 private:
  PerAxis kernel_;
  PoolOptions options_;
};
class MaxPool2d : public Module {
 public:
  explicit MaxPool2d(PerAxis kernel, PoolOptions options = {})
      : kernel_(std::move(kernel)), options_(std::move(options)) {}
  Tensor forward(const Tensor& x) override { return max_pool2d(x, kernel_, options_); }

 private:
  PerAxis kernel_;
  PoolOptions options_;
};
class AvgPool1d : public Module {
 public:
  explicit AvgPool1d(PerAxis kernel, PoolOptions options = {})
      : kernel_(std::move(kernel)), options_(std::move(options)) {}
  Tensor forward(const Tensor& x) override { return avg_pool1d(x, kernel_, options_); }

 private:
  PerAxis kernel_;
  PoolOptions options_;
};
class AvgPool2d : public Module {
 public:
  explicit AvgPool2d(PerAxis kernel, PoolOptions options = {})
      : kernel_(std::move(kernel)), options_(std::move(options)) {}
  Tensor forward(const Tensor& x) override { return avg_pool2d(x, kernel_, options_); }

 private:
  PerAxis kernel_;
  PoolOptions options_;
};

/// Pools the last axes to the given size, whatever the size of the input; one number applies to all of them.
template <detail::Text kName, int kAxes, Tensor (*kFunction)(const Tensor&, const PerAxis&)>
class AdaptivePool : public Module {
 public:
  explicit AdaptivePool(const PerAxis& size)
      : size_(size.values().size() == 1 ? PerAxis(std::vector<std::int64_t>(kAxes, size.values()[0])) : size) {}
  Tensor forward(const Tensor& x) override { return kFunction(x, size_); }
  [[nodiscard]] std::string kind() const override { return kName.data; }

 private:
  PerAxis size_;
};
using AdaptiveAvgPool1d = AdaptivePool<"AdaptiveAvgPool1d", 1, adaptive_avg_pool>;
using AdaptiveAvgPool2d = AdaptivePool<"AdaptiveAvgPool2d", 2, adaptive_avg_pool>;
using AdaptiveMaxPool1d = AdaptivePool<"AdaptiveMaxPool1d", 1, adaptive_max_pool>;
using AdaptiveMaxPool2d = AdaptivePool<"AdaptiveMaxPool2d", 2, adaptive_max_pool>;

/// Resizes the spatial axes of [N, C, ..]: Upsample({.scale = {2}}).
class Upsample : public Module {
 public:
  explicit Upsample(InterpolateOptions options) : options_(std::move(options)) {}
  Tensor forward(const Tensor& x) override { return interpolate(x, options_); }

 private:
  InterpolateOptions options_;
};
class PixelShuffle : public Module {
 public:
  explicit PixelShuffle(std::int64_t factor) : factor_(factor) {}
  Tensor forward(const Tensor& x) override { return pixel_shuffle(x, factor_); }

 private:
  std::int64_t factor_;
};
class PixelUnshuffle : public Module {
 public:
  explicit PixelUnshuffle(std::int64_t factor) : factor_(factor) {}
  Tensor forward(const Tensor& x) override { return pixel_unshuffle(x, factor_); }

 private:
  std::int64_t factor_;
};

}  // namespace nn
}  // namespace tessera
