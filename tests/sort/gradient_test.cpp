// Gradients of scans, sorts and scatters, and gradients of those, against differences in f64.
#include <fmt/format.h>

#include "autograd/support.h"
#include "ops/sort/sort.h"
#include "sort/support.h"

namespace tessera::test {
namespace {

TEST(SortGradients, Scans) {
  for (const int axis : {0, 1}) {
    const auto on = [&](const auto& op) { return [op, axis](const Tensors& x) { return op(x[0], axis); }; };
    check_gradient("cumsum", on([](const Tensor& x, int a) { return cumsum(x * x, a); }), {random_f64({4, 5}, 1)});
    check_gradient("cumprod", on([](const Tensor& x, int a) { return cumprod(x, a); }), {random_f64({4, 5}, 2)});
    check_gradient("logcumsumexp", on([](const Tensor& x, int a) { return logcumsumexp(x, a); }),
                   {random_f64({4, 5}, 3)});
    check_gradient("cummax", on([](const Tensor& x, int a) { return cummax(x, a).values * x; }),
                   {random_f64({4, 5}, 4)});
    check_gradient("cummin", on([](const Tensor& x, int a) { return cummin(x, a).values * x; }),
                   {random_f64({4, 5}, 5)});
  }
}

TEST(SortGradients, ExclusiveAndReverseScans) {
  for (const bool exclusive : {false, true}) {
    for (const bool reverse : {false, true}) {
      const ops::ScanOptions o{exclusive, reverse};
      const std::string what = fmt::format(", exclusive {}, reverse {}", exclusive, reverse);
      const auto on = [&](NodePtr (*op)(const NodePtr&, int, ops::ScanOptions)) {
        return [op, o](const Tensors& x) { return Tensor(op(x[0].node(), 1, o)); };
      };
      check_gradient("cumsum" + what, on(ops::cumsum), {random_f64({3, 6}, 6)});
      check_gradient("cumprod" + what, on(ops::cumprod), {random_f64({3, 6}, 7)});
      const Tensor zeros = f64_tensor({2, 3, 0, 4, 5, 0, 3, 2, 0, 5, 2, 3, 4, 5, 0}, {3, 5});
      check_gradient("cumprod with zeros" + what, on(ops::cumprod), {zeros}, /*second=*/false);
      if (!exclusive) check_gradient("logcumsumexp" + what, on(ops::logcumsumexp), {random_f64({3, 6}, 8)});
    }
  }
}

TEST(SortGradients, Sorting) {
  for (const int axis : {0, 1}) {
    for (const bool down : {false, true}) {
      check_gradient("sort", [=](const Tensors& x) { return sort(x[0] * x[0], axis, down); }, {random_f64({4, 5}, 9)});
      check_gradient("topk", [=](const Tensors& x) { return topk(x[0] * x[0], 2, axis, down).values; },
                     {random_f64({4, 5}, 10)});
    }
    check_gradient("median", [=](const Tensors& x) { return median(x[0] * x[0], axis); }, {random_f64({4, 5}, 11)});
    check_gradient("quantile", [=](const Tensors& x) { return quantile(x[0], {0.1, 0.8}, axis, true); },
                   {random_f64({4, 5}, 12)});
  }
}

TEST(SortGradients, Scattering) {
  const Tensor at(Ints{0, 2, 2, 1, 0, -1, 1, 0, 0}, {3, 3}, cpu());
  for (const Scatter mode : {Scatter::kAdd, Scatter::kSet}) {
    for (const int axis : {0, 1}) {
      check_gradient("scatter", [&](const Tensors& x) { return scatter(x[0] * x[0], at, x[1] * x[1], axis, mode); },
                     {random_f64({3, 4}, 13), random_f64({3, 3}, 14)});
    }
  }
  check_gradient("index_add",
                 [](const Tensors& x) { return index_add(x[0], 1, Tensor(Ints{2, 0, 2, 1}, {4}, cpu()), x[1] * x[1]); },
                 {random_f64({2, 3}, 15), random_f64({2, 4}, 16)});
  check_gradient(
      "scatter_add_flat",
      [](const Tensors& x) {
        return Tensor(ops::scatter_add_flat(4, Tensor(Ints{3, 1, 3, -1}, {2, 2}, cpu()).node(), (x[0] * x[0]).node()));
      },
      {random_f64({2, 2}, 17)});
  const Tensor many(numbers<std::int32_t>(90, 18, 0, 3), {90}, cpu());
  check_gradient(
      "scatter of long runs", [&](const Tensors& x) { return index_add(zeros({4, 2}, f64, cpu()), 0, many, x[0]); },
      {random_f64({90, 2}, 19)}, /*second=*/false);
}

TEST(SortGradients, IndicesAreConstants) {
  check_gradient("values times indices",
                 [](const Tensors& x) {
                   const Indexed s = sort_with_indices(x[0] * x[0], 1);
                   return s.values * cast(s.indices, f64) + cast(cummax(x[0], 1).indices, f64) * x[0];
                 },
                 {random_f64({3, 4}, 22)});
}

TEST(SortGradients, Selecting) {
  const Tensor mask(std::vector<bool>{true, false, true, true, false, false}, {2, 3}, cpu());
  check_gradient("masked_select", [&](const Tensors& x) { return masked_select(x[0] * x[0], mask); },
                 {random_f64({2, 3}, 20)});
}

TEST(SortGradients, ProductsAndExtremesOfUpdates) {
  const Tensor at(Ints{0, 2, 2, 1, 0, -1, 1, 0, 0}, {3, 3}, cpu());
  for (const Scatter mode : {Scatter::kMul, Scatter::kMax, Scatter::kMin}) {
    for (const int axis : {0, 1}) {
      check_gradient("scatter", [&](const Tensors& x) { return scatter(x[0] * x[0], at, x[1] * x[1], axis, mode); },
                     {random_f64({3, 4}, 23), random_f64({3, 3}, 24)});
    }
  }
  const Tensor index(Ints{0, 0, 1, 1, 2, 2, 3}, {7}, cpu());
  check_gradient(
      "scatter of zeros", [&](const Tensors& x) { return scatter(x[0], index, x[1], 0, Scatter::kMul); },
      {f64_tensor({2, 0, 3, 0}, {4}), f64_tensor({3, 0, 5, 4, 0, 0, 7}, {7})}, /*second=*/false);
  const auto [value, shares] =
      value_and_grad_of([&](const Tensors& x) { return sum(scatter(x[0], index, x[1], 0, Scatter::kMax)); },
                        {f64_tensor({1, 1, 1, 1}, {4}), f64_tensor({1, 1, 0, 1, 2, 2, 0}, {7})});
  const double third = 1.0 / 3;
  EXPECT_EQ(shares[0].to_vector<double>(), (std::vector<double>{third, 0.5, 0, 1}));
  EXPECT_EQ(shares[1].to_vector<double>(), (std::vector<double>{third, third, 0, 0.5, 0.5, 0.5, 0}));
}

}  // namespace
}  // namespace tessera::test
