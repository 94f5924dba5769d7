// Files where the system is POSIX: replaced by a rename, locked by flock, mapped by mmap.
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/os/files.h"
#include "base/os/system.h"

namespace tessera::os {

namespace {

namespace fs = std::filesystem;

/// `error` is an errno.
[[noreturn]] void fail_io(const fs::path& file, const char* what, int error) {
  fail(ErrorKind::kIo, "'{}' cannot be {}: {}.", file.string(), what, std::generic_category().message(error));
}

/// Random digits: other machines and containers that share the folder may have equal process ids.
fs::path temporary_beside(const fs::path& file) {
  std::random_device random;
  return fmt::format("{}.{}.{:08x}{:08x}.tmp", file.string(), process_id(), random(), random());
}

void make_folder_of(const fs::path& file) {
  if (file.has_parent_path()) make_folders(file.parent_path());
}

/// Closes the file in its destructor.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

}  // namespace

std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> above;  // of each folder that is missing, the one that it is in
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error); at = at.parent_path()) {
    above.push_back(at.has_parent_path() ? at.parent_path() : fs::path("."));
  }
  fs::create_directories(folder, error);
  if (error) fail_io(folder, "made", error.value());
  for (const fs::path& path : above) {
    const Descriptor opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // or it may not be read
    if (opened.number >= 0 && ::fsync(opened.number) != 0 && errno == EIO) fail_io(path, "written", errno);
  }
}

void replace_file(const fs::path& file, std::string_view text) {
  make_folder_of(file);
  replace_file_with(file, [&](const Append& append) { append(std::as_bytes(std::span(text))); });
}

void replace_file_with(const fs::path& file, const std::function<void(const Append&)>& write) {
  const fs::path temporary = temporary_beside(file);
  const auto close = [](std::FILE* f) { std::fclose(f); };
  std::unique_ptr<std::FILE, decltype(close)> out(std::fopen(temporary.c_str(), "wbx"), close);
  if (out == nullptr) fail_io(file, "written", errno);
  std::error_code error;
  try {
    write([&](std::span<const std::byte> bytes) {
      if (std::fwrite(bytes.data(), 1, bytes.size(), out.get()) != bytes.size()) fail_io(file, "written", errno);
    });
    // On disk before the rename: it must not come before the data.
    if (std::fflush(out.get()) != 0 || ::fsync(::fileno(out.get())) != 0) fail_io(file, "written", errno);
    out.reset();
    fs::rename(temporary, file, error);
    if (error) fail_io(file, "replaced", error.value());
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

void sync_file(const fs::path& file) {
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (opened.number < 0 || ::fsync(opened.number) != 0) fail_io(file, "written", errno);
}

FileLock::FileLock(const fs::path& file) : descriptor_(-1) {
  make_folder_of(file);
  const std::string lock = file.string() + ".lock";
  descriptor_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_io(lock, "opened", errno);
  // A file system without locks is used without them.
  while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() { ::close(descriptor_); }

MappedFile::MappedFile(const fs::path& file) {
  // Without waiting for the writer of a pipe.
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (opened.number < 0 || ::fstat(opened.number, &status) != 0) fail_io(file, "opened", errno);
  if (S_ISDIR(status.st_mode)) fail_io(file, "mapped into memory", EISDIR);
  if (!S_ISREG(status.st_mode)) {
    fail(ErrorKind::kIo, "'{}' cannot be mapped into memory: it is {}; a regular file is expected.", file.string(),
         S_ISFIFO(status.st_mode) ? "a pipe" : "a device");
  }
  if (!std::in_range<std::size_t>(status.st_size)) fail_io(file, "mapped into memory", EFBIG);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap rejects empty files
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.number, 0);
  if (data == MAP_FAILED) fail_io(file, "mapped into memory", errno);
  bytes_ = {static_cast<const std::byte*>(data), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void read_ahead([[maybe_unused]] std::span<const std::byte> mapped) {
#if defined(__linux__)
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(mapped.data());
  const std::uintptr_t begin = at / page * page;
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), mapped.size() + (at - begin), MADV_WILLNEED));
#endif
}

void sync_folder(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number < 0) fail_io(folder, "opened", errno);
  // A file system that cannot sync folders is used without it.
  if (::fsync(opened.number) != 0 && errno == EIO) fail_io(folder, "written", errno);
}

fs::path user_cache_folder() {
  if (const auto cache = environment("XDG_CACHE_HOME"); cache && !cache->empty()) return *cache;
  if (const auto home = environment("HOME"); home && !home->empty()) return fs::path(*home) / ".cache";
  return {};
}

}  // namespace tessera::os
