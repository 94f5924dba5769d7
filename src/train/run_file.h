// run.json of a checkpoint: what is known of the run, and size and hash of each file beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "tessera/train/checkpoint.h"

namespace tessera::train {

/// A hash of bytes that are added in any parts.
class ByteHash {
 public:
  void add(std::span<const std::byte> bytes);
  /// As 16 hexadecimal digits.
  [[nodiscard]] std::string str() const;

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t word_ = 0;  // the bytes of an unfinished word
};

struct RunFile {
  struct File {
    std::uint64_t bytes = 0;
    std::string hash;
  };
  RunState run;
  std::optional<double> metric = {};
  bool maximize = false;
  std::map<std::string, File> files = {};  // by name

  [[nodiscard]] std::string text() const;
  /// Error of kind parse that names the file if it is no such text, or missing.
  static RunFile read(const std::filesystem::path& path);
};

}  // namespace tessera::train
