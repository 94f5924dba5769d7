// `tessera chat`: lines of a terminal or a pipe, answers as they are written, and commands.
#include <array>
#include <iostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "llm/options.h"
#include "terminal.h"
#include "tessera/error.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBlock = "\"\"\"";
// Where the model's files say nothing: greedy answers of small models repeat themselves.
const llm::SamplingOptions kUnsaid{.temperature = 0.8, .top_p = 0.95, .min_p = 0.05};

struct Help {
  const char* command;
  const char* text;
};
constexpr std::array<Help, 9> kHelp{{{"/help", "this list"},
                                     {"/reset", "forgets the conversation"},
                                     {"/system TEXT", "begins a conversation with a message of the system"},
                                     {"/save FILE", "writes the conversation and its keys and values to a file"},
                                     {"/load FILE", "continues a conversation that was saved"},
                                     {"/history", "the messages so far"},
                                     {"/retry", "answers the last message again"},
                                     {"/stats", "tokens and speeds so far"},
                                     {"/exit", "ends the chat, as Ctrl-D does"}}};

/// Reads messages: lines, several ones between """ and """ or where lines end with a backslash.
class Input {
 public:
  explicit Input(bool shows_prompt) : shows_prompt_(shows_prompt) {}

  /// Nothing at the end of the input.
  std::optional<std::string> message() {
    std::string line;
    if (!read(line, ">>> ")) return std::nullopt;
    if (line.starts_with(kBlock)) return block(line.substr(kBlock.size()));
    while (line.ends_with('\\')) {
      line.back() = '\n';
      std::string more;
      if (!read(more, "... ")) break;
      line += more;
    }
    return line;
  }

 private:
  std::string block(std::string text) {
    std::string out;
    for (std::string line = std::move(text);;) {
      if (line.ends_with(kBlock)) return out + line.substr(0, line.size() - kBlock.size());
      if (!out.empty() || !line.empty()) out += line + "\n";
      if (!read(line, "... ")) return out;
    }
  }
  bool read(std::string& line, const char* prompt) const {
    const InterruptScope::Prompt at(shows_prompt_ ? prompt : "");
    if (shows_prompt_) fmt::print("{}", styled(Style::kBold, prompt));
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
  }

  bool shows_prompt_;
};

class Chat {
 public:
  explicit Chat(const ChatCommand& o)
      : model_(load_model(o.model)),
        options_(generate_options(o.answer, model_,
                                  model_.has_chat_template() ? kUnsaid : llm::SamplingOptions{.temperature = 0})),
        context_(model_.context()),
        terminal_(reads_from_terminal() && writes_to_terminal()) {
    (void)model_.tokenizer();  // refuses models without one
    begin(o.system);
    if (!o.load.empty()) load(o.load);
  }

  int run() {
    const InterruptScope interrupts("(Ctrl-D or /exit ends the chat)");
    if (terminal_) greet();
    Input input(terminal_);
    while (const std::optional<std::string> message = input.message()) {
      (void)InterruptScope::take();
      if (message->find_first_not_of(" \t\n") == std::string::npos) continue;
      try {
        if (message->starts_with('/')) {
          if (!command(*message)) return 0;
        } else {
          answer(*message);
        }
      } catch (const Error& e) {
        if (e.kind() == ErrorKind::kDeviceLost || e.kind() == ErrorKind::kDevice) throw;
        fmt::print(stderr, "{}\n", e.what());
        failed_ = !terminal_;
      }
    }
    if (terminal_) fmt::print("\n");
    return failed_ ? 1 : 0;
  }

 private:
  void greet() const {
    fmt::print("{}\n", styled(Style::kDim, "/help lists the commands. Ctrl-C stops an answer, Ctrl-D ends the chat."));
    if (!model_.has_chat_template()) {
      fmt::print("{}\n",
                 styled(Style::kDim,
                        "The model has no chat template: each message is a prompt of its own, which it continues."));
    }
  }

  void begin(const std::string& system) {
    messages_.clear();
    if (!system.empty()) messages_.push_back({"system", system});
    context_.clear();
  }

  void answer(const std::string& text) {
    messages_.push_back({"user", text});
    try {
      if (!reply()) messages_.pop_back();
    } catch (...) {
      messages_.pop_back();
      throw;
    }
  }

