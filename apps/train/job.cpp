// What training jobs share.
#include "train/job.h"

#include <fmt/format.h>

#include "tessera/error.h"

namespace tessera::app {

void expect_option(const char* job, bool good, const std::string& given, const char* expected) {
  if (good) return;
  throw Error(ErrorKind::kValue, fmt::format("train {}: {} was given; {} is expected.", job, given, expected));
}

double value_of(const train::Values& values, std::string_view name) {
  for (const auto& [key, value] : values) {
    if (key == name) return value;
  }
  throw Error(ErrorKind::kValue, fmt::format("The run has no value with the name '{}'.", name));
}

}  // namespace tessera::app
