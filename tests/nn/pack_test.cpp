// Arenas: pack() and its views, and compiled steps whose state is in arenas: same numbers, no copies, nothing lost.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "nn/cases.h"
#include "nn/support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {

namespace {

using PackTest = NnTest;

/// Sizes around the 256 elements at which tensors begin, and both ends of ranks.
const std::vector<Shape> kShapes{{3, 5}, {256}, {}, {16, 16}, {1}, {257}, {2, 3, 300}, {255}, {0, 4}, {512, 2}};

std::vector<Tensor> filled(const std::vector<Shape>& shapes, DType dtype) {
  std::vector<Tensor> all;
  double first = 0;
  for (const Shape& s : shapes) {
    const Tensor t = arange(first, first + static_cast<double>(s.numel()), 1, f32, test_device());
    all.push_back(remainder(t.reshape(s), 97.0).astype(dtype).eval());
    first += 7;
  }
  return all;
}

struct PackNet : nn::Module {
  nn::Embedding table{40, 16};
  nn::Linear in{16, 24}, out{24, 16};
  nn::LayerNorm norm{16};
  void fields(nn::Fields& f) override {
    f("table", table);
    f("in", in);
    f("norm", norm);
    f("out", out);
  }
  /// The table is the last layer, too.
  Tensor forward(const Tensor& tokens) override { return matmul(norm(out(gelu(in(table(tokens))))), table.weight.T()); }
};

struct Training {
  PackNet model;
  std::unique_ptr<optim::Optimizer> optimizer;
  Tensor tokens = arange(0, 40, 1, i32, test_device()).eval();

  explicit Training(const PackNet& from) : model(from) {}
  Tensor train() {
    auto [loss, g] = value_and_grad(model, [&] { return cross_entropy(model(tokens), tokens); })();
    optimizer->update(model, optim::clip_grad_norm(g, 1.0).gradients);
    return loss;
  }
  auto compiled() {
    return compile([this] { return train(); }, model, *optimizer);
  }
};

std::vector<KernelRecord> kernels_of(const std::function<void()>& f) {
  Profiler profiler(test_device());
  f();
  return profiler.records();
}

}  // namespace

TEST_F(PackTest, ViewsHaveTheValuesOfTheTensors) {
  for (const DType dtype : {f32, f16, bf16, i8, u8, i16, i32, u32, boolean, i64, f64}) {
    if (dtype == f64 && !test_device().info().features.f64) continue;
    SCOPED_TRACE(name(dtype));
    const std::vector<Tensor> tensors = filled(kShapes, dtype);
    const Packed lazy = pack(tensors);
    const Packing packing(kShapes, dtype, test_device());
    eval(lazy.arenas);
    const std::vector<Tensor> there = packing.unpack(lazy.arenas);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      expect_equal(lazy.tensors[i], tensors[i]);
      EXPECT_TRUE(there[i].is_evaluated() || there[i].numel() == 0);
      expect_equal(there[i], tensors[i]);
      expect_equal(there[i].astype(f32) * 2.0 + 1.0, tensors[i].astype(f32) * 2.0 + 1.0);
    }
    EXPECT_TRUE(packing.holds(there, false));
    EXPECT_FALSE(packing.holds(tensors, false));
    // What is in an arena is not copied, and other tensors of it are not needed.
    EXPECT_TRUE(kernels_of([&] { eval(packing.pack(there, false)); }).empty());
    const Packing few({kShapes[3], kShapes[6]}, dtype, test_device());
    const std::vector<Tensor> two{there[3], there[6]};
    EXPECT_TRUE(few.holds(two, false));
    expect_equal(few.unpack(few.pack(two, false))[1], tensors[6]);
    // Between the tensors are zeros.
    double all = 0;
    double own = 0;
    for (const Tensor& a : packing.pack(tensors)) all += sum(a.astype(f32)).item<float>();
    for (const Tensor& t : tensors) own += sum(t.astype(f32)).item<float>();
    EXPECT_EQ(all, own);
  }
}

TEST_F(PackTest, ViewsOutliveTheArena) {
  std::vector<Tensor> tensors = filled(kShapes, f32);
  Tensor kept;
  {
    const Packing packing(kShapes, f32, test_device());
    const std::vector<Tensor> arenas = packing.pack(tensors);
    eval(arenas);
    kept = packing.unpack(arenas)[6];
  }
  for (int i = 0; i < 4; ++i) random::normal({1 << 14}).eval();
  expect_equal(kept, tensors[6]);
  // A handle for writing gets memory of its own.
  const Packing packing(kShapes, f32, test_device());
  const std::vector<Tensor> arenas = packing.pack(tensors);
  eval(arenas);
  const Tensor one = packing.unpack(arenas)[1];
  const Buffer handle = Buffer::of(one);
  const std::vector<float> ones(256, 1.0F);
  handle.copy_to(std::as_bytes(std::span(ones)));
  EXPECT_EQ(one.to_vector<float>(), ones);
  expect_equal(packing.unpack(arenas)[1], tensors[1]);
}

