// Interrupts where the system is POSIX: a handler of SIGINT and SIGTERM that counts.
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <mutex>

#include "base/os/interrupt.h"

namespace tessera::os {

namespace {

// SIGTERM is how launchers, containers and clusters end a process, seconds before they kill it.
constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};

struct Before {
  struct sigaction action{};  // written before the handler is installed
  bool replaced = false;      // guarded by the mutex
};

std::mutex mutex;
int scopes = 0;  // guarded by the mutex
std::atomic<int> count{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a handler may use it
std::array<Before, kSignals.size()> before;

extern "C" void note_interrupt(int signal) {
  if (count.fetch_add(1) == 0) return;
  // The signal is blocked until the handler returns; then the earlier action runs.
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) static_cast<void>(::sigaction(signal, &before[i].action, nullptr));
  }
  static_cast<void>(std::raise(signal));
}

}  // namespace

InterruptScope::InterruptScope() {
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  count = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    Before& b = before[i];
    if (::sigaction(kSignals[i], nullptr, &b.action) != 0) continue;
    // Ignored, as in the background: it stays so.
    if ((b.action.sa_flags & SA_SIGINFO) == 0 && b.action.sa_handler == SIG_IGN) continue;
    struct sigaction action{};
    action.sa_handler = note_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    b.replaced = ::sigaction(kSignals[i], &action, nullptr) == 0;
  }
}

InterruptScope::~InterruptScope() {
  const std::lock_guard lock(mutex);
  if (--scopes > 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    Before& b = before[i];
    if (!b.replaced) continue;
    b.replaced = false;
    struct sigaction now{};
    // After the second interrupt it is back already; a handler that somebody else installed meanwhile stays.
    if (::sigaction(kSignals[i], nullptr, &now) == 0 && now.sa_handler == note_interrupt) {
      static_cast<void>(::sigaction(kSignals[i], &b.action, nullptr));
    }
  }
}

bool InterruptScope::interrupted() { return count > 0; }

}  // namespace tessera::os
