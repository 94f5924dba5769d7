// Sampling: each filter against a loop over sorted probabilities, the distribution, penalties, masks and seeds.
#include <algorithm>
#include <numeric>

#include "llm/support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

using llm::SamplingOptions;

class LlmSampler : public testing::Test {
 protected:
  void SetUp() override {
    test_device().set_current();
    random::set_seed(11);
  }
};

/// The tokens that may be chosen, in the order of the inverse of the cumulative sum, with their probabilities.
std::vector<std::pair<int, double>> candidates(const std::vector<float>& logits, const SamplingOptions& o) {
  std::vector<std::pair<int, double>> c;
  const double top = *std::max_element(logits.begin(), logits.end());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    c.emplace_back(static_cast<int>(i), std::exp((static_cast<double>(logits[i]) - top) / o.temperature));
  }
  const bool few = o.top_k > 0 && std::cmp_less(o.top_k, c.size());
  const bool sorts = few || o.top_p < 1 || o.typical_p < 1;
  if (sorts) std::stable_sort(c.begin(), c.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (few) c.resize(static_cast<std::size_t>(o.top_k));
  const auto total = [&] {
    return std::accumulate(c.begin(), c.end(), 0.0, [](double sum, const auto& e) { return sum + e.second; });
  };
  if (o.top_p < 1) {
    const double all = total();
    double before = 0;
    std::vector<std::pair<int, double>> kept;
    for (const auto& e : c) {
      if (before < o.top_p * all) kept.push_back(e);
      before += e.second;
    }
    c = kept;
  }
  if (o.min_p > 0) std::erase_if(c, [&](const auto& e) { return e.second < o.min_p; });
  if (o.typical_p < 1) {
    const double all = total();
    double entropy = 0;
    for (const auto& e : c) entropy -= e.second / all * std::log(e.second / all);
    std::stable_sort(c.begin(), c.end(), [&](const auto& a, const auto& b) {
      return std::abs(-std::log(a.second / all) - entropy) < std::abs(-std::log(b.second / all) - entropy);
    });
    double before = 0;
    std::vector<std::pair<int, double>> kept;
    for (const auto& e : c) {
      if (before < o.typical_p) kept.push_back(e);
      before += e.second / all;
    }
    c = kept;
  }
  const double all = total();
  for (auto& e : c) e.second /= all;
  return c;
}

/// The token of a uniform number, and whether the number is so close to a boundary that rounding may decide.
std::pair<int, bool> chosen(const std::vector<std::pair<int, double>>& c, double u) {
  double end = 0;
  for (const auto& [token, p] : c) {
    const double begin = end;
    end += p;
    if (u < end) return {token, u - begin < 2e-5 || end - u < 2e-5};
  }
  return {c.back().first, true};
}

}  // namespace

TEST_F(LlmSampler, FiltersAgainstALoop) {
  const std::vector<SamplingOptions> all{
      {},
      {.temperature = 0.3},
      {.temperature = 2.5},
      {.top_k = 1},
      {.top_k = 7},
      {.top_k = 10000},
      {.top_p = 0.5},
      {.top_p = 1e-9},
      {.min_p = 0.1},
      {.min_p = 1},
      {.typical_p = 0.4},
      {.temperature = 1.5, .top_k = 50, .top_p = 0.9, .min_p = 0.02, .typical_p = 0.95},
      {.temperature = 0.7, .top_p = 0.8, .min_p = 0.05},
  };
  constexpr std::int64_t kBatch = 400;
  constexpr std::int64_t kVocabulary = 300;
  const Tensor logits = (random::normal({kBatch, kVocabulary}) * 3.0).eval();
  const Tensor uniform = random::uniform({kBatch}).eval();
  const std::vector<float> x = floats(logits);
  const std::vector<float> u = floats(uniform);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto tokens = llm::sample(logits, all[k], uniform).to_vector<std::int32_t>();
    int unsure = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::vector<float> row(x.begin() + static_cast<std::ptrdiff_t>(i * kVocabulary),
                                   x.begin() + static_cast<std::ptrdiff_t>((i + 1) * kVocabulary));
      const auto [token, close] = chosen(candidates(row, all[k]), static_cast<double>(u[i]));
      unsure += close ? 1 : 0;
      ASSERT_TRUE(close || tokens[i] == token) << "options " << k << ", row " << i << ": " << tokens[i];
    }
    EXPECT_LT(unsure, 20) << k;
  }
  const auto greedy = llm::sample(logits, {.temperature = 0}, {}).to_vector<std::int32_t>();
  for (std::size_t i = 0; i < greedy.size(); ++i) {
    const auto row = x.begin() + static_cast<std::ptrdiff_t>(i * kVocabulary);
    ASSERT_EQ(greedy[i], std::max_element(row, row + kVocabulary) - row);
  }
}

