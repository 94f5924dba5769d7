// `tessera train resnet`: a residual network that classifies color images, with augmentation inside of the step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "train/shapes.h"

namespace tessera::app {

struct ResnetOptions {
  std::filesystem::path data = {};      // an npz file; empty: drawn shapes
  std::filesystem::path out = {};       // the folder of the run, and of the picture
  std::int64_t images = 4000;           // drawn for the training
  std::int64_t stages = 3, blocks = 1;  // blocks of each stage
  std::int64_t width = 8;               // channels of the first stage; each other one has twice as many
  std::int64_t epochs = 8, batch = 32;
  double lr = 0.1, weight_decay = 5e-4;
  std::int64_t padding = 2;   // of random crops; 0: none
  double flip = 0.5;          // the part of the images that are mirrored
  std::string autocast = {};  // f16 or bf16; empty: f32
  std::uint64_t seed = 1;
  friend bool operator==(const ResnetOptions&, const ResnetOptions&) = default;
};

/// Two 3 x 3 convolutions with batch normalization around which the input is added; through a 1 x 1 convolution where
/// the shape changes.
class BasicBlock : public nn::Module {
 public:
  nn::Conv2d conv1, conv2;
  nn::BatchNorm2d bn1, bn2;
  std::optional<nn::Sequential> downsample;

  BasicBlock(std::int64_t in, std::int64_t out, std::int64_t stride);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& x) override;
};

/// The residual network of He et al. (2015) for small images: u8 [N, 3, H, W] to logits [N, classes]. Stages behind the
/// first halve the sides. Names are those of torchvision's ResNet; with four stages of two blocks and a width of 64 it
/// is ResNet-18, but for the first convolution, which is 3 x 3, and the pooling behind it, which is left out.
class ResNet : public nn::Module {
 public:
  Tensor mean, deviation;  // of the channels of the training set, from 0 to 255: [3, 1, 1]
  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  std::vector<std::vector<BasicBlock>> layers;
  nn::Linear fc;

  ResNet(std::int64_t stages, std::int64_t blocks, std::int64_t width, std::int64_t classes);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& images) override;
};

struct ResnetResult {
  ResNet model;
  double accuracy, loss;  // of the images for the test
};
/// Trains, with progress on standard output.
ResnetResult fit_resnet(const ColorSets& sets, const ResnetOptions& options);

/// The exit code: 1 if the default job misses its accuracy.
int train_resnet(const ResnetOptions& options);

}  // namespace tessera::app
