// Submitted work: wait for it, or get a handle to its completion.
#pragma once

#include <exception>
#include <functional>
#include <future>

#include "tessera/async.h"
#include "tessera/device.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

/// Submitted work. It continues whether or not this handle is kept; the device is queried only on demand.
class Work {
 public:
  explicit Work(Device device) : device_(std::move(device)) {}

  /// Waits for it and for all work submitted before; throws errors.
  void wait() const { device_.synchronize(); }
  /// Ready when it has finished: for co_await, callbacks and cancellation.
  [[nodiscard]] Async<> async() const;
  /// Called once when it has finished, like the callback of Tensor::read(); null: no error.
  void then(std::function<void(std::exception_ptr)> done) const;
  [[nodiscard]] std::future<void> future() const { return async().future(); }

 private:
  Device device_;
};

}  // namespace tessera
