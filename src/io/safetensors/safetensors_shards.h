// The safetensors files of one model: those of an index, or a single one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tessera/io.h"

namespace tessera::io {

/// All files are there, mapped, and have their tensors, or the constructor throws.
class SafetensorsShards {
 public:
  /// An index if the path ends in .json, else one file.
  explicit SafetensorsShards(const std::filesystem::path& path);

  struct Part {
    std::string name;
    std::size_t file;  // the position in files()
  };
  /// File by file.
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<SafetensorsFile>& files() const { return files_; }
  [[nodiscard]] const TensorEntry& entry(const Part& part) const { return files_[part.file].entry(part.name); }
  [[nodiscard]] std::vector<Tree::Named> tensors(const LoadOptions& options) const;

 private:
  void open_index(const std::filesystem::path& path);

  std::vector<SafetensorsFile> files_;
  std::vector<Part> parts_;
};

}  // namespace tessera::io
