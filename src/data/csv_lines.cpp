// Finds the records and fields of CSV text; quotes count where a field begins with one.
#include "data/csv_lines.h"

#include <algorithm>
#include <utility>

namespace tessera::data {

CsvRecord csv_record(std::string_view text, std::size_t begin, char delimiter) {
  CsvRecord record{begin, text.size(), text.size(), 0};
  bool quoted = false;
  bool field_begins = true;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++record.breaks;
      if (quoted) continue;
      record.end = i > begin && text[i - 1] == '\r' ? i - 1 : i;
      record.next = i + 1;
      return record;
    }
    if (c == '"' && (quoted || field_begins)) quoted = !quoted;
    // Behind a closing quote another one reopens the field: a doubled quote.
    field_begins = c == delimiter || (c == '"' && !quoted);
    if (quoted) field_begins = false;
  }
  if (record.end > begin && text[record.end - 1] == '\r') --record.end;
  return record;
}

std::optional<std::vector<std::string>> csv_fields(std::string_view record, char delimiter) {
  std::vector<std::string> fields;
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
    fields.push_back(std::move(field));
    if (at == record.size()) return fields;
    ++at;  // the delimiter; at the end an empty field follows it
  }
}

}  // namespace tessera::data
