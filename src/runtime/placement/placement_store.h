// Keeps measured speeds between runs, in placement.json of the folder that TESSERA_CACHE names, else of
// XDG_CACHE_HOME/tessera or ~/.cache/tessera. TESSERA_CACHE= (empty) keeps nothing.
#pragma once

#include <optional>
#include <string>

#include "runtime/placement/placement.h"

namespace tessera::runtime {

/// What the speeds depend on: the device, its driver, and this machine's processor.
std::string placement_key(const DeviceInfo& device);
/// Nothing where there is no file, or where it does not hold what it should.
std::optional<PlacementSpeeds> load_speeds(const std::string& key);
/// Best effort: a folder that cannot be written only costs the next run a measurement.
void store_speeds(const std::string& key, const PlacementSpeeds& speeds);

}  // namespace tessera::runtime
