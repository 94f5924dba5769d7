// Convolutions and their transposes against plain loops, and their gradients against differences.
#include "ops/conv/conv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conv/loops.h"
#include "support/bounds.h"
#include "support/devices.h"
#include "support/errors.h"

namespace tessera::test {
namespace {

/// Windows of tensors past the binding limit are slow on a software adapter: one device, and one type.
std::vector<TestDevice> first_windowed() {
  std::vector<TestDevice> all = chunked_devices();
  if (all.size() > 1 && !full()) all.resize(1);
  return all;
}

class Convolution : public DeviceTest {
 protected:
  Tensor data(DType t, const Shape& shape, std::uint32_t seed) const {
    return make_tensor(plain(t, shape, seed, -2, 2), device_);
  }
  [[nodiscard]] std::vector<DType> types() const {
    if (GetParam().max_binding_size != 0 && !full()) return {f32};
    return on_cpu() ? std::vector{f32, f16, bf16, f64} : std::vector{f32, f16, bf16};
  }
};
TESSERA_ON_ALL_DEVICES(Convolution);
TESSERA_ON_REDUCED_DEVICES(Convolution);
INSTANTIATE_TEST_SUITE_P(Chunked, Convolution, testing::ValuesIn(first_windowed()), device_name);

struct Case {
  const char* name;
  std::int64_t n, c, h, w, o, kh, kw;
  Loop loop;
};

const Case kCases[] = {
    {"3x3, pad 1", 2, 8, 9, 11, 16, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}},
    {"3x3, valid", 2, 5, 13, 9, 7, 3, 3, {}},
    {"1x1", 3, 6, 7, 5, 9, 1, 1, {}},
    {"1x1, stride 2", 2, 6, 9, 12, 8, 1, 1, {{2, 2}, {1, 1}, {0, 0}, {0, 0}, 1}},
    {"strides, uneven padding", 2, 3, 17, 15, 12, 5, 4, {{2, 3}, {1, 1}, {2, 0}, {1, 3}, 1}},
    {"dilation", 1, 4, 20, 19, 6, 3, 2, {{1, 2}, {2, 3}, {2, 1}, {2, 1}, 1}},
    {"groups", 2, 12, 8, 10, 20, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 4}},
    {"groups of many outputs", 3, 12, 7, 9, 40, 3, 3, {{1, 2}, {1, 1}, {1, 0}, {0, 2}, 2}},
    {"depthwise", 2, 10, 9, 9, 10, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 10}},
    {"depthwise, two outputs each, stride 2", 2, 5, 12, 11, 10, 5, 3, {{2, 2}, {1, 1}, {2, 1}, {2, 1}, 5}},
    {"few places, many images", 9, 16, 4, 4, 24, 3, 3, {{2, 2}, {1, 1}, {1, 1}, {1, 1}, 1}},
    {"few places, groups", 9, 16, 4, 5, 24, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {0, 1}, 2}},
    {"a window as large as the image", 3, 4, 6, 7, 5, 6, 7, {}},
    {"padding beyond the kernel", 1, 2, 3, 3, 6, 2, 2, {{1, 1}, {1, 1}, {3, 2}, {3, 4}, 1}},
    {"patches", 2, 3, 16, 16, 20, 4, 4, {{4, 4}, {1, 1}, {0, 0}, {0, 0}, 1}},
    {"a long sum", 1, 64, 7, 6, 20, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}},
    {"a longer sum", 1, 256, 5, 4, 6, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}},
    {"a long sum, strides", 1, 192, 9, 8, 12, 3, 2, {{2, 1}, {1, 2}, {1, 0}, {0, 2}, 1}},
    {"65 channels, more columns than a tile", 1, 65, 12, 12, 67, 3, 3, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}},
};

/// A software adapter takes a dispatch for every few KiB of a tensor past the limit: a few cases go there.
bool left_out(const Case& c, const TestDevice& device) {
  return device.max_binding_size != 0 && !full() && (&c - kCases) % 7 != 0;
}

ConvOptions options_of(const Loop& g) {
  return {.stride = {g.stride[0], g.stride[1]},
          .padding = {{g.low[0], g.high[0]}, {g.low[1], g.high[1]}},
          .dilation = {g.dilation[0], g.dilation[1]},
          .groups = g.groups};
}

