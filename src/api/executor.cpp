// The executor: evaluates the same nodes as tensors do, into the caller's memory.
#include "tessera/executor.h"

#include "api/buffer_state.h"
#include "base/fail.h"
#include "graph/op.h"
#include "ops/build.h"
#include "runtime/eval/evaluate.h"

namespace tessera {

namespace {

void check_device(const Device& device, const Buffer& buffer, std::string_view what) {
  if (buffer.device() == device) return;
  fail(ErrorKind::kDevice, "Executor: the {} '{}' is on {}, and the executor on {}.", what, buffer.descriptor().label,
       buffer.device().info().id, device.info().id);
}

bool keeps_axes(const Array& x, const Array& out) { return out.shape.rank() == x.shape.rank(); }

}  // namespace

std::vector<std::string_view> Executor::ops() {
  std::vector<std::string_view> names;
  for (const ElementwiseOp& op : elementwise_ops()) {
    if (op.op != Op::kCast && op.rule != TypeRule::kIndex) names.push_back(op.name);
  }
  return names;
}

Tensor Executor::operand(const Array& x) const {
  Tensor t = x.buffer.tensor(x.shape, x.dtype);
  check_device(device_, x.buffer, "operand");
  return t;
}

Work Executor::write(const Tensor& value, const Array& out) const {
  const auto storage = storage_for(out.buffer, BufferUsage::kKernel, "Executor");
  check_device(device_, out.buffer, "output");
  if (!value.defined())
    fail(ErrorKind::kValue, "Executor: an empty Tensor was given for the buffer '{}'.", out.buffer.descriptor().label);
  if (value.shape() != out.shape) {
    fail(ErrorKind::kShape, "Executor: the result has shape {}, and the output '{}' shape {}.", value.shape(),
         out.buffer.descriptor().label, out.shape);
  }
  if (value.dtype() != out.dtype) {
    fail(ErrorKind::kDType, "Executor: the result has type {}, and the output '{}' type {}.", name(value.dtype()),
         out.buffer.descriptor().label, name(out.dtype));
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(out.shape.numel()) * size_of(out.dtype);
  check_range(out.buffer, 0, bytes, "Executor");
  if (value.node()->device() != nullptr && Device(value.node()->device()) != device_)
    fail(ErrorKind::kDevice, "Executor: the value is on {}, and the executor on {}.", value.device().info().id,
         device_.info().id);
  const bool whole = bytes == out.buffer.size();
  if (bytes > 0) {
    runtime::evaluate_into(value.node(), device_.impl(), storage, whole || out.shape.numel() % 4 == 0, whole);
  }
  return Work(device_);
}

Work Executor::run(std::string_view op, const std::vector<Array>& operands, const Array& out) const {
  for (const ElementwiseOp& row : elementwise_ops()) {
    if (row.name != op || row.op == Op::kCast || row.rule == TypeRule::kIndex) continue;
    if (static_cast<std::size_t>(row.arity) != operands.size())
      fail(ErrorKind::kValue, "Executor: {} operands were given to {}, which takes {}.", operands.size(), op,
           row.arity);
    std::vector<NodePtr> nodes;
    nodes.reserve(operands.size());
    for (const Array& x : operands) nodes.push_back(operand(x).node());
    return write(Tensor(ops::elementwise(row.op, std::move(nodes))), out);
  }
  fail(ErrorKind::kValue, "Executor: there is no elementwise op '{}'; the names are those of tessera/ops.h.", op);
}

Work Executor::affine(const Array& x, double factor, double offset, const Array& out) const {
  return write(operand(x) * factor + offset, out);
}

Work Executor::sum(const Array& x, const Axes& axes, const Array& out) const {
  return write(tessera::sum(operand(x), axes, keeps_axes(x, out)), out);
}
Work Executor::mean(const Array& x, const Axes& axes, const Array& out) const {
  return write(tessera::mean(operand(x), axes, keeps_axes(x, out)), out);
}
Work Executor::max(const Array& x, const Axes& axes, const Array& out) const {
  return write(tessera::max(operand(x), axes, keeps_axes(x, out)), out);
}
Work Executor::min(const Array& x, const Axes& axes, const Array& out) const {
  return write(tessera::min(operand(x), axes, keeps_axes(x, out)), out);
}
Work Executor::softmax(const Array& x, int axis, const Array& out) const {
  return write(tessera::softmax(operand(x), axis), out);
}

Work Executor::matmul(std::int64_t m, std::int64_t n, std::int64_t k, const Buffer& a, const Buffer& b,
                      const Buffer& out, DType dtype) const {
  return write(tessera::matmul(operand({a, {m, k}, dtype}), operand({b, {k, n}, dtype})), {out, {m, n}, dtype});
}

Work Executor::batched_matmul(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, const Buffer& a,
                              const Buffer& b, const Buffer& out, DType dtype) const {
  return write(tessera::matmul(operand({a, {batch, m, k}, dtype}), operand({b, {batch, k, n}, dtype})),
               {out, {batch, m, n}, dtype});
}

Work Executor::cast(const Array& x, const Array& out) const { return write(tessera::cast(operand(x), out.dtype), out); }
Work Executor::transpose(const Array& x, const Array& out) const { return write(operand(x).T(), out); }

}  // namespace tessera
