// What the tests of training jobs share: the CPU, a folder of their own, and standard output kept aside.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "tessera/tessera.h"

namespace tessera::test {

class TrainTest : public testing::Test {
 protected:
  void SetUp() override {
    static const Device cpu = Device::create({.device = "cpu"});
    cpu.set_current();
    random::set_seed(7);
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// What f prints.
  template <class F>
  static std::string printed(F&& f) {
    testing::internal::CaptureStdout();
    f();
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout();
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tessera_train_test_" + std::to_string(os::process_id()));
};

}  // namespace tessera::test
