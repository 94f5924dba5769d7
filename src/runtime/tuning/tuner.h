// Runs one matmul as several programs: compiles them, and times those that are right.
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

/// A shape of a matmul on trial.
struct Trial {
  codegen::MatmulShape shape;
  std::shared_ptr<const Executable> executable;
  std::array<std::uint32_t, 3> grid{};
  std::string fault;                                    // why it must not be used; empty: nothing is known against it
  double us = std::numeric_limits<double>::infinity();  // the best time
};

/// Whether an error says something about a program, and not about the device's state.
bool is_fault(const Error& error);

/// A matmul with the memory that it runs in.
class Tuner {
 public:
  /// Changes a program before it is compiled: tests see what becomes of wrong ones.
  using Change = std::function<void(const codegen::MatmulShape&, Program&)>;

  /// `buffers`: the kernel's inputs, then its output. All must outlive the tuner.
  Tuner(std::shared_ptr<WebGpuDevice> device, const Kernel& kernel, const Binding& binding,
        std::vector<Buffer*> buffers, Change change = {});

  /// On several threads; a program that the device refuses has a fault.
  [[nodiscard]] std::vector<Trial> compile(const std::vector<codegen::MatmulShape>& shapes) const;
  /// Starts it once.
  void run(const Trial& trial) const;
  /// Best times over a few rounds, in which all take their turn; the first is measured to the end, others while they
  /// have a chance. By the device's timestamps, or else by the wall clock.
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
