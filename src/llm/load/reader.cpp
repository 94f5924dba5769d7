// Values of a config.json by key, with checks of type and range.
#include "llm/load/reader.h"

#include <cmath>

#include "base/fail.h"
#include "io/json_document.h"

namespace tessera::llm {

namespace {

constexpr std::size_t kMaxPrinted = 60;

/// A value for a message: at most 60 characters of ASCII.
std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kMaxPrinted) text.replace(kMaxPrinted - 3, std::string::npos, "...");
  return text;
}

}  // namespace

Json parse_object(std::string_view text, const std::string& file) {
  return io::parse_json(text, "a configuration", io::Fault(file, "Config"));
}

const Json* Reader::find(std::string_view key) const {
  const auto found = object_->find(key);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

const Json& Reader::at(std::string_view key) const {
  if (const Json* value = find(key)) return *value;
  fail(ErrorKind::kParse, "'{}' has no key '{}'.", file_, full(key));
}

void Reader::wrong_type(std::string_view key, const Json& value, std::string_view expected) const {
  fail(ErrorKind::kParse, "'{}' has {} = {}; {} is expected.", file_, full(key), shown(value), expected);
}

void Reader::out_of_range(std::string_view key, std::string_view expected) const {
  fail(ErrorKind::kValue, "'{}' has {} = {}; {} is expected.", file_, full(key), shown(at(key)), expected);
}

void Reader::unsupported(std::string_view key, std::string_view supported) const {
  fail(ErrorKind::kUnsupported, "'{}' has {} = {}, which is not supported; {}.", file_, full(key), shown(at(key)),
       supported);
}

std::int64_t Reader::integer_of(std::string_view key, const Json& value, std::int64_t low, std::int64_t high) const {
  if (!value.is_number_integer()) wrong_type(key, value, "an integer");
  const bool large = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (large || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
    fail(ErrorKind::kValue, "'{}' has {} = {}; from {} to {} is expected.", file_, full(key), shown(value), low, high);
  }
  return value.get<std::int64_t>();
}

double Reader::number_of(std::string_view key, const Json& value) const {
  if (!value.is_number()) wrong_type(key, value, "a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number) || number <= 0) {
    fail(ErrorKind::kValue, "'{}' has {} = {}; a finite number above 0 is expected.", file_, full(key), shown(value));
  }
  return number;
}

std::int64_t Reader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                             std::optional<std::int64_t> otherwise) const {
  if (otherwise && !has(key)) return *otherwise;
  return integer_of(key, at(key), low, high);
}

double Reader::positive(std::string_view key, std::optional<double> otherwise) const {
  if (otherwise && !has(key)) return *otherwise;
  return number_of(key, at(key));
}

std::optional<double> Reader::optional_positive(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return number_of(key, at(key));
}

bool Reader::boolean(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const Json& value = at(key);
  if (!value.is_boolean()) wrong_type(key, value, "true or false");
  return value.get<bool>();
}

std::string Reader::text(std::string_view key, std::optional<std::string> otherwise) const {
  if (otherwise && !has(key)) return *otherwise;
  const Json& value = at(key);
  if (!value.is_string()) wrong_type(key, value, "a string");
  return value.get<std::string>();
}

const Json& Reader::list(std::string_view key, std::optional<std::size_t> count) const {
  const Json& value = at(key);
  if (!value.is_array()) wrong_type(key, value, "a list");
  if (count && value.size() != *count) {
    fail(ErrorKind::kValue, "'{}' has {} with {} entries; {} are expected.", file_, full(key), value.size(), *count);
  }
  return value;
}

std::vector<double> Reader::positives(std::string_view key, std::size_t count) const {
  std::vector<double> result;
  for (const Json& value : list(key, count)) result.push_back(number_of(key, value));
  return result;
}

std::vector<std::int64_t> Reader::integers(std::string_view key, std::int64_t low, std::int64_t high,
                                           std::optional<std::size_t> count) const {
  std::vector<std::int64_t> result;
  for (const Json& value : list(key, count)) result.push_back(integer_of(key, value, low, high));
  return result;
}

std::vector<std::string> Reader::texts(std::string_view key, std::size_t count) const {
  std::vector<std::string> result;
  for (const Json& value : list(key, count)) {
    if (!value.is_string()) wrong_type(key, value, "a string");
    result.push_back(value.get<std::string>());
  }
  return result;
}

Reader Reader::object(std::string_view key) const {
  const Json& value = at(key);
  if (!value.is_object()) wrong_type(key, value, "an object");
  return Reader(value, file_, full(key) + ".");
}

}  // namespace tessera::llm
