// Sampling on the device: filters over sorted probabilities, and the inverse of their cumulative sum.
#include "tessera/llm/sampler.h"

#include <cmath>
#include <limits>

#include "base/fail.h"
#include "tessera/index.h"
#include "tessera/ops.h"
#include "tessera/sort.h"

namespace tessera::llm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check(const SamplingOptions& o) {
  const auto range = [](const char* name, double value, bool good, const char* expected) {
    if (!good) fail(ErrorKind::kValue, "Sampler: {} = {} was given; {} is expected.", name, value, expected);
  };
  range("temperature", o.temperature, std::isfinite(o.temperature) && o.temperature >= 0, "at least 0");
  range("top_k", static_cast<double>(o.top_k), o.top_k >= 0, "at least 0");
  range("top_p", o.top_p, o.top_p > 0 && o.top_p <= 1, "above 0 and at most 1");
  range("min_p", o.min_p, o.min_p >= 0 && o.min_p <= 1, "from 0 to 1");
  range("typical_p", o.typical_p, o.typical_p > 0 && o.typical_p <= 1, "above 0 and at most 1");
  range("repetition_penalty", o.repetition_penalty, std::isfinite(o.repetition_penalty) && o.repetition_penalty > 0,
        "a number above 0");
  range("frequency_penalty", o.frequency_penalty, std::isfinite(o.frequency_penalty), "a finite number");
  range("presence_penalty", o.presence_penalty, std::isfinite(o.presence_penalty), "a finite number");
}

/// The last column of [B, N] as [B, 1].
Tensor last_column(const Tensor& x) { return slice(x, {{}, {x.size(1) - 1, x.size(1)}}); }

/// Weights of candidates, [B, N] and not normalized, and their tokens.
struct Candidates {
  Tensor weights, tokens;
};

/// Keeps the candidates whose information is closest to the entropy, in that order, up to a probability.
Candidates typical(const Candidates& c, double probability) {
  const Tensor p = c.weights / sum(c.weights, {-1}, true);
  const Tensor kept = greater(p, 0.0);
  const Tensor information = -log(where(kept, p, 1.0));
  const Tensor entropy = sum(p * information, {-1}, true);
  const Tensor order = argsort(where(kept, abs(information - entropy), kInfinity), -1);
  const Tensor sorted = take_along_axis(p, order, -1);
  const Tensor before = cumsum(sorted, -1) - sorted;
  return {where(less(before, probability), sorted, 0.0), take_along_axis(c.tokens, order, -1)};
}

/// One round of an integer hash with good avalanche (multiplications and shifts, as in MurmurHash's finalizer).
Tensor mixed(Tensor x) {
  x = bitwise_xor(x, right_shift(x, 16U)) * 0x7feb352dU;
  x = bitwise_xor(x, right_shift(x, 15U)) * 0x846ca68bU;
  return bitwise_xor(x, right_shift(x, 16U));
}

}  // namespace

Tensor uniform_of(const Tensor& seeds, const Tensor& steps) {
  const Tensor h = mixed(mixed(cast(seeds, u32) + 0x9e3779b9U) + cast(steps, u32));
  return cast(right_shift(mixed(h), 9U), f32) * 0x1p-23;  // 23 bits: below 1 after any rounding
}

Tensor sample(const Tensor& logits, const SamplingOptions& o, const Tensor& uniform) {
  check(o);
  if (logits.rank() != 2 || logits.numel() == 0) {
    fail(ErrorKind::kShape, "sample: logits of shape {} were given; [batch, vocabulary] is expected.", logits.shape());
  }
  const std::int64_t batch = logits.size(0);
  const std::int64_t vocabulary = logits.size(1);
  if (o.temperature == 0) return cast(argmax(logits, -1), i32);
  if (uniform.shape() != Shape{batch}) {
    fail(ErrorKind::kShape, "sample: uniform numbers of shape {} were given; [{}] is expected.", uniform.shape(),
         batch);
  }

  const Tensor x = cast(logits, f32);
  Tensor values = x;
  Candidates c;
  const bool few = o.top_k > 0 && o.top_k < vocabulary;
  if (few || o.top_p < 1 || o.typical_p < 1) {
    const Indexed sorted = few ? topk(x, o.top_k, -1) : sort_with_indices(x, -1, true);
    values = sorted.values;
    c.tokens = sorted.indices;
  }
  c.weights = exp((values - max(x, {-1}, true)) / o.temperature);  // the largest is 1
  if (o.top_p < 1) {
    const Tensor ends = cumsum(c.weights, -1);
    c.weights = where(less(ends - c.weights, last_column(ends) * o.top_p), c.weights, 0.0);
  }
  if (o.min_p > 0) c.weights = where(greater_equal(c.weights, o.min_p), c.weights, 0.0);
  if (o.typical_p < 1) c = typical(c, o.typical_p);

  const Tensor ends = cumsum(c.weights, -1);
  const Tensor at = reshape(cast(uniform, f32), {batch, 1}) * last_column(ends);
  // The first candidate with a weight whose cumulative sum is past the number. Rounding of a parallel sum cannot select
  // one that was filtered out; the first one, which is never, is the fallback.
  const Tensor chosen = logical_and(greater(ends, at), greater(c.weights, 0.0));
  const Tensor first = cast(argmax(cast(chosen, i32), -1), i32);
  if (!c.tokens.defined()) return first;
  return reshape(take_along_axis(cast(c.tokens, i32), reshape(first, {batch, 1}), -1), {batch});
}

