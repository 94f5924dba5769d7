// Safetensors: the bytes of the reference implementation, every dtype, shards, modules, and files that are hostile.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "io/support.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

const fs::path kFixture = fs::path(TESSERA_SOURCE_DIR) / "tests/io/every_dtype.safetensors";

/// A file with this header and so many bytes of zeros.
std::string file_of(const std::string& header, std::size_t data = 0) {
  const std::uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header + std::string(data, '\0');
}

std::string entry(const std::string& shape, const std::string& offsets, const std::string& dtype = "\"F32\"") {
  return R"({"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

class SafetensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    device_ = cpu;
    device_.set_current();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The message of the error that loading these bytes gives, which names the file.
  std::string message(std::string_view bytes, ErrorKind kind = ErrorKind::kParse) {
    write(file_, bytes);
    const Error e = error_of([&] { (void)io::load_safetensors(file_); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    const std::string text = e.what();
    EXPECT_NE(text.find("'" + file_.string() + "'"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with('.') && text.size() < 600) << text;
    return text;
  }
  [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  Device device_;
  fs::path folder_ = fs::temp_directory_path() / ("tessera_io_test_" + std::to_string(os::process_id()));
  fs::path file_ = folder_ / "model.safetensors";
};

Tensor filled(std::int64_t count, float value) { return tessera::full({count}, value, f32); }

/// The tensors of make_fixture.py.
std::vector<Tree::Named> fixture_tensors() {
  const Tensor count(std::vector<int>{1, 2, 3, 4, 5, 6}, {2, 3});
  std::vector<Tree::Named> all;
  for (const DTypeInfo& d : kDTypeInfo) {
    if (d.dtype == c128) continue;
    Tensor t = d.dtype == boolean ? Tensor(std::vector<bool>{true, false, true, false, true, false}, {2, 3})
                                  : count.astype(d.dtype);
    if (d.dtype == c64) t = t - std::complex<float>(0, 0.5);
    all.emplace_back("layers." + std::string(d.name) + ".weight", t);
  }
  all.emplace_back("scalar", Tensor(std::vector<float>{1}, Shape{}));
  all.emplace_back("empty", Tensor(std::vector<std::int16_t>{}, {0, 4}));
  all.emplace_back("n\u00e4me \"\\\n\x01\x7f\U0001f600", Tensor(std::vector<std::uint8_t>{1, 2, 3}, {3}));
  return all;
}

TEST_F(SafetensorsTest, WritesTheBytesOfTheReferenceImplementation) {
  io::save_safetensors(file_, fixture_tensors(), {{"format", "np"}});
  EXPECT_EQ(read(file_), read(kFixture));
  EXPECT_EQ(files(), 1) << "no temporary file is left";
}

TEST_F(SafetensorsTest, ReadsEveryDType) {
  const io::SafetensorsFile file(kFixture);
  EXPECT_EQ(file.metadata(), (io::Metadata{{"format", "np"}}));
  const std::vector<Tree::Named> expected = fixture_tensors();
  ASSERT_EQ(file.entries().size(), expected.size());
  const Tree tree = io::load_safetensors(kFixture);
  EXPECT_EQ(tree.size(), expected.size());
  for (const auto& [name, t] : expected) {
    const Tensor loaded = file.tensor(name);
    EXPECT_EQ(loaded.dtype(), t.dtype()) << name;
    EXPECT_EQ(loaded.shape(), t.shape()) << name;
    EXPECT_EQ(bytes_of(loaded), bytes_of(t)) << name;
    EXPECT_EQ(bytes_of(tree.tensor(name)), bytes_of(t)) << name;
  }
}

TEST_F(SafetensorsTest, TensorsOnTheCpuUseTheMappedBytes) {
  io::save_safetensors(file_, {{"a", ones({1024})}, {"b", filled(1024, 2)}});
  Tensor b;
  {
    const io::SafetensorsFile file(file_);
    const HostView first = host_view(file.tensor("b"));
    EXPECT_EQ(first.bytes.data(), host_view(file.tensor("b")).bytes.data());
    EXPECT_EQ(first.bytes.data() - host_view(file.tensor("a")).bytes.data(), 4096);
    b = file.tensor("b");
  }
  EXPECT_EQ(sum(b).item<float>(), 2048) << "the tensor keeps the mapping";
  const Compiled f = compile([](const Tensors& t) { return Tensors{t[0] + 1}; }, {.donate = {0}});
  EXPECT_EQ(f({b})[0].to_vector<float>()[7], 3) << "a donated tensor is not overwritten in the mapping";
  EXPECT_EQ(io::SafetensorsFile(file_).tensor("b").to_vector<float>()[7], 2);
}

TEST_F(SafetensorsTest, ATreeIsTheSameAfterwards) {
  std::vector<Tree> layers;
  for (int i = 0; i < 12; ++i) layers.push_back(Tree{{"weight", filled(2, i)}, {"bias", filled(1, i).astype(i64)}});
  const Tree tree{{"layers", Tree::list(layers)}, {"head", ones({1})}};
  io::save_safetensors(file_, tree);
  const Tree loaded = io::load_safetensors(file_);
  EXPECT_EQ(loaded.size(), 25U);
  EXPECT_EQ(loaded.at("layers").kind(), Tree::Kind::kList) << "2 is before 10";
  (void)Tree::zip(tree, loaded, [](const Tensor& a, const Tensor& b) {
    EXPECT_EQ(bytes_of(a), bytes_of(b));
    return a;
  });
  io::save_safetensors(file_, Tree(ones({3})));
  EXPECT_TRUE(io::load_safetensors(file_).is_leaf());
  io::save_safetensors(file_, Tree());
  EXPECT_EQ(read(file_), file_of("{}      "));
  EXPECT_TRUE(io::load_safetensors(file_).empty());
}

TEST_F(SafetensorsTest, AModelAndItsOptimizerContinue) {
  random::set_seed(5);
  const auto made = [] { return nn::Sequential(nn::Linear(3, 4), nn::BatchNorm1d(4), nn::Linear(4, 1)); };
  const Tensor x = random::normal({8, 3}).eval();
  const auto train = [&](nn::Sequential& m, optim::AdamW& o) {
    const auto [loss, g] = value_and_grad(m, [&](const Tensor& in) { return mean(square(m(in) - 1)); })(x);
    o.update(m, g);
    return loss.item<float>();
  };
  nn::Sequential model = made();
  optim::AdamW optimizer(model, {.lr = 0.01});
  for (int i = 0; i < 3; ++i) train(model, optimizer);
  io::save_safetensors(file_, model.state());
  io::save_safetensors(folder_ / "optimizer.safetensors", nn::state_of(optimizer));
  nn::Sequential other = made();
  optim::AdamW restored(other, {.lr = 0.01});
  other.load(io::load_safetensors(file_));
  nn::set_state(restored, io::load_safetensors(folder_ / "optimizer.safetensors"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(train(model, optimizer), train(other, restored)) << i;
}

TEST_F(SafetensorsTest, OneTensorOfAThousand) {
  std::vector<Tree::Named> all;
  for (int i = 0; i < 1000; ++i) all.emplace_back("t" + std::to_string(i), filled(3, i));
  io::save_safetensors(file_, all);
  const io::SafetensorsFile file(file_);
  EXPECT_EQ(file.entries().size(), 1000U);
  EXPECT_EQ(file.entry("t617").shape, Shape({3}));
  EXPECT_EQ(file.entry("t617").bytes, 12U);
  EXPECT_EQ(file.tensor("t617").to_vector<float>(), (std::vector<float>{617, 617, 617}));
  EXPECT_FALSE(file.contains("t1000"));
  const Error e = error_of([&] { (void)file.tensor("t1000"); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_EQ(std::string(e.what()), "SafetensorsFile: '" + file_.string() +
                                       "' has no tensor 't1000'; it has 1000 tensors, such as 't0', 't1', 't10', "
                                       "'t100', 't101', 't102', 't103', 't104'.");
}

TEST_F(SafetensorsTest, AFileIsReplacedWhileItIsMapped) {
  io::save_safetensors(file_, {{"w", filled(1000, 1)}});
  const Tree old = io::load_safetensors(file_);
  io::save_safetensors(file_, {{"w", old.tensor("w") + 1}});
  io::save_safetensors(file_, io::load_safetensors(file_).map([](const Tensor& t) { return t * 2; }));
  EXPECT_EQ(old.tensor("w").to_vector<float>()[999], 1);
  EXPECT_EQ(io::load_safetensors(file_).tensor("w").to_vector<float>()[999], 4);
}

TEST_F(SafetensorsTest, Shards) {
  const fs::path index = folder_ / "model.safetensors.index.json";
  io::save_safetensors(folder_ / "model-00001-of-00002.safetensors", {{"a", filled(1, 1)}, {"extra", filled(1, 9)}});
  io::save_safetensors(folder_ / "model-00002-of-00002.safetensors", {{"b", Tree::list({filled(1, 2), filled(1, 3)})}});
  const std::string map = R"("weight_map": {"a": "model-00001-of-00002.safetensors",
      "b.1": "model-00002-of-00002.safetensors", "b.0": "model-00002-of-00002.safetensors")";
  write(index, R"({"metadata": {"total_size": 12}, )" + map + "}}\n");
  const Tree tree = io::load_safetensors(index);
  EXPECT_EQ(tree.names(), (std::vector<std::string>{"a", "b.0", "b.1"}));
  EXPECT_EQ(tree.tensor("b.1").item<float>(), 3);

  const auto fails = [&](const std::string& text, std::string_view part, ErrorKind kind = ErrorKind::kParse) {
    write(index, text);
    const Error e = error_of([&] { (void)io::load_safetensors(index); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
  };
  fails("{" + map + R"(, "c": "model-00001-of-00002.safetensors"}})", "tensor 'c' in the file 'model-00001-of-00002");
  fails("{" + map + R"(, "c": "model-00003-of-00002.safetensors"}})",
        "missing beside it: 'model-00003-of-00002.safetensors'", ErrorKind::kIo);
  fails("{" + map + R"(, "a": "model-00001-of-00002.safetensors"}})", "the key 'a' twice");
  for (const char* bad :
       {R"("../x")", R"("/etc/passwd")", R"("")", R"("..")", R"("a\\b")", R"("a\u0000b")", "1", "[]"}) {
    fails(R"({"weight_map": {"a": )" + std::string(bad) + "}}", "the name of a file beside the index is expected");
  }
  fails("{}", "has no weight_map");
  fails(R"({"weight_map": []})", "has the weight_map a list");
  fails("", "is not a JSON object");
  fails("[]", "is not a JSON object");
}

TEST_F(SafetensorsTest, WhatIsNotSaved) {
  io::save_safetensors(file_, {{"w", ones({1})}});
  const std::string before = read(file_);
  const auto fails = [&](const std::vector<Tree::Named>& tensors, const io::Metadata& metadata, ErrorKind kind,
                         std::string_view part) {
    const Error e = error_of([&] { io::save_safetensors(file_, tensors, metadata); });
    EXPECT_EQ(e.kind(), kind);
    EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
    EXPECT_EQ(read(file_), before);
    EXPECT_EQ(files(), 1);
  };
  const Tensor x = ones({1});
  fails({{"z", x.astype(c128)}}, {}, ErrorKind::kDType, "'z' has dtype c128");
  fails({{"z", Tensor()}}, {}, ErrorKind::kValue, "'z' is an empty Tensor");
  fails({{"z", x}, {"z", x}}, {}, ErrorKind::kValue, "'z' was given twice");
  fails({{"__metadata__", x}}, {}, ErrorKind::kValue, "the name '__metadata__'");
  fails({{"\xff", x}}, {}, ErrorKind::kValue, "the name '\\ufffd' is not valid UTF-8");
  fails({{"z", x}}, {{"k", "\xc3"}}, ErrorKind::kValue, "is not valid UTF-8");
  const Error missing = error_of([&] { io::save_safetensors(folder_ / "no" / "file", {{"w", x}}); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  EXPECT_EQ(std::string(missing.what()),
            "'" + (folder_ / "no" / "file").string() + "' cannot be written: No such file or directory.");
  const Error folder = error_of([&] { io::save_safetensors(folder_, {{"w", x}}); });
  EXPECT_EQ(folder.kind(), ErrorKind::kIo);
  EXPECT_NE(std::string_view(folder.what()).find("is a directory"), std::string_view::npos) << folder.what();
  EXPECT_EQ(error_of([&] { io::save_safetensors("/dev/null", {{"w", x}}); }).kind(), ErrorKind::kIo);
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(SafetensorsTest, FilesThatCannotBeMapped) {
  const Error missing = error_of([&] { (void)io::load_safetensors(folder_ / "no"); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  EXPECT_EQ(std::string(missing.what()),
            "'" + (folder_ / "no").string() + "' cannot be opened: No such file or directory.");
  const Error folder = error_of([&] { (void)io::load_safetensors(folder_); });
  EXPECT_EQ(folder.kind(), ErrorKind::kIo);
  EXPECT_EQ(std::string(folder.what()), "'" + folder_.string() + "' cannot be mapped into memory: Is a directory.");
}

TEST_F(SafetensorsTest, HostileHeaders) {
  struct Case {
    std::string header;
    std::size_t data;
    std::string_view part;
  };
  const std::string good = entry("[1]", "[0,4]");
  std::string deep_lists(100000, '[');
  std::string deep_objects;
  for (int i = 0; i < 50000; ++i) deep_objects += R"({"a":)";
  std::string dots;
  for (int i = 0; i < 100000; ++i) dots += "a.";
  const std::vector<Case> cases{
      {"", 0, "is not a JSON object; '{' is expected at byte 0"},
      {"   ", 0, "'{' is expected at byte 3"},
      {"[]", 0, "is not a JSON object"},
      {"\xef\xbb\xbf{}", 0, "is not a JSON object"},
      {"{", 0, "is not valid JSON at byte"},
      {"{} x", 0, "is not valid JSON at byte"},
      {std::string("{}\0x", 4), 0, "at byte 2: a zero byte"},
      {"{\"\xff\": 1}", 0, "ill-formed UTF-8 byte"},
      {R"({"\ud800": 1})", 0, "is not valid JSON"},
      {"{\"a\":" + std::string(10000, '9') + "}", 0, "is not valid JSON"},
      {"{\"a\":" + deep_lists, 0, "whose entry is a list"},
      {R"({"a":{"x":)" + deep_lists, 0, "nested deeper than 16 levels"},
      {deep_objects, 0, "nested deeper than 16 levels"},
      {"{\"a\":" + good + ",\"a\":" + good + "}", 4, "the key 'a' twice"},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", 4, "the key 'dtype' twice"},
      {R"({"__metadata__":{"k":"v","k":"v"}})", 0, "the key 'k' twice"},
      {R"({"__metadata__":[]})", 0, "has the metadata a list; an object is expected"},
      {R"({"__metadata__":{"k":1}})", 0, "has the metadata 'k' of value 1; a text is expected"},
      {R"({"__metadata__":{"k":{}}})", 0, "has the metadata 'k' of value an object"},
      {R"({"a":1})", 0, "has a tensor 'a' whose entry is 1"},
      {R"({"a":{}})", 0, "has a tensor 'a' without dtype"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, "without shape"},
      {R"({"a":{"dtype":"F32","shape":[1]}})", 4, "without data_offsets"},
      {"{\"a\":" + entry("[1]", "[0,4]", "\"F8_E4M3\"") + "}", 4, "of dtype 'F8_E4M3'; one of U64, I64"},
      {"{\"a\":" + entry("[1]", "[0,4]", "7") + "}", 4, "of dtype 7; one of"},
      {"{\"a\":" + entry("1", "[0,4]") + "}", 4, "with the shape 1; a list"},
      {"{\"a\":" + entry("[-1]", "[0,4]") + "}", 4, "with -1 in its shape"},
      {"{\"a\":" + entry("[1.0]", "[0,4]") + "}", 4, "with 1.0 in its shape"},
      {"{\"a\":" + entry("[true]", "[0,4]") + "}", 4, "with true in its shape"},
      {"{\"a\":" + entry("[[1]]", "[0,4]") + "}", 4, "with a list in its shape"},
      {"{\"a\":" + entry("[9223372036854775808]", "[0,4]") + "}", 4, "with 9223372036854775808 in its shape"},
      {"{\"a\":" + entry("[1,1,1,1,1,1,1,1,1]", "[0,4]") + "}", 4, "more than 8 axes"},
      {"{\"a\":" + entry("[1099511627776,1099511627776]", "[0,4]") + "}", 4, "sizes of at most 2^60 bytes"},
      {"{\"a\":" + entry("[4611686018427387904,4611686018427387904,0]", "[0,0]") + "}", 0, "at most 2^60 bytes"},
      {"{\"a\":" + entry("[2]", "[0,4]") + "}", 4, "of shape [2] and dtype F32 in 4 bytes; 8 bytes are expected"},
      {"{\"a\":" + entry("[0]", "[0,4]") + "}", 4, "in 4 bytes; 0 bytes are expected"},
      {"{\"a\":" + entry("[1]", "{}") + "}", 4, "with the data_offsets an object"},
      {"{\"a\":" + entry("[1]", "[4]") + "}", 4, "with 1 data_offsets"},
      {"{\"a\":" + entry("[1]", "[0,4,8]") + "}", 4, "with more than two data_offsets"},
      {"{\"a\":" + entry("[1]", "[-4,0]") + "}", 4, "with -4 in its data_offsets"},
      {"{\"a\":" + entry("[1]", "[4,0]") + "}", 4, "at the bytes 4 to 0"},
      {"{\"a\":" + entry("[1]", "[4,8]") + "}", 4, "at the bytes 4 to 8; a range of the 4 bytes"},
      {"{\"a\":" + entry("[1]", "[0,18446744073709551616]") + "}", 4, "in its data_offsets"},
      {"{\"a\":" + good + ",\"b\":" + good + "}", 4, "'b' that overlaps the one before it: it begins at 0; 4"},
      {"{\"a\":" + good + ",\"b\":" + entry("[1]", "[2,6]") + "}", 6, "'b' that overlaps the one before it"},
      {"{\"a\":" + entry("[1]", "[4,8]") + "}", 8, "'a' that leaves a gap behind the one before it"},
      {"{\"a\":" + good + "}", 8, "has tensors of 4 bytes together and 8 bytes of data"},
      {"{\"a\":" + good + ",\"a.b\":" + entry("[1]", "[4,8]") + "}", 8, "has names that do not make a tree"},
      {"{\"a..b\":" + good + "}", 4, "has names that do not make a tree"},
      {"{\"" + dots + "a\":" + good + "}", 4, "has 100001 keys; at most 256 are expected"},
  };
  for (const Case& c : cases) {
    const std::string text = message(file_of(c.header, c.data));
    EXPECT_NE(text.find(c.part), std::string::npos) << c.header.substr(0, 200) << "\n" << text;
  }
  std::string boolean_two = file_of("{\"a\":" + entry("[2]", "[0,2]", "\"BOOL\"") + "}", 2);
  boolean_two.back() = 2;
  EXPECT_NE(message(boolean_two).find("with the byte 2 at element 1; 0 or 1 is expected"), std::string::npos);
  // In any order, and with fields that the format does not have.
  write(file_, file_of("{\"b\":" + entry("[1]", "[4,8]") +
                           R"(,"a":{"x":{"y":[1,[2]]},"data_offsets":[0,4],"shape":[1],"dtype":"F32"}})",
                       8));
  EXPECT_EQ(io::load_safetensors(file_).names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(SafetensorsTest, EveryFieldWithEveryWrongValue) {
  const std::vector<std::string> wrong{
      "null",      "true",     "-1",       "0",       "1.5",    "1e2",    "2147483648", "18446744073709551616",
      R"("")",     R"("F16")", R"("f32")", "[]",      "[1]",    "[6]",    "[1,2]",      R"(["a"])",
      "[null]",    "[[]]",     "[{}]",     "[-1,24]", "[24,0]", "[0,25]", "[1,24]",     "{}",
      R"({"a":1})"};
  const auto file = [](const std::string& e) { return file_of("{\"a\":" + e + "}", 24); };
  write(file_, file(entry("[2,3]", "[0,24]")));
  EXPECT_EQ(io::load_safetensors(file_).tensor("a").shape(), Shape({2, 3}));
  for (const std::string& w : wrong) {
    (void)message(file(w));
    (void)message(file(entry("[2,3]", "[0,24]", w)));
    (void)message(file(entry("[2,3]", w)));
    if (w != "[6]") (void)message(file(entry(w, "[0,24]")));
  }
}

TEST_F(SafetensorsTest, HeaderSizes) {
  EXPECT_NE(message("").find("has 0 bytes; at least 8 are expected"), std::string::npos);
  EXPECT_NE(message("1234567").find("has 7 bytes; at least 8 are expected"), std::string::npos);
  std::string bytes = file_of("{}");
  bytes[0] = 3;
  EXPECT_NE(message(bytes).find("has a header of 3 bytes; at most 2 are expected"), std::string::npos);
  std::fill_n(bytes.begin(), 8, '\xff');
  EXPECT_NE(message(bytes).find("has a header of 18446744073709551615 bytes"), std::string::npos);
  const std::uint64_t large = 100'000'001;  // in a sparse file that has them
  std::memcpy(bytes.data(), &large, sizeof large);
  write(file_, bytes);
  fs::resize_file(file_, 200'000'000);
  const Error e = error_of([&] { (void)io::load_safetensors(file_); });
  EXPECT_NE(std::string_view(e.what()).find("header of 100000001 bytes; at most 100000000"), std::string_view::npos);
}

TEST_F(SafetensorsTest, EveryTruncationIsAnError) {
  const std::string whole = read(kFixture);
  for (std::size_t size = 0; size < whole.size(); ++size) (void)message(std::string_view(whole).substr(0, size));
}

TEST_F(SafetensorsTest, FlippedBytesLoadOrThrow) {
  const std::string whole = read(kFixture);
  std::mt19937 random(7);
  int loaded = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bad = whole;
    for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
      bad[random() % bad.size()] ^= static_cast<char>(1U << random() % 8);
    }
    write(file_, bad);
    try {
      const Tree tree = io::load_safetensors(file_);
      for (const Tensor& t : tree.tensors()) EXPECT_LE(host_view(t).bytes.size(), 48U);
      ++loaded;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    }
  }
  EXPECT_GT(loaded, 20);
  EXPECT_LT(loaded, 1980);
}

TEST_F(SafetensorsTest, InMemoryAsInAFile) {
  const std::string whole = read(kFixture);
  const auto open = [](std::string_view bytes) {
    return io::SafetensorsFile(HostView{std::as_bytes(std::span(bytes)), nullptr, false}, "the bytes");
  };
  const std::vector<Tree::Named> mapped = io::load_safetensors_list(kFixture);
  const std::vector<Tree::Named> loaded = open(whole).tensors();
  ASSERT_EQ(loaded.size(), mapped.size());
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    EXPECT_EQ(loaded[i].first, mapped[i].first);
    EXPECT_EQ(loaded[i].second.shape(), mapped[i].second.shape());
    EXPECT_EQ(bytes_of(loaded[i].second), bytes_of(mapped[i].second)) << loaded[i].first;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Error e = error_of([&] { (void)open(std::string_view(whole).substr(0, size)); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse);
    EXPECT_TRUE(std::string_view(e.what()).starts_with("load_safetensors: 'the bytes' has ")) << e.what();
  }
}

/// Files that arrive in parts: the size of the header from 8 bytes, then the header alone.
TEST_F(SafetensorsTest, HeadersInParts) {
  const std::string whole = read(kFixture);
  const auto bytes = std::as_bytes(std::span(whole));
  const io::SafetensorsFile file(kFixture);
  for (const std::optional<std::uint64_t> size : {std::optional<std::uint64_t>(whole.size()), {}}) {
    const std::size_t count = io::safetensors_header_bytes(bytes.first(8), size, "part");
    EXPECT_EQ(count, file.entries().front().offset);
    const io::SafetensorsHeader header = io::parse_safetensors_header(bytes.first(count), size, "part");
    EXPECT_EQ(header.metadata, file.metadata());
    ASSERT_EQ(header.entries.size(), file.entries().size());
    for (std::size_t i = 0; i < header.entries.size(); ++i) {
      EXPECT_EQ(header.entries[i].name, file.entries()[i].name);
      EXPECT_EQ(header.entries[i].offset, file.entries()[i].offset);
      EXPECT_EQ(header.entries[i].bytes, file.entries()[i].bytes);
    }
    for (std::size_t given = 0; given < count; ++given) {
      const Error e = error_of([&] { (void)io::parse_safetensors_header(bytes.first(given), size, "part"); });
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << given;
    }
  }
  const std::size_t count = file.entries().front().offset;
  const Error cut = error_of([&] { (void)io::parse_safetensors_header(bytes.first(count), whole.size() - 3, "part"); });
  EXPECT_EQ(cut.kind(), ErrorKind::kParse);
  const Error longer = error_of([&] { (void)io::parse_safetensors_header(bytes, whole.size() + 3, "part"); });
  EXPECT_EQ(longer.fields().available - longer.fields().requested, 3U) << longer.what();
  // A size of the header that nobody has: an error, and no memory.
  for (const std::uint64_t claimed : {std::uint64_t{100'000'001}, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
    const auto first = std::as_bytes(std::span(&claimed, 1));
    for (const std::optional<std::uint64_t> size :
         {std::optional<std::uint64_t>(), {1000}, {std::uint64_t{1} << 50U}}) {
      const Error e = error_of([&] { (void)io::safetensors_header_bytes(first, size, "part"); });
      EXPECT_EQ(e.kind(), ErrorKind::kParse);
      EXPECT_EQ(e.fields().requested, claimed);
    }
  }
  // Tensors far behind what 32 bits count.
  const std::string far = file_of(R"({"a":)" + entry("[8589934592]", "[0,8589934592]", "\"U8\"") + R"(,"b":)" +
                                  entry("[1]", "[8589934592,8589934593]", "\"U8\"") + "}");
  const io::SafetensorsHeader header = io::parse_safetensors_header(std::as_bytes(std::span(far)), {}, "part");
  EXPECT_EQ(header.entries[1].offset, far.size() + 8589934592U);
}

TEST_F(SafetensorsTest, LayoutIsTheFile) {
  const std::vector<Tree::Named> tensors = io::load_safetensors_list(kFixture);
  const io::Metadata metadata{{"format", "pt"}};
  io::save_safetensors(file_, tensors, metadata);
  const io::SafetensorsLayout layout = io::safetensors_layout(tensors, metadata);
  std::string all = layout.header;
  for (const std::size_t i : layout.order) {
    const HostView view = host_view(tensors[i].second);
    all.append(reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size());
  }
  EXPECT_EQ(all, read(file_));
}

class SafetensorsOn : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(SafetensorsOn);

TEST_P(SafetensorsOn, RoundTrip) {
  const fs::path file =
      fs::temp_directory_path() / ("tessera_io_test_" + std::to_string(os::process_id()) + ".safetensors");
  const Tensor x(std::vector<float>{1, 2, 3, 4, 5}, {5}, device_);
  io::save_safetensors(file, {{"w", x * 2}, {"h", (x + 1).astype(f16)}, {"n", x.astype(i8)}, {"s", sum(x)}});
  const Tree tree = io::load_safetensors(file, {.device = device_});
  EXPECT_EQ(tree.tensor("w").device(), device_);
  EXPECT_EQ((tree.tensor("w") + 1).to_vector<float>(), (std::vector<float>{3, 5, 7, 9, 11}));
  EXPECT_EQ(tree.tensor("h").astype(f32).to_vector<float>(), (std::vector<float>{2, 3, 4, 5, 6}));
  EXPECT_EQ(tree.tensor("n").to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(tree.tensor("s").item<float>(), 15);
  if (!on_cpu()) {
    const Error e = error_of([&] { (void)io::load_safetensors(kFixture, {.device = device_}); });
    EXPECT_EQ(e.kind(), ErrorKind::kUnsupported) << e.what();
    EXPECT_NE(std::string_view(e.what()).find(".weight' of '" + kFixture.string() + "' cannot be loaded: "),
              std::string_view::npos)
        << e.what();
  }
  fs::remove(file);
}

}  // namespace
}  // namespace tessera::test
