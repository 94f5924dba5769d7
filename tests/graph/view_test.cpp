// Views: composed maps against the plain meaning of each op, over many random chains.
#include "graph/view.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "graph/op.h"
#include "graph/view_compose.h"
#include "ops/build.h"

namespace tessera {

namespace {

/// The elements of a node as indices into the base, by following its view.
std::vector<std::int64_t> indices(const NodePtr& n) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(n->numel()));
  std::iota(result.begin(), result.end(), 0);
  const Graph g = snapshot(std::span(&n, 1));
  // Walk down through views and copies to the single input.
  int at = g.roots[0];
  while (g[at].op() != Op::kInput) {
    if (g[at].op() == Op::kView) {
      for (auto& i : result) i = g.node(at).view().map(i);
    }
    at = g[at].inputs[0];
  }
  return result;
}

struct Plain {  // the same tensor, kept as a list
  Shape shape;
  std::vector<std::int64_t> values;
};

Plain gather(const Plain& x, const Shape& shape,
             const std::function<std::int64_t(const std::vector<std::int64_t>&)>& from) {
  Plain r{shape, {}};
  std::vector<std::int64_t> c(static_cast<std::size_t>(shape.rank()), 0);
  for (std::int64_t i = 0; i < shape.numel(); ++i) {
    std::int64_t rest = i;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      c[static_cast<std::size_t>(d)] = rest % shape[d];
      rest /= shape[d];
    }
    r.values.push_back(x.values[static_cast<std::size_t>(from(c))]);
  }
  return r;
}

std::int64_t flat(const Shape& s, const std::vector<std::int64_t>& c) {
  std::int64_t r = 0;
  for (int d = 0; d < s.rank(); ++d) r = r * s[d] + c[static_cast<std::size_t>(d)];
  return r;
}

}  // namespace

TEST(View, RandomChainsMeanWhatTheirOpsMean) {
  std::mt19937 random(7);
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 400; ++round) {
    NodePtr n = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{4, 6, 5}, nullptr, Node::Inputs{});
    Plain p{n->shape(), std::vector<std::int64_t>(120)};
    std::iota(p.values.begin(), p.values.end(), 0);
    for (int step = 0; step < 6; ++step) {
      const Shape s = n->shape();
      switch (pick(5)) {
        case 0: {
          std::vector<int> order(static_cast<std::size_t>(s.rank()));
          std::iota(order.begin(), order.end(), 0);
          std::shuffle(order.begin(), order.end(), random);
          n = ops::permute(n, order);
          p = gather(p, n->shape(), [&](const auto& c) {
            std::vector<std::int64_t> from(c.size());
            for (std::size_t i = 0; i < c.size(); ++i) from[static_cast<std::size_t>(order[i])] = c[i];
            return flat(s, from);
          });
          break;
        }
        case 1: {
          const std::int64_t total = s.numel();
          std::int64_t cut = 1 + pick(6);
          while (total % cut != 0) --cut;
          n = ops::reshape(n, {cut, total / cut});
          p.shape = n->shape();
          break;
        }
        case 2: {
          std::vector<ops::Range> ranges;
          for (int d = 0; d < s.rank(); ++d) {
            const bool back = pick(2) == 0;
            const std::int64_t stride = 1 + pick(2);
            ranges.push_back(back ? ops::Range{s[d] - 1, -1, -stride} : ops::Range{pick(2) % s[d], s[d], stride});
          }
          n = ops::slice(n, ranges);
          p = gather(p, n->shape(), [&](const auto& c) {
            std::vector<std::int64_t> from(c.size());
            for (std::size_t i = 0; i < c.size(); ++i) from[i] = ranges[i].start + c[i] * ranges[i].step;
            return flat(s, from);
          });
          break;
        }
        case 3: {
          if (s.numel() > 500) break;
          Shape wide{3};
          for (const std::int64_t d : s) wide.push_back(d);
          n = ops::broadcast_to(n, wide);
          p = gather(p, wide, [&](const auto& c) { return flat(s, {c.begin() + 1, c.end()}); });
          break;
        }
        default: {
          const int axis = pick(s.rank());
          n = ops::flip(n, std::vector<int>{axis});
          p = gather(p, n->shape(), [&](const auto& c) {
            std::vector<std::int64_t> from = c;
            from[static_cast<std::size_t>(axis)] = s[axis] - 1 - c[static_cast<std::size_t>(axis)];
            return flat(s, from);
          });
          break;
        }
      }
      ASSERT_LE(n->op() == Op::kView ? n->view().levels.size() : 0, View::kMaxLevels);
      ASSERT_EQ(indices(n), p.values) << "round " << round << " step " << step;
    }
  }
}

TEST(View, ReshapeOfContiguousIsTheIdentity) {
  const NodePtr x = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{4, 6}, nullptr, Node::Inputs{});
  EXPECT_TRUE(ops::reshape(x, {24})->view().identity());
  EXPECT_EQ(ops::reshape(ops::reshape(x, {24}), {4, 6}), x);
  EXPECT_EQ(ops::permute(ops::permute(x, std::vector<int>{1, 0}), std::vector<int>{1, 0}), x);
}

