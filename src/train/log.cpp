// Writes and reads the log of a run.
#include "tessera/train/log.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/os/files.h"
#include "train/append_file.h"
#include "train/event_file.h"
#include "train/text.h"

namespace tessera::train {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "log.jsonl";
constexpr const char* kNan = "NaN";
constexpr const char* kInfinity = "Infinity";
constexpr const char* kMinusInfinity = "-Infinity";

/// Seconds since 1970, in milliseconds.
double now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) / 1000;
}

Json json_of(double v) {
  if (std::isnan(v)) return kNan;
  if (std::isinf(v)) return v > 0 ? kInfinity : kMinusInfinity;
  return v;
}

std::optional<double> number_of(const Json& v) {
  if (v.is_number()) return v.get<double>();
  if (!v.is_string()) return std::nullopt;
  const auto& text = v.get_ref<const std::string&>();
  if (text == kNan) return std::numeric_limits<double>::quiet_NaN();
  if (text == kInfinity) return std::numeric_limits<double>::infinity();
  if (text == kMinusInfinity) return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// The fields that each line has.
Json fields_of(std::int64_t step, std::string_view kind, double time) {
  return Json{{"step", step}, {"kind", kind}, {"time", time}};
}

std::string line_of(const Json& fields) {
  std::string out;
  for (const auto& [key, value] : fields.items()) {
    out += fmt::format("{}{}: {}", out.empty() ? "{" : ", ", Json(key).dump(), value.dump());
  }
  return out + "}\n";
}

/// The text of the log, which exists.
std::string text_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) fail(ErrorKind::kIo, "There is no log '{}'.", file.string());
  std::optional<std::string> text = os::read_file(file);
  if (!text.has_value()) fail(ErrorKind::kIo, "The log '{}' cannot be read.", file.string());
  return *std::move(text);
}

/// A line without its end.
LogLine parse(const fs::path& file, std::size_t number, std::string_view line) {
  const auto fault = [&](const std::string& what) {
    fail(ErrorKind::kParse, "Line {} of '{}' {}.", number, file.string(), what);
  };
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) fault("is not a JSON object");
  LogLine out;
  bool has_step = false;
  for (const auto& [key, value] : json.items()) {
    if (key == "step") {
      if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)) {
        fault(fmt::format("has the step {}; an integer of 64 bits is expected", value.dump().substr(0, 80)));
      }
      out.step = value.get<std::int64_t>();
      has_step = true;
    } else if (key == "kind" || key == "text") {
      if (!value.is_string()) fault(fmt::format("has a {} that is a {}; a text is expected", key, value.type_name()));
      (key == "kind" ? out.kind : out.text) = value.get<std::string>();
    } else if (const std::optional<double> v = number_of(value)) {
      if (key == "time") {
        out.time = *v;
      } else {
        out.values.emplace_back(key, *v);
      }
    } else {
      fault(fmt::format("has the value {} for {}; a number, \"{}\", \"{}\" or \"{}\" is expected",
                        value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 80), Json(key).dump(), kNan,
                        kInfinity, kMinusInfinity));
    }
  }
  if (!has_step || out.kind.empty()) fault("has no step or no kind; each line has both");
  return out;
}

/// Calls f with each whole line, its end included, and what it says; empty lines are skipped.
template <class F>
void for_lines(const fs::path& file, std::string_view text, F&& f) {
  std::size_t number = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    ++number;
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    f(text.substr(0, end + 1), parse(file, number, line));
  }
}

/// Removes the part of a line that a killed process left.
void repair(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  const std::string text = text_of(file);
  if (text.empty() || text.back() == '\n') return;
  const std::size_t end = text.rfind('\n');
  fs::resize_file(file, end == std::string::npos ? 0 : end + 1, error);
  if (error) fail(ErrorKind::kIo, "'{}' cannot be written: {}.", file.string(), error.message());
}

}  // namespace

struct RunLog::State {
  fs::path folder;
  std::optional<AppendFile> lines;
  std::optional<EventFile> events;         // made by the first value
  std::optional<std::int64_t> first_step;  // of the next event file, where the run was continued
};

RunLog::RunLog(fs::path folder) : state_(std::make_unique<State>()) {
  state_->folder = std::move(folder);
  repair(state_->folder / kFile);
  state_->lines.emplace(state_->folder / kFile);
}

RunLog::~RunLog() = default;
RunLog::RunLog(RunLog&&) noexcept = default;
RunLog& RunLog::operator=(RunLog&&) noexcept = default;

void RunLog::write(std::int64_t step, std::string_view kind, const Values& values) {
  if (kind.empty())
    fail(ErrorKind::kValue, "RunLog::write: an empty kind was given; \"train\" or another is expected.");
  const std::string clean_kind = well_formed(kind);
  const double time = now();
  Json fields = fields_of(step, clean_kind, time);
  Values tags;
  for (const auto& [given, value] : values) {
    const std::string name = well_formed(given);
    if (name.empty() || name == "text" || fields.contains(name)) {
      fail(ErrorKind::kValue,
           "RunLog::write: a value has the name '{}'; a name that is not empty, not step, kind, time or text, and not "
           "that of another value is expected.",
           name);
    }
    fields[name] = json_of(value);
    tags.emplace_back(fmt::format("{}/{}", clean_kind, name), value);
  }
  state_->lines->append(line_of(fields));
  if (tags.empty()) return;
  if (!state_->events) {
    state_->events.emplace(state_->folder, time, state_->first_step);
    state_->first_step.reset();
  }
  state_->events->write(time, step, tags);
}

void RunLog::note(std::int64_t step, std::string_view text) {
  Json fields = fields_of(step, "note", now());
  fields["text"] = well_formed(text);
  state_->lines->append(line_of(fields));
}

void RunLog::continue_from(std::int64_t step) {
  const fs::path file = state_->folder / kFile;
  const std::string text = text_of(file);
  std::string kept;
  for_lines(file, text, [&](std::string_view line, const LogLine& parsed) {
    if (parsed.step <= step) kept += line;
  });
  if (kept.size() != text.size()) {
    os::replace_file(file, kept);
    state_->lines = AppendFile(file);  // the open file was the old one
  }
  state_->events.reset();
  if (!text.empty()) state_->first_step = step + 1;
}

void RunLog::flush() {
  os::sync_file(state_->lines->path());
  if (state_->events) os::sync_file(state_->events->path());
}

std::vector<LogLine> read_log(const fs::path& folder) {
  const fs::path file = folder / kFile;
  std::vector<LogLine> out;
  for_lines(file, text_of(file), [&](std::string_view, LogLine line) { out.push_back(std::move(line)); });
  return out;
}

}  // namespace tessera::train
