// Random draws: each takes the next position of a generator, so that no two share their bits.
#include "tessera/random.h"

#include <cmath>
#include <mutex>
#include <utility>

#include "base/fail.h"
#include "ops/build.h"
#include "runtime/registry.h"
#include "tessera/math.h"

namespace tessera::random {

struct Generator::State {
  std::mutex mutex;
  std::uint64_t seed = 0;
  std::uint64_t counter = 0;
};

namespace {

Generator& common() {
  static Generator generator(0);
  return generator;
}

thread_local std::shared_ptr<Generator::State> in_use;

NodePtr draw(const Shape& shape, const Device& device) {
  Generator::State& g = in_use != nullptr ? *in_use : *common().state();
  RandomState state;
  {
    const std::lock_guard lock(g.mutex);
    state = {g.seed, g.counter++};
  }
  return ops::random_bits(shape, state, device.impl() != nullptr ? device.impl() : runtime::default_device());
}

const NodePtr& node(const Tensor& t) {
  if (!t.defined()) fail(ErrorKind::kValue, "random: an empty Tensor was given as a parameter.");
  return t.node();
}

}  // namespace

Generator::Generator(std::uint64_t seed) : state_(std::make_shared<State>()) { state_->seed = seed; }

Generator Generator::split() {
  const std::lock_guard lock(state_->mutex);
  // A seed far from this one's: multiplied by an odd constant, and mixed.
  std::uint64_t z = state_->seed + 0x9e3779b97f4a7c15ULL * ++state_->counter;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return Generator(z ^ (z >> 31U));
}

std::uint64_t Generator::seed() const { return state_->seed; }

Use::Use(const Generator& generator) : before_(std::exchange(in_use, generator.state())) {}
Use::~Use() { in_use = std::move(before_); }

void set_seed(std::uint64_t seed) {
  Generator::State& g = *common().state();
  const std::lock_guard lock(g.mutex);
  g.seed = seed;
  g.counter = 0;
}

Tensor uniform(const Shape& shape, const Tensor& low, const Tensor& high, DType dtype, const Device& device) {
  return Tensor(ops::random_uniform(draw(shape, device), node(low), node(high), dtype));
}
Tensor normal(const Shape& shape, const Tensor& mean, const Tensor& deviation, DType dtype, const Device& device) {
  const NodePtr first = draw(shape, device);
  const NodePtr second = draw(shape, device);
  return Tensor(ops::random_normal(first, second, node(mean), node(deviation), dtype));
}
Tensor bernoulli(const Shape& shape, const Tensor& probability, const Device& device) {
  return less(uniform(shape, 0.0, 1.0, DType::kF32, device), probability);
}
Tensor randint(const Shape& shape, std::int64_t low, std::int64_t high, DType dtype, const Device& device) {
  return Tensor(ops::random_integers(draw(shape, device), low, high, dtype));
}

Tensor exponential(const Shape& shape, const Tensor& rate, DType dtype, const Device& device) {
  // 1 - u is in (0, 1], where the logarithm is finite.
  return cast(negative(log1p(negative(uniform(shape, 0.0, 1.0, f32, device)))) / rate, dtype);
}

Tensor gamma(const Shape& shape, const Tensor& alpha, DType dtype, const Device& device) {
  // Marsaglia and Tsang: a cubed normal is accepted with more than 95 of 100; of eight tries all fail about once in
  // 10^11 draws, and then the last is taken. Below 1 the draw for alpha + 1 is scaled down.
  constexpr int kTries = 8;
  const Tensor a = cast(broadcast_to(alpha, shape), f32);
  const Tensor low = less(a, 1.0);
  const Tensor d = where(low, a + 1.0, a) - 1.0 / 3;
  const Tensor c = rsqrt(d * 9.0);
  Tensor result;
  for (int i = 0; i < kTries; ++i) {
    const Tensor x = normal(shape, 0.0, 1.0, f32, device);
    const Tensor u = 1.0 - uniform(shape, 0.0, 1.0, f32, device);
    const Tensor t = c * x + 1.0;
    const Tensor v = t * t * t;
    const Tensor positive = greater(t, 0.0);
    const Tensor bound = square(x) * 0.5 + d * (1.0 - v + log(where(positive, v, 1.0)));
    const Tensor ok = logical_and(positive, less(log(u), bound));
    const Tensor draw_of = d * where(positive, v, 1.0);
    // The first that is accepted stays: `result` is negative until then.
    result = result.defined()
                 ? where(greater(result, 0.0), result, where(ok, draw_of, i + 1 == kTries ? draw_of : -draw_of))
                 : where(ok, draw_of, -draw_of);
  }
  const Tensor boost = power(1.0 - uniform(shape, 0.0, 1.0, f32, device), 1.0 / a);
  return cast(where(low, result * boost, result), dtype);
}

Tensor truncated_normal(const Shape& shape, double low, double high, double mean, double deviation, DType dtype,
                        const Device& device) {
  if (!(low < high))
    fail(ErrorKind::kValue, "truncated_normal: [{}, {}] was given; the first should be less.", low, high);
  if (!(deviation > 0))
    fail(ErrorKind::kValue, "truncated_normal: a deviation of {} was given; above 0 is expected.", deviation);
  const auto at = [&](double x) { return std::erf((x - mean) / deviation / std::sqrt(2.0)); };
  const Tensor u = uniform(shape, at(low), at(high), f32, device);
  return cast(clamp(erfinv(u) * (deviation * std::sqrt(2.0)) + mean, low, high), dtype);
}

}  // namespace tessera::random
