// Unpacks raw deflate streams (RFC 1951): stored blocks, and Huffman codes by tables of nine bits.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "io/npy/zip.h"

namespace tessera::io {

namespace {

constexpr unsigned kMaxBits = 15;
constexpr unsigned kTableBits = 9;
constexpr std::size_t kSymbols = 288;
constexpr unsigned kBad = 0xffff;  // no symbol

/// Bits of the stream, the lowest of a byte first. Past the end they are 0, and the stream is short.
class Bits {
 public:
  explicit Bits(std::span<const std::byte> from) : from_(from) {}

  /// Makes at least 32 bits available.
  void fill() {
    while (count_ <= 56) {
      if (at_ < from_.size()) held_ |= std::to_integer<std::uint64_t>(from_[at_]) << count_;
      ++at_;
      count_ += 8;
    }
  }
  [[nodiscard]] std::uint64_t peek() const { return held_; }
  void drop(unsigned n) {
    held_ >>= n;
    count_ -= n;
  }
  unsigned take(unsigned n) {
    fill();
    const auto value = static_cast<unsigned>(held_ & ((std::uint64_t{1} << n) - 1));
    drop(n);
    return value;
  }
  /// The bytes from the next whole byte on.
  std::span<const std::byte> rest() {
    drop(count_ % 8);
    const std::size_t begin = at_ - count_ / 8;
    return begin <= from_.size() ? from_.subspan(begin) : std::span<const std::byte>();
  }
  void skip(std::size_t bytes) {
    at_ = at_ - count_ / 8 + bytes;
    held_ = 0;
    count_ = 0;
  }
  [[nodiscard]] bool short_of_bits() const { return at_ - count_ / 8 > from_.size(); }
  /// Whether all bytes were taken.
  [[nodiscard]] bool at_end() const { return at_ - count_ / 8 == from_.size(); }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

/// A canonical Huffman code.
class Code {
 public:
  /// False for lengths that are no prefix code. One with unused codes is allowed: a single distance has one bit.
  bool set(std::span<const std::uint8_t> lengths) {
    counts_.fill(0);
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    int left = 1;
    std::array<unsigned, kMaxBits + 2> firsts{};
    std::array<unsigned, kMaxBits + 2> offsets{};
    for (unsigned bits = 1; bits <= kMaxBits; ++bits) {
      left = 2 * left - static_cast<int>(counts_[bits]);
      if (left < 0) return false;
      firsts[bits + 1] = (firsts[bits] + counts_[bits]) << 1U;
      offsets[bits + 1] = offsets[bits] + counts_[bits];
    }
    table_.fill(Entry{kBad, 0});
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      const unsigned bits = lengths[symbol];
      if (bits == 0) continue;
      symbols_[offsets[bits]++] = static_cast<std::uint16_t>(symbol);
      const unsigned code = firsts[bits]++;
      if (bits > kTableBits) continue;
      unsigned reversed = 0;
      for (unsigned i = 0; i < bits; ++i) reversed |= (code >> i & 1U) << (bits - 1 - i);
      for (unsigned i = reversed; i < table_.size(); i += 1U << bits) {
        table_[i] = {static_cast<std::uint16_t>(symbol), static_cast<std::uint8_t>(bits)};
      }
    }
    return true;
  }

  /// The next symbol, or kBad.
  unsigned next(Bits& bits) const {
    bits.fill();
    const Entry entry = table_[bits.peek() & (table_.size() - 1)];
    if (entry.bits != 0) {
      bits.drop(entry.bits);
      return entry.symbol;
    }
    std::uint64_t held = bits.peek();
    unsigned code = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= kMaxBits; ++length, held >>= 1U) {
      code |= static_cast<unsigned>(held & 1U);
      const unsigned count = counts_[length];
      if (code - first < count) {
        bits.drop(length);
        return symbols_[index + code - first];
      }
      index += count;
      first = (first + count) << 1U;
      code <<= 1U;
    }
    return kBad;
  }

