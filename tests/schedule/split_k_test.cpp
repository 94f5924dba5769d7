// Split-K of weight gradients: which are split so that tiles fill a large GPU; and long sums over strided data.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support.h"

namespace tessera::test {
namespace {

class SplitK : public NullTest {
 protected:
  /// The kernels of a large GPU with tensor cores.
  std::vector<std::string> large_labels(const std::vector<Tensor>& roots) const {
    plan(roots);  // for the goldens
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const DeviceInfo info = h200_profile().info;
    std::vector<std::string> list;
    for (const Kernel& k : schedule::make_plan(schedule::simplify(snapshot(nodes), info), {}, info).kernels)
      list.push_back(k.label());
    return list;
  }
  /// Kernels of dy^T x over so many tokens.
  std::size_t gradient(std::int64_t out, std::int64_t in, std::int64_t tokens, DType t = f32) const {
    return large_labels({matmul(input({tokens, out}, t).T(), input({tokens, in}, t))}).size();
  }
};

TEST_F(SplitK, WeightGradientsOfManyTokens) {
  for (const DType t : {f32, f16}) {
    for (const auto& [out, in] : {std::pair(768, 768), {2304, 768}, {3072, 768}, {768, 3072}}) {
      EXPECT_EQ(gradient(out, in, 8192, t), 2U) << out << 'x' << in;
      EXPECT_EQ(gradient(out, in, 4096, t), 1U) << "few tokens";
    }
  }
  EXPECT_EQ(gradient(4096, 2048, 8192), 1U) << "enough tiles";
  EXPECT_EQ(gradient(4096, 256, 8192), 1U) << "small tiles";
}

// The sum of the pieces has room for what follows.
TEST_F(SplitK, AnUpdateIsFusedIntoTheSum) {
  const Tensor g = matmul(input({8192, 3072}).T(), input({8192, 768}));
  const Tensor m = 0.9 * input({3072, 768}) + 0.1 * g;
  EXPECT_EQ(large_labels({m, input({3072, 768}) - 0.1 * m}).size(), 2U);
}

// Updates wait for a correction by the number of steps: it is computed first, and no sum is kept for it.
TEST_F(SplitK, EachSumFollowsItsMatmul) {
  const Tensor correction = 1.0 / (1.0 - exp(input({}) * -0.1));
  std::vector<Tensor> updated;
  for (int i = 0; i < 4; ++i) {
    const Tensor g = matmul(input({8192, 3072}).T(), input({8192, 768}));
    updated.push_back(input({3072, 768}) - g * correction);
  }
  const std::vector<std::string> list = large_labels(updated);
  ASSERT_EQ(list.size(), 9U) << fmt::format("{}", fmt::join(list, "\n"));
  for (std::size_t i = 1; i < list.size(); i += 2) {
    EXPECT_EQ(list[i], "matmul");
    EXPECT_EQ(list[i + 1].substr(0, 10), "reduce_sum");
  }
}

// Channels of a batch that lies in memory with channels last: neighbors of a sum are far apart behind both views.
TEST_F(SplitK, SumsOverViewsOfViewsAreStaged) {
  const Tensor stored = input({128 * 16, 512}, f16);
  const Tensor batch = cast(permute(reshape(stored, {128, 16, 512}), {0, 2, 1}), f32);
  EXPECT_EQ(large_labels({sum(square(batch - 1.0), {0, 2})}).size(), 2U);
}

}  // namespace
}  // namespace tessera::test