TEST_F(PackTest, GradientsPassThrough) {
  const std::vector<Tensor> tensors = filled({{3, 5}, {4}, {256}}, f32);
  const auto [value, gradients] = tessera::value_and_grad_of(
      [](const Tensors& in) {
        const Packed packed = pack(in);
        return sum(square(packed.arenas[0])) + sum(packed.tensors[1] * 3.0);
      },
      tensors);
  expect_equal(gradients[0], tensors[0] * 2.0);
  expect_equal(gradients[1], tensors[1] * 2.0 + 3.0);
  expect_equal(gradients[2], tensors[2] * 2.0);
}

TEST_F(PackTest, ErrorsSayWhatWasExpected) {
  const Packing packing({{2, 3}, {4}}, f32, test_device());
  const Tensor a = zeros({2, 3}, f32, test_device());
  const Tensor b = zeros({4}, f32, test_device());
  const auto message = [](const std::function<void()>& f) { return std::string(error_of(f).what()); };
  EXPECT_EQ(message([&] { static_cast<void>(packing.pack({a})); }), "pack: 1 tensors were given for a layout of 2.");
  EXPECT_EQ(message([&] { static_cast<void>(packing.pack({a, a})); }),
            "pack: tensor 1 has the shape [2, 3]; [4] is expected.");
  EXPECT_EQ(message([&] { static_cast<void>(packing.pack({a, b.astype(f16)})); }),
            "pack: tensor 0 has the dtype f32 and tensor 1 the dtype f16; one dtype is expected.");
  EXPECT_EQ(message([&] { static_cast<void>(packing.unpack({a})); }),
            "unpack: arena 0 has the shape [2, 3]; [512] is expected.");
  EXPECT_EQ(message([&] { static_cast<void>(packing.unpack({})); }), "unpack: 0 arenas were given for a layout of 1.");
  EXPECT_EQ(message([] { pack({}); }), "pack: no tensors were given; it takes at least one.");
  EXPECT_EQ(message([&] { pack({a, Tensor()}); }), "pack: tensor 1 is an empty Tensor.");
}

TEST_F(PackTest, AViewThatOnlyLooksLikeAnArenaHasNoZeros) {
  const Tensor x = ones({512}, f32, test_device()).eval();
  const std::vector<Tensor> views{slice(x, {{0, 100}}), slice(x, {{256, 300}})};
  EXPECT_EQ(sum(pack(views).arenas[0]).item<float>(), 144.0F);
}

TEST_F(PackTest, OptimizersGiveTheSameBitsInArenas) {
  for (const OptimizerCase& c : optimizer_cases()) {
    if (c.name == "AdamW groups") continue;  // of another model
    for (const DType dtype : {f32, f16, bf16}) {
      SCOPED_TRACE(c.name + " " + std::string(name(dtype)));
      PackNet first;
      first.to(dtype);
      PackNet eager = first;
      PackNet packed = first;
      const auto a = c.make(eager);
      const auto b = c.make(packed);
      const Tree names = first.parameters();
      auto step = compile(
          [&](const Tensors& g) {
            b->update(packed, names.with_tensors(g));
            return Tensors{};
          },
          packed, *b);
      for (int i = 0; i < 3; ++i) {
        Tensors gradients;
        for (const Tensor& t : names.tensors()) gradients.push_back(random::normal(t.shape()).astype(dtype).eval());
        a->update(eager, names.with_tensors(gradients));
        step(gradients);
      }
      EXPECT_EQ(step.traces(), 1U);
      const auto same = [](const Tree& x, const Tree& y) {
        ASSERT_EQ(x.names(), y.names());
        for (const auto& [path, t] : x.flatten()) {
          SCOPED_TRACE(path);
          expect_equal(y.tensor(path), t);
        }
      };
      same(eager.parameters(), packed.parameters());
      same(nn::state_of(*a), nn::state_of(*b));
    }
  }
}

