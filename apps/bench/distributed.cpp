// Benchmarks of the ranks of a job: collectives by size, a data-parallel step, and a model of its time on more ranks.
#include <chrono>
#include <cmath>

#include "bench/bench.h"

namespace tessera::app {

namespace {

namespace dist = distributed;

/// Seconds of one call that all ranks make, the median over a number of calls that does not depend on the clock.
double seconds_of_call(int calls, const std::function<void()>& call) {
  std::vector<double> times;
  for (int i = 0; i <= calls; ++i) {
    dist::barrier();
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (i > 0) times.push_back(took.count());
  }
  return dist::all_reduce(Tensor(median(times)), dist::Reduce::kMax).item();
}

/// What a collective costs between these ranks, in seconds and bytes per second.
struct Terms {
  double meeting = 0;    // of each rank, in the exchange that every collective begins with
  double message = 0;    // of each of the 2 (n - 1) rounds of a ring
  double bandwidth = 0;  // of each rank
};

double ring_seconds(const Terms& t, double ranks, double bytes) {
  if (ranks < 2) return 0;
  return t.meeting * ranks + 2 * (ranks - 1) * t.message + 2 * (ranks - 1) / ranks * bytes / t.bandwidth;
}

Terms measure(const Bench& bench) {
  const auto ranks = static_cast<double>(dist::size());
  Terms terms;
  const double barrier = seconds_of_call(bench.quick() ? 3 : 200, [] { dist::barrier(); });
  bench.report({"distributed_barrier", {{"ranks", dist::size()}}, "us", 1e6 * barrier});
  terms.meeting = barrier / ranks;
  std::vector<std::int64_t> sizes{4, 1 << 10, 1 << 16, 1 << 20};
  if (!bench.quick()) sizes.insert(sizes.end(), {1 << 24, 1 << 26});
  double small = 0;
  for (const std::int64_t bytes : sizes) {
    const Tensor x = ones({bytes / 4}, f32, bench.device());
    const int calls = bench.quick() ? 2 : bytes > (1 << 20) ? 8 : 60;
    const double seconds = seconds_of_call(calls, [&] { dist::all_reduce(x); });
    const Json fields{{"ranks", dist::size()}, {"bytes", bytes}};
    bench.report({"distributed_all_reduce", fields, "us", 1e6 * seconds});
    if (bytes >= (1 << 20)) {
      bench.report({"distributed_all_reduce", fields, "gbs", static_cast<double>(bytes) / seconds / 1e9});
    }
    if (bytes == 4) {
      small = seconds;
      terms.message = std::max(seconds - barrier, 0.0) / (2 * (ranks - 1));
    }
    terms.bandwidth = 2 * (ranks - 1) / ranks * static_cast<double>(bytes) / std::max(seconds - small, 1e-9);
  }
  return terms;
}

struct Layers : nn::Module {
  Layers(std::int64_t count, std::int64_t width) {
    for (std::int64_t i = 0; i < count; ++i) all.emplace_back(width, width);
  }
  void fields(nn::Fields& f) override {
    for (std::size_t i = 0; i < all.size(); ++i) f(std::to_string(i), all[i]);
  }
  Tensor forward(const Tensor& x) override {
    Tensor h = x;
    for (nn::Linear& layer : all) h = relu(layer(h));
    return h;
  }
  std::vector<nn::Linear> all;
};

/// A step with and without the other ranks, and the time that the terms predict for more ranks: on a GPU the exchange
/// runs beside the backward pass (two thirds of the step), but for the last bucket. What these ranks measure beyond
/// that (packing, sharing cores) is taken to be the same for all.
void step(const Bench& bench, const Terms& terms) {
  const bool gpu = bench.device().info().type == DeviceType::kDiscreteGpu;
  const std::int64_t count = bench.quick() ? 2 : 12;
  const std::int64_t width = bench.quick() ? 16 : gpu ? 4096 : 768;
  const std::int64_t batch = bench.quick() ? 4 : gpu ? 4096 : 256;
  const dist::GradientOptions options{.bucket_bytes = gpu ? 32 << 20 : 4 << 20};
  const Tensor x = bench.random({batch, width});
  const auto seconds = [&](bool together) {
    Layers model(count, width);
    model.to(bench.device());
    optim::SGD optimizer(model, {.lr = 1e-6});
    const auto train = compile(
        [&](const Tensor& in) {
          auto [loss, gradients] = value_and_grad(model, [&] { return mean(square(model(in))); })();
          if (together) gradients = dist::average_gradients(gradients, options);
          optimizer.update(model, gradients);
          return loss;
        },
        model, optimizer);
    return seconds_of_call(bench.quick() ? 2 : 20, [&] { (void)train(x).item(); });
  };
  const double bytes = 4.0 * static_cast<double>(count * (width * width + width));
  const double alone = seconds(false);
  const double together = seconds(true);
  const auto buckets = std::max(std::floor(bytes / static_cast<double>(options.bucket_bytes)), 1.0);
  const auto exposed = [&](double ranks) {
    const double exchange = buckets * ring_seconds(terms, ranks, bytes / buckets);
    return exchange - (gpu ? std::min(exchange * (buckets - 1) / buckets, alone * 2 / 3) : 0);
  };
  const double rest = std::max(together - alone - exposed(dist::size()), 0.0);
  const auto predicted = [&](double ranks) { return alone + rest + exposed(ranks); };
  const auto report = [&](const char* what, int ranks, double value) {
    bench.report({"distributed_step", {{"ranks", ranks}, {"time", what}}, "ms", 1e3 * value});
  };
  report("alone", 1, alone);
  report("measured", dist::size(), together);
  for (int ranks = 2; ranks <= 1024; ranks *= 2) {
    report("predicted", ranks, predicted(ranks));
    bench.report(
        {"distributed_step", {{"ranks", ranks}, {"time", "efficiency"}}, "percent", 100 * alone / predicted(ranks)});
  }
}

void distributed_all(const Bench& bench) {
  dist::init();
  if (dist::size() == 1) {
    throw Error(ErrorKind::kUnsupported,
                "The benchmark needs several ranks: mpirun -n 2 --bind-to none tessera bench distributed.");
  }
  const Terms terms = measure(bench);
  step(bench, terms);
}

}  // namespace

std::vector<BenchRow> distributed_benches() { return {{"distributed", "distributed", distributed_all}}; }

}  // namespace tessera::app
