// Parses GGUF files: every length, count, type and offset is checked against the file before it is used.
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "base/fail.h"
#include "base/sizes.h"
#include "base/utf8.h"
#include "io/gguf/gguf_format.h"

namespace tessera::io {

namespace {

static_assert(std::endian::native == std::endian::little, "GGUF files are read in the order of the machine");

// The fewest bytes of an entry: counts are compared with what is left before memory is reserved for them.
constexpr std::uint64_t kMinMetadataBytes = 8 + 4 + 1;    // length of the key, type, value
constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 4 + 8;  // length of the name, rank, type, offset
constexpr std::uint64_t kStringBytes = 8;                 // length of a string

constexpr std::uint64_t kUnknownSize = std::uint64_t{1} << 62U;  // more than any file has: nothing is behind its end

/// Thrown where the file goes on behind the bytes that are there.
struct More {};

class Parser {
 public:
  /// The first bytes of a file of `size` bytes.
  Parser(std::span<const std::byte> first, std::uint64_t size, const Fault& fault)
      : file_(first), size_(size), fault_(fault) {}

  GgufHeader parse() {
    magic();
    const auto tensors = number<std::uint64_t>("the number of tensors");
    const auto keys = number<std::uint64_t>("the number of metadata keys");
    check_count(tensors, kMinTensorBytes, "tensors", at_ - 16);
    check_count(keys, kMinMetadataBytes, "metadata keys", at_ - 8);
    for (std::uint64_t i = 0; i < keys; ++i) metadata();
    alignment();
    header_.entries.reserve(static_cast<std::size_t>(tensors));
    for (std::uint64_t i = 0; i < tensors; ++i) tensor();
    place();
    return std::move(header_);
  }

 private:
  [[nodiscard]] std::uint64_t left() const { return size_ - at_; }

  [[noreturn]] void wrong(std::uint64_t at, const std::string& text, Error::Fields fields = {}) const {
    fault_(fmt::format("{} (at byte {})", text, at), std::move(fields));
  }

  void need(std::uint64_t bytes, std::string_view what) const {
    if (bytes > left()) {
      wrong(at_, fmt::format("ends inside of {}: {} bytes are expected, {} are left", what, bytes, left()),
            {.requested = bytes, .available = left()});
    }
    if (bytes > file_.size() - at_) throw More();
  }

