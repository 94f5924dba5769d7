// Custom kernels in graphs: values, fusion around them, types, several results, plans that are found again.
#include "ops/build.h"
#include "runtime/reference/reference.h"
#include "schedule/simplify/simplify.h"
#include "wgsl/kernels.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

class Wgsl : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Wgsl);

TEST_P(Wgsl, ComputesWithGivenAndDefaultParams) {
  const WgslKernel scale(scale_definition());
  const Tensor x(Floats{1, 2, 3, 4, 5}, {5});
  EXPECT_EQ(scale({x})[0].to_vector<float>(), (Floats{2, 4, 6, 8, 10}));
  EXPECT_EQ(scale({x}, {{"factor", 3}})[0].to_vector<float>(), (Floats{3, 6, 9, 12, 15}));
  EXPECT_EQ(scale({zeros({0})})[0].to_vector<float>(), Floats{});
}

TEST_P(Wgsl, ReadsViewsNumbersAndWhatIsComputedAroundIt) {
  const WgslKernel scale(scale_definition());
  const Tensor x = arange(0, 6, 1, f32).reshape({2, 3});
  EXPECT_EQ(scale({x.T()})[0].to_vector<float>(), (Floats{0, 6, 2, 8, 4, 10})) << "a view is written out first";
  EXPECT_EQ(scale({x.T()})[0].shape(), (Shape{3, 2}));
  EXPECT_EQ((scale({x + 1.0})[0].T() * 10.0).to_vector<float>(), (Floats{20, 80, 40, 100, 60, 120}));
  EXPECT_EQ(scale({Tensor(4.0)})[0].item<float>(), 8.0F);
  EXPECT_FLOAT_EQ(sum(scale({softmax(x)})[0]).item<float>(), 4.0F);
  EXPECT_EQ(scale({broadcast_to(Tensor(Floats{7}, {1}), {3})})[0].to_vector<float>(), (Floats{14, 14, 14}));
}

TEST_P(Wgsl, DynamicAxesOfCompiledFunctions) {
  const WgslKernel scale(scale_definition());
  int calls = 0;
  const Compiled f = compile(
      [&](const std::vector<Tensor>& in) {
        ++calls;
        return std::vector<Tensor>{sum(scale({in[0] + 1.0})[0], {0})};
      },
      {.dynamic_axes = {{0, 0, "n"}}});
  const auto call = [&](std::int64_t n) {
    EXPECT_EQ(f({ones({n, 2})})[0].to_vector<float>(), (Floats(2, 4.0F * static_cast<float>(n)))) << n;
  };
  call(5);
  const int first = calls;
  for (const std::int64_t n : {2, 3, 12, 31}) call(n);
  EXPECT_EQ(calls, first);
  EXPECT_EQ(f.traces(), 1U);
  for (const std::int64_t n : {32, 33, 64, 65, 100, 1000}) call(n);  // grids of more workgroups
}

/// y[i, j] = x[i, j] + 10 * b[i, j], whose inputs may be views.
WgslDefinition strided_definition() {
  return {.name = "strided",
          .source = R"(@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.y_size) { return; }
  let i = id.x / params.columns;
  let j = id.x % params.columns;
  y[id.x] = x[params.x_offset + i * params.x_strides.x + j * params.x_strides.y] +
            10.0 * b[params.b_offset + i * params.b_strides.x + j * params.b_strides.y];
}
)",
          .inputs = {{"x", f32}, {"b", f32}},
          .outputs = {"y"},
          .params = {{"columns", 1U}},
          .strided = true,
          .cpu = [](const WgslHostCall& call) {
            for (std::size_t i = 0; i < call.output<float>(0).size(); ++i)
              call.output<float>(0)[i] = call.input<float>(0)[i] + 10 * call.input<float>(1)[i];
          }};
}

