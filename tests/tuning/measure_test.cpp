// Measuring: the fastest right program wins, wrong ones are demoted, and the choice is used and kept.
#include <algorithm>

#include "api/tune/tune.h"
#include "codegen/matmul/matmul_cost.h"
#include "tuning/support.h"

namespace tessera::test {
namespace {

using codegen::MatmulShape;
using codegen::tile_text;

MatmulSizes sizes(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  MatmulSizes s;
  s.dtype = dtype;
  s.m = m, s.n = n, s.k = k;
  return s;
}

class MeasureTest : public TuningTest {
 protected:
  [[nodiscard]] std::string tile(const MatmulSizes& s) const {
    const MatmulKernel p = matmul_kernel(device_, s.dtype, s.m, s.n, s.k);
    return tile_text(runtime::tuning_of(device_.info())
                         ->variant_for(p.kernel, p.binding, device_.info(), device_.impl()->model())
                         .matmul());
  }
};

/// Has it write wrong numbers.
void spoil(Program& program) {
  const std::size_t at = program.wgsl.rfind("fma(");
  ASSERT_NE(at, std::string::npos) << program.wgsl;
  program.wgsl.replace(at, 4, "0.5 * fma(");
}

TEST_F(MeasureTest, AWinnerIsFoundUsedAndKept) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  for (const DType dtype : {f32, f16, bf16}) {
    const MatmulSizes s = sizes(dtype, 40, 56, 72);
    const TuneResult r = tune_matmul(device_, s);
    EXPECT_EQ(r.matmul, "matmul " + std::string(name(dtype)) + " 40x56x72 batch 1 a:n1 b:n1");
    EXPECT_TRUE(r.demoted.empty()) << r.demoted[0];
    EXPECT_GT(r.winner_us, 0);
    EXPECT_LE(r.winner_us, r.suggested_us);
    EXPECT_LE(r.measured, r.candidates);
    EXPECT_GT(r.measured, 1U);
    EXPECT_EQ(tile(s), r.winner);
  }
  EXPECT_EQ(tuning_status(device_.info()).matmuls, 3U);
  EXPECT_EQ(tuning_status(device_.info()).file, file());
  const std::string before = read_file(file());
  open();
  EXPECT_EQ(tuning_status(device_.info()).matmuls, 3U) << "read again";
  EXPECT_EQ(read_file(file()), before);
}

TEST_F(MeasureTest, BatchesAndTransposedMatrices) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  MatmulSizes s = sizes(f32, 20, 36, 28);
  s.transposed = true;
  EXPECT_EQ(tune_matmul(device_, s).matmul, "matmul f32 20x36x28 batch 1 a:n1 b:1n");
  // Of a sum that is cut into pieces, one that all of them take.
  EXPECT_EQ(tune_matmul(device_, sizes(f32, 32, 32, 4096)).matmul, "matmul f32 32x32x256 batch 16 a:n1 b:n1");
  s.batch = 3;
  const TuneResult r = tune_matmul(device_, s);
  EXPECT_EQ(r.matmul, "matmul f32 20x36x28 batch 3 a:n1 b:1n");
  EXPECT_TRUE(r.demoted.empty());
}

