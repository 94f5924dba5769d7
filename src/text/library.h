// The library tessera_text: found and loaded at run time, with a table of its functions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tessera_text.h>

#include "tessera/error.h"

namespace tessera::text {

#define TESSERA_TEXT_FUNCTIONS(X)  \
  X(tesseraTextRelease)            \
  X(tesseraTextVersion)            \
  X(tesseraTokenizerCreate)        \
  X(tesseraTokenizerRelease)       \
  X(tesseraTokenizerEncode)        \
  X(tesseraTokenizerDecode)        \
  X(tesseraTokenizerTokenToId)     \
  X(tesseraTokenizerIdToToken)     \
  X(tesseraTokenizerVocabSize)     \
  X(tesseraTokenizerSpecialTokens) \
  X(tesseraTemplateCreate)         \
  X(tesseraTemplateRelease)        \
  X(tesseraTemplateRender)

struct Functions {
#define TESSERA_TEXT_MEMBER(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  TESSERA_TEXT_FUNCTIONS(TESSERA_TEXT_MEMBER)
#undef TESSERA_TEXT_MEMBER
};

/// The functions of the library, which is never unloaded. Throws unsupported; both outcomes are remembered.
const Functions& functions();

struct ReleaseResult {
  void operator()(TesseraTextResult* result) const { functions().tesseraTextRelease(result); }
};
using Result = std::unique_ptr<TesseraTextResult, ReleaseResult>;

inline std::string_view text_of(const Result& result) { return {result->text, result->textSize}; }

/// Owns what a function returned. Where that is an error, throws "WHAT: ERROR." of kind parse or value.
Result checked(TesseraTextResult* result, std::string_view what);

}  // namespace tessera::text
