// How fast the CPU device is; switched off, for people: --gtest_also_run_disabled_tests --gtest_filter='*Speed*'.
// Times are of the process's CPU: with TESSERA_THREADS=1 and OMP_NUM_THREADS=1 a busy machine disturbs them little.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

#include "cpu/kernel_run.h"
#include "runtime/cpu/gemm.h"

namespace tessera {
namespace {

double best_seconds(const std::function<void()>& f, int rounds = 9) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const std::clock_t start = std::clock();
    int calls = 0;
    do {
      f();
      ++calls;
    } while (std::clock() - start < CLOCKS_PER_SEC / 100);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / calls);
  }
  return best;
}

class Speed : public KernelRun {
 protected:
  void time(const char* name, const Kernel& kernel, const Words& params, const std::vector<runtime::Buffer*>& buffers,
            double bytes) {
    const double s = best_seconds([&] { run(kernel, params, buffers); });
    std::printf("  %-28s %9.1f us %7.2f GB/s\n", name, s * 1e6, bytes / s / 1e9);
  }
};

TEST_F(Speed, DISABLED_Maps) {
  constexpr std::uint32_t kCount = 1 << 24;
  runtime::Buffer* x = buffer(std::vector<float>(kCount, 0.5F));
  runtime::Buffer* y = room<float>(kCount);
  const double s = best_seconds([&] { std::memcpy(y->host(), x->host(), 4.0 * kCount); });
  std::printf("  %-28s %9.1f us %7.2f GB/s\n", "memcpy, one thread", s * 1e6, 8.0 * kCount / s / 1e9);
  Kernel scale;
  scale.inputs = {{0, f32}};
  scale.outputs = {{1, f32}};
  scale.indices = {{}};
  scale.instrs = {load(f32, 0), scalar(f32), op(Op::kMultiply, f32, {0, 1})};
  scale.stores = {{2, 0, false}};
  time("scale 16M", scale, {kCount, bits(2)}, {x, y}, 8.0 * kCount);
  time("scale 64K", scale, {1 << 16, bits(2)}, {x, y}, 8.0 * (1 << 16));
  time("scale 1K", scale, {1 << 10, bits(2)}, {x, y}, 8.0 * (1 << 10));
  Kernel chain = scale;
  chain.instrs = {load(f32, 0),
                  scalar(f32),
                  op(Op::kMultiply, f32, {0, 1}),
                  op(Op::kAdd, f32, {2, 1}),
                  op(Op::kMaximum, f32, {3, 0}),
                  op(Op::kSubtract, f32, {4, 1}),
                  op(Op::kMultiply, f32, {5, 0}),
                  op(Op::kAbs, f32, {6})};
  chain.stores = {{7, 0, false}};
  time("chain of six 16M", chain, {kCount, bits(2)}, {x, y}, 8.0 * kCount);
  for (const auto& [name, o] : {std::pair("exp", Op::kExp),
                                {"tanh", Op::kTanh},
                                {"log", Op::kLog},
                                {"erf", Op::kErf},
                                {"sin", Op::kSin},
                                {"sigmoid", Op::kSigmoid},
                                {"log1p", Op::kLog1p}}) {
    Kernel k = scale;
    k.instrs = {load(f32, 0), op(o, f32, {0})};
    k.stores = {{1, 0, false}};
    time((std::string(name) + " 16M").c_str(), k, {kCount}, {x, y}, 8.0 * kCount);
  }
  Kernel transpose = scale;
  transpose.indices = {{}, view("[1n]")};
  transpose.instrs = {load(f32, 0, 1)};
  transpose.stores = {{0, 0, false}};
  time("transpose 4096^2", transpose, {kCount, 4096, 1, 4096, 4096, 0}, {x, y}, 8.0 * kCount);
  Kernel bias = scale;
  bias.inputs = {{0, f32}, {2, f32}};
  bias.indices = {{}, view("[01]")};
  bias.instrs = {load(f32, 0), load(f32, 1, 1), op(Op::kAdd, f32, {0, 1})};
  time("bias [16K, 1000]", bias, {16000000, 16000, 0, 1000, 1, 0}, {x, buffer(std::vector<float>(1000)), y}, 128e6);
  Kernel random = scale;
  random.inputs = {};
  random.outputs = {{0, u32}};
  random.instrs = {{Instr::Kind::kRandom, Op::kRandom, u32, false, 0, -1, -1, {}}};
  random.stores = {{0, 0, false}};
  time("random 16M", random, {kCount, 1, 2, 3, 4}, {y}, 4.0 * kCount);
  Kernel half = scale;
  half.inputs = {{0, f16}};
  half.outputs = {{1, f16}};
  time("scale f16 16M", half, {kCount, bits(2)}, {x, y}, 4.0 * kCount);
}

