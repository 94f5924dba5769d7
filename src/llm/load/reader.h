// Values of a config.json by key, with checks of type and range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace tessera::llm {

using Json = nlohmann::json;

/// Parses a JSON object. Error of kind parse for anything else, and for objects nested deeper than 16 levels.
Json parse_object(std::string_view text, const std::string& file);

/// An object of the file. Null is the same as a missing key. Errors name the file and the key.
class Reader {
 public:
  Reader(const Json& object, std::string file, std::string path = "")
      : object_(&object), file_(std::move(file)), path_(std::move(path)) {}

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  /// An integer from `low` to `high`. Without `otherwise` the key must be there.
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                                     std::optional<std::int64_t> otherwise = {}) const;
  /// A finite number above 0.
  [[nodiscard]] double positive(std::string_view key, std::optional<double> otherwise = {}) const;
  [[nodiscard]] std::optional<double> optional_positive(std::string_view key) const;
  [[nodiscard]] bool boolean(std::string_view key, bool otherwise) const;
  [[nodiscard]] std::string text(std::string_view key, std::optional<std::string> otherwise = {}) const;
  /// Lists of `count` values.
  [[nodiscard]] std::vector<double> positives(std::string_view key, std::size_t count) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key, std::int64_t low, std::int64_t high,
                                                   std::optional<std::size_t> count = {}) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t count) const;
  [[nodiscard]] Reader object(std::string_view key) const;

  /// "'config.json' has KEY = VALUE; EXPECTED is expected." of kind value.
  [[noreturn]] void out_of_range(std::string_view key, std::string_view expected) const;
  /// The same of kind unsupported: "'config.json' has KEY = VALUE, which is not supported; EXPECTED."
  [[noreturn]] void unsupported(std::string_view key, std::string_view supported) const;
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  [[nodiscard]] const Json* find(std::string_view key) const;
  [[nodiscard]] const Json& at(std::string_view key) const;
  [[nodiscard]] std::string full(std::string_view key) const { return path_ + std::string(key); }
  [[noreturn]] void wrong_type(std::string_view key, const Json& value, std::string_view expected) const;
  [[nodiscard]] const Json& list(std::string_view key, std::optional<std::size_t> count) const;
  [[nodiscard]] double number_of(std::string_view key, const Json& value) const;
  [[nodiscard]] std::int64_t integer_of(std::string_view key, const Json& value, std::int64_t low,
                                        std::int64_t high) const;

  const Json* object_;
  std::string file_;
  std::string path_;  // of the object: "rope_scaling."
};

}  // namespace tessera::llm
