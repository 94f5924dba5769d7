// Loading: files that are missing or do not match the config, folders of sentence-transformers, and names of GGUF.
#include <fstream>
#include <map>
#include <set>

#include "llm/architectures.h"
#include "llm/load/gguf.h"
#include "llm/support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

namespace fs = std::filesystem;

/// A copy of a model's folder that a test may change.
class LlmLoad : public testing::Test {
 protected:
  void SetUp() override { test_device().set_current(); }
  void TearDown() override { fs::remove_all(root_); }
  fs::path copy_of(const std::string& name) {
    const fs::path folder = root_ / name;
    fs::remove_all(folder);
    fs::create_directories(root_);
    fs::copy(model_folder(name), folder, fs::copy_options::recursive);
    return folder;
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static Error load_error(const fs::path& folder) {
    return error_of([&] { (void)llm::Model::load(folder, {.device = test_device()}); });
  }
  static bool mentions(const Error& e, const std::string& text) {
    return std::string(e.what()).find(text) != std::string::npos;
  }

 private:
  fs::path root_ = fs::temp_directory_path() / ("tessera_llm_" + std::to_string(::getpid()));
};

/// Tensors by name.
class MapSource final : public llm::WeightSource {
 public:
  std::map<std::string, Tensor, std::less<>> tensors;
  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, t] : tensors) all.push_back(name);
    return all;
  }
  [[nodiscard]] bool contains(std::string_view name) const override { return tensors.contains(name); }
  [[nodiscard]] Shape shape(std::string_view name) const override { return tensors.find(name)->second.shape(); }
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device) const override {
    return tensors.find(name)->second.to(device.impl() != nullptr ? device : test_device());
  }
};

/// The weights of a model as llama.cpp's converter writes them.
void fill(MapSource& source, const llm::Model& model) {
  const llm::Config& c = model.config();
  const llm::Architecture& row = llm::architecture_of(c.model_type);
  for (const auto& [name, tensor] : model.state().flatten()) {
    std::string theirs = name;
    std::string layer;
    if (name.starts_with("layers.")) {
      const std::size_t end = name.find('.', 7);
      layer = name.substr(7, end - 7);
      theirs = "layers.{}" + name.substr(end);
    }
    llm::Part part = llm::Part::kWhole;
    bool found = false;
    for (const auto map : {row.gguf_names, row.common_gguf_names}) {
      for (const llm::WeightName& n : map) {
        if (found || (theirs != n.ours && !theirs.starts_with(std::string(n.ours) + "."))) continue;
        theirs = std::string(n.theirs) + theirs.substr(n.ours.size());
        part = n.part;
        found = true;
      }
    }
    EXPECT_TRUE(found) << name;
    if (const std::size_t at = theirs.find("{}"); at != std::string::npos) theirs.replace(at, 2, layer);
    Tensor x = tensor;
    const bool query = name.find("attention.q.") != std::string::npos;
    if (row.gguf.interleaved && (query || name.find("attention.k.") != std::string::npos)) {
      const std::int64_t heads = query ? c.heads : c.kv_heads;  // pairs (i, i + size / 2) become adjacent
      x = reshape(transpose(reshape(x, {heads, 2, c.head_size / 2, -1}), 1, 2), x.shape());
    }
    if (row.gguf.one_plus && name.ends_with("norm.weight")) x = x + 1.0;
    if (part == llm::Part::kWhole) {
      source.tensors[theirs] = x;
    } else {  // parts come in order: fields() lists q, k, v and gate, up
      Tensor& all = source.tensors[theirs];
      all = all.defined() ? concat({all, x}, 0) : x;
    }
  }
}

}  // namespace

TEST_F(LlmLoad, FilesAreMissing) {
  EXPECT_EQ(load_error("/no/such/folder").kind(), ErrorKind::kIo);
  fs::path folder = copy_of("llama");
  fs::remove(folder / "model.safetensors");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kIo);
  EXPECT_TRUE(mentions(load_error(folder), "model.safetensors"));
  folder = copy_of("mistral");
  fs::remove(folder / "model-00002-of-00003.safetensors");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kIo);
  EXPECT_TRUE(mentions(load_error(folder), "model-00002-of-00003.safetensors"));
  write(folder / "model.safetensors.index.json", R"({"weight_map": {"a": "../llama/model.safetensors"}})");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kParse);
  write(folder / "model.safetensors.index.json", R"({"weight_map": ["a"]})");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kParse);
  write(folder / "config.json", "{");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kParse);
}

