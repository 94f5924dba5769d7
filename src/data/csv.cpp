// CSV files as data sets: the lines are indexed when the file is opened, and parsed when they are loaded.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/os/files.h"
#include "data/arrays.h"
#include "data/csv_lines.h"
#include "io/json.h"
#include "tessera/data/sources.h"

namespace tessera::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostColumns = std::size_t{1} << 20U;

struct Field {
  std::string name;
  std::vector<std::size_t> columns;  // positions
  bool scalar;
  CsvKind kind;
  std::map<std::string, std::int32_t, std::less<>> labels = {};
};

struct Line {
  std::size_t begin;  // in the file
  std::size_t end;
  std::size_t number;  // from 1 on
};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The number that is the whole text; a plus in front of it is allowed.
template <class V>
std::optional<V> number_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  V value{};
#if defined(__EMSCRIPTEN__)
  if constexpr (std::is_floating_point_v<V>) {
    // Its library has no from_chars for floats, and strtod knows no locale but C.
    const std::string copy(text);
    if (copy.empty() || copy.find_first_of(" \t\r\n\v\f+") == 0 || copy.find_first_of("xX") != std::string::npos) {
      return std::nullopt;
    }
    char* end = nullptr;
    errno = 0;
    value = static_cast<V>(std::strtod(copy.c_str(), &end));
    if (errno == ERANGE || end != copy.c_str() + copy.size()) return std::nullopt;
    return value;
  } else
#endif
  {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }
}

/// f32 by way of a double; nothing for numbers past the range of f32.
std::optional<float> float_of(std::string_view text) {
  const std::optional<double> value = number_of<double>(text);
  if (!value) return std::nullopt;
  const auto rounded = static_cast<float>(*value);
  if (std::isinf(rounded) && !std::isinf(*value)) return std::nullopt;
  return rounded;
}