TEST_P(Convolution, EqualsLoops) {
  for (const DType t : types()) {
    for (const Case& c : kCases) {
      if (left_out(c, GetParam())) continue;
      const Tensor x = data(t, {c.n, c.c, c.h, c.w}, 1);
      const Tensor w = data(t, {c.o, c.c / c.loop.groups, c.kh, c.kw}, 2);
      const auto terms = static_cast<double>(c.c / c.loop.groups * c.kh * c.kw);
      const Numbers want = loop_conv(numbers_of(x), numbers_of(w), c.loop);
      ConvOptions options = options_of(c.loop);
      expect_near(fmt::format("{}, {}", c.name, name(t)), conv2d(x, w, {}, options), want, terms);
      if (t != f32 && t != f16) continue;
      options.layout = ImageLayout::kChannelsLast;
      const Tensor last = contiguous(permute(x, {0, 2, 3, 1})).eval();
      expect_near(fmt::format("{}, {}, channels last", c.name, name(t)),
                  permute(conv2d(last, w, {}, options), {0, 3, 1, 2}), want, terms);
    }
  }
}

TEST_P(Convolution, TransposeEqualsLoops) {
  for (const DType t : types()) {
    for (const Case& c : kCases) {
      if (left_out(c, GetParam())) continue;
      const Tensor x = data(t, {c.n, c.c, c.h, c.w}, 3);
      const Tensor w = data(t, {c.c, c.o / c.loop.groups, c.kh, c.kw}, 4);
      const std::int64_t more_h = std::max(c.loop.stride[0], c.loop.dilation[0]) - 1;
      if (more_h + (c.h - 1) * c.loop.stride[0] + c.kh < c.loop.low[0] + c.loop.high[0] + 1) continue;
      const auto terms = static_cast<double>(c.c / c.loop.groups * c.kh * c.kw);
      const Numbers want = loop_conv_transpose(numbers_of(x), numbers_of(w), c.loop, more_h, 0);
      const ConvOptions o = options_of(c.loop);
      ConvTransposeOptions options{.stride = o.stride,
                                   .padding = o.padding,
                                   .output_padding = {more_h, 0},
                                   .dilation = o.dilation,
                                   .groups = o.groups};
      expect_near(fmt::format("{}, {}", c.name, name(t)), conv_transpose2d(x, w, {}, options), want, terms);
      if (t != f32) continue;
      options.layout = ImageLayout::kChannelsLast;
      const Tensor last = contiguous(permute(x, {0, 2, 3, 1})).eval();
      expect_near(fmt::format("{}, {}, channels last", c.name, name(t)),
                  permute(conv_transpose2d(last, w, {}, options), {0, 3, 1, 2}), want, terms);
    }
  }
  // More phases than are worth a product each.
  const Loop wide{{5, 4}, {1, 1}, {1, 2}, {1, 2}, 1};
  const Tensor x = data(f32, {2, 3, 4, 3}, 5);
  const Tensor w = data(f32, {3, 6, 7, 6}, 6);
  expect_near("large strides", conv_transpose2d(x, w, {}, {.stride = {5, 4}, .padding = {1, 2}}),
              loop_conv_transpose(numbers_of(x), numbers_of(w), wide, 0, 0), 3 * 42);
}

TEST_P(Convolution, DepthwiseOfAnySizeEqualsLoops) {
  for (const std::int64_t edge : {1, 7, 64, 65}) {
    const ops::ConvShape s{{edge, 9}, {(edge + 2) / 2, 9}, {3, 3}, {2, 1}, {1, 2}, {2, 2}, 5, false};
    const Tensor x = data(f32, {2, 5, edge, 9}, 30);
    const Tensor w = data(f32, {10, 1, 3, 3}, 31);
    const Numbers want = loop_conv(numbers_of(x), numbers_of(w), {{2, 1}, {1, 2}, {2, 2}, {1, 2}, 5});
    const Tensor y(ops::conv(x.node(), w.node(), s));
    if (GetParam().max_binding_size == 0) {
      EXPECT_EQ(explain(y).kernels.at(0).label, "window_depthwise");
    }
    expect_near(fmt::format("{}", edge), y, want, 9);
  }
}

