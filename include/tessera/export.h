// TESSERA_API marks what the shared library exports: `namespace TESSERA_API tessera {` in the public headers.
#pragma once

#if defined(__GNUC__)
// On the namespace, so that a declaration is exported by standing in a public header.
#define TESSERA_API [[gnu::visibility("default")]]
#else
#define TESSERA_API
#endif
