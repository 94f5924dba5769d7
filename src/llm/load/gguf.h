// GGUF files: their tensors as a source of weights, and their metadata in the form of config.json.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "llm/load/reader.h"
#include "tessera/gguf.h"
#include "tessera/llm/model.h"

namespace tessera::llm {

/// A value of the metadata by key; nothing if there is none.
using MetadataLookup = std::function<std::optional<Json>(std::string_view key)>;

/// The config of a model in a GGUF file, from its metadata and its tensors. Errors are those of Config::parse, with
/// keys of the metadata where one is missing.
Config gguf_config(const MetadataLookup& metadata, const WeightSource& source, const std::string& file);

/// The tensors of a GGUF file.
class GgufSource final : public WeightSource {
 public:
  explicit GgufSource(io::GgufFile file) : file_(std::move(file)) {}
  [[nodiscard]] Config config() const;
  [[nodiscard]] std::vector<std::string> names() const override;
  [[nodiscard]] bool contains(std::string_view name) const override { return file_.contains(name); }
  [[nodiscard]] Shape shape(std::string_view name) const override { return file_.entry(name).shape; }
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device) const override {
    return file_.tensor(name, device);
  }
  [[nodiscard]] std::uint64_t bytes(std::string_view name) const override { return file_.entry(name).bytes; }

 private:
  io::GgufFile file_;
};

}  // namespace tessera::llm
