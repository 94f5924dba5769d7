// Measures what maps and products take on the host and on a device, from data on the host to data on the host.
#include <algorithm>
#include <chrono>

#include "ops/build.h"
#include "runtime/execute.h"
#include "runtime/placement.h"
#include "runtime/registry.h"

namespace tessera::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using Function = NodePtr (*)(const NodePtr&);

constexpr double kLongEnough = 4000;  // us spent on one measurement
constexpr int kMostRuns = 30;

NodePtr light(const NodePtr& x) { return x * 2.0 + 1.0; }
NodePtr heavy(const NodePtr& x) {
  NodePtr y = x * 2.0 + 1.0;
  for (int i = 0; i < 3; ++i) y = ops::elementwise(Op::kTanh, {y});
  return y;
}
NodePtr product(const NodePtr& x) { return ops::matmul(x, x); }
// Reductions over rows that need each other's results: none can join the next.
NodePtr nine_kernels(const NodePtr& x) {
  NodePtr y = x;
  for (int i = 0; i < 9; ++i) y = ops::matmul(y, x);
  return y;
}

class Side {
 public:
  explicit Side(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  /// The shortest of several runs, in microseconds; the first ones compile.
  double shortest(const Shape& shape, Function function) const {
    const std::vector<float> data(static_cast<std::size_t>(shape.numel()), 0.01F);
    std::vector<float> result(data.size());
    for (int i = 0; i < 2; ++i) run(data, shape, function, result);
    double best = 1e30;
    double spent = 0;
    for (int i = 0; i < kMostRuns && (i < 3 || spent < kLongEnough); ++i) {
      const auto start = Clock::now();
      run(data, shape, function, result);
      const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      best = std::min(best, us);
      spent += us;
    }
    return best;
  }

  [[nodiscard]] schedule::Speeds speeds() const {
    schedule::Speeds s;
    for (std::size_t i = 0; i < s.light.size(); ++i) {
      const Shape shape{schedule::Speeds::kElements[i]};
      s.light[i] = shortest(shape, light);
      s.heavy[i] = std::max(shortest(shape, heavy), s.light[i]);
    }
    s.kernel = std::max(shortest({16, 16}, nine_kernels) - shortest({16, 16}, product), 0.0) / 8;
    for (std::size_t i = 0; i < s.product.size(); ++i) {
      const std::int64_t n = schedule::Speeds::kEdges[i];
      s.product[i] = std::max(shortest({n, n}, product) - shortest({n, n}, light), 0.0);
    }
    return s;
  }

 private:
  void run(const std::vector<float>& data, const Shape& shape, Function function, std::vector<float>& result) const {
    auto storage = new_storage(device_, shape.numel(), DType::kF32);
    device_->upload(storage->buffer(), 0, std::as_bytes(std::span(data)));
    auto x = std::make_shared<const Node>(Op::kInput, DType::kF32, shape, device_, Node::Inputs{});
    x->publish(std::move(storage));
    const NodePtr y = function(x);
    evaluate(std::span(&y, 1), device_);
    wait_for(*device_, [&](Done done) {
      device_->download({{&y->storage()->buffer(), 0, result.size() * sizeof(float), result.data()}}, std::move(done));
    });
  }

  std::shared_ptr<Device> device_;
};

}  // namespace

PlacementSpeeds measure_speeds(Device& device) {
  return {.host = Side(host_device()).speeds(), .device = Side(device.shared_from_this()).speeds()};
}

}  // namespace tessera::runtime
