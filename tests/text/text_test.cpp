// Tokenizers, streams, templates and vocabularies of GGUF files: what the packages of the field say, bad input, large
// input.
#include "tessera/text.h"

#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

using Json = nlohmann::json;
using text::ChatTemplate;
using text::StreamDecoder;
using text::TokenId;
using text::Tokenizer;
using Ids = std::vector<TokenId>;

const Json& points() {
  static const Json all = Json::parse(std::ifstream(TESSERA_SOURCE_DIR "/tests/text/points.json"));
  return all;
}

Tokenizer tokenizer(std::string_view name) {
  for (const Json& each : points()["tokenizers"]) {
    if (each["name"] == name) return Tokenizer::from_json(each["json"].dump());
  }
  throw std::runtime_error("there is no such tokenizer");
}

class TextTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = text::library().error; !why.empty()) GTEST_SKIP() << why;
  }
};
using TokenizerTest = TextTest;
using StreamTest = TextTest;
using TemplateTest = TextTest;
using GgufTest = TextTest;

TEST_F(TokenizerTest, IdsOffsetsAndTextAreThoseOfThePackage) {
  const Json& texts = points()["texts"];
  for (const Json& each : points()["tokenizers"]) {
    const Tokenizer t = Tokenizer::from_json(each["json"].dump());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto input = texts[i].get<std::string>();
      const Ids ids = t.encode(input);
      EXPECT_EQ(ids, each["ids"][i].get<Ids>()) << each["name"] << " of " << texts[i];
      EXPECT_EQ(t.decode(ids), each["decoded"][i].get<std::string>()) << each["name"] << " of " << texts[i];
      const text::Encoding encoding = t.encode_with_offsets(input);
      EXPECT_EQ(encoding.ids, ids);
      ASSERT_EQ(encoding.offsets.size(), ids.size());
      for (const auto& [begin, end] : encoding.offsets) EXPECT_TRUE(begin <= end && end <= input.size());
    }
  }
}

TEST_F(TokenizerTest, TokensAndSpecialTokens) {
  const Tokenizer t(std::filesystem::path(TESSERA_SOURCE_DIR "/tests/text/words.json"));
  EXPECT_EQ(t.vocab_size(), 4U);
  EXPECT_EQ(t.token_to_id("hello"), TokenId{2});
  EXPECT_EQ(t.token_to_id("nothing"), std::nullopt);
  EXPECT_EQ(t.id_to_token(3), "world");
  EXPECT_EQ(t.id_to_token(4), std::nullopt);
  EXPECT_EQ(t.special_tokens(), Ids{1});
  EXPECT_TRUE(t.is_special(1));
  EXPECT_FALSE(t.is_special(2));
  // The file truncates to two tokens, which is disabled.
  EXPECT_EQ(t.encode("hello world hello"), (Ids{1, 2, 3, 2}));
  EXPECT_EQ(t.encode("hello", {.add_special_tokens = false}), Ids{2});
  EXPECT_EQ(t.decode(Ids{1, 2, 99, 3}), "hello world");
  EXPECT_EQ(t.decode(Ids{1, 2}, {.skip_special_tokens = false}), "<s> hello");
  EXPECT_EQ(t.decode(Ids{}), "");
}

