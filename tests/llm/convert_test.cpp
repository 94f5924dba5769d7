// Conversion to GGUF: models that give the logits of their folders, names of PyPI's gguf (gguf_names.json, by
// make_gguf_names.py), types of tensors, and files that must not be written.
#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "llm/support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

namespace fs = std::filesystem;
using io::GgmlType;

const nlohmann::json& gguf_names() {
  static const auto all = nlohmann::json::parse(std::ifstream(TESSERA_SOURCE_DIR "/tests/llm/gguf_names.json"));
  return all;
}

class Convert : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    test_device().set_current();
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  [[nodiscard]] fs::path file(const std::string& name) const { return root_ / name; }
  /// A safetensors file of matrices with Gaussian numbers.
  [[nodiscard]] fs::path some_tensors(const std::vector<std::pair<std::string, Shape>>& list) const {
    std::vector<Tree::Named> tensors;
    const random::Use seeded{random::Generator(3)};
    for (const auto& [name, shape] : list) tensors.emplace_back(name, random::normal(shape));
    io::save_safetensors(file("in.safetensors"), tensors);
    return file("in.safetensors");
  }
  static GgmlType type_of(const std::vector<llm::ConvertedTensor>& made, const std::string& name) {
    for (const llm::ConvertedTensor& t : made) {
      if (t.name == name) return t.to;
    }
    ADD_FAILURE() << name;
    return GgmlType::kF64;
  }

 private:
  fs::path root_ = fs::temp_directory_path() / ("tessera_convert_" + std::to_string(::getpid()));
};
using ConvertTypes = Convert;

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& [name, value] : gguf_names().items()) names.push_back(name);
  return names;
}

}  // namespace

TEST_P(Convert, LogitsAndNames) {
  const fs::path out = file("model.gguf");
  (void)llm::convert(model_folder(GetParam()), out, {.type = "f32"});
  nn::LoadReport report;
  llm::Model got = llm::Model::load(out, {.device = test_device(), .report = &report});
  report.unexpected.erase(std::remove_if(report.unexpected.begin(), report.unexpected.end(),
                                         [](const std::string& n) { return n.starts_with("rope_f"); }),
                          report.unexpected.end());
  EXPECT_TRUE(report.ok()) << report.str();
  llm::Model want = llm::Model::load(model_folder(GetParam()), {.device = test_device(), .dtype = f32});
  const Tensor ids = expected_of(GetParam())["ids"];
  const std::vector<std::int32_t> lengths(static_cast<std::size_t>(ids.size(0)),
                                          static_cast<std::int32_t>(ids.size(1)));
  const bool encoder = want.config().encoder;
  const double d = encoder ? difference(got.hidden(ids), want.hidden(ids), lengths)
                           : difference(got.forward(ids), want.forward(ids), lengths);
  // Prompts meet blocks in halves on tensor cores; the converted file has none.
  const bool halves = GetParam() == "gpt_oss_mxfp4" && !test_device().info().matrices.empty();
  EXPECT_LT(d, halves ? 0x1p-8 : 1e-5);

  const io::GgufFile written(out);
  std::set<std::string> names;
  for (const io::GgufEntry& e : written.entries()) {
    // Factors of RoPE are no tensor of the folder, and gguf knows no dense layers of Qwen3-MoE.
    const bool other = e.name.starts_with("rope_f") || (GetParam() == "qwen3_moe" && e.name.starts_with("blk.1.ffn_") &&
                                                        e.name != "blk.1.ffn_norm.weight");
    if (!other) names.insert(e.name);
  }
  EXPECT_EQ(names, gguf_names()[GetParam()]["names"].get<std::set<std::string>>());
  EXPECT_EQ(written.metadata().at("general.architecture").text(), gguf_names()[GetParam()]["architecture"]);
}

INSTANTIATE_TEST_SUITE_P(All, Convert, testing::ValuesIn(models()), [](const auto& p) { return p.param; });

