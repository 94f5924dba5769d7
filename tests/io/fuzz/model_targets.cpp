// Targets of the texts around a model: vocabularies, configurations, tokenizers and saved contexts, read from hostile
// files.
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "io/fuzz/targets.h"
#include "llm/load/gguf.h"
#include "llm/load/gguf_text.h"
#include "llm/tiny_gguf.h"
#include "tessera/io.h"
#include "tessera/llm.h"
#include "tessera/text.h"

namespace tessera::fuzz {

namespace {

namespace fs = std::filesystem;

void check_config(const llm::Config& c) {
  expect(c.width > 0 && c.heads > 0 && c.head_size > 0 && c.vocabulary > 0 && !c.layers.empty(), "a size of 0");
  expect(c.heads % c.kv_heads == 0, "heads that are not divided");
  for (const llm::LayerConfig& l : c.layers) {
    expect(l.rope < static_cast<int>(c.ropes.size()), "a layer without its rope");
    expect(l.window >= 0, "a window below 0");
  }
}

void check_vocabulary(const text::GgufVocabulary& v) {
  const std::string json = text::tokenizer_json(v);
  expect(nlohmann::json::accept(json), "a tokenizer.json that is not JSON");
  refused([&] { (void)text::gguf_vocabulary_of(json); });
}

/// A model with a context of a few tokens, and the text that its saved contexts have for it.
struct Saved {
  Saved() {
    context.save(file);
    fingerprint = io::SafetensorsFile(file).metadata().at("model");
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() = default;

  static llm::LanguageModel new_model(const fs::path& file) {
    test::save_tiny_gguf(file, {.width = 8, .layers = 1, .heads = 1, .kv_heads = 1, .hidden = 8, .context = 8});
    return llm::LanguageModel::load(file, {.device = Device::create({.device = "cpu"})});
  }

  TemporaryFolder folder;
  fs::path file = folder.path() / "context";
  llm::LanguageModel model = new_model(folder.path() / "model.gguf");
  llm::Context context = model.context(8);
  std::string fingerprint;
};

}  // namespace

void gguf_model(std::span<const std::byte> bytes) {
  refused([&] {
    const io::GgufFile file(HostView{bytes, nullptr, false}, "fuzz");
    refused([&] {
      if (const auto v = llm::gguf_vocabulary(file)) check_vocabulary(*v);
    });
    refused([&] { (void)llm::gguf_chat(file); });
    refused([&] { (void)llm::gguf_defaults(file); });
    refused([&] { check_config(llm::GgufSource(file).config()); });
  });
}

void tokenizer(std::span<const std::byte> bytes) {
  refused([&] { check_vocabulary(text::gguf_vocabulary_of(text_of(bytes))); });
}

void config(std::span<const std::byte> bytes) {
  refused([&] { check_config(llm::Config::parse(text_of(bytes), "fuzz")); });
}

void context(std::span<const std::byte> bytes) {
  static Saved saved;
  // The corpus has '@' for the text of the model, so that it does not depend on what that is.
  std::string text(text_of(bytes));
  const std::string any(saved.fingerprint.size(), '@');
  if (const std::size_t at = text.find(any); at != std::string::npos) text.replace(at, any.size(), saved.fingerprint);
  write_file(saved.file, text);
  refused([&] {
    (void)saved.context.restore(saved.file);
    expect(saved.context.size() <= 8, "more tokens than there is room for");
    for (const text::TokenId id : saved.context.tokens()) {
      expect(static_cast<std::int64_t>(id) < saved.model.model().config().vocabulary, "a token that is not there");
    }
  });
}

}  // namespace tessera::fuzz