Sampler::Sampler(SamplingOptions options, std::int64_t batch, std::int64_t vocabulary, std::uint32_t seed,
                 const Device& device)
    : options_(std::move(options)), vocabulary_(vocabulary) {
  const SamplingOptions& o = options_;
  check(o);
  if (batch < 1 || vocabulary < 1) {
    fail(ErrorKind::kValue, "Sampler: {} sequences and {} tokens were given; at least 1 is expected.", batch,
         vocabulary);
  }
  std::vector<std::uint32_t> numbers;
  for (std::int64_t i = 0; i < batch; ++i) numbers.push_back(seed + static_cast<std::uint32_t>(i));
  seeds = Tensor(numbers, {batch}, device);
  steps = zeros({batch}, i32, device);
  const bool repeats = o.repetition_penalty != 1;
  if (repeats || o.frequency_penalty != 0 || o.presence_penalty != 0) {
    counts = zeros({batch, vocabulary}, i32, device);
  }
  if (repeats) seen = zeros({batch, vocabulary}, boolean, device);
  if (o.logit_bias.empty()) return;
  std::vector<float> bias(static_cast<std::size_t>(vocabulary), 0.0F);
  for (const auto& [token, value] : o.logit_bias) {
    if (token < 0 || token >= vocabulary) {
      fail(ErrorKind::kValue, "Sampler: a bias for token {} was given; from 0 to {} is expected.", token,
           vocabulary - 1);
    }
    if (std::isnan(value)) fail(ErrorKind::kValue, "Sampler: the bias of token {} is not a number.", token);
    bias[static_cast<std::size_t>(token)] += static_cast<float>(value);
  }
  bias_ = Tensor(bias, {vocabulary}, device);
}

void Sampler::fields(nn::Fields& f) {
  f.buffer("seeds", seeds);
  f.buffer("steps", steps);
  f.buffer("counts", counts);
  f.buffer("seen", seen);
}

void Sampler::prompt(const Tensor& ids, const Tensor& lengths) {
  const std::int64_t batch = steps.size(0);
  if (ids.rank() != 2 || ids.size(0) != batch || !is_integer(ids.dtype())) {
    fail(ErrorKind::kShape, "Sampler: a prompt of shape {} and dtype {} was given; integers [{}, T] are expected.",
         ids.shape(), name(ids.dtype()), batch);
  }
  if (!seen.defined() || ids.size(1) == 0) return;
  Tensor tokens = cast(ids, i32);
  Tensor marks = ones(ids.shape(), i32, ids.device());
  if (lengths.defined()) {  // padding adds nothing
    marks = cast(less(arange(0, static_cast<double>(ids.size(1)), 1, i32, ids.device()),
                      reshape(cast(lengths, i32), {batch, 1})),
                 i32);
  }
  seen = logical_or(seen, greater(scatter_add(zeros(seen.shape(), i32, ids.device()), tokens, marks, 1), 0));
}

Tensor Sampler::operator()(const Tensor& logits, const Tensor& mask) {
  const SamplingOptions& o = options_;
  const std::int64_t batch = steps.size(0);
  if (logits.shape() != Shape{batch, vocabulary_}) {
    fail(ErrorKind::kShape, "Sampler: logits of shape {} were given; {} is expected.", logits.shape(),
         Shape{batch, vocabulary_});
  }
  Tensor x = cast(logits, f32);
  if (bias_.defined()) x = x + bias_;
  if (o.repetition_penalty != 1) {
    const Tensor repeated = logical_or(seen, greater(counts, 0));
    const Tensor penalized = where(greater(x, 0.0), x / o.repetition_penalty, x * o.repetition_penalty);
    x = where(repeated, penalized, x);
  }
  if (o.frequency_penalty != 0) x = x - cast(counts, f32) * o.frequency_penalty;
  if (o.presence_penalty != 0) x = x - cast(greater(counts, 0), f32) * o.presence_penalty;
  if (mask.defined()) x = where(mask, x, -kInfinity);
  const Tensor tokens = reshape(sample(x, o, uniform_of(seeds, steps)), {batch, 1});
  if (counts.defined()) counts = slice_update(counts, take_along_axis(counts, tokens, 1) + 1, tokens, {1});
  steps = steps + 1;
  return tokens;
}

}  // namespace tessera::llm
