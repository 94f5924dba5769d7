// What the generator makes for devices with matrix units, looked at without one.
#include <array>
#include <map>

#include "codegen/workgroup_memory.h"
#include "matrix/made_up.h"

namespace tessera::test {
namespace {

using MatrixGenerator = MadeUpTest;

TEST_F(MatrixGenerator, KeepsToTheLimits) {
  for (const DeviceInfo& device : made_up_devices()) {
    std::size_t by_matrices = 0;
    for (const std::vector<Tensor>& roots : matmuls()) {
      each_program(device, roots, [&](const MadeProgram& made) {
        SCOPED_TRACE(device.name + ": " + made.shape.key());
        by_matrices += made.shape.unit != 0 ? 1 : 0;
        EXPECT_LE(made.shape.threads(), device.limits.max_workgroup_size);
        const std::uint64_t memory = codegen::workgroup_memory(made.program.wgsl, {});
        EXPECT_GT(memory, 0U);
        EXPECT_LE(memory, device.limits.max_workgroup_memory);
        EXPECT_LE(made.program.writable.size(), device.limits.max_storage_buffers);
        std::uint32_t grid[3];
        codegen::grid_of(made.kernel, made.program.variant, made.binding, device, grid);
        for (const std::uint32_t n : grid) EXPECT_LE(n, device.limits.max_workgroups);
        EXPECT_GE(std::uint64_t{grid[0]} * made.shape.tile_n(), static_cast<std::uint64_t>(made.binding.n));
        EXPECT_GE(std::uint64_t{grid[1]} * made.shape.tile_m(), static_cast<std::uint64_t>(made.binding.m));
        if (made.shape.unit == 0) return;
        EXPECT_GT(made.binding.k, 0) << "its first loads would lie outside";
        EXPECT_EQ(made.shape.threads() % device.limits.subgroup_min, 0U) << "some subgroup is not whole";
        EXPECT_NE(made.program.wgsl.find(fmt::format("coop_mat{0}x{0}", made.shape.unit)), std::string::npos);
      });
    }
    EXPECT_GT(by_matrices, 100U) << device.name;
  }
}

TEST_F(MatrixGenerator, EqualKeysMeanEqualTexts) {
  for (const DeviceInfo& device : made_up_devices()) {
    std::map<std::string, std::string> known;
    for (const std::vector<Tensor>& roots : matmuls()) {
      each_program(device, roots, [&](const MadeProgram& made) {
        const std::string key = made.kernel.signature() + '\n' + made.program.variant.key;
        const auto [it, is_new] = known.try_emplace(key, made.program.wgsl);
        EXPECT_EQ(it->second, made.program.wgsl) << key;
        if (!is_new) return;
        const Variant variant = codegen::variant_of(made.shape);
        EXPECT_EQ(codegen::generate(made.kernel, made.binding, variant, device).wgsl, made.program.wgsl) << key;
      });
    }
    EXPECT_GT(known.size(), 50U);
  }
}

TEST_F(MatrixGenerator, TakesMatricesOnlyWhereTheyServe) {
  const DeviceInfo device = made_up_devices()[0];
  const auto units = [&](const DeviceInfo& info, DType t) {
    std::uint32_t most = 0;
    each_program(info, {matmul(input({68, 36}, t), input({36, 72}, t))},
                 [&](const MadeProgram& made) { most = std::max(most, made.shape.unit); });
    return most;
  };
  EXPECT_EQ(units(device, f16), 16U);
  EXPECT_EQ(units(device, f32), 0U) << "rounds operands that nobody allowed it to";
  EXPECT_EQ(units(device, bf16), 0U);
  DeviceInfo other = device;
  other.reduced_precision = true;
  EXPECT_EQ(units(other, f32), 16U);
  EXPECT_EQ(units(other, bf16), 16U);
  EXPECT_EQ(units(other, i32), 0U);
  other = device;
  other.limits.subgroup_max = 64;  // of several sizes: which one a kernel gets is not known
  EXPECT_EQ(units(other, f16), 0U);
  other = device;
  other.features.f16 = false;
  EXPECT_EQ(units(other, f16), 0U);
  other = device;
  other.matrices = {{16, 8, 16, DType::kF16, DType::kF32}, {16, 16, 16, DType::kF16, DType::kF16}};
  EXPECT_EQ(units(other, f16), 0U) << "not square, or sums of f16";
}

TEST_F(MatrixGenerator, SumsHalvesOnlyWhereAsked) {
  const DeviceInfo device = made_up_devices()[0];
  const auto halves = [&](const DeviceInfo& info, DType a, DType b) {
    std::array<int, 2> count{};  // without matrices, with them
    each_program(info, {matmul(input({68, 36}, a), input({36, 72}, b))},
                 [&](const MadeProgram& made) { count[made.shape.unit != 0 ? 1 : 0] += made.shape.half ? 1 : 0; });
    return count;
  };
  using Counts = std::array<int, 2>;
  EXPECT_EQ(halves(device, f16, f16), (Counts{0, 0}));
  const Counts both = halves(with_half_sums(device, true), f16, f16);
  EXPECT_GT(both[0], 0);
  EXPECT_GT(both[1], 0);
  EXPECT_GT(halves(with_half_sums(device, false), f16, f16)[0], 0);
  EXPECT_EQ(halves(with_half_sums(device, true), f32, f32), (Counts{0, 0}));
  EXPECT_EQ(halves(with_half_sums(device, true), f16, f32), (Counts{0, 0}));
  DeviceInfo other = device;
  other.half_sums = true;  // its matrices have sums of f32 alone
  EXPECT_EQ(halves(other, f16, f16)[1], 0);
  EXPECT_GT(halves(other, f16, f16)[0], 0);
  other.features.f16 = false;
  EXPECT_EQ(halves(other, f16, f16), (Counts{0, 0}));
}

}  // namespace
}  // namespace tessera::test