TEST_F(MeasureTest, Convolutions) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const std::vector<std::pair<ConvSizes, std::string>> all{
      {{f32, {2, 8, 10, 10}, {12, 8, 3, 3}, {.padding = 1}}, "matmul f32 12x100x72 batch 2 "},
      {{f16, {2, 8, 11, 13}, {12, 8, 3, 5}, {.stride = 2, .padding = 1}}, "matmul f16 12x36x120 batch 2 "},
      {{bf16, {2, 10, 10, 8}, {12, 8, 3, 3}, {.layout = ImageLayout::kChannelsLast}}, "matmul bf16 128x12x72 batch 1 "},
      {{f32, {3, 8, 9, 9}, {12, 8, 3, 3}, {.padding = 1, .dilation = 2}}, "matmul f32 12x49x72 batch 3 "},
      {{f32, {3, 16, 7, 7}, {12, 8, 3, 3}, {.padding = 1, .groups = 2}}, "matmul f32 6x49x72 batch 6 "},
      {{f32, {8, 16, 4, 4}, {12, 16, 3, 3}, {}}, "matmul f32 32x12x144 batch 1 "},
      {{f32, {1, 64, 7, 7}, {24, 64, 3, 3}, {.padding = 1}}, "matmul f32 24x49x144 batch 4 "},
      {{f32, {1, 7, 7, 128}, {24, 128, 3, 3}, {.padding = 1, .layout = ImageLayout::kChannelsLast}},
       "matmul f32 49x24x128 batch 9 "},
      {{f32, {8, 10, 10}, {12, 8, 1, 1}, {}}, ""}};
  for (const auto& [s, product] : all) {
    const TuneResult r = tune_conv2d(device_, s);
    EXPECT_TRUE(r.matmul.starts_with(product)) << r.matmul << " is not " << product;
    EXPECT_TRUE(r.demoted.empty()) << r.matmul << ": " << r.demoted[0];
    EXPECT_GT(r.winner_us, 0) << r.matmul;
    EXPECT_GT(r.measured, 1U) << r.matmul;
    // It is the one that a convolution takes.
    const MatmulKernel p = kernel_of(
        conv2d(zeros(s.images, s.dtype, device_).eval(), zeros(s.weights, s.dtype, device_).eval(), {}, s.options));
    EXPECT_EQ(runtime::problem_of(p.kernel, p.binding, device_.info()).text(), r.matmul);
    EXPECT_EQ(tile_text(runtime::tuning_of(device_.info())
                            ->variant_for(p.kernel, p.binding, device_.info(), device_.impl()->model())
                            .matmul()),
              r.winner);
  }
  EXPECT_EQ(tuning_status(device_.info()).matmuls, all.size());
}

TEST_F(MeasureTest, AWrongProgramOfAConvolutionIsDemoted) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const auto corrupt = [&](const MatmulShape& shape, Program& program) {
    if (tile_text(shape) == kSmall) spoil(program);
  };
  ::testing::internal::CaptureStderr();
  const TuneResult r = tune_conv2d(device_, {f32, {1, 8, 9, 9}, {24, 8, 3, 3}, {}}, corrupt);
  static_cast<void>(::testing::internal::GetCapturedStderr());
  EXPECT_EQ(r.demoted, std::vector<std::string>{kSmall});
  EXPECT_NE(r.winner, kSmall);
}

TEST_F(MeasureTest, SumsOfHalvesAreExactToo) {
  DeviceConfig config;
  config.half_sums = true;
  ASSERT_NO_FATAL_FAILURE(open(config));
  if (device_ == Device{}) return;
  const TuneResult r = tune_matmul(device_, sizes(f16, 32, 32, 16381));
  EXPECT_NE(r.matmul.find(" half "), std::string::npos) << r.matmul;
  EXPECT_TRUE(r.demoted.empty()) << r.demoted[0];
}

TEST_F(MeasureTest, AWrongProgramIsDemotedAndNeverChosenAgain) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const MatmulSizes s = sizes(f32, 64, 64, 64);
  const std::string suggested = tile(s);
  // One writes a wrong number, and one writes nothing.
  const auto corrupt = [&](const MatmulShape& shape, Program& program) {
    const std::string tile = tile_text(shape);
    const std::size_t body = program.wgsl.find('{', program.wgsl.find("fn main("));
    ASSERT_NE(body, std::string::npos);
    if (tile == suggested) program.wgsl.insert(body + 1, " if (p[0].x < 1000000u) { return; } ");
    if (tile == kSmall) spoil(program);
  };
  ::testing::internal::CaptureStderr();
  const TuneResult r = tune_matmul(device_, s, corrupt);
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(r.demoted.size(), 2U) << log;
  for (const std::string& tile : {suggested, std::string(kSmall)}) {
    EXPECT_EQ(std::ranges::count(r.demoted, tile), 1) << tile;
    EXPECT_NE(log.find(tile), std::string::npos) << log;
  }
  EXPECT_EQ(r.suggested, suggested);
  EXPECT_EQ(r.suggested_us, 0) << "it has no time, since it must not be used";
  EXPECT_NE(r.winner, suggested);
  EXPECT_NE(r.winner, kSmall);
  EXPECT_EQ(tuning_status(device_.info()).demoted, 2U);
  // Neither here nor in the next process, nor for other sizes of the kind.
  EXPECT_EQ(tile(s), r.winner);
  for (int process = 0; process < 2; ++process) {
    EXPECT_NE(tile(s), suggested);
    EXPECT_NE(tile(sizes(f32, 256, 256, 256)), suggested);
    const TuneResult again = tune_matmul(device_, s);
    EXPECT_NE(again.winner, suggested);
    EXPECT_NE(again.winner, kSmall);
    EXPECT_TRUE(again.demoted.empty()) << "they are not tried again";
    open();
  }
}

