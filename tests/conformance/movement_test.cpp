// Ops that move elements, creation, and random numbers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/os/system.h"
#include "support/check.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

class Movement : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(awkward_and_random(t, shape, seed), device_);
  }
};

std::vector<std::int64_t> dims(const Tensor& t) { return {t.shape().begin(), t.shape().end()}; }

TEST_P(Movement, ViewsOfAllTypesWrittenOut) {
  for (const DType t : dtypes_of(device_)) {
    Checker check(device_);
    const Tensor base = data(t, kLayoutBase, 1);
    for (const Layout& layout : layouts()) {
      check.add(fmt::format("{} {}", name(t), layout.name), layout.view(base));
    }
    check.add(fmt::format("{} contiguous of a transpose", name(t)), contiguous(transpose(base)));
  }
}

// Maps load four neighbors at once where rows have whole quads: views that have them, and those that just do not.
TEST_P(Movement, RowsOfWholeQuads) {
  for (const DType t : {f32, f16, DType::kU8, DType::kI64, DType::kBool}) {
    const std::vector<DType> known = dtypes_of(device_);
    if (std::ranges::find(known, t) == known.end()) continue;
    Checker check(device_);
    const Tensor x = data(t, {6, 26}, 11);
    const Tensor y = data(t, {6, 24}, 12);
    for (const auto& [start, cols] : {std::pair(0, 8), {4, 12}, {2, 8}, {4, 6}}) {
      const auto of = [&, first = start, last = start + cols](const Tensor& z, const Slice& rows) {
        return slice(z, {rows, {first, last}});
      };
      check.add(fmt::format("{}, {} columns from {}", name(t), cols, start),
                where(equal(of(x, {}), of(x, {2, 3})), of(y, {{}, {}, -1}), of(y, {3, 4})));
    }
  }
}

// The same for gathers: rows of whole quads at any position, and rows that are almost so.
TEST_P(Movement, GathersOfWholeQuads) {
  for (const DType t : {f32, f16, DType::kU8, DType::kI64}) {
    const std::vector<DType> known = dtypes_of(device_);
    if (std::ranges::find(known, t) == known.end()) continue;
    Checker check(device_);
    const DType of_indices = t == f32 ? DType::kI64 : (t == f16 ? DType::kU8 : i32);
    const Tensor rows(std::vector<std::int32_t>{5, 0, 3, 3, of_indices == DType::kU8 ? 4 : -1, 2, 1}, {7}, device_);
    const Tensor at = cast(rows, of_indices);
    for (const std::int64_t cols : {4, 6}) {
      const Tensor x = data(t, {6, cols}, 21);
      const auto add = [&](const char* what, const Tensor& y) {
        check.add(fmt::format("{} {} of {} columns", name(t), what, cols), y);
      };
      add("rows", take(x, at, 0));
      add("a part of rows", slice(take(x, at, 0), {{1, 6}, {cols / 2, {}}}));
      if (t != f32) continue;
      add("rows of rows", take(reshape(x, {2, 3, cols}), cast(less(rows, 2), i32), 0));
      add("an axis in the middle", take(reshape(x, {2, 3, cols}), cast(less(rows, 2), i32), 1));
      add("columns", take(x, cast(equal(rows, 3), i32) * static_cast<std::int32_t>(cols - 1), 1));
      add("rows beside others", where(equal(take(x, at, 0), slice(x, {{1, 2}})), take(x, at, 0), slice(x, {{0, 1}})));
      add("transposed", transpose(take(x, at, 0)));
      add("element by element", take_along_axis(x, broadcast_to(reshape(cast(at, i32), {7, 1}), {7, cols}), 0));
      add("every row, shifted", take(x, arange(0, static_cast<double>(6 * cols - 4), 1, i32, device_) + 4));
      add("from an odd place", take(x, arange(0, static_cast<double>(cols), 1, i32, device_) + 1));
    }
  }
}

TEST_P(Movement, LongChainsOfViewsAreCopiedOnTheWay) {
  Tensor x = data(f32, {4, 6, 10}, 2);
  Checker check(device_);
  for (int i = 0; i < 8; ++i) {
    x = reshape(permute(x, {2, 0, 1}), {10, 4, 6});
    x = permute(reshape(flip(x, {i % 3}), {6, 10, 4}), {2, 0, 1});
    x = reshape(x, {4, 6, 10});
    check.add(fmt::format("after {} rounds", i + 1), x);
  }
}

