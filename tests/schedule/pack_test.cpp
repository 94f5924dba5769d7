// Arenas in plans: who stores what where, how many dispatches optimizers take, and what one dispatch binds.
#include <algorithm>

#include "runtime/eval/dispatches.h"
#include "schedule/ranges.h"
#include "support.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

/// The shapes of the 148 tensors of GPT-2, of any width.
std::vector<Shape> gpt2_shapes(std::int64_t width, std::int64_t vocabulary = 512, std::int64_t positions = 64) {
  std::vector<Shape> shapes{{vocabulary, width}, {positions, width}};
  for (int layer = 0; layer < 12; ++layer) {
    for (const Shape& s : std::initializer_list<Shape>{{width},
                                                       {width},
                                                       {width, 3 * width},
                                                       {3 * width},
                                                       {width, width},
                                                       {width},
                                                       {width},
                                                       {width},
                                                       {width, 4 * width},
                                                       {4 * width},
                                                       {4 * width, width},
                                                       {width}}) {
      shapes.push_back(s);
    }
  }
  shapes.push_back({width});
  shapes.push_back({width});
  return shapes;
}

/// A device that runs nothing, and checks the bindings of each dispatch.
class Arenas : public ::testing::Test {
 protected:
  explicit Arenas(const DeviceInfo& info = gpu_info()) : null_(runtime::make_null_device(info)), device_(null_) {}

  [[nodiscard]] Tensor input(const Shape& shape, DType dtype = f32) const {
    auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, device_.impl(), Node::Inputs{});
    node->publish(runtime::new_storage(device_.impl(), shape.numel(), dtype));
    return Tensor(std::move(node));
  }
  [[nodiscard]] Tree parameters(const std::vector<Shape>& shapes, DType dtype = f32) const {
    std::vector<Tree::Named> named;
    for (const Shape& s : shapes) named.emplace_back("p" + std::to_string(named.size()), input(s, dtype));
    return Tree::unflatten(named);
  }
  [[nodiscard]] std::uint64_t dispatches(const std::function<void()>& f) const {
    const std::uint64_t before = null_->dispatch_count();
    f();
    return null_->dispatch_count() - before;
  }
  struct Planned {
    Graph graph;
    schedule::Plan plan;
  };
  [[nodiscard]] Planned plan(const std::vector<Tensor>& roots) const {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    Planned p{schedule::simplify_to_fit(snapshot(nodes), device_.info()), {}};
    p.plan = schedule::make_plan(p.graph, {}, device_.info());
    return p;
  }

  std::shared_ptr<runtime::NullDevice> null_;
  Device device_;
};

/// What the smallest browser binds: 128 MiB and 8 buffers.
struct SmallArenas : Arenas {
  static DeviceInfo info() {
    DeviceInfo small = small_info();
    small.limits.max_storage_binding_size = std::uint64_t{128} << 20U;
    return small;
  }
  SmallArenas() : Arenas(info()) {}
};

/// Runs a compiled step of the optimizer three times, with gradients that are in an arena.
template <class Optimizer>
std::uint64_t dispatches_of_update(const Device& device, runtime::NullDevice& null, Tree& tree, Optimizer& optimizer,
                                   double clip) {
  std::vector<Shape> shapes;
  for (const Tensor& t : tree.tensors()) shapes.push_back(t.shape());
  const Packing packing(shapes, f32, device);
  auto step = compile(
      [&](const Tensors& gradients) {
        Tree g = tree.with_tensors(packing.unpack(gradients));
        if (clip > 0) g = optim::clip_grad_norm(g, clip).gradients;
        optimizer.update(tree, g);
        return Tensors{};
      },
      tree, optimizer);
  std::uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    const Tensors gradients =
        packing.pack(tree.map([](const Tensor& t) { return zeros(t.shape(), t.dtype(), t.device()); }).tensors());
    eval(gradients);
    const std::uint64_t before = null.dispatch_count();
    step(gradients);
    last = null.dispatch_count() - before;
  }
  EXPECT_EQ(step.traces(), 1U);
  return last;
}

}  // namespace