TEST_P(Wgsl, StridedInputsAreReadWithoutACopy) {
  const WgslKernel kernel(strided_definition());
  const auto run = [&](const Tensor& x, const Tensor& b, std::size_t kernels) {
    const Tensor y = kernel({x, b}, {{"columns", static_cast<std::uint32_t>(x.size(1))}})[0];
    if (!on_cpu()) {
      EXPECT_EQ(explain(y).kernels.size(), kernels);
    }
    EXPECT_EQ(y.shape(), x.shape());
    EXPECT_EQ(y.to_vector<float>(), (x + 10.0 * b).to_vector<float>());
  };
  const Tensor m = arange(0, 24, 1, f32).reshape({4, 6}).eval();
  const Tensor n = (arange(0, 60, 1, f32) * 0.5).reshape({6, 10}).eval();
  run(m, m, 1);
  run(m.T(), slice(n, {{}, {3, 7}}), 1);
  run(slice(m, {{1, 4, 2}, {5, 0, -2}}), slice(n, {{2, 4}, {9, 6, -1}}), 1);  // backwards
  run(m, broadcast_to(slice(m, {{2, 3}}), {4, 6}), 1);
  run(m.T(), m.T(), 1);
  // No strides: a transpose that is reshaped.
  run(reshape(m.T(), {4, 6}), m, 2);
  // What is computed anyway, and what a view reads a part of.
  run(matmul(m, m.T()).T(), slice(m, {{}, {0, 4}}), 2);
  run(slice(n * 2.0, {{0, 2}, {0, 3}}), slice(m, {{0, 2}, {0, 3}}), 2);
}

TEST_P(Wgsl, StridesMakeNoNewPlan) {
  const WgslKernel kernel(strided_definition());
  const Tensor n = arange(0, 60, 1, f32).reshape({6, 10}).eval();
  const auto run = [&](std::int64_t from) {
    const Tensor x = slice(n, {{}, {from, from + 3}});
    return kernel({x, x}, {{"columns", 3U}})[0].to_vector<float>();
  };
  run(1);
  const std::uint64_t before = statistics(device_).plan_misses;
  EXPECT_EQ(run(2)[0], 22);
  EXPECT_EQ(run(7)[0], 77);
  EXPECT_EQ(statistics(device_).plan_misses, before);
}

TEST_P(Wgsl, WhatStridedKernelsRefuse) {
  const WgslKernel kernel(strided_definition());
  const Error rank = error_of([&] { static_cast<void>(kernel({ones({1, 1, 1, 1, 2}), ones({1, 1, 1, 1, 2})})); });
  EXPECT_EQ(rank.kind(), ErrorKind::kShape);
  EXPECT_NE(std::string(rank.what()).find("rank of at most 4"), std::string::npos) << rank.what();
  WgslDefinition d = strided_definition();
  d.params = {{"x_strides", 1U}};
  EXPECT_EQ(error_of([&] { WgslKernel{d}; }).kind(), ErrorKind::kValue);
  d = strided_definition();
  d.params = {};
  d.raw_params = 16;
  EXPECT_EQ(error_of([&] { WgslKernel{d}; }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { CompiledWgsl(device_, kernel); }).kind(), ErrorKind::kUnsupported);
}

TEST_P(Wgsl, OtherParamsAndShapesMakeNoNewPlanAndNoNewPipeline) {
  const WgslKernel scale(scale_definition());
  const auto run = [&](std::int64_t n, double factor) {
    const Tensor x = ones({n}).eval();
    return (scale({x * 2.0}, {{"factor", factor}})[0] + 1.0).to_vector<float>();
  };
  EXPECT_EQ(run(10, 1), Floats(10, 3.0F));
  const Statistics before = statistics(device_);
  for (int i = 1; i <= 20; ++i)
    EXPECT_EQ(run(10 + i, i), Floats(static_cast<std::size_t>(10 + i), static_cast<float>(2 * i + 1)));
  const Statistics after = statistics(device_);
  EXPECT_EQ(after.plan_misses, before.plan_misses);
  EXPECT_EQ(after.pipeline_misses, before.pipeline_misses);
}

TEST_P(Wgsl, SeveralResultsComeFromOneDispatch) {
  const WgslKernel pairs(pairs_definition());
  const Tensor a(Floats{1, 2, 3}, {3});
  const std::vector<Tensor> r = pairs({a, a * 10.0});
  ASSERT_EQ(r.size(), 2U);
  EXPECT_EQ(explain(r).kernels.size(), 2U) << "the multiplication and the kernel";
  eval(r[1]);  // asked for alone, it brings the other
  EXPECT_TRUE(r[0].is_evaluated());
  EXPECT_EQ(r[1].to_vector<std::int32_t>(), (std::vector<std::int32_t>{3}));
  EXPECT_EQ(r[0].to_vector<float>(), (Floats{11, 22, 33}));
}

TEST_P(Wgsl, UnusedResultsAreAllocatedAndGivenBack) {
  const WgslKernel pairs(pairs_definition());
  const Tensor a(Floats{1, 2, 3}, {3});
  const std::uint64_t in_use = device_.memory_stats().in_use;
  EXPECT_EQ((pairs({a, a})[1] + 1).to_vector<std::int32_t>(), (std::vector<std::int32_t>{4}));
  EXPECT_EQ(device_.memory_stats().in_use, in_use);
}

