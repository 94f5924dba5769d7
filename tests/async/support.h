// What the tests of asynchrony share: a device whose steps a test holds back, and objects that count their lives.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/cpu/cpu_device.h"
#include "runtime/forwarding.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

/// Opens once; everybody may wait for it.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// Counts how many of its kind are alive, for instance in the frames of coroutines.
struct Probe {
  explicit Probe(std::atomic<int>& count) : alive(&count) { ++*alive; }
  Probe(const Probe& other) : alive(other.alive) { ++*alive; }
  Probe& operator=(const Probe&) = delete;
  ~Probe() { --*alive; }
  std::atomic<int>* alive;
};

/// The CPU device, but callbacks, room and submissions can be held back until the test lets them go.
class HeldDevice final : public runtime::Forwarding<> {
 public:
  HeldDevice() : HeldDevice(runtime::make_cpu_device({})) {}
  ~HeldDevice() override { pool().trim(); }

  std::atomic<bool> hold_callbacks = false;  // of downloads and on_done
  std::atomic<bool> hold_room = false;
  std::function<void(int)> at_submit;  // with the number of the submission, before it runs
  std::atomic<int> submissions = 0;
  std::atomic<int> compilations = 0;

  /// Runs what was held, the oldest first; returns how much it was.
  std::size_t release(const std::exception_ptr& failure = nullptr) {
    std::deque<runtime::Done> held;
    {
      const std::lock_guard lock(mutex_);
      held.swap(held_);
    }
    for (auto& done : held) {
      done(failure);
      done = nullptr;
    }
    return held.size();
  }
  /// Forgets what was held, as a device would that dies without a word.
  void drop() {
    std::deque<runtime::Done> held;
    const std::lock_guard lock(mutex_);
    held.swap(held_);
  }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

  void download(std::vector<runtime::Read> reads, runtime::Done done) override {
    if (!hold_callbacks) return inner_->download(std::move(reads), std::move(done));
    keep([this, reads = std::move(reads), done = std::move(done)](const std::exception_ptr& failure) {
      if (failure != nullptr) return done(failure);
      inner_->download(reads, done);
    });
  }
  std::shared_ptr<const runtime::Executable> compile(const Kernel& kernel, const Binding& binding) override {
    ++compilations;
    return inner_->compile(kernel, binding);
  }
  void submit(const runtime::Submission& submission) override {
    const int number = ++submissions;
    if (at_submit) at_submit(number);
    inner_->submit(submission);
  }
  void when_room(runtime::Done go) override {
    if (!hold_room) return go(nullptr);
    keep(std::move(go));
  }
  void on_done(runtime::Done done) override {
    if (!hold_callbacks) return done(nullptr);
    keep(std::move(done));
  }

 private:
  explicit HeldDevice(std::shared_ptr<runtime::Device> inner)
      : Forwarding(inner->info(), {}), inner_(std::move(inner)) {
    inner_->become_part_of(*this);
  }
  [[nodiscard]] std::shared_ptr<runtime::Device> target() const override { return inner_; }
  void keep(runtime::Done done) {
    const std::lock_guard lock(mutex_);
    held_.push_back(std::move(done));
  }

  std::shared_ptr<runtime::Device> inner_;
  std::mutex mutex_;
  std::deque<runtime::Done> held_;
};

/// A test with such a device, and a tensor on it that has not been computed.
class Held : public testing::Test {
 protected:
  [[nodiscard]] Tensor lazy() const { return Tensor(std::vector<float>{1, 2, 3, 4}, {4}, Device(held_)) * 2.0; }
  std::shared_ptr<HeldDevice> held_ = std::make_shared<HeldDevice>();
};

}  // namespace tessera::test
