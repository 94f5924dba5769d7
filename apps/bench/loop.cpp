// Benchmarks of loops: an LSTM as a scan, and as a compiled function with the loop inside or with all steps unrolled.
#include "bench/bench.h"

namespace tessera::app {

namespace {

struct Lstm {
  std::int64_t steps, batch, width;
  Tensors weights;  // of [x, h], and the bias
  Tensor x;         // [steps, batch, width]
  Tensors start;    // h and c
};

Lstm make(const Bench& bench, std::int64_t steps, std::int64_t batch, std::int64_t width) {
  Lstm l{steps, batch, width, {}, bench.random({steps, batch, width}), {}};
  l.weights = {bench.random({width, 4 * width}) * 0.05, bench.random({width, 4 * width}) * 0.05,
               bench.random({4 * width})};
  for (int i = 0; i < 2; ++i) l.start.push_back(zeros({batch, width}, f32, bench.device()));
  eval(l.weights);
  eval(l.start);
  return l;
}

Scanned cell(const Tensors& w, const Tensors& carry, const Tensor& x) {
  const std::vector<Tensor> gates = split(matmul(x, w[0]) + matmul(carry[0], w[1]) + w[2], 4, 1);
  const Tensor c = sigmoid(gates[0]) * carry[1] + sigmoid(gates[1]) * tanh(gates[2]);
  const Tensor h = sigmoid(gates[3]) * tanh(c);
  return {{h, c}, {h}};
}

Tensors forward(const Lstm& l, const Tensors& w, std::int64_t unroll) {
  const Scanned s =
      scan([w](const Tensors& c, const Tensors& x) { return cell(w, c, x[0]); }, l.start, {l.x}, {.unroll = unroll});
  return {s.carry[0], s.ys[0]};
}

Tensors backward(const Lstm& l, const Tensors& w, std::int64_t unroll) {
  return value_and_grad_of(
             [&](const Tensors& v) {
               const Tensors out = forward(l, v, unroll);
               return sum(out[0]) + sum(square(out[1]));
             },
             w)
      .second;
}

/// Microseconds of a step, of the scan with one and with eight steps in a plan, of the loop in a compiled function, and
/// of the replay of all steps in one graph; and planning and the compilation of programs, by the profiler.
void report(const Bench& bench, const char* name, const Lstm& l,
            Tensors (*run)(const Lstm&, const Tensors&, std::int64_t)) {
  const auto give = [&](const char* how, const char* unit, double value) {
    bench.report({name, {{"steps", l.steps}, {"batch", l.batch}, {"width", l.width}, {"as", how}}, unit, value});
  };
  const auto each = 1e6 / static_cast<double>(l.steps);
  const auto plan = [&](const std::string& what, const std::function<void()>& first) {
    Profiler profiler(bench.device());
    first();
    double planning = 0;
    double compilation = 0;
    for (const PlanningRecord::Pass& pass : profiler.planning().passes) {
      (pass.name == "compile" ? compilation : planning) += pass.ms;
    }
    give(("planning of the " + what).c_str(), "ms", planning);
    give(("compilation of the " + what).c_str(), "ms", compilation);
  };
  plan("scan", [&] { eval(run(l, l.weights, 1)); });
  give("scan", "us", each * bench.seconds([&] { eval(run(l, l.weights, 1)); }));
  give("scan, unroll 8", "us", each * bench.seconds([&] { eval(run(l, l.weights, 8)); }));
  const Compiled compiled = compile([&](const Tensors& w) { return run(l, w, 1); });
  plan("compiled loop", [&] { compiled(l.weights); });
  give("compiled loop", "us", each * bench.seconds([&] { compiled(l.weights); }));
  const Compiled unrolled = compile([&](const Tensors& w) { return run(l, w, 0); });
  give("unrolled", "us", each * bench.seconds([&] { unrolled(l.weights); }));
}

void loop_lstm(const Bench& bench) {
  const DeviceType type = bench.device().info().type;
  const bool gpu = type == DeviceType::kDiscreteGpu;
  const Lstm l = bench.quick()                   ? make(bench, 8, 2, 8)
                 : type == DeviceType::kSoftware ? make(bench, 64, 4, 64)
                                                 : make(bench, 512, gpu ? 64 : 8, gpu ? 512 : 128);
  report(bench, "loop_lstm", l, forward);
  report(bench, "loop_lstm_gradient", l, backward);
}

}  // namespace

std::vector<BenchRow> loop_benches() { return {{"loop", "loop_lstm", loop_lstm}}; }

}  // namespace tessera::app
