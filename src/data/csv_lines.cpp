// Finds the records and fields of CSV text; quotes count where a field begins with one.
#include "data/csv_lines.h"

#include <algorithm>
#include <utility>

namespace tessera::data {

/// The record that ends with the line that ends there.
CsvRecord CsvRecords::line(std::size_t end_of_line, std::size_t breaks) {
  const std::size_t begin = at_;
  std::size_t end = std::min(end_of_line, text_.size());
  at_ = std::min(end + 1, text_.size());
  if (end > begin && text_[end - 1] == '\r') --end;
  return {begin, end, breaks};
}

std::optional<CsvRecord> CsvRecords::next() {
  if (at_ >= text_.size()) return std::nullopt;
  enum class In : std::uint8_t { kBegin, kPlain, kQuoted, kClosed } in = In::kBegin;  // of a field; behind its quotes
  std::size_t breaks = 0;
  std::size_t i = at_;
  for (; i < text_.size(); ++i) {
    const char c = text_[i];
    if (in == In::kQuoted) {
      if (c == '"') in = In::kClosed;
      if (c != '\n') continue;
      if (i < bad_until_) break;
      ++breaks;
    } else if (c == '\n') {
      return line(i, breaks + 1);
    } else if (c == delimiter_) {
      in = In::kBegin;
    } else if (c == '"' && in != In::kPlain) {
      in = In::kQuoted;  // the first one, or the second one of a doubled quote
    } else if (in == In::kClosed && (c != '\r' || (i + 1 < text_.size() && text_[i + 1] != '\n'))) {
      break;
    } else if (in == In::kBegin) {
      in = In::kPlain;
    }
  }
  if (i == text_.size() && in != In::kQuoted) return line(i, breaks);
  if (breaks > 0) bad_until_ = std::max(bad_until_, i);
  return line(text_.find('\n', at_), 1);
}

std::optional<CsvFields> csv_fields(std::string_view record, char delimiter, std::size_t most) {
  CsvFields fields{{}, 0};
  fields.texts.reserve(std::min(most, record.size() + 1));
  std::size_t at = 0;
  while (true) {
    std::string field;
    if (at < record.size() && record[at] == '"') {
      for (++at;; ++at) {
        const std::size_t quote = record.find('"', at);
        if (quote == std::string_view::npos) return std::nullopt;
        field += record.substr(at, quote - at);
        at = quote + 1;
        if (at == record.size() || record[at] != '"') break;
        field += '"';
      }
      if (at < record.size() && record[at] != delimiter) return std::nullopt;
    } else {
      const std::size_t end = std::min(record.find(delimiter, at), record.size());
      field = record.substr(at, end - at);
      at = end;
    }
    if (fields.count++ < most) fields.texts.push_back(std::move(field));
    if (at == record.size()) return fields;
    ++at;  // the delimiter; at the end an empty field follows it
  }
}

}  // namespace tessera::data
