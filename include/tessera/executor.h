// Ops on buffers, with outputs owned by the caller: a thin layer over the kernels of tensors.
#pragma once

#include <string_view>
#include <vector>

#include "tessera/buffer.h"
#include "tessera/export.h"
#include "tessera/ops.h"
#include "tessera/work.h"

namespace TESSERA_API tessera {

/// A buffer viewed as an array: its first elements, in row-major order.
struct Array {
  Buffer buffer;
  Shape shape;
  DType dtype = f32;
};

/// Runs one op at a time on one device. Operands broadcast as for tensors; the output must have the result's shape and
/// dtype, and may also be an operand. Each call submits and returns a Work to wait for. Errors: shape, dtype, value
/// (ranges, freed or empty buffers), device. A repeated call plans and compiles nothing.
class Executor {
 public:
  explicit Executor(Device device) : device_(std::move(device)) {}
  [[nodiscard]] const Device& device() const { return device_; }

  /// An elementwise op by its name in tessera/ops.h: run("exp", {a}, out), run("add", {a, b}, out).
  Work run(std::string_view op, const std::vector<Array>& operands, const Array& out) const;
  /// All names that run() accepts.
  static std::vector<std::string_view> ops();

  Work add(const Array& a, const Array& b, const Array& out) const { return run("add", {a, b}, out); }
  Work sub(const Array& a, const Array& b, const Array& out) const { return run("subtract", {a, b}, out); }
  Work mul(const Array& a, const Array& b, const Array& out) const { return run("multiply", {a, b}, out); }
  Work div(const Array& a, const Array& b, const Array& out) const { return run("divide", {a, b}, out); }
  Work scale(const Array& x, double factor, const Array& out) const { return affine(x, factor, 0, out); }
  Work affine(const Array& x, double factor, double offset, const Array& out) const;  // factor * x + offset

  // Activations.
  Work relu(const Array& x, const Array& out) const { return write(tessera::relu(operand(x)), out); }
  Work gelu(const Array& x, const Array& out) const { return write(tessera::gelu(operand(x)), out); }
  Work silu(const Array& x, const Array& out) const { return write(tessera::silu(operand(x)), out); }
  Work sigmoid(const Array& x, const Array& out) const { return run("sigmoid", {x}, out); }
  Work tanh(const Array& x, const Array& out) const { return run("tanh", {x}, out); }

  // Over the given axes, or all; reduced axes are kept with size 1 if the output has the operand's rank.
  Work sum(const Array& x, const Axes& axes, const Array& out) const;
  Work mean(const Array& x, const Axes& axes, const Array& out) const;
  Work max(const Array& x, const Axes& axes, const Array& out) const;
  Work min(const Array& x, const Axes& axes, const Array& out) const;
  Work softmax(const Array& x, int axis, const Array& out) const;

  /// [m, k] x [k, n] into [m, n].
  Work matmul(std::int64_t m, std::int64_t n, std::int64_t k, const Buffer& a, const Buffer& b, const Buffer& out,
              DType dtype = f32) const;
  /// `batch` matmuls.
  Work batched_matmul(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, const Buffer& a,
                      const Buffer& b, const Buffer& out, DType dtype = f32) const;
  Work cast(const Array& x, const Array& out) const;       // to the output's dtype
  Work transpose(const Array& x, const Array& out) const;  // the last two axes swapped

  /// Evaluates any expression over operands made with operand() into `out`.
  Work write(const Tensor& value, const Array& out) const;
  [[nodiscard]] Tensor operand(const Array& x) const;

 private:
  Device device_;
};

}  // namespace tessera
