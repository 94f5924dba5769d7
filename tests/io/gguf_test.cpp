// GGUF: the bytes of the reference implementation, every type, split files, and files that are hostile.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/os/system.h"
#include "io/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using io::GgmlType;
using io::GgufFile;
using io::GgufMetadata;
using io::GgufSource;
using io::GgufValue;
using io::save_gguf;

const fs::path kGgufFixture = fs::path(TESSERA_SOURCE_DIR) / "tests/io/every_type.gguf";

template <class T>
std::string raw(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string text(std::string_view s) { return raw<std::uint64_t>(s.size()) + std::string(s); }

/// The bytes of a file, field by field.
struct Bytes {
  std::uint32_t version = 3;
  std::optional<std::uint64_t> tensor_count = std::nullopt;  // if it lies
  std::optional<std::uint64_t> key_count = std::nullopt;
  std::vector<std::string> keys = {};
  std::vector<std::string> tensors = {};
  std::string data = {};

  [[nodiscard]] std::string str() const {
    std::string out = "GGUF" + raw(version) + raw<std::uint64_t>(tensor_count.value_or(tensors.size())) +
                      raw<std::uint64_t>(key_count.value_or(keys.size()));
    for (const std::string& k : keys) out += k;
    for (const std::string& t : tensors) out += t;
    if (!data.empty()) out.resize((out.size() + 31) / 32 * 32, '\0');
    return out + data;
  }
};

template <class T>
std::string key(std::string_view name, std::uint32_t type, T value) {
  return text(name) + raw(type) + raw(value);
}
/// Sizes are innermost first.
std::string tensor(std::string_view name, const std::vector<std::uint64_t>& sizes, std::uint32_t type,
                   std::uint64_t offset) {
  std::string out = text(name) + raw(static_cast<std::uint32_t>(sizes.size()));
  for (const std::uint64_t n : sizes) out += raw(n);
  return out + raw(type) + raw(offset);
}

HostView view_of(std::string_view bytes) { return {std::as_bytes(std::span(bytes)), nullptr, false}; }
GgufFile open(std::string_view bytes) { return {view_of(bytes), "the bytes"}; }

/// The metadata and tensors of make_gguf.py.
template <class T>
void add(GgufMetadata& to, const std::string& name, const T& value) {
  to.set("test." + name, value);
  to.set("test.array." + name, std::vector<T>{value, value, value});
}
GgufMetadata fixture_metadata() {
  GgufMetadata m{{"general.architecture", "llama"}};
  add(m, "UINT8", std::uint8_t{200});
  add(m, "INT8", std::int8_t{-100});
  add(m, "UINT16", std::uint16_t{60000});
  add(m, "INT16", std::int16_t{-30000});
  add(m, "UINT32", std::uint32_t{4000000000});
  add(m, "INT32", std::int32_t{-2000000000});
  add(m, "FLOAT32", 1.5F);
  add(m, "BOOL", true);
  add(m, "STRING", std::string("t\u00e4xt \U0001f600"));
  add(m, "UINT64", (std::uint64_t{1} << 63U) + 1);
  add(m, "INT64", -(std::int64_t{1} << 62U));
  add(m, "FLOAT64", 1e300);
  return m;
}

constexpr std::string_view kDTypes[] = {"F32", "F16", "F64", "I8", "I16", "I32", "I64"};
constexpr std::string_view kBlocks[] = {"Q4_0",  "Q4_1",   "Q5_0",  "Q5_1",  "Q8_0",    "Q2_K",   "Q3_K",
                                        "Q4_K",  "Q5_K",   "Q6_K",  "Q8_K",  "IQ2_XXS", "IQ2_XS", "IQ3_XXS",
                                        "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS",  "IQ1_M",  "BF16",
                                        "TQ1_0", "TQ2_0",  "MXFP4", "NVFP4", "Q1_0"};

std::vector<GgufSource> gguf_fixture_tensors() {
  std::vector<GgufSource> out;
  const auto from = [&](const std::string& name, GgmlType type, const Tensor& t) {
    out.push_back({name, type, t.shape(), [t] { return host_view(t); }});
  };
  const Tensor count(std::vector<int>{1, 2, 3, 4, 5, 6}, {2, 3});
  for (const std::string_view name : kDTypes) {
    const GgmlType type = *io::ggml_type(name);
    from("dtype." + std::string(name), type, count.astype(*io::dtype_of(type)));
  }
  from("dtype.scalar", GgmlType::kF32, full({}, 2.5, f32));
  from("dtype.empty", GgmlType::kF32, zeros({2, 0}, f32));
  for (const std::string_view name : kBlocks) {
    const GgmlType type = *io::ggml_type(name);
    const auto blocks = std::make_shared<std::vector<std::byte>>(4 * block_bytes(type));
    for (std::size_t i = 0; i < blocks->size(); ++i) (*blocks)[i] = static_cast<std::byte>(i % 251);
    out.push_back({"blocks." + std::string(name), type, {2, 2 * block_elements(type)}, [blocks] {
                     return HostView{*blocks, blocks, false};
                   }});
  }
  return out;
}

class GgufTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    device_ = cpu;
    device_.set_current();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  Device device_;
  fs::path folder_ = fs::temp_directory_path() / ("tessera_gguf_test_" + std::to_string(os::process_id()));
  fs::path file_ = folder_ / "model.gguf";
};

