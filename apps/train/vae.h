// `tessera train vae`: a variational autoencoder of digits.
#pragma once

#include <cstdint>
#include <filesystem>

#include "train/digits.h"

namespace tessera::app {

struct VaeOptions {
  std::filesystem::path data = {};  // a folder with IDX files; empty: drawn digits
  std::filesystem::path out = {};   // the folder of the run, and of pictures
  std::int64_t images = 20000;      // drawn for the training
  std::int64_t epochs = 30, batch = 100, latent = 12, hidden = 384;
  double lr = 2e-3;
  std::uint64_t seed = 1;
  friend bool operator==(const VaeOptions&, const VaeOptions&) = default;
};

/// Of each image, in nats: log p(x | z) for one z of q(z | x), and KL(q(z | x) || p(z)). Their difference is the
/// evidence lower bound (ELBO) of log p(x).
struct VaeTerms {
  Tensor reconstruction, kl;  // [N]
};

/// The encoder gives the mean and the log variance of q(z | x), the decoder a probability for each pixel. Images are
/// f32 [N, H, W] from 0 to 1, and each pixel counts as a Bernoulli variable.
class Vae : public nn::Module {
 public:
  nn::Linear encoder1, encoder2, mean, log_variance;
  nn::Linear decoder1, decoder2, pixels;

  Vae(std::int64_t height, std::int64_t width, std::int64_t latent, std::int64_t hidden);
  void fields(nn::Fields& f) override;
  VaeTerms terms(const Tensor& images);
  /// Images, f32 [N, H, W], of latent vectors [N, latent].
  Tensor decode(const Tensor& z);
  /// Images by the means of q(z | x).
  Tensor forward(const Tensor& images) override;

 private:
  Tensor encode(const Tensor& images);
  Tensor logits(const Tensor& z);
  std::int64_t height_, width_;
};

struct VaeResult {
  Vae model;
  double elbo, reconstruction, kl;  // means over the held-out images
};
/// Trains, with progress on standard output.
VaeResult fit_vae(const ImageSets& sets, const VaeOptions& options);

/// The exit code: 1 if the default job misses its ELBO.
int train_vae(const VaeOptions& options);

}  // namespace tessera::app
