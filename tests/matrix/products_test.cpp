// Products of f16 with every shape: sizes, transposes, slices, batches, operands through maps, windows.
#include <array>

#include "matrix/support.h"

namespace tessera::test {
namespace {

class MatrixProducts : public Matrix {
 protected:
  [[nodiscard]] Case product(const Size& s, bool turn_a = false, bool turn_b = false, DType t = f16) const {
    return {fmt::format("{} {}x{}{} x {}x{}{}", name(t), s.m, s.k, turn_a ? " transposed" : "", s.k, s.n,
                        turn_b ? " transposed" : ""),
            [=, this] {
              const Tensor a = turn_a ? data(t, {s.k, s.m}, 1).T() : data(t, {s.m, s.k}, 1);
              return matmul(a, turn_b ? data(t, {s.n, s.k}, 2).T() : data(t, {s.k, s.n}, 2));
            }};
  }
};

constexpr std::array<std::int64_t, 10> kSizes{1, 2, 15, 16, 17, 31, 127, 129, 131, 257};

TEST_F(MatrixProducts, EachShape) {
  // Nothing a multiple of anything; all multiples, and tiles that lie inside; quads, but a last step that is not whole.
  check({product({127, 129, 131}), product({128, 256, 64}), product({260, 132, 36})}, With::kEach);
  std::size_t by_matrices = 0;
  for (const codegen::MatmulShape& s : ran_) by_matrices += s.unit != 0 ? 1 : 0;
  EXPECT_GE(by_matrices, full() ? 3 * 3 : 3) << "few shapes for matrix units are candidates";
  EXPECT_GT(choosing_->most(), 3U) << "few shapes are candidates";
  if (full()) {
    EXPECT_LT(by_matrices, ran_.size()) << "none without them is";
  }
}

TEST_F(MatrixProducts, SizesInEachPlace) {
  // Each size as M, N and K beside others; in a full run each pair of sizes as M and N, as M and K, and as N and K.
  std::vector<Case> cases;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    for (std::size_t j = 0; j < kSizes.size(); j += full() ? 1 : 3) {
      cases.push_back(
          product({kSizes[i], kSizes[(i + j + 1) % kSizes.size()], kSizes[(2 * i + j + 3) % kSizes.size()]}));
    }
  }
  check(cases, With::kSome);
}

TEST_F(MatrixProducts, LongAxes) {
  const std::int64_t n = full() ? 131 : 17;
  check({product({4097, n, 15}), product({n, 4097, 15}), product({n, 17, 4097})}, With::kSome);
}

TEST_F(MatrixProducts, TransposesWithEachShape) {
  std::vector<Case> cases;
  for (const auto& [a, b] : {std::pair{true, false}, {false, true}}) {
    cases.push_back(product({260, 132, 36}, a, b));
  }
  check(cases, With::kEach);
}

TEST_F(MatrixProducts, TransposesOfOtherSizes) {
  std::vector<Case> cases;
  std::vector<Size> sizes{{127, 129, 131}, {128, 136, 64}};
  if (full()) sizes.insert(sizes.end(), {{16, 64, 20}, {33, 17, 15}});
  for (const Size& s : sizes) {
    for (const bool a : {false, true}) {
      for (const bool b : {false, true}) cases.push_back(product(s, a, b));
    }
  }
  cases.emplace_back("with itself, transposed", [this] {
    const Tensor a = data(f16, {132, 68}, 3);
    return matmul(a, a.T());
  });
  check(cases, With::kSome);
}

TEST_F(MatrixProducts, SlicedOperands) {
  std::vector<Case> cases;
  const auto add = [&](const char* what, std::function<Tensor(const Tensor&, const Tensor&)> f) {
    cases.emplace_back(what,
                       [this, f = std::move(f)] { return f(data(f16, {140, 140}, 4), data(f16, {140, 140}, 5)); });
  };
  add("offsets that break quads",
      [](const Tensor& a, const Tensor& b) { return matmul(slice(a, {{3, {}}, {2, -2}}), slice(b, {{1, -3}})); });
  add("offsets in fours", [](const Tensor& a, const Tensor& b) {
    return matmul(slice(a, {{8, {}}, {4, {}}}), slice(b, {{4, {}}, {4, 136}}));
  });
  add("columns from the third on",
      [](const Tensor& a, const Tensor& b) { return matmul(a, slice(b, {{}, {2, 138}})); });
  add("steps of two",
      [](const Tensor& a, const Tensor& b) { return matmul(slice(a, {{}, {{}, {}, 2}}), slice(b, {{{}, {}, 2}})); });
  add("backwards", [](const Tensor& a, const Tensor& b) { return matmul(flip(a, {1}), flip(b, {0})); });
  add("a row spread out",
      [](const Tensor& a, const Tensor& b) { return matmul(broadcast_to(slice(a, {{2, 3}}), {18, 140}), b); });
  add("a column spread out",
      [](const Tensor& a, const Tensor& b) { return matmul(a, broadcast_to(slice(b, {{}, {3, 4}}), {140, 20})); });
  add("padded on the way", [](const Tensor& a, const Tensor& b) { return matmul(pad(a, {{1, 2}, {0, 0}}), b); });
  add("computed on the way", [](const Tensor& a, const Tensor& b) { return matmul(a * 2.0 + 1.0, relu(b)); });
  check(cases, With::kSome);
}

TEST_F(MatrixProducts, Batches) {
  std::vector<Case> cases;
  const auto add = [&](const char* what, const Shape& a, const Shape& b) {
    cases.emplace_back(what, [this, a, b] { return matmul(data(f16, a, 6), data(f16, b, 7)); });
  };
  add("two batch axes", {2, 3, 17, 20}, {2, 3, 20, 33});
  add("a batch and a matrix", {3, 40, 20}, {20, 36});
  add("a matrix and a batch", {40, 20}, {3, 20, 36});
  add("batches that broadcast", {1, 3, 68, 36}, {2, 1, 36, 72});
  add("matrices that start between quads", {5, 9, 7}, {5, 7, 11});
  add("an empty batch", {0, 40, 20}, {20, 36});
  cases.emplace_back("heads taken out of columns", [this] {
    return matmul(permute(data(f16, {2, 36, 3, 16}, 8), {0, 2, 1, 3}),
                  permute(data(f16, {2, 36, 3, 16}, 9), {0, 2, 3, 1}));
  });
  check(cases, With::kSome);
}

TEST_F(MatrixProducts, Nothing) {
  check({product({40, 50, 0}), product({128, 128, 0}), product({2, 50, 0}), product({0, 50, 20}), product({40, 0, 20})},
        With::kEach);
}

TEST_F(MatrixProducts, Convolutions) {
  std::vector<Case> cases;
  for (const ImageLayout layout : {ImageLayout::kChannelsFirst, ImageLayout::kChannelsLast}) {
    const bool first = layout == ImageLayout::kChannelsFirst;
    const auto add = [&](std::int64_t c, std::int64_t o, std::int64_t side, const ConvOptions& options) {
      cases.emplace_back(fmt::format("{} {} to {} channels, {} pixels, groups {}", first ? "NCHW" : "NHWC", c, o, side,
                                     options.groups),
                         [=, this] {
                           const Tensor x = data(f16, first ? Shape{2, c, side, side} : Shape{2, side, side, c}, 10);
                           return conv2d(x, data(f16, {o, c / options.groups, 3, 3}, 11), data(f16, {o}, 12), options);
                         });
    };
    add(16, 24, 12, {.padding = 1, .layout = layout});
    add(5, 17, 11, {.stride = 2, .padding = 1, .layout = layout});
    add(8, 20, 13, {.padding = 2, .dilation = 2, .groups = 2, .layout = layout});
    add(256, 20, 5, {.stride = 2, .padding = 1, .layout = layout});  // in pieces
  }
  check(cases, With::kSome);
}

TEST_F(MatrixProducts, Windows) {
  become("windows of 4 KiB", [](DeviceInfo& info) { info.limits.max_storage_binding_size = 4096; });
  std::vector<Case> cases{product({129, 131, 127}), product({260, 36, 20}, true, false)};
  if (full()) {
    cases.push_back(product({128, 64, 96}));
    cases.push_back(product({36, 260, 20}, false, true));
    cases.push_back(product({67, 65, 33}, true, true));
  }
  check(cases, With::kSome);
  std::size_t chunked = 0;
  for (const codegen::MatmulShape& s : ran_) chunked += s.chunked && s.unit != 0 ? 1 : 0;
  EXPECT_GT(chunked, 0U);
}

}  // namespace
}  // namespace tessera::test
