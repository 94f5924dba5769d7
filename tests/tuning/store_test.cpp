// The file of measured choices: kept, merged, set aside where it is damaged, and read by nobody who must not.
#include <thread>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "runtime/tuning/tuning_store.h"
#include "tuning/support.h"

namespace tessera::test {
namespace {

using runtime::load_tuning;
using runtime::store_tuning;
using runtime::TuningTable;

using StoreTest = TuningTest;

TuningTable with(const std::string& product) {
  TuningTable table;
  table.matmuls[product] = {.tile = "plain 32x32x8 by 8x8", .us = 12.5, .suggested_us = 20};
  return table;
}

std::string logged(const std::function<void()>& f) {
  ::testing::internal::CaptureStderr();
  f();
  return ::testing::internal::GetCapturedStderr();
}

TEST_F(StoreTest, KeepsProductsAndDemotions) {
  EXPECT_TRUE(load_tuning(file(), "gpu").empty());
  EXPECT_FALSE(fs::exists(folder_)) << "reading makes nothing";
  TuningTable table = with("matmul f16 8x8x8 batch 1 a:n1 b:n1");
  table.demoted["matmul f16 a:n1 b:n1"] = {"matmul 8 8 1 1 8 true true true"};
  store_tuning(file(), "gpu", table);
  store_tuning(file(), "other", with("q"));
  const TuningTable again = load_tuning(file(), "gpu");
  ASSERT_EQ(again.matmuls.size(), 1U);
  EXPECT_EQ(again.matmuls.begin()->second.tile, "plain 32x32x8 by 8x8");
  EXPECT_EQ(again.matmuls.begin()->second.us, 12.5);
  EXPECT_EQ(again.matmuls.begin()->second.suggested_us, 20);
  EXPECT_EQ(again.demoted, table.demoted);
  const auto json = nlohmann::json::parse(read_file(file()));
  EXPECT_EQ(json["version"], runtime::kTuningVersion);
  EXPECT_EQ(json["devices"].size(), 2U);
}

TEST_F(StoreTest, WhatIsNotOursIsSetAsideWithOneLine) {
  // Of this version but damaged, then of others.
  const std::string ours = "{\"version\": " + std::to_string(runtime::kTuningVersion);
  const std::vector<std::string> texts{"{",
                                       "",
                                       "[]",
                                       ours + "}",
                                       ours + ", \"devices\": {\"gpu\": 3}}",
                                       ours + ", \"devices\": {\"gpu\": {\"matmuls\": {\"p\": 1}, \"demoted\": {}}}}",
                                       "{\"version\": \"2\", \"devices\": {}}",
                                       "{\"version\": 1, \"devices\": {}}",
                                       "{\"version\": 999, \"devices\": {}}"};
  for (const std::string& text : texts) {
    fs::create_directories(folder_);
    std::ofstream(file()) << text;
    const std::string log = logged([&] { EXPECT_TRUE(load_tuning(file(), "gpu").empty()); });
    EXPECT_EQ(std::ranges::count(log, '\n'), 1) << text << '\n' << log;
    EXPECT_NE(log.find("tuning.json.aside"), std::string::npos) << log;
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_EQ(read_file(file().string() + ".aside"), text) << "nothing is lost";
    store_tuning(file(), "gpu", with("p"));
    EXPECT_EQ(load_tuning(file(), "gpu").matmuls.size(), 1U);
  }
}

TEST_F(StoreTest, AFolderThatCannotBeWrittenIsOneLine) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "no folder";
  const fs::path nowhere = folder_ / "file" / "tuning.json";
  EXPECT_THROW(store_tuning(nowhere, "gpu", with("p")), Error);
  runtime::Tuning tuning(nowhere, DeviceInfo{});
  const std::string log = logged([&] {
    tuning.add(with("p"));
    tuning.add(with("q"));
  });
  EXPECT_EQ(std::ranges::count(log, '\n'), 1) << log;
  EXPECT_NE(log.find(nowhere.string()), std::string::npos) << log;
  EXPECT_EQ(tuning.table().matmuls.size(), 2U) << "this process knows them";
}

TEST_F(StoreTest, NothingIsKeptWithoutAFolder) {
  setenv("TESSERA_CACHE", "", 1);
  EXPECT_TRUE(runtime::tuning_file().empty());
  runtime::Tuning tuning(runtime::tuning_file(), DeviceInfo{});
  EXPECT_EQ(logged([&] { tuning.add(with("p")); }), "");
  EXPECT_EQ(tuning.table().matmuls.size(), 1U);
}

TEST_F(StoreTest, ThreadsAndProcessesWriteAtOnce) {
  constexpr int kWriters = 4;
  constexpr int kEach = 10;
  const auto write = [&](const std::string& who) {
    for (int i = 0; i < kEach; ++i) store_tuning(file(), "gpu", with(who + std::to_string(i)));
  };
  std::vector<pid_t> children;
  for (int p = 0; p < kWriters; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      write("process " + std::to_string(p) + ' ');
      _exit(0);
    }
    children.push_back(child);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < kWriters; ++t) threads.emplace_back([&, t] { write("thread " + std::to_string(t) + ' '); });
  for (auto& t : threads) t.join();
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(load_tuning(file(), "gpu").matmuls.size(), 2U * kWriters * kEach);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name == "tuning.json" || name == "tuning.json.lock") << name;
  }
}

}  // namespace
}  // namespace tessera::test
