// The pre-tokenizers that GGUF files name: regular expressions that split a text before byte-level BPE.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::text {

struct PreTokenizer {
  std::vector<std::string_view> names;     // of tokenizer.ggml.pre
  std::vector<std::string_view> patterns;  // applied one after the other; each match is a piece of its own
  bool ignore_merges = false;              // a piece that is a token is not merged from its parts
  bool add_bos = false;                    // if the file does not say
  bool nfc = false;                        // the text is normalized first
};

/// That of a name; the empty name is that of files from before there were names. Throws unsupported.
const PreTokenizer& pre_tokenizer(std::string_view name);
/// The first name with these patterns and choices. Throws unsupported, with the patterns.
std::string pre_tokenizer_name(const std::vector<std::string>& patterns, bool ignore_merges, bool nfc);

}  // namespace tessera::text
