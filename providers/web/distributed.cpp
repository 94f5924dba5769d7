// Collectives in a browser: there is no MPI, and a page is alone.
#include "tessera/distributed.h"

#include "api/distributed/transport.h"
#include "base/fail.h"

namespace tessera::distributed {

LibraryInfo library() { return {.path = {}, .version = {}, .error = "There is no MPI in a browser."}; }

std::unique_ptr<Transport> connect() { fail(ErrorKind::kUnsupported, "distributed::init: {}", library().error); }

}  // namespace tessera::distributed
