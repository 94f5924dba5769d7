// Where the engine keeps what it learned about this machine.
#pragma once

#include <filesystem>
#include <string_view>

namespace tessera::runtime {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera. Empty: nothing is to be kept.
std::filesystem::path cache_folder();

/// Writes a kept file as a whole, with its folder: whoever reads it meanwhile sees the old text or the new one. Throws
/// what the file system says; nothing else is left behind then.
void replace_file(const std::filesystem::path& file, std::string_view text);

}  // namespace tessera::runtime
