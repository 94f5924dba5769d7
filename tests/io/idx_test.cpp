// IDX files: every dtype, every rank, and files that are hostile.
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

struct Code {
  int code;
  DType dtype;
};
constexpr Code kCodes[] = {{0x08, u8}, {0x09, i8}, {0x0B, i16}, {0x0C, i32}, {0x0D, f32}, {0x0E, f64}};

void append(std::string& out, std::uint64_t value, std::size_t bytes) {  // big-endian
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::string header(int code, const std::vector<std::uint32_t>& sizes) {
  std::string out("\0\0", 2);
  out += static_cast<char>(code);
  out += static_cast<char>(sizes.size());
  for (const std::uint32_t size : sizes) append(out, size, 4);
  return out;
}

/// The element i of the test's tensors, in the bytes of a dtype.
std::uint64_t bits_of(DType dtype, std::size_t i) {
  const double value = static_cast<double>(i) * 3 - (dtype == u8 ? 0 : 5);
  if (dtype == f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (dtype == f64) return std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

std::string file_of(const Code& code, const std::vector<std::uint32_t>& sizes) {
  std::string out = header(code.code, sizes);
  std::size_t count = 1;
  for (const std::uint32_t size : sizes) count *= size;
  for (std::size_t i = 0; i < count; ++i) append(out, bits_of(code.dtype, i), size_of(code.dtype));
  return out;
}

class IdxTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
  }
  void TearDown() override { fs::remove(file_); }

  void write(std::string_view bytes) const {
    fs::remove(file_);
    std::ofstream(file_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// The message of the error that loading these bytes gives.
  [[nodiscard]] std::string message(std::string_view bytes) const {
    write(bytes);
    const Error e = error_of([&] { (void)io::load_idx(file_); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    const std::string text = e.what();
    EXPECT_TRUE(text.starts_with("load_idx: '" + file_.string() + "' ") && text.ends_with('.')) << text;
    return text;
  }
  void expect(std::string_view bytes, std::string_view part) const {
    const std::string text = message(bytes);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  fs::path file_ = fs::temp_directory_path() / ("tessera_idx_test_" + std::to_string(os::process_id()));
};

TEST_F(IdxTest, EveryDTypeAndRank) {
  const std::vector<std::vector<std::uint32_t>> shapes{
      {}, {0}, {1}, {7}, {2, 3}, {0, 4}, {3, 0, 2}, {2, 1, 3}, {2, 2, 2, 2, 1, 1, 1, 2}};
  for (const Code& code : kCodes) {
    for (const auto& sizes : shapes) {
      write(file_of(code, sizes));
      const Tensor t = io::load_idx(file_);
      ASSERT_EQ(t.dtype(), code.dtype);
      ASSERT_EQ(t.shape(), Shape(std::vector<std::int64_t>(sizes.begin(), sizes.end())));
      const std::vector<double> values = t.astype(f64).to_vector<double>();
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(values[i], static_cast<double>(i) * 3 - (code.dtype == u8 ? 0 : 5)) << name(code.dtype) << " " << i;
      }
    }
  }
}

TEST_F(IdxTest, ATensorKeepsItsFile) {
  write(file_of(kCodes[0], {5}));
  const Tensor t = io::load_idx(file_);
  fs::remove(file_);
  EXPECT_EQ(t.to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{0, 3, 6, 9, 12}));
}

TEST_F(IdxTest, HostileHeaders) {
  expect("", "has 0 bytes; at least 4 are expected");
  expect("\x1f\x8b\x08\x03", "is compressed by gzip");
  expect(std::string("\x01\0\x08\x01\0\0\0\0", 8), "begins with the bytes 0x01 0x00");
  for (int code = 0; code < 256; ++code) {
    if (std::ranges::any_of(kCodes, [&](const Code& c) { return c.code == code; })) continue;
    expect(header(code, {0}), "has the dtype 0x");
  }
  for (int rank = 9; rank < 256; ++rank) {
    std::string bytes = header(0x08, {}) + std::string(4 * 255, '\1');
    bytes[3] = static_cast<char>(rank);
    expect(bytes, "axes; at most 8 are expected");
  }
  expect(header(0x08, {4294967295U, 4294967295U, 4294967295U}), "sizes of at most 2^60 bytes together");
  expect(header(0x0E, {1U << 31U, 1U << 31U}), "sizes of at most 2^60 bytes together");
  expect(header(0x08, {4294967295U, 4294967295U, 0}), "sizes of at most 2^60 bytes together");
  expect(header(0x08, {4294967295U}), "has 0 bytes of data; 4294967295 are expected for the shape [4294967295] of u8");
}

TEST_F(IdxTest, EveryTruncationAndEveryTrailingByteIsAnError) {
  for (const Code& code : kCodes) {
    const std::string whole = file_of(code, {2, 3});
    for (std::size_t size = 0; size < whole.size(); ++size) (void)message(std::string_view(whole).substr(0, size));
    for (std::size_t more = 1; more < 10; ++more) expect(whole + std::string(more, '\0'), "bytes of data");
  }
}

TEST_F(IdxTest, FlippedBytesLoadOrThrow) {
  const std::string whole = file_of(kCodes[3], {2, 3});
  std::mt19937 random(7);
  int loaded = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string bad = whole;
    bad[random() % bad.size()] ^= static_cast<char>(1U << random() % 8);
    write(bad);
    try {
      EXPECT_EQ(io::load_idx(file_).numel(), 6);
      ++loaded;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    }
  }
  EXPECT_GT(loaded, 20);
  EXPECT_LT(loaded, 980);
}

TEST_F(IdxTest, AFileThatIsNotThere) {
  const Error e = error_of([&] { (void)io::load_idx(file_ / "no"); });
  EXPECT_EQ(e.kind(), ErrorKind::kIo);
}

class IdxOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(IdxOn);

TEST_P(IdxOn, Loads) {
  const fs::path file = fs::temp_directory_path() / ("tessera_idx_test_" + std::to_string(os::process_id()));
  for (const Code& code : kCodes) {
    const std::string bytes = file_of(code, {2, 3});
    std::ofstream(file, std::ios::binary) << bytes;
    if (code.dtype == f64 && !on_cpu()) {
      EXPECT_EQ(error_of([&] { (void)io::load_idx(file, device_); }).kind(), ErrorKind::kUnsupported);
      continue;
    }
    const Tensor t = io::load_idx(file, device_);
    EXPECT_EQ(t.device(), device_);
    EXPECT_EQ(sum(t.astype(f32)).item<float>(), code.dtype == u8 ? 45 : 15) << name(code.dtype);
  }
  fs::remove(file);
}

}  // namespace
}  // namespace tessera::test
