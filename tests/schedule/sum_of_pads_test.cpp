// Sums of zero-padded tensors: which become a concatenation, and that values stay right where they do not.
#include <algorithm>

#include <fmt/format.h>

#include "graph/op.h"
#include "support.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {

namespace {

using Widths = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// How many ops of a kind a plan computes.
std::size_t count(const schedule::Plan& plan, Instr::Kind kind, Op op) {
  std::size_t n = 0;
  for (const Kernel& kernel : plan.kernels)
    n += static_cast<std::size_t>(
        std::ranges::count_if(kernel.instrs, [&](const Instr& x) { return x.kind == kind && x.op == op; }));
  return n;
}
std::size_t adds(const schedule::Plan& plan) { return count(plan, Instr::Kind::kOp, Op::kAdd); }
std::size_t pads(const schedule::Plan& plan) { return count(plan, Instr::Kind::kPad, Op::kPad); }

/// `part` at `low` of an axis of `size`, among `fill`.
Tensor placed(const Tensor& part, int axis, std::int64_t low, std::int64_t size, double fill = 0.0) {
  Widths widths(static_cast<std::size_t>(part.shape().rank()), {0, 0});
  widths[static_cast<std::size_t>(axis)] = {low, size - low - part.shape()[axis]};
  return pad(part, widths, fill);
}

}  // namespace

using SumOfPads = NullTest;

TEST_F(SumOfPads, GradientOfASplitIsAConcatenation) {
  // q, k and v of one matmul: the kernel that puts their gradients together was map_pad_pad_add_pad_add, also one
  // of 11.
  const Tensor x = input({64, 96});
  const Tensor w = input({96, 3 * 96});
  const auto loss = [&](const Tensors& in) {
    const std::vector<Tensor> qkv = split(matmul(x, in[0]), 3, 1);
    return sum(matmul(softmax(matmul(qkv[0], qkv[1].T())), qkv[2]));
  };
  const schedule::Plan p = plan(value_and_grad_of(loss, {w}).second);
  EXPECT_EQ(adds(p), 0U);
  EXPECT_EQ(pads(p), 3U);
  EXPECT_EQ(p.kernels.size(), 11U);
  EXPECT_EQ(std::ranges::count(p.kernels, "map_pad_pad_pad", &Kernel::label), 1);
}

TEST_F(SumOfPads, AnyOrderOfPiecesAndGaps) {
  const Tensor a = input({8, 16});
  const Tensor b = input({8, 32});
  const Tensor c = input({8, 8});
  for (const auto& sum_of : {placed(a, 1, 0, 56) + placed(b, 1, 16, 56) + placed(c, 1, 48, 56),
                             placed(c, 1, 48, 56) + (placed(b, 1, 16, 56) + placed(a, 1, 0, 56)),
                             placed(b, 1, 20, 80) + placed(c, 1, 70, 80) + placed(a, 1, 0, 80)}) {
    EXPECT_EQ(adds(plan({sum_of})), 0U);
    EXPECT_EQ(kernels({sum_of}), 1U);
  }
}

TEST_F(SumOfPads, PadsOfDifferentShapesOfOneTensor) {
  const Tensor heads = reshape(placed(input({4, 2, 8}), 1, 2, 6), {4, 48});
  EXPECT_EQ(adds(plan({heads + placed(input({4, 16}), 1, 0, 48)})), 0U);
}

TEST_F(SumOfPads, OverlapsOtherFillsAndOtherTermsStaySums) {
  const Tensor a = input({8, 16});
  EXPECT_EQ(adds(plan({placed(a, 1, 0, 24) + placed(input({8, 16}), 1, 8, 24)})), 1U) << "they overlap";
  EXPECT_EQ(adds(plan({placed(a, 1, 0, 32) + placed(input({8, 16}), 1, 16, 32, 1.0)})), 1U) << "not zero";
  EXPECT_EQ(adds(plan({placed(a, 1, 0, 32) + input({8, 32})})), 1U);
  EXPECT_EQ(adds(plan({placed(a, 1, 0, 24) + placed(input({4, 24}), 0, 0, 8)})), 1U) << "a row and a column";
}

TEST_F(SumOfPads, LongSumsGrowNoLongChains) {
  Tensor total = placed(input({4}), 0, 0, 128);
  for (int i = 1; i < 32; ++i) total = total + placed(input({4}), 0, i * 4, 128);
  EXPECT_GT(adds(plan({total})), 16U);
}

class SumOfPadsOnDevice : public DeviceTest {};

TEST_P(SumOfPadsOnDevice, MatchesTheReference) {
  for (const DType t : {f32, f16}) {
    Checker check(device_);
    for (int axis = 0; axis < 3; ++axis) {
      const auto part = [&](std::int64_t size, std::uint32_t seed) {
        Shape shape{3, 5, 7};
        shape[axis] = size;
        return make_tensor(plain(t, shape, seed), device_);
      };
      const Tensor a = part(2, 1);
      const Tensor b = part(6, 2);
      const Tensor c = part(1, 3);
      const auto add = [&](const char* what, const Tensor& x) {
        check.add(fmt::format("{} {} axis {}", what, name(t), axis), x, false);
      };
      const auto three = [&](std::int64_t at_a, std::int64_t at_b, std::int64_t at_c, std::int64_t size) {
        return std::vector{placed(a, axis, at_a, size), placed(b, axis, at_b, size), placed(c, axis, at_c, size)};
      };
      for (const auto& p : {three(0, 2, 8, 9), three(7, 0, 6, 9), three(3, 7, 0, 15)}) {
        add("first to last", p[0] + p[1] + p[2]);
        add("last to first", p[2] + p[1] + p[0]);
        add("nested", p[1] + (p[0] + p[2]));
        add("read through a view", exp(flip(p[0] + p[1] + p[2], {axis})));
      }
      const auto p = three(0, 1, 8, 9);
      add("overlap", p[0] + p[1] + p[2]);
      add("two overlap with the third", p[0] + p[2] + p[1]);
      add("other fill", p[2] + placed(a, axis, 1, 9, 0.5));
      add("twice the same", p[0] + p[0]);
      const auto f = [&](const Tensor& x) {
        const std::vector<Tensor> parts = split(x, std::vector<std::int64_t>{2, 6, 1}, axis);
        return sum(parts[2] * 3.0) + sum(square(parts[0])) + sum(sin(parts[1]));
      };
      add("gradient", value_and_grad_of([&](const Tensors& x) { return f(x[0]); }, {part(9, 4)}).second[0]);
    }
  }
}

TESSERA_ON_ALL_DEVICES(SumOfPadsOnDevice);

}  // namespace tessera::test
