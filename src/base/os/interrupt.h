// Interrupts (Ctrl-C, SIGTERM): counted, so that a program can finish what it is doing.
#pragma once

namespace tessera::os {

/// While one lives, the first interrupt is only noted. The second one acts as it would without this scope: it ends the
/// process, or calls the handler of before. Scopes may overlap on several threads; the last one puts the handler back.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Whether there was an interrupt since the oldest scope was made.
  [[nodiscard]] static bool interrupted();
};

}  // namespace tessera::os
