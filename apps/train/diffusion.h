// `tessera train diffusion`: a denoising diffusion model (DDPM) of digits that draws the digit one asks for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "train/digits.h"

namespace tessera::app {

struct DiffusionOptions {
  std::filesystem::path data = {};  // a folder with IDX files; empty: drawn digits
  std::filesystem::path out = {};   // the folder of the run, and of the picture
  std::int64_t images = 8000;       // drawn for the training
  std::int64_t epochs = 4, batch = 32, channels = 16;
  std::int64_t levels = 100;  // of noise: the steps of a sample
  double lr = 3e-3;
  double drop_label = 0.1;    // the part of the images that are shown without their label
  double guidance = 1;        // how far a sample goes beyond what its label alone says; 0: not
  std::int64_t samples = 20;  // of each digit
  std::uint64_t seed = 1;
  friend bool operator==(const DiffusionOptions&, const DiffusionOptions&) = default;
};

/// GroupNorm, SiLU and a 3 x 3 convolution, twice, around a residual; the embedding of level and label is added
/// between.
class ResidualBlock : public nn::Module {
 public:
  nn::GroupNorm norm1, norm2;
  nn::Conv2d conv1, conv2;
  nn::Linear embedding;
  std::optional<nn::Conv2d> skip;  // 1 x 1, where the number of channels changes

  ResidualBlock(std::int64_t in, std::int64_t out, std::int64_t embedding_size);
  void fields(nn::Fields& f) override;
  using nn::Module::forward;
  Tensor forward(const Tensor& x, const Tensor& e);
};

/// Predicts the noise in images [N, 1, H, W] at levels [N] with labels [N]; the label `classes` stands for none. Three
/// resolutions, with skips from the way down to the way up: H and W are multiples of 4.
class UNet : public nn::Module {
 public:
  nn::Linear level1, level2;
  nn::Embedding label;
  nn::Conv2d stem, down1, down2, out;
  ResidualBlock block1, block2, middle, up2, up1;
  nn::GroupNorm norm;

  UNet(std::int64_t channels, std::int64_t classes);
  void fields(nn::Fields& f) override;
  using nn::Module::forward;
  Tensor forward(const Tensor& x, const Tensor& levels, const Tensor& labels);
  [[nodiscard]] std::int64_t classes() const { return classes_; }

 private:
  std::int64_t channels_, classes_;
};

/// How much of an image is left at each level t: x_t = sqrt(kept_t) x + sqrt(1 - kept_t) noise. The cosine schedule of
/// Nichol and Dhariwal (2021).
std::vector<float> kept_of_cosine(std::int64_t levels);

/// Images f32 [N, H, W] from 0 to 1 for labels [N], from noise: all levels from the last to the first, with
/// classifier-free guidance.
Tensor draw_samples(UNet& model, const Tensor& labels, std::int64_t height, std::int64_t width,
                    const DiffusionOptions& options);

struct DiffusionResult {
  UNet model;
  double loss;  // the mean squared error of the noise in held-out images
};
/// Trains, with progress on standard output.
DiffusionResult fit_diffusion(const ImageSets& sets, const DiffusionOptions& options);

/// The exit code: 1 if a classifier reads fewer than 0.9 of the samples of the default job as the digits asked for.
int train_diffusion(const DiffusionOptions& options);

}  // namespace tessera::app