// Extreme logits: the rest has no weight, or all have the same.
TEST_F(LlmSampler, Edges) {
  const auto token = [](const std::vector<float>& logits, const SamplingOptions& o, float u) {
    const auto n = static_cast<std::int64_t>(logits.size());
    return llm::sample(Tensor(logits, {1, n}), o, Tensor(std::vector<float>{u}, {1})).item<int>();
  };
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(token({1e30F, 0, -1e30F}, {}, 0.999F), 0);
  EXPECT_EQ(token({-kInf, -kInf, 3, -kInf}, {}, 0.0F), 2);
  EXPECT_EQ(token({-kInf, -kInf, 3, -kInf}, {.top_p = 0.5}, 0.9999F), 2);
  EXPECT_EQ(token({-kInf, -kInf, 3, -kInf}, {.typical_p = 0.5}, 0.9999F), 2);
  EXPECT_EQ(token({2, 2, 2, 2}, {}, 0.6F), 2);
  EXPECT_EQ(token({2, 2, 2, 2}, {.top_k = 2}, 0.6F), 1);
  EXPECT_EQ(token({2, 2, 2, 2}, {.top_p = 0.5}, 0.99F), 1);
  EXPECT_EQ(token({5}, {.top_k = 3, .top_p = 0.1, .typical_p = 0.1}, 0.5F), 0);
  EXPECT_EQ(token({0, 1e-4F}, {.temperature = 1e-6}, 0.5F), 1);
}

TEST_F(LlmSampler, Distribution) {
  constexpr std::int64_t kDraws = 20000;
  const std::vector<float> logits{0, 1, 2, -1, 0.5F, -3};
  const Tensor x = broadcast_to(Tensor(logits, {1, 6}), {kDraws, 6});
  const SamplingOptions o{.temperature = 1.3};
  llm::Sampler sampler(o, kDraws, 6, 5);
  std::vector<double> count(6, 0.0);
  for (const std::int32_t t : sampler(x).to_vector<std::int32_t>()) ++count[static_cast<std::size_t>(t)];
  double chi = 0;  // with 5 degrees of freedom: above 20.5 once in a thousand
  for (const auto& [t, p] : candidates(logits, o)) {
    const double expected = p * kDraws;
    chi += (count[static_cast<std::size_t>(t)] - expected) * (count[static_cast<std::size_t>(t)] - expected) / expected;
  }
  EXPECT_LT(chi, 20.5);
  // Uniform numbers of one sequence over its steps, in 16 bins: 37.7 once in a thousand; and in pairs.
  const Tensor u = llm::uniform_of(Tensor(std::vector<std::uint32_t>{9}, {1}), arange(0, 32000, 1, i32));
  const std::vector<float> v = floats(u);
  std::vector<double> bins(16, 0.0);
  std::vector<double> pairs(256, 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    ASSERT_GE(v[i], 0.0F);
    ASSERT_LT(v[i], 1.0F);
    const auto bin = static_cast<std::size_t>(v[i] * 16);
    ++bins[bin];
    if (i % 2 == 1) ++pairs[bin * 16 + static_cast<std::size_t>(v[i - 1] * 16)];
  }
  const auto chi_of = [&](const std::vector<double>& c, double total) {
    const double expected = total / static_cast<double>(c.size());
    return std::accumulate(c.begin(), c.end(), 0.0,
                           [&](double s, double n) { return s + (n - expected) * (n - expected) / expected; });
  };
  EXPECT_LT(chi_of(bins, 32000), 37.7);
  EXPECT_LT(chi_of(pairs, 16000), 330.5);  // 255 degrees of freedom
}

