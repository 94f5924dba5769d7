// Files: whole texts, locks between processes, and bytes mapped into memory. Errors are of kind io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::os {

/// The text of a file; nothing where it cannot be opened.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Writes a file as a whole, with its folder: whoever reads it meanwhile sees the old text or the new one, whatever
/// other threads, processes and machines write. Where that fails it throws, and nothing else is left behind.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// Keeps other processes and threads that lock the same file out while it lives. The lock is a file of its own beside
/// it, FILE.lock, which stays: replace_file puts another file in its place, and a lock would go with the old one.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

/// The bytes of a file, to be read: the system loads pages when they are touched. The file must not shrink meanwhile.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

/// Where programs of this user keep what can be made again: $XDG_CACHE_HOME, else ~/.cache. Empty where neither is
/// known.
std::filesystem::path user_cache_folder();

}  // namespace tessera::os
