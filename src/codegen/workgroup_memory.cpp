// Reads the declarations of a WGSL text that sizes depend on: constants, aliases, structs and workgroup variables.
#include "codegen/workgroup_memory.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/ints.h"
#include "codegen/wgsl_text.h"

namespace tessera::codegen {

namespace {

struct Layout {
  std::uint64_t size = 0;
  std::uint64_t align = 1;
};

class Reader {
 public:
  Reader(std::string_view text, const std::vector<std::pair<std::string, std::uint64_t>>& constants) {
    cut(without_comments(text));
    for (const auto& [name, value] : constants) constants_[name] = value;
  }

  std::uint64_t run() {
    std::uint64_t total = 0;
    at_ = 0;
    for (int depth = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "{") ++depth;
      if (word == "}") --depth;
      if (depth != 0) continue;
      const std::size_t start = at_;
      if (word == "const") {
        read_constant();
      } else if (word == "alias") {
        read_alias();
      } else if (word == "struct") {
        read_struct();
      } else if (word == "var" && peek(1) == "<" && peek(2) == "workgroup") {
        at_ += 5;  // < workgroup > name
        if (const auto layout = accept(":") ? type() : std::nullopt) {
          total = round_up(total, layout->align) + layout->size;
        }
      }
      if (at_ > start) --at_;
    }
    return total;
  }

 private:
  void cut(const std::string& text) {
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      if (end == i) ++end;
      if (text[i] != ' ' && text[i] != '\n' && text[i] != '\t' && text[i] != '\r')
        words_.push_back(text.substr(i, end - i));
      i = end;
    }
  }

  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < words_.size() ? std::string_view(words_[at_ + ahead]) : std::string_view();
  }
  std::string take() { return at_ < words_.size() ? words_[at_++] : std::string(); }
  bool accept(std::string_view word) {
    if (peek() != word) return false;
    ++at_;
    return true;
  }

  void read_constant() {
    ++at_;
    const std::string name = take();
    while (!peek().empty() && peek() != "=" && peek() != ";") ++at_;
    if (!accept("=")) return;
    if (const auto value = sum(); value.has_value() && peek() == ";") constants_[name] = *value;
  }

  void read_alias() {
    ++at_;
    const std::string name = take();
    if (!accept("=")) return;
    if (const auto layout = type()) types_[name] = *layout;
  }

  void read_struct() {
    ++at_;
    const std::string name = take();
    if (!accept("{")) return;
    Layout whole;
    bool known = true;
    while (!peek().empty() && !accept("}")) {
      while (accept("@")) {  // attributes change the layout: such structs are not sized
        known = false;
        ++at_;
        if (peek() == "(") skip_brackets();
      }
      ++at_;  // name
      if (!accept(":")) return;
      const auto member = type();
      if (!member.has_value()) return;
      whole.size = round_up(whole.size, member->align) + member->size;
      whole.align = std::max(whole.align, member->align);
      accept(",");
    }
    whole.size = round_up(whole.size, whole.align);
    if (known) types_[name] = whole;
  }

  void skip_brackets() {
    int depth = 0;
    do {
      if (peek() == "(") ++depth;
      if (peek() == ")") --depth;
      ++at_;
    } while (depth > 0 && !peek().empty());
  }

  static std::optional<Layout> scalar(std::string_view name) {
    if (name == "f32" || name == "i32" || name == "u32" || name == "bool") return Layout{4, 4};
    if (name == "f16") return Layout{2, 2};
    return std::nullopt;
  }
  /// The type of the letter in vec4f, mat2x2h and similar names.
  static std::optional<Layout> letter(std::string_view rest) {
    if (rest == "f" || rest == "i" || rest == "u") return Layout{4, 4};
    if (rest == "h") return Layout{2, 2};
    return std::nullopt;
  }
  static Layout vector(const Layout& element, std::uint64_t n) {
    return {element.size * n, element.size * (n == 2 ? 2 : 4)};
  }

  /// The element type of vec and mat: between angle brackets, or a letter at the end of the name.
  std::optional<Layout> element(std::string_view rest) {
    if (!rest.empty()) return letter(rest);
    if (!accept("<")) return std::nullopt;
    const auto result = type();
    return accept(">") ? result : std::nullopt;
  }

  std::optional<Layout> type() {
    const std::string name = take();
    if (const auto s = scalar(name)) return s;
    if (const auto it = types_.find(name); it != types_.end()) return it->second;
    if (name == "atomic") return element({});
    if (name == "array") {
      if (!accept("<")) return std::nullopt;
      const auto of = type();
      if (!of.has_value() || !accept(",")) return std::nullopt;
      const auto count = sum();
      accept(",");
      if (!count.has_value() || !accept(">")) return std::nullopt;
      return Layout{*count * round_up(of->size, of->align), of->align};
    }
    const auto digit = [&](std::size_t i) -> std::uint64_t {
      return name.size() > i && name[i] >= '2' && name[i] <= '4' ? static_cast<std::uint64_t>(name[i] - '0') : 0;
    };
    if (name.starts_with("vec") && digit(3) != 0) {
      const auto of = element(std::string_view(name).substr(4));
      return of.has_value() ? std::optional(vector(*of, digit(3))) : std::nullopt;
    }
    if (name.starts_with("mat") && digit(3) != 0 && digit(5) != 0) {
      const auto of = element(std::string_view(name).substr(6));
      if (!of.has_value()) return std::nullopt;
      const Layout column = vector(*of, digit(5));
      return Layout{digit(3) * round_up(column.size, column.align), column.align};
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> sum() {
    auto value = product();
    while (value.has_value() && (peek() == "+" || peek() == "-")) {
      const bool plus = take() == "+";
      const auto next = product();
      if (!next.has_value()) return std::nullopt;
      value = plus ? *value + *next : *value - *next;
    }
    return value;
  }

  std::optional<std::uint64_t> product() {
    auto value = atom();
    while (value.has_value() && (peek() == "*" || peek() == "/")) {
      const bool times = take() == "*";
      const auto next = atom();
      if (!next.has_value() || (!times && *next == 0)) return std::nullopt;
      value = times ? *value * *next : *value / *next;
    }
    return value;
  }

  std::optional<std::uint64_t> atom() {
    if (accept("(")) {
      const auto value = sum();
      return accept(")") ? value : std::nullopt;
    }
    std::string word = take();
    if (const auto it = constants_.find(word); it != constants_.end()) return it->second;
    if (!word.empty() && (word.back() == 'u' || word.back() == 'i')) word.pop_back();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> constants_;
  std::map<std::string, Layout, std::less<>> types_;
};

}  // namespace

std::uint64_t workgroup_memory(std::string_view text,
                               const std::vector<std::pair<std::string, std::uint64_t>>& constants) {
  Reader reader(text, constants);
  reader.run();  // WGSL lets names be used before they are declared
  return reader.run();
}

}  // namespace tessera::codegen