TEST_P(Movement, ShapesOfViews) {
  const Tensor x = data(f32, {2, 3, 4}, 3);
  EXPECT_EQ(dims(reshape(x, {6, -1})), (std::vector<std::int64_t>{6, 4}));
  EXPECT_EQ(dims(permute(x, {-1, 0, 1})), (std::vector<std::int64_t>{4, 2, 3}));
  EXPECT_EQ(dims(transpose(x)), (std::vector<std::int64_t>{2, 4, 3}));
  EXPECT_EQ(dims(transpose(x, 0, 2)), (std::vector<std::int64_t>{4, 3, 2}));
  EXPECT_EQ(dims(expand_dims(x, -1)), (std::vector<std::int64_t>{2, 3, 4, 1}));
  EXPECT_EQ(dims(squeeze(reshape(x, {1, 2, 1, 12}))), (std::vector<std::int64_t>{2, 12}));
  EXPECT_EQ(dims(squeeze(reshape(x, {1, 2, 1, 12}), {0})), (std::vector<std::int64_t>{2, 1, 12}));
  EXPECT_EQ(dims(x.T()), (std::vector<std::int64_t>{2, 4, 3}));
  EXPECT_EQ(dims(slice(x, {{}, {1, {}}, {{}, {}, -2}})), (std::vector<std::int64_t>{2, 2, 2}));
}

