// JSON from files that may be hostile: visited value by value, without a copy of the document in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/error.h"

namespace tessera::io {

/// The largest header of a safetensors file, as in the reference implementation; also of any other JSON text.
inline constexpr std::size_t kMaxHeaderBytes = 100'000'000;

/// What is wrong with a file: throws "load_safetensors: 'FILE' TEXT." of kind parse.
class Fault {
 public:
  explicit Fault(std::string file, std::string_view function = "load_safetensors")
      : file_(std::move(file)), function_(function) {}
  [[noreturn]] void operator()(const std::string& text, Error::Fields fields = {}) const;

 private:
  std::string file_;
  std::string_view function_;
};

/// A name or text of a file for a message: in quotes, ASCII with escapes, at most 80 characters.
std::string quote(std::string_view text);

enum class JsonKind : std::uint8_t { kInteger, kText, kObject, kList, kNegative, kNumber, kBool, kNull };

struct JsonValue {
  JsonKind kind;
  std::string_view text = {};  // of kText: the text; of the kinds behind kList: what to print
  std::uint64_t integer = 0;   // of kInteger: from 0 on; of kNegative: in two's complement; of kBool: 0 or 1
  double number = 0;           // of kNumber: with a point or an exponent, or beyond 64 bits

  /// For a message: "12", "'text'", "a list".
  [[nodiscard]] std::string str() const;
};

/// Where a value is: keys[0] is the key in the outermost object; a list has the key "".
struct JsonPath {
  std::span<const std::string> keys;
  [[nodiscard]] std::size_t depth() const { return keys.size(); }
};

class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  /// A value, or the beginning of an object or a list.
  virtual void value(const JsonPath& path, const JsonValue& value) = 0;
  /// The end of the object or list with this path.
  virtual void end(const JsonPath& path) = 0;
};

/// Visits all values of an object. `what` names the text in messages: "a header". What is no JSON, repeats a key or is
/// nested deeper than `max_depth` is a fault.
void visit_json(std::string_view text, std::string_view what, JsonVisitor& visitor, const Fault& fault,
                std::size_t max_depth = 16);

}  // namespace tessera::io
