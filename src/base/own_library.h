// The libraries that cargo builds from providers/: found beside ours, and loaded at run time.
#pragma once

#include <string>

namespace tessera {

struct OwnLibrary {
  std::string name;      // "tessera_text"
  std::string variable;  // the environment variable that names another one
  std::string what;      // "text": what messages call the library
  std::string purpose;   // "tokenizers and chat templates"
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

}  // namespace tessera
