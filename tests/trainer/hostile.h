// Values that a file of a checkpoint may have in place of those that were written.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tessera::test {

using TestJson = nlohmann::json;

inline std::vector<TestJson> hostile_values() {
  TestJson deep = TestJson::array();
  for (int i = 0; i < 100; ++i) deep = TestJson::array({deep});
  return {nullptr,
          true,
          -1,
          1.5,
          1e300,
          -1e300,
          std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min(),
          std::numeric_limits<std::uint64_t>::max(),
          "",
          "5",
          "\u00fc" + std::string(1000, 'x'),
          TestJson::array(),
          TestJson::array({1}),
          TestJson::array({TestJson::array({"loss"})}),
          TestJson::array({TestJson::array({1, "loss"})}),
          TestJson::array({TestJson::array({"loss", "low"})}),
          TestJson::array({TestJson::array({"loss", 1, 2})}),
          deep,
          TestJson::object(),
          TestJson{{"a", 1}}};
}

}  // namespace tessera::test
