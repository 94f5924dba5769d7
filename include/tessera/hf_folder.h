// Model folders of Hugging Face: configuration, tokenizer, chat template, and weights in safetensors files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/device.h"
#include "tessera/export.h"
#include "tessera/io.h"
#include "tessera/tensor.h"
#include "tessera/tree.h"

namespace TESSERA_API tessera {
namespace io {

/// A folder with config.json and with model.safetensors, or model.safetensors.index.json and its shards. Weights are
/// mapped into memory, and their headers are checked; texts are read and checked when they are used. Thread-safe.
class HfFolder {
 public:
  /// Error of kind io if a file is missing, with the names of all missing shards; of kind parse if one is not valid.
  explicit HfFolder(const std::filesystem::path& folder);

  [[nodiscard]] const std::filesystem::path& path() const;

  // Texts of files. Each is checked to be one JSON object without duplicate keys; nothing if there is no such file.
  [[nodiscard]] const std::string& config() const;
  [[nodiscard]] std::optional<std::string> generation_config() const;
  [[nodiscard]] std::optional<std::string> tokenizer() const;
  [[nodiscard]] std::optional<std::string> tokenizer_config() const;
  /// The Jinja text: chat_template.jinja, else "chat_template" of tokenizer_config.json (of a list the one with this
  /// name), else of chat_template.json. Nothing if there is none.
  [[nodiscard]] std::optional<std::string> chat_template(std::string_view name = "default") const;

  /// The safetensors files.
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const;
  /// Sorted by name, with positions as numbers; offsets are those in a tensor's own file.
  [[nodiscard]] const std::vector<TensorEntry>& entries() const;
  [[nodiscard]] bool contains(std::string_view name) const;
  /// Error of kind value if there is no such tensor.
  [[nodiscard]] const TensorEntry& entry(std::string_view name) const;
  /// As SafetensorsFile::tensor and tensors.
  [[nodiscard]] Tensor tensor(std::string_view name, const Device& device = {}) const;
  [[nodiscard]] std::vector<Tree::Named> tensors(const LoadOptions& options = {}) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace io
}  // namespace tessera
