// Collectives of compiled functions beside kernels: what runs meanwhile, donated memory, failures, and buckets of
// gradients.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "distributed/support.h"

namespace tessera::test {

namespace {

using dist::Reduce;

/// y = x, after a function of the test.
WgslKernel passing(std::function<void()> first) {
  return WgslKernel({.name = "passing",
                     .source = "fn main() {}",
                     .inputs = {{"x", f32}},
                     .outputs = {"y"},
                     .cpu = [first = std::move(first)](const WgslHostCall& call) {
                       first();
                       const auto x = call.input<float>(0);
                       std::ranges::copy(x, call.output<float>(0).begin());
                     }});
}

// Rank 0 meets the others in a kernel behind its collective, and they meet it in a kernel in front of theirs: so the
// kernel runs while the collective waits for the other ranks, or nobody ever comes on.
TEST(Overlap, KernelsRunWhileACollectiveWaits) {
  const int n = dist::size();
  const dist::Group other = dist::Group().split(0);
  int met = 0;
  const WgslKernel meeting = passing([&] {
    dist::barrier(other);
    ++met;
  });
  const auto f = compile([&](const Tensor& x, const Tensor& y) {
    const bool first = dist::rank() == 0;
    const Tensor sum = dist::all_reduce(first ? x : meeting({x})[0]);
    return std::array{sum, first ? meeting({y})[0] + 1.0 : y + 1.0};
  });
  for (int i = 0; i < 5; ++i) {
    const auto [sum, y] = f(tessera::full({7}, static_cast<double>(i)), tessera::full({3}, 2.0));
    EXPECT_EQ(sum.to_vector<float>(), std::vector<float>(7, static_cast<float>(n * i)));
    EXPECT_EQ(y.to_vector<float>(), std::vector<float>(3, 3));
    EXPECT_EQ(met, i + 1);
  }
}

// Kernels behind a collective that write into memory that it reads wait for it.
TEST(Overlap, DonatedMemoryIsReadBeforeItIsOverwritten) {
  const int n = dist::size();
  const std::int64_t count = 300001;
  const auto f = compile(
      [](const Tensor& w, const Tensor& x) {
        const Tensor sum = dist::all_reduce(w);
        const Tensor doubled = w * 2.0 + x;
        const Tensor again = dist::all_reduce(doubled, Reduce::kMax);
        return std::array{doubled + 1.0, sum, again};
      },
      {.donate = {0}});
  Tensor w = ones({count}) * static_cast<double>(dist::rank() + 1);
  float own = static_cast<float>(dist::rank() + 1);
  for (int i = 0; i < 8; ++i) {
    const float sum = dist::all_reduce(Tensor(own)).item<float>();
    auto [next, total, most] = f(w, zeros({count}));
    own = own * 2 + 1;
    const float largest = dist::all_reduce(Tensor(own - 1), Reduce::kMax).item<float>();
    for (const Tensor& t : {total, most, next}) {
      const double expected = t.node() == total.node() ? sum : t.node() == most.node() ? largest : own;
      EXPECT_EQ(min(t).item(), expected) << n;
      EXPECT_EQ(max(t).item(), expected) << n;
    }
    w = next;
  }
}

TEST(Overlap, ManyCollectivesInFlight) {
  const int n = dist::size();
  constexpr int kMany = 40;
  const auto f = compile([](const Tensor& x) {
    Tensors sums;
    Tensor y = x;
    for (int i = 0; i < kMany; ++i) {
      y = (y + 1.0).tanh() * 3.0;
      sums.push_back(dist::all_reduce(y, i % 2 == 0 ? Reduce::kSum : Reduce::kMean));
    }
    return sums;
  });
  const Tensor x(elements<float>(dist::rank(), 1000), {1000});
  for (int round = 0; round < 3; ++round) {
    const Tensors sums = f(x);
    Tensors alone(kMany);
    for (int r = 0; r < n; ++r) {
      Tensor y(elements<float>(r, 1000), {1000});
      for (int i = 0; i < kMany; ++i) {
        y = (y + 1.0).tanh() * 3.0;
        alone[at(i)] = r == 0 ? y : alone[at(i)] + y;
      }
    }
    for (int i = 0; i < kMany; ++i) {
      const Tensor expected = i % 2 == 0 ? alone[at(i)] : alone[at(i)] / static_cast<double>(n);
      EXPECT_LT(max(abs(sums[at(i)] - expected)).item(), 1e-5 * n) << i;
      expect_equal_on_all_ranks(sums[at(i)]);
    }
  }
}

// What was started ends before the Error leaves the call, so the ranks still understand each other.
TEST(Overlap, FailuresBesideACollective) {
  const int n = dist::size();
  bool fails = false;
  const WgslKernel failing = passing([&] {
    if (fails) throw std::runtime_error("as the test wants it");
  });
  const auto f = compile([&](const Tensor& x) {
    const Tensor sum = dist::all_reduce(x);
    const Tensor y = failing({x})[0];
    return std::array{sum + y, dist::all_gather(y)};
  });
  for (int i = 0; i < 6; ++i) {
    fails = i % 2 == 1;
    if (fails) {
      EXPECT_THROW(f(ones({5})), std::runtime_error);
      continue;
    }
    EXPECT_EQ(f(ones({5}))[0].to_vector<float>(), std::vector<float>(5, static_cast<float>(n + 1)));
  }
  fails = false;
  dist::barrier();
  if (n == 1) return;
  const std::int64_t rows = dist::rank() == n - 1 ? 3 : 4;
  const auto differs = compile([&](const Tensor& x) {
    return std::array{dist::all_reduce(x), dist::all_reduce(ones({rows}) * x[0]), dist::all_reduce(x + 1.0)};
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(error_of([&] { differs(ones({2})); }).kind(), ErrorKind::kValue);
    EXPECT_EQ(f(ones({5}))[0].to_vector<float>()[0], static_cast<float>(n + 1));
  }
}

TEST(Overlap, SpansOfCollectives) {
  if (dist::size() == 1) GTEST_SKIP() << "one rank";
  Profiler profiler(Device::current());
  const auto f = compile([](const Tensor& x) { return dist::all_reduce(x * 2.0); });
  f(ones({6})).eval();
  const std::string track = "collectives, rank " + std::to_string(dist::rank());
  int found = 0;
  for (const SpanRecord& span : profiler.spans()) {
    found += span.track == track && span.label == "all_reduce (sum) of f32 [6]" ? 1 : 0;
  }
  EXPECT_EQ(found, 1);
}

// ---- Buckets of gradients ----

Tree some_gradients(double by) {
  const auto filled = [&](const Shape& shape, DType dtype, int salt) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < shape.numel(); ++i) {
      values.push_back(static_cast<float>((i * 13 + salt + 5 * dist::rank()) % 29 - 14));
    }
    return (Tensor(values, shape) * by).astype(dtype);
  };
  return Tree{{"embedding", filled({50, 7}, f32, 1)},
              {"layers", Tree::list({Tree{{"w", filled({33, 9}, f32, 2)}, {"b", filled({9}, f32, 3)}},
                                     Tree{{"w", filled({64, 64}, f16, 4)}, {"b", filled({1}, f16, 5)}}})},
              {"none", zeros({0, 3})},
              {"scale", filled({}, f32, 6)},
              {"low", filled({300}, bf16, 7)}};
}

void expect_same_bits(const Tree& got, const Tree& expected, const std::string& what) {
  const auto a = got.flatten();
  const auto b = expected.flatten();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].first, b[i].first);
    EXPECT_EQ(a[i].second.dtype(), b[i].second.dtype());
    EXPECT_EQ(a[i].second.shape(), b[i].second.shape());
    EXPECT_EQ(a[i].second.astype(f32).to_vector<float>(), b[i].second.astype(f32).to_vector<float>())
        << what << " " << a[i].first;
  }
}

