// JSON by the events of nlohmann's parser, which does not recurse; keys and depth are checked here.
#include "io/json.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace tessera::io {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxPrinted = 80;

/// ASCII with escapes, in double quotes.
std::string escaped(std::string_view text) { return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string shortened(std::string text) {
  if (text.size() > kMaxPrinted) text.replace(kMaxPrinted - 3, std::string::npos, "...");
  return text;
}

class Events final : public nlohmann::json_sax<Json> {
 public:
  Events(std::string_view what, JsonVisitor& visitor, const Fault& fault, std::size_t max_depth)
      : what_(what), visitor_(visitor), fault_(fault), max_depth_(max_depth) {}

  bool null() override { return value({JsonKind::kNull, "null"}); }
  bool boolean(bool v) override { return value({JsonKind::kBool, v ? "true" : "false", v ? 1U : 0U}); }
  bool number_integer(number_integer_t v) override {
    if (v >= 0) return number_unsigned(static_cast<number_unsigned_t>(v));
    return value({JsonKind::kNegative, std::to_string(v), static_cast<std::uint64_t>(v)});
  }
  bool number_unsigned(number_unsigned_t v) override { return value({JsonKind::kInteger, {}, v}); }
  bool number_float(number_float_t v, const string_t& text) override { return value({JsonKind::kNumber, text, 0, v}); }
  bool string(string_t& text) override { return value({JsonKind::kText, text}); }
  bool binary(binary_t& /*bytes*/) override { return value({JsonKind::kNull, "bytes"}); }  // not in a text
  bool start_object(std::size_t /*size*/) override { return open(JsonKind::kObject); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(JsonKind::kList); }
  bool end_array() override { return close(); }
  bool key(string_t& text) override {
    if (!seen_.back().insert(text).second) {
      fault_(fmt::format("has {} with the key {} twice; each key is expected once", what_, quote(text)));
    }
    keys_.back() = text;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/, const Json::exception& e) override {
    std::string_view text = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 1: ..."
    if (const std::size_t at = text.find("syntax error"); at != std::string_view::npos) text.remove_prefix(at);
    text = text.substr(0, text.find("; last read"));
    fault_(fmt::format("has {} that is not valid JSON at byte {}: {}", what_, position,
                       quote(text.substr(0, kMaxPrinted))));
  }

 private:
  bool value(const JsonValue& v) {
    visitor_.value({keys_}, v);
    return true;
  }
  bool open(JsonKind kind) {
    if (keys_.size() == max_depth_) {
      fault_(fmt::format("has {} that is nested deeper than {} levels, which are the most", what_, max_depth_));
    }
    value({kind});
    keys_.emplace_back();
    seen_.emplace_back();
    return true;
  }
  bool close() {
    keys_.pop_back();
    seen_.pop_back();
    visitor_.end({keys_});
    return true;
  }

  std::string_view what_;
  JsonVisitor& visitor_;
  const Fault& fault_;
  std::size_t max_depth_;
  std::vector<std::string> keys_;                      // of the open objects and lists
  std::vector<std::unordered_set<std::string>> seen_;  // keys of the open objects
};

}  // namespace

void Fault::operator()(const std::string& text, Error::Fields fields) const {
  throw Error(ErrorKind::kParse, fmt::format("{}: '{}' {}.", function_, file_, text), std::move(fields));
}

std::string quote(std::string_view text) {
  const std::string inside = escaped(text.substr(0, 2 * kMaxPrinted));
  return fmt::format("'{}'", shortened(inside.substr(1, inside.size() - 2)));
}

std::string JsonValue::str() const {
  switch (kind) {
    case JsonKind::kInteger:
      return std::to_string(integer);
    case JsonKind::kText:
      return quote(text);
    case JsonKind::kObject:
      return "an object";
    case JsonKind::kList:
      return "a list";
    case JsonKind::kNegative:
    case JsonKind::kNumber:
    case JsonKind::kBool:
    case JsonKind::kNull:
      return shortened(std::string(text.substr(0, 2 * kMaxPrinted)));
  }
  return {};
}

void visit_json(std::string_view text, std::string_view what, JsonVisitor& visitor, const Fault& fault,
                std::size_t max_depth) {
  // The parser skips a byte order mark, and ends at a zero byte.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    fault(fmt::format("has {} that is not a JSON object; '{{' is expected at byte {}", what,
                      first == std::string_view::npos ? text.size() : first));
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fault(fmt::format("has {} that is not valid JSON at byte {}: a zero byte", what, zero));
  }
  Events events(what, visitor, fault, max_depth);
  Json::sax_parse(text.begin(), text.end(), &events);
}

}  // namespace tessera::io
