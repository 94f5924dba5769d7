// Makes the matrices and compares answers: a few on the host, all of them on the device.
#include "api/tune_judge.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "graph/node.h"
#include "runtime/copy.h"
#include "runtime/execute.h"
#include "tessera/ops.h"
#include "tessera/random.h"

namespace tessera {

namespace {

constexpr double kNoProduct = 30000;   // no sum of quarters comes near it
constexpr std::int64_t kSamples = 24;  // rows and columns that the host computes

/// A step of the type's last place, relative to a value.
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

Tensor quarters(const Shape& shape, DType dtype, const Device& device) {
  return cast((floor(random::uniform(shape, 0.0, 1.0, f32, device) * 9.0) - 4.0) * 0.25, dtype).eval();
}

/// Some rows, the last one among them.
Slice some(std::int64_t size) {
  const std::int64_t step = std::max<std::int64_t>((size + kSamples - 1) / kSamples, 1);
  return {.start = (size - 1) % step, .stop = size, .step = step};
}

}  // namespace

Judge::Judge(Device device, const MatmulSizes& s) : device_(std::move(device)), sizes_(s) {
  const auto shape = [&](std::int64_t rows, std::int64_t cols) {
    return s.batch == 1 ? Shape{rows, cols} : Shape{s.batch, rows, cols};
  };
  const random::Use own(random::Generator(17));  // nobody else's numbers change
  a_ = quarters(shape(s.m, s.k), s.dtype, device_);
  b_ = s.transposed ? transpose(quarters(shape(s.n, s.k), s.dtype, device_))
                    : quarters(shape(s.k, s.n), s.dtype, device_);
  shape_ = shape(s.m, s.n);
  answer_ = runtime::new_storage(device_.impl(), shape_.numel(), s.dtype);
}

Tensor Judge::wrapped(const std::shared_ptr<Storage>& storage) const {
  auto node = std::make_shared<const Node>(Op::kInput, sizes_.dtype, shape_, device_.impl(), Node::Inputs{});
  node->publish(storage);
  return Tensor(std::move(node));
}

void Judge::spoil() const {
  const Tensor filled = full(shape_, kNoProduct, sizes_.dtype, device_);
  runtime::evaluate_into(filled.node(), device_.impl(), answer_, true, true);
}

std::string Judge::check_on_host() const {
  std::vector<Slice> rows{some(sizes_.m), {}};
  std::vector<Slice> cols{{}, some(sizes_.n)};
  std::vector<Slice> both{rows[0], cols[1]};
  if (sizes_.batch > 1) {
    for (auto* s : {&rows, &cols, &both}) s->insert(s->begin(), {.start = sizes_.batch - 1, .stop = sizes_.batch});
  }
  const auto values = [](const Tensor& t, const std::vector<Slice>& ranges) {
    return cast(slice(t, ranges), f32).to_vector<float>();
  };
  const std::vector<float> a = values(a_, rows);
  const std::vector<float> b = values(b_, cols);
  const std::vector<float> got = values(wrapped(answer_), both);
  const auto k = static_cast<std::size_t>(sizes_.k);
  const std::size_t m = a.size() / k;
  const std::size_t n = b.size() / k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t x = 0; x < k; ++x) sum += static_cast<double>(a[i * k + x]) * static_cast<double>(b[x * n + j]);
      const double value = static_cast<double>(got[i * n + j]);
      if (std::abs(value - sum) <= last_place(sizes_.dtype) * std::abs(sum)) continue;
      return fmt::format("{} instead of {} at sample ({}, {})", value, sum, i, j);
    }
  }
  return {};
}

void Judge::trust() {
  right_ = runtime::new_storage(device_.impl(), shape_.numel(), sizes_.dtype);
  const std::size_t bytes = static_cast<std::size_t>(shape_.numel()) * size_of(sizes_.dtype);
  runtime::copy_bytes(*device_.impl(), answer_->buffer(), 0, right_->device_memory(true), 0, bytes);
}

std::string Judge::check() const {
  const Tensor got = cast(wrapped(answer_), f32);
  const Tensor right = cast(wrapped(right_), f32);
  const Tensor close = less_equal(abs(got - right), abs(right) * last_place(sizes_.dtype));
  const auto wrong = sum(cast(logical_not(close), i32)).item<std::int64_t>();
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements are wrong", wrong, shape_.numel());
}

}  // namespace tessera