  template <class T>
  T number(std::string_view what) {
    need(sizeof(T), what);
    T value;
    std::memcpy(&value, file_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

  std::string text(std::string_view what, std::uint64_t most = ~std::uint64_t{0}) {
    const std::uint64_t from = at_;
    const auto size = number<std::uint64_t>(what);
    if (size > std::min(left(), most)) {
      wrong(from, fmt::format("has {} of {} bytes; at most {} are expected", what, size, std::min(left(), most)),
            {.requested = size, .available = std::min(left(), most)});
    }
    need(size, what);
    std::string out(reinterpret_cast<const char*>(file_.data() + at_), static_cast<std::size_t>(size));
    if (!is_utf8(out)) wrong(from, fmt::format("has {} {} that is not valid UTF-8", what, quote(out)));
    at_ += static_cast<std::size_t>(size);
    return out;
  }

  void check_count(std::uint64_t count, std::uint64_t bytes_of_one, std::string_view what, std::uint64_t from) const {
    const std::uint64_t most = left() / bytes_of_one;
    if (count > most) {
      wrong(from, fmt::format("has {} {}; at most {} fit into the {} bytes that are left", count, what, most, left()),
            {.requested = count, .available = most});
    }
    need(count * bytes_of_one, what);
  }

  void magic() {
    if (size_ >= kGgufMagic.size() && file_.size() < kGgufMagic.size()) throw More();
    if (file_.size() < kGgufMagic.size() || std::memcmp(file_.data(), kGgufMagic.data(), kGgufMagic.size()) != 0) {
      const std::string first(reinterpret_cast<const char*>(file_.data()), std::min<std::size_t>(file_.size(), 4));
      wrong(0, fmt::format("begins with {}; 'GGUF' is expected", quote(first)));
    }
    at_ = kGgufMagic.size();
    header_.version = number<std::uint32_t>("the version");
    if (header_.version == 2 || header_.version == kGgufVersion) return;
    if (header_.version != 0 && (header_.version & 0xFFFFU) == 0) {
      wrong(4, "is a big-endian GGUF file; little-endian is expected");
    }
    wrong(4, fmt::format("has version {} of the GGUF format; 2 or 3 is expected", header_.version));
  }

  void metadata() {
    const std::uint64_t from = at_;
    std::string key = text("a metadata key", kGgufMaxName);
    if (key.empty()) wrong(from, "has an empty metadata key");
    if (header_.metadata.find(key) != nullptr) {
      wrong(from, fmt::format("has the metadata key {} twice; each key is expected once", quote(key)));
    }
    const auto type = number<std::uint32_t>("the type of a metadata value");
    header_.metadata.set(std::move(key), value(type));
  }

  GgufValue value(std::uint32_t type) {
    switch (type) {
      case 0:
        return number<std::uint8_t>(kValue);
      case 1:
        return number<std::int8_t>(kValue);
      case 2:
        return number<std::uint16_t>(kValue);
      case 3:
        return number<std::int16_t>(kValue);
      case 4:
        return number<std::uint32_t>(kValue);
      case 5:
        return number<std::int32_t>(kValue);
      case 6:
        return number<float>(kValue);
      case 7:
        return boolean();
      case 8:
        return text(kValue);
      case 9:
        return array();
      case 10:
        return number<std::uint64_t>(kValue);
      case 11:
        return number<std::int64_t>(kValue);
      case 12:
        return number<double>(kValue);
      default:
        wrong(at_ - 4,
              fmt::format("has a metadata value of type {}; a number from 0 (u8) to 12 (f64) is expected", type));
    }
  }

  bool boolean() {
    const auto byte = number<std::uint8_t>(kValue);
    if (byte > 1) wrong(at_ - 1, fmt::format("has a bool with the byte {}; 0 or 1 is expected", byte));
    return byte == 1;
  }

  GgufValue array() {
    const std::uint64_t from = at_;
    const auto type = number<std::uint32_t>("the type of an array");
    const auto count = number<std::uint64_t>("the size of an array");
    switch (type) {
      case 0:
        return numbers<std::uint8_t>(count);
      case 1:
        return numbers<std::int8_t>(count);
      case 2:
        return numbers<std::uint16_t>(count);
      case 3:
        return numbers<std::int16_t>(count);
      case 4:
        return numbers<std::uint32_t>(count);
      case 5:
        return numbers<std::int32_t>(count);
      case 6:
        return numbers<float>(count);
      case 7: {
        check_count(count, 1, kElements, from + 4);
        std::vector<bool> out(static_cast<std::size_t>(count));
        for (auto&& bit : out) bit = boolean();
        return out;
      }
      case 8: {
        check_count(count, kStringBytes, kElements, from + 4);
        std::vector<std::string> out;
        out.reserve(static_cast<std::size_t>(count));
        for (std::uint64_t i = 0; i < count; ++i) out.push_back(text("a string of an array"));
        return out;
      }
      case 9:
        wrong(from, "has an array of arrays; an array of numbers, bools or strings is expected");
      case 10:
        return numbers<std::uint64_t>(count);
      case 11:
        return numbers<std::int64_t>(count);
      case 12:
        return numbers<double>(count);
      default:
        wrong(from, fmt::format("has an array of type {}; a number from 0 (u8) to 12 (f64) is expected", type));
    }
  }

  template <class T>
  GgufValue numbers(std::uint64_t count) {
    check_count(count, sizeof(T), kElements, at_ - 8);
    std::vector<T> out(static_cast<std::size_t>(count));
    if (!out.empty()) std::memcpy(out.data(), file_.data() + at_, out.size() * sizeof(T));
    at_ += out.size() * sizeof(T);
    return out;
  }

  void alignment() {
    const GgufValue* value = header_.metadata.find(kGgufAlignmentKey);
    if (value == nullptr) return;
    const auto* given = value->get_if<std::uint32_t>();
    if (given == nullptr || !std::has_single_bit(*given)) {
      fault_(fmt::format("has the {} {} of type {}; a power of two of type u32 is expected", kGgufAlignmentKey,
                         value->str(), value->type_text()));
    }
    header_.alignment = *given;
  }

  [[noreturn]] void bad(std::uint64_t from, std::string_view name, const std::string& text) const {
    wrong(from, fmt::format("has a tensor {} {}", quote(name), text));
  }

  void tensor() {
    const std::uint64_t from = at_;
    GgufEntry e{};
    e.name = text("the name of a tensor", kGgufMaxName);
    if (e.name.empty()) wrong(from, "has a tensor with an empty name");
    if (!names_.insert(e.name).second) {
      wrong(from, fmt::format("has a tensor {} twice; each name is expected once", quote(e.name)));
    }
    const auto rank = number<std::uint32_t>("the rank of a tensor");
    if (rank > static_cast<std::uint32_t>(kGgufMaxRank)) {
      bad(from, e.name, fmt::format("of rank {}; at most {} is expected", rank, kGgufMaxRank));
    }
    std::array<std::int64_t, kGgufMaxRank> sizes{};
    for (std::uint32_t i = 0; i < rank; ++i) {  // innermost first
      const auto size = number<std::uint64_t>("the shape of a tensor");
      if (size >= std::uint64_t{1} << 63U)
        bad(from, e.name, fmt::format("with a size of {}; at most 2^63 - 1 is expected", size));
      sizes[rank - 1 - i] = static_cast<std::int64_t>(size);
    }
    e.shape = Shape(std::span(sizes).first(rank));
    const auto code = number<std::uint32_t>("the ggml type of a tensor");
    const GgmlTypeInfo* type = ggml_type_info(code);
    if (type == nullptr) {
      const std::string_view removed = removed_ggml_type(code);
      bad(from, e.name,
          removed.empty()
              ? fmt::format("of the type {}, which ggml does not have", code)
              : fmt::format("of the type {} ({}), which ggml has removed; quantize the model again", code, removed));
    }
    e.type = type->type;
    e.offset = number<std::uint64_t>("the offset of a tensor");
    constexpr auto kMost = static_cast<std::uint64_t>(kMaxTensorBytes);
    std::uint64_t elements = 1;  // without sizes of 0: strides must fit as well
    for (const std::int64_t n : e.shape) {
      const auto size = static_cast<std::uint64_t>(n);
      if (size > 1 && elements > kMost / size) {
        bad(from, e.name, fmt::format("of shape {}; sizes of at most 2^60 bytes together are expected", e.shape));
      }
      elements *= std::max<std::uint64_t>(size, 1);
    }
    if (const std::int64_t row = rank == 0 ? 1 : e.shape.back(); row % type->block_elements != 0) {
      bad(from, e.name,
          fmt::format("of shape {} and type {}; rows of whole blocks of {} elements are expected", e.shape, type->name,
                      type->block_elements));
    }
    const std::uint64_t blocks = elements / static_cast<std::uint64_t>(type->block_elements);
    if (blocks > kMost / type->block_bytes) {
      bad(from, e.name, fmt::format("of shape {} and type {}; at most 2^60 bytes are expected", e.shape, type->name));
    }
    e.bytes = std::ranges::find(e.shape, 0) == e.shape.end() ? blocks * type->block_bytes : 0;
    if (e.offset % header_.alignment != 0) {
      bad(from, e.name,
          fmt::format("at offset {}; a multiple of the alignment {} is expected", e.offset, header_.alignment));
    }
    header_.entries.push_back(std::move(e));
  }

  /// Tensors follow each other behind the header, each at the next multiple of the alignment.
  void place() {
    auto& entries = header_.entries;
    header_.bytes = at_;
    if (entries.empty()) return;
    const std::uint64_t data = header_.bytes = aligned_up(at_, header_.alignment);
    const std::uint64_t available = size_ - std::min(data, size_);
    std::ranges::stable_sort(entries, {}, [](const GgufEntry& e) { return std::pair(e.offset, e.bytes); });
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    for (GgufEntry& e : entries) {
      if (e.offset != next) {
        fault_(fmt::format("has a tensor {} that {} the one before it: it begins at offset {}; {} is expected",
                           quote(e.name), e.offset < next ? "overlaps" : "leaves a gap behind", e.offset, next));
      }
      // An empty tensor too has a place: behind padding that is missing there is none.
      if (data > size_ || e.offset > available || e.bytes > available - e.offset) {
        fault_(fmt::format("has a tensor {} of {} bytes at byte {}, but ends at byte {}", quote(e.name), e.bytes,
                           data + e.offset, size_),
               {.requested = e.bytes, .available = available - std::min(e.offset, available)});
      }
      end = e.offset + e.bytes;
      next = aligned_up(end, header_.alignment);
      e.offset += data;
    }
    if (available > next && size_ != kUnknownSize) {
      fault_(fmt::format("has {} bytes behind its last tensor, which ends at byte {}; padding to {} bytes at most is "
                         "expected",
                         available - end, data + end, next - end),
             {.requested = available - end, .available = next - end});
    }
  }

  static constexpr std::string_view kValue = "a metadata value";
  static constexpr std::string_view kElements = "elements of an array";

  std::span<const std::byte> file_;
  std::uint64_t size_;
  const Fault& fault_;
  std::size_t at_ = 0;
  GgufHeader header_;
  std::unordered_set<std::string> names_;
};

}  // namespace

GgufHeader parse_gguf(std::span<const std::byte> file, const Fault& fault) {
  return Parser(file, file.size(), fault).parse();
}

std::optional<GgufHeader> parse_gguf(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                     const Fault& fault) {
  const std::uint64_t all = std::max<std::uint64_t>(size.value_or(kUnknownSize), first.size());
  try {
    return Parser(first, all, fault).parse();
  } catch (const More&) {
    return std::nullopt;
  }
}

std::optional<GgufHeader> parse_gguf_header(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                            const std::string& name) {
  return parse_gguf(first, size, Fault(name, "GgufFile"));
}

}  // namespace tessera::io
