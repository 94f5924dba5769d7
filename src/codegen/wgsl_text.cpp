// Properties of WGSL text, found without a parser.
#include "codegen/wgsl_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tessera::codegen {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

/// Where the whole word `word` begins, from `at` on.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t at = 0) {
  for (at = text.find(word, at); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return at;
  }
  return at;
}

}  // namespace

std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i + 1 < out.size(); ++i) {
    if (out[i] != '/') continue;
    std::size_t end = i;
    if (out[i + 1] == '/') {
      end = std::min(out.find('\n', i), out.size());
    } else if (out[i + 1] == '*') {
      int depth = 0;  // they nest
      for (end = i; end < out.size();) {
        const std::string_view two = std::string_view(out).substr(end, 2);
        end += two == "/*" || two == "*/" ? 2 : 1;
        if (two == "/*") ++depth;
        if (two == "*/" && --depth == 0) break;
      }
      end = std::min(end, out.size());
    } else {
      continue;
    }
    blank(out, i, end);
    i = end - 1;
  }
  return out;
}

SplitText split_directives(std::string_view text) {
  const std::string plain = without_comments(text);
  SplitText result{{}, std::string(text)};
  for (std::size_t at = 0;;) {
    while (at < plain.size() && is_space(plain[at])) ++at;
    const std::string_view rest = std::string_view(plain).substr(at);
    const bool directive =
        find_word(rest, "enable") == 0 || find_word(rest, "requires") == 0 || find_word(rest, "diagnostic") == 0;
    const std::size_t end = rest.find(';');
    if (!directive || end == std::string_view::npos) return result;
    std::string line(rest.substr(0, end + 1));
    std::ranges::replace(line, '\n', ' ');
    result.directives += line + '\n';
    blank(result.rest, at, at + end + 1);
    at += end + 1;
  }
}

bool declares_bindings(std::string_view text) { return without_comments(text).find("@binding") != std::string::npos; }

std::optional<std::array<std::uint32_t, 3>> stated_workgroup(std::string_view text, std::string_view entry_point) {
  const std::string plain = without_comments(text);
  std::size_t name = find_word(plain, entry_point);
  while (name != std::string::npos && !trim(std::string_view(plain).substr(0, name)).ends_with("fn")) {
    name = find_word(plain, entry_point, name + 1);
  }
  if (name == std::string::npos) return std::nullopt;
  const std::string_view before = std::string_view(plain).substr(0, name);
  const std::size_t at = before.rfind("@workgroup_size");
  // An attribute of this function has no other body in between.
  if (at == std::string_view::npos || before.substr(at).find('}') != std::string_view::npos) return std::nullopt;
  const std::size_t open = before.find('(', at);
  const std::size_t close = before.find(')', at);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  std::string_view list = before.substr(open + 1, close - open - 1);
  std::array<std::uint32_t, 3> size{1, 1, 1};
  for (std::uint32_t& d : size) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view number = trim(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (number.empty()) break;
    if (number.back() == 'u' || number.back() == 'i') number.remove_suffix(1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), d);
    if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  }
  return size;
}

std::string renamed(std::string_view text, std::string_view from, std::string_view to) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string result;
  while (true) {
    const std::size_t at = text.find(from);
    if (at == std::string_view::npos) return result += text;
    const std::size_t end = at + from.size();
    const bool whole = (at == 0 || !inside(text[at - 1])) && (end == text.size() || !inside(text[end]));
    result += text.substr(0, at);
    result += whole ? to : from;
    text.remove_prefix(end);
  }
}

bool is_identifier(std::string_view name) {
  if (name.empty() || name == "_" || name.starts_with("__")) return false;
  return (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, is_word);
}

}  // namespace tessera::codegen
