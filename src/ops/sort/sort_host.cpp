// The host functions of sorting, searching and selecting.
#include <algorithm>
#include <array>
#include <cstring>
#include <ranges>

#include "ops/host_call.h"
#include "ops/sort/sort_calls.h"
#include "ops/sort/sort_keys.h"

namespace tessera::ops {

namespace {

struct PassParams {
  std::uint32_t rows, cols, tiles, shift;
};

std::uint64_t host_key(std::uint64_t key, bool descending, std::size_t size) {
  if (!descending) return key;
  return size == 8 ? ~key : static_cast<std::uint32_t>(~key);
}

/// The key of an element, or the key itself.
template <class E>
std::uint64_t host_element_key(SortSource source, E v) {
  return source == SortSource::kKeys ? static_cast<std::uint64_t>(v)
                                     : host_key(sort_key(v), source == SortSource::kElementsDown, sizeof(E));
}

template <class E>
std::uint32_t host_digit(SortSource source, E v, std::uint32_t shift) {
  return static_cast<std::uint32_t>(host_element_key(source, v) >> shift) & 15U;
}

}  // namespace

void sort_rows_host(const CustomHostCall& call, bool descending) {
  const std::size_t cols = call.params[1];
  for_wide(call.input_tensors[0].dtype, [&]<class E>(E) {
    host_for(call.params[0], static_cast<std::int64_t>(cols) * 16, [&](std::size_t row) {
      const HostRow<E> x(call, 0, row, cols);
      // Keys with their positions sort like a stable sort of the keys.
      std::vector<std::pair<std::uint64_t, std::int32_t>> pairs(cols);
      for (std::size_t c = 0; c < cols; ++c)
        pairs[c] = {host_key(sort_key(x[c]), descending, sizeof(E)), static_cast<std::int32_t>(c)};
      std::sort(pairs.begin(), pairs.end());
      for (std::size_t c = 0; c < cols; ++c) {
        host_output<std::int32_t>(call, 1)[row * cols + c] = pairs[c].second;
        host_output<E>(call, 0)[row * cols + c] = x[static_cast<std::size_t>(pairs[c].second)];
      }
    });
  });
}

void sort_count_host(const CustomHostCall& call, SortSource source) {
  PassParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  for_wide(call.input_tensors[0].dtype, [&]<class E>(E) {
    host_for(std::int64_t{p.rows} * p.tiles, kSortTile, [&](std::size_t segment) {
      const std::size_t row = segment / p.tiles;
      const std::size_t tile = segment % p.tiles;
      const E* x = host_input<E>(call, 0).data() + row * p.cols;
      std::array<std::uint32_t, 16> counts{};
      for (std::size_t c = tile * kSortTile; c < std::min<std::size_t>(p.cols, (tile + 1) * kSortTile); ++c)
        ++counts[host_digit(source, x[c], p.shift)];
      for (std::size_t d = 0; d < 16; ++d)
        host_output<std::uint32_t>(call, 0)[(row * 16 + d) * p.tiles + tile] = counts[d];
    });
  });
}

void sort_move_host(const CustomHostCall& call, SortSource source) {
  PassParams p{};
  std::memcpy(&p, call.params.data(), sizeof(p));
  const bool last = call.outputs.size() == 1;
  const auto offsets = host_input<std::uint32_t>(call, 1);
  for_wide(call.input_tensors[0].dtype, [&]<class E>(E) {
    using Key = std::conditional_t<sizeof(E) == 8, std::uint64_t, std::uint32_t>;
    host_for(std::int64_t{p.rows} * p.tiles, kSortTile, [&](std::size_t segment) {
      const std::size_t row = segment / p.tiles;
      const std::size_t tile = segment % p.tiles;
      const std::size_t base = row * p.cols;
      const E* x = host_input<E>(call, 0).data() + base;
      const std::int32_t* from =
          source == SortSource::kKeys ? host_input<std::int32_t>(call, 2).data() + base : nullptr;
      std::int32_t* places = host_output<std::int32_t>(call, 0).data() + base;
      Key* keys = last ? nullptr : host_output<Key>(call, 1).data() + base;
      std::array<std::uint32_t, 16> next{};
      for (std::size_t d = 0; d < 16; ++d) next[d] = offsets[(row * 16 + d) * p.tiles + tile];
      for (std::size_t c = tile * kSortTile; c < std::min<std::size_t>(p.cols, (tile + 1) * kSortTile); ++c) {
        const std::uint64_t key = host_element_key(source, x[c]);
        const std::size_t to = next[(key >> p.shift) & 15U]++;
        places[to] = from != nullptr ? from[c] : static_cast<std::int32_t>(c);
        if (keys != nullptr) keys[to] = static_cast<Key>(key);
      }
    });
  });
}

void put_in_rows_host(const CustomHostCall& call) {
  const std::size_t cols = call.params[0];
  for_element(call.input_tensors[0].dtype, [&]<class E>(E) {
    const auto y = host_output<E>(call, 0);
    host_for(call.params[1], 8, [&](std::size_t i) {
      const std::size_t row = i / cols;
      const std::int32_t at = HostRow<std::int32_t>(call, 1, row, cols)[i % cols];
      y[row * cols + static_cast<std::size_t>(at)] = HostRow<E>(call, 0, row, cols)[i % cols];
    });
  });
}

void searchsorted_host(const CustomHostCall& call, bool right) {
  for_wide(call.input_tensors[0].dtype, [&]<class E>(E) {
    host_for(call.params[1], 32, [&](std::size_t i) {
      const std::size_t n = call.params[0];
      const std::size_t each = call.params[2];
      const HostRow<E> s(call, 0, i / each, n);
      const std::uint64_t key = sort_key(HostRow<E>(call, 1, i / each, each)[i % each]);
      const auto columns = std::views::iota(std::size_t{0}, n);
      const auto found = std::ranges::partition_point(
          columns, [&](std::size_t c) { return right ? sort_key(s[c]) <= key : sort_key(s[c]) < key; });
      host_output<std::int32_t>(call, 0)[i] = static_cast<std::int32_t>(found - columns.begin());
    });
  });
}

void picked_host(const CustomHostCall& call) {
  const auto upto = host_input<std::int32_t>(call, 0);
  for (std::size_t i = 0; i < call.params[0]; ++i) {
    const auto before = static_cast<std::size_t>(i > 0 ? upto[i - 1] : 0);
    if (static_cast<std::size_t>(upto[i]) != before && before < call.params[1])
      host_output<std::int32_t>(call, 0)[before] = static_cast<std::int32_t>(i);
  }
}

}  // namespace tessera::ops
