// Trains a diffusion model on digits, and samples from it.
#include "train/diffusion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/data/loader.h"
#include "tessera/train/trainer.h"
#include "train/files.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kReadable = 0.9;    // of the samples read as the digits asked for
constexpr std::int64_t kGroups = 8;  // of GroupNorm
constexpr std::int64_t kWaves = 32;  // sines and cosines of a level
constexpr std::int64_t kShown = 8;   // samples of each digit in the picture

void check_diffusion(const DiffusionOptions& o, const ImageSets& sets) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("diffusion", good, given, expected);
  };
  const Shape& shape = sets.train.images.shape();
  expect(shape[1] % 4 == 0 && shape[2] % 4 == 0, fmt::format("a folder with images of {} x {}", shape[1], shape[2]),
         "a multiple of 4 on both sides");
  expect(o.channels >= kGroups && o.channels % kGroups == 0, fmt::format("a width of {} channels", o.channels),
         "a multiple of 8");
  expect(o.levels >= 2, fmt::format("a number of {} levels", o.levels), "at least 2");
  expect(o.epochs >= 1, fmt::format("{} epochs", o.epochs), "at least 1");
  expect(o.batch >= 1 && o.batch <= shape[0], fmt::format("a batch of {}", o.batch),
         "at least 1, and no more than there are images,");
  expect(o.lr > 0, fmt::format("a rate of {}", o.lr), "more than 0");
  expect(o.drop_label >= 0 && o.drop_label < 1, fmt::format("a part of {} without labels", o.drop_label),
         "from 0 to below 1");
  expect(o.guidance >= 0, fmt::format("a guidance of {}", o.guidance), "0 or more");
  expect(o.samples >= 1, fmt::format("{} samples", o.samples), "at least 1");
}

/// A number for each sample as [N, 1, 1, 1].
Tensor per_image(const Tensor& x) { return x.reshape({-1, 1, 1, 1}); }

data::DatasetPtr diffusion_images(const Images& set, double white) {
  return data::from_tensors(
      Tree{{"image", expand_dims(as_floats(set.images, white) * 2.0 - 1.0, 1)}, {"label", set.labels.astype(i32)}});
}

Tensor floats_of(const std::vector<float>& values) {
  return Tensor(values, {static_cast<std::int64_t>(values.size())});
}

/// 0, .., 0, 1, .., 1, ..: `each` of each class.
Tensor labels_in_order(std::int64_t classes, std::int64_t each) { return repeat(arange(0, classes, 1, i32), each, 0); }

}  // namespace

ResidualBlock::ResidualBlock(std::int64_t in, std::int64_t out, std::int64_t embedding_size)
    : norm1(kGroups, in),
      norm2(kGroups, out),
      conv1(in, out, 3, {.padding = 1}),
      conv2(out, out, 3, {.padding = 1}),
      embedding(embedding_size, out) {
  if (in != out) skip.emplace(in, out, 1);
}

void ResidualBlock::fields(nn::Fields& f) {
  f("norm1", norm1);
  f("conv1", conv1);
  f("embedding", embedding);
  f("norm2", norm2);
  f("conv2", conv2);
  f("skip", skip);
}

Tensor ResidualBlock::forward(const Tensor& x, const Tensor& e) {
  Tensor h = conv1(silu(norm1(x)));
  h = h + embedding(e).reshape({-1, h.size(1), 1, 1});
  h = conv2(silu(norm2(h)));
  return h + (skip ? (*skip)(x) : x);
}

UNet::UNet(std::int64_t channels, std::int64_t classes)
    : level1(2 * kWaves, 4 * channels),
      level2(4 * channels, 4 * channels),
      label(classes + 1, 4 * channels),
      stem(1, channels, 3, {.padding = 1}),
      down1(channels, 2 * channels, 3, {.stride = 2, .padding = 1}),
      down2(2 * channels, 2 * channels, 3, {.stride = 2, .padding = 1}),
      out(channels, 1, 3, {.padding = 1}),
      block1(channels, channels, 4 * channels),
      block2(2 * channels, 2 * channels, 4 * channels),
      middle(2 * channels, 2 * channels, 4 * channels),
      up2(4 * channels, 2 * channels, 4 * channels),
      up1(3 * channels, channels, 4 * channels),
      norm(kGroups, channels),
      channels_(channels),
      classes_(classes) {}

