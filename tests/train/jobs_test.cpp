// The jobs learn on reduced sizes, repeat themselves for a seed, and reject wrong options.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "io/npy/zip.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/data/image.h"
#include "train/adapter.h"
#include "train/cart_pole.h"
#include "train/diffusion.h"
#include "train/dqn.h"
#include "train/lstm.h"
#include "train/resnet.h"
#include "train/support.h"
#include "train/vae.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using JobsTest = TrainTest;

const fs::path kJobDigits = fs::path(TESSERA_SOURCE_DIR) / "tests/train/digits";

/// Each of the options is an Error of kind value with this text.
template <class Options, class Fit>
void expect_refused(const Fit& fit, const std::vector<std::pair<Options, std::string>>& all) {
  for (const auto& [options, part] : all) {
    const Error e = error_of([&] { (void)fit(options); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    EXPECT_TRUE(std::string(e.what()).ends_with("expected.")) << e.what();
  }
}

// ---- Digits ----

TEST_F(JobsTest, DrawnDigitsAreOfAllKindsAndRepeat) {
  const app::Images a = app::draw_digits(200, 16, 5);
  const app::Images b = app::draw_digits(200, 16, 5);
  const auto pixels = a.images.to_vector<std::uint8_t>();
  const auto labels = a.labels.to_vector<std::uint8_t>();
  EXPECT_EQ(pixels, b.images.to_vector<std::uint8_t>());
  EXPECT_EQ(labels, b.labels.to_vector<std::uint8_t>());
  EXPECT_NE(pixels, app::draw_digits(200, 16, 6).images.to_vector<std::uint8_t>());
  EXPECT_EQ((std::set<std::uint8_t>(labels.begin(), labels.end()).size()), 10U);
  for (std::size_t i = 0; i < 200; ++i) {
    const auto first = pixels.begin() + static_cast<std::ptrdiff_t>(i * 256);
    const auto ink = std::count_if(first, first + 256, [](std::uint8_t p) { return p > 127; });
    EXPECT_GT(ink, 12) << i;
    EXPECT_LT(ink, 110) << i;
  }
}

TEST_F(JobsTest, DrawnDigitsCanBeRead) {
  const app::ImageSets sets = app::digits_of({}, 1000, 1);
  EXPECT_EQ(sets.test.images.shape(), Shape({100, 16, 16}));
  double accuracy = 0;
  (void)printed([&] {
    app::ConvNet model = app::fit_images(sets, {.epochs = 1, .batch = 50});
    accuracy = app::accuracy(model, sets.test);
  });
  EXPECT_GE(accuracy, 0.9);
}

// ---- lstm ----

TEST_F(JobsTest, BracketsCloseWhatIsOpen) {
  const data::Sample all = app::bracket_sequences(50, 30, 3, 4, 9);
  const auto tokens = all["tokens"].values<std::int32_t>();
  const auto open = all["open"].values<std::int32_t>();
  for (std::size_t row = 0; row < 50; ++row) {
    std::vector<std::int32_t> stack;
    for (std::size_t at = row * 30; at < (row + 1) * 30; ++at) {
      ASSERT_GE(tokens[at], 0);
      ASSERT_LT(tokens[at], 6);
      if (tokens[at] % 2 == 0) {
        stack.push_back(tokens[at] / 2);
      } else {
        ASSERT_FALSE(stack.empty());
        ASSERT_EQ(stack.back(), tokens[at] / 2);
        stack.pop_back();
      }
      ASSERT_LE(stack.size(), 4U);
      EXPECT_EQ(open[at], stack.empty() ? 0 : stack.back() + 1);
    }
  }
}

TEST_F(JobsTest, AnLstmLearnsBracketsAndRepeats) {
  const app::LstmOptions o{.kinds = 2, .depth = 3, .length = 12, .samples = 1280, .hidden = 32, .epochs = 3};
  app::LstmResult first{};
  const std::string text = printed([&] { first = app::fit_lstm(o); });
  EXPECT_GE(first.accuracy, 0.9) << text;  // always the most frequent answer: less than 0.5
  EXPECT_GE(first.longer_accuracy, 0.8) << text;
  EXPECT_NE(text.find("open: "), std::string::npos) << text;
  double again = 0;
  (void)printed([&] { again = app::fit_lstm(o).loss; });
  EXPECT_EQ(again, first.loss);
}

TEST_F(JobsTest, WrongOptionsOfTheLstmAreErrors) {
  using O = app::LstmOptions;
  expect_refused<O>(app::fit_lstm, {{O{.kinds = 5}, "5 kinds of brackets was given; 1 to 4"},
                                    {O{.depth = 0}, "a depth of 0"},
                                    {O{.length = 1}, "a length of 1"},
                                    {O{.samples = 63}, "63 sequences"},
                                    {O{.hidden = 0}, "a hidden size of 0"},
                                    {O{.epochs = 0}, "0 epochs"},
                                    {O{.batch = 0}, "a batch of 0"},
                                    {O{.lr = std::nan("")}, "a rate of nan"}});
}

// ---- resnet ----

TEST_F(JobsTest, DrawnShapesAreOfAllKindsAndRepeat) {
  const app::ColorImages a = app::draw_shapes(200, 16, 5);
  const app::ColorImages b = app::draw_shapes(200, 16, 5);
  const auto pixels = a.images.to_vector<std::uint8_t>();
  const auto labels = a.labels.to_vector<std::int32_t>();
  EXPECT_EQ(a.images.shape(), Shape({200, 3, 16, 16}));
  EXPECT_EQ(pixels, b.images.to_vector<std::uint8_t>());
  EXPECT_EQ(labels, b.labels.to_vector<std::int32_t>());
  EXPECT_NE(pixels, app::draw_shapes(200, 16, 6).images.to_vector<std::uint8_t>());
  EXPECT_EQ((std::set<std::int32_t>(labels.begin(), labels.end()).size()), 10U);
  const app::ColorSets sets = app::shape_sets(50, 16, 5);
  EXPECT_EQ(sets.test.images.shape(), Shape({10, 3, 16, 16}));
  EXPECT_EQ(sets.classes.size(), 10U);
  EXPECT_NE(sets.test.images.to_vector<std::uint8_t>(), slice(sets.train.images, {{0, 10}}).to_vector<std::uint8_t>());
}

TEST_F(JobsTest, AResnetLearnsShapes) {
  const app::ColorSets sets = app::shape_sets(1000, 16, 1);
  std::optional<app::ResnetResult> result;
  const std::string text =
      printed([&] { result.emplace(app::fit_resnet(sets, {.epochs = 6, .batch = 10, .padding = 1})); });
  EXPECT_GE(result->accuracy, 0.3) << text;  // always the same answer: about 0.1
  EXPECT_NE(text.find("ResNet-8 of width 8"), std::string::npos) << text;
  const Tree state = result->model.state();
  EXPECT_EQ(state["layer2.0.downsample.0.weight"].shape(), Shape({16, 8, 1, 1}));
  EXPECT_FALSE(state.contains("layer1.0.downsample"));
  const Tensor means = mean(sets.train.images.astype(f32), {0, 2, 3});
  EXPECT_LT(max(abs(state["mean"].reshape({3}) - means)).item(), 0.01);
}

TEST_F(JobsTest, AResnetRepeatsItself) {
  const app::ColorSets sets = app::shape_sets(100, 16, 1);
  const auto loss = [&](const app::ResnetOptions& o) {
    double value = 0;
    (void)printed([&] { value = app::fit_resnet(sets, o).loss; });
    return value;
  };
  const app::ResnetOptions o{.stages = 2, .width = 4, .epochs = 2, .batch = 10};
  const double first = loss(o);
  EXPECT_EQ(loss(o), first);
  app::ResnetOptions other = o;
  other.seed = 2;
  EXPECT_NE(loss(other), first);
  other = o;
  other.autocast = "bf16";
  EXPECT_NE(loss(other), first);
  EXPECT_NEAR(loss(other), first, 0.3);
}

TEST_F(JobsTest, AResnetHasTheDepthThatIsAskedFor) {
  const auto layers = [](app::ResNet model) {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : model.parameters().flatten()) {
      count += tensor.rank() > 1 && name.find("downsample") == std::string::npos ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(layers(app::ResNet(3, 3, 4, 10)), 20);
  app::ResNet model(4, 2, 8, 7);  // with a width of 64: ResNet-18
  EXPECT_EQ(layers(model), 18);
  EXPECT_EQ(model(zeros({2, 3, 16, 12}, u8)).shape(), Shape({2, 7}));
}

/// The bytes of a npy file.
std::string npy_bytes(const std::string& descr, const std::string& shape, const std::string& elements) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({})}}", descr, shape);
  header.resize(118, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + elements;
}

/// Writes arrays as np.savez does, without compression.
void write_npz(const fs::path& file, const std::vector<std::pair<std::string, std::string>>& arrays) {
  const auto number = [](std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 255U);
    return text;
  };
  std::string archive;
  std::string directory;
  for (const auto& [key, bytes] : arrays) {
    // The version, flags, method, time and date; the checksum and the sizes; the lengths of the name and of nothing.
    const std::string both = number(20, 2) + std::string(8, '\0') +
                             number(io::crc32(std::as_bytes(std::span(bytes))), 4) + number(bytes.size(), 4) +
                             number(bytes.size(), 4) + number(key.size() + 4, 2) + number(0, 2);
    directory += "PK\1\2" + number(20, 2) + both + std::string(10, '\0') + number(archive.size(), 4) + key + ".npy";
    archive += "PK\3\4" + both + key + ".npy" + bytes;
  }
  const std::string end = "PK\5\6" + number(0, 4) + number(arrays.size(), 2) + number(arrays.size(), 2) +
                          number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
  const std::string all = archive + directory + end;
  std::ofstream(file, std::ios::binary).write(all.data(), static_cast<std::streamsize>(all.size()));
}

