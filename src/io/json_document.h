// Whole JSON documents from files that may be hostile, such as a model's config.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "io/json.h"

namespace tessera::io {

/// The text of a file of at most kMaxHeaderBytes. Nothing if there is no such file; Error of kind io if it cannot be
/// read, and of kind parse for one that is larger.
std::optional<std::string> read_text(const std::filesystem::path& file, std::string_view function);

/// The object of a text, by the checks of visit_json. `what` names it in messages: "a
/// configuration".
nlohmann::json parse_json(std::string_view text, std::string_view what, const Fault& fault);

}  // namespace tessera::io
