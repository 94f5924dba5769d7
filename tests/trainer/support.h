// What the tests of training runs share: a folder of their own, and the bytes of objects and files.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/os/system.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace fs = std::filesystem;

/// An empty folder, removed at the end.
class RunFolder {
 public:
  RunFolder()
      : path_(fs::temp_directory_path() /
              fmt::format("tessera-{}-\u00e9t\u00e9-{:x}", os::process_id(), std::random_device()())) {
    fs::create_directories(path_);
  }
  ~RunFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

inline std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
}

/// The names in a folder, sorted.
inline std::vector<std::string> listed(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// Of all elements of each tensor.
inline std::vector<std::size_t> hashes_of(const nn::Stateful& object) {
  std::vector<std::size_t> all;
  for (const auto& [name, tensor] : nn::state_of(object).flatten()) {
    const HostView view = host_view(tensor);
    all.push_back(std::hash<std::string_view>()({reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()}));
  }
  return all;
}

/// Files of this process cannot grow past a size, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_DFL);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

}  // namespace tessera::test
