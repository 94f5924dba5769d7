// What follows from what is known of a device.
#include "schedule/device_model.h"

#include "support.h"

namespace tessera::test {

using schedule::DeviceModel;

TEST(DeviceModelTest, LargerDevicesNeedMoreWork) {
  const DeviceModel large(h200_profile().info);
  const DeviceModel integrated(integrated_profile().info);
  DeviceInfo info;
  info.type = DeviceType::kSoftware;
  const DeviceModel software(info);
  EXPECT_GT(large.workgroups, integrated.workgroups);
  EXPECT_GT(integrated.workgroups, software.workgroups);
  EXPECT_GT(large.filling_results, integrated.filling_results);
  EXPECT_GT(integrated.filling_results, software.filling_results);
  EXPECT_LT(large.relative_size, integrated.relative_size);
  for (const DeviceModel& model : {large, integrated, software}) {
    EXPECT_TRUE(model.gpu);
    EXPECT_GT(model.invocations, 0);
    EXPECT_LT(model.stage_cols, model.long_row);
  }
  info.type = DeviceType::kCpu;
  EXPECT_FALSE(DeviceModel(info).gpu);
}

TEST(DeviceModelTest, TensorCoresNeedF16AndSubgroupsOfOneSize) {
  const DeviceInfo whole = h200_profile().info;
  EXPECT_EQ(DeviceModel(whole).matrix_size, 16U);
  EXPECT_GT(DeviceModel(whole).ungrouped_rows, 0);
  EXPECT_EQ(DeviceModel(integrated_profile().info).matrix_size, 0U);
  EXPECT_EQ(DeviceModel(integrated_profile().info).ungrouped_rows, 0);
  DeviceInfo part = whole;
  part.limits.subgroup_min = 16;
  EXPECT_EQ(DeviceModel(part).matrix_size, 0U) << "the size of a subgroup is not known";
  part = whole;
  part.features.f16 = false;
  EXPECT_EQ(DeviceModel(part).matrix_size, 0U);
  part = whole;
  part.matrices = {{.m = 16, .n = 8, .k = 16, .input = DType::kF16, .result = DType::kF32},
                   {.m = 16, .n = 16, .k = 16, .input = DType::kF16, .result = DType::kF16}};
  EXPECT_EQ(DeviceModel(part).matrix_size, 0U) << "neither square nor with f32 sums";
  part.matrices.push_back({.m = 8, .n = 8, .k = 8, .input = DType::kF16, .result = DType::kF32});
  EXPECT_EQ(DeviceModel(part).matrix_size, 8U);
}

}  // namespace tessera::test
