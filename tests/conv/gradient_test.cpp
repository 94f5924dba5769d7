// Gradients of the public functions, and gradients of gradients, against differences in f64; and what a device computes
// for them in f32 against f64.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conv/loops.h"
#include "ops/conv/conv.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

struct Function {
  std::string name;
  std::vector<Shape> shapes;
  std::function<Tensor(const Tensors&)> f;
};

std::vector<Function> functions() {
  const ConvOptions strided{.stride = {2, 1}, .padding = {{1, 0}, {2, 1}}, .dilation = {1, 2}, .groups = 2};
  const ConvOptions depthwise{.stride = 2, .padding = 1, .groups = 4};
  ConvOptions last = strided;
  last.layout = ImageLayout::kChannelsLast;
  return {
      {"conv2d",
       {{2, 4, 7, 8}, {6, 2, 3, 3}, {6}},
       [=](const Tensors& x) { return conv2d(x[0], x[1], x[2], strided); }},
      {"conv2d, channels last",
       {{2, 7, 8, 4}, {6, 2, 3, 3}},
       [=](const Tensors& x) { return conv2d(x[0], x[1], {}, last); }},
      {"conv2d, depthwise",
       {{2, 4, 7, 8}, {4, 1, 3, 3}},
       [=](const Tensors& x) { return conv2d(x[0], x[1], {}, depthwise); }},
      {"conv1d", {{2, 3, 9}, {4, 3, 3}}, [](const Tensors& x) { return conv1d(x[0], x[1], {}, {.padding = "same"}); }},
      {"conv_transpose2d",
       {{2, 4, 4, 3}, {4, 3, 3, 2}},
       [](const Tensors& x) {
         return conv_transpose2d(x[0], x[1], {},
                                 {.stride = {2, 3}, .padding = {1, 0}, .output_padding = 1, .groups = 2});
       }},
      {"unfold",
       {{1, 2, 6, 5}},
       [](const Tensors& x) { return unfold(x[0], {3, 2}, {.padding = 1, .stride = {2, 1}}); }},
      {"fold",
       {{1, 12, 15}},
       [](const Tensors& x) { return fold(x[0], {5, 4}, {3, 2}, {.padding = 1, .stride = {2, 1}}); }},
      {"max_pool2d", {{2, 2, 7, 8}}, [](const Tensors& x) { return max_pool2d(x[0], 3, {.stride = 2, .padding = 1}); }},
      {"avg_pool2d",
       {{2, 2, 7, 8}},
       [](const Tensors& x) {
         return avg_pool2d(x[0], {3, 2}, {.stride = 2, .padding = 1, .ceil_mode = true, .count_include_pad = false});
       }},
      {"adaptive_avg_pool", {{2, 2, 7, 8}}, [](const Tensors& x) { return adaptive_avg_pool(x[0], {3, 4}); }},
      {"adaptive_max_pool", {{2, 2, 7, 8}}, [](const Tensors& x) { return adaptive_max_pool(x[0], {3, 4}); }},
      {"global pools", {{2, 2, 7, 8}}, [](const Tensors& x) { return global_avg_pool(x[0]) * global_max_pool(x[0]); }},
      {"interpolate, linear",
       {{1, 2, 5, 6}},
       [](const Tensors& x) { return interpolate(x[0], {.scale = {2, 1.5}, .mode = InterpolationMode::kLinear}); }},
      {"interpolate, cubic",
       {{1, 2, 5, 6}},
       [](const Tensors& x) {
         return interpolate(
             x[0], {.size = std::vector<std::int64_t>{8, 4}, .mode = InterpolationMode::kCubic, .align_corners = true});
       }},
      {"interpolate, nearest", {{1, 2, 4, 6}}, [](const Tensors& x) { return interpolate(x[0], {.scale = {1.5, 2}}); }},
      {"pixel_shuffle", {{1, 8, 2, 3}}, [](const Tensors& x) { return pixel_shuffle(x[0], 2); }},
      {"batch_norm",
       {{3, 2, 3, 3}, {2}, {2}},
       [](const Tensors& x) { return batch_norm_training(x[0], {}, {}, x[1], x[2]).result; }},
      {"group_norm", {{2, 4, 3}, {4}, {4}}, [](const Tensors& x) { return group_norm(x[0], 2, x[1], x[2]); }},
      {"normalize", {{2, 5, 3}}, [](const Tensors& x) { return normalize(x[0]); }},
      {"local_response_norm", {{2, 5, 3}}, [](const Tensors& x) { return local_response_norm(x[0], 3, 0.5); }},
  };
}

