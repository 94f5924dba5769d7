// The libraries of providers/: found beside ours, and loaded at run time.
#pragma once

#include <optional>
#include <string>

#include "tessera/error.h"

namespace tessera {

struct OwnLibrary {
  std::string name;      // "tessera_text"
  std::string variable;  // the environment variable that names another one
  std::string what;      // "text": what messages call the library
  std::string purpose;   // "tokenizers and chat templates"
  /// What to do to have one.
  std::string to_have_it = "Build the engine where there is a cargo (docs/guide/install.md)";
};

/// A library that is never unloaded, and its functions.
class LoadedOwnLibrary {
 public:
  /// Throws unsupported if there is none, or if it does not load.
  explicit LoadedOwnLibrary(OwnLibrary library);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Throws unsupported if there is no such function.
  template <class F>
  void take(F& function, const char* name) const {
    function = reinterpret_cast<F>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const char* name) const;
  OwnLibrary library_;
  std::string path_;
  void* handle_ = nullptr;
};

/// What loading a library gave, or the Error.
template <class Loaded>
struct LoadOutcome {
  std::optional<Loaded> loaded;
  std::optional<Error> error;
};

/// load(), called once; kept, since what the library gave may be released while the process ends.
template <class Loaded>
const LoadOutcome<Loaded>& load_once(Loaded (*load)()) {
  static const LoadOutcome<Loaded>& once = *[load] {
    auto* out = new LoadOutcome<Loaded>;
    try {
      out->loaded = load();
    } catch (const Error& e) {
      out->error = e;
    }
    return out;
  }();
  return once;
}

}  // namespace tessera
