// The config of a GGUF file: its metadata in the form of config.json.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "llm/reader.h"
#include "tessera/llm/model.h"

namespace tessera::llm {

/// A value of the metadata by key; nothing if there is none.
using MetadataLookup = std::function<std::optional<Json>(std::string_view key)>;

/// The config of a model in a GGUF file, from its metadata and its tensors. Errors are those of Config::parse, with
/// keys of the metadata where one is missing.
Config gguf_config(const MetadataLookup& metadata, const WeightSource& source, const std::string& file);

}  // namespace tessera::llm
