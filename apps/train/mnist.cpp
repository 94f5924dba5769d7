// Trains a small convolutional network on images in IDX files.
#include "train/mnist.h"

#include <algorithm>

#include <fmt/format.h>

#include "terminal.h"
#include "train/files.h"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kChannels1 = 16;
constexpr std::int64_t kChannels2 = 32;
constexpr std::int64_t kTestBatch = 500;

Tensor load(const fs::path& file, int rank) {
  if (!fs::exists(file)) {
    throw Error(
        ErrorKind::kIo,
        fmt::format("train mnist: there is no file '{}'; `tools/fetch_data.sh mnist` gets it into data/mnist, and "
                    "--data names another folder.",
                    file.string()));
  }
  Tensor t = io::load_idx(file);
  if (t.dtype() != u8 || t.rank() != rank) {
    throw Error(ErrorKind::kValue, fmt::format("train mnist: '{}' has the shape {} of {}; u8 of rank {} is expected.",
                                               file.string(), t.shape().str(), name(t.dtype()), rank));
  }
  return t;
}

Images load_set(const fs::path& folder, const std::string& prefix) {
  Images set{load(folder / (prefix + "-images-idx3-ubyte"), 3), load(folder / (prefix + "-labels-idx1-ubyte"), 1)};
  if (set.images.size(0) != set.labels.size(0) || set.images.numel() == 0) {
    throw Error(ErrorKind::kValue, fmt::format("train mnist: '{}' has images of shape {} and {} labels for '{}'; equal "
                                               "numbers above 0 are expected.",
                                               folder.string(), set.images.shape().str(), set.labels.size(0), prefix));
  }
  return set;
}

data::DatasetPtr samples_of(const Images& set) {
  return data::from_tensors(Tree{{"image", set.images}, {"label", set.labels}});
}

}  // namespace

ImageSets load_images(const fs::path& folder) {
  ImageSets sets{load_set(folder, "train"), load_set(folder, "t10k")};
  const Shape& train = sets.train.images.shape();
  const Shape& test = sets.test.images.shape();
  if (train[1] != test[1] || train[2] != test[2] || train[1] < 4 || train[2] < 4) {
    throw Error(ErrorKind::kValue,
                fmt::format("train mnist: '{}' has images of shape {} for training and {} for the test; equal sizes of "
                            "at least 4 x 4 are expected.",
                            folder.string(), train.str(), test.str()));
  }
  return sets;
}

ConvNet::ConvNet(std::int64_t height, std::int64_t width, std::int64_t classes)
    : mean(zeros({1})),
      deviation(ones({1})),
      conv1(1, kChannels1, 5, {.padding = 2, .bias = false}),
      conv2(kChannels1, kChannels2, 5, {.padding = 2, .bias = false}),
      norm1(kChannels1),
      norm2(kChannels2),
      dropout(0.25),
      head(kChannels2 * (height / 4) * (width / 4), classes) {}

void ConvNet::fields(nn::Fields& f) {
  f.buffer("mean", mean);
  f.buffer("deviation", deviation);
  f("conv1", conv1);
  f("norm1", norm1);
  f("conv2", conv2);
  f("norm2", norm2);
  f("dropout", dropout);
  f("head", head);
}

Tensor ConvNet::forward(const Tensor& images) {
  const Tensor x = expand_dims((images.astype(f32) - mean) / deviation, 1);  // [N, 1, H, W]
  Tensor h = max_pool2d(relu(norm1(conv1(x))), 2);
  h = max_pool2d(relu(norm2(conv2(h))), 2);
  return head(dropout(h.reshape({h.size(0), -1})));
}

ConvNet fit_images(const ImageSets& sets, const MnistOptions& o) {
  const Tensor& images = sets.train.images;
  const std::int64_t count = images.size(0);
  if (o.epochs < 1 || o.batch < 1 || o.batch > count || !(o.lr > 0) || !(o.weight_decay >= 0)) {
    throw Error(
        ErrorKind::kValue,
        fmt::format("train mnist: {} epochs with batches of {}, a rate of {} and a weight decay of {} were given; "
                    "at least one epoch, batches of 1 to {}, a rate above 0 and a weight decay of 0 or more are "
                    "expected.",
                    o.epochs, o.batch, o.lr, o.weight_decay, count));
  }
  random::set_seed(o.seed);
  const auto most = std::max(max(sets.train.labels).item<std::int64_t>(), max(sets.test.labels).item<std::int64_t>());
  ConvNet model(images.size(1), images.size(2), most + 1);
  const Tensor pixels = images.astype(f32);
  model.mean = tessera::mean(pixels).reshape({1}).eval();
  model.deviation = maximum(tessera::sqrt(tessera::mean(square(pixels - model.mean))), 1e-6).reshape({1}).eval();

  const std::int64_t steps = o.epochs * (count / o.batch);
  optim::AdamW optimizer(
      model,
      {.lr = optim::one_cycle(o.lr, steps), .weight_decay = o.weight_decay, .no_decay = optim::vectors_of(model)});
  train::Accuracy right;
  train::Trainer trainer(model, optimizer,
                         [&](const Tree& batch) {
                           const Tensor logits = model(batch["image"]);
                           const Tensor labels = batch["label"].astype(i32);
                           right.update(logits, labels);
                           return cross_entropy(logits, labels);
                         },
                         {.epochs = o.epochs, .out = o.out, .monitor = "accuracy", .maximize = true, .unit = "images"});
  trainer.metric("accuracy", right);
  fmt::print("{} images of {} x {} and {} for the test, {} parameters, on {}\n", count, images.size(1), images.size(2),
             sets.test.images.size(0), count_text(static_cast<double>(model.parameter_count())),
             Device::current().name());
  data::DataLoader training(
      samples_of(sets.train),
      {.batch = o.batch, .shuffle = true, .seed = o.seed, .drop_last = true, .group = distributed::Group()});
  data::DataLoader test(samples_of(sets.test), {.batch = kTestBatch, .group = distributed::Group(), .even = false});
  trainer.fit(training, &test);
  return model;
}

double accuracy(ConvNet& model, const Images& set, std::int64_t batch) {
  model.eval();
  const auto right = compile(
      [&](const Tensor& images, const Tensor& labels) {
        return sum(equal(argmax(model(images), 1).astype(i32), labels.astype(i32)).astype(i32));
      },
      model);
  std::int64_t total = 0;
  const std::int64_t count = set.images.size(0);
  for (std::int64_t at = 0; at < count; at += batch) {
    const Slice rows{at, std::min(at + batch, count)};
    total += right(slice(set.images, {rows}), slice(set.labels, {rows})).item<std::int64_t>();
  }
  model.train();
  return static_cast<double>(total) / static_cast<double>(count);
}

int train_mnist(const MnistOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  const ImageSets sets = load_images(o.data);
  ConvNet model = fit_images(sets, o);
  if (!o.out.empty()) {
    io::save_safetensors(o.out / "model.safetensors", model.state());
    fmt::print("saved: {}\n", (o.out / "model.safetensors").string());
  }
  fmt::print("test accuracy: {:.4f}\n", accuracy(model, sets.test));
  return 0;
}

}  // namespace tessera::app
