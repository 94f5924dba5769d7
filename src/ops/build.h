// The ops as functions on nodes: each checks its arguments, computes shape, dtype and device, and creates nodes.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/gradient.h"
#include "graph/node.h"
#include "ops/elementwise/elementwise.h"
#include "tessera/device_info.h"

namespace tessera::ops {

using Axes = std::span<const int>;

// ---- Leaves (create.cpp) ----
NodePtr scalar(Scalar value, DType dtype);
NodePtr number(double value);  // a weak scalar: takes the dtype of the other operand
NodePtr full(const Shape& shape, const NodePtr& value, std::shared_ptr<runtime::Device> device);
NodePtr arange(double start, double stop, double step, DType dtype, std::shared_ptr<runtime::Device> device);
NodePtr linspace(double start, double stop, std::int64_t count, DType dtype, std::shared_ptr<runtime::Device> device);
NodePtr eye(std::int64_t rows, std::int64_t cols, int diagonal, DType dtype,
            const std::shared_ptr<runtime::Device>& device);
/// Draws use `state`, which no two draws may share.
NodePtr random_bits(const Shape& shape, RandomState state, std::shared_ptr<runtime::Device> device);
NodePtr random_uniform(const NodePtr& bits, const NodePtr& low, const NodePtr& high, DType dtype);
NodePtr random_normal(const NodePtr& bits_a, const NodePtr& bits_b, const NodePtr& mean, const NodePtr& deviation,
                      DType dtype);
NodePtr random_integers(const NodePtr& bits, std::int64_t low, std::int64_t high, DType dtype);

// ---- Elementwise (elementwise_build.cpp) ----
NodePtr elementwise(Op op, std::vector<NodePtr> args);
NodePtr cast(const NodePtr& x, DType dtype);
NodePtr clamp(const NodePtr& x, const NodePtr& low, const NodePtr& high);  // either may be null (clamp.cpp)
/// The dtype of a float result: that of x, f32 for integers and bool, and for f16 and bf16 inside of an Autocast scope.
DType float_of(const NodePtr& x);
/// f16, bf16, integers and bool as f32. Compositions that reduce compute with it and cast the result to float_of(x), so
/// that intermediates are neither rounded nor overflow.
NodePtr wide(const NodePtr& x);
/// The common shape after broadcasting; the error names `what`.
Shape broadcast_shapes(std::string_view what, std::span<const Shape> shapes);
/// The common device; null if no node has one.
std::shared_ptr<runtime::Device> common_device(std::string_view what, std::span<const NodePtr> nodes);

// ---- Movement (movement.cpp) ----
/// An axis counted from the front; the error names `what`.
int normal_axis(std::string_view what, int axis, int rank);
/// Axes counted from the front, none twice; none given means all.
std::vector<int> normal_axes(std::string_view what, Axes axes, int rank);
NodePtr reshape(const NodePtr& x, const Shape& shape);  // one size may be -1
/// A view of `shape`: `change` maps the dims of x's axes (strides over x's base) and the offset to the new dims.
NodePtr strided_view(const NodePtr& x, const Shape& shape,
                     const std::function<std::vector<Dim>(std::vector<Dim>, std::int64_t&)>& change);
NodePtr permute(const NodePtr& x, Axes order);
NodePtr swap_axes(const NodePtr& x, int a, int b);
NodePtr broadcast_to(const NodePtr& x, const Shape& shape);
/// One range per axis. Steps may be negative: then start is above stop, which is -1 for "past the first".
struct Range {
  std::int64_t start = 0;
  std::int64_t stop = 0;
  std::int64_t step = 1;
};
NodePtr slice(const NodePtr& x, std::span<const Range> ranges);
NodePtr flip(const NodePtr& x, Axes axes);
NodePtr expand_dims(const NodePtr& x, int axis);
NodePtr squeeze(const NodePtr& x, Axes axes);
NodePtr contiguous(const NodePtr& x);
NodePtr pad(const NodePtr& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths, const NodePtr& value);
NodePtr concat(std::span<const NodePtr> parts, int axis);
NodePtr stack(std::span<const NodePtr> parts, int axis);
std::vector<NodePtr> split(const NodePtr& x, std::span<const std::int64_t> sizes, int axis);

// ---- Reductions (reduce.cpp) ----
NodePtr reduce(Op op, std::string_view what, const NodePtr& x, Axes axes, bool keepdims);
NodePtr sum(const NodePtr& x, Axes axes, bool keepdims);
NodePtr mean(const NodePtr& x, Axes axes, bool keepdims);
NodePtr var(const NodePtr& x, Axes axes, bool keepdims, int correction);
NodePtr stddev(const NodePtr& x, Axes axes, bool keepdims, int correction);
NodePtr any(const NodePtr& x, Axes axes, bool keepdims);
NodePtr all(const NodePtr& x, Axes axes, bool keepdims);
NodePtr arg_extreme(Op op, const NodePtr& x, std::optional<int> axis, bool keepdims);
NodePtr logsumexp(const NodePtr& x, Axes axes, bool keepdims);

// ---- Contractions (contract.cpp) ----
NodePtr matmul(const NodePtr& a, const NodePtr& b);

// ---- Calls of ops that are lowered for a device (custom.cpp) ----
/// The results of a call of an op that schedule/calls lowers. The op's name is a literal. Kernels count elements in 32
/// bits: Error of kind limit where a tensor has more, unless `any_size`.
std::vector<NodePtr> call(std::string_view op, Attributes attributes, std::vector<NodePtr> inputs,
                          std::vector<TensorSpec> outputs, bool any_size = false);
/// The results of a call that the host runs (graph/host_step.h). The name is a literal.
std::vector<NodePtr> host_call(std::string_view name, std::shared_ptr<const HostStep> step, std::vector<NodePtr> inputs,
                               std::vector<TensorSpec> outputs, const std::shared_ptr<runtime::Device>& device);

// ---- Custom kernels (custom.cpp) ----
/// The results of a call with kernel, outputs, grid and the caller's params set.
std::vector<NodePtr> custom(CustomCall call, std::vector<NodePtr> inputs);
/// Error of kind limit or unsupported if the device cannot run the call.
void check_custom(const CustomCall& call, const DeviceInfo& device);

// ---- Gradients of compositions (gradient.cpp) ----
/// The same outputs with the gradient rule `function` instead of the rules of their nodes. An empty function means that
/// there is no gradient: the error names `name`. `function` must not hold the outputs.
std::vector<NodePtr> with_gradient(std::string name, std::vector<NodePtr> inputs, std::span<const NodePtr> outputs,
                                   Gradient::Function function);
NodePtr with_gradient(std::string name, std::vector<NodePtr> inputs, const NodePtr& output,
                      Gradient::Function function);
/// The same value, detached from autograd.
NodePtr stop_gradient(const NodePtr& x);
/// The same value, computed after `others`: nodes that use it are not evaluated together with the inputs of the others.
NodePtr after(const NodePtr& x, std::span<const NodePtr> others);

}  // namespace tessera::ops

namespace tessera {

// Operators, so that compositions read as formulas (elementwise_build.cpp).
NodePtr operator+(const NodePtr& a, const NodePtr& b);
NodePtr operator-(const NodePtr& a, const NodePtr& b);
NodePtr operator*(const NodePtr& a, const NodePtr& b);
NodePtr operator/(const NodePtr& a, const NodePtr& b);
inline NodePtr operator+(const NodePtr& a, double b) { return a + ops::number(b); }
inline NodePtr operator-(const NodePtr& a, double b) { return a - ops::number(b); }
inline NodePtr operator*(const NodePtr& a, double b) { return a * ops::number(b); }
inline NodePtr operator/(const NodePtr& a, double b) { return a / ops::number(b); }

}  // namespace tessera
