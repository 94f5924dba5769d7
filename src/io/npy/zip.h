// Zip archives: their members by the directory at the end, and the bytes of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/json.h"
#include "tessera/host.h"

namespace tessera::io {

struct ZipMember {
  std::string name;
  bool deflated;
  std::uint32_t crc;
  std::size_t offset;  // of its bytes in the archive
  std::size_t packed;  // how many
  std::size_t size;    // unpacked
};

/// Checks the directory and the headers of all members against the size of the archive. Members do not overlap, so all
/// of them together unpack to at most 1032 times the archive.
std::vector<ZipMember> zip_members(std::span<const std::byte> archive, const Fault& fault);

/// The unpacked bytes, in place if they are stored. A wrong checksum is a fault. Memory grows with what is unpacked, so
/// a stream that is shorter than its size says does not take that size; std::bad_alloc if there is not enough.
HostView unzip(const HostView& archive, const ZipMember& member, const Fault& fault);

/// The first bytes of a member, without its checksum; fewer if it is smaller or its stream is not valid.
std::vector<std::byte> unzip_first(const HostView& archive, const ZipMember& member, std::size_t bytes);

/// The checksum of zip and gzip.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// Unpacks a raw deflate stream (RFC 1951) that fills `to` exactly and ends with `from`; false if it does not.
bool inflate(std::span<const std::byte> from, std::span<std::byte> to);
/// The same into memory of its own, which grows with what is unpacked. Nothing if the stream does not have `size`
/// bytes.
std::optional<HostView> inflate(std::span<const std::byte> from, std::size_t size);
/// How many of the first bytes of a stream were unpacked: as many as fit, or fewer if it is shorter or not valid.
std::size_t inflate_first(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace tessera::io
