// The jobs learn on reduced sizes, repeat themselves for a seed, and reject wrong options.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "support/devices.h"
#include "support/errors.h"
#include "train/adapter.h"
#include "train/cart_pole.h"
#include "train/diffusion.h"
#include "train/dqn.h"
#include "train/lstm.h"
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
