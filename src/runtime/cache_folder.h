// Where the engine keeps what it learned about this machine, and how files there are read and changed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::runtime {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera. Empty: nothing is to be kept.
std::filesystem::path cache_folder();

/// The text of a kept file; nothing where there is none.
using FileText = std::optional<std::string>;
FileText read_file(const std::filesystem::path& file);

/// Writes a kept file as a whole, with its folder: whoever reads it meanwhile sees the old text or the new one,
/// whatever other threads, processes and machines write. Throws what the file system says; nothing else is left behind
/// then.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// Replaces a kept file by what `change` makes of its text, if anything. Nobody else changes it meanwhile, so what
/// others added is in that text. Throws as replace_file does.
void update_file(const std::filesystem::path& file, const std::function<FileText(const FileText&)>& change);

}  // namespace tessera::runtime
