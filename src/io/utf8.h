// Checks text of files that may be hostile.
#pragma once

#include <string_view>

namespace tessera::io {

/// Whether the text is well-formed UTF-8: no overlong forms, surrogates, or code points past U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace tessera::io
