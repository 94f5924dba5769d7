// The loop behind retry().
#include "tessera/retry.h"

#include <thread>

#include "base/fail.h"

namespace tessera::detail {

void retry(const std::function<void()>& f, const RetryOptions& options) {
  if (options.attempts < 1)
    fail(ErrorKind::kValue, "retry: {} attempts were asked for; expected at least 1.", options.attempts);
  if (options.backoff.count() < 0) {
    fail(ErrorKind::kValue, "retry: a backoff of {} ms was given; it must not be negative.", options.backoff.count());
  }
  const Device device = options.device.impl() != nullptr ? options.device : Device::current();
  auto pause = options.backoff;
  for (int attempt = 1;; ++attempt) {
    try {
      return f();
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kDeviceLost || attempt >= options.attempts) throw;
      if (options.lost) options.lost(e);
    }
    std::this_thread::sleep_for(pause);
    pause *= 2;
    device.restore();
  }
}

}  // namespace tessera::detail
