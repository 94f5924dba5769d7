// Index maps over blocks: views by strides, padding by bounds.
#pragma once

#include <cstdint>

namespace tessera::runtime::cpu {

/// One level of a view over consecutive positions: calls run(base, stride, length) for each stretch along the last dim.
/// `words` are [size, stride] of each dim, then the offset.
template <class F>
void walk_view(const std::uint32_t* words, int rank, std::uint32_t start, std::int64_t n, F run) {
  constexpr int kMaxDims = 16;
  if (n == 0) return;
  std::uint32_t base = words[2 * rank];
  if (rank == 0) return run(base, std::uint32_t{0}, n);
  std::uint32_t at[kMaxDims];
  std::uint32_t rest = start;
  for (int d = rank - 1; d > 0; --d) {
    at[d] = rest % words[2 * d];
    rest /= words[2 * d];
  }
  at[0] = rest;
  for (int d = 0; d < rank; ++d) base += at[d] * words[2 * d + 1];
  const int last = rank - 1;
  const std::uint32_t size = words[2 * last];
  const std::uint32_t stride = words[2 * last + 1];
  while (n > 0) {
    std::int64_t length = n;
    if (last > 0 && length > std::int64_t{size} - at[last]) length = std::int64_t{size} - at[last];
    run(base, stride, length);
    n -= length;
    if (n == 0) return;
    base -= at[last] * stride;
    at[last] = 0;
    for (int d = last - 1; d >= 0; --d) {
      ++at[d];
      base += words[2 * d + 1];
      if (d == 0 || at[d] < words[2 * d]) break;
      base -= at[d] * words[2 * d + 1];
      at[d] = 0;
    }
  }
}

/// The same for one position. Positions outside the padding's input are 0 even if the view has no elements.
inline std::uint32_t view_at(const std::uint32_t* words, int rank, std::uint32_t position) {
  std::uint32_t result = words[2 * rank];
  for (int d = rank - 1; d > 0 && position != 0; --d) {
    result += position % words[2 * d] * words[2 * d + 1];
    position /= words[2 * d];
  }
  return rank > 0 ? result + position * words[1] : result;
}

/// Maps a position of kPad's output to its input; false outside. `words` are the output's size, the low coordinate and
/// the input's size of each axis.
inline bool window_at(const std::uint32_t* words, int axes, std::uint32_t position, std::uint32_t& result) {
  std::uint32_t at = 0;
  std::uint32_t scale = 1;
  bool inside = true;
  for (int a = axes - 1; a >= 0; --a) {
    const std::uint32_t size = words[3 * a];
    const std::uint32_t c = (a > 0 ? position % size : position) - words[3 * a + 1];
    if (a > 0) position /= size;
    inside = inside && c < words[3 * a + 2];
    at += c * scale;
    scale *= words[3 * a + 2];
  }
  result = inside ? at : 0;
  return inside;
}

}  // namespace tessera::runtime::cpu
