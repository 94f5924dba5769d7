// Split-K of weight gradients: which are split so that tiles fill a large GPU.
#include "support.h"

namespace tessera::test {
namespace {

class SplitK : public NullTest {
 protected:
  /// On a large GPU with tensor cores.
  std::size_t large_kernels(const std::vector<Tensor>& roots) const {
    plan(roots);  // for the goldens
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const DeviceInfo info = h200_profile().info;
    return schedule::make_plan(schedule::simplify(snapshot(nodes), info), {}, info).kernels.size();
  }
  /// Kernels of dy^T x over so many tokens.
  std::size_t gradient(std::int64_t out, std::int64_t in, std::int64_t tokens, DType t = f32) const {
    return large_kernels({matmul(input({tokens, out}, t).T(), input({tokens, in}, t))});
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
  EXPECT_EQ(large_kernels({m, input({3072, 768}) - 0.1 * m}), 2U);
}

}  // namespace
}  // namespace tessera::test
