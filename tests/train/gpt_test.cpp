// The language model: decoding with a cache, folders of the transformers package, sums, texts, and bad options.
#include "train/gpt.h"

#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "support/devices.h"
#include "support/errors.h"
#include "train/files.h"
#include "train/support.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using app::Characters;
using app::GptOptions;
using app::Llama;
using app::LlamaConfig;
using app::Sums;
using app::Tokens;
using GptTest = TrainTest;

Tensor tokens_of(std::int64_t batch, std::int64_t length, std::int64_t vocabulary) {
  return random::randint({batch, length}, 0, vocabulary, i32).eval();
}

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item<double>(); }

/// Configurations that differ in what is saved and how it is computed.
std::vector<LlamaConfig> configs() {
  return {{.vocabulary = 11, .layers = 1, .heads = 1, .kv_heads = 1, .width = 2, .context = 8},
          {.vocabulary = 11, .layers = 2, .heads = 4, .kv_heads = 4, .width = 32, .context = 16},
          {.vocabulary = 11, .layers = 3, .heads = 4, .kv_heads = 2, .width = 32, .context = 16, .tied = false},
          {.vocabulary = 11,
           .layers = 2,
           .heads = 4,
           .kv_heads = 1,
           .width = 24,
           .hidden = 40,
           .context = 16,
           .tied = false,
           .dropout = 0.3,
           .norm_eps = 1e-3,
           .rope_theta = 500}};
}

TEST_F(GptTest, DecodingWithACacheGivesTheLogitsOfTheWholeText) {
  for (const LlamaConfig& config : configs()) {
    Llama model(config);
    model.eval();
    const Tensor tokens = tokens_of(2, 7, 11);
    const Tensor whole = model(tokens);
    app::LlamaCache cache = model.cache(2);
    for (int again = 0; again < 2; ++again) {
      Tensor logits = model.decode(slice(tokens, {{}, {0, 3}}), cache);
      EXPECT_LT(difference(logits, squeeze(slice(whole, {{}, {2, 3}}), {1})), 1e-4);
      for (std::int64_t i = 3; i < 7; ++i) {
        logits = model.decode(slice(tokens, {{}, {i, i + 1}}), cache);
        EXPECT_LT(difference(logits, squeeze(slice(whole, {{}, {i, i + 1}}), {1})), 1e-4) << i;
      }
      cache.reset();
    }
  }
}

TEST_F(GptTest, AFolderGivesTheSameLogits) {
  const Characters characters("abcdefghij\n");
  for (const LlamaConfig& config : configs()) {
    Llama model(config);
    app::save_llama(folder_ / "model", model, characters, 0);
    app::LoadedLlama loaded = app::load_llama(folder_ / "model");
    model.eval();
    loaded.model.eval();
    const Tensor tokens = tokens_of(3, 8, 11);
    EXPECT_EQ(difference(model(tokens), loaded.model(tokens)), 0);
    EXPECT_TRUE(loaded.vocabulary == characters);
    const Tree file = io::load_safetensors(folder_ / "model/model.safetensors");
    for (const char* name :
         {"model.embed_tokens.weight", "model.norm.weight", "model.layers.0.self_attn.q_proj.weight",
          "model.layers.0.self_attn.k_proj.weight", "model.layers.0.self_attn.v_proj.weight",
          "model.layers.0.self_attn.o_proj.weight", "model.layers.0.mlp.gate_proj.weight",
          "model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.down_proj.weight",
          "model.layers.0.input_layernorm.weight", "model.layers.0.post_attention_layernorm.weight"}) {
      EXPECT_TRUE(file.contains(name)) << name;
    }
    EXPECT_EQ(file.contains("lm_head.weight"), !config.tied);
    EXPECT_EQ(file.size(), static_cast<std::size_t>(9 * config.layers + 2 + (config.tied ? 0 : 1)));
  }
}

