// What the tests of files share: whole files, and the bytes of tensors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/tessera.h"

namespace tessera::test {

namespace fs = std::filesystem;

inline std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const fs::path& file, std::string_view text) {
  fs::remove(file);  // to truncate it is slower on ext4, which then writes to the disk at once
  std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

inline std::vector<std::byte> bytes_of(const Tensor& t) {
  const HostView view = host_view(t);
  return {view.bytes.begin(), view.bytes.end()};
}

}  // namespace tessera::test
