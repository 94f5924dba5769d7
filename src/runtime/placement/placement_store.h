// Caches measured speeds between runs, in placement.json of the cache folder (see cache_folder.h). TESSERA_CACHE=
// (empty) caches nothing.
#pragma once

#include <optional>
#include <string>

#include "runtime/placement/placement.h"

namespace tessera::runtime {

/// The key of the speeds: the device, its driver, and this machine's processor.
std::string placement_key(const DeviceInfo& device);
/// Nothing if there is no file, or if it is invalid.
std::optional<PlacementSpeeds> load_speeds(const std::string& key);
/// Best effort: if the folder cannot be written, the next run measures again.
void store_speeds(const std::string& key, const PlacementSpeeds& speeds);

}  // namespace tessera::runtime
