// Parses the provider's message about a rejected shader.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/fail.h"
#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

namespace {

std::string_view line_of(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

/// The numbers after `mark`, up to N, separated by other characters.
template <std::size_t N>
std::optional<std::array<std::uint64_t, N>> numbers_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + mark.size());
  std::array<std::uint64_t, N> result{};
  for (std::uint64_t& n : result) {
    text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return result;
}

struct Report {
  int line = 0;
  int column = 0;
  std::string reason;
};

/// The provider prints "┌─ label:12:3", then the line with "^^^ note" under it, then "= more", then its causes.
Report read(std::string_view message) {
  constexpr std::string_view kCorner = "┌─ ";
  constexpr std::string_view kBar = "│";
  Report report;
  const auto say = [&](std::string_view words) {
    if (words.empty() || report.reason.find(words) != std::string::npos) return;
    if (!report.reason.empty()) report.reason += ": ";
    report.reason += words;
  };
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view line = trim(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (line.starts_with(kCorner)) {
      const std::size_t column = line.rfind(':');
      const std::size_t row = column == 0 ? 0 : line.rfind(':', column - 1);
      if (report.line == 0 && row != std::string_view::npos) {
        std::from_chars(line.data() + row + 1, line.data() + column, report.line);
        std::from_chars(line.data() + column + 1, line.data() + line.size(), report.column);
      }
    } else if (line.find(kBar) != std::string_view::npos) {
      const std::size_t caret = line.rfind('^');
      const std::string_view note = caret == std::string_view::npos ? "" : trim(line.substr(caret + 1));
      if (!note.starts_with("naga::")) say(note);
    } else {
      if (line.starts_with("= ")) line = trim(line.substr(2));
      // The failing call and that it is a shader are known.
      if (line == "Validation Error" || line == "·" || line == "Caused by:" || line.starts_with("In wgpu")) continue;
      if (const std::size_t at = line.find(" error: "); at != std::string_view::npos) line.remove_prefix(at + 8);
      if (line.ends_with("against the pipeline") || line.ends_with("validation error")) continue;
      while (!line.empty() && (line.back() == '.' || line.back() == ':')) line.remove_suffix(1);
      say(line);
    }
  }
  return report;
}

std::optional<Error> workgroup_error(const Program& program, std::string_view message) {
  const auto given = numbers_after<4>(message, "orkgroup size [");
  const auto limits = numbers_after<3>(message, "max_compute_workgroup_size_*` of [");
  const auto total = numbers_after<1>(message, "max_compute_invocations_per_workgroup` of");
  if (!given.has_value() || !limits.has_value() || !total.has_value()) return std::nullopt;
  const auto make = [&](std::uint64_t n, std::uint64_t limit, std::string_view what) {
    return Error(ErrorKind::kLimit,
                 fmt::format("Kernel '{}' needs {} {}; the device has at most {}.", program.label, n, what, limit),
                 {.requested = n, .available = limit, .op = program.label});
  };
  for (std::size_t i = 0; i < 3; ++i) {
    if ((*given)[i] > (*limits)[i]) return make((*given)[i], (*limits)[i], "invocations along one side of a workgroup");
  }
  return make((*given)[3], (*total)[0], "invocations in a workgroup");
}

}  // namespace

Error shader_error(const Program& program, std::string_view message) {
  if (auto limit = workgroup_error(program, message)) return *limit;
  const Report report = read(message);
  Error::Fields fields{.line = report.line, .column = report.column, .op = program.label};
  std::string text = fmt::format("Kernel '{}' does not compile: {}", program.label, report.reason);
  if (fields.line > program.header_lines) {
    const std::string_view source = trim(line_of(program.wgsl, fields.line));
    fields.line -= program.header_lines;
    text += fmt::format(", at line {}, column {}: `{}`", fields.line, fields.column, source);
  } else if (fields.line > 0) {
    const std::string_view source = trim(line_of(program.wgsl, fields.line));
    text += fmt::format(", in the header that is written in front of its text: `{}`", source);
    fields.line = fields.column = 0;
  }
  return {ErrorKind::kShader, text + ".", fields};
}

}  // namespace tessera::runtime::webgpu
