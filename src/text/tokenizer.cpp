// Tokenizer: a handle of the library tessera_text.
#include <algorithm>

#include "base/fail.h"
#include "base/os/files.h"
#include "tessera/text.h"
#include "text/library.h"

namespace tessera::text {

namespace fs = std::filesystem;

struct Tokenizer::Impl {
  TesseraTokenizer* handle = nullptr;
  std::vector<TokenId> special;

  Impl() = default;
  ~Impl() { functions().tesseraTokenizerRelease(handle); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

namespace {

std::vector<TokenId> ids_of(const Result& result) { return {result->ids, result->ids + result->count}; }

}  // namespace

Tokenizer::Tokenizer(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::is_directory(file, error) ? file / "tokenizer.json" : file;
  const std::optional<std::string> json = os::read_file(path);
  if (!json) fail(ErrorKind::kIo, "Tokenizer: '{}' cannot be read; a tokenizer.json is expected.", path.string());
  impl_ = from_json(*json, path.string()).impl_;
}

Tokenizer Tokenizer::from_json(std::string_view json, const std::string& name) {
  const Functions& api = functions();
  auto impl = std::make_shared<Impl>();
  try {
    checked(api.tesseraTokenizerCreate(json.data(), json.size(), &impl->handle), "");
  } catch (const Error& e) {
    // Whatever goes wrong here is the file's fault.
    fail(ErrorKind::kParse, "Tokenizer: '{}' is not a valid tokenizer.json{}", name, e.what());
  }
  impl->special = ids_of(checked(api.tesseraTokenizerSpecialTokens(impl->handle), "special_tokens"));
  return Tokenizer(std::move(impl));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  return ids_of(checked(
      functions().tesseraTokenizerEncode(impl_->handle, text.data(), text.size(), options.add_special_tokens, false),
      "encode"));
}

Encoding Tokenizer::encode_with_offsets(std::string_view text, const EncodeOptions& options) const {
  const Result result = checked(
      functions().tesseraTokenizerEncode(impl_->handle, text.data(), text.size(), options.add_special_tokens, true),
      "encode");
  Encoding out{ids_of(result), {}};
  out.offsets.reserve(result->count);
  for (std::size_t i = 0; i < result->count; ++i) {
    out.offsets.emplace_back(result->offsets[2 * i], result->offsets[2 * i + 1]);
  }
  return out;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  return std::string(text_of(
      checked(functions().tesseraTokenizerDecode(impl_->handle, ids.data(), ids.size(), options.skip_special_tokens),
              "decode")));
}

std::optional<TokenId> Tokenizer::token_to_id(std::string_view token) const {
  const Result result =
      checked(functions().tesseraTokenizerTokenToId(impl_->handle, token.data(), token.size()), "token_to_id");
  return result->count == 0 ? std::nullopt : std::optional<TokenId>(result->ids[0]);
}

std::optional<std::string> Tokenizer::id_to_token(TokenId id) const {
  const Result result = checked(functions().tesseraTokenizerIdToToken(impl_->handle, id), "id_to_token");
  return result->count == 0 ? std::nullopt : std::optional<std::string>(text_of(result));
}

std::size_t Tokenizer::vocab_size() const { return functions().tesseraTokenizerVocabSize(impl_->handle); }

const std::vector<TokenId>& Tokenizer::special_tokens() const { return impl_->special; }

bool Tokenizer::is_special(TokenId id) const { return std::ranges::binary_search(impl_->special, id); }

}  // namespace tessera::text
