// TESSERA_API marks the exports of the shared library: `namespace TESSERA_API tessera {` in the public headers.
#pragma once

#if defined(__GNUC__)
// On the namespace, so that every declaration in a public header is exported.
#define TESSERA_API [[gnu::visibility("default")]]
#else
#define TESSERA_API
#endif
