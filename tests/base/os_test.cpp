// The operating system's interface: environment, CPUs, memory, files, locks and libraries.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/os/files.h"
#include "base/os/library.h"
#include "base/os/system.h"
#include "tessera/error.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

TEST(System, AVariableIsSetOnlyWhereThereIsNone) {
  const std::string name = "TESSERA_TEST_" + std::to_string(os::process_id());
  EXPECT_EQ(os::environment(name.c_str()), std::nullopt);
  os::set_environment_default(name.c_str(), "first");
  EXPECT_EQ(os::environment(name.c_str()), "first");
  os::set_environment_default(name.c_str(), "second");
  EXPECT_EQ(os::environment(name.c_str()), "first");
}

TEST(System, AVariableMayBeEmpty) {
  os::set_environment_default("TESSERA_TEST_EMPTY", "");
  EXPECT_EQ(os::environment("TESSERA_TEST_EMPTY"), "");
}

TEST(System, TheMachineHasCpusAndMemory) {
  EXPECT_GE(os::cpu_count(), 1);
  EXPECT_LE(os::cpu_count(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  EXPECT_FALSE(os::cpu_identity().name.empty());
  EXPECT_GT(os::physical_memory(), std::uint64_t{1} << 20U);
  EXPECT_LE(os::available_memory(), os::physical_memory());
#if defined(__linux__)
  EXPECT_GT(os::available_memory(), 0U);
#endif
}

TEST(System, MemoryIsAligned) {
  for (const std::size_t alignment : {std::size_t{64}, os::kLargePage}) {
    std::byte* data = os::allocate_aligned(alignment + 1, alignment);  // rounded up: all of it can be used
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % alignment, 0U);
    if (alignment == os::kLargePage) os::advise_large_pages(data, 2 * alignment);
    data[alignment] = std::byte{1};
    os::free_aligned(data);
  }
}

class Files : public testing::Test {
 protected:
  Files() { fs::remove_all(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  /// The message of the error of kind io that `action` throws.
  template <class Action>
  static std::string error_of(const Action& action) {
    try {
      action();
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kIo);
      return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }
  fs::path folder_ = fs::temp_directory_path() / ("tessera_os_test_" + std::to_string(os::process_id()));
};

TEST_F(Files, AFileIsReplacedAsAWhole) {
  const fs::path file = folder_ / "a" / "b.txt";
  EXPECT_EQ(os::read_file(file), std::nullopt);
  os::replace_file(file, "first");
  EXPECT_EQ(os::read_file(file), "first");
  os::replace_file(file, std::string("a\0b\n", 4));
  EXPECT_EQ(os::read_file(file), std::string("a\0b\n", 4));
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1) << "nothing else is left";
}

TEST_F(Files, AFileIsReplacedByParts) {
  const fs::path file = folder_ / "file";
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  const std::string missing = error_of([&] { os::replace_file_with(file, [](const os::Append&) {}); });
  EXPECT_EQ(missing, "'" + file.string() + "' cannot be written: No such file or directory.") << "makes no folders";
  fs::create_directories(folder_);
  os::replace_file_with(file, [&](const os::Append& append) {
    append(bytes("one "));
    append({});
    append(bytes("two"));
  });
  EXPECT_EQ(os::read_file(file), "one two");
  EXPECT_THROW(os::replace_file_with(file,
                                     [&](const os::Append& append) {
                                       append(bytes("half"));
                                       throw std::runtime_error("stopped");
                                     }),
               std::runtime_error);
  EXPECT_EQ(os::read_file(file), "one two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing else is left";
}

TEST_F(Files, AFolderIsNotReplaced) {
  fs::create_directories(folder_ / "file" / "inside");
  const std::string message = error_of([&] { os::replace_file(folder_ / "file", "text"); });
  EXPECT_TRUE(message.starts_with("'" + (folder_ / "file").string() + "' cannot be replaced: ")) << message;
  EXPECT_TRUE(message.ends_with(".")) << message;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing is left behind";
}

TEST_F(Files, AFileIsNoFolder) {
  os::replace_file(folder_ / "file", "text");
  const std::string replaced = error_of([&] { os::replace_file(folder_ / "file" / "inside", "text"); });
  EXPECT_EQ(replaced, "'" + (folder_ / "file").string() + "' cannot be made: Not a directory.");
  EXPECT_EQ(error_of([&] { const os::FileLock lock(folder_ / "file" / "inside"); }), replaced);
  EXPECT_EQ(os::read_file(folder_ / "file"), "text");
}

TEST_F(Files, ALockKeepsOthersOut) {
  const fs::path file = folder_ / "counter";
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const os::FileLock lock(file);
        most = std::max(most.load(), ++inside);
        std::this_thread::yield();
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(folder_ / "counter.lock"));
}

TEST_F(Files, AMappedFileHasTheBytes) {
  os::replace_file(folder_ / "file", "text");
  const os::MappedFile mapped(folder_ / "file");
  os::replace_file(folder_ / "file", "other");  // the old file lives on behind the mapping
  ASSERT_EQ(mapped.bytes().size(), 4U);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapped.bytes().data()), 4), "text");
  os::replace_file(folder_ / "empty", "");
  EXPECT_TRUE(os::MappedFile(folder_ / "empty").bytes().empty());
}

TEST_F(Files, WhatIsNotThereCannotBeMapped) {
  const fs::path file = folder_ / "missing";
  EXPECT_EQ(error_of([&] { const os::MappedFile mapped(file); }),
            "'" + file.string() + "' cannot be opened: No such file or directory.");
  fs::create_directories(folder_);
  EXPECT_EQ(error_of([&] { const os::MappedFile mapped(folder_); }),
            "'" + folder_.string() + "' cannot be mapped into memory: Is a directory.");
}

TEST(Library, AMissingOneGivesAReason) {
  const os::LoadedLibrary library = os::load_library("/nowhere/" + os::library_file_name("none"));
  EXPECT_EQ(library.handle, nullptr);
  EXPECT_NE(library.why.find("none"), std::string::npos) << library.why;
}

TEST(Library, TheExecutableIsFound) {
  const std::vector<fs::path> folders = os::own_folders();
  ASSERT_FALSE(folders.empty());
  for (const fs::path& folder : folders) EXPECT_TRUE(fs::is_directory(folder)) << folder;
}

}  // namespace
}  // namespace tessera
