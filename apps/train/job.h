// What training jobs share: checks of options, and values by name.
#pragma once

#include <string>
#include <string_view>

#include "tessera/train/log.h"

namespace tessera::app {

/// Error of kind value, "train lstm: a batch of 0 was given; at least 1 is expected.", unless good.
void expect_option(const char* job, bool good, const std::string& given, const char* expected);

/// The number of a name. Error of kind value if there is none.
double value_of(const train::Values& values, std::string_view name);

}  // namespace tessera::app
