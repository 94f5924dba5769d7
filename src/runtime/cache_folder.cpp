// Reads the environment for the folder of what is kept, and puts files in place by a rename.
#include "runtime/cache_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace tessera::runtime {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string() + " cannot be written");
}

/// A name of its own: other machines and containers that share the folder may have processes of the same number.
fs::path temporary_beside(const fs::path& file) {
  std::random_device random;
  return fmt::format("{}.{}.{:08x}{:08x}.tmp", file.string(), getpid(), random(), random());
}

/// On the disk when it returns: a rename must not come before what it names.
void write_new(const fs::path& file, std::string_view text) {
  const auto close = [](std::FILE* f) { std::fclose(f); };
  const std::unique_ptr<std::FILE, decltype(close)> out(std::fopen(file.c_str(), "wbx"), close);
  if (out == nullptr || std::fwrite(text.data(), 1, text.size(), out.get()) != text.size() ||
      std::fflush(out.get()) != 0 || ::fsync(::fileno(out.get())) != 0) {
    cannot_write(file);
  }
}

/// Keeps other processes and threads out while it lives. The file beside stays, since a lock goes with its file.
class FileLock {
 public:
  explicit FileLock(const fs::path& file)
      : handle_(::open((file.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (handle_ < 0) cannot_write(file);
    while (::flock(handle_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::close(handle_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int handle_;
};

}  // namespace

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return fs::path(text != nullptr ? text : "");
  };
  if (std::getenv("TESSERA_CACHE") != nullptr) return variable("TESSERA_CACHE");
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "tessera";
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "tessera";
  return {};
}

FileText read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void replace_file(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  const fs::path temporary = temporary_beside(file);
  try {
    write_new(temporary, text);
    fs::rename(temporary, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

void update_file(const fs::path& file, const std::function<FileText(const FileText&)>& change) {
  fs::create_directories(file.parent_path());
  const FileLock lock(file);
  if (const FileText text = change(read_file(file))) replace_file(file, *text);
}

}  // namespace tessera::runtime
