// Benchmarks of planning: what the host does between a graph and the kernels that run it, pass by pass. Tensors are
// tiny, so that the graph's size is all that counts.
#include "bench/bench.h"

namespace tessera::app {

namespace {

/// Evaluates the graph that `make` gives for a size and reports the passes of planning in milliseconds per thousand
/// nodes, as the fastest of a few runs took them. Runs differ by one layer, so that none finds the plan of another.
void report_planning(const Bench& bench, const char* name, const char* size_name, int size,
                     const std::function<std::vector<Tensor>(int)>& make) {
  constexpr int kRuns = 3;
  PlanningRecord best;
  double least = 0;
  for (int run = 0; run < kRuns; ++run) {
    const std::vector<Tensor> results = make(size + run);
    Profiler profiler(bench.device());
    eval(results);
    const PlanningRecord& now = profiler.planning();
    double total = 0;
    for (const PlanningRecord::Pass& pass : now.passes) total += pass.ms;
    total /= static_cast<double>(now.nodes);
    if (run > 0 && total >= least) continue;
    least = total;
    best = now;
  }
  const auto thousands = static_cast<double>(best.nodes) / 1e3;
  const auto report = [&](const std::string& pass, const char* unit, double value) {
    bench.report({name, {{size_name, size}, {"nodes", best.nodes}, {"pass", pass}}, unit, value});
  };
  for (const PlanningRecord::Pass& pass : best.passes) report(pass.name, "ms_per_1000_nodes", pass.ms / thousands);
  report("all", "ms_per_1000_nodes", 1e3 * least);
  report("all", "ms", 1e3 * least * thousands);
}

/// The gradients of x = x + gelu(x @ w), with a w for each layer.
std::vector<Tensor> layers(const Bench& bench, int count) {
  constexpr std::int64_t kWidth = 8;
  Tensors weights;
  for (int i = 0; i < count; ++i) weights.push_back(bench.random({kWidth, kWidth}));
  const Tensor first = bench.random({kWidth, kWidth});
  eval(weights);
  eval(first);
  const auto loss = [&](const Tensors& w) {
    Tensor x = first;
    for (const Tensor& layer : w) x = x + gelu(matmul(x, layer));
    return sum(x);
  };
  return value_and_grad_of(loss, weights).second;
}

/// The gradients of an unrolled LSTM: one matmul of [x, h] a step, whose columns are the four gates.
std::vector<Tensor> lstm(const Bench& bench, int steps) {
  constexpr std::int64_t kWidth = 8;
  Tensors inputs;
  for (int i = 0; i < steps; ++i) inputs.push_back(bench.random({kWidth, kWidth}));
  const Tensors weights{bench.random({2 * kWidth, 4 * kWidth}), bench.random({4 * kWidth})};
  eval(inputs);
  eval(weights);
  const auto loss = [&](const Tensors& w) {
    Tensor h = zeros({kWidth, kWidth}, f32, bench.device());
    Tensor c = h;
    for (const Tensor& x : inputs) {
      const std::vector<Tensor> gates = split(matmul(concat({x, h}, 1), w[0]) + w[1], 4, 1);
      c = sigmoid(gates[0]) * c + sigmoid(gates[1]) * tanh(gates[2]);
      h = sigmoid(gates[3]) * tanh(c);
    }
    return sum(h);
  };
  return value_and_grad_of(loss, weights).second;
}

void plan_layers(const Bench& bench) {
  for (const int count : bench.quick() ? std::vector{8} : std::vector{200, 800, 3200})
    report_planning(bench, "plan_layers", "layers", count, [&](int n) { return layers(bench, n); });
}

void plan_lstm(const Bench& bench) {
  for (const int steps : bench.quick() ? std::vector{8} : std::vector{128, 512})
    report_planning(bench, "plan_lstm", "steps", steps, [&](int n) { return lstm(bench, n); });
}

}  // namespace

std::vector<BenchRow> plan_benches() {
  return {{"plan", "plan_layers", plan_layers}, {"plan", "plan_lstm", plan_lstm}};
}

}  // namespace tessera::app
