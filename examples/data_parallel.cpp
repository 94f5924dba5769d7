// Trains on several processes, each with its own data: mpirun -n 4 example_data_parallel, or the program alone.
#include <cstdio>
#include <tuple>
#include <utility>

#include <tessera/tessera.h>

namespace ts = tessera;
namespace dist = tessera::distributed;
using ts::Tensor;

int main() {
  dist::init();
  const auto loss_of = [](const Tensor& w, const Tensor& x) {
    return (x.matmul(w) - 3 * x.sum({1}, true)).square().mean();
  };
  const auto train = [&](const Tensor& w, const Tensor& x) {
    const auto [loss, gradient] = ts::value_and_grad(loss_of, ts::argnums<0>)(w, x);
    return std::pair(dist::all_reduce(loss, dist::Reduce::kMean),
                     w - 0.2 * dist::all_reduce(gradient, dist::Reduce::kMean));
  };
  const auto step = ts::compile(train, {.donate = {0}});  // the all-reduces are steps of the plan

  Tensor w = dist::broadcast(ts::random::normal({8, 1}));  // the same on all ranks
  ts::random::set_seed(100 + dist::rank());                // other data on each
  Tensor loss;
  for (int i = 0; i < 200; ++i) std::tie(loss, w) = step(w, ts::random::uniform({32, 8}));
  if (dist::rank() == 0) std::printf("loss %.6f on %d ranks\n", loss.item(), dist::size());
  return loss.item() < 0.1 && step.traces() == 1 ? 0 : 1;
}
