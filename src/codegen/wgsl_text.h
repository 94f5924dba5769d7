// Inspects a user's WGSL, as far as needed to put a header in front of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::codegen {

/// The text with comments replaced by spaces; lines and columns stay.
std::string without_comments(std::string_view text);

/// enable, requires and diagnostic directives, which must come first in a module, cut out of the text. Lines and
/// columns of the rest stay.
struct SplitText {
  std::string directives;  // one per line
  std::string rest;
};
SplitText split_directives(std::string_view text);

/// Whether the text declares bindings.
bool declares_bindings(std::string_view text);

/// The workgroup size in front of the entry point, if it is written as literals.
std::optional<std::array<std::uint32_t, 3>> stated_workgroup(std::string_view text, std::string_view entry_point);

/// The text with the identifier `from` renamed.
std::string renamed(std::string_view text, std::string_view from, std::string_view to);

/// Whether `name` can be declared in WGSL, apart from keywords, which the compiler reports.
bool is_identifier(std::string_view name);

}  // namespace tessera::codegen
