// Image files: pixels against those of Pillow, files that are hostile, PNG files written and read again, and sheets.
#include "tessera/data/image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/devices.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

/// Made by tests/data/make_images.py.
const fs::path kImages = TESSERA_SOURCE_DIR "/tests/data/images";
constexpr const char* kPngs[] = {"rgba", "gray_alpha", "gray16", "bits", "palette", "palette_alpha"};
constexpr const char* kJpegs[] = {"gray", "rgb", "half", "progressive", "restart", "cmyk"};

std::string file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

data::Array decode_text(std::string_view text, const data::ImageOptions& options = {}) {
  return data::decode_image(std::as_bytes(std::span(text)), "given.img", options);
}

std::vector<int> numbers_of(const data::Array& image) {
  const auto values = image.values<std::uint8_t>();
  return {values.begin(), values.end()};
}

/// One channel of an image.
std::vector<int> channel_of(const data::Array& image, int channel) {
  std::vector<int> out;
  const std::vector<int> all = numbers_of(image);
  for (auto i = static_cast<std::size_t>(channel); i < all.size(); i += static_cast<std::size_t>(image.shape()[2])) {
    out.push_back(all[i]);
  }
  return out;
}

/// All files of the folder, and small ones of the formats that need no library.
std::vector<std::pair<std::string, std::string>> every_file() {
  std::vector<std::pair<std::string, std::string>> out{
      {"pgm", "P5\n# a comment\n3 2\n255\nabcdef"},
      {"ppm", std::string("P6 1 2 65535\n") + std::string("\x00\x01\x80\x00\xff\xff\x12\x34\x56\x78\x9a\xbc", 12)}};
  if (!data::image_library().error.empty()) return out;
  for (const char* name : kPngs) out.emplace_back(name, file_text(kImages / (std::string(name) + ".png")));
  for (const char* name : kJpegs) out.emplace_back(name, file_text(kImages / (std::string(name) + ".jpg")));
  return out;
}

class ImageFiles : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / ("tessera_image_test_\u00e9_" + std::to_string(os::process_id()));
};