void UNet::fields(nn::Fields& f) {
  f("level1", level1);
  f("level2", level2);
  f("label", label);
  f("stem", stem);
  f("block1", block1);
  f("down1", down1);
  f("block2", block2);
  f("down2", down2);
  f("middle", middle);
  f("up2", up2);
  f("up1", up1);
  f("norm", norm);
  f("out", out);
}

Tensor UNet::forward(const Tensor& x, const Tensor& levels, const Tensor& labels) {
  const Tensor frequencies = exp(arange(0, kWaves, 1, f32) * (-std::log(1000.0) / kWaves));
  const Tensor angles = expand_dims(levels.astype(f32), 1) * frequencies;  // [N, kWaves]
  const Tensor e = silu(level2(silu(level1(concat({sin(angles), cos(angles)}, 1)))) + label(labels));
  const auto twice = [](const Tensor& h) { return interpolate(h, {.scale = {2}}); };
  const Tensor h1 = block1.forward(stem(x), e);    // [N, C, H, W]
  const Tensor h2 = block2.forward(down1(h1), e);  // [N, 2C, H/2, W/2]
  const Tensor h3 = middle.forward(down2(h2), e);  // [N, 2C, H/4, W/4]
  const Tensor u2 = up2.forward(concat({twice(h3), h2}, 1), e);
  const Tensor u1 = up1.forward(concat({twice(u2), h1}, 1), e);
  return out(silu(norm(u1)));
}

std::vector<float> kept_of_cosine(std::int64_t levels) {
  constexpr double kOffset = 0.008;
  constexpr double kMostNoise = 0.999;  // that one level adds
  const auto f = [&](std::int64_t t) {
    const double part = (static_cast<double>(t) / static_cast<double>(levels) + kOffset) / (1 + kOffset);
    const double c = std::cos(part * std::numbers::pi / 2);
    return c * c;
  };
  std::vector<float> kept;
  double product = 1;
  for (std::int64_t t = 0; t < levels; ++t) {
    product *= 1 - std::min(1 - f(t + 1) / f(t), kMostNoise);
    kept.push_back(static_cast<float>(product));
  }
  return kept;
}

Tensor draw_samples(UNet& model, const Tensor& labels, std::int64_t height, std::int64_t width,
                    const DiffusionOptions& o) {
  // x_{t-1} = of_image_t * image + of_x_t * x_t + deviation_t * noise, the posterior given the predicted image.
  const std::vector<float> kept = kept_of_cosine(o.levels);
  std::vector<float> of_image;
  std::vector<float> of_x;
  std::vector<float> deviation;
  for (std::size_t t = 0; t < kept.size(); ++t) {
    const double now = kept[t];
    const double before = t == 0 ? 1 : kept[t - 1];
    const double alpha = now / before;
    of_image.push_back(static_cast<float>(std::sqrt(before) * (1 - alpha) / (1 - now)));
    of_x.push_back(static_cast<float>(std::sqrt(alpha) * (1 - before) / (1 - now)));
    deviation.push_back(static_cast<float>(std::sqrt((1 - before) / (1 - now) * (1 - alpha))));
  }
  const Tensor kept_all = floats_of(kept);
  const Tensor image_all = floats_of(of_image);
  const Tensor x_all = floats_of(of_x);
  const Tensor deviation_all = floats_of(deviation);
  const Tensor unlabeled = full(labels.shape(), model.classes(), i32);

  const bool was_training = model.training();
  model.eval();
  const auto denoise = compile(
      [&](const Tensor& x, const Tensor& t) {
        const auto at = [&](const Tensor& table) { return take(table, t, 0); };
        const Tensor levels = broadcast_to(t, labels.shape());
        Tensor noise = model.forward(x, levels, labels);
        if (o.guidance > 0) noise = (1 + o.guidance) * noise - o.guidance * model.forward(x, levels, unlabeled);
        const Tensor kept_now = at(kept_all);
        const Tensor image = clamp((x - sqrt(1.0 - kept_now) * noise) / sqrt(kept_now), -1.0, 1.0);
        return at(image_all) * image + at(x_all) * x + at(deviation_all) * random::normal(x.shape());
      },
      model);
  Tensor x = random::normal({labels.size(0), 1, height, width}).eval();
  for (std::int64_t t = o.levels - 1; t >= 0; --t)
    x = denoise(x, Tensor(std::vector{static_cast<std::int32_t>(t)}, {1}));
  model.train(was_training);
  return squeeze(x, {1}) * 0.5 + 0.5;
}