TEST_F(Arenas, GPT2TakesFourDispatches) {
  const std::vector<Shape> shapes = gpt2_shapes(768, 50257, 1024);
  ASSERT_EQ(shapes.size(), 148U);
  for (const bool masked : {false, true}) {
    Tree tree = parameters(shapes);
    optim::AdamW optimizer(tree, {.no_decay = masked ? optim::vectors_of(tree) : std::vector<std::string>{}});
    EXPECT_LE(dispatches_of_update(device_, *null_, tree, optimizer, 0), 4U) << masked;
    Tree other = parameters(shapes);
    optim::AdamW clipping(other, {.no_decay = masked ? optim::vectors_of(other) : std::vector<std::string>{}});
    EXPECT_LE(dispatches_of_update(device_, *null_, other, clipping, 1.0), 7U) << masked;
  }
}

TEST_F(Arenas, TheNormTakesThreeDispatches) {
  const std::vector<Shape> shapes = gpt2_shapes(768, 50257, 1024);
  const Packing packing(shapes, f32, device_);
  const Tree tree = parameters(shapes);
  const Tensors arenas = packing.pack(tree.tensors());
  ASSERT_EQ(arenas.size(), 1U);
  eval(arenas);
  const Tree gradients = tree.with_tensors(packing.unpack(arenas));
  EXPECT_LE(dispatches([&] { optim::clip_grad_norm(gradients, 1.0).norm.eval(); }), 3U);
}

TEST_F(Arenas, AStepAddsFewKernelsToItsGradients) {
  device_.set_current();
  nn::TransformerEncoder model(nn::TransformerEncoderLayer(256, 4, {.feedforward = 1024, .dropout = 0}), 3);
  const Tensor x = input({2, 32, 256});
  const auto loss_of = [&] { return mean(square(model(x))); };
  const auto gradients = [&] { return value_and_grad(model, loss_of)().second; };
  auto alone = compile([&] { return gradients(); }, model);
  alone();
  const std::size_t base = alone.kernel_count();
  optim::AdamW optimizer(model, {.no_decay = optim::vectors_of(model)});
  auto step = compile([&] { optimizer.update(model, gradients()); }, model, optimizer);
  for (int i = 0; i < 2; ++i) step();
  EXPECT_LE(step.kernel_count(), base + 4);
  optim::LossScaler scaler({}, device_);
  auto scaled = compile(
      [&] {
        auto [loss, g] = value_and_grad(model, [&] { return scaler.scale(loss_of()); })();
        auto unscaled = scaler.unscale(g);
        unscaled.gradients = optim::clip_grad_norm(unscaled.gradients, 1.0).gradients;
        scaler.update(optimizer, model, unscaled);
      },
      model, optimizer, scaler);
  for (int i = 0; i < 2; ++i) scaled();
  EXPECT_LE(scaled.kernel_count(), base + 4 + 3 + 3);
}

TEST_F(Arenas, EveryElementwiseOptimizerUpdatesArenas) {
  const std::vector<Shape> shapes{{64, 32}, {32}, {256}, {3, 5, 7}, {}, {1}};
  const auto check = [&](auto make, const char* what) {
    for (const DType dtype : {f32, f16, bf16}) {
      Tree tree = parameters(shapes, dtype);
      auto optimizer = make(tree);
      EXPECT_LE(dispatches_of_update(device_, *null_, tree, optimizer, 0), 4U) << what << " " << name(dtype);
      for (const Tensor& t : tree.tensors()) EXPECT_EQ(t.dtype(), dtype);
    }
  };
  check([](const Tree& t) { return optim::SGD(t, {.momentum = 0.9, .weight_decay = 0.1}); }, "SGD");
  check([](const Tree& t) { return optim::Adam(t, {.amsgrad = true}); }, "Adam");
  check([](const Tree& t) { return optim::AdamW(t); }, "AdamW");
  check([](const Tree& t) { return optim::Adamax(t); }, "Adamax");
  check([](const Tree& t) { return optim::RAdam(t); }, "RAdam");
  check([](const Tree& t) { return optim::RMSprop(t, {.momentum = 0.9, .centered = true}); }, "RMSprop");
  check([](const Tree& t) { return optim::Adagrad(t); }, "Adagrad");
  check([](const Tree& t) { return optim::Adadelta(t); }, "Adadelta");
  check([](const Tree& t) { return optim::Lion(t); }, "Lion");
}

