// The rules of scans, sorts and scatters against central differences in f64, on the CPU.
#include "graph/gradient.h"

#include <functional>

#include <fmt/format.h>

#include "ops/sort.h"
#include "sort/support.h"

namespace tessera::test {
namespace {

using Doubles = std::vector<double>;

/// The gradient that the rule of `f` gives for x, where the result is weighted with `weights`.
Tensor by_rule(const std::function<NodePtr(const NodePtr&)>& f, const Tensor& x, const Tensor& weights) {
  const Tensor leaf = Tensor(x.to_vector<double>(), x.shape(), x.device());
  leaf.node()->set_tracked(true);
  NodePtr y = f(leaf.node());
  // Views and casts around the mark are the identity in these tests.
  const NodePtr mark = y;
  EXPECT_EQ(mark->op(), Op::kMark) << "the result has no rule";
  const Gradient& rule = *mark->gradient();
  std::vector<NodePtr> outputs;
  for (const auto& weak : rule.outputs) outputs.push_back(weak.lock());
  std::vector<NodePtr> gradients(outputs.size());
  gradients[0] = weights.node();
  std::vector<NodePtr> result = rule.function({*rule.inputs, outputs, gradients});
  for (std::size_t i = 0; i < result.size(); ++i) {
    if ((*rule.inputs)[i] == leaf.node()) return Tensor(ops::stop_gradient(result[i]));
  }
  ADD_FAILURE() << "x is no input of the rule";
  return x;
}

void check(const std::string& what, const std::function<NodePtr(const NodePtr&)>& f, const Tensor& x) {
  const Tensor y0(f(x.node()));
  const Tensor weights(numbers<double>(y0.numel(), 99), y0.shape(), x.device());
  const Doubles got = by_rule(f, x, weights).to_vector<double>();
  const Doubles at = x.to_vector<double>();
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto value = [&](double by) {
      Doubles moved = at;
      moved[i] += by;
      return sum(Tensor(f(Tensor(moved, x.shape(), x.device()).node())) * weights).item<double>();
    };
    const double expected = (value(kStep) - value(-kStep)) / (2 * kStep);
    ASSERT_NEAR(got[i], expected, 1e-7 * std::max(1.0, std::fabs(expected))) << what << " at " << i;
  }
}

class SortGradients : public testing::Test {
 protected:
  Device cpu_ = Device::create({.device = "cpu"});
  [[nodiscard]] Tensor data(const Shape& shape, std::uint32_t seed, double low = -2, double high = 2) const {
    return {numbers<double>(shape.numel(), seed, low, high), shape, cpu_};
  }
};

TEST_F(SortGradients, Scans) {
  for (const int axis : {0, 1}) {
    for (const bool exclusive : {false, true}) {
      for (const bool reverse : {false, true}) {
        const ops::ScanOptions o{exclusive, reverse};
        const std::string what = fmt::format("axis {}, exclusive {}, reverse {}", axis, exclusive, reverse);
        check("cumsum, " + what, [&](const NodePtr& x) { return ops::cumsum(x, axis, o); }, data({4, 5}, 1));
        check("cumprod, " + what, [&](const NodePtr& x) { return ops::cumprod(x, axis, o); }, data({4, 5}, 2));
        if (exclusive) continue;
        check(
            "logcumsumexp, " + what, [&](const NodePtr& x) { return ops::logcumsumexp(x, axis, o); }, data({4, 5}, 3));
      }
    }
    check("cummax", [&](const NodePtr& x) { return ops::cummax(x, axis).first; }, data({4, 5}, 4));
    check("cummin", [&](const NodePtr& x) { return ops::cummin(x, axis).first; }, data({4, 5}, 5));
  }
}

TEST_F(SortGradients, ProductsWithZeros) {
  const Tensor x(Doubles{2, 3, 0, 4, 5,  //
                         0, 3, 2, 0, 5,  //
                         2, 3, 4, 5, 0},
                 {3, 5}, cpu_);
  for (const bool exclusive : {false, true}) {
    for (const bool reverse : {false, true}) {
      check("cumprod", [&](const NodePtr& v) { return ops::cumprod(v, 1, {exclusive, reverse}); }, x);
    }
  }
}

TEST_F(SortGradients, Sorting) {
  for (const bool descending : {false, true}) {
    check("sort", [&](const NodePtr& x) { return ops::sort(x, 1, descending).first; }, data({3, 7}, 6));
    check("sort by columns", [&](const NodePtr& x) { return ops::sort(x, 0, descending).first; }, data({3, 7}, 7));
  }
}

TEST_F(SortGradients, Places) {
  const Tensor at(Ints{2, 0, 1, 1, 2, 0}, {2, 3}, cpu_);
  check("put_in_rows", [&](const NodePtr& x) { return ops::put_in_rows(x, at.node()); }, data({2, 3}, 8));
  check("take_in_rows", [&](const NodePtr& x) { return ops::take_in_rows(x, at.node()); }, data({2, 4}, 9));
}

TEST_F(SortGradients, Scattering) {
  const Tensor index(Ints{1, 3, 1, -1, 0, 4}, {6}, cpu_);
  const NodePtr base = data({4, 2}, 10).node();
  const NodePtr updates = data({6, 2}, 11).node();
  for (const auto mode : {ops::ScatterMode::kAdd, ops::ScatterMode::kSet}) {
    check(
        "updates", [&](const NodePtr& x) { return ops::scatter_rows(base, 4, 2, index.node(), x, mode); },
        Tensor(updates));
    check(
        "base", [&](const NodePtr& x) { return ops::scatter_rows(x, 4, 2, index.node(), updates, mode); },
        Tensor(base));
    check(
        "updates of zeros", [&](const NodePtr& x) { return ops::scatter_rows(nullptr, 4, 2, index.node(), x, mode); },
        Tensor(updates));
  }
}

}  // namespace
}  // namespace tessera::test
