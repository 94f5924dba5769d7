// A file that grows by whole records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace tessera::train {

/// After an error the file ends with the last whole record. A killed process leaves at most a part of one.
class AppendFile {
 public:
  /// Creates the file if there is none. Error of kind io.
  explicit AppendFile(std::filesystem::path path);
  /// Writes a record, and hands it to the system.
  void append(std::string_view record);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void open();

  std::filesystem::path path_;
  std::ofstream out_;
  std::uintmax_t size_ = 0;
};

}  // namespace tessera::train
