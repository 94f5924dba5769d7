// A kernel in WGSL of your own, with a twin for the CPU and a gradient: y = x * sigmoid(beta * x).
#include <cmath>
#include <cstdio>

#include <tessera/tessera.h>
namespace ts = tessera;

namespace {

const ts::WgslKernel& swish() {
  static const ts::WgslKernel kernel({
      .name = "swish",
      .source = R"(
@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.y_size) { return; }
  y[id.x] = x[id.x] / (1.0 + exp(-params.beta * x[id.x]));
}
)",
      .inputs = {{"x", ts::f32}},
      .outputs = {"y"},
      .params = {{"beta", 1.0}},
      .gradient =
          [](const ts::WgslGradient& g) {
            const ts::Tensor beta = g.params[0].value[0];
            const ts::Tensor s = ts::sigmoid(beta * g.inputs[0]);
            return std::vector<ts::Tensor>{g.gradients[0] * (s + beta * g.outputs[0] * (1.0 - s))};
          },
      .cpu =
          [](const ts::WgslHostCall& call) {
            const auto beta = static_cast<float>(call.param("beta"));
            const auto x = call.input<float>(0);
            const auto y = call.output<float>(0);
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] / (1.0F + std::exp(-beta * x[i]));
          },
  });
  return kernel;
}

}  // namespace

int main() {
  const ts::Tensor x = ts::linspace(-3, 3, 7);
  const auto y = swish()({x}, {{"beta", 1.5}});  // another beta needs no new plan and no compilation
  const auto dx = swish().gradient({x}, y, {ts::ones({7})}, {{"beta", 1.5}});
  // The slope between two points close by, for comparison.
  const double h = 1e-2;
  const auto above = swish()({x + h}, {{"beta", 1.5}});
  const auto below = swish()({x - h}, {{"beta", 1.5}});
  const ts::Tensor slope = (above[0] - below[0]) / (2 * h);
  std::printf("y     %s\ndy/dx %s\nslope %s\n", y[0].str().c_str(), dx[0].str().c_str(), slope.str().c_str());

  const auto tuned = ts::tune_workgroup(swish(), {ts::ones({1 << 16})}, {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}});
  for (const auto& t : tuned.times) std::printf("workgroup %3u: %.1f us\n", t.size.x, t.microseconds);
  return ts::max(ts::abs(dx[0] - slope)).item<float>() < 1e-3F ? 0 : 1;
}