TEST_F(GptTest, ModelsOfTransformersGiveTheirLogits) {
  for (const char* name : {"tied", "grouped"}) {
    const fs::path folder = fs::path(TESSERA_SOURCE_DIR) / "tests/train/llama" / name;  // make_llama.py writes them
    app::LoadedLlama loaded = app::load_llama(folder);
    loaded.model.eval();
    const Tree expected = io::load_safetensors(folder / "logits.safetensors");
    EXPECT_GT(max(abs(expected.tensor("logits"))).item<double>(), 1);
    EXPECT_LT(difference(loaded.model(expected.tensor("tokens")), expected.tensor("logits")), 2e-5) << name;
    EXPECT_EQ(loaded.vocabulary.decode_after({}, {0, 9, 10}), "aj\n");
    app::save_llama(folder_, loaded.model, loaded.vocabulary);
    const Tree saved = io::load_safetensors(folder_ / "model.safetensors");
    const Tree theirs = io::load_safetensors(folder / "model.safetensors");
    EXPECT_EQ(saved.names(), theirs.names());
    (void)Tree::zip(saved, theirs, [](const Tensor& a, const Tensor& b) {
      EXPECT_EQ(difference(a, b), 0);
      return a;
    });
  }
}

TEST_F(GptTest, FoldersThatAreNotOursAreErrors) {
  app::save_llama(folder_, Llama(configs()[1]), Characters("abcdefghij\n"));
  const auto fails = [&](const char* file, const char* pointer, const app::Json& value, const std::string& part) {
    const app::Json good = app::read_json(folder_ / file);
    app::Json bad = good;
    bad[app::Json::json_pointer(pointer)] = value;
    app::write_json(folder_ / file, bad);
    const Error e = error_of([&] { (void)app::load_llama(folder_); });
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << pointer << ": " << e.what();
    EXPECT_TRUE(std::string(e.what()).ends_with('.')) << e.what();
    app::write_json(folder_ / file, good);
  };
  fails("config.json", "/model_type", "gpt2", "\"llama\" is expected");
  for (const char* key : {"/vocab_size", "/hidden_size", "/intermediate_size", "/num_hidden_layers",
                          "/num_attention_heads", "/num_key_value_heads", "/max_position_embeddings"}) {
    for (const app::Json& value : {app::Json(0), app::Json(-1), app::Json("2"), app::Json(1.5), app::Json()}) {
      fails("config.json", key, value, "an integer of at least 1 is expected");
    }
  }
  fails("config.json", "/vocab_size", 12, "its tokenizer.json has 11 tokens");
  fails("config.json", "/num_hidden_layers", 1, "model.layers.1");
  fails("config.json", "/num_attention_heads", 5, "for 5 heads");
  fails("tokenizer.json", "/model/vocab", app::Json::object(), "has no vocabulary");
  fails("tokenizer.json", "/model/vocab/a", 2, "with the id 2");
  fails("tokenizer.json", "/model/vocab/a", -1, "with the id -1");
  fails("tokenizer.json", "/model/vocab/a", 99, "with the id 99");
  fails("tokenizer.json", "/model/vocab/ab", 11, "has the token 'ab'");
  std::ofstream(folder_ / "config.json") << "[]";
  EXPECT_EQ(error_of([&] { (void)app::load_llama(folder_); }).kind(), ErrorKind::kParse);
  fs::remove(folder_ / "config.json");
  EXPECT_EQ(error_of([&] { (void)app::load_llama(folder_); }).kind(), ErrorKind::kIo);
}