TEST_F(GgufTest, WritesTheBytesOfTheReferenceImplementation) {
  save_gguf(file_, fixture_metadata(), gguf_fixture_tensors());
  EXPECT_EQ(read(file_), read(kGgufFixture));
  EXPECT_EQ(files(), 1) << "no temporary file is left";
}

TEST_F(GgufTest, ReadsEveryType) {
  const GgufFile file(kGgufFixture);
  EXPECT_EQ(file.version(), 3U);
  EXPECT_EQ(file.alignment(), 32U);
  const GgufMetadata expected = fixture_metadata();
  ASSERT_EQ(file.metadata().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(file.metadata().entries()[i], expected.entries()[i]) << expected.entries()[i].first;
  }
  const std::vector<GgufSource> tensors = gguf_fixture_tensors();
  ASSERT_EQ(file.entries().size(), tensors.size());
  for (const GgufSource& t : tensors) {
    const io::GgufEntry& e = file.entry(t.name);
    EXPECT_EQ(e.type, t.type) << t.name;
    EXPECT_EQ(e.shape, t.shape) << t.name;
    const HostView view = t.bytes();
    const HostView bytes = file.bytes(t.name);
    EXPECT_TRUE(std::ranges::equal(bytes.bytes, view.bytes)) << t.name;
    if (io::dtype_of(t.type)) {
      const Tensor loaded = file.tensor(t.name);
      EXPECT_EQ(loaded.dtype(), *io::dtype_of(t.type));
      EXPECT_EQ(loaded.shape(), t.shape);
      EXPECT_TRUE(std::ranges::equal(is_block(loaded.dtype()) ? to_blocks(loaded) : bytes_of(loaded), view.bytes))
          << t.name;
    }
  }
}

TEST_F(GgufTest, ValuesOfMetadata) {
  const GgufMetadata m = fixture_metadata();
  EXPECT_EQ(m.at("test.UINT8").integer(), 200);
  EXPECT_EQ(m.at("test.INT64").integer(), -(std::int64_t{1} << 62U));
  EXPECT_EQ(m.at("test.INT16").number(), -30000);
  EXPECT_EQ(m.at("test.FLOAT64").number(), 1e300);
  EXPECT_TRUE(m.at("test.BOOL").boolean());
  EXPECT_EQ(m.at("general.architecture").text(), "llama");
  EXPECT_EQ(m.at("test.array.INT8").integers(), (std::vector<std::int64_t>{-100, -100, -100}));
  EXPECT_EQ(m.at("test.array.FLOAT32").numbers(), (std::vector<double>{1.5, 1.5, 1.5}));
  EXPECT_EQ(m.at("test.array.STRING").texts().size(), 3U);
  EXPECT_EQ(m.at("test.array.UINT16").type_text(), "u16[3]");
  EXPECT_EQ(m.at("test.array.UINT16").str(2), "[60000, 60000, ...]");
  EXPECT_EQ(m.at("test.array.BOOL").str(), "[true, true, true]");
  EXPECT_EQ(m.at("test.STRING").str(), R"("t\u00e4xt \ud83d\ude00")");
  EXPECT_EQ(m.find("no"), nullptr);
  const auto fails = [&](auto f, std::string_view part) {
    const Error e = error_of(f);
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  };
  fails([&] { (void)m.at("no"); }, "no key 'no' among the 25 keys");
  fails([&] { (void)m.at("test.UINT64").integer(); }, "at most 2^63 - 1");
  fails([&] { (void)m.at("test.BOOL").integer(); }, "the value true is of type bool; an integer is expected");
  fails([&] { (void)m.at("test.STRING").number(); }, "a number is expected");
  fails([&] { (void)m.at("test.UINT8").boolean(); }, "a bool is expected");
  fails([&] { (void)m.at("test.UINT8").text(); }, "a string is expected");
  fails([&] { (void)m.at("test.UINT8").integers(); }, "an array of integers is expected");
  fails([&] { (void)m.at("test.array.STRING").numbers(); }, "of type string[3]; an array of numbers is expected");
  fails([&] { (void)m.at("test.array.UINT8").texts(); }, "an array of strings is expected");
  GgufMetadata again = m;
  again.set("test.UINT8", 1.0F);
  EXPECT_EQ(again.size(), m.size());
  EXPECT_EQ(again.at("test.UINT8").number(), 1);
}