TEST_F(LlmSampler, PenaltiesBiasAndMasks) {
  const Tensor logits(std::vector<float>{2, 1.9F, 1.8F, -1, 0.5F, 0.4F, 0.3F, -2}, {2, 4});
  const auto row = [&](llm::Sampler& s, const Tensor& mask = {}) { return s(logits, mask).to_vector<std::int32_t>(); };
  using Ids = std::vector<std::int32_t>;
  // Presence: each token once, then again from the front.
  llm::Sampler presence({.temperature = 0, .presence_penalty = 1}, 2, 4, 0);
  EXPECT_EQ(row(presence), (Ids{0, 0}));
  EXPECT_EQ(row(presence), (Ids{1, 1}));
  EXPECT_EQ(row(presence), (Ids{2, 2}));
  EXPECT_EQ(row(presence), (Ids{0, 0}));
  EXPECT_EQ(row(presence), (Ids{0, 0}));
  // Frequency: by the number of times.
  llm::Sampler frequency({.temperature = 0, .frequency_penalty = 0.15}, 2, 4, 0);
  EXPECT_EQ(row(frequency), (Ids{0, 0}));
  EXPECT_EQ(row(frequency), (Ids{1, 1}));
  EXPECT_EQ(row(frequency), (Ids{0, 0}));
  EXPECT_EQ(frequency.counts.to_vector<std::int32_t>(), (Ids{2, 1, 0, 0, 2, 1, 0, 0}));
  // Repetition: the prompt counts, its padding does not; negative logits become smaller.
  llm::Sampler repetition({.temperature = 0, .repetition_penalty = 4}, 2, 4, 0);
  repetition.prompt(Tensor(Ids{0, 1, 0, 2, 3, 1}, {2, 3}), Tensor(Ids{2, 1}, {2}));
  EXPECT_EQ(repetition.seen.to_vector<bool>(),
            (std::vector<bool>{true, true, false, false, false, false, true, false}));
  EXPECT_EQ(row(repetition), (Ids{2, 0}));
  EXPECT_EQ(row(repetition), (Ids{0, 1}));
  llm::Sampler negative({.temperature = 0, .repetition_penalty = 4}, 1, 3, 0);
  negative.prompt(Tensor(Ids{0}, {1, 1}));
  EXPECT_EQ(negative(Tensor(std::vector<float>{-1, -2, -3}, {1, 3})).item<int>(), 1);
  // Bias, and masks of each sequence or of all.
  constexpr double kInf = std::numeric_limits<double>::infinity();
  llm::Sampler biased({.temperature = 0, .logit_bias = {{3, 5.0}, {0, -kInf}}}, 2, 4, 0);
  EXPECT_EQ(row(biased), (Ids{3, 3}));
  llm::Sampler masked({.temperature = 0.8, .top_p = 0.9}, 2, 4, 0);
  const Tensor one(std::vector<bool>{false, true, false, false, false, false, true, false}, {2, 4});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(row(masked, one), (Ids{1, 2}));
  const Tensor all(std::vector<bool>{false, false, false, true}, {4});
  EXPECT_EQ(row(masked, all), (Ids{3, 3}));
}

// One trace; the same seed gives the same tokens, whatever else is in the batch.
TEST_F(LlmSampler, CompiledWithACache) {
  llm::Model model = llm::Model::load(model_folder("llama"), {.device = test_device(), .dtype = f32});
  const auto generate = [&](std::int64_t batch, std::uint32_t seed) {
    llm::Cache cache = model.cache(batch, 32);
    llm::Sampler sampler({.temperature = 1.2, .top_k = 40, .top_p = 0.95, .repetition_penalty = 1.1}, batch,
                         model.config().vocabulary, seed);
    Tensor prompt = full({batch, 3}, 7, i32, test_device());
    sampler.prompt(prompt);
    Tensor token = sampler(model.forward(prompt, cache, {.last = true}));
    auto step =
        compile([&](const Tensor& t) { return sampler(model.forward(t, cache, {.last = true})); }, cache, sampler);
    std::vector<Tensor> tokens{token};
    for (int i = 0; i < 20; ++i) tokens.push_back(token = step(token));
    EXPECT_EQ(step.traces(), 1U);
    return concat(tokens, 1).to_vector<std::int32_t>();
  };
  const auto one = generate(1, 3);
  EXPECT_EQ(one, generate(1, 3));
  EXPECT_NE(one, generate(1, 4));
  const auto three = generate(3, 2);  // seeds 2, 3, 4
  EXPECT_EQ(one, std::vector<std::int32_t>(three.begin() + 21, three.begin() + 42));
  EXPECT_EQ(generate(1, 4), std::vector<std::int32_t>(three.begin() + 42, three.end()));
}

TEST_F(LlmSampler, Errors) {
  const auto kind = [](const SamplingOptions& o) { return error_of([&] { llm::Sampler(o, 1, 4, 0); }).kind(); };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const SamplingOptions& o :
       {SamplingOptions{.temperature = -1}, SamplingOptions{.temperature = kNan}, SamplingOptions{.top_k = -1},
        SamplingOptions{.top_p = 0}, SamplingOptions{.top_p = 1.1}, SamplingOptions{.min_p = -0.1},
        SamplingOptions{.min_p = 1.1}, SamplingOptions{.typical_p = 0}, SamplingOptions{.repetition_penalty = 0},
        SamplingOptions{.frequency_penalty = kNan}, SamplingOptions{.presence_penalty = kNan},
        SamplingOptions{.logit_bias = {{4, 1.0}}}, SamplingOptions{.logit_bias = {{-1, 1.0}}},
        SamplingOptions{.logit_bias = {{1, kNan}}}}) {
    EXPECT_EQ(kind(o), ErrorKind::kValue);
  }
  llm::Sampler sampler({}, 2, 4, 0);
  EXPECT_EQ(error_of([&] { (void)sampler(zeros({2, 5})); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { (void)sampler(zeros({4})); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { sampler.prompt(zeros({1, 4}, i32)); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { (void)llm::sample(zeros({2, 4}), {}, zeros({3})); }).kind(), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { llm::Sampler({}, 0, 4, 0); }).kind(), ErrorKind::kValue);
}

}  // namespace tessera::test