TEST_F(ConvertTypes, RowsThatAreNotWholeBlocks) {
  const auto made = llm::convert(model_folder("llama"), file("a.gguf"), {.type = "q4_k"});
  for (const llm::ConvertedTensor& t : made) {
    const bool matrix = t.shape.rank() == 2;
    EXPECT_EQ(t.other, matrix) << t.name;
    if (!matrix) {
      EXPECT_EQ(t.to, GgmlType::kF32) << t.name;
    }
    // Rows have 32 elements, or 40 of the down projection; embeddings are the output weights.
    if (matrix && t.name.find("ffn_down") != std::string::npos) {
      EXPECT_EQ(t.to, GgmlType::kF16) << t.name;
    }
    if (matrix && t.name.find("attn") != std::string::npos) {
      EXPECT_EQ(t.to, GgmlType::kQ5_0) << t.name;
    }
    if (t.name == "token_embd.weight") {
      EXPECT_EQ(t.to, GgmlType::kQ8_0);
    }
  }
  llm::Model model = llm::Model::load(file("a.gguf"), {.device = test_device()});
  // Tiny models amplify errors of weights; their logits still point the same way.
  const Tree points = expected_of("llama");
  const Tensor got = model.forward(points["ids"]);
  const Tensor want = llm::Model::load(model_folder("llama"), {.device = test_device()}).forward(points["ids"]);
  const double cosine =
      sum(got * want).item<float>() / std::sqrt(sum(square(got)).item<float>() * sum(square(want)).item<float>());
  EXPECT_GT(cosine, 0.95);
}

TEST_F(ConvertTypes, Mixes) {
  std::vector<std::pair<std::string, Shape>> list{
      {"token_embd.weight", {32, 256}}, {"output.weight", {32, 256}}, {"output_norm.weight", {256}}};
  for (int i = 0; i < 8; ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    list.emplace_back(layer + "attn_v.weight", Shape{16, 256});
    list.emplace_back(layer + "attn_q.weight", Shape{16, 256});
    list.emplace_back(layer + "ffn_gate_inp.weight", Shape{4, 256});
  }
  const fs::path in = some_tensors(list);
  const auto made = llm::convert(in, file("m.gguf"), {.type = "Q4_K_M"});
  EXPECT_EQ(type_of(made, "output.weight"), GgmlType::kQ6_K);
  EXPECT_EQ(type_of(made, "token_embd.weight"), GgmlType::kQ4_K);
  EXPECT_EQ(type_of(made, "output_norm.weight"), GgmlType::kF32);
  EXPECT_EQ(type_of(made, "blk.3.ffn_gate_inp.weight"), GgmlType::kF32);
  for (int i = 0; i < 8; ++i) {
    const std::string layer = "blk." + std::to_string(i) + ".";
    const bool more = i == 0 || i == 7 || i == 3 || i == 6;
    EXPECT_EQ(type_of(made, layer + "attn_v.weight"), more ? GgmlType::kQ6_K : GgmlType::kQ4_K) << i;
    EXPECT_EQ(type_of(made, layer + "attn_q.weight"), GgmlType::kQ4_K) << i;
  }
  for (const llm::ConvertedTensor& t : made) {
    if (t.to == GgmlType::kQ4_K) {
      EXPECT_NEAR(t.error, 0.07, 0.01) << t.name;
    }
    if (t.to == GgmlType::kQ6_K) {
      EXPECT_NEAR(t.error, 0.017, 0.002) << t.name;
    }
  }
  const auto pure = llm::convert(in, file("p.gguf"), {.type = "q4_k", .pure = true});
  EXPECT_EQ(type_of(pure, "output.weight"), GgmlType::kQ4_K);
  const io::GgufFile file_m(file("m.gguf"));
  EXPECT_EQ(file_m.metadata().at("general.file_type").integer(), 15);
  EXPECT_EQ(file_m.metadata().at("general.quantization_version").integer(), 2);
}