TEST(Gradients, BucketsOfAnySizeGiveTheMean) {
  const Tree gradients = some_gradients(0.5);
  const Tree expected = gradients.map([](const Tensor& g) { return dist::all_reduce(g, Reduce::kMean); });
  for (const std::int64_t bytes : {1, 256, 5000, 1 << 25}) {
    const std::string what = std::to_string(bytes);
    expect_same_bits(dist::average_gradients(gradients, {.bucket_bytes = bytes}), expected, what);
    const auto step = compile([&](const Tensor& by) {
      return dist::average_gradients(gradients.map([&](const Tensor& g) { return (g * by).astype(g.dtype()); }),
                                     {.bucket_bytes = bytes});
    });
    for (int i = 0; i < 3; ++i) expect_same_bits(step(tessera::full({}, 1.0)), expected, "compiled " + what);
  }
}

// The gradient of w1 needs a kernel that waits until the gradient of w2 was exchanged: so the ranks exchange it while
// the backward pass runs, or never.
TEST(Gradients, BucketsStartDuringTheBackwardPass) {
  if (dist::size() == 1) GTEST_SKIP() << "one rank";
  Profiler profiler(Device::current());
  int exchanged = 0;
  bool waits = false;
  const auto count = [&] {
    return std::ranges::count_if(profiler.spans(), [](const SpanRecord& span) {
      return span.label == "all_reduce (mean) of f32 [3, 5]" && span.track.starts_with("collectives");
    });
  };
  const WgslKernel behind = passing([&] {
    const auto before = exchanged;
    for (int i = 0; waits && i < 30000 && exchanged == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      exchanged = static_cast<int>(count());
    }
  });
  const WgslKernel middle(
      {.name = "middle",
       .source = "fn main() {}",
       .inputs = {{"x", f32}},
       .outputs = {"y"},
       .gradient = [&](const WgslGradient& g) { return behind({g.gradients[0]}); },
       .cpu =
           [](const WgslHostCall& call) { std::ranges::copy(call.input<float>(0), call.output<float>(0).begin()); }});
  const auto step = compile([&](const Tree& params, const Tensor& x) {
    const auto loss = [&](const Tree& p) { return middle({x.matmul(p["w1"])})[0].matmul(p["w2"]).sum(); };
    return dist::average_gradients(value_and_grad(loss)(params).second, {.bucket_bytes = 1});
  });
  const Tree params{{"w1", ones({4, 3})}, {"w2", ones({3, 5})}};
  step(params, ones({2, 4}))["w1"].eval();
  exchanged = static_cast<int>(count());
  waits = true;
  for (int i = 0; i < 3; ++i) {
    const int before = exchanged;
    const Tree gradients = step(params, ones({2, 4}));
    EXPECT_GT(exchanged, before);
    EXPECT_EQ(gradients["w1"].to_vector<float>(), std::vector<float>(12, 10));
    EXPECT_EQ(gradients["w2"].to_vector<float>(), std::vector<float>(15, 8));
  }
}

