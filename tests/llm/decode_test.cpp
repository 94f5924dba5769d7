// The dispatches of decode steps, on a device that computes nothing.
#include "llm/support.h"
#include "runtime/null/null_device.h"
#include "support/profiles.h"

namespace tessera::test {
namespace {

llm::Config llama(std::size_t layers, bool interleaved) {
  llm::Config c;
  c.model_type = "llama";
  c.vocabulary = 96;
  c.width = 64;
  c.heads = 4;
  c.kv_heads = 2;
  c.head_size = 16;
  c.intermediate = 128;
  c.context = 1024;
  c.layers.resize(layers);
  c.tied = true;
  llm::Rope rope;
  rope.frequencies = {1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005};
  rope.interleaved = interleaved;
  c.ropes = {rope};
  return c;
}

std::size_t kernels_of(const llm::Config& config, DType dtype, std::int64_t batch, const Device& device) {
  llm::Model model(config, f16, device);
  nn::visit(model, [&](const nn::Field& f) {
    const Shape shape = f.tensor.shape();
    if (shape.rank() == 2 && is_block(dtype)) {
      f.tensor = from_blocks(dtype, std::vector<std::byte>(byte_size(dtype, shape.numel())), shape, device);
    } else {
      f.tensor = zeros(shape, f.tensor.dtype(), device).eval();
    }
  });
  llm::Cache cache = model.cache(batch, 1024);
  llm::Sampler sampler({.temperature = 0}, batch, config.vocabulary, 1, device);
  const auto step =
      compile([&](const Tensor& t) { return sampler(model.forward(t, cache, {.last = true})); }, cache, sampler);
  (void)step(zeros({batch, 1}, i32, device)).eval();
  return step.kernel_count();
}

// Projections with norm, RoPE and the cache's update; attention in two; its output projection with the residual; gate
// and up with norm and activation; down with the residual.
TEST(DecodeDispatches, AtMostSixInALayer) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.name);
    const auto null = runtime::make_null_device(profile.info, {}, profile.info.type);
    const Device device(null);
    std::vector<DType> dtypes{f32, f16, bf16};
    for (const DTypeInfo& block : kBlockDTypeInfo) dtypes.push_back(block.dtype);
    for (const DType dtype : dtypes) {
      SCOPED_TRACE(name(dtype));
      const bool wide = is_block(dtype) && info(dtype).elements == 256;
      for (const std::int64_t batch : {1, 4}) {
        const auto kernels = [&](std::size_t layers) {
          llm::Config c = llama(layers, batch == 4);
          if (wide) c.width = c.intermediate = 256;  // rows of whole blocks
          if (wide) c.head_size = 64;
          if (wide) c.ropes[0].frequencies.resize(32, 0.01);
          return kernels_of(c, dtype, batch, device);
        };
        const std::size_t two = kernels(2);
        const std::size_t three = kernels(3);
        // A browser binds 10 buffers, too few for the planes of three weights.
        const bool few = is_block(dtype) && profile.info.limits.max_storage_buffers < 16;
        // Three weights of four planes are too many for 16 buffers as well.
        const bool planes = dtype == q3_k || dtype == q5_k || dtype == q6_k;
        EXPECT_LE(three - two, (few ? 11U : 6U) + (planes ? (few ? 2U : 3U) : 0U)) << "batch " << batch;
        EXPECT_GE(three - two, 5U);
      }
    }
  }
}

// A kernel that updates the cache writes, and counts, the new rows alone; the cache is not read by it either.
TEST(DecodeDispatches, CountTheBytesOfNewRows) {
  const Device device(runtime::make_null_device(h200_profile().info, {}, DeviceType::kDiscreteGpu));
  const llm::Config config = llama(2, false);
  for (const std::int64_t batch : {1, 3}) {
    llm::Model model(config, f16, device);
    nn::visit(model, [&](const nn::Field& f) { f.tensor = zeros(f.tensor.shape(), f.tensor.dtype(), device).eval(); });
    llm::Cache cache = model.cache(batch, 8192);
    const auto step = compile([&](const Tensor& t) { return model.forward(t, cache, {.last = true}); }, cache);
    const Tensor token = zeros({batch, 1}, i32, device).eval();
    (void)step(token).eval();
    Profiler profiler(device);
    (void)step(token).eval();
    const auto rows = static_cast<std::uint64_t>(batch);
    // Queries of 4 heads, keys and values of 2, in f16; read are weights, norm, x, rotations and positions.
    const std::uint64_t written = rows * (4 + 2 + 2) * 16 * 2;
    const std::uint64_t read = 64 * (128 * 2 + 4) + rows * (64 * 4 + 16 * 4 + 4);
    std::size_t updates = 0;
    for (const KernelRecord& r : profiler.records()) {
      EXPECT_LT(r.written, rows * 8192 * 2 * 16 * 2) << r.label;
      if (r.written == written && r.bytes == read + written) ++updates;
    }
    EXPECT_EQ(updates, 2U) << "batch " << batch;
  }
}

}  // namespace
}  // namespace tessera::test
