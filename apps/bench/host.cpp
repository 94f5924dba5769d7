// Benchmarks of the engine's own work on the host: the pool, submitting and replaying kernels, starting up.
#include <algorithm>
#include <chrono>

#include "bench/bench.h"

namespace tessera::app {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// ---- alloc ----

void pool(const Bench& bench) {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 20U;
  constexpr int kCalls = 256;
  const Device& device = bench.device();
  std::shared_ptr<Storage> held = device.allocate(kBytes);
  held.reset();
  const double hit = bench.host_seconds(
      [&] {
        for (int i = 0; i < kCalls; ++i) {
          held = device.allocate(kBytes);
          held.reset();
        }
      },
      [] {});
  const double fresh = bench.host_seconds([&] { held = device.allocate(kBytes); },
                                          [&] {
                                            held.reset();
                                            device.trim();
                                            device.synchronize();
                                          });
  bench.report({"pool_hit_us", {{"bytes", kBytes}}, "us", hit * 1e6 / kCalls});
  bench.report({"fresh_buffer_us", {{"bytes", kBytes}}, "us", fresh * 1e6});
}

/// A step with results and intermediates of several sizes, as a training loop repeats it.
void pool_hits(const Bench& bench) {
  const Device& device = bench.device();
  const Tensor x = bench.random({64, 96});
  const Tensor w = bench.random({96, 96});
  const auto step = [&] {
    const Tensor h = softmax(matmul(x, w));
    const Tensor y = matmul(h, w.T());
    eval(y, sum(y, {0}), mean(h));
  };
  step();
  const MemoryStats before = device.memory_stats();
  const int steps = bench.quick() ? 20 : 200;
  for (int i = 0; i < steps; ++i) step();
  device.synchronize();
  const MemoryStats after = device.memory_stats();
  const auto hits = static_cast<double>(after.hits - before.hits);
  const auto all = hits + static_cast<double>(after.misses - before.misses);
  bench.report({"pool_hit_rate", {{"steps", steps}}, "percent", all > 0 ? 100 * hits / all : 0});
}

// ---- dispatch ----

/// About 150 small kernels in a row, none of which can be fused with the next: alternating matmuls and row reductions.
Compiled small_kernels() {
  return compile([](const std::vector<Tensor>& in) {
    Tensor x = in[0];
    for (int i = 0; i < 75; ++i) x = softmax(matmul(x, in[1]));
    return std::vector{x};
  });
}

std::vector<Tensor> small_inputs(const Device& device) {
  std::vector<Tensor> in{random::uniform({16, 16}, -1.0, 1.0, f32, device),
                         random::uniform({16, 16}, -1.0, 1.0, f32, device)};
  eval(in);
  device.synchronize();
  return in;
}

/// Medians in seconds of the host's time for one replay, of the part inside the provider, and of the rest.
struct Replay {
  double whole, provider, own;
};
Replay replay_times(const Device& device, const Compiled& chain, double goal) {
  const std::vector<Tensor> in = small_inputs(device);
  std::vector<Tensor> out(1);
  std::vector<double> whole;
  std::vector<double> provider;
  std::vector<double> own;
  const auto begin = Clock::now();
  for (int i = 0; (since(begin) < goal || i < 10) && i < 5000; ++i) {
    const double before = statistics(device).provider_ms;
    const auto start = Clock::now();
    chain.run(in, out);
    const double taken = since(start);
    const double inside = (statistics(device).provider_ms - before) * 1e-3;
    device.synchronize();
    if (i < 3) continue;  // tracing, compiling, first bind groups
    whole.push_back(taken);
    provider.push_back(inside);
    own.push_back(taken - inside);
  }
  return {.whole = median(whole), .provider = median(provider), .own = median(own)};
}

void replay(const Bench& bench) {
  const Device& device = bench.device();
  const double goal = bench.quick() ? 0.05 : 0.5;
  const Compiled chain = small_kernels();
  const Replay times = replay_times(device, chain, goal);
  const auto kernels = static_cast<double>(chain.kernel_count());
  const auto report = [&](const char* name, double seconds, std::size_t count) {
    bench.report({name, {{"kernels", count}}, "us", seconds * 1e6 / static_cast<double>(count)});
  };
  report("replay_host_us_per_kernel", times.whole, chain.kernel_count());
  if (times.provider > 0) {
    report("replay_own_us_per_kernel", times.own, chain.kernel_count());
    report("replay_provider_us_per_kernel", times.provider, chain.kernel_count());
  }
  const Compiled on_null = small_kernels();
  const Replay null = replay_times(Device::create({.device = "null"}), on_null, goal / 4);
  report("replay_null_us_per_kernel", null.whole, on_null.kernel_count());

  const std::vector<Tensor> in = small_inputs(device);
  std::vector<Tensor> out(1);
  const double done = bench.seconds([&] {
    chain.run(in, out);
    device.synchronize();
  });
  bench.report({"replay_done_us_per_kernel", {{"kernels", chain.kernel_count()}}, "us", done * 1e6 / kernels});
}

void submit_wait(const Bench& bench) {
  const Tensor x = bench.random({256});
  const Compiled twice = compile([](const std::vector<Tensor>& in) { return std::vector{in[0] * 2.0}; });
  std::vector<Tensor> out(1);
  const auto run = [&] { twice.run(std::span(&x, 1), out); };
  const auto wait = [&] { bench.device().synchronize(); };
  bench.report({"submit_us", Json::object(), "us", bench.host_seconds(run, wait) * 1e6});
  const auto both = [&] {
    run();
    wait();
  };
  bench.report({"submit_wait_us", Json::object(), "us", bench.host_seconds(both, [] {}) * 1e6});
}

void read_back(const Bench& bench) {
  const Tensor x = bench.random({1});
  float sink = 0;
  const double seconds = bench.host_seconds([&] { sink += x.item<float>(); }, [] {});
  bench.report({"read_4_bytes_us", Json::object(), "us", seconds * 1e6});
}

// ---- coldstart ----

/// From a device to numbers on the host, on a device that has compiled nothing yet and on one that has.
void coldstart(const Bench& bench) {
  bench.report({"device_ms", {{"what", "first in the process"}}, "ms", bench.device_seconds() * 1e3});
  std::vector<double> again;
  std::vector<double> first;
  std::vector<double> next;
  const int rounds = bench.quick() ? 1 : 5;
  for (int i = 0; i < rounds; ++i) {
    auto start = Clock::now();
    const Device device = Device::create({.device = bench.device().info().id});
    again.push_back(since(start));
    for (std::vector<double>* times : {&first, &next}) {
      start = Clock::now();
      const Tensor x = random::uniform({64, 64}, -1.0, 1.0, f32, device);
      static_cast<void>(sum(softmax(gelu(matmul(x, x) + 1.0))).item<float>());
      times->push_back(since(start));
    }
  }
  bench.report({"device_again_ms", Json::object(), "ms", median(again) * 1e3});
  bench.report({"first_result_ms", {{"pipelines", "none yet"}}, "ms", median(first) * 1e3});
  bench.report({"next_result_ms", {{"pipelines", "compiled"}}, "ms", median(next) * 1e3});
}

}  // namespace

std::vector<BenchRow> host_benches() {
  return {{"alloc", "pool_hit_us", pool},
          {"alloc", "pool_hit_rate", pool_hits},
          {"dispatch", "replay_host_us", replay},
          {"dispatch", "submit_wait_us", submit_wait},
          {"dispatch", "read_4_bytes_us", read_back},
          {"coldstart", "first_result_ms", coldstart}};
}

}  // namespace tessera::app
