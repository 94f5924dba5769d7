// Texts for devices that are not here, as the provider's compiler sees them.
#include <set>

#include "matrix/made_up.h"
#include "runtime/webgpu/provider/adapter.h"
#include "runtime/webgpu/restoring.h"
#include "support/devices.h"

namespace tessera::test {
namespace {

using MatrixModules = MadeUpTest;

TEST_F(MatrixModules, TextsForOtherDevicesAreValid) {
  using namespace runtime::webgpu;
  static_cast<void>(devices());  // sets the software adapter's environment
  const Adapters adapters = [&]() -> Adapters {
    try {
      return adapters_of(Provider::get({}));
    } catch (const Error&) {
      return std::make_shared<const std::vector<Adapter>>();
    }
  }();
  std::size_t index = 0;
  while (index < adapters->size() && (*adapters)[index].info.matrices.empty()) ++index;
  if (index == adapters->size())
    GTEST_SKIP() << "no adapter has matrix units; tools/mesa.sh gets a driver that has them";
  const auto core = std::make_shared<Core>(Provider::get({}), "modules");
  const Adapter& adapter = (*adapters)[index];
  WGPUDeviceDescriptor wanted = WGPU_DEVICE_DESCRIPTOR_INIT;
  wanted.requiredFeatures = adapter.useful.data();
  wanted.requiredFeatureCount = adapter.useful.size();
  wanted.requiredLimits = &adapter.limits;
  std::string why;
  ASSERT_TRUE(core->request(adapter.handle.get(), wanted, why)) << why;
  std::set<std::string> seen;
  for (const DeviceInfo& device : made_up_devices()) {
    for (const std::vector<Tensor>& roots : matmuls()) {
      each_program(device, roots, [&](const MadeProgram& made) {
        if (!seen.insert(made.program.wgsl).second || !in_turn(seen.size())) return;
        const ErrorCatch errors;
        WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
        source.code = {made.program.wgsl.data(), made.program.wgsl.size()};
        WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
        descriptor.nextInChain = &source.chain;
        const ShaderModuleHandle module(core->api(),
                                        core->api().wgpuDeviceCreateShaderModule(core->device(), &descriptor));
        EXPECT_FALSE(errors.caught()) << device.name << ", " << made.shape.key() << ": " << errors.message();
      });
    }
  }
  EXPECT_GT(seen.size(), 200U);
  core->shut_down();
}

}  // namespace
}  // namespace tessera::test
