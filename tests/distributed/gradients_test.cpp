// Gradients of collectives: those of the sum of all ranks' losses, against formulas.
#include "distributed/support.h"

namespace tessera::test {

namespace {

using dist::Reduce;

/// The weights of rank r's loss, so that gradients tell ranks and elements apart.
Tensor weights_of(int r, const Shape& shape) {
  std::vector<float> w;
  for (std::int64_t i = 0; i < shape.numel(); ++i) w.push_back(static_cast<float>((i % 13 + 1) * (r + 1)));
  return Tensor(w, shape);
}

/// The gradient at x of the sum of f(x) by this rank's weights.
template <class F>
std::vector<float> gradient_of(const F& f, const Tensor& x) {
  const auto loss = [&](const Tensor& v) {
    const Tensor y = f(v);
    return (y * weights_of(dist::rank(), y.shape())).sum();
  };
  return value_and_grad(loss)(x).second.template to_vector<float>();
}

TEST(CollectiveGradients, AllReduce) {
  const int n = dist::size();
  const Tensor x(elements<float>(dist::rank(), 12), {3, 4});
  Tensor sum = zeros({3, 4});
  for (int r = 0; r < n; ++r) sum = sum + weights_of(r, {3, 4});
  EXPECT_EQ(gradient_of([](const Tensor& v) { return dist::all_reduce(v); }, x), sum.to_vector<float>());
  EXPECT_EQ(gradient_of([](const Tensor& v) { return dist::all_reduce(v, Reduce::kMean); }, x),
            (sum / static_cast<double>(n)).to_vector<float>());
}

TEST(CollectiveGradients, ExtremesGoToThoseThatHaveThem) {
  const int n = dist::size();
  const Tensor x(std::vector<float>{static_cast<float>(dist::rank()), 5}, {2});  // an extreme of one rank, and of all
  float first = 0;
  float second = 0;
  for (int r = 0; r < n; ++r) {
    const std::vector<float> w = weights_of(r, {2}).to_vector<float>();
    first += w[0];
    second += w[1];
  }
  for (const Reduce op : {Reduce::kMin, Reduce::kMax}) {
    const std::vector<float> g = gradient_of([&](const Tensor& v) { return dist::all_reduce(v, op); }, x);
    EXPECT_EQ(g[0], dist::rank() == (op == Reduce::kMin ? 0 : n - 1) ? first : 0);
    EXPECT_FLOAT_EQ(g[1], second / static_cast<float>(n));
  }
}

TEST(CollectiveGradients, GatherAndScatter) {
  const int n = dist::size();
  const Tensor x(elements<float>(dist::rank(), 6), {2, 3});
  for (const int axis : {0, 1}) {
    const Shape whole = axis == 0 ? Shape{2 * n, 3} : Shape{2, 3 * n};
    Tensor sum = zeros(whole);
    std::vector<Tensor> parts;
    for (int r = 0; r < n; ++r) {
      sum = sum + weights_of(r, whole);
      parts.push_back(weights_of(r, {2, 3}));
    }
    const std::int64_t size = axis == 0 ? 2 : 3;
    const Slice mine{dist::rank() * size, (dist::rank() + 1) * size};
    const Tensor expected = axis == 0 ? sum[{mine}] : sum[{Slice{}, mine}];
    EXPECT_EQ(gradient_of([&](const Tensor& v) { return dist::all_gather(v, axis); }, x), expected.to_vector<float>());
    const Tensor wide = concat(std::vector<Tensor>(at(n), x), axis);
    EXPECT_EQ(gradient_of([&](const Tensor& v) { return dist::reduce_scatter(v, Reduce::kSum, axis); }, wide),
              concat(parts, axis).to_vector<float>());
    EXPECT_EQ(gradient_of([&](const Tensor& v) { return dist::reduce_scatter(v, Reduce::kMean, axis); }, wide),
              (concat(parts, axis) / static_cast<double>(n)).to_vector<float>());
  }
}

TEST(CollectiveGradients, Broadcast) {
  const int n = dist::size();
  const Tensor x(elements<float>(dist::rank(), 5), {5});
  Tensor sum = zeros({5});
  for (int r = 0; r < n; ++r) sum = sum + weights_of(r, {5});
  for (int root = 0; root < n; ++root) {
    EXPECT_EQ(gradient_of([&](const Tensor& v) { return dist::broadcast(v, root); }, x),
              dist::rank() == root ? sum.to_vector<float>() : std::vector<float>(5, 0));
  }
}

// The loss of rank 1 depends on the tensor of rank 0.
TEST(CollectiveGradients, SendAndReceive) {
  if (dist::size() == 1) GTEST_SKIP() << "one rank";
  const Tensor x(elements<float>(dist::rank(), 4), {4});
  if (dist::rank() == 0) {
    const auto loss = [](const Tensor& v) { return (v * 2.0).sum() + dist::send(v * v, 1); };
    const std::vector<float> g = value_and_grad(loss)(x).second.to_vector<float>();
    const std::vector<float> w = weights_of(1, {4}).to_vector<float>();
    const std::vector<float> values = x.to_vector<float>();
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(g[i], 2 + 2 * values[i] * w[i]);
  } else if (dist::rank() == 1) {
    const std::vector<float> g = gradient_of([](const Tensor& v) { return dist::recv(v, 0); }, x);
    EXPECT_EQ(g, std::vector<float>(4, 0));
  }
}

TEST(CollectiveGradients, OfGradients) {
  const int n = dist::size();
  // The sum of all ranks' losses is n s^3, s the sum of all x; the gradient by x of that of one rank's gradient.
  const Tensor x(std::vector<float>{static_cast<float>(dist::rank() + 1)}, {1});
  const auto loss = [](const Tensor& v) {
    const Tensor s = dist::all_reduce(v);
    return (s * s * s).sum();
  };
  const auto slope = [&](const Tensor& v) { return value_and_grad(loss)(v).second.sum(); };
  const float s = static_cast<float>(n * (n + 1)) / 2;
  const auto [first, second] = value_and_grad(slope)(x);
  EXPECT_FLOAT_EQ(static_cast<float>(first.item()), static_cast<float>(n) * 3 * s * s);
  EXPECT_FLOAT_EQ(second.to_vector<float>()[0], static_cast<float>(n * n) * 6 * s);
}

TEST(CollectiveGradients, Backward) {
  Tensor x = tessera::full({2}, static_cast<double>(dist::rank()));
  x.requires_grad();
  (dist::all_reduce(x * 3.0) * static_cast<double>(dist::rank() + 1)).sum().backward();
  const int n = dist::size();
  EXPECT_EQ(x.grad().to_vector<float>(), std::vector<float>(2, static_cast<float>(3 * n * (n + 1) / 2)));
}

}  // namespace

}  // namespace tessera::test