TEST_F(TokenizerTest, BadInputIsAnError) {
  const Tokenizer t = tokenizer("gpt2");
  const std::pair<std::string, std::size_t> bad[] = {{"\xFF", 0},         {"ab\x80", 2},
                                                     {"\xC3", 0},         {"x\xED\xA0\x80", 1},
                                                     {"\xC0\xAF", 0},     {"é\xF4\x90\x80\x80", 2},
                                                     {"\xE0\x80\x80", 0}, {"a\xF0\x9F\x98", 1}};
  for (const auto& [input, at] : bad) {
    EXPECT_EQ(valid_utf8(input), at);
    const Error e = error_of([&] { (void)t.encode(input); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_EQ(std::string(e.what()), "encode: the text is not valid UTF-8 at byte " + std::to_string(at) + ".");
  }
  for (const char* good : {"", "a", "é", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80"}) {
    EXPECT_EQ(valid_utf8(good), std::string_view(good).size());
    (void)t.encode(good);
  }
  EXPECT_EQ(error_of([] { Tokenizer(std::filesystem::path("/no/such/file")); }).kind(), ErrorKind::kIo);
  const std::string whole = points()["tokenizers"][0]["json"].dump();
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    EXPECT_EQ(error_of([&] { (void)Tokenizer::from_json(whole.substr(0, size)); }).kind(), ErrorKind::kParse) << size;
  }
  // A regular expression that is not one, a merge of tokens that are not there, nesting without an end.
  Json file = points()["tokenizers"][0]["json"];
  file["pre_tokenizer"] = {
      {"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}, {"invert", false}};
  EXPECT_EQ(error_of([&] { (void)Tokenizer::from_json(file.dump()); }).kind(), ErrorKind::kParse);
  file = points()["tokenizers"][0]["json"];
  file["model"]["merges"].push_back({"no such", "token"});
  EXPECT_EQ(error_of([&] { (void)Tokenizer::from_json(file.dump()); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([] { (void)Tokenizer::from_json(std::string(200'000, '[')); }).kind(), ErrorKind::kParse);
}

TEST_F(TokenizerTest, AMegabyteTakesLinearTime) {
  for (const char* name : {"gpt2", "llama2", "bert"}) {
    const Tokenizer t = tokenizer(name);
    for (const char letter : {'a', ' '}) {
      const auto seconds = [&](std::size_t size) {
        const std::clock_t start = std::clock();  // of the processor: tests run beside others
        EXPECT_FALSE(t.encode(std::string(size, letter)).empty());
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      };
      const double eighth = seconds(std::size_t{1} << 17U);
      // Quadratic time would be 64 times as long.
      EXPECT_LT(seconds(std::size_t{1} << 20U), 24 * eighth + 1) << name << " '" << letter << "'";
    }
  }
}

TEST_F(TokenizerTest, ManyThreadsShareOne) {
  const Tokenizer t = tokenizer("llama2");
  const Ids expected = t.encode("the quick brown fox");
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, copy = t] {
      for (int k = 0; k < 50; ++k) wrong += copy.encode("the quick brown fox") != expected;
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(StreamTest, EveryPrefixOfBytes) {
  const Tokenizer t = tokenizer("llama2");
  const auto byte = [&](unsigned char b) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    return *t.token_to_id(std::string("<0x") + kHex[b >> 4U] + kHex[b & 15U] + ">");
  };
  const std::string all = "aé€\U0001F44Dß한\U0001F469\u200D\U0001F680\u0301\U0010FFFFz";
  for (std::size_t end = 0; end <= all.size(); ++end) {
    StreamDecoder stream(t);
    std::string out;
    std::size_t whole = 0;
    for (std::size_t i = 0; i < end; ++i) {
      const std::string part = stream.push(byte(static_cast<unsigned char>(all[i])));
      EXPECT_EQ(valid_utf8(part), part.size());
      out += part;
      whole = valid_utf8(all.substr(0, i + 1));
      EXPECT_EQ(out, all.substr(0, whole)) << i << " of " << end;
    }
    const std::string rest = stream.finish();
    EXPECT_EQ(rest.empty(), whole == end);
    for (std::size_t i = 0; i < rest.size(); i += 3) EXPECT_EQ(rest.substr(i, 3), "\uFFFD");
  }
}

TEST_F(StreamTest, PartsAreTheWholeText) {
  for (const Json& each : points()["tokenizers"]) {
    const Tokenizer t = Tokenizer::from_json(each["json"].dump());
    for (const Json& ids : each["ids"]) {
      for (const bool skip : {true, false}) {
        StreamDecoder stream(t, {.skip_special_tokens = skip});
        std::string out;
        for (const TokenId id : ids.get<Ids>()) out += stream.push(id);
        EXPECT_EQ(out + stream.finish(), t.decode(ids.get<Ids>(), {.skip_special_tokens = skip}));
      }
    }
  }
}

TEST_F(TemplateTest, MessagesToolsAndVariables) {
  const ChatTemplate t(
      "{{ bos_token }}\n{% for m in messages %}\n  {% if m.role == 'system' %}\n    {{- raise_exception('no system') "
      "}}\n"
      "  {% endif %}\n<{{ m.role }}>{{ m.content | trim }}{% generation %}{{ eos_token }}{% endgeneration %}\n\n{% "
      "endfor %}\n"
      "{% if tools %}{{ tools | tojson }}{% endif %}{% if add_generation_prompt %}<assistant>{% endif %}{{ more }}",
      "<s>", "</s>");
  const std::vector<text::Message> messages{{"user", " \"Hi\" \n"}, {"assistant", "Größe\t\U0001F44D"}};
  EXPECT_EQ(t.apply(messages), "<s>\n<user>\"Hi\"</s>\n<assistant>Größe\t\U0001F44D</s>\n");
  EXPECT_EQ(
      t.apply("[]",
              {.add_generation_prompt = true, .tools = R"([{"b":1.0,"a":"é<"}])", .variables = R"( {"more": 5} )"}),
      "<s>\n[{\"b\": 1.0, \"a\": \"é<\"}]<assistant>5");
  const std::vector<text::Message> refused{{"system", "x"}};
  const Error e = error_of([&] { (void)t.apply(refused); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_EQ(std::string(e.what()), "ChatTemplate: no system (line 4).");
  const std::vector<text::Message> bytes{{"user", "\xFF"}};
  EXPECT_EQ(error_of([&] { (void)t.apply(bytes); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)t.apply("[],\"a\":1"); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { (void)t.apply("[]", {.tools = "{}"}); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { (void)t.apply("[]", {.variables = "{},{}"}); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { (void)t.apply(std::string(100'000, '[') + std::string(100'000, ']')); }).kind(),
            ErrorKind::kParse);
  const Error cut = error_of([] { ChatTemplate("a\n{% if"); });
  EXPECT_EQ(cut.kind(), ErrorKind::kParse);
  EXPECT_NE(std::string(cut.what()).find("line 2"), std::string::npos) << cut.what();
}

text::GgufVocabulary vocabulary_of(const Json& v) {
  text::GgufVocabulary out;
  out.model = v["model"];
  out.tokens = v["tokens"].get<std::vector<std::string>>();
  out.scores = v["scores"].get<std::vector<float>>();
  out.token_type = v["token_type"].get<std::vector<std::int32_t>>();
  out.bos = v["bos"].get<TokenId>();
  out.eos = v["eos"].get<TokenId>();
  out.unknown = v["unknown"].get<TokenId>();
  if (v.contains("remove_extra_whitespaces")) out.remove_extra_whitespaces = v["remove_extra_whitespaces"].get<bool>();
  return out;
}

TEST_F(GgufTest, VocabulariesGiveTheIdsOfSentencepiece) {
  const Json& texts = points()["texts"];
  for (const Json& each : points()["vocabularies"]) {
    const Tokenizer t = Tokenizer::from_json(text::tokenizer_json(vocabulary_of(each["vocabulary"])));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (each["ids"][i].is_null()) continue;
      EXPECT_EQ(t.encode(texts[i].get<std::string>(), {.add_special_tokens = false}), each["ids"][i].get<Ids>())
          << each["name"] << " of " << texts[i];
    }
  }
}

TEST_F(GgufTest, PiecesOfPreTokenizers) {
  // One token for each byte of ASCII, and merges that show where pieces end.
  text::GgufVocabulary v{.model = "gpt2", .pre = "kimi-k2"};
  for (char c = '!'; c <= '~'; ++c) v.tokens.emplace_back(1, c);
  for (const char* token : {"ab", "ac", "11", "111", "1111", "..", "<s", "IM"}) v.tokens.emplace_back(token);
  v.merges = {"a b", "a c", "1 1", "11 1", "11 11", ". .", "< s", "I M"};
  const auto pieces = [&](std::string_view input) {
    const Tokenizer t = Tokenizer::from_json(text::tokenizer_json(v));
    std::vector<std::string> out;
    for (const TokenId id : t.encode(input, {.add_special_tokens = false})) out.push_back(t.id_to_token(id).value());
    return out;
  };
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces("ab1111.."), (Pieces{"ab", "111", "1", ".."}));
  v.pre = "chameleon";
  EXPECT_EQ(pieces("ab1111.."), (Pieces{"ab", "1", "1", "1", "1", ".", "."}));
  v.pre = "deepseek-llm";
  EXPECT_EQ(pieces("ab1111.."), (Pieces{"ab", "1111", ".."}));
  v.pre = "falcon";
  EXPECT_EQ(pieces("ab1111.."), (Pieces{"ab", "111", "1", ".."}));
  // A fraction is a number, and stays with the space in front of it: bytes 0x20, 0xc2 and 0xbd.
  for (const char* token : {"Ġ", "Â", "½", "ĠÂ"}) v.tokens.emplace_back(token);
  v.merges.emplace_back("Ġ Â");
  EXPECT_EQ(pieces("a ½"), (Pieces{"a", "ĠÂ", "½"}));
}

TEST_F(GgufTest, TokenizersSurviveGgufVocabularies) {
  const Json& texts = points()["texts"];
  for (const Json& each : points()["tokenizers"]) {
    const text::GgufVocabulary v = text::gguf_vocabulary_of(each["json"].dump());
    const Tokenizer t = Tokenizer::from_json(text::tokenizer_json(v));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(t.encode(texts[i].get<std::string>()), each["ids"][i].get<Ids>()) << each["name"] << " of " << texts[i];
    }
  }
}

// Without the library: the JSON itself, and what is refused.
TEST(GgufVocabularyTest, TokenizersThatGgufFilesDoNotHave) {
  const auto error = [](const char* json) { return error_of([&] { (void)text::gguf_vocabulary_of(json); }); };
  EXPECT_EQ(error("[]").kind(), ErrorKind::kParse);
  EXPECT_EQ(error("{").kind(), ErrorKind::kParse);
  EXPECT_EQ(error("{}").kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error(R"({"model": {"type": "BPE", "vocab": {}}})").kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error(R"({"model": {"type": "WordPiece", "continuing_subword_prefix": "##"}})").kind(), ErrorKind::kParse);
  const char* const split = R"({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
      {"type": "Split", "pattern": {"Regex": "[xyz]+"}, "behavior": "Isolated", "invert": false},
      {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]},
      "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})";
  EXPECT_EQ(error(split).kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(error(split).what()).find("[xyz]+"), std::string::npos);
  EXPECT_EQ(error(R"({"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {"a": -1}}})").kind(),
            ErrorKind::kParse);
  EXPECT_EQ(error(R"({"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {"a": 4000000000}}})").kind(),
            ErrorKind::kParse);
  EXPECT_EQ(error(R"({"model": {"type": "Unigram", "vocab": [["a", 1e300]]}})").kind(), ErrorKind::kParse);
  std::string deep =
      R"({"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {"a": 0}}, "pre_tokenizer": )";
  for (int i = 0; i < 100000; ++i) deep += R"({"type": "Sequence", "pretokenizers": [)";
  for (int i = 0; i < 100000; ++i) deep += "]}";
  EXPECT_EQ(error((deep + "}").c_str()).kind(), ErrorKind::kParse);
}

TEST(GgufVocabularyTest, LongTokensTakeLinearTime) {
  const std::string letters(1 << 20, 'a');
  const text::GgufVocabulary v{.model = "llama",
                               .pre = {},
                               .tokens = {"<unk>", "a", letters, letters + letters},
                               .scores = {0, 0, -1, -2},
                               .token_type = {2, 1, 1, 1}};
  EXPECT_EQ(Json::parse(text::tokenizer_json(v))["model"]["merges"].size(), 1U);
}

TEST(GgufVocabularyTest, InconsistentVocabulariesAreErrors) {
  const text::GgufVocabulary good{.model = "llama",
                                  .pre = {},
                                  .tokens = {"<unk>", "<s>", "</s>", "a", "b", "ab"},
                                  .scores = {0, 0, 0, -2, -3, -1},
                                  .token_type = {2, 3, 3, 1, 1, 1}};
  const Json json = Json::parse(text::tokenizer_json(good));
  EXPECT_EQ(json["model"]["merges"], Json::parse(R"([["a","b"]])"));
  EXPECT_EQ(json["model"]["vocab"]["ab"], 5);
  EXPECT_EQ(json["added_tokens"].size(), 3U);
  EXPECT_EQ(json["post_processor"]["single"][0]["SpecialToken"]["id"], "<s>");
  const auto kind = [&](auto change) {
    text::GgufVocabulary v = good;
    change(v);
    return error_of([&] { (void)text::tokenizer_json(v); }).kind();
  };
  using V = text::GgufVocabulary;
  EXPECT_EQ(kind([](V& v) { v.model = "rwkv"; }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind([](V& v) { v.model = "gpt2", v.pre = "unheard-of"; }), ErrorKind::kUnsupported);
  EXPECT_EQ(kind([](V& v) { v.tokens.clear(); }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.scores.pop_back(); }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.scores.clear(); }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.scores[3] = std::numeric_limits<float>::infinity(); }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.token_type.push_back(1); }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.tokens[3] = "\xFF"; }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.eos = 6; }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.model = "gpt2", v.pre = "gpt-2", v.merges = {"ab"}; }), ErrorKind::kParse);
  EXPECT_EQ(kind([](V& v) { v.model = "bert"; }), ErrorKind::kParse);
}

}  // namespace
}  // namespace tessera::test
