// Loads the library tessera_text, and turns its results into errors.
#include "text/library.h"

#include <optional>

#include "base/fail.h"
#include "base/os/own_library.h"
#include "tessera/text.h"

namespace tessera::text {

namespace {

struct Loaded {
  Functions functions;
  LibraryInfo info;
};

Loaded load() {
  const LoadedOwnLibrary library({.name = "tessera_text",
                                  .variable = "TESSERA_TEXT_LIBRARY",
                                  .what = "text",
                                  .purpose = "tokenizers and chat templates"});
  Loaded out;
  out.info.path = library.path();
#define TESSERA_TEXT_TAKE(name) library.take(out.functions.name, #name);
  TESSERA_TEXT_FUNCTIONS(TESSERA_TEXT_TAKE)
#undef TESSERA_TEXT_TAKE
  out.info.version = out.functions.tesseraTextVersion();
  return out;
}

const LoadOutcome<Loaded>& outcome() { return load_once(load); }

}  // namespace

const Functions& functions() {
  const LoadOutcome<Loaded>& all = outcome();
  if (all.error) throw Error(*all.error);
  return all.loaded->functions;
}

Result checked(TesseraTextResult* result, std::string_view what) {
  Result owned(result);
  switch (owned->status) {
    case TesseraTextStatus_Ok:
      return owned;
    case TesseraTextStatus_Parse:
      fail(ErrorKind::kParse, "{}: {}.", what, text_of(owned));
    case TesseraTextStatus_Value:
      fail(ErrorKind::kValue, "{}: {}.", what, text_of(owned));
    default:
      fail(ErrorKind::kValue, "{}: the library tessera_text failed: {}.", what, text_of(owned));
  }
}

LibraryInfo library() {
  const LoadOutcome<Loaded>& all = outcome();
  if (all.error) return {.path = {}, .version = {}, .error = all.error->what()};
  return all.loaded->info;
}

}  // namespace tessera::text
