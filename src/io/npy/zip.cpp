// Reads zip archives by their directory, with 64-bit sizes; every offset and length is checked against the archive.
#include "io/npy/zip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "base/fail.h"

namespace tessera::io {

namespace {

constexpr std::uint64_t kLocal = 0x04034b50;
constexpr std::uint64_t kCentral = 0x02014b50;
constexpr std::uint64_t kEnd = 0x06054b50;
constexpr std::uint64_t kLocator64 = 0x07064b50;
constexpr std::uint64_t kEnd64 = 0x06064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kMaxComment = 0xffff;
constexpr std::uint64_t kWide = 0xffffffff;  // the field has 64 bits, elsewhere
constexpr std::uint64_t kInflatesTo = 1032;  // the most bytes that one of deflate becomes

/// Little-endian numbers of a range that was checked.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t operator()(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | std::to_integer<std::uint64_t>(bytes_[at + i]);
    return value;
  }
  /// Whether there are so many bytes from there on.
  [[nodiscard]] bool has(std::uint64_t at, std::uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

 private:
  std::span<const std::byte> bytes_;
};

struct Directory {
  std::uint64_t begin;
  std::uint64_t bytes;
  std::uint64_t members;
};

std::size_t find_end(std::span<const std::byte> archive, const Fault& fault) {
  const Reader read(archive);
  if (archive.size() < kEndBytes)
    fault(fmt::format("has {} bytes, which is less than the end of a zip archive", archive.size()));
  const std::size_t last = archive.size() - kEndBytes;
  for (std::size_t back = 0; back <= std::min(last, kMaxComment); ++back) {
    const std::size_t at = last - back;
    if (read(at, 4) == kEnd && read(at + 20, 2) == back) return at;
  }
  fault("has no directory at its end; it is no zip archive, or is truncated");
}

Directory directory_of(std::span<const std::byte> archive, const Fault& fault) {
  const Reader read(archive);
  const std::size_t end = find_end(archive, fault);
  Directory directory{read(end + 16, 4), read(end + 12, 4), read(end + 10, 2)};
  std::uint64_t limit = end;
  if (end >= kLocatorBytes && read(end - kLocatorBytes, 4) == kLocator64) {
    const std::uint64_t at = read(end - kLocatorBytes + 8, 8);
    if (!read.has(at, kEnd64Bytes) || read(static_cast<std::size_t>(at), 4) != kEnd64) {
      fault(fmt::format("has no 64-bit end of the directory at byte {}", at));
    }
    const auto begin = static_cast<std::size_t>(at);
    directory = {read(begin + 48, 8), read(begin + 40, 8), read(begin + 32, 8)};
    limit = at;
  }
  if (directory.begin > limit || directory.bytes > limit - directory.begin) {
    fault(fmt::format("has a directory of {} bytes at byte {}; it is expected before byte {}", directory.bytes,
                      directory.begin, limit));
  }
  return directory;
}

/// The sizes and the offset of a member that have 64 bits, in the order in which the extra field has them.
void read_wide(std::span<const std::byte> extra, const std::array<std::uint64_t*, 3>& fields, const Fault& fault,
               const std::string& name) {
  const Reader read(extra);
  for (std::size_t at = 0; read.has(at, 4); at += 4 + static_cast<std::size_t>(read(at + 2, 2))) {
    if (read(at, 2) != 1) continue;
    std::size_t from = at + 4;
    const std::size_t size = static_cast<std::size_t>(read(at + 2, 2));
    if (!read.has(from, size)) break;
    const std::size_t end = from + size;
    for (std::uint64_t* field : fields) {
      if (*field != kWide) continue;
      if (end - from < 8) fault(fmt::format("has a member {} without its 64-bit sizes", quote(name)));
      *field = read(from, 8);
      from += 8;
    }
    return;
  }
}

/// The bytes of a member in the archive, from its header on.
struct Extent {
  std::size_t begin;
  std::size_t end;
  std::size_t member;
};

void check_extents(std::vector<Extent> extents, const std::vector<ZipMember>& members, const Fault& fault) {
  std::ranges::sort(extents, {}, &Extent::begin);
  for (std::size_t i = 1; i < extents.size(); ++i) {
    const Extent& before = extents[i - 1];
    const Extent& e = extents[i];
    if (e.begin < before.end) {
      fault(fmt::format("has a member {} at byte {}, which overlaps the member {} at bytes {} to {}",
                        quote(members[e.member].name), e.begin, quote(members[before.member].name), before.begin,
                        before.end));
    }
  }
}

/// Where the bytes of a member begin, from its own header.
std::size_t data_of(std::span<const std::byte> archive, std::uint64_t header, std::uint64_t packed, std::uint64_t limit,
                    const std::string& name, const Fault& fault) {
  const Reader read(archive);
  if (!read.has(header, kLocalBytes) || read(static_cast<std::size_t>(header), 4) != kLocal) {
    fault(fmt::format("has no header of the member {} at byte {}", quote(name), header));
  }
  const auto at = static_cast<std::size_t>(header);
  const std::uint64_t data = header + kLocalBytes + read(at + 26, 2) + read(at + 28, 2);
  if (data > limit || packed > limit - data) {
    fault(fmt::format("has a member {} of {} bytes at byte {}; it is expected before the directory at byte {}",
                      quote(name), packed, data, limit),
          {.requested = packed, .available = data > limit ? 0 : limit - data});
  }
  return static_cast<std::size_t>(data);
}

}  // namespace

