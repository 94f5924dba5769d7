// More distributions, and generators of one's own. tessera/ops.h has uniform, normal, bernoulli and randint.
#pragma once

#include <cstdint>
#include <memory>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace random {

/// A sequence of draws: the same seed gives the same numbers on every device, whatever else draws meanwhile. Copies
/// share the sequence.
class Generator {
 public:
  explicit Generator(std::uint64_t seed);
  /// A generator whose sequence is independent of this one's.
  [[nodiscard]] Generator split();
  [[nodiscard]] std::uint64_t seed() const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

/// While one lives, its thread draws from this generator instead of the common one.
class Use {
 public:
  explicit Use(const Generator& generator);
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::shared_ptr<Generator::State> before_;
};

Tensor exponential(const Shape& shape, const Tensor& rate = 1.0, DType dtype = f32, const Device& device = {});
/// Shape parameter alpha above 0 (a number, or a tensor that broadcasts), scale 1.
Tensor gamma(const Shape& shape, const Tensor& alpha, DType dtype = f32, const Device& device = {});
/// A normal distribution cut to [low, high], which count in the units of the result.
Tensor truncated_normal(const Shape& shape, double low = -2, double high = 2, double mean = 0, double deviation = 1,
                        DType dtype = f32, const Device& device = {});

}  // namespace random
}  // namespace tessera
