// What this process syncs to the disk: fsync of this program is our own function.
#pragma once

#include <filesystem>
#include <functional>

namespace tessera::test {

/// During its lifetime `f` is called with the path of each file and folder before it is synced, on any thread, one call
/// at a time.
class OnSync {
 public:
  explicit OnSync(std::function<void(const std::filesystem::path&)> f);
  ~OnSync();
  OnSync(const OnSync&) = delete;
  OnSync& operator=(const OnSync&) = delete;
};

}  // namespace tessera::test
