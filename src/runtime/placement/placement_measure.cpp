// Measures maps and matmuls on the host and on a device, from host memory to host memory.
#include <algorithm>
#include <chrono>

#include "graph/op.h"
#include "ops/build.h"
#include "runtime/eval/evaluate.h"
#include "runtime/memory/new_storage.h"
#include "runtime/placement/placement.h"
#include "runtime/registry.h"

namespace tessera::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using Function = NodePtr (*)(const NodePtr&);

constexpr double kLongEnough = 6000;  // us spent on one measurement
constexpr int kFirstRuns = 2;
constexpr int kFewestRuns = 7;
constexpr int kMostRuns = 30;

NodePtr light(const NodePtr& x) { return x * 2.0 + 1.0; }
NodePtr heavy(const NodePtr& x) {
  NodePtr y = x * 2.0 + 1.0;
  for (int i = 0; i < 3; ++i) y = ops::elementwise(Op::kTanh, {y});
  return y;
}
NodePtr matmul(const NodePtr& x) { return ops::matmul(x, x); }
// Reductions over rows that depend on each other: none can fuse with the next.
NodePtr nine_kernels(const NodePtr& x) {
  NodePtr y = x;
  for (int i = 0; i < 9; ++i) y = ops::matmul(y, x);
  return y;
}

struct Run {
  double arrive = 0;  // us until the data was in the side's memory
  double rest = 0;
};
Run run(const std::shared_ptr<Device>& device, const Shape& shape, Function function, const std::vector<float>& data,
        std::vector<float>& result) {
  const auto start = Clock::now();
  auto storage = new_storage(device, shape.numel(), DType::kF32);
  device->upload(storage->buffer(), 0, std::as_bytes(std::span(data)));
  const auto arrived = Clock::now();
  auto x = std::make_shared<const Node>(Op::kInput, DType::kF32, shape, device, Node::Inputs{});
  x->publish(std::move(storage));
  const NodePtr y = function(x);
  evaluate(std::span(&y, 1), device);
  wait_for(*device, [&](Done done) {
    device->download({{&y->storage()->buffer(), 0, result.size() * sizeof(float), result.data()}}, std::move(done));
  });
  const auto us = [](Clock::duration d) { return std::chrono::duration<double, std::micro>(d).count(); };
  return {.arrive = us(arrived - start), .rest = us(Clock::now() - arrived)};
}

struct Times {
  double host = 0, device = 0, arrive = 0;
};

/// The medians of several runs of both sides in turn, so that neither benefits from the caches and clocks of its last
/// run.
Times measure(const std::shared_ptr<Device>& device, const Shape& shape, Function function) {
  const std::vector<float> data(static_cast<std::size_t>(shape.numel()), 0.01F);
  std::vector<float> result(data.size());
  std::vector<double> host_us;
  std::vector<double> device_us;
  std::vector<double> arrive_us;
  double spent = 0;
  for (int i = 0; i < kMostRuns && (i < kFewestRuns || spent < kLongEnough); ++i) {
    const Run host = run(host_device(), shape, function, data, result);
    const Run gpu = run(device, shape, function, data, result);
    if (i < kFirstRuns) continue;  // they compile
    arrive_us.push_back(host.arrive);
    host_us.push_back(host.rest);
    device_us.push_back(gpu.arrive + gpu.rest);
    spent += host.arrive + host.rest + device_us.back();
  }
  const auto median = [](std::vector<double>& v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
  };
  return {.host = median(host_us), .device = median(device_us), .arrive = median(arrive_us)};
}

}  // namespace

PlacementSpeeds measure_speeds(Device& device) {
  const auto owner = device.shared_from_this();
  PlacementSpeeds s;
  for (std::size_t i = 0; i < schedule::Speeds::kElements.size(); ++i) {
    const Shape shape{schedule::Speeds::kElements[i]};
    const Times few = measure(owner, shape, light);
    const Times many = measure(owner, shape, heavy);
    s.host.light[i] = few.host;
    s.host.arrive[i] = few.arrive;
    s.device.light[i] = few.device;
    s.host.heavy[i] = std::max(many.host, few.host);
    s.device.heavy[i] = std::max(many.device, few.device);
  }
  const Times one = measure(owner, {16, 16}, matmul);
  const Times nine = measure(owner, {16, 16}, nine_kernels);
  s.host.kernel = std::max(nine.host - one.host, 0.0) / 8;
  s.device.kernel = std::max(nine.device - one.device, 0.0) / 8;
  for (std::size_t i = 0; i < schedule::Speeds::kEdges.size(); ++i) {
    const std::int64_t n = schedule::Speeds::kEdges[i];
    const Times whole = measure(owner, {n, n}, matmul);
    const Times rest = measure(owner, {n, n}, light);
    s.host.matmul[i] = std::max(whole.host - rest.host, 0.0);
    s.device.matmul[i] = std::max(whole.device - rest.device, 0.0);
  }
  return s;
}

}  // namespace tessera::runtime