TEST_P(Convolution, OneAxis) {
  const Tensor x = data(f32, {3, 6, 31}, 7);
  const Tensor w = data(f32, {8, 3, 5}, 8);
  const Loop g{{1, 2}, {1, 3}, {0, 4}, {0, 4}, 2};
  const Numbers x2 = numbers_of(reshape(x, {3, 6, 1, 31}));
  Numbers want = loop_conv(x2, numbers_of(reshape(w, {8, 3, 1, 5})), g);
  want.shape = {3, 8, want.shape[3]};
  const ConvOptions options{.stride = 2, .padding = 4, .dilation = 3, .groups = 2};
  expect_near("conv1d", conv1d(x, w, {}, options), want, 15);
  const Tensor v = data(f32, {6, 4, 5}, 9);
  Numbers back = loop_conv_transpose(x2, numbers_of(reshape(v, {6, 4, 1, 5})), g, 0, 1);
  back.shape = {3, 8, back.shape[3]};
  expect_near("conv_transpose1d",
              conv_transpose1d(x, v, {}, {.stride = 2, .padding = 4, .output_padding = 1, .dilation = 3, .groups = 2}),
              back, 15);
}

TEST_P(Convolution, ArgumentsAndFusedWork) {
  const Tensor x = data(f32, {2, 4, 8, 10}, 10);
  const Tensor w = data(f32, {6, 4, 3, 4}, 11);
  const Tensor b = data(f32, {6}, 12);
  Numbers same = loop_conv(numbers_of(x), numbers_of(w), {{1, 1}, {1, 1}, {1, 1}, {1, 2}, 1});
  expect_near("same", conv2d(x, w, {}, {.padding = "same"}), same, 48);
  expect_near("valid", conv2d(x, w, {}, {.padding = "valid"}), loop_conv(numbers_of(x), numbers_of(w), {}), 48);
  const Numbers bias = numbers_of(b);
  for (std::size_t i = 0; i < same.value.size(); ++i) same.value[i] += bias.value[i / 80 % 6], same.room[i] += 2;
  expect_near("bias", conv2d(x, w, b, {.padding = "same"}), same, 49);
  for (double& v : same.value) v = std::max(v, 0.0);
  expect_near("bias and relu", relu(conv2d(x, w, b, {.padding = "same"})), same, 50);
  expect_near("without a batch", expand_dims(conv2d(slice(x, {{1, 2}}).reshape({4, 8, 10}), w), 0),
              loop_conv(numbers_of(slice(x, {{1, 2}})), numbers_of(w), {}), 48);
  // What is computed on the way is computed once, then read through the windows.
  const Tensor made = tanh(x) * 2.0 + 1.0;
  const Numbers made_numbers = numbers_of(made);
  expect_near("of computed values", conv2d(tanh(x) * 2.0 + 1.0, w, {}, {.padding = 1}),
              loop_conv(made_numbers, numbers_of(w), {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}), 48 + 64);
  // The padded input is wanted by itself too.
  const Tensor padded = pad(x, {{0, 0}, {0, 0}, {1, 1}, {1, 1}});
  const Tensor y = conv2d(padded, w);
  eval({padded, y});
  expect_near("a padded input in memory", y,
              loop_conv(numbers_of(x), numbers_of(w), {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}), 48);
  // Views of the input.
  const Tensor turned = permute(x, {0, 1, 3, 2});
  expect_near("transposed and flipped", conv2d(flip(turned, {2}), w, {}, {.padding = 2}),
              loop_conv(numbers_of(contiguous(flip(turned, {2}))), numbers_of(w), {{1, 1}, {1, 1}, {2, 2}, {2, 2}, 1}),
              48);
  expect_near("every other row", conv2d(slice(x, {{}, {}, {{}, {}, 2}}), w, {}, {.padding = 1}),
              loop_conv(numbers_of(contiguous(slice(x, {{}, {}, {{}, {}, 2}}))), numbers_of(w),
                        {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}),
              48);
}

TEST_P(Convolution, SamePlanOtherSizes) {
  for (const std::int64_t n : {12, 15, 9, 33}) {
    const Tensor x = data(f32, {2, 8, n, n + 1}, 13);
    const Tensor w = data(f32, {8, 8, 3, 3}, 14);
    expect_near(fmt::format("{}", n), conv2d(x, w, {}, {.padding = 1}),
                loop_conv(numbers_of(x), numbers_of(w), {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1}), 72);
  }
}

