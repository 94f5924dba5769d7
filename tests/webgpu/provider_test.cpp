// Loading the provider, listing adapters, choosing a device, and what is said when that fails.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support.h"

namespace tessera::runtime {
namespace {

DeviceConfig with_library(const std::string& path) {
  DeviceConfig config;
  config.webgpu_library = path;
  return config;
}

TEST(Provider, MissingLibraryIsADeviceErrorWithItsPath) {
  const Error e = error_of([] { list_webgpu_devices(with_library("/nowhere/libwgpu_native.so")); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "/nowhere/libwgpu_native.so")) << e.what();
  EXPECT_TRUE(contains(e.what(), "does not exist")) << e.what();
}

TEST(Provider, BrokenLibraryIsADeviceErrorAndIsRemembered) {
  const std::string path = testing::TempDir() + "broken_provider.so";
  std::ofstream(path) << "this is no library";
  const Error e = error_of([&] { list_webgpu_devices(with_library(path)); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "does not load")) << e.what();
  std::filesystem::remove(path);
  // Remembered: the file is gone, yet the message is the first one.
  EXPECT_STREQ(error_of([&] { list_webgpu_devices(with_library(path)); }).what(), e.what());
}

TEST(Provider, ALibraryWithoutWebGpuIsNamed) {
  const Error e = error_of([] { list_webgpu_devices(with_library("libm.so.6")); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "no WebGPU provider")) << e.what();
}

TEST(Provider, EnvironmentNamesTheLibrary) {
  const Environment set("TESSERA_WEBGPU_LIBRARY", "/nowhere/from_environment.so");
  const WebGpuProvider provider = webgpu_provider({});
  EXPECT_TRUE(provider.name.empty());
  EXPECT_TRUE(contains(provider.error, "from_environment.so")) << provider.error;
}

TEST(Provider, AskingForWebGpuWithoutAProviderSaysSo) {
  DeviceConfig config = with_library("/nowhere/libwgpu_native.so");
  config.device = "webgpu";
  const Error e = error_of([&] { make_device(config); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "'webgpu' was asked for")) << e.what();
}

TEST(Provider, NamesThatAreNoDevices) {
  for (const char* name : {"gpu", "webgpu:", "cuda:0"}) {
    DeviceConfig config;
    config.device = name;
    const Error e = error_of([&] { make_device(config); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue);
    EXPECT_TRUE(contains(e.what(), name)) << e.what();
    EXPECT_TRUE(contains(e.what(), "webgpu:PART-OF-NAME")) << e.what();
  }
}

bool has_cpu() {
  const std::vector<DeviceInfo> all = list_devices();
  return !all.empty() && all.back().id == "cpu";
}

TEST(Provider, WithoutAProviderTheCpuServes) {
  if (!has_cpu()) GTEST_SKIP() << "this build has no CPU backend";
  const DeviceConfig config = with_library("/nowhere/libwgpu_native.so");
  const std::vector<DeviceInfo> all = list_devices(config);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].id, "cpu");
  EXPECT_EQ(make_device(config)->info().id, "cpu");
}

TEST(Provider, SoftwareAdaptersAreNotTakenAutomatically) {
  if (!has_cpu()) GTEST_SKIP() << "this build has no CPU backend";
  EXPECT_NE(make_device()->info().type, DeviceType::kSoftware);
  const Environment set("TESSERA_DEVICE", "CPU");
  EXPECT_EQ(make_device()->info().id, "cpu");
}

class Choice : public WebGpuTest {};

TEST_F(Choice, ListDescribesTheSoftwareAdapter) {
  const WebGpuProvider provider = webgpu_provider({});
  const bool ours = contains(provider.path, "libtessera_wgpu");
  EXPECT_EQ(provider.name, ours ? "wgpu-rs" : "wgpu-native");
  EXPECT_TRUE(ours || contains(provider.path, "libwgpu_native")) << provider.path;
  int found = 0;
  for (const DeviceInfo& info : list_devices()) {
    if (info.name.find(test_adapter()) == std::string::npos) continue;
    ++found;
    EXPECT_EQ(info.backend, "Vulkan");
    if (test_adapter() == "llvmpipe") {
      EXPECT_EQ(info.type, DeviceType::kSoftware);
      EXPECT_EQ(info.vendor, "Mesa");
    }
    EXPECT_TRUE(info.id.starts_with("webgpu:"));
    EXPECT_FALSE(info.driver.empty());
    EXPECT_GE(info.limits.max_buffer_size, 256U << 20U);
    EXPECT_EQ(info.limits.max_buffer_size % 16, 0U);
    EXPECT_EQ(info.memory_size >= std::uint64_t{64} << 20U, ours) << info.memory_size;
    EXPECT_GE(info.limits.max_workgroup_size, 256U);
    EXPECT_TRUE(info.features.trusted);
    EXPECT_FALSE(info.features.f64);
    EXPECT_FALSE(info.feature_names.empty());
  }
  EXPECT_EQ(found, 1) << "an adapter must be listed once, whatever its backends";
}

TEST_F(Choice, ByIndexByNameAndByEnvironment) {
  const std::vector<DeviceInfo> all = list_webgpu_devices({});
  for (std::size_t i = 0; i < all.size(); ++i) {
    DeviceConfig config;
    config.device = "webgpu:" + std::to_string(i);
    EXPECT_EQ(make_device(config)->info().id, config.device);
  }
  DeviceConfig config;
  config.device = "webgpu:" + test_adapter();
  std::ranges::transform(config.device, config.device.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_TRUE(contains(make_device(config)->info().name, test_adapter()));
  const Environment set("TESSERA_DEVICE", ("webgpu:" + test_adapter().substr(0, 4)).c_str());
  EXPECT_TRUE(contains(make_device()->info().name, test_adapter()));
}

TEST_F(Choice, TheDeviceHasWhatTheAdapterOffers) {
  const auto device = make_test_device();
  ASSERT_NE(device, nullptr);
  const DeviceInfo& info = device->info();
  EXPECT_TRUE(info.features.subgroups);
  EXPECT_GT(info.limits.subgroup_min, 0U);
  EXPECT_TRUE(info.features.timestamps);
  EXPECT_GT(info.limits.max_storage_buffers, 8U) << "the adapter's limits, not the standard's";
}

TEST_F(Choice, WhatIsNotThereIsListed) {
  DeviceConfig config;
  config.device = "webgpu:99";
  Error e = error_of([&] { make_device(config); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "webgpu:99")) << e.what();
  EXPECT_TRUE(contains(e.what(), test_adapter())) << e.what();
  config.device = "webgpu:voodoo";
  e = error_of([&] { make_device(config); });
  EXPECT_EQ(e.kind(), ErrorKind::kDevice);
  EXPECT_TRUE(contains(e.what(), "'voodoo'")) << e.what();
  EXPECT_TRUE(contains(e.what(), test_adapter())) << e.what();
}

TEST_F(Choice, LimitsOfTheConfigAreChecked) {
  DeviceConfig config;
  config.device = "webgpu:" + test_adapter();
  config.workgroup_size = 1U << 20U;
  Error e = error_of([&] { make_device(config); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, 1U << 20U);
  EXPECT_GE(e.fields().available, 256U);
  config.workgroup_size = 0;
  config.max_buffer_size = std::uint64_t{1} << 60U;
  e = error_of([&] { make_device(config); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit);
  EXPECT_EQ(e.fields().requested, std::uint64_t{1} << 60U);
}

TEST_F(Choice, AsynchronousCreation) {
  DeviceConfig config;
  config.device = "webgpu:" + test_adapter();
  std::promise<std::shared_ptr<Device>> promise;
  make_device_async(config, [&](std::shared_ptr<Device> device, std::exception_ptr failure) {
    EXPECT_EQ(failure, nullptr);
    promise.set_value(std::move(device));
  });
  EXPECT_NE(promise.get_future().get(), nullptr);
  config.device = "nonsense";
  std::promise<std::exception_ptr> failed;
  make_device_async(config, [&](std::shared_ptr<Device> device, std::exception_ptr failure) {
    EXPECT_EQ(device, nullptr);
    failed.set_value(failure);
  });
  EXPECT_THROW(std::rethrow_exception(failed.get_future().get()), Error);
}

TEST_F(Choice, DefaultDevice) {
  const auto device = make_test_device();
  set_default_device(device);
  EXPECT_EQ(default_device(), device);
  set_default_device(nullptr);
}

}  // namespace
}  // namespace tessera::runtime
