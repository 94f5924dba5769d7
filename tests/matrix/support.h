// Products run with every shape that the generator can make for a device, each against the oracle.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "matrix/choosing_device.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {

/// Expressions that are made anew for each run, and evaluated together.
struct Case {
  Case(std::string what, std::function<std::vector<Tensor>()> several)
      : name(std::move(what)), make(std::move(several)) {}
  Case(std::string what, const std::function<Tensor()>& one)
      : name(std::move(what)), make([one] { return std::vector{one()}; }) {}
  std::string name;
  std::function<std::vector<Tensor>()> make;
};

/// Of a product.
struct Size {
  std::int64_t m, n, k;
};

/// Skips, saying so, where no adapter has matrix units that serve f16.
class Matrix : public testing::Test {
 protected:
  void SetUp() override;

  /// Tensors are made on this one: the adapter, as far as `change` lets it.
  void become(const std::string& name, const std::function<void(DeviceInfo&)>& change);

  /// What a software driver leaves out runs in a full run, and in other quarters (in_turn).
  enum class With : std::uint8_t {
    kEach,  // all candidates, one after the other; on a software driver the first and a quarter of the others
    kSome,  // all; on a software driver one for each product in turn, of the first case and a quarter of the others
  };
  /// Runs the cases with their candidates and compares with the oracle, which is asked once. `rounded`: operands of
  /// products on matrix units are rounded to f16 first; each case is one product of plain tensors then.
  void check(const std::vector<Case>& cases, With with, bool rounded = false);
  /// Shapes that the last check ran.
  std::vector<codegen::MatmulShape> ran_;
  /// How many cases it evaluated, each as often as it ran.
  std::size_t runs_ = 0;

  [[nodiscard]] Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }

  std::shared_ptr<ChoosingDevice> choosing_;
  Device device_;
};

}  // namespace tessera::test