TEST_P(Movement, SlicesFollowNumPy) {
  // Bounds of Python's range over 7 elements.
  const Tensor x = arange(0, 7, 1, i32, device_);
  const auto take = [&](const Slice& s) { return slice(x, {s}).to_vector<std::int32_t>(); };
  using V = std::vector<std::int32_t>;
  EXPECT_EQ(take({2, 5}), (V{2, 3, 4}));
  EXPECT_EQ(take({-3, {}}), (V{4, 5, 6}));
  EXPECT_EQ(take({{}, -5}), (V{0, 1}));
  EXPECT_EQ(take({-100, 100, 3}), (V{0, 3, 6}));
  EXPECT_EQ(take({{}, {}, -1}), (V{6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(take({5, 1, -2}), (V{5, 3}));
  EXPECT_EQ(take({100, {}, -3}), (V{6, 3, 0}));
  EXPECT_EQ(take({{}, -4, -1}), (V{6, 5, 4}));
  EXPECT_EQ(take({5, 2}), V{});
  EXPECT_EQ(take({2, 5, -1}), V{});
  EXPECT_EQ(take({100, 200}), V{});
}

TEST_P(Movement, Pads) {
  for (const DType t : dtypes_of(device_)) {
    Checker check(device_);
    const Tensor x = data(t, {5, 6}, 4);
    const Tensor fill = t == boolean ? Tensor(true) : (is_float(t) ? Tensor(-1.5) : Tensor(7));
    check.add(fmt::format("pad of {}", name(t)), pad(x, {{1, 2}, {3, 0}}, fill));
    if (t != f32 && !full() && !on_cpu()) continue;
    check.add(fmt::format("pad of {} with zeros", name(t)), pad(x, {{0, 0}, {0, 5}}));
    check.add(fmt::format("pad of {}, transposed", name(t)), pad(transpose(x), {{2, 1}, {1, 1}}, fill));
    check.add(fmt::format("pad of a pad of {}", name(t)), pad(pad(x, {{1, 1}, {0, 0}}, fill), {{0, 0}, {2, 2}}));
    check.add(fmt::format("a view of a pad of {}", name(t)), slice(flip(pad(x, {{1, 1}, {2, 2}}, fill)), {{1, 6, 2}}));
    check.add(fmt::format("pad of nothing of {}", name(t)), pad(slice(x, {{0, 0}}), {{2, 1}, {0, 0}}, fill));
    check.add(fmt::format("pad of a number of {}", name(t)), pad(reshape(slice(x, {{0, 1}, {0, 1}}), {1}), {{1, 1}}));
  }
}

TEST_P(Movement, JoinsAndSplits) {
  for (const DType t : dtypes_of(device_)) {
    Checker check(device_);
    const Tensor a = data(t, {3, 4}, 5);
    const Tensor b = data(t, {2, 4}, 6);
    const Tensor c = data(t, {3, 4}, 7);
    check.add(fmt::format("concat of {}", name(t)), concat({a, b, slice(a, {{0, 0}}), c}));
    check.add(fmt::format("stack of {}", name(t)), stack({a, c}, 1));
    if (t != f32 && !full() && !on_cpu()) continue;
    check.add(fmt::format("concat of {} along the last axis", name(t)), concat({a, transpose(data(t, {5, 3}, 8))}, -1));
    check.add(fmt::format("stack of {} at the end", name(t)), stack({a, c, a}, -1));
    check.add(fmt::format("concat of one of {}", name(t)), concat({a}));
    std::vector<Tensor> many;
    for (int i = 0; i < 12; ++i) many.push_back(slice(c, {{i % 3, i % 3 + 1}}));
    check.add(fmt::format("concat of many of {}", name(t)), concat(many));
    int part = 0;
    for (const Tensor& p : split(a, 2, 1)) check.add(fmt::format("part {} of {}", part++, name(t)), p);
    for (const Tensor& p : split(a, std::vector<std::int64_t>{1, 0, 2})) {
      check.add(fmt::format("part {} of {}", part++, name(t)), p);
    }
  }
  Checker check(device_);
  check.add("concat of i32 and f32", concat({data(i32, {3}, 9), data(f32, {2}, 10)}));
  check.add("stack of u8 and i8", stack({data(u8, {3}, 9), data(i8, {3}, 10)}));
}

TEST_P(Movement, Creation) {
  for (const DType t : dtypes_of(device_)) {
    Checker check(device_);
    check.add(fmt::format("zeros of {}", name(t)), zeros({3, 5}, t, device_));
    check.add(fmt::format("ones of {}", name(t)), ones({7}, t, device_));
    check.add(fmt::format("full of {}", name(t)), full({2, 3}, 3, t, device_));
    check.add(fmt::format("eye of {}", name(t)), eye(5, 7, 1, t, device_));
    check.add(fmt::format("arange of {}", name(t)), arange(1, 20, 3, t, device_));
    EXPECT_EQ(zeros({3, 5}, t, device_).dtype(), t);
    EXPECT_EQ(eye(3, -1, 0, t, device_).dtype(), t);
    EXPECT_EQ(arange(0, 3, 1, t, device_).dtype(), t);
    EXPECT_EQ(linspace(0, 3, 4, t, device_).dtype(), t);
  }
  Checker check(device_);
  check.add("linspace", linspace(-1, 2, 7, f32, device_));
  check.add("linspace of one", linspace(5, 9, 1, f32, device_));
  check.add("linspace of none", linspace(5, 9, 0, f32, device_));
  check.add("arange backwards", arange(5, -5, -2, i32, device_));
  check.add("arange of none", arange(5, 0, 1, i32, device_));
  check.add("a fraction of a step", arange(0, 1, 0.3, f32, device_));
  check.add("eye below the diagonal", eye(4, 4, -2, f32, device_));
  check.add("rank 8", full({1, 2, 1, 3, 1, 2, 1, 2}, 2.5, f32, device_));
  check.run();
  EXPECT_EQ(arange(0, 1, 0.25, f32, device_).to_vector<float>(), (std::vector<float>{0, 0.25F, 0.5F, 0.75F}));
  EXPECT_EQ(linspace(0, 1, 5, f32, device_).to_vector<float>(), (std::vector<float>{0, 0.25F, 0.5F, 0.75F, 1}));
  EXPECT_EQ(linspace(0, 10, 5, i32, device_).to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 2, 5, 7, 10}));
  EXPECT_EQ(eye(2, 3, 1, i32, device_).to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 1, 0, 0, 0, 1}));
}