TEST_F(Arenas, KernelsStoreIntoTheirRange) {
  // Results of a map, a matmul and a reduction: no kernel concatenates them.
  const Tensor x = input({64, 64});
  const std::vector<Tensor> results{matmul(x, input({64, 64})), sum(input({256, 300}), {1}), exp(input({512}))};
  const Planned alone = plan(results);
  const Tensor arena = pack(results).arenas.at(0);
  const Planned packed = plan({arena});
  EXPECT_EQ(packed.plan.kernels.size(), alone.plan.kernels.size());
  const std::vector<schedule::MemoryRange> ranges = schedule::memory_ranges(packed.graph);
  std::vector<std::int64_t> offsets;
  for (const Kernel& kernel : packed.plan.kernels) {
    for (const Slot& slot : kernel.outputs) {
      const schedule::MemoryRange& r = ranges[static_cast<std::size_t>(slot.node)];
      if (r.base == packed.graph.roots[0]) offsets.push_back(r.offset);
    }
  }
  std::ranges::sort(offsets);
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 64 * 64, 64 * 64 + 256}));
  // A result that is also returned, and one that is there twice, are stored twice.
  EXPECT_EQ(plan({arena, results[0]}).plan.kernels.size(), alone.plan.kernels.size());
  EXPECT_NO_THROW(eval({pack({results[0], results[0]}).arenas.at(0), results[0]}));
  // What a custom kernel computes is stored by it.
  const Tensor indices = input({1000}, i32);
  const Tensor table = index_add(zeros({128, 64}, f32, device_), {indices}, input({1000, 64}));
  const std::size_t scatter = plan({table}).plan.kernels.size();
  EXPECT_EQ(plan({pack({table, results[0]}).arenas.at(0)}).plan.kernels.size(), scatter + 1);
}

TEST_F(Arenas, TensorsOfAnArenaAreBoundAsRanges) {
  const std::vector<Shape> shapes{{64, 128}, {128, 32}, {128}, {10}};
  const Packing packing(shapes, f32, device_);
  const Tensor arena = input({64 * 128 + 128 * 32 + 256 + 256});
  const Tensor x = input({16, 64});
  const auto net = [&](const std::vector<Tensor>& p) {
    const Tensor hidden = gelu(matmul(x, p[0]) + p[2]);
    return sum(matmul(hidden, p[1]), {1}) + sum(take(p[3], arange(0, 5, 1, i32, device_), 0));
  };
  std::vector<Tensor> separate;
  for (const Shape& s : shapes) separate.push_back(input(s));
  const Planned apart = plan({net(separate)});
  // As views in the graph, which a trace has.
  std::vector<Tensor> views;
  std::int64_t first = 0;
  for (const Shape& s : shapes) {
    views.push_back(slice(arena, {{first, first + s.numel()}}).reshape(s));
    first += (s.numel() + 255) / 256 * 256;
  }
  const Planned together = plan({net(views)});
  ASSERT_EQ(together.plan.kernels.size(), apart.plan.kernels.size());
  for (std::size_t k = 0; k < apart.plan.kernels.size(); ++k) {
    EXPECT_EQ(together.plan.kernels[k].signature(), apart.plan.kernels[k].signature());
  }
  // As ranges of storages: the graph, and so the plan, is that of other tensors.
  const std::vector<Tensor> ranges = packing.unpack({arena});
  for (const Tensor& t : ranges) EXPECT_TRUE(t.is_evaluated());
  EXPECT_EQ(plan({net(ranges)}).plan.key, apart.plan.key);
  EXPECT_NO_THROW(net(ranges).eval());
  EXPECT_NO_THROW(net(views).eval());
  // Offsets are not part of the key.
  const Tensor longer = input({4096});
  EXPECT_EQ(plan({exp(slice(longer, {{256, 512}}))}).plan.key, plan({exp(slice(longer, {{1024, 1280}}))}).plan.key);
}