TEST_F(ConvertTypes, EveryTypeFromAGgufFile) {
  const fs::path in = some_tensors({{"blk.0.attn_q.weight", {8, 256}}, {"blk.0.attn_norm.weight", {256}}});
  const auto original = io::load_safetensors(in)["blk.0.attn_q.weight"];
  (void)llm::convert(in, file("in.gguf"), {.type = "f32"});
  for (const std::string& type : llm::convert_types()) {
    std::uint64_t last = 0;
    std::string names;
    const auto made = llm::convert(file("in.gguf"), file(type + ".gguf"),
                                   {.type = type, .progress = [&](const llm::ConvertProgress& p) {
                                      EXPECT_GE(p.done, last);
                                      last = p.done;
                                      names += p.tensor->name + " ";
                                      EXPECT_EQ(p.total, 8U * 256 * 4 + 256 * 4);
                                    }});
    EXPECT_EQ(last, 8U * 256 * 4 + 256 * 4);
    EXPECT_EQ(names.size(), std::string("blk.0.attn_norm.weight blk.0.attn_q.weight ").size()) << type;
    const Tensor back = io::GgufFile(file(type + ".gguf")).tensor("blk.0.attn_q.weight");
    const Tensor value = is_block(back.dtype()) ? dequantize(back) : back.astype(f32);
    const double error = std::sqrt(mean(square(value - original)).item<float>() / mean(square(original)).item<float>());
    for (const llm::ConvertedTensor& t : made) {
      if (t.name == "blk.0.attn_q.weight") {
        EXPECT_NEAR(t.error, error, 1e-5 + 0.01 * error) << type;
      }
    }
    EXPECT_LT(error, 0.3) << type;
    // The same type again copies the bytes.
    (void)llm::convert(file(type + ".gguf"), file("again.gguf"), {.type = type});
    const io::GgufFile again(file("again.gguf"));
    const io::GgufFile once(file(type + ".gguf"));
    for (const io::GgufEntry& e : once.entries()) {
      EXPECT_TRUE(std::ranges::equal(again.bytes(e.name).bytes, once.bytes(e.name).bytes)) << type << " " << e.name;
    }
  }
}

TEST_F(ConvertTypes, FilesThatAreNotWritten) {
  const fs::path in = some_tensors({{"a.weight", {2, 32}}});
  const auto text = [](const auto& f) { return std::string(error_of(f).what()); };
  EXPECT_NE(text([&] { (void)llm::convert(in, in, {.type = "q8_0"}); }).find("overwritten"), std::string::npos);
  fs::create_symlink(in, file("link.gguf"));
  EXPECT_NE(text([&] { (void)llm::convert(in, file("link.gguf"), {.type = "q8_0"}); }).find("overwritten"),
            std::string::npos);
  EXPECT_NE(text([&] { (void)llm::convert(in, file("x.gguf"), {.type = "q9_0"}); }).find("q4_k_m"), std::string::npos);
  EXPECT_EQ(error_of([&] { (void)llm::convert(file("none.gguf"), file("x.gguf")); }).kind(), ErrorKind::kIo);
  const auto stop = [](const llm::ConvertProgress& /*unused*/) { throw std::runtime_error("stop"); };
  EXPECT_THROW((void)llm::convert(in, file("x.gguf"), {.progress = stop}), std::runtime_error);

  for (const float bad : {1e30F, INFINITY, std::nanf("")}) {
    std::vector<float> x(64, 1);
    x[40] = bad;
    io::save_safetensors(file("bad.safetensors"), std::vector<Tree::Named>{{"a.weight", Tensor(x, {2, 32})}});
    for (const char* type : {"f16", "q4_0", "q8_0"}) {
      const Error e = error_of([&] { (void)llm::convert(file("bad.safetensors"), file("x.gguf"), {.type = type}); });
      EXPECT_EQ(e.kind(), ErrorKind::kValue) << type << " " << bad;
    }
  }
  EXPECT_FALSE(fs::exists(file("x.gguf")));
  for (const auto& entry : fs::directory_iterator(file("").parent_path())) {
    EXPECT_EQ(entry.path().filename().string().find("x.gguf"), std::string::npos) << entry.path();
  }
}

