// Whether this build can start threads: a browser's page cannot, and everything runs inline there.
#pragma once

namespace tessera {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

}  // namespace tessera
