// Binary PPM and PGM files: a header of four texts, and rows of samples with 8 or 16 bits.
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "data/image_files.h"

namespace tessera::data {

namespace {

/// The numbers of a header, one after the other.
class PnmHeader {
 public:
  PnmHeader(std::span<const std::byte> file, const std::string& what) : file_(file), what_(what) {}

  /// White space and comments, then digits; at least 1 and at most `most`.
  std::uint64_t number(std::string_view name, std::uint64_t most) {
    skip();
    std::uint64_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < file_.size() && current() >= '0' && current() <= '9'; ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(current() - '0');
      if (value > most) fail(ErrorKind::kParse, "{} is not valid: its {} is more than {}.", what_, name, most);
    }
    if (at_ == begin) fail(ErrorKind::kParse, "{} is not valid: its {} is missing.", what_, name);
    if (value == 0) fail(ErrorKind::kParse, "{} is not valid: its {} is 0.", what_, name);
    return value;
  }
  /// The samples, behind one more byte of white space.
  std::span<const std::byte> rest() {
    if (at_ >= file_.size() || !is_space(current())) {
      fail(ErrorKind::kParse, "{} is not valid: white space is expected behind the largest value.", what_);
    }
    return file_.subspan(at_ + 1);
  }

 private:
  [[nodiscard]] char current() const { return static_cast<char>(file_[at_]); }
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip() {
    while (at_ < file_.size() && (is_space(current()) || current() == '#')) {
      if (current() == '#') {
        while (at_ < file_.size() && current() != '\n') ++at_;
      } else {
        ++at_;
      }
    }
  }

  std::span<const std::byte> file_;
  const std::string& what_;
  std::size_t at_ = 2;  // behind "P5"
};

}  // namespace

std::size_t checked_bytes(const std::string& what, std::uint64_t height, std::uint64_t width, std::uint64_t channels,
                          std::uint64_t max_bytes) {
  // Sizes have at most 32 bits, and channels are few.
  const std::uint64_t pixels = height * width;
  if (pixels > max_bytes / channels) {
    fail(ErrorKind::kLimit, "{} is too large: the image is {} x {} with {} channels, which takes more than {} bytes.",
         what, width, height, channels, max_bytes);
  }
  return static_cast<std::size_t>(pixels * channels);
}

Pixels decode_pnm(std::span<const std::byte> file, const std::string& what, std::uint64_t max_bytes) {
  const std::uint64_t channels = static_cast<char>(file[1]) == '6' ? 3 : 1;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  PnmHeader header(file, what);
  const std::uint64_t width = header.number("width", kMost);
  const std::uint64_t height = header.number("height", kMost);
  const std::uint64_t largest = header.number("largest value", 65535);
  const std::span<const std::byte> samples = header.rest();
  const std::size_t count = checked_bytes(what, height, width, channels, max_bytes);
  const std::size_t size = largest > 255 ? 2 : 1;
  if (samples.size() / size < count) {
    fail(ErrorKind::kParse, "{} is not valid: it is truncated, with {} bytes of pixels instead of {}.", what,
         samples.size(), count * size);
  }
  auto out = std::make_shared<std::vector<std::uint8_t>>(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto value = static_cast<std::uint64_t>(samples[i * size]);
    if (size == 2) value = value << 8U | static_cast<std::uint64_t>(samples[i * size + 1]);
    if (value > largest) {
      fail(ErrorKind::kParse, "{} is not valid: a sample is {}, and the header has {} as the largest value.", what,
           value, largest);
    }
    (*out)[i] = static_cast<std::uint8_t>((value * 255 + largest / 2) / largest);
  }
  return {.bytes = {.bytes = std::as_bytes(std::span(*out)), .owner = out, .shared = false},
          .height = static_cast<std::int64_t>(height),
          .width = static_cast<std::int64_t>(width),
          .channels = static_cast<std::int64_t>(channels)};
}

}  // namespace tessera::data
