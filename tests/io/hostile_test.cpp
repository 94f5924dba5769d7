// Archives that say more than they have, members that overlap, and paths that are not files: refused with an Error, in
// little memory and without waiting.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/system.h"
#include "io/npy/npy.h"
#include "io/npy/zip.h"
#include "io/support.h"
#include "support/errors.h"
#include "tessera/npy.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20U;

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
  return text;
}

std::string npy_start(const std::string& descr, const std::string& shape) {
  const std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\1\0", 8) + little(dict.size(), 2) + dict;
}

/// What the directory says of a member, and the bytes that it has.
struct Packed {
  std::string name;
  std::string bytes;
  std::uint64_t size;  // unpacked
  std::uint32_t crc = 0;
  bool deflated = true;
};

std::string zip_of(const std::vector<Packed>& members) {
  std::string archive, directory;
  for (const Packed& m : members) {
    const std::string both = little(20, 2) + little(0, 2) + little(m.deflated ? 8 : 0, 2) + little(0, 4) +
                             little(m.crc, 4) + little(m.bytes.size(), 4) + little(m.size, 4) +
                             little(m.name.size(), 2) + little(0, 2);
    directory += "PK\1\2" + little(20, 2) + both + std::string(10, '\0') + little(archive.size(), 4) + m.name;
    archive += "PK\3\4" + both + m.name + m.bytes;
  }
  return archive + directory + "PK\5\6" + little(0, 4) + little(members.size(), 2) + little(members.size(), 2) +
         little(directory.size(), 4) + little(archive.size(), 4) + little(0, 2);
}

/// A deflate stream: bits from the lowest on, codes from their highest bit on.
class Deflate {
 public:
  void bits(unsigned value, int count) {
    for (int i = 0; i < count; ++i) bit(value >> i & 1U);
  }
  void code(unsigned value, int count) {
    while (count-- > 0) bit(value >> count & 1U);
  }
  /// A stored block, which is not the last one.
  void stored(std::string_view text) {
    bits(0, 3);
    while (used_ != 8) bit(0);
    out_ += little(text.size(), 2) + little(~text.size() & 0xffffU, 2) + std::string(text);
  }
  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  void bit(unsigned value) {
    if (used_ == 8) {
      out_ += '\0';
      used_ = 0;
    }
    out_.back() = static_cast<char>(static_cast<unsigned char>(out_.back()) | value << used_++);
  }
  std::string out_;
  unsigned used_ = 8;
};

/// `text` and so many zeros, the last of them a multiple of 258.
std::string deflated(std::string_view text, std::uint64_t zeros) {
  Deflate out;
  out.stored(text);
  out.bits(3, 3);  // the last block, with fixed codes
  out.code(0x30, 8);
  for (std::uint64_t n = 1; n < zeros; n += 258) {
    out.code(0xc5, 8);  // a length of 258
    out.code(0, 5);     // a distance of 1
  }
  out.code(0, 7);  // the end
  return out.str();
}

/// The most memory that the process has had.
std::int64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

class HostileTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Error npz_error(std::string_view archive) const {
    write(file_, archive);
    return error_of([&] { (void)io::load_npz(file_); });
  }

  fs::path folder_ = fs::temp_directory_path() / ("tessera_hostile_test_" + std::to_string(os::process_id()));
  fs::path file_ = folder_ / "a.npz";
};

void expect_parse(const Error& e, std::string_view part) {
  EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
  EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
}

