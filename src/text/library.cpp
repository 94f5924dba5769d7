// Finds the library tessera_text next to ours, loads it, and turns its results into errors.
#include "text/library.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/fail.h"
#include "base/os/library.h"
#include "tessera/text.h"

namespace tessera::text {

namespace {

namespace fs = std::filesystem;

struct Loaded {
  Functions functions;
  LibraryInfo info;
};

std::string find() {
  if (const char* path = std::getenv("TESSERA_TEXT_LIBRARY"); path != nullptr && *path != '\0') return path;
  const std::array names{os::library_file_name("tessera_text")};
  const os::BundledLibrary found = os::find_bundled(names);
  if (found.path.empty()) {
    fail(ErrorKind::kUnsupported,
         "No library for tokenizers and chat templates: there is no {} in {}. Build the engine where there is a cargo "
         "(docs/guide/install.md), or name the library in TESSERA_TEXT_LIBRARY.",
         names[0], fmt::join(found.searched, " or "));
  }
  return found.path;
}

Loaded load() {
  Loaded out;
  out.info.path = find();
  const os::LoadedLibrary library = os::load_library(out.info.path);
  if (library.handle == nullptr) {
    fail(ErrorKind::kUnsupported, "The text library '{}' does not load: {}.", out.info.path, library.why);
  }
  const auto take = [&](auto& function, const char* name) {
    void* symbol = os::find_symbol(library.handle, name);
    if (symbol == nullptr) {
      fail(ErrorKind::kUnsupported, "The text library '{}' has no function {}: it is of another version.",
           out.info.path, name);
    }
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
#define TESSERA_TEXT_TAKE(name) take(out.functions.name, #name);
  TESSERA_TEXT_FUNCTIONS(TESSERA_TEXT_TAKE)
#undef TESSERA_TEXT_TAKE
  out.info.version = out.functions.tesseraTextVersion();
  return out;
}

/// The library, or the error.
struct Outcome {
  std::optional<Loaded> loaded;
  std::optional<Error> error;
};

const Outcome& outcome() {
  static const Outcome& once = *[] {
    auto* out = new Outcome;  // results may be released while the process ends
    try {
      out->loaded = load();
    } catch (const Error& e) {
      out->error = e;
    }
    return out;
  }();
  return once;
}

}  // namespace

const Functions& functions() {
  const Outcome& all = outcome();
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
  const Outcome& all = outcome();
  if (all.error) return {.path = {}, .version = {}, .error = all.error->what()};
  return all.loaded->info;
}

}  // namespace tessera::text