TEST_P(Convolution, Compiled) {
  const auto f = compile(
      [](const std::vector<Tensor>& in) { return std::vector{relu(conv2d(in[0], in[1], in[2], {.padding = 1}))}; });
  for (const std::int64_t n : {10, 13, 10}) {
    const Tensor x = data(f32, {2, 8, n, n}, 33);
    const Tensor w = data(f32, {6, 8, 3, 3}, 34);
    const Tensor b = data(f32, {6}, 35);
    expect_near(fmt::format("{}", n), f({x, w, b})[0], numbers_of(relu(conv2d(x, w, b, {.padding = 1}))), 0);
  }
}

TEST_P(Convolution, MoreColumnsThanFloatsCount) {
  if (on_cpu() || GetParam().max_binding_size != 0) GTEST_SKIP() << "the CPU writes windows out";
  if (!full()) GTEST_SKIP() << "only in a full run: software adapters take a while";
  // Past 2^21 columns, indices are no longer divided as f32; the last columns are those that would be wrong.
  const std::int64_t width = 700001;
  const Tensor x = data(f32, {1, 2, 3, width}, 36);
  const Tensor w = data(f32, {5, 2, 3, 3}, 37);
  const auto end = [&](const Tensor& t, std::int64_t count) { return slice(t, {{}, {}, {}, {-count, {}}}); };
  const Tensor last = end(x, 41);
  const Numbers want = loop_conv(numbers_of(last), numbers_of(w), {{1, 1}, {1, 1}, {1, 0}, {1, 1}, 1});
  expect_near("the end", end(conv2d(x, w, {}, {.padding = 1}), 40), want, 18);
}

TEST_P(Convolution, NothingAndInfinity) {
  EXPECT_EQ(conv2d(zeros({0, 3, 8, 8}), zeros({4, 3, 3, 3})).shape().str(), "[0, 4, 6, 6]");
  // Padding is not multiplied: an infinite weight meets no zeros of it.
  Tensor x = ones({1, 8, 6, 6});
  const Tensor y = max(conv2d(x, tessera::full({8, 8, 3, 3}, 1e38F), {}, {.padding = 1}));
  EXPECT_TRUE(std::isinf(y.item<float>()));
}

TEST_P(Convolution, ReadsWindowsWhereTheyLie) {
  if (on_cpu()) GTEST_SKIP() << "the CPU writes them out";
  if (GetParam().max_binding_size != 0) GTEST_SKIP() << "tensors past the binding limit are written out";
  const Tensor x = data(f32, {2, 8, 16, 16}, 15).eval();
  const Tensor w = data(f32, {16, 8, 3, 3}, 16).eval();
  const Tensor g = data(f32, {2, 16, 16, 16}, 17).eval();
  EXPECT_EQ(explain(conv2d(x, w, {}, {.padding = 1})).kernels.size(), 1U);
  const Tensor grouped = data(f32, {16, 4, 3, 3}, 18).eval();
  EXPECT_EQ(explain(conv2d(x, grouped, {}, {.padding = 1, .groups = 2})).kernels.size(), 1U);
  EXPECT_EQ(explain(conv2d(x, grouped, {}, {.stride = 2, .groups = 2})).kernels.size(), 1U);
  // The weights are turned, then one product.
  const ConvOptions last{.padding = 1, .layout = ImageLayout::kChannelsLast};
  EXPECT_EQ(explain(conv2d(data(f32, {2, 16, 16, 8}, 19).eval(), w, {}, last)).kernels.size(), 2U);
  const ops::ConvShape shape{{16, 16}, {16, 16}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, false};
  // The weights are turned, then one product.
  EXPECT_LE(explain(Tensor(ops::conv_input(g.node(), w.node(), shape))).kernels.size(), 2U);
  // One product, and the sum over the pieces of the batch.
  EXPECT_LE(explain(Tensor(ops::conv_weight(x.node(), g.node(), shape))).kernels.size(), 2U);
}