TEST_F(ConvertTypes, FoldersThatDoNotMatch) {
  const fs::path folder = file("folder");
  fs::copy(model_folder("llama"), folder, fs::copy_options::recursive);
  const fs::path weights = folder / "model.safetensors";
  std::vector<Tree::Named> some;
  for (const auto& [name, t] : io::load_safetensors_list(weights)) {
    if (name != "model.layers.1.mlp.up_proj.weight") some.emplace_back(name, t.astype(f32));
  }
  eval(some[0].second);
  io::save_safetensors(weights, some);
  const Error e = error_of([&] { (void)llm::convert(folder, file("x.gguf")); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_NE(std::string(e.what()).find("up_proj"), std::string::npos) << e.what();
}

TEST_F(ConvertTypes, TokenizersAndTemplates) {
  const fs::path folder = file("folder");
  fs::copy(model_folder("llama"), folder, fs::copy_options::recursive);
  std::ofstream(folder / "chat_template.jinja") << "{{ messages }}";
  std::ofstream(folder / "tokenizer_config.json") << R"({"eos_token": {"content": "<e>"}, "pad_token": "b"})";
  std::ofstream(folder / "tokenizer.json") << R"({"version": "1.0", "added_tokens": [
      {"id": 3, "content": "<s>", "special": true}, {"id": 4, "content": "<e>", "special": true},
      {"id": 6, "content": "<x>", "special": false}],
    "normalizer": {"type": "NFC"},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
      {"type": "Split", "pattern": {"Regex": "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
       "behavior": "Isolated", "invert": false},
      {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]},
    "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
      {"Sequence": {"id": "A", "type_id": 0}}]},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}})";
  (void)llm::convert(folder, file("t.gguf"), {.type = "q8_0"});
  const io::GgufFile made(file("t.gguf"));
  const io::GgufMetadata& m = made.metadata();
  EXPECT_EQ(m.at("tokenizer.ggml.model").text(), "gpt2");
  EXPECT_EQ(m.at("tokenizer.ggml.pre").text(), "qwen2");
  EXPECT_EQ(m.at("tokenizer.ggml.merges").texts(), std::vector<std::string>{"a b"});
  const auto& tokens = m.at("tokenizer.ggml.tokens").texts();
  ASSERT_EQ(tokens.size(), 80U);  // as many as the embeddings
  EXPECT_EQ(std::vector<std::string>(tokens.begin(), tokens.begin() + 8),
            (std::vector<std::string>{"a", "b", "ab", "<s>", "<e>", "[PAD5]", "<x>", "[PAD7]"}));
  const auto types = m.at("tokenizer.ggml.token_type").integers();
  EXPECT_EQ(std::vector<std::int64_t>(types.begin(), types.begin() + 8),
            (std::vector<std::int64_t>{1, 1, 1, 3, 3, 5, 4, 5}));
  EXPECT_EQ(m.at("tokenizer.ggml.bos_token_id").integer(), 3);
  EXPECT_EQ(m.at("tokenizer.ggml.eos_token_id").integer(), 4);
  EXPECT_EQ(m.at("tokenizer.ggml.padding_token_id").integer(), 1);
  EXPECT_TRUE(m.at("tokenizer.ggml.add_bos_token").boolean());
  EXPECT_FALSE(m.at("tokenizer.ggml.add_eos_token").boolean());
  EXPECT_EQ(m.at("tokenizer.chat_template").text(), "{{ messages }}");
  EXPECT_EQ(m.at("general.name").text(), "folder");

  std::ofstream(folder / "tokenizer.json") << R"({"model": {"type": "WordLevel", "vocab": {"a": 0}}})";
  const Error e = error_of([&] { (void)llm::convert(folder, file("x.gguf")); });
  EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(e.what()).find("WordLevel"), std::string::npos) << e.what();
}

}  // namespace tessera::test