Tensors inputs_of(const Function& f, DType t, const Device& device) {
  Tensors inputs;
  for (std::size_t i = 0; i < f.shapes.size(); ++i)
    inputs.push_back(make_tensor(plain(t, f.shapes[i], 40 + static_cast<std::uint32_t>(i), -2, 2), device));
  return inputs;
}

TEST(ImageGradients, EqualDifferences) {
  const Device cpu = open({"cpu", "cpu", "", 0});
  for (const Function& f : functions()) {
    const auto gradients = [&](const Tensors& in, const Tensor& g) {
      return vjp([&](const Tensors& x) { return Tensors{f.f(x)}; }, in, {g}).second;
    };
    expect_gradients(f.name, f.f, inputs_of(f, f64, cpu), gradients);
    // The gradient of a number made of the gradients: they are functions like all others.
    const auto squares = [&](const Tensors& in) {
      const Tensors once = value_and_grad_of([&](const Tensors& x) { return sum(square(f.f(x)) * 0.5); }, in).second;
      Tensor total = 0.0;
      for (const Tensor& g : once)
        total = total + sum(sin(g * 0.01));  // small arguments, or the difference would have an error of its own
      return total;
    };
    expect_gradients(f.name + ", twice", squares, inputs_of(f, f64, cpu), [&](const Tensors& in, const Tensor& g) {
      return vjp([&](const Tensors& x) { return Tensors{squares(x)}; }, in, {g}).second;
    });
  }
}

class ImageGradient : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(ImageGradient);

TEST_P(ImageGradient, OnTheDevice) {
  const Device cpu = open({"cpu", "cpu", "", 0});
  const Device device = open(GetParam());
  for (const Function& f : functions()) {
    const auto loss = [&](const Tensors& x) { return sum(f.f(x) * 0.25); };
    const Tensors got = value_and_grad_of(loss, inputs_of(f, f32, device)).second;
    Tensors exact;
    for (const Tensor& x : inputs_of(f, f32, cpu)) exact.push_back(x.astype(f64));
    const Tensors want = value_and_grad_of(loss, exact).second;
    for (std::size_t i = 0; i < got.size(); ++i) {
      Numbers numbers = numbers_of(want[i]);
      double largest = 1;
      for (const double v : numbers.value) largest = std::max(largest, std::abs(v));
      std::fill(numbers.room.begin(), numbers.room.end(), largest);
      expect_near(fmt::format("{}, input {}", f.name, i), got[i], numbers, 256);
    }
  }
}

// Large enough to be stored with channels last between the convolutions: a block of a ResNet with a stride of two on
// odd sizes, and batch norm.
TEST_P(ImageGradient, OfABlockOnTheDevice) {
  if (GetParam().max_binding_size != 0) GTEST_SKIP() << "tensors past the binding limit keep their order";
  const Device cpu = open({"cpu", "cpu", "", 0});
  const Device device = open(GetParam());
  const Function block{
      "block", {{128, 3, 17, 17}, {16, 3, 3, 3}, {64, 16, 3, 3}, {64, 16, 1, 1}, {1, 16, 1, 1}}, [](const Tensors& x) {
        const auto norm = [](const Tensor& y) {
          const Tensor centered = y - mean(y, {0, 2, 3}, true);
          return centered * rsqrt(mean(square(centered), {0, 2, 3}, true) + 1e-5);
        };
        const Tensor h = sigmoid(norm(conv2d(x[0], x[1], {}, {.padding = 1})) + x[4]);
        const Tensor y = norm(conv2d(h, x[2], {}, {.stride = 2, .padding = 1}));
        return mean(tanh(y + conv2d(h, x[3], {}, {.stride = 2})), {2, 3});
      }};
  const auto loss = [&](const Tensors& x) { return sum(square(block.f(x))); };
  const auto [value, got] = value_and_grad_of(loss, inputs_of(block, f32, device));
  Tensors exact;
  for (const Tensor& x : inputs_of(block, f32, cpu)) exact.push_back(x.astype(f64));
  const auto [want_value, want] = value_and_grad_of(loss, exact);
  EXPECT_NEAR(value.item<float>(), want_value.item<double>(), 1e-4 * std::abs(want_value.item<double>()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    Numbers numbers = numbers_of(want[i]);
    double largest = 0;
    for (const double v : numbers.value) largest = std::max(largest, std::abs(v));
    std::fill(numbers.room.begin(), numbers.room.end(), largest);
    expect_near(fmt::format("block, input {}", i), got[i], numbers, 1024);
  }
}

}  // namespace
}  // namespace tessera::test
