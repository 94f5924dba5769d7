// The text of matmuls with long epilogues: a loop around one that a driver does not unroll must not index accumulators.
#include <cctype>

#include "support.h"

namespace tessera::test {
namespace {

class Epilogue : public NullTest {
 protected:
  /// Indices of accumulators behind the main loop that are not constants, over all programs, which are then forgotten.
  std::vector<std::string> indexed_at_run_time() const {
    std::vector<std::string> found;
    for (const auto& [profile, programs] : programs_) {
      for (const Program& program : programs) {
        const std::size_t main = program.wgsl.find("fn main(");
        std::size_t at = program.wgsl.rfind("workgroupBarrier();");
        if (main == std::string::npos || at == std::string::npos || program.wgsl.find("var acc: array<array<") > at)
          continue;
        while ((at = program.wgsl.find("acc[", at + 1)) != std::string::npos) {
          const std::size_t end = program.wgsl.find(']', at);
          const std::string index = program.wgsl.substr(at + 4, end - at - 4);
          if (!std::ranges::all_of(index, [](char c) { return std::isdigit(c) != 0; })) found.push_back(index);
        }
      }
    }
    programs_.clear();
    return found;
  }

  /// A linear layer of a batch, and what follows it.
  Tensor layer(DType dtype) const {
    return matmul(input({8192, 768}, dtype), input({768, 3072}, dtype)) + input({3072}, dtype);
  }
};

TEST_F(Epilogue, LongOnesIndexAccumulatorsByConstants) {
  for (const DType t : {f32, f16}) {
    const Tensor y = layer(t);
    const Tensor g = input(y.shape(), t);
    using Function = Tensor (*)(const Tensor&);
    for (const Function f : {static_cast<Function>(gelu), static_cast<Function>(gelu_tanh), static_cast<Function>(silu),
                             static_cast<Function>(mish), static_cast<Function>(tanh), static_cast<Function>(exp),
                             static_cast<Function>(sin), static_cast<Function>(erf), static_cast<Function>(lgamma)}) {
      // Forward, and forward with what the backward pass keeps.
      plan({f(y)});
      auto [value, gradients] = vjp([&](const Tensors& x) { return Tensors{f(x[0])}; }, {y}, {g});
      plan({value[0], gradients[0]});
    }
    plan({dropout(y, 0.1)});
    Tensor chain = y;
    for (int i = 0; i < 40; ++i) chain = chain * (1 + 0.1 * i) + i;
    plan({chain});
  }
  EXPECT_EQ(indexed_at_run_time(), std::vector<std::string>{});
}

TEST_F(Epilogue, ShortOnesAreLoops) {
  plan({layer(f32)});
  plan({relu(layer(f32)) + input({8192, 3072})});
  EXPECT_NE(indexed_at_run_time(), std::vector<std::string>{});
}

}  // namespace
}  // namespace tessera::test
