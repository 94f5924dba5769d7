// The call "scan": along the rows of x [rows, cols], which has a wide or a complex dtype. Its results are the scanned
// values and, for maxima and minima, their columns (i32).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>

#include "graph/custom.h"

namespace tessera::ops {

enum class ScanKind : std::uint8_t { kSum, kProd, kMax, kMin, kLogSumExp };

struct ScanAttributes {
  ScanKind kind = ScanKind::kSum;
  bool exclusive = false;
  bool reverse = false;
  static auto fields(auto& s) { return std::tie(s.kind, s.exclusive, s.reverse); }
};

/// The name of the op with that scan: cumsum, cumprod and so on.
std::string_view name_of(ScanKind kind);
constexpr bool with_index(ScanKind kind) { return kind == ScanKind::kMax || kind == ScanKind::kMin; }
/// Words of a running value between dispatches.
constexpr std::uint32_t running_words(ScanKind kind, DType t) {
  const std::uint32_t words = size_of(t) == 8 ? 2 : 1;
  return with_index(kind) || kind == ScanKind::kLogSumExp ? 2 * words : words;
}

/// Kernels of a scan: whole rows; or the totals of tiles, their exclusive scan, and the tiles with those as carries.
enum class ScanStep : std::uint8_t { kWhole, kTotals, kOfTotals, kWithCarry };

/// The parameters of each kernel, in this order.
struct ScanParams {
  std::uint32_t log_lanes, segments, tiles, tile, loops, cols;
};

/// The twin of one kernel; complex dtypes have whole rows only.
std::function<void(const CustomHostCall&)> scan_host(const ScanAttributes& a, ScanStep step, DType t);
void complex_scan_host(const ScanAttributes& a, const CustomHostCall& call);

}  // namespace tessera::ops