TEST_F(SmallArenas, AnArenaPastTheLargestBindingIsSplit) {
  const std::int64_t mib = (std::int64_t{1} << 20U) / 4;  // elements
  const std::vector<Shape> shapes{{100, mib}, {60, mib}, {20, mib}, {40, mib}, {8, mib}, {4096}, {200, mib}};
  const Packing packing(shapes, f32, device_);
  Tree tree = parameters(shapes);
  const std::vector<Tensor> arenas = packing.pack(tree.tensors());
  // 100, 60 + 20 + 40 + 8, 200 by itself, and the vector.
  EXPECT_EQ(packing.arenas(), 4U);
  EXPECT_EQ(arenas.at(1).numel(), 128 * mib);
  EXPECT_EQ(arenas.at(2).numel(), 200 * mib);
  optim::SGD optimizer(tree, {.momentum = 0.9});
  // One for each arena, two for that of 200 MiB, and the number of steps.
  EXPECT_LE(dispatches_of_update(device_, *null_, tree, optimizer, 0), 6U);
  // All dtypes of at most 4 bytes have one layout.
  for (const DType dtype : {f16, bf16, i8}) EXPECT_EQ(Packing(shapes, dtype, device_).arenas(), 4U);
  Tree halves = parameters({{64, mib}, {64, mib}, {64, mib}}, f16);
  optim::AdamW mixed(halves);
  // Two arenas; where no more than 8 buffers are bound, the numbers of the step are computed by another dispatch.
  EXPECT_LE(dispatches_of_update(device_, *null_, halves, mixed, 0), 6U);
}

TEST_F(SmallArenas, GPT2FitsTheBuffersOfABrowser) {
  Tree tree = parameters(gpt2_shapes(64));
  optim::AdamW optimizer(tree, {.no_decay = optim::vectors_of(tree)});
  EXPECT_LE(dispatches_of_update(device_, *null_, tree, optimizer, 0), 6U);
}

TEST_F(Arenas, ReadingAndWritingPartsOfOneBufferIsAnError) {
  Kernel kernel;
  kernel.inputs = {{0, DType::kF32}};
  kernel.outputs = {{1, DType::kF32}, {2, DType::kF32}};
  const auto whole = null_->create_buffer(4096);
  const auto other = null_->create_buffer(4096);
  runtime::RangeBuffer low(0, 1024);
  runtime::RangeBuffer high(1024, 1024);
  runtime::RangeBuffer top(256, 256);
  low.set(*whole);
  high.set(*whole);
  top.set(high);  // a range of a range
  EXPECT_EQ(top.offset(), 1280U);
  const auto check = [&](std::vector<runtime::Buffer*> buffers) {
    runtime::Submission submission;
    submission.dispatches.emplace_back();
    submission.dispatches[0].kernel = &kernel;
    submission.dispatches[0].buffers = std::move(buffers);
    runtime::check_bindings(submission);
  };
  EXPECT_NO_THROW(check({other.get(), &low, &high}));  // two parts are written
  EXPECT_THROW(check({other.get(), &top, &high}), Error);
  EXPECT_EQ(error_of([&] { check({&low, other.get(), &high}); }).kind(), ErrorKind::kValue);
  EXPECT_THROW(check({whole.get(), other.get(), &high}), Error);
  kernel.aliases = {{0, 0}};  // bound once
  EXPECT_NO_THROW(check({&high, &high, other.get()}));
}

TEST_F(Arenas, AnUpdateThatReadsATensorOfItsArenaIsNotInPlace) {
  // The whole arena is replaced by a kernel that also reads a tensor in it: one dispatch would bind it twice.
  auto step = compile(
      [](const Tensors& in) {
        const Tensor scale = slice(in[0], {{256, 512}});
        return Tensors{in[0].reshape({4, 256}) * scale.reshape({1, 256})};
      },
      {.donate = {0}});
  Tensor x = input({1024});
  for (int i = 0; i < 2; ++i) EXPECT_NO_THROW(x = step({x})[0].reshape({1024}));
}

}  // namespace tessera::test
