// Every row of the elementwise table is complete, and what it says in WGSL exists.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "codegen/prelude.h"
#include "graph/op.h"
#include "ops/elementwise/elementwise.h"

namespace tessera {
namespace {

bool only_integers(TypeRule rule) { return rule == TypeRule::kShift || rule == TypeRule::kIndex; }
bool only_complex(TypeRule rule) { return rule == TypeRule::kComplex; }
bool takes_floats(TypeRule rule) { return rule != TypeRule::kBits && !only_integers(rule) && !only_complex(rule); }
bool takes_integers(TypeRule rule) { return rule != TypeRule::kFloat && !only_complex(rule); }

bool has_wgsl(TypeRule rule) { return rule != TypeRule::kCast && !only_integers(rule) && !only_complex(rule); }
bool has_wgsl_int(TypeRule rule) {
  return rule != TypeRule::kCast && rule != TypeRule::kFloat && rule != TypeRule::kLogical && !only_complex(rule);
}

std::string_view int_text(const ElementwiseOp& row) { return row.wgsl_int == "=" ? row.wgsl : row.wgsl_int; }

std::set<std::string> prelude_names() {
  std::set<std::string> names;
  for (const codegen::PreludeItem& item : codegen::prelude_items()) names.emplace(item.name);
  return names;
}

/// The names that are called in `text`, with $T as `type`.
std::vector<std::string> calls(std::string text, const std::string& type) {
  for (std::size_t p = text.find("$T"); p != std::string::npos; p = text.find("$T")) text.replace(p, 2, type);
  std::vector<std::string> names;
  for (std::size_t p = text.find('('); p != std::string::npos; p = text.find('(', p + 1)) {
    std::size_t first = p;
    while (first > 0 && (std::isalnum(static_cast<unsigned char>(text[first - 1])) != 0 || text[first - 1] == '_')) {
      --first;
    }
    if (first < p) names.push_back(text.substr(first, p - first));
  }
  return names;
}

TEST(ElementwiseTable, RowsFollowTheEnum) {
  EXPECT_EQ(elementwise_ops().size(),
            static_cast<std::size_t>(kLastElementwise) - static_cast<std::size_t>(kFirstElementwise) + 1);
  for (const ElementwiseOp& row : elementwise_ops()) EXPECT_EQ(&elementwise(row.op), &row) << row.name;
}

TEST(ElementwiseTable, DivisionsAndFunctionsCostMore) {
  const std::set<std::string_view> divisions{"sqrt",         "rsqrt",     "reciprocal", "divide",
                                             "floor_divide", "remainder", "softsign"};
  const std::set<std::string_view> functions{"exp",   "expm1", "log",     "log2",   "log10", "log1p",  "sin",
                                             "cos",   "tan",   "asin",    "acos",   "atan",  "sinh",   "cosh",
                                             "tanh",  "asinh", "acosh",   "atanh",  "erf",   "erfinv", "lgamma",
                                             "power", "atan2", "digamma", "sigmoid"};
  for (const ElementwiseOp& row : elementwise_ops()) {
    EXPECT_EQ(ops::cost(row.op), divisions.contains(row.name) ? 3 : (functions.contains(row.name) ? 8 : 1)) << row.name;
  }
  EXPECT_EQ(ops::cost(Op::kView), 0);
  EXPECT_EQ(ops::cost(Op::kRandom), 16);
  EXPECT_EQ(ops::cost(Op::kGather), 3);
  EXPECT_EQ(ops::cost(Op::kSum), 1);
}

TEST(ElementwiseTable, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const ElementwiseOp& row : elementwise_ops()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

TEST(ElementwiseTable, RowsAreCompleteForTheirRule) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    EXPECT_TRUE(row.arity >= 1 && row.arity <= 3) << row.name;
    EXPECT_EQ(!row.wgsl.empty(), has_wgsl(row.rule)) << row.name;
    EXPECT_EQ(!row.wgsl_int.empty(), has_wgsl_int(row.rule)) << row.name;
    EXPECT_EQ(row.reference != nullptr, takes_floats(row.rule)) << row.name;
    EXPECT_EQ(row.reference_int != nullptr, takes_integers(row.rule)) << row.name;
    EXPECT_EQ(row.cpu != nullptr, row.op != Op::kCast && !only_complex(row.rule)) << row.name;
    EXPECT_EQ(row.complex.cpu != nullptr, row.complex.reference != nullptr) << row.name;
    EXPECT_EQ(row.arity == 3, row.rule == TypeRule::kWhere) << row.name;
  }
}

TEST(ElementwiseTable, TextsUseTheirOperands) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    for (const std::string_view text : {row.wgsl, int_text(row)}) {
      if (text.empty() || text == "true" || text == "false") continue;
      for (int a = 0; a < 4; ++a) {
        const bool used = text.find("$" + std::to_string(a)) != std::string_view::npos;
        EXPECT_EQ(used, a < row.arity) << row.name << ": " << text;
      }
      EXPECT_EQ(std::count(text.begin(), text.end(), '('), std::count(text.begin(), text.end(), ')')) << row.name;
    }
    EXPECT_EQ(row.wgsl.find("$T"), std::string_view::npos) << row.name;
  }
}

TEST(ElementwiseTable, TextsCallWhatThereIs) {
  std::set<std::string> known = prelude_names();
  known.insert({"abs", "sqrt", "inverseSqrt", "floor", "ceil", "round", "trunc", "max", "min", "select", "i32", "u32"});
  for (const ElementwiseOp& row : elementwise_ops()) {
    for (const std::string type : {"i32", "u32"}) {
      if (row.rule == TypeRule::kIndex && type == "u32") continue;
      for (const std::string_view text : {row.wgsl, int_text(row)}) {
        for (const std::string& name : calls(std::string(text), type)) {
          EXPECT_TRUE(known.contains(name)) << row.name << " calls " << name;
        }
      }
    }
  }
}

TEST(ElementwiseTable, LongIntegersHaveAFunctionForEachIntegerOp) {
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (!has_wgsl_int(row.rule) || row.op == Op::kWhere || row.rule == TypeRule::kIndex)
      continue;  // select serves for pairs too
    for (const std::string type : {"i64", "u64"}) {
      const std::string name = type + "_" + std::string(row.name);
      const auto items = codegen::prelude_items();
      const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
      ASSERT_NE(found, items.end()) << name;
      const std::string_view head = found->text.substr(0, found->text.find(')'));
      EXPECT_EQ(std::count(head.begin(), head.end(), ':'), row.arity) << name;
    }
  }
}

}  // namespace
}  // namespace tessera
