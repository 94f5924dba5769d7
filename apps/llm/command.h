// The commands that run language models: generate, chat, embed, perplexity, tokenize.
#pragma once

#include <functional>
#include <optional>

namespace CLI {
class App;
}

namespace tessera::app {

/// Adds the commands. After parsing, the function runs the one that was given, and returns its exit code; nothing if
/// another one was.
std::function<std::optional<int>()> add_llm(CLI::App& app);

}  // namespace tessera::app
