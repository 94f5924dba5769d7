// Models with random weights, made by make_models.py: logits and embeddings equal those of the transformers package.
#include "llm/support.h"
#include "support/devices.h"

namespace tessera::test {

namespace {

constexpr double kTolerance = 3e-5;

class LlmTest : public testing::Test {
 protected:
  void SetUp() override { test_device().set_current(); }
};
class Decoders : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { test_device().set_current(); }
};
class Encoders : public Decoders {};

llm::Model load(const std::string& name, std::optional<DType> dtype = f32) {
  nn::LoadReport report;
  llm::Model model = llm::Model::load(model_folder(name), {.device = test_device(), .dtype = dtype, .report = &report});
  EXPECT_TRUE(report.ok()) << name << ": " << report.str();
  return model;
}

/// A model with another config and the weights of a folder.
llm::Model changed(const std::string& name, const std::function<void(llm::Config&)>& change) {
  llm::Model model = load(name);
  llm::Config config = model.config();
  change(config);
  llm::Model other(config, f32, test_device());
  other.update(model.state());
  return other;
}

/// How far a changed model's logits are from the expected ones.
double distance(const std::string& name, const std::function<void(llm::Config&)>& change) {
  const Tree points = expected_of(name);
  llm::Model model = changed(name, change);
  return difference(model.forward(points["ids"]), points["logits"], points["lengths"].to_vector<std::int32_t>());
}

/// Row 0 of x [2, T, ..] at position a, and row 1 at position b: [2, 1, ..].
Tensor at_positions(const Tensor& x, std::int64_t a, std::int64_t b) {
  return concat({slice(x, {{0, 1}, {a, a + 1}}), slice(x, {{1, 2}, {b, b + 1}})}, 0);
}

}  // namespace

TEST_P(Decoders, Prefill) {
  llm::Model model = load(GetParam());
  const Tree points = expected_of(GetParam());
  const auto lengths = points["lengths"].to_vector<std::int32_t>();
  EXPECT_LT(difference(model.forward(points["ids"]), points["logits"], lengths), kTolerance);
  // The last valid token of each sequence alone.
  const Tensor last = model.forward(points["ids"], {.lengths = points["lengths"], .last = true});
  const std::vector<float> all = floats(points["logits"]);
  const std::vector<float> got = floats(last);
  const auto vocabulary = static_cast<std::size_t>(model.config().vocabulary);
  const auto tokens = static_cast<std::size_t>(points["ids"].size(1));
  ASSERT_EQ(last.shape(), (Shape{2, model.config().vocabulary}));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t row = i / vocabulary;
    const float expected =
        all[(row * tokens + static_cast<std::size_t>(lengths[row]) - 1) * vocabulary + i % vocabulary];
    ASSERT_NEAR(got[i], expected, kTolerance * (1 + std::abs(expected))) << i;
  }
}

// A compiled step decodes one token at a time, after prompts of different lengths: one trace for all positions.
void expect_decoding(const std::string& name, int steps) {
  llm::Model model = load(name);
  const Tree points = expected_of(name);
  const Tensor ids = points["ids"];
  const Tensor logits = points["logits"];
  const std::vector<std::int32_t> starts{5, 2};
  llm::Cache cache = model.cache(2, 16);
  // Row 1 is padded with tokens of another meaning.
  const Tensor prompt = slice(ids, {{}, {0, 5}});
  const Tensor first = model.forward(prompt, cache, {.lengths = ints(starts)});
  EXPECT_LT(difference(first, slice(logits, {{}, {0, 5}}), starts), kTolerance);
  auto step = compile([&](const Tensor& token) { return model.forward(token, cache, {.last = true}); }, cache);
  for (int i = 0; i < steps; ++i) {
    const Tensor token = at_positions(ids, 5 + i, 2 + i);
    const Tensor got = reshape(step(token), {2, 1, model.config().vocabulary});
    ASSERT_LT(difference(got, at_positions(logits, 5 + i, 2 + i), {1, 1}), kTolerance) << i;
  }
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(cache.lengths.to_vector<std::int32_t>(), (std::vector<std::int32_t>{5 + steps, 2 + steps}));
}

TEST_P(Decoders, DecodeFromDifferentPositions) { expect_decoding(GetParam(), 7); }

// The software adapter takes seconds to compile each kernel: one model with the blocks that most have.
TEST_F(LlmTest, DecodeOnAnAdapter) {
  for (const TestDevice& which : devices()) {
    if (which.device == "cpu") continue;
    const Device before = test_device();
    test_device() = open(which);
    expect_decoding("llama", 3);
    test_device() = before;
    before.set_current();
  }
}

