// Movement, reductions, products, scans and scatters of complex numbers against the oracle; C++ values in and out.
#include <fmt/format.h>

#include "complex/support.h"
#include "ops/sort/sort.h"
#include "support/errors.h"
#include "tessera/compile.h"

namespace tessera::test {
namespace {

using C64 = std::complex<float>;

TEST(ComplexStructure, Movement) {
  for (const DType t : {c64, c128}) {
    Beside both;
    const Tensor x = both.complex(t, {8, 12}, 1, true);
    const Tensor y = both.complex(t, {8, 12}, 2);
    for (const Layout& layout : layouts()) both.expect("copy, " + layout.name, contiguous(layout.view(x)), 0);
    both.expect("pad", pad(x, {{1, 2}, {0, 3}}, Tensor(Complex(0, 7))), 0);
    both.expect("concat", concat({x, transpose(reshape(y, {12, 8}))}, 1), 0);
    both.expect("stack", stack({x, y}, 2), 0);
    both.expect("large transposition", contiguous(transpose(both.complex(t, {130, 200}, 3))), 0);
    both.expect("rows by number", take(x, both.tensor({i32, {4}, {}, {3, 0, -1, 3}}), 0), 0);
  }
}

TEST(ComplexStructure, Reductions) {
  for (const DType t : {c64, c128}) {
    for (const Shape& shape : {Shape{3, 5}, Shape{1, 20000}, Shape{700, 9}, Shape{2, 0}, Shape{9000, 2}}) {
      Beside both;
      const Tensor x = both.complex(t, shape, 4);
      const std::string what = fmt::format("of {}", shape.str());
      const auto n = static_cast<double>(std::max<std::int64_t>(shape.numel(), 1));
      both.expect("sum " + what, sum(x, {-1}), n);
      both.expect("sum over rows " + what, sum(x, {0}), n);
      both.expect("mean " + what, mean(x * Complex(0, 2), {-1}), n);
      both.expect("all, any " + what, logical_and(any(x, {-1}), all(x, {-1})));
      if (shape.numel() < 1000) both.expect("prod " + what, prod(x, {-1}), n);
    }
  }
}

TEST(ComplexStructure, Products) {
  for (const DType t : {c64, c128}) {
    for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 5, 4}, {1, 70, 300}, {65, 70, 300}}) {
      Beside both;
      const Tensor a = both.complex(t, {m, k}, 5);
      const Tensor b = both.complex(t, {n, k}, 6);
      const double room = 64.0 * static_cast<double>(k);
      both.expect(fmt::format("matmul {} {} {}", m, k, n), matmul(a, transpose(b)), room);
      both.expect("with work after it", conj(matmul(a, transpose(b))) * 2.0 + Complex(1, 1), room);
    }
    Beside both;
    const Tensor a = both.complex(t, {4, 3, 5}, 7);
    const Tensor b = both.complex(t, {4, 5, 2}, 8);
    both.expect("batches", matmul(a, b), 64);
    both.expect("a real operand", matmul(real(a), b), 64);
  }
}

