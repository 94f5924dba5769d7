// Custom WGSL kernels as functions on tensors: planned, cached and profiled like any other kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

struct CustomKernel;

/// A size in three dimensions: of a workgroup in invocations, of a grid in workgroups.
struct WgslSize {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const WgslSize&, const WgslSize&) = default;
};

/// The value of a uniform, which determines its type in the shader: floating-point numbers are f32, signed integers
/// i32, unsigned integers u32; an array of 2 to 4 is a vector.
class WgslValue {
 public:
  template <Number V>
  WgslValue(V value)  // NOLINT(google-explicit-constructor): {"factor", 2.0} reads as it should
      : WgslValue(kind_of<V>(), std::array{static_cast<double>(value)}) {}
  template <class V, std::size_t N>
    requires(N >= 2 && N <= 4 &&
             (std::same_as<V, float> || std::same_as<V, std::int32_t> || std::same_as<V, std::uint32_t>))
  WgslValue(const std::array<V, N>& values)  // NOLINT(google-explicit-constructor)
      : WgslValue(kind_of<V>(), [&] {
          std::array<double, N> all;
          std::copy(values.begin(), values.end(), all.begin());
          return all;
        }()) {}

  [[nodiscard]] DType dtype() const { return dtype_; }  // f32, i32 or u32
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] double operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }

 private:
  template <Number V>
  static constexpr DType kind_of() {
    if constexpr (std::floating_point<V>) return DType::kF32;
    return std::signed_integral<V> ? DType::kI32 : DType::kU32;
  }
  template <std::size_t N>
  WgslValue(DType dtype, const std::array<double, N>& values) : dtype_(dtype), count_(static_cast<int>(N)) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  DType dtype_;
  int count_;
  std::array<double, 4> values_{};
};

/// A named uniform: `params.name` in the shader.
struct WgslParam {
  std::string name;
  WgslValue value;
};
using WgslParams = std::vector<WgslParam>;

/// A buffer that the kernel reads.
struct WgslInput {
  WgslInput(const char* text) : name(text) {}  // NOLINT(google-explicit-constructor): inputs = {"x", "y"}
  WgslInput(std::string text, std::optional<DType> type = {})  // NOLINT(google-explicit-constructor)
      : name(std::move(text)), dtype(type) {}
  std::string name;
  std::optional<DType> dtype;  // default: any
};

/// A buffer that the kernel writes.
struct WgslOutput {
  using ShapeOf = std::function<Shape(std::span<const Shape> inputs)>;
  using AnyShape = std::variant<std::monostate, Shape, ShapeOf>;
  WgslOutput(const char* text) : name(text) {}  // NOLINT(google-explicit-constructor): outputs = {"y"}
  WgslOutput(std::string text, std::optional<DType> type = {},
             AnyShape size = {})  // NOLINT(google-explicit-constructor)
      : name(std::move(text)), dtype(type), shape(std::move(size)) {}
  std::string name;
  std::optional<DType> dtype;  // default: that of the first input
  AnyShape shape;              // default: that of the first input
};

/// The arguments of a kernel's `cpu` function: elements in row-major order.
struct WgslHostCall {
  std::vector<std::span<const std::byte>> inputs;
  std::vector<std::span<std::byte>> outputs;
  std::vector<Shape> input_shapes;
  std::vector<Shape> output_shapes;
  WgslParams params;
  std::span<const std::byte> raw_params;