TEST(ConvolutionGradients, EqualDifferences) {
  const Device cpu = open({"cpu", "cpu", "", 0});
  for (const Case& c : kCases) {
    ops::ConvShape s;
    s.groups = c.loop.groups;
    s.in = {c.h, c.w};
    s.taps = {c.kh, c.kw};
    for (int i = 0; i < 2; ++i) {
      const auto a = static_cast<std::size_t>(i);
      s.stride.push_back(c.loop.stride[i]);
      s.dilation.push_back(c.loop.dilation[i]);
      s.low.push_back(c.loop.low[i]);
      s.out.push_back((s.in[a] + c.loop.low[i] + c.loop.high[i] - s.dilation[a] * (s.taps[a] - 1) - 1) / s.stride[a] +
                      1);
    }
    const Tensor x = make_tensor(plain(f64, {c.n, c.c, c.h, c.w}, 20), cpu);
    const Tensor w = make_tensor(plain(f64, {c.o, c.c / s.groups, c.kh, c.kw}, 21), cpu);
    const Tensor y = make_tensor(plain(f64, {c.n, c.o, s.out[0], s.out[1]}, 22), cpu);
    using List = std::vector<Tensor>;
    expect_gradients(
        c.name, [&](const List& in) { return Tensor(ops::conv(in[0].node(), in[1].node(), s)); }, {x, w},
        [&](const List& in, const Tensor& g) {
          return List{Tensor(ops::conv_input(g.node(), in[1].node(), s)),
                      Tensor(ops::conv_weight(in[0].node(), g.node(), s))};
        });
    expect_gradients(
        fmt::format("{}, transposed", c.name),
        [&](const List& in) { return Tensor(ops::conv_input(in[0].node(), in[1].node(), s)); }, {y, w},
        [&](const List& in, const Tensor& g) {
          return List{Tensor(ops::conv(g.node(), in[1].node(), s)),
                      Tensor(ops::conv_weight(g.node(), in[0].node(), s))};
        });
    expect_gradients(
        fmt::format("{}, weights", c.name),
        [&](const List& in) { return Tensor(ops::conv_weight(in[0].node(), in[1].node(), s)); }, {x, y},
        [&](const List& in, const Tensor& g) {
          return List{Tensor(ops::conv_input(in[1].node(), g.node(), s)), Tensor(ops::conv(in[0].node(), g.node(), s))};
        });
  }
}

TEST_P(Convolution, WeightGradientOnTheDevice) {
  for (const Case& c : kCases) {
    if (left_out(c, GetParam())) continue;
    ops::ConvShape s;
    s.groups = c.loop.groups;
    s.in = {c.h, c.w};
    s.taps = {c.kh, c.kw};
    const Tensor x = data(f32, {c.n, c.c, c.h, c.w}, 23);
    const Tensor w = data(f32, {c.o, c.c / s.groups, c.kh, c.kw}, 24);
    const Numbers nx = numbers_of(x);
    const Numbers sample = loop_conv(nx, numbers_of(w), c.loop);
    const Tensor y = data(f32, sample.shape, 25);
    const Numbers ny = numbers_of(y);
    for (int i = 0; i < 2; ++i) {
      s.stride.push_back(c.loop.stride[i]);
      s.dilation.push_back(c.loop.dilation[i]);
      s.low.push_back(c.loop.low[i]);
      s.out.push_back(sample.shape[2 + i]);
    }
    Numbers want(w.shape());
    const std::int64_t outputs = c.o / s.groups;
    for (std::int64_t n = 0; n < c.n; ++n)
      for (std::int64_t o = 0; o < c.o; ++o)
        for (std::int64_t i = 0; i < s.out[0]; ++i)
          for (std::int64_t j = 0; j < s.out[1]; ++j)
            for (std::int64_t k = 0; k < w.shape()[1]; ++k)
              for (std::int64_t a = 0; a < c.kh; ++a)
                for (std::int64_t b = 0; b < c.kw; ++b) {
                  const std::int64_t h = i * s.stride[0] + a * s.dilation[0] - s.low[0];
                  const std::int64_t v = j * s.stride[1] + b * s.dilation[1] - s.low[1];
                  if (h < 0 || v < 0 || h >= c.h || v >= c.w) continue;
                  want.add({o, k, a, b},
                           nx.value[nx.at({n, o / outputs * w.shape()[1] + k, h, v})] * ny.value[ny.at({n, o, i, j})]);
                }
    expect_near(c.name, Tensor(ops::conv_weight(x.node(), y.node(), s)), want,
                static_cast<double>(c.n * s.out[0] * s.out[1]));
  }
}

