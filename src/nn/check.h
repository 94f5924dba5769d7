// Checks of arguments that the constructors of modules share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "nn/fail.h"

namespace tessera::nn {

/// Sizes must be positive.
inline void check_sizes(std::string_view module,
                        std::initializer_list<std::pair<std::string_view, std::int64_t>> sizes) {
  for (const auto& [name, value] : sizes) {
    if (value < 1) {
      fail(ErrorKind::kValue, "{}: {} is {}; a positive number is expected.", module, name, value);
    }
  }
}

}  // namespace tessera::nn