TEST(Gradients, HalfOfTheBytesOnTheWire) {
  const Tree gradients = some_gradients(1.0 / 3);
  for (const DType wire : {f16, bf16}) {
    const Tree expected = gradients.map([&](const Tensor& g) {
      if (g.dtype() != f32 || g.numel() == 0 || dist::size() == 1) return dist::all_reduce(g, Reduce::kMean);
      return dist::all_reduce(g.astype(wire), Reduce::kMean).astype(f32);
    });
    expect_same_bits(dist::average_gradients(gradients, {.bucket_bytes = 3000, .wire = wire}), expected,
                     std::string(name(wire)));
  }
  // The sum is past f16, the mean is not.
  if (dist::size() == 1) return;
  const Tree large{{"w", tessera::full({5}, 60000.0)}};
  for (const float v : dist::average_gradients(large, {.wire = f16})["w"].to_vector<float>()) EXPECT_EQ(v, 60000);
}

TEST(Gradients, AGroupAndBadArguments) {
  const dist::Group parity = dist::Group().split(dist::rank() % 2);
  const Tree gradients{{"w", tessera::full({4}, static_cast<double>(dist::rank()))}};
  double sum = 0;
  for (const int r : parity.ranks()) sum += r;
  EXPECT_EQ(dist::average_gradients(gradients, {}, parity)["w"].to_vector<float>()[0],
            static_cast<float>(sum / parity.size()));
  EXPECT_EQ(error_of([&] { dist::average_gradients(gradients, {.bucket_bytes = 0}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { dist::average_gradients(gradients, {.wire = f32}); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { dist::average_gradients(Tree{{"i", cast(ones({2}), i32)}}); }).kind(), ErrorKind::kDType);
  EXPECT_EQ(error_of([&] { dist::average_gradients(Tree{{"e", Tensor()}}); }).kind(), ErrorKind::kValue);
  EXPECT_TRUE(dist::average_gradients(Tree()).empty());
}

}  // namespace

}  // namespace tessera::test
