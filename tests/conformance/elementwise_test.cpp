// Every row of the elementwise table, for all types that its rule takes, over all layouts, against the oracle.
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/op.h"
#include "ops/build.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

class Elementwise : public DeviceTest {
 protected:
  /// Types to try; without f16 in shaders the others are as before.
  [[nodiscard]] std::vector<DType> types() const {
    if (!GetParam().disabled.empty() && !full()) return {f16};
    return dtypes_of(device_);
  }
  /// Kernels compile slowly on a GPU.
  [[nodiscard]] bool thorough() const { return full() || on_cpu(); }
  /// Layouts are the same code for every op: all of them in a thorough run, else another one for each op and type, and
  /// all in LayoutsOnAllTypes.
  std::vector<Layout> some_layouts() {
    if (thorough()) return {layouts().begin(), layouts().end()};
    return {layouts()[next_++ % layouts().size()]};
  }
  /// Integers and bool become f32 before such an op, so one of them stands for all.
  [[nodiscard]] bool skips(const ElementwiseOp& row, DType t) const {
    return !thorough() && row.rule == TypeRule::kFloat && !is_float(t) && t != kIntegers[static_cast<int>(row.op) % 9];
  }

 private:
  static constexpr DType kIntegers[] = {boolean, i8, u8, i16, u16, i32, u32, i64, u64};
  std::size_t next_ = 0;
};

/// Nothing where the op's rule refuses the types.
std::optional<Tensor> apply(Op op, const std::vector<Tensor>& args) {
  std::vector<NodePtr> nodes;
  for (const Tensor& t : args) nodes.push_back(t.node());
  try {
    return Tensor(ops::elementwise(op, nodes));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kDType) throw;
    return std::nullopt;
  }
}

bool zero_sign_matters(Op op) { return op != Op::kMaximum && op != Op::kMinimum; }

// Small exponents are other ops on a device, and powers for the oracle.
TEST_P(Elementwise, PowersWithConstantExponents) {
  for (const DType t : types()) {
    if (!is_float(t)) continue;
    Checker check(device_);
    const Tensor x = make_tensor(awkward_and_random(t, {64}, 14), device_);
    for (const double exponent : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, -1.0, -2.0, -3.0, 0.5, -0.5, 1.5}) {
      check.add(fmt::format("{} to the power of {}", name(t), exponent), power(x, exponent));
    }
  }
}

TEST_P(Elementwise, LayoutsOnAllTypes) {
  for (const DType t : types()) {
    Checker check(device_);
    const Tensor a = make_tensor(awkward_and_random(t, kLayoutBase, 12), device_);
    const Tensor b = make_tensor(plain(t, kLayoutBase, 13), device_);
    for (const Layout& layout : layouts()) {
      check.add(fmt::format("logical_not of {}, {}", name(t), layout.name), logical_not(layout.view(a)));
      check.add(fmt::format("add of {}, {}", name(t), layout.name), layout.view(a) + layout.view(b));
    }
  }
}

TEST_P(Elementwise, UnaryOpsOnAllTypes) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.arity != 1 || row.op == Op::kCast) continue;
    for (const DType t : types()) {
      if (skips(row, t)) continue;
      Checker check(device_);
      const Tensor all = make_tensor(awkward(t), device_);
      if (!apply(row.op, {all}).has_value()) continue;
      check.add(fmt::format("{} of {}, awkward values", row.name, name(t)), *apply(row.op, {all}));
      const Tensor base = make_tensor(awkward_and_random(t, kLayoutBase, 1), device_);
      for (const Layout& layout : some_layouts()) {
        check.add(fmt::format("{} of {}, {}", row.name, name(t), layout.name), *apply(row.op, {layout.view(base)}));
      }
    }
  }
}