class Csv final : public Dataset {
 public:
  Csv(HostView file, std::string path, const CsvOptions& options)
      : path_(std::move(path)),
        delimiter_(options.delimiter),
        file_(std::move(file)),
        text_(reinterpret_cast<const char*>(file_.bytes.data()), file_.bytes.size()) {
    if (delimiter_ == '"' || delimiter_ == '\n' || delimiter_ == '\r') {
      fail(ErrorKind::kValue, "from_csv: a quote or a line break was given as the delimiter.");
    }
    index_lines();
    names_ = options.names.empty() ? header() : options.names;
    find_positions();
    if (options.fields.empty()) {
      for (const std::string& name : names_) add_field({.name = name});
    }
    for (const CsvField& field : options.fields) add_field(field);
    // Names of fields are checked here, not by the first sample.
    std::vector<Sample::Named> fields;
    for (const Field& field : fields_) fields.emplace_back(field.name, Array());
    const Sample checked(std::move(fields));
    find_classes();
  }

  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(lines_.size()); }

  [[nodiscard]] Sample get(std::int64_t i) const override {
    const Line& line = lines_[static_cast<std::size_t>(i)];
    const std::string_view text = text_of(line);
    const std::optional<CsvFields> row = csv_fields(text, delimiter_, names_.size());
    if (!row) wrong(line, "has a quoted column that does not end with a quote and a delimiter");
    if (row->count != names_.size()) {
      const auto breaks = std::ranges::count(text, '\n');
      wrong(line, fmt::format("has {} columns{}; {} are expected", row->count,
                              breaks == 0 ? "" : fmt::format(" in {} lines", breaks + 1), names_.size()));
    }
    std::vector<Sample::Named> fields;
    fields.reserve(fields_.size());
    for (const Field& field : fields_) fields.emplace_back(field.name, array_of(field, row->texts, line));
    return sample_of_checked(std::move(fields));
  }

  [[nodiscard]] std::string name(std::int64_t i) const override {
    return fmt::format("{}, line {}", path_, lines_[static_cast<std::size_t>(i)].number);
  }

  [[nodiscard]] Classes classes() const override {
    Classes classes;
    for (const Field& field : fields_) {
      if (field.kind != CsvKind::kLabel) continue;
      std::vector<std::string>& names = classes[field.name];
      for (const auto& [label, number] : field.labels) names.push_back(label);
    }
    return classes;
  }

 private:
  [[noreturn]] void wrong(const Line& line, const std::string& text) const {
    throw Error(ErrorKind::kParse, fmt::format("from_csv: '{}', line {}, {}.", path_, line.number, text),
                {.line = static_cast<int>(std::min<std::size_t>(line.number, std::numeric_limits<int>::max()))});
  }

  [[nodiscard]] std::string_view text_of(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }

  void index_lines() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t number = 1;
    CsvRecords records(text_, text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0, delimiter_);
    while (const std::optional<CsvRecord> record = records.next()) {
      if (record->end > record->begin) lines_.push_back({record->begin, record->end, number});
      number += record->breaks;
    }
  }

  std::vector<std::string> header() {
    if (lines_.empty()) {
      fail(ErrorKind::kParse, "from_csv: '{}' has no lines; a line of names of columns is expected.", path_);
    }
    const Line line = lines_.front();
    lines_.erase(lines_.begin());
    std::optional<CsvFields> names = csv_fields(text_of(line), delimiter_, kMostColumns);
    if (!names) wrong(line, "has a quoted name that does not end with a quote and a delimiter");
    if (names->count > kMostColumns) {
      wrong(line, fmt::format("has {} columns; at most {} are expected", names->count, kMostColumns));
    }
    return std::move(names->texts);
  }

  void find_positions() {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!positions_.emplace(names_[i], i).second) {
        fail(ErrorKind::kParse, "from_csv: '{}' has two columns with the name {}.", path_, io::quote(names_[i]));
      }
    }
  }

  [[nodiscard]] std::size_t column(const std::string& name) const {
    constexpr std::size_t kPrinted = 20;
    const auto found = positions_.find(name);
    if (found != positions_.end()) return found->second;
    std::string names;
    for (std::size_t i = 0; i < names_.size() && i < kPrinted; ++i) {
      names += (names.empty() ? "" : ", ") + io::quote(names_[i]);
    }
    if (names_.size() > kPrinted) names = fmt::format("{} columns, such as {}", names_.size(), names);
    fail(ErrorKind::kValue, "from_csv: '{}' has no column {}; it has {}.", path_, io::quote(name), names);
  }

  void add_field(const CsvField& given) {
    Field field{given.name, {}, given.columns.empty(), given.kind};
    if (given.columns.empty()) field.columns.push_back(column(given.name));
    for (const std::string& name : given.columns) field.columns.push_back(column(name));
    fields_.push_back(std::move(field));
  }

  /// Lines that are not valid have no classes: they are errors when they are loaded.
  void find_classes() {
    if (std::ranges::none_of(fields_, [](const Field& f) { return f.kind == CsvKind::kLabel; })) return;
    for (const Line& line : lines_) {
      const std::optional<CsvFields> row = csv_fields(text_of(line), delimiter_, names_.size());
      if (!row || row->count != names_.size()) continue;
      for (Field& field : fields_) {
        if (field.kind != CsvKind::kLabel) continue;
        for (const std::size_t k : field.columns) field.labels.emplace(row->texts[k], 0);
      }
    }
    for (Field& field : fields_) {
      std::int32_t next = 0;
      for (auto& [label, number] : field.labels) number = next++;
    }
  }

  [[nodiscard]] Array array_of(const Field& field, const std::vector<std::string>& row, const Line& line) const {
    switch (field.kind) {
      case CsvKind::kFloat:
        return values(field, row, line, "a number that f32 has", float_of);
      case CsvKind::kInteger:
        return values(field, row, line, "an integer of 64 bits", number_of<std::int64_t>);
      case CsvKind::kLabel:
        break;
    }
    return values(field, row, line, "a class", [&](std::string_view text) -> std::optional<std::int32_t> {
      const auto found = field.labels.find(text);
      return found == field.labels.end() ? std::nullopt : std::optional(found->second);
    });
  }

  template <class Parse>
  [[nodiscard]] Array values(const Field& field, const std::vector<std::string>& row, const Line& line,
                             std::string_view expected, const Parse& parse) const {
    std::vector<typename decltype(parse(std::string_view()))::value_type> values;
    values.reserve(field.columns.size());
    for (const std::size_t k : field.columns) {
      const auto value = parse(row[k]);
      if (!value) {
        wrong(line, fmt::format("has {} in the column {}; {} is expected", io::quote(row[k]), io::quote(names_[k]),
                                expected));
      }
      values.push_back(*value);
    }
    const auto count = static_cast<std::int64_t>(values.size());
    return {std::move(values), field.scalar ? Shape{} : Shape{count}};
  }

  std::string path_;
  char delimiter_;
  HostView file_;
  std::string_view text_;
  std::vector<Line> lines_;
  std::vector<std::string> names_;
  std::map<std::string_view, std::size_t> positions_;  // of the names
  std::vector<Field> fields_;
};

}  // namespace

DatasetPtr csv_dataset(HostView file, std::string path, const CsvOptions& options) {
  return std::make_shared<const Csv>(std::move(file), std::move(path), options);
}

DatasetPtr from_csv(const fs::path& path, const CsvOptions& options) {
  const auto file = std::make_shared<const os::MappedFile>(path);
  return csv_dataset({file->bytes(), file, false}, path.string(), options);
}

}  // namespace tessera::data
