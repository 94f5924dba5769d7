// Where the engine keeps what it learned about this machine.
#pragma once

#include <filesystem>

namespace tessera::runtime {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera. Empty: nothing is to be kept.
std::filesystem::path cache_folder();

}  // namespace tessera::runtime
