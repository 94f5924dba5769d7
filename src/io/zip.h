// Zip archives: their members by the directory at the end, and the bytes of each.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Checks the directory and the headers of all members against the size of the archive.
std::vector<ZipMember> zip_members(std::span<const std::byte> archive, const Fault& fault);

/// The unpacked bytes, in place if they are stored. A wrong checksum is a fault.
HostView unzip(const HostView& archive, const ZipMember& member, const Fault& fault);

/// The checksum of zip and gzip.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// Unpacks a raw deflate stream (RFC 1951) that fills `to` exactly and ends with `from`; false if it does not.
bool inflate(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace tessera::io
