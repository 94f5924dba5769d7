// PNG and JPEG files in a browser: there is no library for them, and they are errors.
#include "base/fail.h"
#include "data/image_files.h"

namespace tessera::data {

ImageLibrary image_library() {
  return {.path = {}, .version = {}, .error = "There is no library for PNG and JPEG files in a browser."};
}

Pixels decode_by_library(std::span<const std::byte> /*file*/, const std::string& what, std::uint64_t /*max_bytes*/) {
  fail(ErrorKind::kUnsupported, "{} cannot be read: {}", what, image_library().error);
}

HostView encode_png(const Pixels& /*pixels*/) { fail(ErrorKind::kUnsupported, "save_png: {}", image_library().error); }

}  // namespace tessera::data