 private:
  struct Entry {
    std::uint16_t symbol;
    std::uint8_t bits;
  };
  std::array<Entry, std::size_t{1} << kTableBits> table_{};
  std::array<std::uint16_t, kMaxBits + 1> counts_{};
  std::array<std::uint16_t, kSymbols> symbols_{};
};

struct Extra {
  std::uint16_t base;
  std::uint8_t bits;
};
constexpr std::array<Extra, 29> kLengths{{{3, 0},   {4, 0},   {5, 0},   {6, 0},   {7, 0},  {8, 0},  {9, 0},  {10, 0},
                                          {11, 1},  {13, 1},  {15, 1},  {17, 1},  {19, 2}, {23, 2}, {27, 2}, {31, 2},
                                          {35, 3},  {43, 3},  {51, 3},  {59, 3},  {67, 4}, {83, 4}, {99, 4}, {115, 4},
                                          {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0}}};
constexpr std::array<Extra, 30> kDistances{{{1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},
                                            {9, 2},     {13, 2},    {17, 3},    {25, 3},     {33, 4},     {49, 4},
                                            {65, 5},    {97, 5},    {129, 6},   {193, 6},    {257, 7},    {385, 7},
                                            {513, 8},   {769, 8},   {1025, 9},  {1537, 9},   {2049, 10},  {3073, 10},
                                            {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13}}};

/// Memory that grows while it is filled. The system has no pages of what has not been written, and large blocks are
/// moved without a copy.
class GrowingMemory {
 public:
  explicit GrowingMemory(std::size_t limit) : limit_(limit) {}
  ~GrowingMemory() { std::free(data_); }
  GrowingMemory(const GrowingMemory&) = delete;
  GrowingMemory& operator=(const GrowingMemory&) = delete;

  /// All of it, with `needed` bytes or more, but no more than the limit.
  std::span<std::byte> grow(std::size_t needed) {
    const std::size_t doubled = size_ > limit_ / 2 ? limit_ : 2 * size_;
    const std::size_t size = std::min(limit_, std::max({needed, doubled, kFirst}));
    if (size > size_) {
      void* const larger = std::realloc(data_, size);
      if (larger == nullptr) throw std::bad_alloc();
      data_ = static_cast<std::byte*>(larger);
      size_ = size;
    }
    return {data_, size_};
  }
  HostView release() {
    const std::span<const std::byte> bytes(data_, size_);
    return {bytes, std::shared_ptr<void>(std::exchange(data_, nullptr), [](void* data) { std::free(data); }), false};
  }

 private:
  static constexpr std::size_t kFirst = std::size_t{1} << 16U;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t limit_;
};

class Inflater {
 public:
  Inflater(std::span<const std::byte> from, std::span<std::byte> to) : bits_(from), to_(to) {}
  Inflater(std::span<const std::byte> from, GrowingMemory& memory) : bits_(from), memory_(&memory) {}

  /// Whether the stream is valid and fits.
  bool run() {
    bool last = false;
    while (!last) {
      last = bits_.take(1) == 1;
      const unsigned type = bits_.take(2);
      if (bits_.short_of_bits()) return false;
      if (type == 3 || !(type == 0 ? stored() : ((type == 1 ? fixed() : dynamic()) && block()))) return false;
    }
    return !bits_.short_of_bits() && bits_.at_end();
  }
  [[nodiscard]] std::size_t written() const { return written_; }

 private:
  /// As many of the next bytes as there is memory for.
  std::size_t room(std::size_t bytes) {
    if (bytes > to_.size() - written_ && memory_ != nullptr) to_ = memory_->grow(written_ + bytes);
    return std::min(bytes, to_.size() - written_);
  }

  bool stored() {
    const std::span<const std::byte> rest = bits_.rest();
    if (rest.size() < 4) return false;
    const auto number = [&](std::size_t at) {
      return std::to_integer<std::size_t>(rest[at]) | std::to_integer<std::size_t>(rest[at + 1]) << 8U;
    };
    const std::size_t length = number(0);
    if ((length ^ number(2)) != 0xffff || length > rest.size() - 4) return false;
    const std::size_t fits = room(length);
    std::copy_n(rest.begin() + 4, fits, to_.begin() + static_cast<std::ptrdiff_t>(written_));
    written_ += fits;
    bits_.skip(4 + length);
    return fits == length;
  }

