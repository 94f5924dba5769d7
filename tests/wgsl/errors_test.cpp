// What custom kernels refuse: definitions, calls, sources that do not compile, and devices that cannot run them.
#include "codegen/wgsl_text.h"
#include "codegen/workgroup_memory.h"
#include "runtime/null/null_device.h"
#include "wgsl/kernels.h"

namespace tessera::test {
namespace {

class WgslErrors : public DeviceTest {
 protected:
  /// The error of evaluating a kernel with `line` as the third line of its source.
  static Error broken(const std::string& line) {
    WgslDefinition d = scale_definition();
    d.cpu = {};
    d.source.insert(d.source.find("  if"), line + "\n");
    const Tensor y = WgslKernel(d)({ones({3})})[0];
    const Error e = error_of([&] { y.eval(); });
    EXPECT_FALSE(y.is_evaluated());
    EXPECT_EQ(error_of([&] { static_cast<void>(y.to_vector<float>()); }).kind(), e.kind()) << "never stale data";
    return e;
  }
};
TESSERA_ON_ALL_DEVICES(WgslErrors);

TEST_P(WgslErrors, ShadersThatDoNotCompilePointIntoTheUsersText) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  for (const auto& [line, column, words] :
       {std::tuple{"  let k = nope;", 11, "nope"}, {"  let = 3;", 7, "identifier"}, {"  x[0] = 1.0;", 3, "writing"}}) {
    const Error e = broken(line);
    EXPECT_EQ(e.kind(), ErrorKind::kShader) << e.what();
    EXPECT_EQ(e.fields().line, 3) << e.what();
    EXPECT_EQ(e.fields().column, column) << e.what();
    EXPECT_EQ(e.fields().op, "scale");
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
  // A working kernel of the same name is not disturbed.
  EXPECT_EQ(WgslKernel(scale_definition())({ones({2})})[0].to_vector<float>(), (std::vector<float>{2, 2}));
}

TEST_P(WgslErrors, CompiledFunctionsThrowAtTheirFirstCall) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  WgslDefinition d = scale_definition();
  d.cpu = {};
  d.source = "oops";
  const WgslKernel bad(d);
  const Compiled f = compile([&](const std::vector<Tensor>& in) { return bad({in[0] + 1.0}); });
  const std::uint64_t in_use = device_.memory_stats().in_use;
  const Error e = error_of([&] { f({ones({3})}); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_EQ(e.fields().line, 1);
  EXPECT_EQ(device_.memory_stats().in_use, in_use);
}

TEST_P(WgslErrors, HeaderAndEntryPointFaultsHaveNoLine) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  WgslDefinition d = scale_definition();
  d.cpu = {};
  d.inputs = {"var"};
  Error e = error_of([&] { wgsl_kernel(d)({ones({3})})[0].eval(); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_EQ(e.fields().line, 0);
  EXPECT_NE(std::string(e.what()).find("header"), std::string::npos) << e.what();
  d = scale_definition();
  d.cpu = {};
  d.entry_point = "other";
  e = error_of([&] { wgsl_kernel(d)({ones({3})})[0].eval(); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_NE(std::string(e.what()).find("'other'"), std::string::npos) << e.what();
}

TEST_P(WgslErrors, LimitsAreThrownAtTheCallWithBothValues) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  const DeviceLimits& limits = device_.info().limits;
  const auto expect = [&](const WgslDefinition& d, const std::vector<Tensor>& in, std::uint64_t given,
                          std::uint64_t limit) {
    const Error e = error_of([&] { static_cast<void>(WgslKernel(d)(in)); });
    EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
    EXPECT_EQ(e.fields().requested, given) << e.what();
    EXPECT_EQ(e.fields().available, limit) << e.what();
    EXPECT_EQ(e.fields().op, d.name);
  };
  WgslDefinition d = scale_definition();
  d.workgroup_size = {limits.max_workgroup_size + 1, 1, 1};
  expect(d, {ones({3})}, limits.max_workgroup_size + 1, limits.max_workgroup_size);

  d = scale_definition();
  d.source = "const n = 100000u;\nvar<workgroup> tile: array<vec4<f32>, n>;\n" + d.source;
  expect(d, {ones({3})}, 1600000, limits.max_workgroup_memory);

  d = scale_definition();
  std::vector<Tensor> many{ones({3})};
  for (std::uint32_t i = 1; i < limits.max_storage_buffers; ++i) {
    d.inputs.emplace_back("x" + std::to_string(i));
    many.push_back(ones({3}));
  }
  expect(d, many, limits.max_storage_buffers + 1, limits.max_storage_buffers);

  d = scale_definition();
  const auto past = static_cast<std::int64_t>(limits.max_storage_binding_size / 4 + 1);
  d.outputs = {{"y", f32, Shape{past}}};
  d.grid = WgslSize{1, 1, 1};
  expect(d, {ones({3})}, static_cast<std::uint64_t>(past) * 4, limits.max_storage_binding_size);

  d = scale_definition();
  d.grid = WgslSize{limits.max_workgroups + 1, 1, 1};
  expect(d, {ones({3})}, limits.max_workgroups + 1, limits.max_workgroups);
}

TEST_P(WgslErrors, WorkgroupsTooLargeInTheSourceItselfAreALimitToo) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  WgslDefinition d = scale_definition();
  d.cpu = {};
  const std::uint32_t past = device_.info().limits.max_workgroup_size * 2;
  d.source = "const big = " + std::to_string(past) + ";\n" + d.source;
  d.source.replace(d.source.find("workgroup_x"), 11, "big");
  const Error e = error_of([&] { wgsl_kernel(d)({ones({3})})[0].eval(); });
  EXPECT_EQ(e.kind(), ErrorKind::kLimit) << e.what();
  EXPECT_EQ(e.fields().requested, past) << e.what();
}

TEST_P(WgslErrors, TheCpuNeedsAFunctionAndThrowsWhatItThrows) {
  if (!on_cpu()) GTEST_SKIP() << "about the CPU";
  WgslDefinition d = scale_definition();
  d.cpu = {};
  const Error e = error_of([&] { static_cast<void>(WgslKernel(d)({ones({3})})); });
  EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(e.what()).find("`cpu` function"), std::string::npos);
  d.cpu = [](const WgslHostCall& call) { static_cast<void>(call.param("nothing")); };
  const Tensor y = WgslKernel(d)({ones({3})})[0];
  EXPECT_EQ(error_of([&] { y.eval(); }).kind(), ErrorKind::kValue);
  EXPECT_FALSE(y.is_evaluated());
  // Without inputs, the device is known at eval.
  d = {.name = "none", .source = "x", .outputs = {{"y", f32, Shape{3}}}};
  const Tensor made = WgslKernel(d)({})[0];
  EXPECT_EQ(error_of([&] { made.eval(); }).kind(), ErrorKind::kUnsupported);
}

TEST_P(WgslErrors, CallsAreChecked) {
  const WgslKernel scale(scale_definition());
  const auto kind = [&](auto f) { return error_of([&] { static_cast<void>(f()); }).kind(); };
  EXPECT_EQ(kind([&] { return scale({}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return scale({Tensor()}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return scale({ones({3}, i32)}); }), ErrorKind::kDType);
  EXPECT_EQ(kind([&] { return scale({ones({3})}, {{"faktor", 1}}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return scale({ones({3})}, {{"factor", std::array{1.F, 2.F}}}); }), ErrorKind::kValue);
  WgslDefinition d = scale_definition();
  d.params.push_back({"n", 1U});
  EXPECT_EQ(kind([&] { return WgslKernel(d)({ones({3})}, {{"n", -1}}); }), ErrorKind::kValue);
  EXPECT_EQ(kind([&] { return WgslKernel(d)({ones({3})}, {{"n", 1.5}}); }), ErrorKind::kValue);
}

TEST(WgslDefinitions, AreChecked) {
  const auto refused = [](auto change) {
    WgslDefinition d = scale_definition();
    change(d);
    const Error e = error_of([&] { const WgslKernel kernel(d); });
    EXPECT_EQ(e.kind(), ErrorKind::kValue) << e.what();
    return std::string(e.what());
  };
  refused([](auto& d) { d.name = "a b"; });
  refused([](auto& d) { d.outputs.clear(); });
  refused([](auto& d) { d.inputs = {"3x"}; });
  refused([](auto& d) { d.inputs = {"y"}; });
  refused([](auto& d) { d.inputs = {"params"}; });
  refused([](auto& d) { d.params.push_back({"y_size", 1}); });
  refused([](auto& d) { d.inputs.clear(); });
  refused([](auto& d) { d.raw_params = 8; });
  refused([](auto& d) { d.params.clear(), d.raw_params = 6; });
  refused([](auto& d) { d.workgroup_size = {0, 1, 1}; });
  refused([](auto& d) { d.workgroup_size = {8, 8, 1}; });
  const std::string text = refused([](auto& d) { d.source.replace(d.source.find("workgroup_x"), 11, "128"); });
  EXPECT_NE(text.find("128x1x1"), std::string::npos);
  EXPECT_NE(text.find("64x1x1"), std::string::npos);
}

TEST(WgslDefinitions, F16WithoutTheFeatureIsUnsupported) {
  const Device null = Device::create({.device = "null"});
  DeviceInfo info = null.info();
  info.features.f16 = false;
  const Device plain(runtime::make_null_device(info));
  WgslDefinition d = scale_definition();
  d.inputs = {"x"};
  const Error e = error_of([&] { static_cast<void>(WgslKernel(d)({ones({3}, f16, plain)})); });
  EXPECT_EQ(e.kind(), ErrorKind::kUnsupported);
  EXPECT_NE(std::string(e.what()).find("f16"), std::string::npos);
}

TEST(WgslText, FindsWhatTheHeaderNeeds) {
  EXPECT_EQ(codegen::without_comments("a // b\nc /* d /* e */\n f */ g"), "a     \nc             \n      g");
  const codegen::SplitText split = codegen::split_directives("// c\n enable f16;\nenable\nx;\nfn f() {}");
  EXPECT_EQ(split.directives, "enable f16;\nenable x;\n");
  EXPECT_EQ(split.rest, "// c\n            \n      \n  \nfn f() {}");
  EXPECT_FALSE(codegen::declares_bindings("/* @binding(0) */"));
  using Size = std::array<std::uint32_t, 3>;
  EXPECT_EQ(codegen::stated_workgroup("@compute @workgroup_size(8, 4u)\nfn main() {}", "main"), (Size{8, 4, 1}));
  EXPECT_EQ(codegen::stated_workgroup("@compute @workgroup_size(n)\nfn main() {}", "main"), std::nullopt);
  EXPECT_EQ(codegen::stated_workgroup("@compute @workgroup_size(8)\nfn a() {}\nfn main() {}", "main"), std::nullopt);
}

TEST(WgslText, CountsWorkgroupMemory) {
  const auto bytes = [](const char* text) { return codegen::workgroup_memory(text, {{"workgroup_x", 64}}); };
  EXPECT_EQ(bytes("var<workgroup> a: f32;"), 4U);
  EXPECT_EQ(bytes("var<workgroup> a: array<vec4f, workgroup_x * 2u>; fn f() { var x: array<f32, 100>; }"), 2048U);
  EXPECT_EQ(bytes("var<workgroup> a: u32; var<workgroup> b: vec3<f32>;"), 28U);
  EXPECT_EQ(
      bytes("var<workgroup> t: array<array<Pair, n>, 2>; const n: u32 = (3 + 1) / 2; struct Pair { a: vec3f, b: u32 }"),
      64U);
  EXPECT_EQ(bytes("alias Row = array<f16, 10>; var<workgroup> r: Row; var<workgroup> m: mat4x3<f32>;"), 96U);
  EXPECT_EQ(bytes("var<workgroup> c: array<atomic<u32>, 16>; var<private> p: array<f32, 999>;"), 64U);
  EXPECT_EQ(bytes("var<workgroup> u: Unknown; var<storage, read> s: array<f32>;"), 0U);
}

}  // namespace
}  // namespace tessera::test
