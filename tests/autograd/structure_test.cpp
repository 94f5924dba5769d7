// Gradients of views, pads, reductions, contractions and compositions.
#include "autograd/support.h"

namespace tessera::test {
namespace {

TEST(StructureGradients, Views) {
  const Tensor x = random_f64({3, 4, 5}, 1);
  const auto check = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
    check_gradient(name, [&](const Tensors& a) { return square(f(a[0])); }, {x});
  };
  check("reshape", [](const Tensor& t) { return reshape(t, {5, 12}); });
  check("permute", [](const Tensor& t) { return permute(t, {2, 0, 1}); });
  check("flip", [](const Tensor& t) { return flip(t, {0, 2}); });
  check("slice", [](const Tensor& t) { return slice(t, {{1, 3}, {0, 3}, {2, 5}}); });
  check("steps", [](const Tensor& t) { return slice(t, {{0, 3, 2}, {{}, {}, -1}, {1, 5, 3}}); });
  check("uneven steps", [](const Tensor& t) { return slice(reshape(t, {60}), {{4, 58, 7}}); });
  check("broadcast", [](const Tensor& t) { return broadcast_to(reshape(t, {3, 1, 4, 5}), {3, 2, 4, 5}); });
  check("reshape of a transpose", [](const Tensor& t) { return reshape(slice(transpose(t), {{0, 2}}), {20, 2}); });
  check("contiguous", [](const Tensor& t) { return contiguous(transpose(t)); });
  check("pad", [](const Tensor& t) { return pad(t, {{1, 0}, {0, 2}, {1, 1}}, 2.0); });
  check("concat", [](const Tensor& t) { return concat({t, t * 2, slice(t, {{0, 1}})}, 0); });
  check("stack", [](const Tensor& t) { return stack({t, transpose(transpose(t))}, 1); });
  check("split", [](const Tensor& t) { return split(t, 2, 1)[1]; });
  check("squeeze", [](const Tensor& t) { return squeeze(expand_dims(t, 1)); });
  check_gradient("the value of pad", [](const Tensors& a) { return pad(a[0], {{1, 1}}, a[1]); },
                 {random_f64({3}, 2), random_f64({}, 3)});
}

TEST(StructureGradients, Reductions) {
  const Tensor x = random_f64({3, 4, 2}, 4);
  const auto check = [&](const char* name, const std::function<Tensor(const Tensor&)>& f, bool second = true) {
    check_gradient(name, [&](const Tensors& a) { return f(a[0]); }, {x}, second);
  };
  check("sum", [](const Tensor& t) { return square(sum(t, {1})); });
  check("sum of all", [](const Tensor& t) { return square(sum(t)); });
  check("sum keepdims", [](const Tensor& t) { return square(sum(t, {0, 2}, true)); });
  check("mean", [](const Tensor& t) { return exp(mean(t, {2})); });
  check("prod", [](const Tensor& t) { return prod(t, {1}); });
  check("max", [](const Tensor& t) { return square(max(t, {1})); });
  check("min", [](const Tensor& t) { return square(min(t, {0, 1})); });
  check("var", [](const Tensor& t) { return var(t, {1}, false, 1); });
  check("stddev", [](const Tensor& t) { return stddev(t, {1}); });
  check("logsumexp", [](const Tensor& t) { return logsumexp(t, {1}); });
  check("softmax", [](const Tensor& t) { return softmax(t, 1); });
  check("log_softmax", [](const Tensor& t) { return log_softmax(t, 1); });
  check("layer_norm", [](const Tensor& t) { return layer_norm(t); }, false);
  check("rms_norm", [](const Tensor& t) { return rms_norm(t); });
}

TEST(StructureGradients, ReductionsOfNothing) {
  for (const Shape& shape : {Shape{3, 0}, Shape{0, 3}, Shape{2, 0, 3}}) {
    const Tensor x = zeros(shape, f32, Device::create({.device = "cpu"}));
    const auto check = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
      const Tensor g = grad([&](const Tensor& t) { return sum(f(t)); })(x);
      EXPECT_EQ(g.shape(), shape) << name;
      EXPECT_EQ(g.to_vector<float>().size(), 0U) << name;
    };
    for (const int axis : {0, 1}) {
      check("sum", [&](const Tensor& t) { return sum(t, {axis}); });
      check("sum kept", [&](const Tensor& t) { return sum(t, {axis}, true); });
      check("prod", [&](const Tensor& t) { return prod(t, {axis}); });
      check("mean", [&](const Tensor& t) { return mean(t, {axis}); });
      if (shape[axis] > 0) check("max", [&](const Tensor& t) { return max(t, {axis}); });
    }
  }
}

