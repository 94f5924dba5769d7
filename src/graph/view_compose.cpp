// Composition of strided levels, as of layouts: the digits of a stride are steps along the dims below.
#include "graph/view_compose.h"

#include <cstdlib>

namespace tessera {

std::optional<ViewLevel> compose(const ViewLevel& outer, const ViewLevel& inner) {
  const std::size_t rank = inner.dims.size();
  std::vector<std::int64_t> radix(rank, 1);
  std::int64_t numel = 1;
  for (std::size_t i = rank; i-- > 0;) {
    radix[i] = numel;
    numel *= inner.dims[i].size;
  }
  if (rank == 0 || numel == 0) return std::nullopt;
  std::vector<std::int64_t> lowest(rank, 0);  // of the coordinates
  std::vector<std::int64_t> highest(rank, 0);
  // `count` steps of a stride, as steps along the dims of `inner`; returns the stride below.
  const auto steps = [&](std::int64_t stride, std::int64_t count) {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t digit = stride / radix[i];
      stride -= digit * radix[i];
      below += digit * inner.dims[i].stride;
      (digit < 0 ? lowest : highest)[i] += digit * count;
    }
    return below;
  };
  ViewLevel result;
  result.offset = inner.offset + steps(outer.offset, 1);
  lowest = highest;  // an offset is not negative
  for (const Dim& d : outer.dims) {
    if (d.size == 0) return std::nullopt;
    // A dim that runs through several of `inner` is one for each of them.
    std::vector<Dim> parts;
    Dim rest = d;
    while (true) {
      std::int64_t inside = rest.size;
      const std::int64_t stride = std::abs(rest.stride);
      for (std::size_t i = 0; i < rank && stride > 0; ++i) {
        if (stride < radix[i]) continue;
        const std::int64_t digit = stride / radix[i];
        const std::int64_t size = inner.dims[i].size;
        if (stride % radix[i] == 0 && digit < size && size % digit == 0 && rest.size % (size / digit) == 0) {
          inside = size / digit;
        }
        break;
      }
      parts.push_back({inside, steps(rest.stride, inside - 1)});
      if (inside == rest.size) break;
      rest = {rest.size / inside, rest.stride * inside};
    }
    result.dims.insert(result.dims.end(), parts.rbegin(), parts.rend());
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (lowest[i] < 0 || highest[i] >= inner.dims[i].size) return std::nullopt;
  }
  return result;
}

}  // namespace tessera
