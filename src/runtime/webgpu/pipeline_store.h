// The pipeline cache on disk, if the provider has one.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

/// Opens the device's file at the start and saves it from time to time. Failures are logged once.
class PipelineStore {
 public:
  PipelineStore(std::shared_ptr<Core> core, bool wanted);

  /// After each compilation: saves the file once enough was compiled. The compiling thread waits anyway.
  void compiled(double ms);
  /// Saves new pipelines, if there are any.
  void save();

 private:
  void write();

  std::shared_ptr<Core> core_;
  bool open_ = false;
  std::mutex mutex_;
  double unsaved_ms_ = 0;    // of compilation
  double last_save_ms_ = 0;  // duration
};

}  // namespace tessera::runtime::webgpu
