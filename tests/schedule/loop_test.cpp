// Loops inside compile(): replays allocate nothing on the host, and the state stays where it is.
#include "allocations.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

class CompiledLoops : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(CompiledLoops);

TEST_P(CompiledLoops, ReplaysAllocateNothing) {
  const auto made = [&](const Shape& shape, double from) {
    return (sin(reshape(arange(0, static_cast<double>(shape.numel()), 1, f32, device_), shape) + from) * 0.3).eval();
  };
  const Compiled step = compile(
      [](const Tensors& in) {
        const auto [value, g] = value_and_grad_of(
            [&](const Tensors& v) {
              const Scanned s = scan(
                  [&](const Tensors& c, const Tensors& x) {
                    const Tensor h =
                        tanh(matmul(c[0], v[0]) + x[0] + random::uniform({2, 4}, 0.0, 0.1, f32, x[0].device()));
                    return Scanned{{h}, {h}};
                  },
                  {in[1]}, {in[2]}, {.unroll = 2});
              return sum(square(s.ys[0]));
            },
            {in[0]});
        return Tensors{in[0] - g[0] * 0.01, value};
      },
      {.donate = {0}});
  const Tensor start = made({2, 4}, 1);
  const Tensor x = made({32, 2, 4}, 2);
  Tensors arguments{made({4, 4}, 0), start, x};
  Tensors results(2);
  std::uint64_t allocated = 0;
  for (int i = 0; i < 16; ++i) {
    const std::uint64_t before = allocations();
    step.run(arguments, results);
    std::swap(arguments[0], results[0]);
    for (Tensor& t : results) t = Tensor();
    if (i >= 8) allocated += allocations() - before;
    device_.synchronize();
  }
  EXPECT_EQ(step.traces(), 1U);
  if (on_cpu()) {
    EXPECT_EQ(allocated, 0U);
  }
}

}  // namespace
}  // namespace tessera::test
