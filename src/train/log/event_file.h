// TensorBoard's event files: records of TensorFlow with Event messages of protocol buffers, written by hand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "train/log/append_file.h"

namespace tessera::train {

/// The checksum of records: CRC-32C (Castagnoli).
std::uint32_t crc32c(std::string_view bytes);

class EventFile {
 public:
  /// A new file in the folder, whose name comes after those of all event files there: TensorBoard reads them in this
  /// order. With `first_step`, TensorBoard forgets what earlier files have from that step on.
  EventFile(const std::filesystem::path& folder, double time, std::optional<std::int64_t> first_step);
  /// A value for each tag.
  void write(double time, std::int64_t step, std::span<const std::pair<std::string, double>> values);
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

 private:
  void record(std::string_view event);

  AppendFile file_;
};

}  // namespace tessera::train