TEST_F(GptTest, CharactersOfEveryLength) {
  const std::string text = "z\u00e9\u20ac\U0001f600\n\"\\ a\x01";
  const Characters characters(text + text);
  EXPECT_EQ(characters.size(), 10);
  EXPECT_EQ(characters.decode(characters.encode(text)), text);
  EXPECT_EQ(characters.encode("\x01\n"), (Tokens{0, 1})) << "in the order of code points";
  EXPECT_EQ(characters.encode("\U0001f600"), (Tokens{9}));
  app::Vocabulary(characters).save(folder_);
  EXPECT_TRUE(app::Vocabulary::load(folder_) == characters);
  EXPECT_NE(std::string(error_of([&] { (void)characters.encode("ab"); }).what()).find("The character 'b'"),
            std::string::npos);
  for (const char* bad : {"\x80", "a\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff",
                          "\xe2\x82", "\xf0\x9f\x98"}) {
    const Error e = error_of([&] { const Characters c(bad); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string(e.what()).find("is not valid UTF-8 at byte"), std::string::npos) << e.what();
  }
}

TEST_F(GptTest, ATextPastTheContextGoesOn) {
  Llama model({.vocabulary = 5, .layers = 1, .heads = 2, .kv_heads = 2, .width = 8, .context = 6});
  for (const std::size_t prompt : {1U, 5U, 6U, 20U}) {
    const std::vector<Tokens> written =
        app::generate(model, {Tokens(prompt, 1), Tokens(prompt, 2)}, {.count = 15, .temperature = 1});
    ASSERT_EQ(written.size(), 2U);
    for (const Tokens& row : written) {
      EXPECT_EQ(row.size(), 15U);
      for (const std::int32_t t : row) EXPECT_TRUE(t >= 0 && t < 5) << t;
    }
  }
  EXPECT_TRUE(model.training()) << "as before";
}

TEST_F(GptTest, HeldOutSumsAreNotDrawn) {
  for (const int digits : {1, 2, 3}) {
    const Sums sums(digits, 3);
    std::set<std::string> held_out;
    for (const app::Sum& s : sums.held_out()) held_out.insert(fmt::format("{}+{}=", s.a, s.b));
    EXPECT_EQ(held_out.size(), digits == 1 ? 10U : 1000U);
    std::mt19937_64 random(1);
    const app::Batch batch = sums.draw(3000, random);
    const std::vector<std::int32_t> tokens = batch.tokens.to_vector<std::int32_t>();
    const std::vector<std::int32_t> targets = batch.targets.to_vector<std::int32_t>();
    const auto width = static_cast<std::size_t>(batch.tokens.size(1));
    for (std::size_t row = 0; row < 3000; ++row) {
      const std::string line = sums.characters().decode(std::span(tokens).subspan(row * width, width));
      const std::size_t equals = line.find('=');
      EXPECT_FALSE(held_out.contains(line.substr(0, equals + 1))) << line;
      const app::Sum sum = sums.parse(line.substr(0, equals));
      const std::string answer = std::to_string(sum.a + sum.b);
      std::string targeted;  // what has a loss: scratch digits in reverse, the answer, and the end of the line
      for (std::size_t i = 0; i < width; ++i) {
        const std::int32_t t = targets[row * width + i];
        if (t != app::kIgnored) targeted += sums.characters().decode(std::span(&t, 1));
      }
      std::string scratch;
      for (const char c : answer) scratch.insert(0, std::string("\xE2\x82") + static_cast<char>(0x80 + (c - '0')));
      ASSERT_EQ(targeted, scratch + answer + "\n") << line;
    }
  }
  const Sums sums(2, 1);
  EXPECT_EQ(sums.parse(" 7 + 58 = ").b, 58);
  for (const char* bad :
       {"", "+", "1+", "+1", "a+b", "1+2+3", "-1+2", "100+1", "1+100", "1+99999999999999999999", "12"}) {
    EXPECT_EQ(error_of([&] { (void)sums.parse(bad); }).kind(), ErrorKind::kValue) << bad;
  }
}

/// The validation losses that a job prints.
std::vector<double> validation_losses(const std::string& text) {
  std::vector<double> out;
  const std::regex line("step [0-9]+: train loss [0-9.]+, validation loss ([0-9.]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at)
    out.push_back(std::stod((*at)[1]));
  return out;
}

TEST_F(GptTest, TheLossOnSumsFalls) {
  GptOptions o{.out = folder_ / "sums", .steps = 120, .eval_every = 40};
  o.width = 32;
  o.batch = 64;
  const std::string text = printed([&] { EXPECT_EQ(app::train_gpt(o), 0) << "a smaller job promises nothing"; });
  const std::vector<double> losses = validation_losses(text);
  ASSERT_EQ(losses.size(), 3U) << text;
  EXPECT_LT(losses[0], 2.2) << "a guess has a loss of log 23, which is 3.14\n" << text;
  EXPECT_LT(losses[1], losses[0]) << text;
  EXPECT_LT(losses[2], 1.7) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("held-out exact match: 0\\.[0-9]{3}\n$"))) << text;
  // The saved model gives the same answers.
  const std::string again = printed([&] { EXPECT_EQ(app::train_gpt({.load = folder_ / "sums", .steps = 0}), 0); });
  EXPECT_EQ(again.substr(again.rfind('\n', again.size() - 2)), text.substr(text.rfind('\n', text.size() - 2)));
}