TEST(ComplexStructure, ScansAndScatters) {
  for (const auto o : {ops::ScanOptions{}, {true, false}, {false, true}, {true, true}}) {
    const Tensor x = make_tensor(complex_values(c128, {3, 40}, 9), cpu());
    const auto v = x.to_vector<Complex>();
    const auto sums = Tensor(ops::cumsum(x.node(), 1, o)).to_vector<Complex>();
    const auto products = Tensor(ops::cumprod(x.node(), 1, o)).to_vector<Complex>();
    for (std::size_t r = 0; r < 3; ++r) {
      Complex sum = 0;
      Complex product = 1;
      for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t at = r * 40 + (o.reverse ? 39 - i : i);
        if (!o.exclusive) sum += v[at], product *= v[at];
        EXPECT_LE(std::abs(sums[at] - sum), 1e-13 * (1 + std::abs(sum)));
        EXPECT_LE(std::abs(products[at] - product), 1e-12 * std::abs(product));
        if (o.exclusive) sum += v[at], product *= v[at];
      }
    }
  }
  const Tensor base(std::vector<C64>{{1, 1}, {2, 0}, {0, 3}}, {3}, cpu());
  const Tensor at(std::vector<std::int32_t>{2, 0, 2}, {3}, cpu());
  const Tensor updates(std::vector<C64>{{5, 5}, {0, 1}, {1, -1}}, {3}, cpu());
  const std::vector<C64> added = index_add(base, 0, at, updates).to_vector<C64>();
  EXPECT_EQ(added, (std::vector<C64>{{1, 2}, {2, 0}, {6, 7}}));
  EXPECT_EQ(scatter(base, at, updates, 0).to_vector<C64>(), (std::vector<C64>{{0, 1}, {2, 0}, {1, -1}}));
  const Error e = error_of([&] { scatter(base, at, updates, 0, Scatter::kMax); });
  EXPECT_STREQ(e.what(), "scatter: mode max was given for type c64; complex numbers have no order.");
}

TEST(ComplexStructure, UniqueFindsEqualOnes) {
  const Tensor x(std::vector<C64>{{2, 1}, {0.0F, 1}, {-0.0F, 1}, {2, -1}, {2, 1}, {0, 5}}, {6}, cpu());
  const Unique u = unique(x);
  EXPECT_EQ(u.values.to_vector<C64>(), (std::vector<C64>{{0, 1}, {0, 5}, {2, -1}, {2, 1}}));
  EXPECT_EQ(u.counts.to_vector<std::int32_t>(), (std::vector<std::int32_t>{2, 1, 1, 2}));
  EXPECT_EQ(u.inverse.to_vector<std::int32_t>(), (std::vector<std::int32_t>{3, 0, 0, 2, 3, 1}));
}

TEST(ComplexStructure, ValuesInAndOut) {
  const Tensor x(std::vector<std::vector<C64>>{{{1, 2}, {3, -4}}, {{0, 0.5}, {-1, 0}}}, cpu());
  EXPECT_EQ(x.dtype(), c64);
  EXPECT_EQ(x.shape(), (Shape{2, 2}));
  EXPECT_EQ(x.str(), "[[1+2i, 3-4i],\n [0+0.5i, -1+0i]] (c64, cpu)");
  EXPECT_EQ(sum(x).item<Complex>(), Complex(3, -1.5));
  EXPECT_EQ(Tensor(std::vector<float>{2}, {1}, cpu()).item<Complex>(), Complex(2, 0));
  EXPECT_EQ(full({2}, Tensor(Complex(1, 2)), c128, cpu()).to_vector<Complex>(), std::vector<Complex>(2, {1, 2}));
  EXPECT_EQ(eye(2, -1, 0, c64, cpu()).to_vector<C64>(), (std::vector<C64>{1, 0, 0, 1}));
  EXPECT_STREQ(error_of([&] { (void)sum(x).item<double>(); }).what(),
               "item: the tensor has type c64; read it as std::complex, or take real(x) or imag(x).");
  EXPECT_STREQ(error_of([&] { cast(x, f32); }).what(),
               "cast: a tensor of type c64 cannot become f32, which has no imaginary part; take real(x), imag(x) or "
               "abs(x).");
}

TEST(ComplexStructure, CompiledFunctionsTakeThem) {
  const auto f = compile([](const Tensors& x) -> Tensors { return {x[0] * conj(x[0]) + Complex(0, 1)}; });
  for (int i = 1; i < 4; ++i) {
    const Tensor x(std::vector<Complex>{{1.0 * i, 2}}, {1}, cpu());
    EXPECT_EQ(f({x})[0].to_vector<Complex>()[0], Complex(1.0 * i * i + 4, 1));
  }
}

