// run.json of a checkpoint: where the run is, and size and hash of each file beside it. Checkpoints writes and checks
// it; this is for programs that keep checkpoints elsewhere than in a folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tessera/export.h"
#include "tessera/train/checkpoint.h"

namespace TESSERA_API tessera {
namespace train {

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
    std::string hash = {};
  };
  RunState run = {};
  std::optional<double> metric = {};
  bool maximize = false;
  std::map<std::string, File> files = {};  // by name

  [[nodiscard]] std::string text() const;
  /// Error of kind parse, which names the file and begins with the function, if it is no such text.
  static RunFile parse(std::string_view text, const std::string& file, std::string_view function = "Checkpoints::load");
  /// The same of a file, which may be missing.
  static RunFile read(const std::filesystem::path& path);
};

}  // namespace train
}  // namespace tessera
