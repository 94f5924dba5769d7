// Trains a variational autoencoder on digits.
#include "train/vae.h"

#include <algorithm>

#include <fmt/format.h>

#include "terminal.h"
#include "tessera/data/loader.h"
#include "tessera/train/trainer.h"
#include "train/files.h"
#include "train/job.h"

namespace tessera::app {

namespace {

constexpr double kVaeElbo = -52;          // nats per image of the default job
constexpr std::int64_t kVaeColumns = 10;  // of pictures

void check_vae(const VaeOptions& o, std::int64_t count) {
  const auto expect = [](bool good, const std::string& given, const char* expected) {
    expect_option("vae", good, given, expected);
  };
  expect(o.latent >= 1, fmt::format("a latent size of {}", o.latent), "at least 1");
  expect(o.hidden >= 1, fmt::format("a hidden size of {}", o.hidden), "at least 1");
  expect(o.epochs >= 1, fmt::format("{} epochs", o.epochs), "at least 1");
  expect(o.batch >= 1 && o.batch <= count, fmt::format("a batch of {}", o.batch),
         "at least 1, and no more than there are images,");
  expect(o.lr > 0, fmt::format("a rate of {}", o.lr), "more than 0");
}

data::DatasetPtr vae_images(const Images& set, double white) {
  return data::from_tensors(Tree{{"image", as_floats(set.images, white)}});
}

void save_vae_pictures(VaeResult& result, const ImageSets& sets, const VaeOptions& o) {
  const Tensor shown = as_floats(slice(sets.test.images, {{0, 3 * kVaeColumns}}), white_of(sets.train));
  const Tensor again = result.model(shown);
  std::vector<Tensor> rows;  // originals, and their reconstructions below
  for (std::int64_t first = 0; first + kVaeColumns <= shown.size(0); first += kVaeColumns) {
    rows.push_back(slice(shown, {{first, first + kVaeColumns}}));
    rows.push_back(slice(again, {{first, first + kVaeColumns}}));
  }
  if (!rows.empty()) save_sheet(o.out / "reconstructions.png", concat(rows), kVaeColumns);
  save_sheet(o.out / "samples.png", result.model.decode(random::normal({6 * kVaeColumns, o.latent})), kVaeColumns);
  fmt::print("saved: {} and samples.png\n", (o.out / "reconstructions.png").string());
}

}  // namespace

Vae::Vae(std::int64_t height, std::int64_t width, std::int64_t latent, std::int64_t hidden)
    : encoder1(height * width, hidden),
      encoder2(hidden, hidden),
      mean(hidden, latent),
      log_variance(hidden, latent),
      decoder1(latent, hidden),
      decoder2(hidden, hidden),
      pixels(hidden, height * width),
      height_(height),
      width_(width) {}

void Vae::fields(nn::Fields& f) {
  f("encoder1", encoder1);
  f("encoder2", encoder2);
  f("mean", mean);
  f("log_variance", log_variance);
  f("decoder1", decoder1);
  f("decoder2", decoder2);
  f("pixels", pixels);
}

Tensor Vae::encode(const Tensor& images) {
  return silu(encoder2(silu(encoder1(images.reshape({-1, height_ * width_})))));
}

Tensor Vae::logits(const Tensor& z) { return pixels(silu(decoder2(silu(decoder1(z))))); }

VaeTerms Vae::terms(const Tensor& images) {
  const Tensor h = encode(images);
  const Tensor m = mean(h);
  const Tensor log_v = log_variance(h);
  const Tensor z = m + exp(0.5 * log_v) * random::normal(m.shape());  // the reparameterization trick
  const Tensor nats =
      binary_cross_entropy_with_logits(logits(z), images.reshape({-1, height_ * width_}), {}, {}, Reduction::kNone);
  return {-sum(nats, {1}), 0.5 * sum(exp(log_v) + square(m) - 1.0 - log_v, {1})};
}

Tensor Vae::decode(const Tensor& z) { return sigmoid(logits(z)).reshape({-1, height_, width_}); }

Tensor Vae::forward(const Tensor& images) { return decode(mean(encode(images))); }

VaeResult fit_vae(const ImageSets& sets, const VaeOptions& o) {
  const Tensor& images = sets.train.images;
  check_vae(o, images.size(0));
  random::set_seed(o.seed);
  const double white = white_of(sets.train);
  data::DataLoader training(
      vae_images(sets.train, white),
      {.batch = o.batch, .shuffle = true, .seed = o.seed, .drop_last = true, .group = distributed::Group()});
  data::DataLoader held_out(vae_images(sets.test, white),
                            {.batch = o.batch, .group = distributed::Group(), .even = false});

  Vae model(images.size(1), images.size(2), o.latent, o.hidden);
  optim::Adam optimizer(model, {.lr = optim::cosine(o.lr, o.epochs * training.size(), {.minimum = o.lr / 100})});
  train::Mean reconstruction;
  train::Mean kl;
  train::Trainer trainer(model, optimizer,
                         [&](const Tree& batch) {
                           const VaeTerms terms = model.terms(batch["image"]);
                           reconstruction.update(terms.reconstruction);
                           kl.update(terms.kl);
                           return mean(terms.kl - terms.reconstruction);  // the negative ELBO
                         },
                         {.epochs = o.epochs, .out = o.out});
  trainer.metric("reconstruction", reconstruction);
  trainer.metric("kl", kl);
  fmt::print("{} images of {} x {} and {} for the test, {} parameters, on {}\n", images.size(0), images.size(1),
             images.size(2), sets.test.images.size(0), count_text(static_cast<double>(model.parameter_count())),
             Device::current().name());
  (void)trainer.fit(training, &held_out);

  const train::Values values = trainer.evaluate(held_out);
  model.eval();
  return {model, -value_of(values, "loss"), value_of(values, "reconstruction"), value_of(values, "kl")};
}

int train_vae(const VaeOptions& o) {
  if (!o.out.empty()) make_folder(o.out);  // what cannot be written fails before the training
  expect_option("vae", o.images >= 1, fmt::format("{} images", o.images), "at least 1");
  const ImageSets sets = digits_of(o.data, o.images, o.seed);
  VaeResult result = fit_vae(sets, o);
  if (!o.out.empty()) save_vae_pictures(result, sets, o);
  fmt::print("reconstruction: {:.2f} nats per image, KL divergence: {:.2f}\n", result.reconstruction, result.kl);
  fmt::print("held-out ELBO: {:.2f} nats per image\n", result.elbo);
  const bool usual = o == VaeOptions{.out = o.out};
  return usual && result.elbo < kVaeElbo ? 1 : 0;
}

}  // namespace tessera::app
