// The table of lowerings.
#include "schedule/calls/calls.h"

#include <set>

#include <gtest/gtest.h>

namespace tessera::test {

TEST(CallsTest, LoweringsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const schedule::Lowering& x : schedule::lowerings()) {
    EXPECT_FALSE(x.op.empty());
    EXPECT_NE(x.lower, nullptr);
    EXPECT_TRUE(names.insert(x.op).second) << x.op;
  }
  EXPECT_FALSE(names.empty());
}

}  // namespace tessera::test
