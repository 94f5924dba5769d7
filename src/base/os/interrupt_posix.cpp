// Interrupts where the system is POSIX: a handler of SIGINT that counts.
#include <atomic>
#include <csignal>
#include <mutex>

#include "base/os/interrupt.h"

namespace tessera::os {

namespace {

std::mutex mutex;
int scopes = 0;          // guarded by the mutex
bool installed = false;  // guarded by the mutex
std::atomic<int> count{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a handler may use it
struct sigaction before{};                             // written before the handler is installed

extern "C" void note_interrupt(int signal) {
  if (count.fetch_add(1) == 0) return;
  // The signal is blocked until the handler returns; then the earlier action runs.
  static_cast<void>(::sigaction(signal, &before, nullptr));
  static_cast<void>(std::raise(signal));
}

}  // namespace

InterruptScope::InterruptScope() {
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  count = 0;
  if (::sigaction(SIGINT, nullptr, &before) != 0) return;
  if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN) return;  // in the background: it stays so
  struct sigaction action{};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  installed = ::sigaction(SIGINT, &action, nullptr) == 0;
}

InterruptScope::~InterruptScope() {
  const std::lock_guard lock(mutex);
  if (--scopes > 0 || !installed) return;
  installed = false;
  struct sigaction now{};
  // After the second interrupt it is back already; a handler that somebody else installed meanwhile stays.
  if (::sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == note_interrupt) {
    static_cast<void>(::sigaction(SIGINT, &before, nullptr));
  }
}

bool InterruptScope::interrupted() { return count > 0; }

}  // namespace tessera::os
