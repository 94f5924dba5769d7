// What a call throws, for tests of bad input.
#pragma once

#include <gtest/gtest.h>

#include "tessera/error.h"

namespace tessera::test {

/// The error of `f`, which must throw one.
template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::kValue, ""};
}

}  // namespace tessera::test
