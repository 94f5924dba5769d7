// Where the engine keeps what it learned about this machine, and how files there are changed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tessera::runtime {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera. Empty: nothing is to be kept.
std::filesystem::path cache_folder();

/// The text of a kept file; nothing where there is none.
using FileText = std::optional<std::string>;

/// Replaces a kept file by what `change` makes of its text, if anything. Nobody else changes it meanwhile, so what
/// others added is in that text. Throws as os::replace_file does.
void update_file(const std::filesystem::path& file, const std::function<FileText(const FileText&)>& change);

}  // namespace tessera::runtime