std::vector<ZipMember> zip_members(std::span<const std::byte> archive, const Fault& fault) {
  const Directory directory = directory_of(archive, fault);
  const Reader read(archive.first(static_cast<std::size_t>(directory.begin + directory.bytes)));
  std::vector<ZipMember> members;
  std::vector<Extent> extents;
  auto at = static_cast<std::size_t>(directory.begin);
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    if (!read.has(at, kCentralBytes) || read(at, 4) != kCentral) {
      fault(fmt::format("has no entry {} of {} in its directory at byte {}", i, directory.members, at));
    }
    const auto name_bytes = static_cast<std::size_t>(read(at + 28, 2));
    const auto extra_bytes = static_cast<std::size_t>(read(at + 30, 2));
    const auto comment_bytes = static_cast<std::size_t>(read(at + 32, 2));
    if (!read.has(at + kCentralBytes, name_bytes + extra_bytes + comment_bytes)) {
      fault(fmt::format("has an entry {} that passes the end of its directory", i));
    }
    const auto* const name_begin = reinterpret_cast<const char*>(archive.data()) + at + kCentralBytes;
    const std::string name(name_begin, name_bytes);
    const std::uint64_t flags = read(at + 8, 2);
    const std::uint64_t method = read(at + 10, 2);
    std::uint64_t packed = read(at + 20, 4);
    std::uint64_t size = read(at + 24, 4);
    std::uint64_t header = read(at + 42, 4);
    read_wide(archive.subspan(at + kCentralBytes + name_bytes, extra_bytes), {&size, &packed, &header}, fault, name);
    if ((flags & 1U) != 0) fault(fmt::format("has an encrypted member {}, which is not read", quote(name)));
    if (method != 0 && method != 8) {
      fault(fmt::format("has a member {} that is compressed by method {}; 0 (stored) or 8 (deflated) is expected",
                        quote(name), method));
    }
    if (method == 0 && packed != size) {
      fault(fmt::format("has a stored member {} with {} bytes for {}; equal numbers are expected", quote(name), packed,
                        size));
    }
    const std::size_t offset = data_of(archive, header, packed, directory.begin, name, fault);
    // packed is at most the size of the archive: this does not overflow.
    if (size > packed * kInflatesTo + 64) {
      fault(fmt::format("has a member {} of {} bytes in {} compressed ones, which is more than there can be",
                        quote(name), size, packed),
            {.requested = size, .available = packed * kInflatesTo});
    }
    if (!std::in_range<std::ptrdiff_t>(size)) {
      fault(fmt::format("has a member {} of {} bytes; at most {} can be addressed here", quote(name), size,
                        std::numeric_limits<std::ptrdiff_t>::max()),
            {.requested = size});
    }
    extents.push_back({static_cast<std::size_t>(header), offset + static_cast<std::size_t>(packed), members.size()});
    members.push_back({name, method == 8, static_cast<std::uint32_t>(read(at + 16, 4)), offset,
                       static_cast<std::size_t>(packed), static_cast<std::size_t>(size)});
    at += kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  }
  check_extents(std::move(extents), members, fault);
  return members;
}

HostView unzip(const HostView& archive, const ZipMember& member, const Fault& fault) {
  HostView result{archive.bytes.subspan(member.offset, member.packed), archive.owner, false};
  if (member.deflated) {
    std::optional<HostView> unpacked = inflate(result.bytes, member.size);
    if (!unpacked) fault(fmt::format("is not a valid deflate stream of {} bytes", member.size));
    result = *std::move(unpacked);
  }
  if (const std::uint32_t crc = crc32(result.bytes); crc != member.crc) {
    fault(fmt::format("has the checksum {:08x}; {:08x} is expected: it is damaged", crc, member.crc));
  }
  return result;
}

std::vector<std::byte> unzip_first(const HostView& archive, const ZipMember& member, std::size_t bytes) {
  std::vector<std::byte> first(std::min(bytes, member.size));
  const std::span<const std::byte> from = archive.bytes.subspan(member.offset, member.packed);
  if (member.deflated) {
    first.resize(inflate_first(from, first));
  } else {
    std::ranges::copy(from.first(first.size()), first.begin());
  }
  return first;
}

namespace {

/// Eight tables, so that eight bytes take one step (Kounavis and Berry, 2005).
constexpr auto kCrcTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1U) != 0 ? (value >> 1U) ^ 0xedb88320U : value >> 1U;
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8U) ^ tables[0][before & 0xffU];
    }
  }
  return tables;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  const auto& t = kCrcTables;
  std::uint32_t crc = ~0U;
  while (bytes.size() >= 8) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value = 0;
      for (std::size_t i = 4; i-- > 0;) value = value << 8U | std::to_integer<std::uint32_t>(bytes[at + i]);
      return value;
    };
    const std::uint32_t low = crc ^ word(0);
    const std::uint32_t high = word(4);
    crc = t[7][low & 0xffU] ^ t[6][low >> 8U & 0xffU] ^ t[5][low >> 16U & 0xffU] ^ t[4][low >> 24U] ^
          t[3][high & 0xffU] ^ t[2][high >> 8U & 0xffU] ^ t[1][high >> 16U & 0xffU] ^ t[0][high >> 24U];
    bytes = bytes.subspan(8);
  }
  for (const std::byte b : bytes) crc = (crc >> 8U) ^ t[0][(crc ^ std::to_integer<std::uint32_t>(b)) & 0xffU];
  return ~crc;
}

}  // namespace tessera::io
