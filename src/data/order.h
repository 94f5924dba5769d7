// The order of samples: a permutation that depends on a seed and a number alone, on every platform.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace tessera::data {

/// What a permutation is for: equal seeds give unrelated ones.
enum class OrderUse : std::uint8_t { kEpoch, kSplit };

class Order {
 public:
  /// 0, 1, .. in their order.
  Order() = default;
  /// A permutation of 0 .. n - 1 by Fisher and Yates. Error of kind out_of_memory if there is no room for it.
  Order(std::int64_t n, OrderUse use, std::uint64_t seed, std::uint64_t number);

  std::int64_t operator[](std::int64_t i) const;

 private:
  std::variant<std::monostate, std::vector<std::uint32_t>, std::vector<std::uint64_t>> positions_;
};

}  // namespace tessera::data