TEST_F(JobsTest, ImagesOfAnNpzFileAreRead) {
  std::string pixels(5 * 8 * 9 * 3, '\0');  // channels last
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<char>(i % 251);
  const auto arrays = [&](const std::string& shape) {
    return std::vector<std::pair<std::string, std::string>>{
        {"train_images", npy_bytes("|u1", "5, " + shape, pixels)},
        {"train_labels", npy_bytes("|u1", "5, 1", std::string("\0\1\2\3\2", 5))},
        {"test_images", npy_bytes("|u1", "5, " + shape, pixels)},
        {"test_labels", npy_bytes("<i2", "5,", std::string("\1\0\2\0\4\0\0\0\0\0", 10))}};
  };
  const fs::path file = folder_ / "images.npz";
  write_npz(file, arrays("8, 9, 3"));
  const app::ColorSets last = app::load_color_images(file);
  write_npz(file, arrays("3, 8, 9"));
  const app::ColorSets first = app::load_color_images(file);
  EXPECT_EQ(last.classes, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(last.train.labels.to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 1, 2, 3, 2}));
  EXPECT_EQ(last.test.labels.to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 2, 4, 0, 0}));
  EXPECT_EQ(first.train.images.shape(), Shape({5, 3, 8, 9}));
  EXPECT_EQ(last.train.images.shape(), Shape({5, 3, 8, 9}));
  const auto planes = first.train.images.to_vector<std::uint8_t>();
  const auto turned = last.train.images.to_vector<std::uint8_t>();
  for (std::size_t i = 0; i < planes.size(); ++i) {
    EXPECT_EQ(planes[i], i % 251);
    const std::size_t image = i / 216;
    const std::size_t channel = i / 72 % 3;
    EXPECT_EQ(turned[i], (image * 216 + i % 72 * 3 + channel) % 251);
  }

  app::ResnetOptions o{.data = file, .stages = 1, .width = 2, .epochs = 1, .batch = 5};
  const bool pictures = data::image_library().error.empty();
  if (pictures) o.out = folder_ / "run";
  const std::string text = printed([&] { EXPECT_EQ(app::train_resnet(o), 0); });
  EXPECT_NE(text.find("5 images of 8 x 9 in 5 classes, and 5 for the test"), std::string::npos) << text;
  EXPECT_NE(text.find("test accuracy: "), std::string::npos) << text;
  if (pictures) {
    EXPECT_GT(data::load_image(o.out / "readings.png").shape()[1], 640);
    app::ResNet model(1, 1, 2, 5);
    model.load(io::load_safetensors(o.out / "model.safetensors"));
  }
}