TEST_F(HostileTest, SizesThatAreNotTrueTakeNoMemory) {
  constexpr std::uint64_t kClaimed = 4'000'000'000;
  const std::int64_t before = peak_memory();
  std::string garbage(4 * kMega, '\xff');  // the type of block that there is not
  // The header and the directory agree on 4 GB.
  const std::string start = npy_start("<f4", std::to_string(kClaimed / 4) + ",");
  Deflate head;
  head.stored(start);
  expect_parse(npz_error(zip_of({{"x.npy", head.str() + garbage, start.size() + kClaimed}})),
               fmt::format(":x' is not a valid deflate stream of {} bytes", start.size() + kClaimed));
  // The header says less.
  Deflate other;
  other.stored(npy_start("<f4", "2,"));
  expect_parse(npz_error(zip_of({{"x.npy", other.str() + garbage, kClaimed}})), "8 are expected for f32 of shape [2]");
  // There is no header, of any length.
  expect_parse(npz_error(zip_of({{"x.npy", garbage, kClaimed}})), "signature");
  Deflate half;
  half.stored(start.substr(0, 11));
  expect_parse(npz_error(zip_of({{"x.npy", half.str() + garbage, kClaimed}})), "has 11 bytes");
  half.stored(start.substr(11, 20));
  expect_parse(npz_error(zip_of({{"x.npy", half.str() + garbage, kClaimed}})), "has 31 bytes of a header of");
  std::mt19937 random(7);
  std::ranges::generate(garbage, [&] { return static_cast<char>(random()); });
  for (int i = 0; i < 20; ++i) {
    std::ranges::rotate(garbage, garbage.begin() + 1000);
    EXPECT_EQ(npz_error(zip_of({{"x.npy", head.str() + garbage, start.size() + kClaimed}})).kind(), ErrorKind::kParse);
  }
  EXPECT_LT(peak_memory() - before, static_cast<std::int64_t>(200 * kMega));
}

TEST_F(HostileTest, ALargeMemberIsUnpackedWhole) {
  constexpr std::uint64_t kZeros = 1 + 258 * 40000;
  const std::string start = npy_start("|u1", std::to_string(kZeros) + ",");
  std::string whole = start + std::string(kZeros, '\0');
  const std::string packed = deflated(start, kZeros);
  const Packed member{"x.npy", packed, whole.size(), io::crc32(std::as_bytes(std::span(whole)))};
  write(file_, zip_of({member}));
  const Tensor x = io::load_npz(file_)["x"];
  EXPECT_EQ(x.shape(), Shape({static_cast<std::int64_t>(kZeros)}));
  EXPECT_EQ(sum(cast(x, i64)).item<std::int64_t>(), 0);
  // One byte more or less than the stream has.
  for (const std::uint64_t n : {kZeros - 1, kZeros + 1}) {
    const std::string claimed = npy_start("|u1", std::to_string(n) + ",");
    ASSERT_EQ(claimed.size(), start.size());
    expect_parse(npz_error(zip_of({{"x.npy", deflated(claimed, kZeros), start.size() + n}})),
                 fmt::format("deflate stream of {} bytes", start.size() + n));
  }
}

TEST_F(HostileTest, TheFirstBytesOfAMember) {
  const std::string text = "0123456789";
  for (const bool packed : {false, true}) {
    const std::string archive = zip_of({{"a", packed ? deflated(text, 259) : text, packed ? 269U : 10U, 0, packed}});
    const HostView view{std::as_bytes(std::span(archive)), nullptr, false};
    const auto members = io::zip_members(view.bytes, io::Fault("zip"));
    ASSERT_EQ(members.size(), 1U);
    for (std::size_t n = 0; n <= 300; ++n) {
      const std::vector<std::byte> first = io::unzip_first(view, members[0], n);
      ASSERT_EQ(first.size(), std::min(n, members[0].size));
      for (std::size_t i = 0; i < n && i < first.size(); ++i) {
        ASSERT_EQ(static_cast<char>(first[i]), i < 10 ? text[i] : '\0') << i;
      }
    }
  }
}

TEST_F(HostileTest, NamesOfArraysInMessages) {
  const std::string text = npy_start("|u1", "1,") + "x";
  const std::uint32_t crc = io::crc32(std::as_bytes(std::span(text)));
  const auto stored = [&](const std::string& name, std::uint32_t sum) {
    return zip_of({{name + ".npy", text, text.size(), sum, false}});
  };
  expect_parse(npz_error(stored("a\xff", crc)), "has an array 'a\\ufffd', whose name is not UTF-8.");
  expect_parse(npz_error(stored("größe", crc + 1)), ":gr\\u00f6\\u00dfe' has the checksum");
  EXPECT_LT(std::string_view(npz_error(stored(std::string(60000, 'a'), crc + 1)).what()).size(), 400U);
  write(file_, stored("größe", crc));
  EXPECT_EQ(io::load_npz(file_)["größe"].shape(), Shape({1}));
}

