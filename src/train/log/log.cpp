// Writes and reads the log of a run.
#include "tessera/train/log.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/log.h"
#include "base/os/files.h"
#include "io/json.h"
#include "train/log/append_file.h"
#include "train/log/event_file.h"
#include "train/log/text.h"

namespace tessera::train {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "log.jsonl";
constexpr const char* kDamaged = "log.jsonl.damaged";
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

std::optional<double> number_of(const io::JsonValue& v) {
  switch (v.kind) {
    case io::JsonKind::kInteger:
      return static_cast<double>(v.integer);
    case io::JsonKind::kNegative:
      return static_cast<double>(static_cast<std::int64_t>(v.integer));
    case io::JsonKind::kNumber:
      return v.number;
    default:
      break;
  }
  if (v.kind != io::JsonKind::kText) return std::nullopt;
  if (v.text == kNan) return std::numeric_limits<double>::quiet_NaN();
  if (v.text == kInfinity) return std::numeric_limits<double>::infinity();
  if (v.text == kMinusInfinity) return -std::numeric_limits<double>::infinity();
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

/// What the members of a line say. No value has parts: what is nested is refused where it begins.
class LineVisitor final : public io::JsonVisitor {
 public:
  LineVisitor(std::size_t number, const io::Fault& fault) : number_(number), fault_(fault) {}

  void value(const io::JsonPath& path, const io::JsonValue& v) override {
    if (path.depth() == 0) return;  // visit_json expects an object
    const std::string& key = path.keys[0];
    if (key == "step") {
      if (v.kind != io::JsonKind::kNegative && (v.kind != io::JsonKind::kInteger || v.integer > INT64_MAX)) {
        wrong(fmt::format("with the step {}; an integer of 64 bits is expected", v.str()));
      }
      line_.step = static_cast<std::int64_t>(v.integer);
      has_step_ = true;
    } else if (key == "kind" || key == "text") {
      if (v.kind != io::JsonKind::kText) wrong(fmt::format("with the {} {}; a text is expected", key, v.str()));
      (key == "kind" ? line_.kind : line_.text) = v.text;
    } else if (const std::optional<double> number = number_of(v); !number.has_value()) {
      wrong(fmt::format("with the value {} for {}; a number, \"{}\", \"{}\" or \"{}\" is expected", v.str(),
                        io::quote(key), kNan, kInfinity, kMinusInfinity));
    } else if (key == "time") {
      line_.time = *number;
    } else {
      line_.values.emplace_back(key, *number);
    }
  }
  void end(const io::JsonPath& /*path*/) override {}

  LogLine finish() {
    if (!has_step_ || line_.kind.empty()) wrong("without a step or a kind; each line has both");
    return std::move(line_);
  }

 private:
  [[noreturn]] void wrong(const std::string& text) const { fault_(fmt::format("has line {} {}", number_, text)); }

  std::size_t number_;
  const io::Fault& fault_;
  LogLine line_;
  bool has_step_ = false;
};

/// A line. Error of kind parse with its number.
LogLine parse(const fs::path& file, std::size_t number, std::string_view line) {
  const io::Fault fault(file.string(), "read_log");
  LineVisitor visitor(number, fault);
  io::visit_json(line, fmt::format("line {}", number), visitor, fault);
  return visitor.finish();
}

/// Calls f with each whole line, its end included, and its number; empty lines are skipped.
template <class F>
void for_lines(std::string_view text, F&& f) {
  std::size_t number = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    ++number;
    const std::string_view line = text.substr(0, end + 1);
    if (line.find_first_not_of(" \t\r\n") != std::string_view::npos) f(line, number);
  }
}

/// The names that TensorBoard has for the values of a line.
Values tags_of(std::string_view kind, const Values& values) {
  Values tags;
  for (const auto& [name, value] : values) tags.emplace_back(fmt::format("{}/{}", kind, name), value);
  return tags;
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
  std::vector<LogLine> of_first_step;      // lines that stay, and that TensorBoard forgets there
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
  Values named;
  for (const auto& [given, value] : values) {
    const std::string name = well_formed(given);
    if (name.empty() || name == "text" || fields.contains(name)) {
      fail(ErrorKind::kValue,
           "RunLog::write: a value has the name '{}'; a name that is not empty, not step, kind, time or text, and not "
           "that of another value is expected.",
           name);
    }
    fields[name] = json_of(value);
    named.emplace_back(name, value);
  }
  state_->lines->append(line_of(fields));
  if (named.empty()) return;
  if (!state_->events) {
    state_->events.emplace(state_->folder, time, state_->first_step);
    for (const LogLine& line : state_->of_first_step) {
      if (!line.values.empty()) state_->events->write(line.time, line.step, tags_of(line.kind, line.values));
    }
    state_->first_step.reset();
    state_->of_first_step.clear();
  }
  state_->events->write(time, step, tags_of(clean_kind, named));
}

void RunLog::note(std::int64_t step, std::string_view text) {
  Json fields = fields_of(step, "note", now());
  fields["text"] = well_formed(text);
  state_->lines->append(line_of(fields));
}

void RunLog::continue_from(std::int64_t step, const std::vector<std::string>& again) {
  const fs::path file = state_->folder / kFile;
  const std::string text = text_of(file);
  std::string kept;
  std::vector<LogLine> of_step;
  std::size_t damaged = 0;
  std::string why;
  for_lines(text, [&](std::string_view line, std::size_t number) {
    LogLine parsed;
    try {
      parsed = parse(file, number, line);
    } catch (const Error& e) {
      if (damaged++ == 0) why = e.what();
      return;
    }
    if (parsed.step > step || (parsed.step == step && std::ranges::find(again, parsed.kind) != again.end())) return;
    kept += line;
    if (parsed.step == step) of_step.push_back(std::move(parsed));
  });
  if (damaged > 0) {
    os::replace_file(state_->folder / kDamaged, text);
    log_warn("{} The lines of the log that cannot be read are left out: {} of them. '{}' is the log as it was.", why,
             damaged, (state_->folder / kDamaged).string());
  }
  if (kept.size() != text.size()) {
    os::replace_file(file, kept);
    state_->lines = AppendFile(file);  // the open file was the old one
  }
  state_->events.reset();
  if (text.empty()) return;
  state_->first_step = step;
  state_->of_first_step = std::move(of_step);
}

void RunLog::flush() {
  os::sync_file(state_->lines->path());
  if (state_->events) os::sync_file(state_->events->path());
  os::sync_folder(state_->folder);  // which has new files
}

std::vector<LogLine> read_log(const fs::path& folder) {
  const fs::path file = folder / kFile;
  const std::string text = text_of(file);
  std::vector<LogLine> out;
  for_lines(text, [&](std::string_view line, std::size_t number) { out.push_back(parse(file, number, line)); });
  return out;
}

}  // namespace tessera::train
