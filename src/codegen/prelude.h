// The WGSL functions that generated text calls, picked from the embedded preludes by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::codegen {

/// One top-level declaration (fn, alias or const) of a prelude.
struct PreludeItem {
  std::string_view name;
  std::string_view text;
  std::vector<std::size_t> needs;  // the items that its text names, by position
};

/// All of them, in the order of the files.
std::span<const PreludeItem> prelude_items();

/// The declarations of the preludes that `body` uses, directly or not: each once, after its own dependencies.
std::string prelude_for(std::string_view body);

}  // namespace tessera::codegen
