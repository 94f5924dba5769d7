// Texts and JSON files of training jobs. Errors are full sentences that name the file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tessera::app {

using Json = nlohmann::ordered_json;

/// Error of kind io if it cannot be read.
std::string read_text(const std::filesystem::path& file);
/// Error of kind parse if it is no JSON object.
Json read_json(const std::filesystem::path& file);
/// Error of kind io if it cannot be written.
void write_text(const std::filesystem::path& file, std::string_view text);
void write_json(const std::filesystem::path& file, const Json& value);
/// Creates a folder if it is not there. Error of kind io if that is not possible.
void make_folder(const std::filesystem::path& folder);

/// A text for a message: in quotes, with escapes, at most 80 characters.
std::string in_quotes(std::string_view text);

}  // namespace tessera::app
