// Makes the operands and compares answers: a few on the host, all of them on the device.
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

/// From -1 to 1 in so many steps to either side.
Tensor stepped(const Shape& shape, double steps, DType dtype, const Device& device) {
  const Tensor whole = floor(random::uniform(shape, 0.0, 1.0, f32, device) * (2 * steps + 1)) - steps;
  return cast(whole / steps, dtype).eval();
}

}  // namespace

Slice some_of(std::int64_t size) {
  const std::int64_t step = std::max<std::int64_t>((size + kSamples - 1) / kSamples, 1);
  return {.start = (size - 1) % step, .stop = size, .step = step};
}

Judge::Judge(Device device, TuneWork work) : device_(std::move(device)), work_(std::move(work)) {
  const random::Use own(random::Generator(17));  // nobody else's numbers change
  const double steps = device_.info().half_sums ? 1 : 4;
  a_ = stepped(work_.a, steps, work_.dtype, device_);
  b_ = stepped(work_.b, steps, work_.dtype, device_);
  shape_ = question().shape();
  answer_ = runtime::new_storage(device_.impl(), shape_.numel(), work_.dtype);
}

Tensor Judge::wrapped(const std::shared_ptr<Storage>& storage) const {
  auto node = std::make_shared<const Node>(Op::kInput, work_.dtype, shape_, device_.impl(), Node::Inputs{});
  node->publish(storage);
  return Tensor(std::move(node));
}

void Judge::spoil() const {
  const Tensor filled = full(shape_, kNoProduct, work_.dtype, device_);
  runtime::evaluate_into(filled.node(), device_.impl(), answer_, true, true);
}

std::string Judge::check_on_host() const {
  const Device host = Device::create({.device = "cpu"});
  const auto part = [&](const Tensor& x, const std::vector<Slice>& some) { return cast(slice(x, some), f32).to(host); };
  const Tensor right = work_.of(part(a_, work_.some_a), part(b_, work_.some_b));
  const Tensor got = part(wrapped(answer_), work_.some_answer);
  const std::vector<float> expected = right.to_vector<float>();
  const std::vector<float> values = got.to_vector<float>();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto sum = static_cast<double>(expected[i]);
    const auto value = static_cast<double>(values.at(i));
    if (std::abs(value - sum) <= last_place(work_.dtype) * std::abs(sum)) continue;
    return fmt::format("{} instead of {} at sample {} of {}", value, sum, i, expected.size());
  }
  return {};
}

void Judge::trust() {
  right_ = runtime::new_storage(device_.impl(), shape_.numel(), work_.dtype);
  const std::size_t bytes = static_cast<std::size_t>(shape_.numel()) * size_of(work_.dtype);
  runtime::copy_bytes(*device_.impl(), answer_->buffer(), 0, right_->device_memory(true), 0, bytes);
}

std::string Judge::check() const {
  const Tensor got = cast(wrapped(answer_), f32);
  const Tensor right = cast(wrapped(right_), f32);
  const Tensor close = less_equal(abs(got - right), abs(right) * last_place(work_.dtype));
  const auto wrong = sum(cast(logical_not(close), i32)).item<std::int64_t>();
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements are wrong", wrong, shape_.numel());
}

}  // namespace tessera
