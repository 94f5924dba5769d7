// Finds the cache folder, and changes files there under a lock.
#include "runtime/cache_folder.h"

#include "base/os/files.h"
#include "base/os/system.h"

namespace tessera::runtime {

namespace fs = std::filesystem;

fs::path cache_folder() {
  if (const auto named = os::environment("TESSERA_CACHE")) return *named;
  const fs::path folder = os::user_cache_folder();
  return folder.empty() ? folder : folder / "tessera";
}

void update_file(const fs::path& file, const std::function<FileText(const FileText&)>& change) {
  const os::FileLock lock(file);
  if (const FileText text = change(os::read_file(file))) os::replace_file(file, *text);
}

}  // namespace tessera::runtime