TEST(ComplexStructure, WhatHasNoOrderRefuses) {
  const Tensor x = make_tensor(complex_values(c64, {2, 3}, 10), cpu());
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  EXPECT_EQ(text([&] { max(x); }), "max: a tensor of type c64 was given; it takes real numbers.");
  EXPECT_EQ(text([&] { argmin(x); }), "argmin: a tensor of type c64 was given; it takes real numbers.");
  EXPECT_EQ(text([&] { var(x); }), "var: a tensor of type c64 was given; it takes real numbers.");
  EXPECT_EQ(text([&] { logsumexp(x); }), "logsumexp: a tensor of type c64 was given; it takes real numbers.");
  EXPECT_EQ(text([&] { sort(x); }), "sort: a tensor of type c64 was given; complex numbers have no order.");
  EXPECT_EQ(text([&] { searchsorted(reshape(x, {6}), x); }),
            "searchsorted: type c64 was given; complex numbers have no order.");
  EXPECT_EQ(text([&] { nan_to_num(x); }), "nan_to_num: a tensor of type c64 was given; it takes real numbers.");
  EXPECT_EQ(text([&] { arange(0, 3, 1, c64, cpu()); }), "arange: type c64 was given; it makes real numbers.");
  for (const auto& f : std::vector<std::function<void()>>{[&] { softmax(x); }, [&] { relu(x); }, [&] { cummax(x, 0); },
                                                          [&] { median(x, 0); }, [&] { clip(x, 0, 1); },
                                                          [&] { gelu(x); }, [&] { layer_norm(x); }}) {
    EXPECT_EQ(error_of(f).kind(), ErrorKind::kDType);
  }
}

TEST(ComplexStructure, GradientsRefuse) {
  const Tensor x = make_tensor(complex_values(c64, {2}, 11), cpu());
  const auto f = [](const Tensor& v) { return sum(abs(v)); };
  EXPECT_STREQ(
      error_of([&] { value_and_grad(f)(x); }).what(),
      "value_and_grad: argument 0 has type c64; gradients are taken with respect to floats, not yet to complex "
      "numbers.");
  Tensor y = x;
  EXPECT_STREQ(error_of([&] { y.requires_grad(); }).what(),
               "requires_grad: the tensor has type c64; a float is expected, since complex numbers have no gradients "
               "yet.");
  const auto parts = [](const Tensor& v) { return sum(real(v) * conj(v) + imag(v)); };
  const Tensor two(std::vector<float>{2}, {1}, cpu());
  EXPECT_EQ(grad(parts)(two).item<float>(), 4);
  // A real variable behind complex numbers: the error comes with the gradient, never a wrong number.
  const Tensor real_x(std::vector<float>{1, 2}, {2}, cpu());
  const auto through = [](const Tensor& v) { return sum(v) + sum(abs(cast(v, c64) * Complex(0, 1))); };
  EXPECT_EQ(error_of([&] { value_and_grad(through)(real_x); }).kind(), ErrorKind::kUnsupported);
}

class OnDevices : public DeviceTest {};

TEST_P(OnDevices, GpusRefuseAtCreation) {
  if (device_.info().features.complex) GTEST_SKIP() << "the device has complex tensors";
  const std::string rest = fmt::format(
      "c64 tensors run on the CPU backend only; {} has none. Make them on the device \"cpu\", or keep real and "
      "imaginary "
      "parts in two tensors.",
      device_.info().name);
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  EXPECT_EQ(text([&] { Tensor(std::vector<C64>{{1, 2}}, {1}, device_); }), "Tensor: " + rest);
  EXPECT_EQ(text([&] { zeros({2}, c64, device_); }), "full: " + rest);
  EXPECT_EQ(text([&] { cast(ones({2}, f32, device_), c64); }), "cast: " + rest);
  EXPECT_EQ(error_of([&] { (ones({2}, f32, device_) * Complex(0, 1)).eval(); }).kind(), ErrorKind::kUnsupported);
}
TESSERA_ON_ALL_DEVICES(OnDevices);

}  // namespace
}  // namespace tessera::test
