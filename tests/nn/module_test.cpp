// Modules as values: copies, names, freezing, loading, modes, summary, LoRA, and modules that PyTorch does not have.
#include <gtest/gtest.h>

#include "nn/support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using ModuleTest = NnTest;

struct Mlp : nn::Module {
  nn::Linear up, down;
  explicit Mlp(int n) : up(n, 4 * n), down(4 * n, n) {}
  void fields(nn::Fields& f) override {
    f("up", up);
    f("down", down);
  }
  Tensor forward(const Tensor& x) override { return down(gelu(up(x))); }
};

struct Everything : nn::Module {
  nn::ModuleList list{{nn::Linear(2, 2), nn::ReLU(), Mlp(2)}};
  nn::ModuleDict dict{{{"first", nn::Linear(2, 3, false)}, {"second", nn::BatchNorm1d(2)}}};
  std::vector<nn::Linear> layers{2, nn::Linear(1, 1)};
  std::map<std::string, nn::Linear> named{{"b", nn::Linear(1, 1)}};
  std::optional<nn::LayerNorm> none, norm = nn::LayerNorm(2);
  std::vector<Tensor> scales{ones({1}), ones({2})};
  void fields(nn::Fields& f) override {
    f("list", list);
    f("dict", dict);
    f("layers", layers);
    f("named", named);
    f("none", none);
    f("norm", norm);
    f("scales", scales);
  }
};

}  // namespace

TEST_F(ModuleTest, NamesOfAllKindsOfMembers) {
  const Everything m;
  EXPECT_EQ(m.parameters().names(),
            (std::vector<std::string>{"list.0.weight", "list.0.bias", "list.2.up.weight", "list.2.up.bias",
                                      "list.2.down.weight", "list.2.down.bias", "dict.first.weight",
                                      "dict.second.weight", "dict.second.bias", "layers.0.weight", "layers.0.bias",
                                      "layers.1.weight", "layers.1.bias", "named.b.weight", "named.b.bias",
                                      "norm.weight", "norm.bias", "scales.0", "scales.1"}));
  EXPECT_EQ(m.buffers().names(), (std::vector<std::string>{"dict.second.running_mean", "dict.second.running_var",
                                                           "dict.second.num_batches_tracked"}));
}

TEST_F(ModuleTest, CopiesAreIndependent) {
  nn::Sequential a(nn::Linear(2, 3), nn::Tanh(), Mlp(3));
  nn::Sequential b = a;
  const std::vector<float> before = a.parameters().tensor("2.up.weight").to_vector<float>();
  b.update(b.parameters().map([](const Tensor& x) { return x * 0.0; }));
  EXPECT_EQ(a.parameters().tensor("2.up.weight").to_vector<float>(), before);
  b.freeze("0.*");
  b.eval();
  EXPECT_EQ(a.trainable_parameters().size(), 6U);
  EXPECT_TRUE(a.training());
  EXPECT_TRUE(a[2].as<Mlp>().training());
  EXPECT_FALSE(b[2]->training());
  a = b;
  EXPECT_EQ(a.trainable_parameters().names(), b.trainable_parameters().names());
  EXPECT_EQ(message([&] { (void)a[0].as<Mlp>(); }),
            "AnyModule::as: the module is a Linear, not of the class that was asked for.");
}

TEST_F(ModuleTest, FreezesByPattern) {
  Mlp m(2);
  m.freeze("up.*");
  EXPECT_EQ(m.trainable_parameters().names(), (std::vector<std::string>{"down.weight", "down.bias"}));
  EXPECT_EQ(m.parameters().size(), 4U);
  auto [value, gradients] = value_and_grad(m, [&](const Tensor& x) { return sum(m(x)); })(ones({1, 2}));
  EXPECT_EQ(gradients.names(), (std::vector<std::string>{"down.weight", "down.bias"}));
  m.unfreeze("*.bias");
  EXPECT_EQ(m.trainable_parameters().size(), 3U);
  m.unfreeze();
  EXPECT_EQ(m.trainable_parameters().size(), 4U);
  EXPECT_EQ(
      message([&] { m.freeze("left.*"); }),
      "Mlp::freeze: no parameter matches 'left.*'; the parameters are up.weight, up.bias, down.weight, down.bias.");
  m.freeze();
  EXPECT_EQ(message([&] { value_and_grad(m, [&](const Tensor& x) { return sum(m(x)); })(ones({1, 2})); }),
            "value_and_grad: Mlp has no trainable parameters.");
}

