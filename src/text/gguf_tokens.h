// Tokens of GGUF vocabularies: their types, and the space of SentencePiece.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::text {

inline constexpr std::string_view kSpace = "\xE2\x96\x81";  // U+2581, a space in the tokens of SentencePiece

// tokenizer.ggml.token_type
inline constexpr std::int32_t kNormal = 1;
inline constexpr std::int32_t kUnknown = 2;
inline constexpr std::int32_t kControl = 3;
inline constexpr std::int32_t kUserDefined = 4;
inline constexpr std::int32_t kUnused = 5;
inline constexpr std::int32_t kByte = 6;

}  // namespace tessera::text
