// Chooses the program of a matmul on a device: the measured one, else the suggested one, and never a demoted one.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "codegen/program.h"
#include "runtime/tuning/tuning_store.h"

namespace tessera::runtime {

/// A matmul as named in tuning.json: "matmul f16 4096x4096x4096 batch 1 a n1 b n1".
struct MatmulProblem {
  std::string types;    // "f16", "f16*f32"; "f32 reduced" if f32 operands may use f16 tensor cores
  std::string layouts;  // "a n1 b n1": the stride classes of rows and columns, or those of an im2col view
  std::int64_t m = 0, n = 0, k = 0, batch = 0;

  [[nodiscard]] std::string text() const;
  /// Without the sizes: kernels of one kind with equal shapes have equal programs, except for the epilogue.
  [[nodiscard]] std::string kind() const { return "matmul " + types + ' ' + layouts; }
};
/// A grouped GEMM counts as one matmul with the columns of all of them.
MatmulProblem problem_of(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);

/// The choices of one device. The file is read at the first matmul; after that, only add() touches it. Safe from any
/// thread.
class Tuning {
 public:
  Tuning(std::filesystem::path file, const DeviceInfo& device);

  /// For matmuls: the measured shape of this matmul, or of one whose sizes differ by at most an eighth; if there is
  /// none, or the device cannot run it, the suggested one. Demoted shapes are excluded. For other kernels: the usual
  /// variant.
  Variant variant_for(const Kernel& kernel, const Binding& binding, const DeviceInfo& device,
                      const schedule::DeviceModel& model);
  /// Adds measurements and saves them; logs one line on failure.
  void add(const TuningTable& more);
  [[nodiscard]] TuningTable table();

 private:
  const TuningTable& known();  // under the lock
  codegen::MatmulShape choose(const MatmulProblem& matmul, const codegen::MatmulShape& suggested, const Kernel& kernel,
                              const Binding& binding, const DeviceInfo& device, const schedule::DeviceModel& model);

  std::filesystem::path file_;
  std::string device_;
  std::mutex mutex_;
  bool loaded_ = false;
  bool said_ = false;  // whether a failure to save was logged
  TuningTable known_;
  std::unordered_map<std::string, codegen::MatmulShape> chosen_;  // by matmul and suggested shape
};

/// Shared by all devices of the process on such an adapter, for the current cache folder.
std::shared_ptr<Tuning> tuning_of(const DeviceInfo& device);

}  // namespace tessera::runtime
