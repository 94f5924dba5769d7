// A device that runs nothing, for tests that look at kernels and plans.
#pragma once

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "codegen/program.h"
#include "graph/op.h"
#include "runtime/memory/new_storage.h"
#include "runtime/null/null_device.h"
#include "schedule/lower/fit.h"
#include "schedule/plan.h"
#include "schedule/simplify/simplify.h"
#include "support/golden.h"
#include "support/profiles.h"
#include "tessera/tessera.h"

namespace tessera::test {

/// The large GPU without tensor cores.
inline DeviceInfo gpu_info() {
  DeviceInfo info = h200_profile().info;
  info.id = "null";
  info.name = "null GPU";
  info.features = {.f16 = true, .subgroups = true};
  info.matrices.clear();
  return info;
}

/// What the smallest browser offers.
inline DeviceInfo small_info() {
  DeviceInfo info = gpu_info();
  info.limits.max_storage_buffers = 8;
  info.limits.max_workgroup_size = 256;
  info.limits.max_workgroup_memory = 16384;
  info.limits.subgroup_min = info.limits.subgroup_max = 0;
  info.features = {};
  return info;
}

class NullTest : public ::testing::Test {
 protected:
  NullTest() : null_(runtime::make_null_device(gpu_info())), device_(null_) {}

  Tensor input(const Shape& shape, DType dtype = f32) const {
    auto node = std::make_shared<const Node>(Op::kInput, dtype, shape, device_.impl(), Node::Inputs{});
    node->publish(runtime::new_storage(device_.impl(), shape.numel(), dtype));
    return Tensor(std::move(node));
  }

  schedule::Plan plan(const std::vector<Tensor>& roots) const {
    std::vector<NodePtr> nodes;
    for (const Tensor& t : roots) nodes.push_back(t.node());
    const Graph taken = snapshot(nodes);
    for (const Profile& profile : profiles()) {
      const Graph graph = schedule::simplify_to_fit(taken, profile.info);
      const schedule::DeviceModel model(profile.info);
      for (const Kernel& kernel : schedule::make_plan(graph, {}, profile.info).kernels) {
        const Binding binding = bind(kernel, graph);
        const Variant variant = codegen::choose_variant(kernel, binding, profile.info, model);
        programs_[profile.name].push_back(codegen::generate(kernel, binding, variant, profile.info));
      }
    }
    const Graph graph = schedule::simplify(taken, device_.info());
    return schedule::make_plan(graph, {}, device_.info());
  }
  std::size_t kernels(const std::vector<Tensor>& roots) const { return plan(roots).kernels.size(); }

  /// The kernels of all graphs that were planned are as they were before.
  void TearDown() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    for (const auto& [profile, programs] : programs_) {
      expect_golden("schedule", std::string(profile) + '/' + test.test_suite_name() + '.' + test.name(), programs);
    }
  }

  std::shared_ptr<runtime::NullDevice> null_;
  Device device_;
  mutable std::map<std::string, std::vector<Program>> programs_;  // by profile
};

}  // namespace tessera::test
