// The job on images: scikit-learn's digits reach 98 %, MNIST 99 % in a full run, and bad folders are errors.
#include "train/mnist.h"

#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "support/devices.h"
#include "support/errors.h"
#include "train/support.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;
using app::ImageSets;
using MnistTest = TrainTest;

const fs::path kDigits = fs::path(TESSERA_SOURCE_DIR) / "tests/train/digits";

TEST_F(MnistTest, DigitsReach98Percent) {
  const ImageSets sets = app::load_images(kDigits);
  ASSERT_EQ(sets.train.images.shape(), Shape({1437, 8, 8}));
  ASSERT_EQ(sets.test.images.shape(), Shape({360, 8, 8}));
  double accuracy = 0;
  const std::string text = printed([&] {
    app::ConvNet model = app::fit_images(sets, {.epochs = 12, .batch = 50});
    accuracy = app::accuracy(model, sets.test);
    EXPECT_EQ(accuracy, app::accuracy(model, sets.test, 77)) << "whatever the batch is";
  });
  EXPECT_GE(accuracy, 0.98) << text;
  EXPECT_NE(text.find("epoch 12/12: loss 0."), std::string::npos) << text;
  EXPECT_NE(text.find("; validation loss 0."), std::string::npos) << text;
  EXPECT_NE(text.find("images/s"), std::string::npos) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos) << "plain lines without a terminal";
}

TEST_F(MnistTest, ASavedNetworkClassifiesAlike) {
  const ImageSets sets = app::load_images(kDigits);
  const std::string text =
      printed([&] { EXPECT_EQ(app::train_mnist({.data = kDigits, .out = folder_, .epochs = 1, .batch = 50}), 0); });
  app::ConvNet model(8, 8, 10);
  model.load(io::load_safetensors(folder_ / "model.safetensors"));
  EXPECT_TRUE(text.ends_with(fmt::format("test accuracy: {:.4f}\n", app::accuracy(model, sets.test)))) << text;
  EXPECT_GT(app::accuracy(model, sets.test), 0.5);
}

TEST_F(MnistTest, BadFoldersAreErrors) {
  const auto fails = [&](ErrorKind kind, const std::string& part) {
    const Error e = error_of([&] { (void)app::load_images(folder_); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  };
  fails(ErrorKind::kIo, "tools/fetch_data.sh mnist");
  const auto copy = [&](const char* from, const char* to) {
    fs::copy_file(kDigits / from, folder_ / to, fs::copy_options::overwrite_existing);
  };
  for (const char* name : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte"}) {
    copy(name, name);
    fails(ErrorKind::kIo, "there is no file '");
  }
  copy("train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte");
  fails(ErrorKind::kValue, "has images of shape [360, 8, 8] and 1437 labels for 't10k'");
  copy("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
  fails(ErrorKind::kValue, "u8 of rank 1 is expected");
  copy("t10k-labels-idx1-ubyte", "t10k-labels-idx1-ubyte");
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  write("t10k-images-idx3-ubyte", std::string("\0\0\x08\x03\0\0\0\1\0\0\0\7\0\0\0\7", 16) + std::string(49, '\0'));
  write("t10k-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\1\0", 9));
  fails(ErrorKind::kValue, "equal sizes of at least 4 x 4 are expected");
  write("train-images-idx3-ubyte", std::string("\0\0\x08\x03\0\0\0\0\0\0\0\7\0\0\0\7", 16));
  write("train-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\0", 8));
  fails(ErrorKind::kValue, "equal numbers above 0 are expected");
}

TEST_F(MnistTest, BadOptionsAreErrors) {
  const ImageSets sets = app::load_images(kDigits);
  for (const app::MnistOptions& o :
       {app::MnistOptions{.epochs = 0}, app::MnistOptions{.batch = 0}, app::MnistOptions{.batch = 1438},
        app::MnistOptions{.lr = 0}, app::MnistOptions{.lr = std::nan("")}, app::MnistOptions{.weight_decay = -1}}) {
    const Error e = error_of([&] { (void)app::fit_images(sets, o); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_NE(std::string(e.what()).find("batches of 1 to 1437"), std::string::npos) << e.what();
  }
}

TEST_F(MnistTest, MnistReaches99Percent) {
  const fs::path data = fs::path(TESSERA_SOURCE_DIR) / "data/mnist";
  if (!full()) GTEST_SKIP() << "minutes; TESSERA_TEST_FULL=1 runs it";
  if (!fs::exists(data)) GTEST_SKIP() << "tools/fetch_data.sh mnist was not run";
  const ImageSets sets = app::load_images(data);
  (void)printed([&] {
    app::ConvNet model = app::fit_images(sets, {});
    EXPECT_GE(app::accuracy(model, sets.test), 0.99);
  });
}

}  // namespace
}  // namespace tessera::test
