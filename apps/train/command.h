// The options of `tessera train`.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace tessera::app {

/// Adds the command `train` with its jobs. After parsing, the function runs the job that was chosen.
std::function<int()> add_train(CLI::App& app);

}  // namespace tessera::app
