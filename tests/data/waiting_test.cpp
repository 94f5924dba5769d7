// A loader calls its user while it waits for a batch.
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/os/system.h"
#include "tessera/data.h"

namespace tessera::test {
namespace {

using data::DataLoader;
using data::DatasetPtr;
using data::LoaderState;
using data::Sample;

TEST(LoaderWaiting, TheUserIsCalledAndMayLeaveWithoutLosingABatch) {
  if constexpr (!os::kHasThreads) GTEST_SKIP() << "no threads";
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  const DatasetPtr samples = data::from_function(4, [&](std::int64_t i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return open; });
    return Sample{{"x", static_cast<std::int32_t>(i)}};
  });
  int calls = 0;
  DataLoader loader(samples, {.batch = 2, .workers = 2, .while_waiting = [&] {
                                if (++calls == 2) throw std::runtime_error("stop");
                              }});
  EXPECT_THROW(loader.next(), std::runtime_error);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(loader.state(), LoaderState{});
  {
    const std::lock_guard lock(mutex);
    open = true;
  }
  changed.notify_all();
  std::vector<std::int32_t> seen;
  for (const Tree& batch : loader) {
    for (const std::int32_t v : batch["x"].data<std::int32_t>()) seen.push_back(v);
  }
  EXPECT_EQ(seen, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace tessera::test
