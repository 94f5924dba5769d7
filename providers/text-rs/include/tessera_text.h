// The C ABI of the library tessera_text: tokenizers and chat templates. Both sides of the boundary follow this file.
#ifndef TESSERA_TEXT_H_
#define TESSERA_TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Texts are UTF-8, given as a pointer and a number of bytes. All functions may be called from any thread, and none
/// lets a panic out.
typedef struct TesseraTokenizer TesseraTokenizer;
typedef struct TesseraTemplate TesseraTemplate;

typedef enum TesseraTextStatus {
  TesseraTextStatus_Ok = 0,
  TesseraTextStatus_Parse = 1,     // a tokenizer.json, template or JSON text that is not valid
  TesseraTextStatus_Value = 2,     // a text that cannot be encoded, messages that a template refuses
  TesseraTextStatus_Internal = 3,  // a panic
  TesseraTextStatus_Force32 = 0x7FFFFFFF
} TesseraTextStatus;

/// What a function returned; released by tesseraTextRelease.
typedef struct TesseraTextResult {
  TesseraTextStatus status;
  const char* text;  // the text, or what is wrong
  size_t textSize;
  const uint32_t* ids;
  const uint64_t*
      offsets;  // two for each id, in bytes of the text: where the token begins and ends; null if not asked for
  size_t count;
} TesseraTextResult;

void tesseraTextRelease(TesseraTextResult* result);
/// "0.1.0 (tokenizers 0.23.2, minijinja 3.0.5)"; zero-terminated, and not released.
const char* tesseraTextVersion(void);

/// From the bytes of a tokenizer.json. Its truncation and padding are disabled.
TesseraTextResult* tesseraTokenizerCreate(const char* json, size_t size, TesseraTokenizer** out);
void tesseraTokenizerRelease(TesseraTokenizer* tokenizer);
TesseraTextResult* tesseraTokenizerEncode(const TesseraTokenizer* tokenizer, const char* text, size_t size,
                                          bool addSpecialTokens, bool offsets);
TesseraTextResult* tesseraTokenizerDecode(const TesseraTokenizer* tokenizer, const uint32_t* ids, size_t count,
                                          bool skipSpecialTokens);
/// The id in `ids`; count 0: there is no such token.
TesseraTextResult* tesseraTokenizerTokenToId(const TesseraTokenizer* tokenizer, const char* token, size_t size);
/// The token in `text`; count 0: there is no such id.
TesseraTextResult* tesseraTokenizerIdToToken(const TesseraTokenizer* tokenizer, uint32_t id);
/// Added tokens included.
size_t tesseraTokenizerVocabSize(const TesseraTokenizer* tokenizer);
/// The ids of the added tokens that are special, in ascending order.
TesseraTextResult* tesseraTokenizerSpecialTokens(const TesseraTokenizer* tokenizer);

/// From the text of a template, with the settings of Hugging Face's apply_chat_template.
TesseraTextResult* tesseraTemplateCreate(const char* source, size_t size, TesseraTemplate** out);
void tesseraTemplateRelease(TesseraTemplate* chatTemplate);
/// `variables`: a JSON object, each member a variable of the template.
TesseraTextResult* tesseraTemplateRender(const TesseraTemplate* chatTemplate, const char* variables, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TESSERA_TEXT_H_