  template <class T>
  [[nodiscard]] std::span<const T> input(std::size_t i) const {
    return {reinterpret_cast<const T*>(inputs[i].data()), inputs[i].size() / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<T> output(std::size_t i) const {
    return {reinterpret_cast<T*>(outputs[i].data()), outputs[i].size() / sizeof(T)};
  }
  /// The first number of a parameter.
  [[nodiscard]] double param(const std::string& name) const;
};

/// The arguments of a kernel's gradient function. The gradient of an unused output is an empty Tensor.
struct WgslGradient {
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<Tensor> gradients;  // of the outputs
  WgslParams params;
};

/// A kernel definition. The engine writes the bindings, `params` and the constants workgroup_x, _y and _z in front of
/// `source` (docs/guide/custom-kernels.md lists the types); a source that declares its own @binding is used as it is.
struct WgslDefinition {
  using Grid =
      std::function<WgslSize(std::span<const Shape> inputs, std::span<const Shape> outputs, WgslSize workgroup)>;

  std::string name;
  std::string source;
  std::vector<WgslInput> inputs = {};
  std::vector<WgslOutput> outputs = {};
  WgslParams params = {};      // names, types and defaults
  std::size_t raw_params = 0;  // instead of `params`: bytes of a `struct Params` that the source declares
  /// Inputs, of rank 4 at most, may be views: a slice, a transpose or a broadcast is bound as the tensor under it, and
  /// element (i, j, ..) of input NAME is at params.NAME_offset + i * params.NAME_strides.x + j * params.NAME_strides.y
  /// + .. (u32, modulo 2^32). Views of views that have no strides, and those of a tensor beyond the binding limit, are
  /// copied; so are all views for `cpu`.
  bool strided = false;
  std::string entry_point = "main";
  WgslSize workgroup_size = {64, 1, 1};
  /// Number of workgroups. Default: one invocation along x for each element of the first output.
  std::variant<std::monostate, WgslSize, Grid> grid = {};
  /// Gradients of the inputs; an empty Tensor if there is none.
  std::function<std::vector<Tensor>(const WgslGradient&)> gradient = {};
  /// The same computation in C++, for the CPU backend. Its exceptions propagate from the evaluation.
  std::function<void(const WgslHostCall&)> cpu = {};
};

/// A kernel as a function on tensors. Cheap to copy. Create it once: kernels with equal definitions share plans and
/// pipelines, unless they have `cpu` functions.
class WgslKernel {
 public:
  /// Error of kind value if the definition is inconsistent.
  explicit WgslKernel(WgslDefinition definition);

  /// The results, not yet computed. `params` overrides defaults; changed values never create a new plan. Errors: value,
  /// dtype; limit and unsupported if the inputs' device cannot run it. If the source does not compile, eval throws kind
  /// shader with line and column in `source`.
  [[nodiscard]] std::vector<Tensor> operator()(const std::vector<Tensor>& inputs, const WgslParams& params = {}) const;
  /// The same with the raw bytes of the uniform.
  [[nodiscard]] std::vector<Tensor> call_raw(const std::vector<Tensor>& inputs,
                                             std::span<const std::byte> params) const;
  /// The result of the gradient function. Error of kind unsupported if there is none.
  [[nodiscard]] std::vector<Tensor> gradient(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                                             const std::vector<Tensor>& gradients, const WgslParams& params = {}) const;

  [[nodiscard]] const WgslDefinition& definition() const;
  /// The same kernel with another workgroup size.
  [[nodiscard]] WgslKernel with_workgroup(WgslSize size) const;

  struct State;
  [[nodiscard]] const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

inline WgslKernel wgsl_kernel(WgslDefinition definition) { return WgslKernel(std::move(definition)); }

/// The result of tune_workgroup().
struct WgslTuning {
  struct Time {
    WgslSize size;
    double microseconds = 0;
  };
  WgslSize best;
  std::vector<Time> times;  // of every candidate that the device can run, in the given order
};

/// Runs the kernel with each candidate and returns the fastest; measured with GPU timestamps, or with the wall clock if
/// there are none. Candidates beyond the device's limits are skipped; Error of kind limit if none is left. Measured
/// once for each device, list of candidates and shapes of the inputs.
WgslTuning tune_workgroup(const WgslKernel& kernel, const std::vector<Tensor>& inputs,
                          const std::vector<WgslSize>& candidates, const WgslParams& params = {});

/// A workgroup size for one invocation per element of n: a power of two.
std::uint32_t optimal_workgroup_size(const Device& device, std::uint64_t n);

}  // namespace tessera