TEST_F(JobsTest, BadNpzFilesAreErrors) {
  const fs::path file = folder_ / "bad.npz";
  const std::string image(192, '\7');
  const std::string good = npy_bytes("|u1", "1, 3, 8, 8", image);
  const std::string label = npy_bytes("<i4", "1,", std::string(4, '\0'));
  const auto refused = [&](const std::vector<std::pair<std::string, std::string>>& changes, const std::string& part) {
    std::map<std::string, std::string> arrays{
        {"train_images", good}, {"train_labels", label}, {"test_images", good}, {"test_labels", label}};
    for (const auto& [key, bytes] : changes) arrays[key] = bytes;
    std::erase_if(arrays, [](const auto& array) { return array.second.empty(); });
    write_npz(file, {arrays.begin(), arrays.end()});
    expect_refused<fs::path>(app::load_color_images, {{file, part}});
  };
  refused({{"test_labels", ""}}, "which has no array 'test_labels', was given; an npz file with train_images");
  refused({{"train_images", npy_bytes("|i1", "1, 3, 8, 8", image)}}, "train_images of i8 [1, 3, 8, 8] in '");
  refused({{"train_images", npy_bytes("|u1", "1, 8, 8", std::string(64, '\7'))}}, "u8 [N, 3, H, W] or [N, H, W, 3]");
  refused({{"test_images", npy_bytes("|u1", "0, 3, 8, 8", "")}}, "test_images of u8 [0, 3, 8, 8] in");
  refused({{"test_images", npy_bytes("|u1", "1, 7, 8, 3", std::string(168, '\7'))}}, "a size of at least 8 x 8");
  refused({{"test_images", npy_bytes("|u1", "1, 9, 8, 3", std::string(216, '\7'))}},
          "images of 8 x 8 for the training and 9 x 8 for the test");
  refused({{"train_labels", npy_bytes("<f4", "1,", std::string(4, '\0'))}}, "train_labels of f32 [1] in");
  refused({{"train_labels", npy_bytes("|u1", "2,", std::string(2, '\0'))}}, "the shape [1] is expected");
  refused({{"train_labels", npy_bytes("<i4", "1,", std::string(4, '\xff'))}}, "train_labels from -1 to -1");
  refused({{"train_labels", npy_bytes("<u4", "1,", std::string(4, '\xff'))}}, "from 4294967295 to 4294967295");
  EXPECT_EQ(error_of([&] { (void)app::load_color_images(folder_ / "none.npz"); }).kind(), ErrorKind::kIo);
}

