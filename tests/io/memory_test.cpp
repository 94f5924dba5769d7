// Loading makes no second copy of the tensors in host memory: anonymous memory is measured after each tensor.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kTensorBytes[] = {224 * kMiB, 32 * kMiB};
constexpr std::int64_t kFileBytes = 256 * kMiB;
/// One upload has four copies of 32 MiB in flight at most, and the second tensor may add one more.
constexpr std::int64_t kStagingBytes = 192 * kMiB;

/// Memory of this process that is not mapped from a file on disk; -1 where the system does not say.
std::int64_t own_memory() {
  std::ifstream status("/proc/self/status");
  std::int64_t bytes = -1;
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("RssAnon:") && !line.starts_with("RssShmem:")) continue;
    std::istringstream fields(line.substr(line.find(':') + 1));
    std::int64_t kib = 0;
    fields >> kib;
    bytes = std::max<std::int64_t>(bytes, 0) + kib * 1024;
  }
  return bytes;
}

/// A header and zeros behind it that take no place on the disk.
void make_sparse(const fs::path& file, std::string_view header) {
  std::ofstream(file, std::ios::binary).write(header.data(), static_cast<std::streamsize>(header.size()));
  fs::resize_file(file, header.size() + static_cast<std::uint64_t>(kFileBytes));
}

std::string safetensors_header() {
  std::string text = "{";
  std::int64_t at = 0;
  for (const std::int64_t bytes : kTensorBytes) {
    text += fmt::format(R"({}"t{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})", at > 0 ? "," : "",
                        at > 0 ? 1 : 0, bytes / 4, at, at + bytes);
    at += bytes;
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

std::string gguf_header() {
  const auto put = [](std::string& out, auto value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string out = "GGUF";
  put(out, std::uint32_t{3});
  put(out, std::uint64_t{std::size(kTensorBytes)});
  put(out, std::uint64_t{0});
  std::int64_t at = 0;
  for (const std::int64_t bytes : kTensorBytes) {
    put(out, std::uint64_t{2});
    out += at > 0 ? "t1" : "t0";
    put(out, std::uint32_t{1});
    put(out, static_cast<std::uint64_t>(bytes / 4));
    put(out, std::uint32_t{0});
    put(out, static_cast<std::uint64_t>(at));
    at += bytes;
  }
  out.resize((out.size() + 31) / 32 * 32, '\0');
  return out;
}

class LoadingMemoryOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(LoadingMemoryOn);

TEST_P(LoadingMemoryOn, HasOneCopyAtMost) {
  if (own_memory() < 0) GTEST_SKIP() << "there is no /proc/self/status";
  const fs::path file = fs::temp_directory_path() / ("tessera_memory_test_" + std::to_string(os::process_id()));
  const std::int64_t before = own_memory();  // of both: the pool keeps the device memory of the first
  for (const bool gguf : {false, true}) {
    make_sparse(file, gguf ? gguf_header() : safetensors_header());
    std::int64_t peak = 0;
    std::uint64_t loaded = 0;
    const io::LoadOptions options{device_, [&](const io::LoadProgress& p) {
                                    peak = std::max(peak, own_memory() - before);
                                    loaded = p.loaded;
                                  }};
    {
      const std::vector<Tree::Named> tensors =
          gguf ? io::GgufFile(file).tensors(options) : io::load_safetensors_list(file, options);
      EXPECT_EQ(loaded, static_cast<std::uint64_t>(kFileBytes));
      EXPECT_EQ(slice(tensors.back().second, {{5, 6}}).item<float>(), 0);
      peak = std::max(peak, own_memory() - before);
    }
    // The memory of a software adapter is that of the process; the CPU backend uses the mapped bytes.
    const std::int64_t device = on_cpu() ? 0 : kFileBytes;
    EXPECT_LT(peak, device + (on_cpu() ? 16 * kMiB : kStagingBytes)) << (gguf ? "GGUF" : "safetensors");
    RecordProperty(gguf ? "gguf_mib" : "safetensors_mib", std::to_string(peak / kMiB));
    std::printf("%s: %lld MiB of host memory for %lld MiB of tensors\n", gguf ? "GGUF" : "safetensors",
                static_cast<long long>(peak / kMiB), static_cast<long long>(kFileBytes / kMiB));
    fs::remove(file);
  }
}

}  // namespace
}  // namespace tessera::test
