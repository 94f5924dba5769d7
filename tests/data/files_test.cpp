// Data sets of files of arrays and of folders of images: their rows, and files that are missing, truncated or do not
// fit together.
#include <cstring>
#include <sstream>

#include <sys/stat.h>

#include "data/arrays.h"
#include "data/support.h"
#include "io/npy/zip.h"
#include "tessera/npy.h"

namespace tessera::test {
namespace {

using data::Array;
using data::DatasetPtr;

class FilesTest : public DataTest {};

const fs::path kIoFixtures = fs::path(TESSERA_SOURCE_DIR) / "tests/io";

std::string npy_text(const std::string& descr, const std::string& shape, std::string_view values) {
  const std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + ")}";
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(dict.size()) + '\0' + dict + std::string(values);
}

std::string idx_text(std::uint8_t count, std::string_view values) {
  return std::string("\0\0\x08\1\0\0\0", 7) + static_cast<char>(count) + std::string(values);
}

TEST_F(FilesTest, NpyRowsAreMapped) {
  const fs::path x =
      write("größe.npy", npy_text("<i4", "3, 2", std::string("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0", 24)));
  const fs::path y = write("y.npy", npy_text("|u1", "3,", "abc"));
  const DatasetPtr dataset = data::from_npy({{"x", x}, {"y", y}});
  ASSERT_EQ(dataset->size(), 3);
  EXPECT_EQ(dataset->get(1)["x"].shape(), Shape({2}));
  EXPECT_EQ(dataset->get(2)["x"].values<std::int32_t>()[1], 6);
  EXPECT_EQ(dataset->get(2)["y"].values<std::uint8_t>()[0], 'c');
  expect_text(Error(ErrorKind::kValue, dataset->name(2)), "größe.npy, ");
  expect_text(Error(ErrorKind::kValue, dataset->name(2)), "y.npy, row 2");
  // The data set keeps its files.
  fs::remove(x);
  EXPECT_EQ(dataset->get(0)["x"].values<std::int32_t>()[0], 1);
  data::DataLoader loader(dataset, {.batch = 2});
  EXPECT_EQ(batches_of(loader), (Batches{{1, 2, 3, 4}, {5, 6}}));
}

TEST_F(FilesTest, NpyFilesThatAreBad) {
  const fs::path x = write("x.npy", npy_text("|u1", "3,", "abc"));
  const fs::path y = write("y.npy", npy_text("|u1", "2,", "ab"));
  expect_text(error_of([&] { (void)data::from_npy({{"x", x}, {"y", y}}); }), "'x' has 3 rows and 'y' has 2");
  EXPECT_EQ(error_of([&] { (void)data::from_npy({{"x", x}, {"x", x}}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([] { (void)data::from_npy({}); }).kind(), ErrorKind::kValue);
  const Error missing = error_of([&] { (void)data::from_npy({{"x", folder_ / "no.npy"}}); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  expect_text(missing, "no.npy");
  EXPECT_EQ(error_of([&] { (void)data::from_npy({{"x", write("s.npy", npy_text("|u1", "", "a"))}}); }).kind(),
            ErrorKind::kShape);
  const std::string whole = npy_text("|u1", "3,", "abc");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Error e = error_of([&] { (void)data::from_npy({{"x", write("t.npy", whole.substr(0, size))}}); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse);
    expect_text(e, "t.npy");
  }
}

TEST_F(FilesTest, NpzArraysByName) {
  for (const char* name : {"every_dtype.npz", "every_dtype_deflated.npz"}) {
    const DatasetPtr dataset = data::from_npz(kIoFixtures / name, {"big", "fortran"});
    ASSERT_EQ(dataset->size(), 2);
    EXPECT_EQ(dataset->get(1).fields()[0].first, "big");
    EXPECT_EQ(dataset->get(1)["big"].values<std::int32_t>()[2], 6);
    EXPECT_EQ(dataset->get(1)["fortran"].shape(), Shape({3, 4}));
    // Names with dots are no names of fields, and arrays of all have different rows.
    EXPECT_EQ(error_of([&] { (void)data::from_npz(kIoFixtures / name); }).kind(), ErrorKind::kValue);
    const Error e = error_of([&] { (void)data::from_npz(kIoFixtures / name, {"big", "none"}); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    expect_text(e, "has no array 'none'");
  }
  EXPECT_EQ(error_of([&] { (void)data::from_npz(folder_ / "no.npz"); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(error_of([&] { (void)data::from_npz(write("bad.npz", "PK")); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { (void)data::from_npz(write("none.npz", "PK\5\6" + std::string(18, '\0'))); }).kind(),
            ErrorKind::kValue);
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
  return text;
}

/// An archive with one stored member, whose bytes begin where NumPy's do: behind a header of 30 bytes and the name.
std::string stored_npz(const std::string& name, std::string_view npy) {
  const std::string both = little_endian(20, 2) + std::string(8, '\0') +
                           little_endian(io::crc32(std::as_bytes(std::span(npy))), 4) + little_endian(npy.size(), 4) +
                           little_endian(npy.size(), 4) + little_endian(name.size(), 2) + little_endian(0, 2);
  const std::string directory = "PK\1\2" + little_endian(20, 2) + both + std::string(14, '\0') + name;
  const std::string member = "PK\3\4" + both + name;
  return member + std::string(npy) + directory + "PK\5\6" + little_endian(0, 4) + little_endian(1, 2) +
         little_endian(1, 2) + little_endian(directory.size(), 4) + little_endian(member.size() + npy.size(), 4) +
         little_endian(0, 2);
}

/// Memory of this process that is not mapped from a file; -1 where the system does not say.
std::int64_t anonymous_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("RssAnon:")) continue;
    std::int64_t kib = 0;
    std::istringstream(line.substr(8)) >> kib;
    return kib * 1024;
  }
  return -1;
}

TEST_F(FilesTest, StoredNpzArraysAreMappedWhereverTheyBegin) {
  if (anonymous_memory() < 0) GTEST_SKIP() << "there is no /proc/self/status";
  constexpr std::int64_t kRows = 1 << 12;
  constexpr std::int64_t kColumns = 1 << 10;  // 32 MiB
  fs::path file;
  {
    std::vector<double> values(static_cast<std::size_t>(kRows * kColumns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    file = write("rows.npz", stored_npz("x.npy", npy_text("<f8", "4096, 1024", bytes)));
  }
  const std::int64_t before = anonymous_memory();
  const DatasetPtr dataset = data::from_npz(file);
  ASSERT_EQ(dataset->size(), kRows);
  for (std::int64_t i = 0; i < kRows; i += 300) {
    const data::Sample sample = dataset->get(i);
    const auto row = sample["x"].values<double>();
    ASSERT_EQ(row.size(), static_cast<std::size_t>(kColumns));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row.data()) % alignof(double), 0U);
    EXPECT_EQ(row[0], static_cast<double>(i * kColumns));
    EXPECT_EQ(row.back(), static_cast<double>((i + 1) * kColumns - 1));
  }
  data::DataLoader loader(dataset, {.batch = 16, .shuffle = true, .workers = 0});
  for (int i = 0; i < 5; ++i) EXPECT_EQ((*loader.next())["x"].shape(), Shape({16, kColumns}));
  EXPECT_LT(anonymous_memory() - before, std::int64_t{8} << 20U);
}

TEST_F(FilesTest, RowsOfEveryDTypeWhereverTheyBegin) {
  for (const DType dtype : {boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128}) {
    const std::size_t size = size_of(dtype);
    for (std::size_t shift = 0; shift < 16; ++shift) {
      const auto owner = std::make_shared<std::vector<std::byte>>(shift + 6 * size);
      for (std::size_t i = 0; i < 6 * size; ++i) (*owner)[shift + i] = static_cast<std::byte>(i % 2);
      const std::span<const std::byte> bytes(owner->data() + shift, 6 * size);
      const auto arrays = [&](const Shape& shape) {
        std::vector<data::Arrays::Named> named;
        named.emplace_back("x", io::HostArray{HostView{bytes, owner, false}, dtype, shape});
        return data::Arrays(std::move(named), "test");
      };
      const data::Arrays rows = arrays({3, 2});
      EXPECT_EQ(owner.use_count(), 2);
      for (std::int64_t i = 0; i < 3; ++i) {
        const Array row = rows.get(i)["x"];
        EXPECT_EQ(row.dtype(), dtype);
        EXPECT_EQ(row.shape(), Shape({2}));
        const auto expected = bytes.subspan(static_cast<std::size_t>(i) * 2 * size, 2 * size);
        EXPECT_TRUE(std::ranges::equal(row.bytes(), expected));
        const std::size_t alignment = std::min(size, alignof(double));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row.bytes().data()) % alignment, 0U);
        // What is aligned is not copied.
        const bool aligned = reinterpret_cast<std::uintptr_t>(expected.data()) % alignment == 0;
        EXPECT_EQ(row.bytes().data() == expected.data(), aligned) << name(dtype) << " " << shift;
      }
      EXPECT_EQ(error_of([&] { (void)rows.get(3); }).kind(), ErrorKind::kValue);
      EXPECT_EQ(error_of([&] { (void)rows.get(-1); }).kind(), ErrorKind::kValue);
      EXPECT_EQ(error_of([&] { (void)arrays({2, 2}); }).kind(), ErrorKind::kShape);
    }
  }
}

TEST_F(FilesTest, TensorsOfBlocksHaveNoRows) {
  const Tensor blocks = quantize(Tensor(std::vector<float>(64, 1), {2, 32}), q8_0);
  EXPECT_EQ(error_of([&] { (void)data::from_tensors(Tree{{"x", blocks}}); }).kind(), ErrorKind::kDType);
}

TEST_F(FilesTest, PipesAreNotWaitedFor) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const Error& e : {error_of([&] { (void)data::from_csv(pipe); }), error_of([&] { (void)data::load_image(pipe); }),
                         error_of([&] { (void)data::from_npz(pipe); }),
                         error_of([&] { (void)data::from_tokens(pipe, {.context = 1}); })}) {
    EXPECT_EQ(e.kind(), ErrorKind::kIo);
    expect_text(e, "pipe' cannot be mapped into memory: it is a pipe; a regular file is expected.");
  }
}

TEST_F(FilesTest, SafetensorsRows) {
  const fs::path file = folder_ / "rows.safetensors";
  io::save_safetensors(file, Tree{{"x", Tensor(std::vector<float>{1, 2, 3, 4}, {2, 2})},
                                  {"flag", Tensor(std::vector<bool>{true, false}, {2})}});
  const DatasetPtr dataset = data::from_safetensors(file);
  ASSERT_EQ(dataset->size(), 2);
  EXPECT_EQ(dataset->get(1)["x"].values<float>()[0], 3);
  EXPECT_EQ(dataset->get(0)["flag"].dtype(), boolean);
  EXPECT_EQ(data::from_safetensors(file, {"x"})->get(0).fields().size(), 1U);
  EXPECT_EQ(error_of([&] { (void)data::from_safetensors(file, {"y"}); }).kind(), ErrorKind::kValue);
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Error e = error_of([&] { (void)data::from_safetensors(write("t", whole.substr(0, size))); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
  }
  const std::size_t flags = whole.find("\1", whole.find('}', whole.find("flag")));
  ASSERT_NE(flags, std::string::npos);
  std::string bad = whole;
  bad[bad.rfind('\1')] = 3;
  EXPECT_EQ(error_of([&] { (void)data::from_safetensors(write("t", bad)); }).kind(), ErrorKind::kParse);
}

TEST_F(FilesTest, IdxRows) {
  const fs::path images = write("images", idx_text(3, "abc"));
  const fs::path labels = write("labels", idx_text(3, std::string("\0\1\2", 3)));
  const DatasetPtr dataset = data::from_idx({{"image", images}, {"label", labels}});
  EXPECT_EQ(dataset->size(), 3);
  EXPECT_EQ(dataset->get(2)["label"].values<std::uint8_t>()[0], 2);
  EXPECT_EQ(dataset->get(2)["image"].values<std::uint8_t>()[0], 'c');
  expect_text(error_of([&] { (void)data::from_idx({{"image", images}, {"label", write("two", idx_text(2, "ab"))}}); }),
              "'image' has 3 rows and 'label' has 2");
  const std::string whole = idx_text(3, "abc");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Error e = error_of([&] { (void)data::from_idx({{"image", write("t", whole.substr(0, size))}}); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse);
    expect_text(e, "from_idx: ");
  }
  EXPECT_EQ(error_of([&] { (void)data::from_idx({{"image", folder_ / "no"}}); }).kind(), ErrorKind::kIo);
}

class ImageFolderTest : public DataTest {};

std::string ppm(int width, int height, std::string_view pixels) {
  return "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" + std::string(pixels);
}
std::string pgm(int width, int height, std::string_view pixels) {
  return "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" + std::string(pixels);
}

TEST_F(ImageFolderTest, ClassesAndFilesAreSorted) {
  (void)write("set/zebra/b.ppm", ppm(2, 1, "abcdef"));
  (void)write("set/zebra/A.PPM", ppm(2, 1, "ghijkl"));
  (void)write("set/zebra/deeper/c.pgm", pgm(2, 1, "mn"));
  (void)write("set/äffchen/größe.pgm", pgm(2, 1, "op"));
  (void)write("set/zebra/notes.txt", "text");
  (void)write("set/zebra/.hidden.ppm", "no image");
  (void)write("set/.cache/x.ppm", "no image");
  (void)write("set/outside.ppm", "no image");
  fs::create_directories(folder_ / "set/none");
  const DatasetPtr dataset = data::from_image_folder(folder_ / "set");
  ASSERT_EQ(dataset->size(), 4);
  EXPECT_EQ(dataset->classes().at("label"), (std::vector<std::string>{"none", "zebra", "äffchen"}));
  const auto file = [&](std::int64_t i) { return fs::path(dataset->name(i)).filename().string(); };
  EXPECT_EQ(file(0), "A.PPM");
  EXPECT_EQ(file(1), "b.ppm");
  EXPECT_EQ(file(2), "c.pgm");
  EXPECT_EQ(file(3), "größe.pgm");
  EXPECT_EQ(dataset->get(3)["label"].values<std::int32_t>()[0], 2);
  EXPECT_EQ(dataset->get(1)["image"].shape(), Shape({1, 2, 3}));
  EXPECT_EQ(dataset->get(1)["image"].values<std::uint8_t>()[5], 'f');
  // Gray becomes RGB, so that a batch can be stacked.
  EXPECT_EQ(dataset->get(3)["image"].values<std::uint8_t>()[5], 'p');
  data::DataLoader loader(dataset, {.batch = 4});
  EXPECT_EQ((*loader.next())["image"].shape(), Shape({4, 1, 2, 3}));
  EXPECT_EQ(data::from_image_folder(folder_ / "set", {.channels = 0})->get(3)["image"].shape(), Shape({1, 2, 1}));
  EXPECT_EQ(data::from_image_folder(folder_ / "set", {.extensions = {".PGM"}})->size(), 2);
}

TEST_F(ImageFolderTest, BrokenAndMissingImagesAreNamed) {
  (void)write("set/a/0.pgm", pgm(1, 1, "x"));
  (void)write("set/a/1.pgm", pgm(2, 2, "x"));  // truncated
  (void)write("set/a/2.pgm", pgm(1, 1, "y"));
  (void)write("set/a/3.pgm", pgm(1, 1, "z"));
  const DatasetPtr dataset = data::from_image_folder(folder_ / "set");
  fs::remove(folder_ / "set/a/2.pgm");
  data::DataLoader loader(dataset, {});
  EXPECT_TRUE(loader.next().has_value());
  const Error broken = error_of([&] { (void)loader.next(); });
  EXPECT_EQ(broken.kind(), ErrorKind::kParse);
  expect_text(broken, "1.pgm");
  const Error missing = error_of([&] { (void)loader.next(); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  expect_text(missing, "2.pgm");
  EXPECT_TRUE(loader.next().has_value());
  data::DataLoader skipping(dataset, {.batch = 2, .skip_bad = true});
  testing::internal::CaptureStderr();
  EXPECT_EQ((*skipping.next())["label"].size(0), 1);
  EXPECT_EQ((*skipping.next())["label"].size(0), 1);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("1.pgm"), std::string::npos);
  EXPECT_NE(log.find("2.pgm"), std::string::npos);
}

TEST_F(ImageFolderTest, FoldersThatAreBad) {
  const Error missing = error_of([&] { (void)data::from_image_folder(folder_ / "no"); });
  EXPECT_EQ(missing.kind(), ErrorKind::kIo);
  expect_text(missing, "no' cannot be read");
  EXPECT_EQ(error_of([&] { (void)data::from_image_folder(write("file", "x")); }).kind(), ErrorKind::kIo);
  fs::create_directories(folder_ / "empty/a");
  const Error none = error_of([&] { (void)data::from_image_folder(folder_ / "empty"); });
  EXPECT_EQ(none.kind(), ErrorKind::kValue);
  expect_text(none, ".png, .jpg, .jpeg, .ppm, .pgm");
  EXPECT_EQ(error_of([&] { (void)data::from_image_folder(folder_, {.channels = 2}); }).kind(), ErrorKind::kValue);
}

TEST_F(ImageFolderTest, LinksThatFormACycleEnd) {
  (void)write("set/a/0.pgm", pgm(1, 1, "x"));
  fs::create_directory_symlink(folder_ / "set", folder_ / "set/a/up");
  EXPECT_EQ(data::from_image_folder(folder_ / "set")->size(), 1);
}

}  // namespace
}  // namespace tessera::test
