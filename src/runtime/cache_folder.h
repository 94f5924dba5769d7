// The cache folder: measurements of this machine, and how files there are changed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tessera::runtime {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera. Empty: nothing is cached.
std::filesystem::path cache_folder();

/// The text of a cached file; nothing if there is none.
using FileText = std::optional<std::string>;

/// Replaces a cached file by `change` of its text, if that returns one. The file is locked meanwhile, so additions of
/// other processes are in that text. Throws like os::replace_file.
void update_file(const std::filesystem::path& file, const std::function<FileText(const FileText&)>& change);

}  // namespace tessera::runtime