TEST_F(GptTest, ATextIsLearnedAndSampled) {
  std::string poem;
  for (int i = 0; i < 60; ++i) poem += "the quick brown fox jumps over the lazy dog \u00e9\n";
  std::ofstream(folder_ / "text") << poem;
  GptOptions o{.text = folder_ / "text", .out = folder_ / "model"};
  o.layers = 2;
  o.width = 32;
  o.kv_heads = 2;
  o.context = 32;
  o.steps = 100;
  o.lr = 1e-2;
  o.eval_every = 50;
  o.prompt = "the quick";
  o.sample = 60;
  o.temperature = 0;
  o.untied = true;
  o.dropout = 0.1;
  const std::string text = printed([&] { EXPECT_EQ(app::train_gpt(o), 0); });
  const std::vector<double> losses = validation_losses(text);
  ASSERT_EQ(losses.size(), 2U) << text;
  EXPECT_LT(losses[1], 0.7) << text;
  EXPECT_NE(text.find("---\nthe quick brown fox jumps"), std::string::npos) << text;
  GptOptions again{.text = o.text, .load = folder_ / "model", .steps = 0};
  again.prompt = o.prompt;
  again.sample = o.sample;
  again.temperature = 0;
  const std::string sampled = printed([&] { EXPECT_EQ(app::train_gpt(again), 0); });
  const auto sample_of = [](const std::string& all) {
    return all.substr(all.find("---"), all.rfind("---") - all.find("---"));
  };
  EXPECT_EQ(sample_of(sampled), sample_of(text));
}

/// With the text library: a byte-level BPE tokenizer of 400 tokens in the folder.
class TokenizerTest : public TrainTest {
 protected:
  void SetUp() override {
    TrainTest::SetUp();
    if (const std::string why = text::library().error; !why.empty()) GTEST_SKIP() << why;
    json_ = tokenizer("gpt2");
    app::write_json(file_, json_);
  }
  static app::Json tokenizer(const std::string& name) {
    const app::Json points = app::read_json(TESSERA_SOURCE_DIR "/tests/text/points.json");
    for (const app::Json& each : points["tokenizers"]) {
      if (each["name"] == name) return each["json"];
    }
    throw std::runtime_error("there is no such tokenizer");
  }
  GptOptions options(std::string_view text) const {
    std::ofstream(folder_ / "text", std::ios::binary) << text;
    GptOptions o{.text = folder_ / "text", .tokenizer = file_};
    o.layers = 2;
    o.width = 32;
    o.context = 16;
    o.steps = 60;
    o.lr = 1e-2;
    o.eval_every = 30;
    o.sample = 24;
    o.temperature = 0;
    return o;
  }

  fs::path file_ = folder_ / "given.json";
  app::Json json_;
};

std::string repeated(const std::string& line, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += line;
  return all;
}

const std::string kLine = "The quick brown fox \u00e9\u20ac\U0001f600 jumps over the lazy dog.\n";

TEST_F(TokenizerTest, ATextOfTokensIsLearnedSavedAndSampled) {
  GptOptions o = options(repeated(kLine, 60));
  o.out = folder_ / "model";
  o.prompt = "The quick";
  const std::string text = printed([&] { EXPECT_EQ(app::train_gpt(o), 0); });
  const std::vector<double> losses = validation_losses(text);
  ASSERT_EQ(losses.size(), 2U) << text;
  EXPECT_LT(losses[1], 0.5) << text;
  EXPECT_NE(text.find("context 16, 400 tokens)"), std::string::npos) << text;
  EXPECT_NE(text.find("---\nThe quick brown fox"), std::string::npos) << text;
  // The tokenizer is the given file, byte for byte, and any program that reads it encodes as the model was trained.
  EXPECT_EQ(app::read_text(folder_ / "model/tokenizer.json"), app::read_text(file_));
  EXPECT_EQ(app::read_json(folder_ / "model/config.json")["vocab_size"], 400);
  GptOptions again = options(repeated(kLine, 60));
  again.tokenizer.clear();
  again.load = folder_ / "model";
  again.steps = 0;
  again.prompt = o.prompt;
  for (const bool given : {false, true}) {
    if (given) again.tokenizer = file_;
    const std::string sampled = printed([&] { EXPECT_EQ(app::train_gpt(again), 0); });
    EXPECT_EQ(sampled.substr(sampled.find("---")),
              text.substr(text.find("---"), text.rfind("---") + 4 - text.find("---")));
  }
  // Without a prompt a sample begins behind a newline.
  again.prompt.clear();
  EXPECT_NE(printed([&] { EXPECT_EQ(app::train_gpt(again), 0); }).find("---\nThe quick"), std::string::npos);
}