TEST_F(GgufTest, TensorsOnTheCpuUseTheMappedBytes) {
  save_gguf(file_, {}, Tree{{"a", ones({1000})}, {"b", full({1000}, 2, f32)}});
  Tensor b;
  {
    const GgufFile file(file_);
    EXPECT_EQ(host_view(file.tensor("b")).bytes.data(), file.bytes("b").bytes.data());
    b = file.tensor("b");
  }
  EXPECT_EQ(sum(b).item<float>(), 2000) << "the tensor keeps the mapping";
  save_gguf(file_, {}, Tree{{"b", b + 1}});
  EXPECT_EQ(b.to_vector<float>()[999], 2) << "the file is replaced, not changed";
  EXPECT_EQ(io::load_gguf(file_).tensor("b").to_vector<float>()[999], 3);
}

TEST_F(GgufTest, AlignmentOfTheMetadata) {
  for (const std::uint32_t alignment : {1U, 8U, 64U, 4096U, 16384U}) {
    save_gguf(file_, {{"general.alignment", alignment}}, Tree{{"a", ones({3})}, {"b", full({5}, 2, f16)}});
    const GgufFile file(file_);
    EXPECT_EQ(file.alignment(), alignment);
    for (const auto& e : file.entries()) EXPECT_EQ(e.offset % alignment, 0U);
    EXPECT_EQ(fs::file_size(file_) % alignment, 0U);
    EXPECT_EQ(file.tensor("b").astype(f32).to_vector<float>(), (std::vector<float>{2, 2, 2, 2, 2})) << alignment;
  }
}

TEST_F(GgufTest, BlockFormats) {
  const Tensor x = sin(arange(0, 2 * 64, 1, f32)).reshape({2, 64});
  for (const auto& [type, dtype] : {std::pair{GgmlType::kQ8_0, q8_0}, std::pair{GgmlType::kQ4_0, q4_0}}) {
    const std::vector<std::byte> blocks = quantize_blocks(dtype, x.to_vector<float>());
    const GgufSource source{"w", type, {2, 64}, [&] { return HostView{blocks, nullptr, false}; }};
    save_gguf(file_, {}, std::span(&source, 1));
    const Tensor w = GgufFile(file_).tensor("w");
    EXPECT_EQ(w.dtype(), dtype);
    EXPECT_EQ(read_blocks(w).get(), blocks);
    EXPECT_EQ(error_of([&] { (void)read_blocks(w.T()); }).kind(), ErrorKind::kShape);
    EXPECT_EQ(error_of([&] { (void)read_blocks(x); }).kind(), ErrorKind::kDType);
    EXPECT_EQ(dequantize(w).to_vector<float>(), dequantize_blocks(dtype, blocks));
    save_gguf(folder_ / "again.gguf", {}, Tree{{"w", w}});
    const GgufFile again(folder_ / "again.gguf");
    EXPECT_EQ(again.entry("w").type, type);
    EXPECT_TRUE(std::ranges::equal(again.bytes("w").bytes, blocks)) << name(type);
  }
  const GgufFile file(kGgufFixture);
  int made = 0;
  for (const std::string_view name : kBlocks) {
    if (name == "BF16") continue;
    const std::string tensor = "blocks." + std::string(name);
    const std::optional<DType> dtype = io::dtype_of(file.entry(tensor).type);
    if (dtype) {
      EXPECT_EQ(file.tensor(tensor).dtype(), *dtype) << name;
      ++made;
      continue;
    }
    const Error e = error_of([&] { (void)file.tensor(tensor); });
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
    EXPECT_NE(std::string_view(e.what()).find(fmt::format("is of type {}, which is a block format", name)),
              std::string_view::npos)
        << e.what();
  }
  EXPECT_EQ(made, 13);
}

