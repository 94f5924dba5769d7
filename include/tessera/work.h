// Something that was submitted to a device: wait for it, be called back, or take a future.
#pragma once

#include <exception>
#include <functional>
#include <future>

#include "tessera/device.h"

namespace tessera {

/// Submitted work. It goes on whether or not somebody keeps this.
class Work {
 public:
  explicit Work(Device device) : device_(std::move(device)) {}

  /// Waits for it and for all that was submitted before; throws what went wrong.
  void wait() const { device_.synchronize(); }
  /// Called once when it has finished, on a thread of the device or inside a wait; null: all went well.
  void then(std::function<void(std::exception_ptr)> done) const;
  [[nodiscard]] std::future<void> future() const;

 private:
  Device device_;
};

}  // namespace tessera
