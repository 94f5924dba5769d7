// Parses the header of npy files, a dict in Python's syntax: every field is checked against the size of the file.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/fail.h"
#include "base/sizes.h"
#include "io/npy/npy.h"

namespace tessera::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxNpyHeader = std::size_t{1} << 20U;

/// Where the dict begins, behind its length of 2 or 4 bytes.
constexpr std::size_t dict_begin(std::size_t version) { return version == 1 ? 10 : 12; }

struct NpyType {
  std::string_view code;
  DType dtype;
};
constexpr std::array kNpyTypes{
    NpyType{"b1", boolean}, NpyType{"i1", i8},  NpyType{"u1", u8},  NpyType{"i2", i16},   NpyType{"u2", u16},
    NpyType{"i4", i32},     NpyType{"u4", u32}, NpyType{"i8", i64}, NpyType{"u8", u64},   NpyType{"f2", f16},
    NpyType{"f4", f32},     NpyType{"f8", f64}, NpyType{"c8", c64}, NpyType{"c16", c128},
};

/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, with the keys in any order.
class DictParser {
 public:
  DictParser(std::string_view text, const Fault& fault) : text_(text), whole_(text), fault_(fault) {}

  void parse(NpyHeader& header) {
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !descr_) {
        descr_ = element_type();
      } else if (key == "fortran_order" && !reversed_) {
        reversed_ = boolean_value();
      } else if (key == "shape" && !shape_) {
        shape_ = sizes();
      } else {
        wrong();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!text_.empty() || !descr_ || !reversed_ || !shape_) wrong();
    set_type(header);
    header.reversed = *reversed_;
    header.shape = *shape_;
  }

 private:
  [[noreturn]] void wrong() const {
    fault_(fmt::format("has the header {}; a dict of descr, fortran_order and shape is expected", quote(whole_)));
  }
  void skip_blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) wrong();
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::string_view quoted() {
    const char mark = take('\'') ? '\'' : '"';
    if (mark == '"') expect('"');
    const std::size_t end = text_.find(mark);
    if (end == std::string_view::npos) wrong();
    const std::string_view inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return inside;
  }
  std::string_view element_type() {
    skip_blanks();
    if (text_.starts_with('[')) fault_("has elements of several fields; numbers are expected");
    return quoted();
  }
  bool boolean_value() {
    if (take_word("True")) return true;
    if (!take_word("False")) wrong();
    return false;
  }
  Shape sizes() {
    Shape shape;
    expect('(');
    while (!take(')')) {
      if (shape.rank() == kMaxRank)
        fault_(fmt::format("has more than {} axes; at most {} are expected", kMaxRank, kMaxRank));
      shape.push_back(size());
      take_word("L");  // of Python 2
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }
  std::int64_t size() {
    skip_blanks();
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9'; ++digits) {
      const int digit = text_[digits] - '0';
      if (value > (kMaxTensorBytes - digit) / 10) {
        fault_(fmt::format("has the header {}; sizes of at most 2^60 bytes together are expected", quote(whole_)));
      }
      value = value * 10 + digit;
    }
    if (digits == 0) wrong();
    text_.remove_prefix(digits);
    return value;
  }
  void set_type(NpyHeader& header) const {
    const std::string_view code = descr_->substr(std::min<std::size_t>(1, descr_->size()));
    const char order = descr_->empty() ? '\0' : (*descr_)[0];
    const auto* const found = std::ranges::find(kNpyTypes, code, &NpyType::code);
    if (code == "O") fault_("has pickled objects of Python, which are not read; numbers are expected");
    if (found == kNpyTypes.end() || (order != '<' && order != '>' && order != '|' && order != '=')) {
      fault_(fmt::format("has elements of type {}; bool, integers, f16 to f64 or complex numbers are expected",
                         quote(*descr_)));
    }
    header.dtype = found->dtype;
    header.swapped = order == '>' && size_of(found->dtype) > 1;
  }

  std::string_view text_, whole_;
  const Fault& fault_;
  std::optional<std::string_view> descr_ = {};
  std::optional<bool> reversed_ = {};
  std::optional<Shape> shape_ = {};
};

/// The bytes of the elements, of which there are `available`.
void check_size(const NpyHeader& header, std::size_t available, const Fault& fault) {
  std::uint64_t bytes = size_of(header.dtype);  // without sizes of 0: strides must fit as well
  for (const std::int64_t n : header.shape) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1));
    if (bytes > static_cast<std::uint64_t>(kMaxTensorBytes) / size) {
      fault(fmt::format("has the shape {}; sizes of at most 2^60 bytes together are expected", header.shape));
    }
    bytes *= size;
  }
  if (std::ranges::find(header.shape, 0) != header.shape.end()) bytes = 0;
  if (bytes != available) {
    fault(fmt::format("has {} bytes of elements; {} are expected for {} of shape {}", available, bytes,
                      name(header.dtype), header.shape));
  }
}

}  // namespace

std::size_t npy_offset(std::span<const std::byte> first, std::size_t size, const Fault& fault) {
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(first[i]); };
  if (!text.starts_with(kMagic)) fault("does not begin with the signature of npy files");
  if (size < kNpyFirst || first.size() < kNpyFirst) {
    fault(fmt::format("has {} bytes; a header of at least {} is expected", std::min(size, first.size()), kNpyFirst));
  }
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    fault(fmt::format("has version {} of the npy format; 1, 2 or 3 is expected", version));
  const std::size_t begin = dict_begin(version);
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8U : byte(8) | byte(9) << 8U | byte(10) << 16U | byte(11) << 24U;
  const std::size_t most = std::min(size - begin, kMaxNpyHeader);
  if (length > most) fault(fmt::format("has a header of {} bytes; at most {} are expected", length, most));
  return begin + length;
}

NpyHeader parse_npy(std::span<const std::byte> first, std::size_t size, const Fault& fault) {
  const std::size_t offset = npy_offset(first, size, fault);
  if (first.size() < offset) fault(fmt::format("has {} bytes of a header of {}", first.size(), offset));
  const std::string_view text(reinterpret_cast<const char*>(first.data()), offset);
  NpyHeader header{f32, false, false, {}, offset};
  DictParser(text.substr(dict_begin(std::to_integer<std::size_t>(first[6]))), fault).parse(header);
  check_size(header, size - offset, fault);
  return header;
}

NpyHeader parse_npy(std::span<const std::byte> file, const Fault& fault) { return parse_npy(file, file.size(), fault); }

}  // namespace tessera::io