TEST_P(Movement, NestedVectorsAndNumbers) {
  const Tensor x(std::vector<std::vector<float>>{{1, 2, 3}, {4, 5, 6}}, device_);
  EXPECT_EQ(dims(x), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dims(Tensor(std::vector<std::vector<int>>{{}, {}}, device_)), (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(sum(x).item<float>(), 21);
  EXPECT_EQ(Tensor(std::vector<bool>{true, false, true}, {3}, device_).to_vector<bool>(),
            (std::vector<bool>{true, false, true}));
  EXPECT_EQ((x * 2).dtype(), f32);
  EXPECT_EQ((cast(x, i8) * 2).dtype(), i8);
  EXPECT_EQ((cast(x, i8) * 2.5).dtype(), f32);
  auto later = x.read_async<float>();
  if (!os::kHasThreads) device_.synchronize();  // where no other thread could finish it
  EXPECT_EQ(later.get().size(), 6U);
}

class Random : public DeviceTest {};

TEST_P(Random, BitsAndUniformsAreTheOracles) {
  random::set_seed(0x123456789abcdefULL);
  Checker check(device_);
  for (int i = 0; i < 3; ++i) {
    check.add("uniform", random::uniform({1003}, 0.0, 1.0, f32, device_));
    check.add("randint", random::randint({7, 11}, -5, 1000, i32, device_));
    check.add("bernoulli", random::bernoulli({129}, 0.3, device_));
  }
  check.add("a view of a draw", transpose(random::uniform({13, 7}, 0.0, 1.0, f32, device_)));
  check.add("u8", random::randint({33}, 0, 256, u8, device_));
  check.add("i64", random::randint({33}, -4000000000, -100, i64, device_));
  check.run();
  // The error bound of a uniform is not 0, but its bits must be those of the first 24 of Philox.
  random::set_seed(42);
  const std::vector<float> u = random::uniform({999}, 0.0, 1.0, f32, device_).to_vector<float>();
  for (std::size_t k = 0; k < u.size(); ++k) {
    ASSERT_EQ(u[k], static_cast<float>(reference::philox(k, 42, 0) >> 8U) * 0x1p-24F) << k;
  }
}

TEST_P(Random, SeedsAndDraws) {
  random::set_seed(7);
  const auto a = random::uniform({64}, 0.0, 1.0, f32, device_).to_vector<float>();
  const auto b = random::uniform({64}, 0.0, 1.0, f32, device_).to_vector<float>();
  random::set_seed(7);
  const auto again = random::uniform({64}, 0.0, 1.0, f32, device_).to_vector<float>();
  EXPECT_EQ(a, again);
  EXPECT_NE(a, b);
  // Two draws in one graph are not one.
  const Tensor x = random::uniform({64}, 0.0, 1.0, f32, device_);
  const Tensor y = random::uniform({64}, 0.0, 1.0, f32, device_);
  EXPECT_GT(sum(abs(x - y)).item<float>(), 1);
}

TEST_P(Random, NormalsWithinTheirBoundAndMoments) {
  random::set_seed(11);
  Checker check(device_);
  check.add("normal", random::normal({1003}, 0.0, 1.0, f32, device_));
  check.add("normal of f16", random::normal({1003}, 2.0, 0.5, f16, device_));
  check.run();
  const std::int64_t n = 20000;
  const auto moments = [&](const Tensor& x) { return std::pair(mean(x).item<double>(), stddev(x).item<double>()); };
  const auto [m, s] = moments(random::normal({n}, 1.0, 2.0, f32, device_));
  EXPECT_NEAR(m, 1, 4 * 2 / std::sqrt(n));
  EXPECT_NEAR(s, 2, 4 * 2 / std::sqrt(2.0 * n));
  const auto [um, us] = moments(random::uniform({n}, -1.0, 3.0, f32, device_));
  EXPECT_NEAR(um, 1, 4 * 1.155 / std::sqrt(n));
  EXPECT_NEAR(us, 4 / std::sqrt(12.0), 0.02);
  const auto p = mean(cast(random::bernoulli({n}, 0.3, device_), f32)).item<double>();
  EXPECT_NEAR(p, 0.3, 4 * std::sqrt(0.21 / n));
}

TESSERA_ON_ALL_DEVICES(Movement);
TESSERA_ON_ALL_DEVICES(Random);

}  // namespace
}  // namespace tessera::test