TEST_P(Convolution, FoldIsTheTransposeOfUnfold) {
  struct PadLow {
    PerAxis kernel, stride, dilation;
    Padding padding;
  };
  for (const PadLow& k :
       {PadLow{3, 1, 1, 1}, PadLow{{2, 3}, {2, 1}, {1, 2}, 0}, PadLow{{3, 2}, {3, 5}, 1, {{2, 1}, {0, 3}}},
        PadLow{1, 2, 1, 0}, PadLow{{4, 5}, {2, 3}, {3, 2}, {4, 4}}}) {
    const UnfoldOptions options{.dilation = k.dilation, .padding = k.padding, .stride = k.stride};
    const Tensor x = data(f32, {2, 3, 11, 14}, 26);
    const Tensor columns = unfold(x, k.kernel, options);
    const Tensor other = data(f32, columns.shape(), 27);
    const Tensor folded = fold(other, {11, 14}, k.kernel, options);
    ASSERT_EQ(folded.shape().str(), x.shape().str());
    const Numbers a = numbers_of(columns), b = numbers_of(other), c = numbers_of(x), d = numbers_of(folded);
    double left = 0, right = 0, size = 0;
    for (std::size_t i = 0; i < a.value.size(); ++i)
      left += a.value[i] * b.value[i], size += std::abs(a.value[i] * b.value[i]);
    for (std::size_t i = 0; i < c.value.size(); ++i) right += c.value[i] * d.value[i];
    EXPECT_NEAR(left, right, size * 64 * unit_roundoff(f32));
  }
  // Columns are ordered by channel, then tap, then window.
  const Tensor x = arange(0, 16, 1, f32).reshape({1, 1, 4, 4});
  EXPECT_EQ(unfold(x, 2, {.stride = 2}).to_vector<float>(),
            (std::vector<float>{0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15}));
  EXPECT_EQ(fold(unfold(ones({1, 1, 4, 4}), 3), {4, 4}, 3).to_vector<float>(),
            (std::vector<float>{1, 2, 2, 1, 2, 4, 4, 2, 2, 4, 4, 2, 1, 2, 2, 1}));
}

TEST_P(Convolution, BadArguments) {
  const Tensor x = zeros({2, 4, 8, 8});
  const Tensor w = zeros({6, 4, 3, 3});
  const auto text = [](auto f) { return std::string(error_of(f).what()); };
  const auto has = [&](auto f, const char* part) { EXPECT_NE(text(f).find(part), std::string::npos) << text(f); };
  has([&] { return conv2d(zeros({4}), w); }, "4 axes, or 3 without a batch");
  has([&] { return conv2d(x, zeros({6, 4, 3})); }, "the weight has shape [6, 4, 3]; 4 axes");
  has([&] { return conv2d(x, zeros({6, 3, 3, 3})); }, "axis 1 should have size 4");
  has([&] { return conv2d(x, w, {}, {.groups = 3}); }, "do not divide into 3 groups");
  has([&] { return conv2d(x, w, {}, {.groups = 0}); }, "groups is 0");
  has([&] { return conv2d(x, w, zeros({5})); }, "the bias has shape [5]; [6]");
  has([&] { return conv2d(x, w, {}, {.stride = 0}); }, "stride is 0; at least 1");
  has([&] { return conv2d(x, w, {}, {.stride = {1, 2, 3}}); }, "3 numbers were given for stride");
  has([&] { return conv2d(x, w, {}, {.padding = -1}); }, "is negative");
  has([&] { return conv2d(x, w, {}, {.padding = "full"}); }, "\"full\" is not known");
  has([&] { return conv2d(x, w, {}, {.stride = 2, .padding = "same"}); }, "needs stride 1, not 2");
  has([&] { return conv2d(x, zeros({6, 4, 9, 9})); }, "reaches 9 elements");
  has([&] { return conv2d(zeros({2, 4, 8, 8}, i32), zeros({6, 4, 3, 3}, i32)); }, "the inputs are i32");
  has([&] { return conv2d(x, Tensor()); }, "an empty Tensor was given as the weight");
  has([&] { return conv_transpose2d(x, zeros({6, 4, 3, 3})); }, "axis 0 should have size 4");
  has([&] { return conv_transpose2d(x, zeros({4, 4, 3, 3}), {}, {.output_padding = 1}); },
      "output_padding 1 must be less");
  has([&] { return conv_transpose2d(x, zeros({4, 4, 3, 3}), {}, {.padding = "same"}); }, "has no meaning");
  has([&] { return conv_transpose2d(x, zeros({4, 4, 3, 3}), {}, {.padding = 9}); }, "at least 1 is expected");
  has([&] { return unfold(x, 9); }, "reaches 9 elements");
  has([&] { return fold(zeros({2, 4, 8}), 4, 3); }, "[N, C * 9, 4] is expected");
}

}  // namespace
}  // namespace tessera::test
