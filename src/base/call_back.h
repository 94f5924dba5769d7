// Calls the user's functions where no caller could catch what they throw.
#pragma once

#include <exception>
#include <utility>

#include "base/log.h"

namespace tessera {

/// Calls f(args...). An exception is logged and does not propagate.
template <class F, class... Args>
void call_back(F&& f, Args&&... args) noexcept {
  try {
    std::forward<F>(f)(std::forward<Args>(args)...);
  } catch (const std::exception& e) {
    log_error("A callback threw: {}", e.what());
  } catch (...) {
    log_error("A callback threw something that is no std::exception.");
  }
}

}  // namespace tessera