TEST_F(HostileTest, MembersThatOverlap) {
  const std::string start = npy_start("|u1", "259,");
  const std::string packed = deflated(start, 259);
  const std::string whole = start + std::string(259, '\0');
  const std::uint32_t crc = io::crc32(std::as_bytes(std::span(whole)));
  const std::string honest = zip_of({{"a.npy", packed, whole.size(), crc}, {"b.npy", packed, whole.size(), crc}});
  write(file_, honest);
  EXPECT_EQ(io::load_npz(file_).size(), 2U);
  // Both entries of the directory are of the first member.
  std::string bad = honest;
  bad.replace(honest.rfind("PK\1\2") + 42, 4, little(0, 4));
  expect_parse(npz_error(bad), fmt::format("'b.npy' at byte 0, which overlaps the member 'a.npy' at bytes 0 to {}",
                                           honest.rfind("PK\3\4")));
  // A stream that has the header of another member in it.
  const std::string inner = "PK\3\4" + honest.substr(4, 31);
  const std::string outer = honest.substr(0, 35) + inner + packed;
  std::string directory = honest.substr(honest.find("PK\1\2"), 2 * 51);
  directory.replace(20, 4, little(inner.size() + packed.size(), 4));
  directory.replace(51 + 42, 4, little(35, 4));
  expect_parse(npz_error(outer + directory + "PK\5\6" + little(0, 4) + little(2, 2) + little(2, 2) +
                         little(directory.size(), 4) + little(outer.size(), 4) + little(0, 2)),
               "has a member 'b.npy' at byte 35, which overlaps the member 'a.npy'");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(HostileTest, WithoutMemoryForWhatIsTrue) {
  std::ifstream status("/proc/self/statm");
  std::uint64_t pages = 0;
  if (!(status >> pages)) GTEST_SKIP() << "there is no /proc/self/statm";
  constexpr std::uint64_t kZeros = 1 + 258 * 2'000'000;  // 516 MB
  const std::string start = npy_start("|u1", std::to_string(kZeros) + ",");
  write(file_, zip_of({{"x.npy", deflated(start, kZeros), start.size() + kZeros}}));
  rlimit unlimited{};
  ::getrlimit(RLIMIT_AS, &unlimited);
  rlimit limited = unlimited;
  limited.rlim_cur = static_cast<rlim_t>(pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + 256 * kMega);
  ::setrlimit(RLIMIT_AS, &limited);
  const Error e = error_of([&] { (void)io::load_npz(file_); });
  ::setrlimit(RLIMIT_AS, &unlimited);
  EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory) << e.what();
  EXPECT_EQ(std::string(e.what()),
            "load_npz: '" + file_.string() + ":x' cannot be read: the host has not enough memory for its elements.");
}
#endif

TEST_F(HostileTest, PipesAndDevicesAreNotWaitedFor) {
  const fs::path pipe = folder_ / "pipe.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string expected =
      "'" + pipe.string() + "' cannot be mapped into memory: it is a pipe; a regular file is expected.";
  const auto check = [&](const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kIo);
    EXPECT_EQ(std::string(e.what()), expected);
  };
  check(error_of([&] { (void)io::load_npy(pipe); }));
  check(error_of([&] { (void)io::load_npz(pipe); }));
  check(error_of([&] { (void)io::load_idx(pipe); }));
  check(error_of([&] { (void)io::load_safetensors(pipe); }));  // an index
  check(error_of([&] { (void)io::SafetensorsFile(pipe); }));
  check(error_of([&] { (void)io::GgufFile(pipe); }));
  EXPECT_EQ(std::string(error_of([] { (void)io::load_npy("/dev/null"); }).what()),
            "'/dev/null' cannot be mapped into memory: it is a device; a regular file is expected.");
}

}  // namespace
}  // namespace tessera::test
