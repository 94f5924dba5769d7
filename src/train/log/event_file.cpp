// Encodes records and messages of TensorBoard's event files.
#include "train/log/event_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "base/os/system.h"

namespace tessera::train {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "events.out.tfevents.";

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? (c >> 1U) ^ 0x82F63B78U : c >> 1U;
    table[i] = c;
  }
  return table;
}

std::uint32_t masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

template <class V>
void put_fixed(std::string& out, V v) {
  for (std::size_t i = 0; i < sizeof(V); ++i) out += static_cast<char>(v >> (8 * i) & 0xFFU);
}

void put_varint(std::string& out, std::uint64_t v) {
  for (; v >= 0x80; v >>= 7U) out += static_cast<char>(v | 0x80U);
  out += static_cast<char>(v);
}

// Fields of a message: the number and one of the wire types.
enum Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void put_key(std::string& out, unsigned field, Wire wire) { put_varint(out, field << 3U | wire); }

void put_bytes(std::string& out, unsigned field, std::string_view bytes) {
  put_key(out, field, kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

/// Event: wall_time = 1, step = 2, file_version = 3, summary = 5, session_log = 7.
std::string event_of(double time, std::int64_t step) {
  std::string out;
  put_key(out, 1, kFixed64);
  put_fixed(out, std::bit_cast<std::uint64_t>(time));
  put_key(out, 2, kVarint);
  put_varint(out, static_cast<std::uint64_t>(step));
  return out;
}

float in_float(double v) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
  if (std::isfinite(v) && std::abs(v) > kMost) {
    return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(std::copysign(1.0, v)));
  }
  return static_cast<float>(v);
}

/// The name of a new file: after the seconds of all others.
fs::path new_file(const fs::path& folder, double time) {
  auto seconds = static_cast<std::int64_t>(time);
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    std::int64_t other = 0;
    const char* begin = name.data() + kPrefix.size();
    if (std::from_chars(begin, name.data() + name.size(), other).ec != std::errc()) continue;
    constexpr std::int64_t kLast = 9'999'999'998;  // ten digits, as the names are compared as text
    if (other <= kLast) seconds = std::max(seconds, other + 1);
  }
  return folder / fmt::format("{}{:010}.tessera.{}", kPrefix, seconds, os::process_id());
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) crc = crc >> 8U ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU];
  return ~crc;
}

EventFile::EventFile(const fs::path& folder, double time, std::optional<std::int64_t> first_step)
    : file_(new_file(folder, time)) {
  std::string version = event_of(time, 0);
  put_bytes(version, 3, "brain.Event:2");
  record(version);
  if (!first_step.has_value()) return;
  std::string session;  // SessionLog: status = 1, of which 1 is START
  put_key(session, 1, kVarint);
  put_varint(session, 1);
  std::string start = event_of(time, *first_step);
  put_bytes(start, 7, session);
  record(start);
}

void EventFile::write(double time, std::int64_t step, std::span<const std::pair<std::string, double>> values) {
  std::string summary;
  for (const auto& [tag, number] : values) {
    std::string value;  // Summary.Value: tag = 1, simple_value = 2
    put_bytes(value, 1, tag);
    put_key(value, 2, kFixed32);
    put_fixed(value, std::bit_cast<std::uint32_t>(in_float(number)));
    put_bytes(summary, 1, value);
  }
  std::string event = event_of(time, step);
  put_bytes(event, 5, summary);
  record(event);
}

/// Length, its checksum, the message, its checksum.
void EventFile::record(std::string_view event) {
  std::string out;
  put_fixed(out, static_cast<std::uint64_t>(event.size()));
  put_fixed(out, masked_crc(out));
  out += event;
  put_fixed(out, masked_crc(event));
  file_.append(out);
}

}  // namespace tessera::train
