// The table of pre-tokenizers. The expressions are those of the models' own tokenizer.json files.
#include "text/gguf_pre_tokenizers.h"

#include <algorithm>

#include "base/fail.h"

namespace tessera::text {

namespace {

#define TESSERA_WHITESPACE R"(\s*[\r\n]+|\s+(?!\S)|\s+)"
#define TESSERA_SUFFIXES R"((?i:'s|'t|'re|'ve|'m|'ll|'d))"
#define TESSERA_UPPER_LOWER R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
#define TESSERA_UPPERS R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
#define TESSERA_SYMBOLS R"( ?[^\s\p{L}\p{N}]+[\r\n]*|)"
#define TESSERA_SYMBOLS_OR_PATH R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|)"

constexpr std::string_view kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
// Words with one symbol in front, and numbers of three digits, one digit or any number of them.
constexpr std::string_view kThreeDigits =
    TESSERA_SUFFIXES R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)" TESSERA_SYMBOLS TESSERA_WHITESPACE;
constexpr std::string_view kOneDigit =
    TESSERA_SUFFIXES R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)" TESSERA_SYMBOLS TESSERA_WHITESPACE;
constexpr std::string_view kAllDigits =
    TESSERA_SUFFIXES R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+|)" TESSERA_SYMBOLS TESSERA_WHITESPACE;
constexpr std::string_view kWithMarks =
    TESSERA_SUFFIXES R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" TESSERA_WHITESPACE;
constexpr std::string_view kWithoutSuffixes = R"([^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)" TESSERA_SYMBOLS TESSERA_WHITESPACE;
// Words that end where upper case begins.
constexpr std::string_view kCamelCase =
    TESSERA_UPPER_LOWER "|" TESSERA_UPPERS R"(|\p{N}|)" TESSERA_SYMBOLS_OR_PATH TESSERA_WHITESPACE;
constexpr std::string_view kGpt4o = TESSERA_UPPER_LOWER TESSERA_SUFFIXES
    "?|" TESSERA_UPPERS TESSERA_SUFFIXES R"(?|\p{N}{1,3}|)" TESSERA_SYMBOLS_OR_PATH TESSERA_WHITESPACE;
// Han characters apart from other words; && intersects classes.
#define TESSERA_NOT_HAN_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
#define TESSERA_NOT_HAN_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
constexpr std::string_view kKimi =
    R"([\p{Han}]+|[^\r\n\p{L}\p{N}]?)" TESSERA_NOT_HAN_UPPER "*" TESSERA_NOT_HAN_LOWER "+" TESSERA_SUFFIXES
    R"(?|[^\r\n\p{L}\p{N}]?)" TESSERA_NOT_HAN_UPPER "+" TESSERA_NOT_HAN_LOWER "*" TESSERA_SUFFIXES
    R"(?|\p{N}{1,3}|)" TESSERA_SYMBOLS TESSERA_WHITESPACE;
constexpr std::string_view kDigit = R"(\p{N})";
constexpr std::string_view kUpToThree = R"(\p{N}{1,3})";
constexpr std::string_view kKanaAndHan = "[一-龥぀-ゟ゠-ヿ]+";
constexpr std::string_view kSentences = R"( ?[^(\s|.,!?…。，、।۔،)]+)";
constexpr std::string_view kDeepseek3 =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|)"
    R"([^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)" TESSERA_WHITESPACE;
constexpr std::string_view kBailing =
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr std::string_view kSeedCoder =
    TESSERA_SUFFIXES R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|)" TESSERA_WHITESPACE;

