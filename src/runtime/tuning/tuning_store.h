// The file of measured choices: tuning.json in the folder of cache_folder.h. TESSERA_CACHE= (empty) keeps nothing.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tessera/device_info.h"

namespace tessera::runtime {

/// Of the texts that codegen writes for matmuls and of the file's form. Raise it when either changes: what was measured
/// before is then set aside.
inline constexpr int kTuningVersion = 4;

struct TunedMatmul {
  std::string tile;         // the fastest, as codegen::tile_text() writes it
  double us = 0;            // its time
  double suggested_us = 0;  // that of the tile that is taken without a measurement
};

/// What was learned about one device.
struct TuningTable {
  std::map<std::string, TunedMatmul> matmuls;
  /// Shapes that gave a wrong answer, by MatmulShape::key(), for each kind of matmul: never chosen again.
  std::map<std::string, std::set<std::string>> demoted;

  [[nodiscard]] bool empty() const { return matmuls.empty() && demoted.empty(); }
  /// Adds what `other` knows; its matmuls replace ours.
  void merge(const TuningTable& other);
};

/// Where it is kept; empty: nowhere.
std::filesystem::path tuning_file();
/// What a choice depends on: the adapter, its driver, and what of it the provider and the config let kernels use.
std::string tuning_key(const DeviceInfo& device);
/// An empty one where there is no file. A file that is damaged or of another version is renamed, with one line that
/// says so.
TuningTable load_tuning(const std::filesystem::path& file, const std::string& device);
/// Adds to what the file has by now, whoever wrote it. Error of kind io where it cannot be written.
TuningTable store_tuning(const std::filesystem::path& file, const std::string& device, const TuningTable& more);

}  // namespace tessera::runtime
