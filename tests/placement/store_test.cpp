// Kept files under many writers: a reader never sees half of one, and nothing that was added is lost.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/files.h"
#include "runtime/placement/placement_store.h"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

class KeptFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("tessera_kept_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    setenv("TESSERA_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("TESSERA_CACHE");
  }
  /// Runs `write` in as many processes and threads at once, each with its number.
  template <class Write>
  static void at_once(int processes, int threads, const Write& write) {
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
      const pid_t child = fork();
      if (child == 0) {
        write(p);
        _exit(0);
      }
      children.push_back(child);
    }
    std::vector<std::thread> running;
    running.reserve(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) running.emplace_back([&, t] { write(processes + t); });
    for (std::thread& t : running) t.join();
    for (const pid_t child : children) {
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }
  }
  [[nodiscard]] std::vector<std::string> left_in_folder() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  fs::path folder_;
};

TEST_F(KeptFiles, AReaderSeesOneTextOrTheOther) {
  const fs::path file = folder_ / "sub" / "file.txt";
  const auto text = [](int writer) {
    return std::string(static_cast<std::size_t>(20000 + 9000 * writer), static_cast<char>('a' + writer));
  };
  os::replace_file(file, text(0));
  std::atomic<bool> ended{false};
  int reads = 0;
  int broken = 0;
  std::thread reader([&] {
    do {
      const auto got = os::read_file(file);
      const int writer = got && !got->empty() ? got->front() - 'a' : 0;
      if (got != text(writer)) ++broken;
      ++reads;
    } while (!ended);
  });
  at_once(2, 4, [&](int writer) {
    for (int i = 0; i < 25; ++i) os::replace_file(file, text(writer));
  });
  ended = true;
  reader.join();
  EXPECT_EQ(broken, 0) << "of " << reads << " reads";
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1) << "nothing else is left";
}

TEST_F(KeptFiles, SpeedsOfAllWritersAreKept) {
  constexpr int kProcesses = 3;
  constexpr int kThreads = 3;
  constexpr int kEach = 8;
  runtime::PlacementSpeeds speeds;
  speeds.host.light.fill(0.123456789);
  const auto key = [](int writer, int i) { return "device " + std::to_string(writer * 100 + i); };
  runtime::store_speeds("first", speeds);
  std::atomic<bool> ended{false};
  int broken = 0;
  std::thread reader([&] {
    do {
      if (!runtime::load_speeds("first")) ++broken;
    } while (!ended);
  });
  at_once(kProcesses, kThreads, [&](int writer) {
    for (int i = 0; i < kEach; ++i) runtime::store_speeds(key(writer, i), speeds);
  });
  ended = true;
  reader.join();
  EXPECT_EQ(broken, 0);
  for (int writer = 0; writer < kProcesses + kThreads; ++writer) {
    for (int i = 0; i < kEach; ++i) EXPECT_TRUE(runtime::load_speeds(key(writer, i)).has_value()) << key(writer, i);
  }
  EXPECT_EQ(left_in_folder(), (std::vector<std::string>{"placement.json", "placement.json.lock"}));
}

TEST_F(KeptFiles, AFileThatCannotBeReplacedStays) {
  fs::create_directories(folder_ / "file" / "inside");
  EXPECT_THROW(os::replace_file(folder_ / "file", "text"), std::exception);
  EXPECT_EQ(left_in_folder(), std::vector<std::string>{"file"}) << "nothing is left behind";
}

}  // namespace
}  // namespace tessera::test