TEST_F(MeasureTest, AProgramThatDoesNotCompileIsDemotedToo) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const auto corrupt = [&](const MatmulShape& shape, Program& program) {
    if (tile_text(shape) == kSmall) program.wgsl += "no WGSL";
  };
  ::testing::internal::CaptureStderr();
  const TuneResult r = tune_matmul(device_, sizes(f32, 32, 32, 32), corrupt);
  static_cast<void>(::testing::internal::GetCapturedStderr());
  EXPECT_EQ(r.demoted, std::vector<std::string>{kSmall});
  const Tensor a = ones({32, 32}, f32, device_).eval();
  EXPECT_EQ(matmul(a, a).to_vector<float>()[5], 32);
}

TEST_F(MeasureTest, NothingRightIsAnError) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const auto corrupt = [&](const MatmulShape&, Program& program) { program.wgsl += "no WGSL"; };
  ::testing::internal::CaptureStderr();
  try {
    static_cast<void>(tune_matmul(device_, sizes(f32, 32, 32, 32), corrupt));
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kDevice);
    EXPECT_NE(std::string(e.what()).find("gives the right answer"), std::string::npos) << e.what();
  }
  static_cast<void>(::testing::internal::GetCapturedStderr());
}

TEST_F(MeasureTest, WhatCannotBeTunedIsAnError) {
  const auto kind = [](const Device& device, const MatmulSizes& s) {
    try {
      static_cast<void>(tune_matmul(device, s));
    } catch (const Error& e) {
      return e.kind();
    }
    ADD_FAILURE();
    return ErrorKind::kIo;
  };
  DeviceConfig config;
  config.device = "cpu";
  EXPECT_EQ(kind(Device::create(config), sizes(f32, 8, 8, 8)), ErrorKind::kUnsupported);
  EXPECT_EQ(kind({}, sizes(f32, 8, 8, 8)), ErrorKind::kDevice);
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  EXPECT_EQ(kind(device_, sizes(f32, 8, 0, 8)), ErrorKind::kValue);
  EXPECT_EQ(kind(device_, sizes(i32, 8, 8, 8)), ErrorKind::kDType);
  const auto conv = [&](const ConvSizes& s) {
    try {
      static_cast<void>(tune_conv2d(device_, s));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  for (const auto& [s, part] : std::vector<std::pair<ConvSizes, const char*>>{
           {{f32, {1, 0, 8, 8}, {4, 0, 3, 3}, {}}, "sizes that are not positive"},
           {{i32, {1, 8, 8, 8}, {4, 8, 3, 3}, {}}, "matmuls of i32 have nothing to choose"},
           {{f32, {1, 8, 8, 8}, {4, 6, 3, 3}, {}}, "axis 1 should have size 8"},
           {{f32, {1, 8, 8, 8}, {}, {}}, "4 axes are expected"},
           {{f32, {1, 8, 8, 8}, {8, 1, 3, 3}, {.groups = 8}}, "by a matmul in tiles; there is nothing"}}) {
    EXPECT_NE(conv(s).find(part), std::string::npos) << conv(s);
  }
}

TEST_F(MeasureTest, RandomNumbersGoOnAsIfNothingWasMeasured) {
  ASSERT_NO_FATAL_FAILURE(open());
  if (device_ == Device{}) return;
  const random::Use use(random::Generator(3));
  const auto first = random::uniform({4}, 0.0, 1.0, f32, device_).to_vector<float>();
  const random::Use again(random::Generator(3));
  static_cast<void>(tune_matmul(device_, sizes(f32, 16, 16, 16)));
  EXPECT_EQ(random::uniform({4}, 0.0, 1.0, f32, device_).to_vector<float>(), first);
}

}  // namespace
}  // namespace tessera::test