// A prompt in chunks over the cache gives the logits of the whole.
TEST_P(Decoders, PrefillInChunks) {
  llm::Model model = load(GetParam());
  const Tree points = expected_of(GetParam());
  const Tensor row = slice(points["ids"], {{0, 1}});
  llm::Cache cache = model.cache(1, 20);
  std::vector<Tensor> parts;
  for (const auto& [from, to] : {std::pair(0, 3), std::pair(3, 10), std::pair(10, 11), std::pair(11, 14)}) {
    parts.push_back(model.forward(slice(row, {{}, {from, to}}), cache));
  }
  EXPECT_LT(difference(concat(parts, 1), slice(points["logits"], {{0, 1}}), {14}), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(On, Decoders,
                         testing::Values("llama", "llama_linear", "llama_yarn", "mistral", "qwen2", "qwen3", "gemma2",
                                         "gemma3", "phi3", "phi4_mini", "smollm3", "olmo2", "gpt2", "qwen3_moe",
                                         "mixtral", "gpt_oss", "gpt_oss_mxfp4"),
                         [](const auto& i) { return i.param; });

TEST_P(Encoders, StatesAndPooling) {
  llm::Model model = load(GetParam());
  const Tree points = expected_of(GetParam());
  const auto lengths = points["lengths"].to_vector<std::int32_t>();
  const llm::ForwardOptions options{.lengths = points["lengths"], .types = points["types"]};
  EXPECT_LT(difference(model.hidden(points["ids"], options), points["hidden"], lengths), kTolerance);
  const std::vector<std::int32_t> rows{32, 32};
  Tensor mean = points["mean"];
  if (model.config().normalize) mean = normalize(mean, 2, -1);
  EXPECT_LT(difference(model.embed(points["ids"], options), mean, rows), kTolerance);
  llm::Model pooled = changed(GetParam(), [](llm::Config& c) {
    c.pooling = llm::Pooling::kPooler;
    c.normalize = false;
  });
  EXPECT_LT(difference(pooled.embed(points["ids"], options), points["pooled"], rows), kTolerance);
  // Padding is not seen: without lengths the first rows differ.
  EXPECT_GT(difference(model.hidden(points["ids"], {.types = points["types"]}), points["hidden"], lengths), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(On, Encoders, testing::Values("bert", "minilm"), [](const auto& i) { return i.param; });

// LongRoPE has other frequencies for contexts past the original one.
TEST_F(LlmTest, LongRopeOfShortContexts) {
  llm::Model model = load("phi4_mini");
  const Tree points = expected_of("phi4_mini");
  const Tensor ids = slice(points["ids"], {{}, {0, 6}});
  EXPECT_LT(difference(model.forward(ids), points["short_logits"], {6, 6}), kTolerance);
  llm::Cache cache = model.cache(2, 8);
  EXPECT_LT(difference(model.forward(ids, cache), points["short_logits"], {6, 6}), kTolerance);
  llm::Cache longer = model.cache(2, 9);
  EXPECT_GT(difference(model.forward(ids, longer), points["short_logits"], {6, 6}), 1e-2);
}

// The comparisons above would see a wrong block: each change of one moves the logits.
TEST_F(LlmTest, EveryBlockMatters) {
  using Change = std::function<void(llm::Config&)>;
  const auto windows = [](llm::Config& c) {
    for (llm::LayerConfig& l : c.layers) l.window = l.window > 0 ? l.window + 1 : 0;
  };
  const auto slower = [](llm::Config& c) {
    for (double& f : c.ropes[0].frequencies) f *= 0.9;
  };
  const std::vector<std::tuple<std::string, std::string, Change>> changes{
      {"llama", "frequencies", slower},
      {"llama_yarn", "magnitude", [](llm::Config& c) { c.ropes[0].magnitude = 1; }},
      {"mistral", "window", windows},
      {"qwen3", "eps", [](llm::Config& c) { c.eps = 1e-2; }},
      {"gemma2", "soft-capping of scores", [](llm::Config& c) { c.attention_softcap.reset(); }},
      {"gemma2", "soft-capping of logits", [](llm::Config& c) { c.final_softcap.reset(); }},
      {"gemma2", "scale of embeddings", [](llm::Config& c) { c.embedding_scale = 1; }},
      {"gemma2", "1 + w", [](llm::Config& c) { c.norm = llm::NormKind::kRms; }},
      {"gemma2", "scale", [](llm::Config& c) { c.attention_scale.reset(); }},
      {"gemma2", "window", windows},
      {"gemma3", "RoPE of windows", [](llm::Config& c) { c.layers[0].rope = 0; }},
      {"gemma3", "activation", [](llm::Config& c) { c.activation = llm::Activation::kSilu; }},
      {"smollm3", "no RoPE", [](llm::Config& c) { c.layers[1].rope = 0; }},
      {"gpt_oss", "limit", [](llm::Config& c) { c.experts->swiglu_limit = 0.5; }},
      {"gpt_oss", "window", windows},
      {"mixtral", "number of experts", [](llm::Config& c) { c.experts->per_token = 1; }},
      {"qwen3_moe", "normalization", [](llm::Config& c) { c.experts->normalize = false; }},
  };
  for (const auto& [name, what, change] : changes) {
    const double d = distance(name, change);
    EXPECT_GT(d, 0.1) << name << ", " << what;
    EXPECT_LT(d, 100) << name << ", " << what;
  }
}

// A step writes the new keys and values and no more of the cache, whatever the position.
TEST_F(LlmTest, StepsWriteTheCacheInPlace) {
  for (const std::int64_t batch : {1, 3}) {
    llm::Model model = load("llama", f16);
    llm::Cache cache = model.cache(batch, 8192);
    auto step = compile([&](const Tensor& token) { return model.forward(token, cache, {.last = true}); }, cache);
    const Tensor token = full({batch, 1}, 7, i32, test_device()).eval();
    const std::uint64_t bytes = bytes_of_three_steps(step, token);
    const auto copy = static_cast<std::uint64_t>(cache.k[0].numel() * 2);
    EXPECT_GT(bytes, 0U);
    EXPECT_LT(bytes, copy / 2) << batch;  // split-KV attention writes some too
    EXPECT_EQ(step.traces(), 1U);
  }
}

/// ||a - b|| / ||b||.
double relative_distance(const Tensor& a, const Tensor& b) {
  return std::sqrt(sum(square(a - b)).item<float>() / sum(square(b)).item<float>());
}

// A cache in q8_0. Rows are off by at most half a step of their block, 1 / 254 of its largest element: in the first
// layer, whose rows are the same. Logits of these random weights move by one to two percent of their norm.
TEST_F(LlmTest, CacheInQ8) {
  for (const std::string name : {"llama", "mistral", "gemma2", "gpt_oss", "phi3"}) {
    // All experts take part: which of them are the best would change with any rounding.
    llm::Model model = changed(name, [](llm::Config& c) {
      if (c.experts) c.experts->per_token = c.experts->count;
    });
    const Tensor ids = expected_of(name)["ids"];
    llm::Cache cache = model.cache(2, 16, q8_0);
    llm::Cache wide = model.cache(2, 16);
    const Tensor prompt = slice(ids, {{}, {0, 5}});
    const Tensor first = model.forward(prompt, cache, {.lengths = ints({5, 2})});
    double most = relative_distance(first, model.forward(prompt, wide, {.lengths = ints({5, 2})}));
    for (const bool keys : {true, false}) {
      const Tensor scales = expand_dims(keys ? cache.k_scales[0] : cache.v_scales[0], -1);
      const Tensor rows = keys ? wide.k[0] : wide.v[0];
      const Shape blocks{2, rows.size(1), 16, scales.size(3), rows.size(3) / scales.size(3)};
      const Tensor quants = cast(reshape(keys ? cache.k[0] : cache.v[0], blocks), f32);
      EXPECT_TRUE(all(less_equal(abs(quants * scales - reshape(rows, blocks)), scales * 0.5001)).item<bool>()) << name;
      EXPECT_EQ(max(abs(quants)).item<float>(), 127) << name;
    }
    auto step = compile([&](const Tensor& token) { return model.forward(token, cache, {.last = true}); }, cache);
    for (int i = 0; i < 7; ++i) {
      const Tensor token = at_positions(ids, 5 + i, 2 + i);
      most = std::max(most, relative_distance(step(token), model.forward(token, wide, {.last = true})));
    }
    EXPECT_LT(most, 0.03) << name;
    EXPECT_GT(most, 1e-5) << name;  // it is quantized
    RecordProperty(name, std::to_string(most));
    EXPECT_EQ(step.traces(), 1U);
    EXPECT_EQ(cache.lengths.to_vector<std::int32_t>(), (std::vector<std::int32_t>{12, 9}));
  }
}

// A step writes one row of quants and scales for each head of each layer, in place.
TEST_F(LlmTest, StepsWriteTheQuantizedCacheInPlace) {
  llm::Model model = load("llama", f16);
  llm::Cache cache = model.cache(1, 8192, q8_0);
  const std::int64_t row = cache.k[0].numel() / 8192 + 4 * cache.k_scales[0].numel() / 8192;
  EXPECT_EQ(row, model.config().kv_heads * (model.config().head_size + 4));
  auto step = compile([&](const Tensor& token) { return model.forward(token, cache, {.last = true}); }, cache);
  const Tensor token = full({1, 1}, 7, i32, test_device()).eval();
  const std::uint64_t bytes = bytes_of_three_steps(step, token);
  EXPECT_GT(bytes, 0U);
  EXPECT_LT(bytes, static_cast<std::uint64_t>(cache.k[0].numel()));
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(LlmTest, DtypesOfCaches) {
  const auto text = [](const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const llm::Model model = load("llama");
  EXPECT_NE(text([&] { (void)model.cache(1, 8, i32); }).find("i32"), std::string::npos);
  EXPECT_NE(text([&] { (void)model.cache(1, 8, q4_0); }).find("q8_0 is expected"), std::string::npos);
  llm::Config odd = model.config();
  odd.head_size = 6;
  EXPECT_NE(text([&] { (void)llm::Cache(odd, 1, 8, q8_0, test_device()); }).find("have 6"), std::string::npos);
}

// Decoding reads the chosen experts alone: the bytes of a step do not grow with the number of experts.
TEST_F(LlmTest, StepsReadTheChosenExperts) {
  const auto bytes = [](std::int64_t experts) {
    llm::Config config = llm::Config::load(model_folder("mixtral"));
    config.layers.resize(1);
    config.experts->count = experts;
    config.experts->intermediate = 256;
    llm::Model model(config, f32, test_device());
    nn::visit(model, [](const nn::Field& f) { f.tensor = random::normal(f.tensor.shape()).eval(); });
    auto step = compile([&](const Tensor& token) { return model.forward(token, {.last = true}); });
    const Tensor token = full({1, 1}, 7, i32, test_device()).eval();
    (void)step(token).to_vector<float>();
    Profiler profiler(test_device());
    (void)step(token).to_vector<float>();
    std::uint64_t sum = 0;
    for (const KernelRecord& r : profiler.records()) sum += r.bytes;
    return static_cast<double>(sum);
  };
  const double eight = bytes(8);
  EXPECT_GT(eight, 3 * 2 * 256 * 32 * 4);  // of two experts
  EXPECT_LT(bytes(64), 1.1 * eight);
}

// Results beyond the range of f16: the residual stream is f32, and what matmuls read saturates.
TEST_F(LlmTest, LargeActivationsInF16) {
  const Tree points = expected_of("llama");
  const Tensor ids = points["ids"];
  const auto plant = [](llm::Model& model, const std::string& name, double factor) {
    model.update(Tree::unflatten({{name, model.state()[name] * factor}}));
  };
  for (const std::string name : {"layers.0.mlp.down.weight", "layers.0.attention.out.weight"}) {
    llm::Model half = load("llama", f16);
    llm::Model full = load("llama", f32);
    plant(half, name, 40000);
    plant(full, name, 40000);
    llm::Pass pass;  // without rotation
    pass.batch = ids.size(0);
    pass.tokens = ids.size(1);
    pass.rotations = {{ones({1, 1, ids.size(1), 1, 4}), zeros({1, 1, ids.size(1), 2, 4})}};
    EXPECT_GT(max(abs(half.layers[0].forward(half.embedding(ids), pass))).item<float>(), 1e5F) << name;
    const Tensor got = half.forward(ids);
    EXPECT_TRUE(all(isfinite(got)).item<bool>()) << name;
    EXPECT_LT(difference(got, full.forward(ids), {14, 14}), 0.05) << name;
    llm::Cache cache = half.cache(2, 16);
    EXPECT_LT(difference(half.forward(ids, cache), got, {14, 14}), 0.02) << name;
  }
  // gate * up is past 65,504 as well: it saturates.
  llm::Model half = load("llama", f16);
  plant(half, "layers.0.mlp.gate.weight", 1000);
  plant(half, "layers.0.mlp.up.weight", 1000);
  EXPECT_TRUE(all(isfinite(half.forward(ids))).item<bool>());
  for (const DType t : {f16, bf16}) {
    llm::Model low = load("gemma3", t);
    const Tree gemma = expected_of("gemma3");
    EXPECT_LT(difference(low.forward(gemma["ids"]), gemma["logits"], gemma["lengths"].to_vector<std::int32_t>()),
              t == f16 ? 0.05 : 0.3);
  }
}

}  // namespace tessera::test
