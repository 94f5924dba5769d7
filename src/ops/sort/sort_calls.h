// The calls of sorting, searching and selecting, and the host functions of their kernels.
#pragma once

#include <cstdint>
#include <tuple>

#include "graph/custom.h"

namespace tessera::ops {

/// "sort": x [rows, cols] gives the first `keep` values of each sorted row, and their columns (i32), both [rows, keep].
struct SortAttributes {
  bool descending = false;
  int bits = 0;  // x is u32 and only these lowest bits differ; 0: any dtype and all bits
  std::int64_t keep = 0;
  static auto fields(auto& s) { return std::tie(s.descending, s.bits, s.keep); }
};

/// "searchsorted": sorted rows of a wide dtype, values of the same dtype; i32 of the values' shape.
struct SearchAttributes {
  bool right = false;
  static auto fields(auto& s) { return std::tie(s.right); }
};

// "put_in_rows" takes x and at, both [rows, cols]; "picked" a running count. Neither has attributes.

/// The input of a radix pass: elements, from which keys are computed and whose positions are their columns, or keys and
/// positions.
enum class SortSource : std::uint8_t { kElements, kElementsDown, kKeys };

inline constexpr std::int64_t kSortTile = 2048;  // elements of a workgroup in a pass: eight of each of 256 lanes

void sort_rows_host(const CustomHostCall& call, bool descending);
void sort_count_host(const CustomHostCall& call, SortSource source);
void sort_move_host(const CustomHostCall& call, SortSource source);
void put_in_rows_host(const CustomHostCall& call);
void searchsorted_host(const CustomHostCall& call, bool right);
void picked_host(const CustomHostCall& call);

}  // namespace tessera::ops
