// Trains a residual network on color images.
#include "train/resnet.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/data/augment.h"
#include "tessera/data/image.h"
#include "tessera/data/loader.h"
#include "tessera/train/metrics.h"
#include "tessera/train/trainer.h"
#include "train/files.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kResnetAccuracy = 0.95;     // of the default job
constexpr std::int64_t kShapeSize = 32;      // of drawn images
constexpr std::int64_t kResnetColumns = 10;  // of the picture
constexpr std::int64_t kResnetTestBatch = 200;

void check_resnet(const ResnetOptions& o, const ColorSets& sets) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("resnet", good, given, expected);
  };
  const Shape& shape = sets.train.images.shape();
  expect(o.stages >= 1 && o.stages <= 4, fmt::format("{} stages", o.stages), "1 to 4");
  expect(o.blocks >= 1, fmt::format("{} blocks", o.blocks), "at least 1");
  expect(o.width >= 1, fmt::format("a width of {}", o.width), "at least 1");
  expect(o.epochs >= 1, fmt::format("{} epochs", o.epochs), "at least 1");
  expect(o.batch >= 1 && o.batch <= shape[0], fmt::format("a batch of {}", o.batch),
         "at least 1, and no more than there are images,");
  expect(o.lr > 0, fmt::format("a rate of {}", o.lr), "more than 0");
  expect(o.weight_decay >= 0, fmt::format("a weight decay of {}", o.weight_decay), "0 or more");
  expect(o.padding >= 0 && o.padding < std::min(shape[2], shape[3]), fmt::format("a padding of {}", o.padding),
         "0 or more, and less than the side of an image,");
  expect(o.flip >= 0 && o.flip <= 1, fmt::format("a part of {} mirrored images", o.flip), "0 to 1");
  expect(o.autocast.empty() || o.autocast == "f16" || o.autocast == "bf16", fmt::format("autocast '{}'", o.autocast),
         "f16 or bf16");
}

/// Without a bias, since a norm follows, and with He's initial values.
nn::Conv2d resnet_conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  nn::Conv2d conv(in, out, kernel, {.stride = stride, .padding = kernel / 2, .bias = false});
  conv.weight = nn::init::kaiming_normal(conv.weight.shape(),
                                         {.mode = nn::init::Fan::kOut, .nonlinearity = nn::init::Nonlinearity::kRelu});
  return conv;
}

data::DatasetPtr color_samples(const ColorImages& set) {
  return data::from_tensors(Tree{{"image", set.images}, {"label", set.labels}});
}

std::vector<std::int32_t> predictions_of(ResNet& model, const Tensor& images) {
  const auto predict = compile([&](const Tensor& x) { return argmax(model(x), 1).astype(i32); }, model);
  std::vector<std::int32_t> all;
  for (std::int64_t at = 0; at < images.size(0); at += kResnetTestBatch) {
    const Slice rows{at, std::min(at + kResnetTestBatch, images.size(0))};
    const auto some = predict(slice(images, {rows})).to_vector<std::int32_t>();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// "square as disc (4), star as cross (2)": the three pairs that are confused most often.
std::string confusions(const std::vector<std::int32_t>& predictions, const std::vector<std::int32_t>& labels,
                       const std::vector<std::string>& classes) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> counts;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != predictions[i]) ++counts[{labels[i], predictions[i]}];
  }
  std::vector<std::pair<int, std::string>> most;
  for (const auto& [pair, count] : counts) {
    most.emplace_back(-count, fmt::format("{} as {} ({})", classes[static_cast<std::size_t>(pair.first)],
                                          classes[static_cast<std::size_t>(pair.second)], count));
  }
  std::ranges::sort(most);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(most.size(), 3); ++i) {
    text += (i == 0 ? "" : ", ") + most[i].second;
  }
  return text.empty() ? "none" : text;
}

