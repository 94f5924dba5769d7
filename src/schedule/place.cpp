// The work in a graph, and the time that measured speeds give it.
#include "schedule/place.h"

#include <algorithm>

#include "graph/op.h"
#include "ops/elementwise/elementwise.h"
#include "schedule/calls/calls.h"
#include "schedule/fuse/fuse.h"

namespace tessera::schedule {

namespace {

double bytes_of(const Node& n) { return static_cast<double>(n.numel()) * static_cast<double>(size_of(n.dtype())); }

/// The value at x of the line through the points next to it.
template <std::size_t N>
double interpolate(const std::array<double, N>& xs, const std::array<double, N>& ys, double x) {
  std::size_t i = 1;
  while (i + 1 < N && x > xs[i]) ++i;
  const double slope = (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1]);
  return std::max(ys[i - 1] + std::max(slope, 0.0) * (x - xs[i - 1]), 0.0);
}

template <std::size_t N, class F>
std::array<double, N> points(const std::array<std::int64_t, N>& sizes, F f) {
  std::array<double, N> out{};
  std::transform(sizes.begin(), sizes.end(), out.begin(), [&](std::int64_t n) { return f(static_cast<double>(n)); });
  return out;
}

}  // namespace

std::optional<double> flops_of(const Graph& graph, const Graph::Entry& call) {
  const Call& x = *call.node->call().call;
  const Lowering& row = lowering_of(x);
  if (row.flops == nullptr) return std::nullopt;
  std::vector<TensorSpec> inputs;
  for (const int in : call.inputs) inputs.push_back({graph.node(in).dtype(), graph.node(in).shape()});
  return row.flops(x, inputs);
}

GraphWork work_of(const Graph& graph) {
  GraphWork work;
  for (const Graph::Entry& e : graph.entries) {
    const Node& n = *e.node;
    const auto elements = static_cast<double>(n.numel());
    if (e.op() == Op::kInput) {
      work.moved += bytes_of(n);
    } else if (e.op() == Op::kMatmul) {
      work.kernels += 1;
      const Node& a = graph.node(e.inputs[0]);
      work.flops += 2 * elements * static_cast<double>(a.shape().back());
      work.moved += bytes_of(n);
    } else if (e.op() == Op::kCall) {
      work.kernels += 1;
      work.moved += bytes_of(n);
      if (const auto flops = flops_of(graph, e)) work.flops += *flops;
    } else if (is_reduction(e.op())) {
      work.kernels += 1;
      work.ops += static_cast<double>(graph.node(e.inputs[0]).numel());
    } else {
      work.ops += elements * ops::cost(e.op());
    }
  }
  for (const int root : graph.roots) work.moved += bytes_of(graph.node(root));
  work.kernels = std::max(work.kernels, 1.0);
  return work;
}

double predict_arrival(double bytes, const Speeds& speeds) {
  static const auto kSizes = points(Speeds::kElements, [](double n) { return n; });
  return interpolate(kSizes, speeds.arrive, bytes / sizeof(float));
}

double predict(const GraphWork& work, double bytes, const Speeds& speeds) {
  constexpr double kMapBytes = 2 * sizeof(float);  // a map of f32 reads and writes an element
  static const auto kSizes = points(Speeds::kElements, [](double n) { return n; });
  static const auto kFlops = points(Speeds::kEdges, [](double n) { return 2 * n * n * n; });
  double us = interpolate(kSizes, speeds.light, bytes / kMapBytes);
  // Ops beyond those of the light map, spread over as many elements as they are done on at a time.
  const double elements = std::max(work.moved / kMapBytes, 1.0);
  const double extra = std::max(work.ops - Speeds::kLightCost * elements, 0.0);
  const double per_cost = (interpolate(kSizes, speeds.heavy, elements) - interpolate(kSizes, speeds.light, elements)) /
                          (elements * (Speeds::kHeavyCost - Speeds::kLightCost));
  us += extra * std::max(per_cost, 0.0);
  us += (work.kernels - 1) * speeds.kernel;
  if (work.flops > 0) us += interpolate(kFlops, speeds.matmul, work.flops);
  return us;
}

}  // namespace tessera::schedule
