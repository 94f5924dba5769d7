// Runs a function again after device loss.
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
  int attempts = 3;                             // in total, including the first
  std::chrono::milliseconds backoff{10};        // before the second attempt; doubled for each further one
  Device device = {};                           // the device to recreate; default: the current one
  std::function<void(const Error&)> lost = {};  // called for each loss before the next attempt
};

namespace detail {
void retry(const std::function<void()>& f, const RetryOptions& options);
}

/// Calls f; if it throws device_lost, recreates the device (see Device::restore), waits, and calls f again. Tensors
/// created from host data are uploaded again when f uses them, if the device keeps host copies. Throws the last loss
/// when all attempts have failed, and every other error immediately.
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
