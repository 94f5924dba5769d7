// Splits the preludes into declarations once, and collects those that a text names.
#include "codegen/prelude.h"

#include <array>
#include <unordered_map>

#include "kernels/kernels.h"

namespace tessera::codegen {
namespace {

constexpr std::array<std::string_view, 6> kFiles{"prelude_float", "prelude_trig", "prelude_int",
                                                 "prelude_i64",   "prelude_half", "prelude_random"};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Calls `use` with each word of the text: identifiers, keywords and numbers alike.
template <class Use>
void for_each_word(std::string_view text, Use use) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) use(text.substr(i, end - i));
    i = end + 1;
  }
}

struct Library {
  std::vector<PreludeItem> items;
  std::unordered_map<std::string_view, std::size_t> by_name;

  Library() {
    for (const std::string_view file : kFiles) cut(kernels::wgsl(file));
    for (std::size_t i = 0; i < items.size(); ++i) by_name.emplace(items[i].name, i);
    for (std::size_t i = 0; i < items.size(); ++i) {
      for_each_word(items[i].text, [&](std::string_view word) {
        const auto found = by_name.find(word);
        if (found != by_name.end() && found->second != i) items[i].needs.push_back(found->second);
      });
    }
  }

  /// A declaration starts at a line's beginning with its keyword; a function ends with the next line that is "}".
  void cut(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view rest = text.substr(at);
      const bool function = rest.starts_with("fn ");
      if (function || rest.starts_with("alias ") || rest.starts_with("const ")) {
        const std::size_t name_at = rest.find(' ') + 1;
        std::size_t name_end = name_at;
        while (is_word(rest[name_end])) ++name_end;
        const std::size_t length = function ? rest.find("\n}\n") + 3 : rest.find(";\n") + 2;
        items.push_back({rest.substr(name_at, name_end - name_at), rest.substr(0, length), {}});
        at += length;
      } else {
        const std::size_t line = rest.find('\n');
        at = line == std::string_view::npos ? text.size() : at + line + 1;
      }
    }
  }
};

const Library& library() {
  static const Library kLibrary;
  return kLibrary;
}

void append(const Library& from, std::size_t item, std::vector<bool>& done, std::string& text) {
  if (done[item]) return;
  done[item] = true;
  for (const std::size_t need : from.items[item].needs) append(from, need, done, text);
  text += from.items[item].text;
}

}  // namespace

std::span<const PreludeItem> prelude_items() { return library().items; }

std::string prelude_for(std::string_view body) {
  const Library& from = library();
  std::vector<bool> done(from.items.size());
  std::string text;
  for_each_word(body, [&](std::string_view word) {
    const auto found = from.by_name.find(word);
    if (found != from.by_name.end()) append(from, found->second, done, text);
  });
  return text;
}

}  // namespace tessera::codegen
