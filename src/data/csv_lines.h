// The records and fields of CSV text (RFC 4180).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::data {

/// One record, which may have several lines.
struct CsvRecord {
  std::size_t begin;   // in the text
  std::size_t end;     // without the line break
  std::size_t next;    // where the one after it begins
  std::size_t breaks;  // line breaks from `begin` to `next`
};

/// The record that begins there. One whose quotes do not end goes to the end of the text.
CsvRecord csv_record(std::string_view text, std::size_t begin, char delimiter);

/// Splits a record into fields, without their quotes. Nothing if a quoted field does not end, or does not end at a
/// delimiter.
std::optional<std::vector<std::string>> csv_fields(std::string_view record, char delimiter);

}  // namespace tessera::data
