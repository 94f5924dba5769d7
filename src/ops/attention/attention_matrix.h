// Flash attention on tensor cores: the tiles of kernels/attention/attention_matrix.wgsl, and its WGSL.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::ops {

/// A tile of queries and of keys. Each subgroup computes `strip` rows, and one of kParts parts of the keys and then of
/// the result's columns.
struct AttentionTile {
  std::uint32_t d = 0;                // of a head
  std::uint32_t unit = 0, lanes = 0;  // of cooperative matrices and subgroups
  static constexpr std::uint32_t kStrips = 4;
  static constexpr std::uint32_t kParts = 2;

  [[nodiscard]] std::uint32_t strip() const { return 2 * unit; }
  [[nodiscard]] std::uint32_t rows() const { return kStrips * strip(); }
  [[nodiscard]] std::uint32_t cols() const { return kParts * unit; }
  [[nodiscard]] std::uint32_t threads() const { return kStrips * kParts * lanes; }
  [[nodiscard]] std::uint64_t memory() const;
  /// Whether a head divides into cooperative matrices, and the tiles into equal loads of the invocations.
  [[nodiscard]] bool serves() const;
};

/// Everything after bindings, Params and masked_score().
std::string attention_matrix_text(const AttentionTile& tile, bool masked);

}  // namespace tessera::ops