TEST_P(Wgsl, EqualCallsAreComputedOnce) {
  const WgslKernel pairs(pairs_definition());
  const Tensor a(Floats{1, 2, 3}, {3});
  const Tensor twice = pairs({a, a})[0] + pairs({a, a})[0];
  EXPECT_EQ(explain(twice).kernels.size(), 2U);
  EXPECT_EQ(twice.to_vector<float>(), (Floats{4, 8, 12}));
  const WgslKernel scale(scale_definition());
  const Tensor two = scale({a})[0] + scale({a}, {{"factor", 3}})[0];
  EXPECT_EQ(explain(two).kernels.size(), 3U) << "other params are another value";
  EXPECT_EQ(two.to_vector<float>(), (Floats{5, 10, 15}));
}

TEST_P(Wgsl, WorksInsideCompiledFunctions) {
  const WgslKernel pairs(pairs_definition());
  const WgslKernel scale(scale_definition());
  const Compiled f = compile(
      [&](const std::vector<Tensor>& in) { return std::vector<Tensor>{pairs({scale({in[0]})[0], in[1]})[0] * 2.0}; });
  for (int i = 1; i < 4; ++i) {
    const auto v = static_cast<float>(i);
    const auto r = f({Tensor(Floats{v, v + 1}, {2}), Tensor(Floats{1, 1}, {2})});
    EXPECT_EQ(r[0].to_vector<float>(), (Floats{4 * v + 2, 4 * v + 6}));
  }
  EXPECT_EQ(f.traces(), 1U);
}

TEST_P(Wgsl, VectorsInParamsLieWhereWgslExpectsThem) {
  const WgslKernel kernel({.name = "layout",
                           .source = R"(@compute @workgroup_size(1)
fn main() {
  out[0] = params.a;
  out[1] = params.b.x; out[2] = params.b.y; out[3] = params.b.z;
  out[4] = f32(params.c);
  out[5] = f32(params.d.x); out[6] = f32(params.d.y);
  out[7] = f32(params.e.w);
  out[8] = f32(params.in_size); out[9] = f32(params.out_size);
}
)",
                           .inputs = {"in"},
                           .outputs = {{"out", f32, Shape{10}}},
                           .params = {{"a", 1.5},
                                      {"b", std::array{2.F, 3.F, 4.F}},
                                      {"c", -5},
                                      {"d", std::array<std::uint32_t, 2>{6, 7}},
                                      {"e", std::array<std::int32_t, 4>{8, 9, 10, -11}}},
                           .workgroup_size = {1, 1, 1},
                           .grid = WgslSize{1, 1, 1},
                           .cpu = [](const WgslHostCall& call) {
                             const auto out = call.output<float>(0);
                             std::size_t at = 0;
                             for (const auto& [name, keep] : {std::pair{"a", 1}, {"b", 3}, {"c", 1}, {"d", 2}}) {
                               for (const WgslParam& p : call.params) {
                                 if (p.name != name) continue;
                                 for (int i = 0; i < keep; ++i) out[at++] = static_cast<float>(p.value[i]);
                               }
                             }
                             out[at++] = static_cast<float>(call.params[4].value[3]);
                             out[at++] = static_cast<float>(call.input_shapes[0].numel());
                             out[at++] = static_cast<float>(call.output_shapes[0].numel());
                           }});
  EXPECT_EQ(kernel({ones({17})})[0].to_vector<float>(), (Floats{1.5, 2, 3, 4, -5, 6, 7, -11, 17, 10}));
}

TEST_P(Wgsl, RawParamsAndASourceWithBindingsOfItsOwn) {
  const WgslKernel kernel({.name = "raw",
                           .source = R"(// @binding(9) in a comment is none
struct Mine { offset: f32, scale: f32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<uniform> mine: Mine;
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&b)) { b[id.x] = a[id.x] * mine.scale + mine.offset; }
}
)",
                           .inputs = {"x"},
                           .outputs = {"y"},
                           .raw_params = 8,
                           .workgroup_size = {32, 1, 1},
                           .cpu = [](const WgslHostCall& call) {
                             float p[2];
                             std::memcpy(p, call.raw_params.data(), sizeof(p));
                             for (std::size_t i = 0; i < call.output<float>(0).size(); ++i)
                               call.output<float>(0)[i] = call.input<float>(0)[i] * p[1] + p[0];
                           }});
  const std::array<float, 2> params{1, 10};
  const auto y = kernel.call_raw({Tensor(Floats{1, 2, 3}, {3})}, std::as_bytes(std::span(params)));
  EXPECT_EQ(y[0].to_vector<float>(), (Floats{11, 21, 31}));
  EXPECT_EQ(error_of([&] { static_cast<void>(kernel({ones({3})})); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { static_cast<void>(kernel.call_raw({ones({3})}, {})); }).kind(), ErrorKind::kValue);
}