TEST_F(GgufTest, SplitFiles) {
  const auto part = [&](int number, int count) {
    return folder_ / fmt::format("m-{:05}-of-{:05}.gguf", number, count);
  };
  const auto save = [&](int number, int no, int count, int tensors, const Tree& tree) {
    GgufMetadata m{{"split.no", static_cast<std::uint16_t>(no)},
                   {"split.count", static_cast<std::uint16_t>(count)},
                   {"split.tensors.count", std::int32_t{tensors}}};
    if (number == 1) m.set("general.architecture", "llama");
    save_gguf(part(number, 3), m, tree);
  };
  const auto save_all = [&] {
    save(1, 0, 3, 3, {});
    save(2, 1, 3, 3, Tree{{"a", full({2}, 1, f32)}, {"b", full({2}, 2, f32)}});
    save(3, 2, 3, 3, Tree{{"c", full({2}, 3, f32)}});
  };
  const auto fails = [&](const fs::path& path, ErrorKind kind, std::string_view text) {
    const Error e = error_of([&] { (void)GgufFile(path); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string_view(e.what()).find(text), std::string_view::npos) << e.what();
  };
  save_all();
  const GgufFile file(part(1, 3));
  EXPECT_EQ(file.files(), (std::vector<fs::path>{part(1, 3), part(2, 3), part(3, 3)}));
  EXPECT_EQ(file.metadata().at("general.architecture").text(), "llama");
  EXPECT_EQ(file.entry("c").file, 2U);
  EXPECT_EQ(file.tensor("c").to_vector<float>(), (std::vector<float>{3, 3}));
  EXPECT_EQ(io::load_gguf(part(1, 3)).names(), (std::vector<std::string>{"a", "b", "c"}));
  fails(part(2, 3), ErrorKind::kValue, "is file 2 of 3 of a split model; the first one, 'm-00001-of-00003.gguf'");
  const std::string first = read(part(1, 3));
  EXPECT_EQ(error_of([&] { (void)open(first); }).kind(), ErrorKind::kValue);

  fs::remove(part(2, 3));
  fs::remove(part(3, 3));
  fails(part(1, 3), ErrorKind::kIo, "of which 2 are missing: 'm-00002-of-00003.gguf', 'm-00003-of-00003.gguf'");
  save_all();
  fs::rename(part(1, 3), folder_ / "other.gguf");
  fails(folder_ / "other.gguf", ErrorKind::kParse, "a name that ends in '-00001-of-00003.gguf' is expected");
  save_all();
  save(3, 1, 3, 3, Tree{{"c", ones({2})}});
  fails(part(1, 3), ErrorKind::kParse, "has the split.no 1 and the split.count 3; 2 and 3 are expected");
  save(3, 2, 4, 3, Tree{{"c", ones({2})}});
  fails(part(1, 3), ErrorKind::kParse, "has the split.no 2 and the split.count 4; 2 and 3 are expected");
  save(3, 2, 3, 3, Tree{{"b", ones({2})}});
  fails(part(1, 3), ErrorKind::kParse, "has a tensor 'b', which 'm-00002-of-00003.gguf' has too");
  save(3, 2, 3, 3, Tree{{"c", ones({2})}, {"d", ones({2})}});
  fails(part(1, 3), ErrorKind::kParse, "has the split.tensors.count 3; its 3 files have 4 tensors");
  save_gguf(part(1, 3), {{"split.count", "3"}}, Tree());
  fails(part(1, 3), ErrorKind::kParse, R"(has the split.count "3"; an integer from 0 to 99999 is expected)");
  save(1, 3, 3, 3, {});
  fails(part(1, 3), ErrorKind::kParse, "has the split.no 3 of 3 files; a smaller number is expected");
  write(part(3, 3), "GGUF");
  save(1, 0, 3, 3, {});
  fails(part(1, 3), ErrorKind::kParse, "m-00003-of-00003.gguf' ends inside of the version");
}

TEST_F(GgufTest, WhatIsNotSaved) {
  save_gguf(file_, {}, Tree{{"w", ones({1})}});
  const std::string before = read(file_);
  const Tensor x = ones({1});
  const auto fails = [&](const GgufMetadata& metadata, const std::vector<Tree::Named>& tensors, ErrorKind kind,
                         std::string_view part) {
    const Error e = error_of([&] { save_gguf(file_, metadata, std::span<const Tree::Named>(tensors)); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
    EXPECT_EQ(read(file_), before);
    EXPECT_EQ(files(), 1);
  };
  fails({}, {{"z", x.astype(u8)}}, ErrorKind::kDType, "'z' has dtype u8, which the format does not have");
  fails({}, {{"z", Tensor()}}, ErrorKind::kValue, "'z' is an empty Tensor");
  fails({}, {{"z", x}, {"z", x}}, ErrorKind::kValue, "'z' was given twice");
  fails({}, {{"", x}}, ErrorKind::kValue, "the name '' has 0 bytes");
  fails({}, {{"\xff", x}}, ErrorKind::kValue, "is not valid UTF-8");
  fails({}, {{"z", ones({1, 1, 1, 1, 1})}}, ErrorKind::kValue, "a rank of at most 4 is expected");
  fails({{"k", "\xc3"}}, {}, ErrorKind::kValue, "is not valid UTF-8");
  fails({{"", 1.0F}}, {}, ErrorKind::kValue, "the metadata key '' has 0 bytes");
  fails({{"general.alignment", std::uint32_t{24}}}, {}, ErrorKind::kValue, "a power of two of type u32 is expected");
  fails({{"general.alignment", std::uint64_t{32}}}, {}, ErrorKind::kValue, "is 32 of type u64; a power of two");
  const auto source_fails = [&](GgmlType type, const Shape& shape, std::size_t bytes, std::string_view part) {
    const std::string data(bytes, 'x');
    const GgufSource source{"w", type, shape, [&] { return view_of(data); }};
    const Error e = error_of([&] { save_gguf(file_, {}, std::span(&source, 1)); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
    EXPECT_EQ(read(file_), before);
    EXPECT_EQ(files(), 1);
  };
  source_fails(GgmlType::kQ4_0, {2, 33}, 36, "rows of whole blocks of 32 are expected");
  source_fails(GgmlType::kQ4_0, {2, 32}, 35, "was given 35 bytes; 36 are expected");
  EXPECT_EQ(error_of([&] { save_gguf(folder_ / "no" / "file", {}, Tree{{"w", x}}); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(error_of([&] { save_gguf(folder_, {}, Tree{{"w", x}}); }).kind(), ErrorKind::kIo);
}

TEST_F(GgufTest, HostileFiles) {
  struct Case {
    std::string bytes;
    std::string_view part;
  };
  const std::string one = tensor("a", {8}, 0, 0);
  const auto with = [&](const std::string& t, std::size_t data = 32) {
    return Bytes{.tensors = {t}, .data = std::string(data, 'x')}.str();
  };
  const auto value = [](const std::string& k) { return Bytes{.keys = {k}}.str(); };
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  const std::vector<Case> cases{
      {"", "begins with ''; 'GGUF' is expected (at byte 0)"},
      {"GGU", "begins with 'GGU'"},
      {"ggml\3\0\0\0", "begins with 'ggml'"},
      {"PK\3\4", "begins with 'PK\\u0003\\u0004'"},
      {"GGUF", "ends inside of the version: 4 bytes are expected, 0 are left (at byte 4)"},
      {Bytes{.version = 1}.str(), "has version 1 of the GGUF format; 2 or 3 is expected (at byte 4)"},
      {Bytes{.version = 4}.str(), "has version 4"},
      {Bytes{.version = 0}.str(), "has version 0"},
      {Bytes{.version = 0x03000000}.str(), "is a big-endian GGUF file"},
      {Bytes{.tensor_count = kHuge}.str(),
       "has 18446744073709551615 tensors; at most 0 fit into the 0 bytes that are left (at byte 8)"},
      {Bytes{.key_count = kHuge}.str(),
       "has 18446744073709551615 metadata keys; at most 0 fit into the 0 bytes that are left (at byte 16)"},
      {Bytes{.key_count = 2, .keys = {key("a", 0, '\1')}}.str(), "has 2 metadata keys; at most 1 fit"},
      {value(raw(kHuge) + std::string(16, 'x')), "has a metadata key of 18446744073709551615 bytes; at most 16"},
      {value(text(std::string(65536, 'k')) + raw<std::uint32_t>(0) + "x"),
       "a metadata key of 65536 bytes; at most 65535"},
      {value(key("", 0, '\1')), "has an empty metadata key (at byte 24)"},
      {value(key("a\xff", 0, '\1')), "has a metadata key 'a\\ufffd' that is not valid UTF-8"},
      {Bytes{.keys = {key("a", 0, '\1'), key("a", 0, '\1')}}.str(), "has the metadata key 'a' twice"},
      {value(key("a", 13, '\1')), "has a metadata value of type 13"},
      {value(key("a", 7, '\2')), "has a bool with the byte 2; 0 or 1 is expected"},
      {value(key("a", 4, '\1') + "x"), "ends inside of a metadata value: 4 bytes are expected, 2 are left"},
      {value(text("a") + raw<std::uint32_t>(8) + raw(kHuge)), "has a metadata value of 18446744073709551615 bytes"},
      {value(text("a") + raw<std::uint32_t>(8) + text("\xed\xa0\x80")), "that is not valid UTF-8"},
      {value(text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(9) + raw<std::uint64_t>(0)), "an array of arrays"},
      {value(text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(99) + raw<std::uint64_t>(0)),
       "an array of type 99"},
      {value(text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(10) + raw<std::uint64_t>(kHuge / 8 + 2) +
             "12345678"),
       "has 2305843009213693953 elements of an array; at most 1 fit into the 8 bytes that are left"},
      {value(text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(8) + raw(kHuge)),
       "elements of an array; at most 0"},
      {value(text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(7) + raw<std::uint64_t>(2) + "\1\2"), "the byte 2"},
      {value(key("general.alignment", 4, std::uint32_t{0})), "has the general.alignment 0 of type u32; a power of two"},
      {value(key("general.alignment", 4, std::uint32_t{48})), "has the general.alignment 48"},
      {value(key("general.alignment", 10, std::uint64_t{32})), "has the general.alignment 32 of type u64"},
      {with(tensor("", {8}, 0, 0)), "has a tensor with an empty name"},
      {with(tensor("\x80", {8}, 0, 0)), "that is not valid UTF-8"},
      {with(tensor("a", {1, 1, 1, 1, 1}, 0, 0)), "has a tensor 'a' of rank 5; at most 4 is expected"},
      {with(text("a") + raw<std::uint32_t>(0xFFFFFFFF) + std::string(24, 'x')), "of rank 4294967295"},
      {with(tensor("a", {kHuge}, 0, 0)), "with a size of 18446744073709551615"},
      {with(tensor("a", {std::uint64_t{1} << 40U, std::uint64_t{1} << 40U}, 0, 0)), "at most 2^60 bytes together"},
      {with(tensor("a", {std::uint64_t{1} << 62U, std::uint64_t{1} << 62U, 0}, 0, 0)), "at most 2^60 bytes together"},
      {with(tensor("a", {std::uint64_t{1} << 58U}, 28, 0)), "and type F64; at most 2^60 bytes are expected"},
      {with(tensor("a", {8}, 4, 0)), "of the type 4 (Q4_2), which ggml has removed"},
      {with(tensor("a", {8}, 31, 0)), "of the type 31 (Q4_0_4_4), which ggml has removed"},
      {with(tensor("a", {8}, 77, 0)), "of the type 77, which ggml does not have"},
      {with(tensor("a", {16, 2}, 2, 0)), "of shape [2, 16] and type Q4_0; rows of whole blocks of 32 elements"},
      {with(tensor("a", {}, 8, 0)), "of shape [] and type Q8_0; rows of whole blocks"},
      {with(tensor("a", {8}, 0, 8)), "at offset 8; a multiple of the alignment 32 is expected"},
      {with(tensor("a", {8}, 0, 32)), "'a' that leaves a gap behind the one before it: it begins at offset 32; 0"},
      {with(tensor("a", {9}, 0, 0)), "has a tensor 'a' of 36 bytes at byte 64, but ends at byte 96"},
      {with(tensor("a", {8}, 0, kHuge - 31)), "leaves a gap behind"},
      {Bytes{.tensors = {one}}.str(), "has a tensor 'a' of 32 bytes at byte 64, but ends at byte 57"},
      {Bytes{.tensors = {tensor("a", {0}, 0, 0)}}.str(), "has a tensor 'a' of 0 bytes at byte 64, but ends at byte 57"},
      {Bytes{.tensors = {tensor("a", {7}, 0, 0), tensor("b", {0}, 0, 32)}, .data = std::string(28, 'x')}.str(),
       "has a tensor 'b' of 0 bytes at byte 128, but ends at byte 124"},
      {with(one, 33), "has 1 bytes behind its last tensor, which ends at byte 96; padding to 0 bytes at most"},
      {with(tensor("a", {7}, 0, 0), 33), "has 5 bytes behind its last tensor"},
      {Bytes{.tensors = {one, one}, .data = std::string(64, 'x')}.str(), "has a tensor 'a' twice"},
      {Bytes{.tensors = {one, tensor("b", {8}, 0, 0)}, .data = std::string(64, 'x')}.str(), "'b' that overlaps"},
      {Bytes{.tensors = {tensor("b", {8}, 0, 64), one}, .data = std::string(96, 'x')}.str(), "'b' that leaves a gap"},
  };
  for (const Case& c : cases) {
    const Error e = error_of([&] { (void)open(c.bytes); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    const std::string text = e.what();
    EXPECT_NE(text.find(c.part), std::string::npos) << "expected: " << c.part << "\n" << text;
    EXPECT_TRUE(text.starts_with("GgufFile: 'the bytes' ") && text.ends_with('.') && text.size() < 600) << text;
  }
}

TEST_F(GgufTest, ValidFilesOfAllKinds) {
  // Version 2, tensors in another order than their bytes, no padding at the end, no tensors, empty arrays.
  EXPECT_EQ(open(Bytes{.version = 2}.str()).version(), 2U);
  const std::string swapped = Bytes{.tensors = {tensor("b", {2}, 0, 32), tensor("a", {8}, 0, 0)},
                                    .data = std::string(32, 'x') + raw(1.0F) + raw(2.0F)}
                                  .str();
  const GgufFile file = open(swapped);
  EXPECT_EQ(file.entries()[1].name, "b");
  EXPECT_EQ(file.tensor("b").to_vector<float>(), (std::vector<float>{1, 2}));
  const std::string padded = swapped + std::string(24, '\0');
  EXPECT_EQ(open(padded).entries().size(), 2U);
  const std::string empty =
      Bytes{.keys = {text("a") + raw<std::uint32_t>(9) + raw<std::uint32_t>(8) + raw<std::uint64_t>(0)}}.str();
  EXPECT_TRUE(open(empty).metadata().at("a").texts().empty());
  const Error e = error_of([&] { (void)file.tensor("c"); });
  EXPECT_EQ(std::string(e.what()), "GgufFile: 'the bytes' has no tensor 'c'; it has 2 tensors, such as 'a', 'b'.");
}

/// A file of all types, small enough to try every change of it.
std::string small_file() {
  const auto array = [](std::uint32_t type, std::uint64_t count, const std::string& data) {
    return raw<std::uint32_t>(9) + raw(type) + raw(count) + data;
  };
  return Bytes{
      .keys = {key("u8", 0, '\1'), key("f32", 6, 1.5F), key("bool", 7, '\1'),
               text("s") + raw<std::uint32_t>(8) + text("\u00e4"), text("strings") + array(8, 2, text("x") + text("")),
               text("bools") + array(7, 2, std::string(2, '\1')), text("u64") + array(10, 2, std::string(16, '\1')),
               key("general.alignment", 4, std::uint32_t{32}), key("split.count", 2, std::uint16_t{1})},
      .tensors = {tensor("a", {2, 3}, 0, 0), tensor("b", {32}, 2, 32), tensor("c", {}, 24, 64)},
      .data = std::string(65, '\2')}
      .str();
}

TEST_F(GgufTest, EveryTruncationIsAnError) {
  const std::string whole = small_file();
  (void)open(whole);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // In memory of exactly this size, so that a sanitizer sees a read behind it.
    const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Error e = error_of([&] { (void)open({part.data(), part.size()}); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << size;
  }
}

TEST_F(GgufTest, HeadersFromTheFirstBytes) {
  const std::string whole = small_file();
  const std::span bytes = std::as_bytes(std::span(whole));
  const GgufFile file = open(whole);
  const std::size_t header = static_cast<std::size_t>(file.entries().front().offset);
  for (const auto size : {std::optional<std::uint64_t>(whole.size()), std::optional<std::uint64_t>()}) {
    std::size_t least = 0;  // bytes that hold the header, without its padding
    while (!io::parse_gguf_header(bytes.first(least), size, "m")) ++least;
    EXPECT_GT(least, header - 32);
    EXPECT_LE(least, header);
    for (std::size_t count = least; count <= whole.size(); ++count) {
      const auto parsed = io::parse_gguf_header(bytes.first(count), size, "m");
      ASSERT_TRUE(parsed) << count;
      EXPECT_EQ(parsed->bytes, header);
      EXPECT_EQ(parsed->metadata.entries(), file.metadata().entries());
      ASSERT_EQ(parsed->entries.size(), 3U);
      EXPECT_EQ(parsed->entries[2].offset, file.entries()[2].offset);
    }
  }
  // A file that is longer or shorter than the header says, and counts that no file has.
  const auto kind = [&](std::string_view text, std::optional<std::uint64_t> size) {
    return error_of([&] { (void)io::parse_gguf_header(std::as_bytes(std::span(text)), size, "m"); }).kind();
  };
  EXPECT_EQ(kind(whole, whole.size() + 64), ErrorKind::kParse);
  EXPECT_EQ(kind(std::string_view(whole).substr(0, header), header), ErrorKind::kParse);
  EXPECT_EQ(kind("GGUX", 1000), ErrorKind::kParse);
  EXPECT_EQ(kind("GG", 2), ErrorKind::kParse);
  const std::string counts = "GGUF" + raw(std::uint32_t{3}) + raw(~std::uint64_t{0}) + raw(std::uint64_t{0});
  EXPECT_EQ(kind(counts, std::nullopt), ErrorKind::kParse);
  EXPECT_FALSE(io::parse_gguf_header({}, std::nullopt, "m"));
}

TEST_F(GgufTest, HeadersToWrite) {
  const GgufMetadata metadata{{"general.alignment", std::uint32_t{64}}, {"a", std::int64_t{5}}};
  const std::vector<GgufSource> sources{io::gguf_source("x", ones({3})), io::gguf_source("y", ones({2, 2}))};
  save_gguf(file_, metadata, std::span<const GgufSource>(sources));
  const std::string header = io::gguf_header(metadata, sources);
  EXPECT_EQ(header, read(file_).substr(0, header.size()));
  EXPECT_EQ(header.size(), GgufFile(file_).entry("x").offset);
  EXPECT_EQ(error_of([&] { (void)io::gguf_header({}, std::vector{sources[0], sources[0]}); }).kind(),
            ErrorKind::kValue);
}

TEST_F(GgufTest, EveryChangedByteLoadsOrThrows) {
  const std::string whole = small_file();
  int loaded = 0;
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bad = whole;
      bad[at] = static_cast<char>(byte);
      try {
        const GgufFile file = open(bad);
        for (const auto& e : file.entries()) {
          EXPECT_LE(e.offset + e.bytes, bad.size());
          EXPECT_EQ(file.bytes(e.name).bytes.size(), e.bytes);
        }
        for (const auto& [k, v] : file.metadata().entries()) EXPECT_LT(v.str().size(), 600U) << k;
        ++loaded;
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::kParse && e.kind() != ErrorKind::kValue) ADD_FAILURE() << e.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(loaded, 10000);
  EXPECT_GT(refused, 10000);
}

TEST_F(GgufTest, ProgressAndItsEnd) {
  save_gguf(file_, {}, Tree{{"a", ones({100})}, {"b", ones({50})}});
  std::vector<std::string> seen;
  const auto progress = [&](const io::LoadProgress& p) {
    seen.push_back(fmt::format("{} {}/{}", p.tensor, p.loaded, p.total));
  };
  (void)io::load_gguf(file_, {.progress = progress});
  EXPECT_EQ(seen, (std::vector<std::string>{"a 400/600", "b 600/600"}));
  struct Stop {};
  int calls = 0;
  EXPECT_THROW((void)io::load_gguf(file_, {.progress =
                                               [&](const io::LoadProgress&) {
                                                 ++calls;
                                                 throw Stop();
                                               }}),
               Stop);
  EXPECT_EQ(calls, 1);
}

class GgufOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(GgufOn);

TEST_P(GgufOn, RoundTrip) {
  const fs::path file = fs::temp_directory_path() / ("tessera_gguf_test_" + std::to_string(os::process_id()) + ".gguf");
  const Tensor x(std::vector<float>{1, 2, 3, 4, 5}, {5}, device_);
  save_gguf(file, {{"general.architecture", "test"}},
            Tree{{"w", x * 2}, {"h", (x + 1).astype(f16)}, {"n", x.astype(i8)}, {"s", sum(x)}});
  const Tree tree = io::load_gguf(file, {.device = device_});
  EXPECT_EQ(tree.tensor("w").device(), device_);
  EXPECT_EQ((tree.tensor("w") + 1).to_vector<float>(), (std::vector<float>{3, 5, 7, 9, 11}));
  EXPECT_EQ(tree.tensor("h").astype(f32).to_vector<float>(), (std::vector<float>{2, 3, 4, 5, 6}));
  EXPECT_EQ(tree.tensor("n").to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(tree.tensor("s").item<float>(), 15);
  if (!on_cpu()) {
    const Error e = error_of([&] { (void)GgufFile(kGgufFixture).tensor("dtype.F64", device_); });
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported) << e.what();
    EXPECT_NE(std::string_view(e.what()).find("'dtype.F64' of '" + kGgufFixture.string() + "' cannot be loaded: "),
              std::string_view::npos);
  }
  fs::remove(file);
}

}  // namespace
}  // namespace tessera::test
