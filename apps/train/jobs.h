// The jobs of `tessera train` on the Trainer, and on loops of their own.
#pragma once

#include <functional>
#include <optional>

namespace CLI {
class App;
}

namespace tessera::app {

/// Adds the jobs to the command. After parsing, the function runs the job that was chosen, if it is one of them.
std::function<std::optional<int>()> add_jobs(CLI::App& train);

}  // namespace tessera::app
