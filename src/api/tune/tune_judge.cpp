// Creates operands and compares results: a few elements on the host, all of them on the device.
#include "api/tune/tune_judge.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/ints.h"
#include "graph/node.h"
#include "graph/op.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/copy.h"
#include "runtime/memory/new_storage.h"
#include "tessera/ops.h"
#include "tessera/random.h"

namespace tessera {

namespace {

constexpr double kNoResult = 30000;    // far from any sum of quarters
constexpr std::int64_t kSamples = 24;  // rows and columns that the host computes

/// One unit in the last place of the dtype, relative to a value.
double last_place(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return std::ldexp(1, -10);
    case DType::kBF16:
      return std::ldexp(1, -7);
    default:
      return std::ldexp(1, -23);
  }
}

/// A sample of the indices, including the last one.
Slice some_of(std::int64_t size) {
  const std::int64_t step = std::max<std::int64_t>(ceil_div(size, kSamples), 1);
  return {.start = (size - 1) % step, .stop = size, .step = step};
}

Tensor tensor_of(const std::shared_ptr<Storage>& storage, DType dtype, const Shape& shape, const Device& device) {
  auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, device.impl(), Node::Inputs{});
  node->publish(storage);
  return Tensor(std::move(node));
}

}  // namespace

Tensor exact_operand(const Shape& shape, DType dtype, const Device& device) {
  const double steps = device.info().half_sums ? 1 : 4;  // in either direction
  const Tensor whole = floor(random::uniform(shape, 0.0, 1.0, f32, device) * (2 * steps + 1)) - steps;
  return cast(whole / steps, dtype).eval();
}

Judge::Judge(Device device, NodePtr matmul)
    : device_(std::move(device)),
      matmul_(std::move(matmul)),
      answer_(runtime::new_storage(device_.impl(), matmul_->numel(), matmul_->dtype())) {}

Tensor Judge::wrapped(const std::shared_ptr<Storage>& storage) const {
  return tensor_of(storage, matmul_->dtype(), matmul_->shape(), device_);
}

void Judge::spoil() const {
  const Tensor filled = full(matmul_->shape(), kNoResult, matmul_->dtype(), device_);
  runtime::evaluate_into(filled.node(), device_.impl(), answer_, true, true);
}

std::vector<float> Judge::part_of(const Tensor& x, bool some_rows, bool some_columns) const {
  const Shape& shape = x.shape();
  std::vector<Slice> ranges;
  for (int i = 0; i < shape.rank() - 2; ++i) ranges.push_back({.start = shape[i] - 1, .stop = shape[i]});
  ranges.push_back(some_rows ? some_of(shape[shape.rank() - 2]) : Slice{});
  ranges.push_back(some_columns ? some_of(shape.back()) : Slice{});
  const Tensor part = cast(slice(x, ranges), f32);
  // Operands are nodes of a rewritten graph, without a device.
  const auto storage = runtime::new_storage(device_.impl(), part.numel(), f32);
  runtime::evaluate_into(part.node(), device_.impl(), storage, true, true);
  return tensor_of(storage, f32, part.shape(), device_).to_vector<float>();
}

std::string Judge::check_on_host() const {
  const std::vector<float> a = part_of(Tensor((*matmul_->inputs())[0]), true, false);
  const std::vector<float> b = part_of(Tensor((*matmul_->inputs())[1]), false, true);
  const std::vector<float> got = part_of(wrapped(answer_), true, true);
  const auto k = static_cast<std::size_t>((*matmul_->inputs())[0]->shape().back());
  const std::size_t m = a.size() / k;
  const std::size_t n = b.size() / k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t x = 0; x < k; ++x) sum += static_cast<double>(a[i * k + x]) * static_cast<double>(b[x * n + j]);
      const auto value = static_cast<double>(got.at(i * n + j));
      if (std::abs(value - sum) <= last_place(matmul_->dtype()) * std::abs(sum)) continue;
      return fmt::format("{} instead of {} at sample ({}, {})", value, sum, i, j);
    }
  }
  return {};
}

void Judge::trust() {
  right_ = runtime::new_storage(device_.impl(), matmul_->numel(), matmul_->dtype());
  const std::size_t bytes = static_cast<std::size_t>(matmul_->numel()) * size_of(matmul_->dtype());
  runtime::copy_bytes(*device_.impl(), answer_->buffer(), 0, right_->device_memory(true), 0, bytes);
}

std::string Judge::check() const {
  const Tensor got = cast(wrapped(answer_), f32);
  const Tensor right = cast(wrapped(right_), f32);
  const Tensor close = less_equal(abs(got - right), abs(right) * last_place(matmul_->dtype()));
  const auto wrong = sum(cast(logical_not(close), i32)).item<std::int64_t>();
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements are wrong", wrong, matmul_->numel());
}

}  // namespace tessera
