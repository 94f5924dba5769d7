// npy and npz files: every dtype, order of bytes and of axes as NumPy writes them, and files that are hostile.
#include "tessera/npy.h"

#include <cstring>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "io/npy/zip.h"
#include "io/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

const fs::path kNpyFixtures = fs::path(TESSERA_SOURCE_DIR) / "tests/io";

class NpyTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
  }
  void TearDown() override { fs::remove(file_); }

  Error npy_error(std::string_view bytes) const {
    write(file_, bytes);
    const Error e = error_of([&] { (void)io::load_npy(file_); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    EXPECT_TRUE(std::string_view(e.what()).starts_with("load_npy: '" + file_.string() + "' ")) << e.what();
    return e;
  }
  Error npz_error(std::string_view bytes) const {
    write(file_, bytes);
    const Error e = error_of([&] { (void)io::load_npz(file_); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    EXPECT_TRUE(std::string_view(e.what()).starts_with("load_npz: '" + file_.string())) << e.what();
    return e;
  }
  void expect_npy(std::string_view bytes, std::string_view part) const {
    const Error e = npy_error(bytes);
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  }

  fs::path file_ = fs::temp_directory_path() / ("tessera_npy_test_" + std::to_string(os::process_id()));
};

std::string npy(const std::string& dict, std::string_view data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(dict.size() >> (8 * i) & 0xffU);
  return out + dict + std::string(data);
}

const std::string kTwoFloats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";

TEST_F(NpyTest, EveryDTypeOfNumPy) {
  const std::vector<std::pair<std::string, DType>> kinds{
      {"b1", boolean}, {"i1", i8},  {"u1", u8},  {"i2", i16}, {"u2", u16}, {"i4", i32}, {"u4", u32},
      {"i8", i64},     {"u8", u64}, {"f2", f16}, {"f4", f32}, {"f8", f64}, {"c8", c64}, {"c16", c128}};
  for (const char* name : {"every_dtype.npz", "every_dtype_deflated.npz"}) {
    const Tree tree = io::load_npz(kNpyFixtures / name);
    for (const auto& [code, dtype] : kinds) {
      const Tensor t = tree["layers." + code];
      ASSERT_EQ(t.dtype(), dtype);
      ASSERT_EQ(t.shape(), Shape({2, 3}));
      const auto values = t.astype(c128).to_vector<std::complex<double>>();
      for (std::size_t i = 0; i < 6; ++i) {
        const double expected = dtype == boolean ? static_cast<double>((i + 1) % 2) : static_cast<double>(i + 1);
        EXPECT_EQ(values[i], std::complex<double>(expected, is_complex(dtype) ? -0.5 : 0)) << code << " " << i;
      }
    }
    EXPECT_EQ(tree["scalar"].shape(), Shape());
    EXPECT_EQ(tree["scalar"].item<float>(), 1);
    EXPECT_EQ(tree["empty"].shape(), Shape({0, 4}));
    EXPECT_EQ(tree["big"].to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(tree["bigcomplex"].to_vector<std::complex<float>>()[1], std::complex<float>(2, -0.5F));
    const auto fortran = tree["fortran"].to_vector<std::int16_t>();
    EXPECT_EQ(tree["fortran"].shape(), Shape({2, 3, 4}));
    for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(fortran[i], static_cast<std::int16_t>(i + 1));
    const auto many = tree["long"].to_vector<std::int16_t>();
    ASSERT_EQ(many.size(), 20000U);
    for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(many[i], static_cast<std::int16_t>(i * i % 1009)) << i;
  }
  EXPECT_EQ(io::load_npy(kNpyFixtures / "fortran.npy").to_vector<std::int16_t>()[23], 24);
}

TEST_F(NpyTest, EveryVersionAndSpelling) {
  const float values[] = {1.5F, -2};
  const std::string data(reinterpret_cast<const char*>(values), sizeof values);
  for (const int version : {1, 2, 3}) {
    write(file_, npy(kTwoFloats, data, version));
    EXPECT_EQ(io::load_npy(file_).to_vector<float>(), (std::vector<float>{1.5F, -2})) << version;
  }
  for (const char* dict : {"{\"shape\":(2L,),\"descr\":\"=f4\",\"fortran_order\":True}",
                           " { 'fortran_order' : False , 'shape' : ( 2 , 1 ) , 'descr' : '<f4' } "}) {
    write(file_, npy(dict, data));
    EXPECT_EQ(io::load_npy(file_).numel(), 2) << dict;
  }
}

TEST_F(NpyTest, HostileHeaders) {
  const std::string data(8, '\0');
  expect_npy("", "signature");
  expect_npy("\x93NUMPY", "has 6 bytes");
  expect_npy(npy(kTwoFloats, data, 4), "version 4");
  expect_npy(npy(kTwoFloats, data, 0), "version 0");
  expect_npy(npy(kTwoFloats, data + "x"), "has 9 bytes of elements; 8 are expected for f32 of shape [2]");
  const auto dict = [](const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (" + shape + ")}";
  };
  expect_npy(npy(dict("'|O'", "2,"), data), "pickled objects");
  expect_npy(npy(dict("'<U3'", "2,"), data), "elements of type '<U3'");
  expect_npy(npy(dict("''", "2,"), data), "elements of type ''");
  expect_npy(npy(dict("[('a', '<f4')]", "2,"), data), "several fields");
  expect_npy(npy(dict("'<f4'", "-2,"), data), "a dict of descr");
  expect_npy(npy(dict("'<f4'", "2, 1, 1, 1, 1, 1, 1, 1, 1"), data), "more than 8 axes");
  expect_npy(npy(dict("'<f4'", "99999999999999999999999999"), data), "2^60 bytes");
  expect_npy(npy(dict("'<f4'", "4294967296, 4294967296"), data), "2^60 bytes");
  expect_npy(npy(dict("'<f4'", "4294967296, 4294967296, 0"), ""), "2^60 bytes");
  expect_npy(npy("{}", data), "a dict of descr");
  expect_npy(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", data), "a dict of descr");
  expect_npy(npy(kTwoFloats + "x", data), "a dict of descr");
  expect_npy(npy("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", data), "a dict of descr");
  expect_npy(npy(dict("'|b1'", "8,"), std::string(7, '\1') + "\2"), "the byte 2 for the bool at element 7");
  std::string long_header = npy(kTwoFloats, data, 2);
  long_header.replace(8, 4, "\xff\xff\xff\xff");
  expect_npy(long_header, "a header of 4294967295 bytes");
}

TEST_F(NpyTest, EveryTruncationIsAnError) {
  const std::string whole = npy(kTwoFloats, std::string(8, '\0'));
  for (std::size_t size = 0; size < whole.size(); ++size) (void)npy_error(std::string_view(whole).substr(0, size));
  for (const char* name : {"every_dtype.npz", "every_dtype_deflated.npz"}) {
    const std::string archive = read(kNpyFixtures / name);
    for (std::size_t size = 0; size < archive.size(); size += 1 + size / 40) {
      (void)npz_error(std::string_view(archive).substr(0, size));
    }
    for (std::size_t left = 1; left < 64; ++left) {
      (void)npz_error(std::string_view(archive).substr(0, archive.size() - left));
    }
  }
}

TEST_F(NpyTest, FlippedBytesLoadOrThrow) {
  std::mt19937 random(3);
  for (const char* name : {"every_dtype.npz", "every_dtype_deflated.npz"}) {
    const std::string archive = read(kNpyFixtures / name);
    int loaded = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string bad = archive;
      // Half of them in the directory, where all fields count.
      const std::size_t from = i % 2 == 0 ? 0 : archive.size() - 1600;
      bad[from + random() % (archive.size() - from)] ^= static_cast<char>(1U << random() % 8);
      write(file_, bad);
      try {
        (void)io::load_npz(file_);
        ++loaded;
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
      }
    }
    EXPECT_LT(loaded, 900);
  }
}

TEST_F(NpyTest, DamagedMembersAreNamed) {
  std::string archive = read(kNpyFixtures / "every_dtype.npz");
  const std::size_t at = archive.find("NUMPY", archive.find("layers.f4.npy")) + 130;
  archive[at] ^= 1;
  const Error e = npz_error(archive);
  EXPECT_NE(std::string_view(e.what()).find(":layers.f4' has the checksum"), std::string_view::npos) << e.what();
  std::string text = npz_error("PK\5\6" + std::string(18, '\xff')).what();
  EXPECT_NE(text.find("directory"), std::string::npos) << text;
  EXPECT_EQ(io::load_npz([&] {
              write(file_, "PK\5\6" + std::string(18, '\0'));
              return file_;
            }())
                .size(),
            0U);
}

TEST_F(NpyTest, AFileThatIsNotThere) {
  EXPECT_EQ(error_of([&] { (void)io::load_npy(file_ / "no"); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(error_of([&] { (void)io::load_npz(fs::temp_directory_path()); }).kind(), ErrorKind::kIo);
}

/// Bytes written as hex.
std::vector<std::byte> of_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

TEST_F(NpyTest, InflateReadsEveryKindOfBlock) {
  // Raw deflate by Python's zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy).
  const std::string text = [] {
    std::string t;
    for (int i = 0; i < 40; ++i) t += "tessera " + std::to_string(i * i) + ";";
    return t;
  }();
  for (const std::string_view hex :
       {"01da0125fe7465737365726120303b7465737365726120313b7465737365726120343b7465737365726120393b7465737365"
        "72612031363b746573736572612032353b746573736572612033363b746573736572612034393b746573736572612036343b"
        "746573736572612038313b74657373657261203130303b74657373657261203132313b74657373657261203134343b746573"
        "73657261203136393b74657373657261203139363b74657373657261203232353b74657373657261203235363b7465737365"
        "7261203238393b74657373657261203332343b74657373657261203336313b74657373657261203430303b74657373657261"
        "203434313b74657373657261203438343b74657373657261203532393b74657373657261203537363b746573736572612036"
        "32353b74657373657261203637363b74657373657261203732393b74657373657261203738343b7465737365726120383431"
        "3b74657373657261203930303b74657373657261203936313b7465737365726120313032343b746573736572612031303839"
        "3b7465737365726120313135363b7465737365726120313232353b7465737365726120313239363b74657373657261203133"
        "36393b7465737365726120313434343b7465737365726120313532313b",
        "2b492d2e4e2d4a5430b02e81b20ce12c1338cb12216b06671a99c299c6085113845a3384011608530d0d90ec324212373141"
        "b205c9464b242b91ec34324512b740a8373632417217926f90ec35314112b740a837354298636a8e30df0cc95e3324717324"
        "f5e648e65820996f8964afa51972382039d4d000c9078686485e3344f6b3a1115260181a2387920972f09902c31500",
        "4d90c10dc3300c0357e908962cc9363a4d1f59a0c9fe481e81793f82167826afe33c8fffefd3bed7ab6cabd86ae9b5b6f4dc"
        "b2cb0ddd9602a652ad81e5f0234001710109a627fca9fbee817fa10db811f0a7eed3959343f9056ec11fb81fc899c85fe0ae"
        "e20ef8a835343043356367738c619d2b05e7cb67d71b",
        "05c15191c5300c03402a8650e7d2bc6684c61f222089ffdc6e6853530f429b9a6a843635b511dad4d4456853537d10dad4d4"
        "7a11dad4d4df41685353fb22b4a9a9b311dad4d4d7086d6aaa9f07a14d4df56a843635d57b23b4a9a93e17a14d4df53d086d"
        "6a6aad17a14d4dadf720b4a9a9f55d843635f5b736429b9afa3b8dd0a6a6f6f320b4a9a9bd1ba14d4ded6f23b4a9a9775d84"
        "3635f5fe0e429b9a3aeb45685353e77710dad4d46f5d843635f5fb36429b9afa7623b4a9a9fb3c086d6aea9e46685353fdac"
        "8dd0a6a6faf92e429b9aea7e0f429b9aeab55e843635d5eb1e843635d57fe722b4a9a9de7b23b4a9a97e57e31f",
        "05c15191c5300c03402a8650e7d2bc6684c61f222089ffdc6e6853530f429b9a6a843635b511dad4d4456853537d10dad4d4"
        "7a11dad4d4df41685353fb22b4a9a9b311dad4d4d7086d6aaa9f07a14d4df56a843635d57b23b4a9a93e17a14d4df53d086d"
        "6a6aad17a14d4dadf720b4a9a9f55d843635f5b736429b9afa3b8dd0a6a6f6f320b4a9a9bd1ba14d4ded6f23b4a9a9775d84"
        "3635f5fe0e429b9a3aeb45685353e77710dad4d46f5d843635f5fb36429b9afa7623b4a9a9fb3c086d6aea9e46685353fdac"
        "8dd0a6a6faf92e429b9aea7e0f429b9aeab55e843635d5eb1e843635d57fe722b4a9a9de7b23b4a9a97e57e31f"}) {
    const std::vector<std::byte> packed = of_hex(hex);
    std::vector<std::byte> out(text.size());
    ASSERT_TRUE(io::inflate(packed, out));
    EXPECT_EQ(std::memcmp(out.data(), text.data(), text.size()), 0);
    std::vector<std::byte> other(text.size() + 1);
    EXPECT_FALSE(io::inflate(packed, other));
    EXPECT_FALSE(io::inflate(packed, std::span(other).first(text.size() - 1)));
    for (std::size_t size = 0; size < packed.size(); ++size) {
      EXPECT_FALSE(io::inflate(std::span(packed).first(size), out)) << size;
    }
    std::vector<std::byte> more = packed;
    more.push_back(std::byte{0});
    EXPECT_FALSE(io::inflate(more, out));
    // Any other stream is refused or fills the memory: the sanitizers watch.
    for (std::size_t at = 0; at < packed.size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::vector<std::byte> changed = packed;
        changed[at] ^= static_cast<std::byte>(1U << bit);
        (void)io::inflate(changed, out);
      }
    }
  }
  std::vector<std::byte> nothing;
  EXPECT_TRUE(io::inflate(of_hex("0300"), nothing));
  EXPECT_FALSE(io::inflate({}, nothing));
  EXPECT_FALSE(io::inflate(of_hex("07"), nothing));  // the type of block that there is not
}

TEST_F(NpyTest, ChecksumsAreThoseOfZip) {
  const std::string_view digits = "123456789";
  EXPECT_EQ(io::crc32(std::as_bytes(std::span(digits))), 0xcbf43926U);
  EXPECT_EQ(io::crc32({}), 0U);
  EXPECT_EQ(io::crc32(std::vector<std::byte>(1000)), 0x60b1780U);
}

class NpyOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(NpyOn);

TEST_P(NpyOn, Loads) {
  const Tensor t = io::load_npy(kNpyFixtures / "fortran.npy", device_);
  EXPECT_EQ(t.device(), device_);
  EXPECT_EQ(sum(t.astype(f32)).item<float>(), 300);
}

}  // namespace
}  // namespace tessera::test
