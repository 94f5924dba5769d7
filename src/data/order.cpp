// Permutations by Fisher and Yates, with words of Philox.
#include "data/order.h"

#include <bit>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/fail.h"
#include "base/philox.h"

namespace tessera::data {

namespace {

class Words {
 public:
  Words(OrderUse use, std::uint64_t seed, std::uint64_t number) : seed_(seed), number_(number), use_(use) {}

  /// Equally likely numbers below `range`, which is not 0.
  std::uint64_t below(std::uint64_t range) {
    if (range <= std::numeric_limits<std::uint32_t>::max()) return below_narrow(static_cast<std::uint32_t>(range));
    const std::uint64_t mask = ~std::uint64_t{0} >> static_cast<unsigned>(std::countl_zero(range - 1));
    while (true) {
      const std::uint64_t low = next();
      if (const std::uint64_t drawn = (low | std::uint64_t{next()} << 32U) & mask; drawn < range) return drawn;
    }
  }

 private:
  // Lemire, "Fast random integer generation in an interval" (2019).
  std::uint64_t below_narrow(std::uint32_t range) {
    std::uint64_t scaled = std::uint64_t{next()} * range;
    if (static_cast<std::uint32_t>(scaled) < range) {
      const std::uint32_t least = (0U - range) % range;
      while (static_cast<std::uint32_t>(scaled) < least) scaled = std::uint64_t{next()} * range;
    }
    return scaled >> 32U;
  }

  std::uint32_t next() {
    if (used_ == words_.size()) {
      const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
      const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32U); };
      const std::uint32_t use = static_cast<std::uint32_t>(use_) << 31U;  // blocks are far below 2^63
      words_ = philox({low(block_), high(block_) | use, low(number_), high(number_)}, low(seed_), high(seed_));
      ++block_;
      used_ = 0;
    }
    return words_[used_++];
  }

  std::uint64_t seed_, number_;
  OrderUse use_;
  std::uint64_t block_ = 0;
  PhiloxWords words_{};
  std::size_t used_ = words_.size();
};

template <class Position>
std::vector<Position> shuffled(std::int64_t n, Words words) {
  std::vector<Position> positions(static_cast<std::size_t>(n));
  std::iota(positions.begin(), positions.end(), Position{0});
  for (std::size_t i = positions.size(); i > 1; --i) std::swap(positions[i - 1], positions[words.below(i)]);
  return positions;
}

}  // namespace

Order::Order(std::int64_t n, OrderUse use, std::uint64_t seed, std::uint64_t number) {
  const bool narrow = n <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
  const auto no_memory = [&] {
    fail(ErrorKind::kOutOfMemory, "The order of {} samples takes {} bytes of host memory, which it does not have.", n,
         static_cast<double>(n) * (narrow ? 4 : 8));
  };
  try {
    const Words words(use, seed, number);
    if (narrow) {
      positions_ = shuffled<std::uint32_t>(n, words);
    } else {
      positions_ = shuffled<std::uint64_t>(n, words);
    }
  } catch (const std::bad_alloc&) {
    no_memory();
  } catch (const std::length_error&) {
    no_memory();
  }
}

std::int64_t Order::operator[](std::int64_t i) const {
  const auto at = static_cast<std::size_t>(i);
  if (const auto* narrow = std::get_if<1>(&positions_)) return (*narrow)[at];
  if (const auto* wide = std::get_if<2>(&positions_)) return static_cast<std::int64_t>((*wide)[at]);
  return i;
}

}  // namespace tessera::data
