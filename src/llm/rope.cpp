// Frequencies of rotary position embeddings: default, linear, Llama 3, YaRN and LongRoPE.
#include "llm/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::llm {

namespace {

constexpr std::int64_t kMostContext = std::int64_t{1} << 40;

/// The context before scaling: of the scaling, else of the config, else the context itself.
std::int64_t original_of(const RopeSizes& sizes, const Reader& scaling) {
  const std::int64_t otherwise = sizes.original_context > 0 ? sizes.original_context : sizes.context;
  return scaling.integer("original_max_position_embeddings", 1, kMostContext, otherwise);
}

void llama3(Rope& rope, const RopeSizes& sizes, const Reader& scaling) {
  const double factor = scaling.positive("factor");
  const double low = scaling.positive("low_freq_factor");
  const double high = scaling.positive("high_freq_factor");
  if (high <= low) scaling.out_of_range("high_freq_factor", "a number above low_freq_factor");
  const auto original = static_cast<double>(original_of(sizes, scaling));
  for (double& f : rope.frequencies) {
    const double turns = original * f / (2 * std::numbers::pi);  // over the original context
    // Below `low` turns the frequency is divided, above `high` it stays, and it is interpolated between.
    const double smooth = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    f = (1 - smooth) * f / factor + smooth * f;
  }
}

double yarn_magnitude(double factor, double scale = 1) { return factor <= 1 ? 1 : 0.1 * scale * std::log(factor) + 1; }

/// How much longer the context is than the original one, if the scaling does not say it.
double factor_of(const RopeSizes& sizes, const Reader& scaling, double original) {
  return scaling.positive("factor", static_cast<double>(sizes.context) / original);
}

void yarn(Rope& rope, const RopeSizes& sizes, const Reader& scaling) {
  const double fast = scaling.positive("beta_fast", 32);
  const double slow = scaling.positive("beta_slow", 1);
  if (fast < slow) scaling.out_of_range("beta_fast", "a number of at least beta_slow");
  const auto original = static_cast<double>(original_of(sizes, scaling));
  const double factor = factor_of(sizes, scaling, original);
  const auto size = static_cast<double>(sizes.size);
  // The pair that turns `turns` times over the original context.
  const auto pair = [&](double turns) {
    return size * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * std::log(sizes.base));
  };
  double first = pair(fast);
  double last = pair(slow);
  if (scaling.boolean("truncate", true)) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, size - 1);
  if (first == last) last += 0.001;
  for (std::size_t i = 0; i < rope.frequencies.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - first) / (last - first), 0.0, 1.0);
    rope.frequencies[i] *= ramp / factor + (1 - ramp);
  }
  if (const auto given = scaling.optional_positive("attention_factor")) {
    rope.magnitude = *given;
  } else if (scaling.has("mscale") && scaling.has("mscale_all_dim")) {
    rope.magnitude =
        yarn_magnitude(factor, scaling.positive("mscale")) / yarn_magnitude(factor, scaling.positive("mscale_all_dim"));
  } else {
    rope.magnitude = yarn_magnitude(factor);
  }
}

void long_rope(Rope& rope, const RopeSizes& sizes, const Reader& scaling) {
  rope.original_context = original_of(sizes, scaling);
  const std::size_t count = rope.frequencies.size();
  const std::vector<double> short_factors = scaling.positives("short_factor", count);
  const std::vector<double> long_factors = scaling.positives("long_factor", count);
  rope.long_frequencies = rope.frequencies;
  for (std::size_t i = 0; i < count; ++i) {
    rope.frequencies[i] /= short_factors[i];
    rope.long_frequencies[i] /= long_factors[i];
  }
  const auto original = static_cast<double>(rope.original_context);
  const double factor = factor_of(sizes, scaling, original);
  if (const auto given = scaling.optional_positive("attention_factor")) {
    rope.magnitude = *given;
  } else if (factor > 1 && original > 1) {
    rope.magnitude = std::sqrt(1 + std::log(factor) / std::log(original));
  }
}

}  // namespace

Rope plain_rope(const RopeSizes& sizes) {
  Rope rope;
  for (std::int64_t i = 0; i < sizes.size / 2; ++i) {
    rope.frequencies.push_back(std::pow(sizes.base, -2.0 * static_cast<double>(i) / static_cast<double>(sizes.size)));
  }
  return rope;
}

Rope scaled_rope(const RopeSizes& sizes, const Reader& scaling) {
  const std::string_view key = scaling.has("rope_type") || !scaling.has("type") ? "rope_type" : "type";
  const std::string type = scaling.text(key, "default");
  Rope rope = plain_rope(sizes);
  if (type == "linear") {
    const double factor = scaling.positive("factor");
    for (double& f : rope.frequencies) f /= factor;
  } else if (type == "llama3") {
    llama3(rope, sizes, scaling);
  } else if (type == "yarn") {
    yarn(rope, sizes, scaling);
  } else if (type == "longrope" || type == "su") {
    long_rope(rope, sizes, scaling);
  } else if (type != "default") {
    scaling.unsupported(key, "default, linear, llama3, yarn and longrope are");
  }
  return rope;
}

}  // namespace tessera::llm