TEST_F(JobsTest, WrongOptionsOfTheResnetAreErrors) {
  const app::ColorSets sets = app::shape_sets(20, 12, 1);
  using O = app::ResnetOptions;
  expect_refused<O>([&](const O& o) { return app::fit_resnet(sets, o); },
                    {{O{.batch = 21}, "a batch of 21"},
                     {O{.stages = 5, .batch = 5}, "5 stages was given; 1 to 4"},
                     {O{.blocks = 0, .batch = 5}, "0 blocks"},
                     {O{.width = 0, .batch = 5}, "a width of 0"},
                     {O{.epochs = 0, .batch = 5}, "0 epochs"},
                     {O{.batch = 5, .lr = 0}, "a rate of 0"},
                     {O{.batch = 5, .weight_decay = -1}, "a weight decay of -1"},
                     {O{.batch = 5, .padding = 12}, "a padding of 12"},
                     {O{.batch = 5, .flip = 1.5}, "a part of 1.5 mirrored images"},
                     {O{.batch = 5, .autocast = "f32"}, "autocast 'f32' was given; f16 or bf16"}});
  expect_refused<O>(app::train_resnet, {{O{.images = 0}, "0 images"}});
}

// ---- vae ----

TEST_F(JobsTest, AVaeLearnsDigitsAndRepeats) {
  const app::ImageSets sets = app::load_images(kJobDigits);
  const app::VaeOptions o{.epochs = 30, .batch = 50, .latent = 6, .hidden = 96, .lr = 5e-3};
  std::optional<app::VaeResult> result;
  (void)printed([&] { result.emplace(app::fit_vae(sets, o)); });
  EXPECT_NEAR(result->elbo, result->reconstruction - result->kl, 0.01);
  EXPECT_GT(result->kl, 1) << "the latent vectors say something";
  const Tensor x = app::as_floats(slice(sets.test.images, {{0, 50}}), 16);
  const Tensor mean_image = mean(app::as_floats(sets.train.images, 16), {0});
  EXPECT_LT(mse_loss(result->model(x), x).item(), 0.8 * mse_loss(broadcast_to(mean_image, x.shape()), x).item());
  EXPECT_EQ(result->model.decode(zeros({3, 6})).shape(), Shape({3, 8, 8}));
  double again = 0;
  (void)printed([&] { again = app::fit_vae(sets, o).elbo; });
  EXPECT_EQ(again, result->elbo);
}

