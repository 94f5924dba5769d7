// The GGUF format: constants that the parser and the writer share, and the parser of headers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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

/// Parses and checks all but the elements of the tensors.
GgufHeader parse_gguf(std::span<const std::byte> file, const Fault& fault);
/// The same from the first bytes of a file of that size (none: not known); none if the header goes on behind them.
std::optional<GgufHeader> parse_gguf(std::span<const std::byte> first, std::optional<std::uint64_t> size,
                                     const Fault& fault);

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