/// Copies whole words or elements of every type: what arrives shows how each type is bound.
TEST_P(Wgsl, BindsEveryTypeAsDocumented) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  const std::vector<std::pair<DType, const char*>> types{
      {f32, "f32"}, {i32, "i32"}, {u32, "u32"}, {f16, "f16"},          {bf16, "u32"},      {i8, "u32"},
      {u8, "u32"},  {i16, "u32"}, {u16, "u32"}, {DType::kBool, "u32"}, {i64, "vec2<u32>"}, {u64, "vec2<u32>"}};
  for (const auto& [dtype, wgsl] : types) {
    const WgslKernel copy({.name = std::string("copy_") + std::string(name(dtype)),
                           .source = std::string("@compute @workgroup_size(workgroup_x)\n"
                                                 "fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
                                                 "  if (id.x >= arrayLength(&x)) { return; }\n  let v: ") +
                                     wgsl + " = x[id.x];\n  y[id.x] = v;\n}\n",
                           .inputs = {"x"},
                           .outputs = {"y"}});
    const Tensor x = cast(arange(0, 13, 1, i32), dtype).eval();
    EXPECT_EQ(cast(copy({x})[0], i32).to_vector<std::int32_t>(), cast(x, i32).to_vector<std::int32_t>()) << name(dtype);
  }
}

TEST_P(Wgsl, BindsNoMoreThanTheTensor) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  const WgslKernel length({.name = "length",
                           .source = "@compute @workgroup_size(1) fn main() { y[0] = arrayLength(&x); }",
                           .inputs = {"x"},
                           .outputs = {{"y", u32, Shape{1}}},
                           .workgroup_size = {1, 1, 1}});
  for (const std::int64_t n : {2, 3, 5, 64, 1001}) {
    EXPECT_EQ(length({ones({n})})[0].item<std::uint32_t>(), n);
    EXPECT_EQ(length({ones({n}, i64)})[0].item<std::uint32_t>(), n);
    EXPECT_EQ(length({ones({n}, i8)})[0].item<std::uint32_t>(), std::max<std::int64_t>((n + 3) / 4, 2));
  }
}

TEST_P(Wgsl, TheEnginesOwnTextsCallPreludes) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  CustomKernel k;
  k.name = "quotient";
  k.source = R"(@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) { y[id.x] = divide_f32(a[id.x], b[id.x]); }
})";
  k.params = {{"n", u32}};
  k.inputs = {"a", "b"};
  k.outputs = {"y"};
  k.trusted = true;
  CustomCall call;
  call.kernel = make_custom(k);
  call.outputs = {{f32, {3}}};
  call.params = {3};
  const auto nodes = ops::custom(call, {Tensor(Floats{1, 6, 9}, {3}).node(), Tensor(Floats{2, 2, 3}, {3}).node()});
  EXPECT_EQ(Tensor(nodes[0]).to_vector<float>(), (Floats{0.5, 3, 3}));
}

TEST_P(Wgsl, KeepsDirectivesInFrontAndBoundsInCheck) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  const WgslKernel kernel({.name = "wild",
                           .source = R"(/* a comment
   first */ diagnostic(off, derivative_uniformity);
@compute @workgroup_size(workgroup_x)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  y[id.x * 1000000u] = x[id.x] + 1.0;  // past the end for all but the first
}
)",
                           .inputs = {"x"},
                           .outputs = {"y"}});
  const Tensor guard = ones({64}).eval();
  EXPECT_EQ(kernel({ones({64})})[0].to_vector<float>()[0], 2.0F);
  EXPECT_EQ(guard.to_vector<float>(), Floats(64, 1.0F));
}

