// The LRU cache: what is found counts as used.
#include "base/lru_cache.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(LruCache, EvictsTheLeastRecentlyUsedHalf) {
  LruCache<int> map(8);
  for (int i = 0; i < 8; ++i) map.put(std::to_string(i), i);
  EXPECT_EQ(map.size(), 8U);
  ASSERT_NE(map.find("0"), nullptr);  // now the newest
  map.put("8", 8);
  EXPECT_EQ(map.size(), 5U) << "half of them, and the one that came";
  for (const char* kept : {"0", "5", "6", "7", "8"}) EXPECT_NE(map.find(kept), nullptr) << kept;
  for (const char* gone : {"1", "2", "3", "4"}) EXPECT_EQ(map.find(gone), nullptr) << gone;
}

TEST(LruCache, HandsOverWhatItEvicts) {
  LruCache<int> map(2);
  std::vector<int> evicted;
  for (int i = 0; i < 3; ++i) map.put(std::to_string(i), i, &evicted);
  EXPECT_EQ(evicted, std::vector<int>{0});
  map.clear(&evicted);
  EXPECT_EQ(evicted.size(), 3U);
  EXPECT_EQ(map.size(), 0U);
}

TEST(LruCache, KeepsWhatIsThere) {
  LruCache<int> map(2);
  map.put("a", 1);
  EXPECT_EQ(map.put("a", 2), 1);
  EXPECT_EQ(map.size(), 1U);
  map.erase("a");
  EXPECT_EQ(map.find("a"), nullptr);
  for (int i = 0; i < 1000; ++i) {
    map.put(std::to_string(i), i);
    EXPECT_LE(map.size(), 2U);
  }
  EXPECT_EQ(*map.find("999"), 999);
}

}  // namespace
}  // namespace tessera::test
