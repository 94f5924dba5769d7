// The file of measured choices: tuning.json in the folder of cache_folder.h. TESSERA_CACHE= (empty) stores nothing.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tessera/device_info.h"

namespace tessera::runtime {

/// The version of the WGSL that codegen writes for matmuls and of the file's format. Raise it when either changes:
/// older measurements are then set aside.
inline constexpr int kTuningVersion = 5;

struct TunedMatmul {
  std::string tile;         // the fastest, as written by codegen::tile_text()
  double us = 0;            // its time
  double suggested_us = 0;  // that of the suggested tile
};

/// The measurements of one device.
struct TuningTable {
  std::map<std::string, TunedMatmul> matmuls;
  /// Shapes with wrong results, by MatmulShape::key(), for each kind of matmul: never chosen again.
  std::map<std::string, std::set<std::string>> demoted;

  [[nodiscard]] bool empty() const { return matmuls.empty() && demoted.empty(); }
  /// Adds the entries of `other`, which replace ours.
  void merge(const TuningTable& other);
};

/// The path of the file; empty: none.
std::filesystem::path tuning_file();
/// The key of a device's choices: the adapter, its driver, and the features that the provider and the config allow.
std::string tuning_key(const DeviceInfo& device);
/// Empty if there is no file. A file that is damaged or of another version is renamed, with one line in the log.
TuningTable load_tuning(const std::filesystem::path& file, const std::string& device);
/// Merges into the file's current contents, whoever wrote them. Error of kind io if it cannot be written.
TuningTable store_tuning(const std::filesystem::path& file, const std::string& device, const TuningTable& more);

}  // namespace tessera::runtime