TEST_F(Speed, DISABLED_Reductions) {
  constexpr std::uint32_t kCount = 1 << 24;
  runtime::Buffer* x = buffer(std::vector<float>(kCount, 0.5F));
  runtime::Buffer* y = room<float>(kCount);
  Kernel sum;
  sum.kind = Kernel::Kind::kReduce;
  sum.inputs = {{0, f32}};
  sum.outputs = {{1, f32}};
  sum.indices = {{}, {Index::Kind::kRow, -1, -1, {}}};
  sum.instrs = {load(f32, 0), reduce(Op::kSum, f32, 0)};
  sum.stores = {{1, 0, true}};
  for (const std::uint32_t cols : {4U, 16U, 64U, 1024U, 65536U, kCount}) {
    time(("sum of rows of " + std::to_string(cols)).c_str(), sum, {kCount / cols, cols}, {x, y}, 4.0 * kCount);
  }
  Kernel max = sum;
  max.instrs[1].op = Op::kMax;
  for (const std::uint32_t cols : {16U, 1024U, kCount}) {
    time(("max of rows of " + std::to_string(cols)).c_str(), max, {kCount / cols, cols}, {x, y}, 4.0 * kCount);
  }
  Kernel down = sum;
  down.indices.push_back(view("[1n]"));
  down.instrs[0].index = 2;
  for (const std::uint32_t rows : {16U, 1024U, 4096U, 65536U}) {
    const std::uint32_t cols = kCount / rows;
    time(("sum down, rows " + std::to_string(rows)).c_str(), down, {rows, cols, rows, 1, cols, rows, 0}, {x, y},
         4.0 * kCount);
  }
  Kernel softmax = sum;
  softmax.instrs = {load(f32, 0),           reduce(Op::kMax, f32, 0), op(Op::kSubtract, f32, {0, 1}),
                    op(Op::kExp, f32, {2}), reduce(Op::kSum, f32, 3), op(Op::kDivide, f32, {3, 4})};
  softmax.stores = {{5, 0, false}};
  for (const std::uint32_t cols : {16U, 128U, 1024U, 4096U, 65536U}) {
    time(("softmax of rows of " + std::to_string(cols)).c_str(), softmax, {kCount / cols, cols}, {x, y}, 8.0 * kCount);
  }
}

TEST_F(Speed, DISABLED_Gemm) {
  using runtime::cpu::GemmSize;
  using runtime::cpu::Matrix;
  for (const GemmSize& s :
       {GemmSize{1024, 1024, 1024}, GemmSize{2048, 2048, 2048}, GemmSize{256, 256, 256}, GemmSize{64, 64, 64},
        GemmSize{1, 4096, 4096}, GemmSize{4096, 1, 4096}, GemmSize{8, 4096, 1024}, GemmSize{4096, 16, 512}}) {
    const std::vector<float> a(static_cast<std::size_t>(s.m * s.k), 0.5F);
    const std::vector<float> b(static_cast<std::size_t>(s.k * s.n), 0.5F);
    std::vector<float> c(static_cast<std::size_t>(s.m * s.n));
    for (const bool trans : {false, true}) {
      const Matrix x{a.data(), f32, s.k, 1};
      const Matrix y{b.data(), f32, trans ? 1 : s.n, trans ? s.k : 1};
      double own = 1e9;
      double dnnl = 1e9;
      bool there = true;
      for (int round = 0; round < 8; ++round) {  // in turns, so that both meet the same machine
        own = std::min(own, best_seconds([&] { runtime::cpu::gemm_blocked(s, x, y, c.data()); }, 2));
        dnnl = std::min(dnnl, best_seconds([&] { there = runtime::cpu::gemm_onednn(s, x, y, c.data()); }, 2));
      }
      const double flops = 2.0 * static_cast<double>(s.m * s.n * s.k);
      std::printf("  %5ld x %5ld x %5ld %s own %7.1f GFLOP/s", s.m, s.n, s.k, trans ? "B^T" : "   ", flops / own / 1e9);
      if (there) std::printf(", oneDNN %7.1f, ratio %.2f", flops / dnnl / 1e9, dnnl / own);
      std::printf("\n");
    }
  }
}

}  // namespace
}  // namespace tessera