TEST_F(JobsTest, WrongOptionsOfTheVaeAreErrors) {
  const app::ImageSets sets = app::digits_of({}, 20, 1);
  using O = app::VaeOptions;
  expect_refused<O>([&](const O& o) { return app::fit_vae(sets, o); },
                    {{O{.batch = 21}, "a batch of 21"},
                     {O{.epochs = 0, .batch = 5}, "0 epochs"},
                     {O{.batch = 5, .latent = 0}, "a latent size of 0"},
                     {O{.batch = 5, .hidden = 0}, "a hidden size of 0"},
                     {O{.batch = 5, .lr = 0}, "a rate of 0"}});
  expect_refused<O>(app::train_vae, {{O{.images = 0}, "0 images"}});
}

// ---- diffusion ----

TEST_F(JobsTest, TheCosineScheduleGoesFromAnImageToNoise) {
  const std::vector<float> kept = app::kept_of_cosine(50);
  ASSERT_EQ(kept.size(), 50U);
  EXPECT_GT(kept.front(), 0.99);
  EXPECT_GT(kept.back(), 0);
  EXPECT_LT(kept.back(), 1e-3);
  EXPECT_TRUE(std::is_sorted(kept.rbegin(), kept.rend()));
}

TEST_F(JobsTest, ADiffusionModelLearnsToFindNoise) {
  const app::ImageSets sets = app::load_images(kJobDigits);
  const app::DiffusionOptions o{.epochs = 2, .channels = 8, .levels = 20, .samples = 1};
  std::vector<double> losses;
  Tensor samples;
  for (int run = 0; run < 2; ++run) {
    (void)printed([&] {
      app::DiffusionResult result = app::fit_diffusion(sets, o);
      losses.push_back(result.loss);
      samples = app::draw_samples(result.model, arange(0, 10, 1, i32), 8, 8, o).eval();
    });
  }
  EXPECT_LT(losses[0], 0.5);  // zero noise: 1
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(samples.shape(), Shape({10, 8, 8}));
  EXPECT_GE(min(samples).item(), 0);
  EXPECT_LE(max(samples).item(), 1);
}

