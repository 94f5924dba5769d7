// Runs a function again after the loss of a device.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <type_traits>

#include "tessera/device.h"
#include "tessera/error.h"
#include "tessera/export.h"

namespace TESSERA_API tessera {

struct RetryOptions {
  int attempts = 3;                             // in all, the first included
  std::chrono::milliseconds backoff{10};        // before the second attempt; doubled before each one after it
  Device device = {};                           // the device to make anew; none: the current one
  std::function<void(const Error&)> lost = {};  // told of each loss before the next attempt
};

namespace detail {
void retry(const std::function<void()>& f, const RetryOptions& options);
}

/// Calls f; where it throws device_lost, makes the device anew (see Device::restore), waits, and calls it again.
/// Tensors of host data are uploaded again when f uses them, if the device keeps host copies. Throws the last loss when
/// all attempts are spent, and everything else at once.
template <class F>
std::invoke_result_t<F> retry(F f, const RetryOptions& options = {}) {
  using Result = std::invoke_result_t<F>;
  if constexpr (std::is_void_v<Result>) {
    detail::retry(f, options);
  } else {
    std::optional<Result> result;
    detail::retry([&] { result.emplace(f()); }, options);
    return *std::move(result);
  }
}

}  // namespace tessera