TEST_F(PackTest, ScalersAndAccumulatorsGiveTheSameInArenas) {
  const PackNet first;
  const auto run = [&](bool compiled) {
    Training t{first};
    t.optimizer = std::make_unique<optim::AdamW>(t.model, optim::AdamWOptions{.no_decay = optim::vectors_of(t.model)});
    optim::LossScaler scaler({.init_scale = 1024});
    optim::Accumulator accumulator(t.model);
    const auto add = [&](const Tensor& factor) {
      auto [loss, g] =
          value_and_grad(t.model, [&] { return scaler.scale(cross_entropy(t.model(t.tokens), t.tokens) * factor); })();
      accumulator.add(g);
    };
    const auto update = [&] {
      auto unscaled = scaler.unscale(accumulator.take());
      unscaled.gradients = optim::clip_grad_norm(unscaled.gradients, 0.5).gradients;
      scaler.update(*t.optimizer, t.model, unscaled);
    };
    auto compiled_add = compile(add, t.model, accumulator, scaler);
    auto compiled_update = compile(update, t.model, *t.optimizer, accumulator, scaler);
    for (int i = 0; i < 5; ++i) {
      // The third update is skipped.
      const Tensor factor = full({}, i == 2 ? std::numeric_limits<double>::infinity() : 1.0, f32, test_device());
      for (int k = 0; k < 2; ++k) compiled ? compiled_add(factor) : add(factor);
      compiled ? compiled_update() : update();
    }
    EXPECT_EQ(scaler.skipped().item<int>(), 1);
    EXPECT_EQ(t.optimizer->steps().item<int>(), 4);
    EXPECT_EQ(compiled_add.traces() + compiled_update.traces(), compiled ? 2U : 0U);
    std::vector<Tree::Named> all = t.model.parameters().flatten();
    for (const auto& [name, value] : nn::state_of(*t.optimizer).flatten()) all.emplace_back("optimizer." + name, value);
    return all;
  };
  const auto eager = run(false);
  const auto packed = run(true);
  ASSERT_EQ(eager.size(), packed.size());
  for (std::size_t i = 0; i < eager.size(); ++i) {
    expect_near(doubles(packed[i].second), doubles(eager[i].second), 1e-5, eager[i].first);
  }
}

TEST_F(PackTest, ACompiledStepCopiesNothingAndItsMemoryDoesNotGrow) {
  Training t{PackNet()};
  t.optimizer = std::make_unique<optim::AdamW>(t.model, optim::AdamWOptions{.no_decay = optim::vectors_of(t.model)});
  auto step = t.compiled();
  for (int i = 0; i < 3; ++i) step().eval();
  const std::uint64_t used = statistics(test_device()).memory.in_use;
  const std::vector<KernelRecord> kernels = kernels_of([&] { step().eval(); });
  EXPECT_EQ(std::ranges::count(kernels, "copy", &KernelRecord::label), 0);
  for (int i = 0; i < 5; ++i) step();
  EXPECT_EQ(statistics(test_device()).memory.in_use, used);
  // Reading tensors of the state changes nothing.
  static_cast<void>(doubles(t.model.in.weight));
  static_cast<void>(doubles(nn::state_of(*t.optimizer).tensor("state.out.bias.exp_avg")));
  EXPECT_EQ(std::ranges::count(kernels_of([&] { step().eval(); }), "copy", &KernelRecord::label), 0);
  EXPECT_EQ(step.traces(), 1U);
}

TEST_F(PackTest, ParametersMayBeLoadedKeptCopiedAndFrozenBetweenSteps) {
  const PackNet first;
  Training eager{first};
  Training packed{first};
  for (Training* t : {&eager, &packed})
    t->optimizer = std::make_unique<optim::AdamW>(t->model, optim::AdamWOptions{.lr = 0.01});
  auto step = packed.compiled();
  const auto both = [&] {
    eager.train();
    step();
    for (const auto& [path, t] : eager.model.parameters().flatten()) {
      expect_near(doubles(packed.model.parameters().tensor(path)), doubles(t), 1e-4, path);
    }
  };
  both();
  both();
  // A tensor that is kept, and a copy of the whole model, have the old values.
  const Tensor kept = packed.model.in.bias;
  const PackNet copy = packed.model;
  const std::vector<double> bias = doubles(kept);
  const std::vector<double> table = doubles(copy.table.weight);
  both();
  EXPECT_EQ(doubles(kept), bias);
  EXPECT_EQ(doubles(copy.table.weight), table);
  // Loading replaces tensors of the arena.
  for (Training* t : {&eager, &packed}) t->model.load(first.state());
  both();
  for (Training* t : {&eager, &packed}) t->model.out.weight = ones({16, 24}, f32, test_device()) * 0.1;
  both();
  EXPECT_EQ(step.traces(), 1U);
  // Frozen tensors stay as they are.
  for (Training* t : {&eager, &packed}) t->model.freeze("in.*");
  const std::vector<double> frozen = doubles(packed.model.in.weight);
  both();
  both();
  EXPECT_EQ(doubles(packed.model.in.weight), frozen);
  for (Training* t : {&eager, &packed}) t->model.unfreeze("in.*");
  both();
  // State is saved and restored by name.
  const Tree saved = nn::state_of(*packed.optimizer);
  const Tree parameters = packed.model.state();
  const std::vector<double> loss = doubles(step());
  nn::set_state(*packed.optimizer, saved);
  packed.model.load(parameters);
  EXPECT_EQ(doubles(step()), loss);
}