TEST_F(ModuleTest, LoadReportsWhatDoesNotMatch) {
  Mlp m(2);
  const Tree before = m.parameters();
  Tree given{{"up", Tree{{"weight", ones({8, 2}, f16)}, {"bias", ones({3})}}}, {"head", Tree{{"weight", ones({1})}}}};
  const Error error = error_of([&] { m.load(given); });
  EXPECT_EQ(error.kind(), ErrorKind::kValue);
  EXPECT_STREQ(error.what(),
               "Mlp::load: the names or shapes do not match: 2 missing: down.weight, down.bias; 1 unexpected: "
               "head.weight; 1 mismatched: up.bias: [3] was given, and [8] is expected. With strict = false, what "
               "matches is loaded.");
  EXPECT_EQ(m.up.weight.to_vector<float>(), before.tensor("up.weight").to_vector<float>());
  const nn::LoadReport report = m.load(given, false);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.missing, (std::vector<std::string>{"down.weight", "down.bias"}));
  EXPECT_EQ(report.unexpected, (std::vector<std::string>{"head.weight"}));
  EXPECT_EQ(m.up.weight.dtype(), f32);
  EXPECT_EQ(m.up.weight.to_vector<float>(), std::vector<float>(16, 1));
  EXPECT_TRUE(m.load(before).ok());
}

TEST_F(ModuleTest, UpdateChecksNamesAndShapes) {
  Mlp m(2);
  EXPECT_EQ(
      message([&] { m.update(Tree{{"weight", ones({1})}}); }),
      "Mlp::update: the names weight are not in the module, which has up.weight, up.bias, down.weight, down.bias.");
  const Error error = error_of([&] { m.update(Tree{{"up", Tree{{"bias", ones({1})}}}}); });
  EXPECT_EQ(error.kind(), ErrorKind::kShape);
  EXPECT_STREQ(error.what(), "Mlp::update: the shapes differ: up.bias: [1] was given, and [8] is expected.");
}

TEST_F(ModuleTest, ErrorsAreSentences) {
  EXPECT_EQ(message([] { nn::ModuleList()(ones({1})); }), "ModuleList has no forward function of one tensor.");
  EXPECT_EQ(message([] { nn::Linear(3, 2)(ones({2, 4})); }),
            "Linear: an input of shape [2, 4] was given; the last axis must have 3 elements.");
  EXPECT_EQ(message([] { nn::Linear(0, 2); }), "Linear: in is 0; a positive number is expected.");
  EXPECT_EQ(message([] { nn::Linear(2, 2)(Tensor()); }), "Linear: the input is an empty Tensor.");
  EXPECT_EQ(message([] { nn::BatchNorm2d(2)(ones({2, 2})); }),
            "BatchNorm2d: an input of shape [2, 2] was given; rank 4 is expected.");
  EXPECT_EQ(message([] { nn::GroupNorm(3, 4); }),
            "GroupNorm: 3 groups were given for 4 channels; they must divide them.");
  EXPECT_EQ(message([] { nn::Dropout(1.5); }), "Dropout: a p of 1.5 was given; from 0 to 1 is expected.");
  EXPECT_EQ(message([] { nn::MultiheadAttention(6, 4); }),
            "MultiheadAttention: a width of 6 was given for 4 heads; they must divide it.");
  EXPECT_EQ(message([] { nn::LSTM(3, 2)(ones({2, 4})); }),
            "LSTM: an input of shape [2, 4] was given; [L, N, 3] or [L, 3] is expected.");
  EXPECT_EQ(message([] { nn::Conv2d(3, 4, 3, {.groups = 2}); }),
            "Conv2d: 2 groups were given for 3 and 4 channels; they must divide both.");
  EXPECT_EQ(message([] { nn::ModuleDict().operator[]("a"); }), "ModuleDict: there is no 'a'; the keys are none.");
  EXPECT_EQ(message([] { nn::init::xavier_uniform({3}); }),
            "init: a shape of [3] was given; at least two axes are needed for fan in and fan out.");
}

TEST_F(ModuleTest, ConvertsDtypes) {
  Everything m;
  m.to(f16);
  for (const auto& [name, t] : m.parameters().flatten()) EXPECT_EQ(t.dtype(), f16) << name;
  EXPECT_EQ(m.buffers().tensor("dict.second.num_batches_tracked").dtype(), i32);
  EXPECT_EQ(message([&] { m.to(i32); }), "Everything::to: the dtype i32 was given; a float dtype is expected.");
}