/// One row for each class with images that are read as it: wrong ones first, in a red frame, in up to half of the row.
void save_readings(const std::filesystem::path& file, const ColorSets& sets,
                   const std::vector<std::int32_t>& predictions) {
  constexpr std::int64_t kLeast = 64;  // pixels of a side
  const Shape& shape = sets.test.images.shape();
  const std::int64_t height = shape[2];
  const std::int64_t width = shape[3];
  const auto pixels = sets.test.images.to_vector<std::uint8_t>();
  const auto labels = sets.test.labels.to_vector<std::int32_t>();
  const auto classes = std::ssize(sets.classes);
  std::vector<std::uint8_t> sheet(static_cast<std::size_t>(classes * kResnetColumns * 3 * height * width));
  for (std::int64_t row = 0; row < classes; ++row) {
    std::int64_t column = 0;
    for (const bool wrong : {true, false}) {
      for (std::size_t i = 0; i < labels.size() && column < (wrong ? kResnetColumns / 2 : kResnetColumns); ++i) {
        if (predictions[i] != row || (labels[i] != predictions[i]) != wrong) continue;
        const auto from = pixels.begin() + static_cast<std::int64_t>(i) * 3 * height * width;
        const auto to = sheet.begin() + (row * kResnetColumns + column++) * 3 * height * width;
        std::copy_n(from, 3 * height * width, to);
        if (!wrong) continue;
        for (std::int64_t at = 0; at < height * width; ++at) {
          const std::int64_t y = at / width;
          const std::int64_t x = at % width;
          if (std::min({x, y, width - 1 - x, height - 1 - y}) > 0) continue;
          to[at] = 255;
          to[height * width + at] = to[2 * height * width + at] = 0;
        }
      }
    }
  }
  const std::int64_t times = std::max<std::int64_t>(kLeast / width, 1);
  const Tensor images(sheet, {classes * kResnetColumns, 3, height, width});
  data::save_png(file, data::image_grid(repeat(repeat(images, times, 2), times, 3), kResnetColumns));
}

}  // namespace

BasicBlock::BasicBlock(std::int64_t in, std::int64_t out, std::int64_t stride)
    : conv1(resnet_conv(in, out, 3, stride)), conv2(resnet_conv(out, out, 3, 1)), bn1(out), bn2(out) {
  bn2.weight = zeros({out});  // a block begins as its shortcut
  if (stride != 1 || in != out) downsample.emplace(resnet_conv(in, out, 1, stride), nn::BatchNorm2d(out));
}

void BasicBlock::fields(nn::Fields& f) {
  f("conv1", conv1);
  f("bn1", bn1);
  f("conv2", conv2);
  f("bn2", bn2);
  f("downsample", downsample);
}

Tensor BasicBlock::forward(const Tensor& x) {
  const Tensor h = bn2(conv2(relu(bn1(conv1(x)))));
  return relu(h + (downsample ? (*downsample)(x) : x));
}

ResNet::ResNet(std::int64_t stages, std::int64_t blocks, std::int64_t width, std::int64_t classes)
    : mean(zeros({3, 1, 1})),
      deviation(ones({3, 1, 1})),
      conv1(resnet_conv(3, width, 3, 1)),
      bn1(width),
      fc(width << (stages - 1), classes) {
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const std::int64_t out = width << stage;
    std::vector<BasicBlock>& layer = layers.emplace_back();
    for (std::int64_t i = 0; i < blocks; ++i) {
      const bool first = i == 0 && stage > 0;
      layer.emplace_back(first ? out / 2 : out, out, first ? 2 : 1);
    }
  }
}

void ResNet::fields(nn::Fields& f) {
  f.buffer("mean", mean);
  f.buffer("deviation", deviation);
  f("conv1", conv1);
  f("bn1", bn1);
  for (std::size_t i = 0; i < layers.size(); ++i) f("layer" + std::to_string(i + 1), layers[i]);
  f("fc", fc);
}

