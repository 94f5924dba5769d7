// Which program a matmul runs as on a device: what was measured, what is known to be wrong, else what is suggested.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "codegen/program.h"
#include "runtime/tuning/tuning_store.h"

namespace tessera::runtime {

/// A matmul as the file names it: "matmul f16 4096x4096x4096 batch 1 a:n1 b:n1".
struct MatmulProblem {
  std::string types;    // "f16", "f16*f32"; "f32 reduced" where f16 units may take f32
  std::string layouts;  // "a:n1 b:n1": the stride classes of rows and columns, or a map's
  std::int64_t m = 0, n = 0, k = 0, batch = 0;

  [[nodiscard]] std::string text() const;
  /// Without the sizes: kernels of one kind with equal shapes have equal programs, but for what follows the matmul.
  [[nodiscard]] std::string kind() const { return "matmul " + types + ' ' + layouts; }
};
/// Matmuls side by side count as one with the columns of all of them.
MatmulProblem problem_of(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);

/// The choices of one device. Nothing is read before the first matmul; after that, no file is touched but by add().
/// Safe from any thread.
class Tuning {
 public:
  Tuning(std::filesystem::path file, const DeviceInfo& device);

  /// Of matmuls: the measured shape of this matmul, or of one whose sizes differ by at most an eighth; where there is
  /// none, or the device cannot run it, the suggested one; of the shapes that are not demoted. Of others: the usual.
  Variant variant_for(const Kernel& kernel, const Binding& binding, const DeviceInfo& device);
  /// Takes over what was learned, and keeps it in the file; one line where that fails.
  void add(const TuningTable& more);
  [[nodiscard]] TuningTable table();

 private:
  const TuningTable& known();  // under the lock
  codegen::MatmulShape choose(const MatmulProblem& matmul, const codegen::MatmulShape& suggested, const Kernel& kernel,
                              const Binding& binding, const DeviceInfo& device);

  std::filesystem::path file_;
  std::string device_;
  std::mutex mutex_;
  bool loaded_ = false;
  bool said_ = false;  // that nothing can be kept
  TuningTable known_;
  std::unordered_map<std::string, codegen::MatmulShape> chosen_;  // by matmul and suggested shape
};

/// The one of all devices of the process on such an adapter, for the cache folder as it is now.
std::shared_ptr<Tuning> tuning_of(const DeviceInfo& device);

}  // namespace tessera::runtime