DiffusionResult fit_diffusion(const ImageSets& sets, const DiffusionOptions& o) {
  check_diffusion(o, sets);
  random::set_seed(o.seed);
  const double white = white_of(sets.train);
  data::DataLoader training(
      diffusion_images(sets.train, white),
      {.batch = o.batch, .shuffle = true, .seed = o.seed, .drop_last = true, .group = distributed::Group()});
  data::DataLoader held_out(diffusion_images(sets.test, white),
                            {.batch = o.batch, .group = distributed::Group(), .even = false});
  const Shape& shape = sets.train.images.shape();
  const auto classes =
      std::max(max(sets.train.labels).item<std::int64_t>(), max(sets.test.labels).item<std::int64_t>());

  UNet model(o.channels, classes + 1);
  optim::AdamW optimizer(model, {.lr = optim::one_cycle(o.lr, o.epochs * training.size(), {.start = 0.1}),
                                 .no_decay = optim::vectors_of(model)});
  const Tensor kept = floats_of(kept_of_cosine(o.levels));
  const auto loss = [&](const Tree& batch) {
    const Tensor& x = batch["image"];
    const std::int64_t n = x.size(0);
    const Tensor t = random::randint({n}, 0, o.levels);
    const Tensor noise = random::normal(x.shape());
    const Tensor kept_now = per_image(take(kept, t, 0));
    const Tensor noisy = sqrt(kept_now) * x + sqrt(1.0 - kept_now) * noise;
    const Tensor label = where(random::bernoulli({n}, o.drop_label), model.classes(), batch["label"]);
    return mse_loss(model.forward(noisy, t, label), noise);
  };
  train::Trainer trainer(model, optimizer, loss, {.epochs = o.epochs, .clip_norm = 1, .out = o.out});
  fmt::print("{} images of {} x {} and {} for the test, {} parameters, on {}\n", shape[0], shape[1], shape[2],
             sets.test.images.size(0), count_text(static_cast<double>(model.parameter_count())),
             Device::current().name());
  (void)trainer.fit(training, &held_out);
  const double held_out_loss = value_of(trainer.evaluate(held_out), "loss");
  model.eval();
  return {model, held_out_loss};
}

int train_diffusion(const DiffusionOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  expect_option("diffusion", o.images >= 1, fmt::format("{} images", o.images), "at least 1");
  const ImageSets sets = digits_of(o.data, o.images, o.seed);
  DiffusionResult result = fit_diffusion(sets, o);

  const Shape& shape = sets.train.images.shape();
  const Tensor labels = labels_in_order(result.model.classes(), o.samples).eval();
  const Tensor samples = draw_samples(result.model, labels, shape[1], shape[2], o).eval();
  if (!o.out.empty()) {
    // One row for each digit.
    const Tensor rows = samples.reshape({-1, o.samples, shape[1], shape[2]});
    const std::int64_t shown = std::min(kShown, o.samples);
    save_sheet(o.out / "samples.png", slice(rows, {{}, {0, shown}}).reshape({-1, shape[1], shape[2]}), shown);
    fmt::print("saved: {}\n", (o.out / "samples.png").string());
  }
  fmt::print("A classifier that reads the samples:\n");
  const Slice some{0, std::min<std::int64_t>(shape[0], 2000)};
  const ImageSets read{{slice(sets.train.images, {some}), slice(sets.train.labels, {some})}, sets.test};
  ConvNet reader = fit_images(read, {.epochs = 2, .batch = std::min<std::int64_t>(*some.stop, 50), .seed = o.seed});
  const Tensor pixels = round(clamp(samples, 0.0, 1.0) * white_of(sets.train)).astype(u8);
  const double right = accuracy(reader, {pixels, labels.astype(u8)});
  fmt::print("held-out loss: {:.4f}\n", result.loss);
  fmt::print("samples read as the digit asked for: {:.3f}\n", right);
  const bool usual = o == DiffusionOptions{.out = o.out};
  return usual && right < kReadable ? 1 : 0;
}

}  // namespace tessera::app