TEST(StructureGradients, ProductsWithZeros) {
  const Tensor x = f64_tensor({2, 0, 3, 0, 0, 5}, {2, 3});
  const Tensor g = grad([](const Tensor& t) { return sum(prod(t, {1})); })(x);
  EXPECT_EQ(g.to_vector<double>(), (std::vector<double>{0, 6, 0, 0, 0, 0}));
}

TEST(StructureGradients, TiesShare) {
  const Tensor x = f64_tensor({1, 3, 3, 2}, {4});
  const Tensor g = grad([](const Tensor& t) { return max(t); })(x);
  EXPECT_EQ(g.to_vector<double>(), (std::vector<double>{0, 0.5, 0.5, 0}));
}

TEST(StructureGradients, Matmul) {
  const Function product = [](const Tensors& a) { return matmul(a[0], a[1]); };
  check_gradient("matmul", product, {random_f64({2, 3}, 5), random_f64({3, 4}, 6)});
  check_gradient("matvec", product, {random_f64({2, 3}, 5), random_f64({3}, 6)});
  check_gradient("dot", product, {random_f64({3}, 5), random_f64({3}, 6)});
  check_gradient("batched", product, {random_f64({2, 2, 3}, 5), random_f64({2, 3, 2}, 6)});
  check_gradient("one matrix for all", product, {random_f64({2, 2, 3}, 5), random_f64({3, 2}, 6)});
  check_gradient("broadcast batch", product, {random_f64({2, 1, 2, 3}, 5), random_f64({3, 3, 2}, 6)});
}

TEST(StructureGradients, BroadcastAndPromotion) {
  check_gradient("broadcast operands", [](const Tensors& a) { return a[0] * a[1] + a[2]; },
                 {random_f64({3, 1}, 7), random_f64({4}, 8), random_f64({}, 9)});
  const Tensor half = random_f64({4}, 10).astype(f32);
  const Tensor g = grad([](const Tensor& t) { return sum(square(cast(t, f64))); })(half);
  EXPECT_EQ(g.dtype(), f32);
  EXPECT_EQ(g.to_vector<float>(), (half * 2.0F).to_vector<float>());
}

TEST(StructureGradients, Compositions) {
  for (const auto& [name, f] : std::vector<std::pair<std::string, std::function<Tensor(const Tensor&)>>>{
           {"gelu", [](const Tensor& t) { return gelu(t); }},
           {"gelu_tanh", [](const Tensor& t) { return gelu_tanh(t); }},
           {"silu", [](const Tensor& t) { return silu(t); }},
           {"elu", [](const Tensor& t) { return elu(t); }},
           {"leaky_relu", [](const Tensor& t) { return leaky_relu(t); }},
           {"softplus", [](const Tensor& t) { return softplus(t); }},
           {"mish", [](const Tensor& t) { return mish(t); }},
           {"clamp", [](const Tensor& t) { return clamp(t, -1.0, 1.0); }},
           {"relu", [](const Tensor& t) { return relu(t); }}}) {
    check_gradient(name, [f = f](const Tensors& a) { return f(a[0]); }, {random_f64({7}, 11)});
  }
}

}  // namespace
}  // namespace tessera::test
