// What the tests of data share: files that go with the test, and data sets of known values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/errors.h"
#include "tessera/data.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace fs = std::filesystem;
namespace data = tessera::data;

/// A folder for files, empty before each test; tensors are on the CPU.
class DataTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, std::string_view text) const {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    fs::remove(file);
    std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    return file;
  }

  fs::path folder_ = fs::temp_directory_path() / ("tessera_data_test_" + std::to_string(os::process_id()));
};

/// Samples {"x": i}, i32 of rank 0.
inline data::DatasetPtr numbers(std::int64_t size) {
  return data::from_function(size, [](std::int64_t i) { return data::Sample{{"x", static_cast<std::int32_t>(i)}}; });
}

using Batches = std::vector<std::vector<std::int32_t>>;

/// The values of "x" of the batches that are left in the epoch.
inline Batches batches_of(data::DataLoader& loader) {
  Batches batches;
  while (const auto batch = loader.next()) batches.push_back((*batch)["x"].to_vector<std::int32_t>());
  return batches;
}

inline void expect_text(const Error& e, std::string_view part) {
  EXPECT_NE(std::string_view(e.what()).find(part), std::string_view::npos) << e.what();
}

}  // namespace tessera::test
