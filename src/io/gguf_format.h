// The GGUF format: constants that the parser and the writer share, and the parsed header of one file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "tessera/gguf.h"

namespace tessera::io {

inline constexpr std::array<char, 4> kGgufMagic{'G', 'G', 'U', 'F'};
inline constexpr std::uint32_t kGgufVersion = 3;
inline constexpr std::uint64_t kGgufAlignment = 32;  // without "general.alignment"
inline constexpr int kGgufMaxRank = 4;
inline constexpr std::size_t kGgufMaxName = 65535;  // bytes of a key or of a tensor's name
inline constexpr std::string_view kGgufAlignmentKey = "general.alignment";

/// `bytes` rounded up to a multiple of a power of two.
constexpr std::uint64_t aligned_up(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

struct GgufHeader {
  std::uint32_t version = kGgufVersion;
  std::uint64_t alignment = kGgufAlignment;
  GgufMetadata metadata;
  std::vector<GgufEntry> entries;  // in the order of their bytes
};

/// Parses and checks all but the elements of the tensors.
GgufHeader parse_gguf(std::span<const std::byte> file, const Fault& fault);

struct GgmlTypeInfo {
  GgmlType type;
  std::string_view name;
  std::int64_t block_elements;
  std::size_t block_bytes;
};

/// The type with this number in files; null if ggml has none.
const GgmlTypeInfo* ggml_type_info(std::uint32_t code);
/// The name of a type that ggml has removed; empty for other numbers.
std::string_view removed_ggml_type(std::uint32_t code);

}  // namespace tessera::io
