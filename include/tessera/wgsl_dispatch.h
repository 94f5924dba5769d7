// Custom kernels on buffers: compiled once, dispatched with bindings, grid and params.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tessera/buffer.h"
#include "tessera/export.h"
#include "tessera/wgsl.h"
#include "tessera/work.h"

namespace TESSERA_API tessera {

/// A range of a buffer.
struct WgslBinding {
  WgslBinding(Buffer whole) : buffer(std::move(whole)) {}  // NOLINT(google-explicit-constructor): {a, b, out}
  WgslBinding(Buffer part, std::uint64_t start, std::uint64_t size)
      : buffer(std::move(part)), offset(start), bytes(size) {}
  Buffer buffer;
  std::uint64_t offset = 0;                 // a multiple of 256
  std::uint64_t bytes = ~std::uint64_t{0};  // a multiple of 4; default: the rest of the buffer
};

/// A kernel compiled for one device. Its definition must name the dtype of every input and output; the outputs' shapes,
/// grid and gradient are not used. `params.NAME_size` is the number of elements of the bound range.
class CompiledWgsl {
 public:
  /// Compiles immediately. Errors: shader, limit, unsupported, as for WgslKernel; value if a dtype is missing.
  CompiledWgsl(Device device, const WgslKernel& kernel);

  /// Runs with the bindings of the inputs, then of the outputs; does not wait.
  Work dispatch(const std::vector<WgslBinding>& bindings, WgslSize grid, const WgslParams& params = {}) const;

  [[nodiscard]] const Device& device() const { return device_; }
  struct State;
  [[nodiscard]] const std::shared_ptr<const State>& state() const { return state_; }

 private:
  Device device_;
  std::shared_ptr<const State> state_;
};

/// One dispatch of a submission.
struct WgslDispatch {
  CompiledWgsl kernel;
  std::vector<WgslBinding> bindings;
  WgslSize grid;
  WgslParams params = {};
  std::vector<std::byte> raw_params = {};  // for a kernel with raw params
};

/// Runs them in one submission, in order. All must be on one device, and there must be at least one. Errors, at the
/// call and before anything runs: value (ranges, alignment, counts, freed buffers, a buffer both read and written),
/// device, limit.
Work submit(std::span<const WgslDispatch> dispatches);

}  // namespace tessera