  /// The answer to the last message. False if it was stopped before its first token: as if nothing had been asked.
  bool reply() {
    std::stop_source stop;
    // Ctrl-C sets a flag, since a signal handler may do no more; a prompt of many tokens is cancelled too.
    const std::jthread watch([&](const std::stop_token& done) {
      while (!done.stop_requested() && !stop.stop_requested()) {
        if (InterruptScope::take()) stop.request_stop();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    });
    llm::GenerateOptions options = options_;
    options.cancel = stop.get_token();
    const auto print = [](const llm::GeneratedToken& token) {
      fmt::print("{}", token.text);
      std::fflush(stdout);
    };
    last_ = model_.has_chat_template()
                ? model_.chat(context_, messages_, options, print)
                : model_.generate(context_, std::string_view(messages_.back().content), options, print);
    fmt::print("\n");
    if (terminal_) fmt::print("{}\n", styled(Style::kDim, speeds()));
    std::fflush(stdout);
    if (last_.tokens.empty()) return false;
    messages_.push_back({"assistant", last_.text});
    answered_ += std::ssize(last_.tokens);
    seconds_ += last_.decode_seconds;
    computed_ += last_.prompt_tokens - last_.reused_tokens;
    reused_ += last_.reused_tokens;
    prefill_ += last_.prefill_seconds;
    return true;
  }

  [[nodiscard]] std::string speeds() const {
    std::string text = fmt::format("[{} tokens, {:.1f} tokens/s; prompt {} tokens", last_.tokens.size(),
                                   last_.decode_rate(), last_.prompt_tokens);
    if (last_.reused_tokens > 0) text += fmt::format(", {} of them new", last_.prompt_tokens - last_.reused_tokens);
    text += fmt::format(", {:.1f} tokens/s; {} of {}", last_.prefill_rate(), context_.size(), context_.capacity());
    if (last_.finish == llm::FinishReason::kCancelled) text += "; stopped";
    if (last_.finish == llm::FinishReason::kLength) {
      text += context_.size() == context_.capacity() ? "; the context is full: /reset" : "; --max-tokens";
    }
    return text + "]";
  }

  /// False ends the chat.
  bool command(const std::string& line) {
    const std::size_t space = line.find_first_of(" \t\n");
    const std::string name = line.substr(0, space);
    const std::size_t first = space == std::string::npos ? space : line.find_first_not_of(" \t\n", space);
    const std::string argument = first == std::string::npos ? "" : line.substr(first);
    if (name == "/exit" || name == "/quit" || name == "/bye") return false;
    if (name == "/help" || name == "/?") {
      for (const Help& h : kHelp) fmt::print("  {:14} {}\n", h.command, h.text);
      fmt::print("  {:14} {}\n", "\"\"\" .. \"\"\"", "a message of several lines; or end lines with a backslash");
    } else if (name == "/reset") {
      begin(!messages_.empty() && messages_[0].role == "system" ? std::string(messages_[0].content) : "");
      fmt::print("The conversation is empty.\n");
    } else if (name == "/system") {
      begin(argument);
      fmt::print("{}\n", argument.empty() ? "There is no message of the system." : "The message of the system is set.");
    } else if (name == "/save" || name == "/load") {
      if (argument.empty()) throw Error(ErrorKind::kValue, fmt::format("{} needs a file.", name));
      if (name == "/save") {
        save(argument);
      } else {
        load(argument);
      }
    } else if (name == "/history") {
      for (const text::Message& m : messages_) fmt::print("{} {}\n", styled(Style::kBold, m.role + ":"), m.content);
    } else if (name == "/retry") {
      retry();
    } else if (name == "/stats") {
      stats();
    } else {
      throw Error(ErrorKind::kValue, fmt::format("There is no command {}; /help lists the commands.", name));
    }
    return true;
  }

  void retry() {
    if (messages_.empty() || messages_.back().role != "assistant") {
      throw Error(ErrorKind::kValue, "There is no answer yet.");
    }
    const text::Message before = messages_.back();
    messages_.pop_back();
    try {
      if (!reply()) messages_.push_back(before);
    } catch (...) {
      messages_.push_back(before);
      throw;
    }
  }

  void save(const std::string& file) {
    Json all = Json::array();
    for (const text::Message& m : messages_) all.push_back({{"role", m.role}, {"content", m.content}});
    context_.save(file, {{"messages", all.dump(-1, ' ', false, Json::error_handler_t::replace)}});
    fmt::print("saved: {} ({} tokens)\n", file, context_.size());
  }

  void load(const std::string& file) {
    llm::Context context = model_.context();
    const llm::Context::Notes notes = context.restore(file);
    const auto found = notes.find("messages");
    const Json all = found == notes.end() ? Json() : Json::parse(found->second, nullptr, false);
    std::vector<text::Message> messages;
    bool valid = all.is_array();
    for (const Json& m : valid ? all : Json::array()) {
      valid = valid && m.is_object() && m.value("role", Json()).is_string() && m.value("content", Json()).is_string();
      if (valid) messages.push_back({m["role"], m["content"]});
    }
    if (!valid) throw Error(ErrorKind::kParse, fmt::format("'{}' is a saved context without a conversation.", file));
    context_ = std::move(context);
    messages_ = std::move(messages);
    if (terminal_) fmt::print("loaded: {} ({} messages, {} tokens)\n", file, messages_.size(), context_.size());
  }

  void stats() const {
    fmt::print("  {:10} {} messages, {} of {} tokens\n", "context", messages_.size(), context_.size(),
               context_.capacity());
    fmt::print("  {:10} {} tokens computed, {} reused, {:.1f} tokens/s\n", "prompts", computed_, reused_,
               prefill_ > 0 ? static_cast<double>(computed_) / prefill_ : 0.0);
    fmt::print("  {:10} {} tokens, {:.1f} tokens/s\n", "answers", answered_,
               seconds_ > 0 ? static_cast<double>(answered_) / seconds_ : 0.0);
    const MemoryStats memory = model_.model().embedding.weight.device().memory_stats();
    fmt::print("  {:10} {} in use, {} at the peak\n", "memory", bytes_text(memory.in_use), bytes_text(memory.peak));
  }

  llm::LanguageModel model_;
  llm::GenerateOptions options_;
  llm::Context context_;
  bool terminal_;
  bool failed_ = false;
  std::vector<text::Message> messages_;
  llm::Generation last_;
  std::int64_t answered_ = 0, computed_ = 0, reused_ = 0;
  double seconds_ = 0, prefill_ = 0;
};

}  // namespace

int chat(const ChatCommand& options) { return Chat(options).run(); }

}  // namespace tessera::app
