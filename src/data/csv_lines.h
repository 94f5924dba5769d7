// The records and fields of CSV text (RFC 4180).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/data/sources.h"
#include "tessera/host.h"

namespace tessera::data {

/// One record, which may have several lines.
struct CsvRecord {
  std::size_t begin;   // in the text
  std::size_t end;     // without the line break
  std::size_t breaks;  // line breaks, with the one behind it
};

/// The records of a text, in time that is linear in its size. Where a quoted column does not end with a quote and a
/// delimiter or a line break, the line with the first column of the record is a record by itself, for which csv_fields
/// gives nothing, and the next line begins another one: a quote too many does not take the rest of the text with it.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, std::size_t begin, char delimiter)
      : text_(text), at_(begin), delimiter_(delimiter) {}

  /// Nothing at the end of the text.
  std::optional<CsvRecord> next();

 private:
  CsvRecord line(std::size_t end_of_line, std::size_t breaks);

  std::string_view text_;
  std::size_t at_;
  char delimiter_;
  std::size_t bad_until_ =
      0;  // a quote that is open at a line break in front of this ends where another one did: badly
};

struct CsvFields {
  std::vector<std::string> texts;  // without their quotes
  std::size_t count;               // of all fields
};

/// Splits a record into fields, of which the first `most` are kept. Nothing if a quoted field does not end, or does not
/// end at a delimiter.
std::optional<CsvFields> csv_fields(std::string_view record, char delimiter, std::size_t most);

/// The data set of a file in memory. `path` is its name in messages.
DatasetPtr csv_dataset(HostView file, std::string path, const CsvOptions& options);

}  // namespace tessera::data
