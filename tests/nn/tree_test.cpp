// Trees: names, lookup, mapping, errors.
#include "tessera/tree.h"

#include <gtest/gtest.h>

#include "nn/support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

using TreeTest = NnTest;

Tree sample() {
  return {{"layers", Tree::list({Tree{{"weight", ones({2, 3})}, {"bias", zeros({2})}}, Tree{{"weight", ones({1})}}})},
          {"norm", Tree{{"weight", ones({3})}}}};
}

}  // namespace

TEST_F(TreeTest, FlattensToNamesAndBack) {
  const Tree tree = sample();
  const std::vector<std::string> names{"layers.0.weight", "layers.0.bias", "layers.1.weight", "norm.weight"};
  EXPECT_EQ(tree.names(), names);
  EXPECT_EQ(tree.size(), 4U);
  const Tree again = Tree::unflatten(tree.flatten());
  EXPECT_EQ(again.names(), names);
  EXPECT_EQ(again.at("layers").kind(), Tree::Kind::kList);
  EXPECT_EQ(again.at("norm").kind(), Tree::Kind::kDict);
  EXPECT_EQ(again.tensor("layers.0.bias").shape(), Shape{2});
  // Keys that are not 0, 1, .. in order are those of a dict.
  EXPECT_EQ(Tree::unflatten({{"0.w", ones({1})}, {"2.w", ones({1})}}).kind(), Tree::Kind::kDict);
  EXPECT_EQ(Tree::unflatten({{"", ones({1})}}).kind(), Tree::Kind::kLeaf);
  EXPECT_TRUE(Tree().empty());
}

TEST_F(TreeTest, MapsAndZips) {
  const Tree tree = sample();
  const Tree twice = tree.map([](const Tensor& x) { return x * 2.0; });
  const Tree sums = Tree::zip(tree, twice, [](const Tensor& a, const Tensor& b) { return a + b; });
  EXPECT_EQ(sums.tensor("norm.weight").to_vector<float>(), (std::vector<float>{3, 3, 3}));
  EXPECT_EQ(sums.names(), tree.names());
  const Tree named =
      tree.map_named([](const std::string& name, const Tensor& x) { return name == "norm.weight" ? -x : x; });
  EXPECT_EQ(named.tensor("norm.weight").to_vector<float>(), (std::vector<float>{-1, -1, -1}));
  Tree copy = tree;
  copy.at("norm.weight").tensor() = zeros({3});
  EXPECT_EQ(tree.tensor("norm.weight").to_vector<float>(), (std::vector<float>{1, 1, 1}));
}

TEST_F(TreeTest, ErrorsAreSentences) {
  const Tensor x = ones({1});
  EXPECT_EQ(message([&] { Tree{{"a", x}, {"a", x}}; }), "Tree: the key 'a' was given twice.");
  EXPECT_EQ(message([&] { Tree{{"", x}}; }), "Tree: an empty key was given; a key has at least one character.");
  EXPECT_EQ(message([&] { Tree{{"a.b", x}}; }), "Tree: the key 'a.b' has a dot, which separates the keys of a name.");
  EXPECT_EQ(message([&] { (void)sample().at("layers.2"); }),
            "Tree: there is no 'layers.2'; the names are 'layers.0.weight', 'layers.0.bias', 'layers.1.weight', "
            "'norm.weight'.");
  EXPECT_EQ(message([&] { (void)sample().tensor("norm"); }),
            "Tree: a tensor was expected, and this is a dict of 1 tensors: 'weight'.");
  const char* twice = "Tree: the name 'a.b' was given twice, or is also the prefix of another name.";
  EXPECT_EQ(message([&] { Tree::unflatten({{"a.b", x}, {"a.b", x}}); }), twice);
  EXPECT_EQ(message([&] { Tree::unflatten({{"a", x}, {"a.b", x}}); }), twice);
  EXPECT_EQ(message([&] { Tree::unflatten({{"a.b.c", x}, {"a.b", x}}); }), twice);
  EXPECT_EQ(message([&] { Tree::unflatten({{"a..b", x}}); }),
            "Tree: the name 'a..b' has an empty key; names are keys joined by dots.");
  EXPECT_EQ(message([&] { Tree::unflatten({{"a.", x}}); }),
            "Tree: the name 'a.' has an empty key; names are keys joined by dots.");
  const auto first = [](const Tensor& a, const Tensor&) { return a; };
  EXPECT_EQ(message([&] { Tree::zip(Tree{{"a", x}, {"b", x}}, Tree{{"b", x}, {"c", x}}, first); }),
            "Tree::zip: the names differ; only the first tree has 'a'; only the second tree has 'c'.");
}

}  // namespace tessera::test
