// More distributions, and user-created generators. tessera/ops.h has uniform, normal, bernoulli and randint.
#pragma once

#include <cstdint>
#include <memory>

#include "tessera/export.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace random {

/// Where a generator is in its sequence: two numbers that can be saved with a run.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t position = 0;  // of the next draw: how many there were since the seed was set
  friend bool operator==(const RandomState&, const RandomState&) = default;
};

/// The state of the default generator, and how it is set: then it draws what followed when the state was taken, eagerly
/// and in compiled functions. A function that compile() or scan() traces may set a state, which each call repeats;
/// asking for one there is an Error of kind value, since later calls would use that of the trace.
RandomState state();
void set_state(const RandomState& state);

/// A random number generator: the same seed gives the same numbers on every device, independent of other generators.
/// Copies share the state.
class Generator {
 public:
  explicit Generator(std::uint64_t seed);
  /// A generator whose sequence is independent of this one.
  [[nodiscard]] Generator split();
  [[nodiscard]] std::uint64_t seed() const;
  /// The same as state() and set_state() of the default generator.
  [[nodiscard]] RandomState state() const;
  void set_state(const RandomState& state);

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& shared() const { return state_; }

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

/// During its lifetime, its thread draws as usual; at the end, each generator that it used has the state that it had
/// before. Draws of other threads from the same generators are undone too. Error of kind value inside a function that
/// compile() or scan() traces.
class Fork {
 public:
  Fork();
  ~Fork();
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

Tensor exponential(const Shape& shape, const Tensor& rate = 1.0, DType dtype = f32, const Device& device = {});
/// Shape parameter alpha > 0 (a number, or a tensor that broadcasts), scale 1.
Tensor gamma(const Shape& shape, const Tensor& alpha, DType dtype = f32, const Device& device = {});
/// A normal distribution truncated to [low, high], in units of the result.
Tensor truncated_normal(const Shape& shape, double low = -2, double high = 2, double mean = 0, double deviation = 1,
                        DType dtype = f32, const Device& device = {});

}  // namespace random
}  // namespace tessera