/// Those that need the library tessera_image.
class ImageLibraryTest : public ImageFiles {
 protected:
  void SetUp() override {
    ImageFiles::SetUp();
    if (const std::string why = data::image_library().error; !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(ImageLibraryTest, SaysWhereItIsAndWhatItIs) {
  const data::ImageLibrary library = data::image_library();
  EXPECT_TRUE(fs::exists(library.path)) << library.path;
  EXPECT_NE(library.version.find("png 0."), std::string::npos) << library.version;
}

TEST_F(ImageLibraryTest, ReadsPngFiles) {
  const auto load = [](const char* name) { return data::load_image(kImages / (std::string(name) + ".png")); };
  const data::Array rgba = load("rgba");
  EXPECT_EQ(rgba.dtype(), u8);
  EXPECT_EQ(rgba.shape(), (Shape{5, 7, 4}));
  const std::vector<int> all = numbers_of(rgba);
  EXPECT_EQ(std::vector<int>(all.begin(), all.begin() + 8), (std::vector{127, 172, 89, 113, 160, 178, 93, 129}));

  // The same waves: gray is the first channel, and alpha the second.
  const data::Array alpha = load("gray_alpha");
  EXPECT_EQ(alpha.shape(), (Shape{5, 7, 4}));
  for (int c = 0; c < 3; ++c) EXPECT_EQ(channel_of(alpha, c), channel_of(rgba, 0));
  EXPECT_EQ(channel_of(alpha, 3), channel_of(rgba, 1));
  const data::Array wide = load("gray16");
  EXPECT_EQ(wide.shape(), (Shape{5, 7, 1}));
  EXPECT_EQ(numbers_of(wide), channel_of(rgba, 0));
  const data::Array bits = load("bits");
  EXPECT_EQ(bits.shape(), (Shape{5, 11, 1}));
  for (std::size_t y = 0; y < 5; ++y) {
    for (std::size_t x = 0; x < 7; ++x) {
      EXPECT_EQ(numbers_of(bits)[y * 11 + x], numbers_of(wide)[y * 7 + x] > 127 ? 255 : 0);
    }
  }

  const std::vector<std::vector<int>> colors{{10, 20, 30}, {200, 100, 50}, {0, 255, 7}};
  const std::vector<int> three = numbers_of(load("palette"));
  const std::vector<int> four = numbers_of(load("palette_alpha"));
  ASSERT_EQ(three.size(), 105U);
  ASSERT_EQ(four.size(), 140U);
  for (std::size_t i = 0; i < 35; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(three[3 * i + c], colors[i % 3][c]);
      EXPECT_EQ(four[4 * i + c], colors[i % 3][c]);
    }
    EXPECT_EQ(four[4 * i + 3], i % 3 == 1 ? 0 : 255);
  }
}

TEST_F(ImageLibraryTest, ReadsJpegFilesAsPillowDoes) {
  for (const std::string name : kJpegs) {
    const data::Array image = data::load_image(kImages / (name + ".jpg"));
    const data::Array expected = data::load_image(kImages / (name + (name == "gray" ? ".pgm" : ".ppm")));
    ASSERT_EQ(image.shape(), expected.shape()) << name;
    const std::vector<int> got = numbers_of(image);
    const std::vector<int> want = numbers_of(expected);
    int most = 0;
    double sum = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      most = std::max(most, std::abs(got[i] - want[i]));
      sum += std::abs(got[i] - want[i]);
    }
    // Decoders differ in rounding, and in how they spread the colors of 4:2:0.
    EXPECT_LE(most, name == "half" ? 12 : 3) << name;
    EXPECT_LT(sum / static_cast<double>(got.size()), name == "half" ? 2 : 0.7) << name;
  }
}

TEST_F(ImageFiles, TruncatedFilesAreErrorsWithTheirName) {
  for (const auto& [name, text] : every_file()) {
    EXPECT_GT(decode_text(text).bytes().size(), 0U) << name;
    for (std::size_t size = 0; size < text.size(); ++size) {
      const Error e = error_of([&] { (void)decode_text(std::string_view(text).substr(0, size)); });
      EXPECT_EQ(e.kind(), ErrorKind::kParse) << name << ", " << size << " bytes: " << e.what();
      EXPECT_NE(std::string(e.what()).find("'given.img'"), std::string::npos) << e.what();
    }
  }
}

TEST_F(ImageFiles, ChangedFilesAreImagesOrErrors) {
  std::mt19937 random(7);
  const data::ImageOptions small{.max_bytes = 1U << 20U};
  for (const auto& [name, text] : every_file()) {
    for (std::size_t i = 0; i < 2 * text.size(); ++i) {
      std::string changed = text;
      changed[i % text.size()] = static_cast<char>(random());
      if (i % 3 == 0) changed[random() % text.size()] ^= static_cast<char>(1U << random() % 8);
      try {
        const data::Array image = decode_text(changed, small);
        EXPECT_LE(image.bytes().size(), small.max_bytes);
        EXPECT_EQ(static_cast<std::int64_t>(image.bytes().size()), image.shape().numel());
      } catch (const Error& e) {
        EXPECT_TRUE(e.kind() == ErrorKind::kParse || e.kind() == ErrorKind::kLimit ||
                    e.kind() == ErrorKind::kUnsupported)
            << name << ": " << e.what();
      }
    }
  }
}

TEST_F(ImageFiles, LimitsAreThoseOfTheCallerAndOneGibibyte) {
  for (const auto& [name, text] : every_file()) {
    const std::uint64_t size = decode_text(text).bytes().size();
    EXPECT_EQ(decode_text(text, {.max_bytes = size}).bytes().size(), size);
    const Error e = error_of([&] { (void)decode_text(text, {.max_bytes = size - 1}); });
    EXPECT_EQ(e.kind(), ErrorKind::kLimit) << name << ": " << e.what();
    // Of the converted image too.
    if (decode_text(text).shape()[2] == 4) continue;
    EXPECT_EQ(error_of([&] { (void)decode_text(text, {.channels = 4, .max_bytes = size}); }).kind(), ErrorKind::kLimit);
  }
  const Error e =
      error_of([] { (void)decode_text("P5 2147483647 2147483647 255\n", {.max_bytes = ~std::uint64_t{0}}); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
}

TEST_F(ImageFiles, SamplesOfPgmAndPpmAreScaledTo255) {
  EXPECT_EQ(numbers_of(decode_text("P5 3 1 255\nabc")), (std::vector{97, 98, 99}));
  EXPECT_EQ(decode_text("P5 3 1 255\nabc").shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(numbers_of(decode_text("P5#x\n#y\r\n 2\t# z\n2 \n 3\n" + std::string("\0\1\2\3", 4))),
            (std::vector{0, 85, 170, 255}));
  EXPECT_EQ(numbers_of(decode_text("P6 1 1 65535\n" + std::string("\xff\xff\x80\x00\x00\x80", 6))),
            (std::vector{255, 128, 0}));
  EXPECT_EQ(numbers_of(decode_text("P5 1 1 1\n\1 and what follows")), std::vector{255});

  const auto message = [](std::string_view text) {
    const Error e = error_of([&] { (void)decode_text(text); });
    EXPECT_EQ(e.kind(), ErrorKind::kParse) << e.what();
    return std::string(e.what());
  };
  const auto expect = [&](std::string_view text, std::string_view part) {
    EXPECT_NE(message(text).find(part), std::string::npos) << message(text);
  };
  expect("P5", "its width is missing");
  expect("P5 x", "its width is missing");
  expect("P5 -3 2 255\nabcdef", "its width is missing");
  expect("P5 3", "its height is missing");
  expect("P5 3 0 255\n", "its height is 0");
  expect("P5 3 1 # 255\nabc", "its largest value is missing");
  expect("P5 3 1 65536\nabc", "its largest value is more than 65535");
  expect("P5 99999999999999999999 1 255\nabc", "its width is more than 2147483647");
  expect("P5 3 1 255", "white space is expected");
  expect("P5 3 1 255\nab", "truncated, with 2 bytes of pixels instead of 3");
  expect("P5 1 1 65535\na", "truncated, with 1 bytes of pixels instead of 2");
  expect("P5 1 1 7\n\x08", "a sample is 8, and the header has 7");
}

TEST_F(ImageFiles, ChannelsAreConverted) {
  const std::string color = "P6 2 1 255\n" + std::string("\xff\x00\x00\x0a\xc8\x64", 6);
  EXPECT_EQ(numbers_of(decode_text(color, {.channels = 1})), (std::vector{76, 132}));  // 0.299 R + 0.587 G + 0.114 B
  EXPECT_EQ(numbers_of(decode_text(color, {.channels = 3})), (std::vector{255, 0, 0, 10, 200, 100}));
  EXPECT_EQ(numbers_of(decode_text(color, {.channels = 4})), (std::vector{255, 0, 0, 255, 10, 200, 100, 255}));
  const std::string gray = "P5 2 1 255\n\x07\xfe";
  EXPECT_EQ(numbers_of(decode_text(gray, {.channels = 3})), (std::vector{7, 7, 7, 254, 254, 254}));
  EXPECT_EQ(decode_text(gray, {.channels = 4}).shape(), (Shape{1, 2, 4}));
  for (const int channels : {-1, 2, 5}) {
    EXPECT_EQ(error_of([&] { (void)decode_text(gray, {.channels = channels}); }).kind(), ErrorKind::kValue);
  }
}

TEST_F(ImageLibraryTest, AlphaIsDropped) {
  const data::Array rgba = data::load_image(kImages / "rgba.png");
  const data::Array rgb = data::load_image(kImages / "rgba.png", {.channels = 3});
  for (int c = 0; c < 3; ++c) EXPECT_EQ(channel_of(rgb, c), channel_of(rgba, c));
  EXPECT_EQ(data::load_image(kImages / "rgba.png", {.channels = 1}).shape(), (Shape{5, 7, 1}));
}

TEST_F(ImageFiles, WhatIsNoImageIsAnError) {
  EXPECT_NE(std::string(error_of([] { (void)decode_text(""); }).what()).find("it is empty"), std::string::npos);
  const Error gif = error_of([] { (void)decode_text("GIF89a.."); });
  EXPECT_EQ(gif.kind(), ErrorKind::kParse);
  EXPECT_NE(std::string(gif.what()).find("begins with the bytes 47 49 46 38;"), std::string::npos) << gif.what();
  EXPECT_EQ(error_of([&] { (void)data::load_image(folder_ / "none.png"); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(error_of([&] { (void)data::load_image(folder_); }).kind(), ErrorKind::kIo);
}

TEST_F(ImageLibraryTest, WhatIsSavedIsLoaded) {
  std::mt19937 random(3);
  for (const auto& [h, w, c] : {std::array{1, 1, 1}, {1, 1, 4}, {3, 5, 3}, {64, 1, 1}, {17, 31, 4}}) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(h * w * c));
    for (std::uint8_t& v : values) v = static_cast<std::uint8_t>(random());
    const fs::path file = folder_ / "\u96ea.png";
    data::save_png(file, data::Array(values, {h, w, c}));
    const data::Array read = data::load_image(file);
    EXPECT_EQ(read.shape(), (Shape{h, w, c}));
    EXPECT_EQ(numbers_of(read), std::vector<int>(values.begin(), values.end()));
    data::save_png(file, Tensor(values, {h, w, c}).flip({0, 1}));
    std::vector<int> turned = channel_of(data::load_image(file), 0);
    std::ranges::reverse(turned);
    EXPECT_EQ(turned, channel_of(read, 0));
  }
  data::save_png(folder_ / "gray.png", data::Array(std::vector<std::uint8_t>{1, 2, 3}, {1, 3}));
  EXPECT_EQ(data::load_image(folder_ / "gray.png").shape(), (Shape{1, 3, 1}));
}

TEST_F(ImageLibraryTest, AFileThatCannotBeWrittenKeepsItsContents) {
  const data::Array good(std::vector<std::uint8_t>{9}, {1, 1});
  const fs::path file = folder_ / "kept.png";
  data::save_png(file, good);
  const auto kind = [&](const data::Array& image) { return error_of([&] { data::save_png(file, image); }).kind(); };
  EXPECT_EQ(kind({}), ErrorKind::kValue);
  EXPECT_EQ(kind(data::Array(std::vector<float>{1}, {1, 1})), ErrorKind::kDType);
  EXPECT_EQ(kind(data::Array(std::vector<std::uint8_t>{1, 2}, {1, 1, 2})), ErrorKind::kShape);
  EXPECT_EQ(kind(data::Array(std::vector<std::uint8_t>{}, {0, 4})), ErrorKind::kShape);
  EXPECT_EQ(kind(data::Array(std::vector<std::uint8_t>{1}, {1})), ErrorKind::kShape);
  EXPECT_EQ(error_of([&] { data::save_png(file, Tensor()); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(numbers_of(data::load_image(file)), std::vector{9});
  EXPECT_EQ(error_of([&] { data::save_png(folder_ / "no" / "folder.png", good); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);  // nothing is left behind
}

TEST_F(ImageLibraryTest, ThreadsDecodeAtTheSameTime) {
  if (!os::kHasThreads) GTEST_SKIP() << "no threads";
  const std::vector<std::pair<std::string, std::string>> files = every_file();
  std::vector<std::vector<int>> expected;
  for (const auto& [name, text] : files) expected.push_back(numbers_of(decode_text(text)));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < files.size(); ++i) count += numbers_of(decode_text(files[i].second)) != expected[i];
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

class ImageGrid : public DeviceTest {};

TEST_P(ImageGrid, IsWhatALoopMakes) {
  std::mt19937 random(5);
  for (const auto& [n, c, h, w, columns, padding] :
       {std::array{1, 1, 1, 1, 1, 0}, {1, 3, 2, 3, 4, 2}, {5, 1, 3, 2, 2, 1}, {6, 4, 2, 2, 3, 0}, {7, 3, 1, 5, 7, 3}}) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(n * c * h * w));
    for (std::uint8_t& v : values) v = static_cast<std::uint8_t>(random());
    const int across = std::min(columns, n);
    const int down = (n + across - 1) / across;
    const int height = down * (h + padding) + padding;
    const int width = across * (w + padding) + padding;
    std::vector<std::uint8_t> expected(static_cast<std::size_t>(height * width * c));
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < c; ++k) {
        for (int y = 0; y < h; ++y) {
          for (int x = 0; x < w; ++x) {
            const int row = i / across * (h + padding) + padding + y;
            const int column = i % across * (w + padding) + padding + x;
            expected[static_cast<std::size_t>((row * width + column) * c + k)] =
                values[static_cast<std::size_t>(((i * c + k) * h + y) * w + x)];
          }
        }
      }
    }
    const Tensor images(values, {n, c, h, w}, device_);
    const Tensor grid = data::image_grid(images, columns, padding);
    EXPECT_EQ(grid.shape(), (Shape{height, width, c}));
    EXPECT_EQ(grid.to_vector<std::uint8_t>(), expected);
    EXPECT_EQ(data::image_grid(images.astype(f32) / 255.0, columns, padding).to_vector<std::uint8_t>(), expected);
  }
}

TEST_P(ImageGrid, ClampsWhatIsNotFromZeroToOne) {
  const Tensor x(std::vector<float>{-1, 2, NAN, INFINITY, 0.5F, -INFINITY}, {1, 1, 2, 3}, device_);
  EXPECT_EQ(data::image_grid(x, 1, 0).to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{0, 255, 0, 255, 128, 0}));
}

TEST_P(ImageGrid, BadArgumentsAreErrors) {
  const auto kind = [](const Tensor& x, int columns, int padding) {
    return error_of([&] { (void)data::image_grid(x, columns, padding); }).kind();
  };
  const Tensor good = zeros({2, 3, 4, 4}, u8, device_);
  EXPECT_EQ(kind({}, 1, 1), ErrorKind::kValue);
  EXPECT_EQ(kind(good, 0, 1), ErrorKind::kValue);
  EXPECT_EQ(kind(good, 1, -1), ErrorKind::kValue);
  EXPECT_EQ(kind(zeros({2, 3, 4}, u8, device_), 1, 1), ErrorKind::kShape);
  EXPECT_EQ(kind(zeros({2, 2, 4, 4}, u8, device_), 1, 1), ErrorKind::kShape);
  EXPECT_EQ(kind(zeros({0, 3, 4, 4}, u8, device_), 1, 1), ErrorKind::kShape);
  EXPECT_EQ(kind(zeros({2, 3, 4, 4}, i32, device_), 1, 1), ErrorKind::kDType);
}

TESSERA_ON_ALL_DEVICES(ImageGrid);

}  // namespace
}  // namespace tessera::test