TEST_P(Elementwise, BinaryOpsOnAllTypes) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.arity != 2 || row.rule == TypeRule::kIndex) continue;
    const bool signs = zero_sign_matters(row.op);
    for (const DType t : types()) {
      if (skips(row, t)) continue;
      Checker check(device_);
      const auto add = [&](const std::string& what, const Tensor& a, const Tensor& b) {
        check.add(fmt::format("{} of {}, {}", row.name, name(t), what), *apply(row.op, {a, b}), signs);
      };
      const Tensor all = make_tensor(awkward(t), device_);
      const std::int64_t n = all.numel();
      if (!apply(row.op, {all, all}).has_value()) continue;
      add("all pairs", reshape(all, {n, 1}), reshape(all, {1, n}));
      const Tensor a = make_tensor(awkward_and_random(t, kLayoutBase, 2), device_);
      const Tensor b = flip(make_tensor(awkward_and_random(t, kLayoutBase, 3), device_));
      const Tensor c = make_tensor(plain(t, kLayoutBase, 4), device_);
      for (const Layout& layout : some_layouts()) add(layout.name, layout.view(a), layout.view(c));
      if (thorough()) {
        add("flipped right side", a, b);
        add("a row on the right", a, slice(reshape(c, {96}), {{5, 17}}));
        add("a column on the left", slice(a, {{}, {2, 3}}), c);
      }
      if (t == boolean) continue;
      const bool left = static_cast<int>(t) % 2 == 0;
      if (!left || thorough()) add("a number on the right", a, is_float(t) ? Tensor(1.5) : Tensor(3));
      if (left || thorough()) add("a number on the left", is_float(t) ? Tensor(0.75) : Tensor(2), a);
    }
  }
}

TEST_P(Elementwise, WhereOnAllTypes) {
  for (const DType t : types()) {
    Checker check(device_);
    const Tensor a = make_tensor(awkward_and_random(t, kLayoutBase, 5), device_);
    const Tensor b = make_tensor(plain(t, kLayoutBase, 6), device_);
    const Tensor c = make_tensor(plain(boolean, kLayoutBase, 7), device_);
    for (const Layout& layout : some_layouts()) {
      check.add(fmt::format("where of {}, {}", name(t), layout.name),
                where(layout.view(c), layout.view(a), layout.view(b)));
    }
    check.add(fmt::format("where of {}, three broadcasts", name(t)),
              where(slice(c, {{}, {0, 1}}), slice(a, {{1, 2}}), reshape(slice(b, {{0, 1}, {0, 1}}), {})));
  }
}

TEST_P(Elementwise, OperandsPromote) {
  for (const DType s : types()) {
    Checker check(device_);
    const Tensor a = make_tensor(plain(s, {31}, 8), device_);
    for (const DType t : dtypes_of(device_)) {
      const Tensor b = make_tensor(plain(t, {31}, 9, 1, 5), device_);
      const Tensor sum = add(a, b);
      EXPECT_EQ(sum.dtype(), promote(s, t));
      check.add(fmt::format("add of {} and {}", name(s), name(t)), sum);
      if (thorough()) check.add(fmt::format("less of {} and {}", name(s), name(t)), less(a, b));
    }
  }
}

TEST_P(Elementwise, CastsBetweenAllTypes) {
  for (const DType s : types()) {
    Checker check(device_);
    const Tensor all = make_tensor(awkward(s), device_);
    for (const DType t : dtypes_of(device_)) {
      check.add(fmt::format("cast of {} to {}", name(s), name(t)), cast(all, t));
      // A cast in the middle of a kernel rounds and wraps as one that is stored.
      check.add(fmt::format("cast of {} to {} and back", name(s), name(t)), cast(cast(all, t), s));
    }
  }
}

TEST_P(Elementwise, CompositionsOnFloats) {
  for (const DType t : types()) {
    if (!is_float(t)) continue;
    Checker check(device_);
    const Tensor x = make_tensor(awkward_and_random(t, {200}, 11), device_);
    const auto add = [&](const char* what, const Tensor& y) { check.add(fmt::format("{} of {}", what, name(t)), y); };
    add("relu", relu(x));
    add("gelu", gelu(x));
    add("gelu_tanh", gelu_tanh(x));
    add("silu", silu(x));
    add("elu", elu(x, 0.7));
    add("leaky_relu", leaky_relu(x));
    add("softplus", softplus(x));
    add("mish", mish(x));
    add("clamp", clamp(x, -1.0, 2.0));
    add("clamp below", clamp(x, Tensor(), 2.0));
    add("clamp above", clamp(x, -1.0, Tensor()));
  }
}

TEST_P(Elementwise, NumbersWithoutADevice) {
  Checker check(device_);
  check.add("2 + 3", Tensor(2) + Tensor(3));
  check.add("exp(1.5)", exp(1.5));
  check.add("1 / 0", Tensor(1.0) / Tensor(0.0));
  check.add("a number", Tensor(7));
  check.add("a number in a shape", broadcast_to(Tensor(2.5), {3, 4}));
  check.run();
  EXPECT_EQ((Tensor(2) + Tensor(3)).item<int>(), 5);
  EXPECT_EQ(Tensor(2.5).item<float>(), 2.5F);
}

TESSERA_ON_ALL_DEVICES(Elementwise);
TESSERA_ON_REDUCED_DEVICES(Elementwise);

}  // namespace
}  // namespace tessera::test