TEST_F(ModuleTest, SummaryComputesNothing) {
  nn::Sequential m(nn::Conv2d(1, 4, 3), nn::BatchNorm2d(4), nn::ReLU(), nn::Flatten(), nn::Linear(4 * 6 * 6, 10));
  const Tensor x = ones({2, 1, 8, 8});
  const nn::Summary s = nn::summary(m, x);
  ASSERT_EQ(s.rows.size(), 6U);
  EXPECT_EQ(s.rows[0].kind, "Sequential");
  EXPECT_EQ(s.rows[3].kind, "ReLU");
  EXPECT_EQ(nn::AdaptiveAvgPool2d(1).kind(), "AdaptiveAvgPool2d");
  EXPECT_EQ(s.rows[1].output, (Shape{2, 4, 6, 6}));
  EXPECT_EQ(s.rows[5].output, (Shape{2, 10}));
  EXPECT_EQ(s.rows[1].parameters, 40);
  EXPECT_EQ(s.parameters, m.parameter_count());
  EXPECT_EQ(s.parameters, 40 + 8 + 1450);
  EXPECT_EQ(s.flops, 2.0 * 288 * 9 + 2.0 * 20 * 144);
  EXPECT_EQ(s.parameter_bytes, 4 * s.parameters);
  EXPECT_EQ(m.buffers().tensor("1.num_batches_tracked").item<int>(), 0);
  EXPECT_NE(s.str().find("1498 parameters (1498 trainable, 0.01 MiB)"), std::string::npos) << s.str();
}

TEST_F(ModuleTest, SummaryCountsEveryMatmul) {
  const auto flops = [](nn::Module& m, const Shape& shape) { return nn::summary(m, ones(shape)).flops; };
  nn::RNN rnn(3, 5);
  EXPECT_EQ(flops(rnn, {7, 2, 3}), 2.0 * 14 * (5 * 3 + 5 * 5));
  nn::GRU gru(3, 5, {.num_layers = 2});
  EXPECT_EQ(flops(gru, {7, 2, 3}), 2.0 * 14 * 15 * (3 + 5 + 5 + 5));
  nn::LSTM lstm(3, 5, {.num_layers = 2, .batch_first = true, .bidirectional = true});
  EXPECT_EQ(flops(lstm, {2, 7, 3}), 2.0 * 14 * 20 * 2 * (3 + 5 + 10 + 5));
  nn::Bilinear bilinear(3, 4, 5);
  const nn::Summary s = nn::summary(bilinear, [&] { (void)bilinear(ones({6, 3}), ones({6, 4})); });
  EXPECT_EQ(s.flops, 2.0 * 6 * 20 * 3 + 2.0 * 6 * 20);
}

TEST_F(ModuleTest, FunctionalCallPutsTheParametersBack) {
  nn::Linear m(2, 2);
  const std::vector<float> before = m.weight.to_vector<float>();
  const Tensor y = nn::functional_call(m, Tree{{"weight", zeros({2, 2})}, {"bias", ones({2})}}, ones({1, 2}));
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{1, 1}));
  EXPECT_EQ(m.weight.to_vector<float>(), before);
  EXPECT_EQ(message([&] { nn::functional_call(m, Tree{{"w", ones({1})}}, ones({1, 2})); }),
            "functional_call: 'w' was given, and Linear has no tensor of that name.");
}

TEST_F(ModuleTest, LoraTrainsTheAdapterAlone) {
  Mlp m(3);
  const Tensor x = random::normal({4, 3});
  const Tensor before = m(x);
  EXPECT_EQ(nn::lora(m, 2, {"up"}, {.alpha = 4}), (std::vector<std::string>{"up"}));
  EXPECT_EQ(m.trainable_parameters().names(), (std::vector<std::string>{"up.lora_A", "up.lora_B"}));
  expect_equal(m(x), before, 1e-6);
  optim::SGD optimizer(m, {.lr = 0.1});
  for (int i = 0; i < 3; ++i) {
    auto [loss, g] = value_and_grad(m, [&] { return mean(square(m(x))); })();
    optimizer.update(m, g);
  }
  const Tensor trained = m(x);
  EXPECT_FALSE(allclose(trained, before, 1e-4, 1e-4));
  const Tree adapter = nn::lora_parameters(m);
  EXPECT_EQ(adapter.names(), (std::vector<std::string>{"up.lora_A", "up.lora_B"}));
  nn::merge_lora(m);
  EXPECT_EQ(m.parameters().size(), 4U);
  expect_equal(m(x), trained, 1e-5);
  EXPECT_EQ(message([&] { nn::lora(m, 2, {"q"}); }),
            "lora: no Linear of Mlp matches 'q'; its Linear layers are: up, down.");
}

