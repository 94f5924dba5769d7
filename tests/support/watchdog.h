// Ends a test process that hangs, so that a deadlock is a failure and not a timeout of the whole run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace tessera::test {

/// While one lives, the test may take so long and no longer.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds most = std::chrono::seconds(120))
      : name_(testing::UnitTest::GetInstance()->current_test_info()->name()), thread_([this, most] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, most, [this] { return over_; })) return;
          std::fprintf(stderr, "%s hangs: the watchdog ends the process.\n", name_.c_str());
          std::_Exit(3);
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      ended_.notify_all();
    }
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::string name_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tessera::test