Tensor ResNet::forward(const Tensor& images) {
  Tensor h = relu(bn1(conv1((images.astype(f32) - mean) / deviation)));
  for (std::vector<BasicBlock>& layer : layers) {
    for (BasicBlock& block : layer) h = block(h);
  }
  return fc(global_avg_pool(h).reshape({h.size(0), -1}));
}

ResnetResult fit_resnet(const ColorSets& sets, const ResnetOptions& o) {
  check_resnet(o, sets);
  random::set_seed(o.seed);
  const Tensor& images = sets.train.images;
  const std::int64_t height = images.size(2);
  const std::int64_t width = images.size(3);
  data::DataLoader training(
      color_samples(sets.train),
      {.batch = o.batch, .shuffle = true, .seed = o.seed, .drop_last = true, .group = distributed::Group()});
  data::DataLoader test(color_samples(sets.test),
                        {.batch = kResnetTestBatch, .group = distributed::Group(), .even = false});

  ResNet model(o.stages, o.blocks, o.width, std::ssize(sets.classes));
  model.mean = mean(images.astype(f32), {0, 2, 3}).reshape({3, 1, 1}).eval();
  model.deviation = maximum(stddev(images.astype(f32), {0, 2, 3}), 1e-3).reshape({3, 1, 1}).eval();
  optim::SGD optimizer(model, {.lr = optim::one_cycle(o.lr, o.epochs * training.size()),
                               .momentum = 0.9,
                               .weight_decay = o.weight_decay,
                               .nesterov = true,
                               .no_decay = optim::vectors_of(model)});
  train::Accuracy accuracy;
  train::TrainerOptions options{
      .epochs = o.epochs, .out = o.out, .monitor = "accuracy", .maximize = true, .unit = "images"};
  if (!o.autocast.empty()) options.autocast = o.autocast == "f16" ? f16 : bf16;
  train::Trainer trainer(
      model, optimizer,
      [&](const Tree& batch) {
        Tensor x = batch["image"];
        if (model.training()) {
          if (o.padding > 0) x = data::random_crop(x, height, width, o.padding);
          if (o.flip > 0) x = data::random_flip(x, o.flip);
        }
        const Tensor logits = model(x);
        accuracy.update(logits, batch["label"]);
        return cross_entropy(logits, batch["label"]);
      },
      options);
  trainer.metric("accuracy", accuracy);
  fmt::print("ResNet-{} of width {}: {} parameters, on {}\n", 2 * o.stages * o.blocks + 2, o.width,
             count_text(static_cast<double>(model.parameter_count())), Device::current().name());
  fmt::print("{} images of {} x {} in {} classes, and {} for the test\n", images.size(0), height, width,
             sets.classes.size(), sets.test.images.size(0));
  (void)trainer.fit(training, &test);

  const train::Values values = trainer.evaluate(test);
  model.eval();
  return {model, value_of(values, "accuracy"), value_of(values, "loss")};
}

int train_resnet(const ResnetOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  expect_option("resnet", o.images >= 1, fmt::format("{} images", o.images), "at least 1");
  const ColorSets sets = o.data.empty() ? shape_sets(o.images, kShapeSize, o.seed) : load_color_images(o.data);
  ResnetResult result = fit_resnet(sets, o);
  const std::vector<std::int32_t> predictions = predictions_of(result.model, sets.test.images);
  if (!o.out.empty()) {
    save_readings(o.out / "readings.png", sets, predictions);
    io::save_safetensors(o.out / "model.safetensors", result.model.state());
    fmt::print("saved: {} and readings.png\n", (o.out / "model.safetensors").string());
  }
  fmt::print("confused most often: {}\n",
             confusions(predictions, sets.test.labels.to_vector<std::int32_t>(), sets.classes));
  fmt::print("test accuracy: {:.4f}\n", result.accuracy);
  const bool usual = o == ResnetOptions{.out = o.out};
  return usual && result.accuracy < kResnetAccuracy ? 1 : 0;
}

}  // namespace tessera::app
