// Custom kernels on buffers: ranges, order inside one submission, params, and what is refused.
#include "runtime/webgpu/webgpu_device.h"
#include "wgsl/kernels.h"

namespace tessera::test {
namespace {

using Floats = std::vector<float>;

class Dispatches : public DeviceTest {
 protected:
  static WgslDefinition typed() {
    WgslDefinition d = scale_definition();
    d.outputs = {{"y", f32}};
    return d;
  }
  [[nodiscard]] Buffer make(const Floats& data) const {
    const Buffer b = Buffer::allocate(device_, {.label = "b", .size = data.size() * 4});
    b.copy_to(data);
    return b;
  }
};
TESSERA_ON_ALL_DEVICES(Dispatches);

TEST_P(Dispatches, BindRangesOfBuffers) {
  const CompiledWgsl scale(device_, WgslKernel(typed()));
  Floats data(130);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  const Buffer x = make(data);
  const Buffer y = make(Floats(130, -1));
  scale.dispatch({{x, 256, 12}, {y, 512, 8}}, {1, 1, 1}, {{"factor", 10}}).wait();
  Floats expected(130, -1);
  expected[128] = 640;
  expected[129] = 650;
  EXPECT_EQ(y.copy_from<float>(130), expected);
  scale.dispatch({x, y}, {3, 1, 1}).wait();
  EXPECT_EQ(y.copy_from<float>(3, 127 * 4), (Floats{254, 256, 258}));
}

TEST_P(Dispatches, KeepTheirOrderInOneSubmission) {
  const CompiledWgsl scale(device_, WgslKernel(typed()));
  const Buffer a = make({1, 2, 3});
  const Buffer b = make({0, 0, 0});
  std::vector<WgslDispatch> all;
  for (int i = 0; i < 10; ++i) {
    all.push_back({scale, {a, b}, {1, 1, 1}, {{"factor", 2}}});
    all.push_back({scale, {b, a}, {1, 1, 1}, {{"factor", i % 2 == 0 ? 1.5 : 0.5}}});
  }
  const Statistics before = statistics(device_);
  submit(all).wait();
  EXPECT_EQ(a.copy_from<float>(3), (Floats{243, 486, 729}));
  EXPECT_EQ(statistics(device_).pipeline_misses, before.pipeline_misses);
}

TEST_P(Dispatches, AreCheckedBeforeAnythingRuns) {
  const CompiledWgsl scale(device_, WgslKernel(typed()));
  const Buffer x = make(Floats(130, 1));
  const Buffer y = make(Floats(130, 0));
  const auto kind = [&](const std::vector<WgslBinding>& bindings, WgslSize grid = {1, 1, 1},
                        const WgslParams& params = {}) {
    const Error e = error_of(
        [&] { submit(std::vector<WgslDispatch>{{scale, {x, y}, {1, 1, 1}, {}}, {scale, bindings, grid, params}}); });
    EXPECT_EQ(std::string(e.what()).back(), '.') << e.what();
    return e.kind();
  };
  EXPECT_EQ(kind({x}), ErrorKind::kValue);
  EXPECT_EQ(kind({{x, 4, 8}, y}), ErrorKind::kValue) << "an offset that WebGPU cannot bind";
  EXPECT_EQ(kind({{x, 0, 6}, y}), ErrorKind::kValue);
  EXPECT_EQ(kind({{x, 512, 16}, y}), ErrorKind::kValue) << "past the end";
  EXPECT_EQ(kind({{x, 1024, 16}, y}), ErrorKind::kValue);
  EXPECT_EQ(kind({x, x}), ErrorKind::kValue) << "read and written";
  EXPECT_EQ(kind({x, y}, {1, 1, 1}, {{"nothing", 1}}), ErrorKind::kValue);
  EXPECT_EQ(kind({x, Buffer()}), ErrorKind::kValue);
  const Buffer gone = make({1});
  gone.free();
  EXPECT_EQ(kind({gone, y}), ErrorKind::kValue);
  const Buffer elsewhere = Buffer::allocate(Device::create({.device = "null"}), {.size = 16});
  EXPECT_EQ(kind({elsewhere, y}), ErrorKind::kDevice);
  if (!on_cpu()) {
    EXPECT_EQ(kind({x, y}, {device_.info().limits.max_workgroups + 1, 1, 1}), ErrorKind::kLimit);
  }
  EXPECT_EQ(error_of([&] { submit({}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { const CompiledWgsl no(device_, WgslKernel(scale_definition())); }).kind(), ErrorKind::kValue)
      << "an output without a type";
  EXPECT_EQ(y.copy_from<float>(130), Floats(130, 0)) << "nothing ran";
}

TEST_P(Dispatches, CompileAtOnceOrSayWhyNot) {
  if (on_cpu()) GTEST_SKIP() << "about WGSL";
  WgslDefinition d = typed();
  d.source.insert(d.source.find("  if"), "  oops;\n");
  const Error e = error_of([&] { const CompiledWgsl bad(device_, WgslKernel(d)); });
  EXPECT_EQ(e.kind(), ErrorKind::kShader);
  EXPECT_EQ(e.fields().line, 3);
}

TEST_P(Dispatches, GoOnAfterALossWithWhatTheHostHas) {
  if (on_cpu()) GTEST_SKIP() << "the CPU is not lost";
  const Device device = Device::create({.device = GetParam().device});
  const auto make_on = [&](BufferLocation location) {
    const Buffer b = Buffer::allocate(device, {.label = "b", .size = 12, .location = location});
    b.copy_to(Floats{1, 2, 3});
    return b;
  };
  const CompiledWgsl scale(device, WgslKernel(typed()));
  const Buffer mirrored = make_on(BufferLocation::kMirrored);
  const Buffer used = make_on(BufferLocation::kMirrored);
  const Buffer plain = make_on(BufferLocation::kDevice);
  const Buffer out = make_on(BufferLocation::kMirrored);
  scale.dispatch({used, out}, {1, 1, 1}).wait();
  dynamic_cast<runtime::WebGpuDevice&>(*device.impl()).destroy();
  EXPECT_EQ(error_of([&] { scale.dispatch({mirrored, out}, {1, 1, 1}).wait(); }).kind(), ErrorKind::kDeviceLost);
  device.restore();
  const Buffer fresh = Buffer::allocate(device, {.label = "fresh", .size = 12});
  for (const Buffer& b : {mirrored, used}) {
    scale.dispatch({b, fresh}, {1, 1, 1}, {{"factor", 3}}).wait();
    EXPECT_EQ(fresh.copy_from<float>(3), (Floats{3, 6, 9}));
  }
  EXPECT_EQ(error_of([&] { static_cast<void>(plain.copy_from<float>(3)); }).kind(), ErrorKind::kDeviceLost);
  EXPECT_EQ(error_of([&] { static_cast<void>(out.copy_from<float>(3)); }).kind(), ErrorKind::kDeviceLost)
      << "what a kernel wrote was on the device only";
  plain.free();
}

}  // namespace
}  // namespace tessera::test