TEST_F(JobsTest, WrongOptionsOfDiffusionAreErrors) {
  const app::ImageSets sets = app::digits_of({}, 20, 1);
  using O = app::DiffusionOptions;
  expect_refused<O>([&](const O& o) { return app::fit_diffusion(sets, o); },
                    {{O{.batch = 21}, "a batch of 21"},
                     {O{.epochs = 0, .batch = 5}, "0 epochs"},
                     {O{.batch = 5, .channels = 12}, "12 channels"},
                     {O{.batch = 5, .levels = 1}, "1 levels"},
                     {O{.batch = 5, .drop_label = 1}, "a part of 1 without labels"},
                     {O{.batch = 5, .guidance = -1}, "a guidance of -1"},
                     {O{.batch = 5, .samples = 0}, "0 samples"}});
  const app::Images odd = app::draw_digits(20, 18, 1);
  const Error e = error_of([&] { (void)app::fit_diffusion({odd, odd}, {.batch = 5}); });
  EXPECT_NE(std::string(e.what()).find("images of 18 x 18"), std::string::npos) << e.what();
}

// ---- dqn ----

TEST_F(JobsTest, TheCartPoleFallsWithoutBalance) {
  std::mt19937_64 random(3);
  app::CartPole cart;
  cart.reset(random);
  EXPECT_FALSE(cart.over());
  while (!cart.over()) cart.step(1);
  EXPECT_TRUE(cart.fallen());
  EXPECT_GT(cart.steps(), 5);
  EXPECT_LT(cart.steps(), 15);  // Gymnasium: 8 to 10 steps of constant pushing
  EXPECT_GT(cart.state()[1], 0) << "pushed to the right";
  EXPECT_LT(cart.state()[2], 0) << "leans to the left";
  cart.reset(random);
  // Against the lean: a rule that balances for a while.
  while (!cart.over()) cart.step(cart.state()[2] + cart.state()[3] > 0 ? 1 : 0);
  EXPECT_GT(cart.steps(), 100);
}

TEST_F(JobsTest, TheReplayBufferKeepsTheLatest) {
  app::ReplayBuffer memory(4);
  for (int i = 0; i < 10; ++i) memory.add({.state = {static_cast<float>(i)}, .next = {}, .action = i % 2, .fallen = 0});
  EXPECT_EQ(memory.size(), 4);
  std::mt19937_64 random(1);
  const Tree batch = memory.draw(64, random);
  EXPECT_EQ(batch["state"].shape(), Shape({64, 4}));
  EXPECT_EQ(batch["action"].shape(), Shape({64, 1}));
  const auto states = batch["state"].to_vector<float>();
  std::set<float> seen;
  for (std::size_t i = 0; i < states.size(); i += 4) seen.insert(states[i]);
  EXPECT_EQ(seen, (std::set<float>{6, 7, 8, 9}));
}

TEST_F(JobsTest, DqnGetsBetterAndRepeats) {
  const app::DqnOptions o{.steps = 6000, .hidden = 64, .evaluate_every = 3000};
  double mean_return = 0;
  std::int64_t steps = 0;
  const std::string text = printed([&] {
    const app::DqnResult result = app::fit_dqn(o);
    mean_return = result.mean_return;
    steps = result.steps;
  });
  EXPECT_GT(mean_return, 60) << text;  // random actions: about 22
  (void)printed([&] {
    const app::DqnResult again = app::fit_dqn(o);
    mean_return -= again.mean_return;
    steps -= again.steps;
  });
  EXPECT_EQ(mean_return, 0);
  EXPECT_EQ(steps, 0);
}