TEST_F(TokenizerTest, EveryKindOfTokenizerEncodesAndDecodes) {
  for (const char* name : {"gpt2", "llama2", "bert"}) {
    const app::Json json = tokenizer(name);
    app::write_json(file_, json);
    const app::Vocabulary v = app::Vocabulary::load(file_);
    EXPECT_EQ(v.size(), static_cast<std::int64_t>(text::Tokenizer(file_).vocab_size())) << name;
    EXPECT_TRUE(v.fits(v.size() + 7) && !v.fits(v.size() - 1));
    const Tokens all = v.encode("the quick the dog");
    ASSERT_GE(all.size(), 4U) << name;
    for (const std::int32_t t : all) EXPECT_TRUE(t >= 0 && t < v.size());
    for (std::size_t split = 1; split + 1 < all.size(); ++split) {
      const Tokens before(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(split));
      const Tokens after(all.begin() + static_cast<std::ptrdiff_t>(split), all.end());
      EXPECT_EQ(v.decode_after({}, before) + v.decode_after(before, after), v.decode_after({}, all)) << name;
    }
    EXPECT_FALSE(v.start().empty());
    v.save(folder_);
    EXPECT_TRUE(app::Vocabulary::load(folder_) == v);
    EXPECT_FALSE(app::Vocabulary(Characters("abc")) == v);
  }
}

TEST_F(TokenizerTest, BadTokenizersAndTextsAreErrors) {
  const auto fails = [&](const GptOptions& o, ErrorKind kind, const std::string& part) {
    (void)printed([&] {
      const Error e = error_of([&] { (void)app::train_gpt(o); });
      EXPECT_EQ(e.kind(), kind) << e.what();
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << ": " << e.what();
      EXPECT_TRUE(std::string(e.what()).ends_with('.')) << e.what();
    });
  };
  const GptOptions good = options(repeated(kLine, 60));
  fails(options(""), ErrorKind::kValue, "The text has 0 tokens; at least 170");
  fails(options("short"), ErrorKind::kValue, "at least 170");
  fails(options("\xff\xfe"), ErrorKind::kValue, "UTF-8");
  fails(options(repeated(kLine, 60) + "\xc3"), ErrorKind::kValue, "UTF-8");
  GptOptions o = options(repeated(kLine, 60));
  o.text.clear();
  fails(o, ErrorKind::kValue, "a tokenizer was given without a text");
  o = good;
  o.tokenizer = folder_ / "no";
  fails(o, ErrorKind::kIo, "cannot be read");
  std::ofstream(folder_ / "other.json") << "{}";
  o.tokenizer = folder_ / "other.json";
  fails(o, ErrorKind::kParse, "other.json' is not a valid tokenizer.json");
  // Ids that are no rows of an embedding.
  app::Json far = json_;
  far["model"]["vocab"]["far"] = 3000000000U;
  app::write_json(file_, far);
  fails(good, ErrorKind::kValue, "has 401 tokens, of which 400 have an id below 66338");
  // A normalizer that leaves nothing of the prompt, or of the text.
  app::Json empty = json_;
  empty["normalizer"] = {{"type", "Replace"}, {"pattern", {{"Regex", "x+"}}}, {"content", ""}};
  app::write_json(file_, empty);
  o = good;
  o.prompt = "xxx";
  fails(o, ErrorKind::kValue, "the prompt 'xxx' has no tokens");
  fails(options(std::string(5000, 'x')), ErrorKind::kValue, "The text has 0 tokens");
  // Another tokenizer than that of the model.
  app::write_json(file_, json_);
  o = options(repeated(kLine, 60));
  o.out = folder_ / "model";
  o.steps = 0;
  o.sample = 0;
  (void)printed([&] { EXPECT_EQ(app::train_gpt(o), 0); });
  app::write_json(file_, empty);
  o.load = o.out;
  fails(o, ErrorKind::kValue, "the loaded model has 400 tokens, which are not the 400 tokens of the data");
  app::Json config = app::read_json(folder_ / "model/config.json");
  config["vocab_size"] = 399;
  app::write_json(folder_ / "model/config.json", config);
  fails(o, ErrorKind::kParse, "has a vocab_size of 399, and its tokenizer.json has 400 tokens");
}

