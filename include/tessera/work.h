// Something that was submitted to a device: wait for it, or take a handle on its end.
#pragma once

#include <exception>
#include <functional>
#include <future>

#include "tessera/async.h"
#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Submitted work. It goes on whether or not somebody keeps this, and asks the device for nothing until it is asked.
class Work {
 public:
  explicit Work(Device device) : device_(std::move(device)) {}

  /// Waits for it and for all that was submitted before; throws what went wrong.
  void wait() const { device_.synchronize(); }
  /// Ready when it has finished: for co_await, callbacks and cancellation.
  [[nodiscard]] Async<> async() const;
  /// Called once when it has finished, as the callback of Tensor::read() is; null: all went well.
  void then(std::function<void(std::exception_ptr)> done) const;
  [[nodiscard]] std::future<void> future() const { return async().future(); }

 private:
  Device device_;
};

}  // namespace tessera