TEST_F(JobsTest, WrongOptionsOfDqnAreErrors) {
  using O = app::DqnOptions;
  expect_refused<O>(app::fit_dqn, {{O{.steps = 0}, "0 for steps"},
                                   {O{.carts = 0}, "0 for carts"},
                                   {O{.memory = 0}, "0 for memory"},
                                   {O{.target_rate = 0}, "a target rate of 0"},
                                   {O{.lr = -1}, "a rate of -1"},
                                   {O{.discount = 1.5}, "a discount of 1.5"},
                                   {O{.explore = 2}, "a part of 2 random actions"}});
}

// ---- lora ----

TEST_F(JobsTest, LinesAreSortedAndHeldOutOnesAreOthers) {
  const auto lines = [](bool descending, bool held_out) { return app::sorting_lines(300, 3, descending, held_out, 4); };
  const auto keys = [](const data::Sample& sample) {
    const auto t = sample["tokens"].values<std::int32_t>();
    std::set<std::int32_t> out;
    for (std::size_t i = 0; i < t.size(); i += 6) out.insert(100 * t[i] + 10 * t[i + 1] + t[i + 2]);
    return out;
  };
  const data::Sample training = lines(true, false);
  for (const std::int32_t key : keys(lines(true, true))) EXPECT_FALSE(keys(training).contains(key)) << key;
  const auto tokens = training["tokens"].values<std::int32_t>();
  const auto targets = training["targets"].values<std::int32_t>();
  for (std::size_t at = 0; at < tokens.size(); at += 6) {
    std::vector<std::int32_t> line(&tokens[at], &tokens[at] + 3);
    std::ranges::sort(line, std::greater());
    EXPECT_EQ(tokens[at + 3], 10);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(targets[at + i], -100);
    EXPECT_EQ(line, std::vector<std::int32_t>(&targets[at] + 3, &targets[at] + 6));
  }
}

TEST_F(JobsTest, AnAdapterLearnsAnotherTaskOnAFrozenBase) {
  app::AdapterOptions o{.digits = 3,
                        .samples = 3840,
                        .base_epochs = 4,
                        .epochs = 8,
                        .batch = 64,
                        .layers = 2,
                        .width = 32,
                        .out = folder_};
  int code = -1;
  const std::string text = printed([&] { code = app::train_adapter(o); });
  EXPECT_EQ(code, 0);
  EXPECT_LT(fs::file_size(folder_ / "adapter.safetensors"), fs::file_size(folder_ / "base.safetensors"));
  o.out.clear();
  std::optional<app::AdapterResult> result;
  (void)printed([&] { result.emplace(app::fit_adapter(o)); });
  EXPECT_GT(result->base_ascending, 0.7) << text;
  EXPECT_LT(result->base_descending, 0.3);
  EXPECT_GT(result->adapted_descending, 0.7) << text;
  EXPECT_TRUE(text.ends_with(fmt::format("held-out lines right: {:.3f} of the base's task, {:.3f} of the adapter's\n",
                                         result->base_ascending, result->adapted_descending)))
      << text << "a run repeats itself for its seed";
  // The adapter changes nothing of the base.
  const Tree adapted = result->adapted.state();
  for (const auto& [name, tensor] : result->base.state().flatten()) {
    EXPECT_EQ(max(abs(adapted[name] - tensor)).item(), 0) << name;
  }
}

TEST_F(JobsTest, WrongOptionsOfTheAdapterAreErrors) {
  using O = app::AdapterOptions;
  expect_refused<O>(app::fit_adapter, {{O{.digits = 1}, "1 digits"},
                                       {O{.samples = 10}, "10 lines"},
                                       {O{.epochs = 0}, "4 and 0 epochs"},
                                       {O{.rank = 0}, "a rank of 0"},
                                       {O{.rank = 65}, "a rank of 65"},
                                       {O{.lr = 0}, "rates of 0.003 and 0"}});
}

}  // namespace
}  // namespace tessera::test