TEST_F(LlmLoad, WeightsDoNotMatch) {
  const fs::path folder = copy_of("llama");
  std::vector<Tree::Named> tensors = io::load_safetensors_list(folder / "model.safetensors");
  std::vector<Tree::Named> some;
  for (const auto& [name, t] : tensors) {
    if (name == "model.layers.1.mlp.up_proj.weight") continue;
    some.emplace_back(name, name == "model.norm.weight" ? zeros({31}) : t);
  }
  some.emplace_back("model.layers.7.extra", zeros({2}));
  fs::remove(folder / "model.safetensors");
  io::save_safetensors(folder / "model.safetensors", some);
  const Error e = load_error(folder);
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_TRUE(mentions(e, "layers.1.mlp.up_proj.weight")) << e.what();
  EXPECT_TRUE(mentions(e, "[31]")) << e.what();
  nn::LoadReport report;
  (void)llm::Model::load(folder, {.device = test_device(), .report = &report});
  EXPECT_EQ(report.missing, (std::vector<std::string>{"layers.1.mlp.up_proj.weight"}));
  EXPECT_EQ(report.unexpected, (std::vector<std::string>{"model.layers.7.extra"}));
  ASSERT_EQ(report.mismatched.size(), 1U);
}

TEST_F(LlmLoad, FusedWeightsOfAnotherShape) {
  const fs::path folder = copy_of("phi3");
  std::vector<Tree::Named> some;
  for (const auto& [name, t] : io::load_safetensors_list(folder / "model.safetensors")) {
    const bool fused = name.ends_with("qkv_proj.weight") || name.ends_with("0.mlp.gate_up_proj.weight");
    some.emplace_back(name, fused ? zeros({7}) : t);
  }
  fs::remove(folder / "model.safetensors");
  io::save_safetensors(folder / "model.safetensors", some);
  nn::LoadReport report;
  (void)llm::Model::load(folder, {.device = test_device(), .report = &report});
  EXPECT_EQ(report.mismatched.size(), 8U) << report.str();
}

TEST_F(LlmLoad, SentenceTransformers) {
  const fs::path folder = copy_of("minilm");
  EXPECT_EQ(llm::Config::load(folder).pooling, llm::Pooling::kMean);
  EXPECT_TRUE(llm::Config::load(folder).normalize);
  write(folder / "1_Pooling" / "config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_EQ(llm::Config::load(folder).pooling, llm::Pooling::kCls);
  write(folder / "1_Pooling" / "config.json", R"({"pooling_mode_cls_token": true, "pooling_mode_max_tokens": true})");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kValue);
  write(folder / "modules.json", R"([{"type": "a.Pooling", "path": "../minilm/1_Pooling"}])");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kValue);
  write(folder / "modules.json", R"([{"type": "a.Dense", "path": "2_Dense"}])");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kUnsupported);
  write(folder / "modules.json", R"([3])");
  EXPECT_EQ(load_error(folder).kind(), ErrorKind::kParse);
}

// Other prefixes of names, and the names of norms in checkpoints from TensorFlow.
TEST_F(LlmLoad, NamesOfOtherCheckpoints) {
  for (const auto& [model, from, to] :
       {std::tuple("gpt2", "transformer.", ""), std::tuple("llama", "model.", "language_model.model.")}) {
    const fs::path folder = copy_of(model);
    std::vector<Tree::Named> some;
    for (auto [name, t] : io::load_safetensors_list(folder / "model.safetensors")) {
      if (name.starts_with(from)) name.replace(0, std::string(from).size(), to);
      some.emplace_back(name, t);
    }
    fs::remove(folder / "model.safetensors");
    io::save_safetensors(folder / "model.safetensors", some);
    nn::LoadReport report;
    (void)llm::Model::load(folder, {.device = test_device(), .report = &report});
    EXPECT_TRUE(report.ok()) << report.str();
  }
  const fs::path folder = copy_of("bert");
  std::vector<Tree::Named> some;
  for (auto [name, t] : io::load_safetensors_list(folder / "model.safetensors")) {
    if (name.starts_with("pooler.")) continue;
    if (const auto at = name.find("LayerNorm.weight"); at != std::string::npos) name.replace(at, 16, "LayerNorm.gamma");
    if (const auto at = name.find("LayerNorm.bias"); at != std::string::npos) name.replace(at, 14, "LayerNorm.beta");
    some.emplace_back("bert." + name, t);
  }
  fs::remove(folder / "model.safetensors");
  io::save_safetensors(folder / "model.safetensors", some);
  llm::Model model = llm::Model::load(folder, {.device = test_device(), .dtype = f32});
  EXPECT_FALSE(model.config().pooler);
  const Tree points = expected_of("bert");
  const llm::ForwardOptions options{.lengths = points["lengths"], .types = points["types"]};
  EXPECT_LT(
      difference(model.hidden(points["ids"], options), points["hidden"], points["lengths"].to_vector<std::int32_t>()),
      3e-5);
}

