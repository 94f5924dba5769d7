// An fsync that is taken instead of that of the C library, which it calls.
#include "trainer/syncs.h"

#include <mutex>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tessera::test {
namespace {

std::mutex& sync_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}
std::function<void(const std::filesystem::path&)>& sync_function() {
  static auto& function = *new std::function<void(const std::filesystem::path&)>;
  return function;
}

}  // namespace

OnSync::OnSync(std::function<void(const std::filesystem::path&)> f) {
  const std::lock_guard lock(sync_mutex());
  sync_function() = std::move(f);
}

OnSync::~OnSync() {
  const std::lock_guard lock(sync_mutex());
  sync_function() = nullptr;
}

}  // namespace tessera::test

extern "C" int fsync(int descriptor) {
  {
    using namespace tessera::test;
    const std::lock_guard lock(sync_mutex());
    if (sync_function() != nullptr) {
      std::error_code error;
      sync_function()(std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error));
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
