// The sweep of placement: automatic against the CPU and against the device, from data on the host to data on the host.
#include <algorithm>
#include <array>
#include <chrono>

#include "bench/bench.h"

namespace tessera::app {

namespace {

using Clock = std::chrono::steady_clock;

struct Kind {
  const char* name;
  Tensor (*function)(const Tensor& x);
};

constexpr std::array kKinds{
    Kind{"placement_map", [](const Tensor& x) { return x * 2.0 + 1.0; }},
    Kind{"placement_gelu", [](const Tensor& x) { return gelu(x * 0.5 + 1.0); }},
    Kind{"placement_softmax", [](const Tensor& x) { return softmax(x.reshape({-1, 16})); }},
};

double once(const Device& device, const std::vector<float>& data, const Kind& kind) {
  const auto start = Clock::now();
  const Tensor x(data, Shape{static_cast<std::int64_t>(data.size())}, device);
  static_cast<void>(kind.function(x).to_vector<float>());
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void sweep(const Bench& bench) {
  const DeviceType type = bench.device().info().type;
  if (type == DeviceType::kCpu || type == DeviceType::kNull) return;  // there is nothing to choose between
  const auto with = [&](Placement placement) {
    DeviceConfig config;
    config.device = bench.device().info().id;
    config.placement = placement;
    return Device::create(config);
  };
  const std::array<Device, 3> sides{Device::create({.device = "cpu"}), with(Placement::kDevice),
                                    with(Placement::kHybrid)};
  const std::int64_t most = bench.quick() ? 1 << 12 : type == DeviceType::kSoftware ? 1 << 18 : 1 << 24;
  for (const Kind& kind : kKinds) {
    for (std::int64_t n = 16; n <= most; n *= 4) {
      const std::vector<float> data(static_cast<std::size_t>(n), 0.25F);
      std::array<std::vector<double>, 3> times;
      const auto begin = Clock::now();
      const double goal = bench.quick() ? 0.02 : 0.6;
      // In blocks: a GPU takes its time to change between the two devices that share it.
      constexpr int kBlock = 12;
      for (int round = 0; round < 200; ++round) {
        for (std::size_t s = 0; s < sides.size(); ++s) {
          for (int i = 0; i < kBlock; ++i) {
            const double us = once(sides[s], data, kind);
            if (round > 0 && i >= 2) times[s].push_back(us);  // in the first round it compiles and measures
          }
        }
        if (round > 0 && std::chrono::duration<double>(Clock::now() - begin).count() > goal) break;
      }
      const double host = median(times[0]);
      const double device = median(times[1]);
      const double chosen = median(times[2]);
      const Json size{{"n", n}};
      bench.report({std::string(kind.name) + "_cpu_us", size, "us", host});
      bench.report({std::string(kind.name) + "_device_us", size, "us", device});
      bench.report({std::string(kind.name) + "_auto_us", size, "us", chosen});
      bench.report(
          {std::string(kind.name) + "_auto_over_better", size, "percent", 100 * chosen / std::min(host, device)});
    }
  }
}

}  // namespace

std::vector<BenchRow> placement_benches() { return {{"placement", "placement_sweep", sweep}}; }

}  // namespace tessera::app