TEST_F(ModuleTest, DropoutAndRopeAndAlibi) {
  nn::Dropout dropout(0.25);
  const Tensor y = dropout(ones({4000}));
  EXPECT_NEAR(mean(y).item<double>(), 1, 0.1);
  EXPECT_NEAR(max(y).item<double>(), 1 / 0.75, 1e-6);
  dropout.eval();
  EXPECT_EQ(sum(dropout(ones({4000}))).item<float>(), 4000);
  const Tensor x = random::normal({1, 2, 5, 8});
  nn::RoPE turn;
  expect_equal(turn(x), rope(x));
  expect_equal(turn(x, arange(0, 5)), rope(x));
  nn::ALiBi bias(2);
  expect_equal(bias(zeros({1, 2, 3, 4})), alibi(2, 3, 4).reshape({1, 2, 3, 4}));
}

TEST_F(ModuleTest, DecodingEqualsTheWholeSequence) {
  nn::MultiheadAttention m(16, 4, {.batch_first = true, .kv_heads = 2, .rope = RopeOptions{}});
  EXPECT_EQ(m.in_proj_weight.shape(), (Shape{16 + 2 * 8, 16}));
  const Tensor x = random::normal({2, 6, 16});
  const Tensor whole = m(x, x, x, {.causal = true});
  nn::KvCache cache = m.cache(2, 8);
  auto step = compile([&](const Tensor& token) { return m.decode(token, cache); }, cache);
  for (std::int64_t t = 0; t < 6; ++t) {
    expect_equal(step(slice(x, {{}, {t, t + 1}})), slice(whole, {{}, {t, t + 1}}), 1e-5);
  }
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(cache.position.item<int>(), 6);
}

TEST_F(ModuleTest, LstmEqualsTheUnrolledLoop) {
  nn::LSTM lstm(3, 4);
  const Tensor x = random::normal({5, 2, 3});
  const Tree p = lstm.parameters();
  Tensor h = zeros({2, 4});
  Tensor c = zeros({2, 4});
  for (std::int64_t t = 0; t < 5; ++t) {
    const Tensor g = matmul(slice(x, {{t, t + 1}}).reshape({2, 3}), p.tensor("weight_ih_l0").T()) +
                     p.tensor("bias_ih_l0") + matmul(h, p.tensor("weight_hh_l0").T()) + p.tensor("bias_hh_l0");
    const auto gates = split(g, 4, 1);
    c = sigmoid(gates[1]) * c + sigmoid(gates[0]) * tanh(gates[2]);
    h = sigmoid(gates[3]) * tanh(c);
  }
  const auto [y, state] = lstm.run(x);
  EXPECT_EQ(y.shape(), (Shape{5, 2, 4}));
  expect_equal(state[0].reshape({2, 4}), h, 1e-5);
  expect_equal(state[1].reshape({2, 4}), c, 1e-5);
}

TEST_F(ModuleTest, InitialValuesHavePyTorchsBounds) {
  const nn::Linear linear(64, 100);
  EXPECT_LE(max(abs(linear.weight)).item<double>(), 0.125);
  EXPECT_GT(max(abs(linear.weight)).item<double>(), 0.124);
  const nn::Conv2d conv(4, 50, 4);
  EXPECT_LE(max(abs(conv.weight)).item<double>(), 0.125);
  const nn::LSTM lstm(3, 16);
  EXPECT_LE(max(abs(lstm.parameters().tensor("weight_ih_l0"))).item<double>(), 0.25);
  random::set_seed(3);
  const nn::Linear a(4, 4);
  random::set_seed(3);
  const nn::Linear b(4, 4);
  EXPECT_EQ(a.weight.to_vector<float>(), b.weight.to_vector<float>());
  const Tensor q = nn::init::orthogonal({3, 5});
  expect_equal(matmul(q, q.T()), eye(3), 1e-5);
}

}  // namespace tessera::test
