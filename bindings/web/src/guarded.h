// Calls from JavaScript: what they throw is kept for it.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::web {

/// Keeps the exception in flight for tessera_error(); -1.
std::int32_t failed();

/// Runs f, whose result is at least 0; -1 where it throws.
template <class F>
std::int32_t guarded(F f) {
  try {
    return f();
  } catch (...) {
    return failed();
  }
}

/// Text that JavaScript frees.
char* text_for_js(const std::string& text);

/// The text that f gives; null where it throws.
template <class F>
char* guarded_text(F f) {
  try {
    return text_for_js(f());
  } catch (...) {
    failed();
    return nullptr;
  }
}

}  // namespace tessera::web
