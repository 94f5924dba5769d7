// Throws an Error with a kind and a formatted message.
#pragma once

#include <fmt/format.h>

#include "tessera/error.h"
#include "tessera/shape.h"

namespace tessera {

template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace tessera

template <>
struct fmt::formatter<tessera::Shape> : fmt::formatter<std::string> {
  auto format(const tessera::Shape& shape, format_context& ctx) const {
    return fmt::formatter<std::string>::format(shape.str(), ctx);
  }
};