TEST_F(PackTest, AStepThatFailsLeavesTheStateAsItWas) {
  Training t{PackNet()};
  t.optimizer = std::make_unique<optim::AdamW>(t.model);
  bool broken = false;
  auto step = compile(
      [&](const Tensor& x) {
        if (broken) throw std::runtime_error("broken");
        t.train();
        return x;
      },
      t.model, *t.optimizer);
  step(ones({1}, f32, test_device()));
  const std::vector<double> before = doubles(t.model.in.weight);
  const std::vector<double> moment = doubles(nn::state_of(*t.optimizer).tensor("state.in.weight.exp_avg"));
  broken = true;
  EXPECT_THROW(step(ones({2}, f32, test_device())), std::runtime_error);
  EXPECT_EQ(doubles(t.model.in.weight), before);
  EXPECT_EQ(doubles(nn::state_of(*t.optimizer).tensor("state.in.weight.exp_avg")), moment);
  broken = false;
  step(ones({2}, f32, test_device()));
  EXPECT_NE(doubles(t.model.in.weight), before);
}

TEST_F(PackTest, ViewsOutliveTheOptimizer) {
  Tensor kept;
  std::vector<double> values;
  {
    Training t{PackNet()};
    t.optimizer = std::make_unique<optim::AdamW>(t.model);
    auto step = t.compiled();
    step();
    step();
    kept = t.model.out.weight;
    values = doubles(kept);
    step();
  }
  for (int i = 0; i < 4; ++i) random::normal({1 << 12}).eval();
  EXPECT_EQ(doubles(kept), values);
}

TEST_F(PackTest, LoopsGroupsAndModelsOfTheSameNamesTrainAsEagerSteps) {
  struct Recurrent : nn::Module {
    nn::LSTM cell{8, 16, {.num_layers = 2}};
    nn::BatchNorm1d norm{16};
    nn::Linear out{16, 3};
    void fields(nn::Fields& f) override {
      f("cell", cell);
      f("norm", norm);
      f("out", out);
    }
    Tensor forward(const Tensor& x) override { return out(norm(mean(cell(x), {0}))); }
  };
  const Recurrent first;
  const Tensor x = random::normal({5, 4, 8}).eval();
  const auto run = [&](bool compiled) {
    Recurrent teacher = first;  // has the names of the student, and is listed before it
    Recurrent student = first;
    // Groups whose tensors interleave.
    optim::AdamW optimizer(student, {.lr = 0.01}, {{"*bias*", {.lr = 0.02, .weight_decay = 0}}});
    optim::Ema ema(student, 0.9);
    const auto train = [&] {
      auto [loss, g] = value_and_grad(student, [&] { return mean(square(student(x) - teacher(x) - 1.0)); })();
      optimizer.update(student, g);
      ema.update(student);
      return loss;
    };
    auto step = compile(train, teacher, student, optimizer, ema);
    for (int i = 0; i < 4; ++i) compiled ? step() : train();
    std::vector<Tree::Named> all = student.state().flatten();
    for (const auto& [name, value] : ema.parameters().flatten()) all.emplace_back("ema." + name, value);
    for (const auto& [name, value] : teacher.parameters().flatten()) all.emplace_back("teacher." + name, value);
    for (const auto& [name, value] : nn::state_of(optimizer).flatten()) all.emplace_back("optimizer." + name, value);
    return all;
  };
  const auto eager = run(false);
  const auto packed = run(true);
  ASSERT_EQ(eager.size(), packed.size());
  for (std::size_t i = 0; i < eager.size(); ++i) {
    expect_near(doubles(packed[i].second), doubles(eager[i].second), 1e-4, eager[i].first);
  }
}

}  // namespace tessera::test