  bool fixed() {
    std::array<std::uint8_t, kSymbols> lengths{};
    std::fill_n(lengths.begin(), 144, std::uint8_t{8});
    std::fill_n(lengths.begin() + 144, 112, std::uint8_t{9});
    std::fill_n(lengths.begin() + 256, 24, std::uint8_t{7});
    std::fill_n(lengths.begin() + 280, 8, std::uint8_t{8});
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    return literals_.set(lengths) && distances_.set(distances);
  }

  bool dynamic() {
    const unsigned literals = bits_.take(5) + 257;
    const unsigned distances = bits_.take(5) + 1;
    const unsigned coded = bits_.take(4) + 4;
    if (literals > 286 || distances > 30) return false;
    constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> of_lengths{};
    for (unsigned i = 0; i < coded; ++i) of_lengths[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
    if (!literals_.set(of_lengths)) return false;
    std::array<std::uint8_t, 286 + 30> lengths{};
    for (unsigned i = 0; i < literals + distances;) {
      const unsigned symbol = literals_.next(bits_);
      if (symbol == kBad || bits_.short_of_bits()) return false;
      if (symbol < 16) {
        lengths[i++] = static_cast<std::uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) return false;
      const std::uint8_t repeated = symbol == 16 ? lengths[i - 1] : std::uint8_t{0};
      const unsigned count = symbol == 16 ? 3 + bits_.take(2) : (symbol == 17 ? 3 + bits_.take(3) : 11 + bits_.take(7));
      if (count > literals + distances - i) return false;
      std::fill_n(lengths.begin() + i, count, repeated);
      i += count;
    }
    const std::span<const std::uint8_t> all(lengths);
    return lengths[256] != 0 && literals_.set(all.first(literals)) && distances_.set(all.subspan(literals, distances));
  }

  bool block() {
    while (true) {
      const unsigned symbol = literals_.next(bits_);
      if (symbol == kBad || bits_.short_of_bits()) return false;
      if (symbol == 256) return true;
      if (symbol < 256) {
        if (written_ == to_.size() && room(1) == 0) return false;
        to_[written_++] = static_cast<std::byte>(symbol);
        continue;
      }
      if (symbol - 257 >= kLengths.size()) return false;
      const Extra length_code = kLengths[symbol - 257];
      const std::size_t length = length_code.base + bits_.take(length_code.bits);
      const unsigned code = distances_.next(bits_);
      if (code >= kDistances.size()) return false;
      const std::size_t distance = kDistances[code].base + bits_.take(kDistances[code].bits);
      if (bits_.short_of_bits() || distance > written_) return false;
      const std::size_t fits = room(length);
      // Ranges may overlap: a distance of 1 repeats a byte.
      for (std::size_t i = 0; i < fits; ++i, ++written_) to_[written_] = to_[written_ - distance];
      if (fits < length) return false;
    }
  }

  Bits bits_;
  GrowingMemory* memory_ = nullptr;
  std::span<std::byte> to_ = {};
  std::size_t written_ = 0;
  Code literals_, distances_;
};

}  // namespace

bool inflate(std::span<const std::byte> from, std::span<std::byte> to) {
  Inflater inflater(from, to);
  return inflater.run() && inflater.written() == to.size();
}

std::optional<HostView> inflate(std::span<const std::byte> from, std::size_t size) {
  GrowingMemory memory(size);
  Inflater inflater(from, memory);
  if (!inflater.run() || inflater.written() != size) return std::nullopt;
  return memory.release();
}

std::size_t inflate_first(std::span<const std::byte> from, std::span<std::byte> to) {
  Inflater inflater(from, to);
  inflater.run();
  return inflater.written();
}

}  // namespace tessera::io
