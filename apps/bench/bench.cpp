// Sizes and clocks of the benchmarks.
#include "bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tessera::app {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

}  // namespace

double median(std::vector<double>& values) {
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
  return values[middle];
}

Sizes sizes_for(const Device& device, bool quick) {
  if (quick) {
    return {.elements = 1 << 16,
            .rows = {{.rows = 64, .cols = 256}},
            .transpose = 128,
            .gemm = {64},
            .skinny = {{.m = 1, .k = 128, .n = 256}},
            .model = 128};
  }
  switch (device.info().type) {
    case DeviceType::kDiscreteGpu:
      return {.elements = 256 * kMiB,
              .rows = {{.rows = 65536, .cols = 1024}, {.rows = 8192, .cols = 4096}},
              .transpose = 16384,
              .gemm = {1024, 2048, 4096, 8192},
              .skinny = {{.m = 1, .k = 4096, .n = 14336}, {.m = 8, .k = 4096, .n = 14336}},
              .model = 4096,
              .copy_bytes = 512 * kMiB,
              .copy_flops = 1e11};
    case DeviceType::kIntegratedGpu:
      return {.elements = 32 * kMiB,
              .rows = {{.rows = 16384, .cols = 1024}, {.rows = 4096, .cols = 4096}},
              .transpose = 4096,
              .gemm = {1024, 2048},
              .skinny = {{.m = 1, .k = 4096, .n = 4096}, {.m = 8, .k = 4096, .n = 4096}},
              .model = 2048,
              .copy_bytes = 128 * kMiB,
              .copy_flops = 1e10};
    case DeviceType::kSoftware:
      return {.elements = 4 * kMiB,
              .rows = {{.rows = 2048, .cols = 1024}, {.rows = 256, .cols = 4096}},
              .transpose = 1024,
              .gemm = {128, 256},
              .skinny = {{.m = 1, .k = 1024, .n = 1024}, {.m = 8, .k = 1024, .n = 1024}},
              .model = 256};
    default:
      return {.elements = 16 * kMiB,
              .rows = {{.rows = 8192, .cols = 1024}, {.rows = 1024, .cols = 4096}},
              .transpose = 2048,
              .gemm = {256, 512, 1024},
              .skinny = {{.m = 1, .k = 4096, .n = 4096}, {.m = 8, .k = 4096, .n = 4096}},
              .model = 512};
  }
}

Bench::Bench(Device device, bool quick, Sink sink, double device_seconds, BenchModel model)
    : device_(std::move(device)),
      quick_(quick),
      sizes_(sizes_for(device_, quick)),
      sink_(std::move(sink)),
      device_seconds_(device_seconds),
      model_(std::move(model)) {}

double Bench::seconds(const std::function<void()>& queue) const {
  if (once_) {
    queue();
    return 1;
  }
  const auto batch_seconds = [&](std::int64_t calls) {
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) queue();
    device_.synchronize();
    return since(start);
  };
  // The first calls trace, plan, compile and fill the pool.
  batch_seconds(2);
  const double probe = batch_seconds(2) / 2;
  const double batch_goal = quick_ ? 0.002 : 0.04;
  const double goal = quick_ ? 0.01 : 0.3;
  const auto calls = static_cast<std::int64_t>(std::clamp(batch_goal / std::max(probe, 1e-7), 1.0, 2000.0));
  // A GPU that was idle, mostly during compilation, takes a while to reach its full clock.
  const bool gpu = device_.info().type != DeviceType::kCpu && device_.info().type != DeviceType::kSoftware;
  for (double spent = 0; gpu && !quick_ && spent < 0.25;) spent += batch_seconds(calls);
  const std::size_t least = probe > 1 ? 3 : 5;
  std::vector<double> samples;
  for (double spent = 0; (spent < goal || samples.size() < least) && samples.size() < 500;) {
    const double batch = batch_seconds(calls);
    spent += batch;
    samples.push_back(batch / static_cast<double>(calls));
  }
  return median(samples);
}

double Bench::host_seconds(const std::function<void()>& work, const std::function<void()>& between) const {
  if (once_) {
    work();
    between();
    return 1;
  }
  for (int i = 0; i < 5; ++i) {
    work();
    between();
  }
  std::vector<double> samples;
  const auto begin = Clock::now();
  const double goal = quick_ ? 0.02 : 0.3;
  while ((since(begin) < goal || samples.size() < 5) && samples.size() < 20000) {
    const auto start = Clock::now();
    work();
    samples.push_back(since(start));
    between();
  }
  return median(samples);
}

double Bench::seconds_of(const Inputs& make_inputs, const Function& function, std::int64_t copies) const {
  return seconds_of_all(
      make_inputs, [&](const std::vector<Tensor>& in) { return std::vector{function(in)}; }, 1, copies);
}

double Bench::seconds_of_all(const Inputs& make_inputs, const Functions& functions, std::size_t results_of_one,
                             std::int64_t copies) const {
  std::vector<Tensor> arguments;
  for (std::int64_t i = 0; i < copies; ++i) {
    for (Tensor& t : make_inputs()) arguments.push_back(std::move(t));
  }
  for (const Tensor& t : arguments) t.eval();
  device_.synchronize();
  const std::size_t each = arguments.size() / static_cast<std::size_t>(copies);
  const Compiled compiled = compile([&](const std::vector<Tensor>& all) {
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < all.size(); i += each) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(i);
      for (Tensor& t : functions({first, first + static_cast<std::ptrdiff_t>(each)})) results.push_back(std::move(t));
    }
    return results;
  });
  std::vector<Tensor> results(static_cast<std::size_t>(copies) * results_of_one);
  return seconds([&] { compiled.run(arguments, results); }) / static_cast<double>(copies);
}

std::int64_t Bench::copies_for_bytes(double bytes) const {
  if (once_) return 1;
  const double copies = std::ceil(static_cast<double>(sizes_.copy_bytes) / bytes);
  return static_cast<std::int64_t>(std::clamp(copies, 1.0, 16.0));
}

std::int64_t Bench::copies_for_flops(double flops) const {
  if (once_) return 1;
  return static_cast<std::int64_t>(std::clamp(std::ceil(sizes_.copy_flops / flops), 1.0, 16.0));
}

Tensor Bench::random(const Shape& shape, DType dtype) const {
  const Tensor x = random::uniform(shape, -1.0, 1.0, dtype, device_);
  x.eval();
  return x;
}

}  // namespace tessera::app
