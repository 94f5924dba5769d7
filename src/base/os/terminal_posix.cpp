// The terminal where the system is POSIX.
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/os/terminal.h"

namespace tessera::os {

bool writes_to_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

int terminal_columns() {
  struct winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace tessera::os