TEST_F(GptTest, BadOptionsAreErrors) {
  std::ofstream(folder_ / "short") << "too short";
  std::ofstream(folder_ / "long") << std::string(100, '0') + "0123456789" + std::string(1000, '0');
  std::ofstream(folder_ / "binary") << "\xff\xfe";
  using Set = std::function<void(GptOptions&)>;
  const std::vector<std::pair<Set, std::string>> cases{
      {[](GptOptions& o) { o.layers = 0; }, "0 was given for layers"},
      {[](GptOptions& o) { o.heads = -1; }, "-1 was given for heads"},
      {[](GptOptions& o) { o.heads = 3; }, "for 3 heads"},
      {[](GptOptions& o) { o.width = 36; }, "an even number for each head"},
      {[](GptOptions& o) { o.kv_heads = 3; }, "3 kv-heads were given for 4 heads"},
      {[](GptOptions& o) { o.hidden = -1; }, "A hidden width of -1"},
      {[](GptOptions& o) { o.context = 5; }, "a context of 5"},
      {[](GptOptions& o) { o.batch = 0; }, "a batch of 0"},
      {[](GptOptions& o) { o.steps = -1; }, "-1 steps"},
      {[](GptOptions& o) { o.warmup = 5000; }, "a warm-up of 5000 steps"},
      {[](GptOptions& o) { o.lr = 0; }, "a rate of 0"},
      {[](GptOptions& o) { o.lr = std::nan(""); }, "a rate of nan"},
      {[](GptOptions& o) { o.min_lr = 1; }, "a last rate of 1"},
      {[](GptOptions& o) { o.dropout = 1; }, "A dropout of 1"},
      {[](GptOptions& o) { o.clip = 0; }, "clipping at 0"},
      {[](GptOptions& o) { o.beta2 = 1; }, "betas of 0.9 and 1"},
      {[](GptOptions& o) { o.weight_decay = -1; }, "a weight decay of -1"},
      {[](GptOptions& o) { o.eval_every = 0; }, "a validation every 0 steps"},
      {[](GptOptions& o) { o.eval_batches = 0; }, "a validation of 0 batches"},
      {[](GptOptions& o) { o.sample = -1; }, "a sample of -1"},
      {[](GptOptions& o) { o.temperature = -1; }, "a temperature of -1"},
      {[](GptOptions& o) { o.digits = 0; }, "Sums of 0 digits"},
      {[](GptOptions& o) { o.digits = 5; }, "Sums of 5 digits"},
      {[](GptOptions& o) { o.prompt = "1-2"; }, "'1-2' is not a sum"},
      {[&](GptOptions& o) { o.text = folder_ / "no"; }, "cannot be read"},
      {[&](GptOptions& o) { o.text = folder_; }, "cannot be read"},
      {[&](GptOptions& o) { o.text = folder_ / "short"; }, "The text has 9 characters; at least 650"},
      {[&](GptOptions& o) { o.text = folder_ / "binary"; }, "not valid UTF-8"},
      {[&](GptOptions& o) { o.text = folder_ / "long", o.prompt = "x"; }, "The character 'x' is not one of the 10"},
      {[&](GptOptions& o) { o.load = folder_ / "no"; }, "cannot be read"},
  };
  for (const auto& [set, part] : cases) {
    GptOptions o;
    set(o);
    (void)printed([&] {
      const Error e = error_of([&] { (void)app::train_gpt(o); });
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << ": " << e.what();
      EXPECT_TRUE(std::string(e.what()).ends_with('.')) << e.what();
    });
  }
}

TEST_F(GptTest, TheDefaultJobReaches99Percent) {
  if (!full()) GTEST_SKIP() << "a minute or two for each seed; TESSERA_TEST_FULL=1 runs it";
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::string text = printed([&] { EXPECT_EQ(app::train_gpt({.seed = seed}), 0); });
    EXPECT_NE(text.find("held-out exact match: "), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tessera::test
