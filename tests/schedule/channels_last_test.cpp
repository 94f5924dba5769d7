// Images between convolutions are stored with channels last on a GPU; results, small images and those that other ops
// read are not.
#include "schedule/simplify/channels_last.h"

#include <algorithm>

#include "support.h"

namespace tessera::test {
namespace {

class ChannelsLast : public NullTest {
 protected:
  /// The shapes of the matmuls on a large GPU.
  std::vector<Shape> matmuls(const std::vector<Tensor>& roots) const {
    plan(roots);  // for the goldens
    const Graph graph = simplified(roots);
    std::vector<Shape> shapes;
    for (const Graph::Entry& e : graph.entries) {
      if (e.op() == Op::kMatmul) shapes.push_back(e.node->shape());
    }
    return shapes;
  }
  static Graph simplified(const std::vector<Tensor>& roots) {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    return schedule::simplify(snapshot(nodes), h200_profile().info);
  }
  /// Copies of at least so many elements.
  static std::int64_t copies(const std::vector<Tensor>& roots, std::int64_t least) {
    const Graph graph = simplified(roots);
    return std::ranges::count_if(
        graph.entries, [&](const Graph::Entry& e) { return e.op() == Op::kCopy && e.node->numel() >= least; });
  }
  Tensor conv(const Tensor& x, std::int64_t outputs, std::int64_t stride = 1, std::int64_t taps = 3) const {
    return conv2d(x, input({outputs, x.size(1), taps, taps}, x.dtype()), {}, {.stride = stride, .padding = taps / 2});
  }
};

const Shape kFirst{32, 64, 784};  // one matmul for each image: [O, C * 9] x [C * 9, H * W]
const Shape kLast{32 * 784, 64};  // one for all images: [N * H * W, 9 * C] x [9 * C, O]

TEST_F(ChannelsLast, BetweenConvolutions) {
  const Tensor x = input({32, 64, 28, 28}, f16);
  const Tensor h = relu(conv(x, 64)) * 0.5;
  EXPECT_EQ(matmuls({relu(conv(h, 64))}), (std::vector<Shape>{kLast, kFirst}));
  EXPECT_EQ(matmuls({relu(conv(h + 1.0, 64) + h)}), (std::vector<Shape>{kFirst, kFirst})) << "added to the result";
  EXPECT_EQ(matmuls({mean(conv(h, 64), {2, 3})}), (std::vector<Shape>{kLast, kLast})) << "only sums read it";
}

TEST_F(ChannelsLast, NotOfResultsNorForOtherReaders) {
  const Tensor x = input({32, 64, 28, 28}, f16);
  const Tensor h = relu(conv(x, 64));
  EXPECT_EQ(matmuls({conv(h, 64), h})[0], kFirst) << "a root";
  EXPECT_EQ(matmuls({conv(max_pool2d(h, 2), 64)})[0], kFirst) << "pooling reads rows";
  EXPECT_EQ(matmuls({conv(h + x, 64)})[0], kFirst) << "added to an input";
  EXPECT_EQ(matmuls({conv(concat({h, h}, 1), 64)})[0], kFirst) << "concatenated";
  EXPECT_EQ(matmuls({matmul(reshape(h, {32, -1}), input({64 * 784, 10}, f16))})[0], kFirst) << "flattened";
  EXPECT_EQ(matmuls({conv(relu(conv(x, 60)), 64)})[0], (Shape{32, 60, 784})) << "channels in half quads";
  EXPECT_EQ(matmuls({conv(relu(conv(input({1, 64, 28, 28}, f16), 64)), 64)})[0].back(), 784) << "one image";
  const Tensor wide = input({32, 64, 28, 28});
  EXPECT_EQ(matmuls({conv(relu(conv(wide, 64)), 64)})[0], kFirst) << "f32 without gradients";
}

/// A block of a ResNet: two convolutions with batch norm, and a projection.
TEST_F(ChannelsLast, ATrainingStepCopiesNoImages) {
  const Tensor x = input({128, 64, 16, 16});
  const auto norm = [&](const Tensor& y) {
    const Tensor centered = y - mean(y, {0, 2, 3}, true);
    return centered * rsqrt(mean(square(centered), {0, 2, 3}, true) + 1e-5);
  };
  const auto loss = [&](const Tensors& w) {
    const Tensor h = relu(norm(conv2d(x, w[0], {}, {.padding = 1})));
    const Tensor z = relu(norm(conv2d(h, w[1], {}, {.stride = 2, .padding = 1})));
    const Tensor y = norm(conv2d(z, w[2], {}, {.padding = 1})) + norm(conv2d(h, w[3], {}, {.stride = 2}));
    return sum(mean(relu(y), {2, 3}) * input({128, 128}));
  };
  auto [value, gradients] = value_and_grad_of(
      loss, {input({64, 64, 3, 3}), input({128, 64, 3, 3}), input({128, 128, 3, 3}), input({128, 64, 1, 1})});
  gradients.push_back(value);
  EXPECT_EQ(copies(gradients, 128 * 64 * 16 * 16), 0);
  for (const Shape& shape : matmuls(gradients)) EXPECT_FALSE(shape.rank() == 3 && shape[0] == 128) << shape.str();
}

}  // namespace
}  // namespace tessera::test
