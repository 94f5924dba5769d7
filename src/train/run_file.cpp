// Writes and checks run.json.
#include "tessera/train/run_file.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "base/hash.h"
#include "io/json_document.h"

namespace tessera::train {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "tessera-checkpoint";
constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kLoad = "Checkpoints::load";

/// A member of an object, of the kind that `is` checks.
const Json& member(const Json& object, const char* key, bool (Json::*is)() const noexcept, const char* expected,
                   const io::Fault& fault) {
  const auto found = object.find(key);
  if (found == object.end()) fault(fmt::format("has no \"{}\"", key));
  if (!(found.value().*is)()) {
    fault(fmt::format("has \"{}\": {}; {} is expected", key, io::quote(found->dump()), expected));
  }
  return *found;
}

}  // namespace

void ByteHash::add(std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little);
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  const auto one = [&] {
    word_ |= std::to_integer<std::uint64_t>(*at++) << (8 * (total_++ % 8));
    if (total_ % 8 == 0) hash_ = hash_mix(hash_, std::exchange(word_, 0));
  };
  while (at != end && total_ % 8 != 0) one();
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash_ = hash_mix(hash_, word);
    total_ += 8;
  }
  while (at != end) one();
}

std::string ByteHash::str() const { return fmt::format("{:016x}", hash_mix(hash_mix(hash_, word_), total_)); }

std::string RunFile::text() const {
  Json root = {{"format", kFormat}, {"version", kVersion}, {"library", TESSERA_VERSION}, {"step", run.step}};
  if (metric.has_value() && std::isfinite(*metric)) root["metric"] = *metric;
  root["maximize"] = maximize;
  root["values"] = Json::object();
  for (const auto& [name, value] : run.values) root["values"][name] = value;
  root["files"] = Json::object();
  for (const auto& [name, file] : files) root["files"][name] = {{"bytes", file.bytes}, {"hash", file.hash}};
  try {
    return root.dump(1) + "\n";
  } catch (const Json::exception&) {
    fail(ErrorKind::kValue, "Checkpoints::save: a value or a name of the run is not valid UTF-8.");
  }
}

RunFile RunFile::read(const std::filesystem::path& path) {
  const std::optional<std::string> text = io::read_text(path, kLoad);
  if (!text.has_value()) io::Fault(path.string(), kLoad)("is missing");
  return parse(*text, path.string(), kLoad);
}

RunFile RunFile::parse(std::string_view text, const std::string& path, std::string_view function) {
  const io::Fault fault(path, function);
  const Json root = io::parse_json(text, "the state of a run", fault);
  const std::string format = member(root, "format", &Json::is_string, "a text", fault).get<std::string>();
  if (format != kFormat) fault(fmt::format("has the format {}; '{}' is expected", io::quote(format), kFormat));
  const auto version = member(root, "version", &Json::is_number_unsigned, "a number", fault).get<std::uint64_t>();
  if (version != kVersion) fault(fmt::format("has version {}; this library reads version {}", version, kVersion));
  RunFile file;
  const auto step = member(root, "step", &Json::is_number_unsigned, "a number", fault).get<std::uint64_t>();
  if (step > static_cast<std::uint64_t>(INT64_MAX)) {
    fault(fmt::format("has a step of {}; at most {} is expected", step, INT64_MAX));
  }
  file.run.step = static_cast<std::int64_t>(step);
  if (root.contains("metric")) file.metric = member(root, "metric", &Json::is_number, "a number", fault).get<double>();
  file.maximize = member(root, "maximize", &Json::is_boolean, "true or false", fault).get<bool>();
  for (const auto& [name, value] : member(root, "values", &Json::is_object, "an object", fault).items()) {
    if (!value.is_string()) {
      fault(fmt::format("has a value {}: {}; a text is expected", io::quote(name), io::quote(value.dump())));
    }
    file.run.values[name] = value.get<std::string>();
  }
  for (const auto& [name, value] : member(root, "files", &Json::is_object, "an object", fault).items()) {
    if (!value.is_object()) {
      fault(fmt::format("has \"files\" with {}: {}; an object is expected", io::quote(name), io::quote(value.dump())));
    }
    file.files[name] = {member(value, "bytes", &Json::is_number_unsigned, "a number", fault).get<std::uint64_t>(),
                        member(value, "hash", &Json::is_string, "a text", fault).get<std::string>()};
  }
  return file;
}

}  // namespace tessera::train