/// The metadata of a GGUF file of this model, by the keys of llama.cpp's converter.
std::map<std::string, llm::Json> metadata_of(const llm::Config& c, const llm::Json& config, MapSource& source) {
  const llm::Architecture& row = llm::architecture_of(c.model_type);
  const std::string p = std::string(row.gguf.architecture) + ".";
  std::map<std::string, llm::Json> m{{"general.architecture", row.gguf.architecture},
                                     {p + "embedding_length", c.width},
                                     {p + "block_count", c.layers.size()},
                                     {p + "context_length", c.context},
                                     {p + "feed_forward_length", c.intermediate},
                                     {p + "attention.head_count", c.heads},
                                     {p + "attention.head_count_kv", c.kv_heads},
                                     {p + "attention.key_length", c.head_size},
                                     {p + "attention.value_length", c.head_size}};
  m[p + (row.norm == llm::NormKind::kLayer ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon")] =
      c.eps;
  if (c.layers[0].window > 0) m[p + "attention.sliding_window"] = c.layers[0].window;
  if (c.attention_softcap) m[p + "attn_logit_softcapping"] = *c.attention_softcap;
  if (c.final_softcap) m[p + "final_logit_softcapping"] = *c.final_softcap;
  if (c.experts) {
    m[p + "expert_count"] = c.experts->count;
    m[p + "expert_used_count"] = c.experts->per_token;
    m[p + "expert_feed_forward_length"] = c.experts->intermediate;
  }
  if (c.encoder) m[p + "pooling_type"] = 1;
  if (c.ropes.empty()) return m;
  llm::Json scaling = config["rope_parameters"];
  if (scaling.contains("full_attention")) scaling = llm::Json(scaling["full_attention"]);
  m[p + "rope.freq_base"] = scaling["rope_theta"];
  m[p + "rope.dimension_count"] = 2 * c.ropes[0].frequencies.size();
  const std::string type = scaling["rope_type"];
  const auto pairs = static_cast<std::int64_t>(c.ropes[0].frequencies.size());
  if (type == "llama3") {  // the converter stores by how much each frequency is divided
    std::vector<float> factors;
    for (std::int64_t i = 0; i < pairs; ++i) {
      const double plain =
          std::pow(scaling["rope_theta"].get<double>(), -static_cast<double>(i) / static_cast<double>(pairs));
      factors.push_back(static_cast<float>(plain / c.ropes[0].frequencies[static_cast<std::size_t>(i)]));
    }
    source.tensors["rope_freqs.weight"] = Tensor(factors, {pairs}, test_device());
  } else if (type == "longrope") {
    source.tensors["rope_factors_long.weight"] =
        Tensor(scaling["long_factor"].get<std::vector<float>>(), {pairs}, test_device());
    source.tensors["rope_factors_short.weight"] =
        Tensor(scaling["short_factor"].get<std::vector<float>>(), {pairs}, test_device());
    m[p + "rope.scaling.attn_factor"] = c.ropes[0].magnitude;
    m[p + "rope.scaling.original_context_length"] = c.ropes[0].original_context;
  } else if (type != "default") {
    m[p + "rope.scaling.type"] = type;
    m[p + "rope.scaling.factor"] = scaling["factor"];
    if (type == "yarn") m[p + "rope.scaling.original_context_length"] = scaling["original_max_position_embeddings"];
  }
  return m;
}

// Configs from the metadata of GGUF files give the same logits.
TEST_F(LlmLoad, MetadataOfGguf) {
  const auto lookup = [](const std::map<std::string, llm::Json>& m) {
    return [&m](std::string_view key) {
      const auto found = m.find(std::string(key));
      return found == m.end() ? std::nullopt : std::optional(found->second);
    };
  };
  for (const std::string name : {"llama", "llama_linear", "llama_yarn", "qwen2", "qwen3", "gemma2", "phi3", "phi4_mini",
                                 "olmo2", "gpt2", "mixtral", "gpt_oss", "minilm"}) {
    llm::Model model = llm::Model::load(model_folder(name), {.device = test_device(), .dtype = f32});
    model.pooler.reset();
    MapSource source;
    fill(source, model);
    std::ifstream file(model_folder(name) / "config.json");
    const llm::Json json = llm::Json::parse(file);
    const auto metadata = metadata_of(model.config(), json, source);
    llm::Config config = llm::gguf_config(lookup(metadata), source, "FILE");
    EXPECT_EQ(config.layers, model.config().layers) << name;
    EXPECT_EQ(config.experts, model.config().experts) << name;
    if (name == "gemma2") config.attention_scale = model.config().attention_scale;  // the fixture has another one
    nn::LoadReport report;
    llm::Model again =
        llm::Model::load(config, source, llm::Naming::kGguf, {.device = test_device(), .report = &report});
    EXPECT_TRUE(report.missing.empty() && report.mismatched.empty()) << name << ": " << report.str();
    const Tree points = expected_of(name);
    const auto lengths = points["lengths"].to_vector<std::int32_t>();
    if (config.encoder) continue;
    EXPECT_LT(difference(again.forward(points["ids"]), points["logits"], lengths), 3e-5) << name;
  }
  const auto kind = [&](std::map<std::string, llm::Json> m) {
    MapSource source;
    source.tensors["token_embd.weight"] = zeros({80, 32});
    return error_of([&] { (void)llm::gguf_config(lookup(m), source, "FILE"); }).kind();
  };
  EXPECT_EQ(kind({}), ErrorKind::kParse);
  EXPECT_EQ(kind({{"general.architecture", 3}}), ErrorKind::kParse);
  EXPECT_EQ(kind({{"general.architecture", "mamba"}}), ErrorKind::kUnsupported);
  EXPECT_EQ(kind({{"general.architecture", "llama"}}), ErrorKind::kParse);
  std::map<std::string, llm::Json> good{{"general.architecture", "llama"}, {"llama.embedding_length", 32},
                                        {"llama.block_count", 2},          {"llama.context_length", 64},
                                        {"llama.feed_forward_length", 40}, {"llama.attention.head_count", 4}};
  MapSource source;
  source.tensors["token_embd.weight"] = zeros({80, 32});
  EXPECT_EQ(llm::gguf_config(lookup(good), source, "FILE").head_size, 8);
  for (const auto& [key, value] : {std::pair<std::string, llm::Json>{"llama.block_count", -1},
                                   {"llama.block_count", "two"},
                                   {"llama.attention.head_count", llm::Json::array({4, 8})},
                                   {"llama.attention.head_count", 0},
                                   {"llama.rope.scaling.type", "ntk"},
                                   {"llama.rope.dimension_count", 3},
                                   {"llama.rope.freq_base", -1.0}}) {
    auto bad = good;
    bad[key] = value;
    MapSource other;
    other.tensors["token_embd.weight"] = zeros({80, 32});
    const ErrorKind k = kind(bad);
    EXPECT_TRUE(k == ErrorKind::kParse || k == ErrorKind::kValue || k == ErrorKind::kUnsupported) << key;
  }
}

// A file, as llama.cpp's converter would write it, in f32 and f16.
TEST_F(LlmLoad, GgufFiles) {
  for (const std::string name : {"llama", "qwen3", "gemma2", "phi4_mini", "gpt2", "mixtral", "gpt_oss"}) {
    llm::Model model = llm::Model::load(model_folder(name), {.device = test_device(), .dtype = f32});
    MapSource source;
    fill(source, model);
    std::ifstream json(model_folder(name) / "config.json");
    io::GgufMetadata metadata;
    for (const auto& [key, value] : metadata_of(model.config(), llm::Json::parse(json), source)) {
      if (value.is_string()) {
        metadata.set(key, value.get<std::string>());
      } else if (value.is_number_float()) {
        metadata.set(key, static_cast<float>(value.get<double>()));
      } else {
        metadata.set(key, value.get<std::uint32_t>());
      }
    }
    std::vector<Tree::Named> tensors;
    for (const auto& [key, tensor] : source.tensors)
      tensors.emplace_back(key, tensor.rank() > 1 ? cast(tensor, f16) : tensor);
    const fs::path file = copy_of(name) / "model.gguf";
    io::save_gguf(file, metadata, tensors);
    llm::Model again = llm::Model::load(file, {.device = test_device(), .dtype = f32});
    const Tree points = expected_of(name);
    const auto lengths = points["lengths"].to_vector<std::int32_t>();
    if (name == "gemma2") {  // the fixture has another scale than the metadata implies
      EXPECT_EQ(again.config().attention_scale, 0.25);
      continue;
    }
    EXPECT_LT(difference(again.forward(points["ids"]), points["logits"], lengths), 3e-5) << name;
  }
  const fs::path bad = copy_of("llama") / "model.gguf";
  write(bad, "GGUF");
  EXPECT_EQ(load_error(bad).kind(), ErrorKind::kParse);
}

// Each architecture under the names and conventions of GGUF files.
TEST_F(LlmLoad, NamesOfGguf) {
  int adjacent = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(model_folder(""))) {
    const std::string name = entry.path().filename().string();
    llm::Model model = llm::Model::load(entry.path(), {.device = test_device(), .dtype = f32});
    model.pooler.reset();  // GGUF files have none
    MapSource source;
    fill(source, model);
    nn::LoadReport report;
    llm::Model again =
        llm::Model::load(model.config(), source, llm::Naming::kGguf, {.device = test_device(), .report = &report});
    EXPECT_TRUE(report.ok()) << name << ": " << report.str();
    const Tree points = expected_of(name);
    const auto lengths = points["lengths"].to_vector<std::int32_t>();
    if (model.config().encoder) {
      const llm::ForwardOptions options{.lengths = points["lengths"], .types = points["types"]};
      EXPECT_LT(difference(again.hidden(points["ids"], options), points["hidden"], lengths), 3e-5) << name;
      continue;
    }
    EXPECT_LT(difference(again.forward(points["ids"]), points["logits"], lengths), 3e-5) << name;
    adjacent += again.config().ropes.size() == 1 && again.config().ropes[0].interleaved ? 1 : 0;
  }
  EXPECT_GE(adjacent, 5);  // llama, mistral, mixtral, smollm3
}

TEST_F(LlmLoad, BadInput) {
  llm::Model model = llm::Model::load(model_folder("gpt2"), {.device = test_device()});
  llm::Cache cache = model.cache(2, 16);
  const auto kind = [&](const auto& f) { return error_of(f).kind(); };
  const Tensor ids = zeros({2, 3}, i32);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({3}, i32)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({0, 3}, i32)); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({1, 3})); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({1, 33}, i32)); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({1, 3}, i32), cache); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { (void)model.forward(zeros({2, 17}, i32), cache); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { (void)model.forward(ids, {.lengths = zeros({3}, i32)}); }), ErrorKind::kShape);
  EXPECT_EQ(kind([&] { (void)model.forward(ids, {.lengths = zeros({2})}); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { (void)model.cache(1, 33); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { (void)model.cache(0, 8); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { (void)model.forward(full({1, 3}, 80, i32)).to_vector<float>(); }), ErrorKind::kValue);
  // The context ends in the middle of a call: at the next wait.
  (void)model.forward(zeros({2, 15}, i32), cache);
  EXPECT_EQ(kind([&] { (void)model.forward(ids, cache).to_vector<float>(); }), ErrorKind::kValue);
  llm::Model encoder = llm::Model::load(model_folder("bert"), {.device = test_device()});
  EXPECT_EQ(kind([&] { (void)encoder.cache(1, 8); }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind([&] { (void)encoder.forward(ids); }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind([&] { (void)llm::Model::load(model_folder("bert"), {.dtype = i32}); }), ErrorKind::kDType);
}

// The bytes of the tensors that are loaded, in order, up to those of all tensors of the files.
TEST_F(LlmLoad, Progress) {
  for (const std::string name : {"llama", "mistral", "mixtral", "gpt_oss"}) {
    SCOPED_TRACE(name);
    std::uint64_t total = 0;
    for (const io::TensorEntry& e : io::HfFolder(model_folder(name)).entries()) {
      total += static_cast<std::uint64_t>(e.shape.numel()) * size_of(e.dtype);
    }
    std::vector<io::LoadProgress> seen;
    std::set<std::string> names;
    (void)llm::Model::load(model_folder(name), {.device = test_device(), .progress = [&](const io::LoadProgress& p) {
                                                  EXPECT_TRUE(seen.empty() || p.loaded >= seen.back().loaded);
                                                  EXPECT_LE(p.loaded, p.total);
                                                  names.emplace(p.tensor);
                                                  seen.push_back(p);
                                                }});
    ASSERT_GT(seen.size(), 5U);
    EXPECT_LT(seen.front().loaded, total / 2);
    EXPECT_EQ(seen.back().loaded, total);
    EXPECT_EQ(seen.back().total, total);
    EXPECT_TRUE(names.contains("model.embed_tokens.weight"));
  }
  std::size_t calls = 0;
  EXPECT_THROW((void)llm::Model::load(model_folder("llama"), {.device = test_device(),
                                                              .progress =
                                                                  [&](const io::LoadProgress&) {
                                                                    if (++calls == 3) throw std::runtime_error("no");
                                                                  }}),
               std::runtime_error);
  EXPECT_EQ(calls, 3U);
}

}  // namespace tessera::test
