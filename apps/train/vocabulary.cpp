// Characters and tokenizers behind one interface.
#include "train/vocabulary.h"

#include <algorithm>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "tessera/error.h"
#include "train/files.h"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

/// One more than the largest id of a tokenizer. Ids are i32 in tensors, and an embedding has a row for each.
std::int64_t rows_of(const text::Tokenizer& tokenizer, const fs::path& file) {
  constexpr std::size_t kGaps = 65536;  // ids that no token has
  const std::size_t tokens = tokenizer.vocab_size();
  const std::size_t most = std::min<std::size_t>(2 * tokens + kGaps, std::numeric_limits<std::int32_t>::max());
  std::size_t found = 0;
  std::int64_t rows = 0;
  for (std::size_t id = 0; id < most && found < tokens; ++id) {
    if (!tokenizer.id_to_token(static_cast<text::TokenId>(id)).has_value()) continue;
    ++found;
    rows = static_cast<std::int64_t>(id) + 1;
  }
  if (found == tokens && found > 0) return rows;
  throw Error(ErrorKind::kValue, fmt::format("'{}' has {} tokens, of which {} have an id below {}; ids of one token "
                                             "each, from 0 on without large gaps, are expected.",
                                             file.string(), tokens, found, most));
}

std::vector<text::TokenId> ids_of(const Tokens& tokens) { return {tokens.begin(), tokens.end()}; }

}  // namespace

Vocabulary Vocabulary::load(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::is_directory(file, error) ? file / "tokenizer.json" : file;
  std::string json = read_text(path);
  if (const Json parsed = Json::parse(json, nullptr, false); Characters::is_character_level(parsed)) {
    return {Characters::from_json(parsed, path)};
  }
  text::Tokenizer tokenizer = text::Tokenizer::from_json(json, path.string());
  const std::int64_t rows = rows_of(tokenizer, path);
  return Vocabulary(File{std::move(tokenizer), std::move(json), rows});
}

std::int64_t Vocabulary::size() const {
  const auto* file = std::get_if<File>(&tokens_);
  return file != nullptr ? file->size : std::get<Characters>(tokens_).size();
}

bool Vocabulary::fits(std::int64_t rows) const {
  return std::holds_alternative<File>(tokens_) ? size() <= rows : size() == rows;
}

Tokens Vocabulary::start() const {
  const Tokens newline = std::holds_alternative<File>(tokens_) ? encode("\n") : Tokens{};
  return newline.empty() ? Tokens{0} : newline;  // in the order of characters, a newline is the first
}

const char* Vocabulary::unit() const { return std::holds_alternative<File>(tokens_) ? "tokens" : "characters"; }

Tokens Vocabulary::encode(std::string_view text) const {
  const auto* file = std::get_if<File>(&tokens_);
  if (file == nullptr) return std::get<Characters>(tokens_).encode(text);
  const std::vector<text::TokenId> ids = file->tokenizer.encode(text, {.add_special_tokens = false});
  return {ids.begin(), ids.end()};
}

std::string Vocabulary::decode_after(const Tokens& before, const Tokens& tokens) const {
  const auto* file = std::get_if<File>(&tokens_);
  if (file == nullptr) return std::get<Characters>(tokens_).decode(tokens);
  // Decoders may treat the first token of a text in another way.
  Tokens all = before;
  all.insert(all.end(), tokens.begin(), tokens.end());
  const std::string start = file->tokenizer.decode(ids_of(before));
  std::string text = file->tokenizer.decode(ids_of(all));
  return text.starts_with(start) ? text.substr(start.size()) : file->tokenizer.decode(ids_of(tokens));
}

void Vocabulary::save(const fs::path& folder) const {
  if (const auto* file = std::get_if<File>(&tokens_)) {
    write_text(folder / "tokenizer.json", file->json);
  } else {
    write_json(folder / "tokenizer.json", std::get<Characters>(tokens_).json());
  }
  write_json(folder / "tokenizer_config.json",
             {{"tokenizer_class", "PreTrainedTokenizerFast"}, {"clean_up_tokenization_spaces", false}});
}

bool operator==(const Vocabulary& a, const Vocabulary& b) { return a.tokens_ == b.tokens_; }

}  // namespace tessera::app
