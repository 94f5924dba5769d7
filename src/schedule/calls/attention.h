// The variants of the attention kernels: chosen by attention.cpp, written by codegen/kernels/attention.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "tessera/dtype.h"

namespace tessera::schedule {

/// A tile of queries and of keys on tensor cores. Each subgroup computes `strip` rows, and one of kParts parts of the
/// keys and then of the result's columns.
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

/// A tile of rows (queries, or keys) of the backward pass on tensor cores, and of the columns that they are multiplied
/// with. Each subgroup has `unit` rows, and computes `unit` columns at a time.
struct AttentionBackwardTile {
  std::uint32_t d = 0;                // of a head
  std::uint32_t unit = 0, lanes = 0;  // of cooperative matrices and subgroups

  /// Two workgroups share a multiprocessor if each has at most 24 KiB of memory; larger heads have one of twice the
  /// size.
  [[nodiscard]] std::uint32_t subgroups() const { return d <= 96 ? 4 : 8; }
  [[nodiscard]] std::uint32_t rows() const { return subgroups() * unit; }
  [[nodiscard]] std::uint32_t cols() const { return 2 * unit; }
  [[nodiscard]] std::uint32_t threads() const { return subgroups() * lanes; }
  [[nodiscard]] std::uint64_t memory() const;
  /// Whether a head divides into cooperative matrices, and the tiles into equal loads of the invocations.
  [[nodiscard]] bool serves() const;
};

/// What a kernel's text depends on.
struct AttentionVariant {
  enum class Kind : std::uint8_t { kForward, kMatrix, kBackwardQ, kBackwardKv, kSplitKv, kCombine };
  Kind kind = Kind::kForward;
  bool masked = false;
  bool lengths = false;
  int quads = 0;      // in a row of a head
  bool big = false;   // tiles of 64 rows, with 26 KiB of workgroup memory; else 32 rows in less than 16 KiB
  int queries = 0;    // kSplitKv: in a workgroup, a power of two
  int keys = 0;       // kSplitKv: of one split
  int key_lanes = 1;  // kSplitKv: invocations that share a key, a power of two
  std::uint32_t unit = 0, lanes = 0;  // of cooperative matrices and subgroups; 0: without tensor cores
  int page = 0;                       // keys in a page, with a block table
  bool stacked = false;  // backward: the two statistics of a row are in one buffer, since there are not enough bindings
  bool softcap = false, sinks = false;
  int scaled = 0;  // quads of keys and values, in i8, that share a scale; 0: they have none

  static auto fields(auto& s) {
    return std::tie(s.kind, s.masked, s.lengths, s.quads, s.big, s.queries, s.keys, s.key_lanes, s.unit, s.lanes,
                    s.page, s.stacked, s.softcap, s.sinks, s.scaled);
  }

  [[nodiscard]] bool backward() const { return kind == Kind::kBackwardQ || kind == Kind::kBackwardKv; }
  /// Quads of rows of an invocation: two if the accumulators leave enough registers.
  [[nodiscard]] int row_quads() const { return kind == Kind::kForward && quads <= 32 ? 2 : 1; }
  [[nodiscard]] bool on_tensor_cores() const { return unit != 0; }
  [[nodiscard]] AttentionTile tile() const { return {static_cast<std::uint32_t>(4 * quads), unit, lanes}; }
  [[nodiscard]] AttentionBackwardTile backward_tile() const {
    return {static_cast<std::uint32_t>(4 * quads), unit, lanes};
  }
  [[nodiscard]] int rows() const;
  /// Invocations along the rows of a tile; along its columns there are kColumnLanes.
  [[nodiscard]] int row_lanes() const { return rows() / 4 / row_quads(); }
  /// Quads of workgroup memory for a chunk of the operands.
  [[nodiscard]] int chunk() const { return 16 * (rows() / 4 + 1 + kColumnLanes + 1); }
  [[nodiscard]] int value_rows() const;
  [[nodiscard]] std::uint64_t memory() const;
  /// kSplitKv: whether an invocation holds its part of the queries in registers.
  [[nodiscard]] bool held() const { return queries * quads / key_lanes <= 16; }
  /// kSplitKv: quads of the queries in the registers of an invocation, and in workgroup memory; at least 1.
  [[nodiscard]] int held_quads() const { return held() ? queries * quads / key_lanes : 1; }
  [[nodiscard]] int shared_quads() const { return held() ? 1 : queries * quads; }
  /// kSplitKv: rows whose sums are combined at once.
  [[nodiscard]] int together() const { return std::min(queries, held() ? 4 : 2); }
  static constexpr int kColumnLanes = 16;
};

}  // namespace tessera::schedule
