// `tessera train mnist`: a small convolutional network on images in the IDX files of MNIST.
#pragma once

#include <cstdint>
#include <filesystem>

#include "tessera/tessera.h"

namespace tessera::app {

/// Gray images u8 [N, H, W] and their classes, u8 [N].
struct Images {
  Tensor images, labels;
};
struct ImageSets {
  Images train, test;
};
/// The four files of MNIST in a folder: train-images-idx3-ubyte, train-labels-idx1-ubyte, and t10k-.. for the test.
/// Error of kind io if one is missing, which says how to get them, of kind parse or value if they do not fit together.
ImageSets load_images(const std::filesystem::path& folder);

/// Two 5 x 5 convolutions with batch normalization, each in front of a pooling, and a linear layer. Images are u8 [N,
/// H, W].
class ConvNet : public nn::Module {
 public:
  Tensor mean, deviation;  // of the pixels of the training set
  nn::Conv2d conv1, conv2;
  nn::BatchNorm2d norm1, norm2;
  nn::Dropout dropout;
  nn::Linear head;

  ConvNet(std::int64_t height, std::int64_t width, std::int64_t classes);
  void fields(nn::Fields& f) override;
  Tensor forward(const Tensor& images) override;
};

struct MnistOptions {
  std::filesystem::path data = "data/mnist";
  std::filesystem::path out = {};  // a folder for model.safetensors and the log
  std::int64_t epochs = 3, batch = 100;
  double lr = 1e-2, weight_decay = 1e-2;
  std::uint64_t seed = 1;
};

/// Trains a network, with progress on standard output.
ConvNet fit_images(const ImageSets& sets, const MnistOptions& options);
/// The part of the images that the network classifies right.
double accuracy(ConvNet& model, const Images& set, std::int64_t batch = 500);

int train_mnist(const MnistOptions& options);

}  // namespace tessera::app