TEST_P(Wgsl, GivesTheGradientFunctionWhatItNeeds) {
  WgslDefinition d = scale_definition();
  d.gradient = [](const WgslGradient& g) {
    return std::vector<Tensor>{g.gradients[0] * static_cast<float>(g.params[0].value[0])};
  };
  const WgslKernel scale(d);
  const Tensor x = ones({3});
  const auto y = scale({x}, {{"factor", 5}});
  EXPECT_EQ(scale.gradient({x}, y, {ones({3})}, {{"factor", 5}})[0].to_vector<float>(), (Floats{5, 5, 5}));
  // Reachable from the node, for a walk over the graph.
  const CustomCall& call = *y[0].node()->custom().call;
  const NodePtr seed = ones({3}).node();
  const NodePtr in = x.node();
  const NodePtr out = y[0].node();
  const auto nodes = call.kernel->gradient({{&in, 1}, {&out, 1}, {&seed, 1}, call.params});
  EXPECT_EQ(Tensor(nodes[0]).to_vector<float>(), (Floats{5, 5, 5}));
  EXPECT_EQ(error_of([&] { static_cast<void>(WgslKernel(scale_definition()).gradient({x}, y, {x})); }).kind(),
            ErrorKind::kUnsupported);
}

TEST_P(Wgsl, TunesAndRemembers) {
  const WgslKernel scale(scale_definition());
  const Tensor x = ones({1000});
  const WgslTuning first = tune_workgroup(scale, {x}, {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}});
  ASSERT_EQ(first.times.size(), 3U);
  for (const auto& t : first.times) {
    EXPECT_GT(t.microseconds, 0);
    EXPECT_GE(t.microseconds, std::ranges::find(first.times, first.best, &WgslTuning::Time::size)->microseconds);
  }
  EXPECT_EQ(scale.with_workgroup(first.best)({x})[0].to_vector<float>(), Floats(1000, 2.0F));
  const Statistics before = statistics(device_);
  const WgslTuning again = tune_workgroup(scale, {x}, {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}});
  EXPECT_EQ(again.times[1].microseconds, first.times[1].microseconds);
  EXPECT_EQ(statistics(device_).plan_hits, before.plan_hits) << "nothing ran";
  if (on_cpu()) return;
  const std::uint32_t most = device_.info().limits.max_workgroup_size;
  EXPECT_EQ(tune_workgroup(scale, {x}, {{2 * most, 1, 1}, {32, 1, 1}}).times.size(), 1U) << "one is past the limit";
  EXPECT_EQ(error_of([&] { tune_workgroup(scale, {x}, {{2 * most, 1, 1}}); }).kind(), ErrorKind::kLimit);
  EXPECT_EQ(error_of([&] { tune_workgroup(scale, {x}, {}); }).kind(), ErrorKind::kValue);
}

TEST_P(Wgsl, ShowsInProfilesUnderItsName) {
  const WgslKernel scale(scale_definition());
  const Tensor x = ones({100}).eval();
  Profiler profiler(device_);
  scale({x})[0].eval();
  bool seen = false;
  for (const KernelRecord& r : profiler.records()) seen = seen || (r.label == "scale" && r.bytes >= 800);
  EXPECT_TRUE(seen);
}

TEST(WgslOracle, RunsTheHostFunctionAndSaysWhereThereIsNone) {
  const Device cpu = Device::create({.device = "cpu"});
  const WgslKernel pairs(pairs_definition());
  const Tensor a = ones({3}, f32, cpu);
  const std::vector<Tensor> r = pairs({a * 2.0, a});
  const std::vector<NodePtr> roots{r[0].node(), r[1].node()};
  const auto values = reference::evaluate(roots, [](const Node&) { return reference::Value{}; });
  EXPECT_EQ(values[0].f, (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(values[1].i, (std::vector<std::int64_t>{3}));
  WgslDefinition d = scale_definition();
  d.cpu = {};
  const Device null = Device::create({.device = "null"});
  const NodePtr root = WgslKernel(d)({ones({3}, f32, null)})[0].node();
  const Error e = error_of([&] { reference::evaluate({&root, 1}, {}); });
  EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
}

TEST(WgslRules, SuggestsWorkgroupSizes) {
  const Device null = Device::create({.device = "null"});
  const std::uint32_t most = null.info().limits.max_workgroup_size;
  EXPECT_EQ(optimal_workgroup_size(null, 1U << 24U), std::min(most, 256U));
  EXPECT_LT(optimal_workgroup_size(null, 100), 128U);
  for (std::uint64_t n = 1; n < (1U << 26U); n *= 3) {
    const std::uint32_t size = optimal_workgroup_size(null, n);
    EXPECT_TRUE(size >= 32 && size <= most && (size & (size - 1)) == 0) << n << ": " << size;
  }
}

}  // namespace
}  // namespace tessera::test
