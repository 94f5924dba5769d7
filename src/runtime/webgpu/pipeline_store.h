// Compiled pipelines on disk, where the provider can keep them.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/webgpu/core.h"

namespace tessera::runtime::webgpu {

/// Opens the device's file at the start and writes it now and then. What goes wrong is one line in the log.
class PipelineStore {
 public:
  PipelineStore(std::shared_ptr<Core> core, bool wanted);

  /// After each compilation: writes the file once enough was compiled to be worth it. Who compiles waits anyway.
  void compiled(double ms);
  /// Writes what is new, if anything was compiled since.
  void save();

 private:
  void write();

  std::shared_ptr<Core> core_;
  bool open_ = false;
  std::mutex mutex_;
  double unsaved_ms_ = 0;    // of compilation
  double last_save_ms_ = 0;  // how long it took
};

}  // namespace tessera::runtime::webgpu
