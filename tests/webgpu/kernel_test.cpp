// Kernels, as the scheduler gives them, on the null device and on WebGPU.
#include "graph/op.h"
#include "runtime/null/null_device.h"
#include "support.h"

namespace tessera::runtime {
namespace {

/// y = -x over n elements.
Kernel negate_kernel() {
  Kernel kernel;
  kernel.kind = Kernel::Kind::kMap;
  kernel.domain = 1;
  kernel.inputs = {{.node = 0, .dtype = DType::kF32}};
  kernel.outputs = {{.node = 1, .dtype = DType::kF32}};
  kernel.indices = {{}};
  kernel.instrs.resize(2);
  kernel.instrs[0].kind = Instr::Kind::kLoad;
  kernel.instrs[0].index = 0;
  kernel.instrs[0].slot = 0;
  kernel.instrs[1].kind = Instr::Kind::kOp;
  kernel.instrs[1].op = Op::kNegative;
  kernel.instrs[1].args = {0};
  kernel.stores = {{.instr = 1, .slot = 0, .row = false}};
  return kernel;
}

Binding over(std::uint32_t n) {
  Binding binding;
  binding.rows = 1;
  binding.cols = n;
  binding.params = {n};
  return binding;
}

Dispatch dispatch_of(Device& device, const Kernel& kernel, const Binding& binding, std::vector<Buffer*> buffers) {
  Dispatch dispatch;
  dispatch.executable = device.compile(kernel, binding);
  dispatch.buffers = std::move(buffers);
  dispatch.param_count = static_cast<std::uint32_t>(binding.params.size());
  device.grid(*dispatch.executable, binding, dispatch.grid);
  dispatch.kernel = &kernel;
  dispatch.binding = &binding;
  return dispatch;
}

TEST(Null, RecordsProgramsAndDispatches) {
  const auto device = make_null_device({});
  EXPECT_EQ(device->info().id, "null");
  EXPECT_EQ(device->info().type, DeviceType::kNull);
  const Kernel kernel = negate_kernel();
  auto x = device->pool().acquire(400);
  auto y = device->pool().acquire(400);
  ASSERT_GE(x->bytes(), 400U) << "the largest buffer does not fit 32 bits";
  put(*device, *x, std::vector<float>(100, 2));
  for (const std::uint32_t n : {100U, 90U}) {
    const Binding binding = over(n);
    Submission submission;
    submission.params = binding.params;
    submission.dispatches.push_back(dispatch_of(*device, kernel, binding, {x.get(), y.get()}));
    device->submit(submission);
  }
  EXPECT_EQ(device->programs().size(), 1U) << "sizes make no new program";
  EXPECT_FALSE(device->programs()[0].wgsl.empty());
  EXPECT_EQ(device->compile_stats().hits, 1U);
  EXPECT_EQ(device->dispatch_count(), 2U);
  EXPECT_EQ(device->submission_count(), 2U);
  EXPECT_EQ(get<float>(*device, *x, 100), std::vector<float>(100, 2));
  device->pool().release(std::move(x));
  device->pool().release(std::move(y));
}

TEST(Null, LimitsAreTheCallers) {
  DeviceInfo info;
  info.limits.max_buffer_size = 1024;
  const auto device = make_null_device(info);
  EXPECT_EQ(error_of([&] { device->create_buffer(2048); }).kind(), ErrorKind::kLimit);
}

class KernelTest : public WebGpuTest {};

TEST_F(KernelTest, RunsOnWebGpuFromTheCache) {
  const auto device = make_test_device();
  const Kernel kernel = negate_kernel();
  const auto x = device->create_buffer(4000);
  const auto y = device->create_buffer(4000);
  put(*device, *x, std::vector<float>(1000, 2));
  for (const std::uint32_t n : {1000U, 999U, 0U}) {
    const Binding binding = over(n);
    Submission submission;
    submission.params = binding.params;
    submission.dispatches.push_back(dispatch_of(*device, kernel, binding, {x.get(), y.get()}));
    device->set_profiling(n == 999);
    device->submit(submission);
    EXPECT_EQ(get<float>(*device, *y, 1000), std::vector<float>(1000, -2));
  }
  EXPECT_EQ(device->compile_stats().misses, 1U);
  EXPECT_EQ(device->compile_stats().hits, 2U);
  const std::vector<KernelTime> times = device->times();
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times[0].bytes, 2 * 999 * sizeof(float)) << "what the kernel moves, not what its buffers hold";
}

}  // namespace
}  // namespace tessera::runtime
