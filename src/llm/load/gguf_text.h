// Text of GGUF files: the vocabulary, the chat template and the defaults of generation in their metadata.
#pragma once

#include <optional>
#include <string>

#include "tessera/gguf.h"
#include "tessera/llm/language_model.h"

namespace tessera::llm {

/// Nothing if the file has no vocabulary. Error of kind parse for a value of another type.
std::optional<text::GgufVocabulary> gguf_vocabulary(const io::GgufFile& file);

struct ChatSource {
  std::string text, bos_token, eos_token;
};
/// Nothing if the file has no chat template.
std::optional<ChatSource> gguf_chat(const io::GgufFile& file);

GenerationDefaults gguf_defaults(const io::GgufFile& file);

}  // namespace tessera::llm
