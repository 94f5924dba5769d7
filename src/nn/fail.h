// Throws an Error with a kind and a formatted message.
#pragma once

#include <fmt/format.h>

#include "tessera/error.h"

namespace tessera::nn {

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace tessera::nn