TEST(View, BroadcastRowsAndColumnsHaveTheirClass) {
  const NodePtr column = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{4, 1}, nullptr, Node::Inputs{});
  const NodePtr row = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{6}, nullptr, Node::Inputs{});
  EXPECT_EQ(ops::broadcast_to(column, {4, 6})->view().layout().str(), "[10]");
  EXPECT_EQ(ops::broadcast_to(row, {4, 6})->view().layout().str(), "[01]");
  EXPECT_TRUE(ops::broadcast_to(column, {4, 6})->view().layout().follows_row());
  EXPECT_TRUE(ops::broadcast_to(row, {4, 6})->view().layout().follows_col());
}

TEST(View, LayoutsSayWhatProgramsDependOn) {
  const ViewLayout whole = View{{{{{3, 7}, {4, 1}, {5, 0}}, 2}, {{{6, 1}, {2, 9}}, 0}}}.layout();
  EXPECT_EQ(whole.str(), "[n10+][1n]");
  EXPECT_EQ(whole, (View{{{{{8, 2}, {9, 1}, {2, 0}}, 5}, {{{7, 1}, {3, 4}}, 0}}}.layout())) << "other sizes";
  EXPECT_NE(whole, (View{{{{{3, 7}, {4, 1}, {5, 0}}, 0}, {{{6, 1}, {2, 9}}, 0}}}.layout())) << "no offset";
  EXPECT_TRUE(whole.broadcasts());
  EXPECT_TRUE(whole.levels()[0].broadcasts());
  EXPECT_FALSE(whole.levels()[1].broadcasts());
  EXPECT_TRUE(whole.levels()[1].transposed());
  EXPECT_TRUE(whole.levels()[1].strided());
  EXPECT_FALSE(whole.levels()[0].contiguous());
  const ViewLayout column = View{{{{{4, 1}, {6, 0}}, 3}}}.layout();
  EXPECT_TRUE(column.levels()[0].follows_row());
  EXPECT_FALSE(column.follows_row()) << "it starts at another element";
  EXPECT_TRUE((View{{{{{6, 0}}, 0}}}.layout().broadcasts_element()));
}

TEST(View, ComposedLevelsMapAsBoth) {
  const NodePtr x = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{4, 6, 10}, nullptr, Node::Inputs{});
  std::mt19937 random(5);
  int composed = 0;
  for (int round = 0; round < 2000; ++round) {
    // Two views as they are made one by one: the second of a tensor of the first one's shape.
    const auto change = [&](const NodePtr& n) -> NodePtr {
      const int rank = n->shape().rank();
      std::vector<int> order(static_cast<std::size_t>(rank));
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      const NodePtr turned = ops::permute(n, order);
      switch (random() % 4) {
        case 0:
          return turned;
        case 1:
          return ops::flip(turned, std::vector<int>{static_cast<int>(random() % 3)});
        case 2: {
          std::vector<ops::Range> ranges;
          for (const std::int64_t d : turned->shape()) ranges.push_back({1, d, 1 + static_cast<int>(random() % 2)});
          return ops::slice(turned, ranges);
        }
        default:
          return ops::permute(ops::reshape(turned, {12, 20}), std::vector<int>{1, 0});
      }
    };
    const NodePtr first = change(x);
    if (first->op() != Op::kView || first->shape().rank() != 3 || first->shape().numel() != x->numel()) continue;
    const NodePtr base = std::make_shared<const Node>(Op::kInput, DType::kF32, first->shape(), nullptr, Node::Inputs{});
    const NodePtr second = change(base);
    if (second->op() != Op::kView || first->view().levels.size() != 1 || second->view().levels.size() != 1) continue;
    const ViewLevel& outer = second->view().levels[0];
    const ViewLevel& inner = first->view().levels[0];
    const auto joined = compose(outer, inner);
    if (!joined) continue;
    ++composed;
    for (std::int64_t i = 0; i < second->numel(); ++i) ASSERT_EQ(joined->map(i), inner.map(outer.map(i)));
  }
  EXPECT_GT(composed, 200);
  // A permutation and its inverse.
  const NodePtr last = ops::permute(x, std::vector<int>{0, 2, 1});
  const auto both = compose(ViewLevel{{{4, 60}, {6, 1}, {10, 6}}, 0}, last->view().levels[0]);
  ASSERT_TRUE(both);
  EXPECT_TRUE(make_view(both->dims, both->offset, {}, 240).identity());
  // A dim of 5 that steps over the end of one of 4.
  EXPECT_FALSE(compose(ViewLevel{{{5, 1}}, 0}, ViewLevel{{{3, 1}, {4, 3}}, 0}));
}

TEST(Graph, ALongChainIsReleasedWithoutRecursion) {
  NodePtr x = std::make_shared<const Node>(Op::kInput, DType::kF32, Shape{4}, nullptr, Node::Inputs{});
  for (int i = 0; i < 1000000; ++i)
    x = std::make_shared<const Node>(Op::kNegative, DType::kF32, Shape{4}, nullptr, Node::Inputs{x});
  EXPECT_EQ(snapshot(std::span(&x, 1)).size(), 1000001);
  x = nullptr;
}

}  // namespace tessera
