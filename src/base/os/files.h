// Files: whole texts, locks between processes, and bytes mapped into memory. Errors are of kind io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::os {

/// The text of a file; nothing if it cannot be opened.
std::optional<std::string> read_file(const std::filesystem::path& file);

/// Makes a folder, and those above it that are missing, and waits until they are on the disk, where the system can.
/// Error of kind io.
void make_folders(const std::filesystem::path& folder);

/// Replaces a file atomically, and creates its folder: concurrent readers see the old text or the new one, whatever
/// other threads, processes and machines write. On failure it throws and leaves nothing else behind.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// The same for what `write` appends in parts, in a folder that exists.
using Append = std::function<void(std::span<const std::byte>)>;
void replace_file_with(const std::filesystem::path& file, const std::function<void(const Append&)>& write);

/// Waits until the bytes of a file are on the disk. Error of kind io.
void sync_file(const std::filesystem::path& file);

/// Locks out other processes and threads that lock the same file. The lock is a separate file, FILE.lock, which stays:
/// replace_file replaces the inode, and a lock on the file itself would go with the old one.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

/// The bytes of a file, mapped read-only: the system loads pages when they are touched. The file must not shrink
/// meanwhile. Error of kind io for what is no regular file, such as a pipe, without waiting for it.
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

/// Begins to read bytes of a mapped file that are needed next, where the system can.
void read_ahead(std::span<const std::byte> mapped);

/// Waits until what was created, renamed and removed in a folder is on the disk, where the system can.
void sync_folder(const std::filesystem::path& folder);

/// The cache folder of this user: $XDG_CACHE_HOME, else ~/.cache. Empty if neither is known.
std::filesystem::path user_cache_folder();

}  // namespace tessera::os
