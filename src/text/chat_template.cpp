// ChatTemplate: the variables of a template as JSON, and a handle of the library tessera_text that renders it.
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/os/files.h"
#include "base/utf8.h"
#include "tessera/text.h"
#include "text/library.h"

namespace tessera::text {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A JSON string.
std::string json_string(std::string_view text, std::string_view what) {
  if (const std::size_t valid = valid_utf8(text); valid != text.size()) {
    fail(ErrorKind::kValue, "ChatTemplate: {} is not valid UTF-8 at byte {}.", what, valid);
  }
  return Json(text).dump();
}

/// Text that is put into a JSON object as it is: nothing but one value that begins with `open`.
void check_json(std::string_view text, char open, std::string_view what) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != open || !Json::accept(text.begin(), text.end())) {
    fail(ErrorKind::kParse, "ChatTemplate: {} are not valid JSON; {} is expected.", what,
         open == '[' ? "a list" : "an object");
  }
}

/// A special token of tokenizer_config.json: a string, or an object with its content.
std::string token_of(const Json& config, const char* name) {
  const auto found = config.find(name);
  if (found == config.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  if (found->is_object() && found->contains("content") && (*found)["content"].is_string()) return (*found)["content"];
  return {};
}

/// The chat_template of tokenizer_config.json: a text, or a list of named ones of which "default" is taken.
std::string template_of(const Json& config) {
  const auto found = config.find("chat_template");
  if (found == config.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  if (!found->is_array()) return {};
  for (const Json& each : *found) {
    if (each.is_object() && each.value("name", Json()) == "default" && each.value("template", Json()).is_string()) {
      return each["template"];
    }
  }
  return {};
}

}  // namespace

struct ChatTemplate::Impl {
  TesseraTemplate* handle = nullptr;
  std::string tokens;  // ,"bos_token":"..." and so on

  Impl() = default;
  ~Impl() { functions().tesseraTemplateRelease(handle); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

ChatTemplate::ChatTemplate(std::string_view source, const std::string& bos_token, const std::string& eos_token) {
  const Functions& api = functions();
  auto impl = std::make_shared<Impl>();
  checked(api.tesseraTemplateCreate(source.data(), source.size(), &impl->handle), "ChatTemplate");
  for (const auto& [name, token] : {std::pair{"bos_token", &bos_token}, std::pair{"eos_token", &eos_token}}) {
    if (!token->empty()) impl->tokens += fmt::format(",\"{}\":{}", name, json_string(*token, name));
  }
  impl_ = std::move(impl);
}

ChatTemplate ChatTemplate::from_folder(const fs::path& folder) {
  const fs::path file = folder / "tokenizer_config.json";
  Json config = Json::object();
  if (const std::optional<std::string> text = os::read_file(file)) {
    config = Json::parse(*text, nullptr, false);
    if (!config.is_object()) fail(ErrorKind::kParse, "ChatTemplate: '{}' is not a JSON object.", file.string());
  }
  std::string source = os::read_file(folder / "chat_template.jinja").value_or("");
  if (source.empty()) source = template_of(config);
  if (source.empty()) {
    fail(ErrorKind::kIo,
         "ChatTemplate: '{}' has no chat template; chat_template.jinja or tokenizer_config.json with a "
         "chat_template is expected.",
         folder.string());
  }
  return ChatTemplate(source, token_of(config, "bos_token"), token_of(config, "eos_token"));
}

std::string ChatTemplate::apply(std::span<const Message> messages, const ChatOptions& options) const {
  std::string json = "[";
  for (const Message& m : messages) {
    json += fmt::format("{}{{\"role\":{},\"content\":{}}}", json.size() > 1 ? "," : "", json_string(m.role, "a role"),
                        json_string(m.content, "a message"));
  }
  return apply(json + "]", options);
}

std::string ChatTemplate::apply(std::string_view messages, const ChatOptions& options) const {
  check_json(messages, '[', "the messages");
  if (!options.tools.empty()) check_json(options.tools, '[', "the tools");
  // Templates ask whether tools and documents are none; variables that were given replace these.
  std::string all =
      fmt::format("{{\"messages\":{},\"tools\":{},\"documents\":null,\"add_generation_prompt\":{}{}", messages,
                  options.tools.empty() ? "null" : options.tools, options.add_generation_prompt, impl_->tokens);
  if (!options.variables.empty()) {
    check_json(options.variables, '{', "the variables");
    const std::string_view text = options.variables;
    const std::string_view inside = text.substr(text.find('{') + 1, text.rfind('}') - text.find('{') - 1);
    if (inside.find_first_not_of(" \t\r\n") != std::string_view::npos) all += fmt::format(",{}", inside);
  }
  all += '}';
  return std::string(
      text_of(checked(functions().tesseraTemplateRender(impl_->handle, all.data(), all.size()), "ChatTemplate")));
}

}  // namespace tessera::text
