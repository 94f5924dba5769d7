// More distributions, and user-created generators. tessera/ops.h has uniform, normal, bernoulli and randint.
#pragma once

#include <cstdint>
#include <memory>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace random {

/// A random number generator: the same seed gives the same numbers on every device, independent of other generators.
/// Copies share the state.
class Generator {
 public:
  explicit Generator(std::uint64_t seed);
  /// A generator whose sequence is independent of this one.
  [[nodiscard]] Generator split();
  [[nodiscard]] std::uint64_t seed() const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

/// During its lifetime, its thread draws from this generator instead of the default one.
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
/// Shape parameter alpha > 0 (a number, or a tensor that broadcasts), scale 1.
Tensor gamma(const Shape& shape, const Tensor& alpha, DType dtype = f32, const Device& device = {});
/// A normal distribution truncated to [low, high], in units of the result.
Tensor truncated_normal(const Shape& shape, double low = -2, double high = 2, double mean = 0, double deviation = 1,
                        DType dtype = f32, const Device& device = {});

}  // namespace random
}  // namespace tessera