const std::vector<PreTokenizer>& table() {
  static const std::vector<PreTokenizer> kRows{
      {.names = {"", "default"}, .patterns = {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2, R"(\p{N}+)", "[0-9][0-9][0-9]"}},
      {.names = {"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
                 "jina-v5-nano"},
       .patterns = {kThreeDigits},
       .ignore_merges = true,
       .add_bos = true},
      {.names = {"dbrx", "smaug-bpe", "glm4", "chatglm-bpe"}, .patterns = {kThreeDigits}},
      {.names = {"gpt-2", "phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "jina-v1-en", "jina-v2-code",
                 "roberta-bpe", "gigachat", "a.x-4.0", "mellum", "modern-bert", "exaone4", "mpt", "olmo", "jais",
                 "trillion", "granite-docling"},
       .patterns = {kGpt2}},
      {.names = {"starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"},
       .patterns = {kDigit, kGpt2}},
      {.names = {"qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez"}, .patterns = {kOneDigit}, .nfc = true},
      {.names = {"stablelm2", "hunyuan", "solar-open", "grok-2"}, .patterns = {kOneDigit}},
      {.names = {"qwen35"}, .patterns = {kWithMarks}, .nfc = true},
      {.names = {"ufakzeka"}, .patterns = {kWithoutSuffixes}},
      {.names = {"minicpm5"}, .patterns = {kUpToThree, kAllDigits}, .ignore_merges = true},
      {.names = {"tekken"}, .patterns = {kCamelCase}, .ignore_merges = true, .add_bos = true},
      {.names = {"gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"}, .patterns = {kGpt4o}},
      {.names = {"granite-embed-multi-97m"}, .patterns = {kGpt4o}, .ignore_merges = true},
      {.names = {"tiny_aya", "cohere2moe"}, .patterns = {R"(\d{1,3}(?=(?:\d{3})*\b))", kGpt4o}},
      {.names = {"deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"},
       .patterns = {kUpToThree, kKanaAndHan, kDeepseek3}},
      {.names = {"deepseek-coder"},
       .patterns = {R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[一-龥ࠀ-一가-퟿]+", kDigit}},
      // Letters that have a case.
      {.names = {"deepseek-llm"},
       .patterns = {R"([\r\n])", R"(\s?[\p{Lu}\p{Ll}\p{Lt}]+)", R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)", R"(\s+$)",
                    "[一-龥ࠀ-一가-퟿]+", R"(\p{N}+)"}},
      {.names = {"falcon"}, .patterns = {R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2, "[0-9][0-9][0-9]"}},
      {.names = {"bailingmoe", "bailingmoe2", "llada-moe"}, .patterns = {kBailing}},
      {.names = {"seed-coder"}, .patterns = {kSeedCoder}},
      {.names = {"bloom", "poro-chat", "gpt3-finnish"}, .patterns = {kSentences}},
      {.names = {"viking"}, .patterns = {kSentences, kDigit}},
      {.names = {"kimi-k2"}, .patterns = {kKimi}},
      {.names = {"chameleon"},
       .patterns = {"<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", R"(([\t\n]|    |  ))", kDigit,
                    R"([\p{P}!-/:-@\[-`{-~])", kGpt2},
       .add_bos = true},
      {.names = {"superbpe"}, .patterns = {R"(\p{N}+)", R"((?=(\d{3})+(?!\d)))"}},
  };
  return kRows;
}

}  // namespace

const PreTokenizer& pre_tokenizer(std::string_view name) {
  for (const PreTokenizer& row : table()) {
    if (std::ranges::find(row.names, name) != row.names.end()) return row;
  }
  std::vector<std::string_view> known;
  for (const PreTokenizer& row : table()) known.insert(known.end(), row.names.begin(), row.names.end());
  std::erase(known, "");
  fail(ErrorKind::kUnsupported, "tokenizer_json: the pre-tokenizer '{}' is not known; the known ones are {}.", name,
       fmt::join(known, ", "));
}

std::string pre_tokenizer_name(const std::vector<std::string>& patterns, bool ignore_merges, bool nfc) {
  for (const PreTokenizer& row : table()) {
    if (row.ignore_merges == ignore_merges && row.nfc == nfc && std::ranges::equal(row.patterns, patterns)) {
      return std::string(row.names.front().empty() ? row.names[1] : row.names.front());
    }
  }
  fail(ErrorKind::kUnsupported,
       "gguf_vocabulary_of: the tokenizer splits text by the patterns \"{}\"{}{}, for which GGUF files have no name.",
       fmt::join(patterns, "\", \""), ignore_merges ? " and looks for whole pieces first" : "",
       nfc ? " after NFC" : "");
}

}  // namespace tessera::text
