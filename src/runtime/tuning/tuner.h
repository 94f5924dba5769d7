// Runs one matmul as several programs: compiles them, and times those with right results.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codegen/matmul/matmul_shape.h"
#include "runtime/webgpu/webgpu_device.h"

namespace tessera::runtime {

/// A matmul shape to measure.
struct Trial {
  codegen::MatmulShape shape;
  std::shared_ptr<const Executable> executable;
  std::array<std::uint32_t, 3> grid{};
  std::string fault;                                    // why it must not be used; empty: no fault known
  double us = std::numeric_limits<double>::infinity();  // the best time
};

/// Whether an error is about a program, and not about the device's state.
bool is_fault(const Error& error);

/// A matmul with its buffers.
class Tuner {
 public:
  /// Modifies a program before it is compiled, for tests of wrong ones.
  using Change = std::function<void(const codegen::MatmulShape&, Program&)>;

  /// `buffers`: the kernel's inputs, then its output. All must outlive the tuner.
  Tuner(std::shared_ptr<WebGpuDevice> device, const Kernel& kernel, const Binding& binding,
        std::vector<Buffer*> buffers, Change change = {});

  /// Compiles on several threads; a program that the device rejects has a fault.
  [[nodiscard]] std::vector<Trial> compile(const std::vector<codegen::MatmulShape>& shapes) const;
  /// Runs it once.
  void run(const Trial& trial) const;
  /// Best times over a few rounds, in which all candidates take turns; the first is measured in every round, others
  /// while they can still win. By the device's timestamps, or else by the wall clock.
  void time(std::span<Trial> trials, bool timestamps) const;

 private:
  [[nodiscard]] double time_once(const Trial& trial, int repeats, bool timestamps) const;
  void warm_up(const Trial& trial) const;

  std::shared_ptr<WebGpuDevice> device_;
  const Kernel& kernel_;
  const Binding& binding_;
  std::vector<Buffer*> buffers_;
  Change change_;
};

}  // namespace tessera::runtime
