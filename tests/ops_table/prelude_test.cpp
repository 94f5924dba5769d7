// The preludes cut into declarations, and what prelude_for picks of them.
#include "codegen/prelude.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kernels/kernels.h"

namespace tessera::codegen {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t p = text.find(part); p != std::string_view::npos; p = text.find(part, p + 1)) ++n;
  return n;
}

TEST(Prelude, EveryDeclarationIsCut) {
  std::size_t declared = 0;
  for (const char* file :
       {"prelude_float", "prelude_trig", "prelude_int", "prelude_i64", "prelude_half", "prelude_random"}) {
    const std::string text = "\n" + std::string(kernels::wgsl(file));
    ASSERT_GT(text.size(), 1U) << file;
    declared += count(text, "\nfn ") + count(text, "\nalias ") + count(text, "\nconst ");
    EXPECT_EQ(count(text, "\nvar") + count(text, "@"), 0U) << file << " declares a global";
  }
  EXPECT_EQ(prelude_items().size(), declared);
}

TEST(Prelude, DeclarationsAreWhole) {
  std::set<std::string_view> names;
  for (const PreludeItem& item : prelude_items()) {
    EXPECT_TRUE(names.insert(item.name).second) << item.name << " is declared twice";
    const bool function = item.text.starts_with("fn ");
    EXPECT_TRUE(item.text.starts_with((function ? "fn " : "alias ") + std::string(item.name))) << item.text;
    EXPECT_TRUE(item.text.ends_with(function ? "\n}\n" : ";\n")) << item.text;
    for (const char* pair : {"()", "{}", "[]"}) {
      EXPECT_EQ(std::count(item.text.begin(), item.text.end(), pair[0]),
                std::count(item.text.begin(), item.text.end(), pair[1]))
          << item.name;
    }
    EXPECT_EQ(count(item.text, "\nfn "), 0U) << item.name;
  }
}

TEST(Prelude, NothingIsRecursive) {
  const auto items = prelude_items();
  std::vector<int> state(items.size());  // 1: on the path, 2: done
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    ASSERT_NE(state[i], 1) << items[i].name << " needs itself";
    if (state[i] == 2) return;
    state[i] = 1;
    for (const std::size_t need : items[i].needs) visit(need);
    state[i] = 2;
  };
  for (std::size_t i = 0; i < items.size(); ++i) visit(i);
}

TEST(Prelude, GivesDependenciesOnceAndFirst) {
  const auto items = prelude_items();
  for (const PreludeItem& item : items) {
    const std::string text = prelude_for("let y = " + std::string(item.name) + "(x);");
    EXPECT_TRUE(text.ends_with(item.text)) << item.name;
    for (const PreludeItem& other : items) {
      const std::size_t at = text.find(other.text);
      if (at == std::string::npos) continue;
      EXPECT_EQ(count(text, other.text), 1U) << other.name << " for " << item.name;
      for (const std::size_t need : other.needs) {
        EXPECT_LT(text.find(items[need].text), at) << other.name << " for " << item.name;
      }
    }
  }
}

TEST(Prelude, GivesNothingMoreThanIsNeeded) {
  EXPECT_EQ(prelude_for(""), "");
  EXPECT_EQ(prelude_for("let exp_f32x = my_exp_f32 + exp(1.0);"), "");
  EXPECT_EQ(count(prelude_for("is_nan_f32(a) && is_nan_f32(b)"), "fn "), 1U);
  const std::string sum = prelude_for("i64_add(a, b)");
  EXPECT_EQ(sum.find("alias I64"), 0U);
  EXPECT_EQ(count(sum, "fn "), 1U);
}

TEST(Prelude, GivesAllOfSeveralTogether) {
  std::string body;
  for (const PreludeItem& item : prelude_items()) body += std::string(item.name) + " ";
  std::size_t length = 0;
  for (const PreludeItem& item : prelude_items()) length += item.text.size();
  EXPECT_EQ(prelude_for(body).size(), length);
}

}  // namespace
}  // namespace tessera::codegen
