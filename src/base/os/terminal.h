// The terminal of this process.
#pragma once

namespace tessera::os {

/// Whether a person reads standard output.
bool writes_to_terminal();
/// The width of that terminal in characters; 0 if unknown.
int terminal_columns();

}  // namespace tessera::os
