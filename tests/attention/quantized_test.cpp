// Attention over keys and values in 8 bits with scales: equal to attention over the dequantized ones.
#include "schedule/device_model.h"
#include "support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

class AttentionQuantized : public DeviceTest {
 protected:
  /// i8 over its whole range, and scales for so many elements each; some are 0.
  struct Rows {
    Tensor quants, scales;
    [[nodiscard]] Tensor dequantized(DType dtype) const {
      return Tensor(ops::attention_dequantized(quants.node(), scales.node(), dtype));
    }
  };
  static Rows rows_of(const Shape& shape, std::int64_t each, std::uint32_t seed, const Device& device) {
    reference::Value q = plain(f32, shape, seed, -128, 127.5);
    for (double& x : q.f) x = std::floor(x);
    const Tensor floats = make_tensor(q, device);
    const Shape scales{shape[0], shape[1], shape[2], shape[3] / each};
    const Tensor s = make_tensor(plain(f32, scales, seed + 1, 0, 0.02), device);
    return {cast(floats, i8).eval(), where(less(s, 0.001), 0.0, s).eval()};
  }

  void check(Problem p, DType dtype, std::int64_t each, std::int64_t pages = 0) {
    const Data x = data_of(p, dtype, dtype, device_);
    const Shape shape = pages == 0 ? Shape{p.batch, p.hkv, p.lk, p.d} : Shape{7, p.hkv, p.lk / pages, p.d};
    const Rows k = rows_of(shape, each, 31, device_);
    const Rows v = rows_of(shape, each, 33, device_);
    ops::AttentionSpec spec = spec_of(p, x);
    if (pages != 0) {
      std::vector<std::int32_t> table;
      for (std::int64_t i = 0; i < p.batch * pages; ++i) table.push_back(static_cast<std::int32_t>((i * 5 + 3) % 7));
      spec.block_table = Tensor(table, {p.batch, pages}, device_).node();
    }
    ops::AttentionSpec plain_spec = spec;
    spec.k_scales = k.scales.node();
    spec.v_scales = v.scales.node();
    const auto got = numbers(Tensor(ops::attention(x.q.node(), k.quants.node(), v.quants.node(), spec)));
    // In f32 the values are the same; tensor cores round them to f16 as they are loaded.
    const Tensor want(ops::attention(x.q.node(), k.dequantized(dtype).node(), v.dequantized(dtype).node(), plain_spec));
    const bool rounded = dtype != f32;
    const Difference diff = compare(got, numbers(want));
    EXPECT_LE(diff.most, rounded ? 24 * unit_roundoff(dtype) : 1e-6) << p.name() << " " << name(dtype);
    EXPECT_GT(diff.scale, 0.1);
    const Tensor composed(ops::attention_composed(x.q.node(), k.quants.node(), v.quants.node(), spec));
    EXPECT_LE(compare(numbers(composed), got).most, rounded ? 24 * unit_roundoff(dtype) : 2e-5) << p.name();
  }
};

TEST_P(AttentionQuantized, Tiles) {
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16, bf16}) {
    if (all) check({2, 4, 2, 33, 70, 64, true}, t, 32);
    Problem p{2, 4, 2, 20, 45, 32, true, 9, Mask::kRow};
    p.lengths = {45, 0};
    p.softcap = 2;
    p.sinks = 0.5;
    if (all || t == f16) check(p, t, 16);
    p = {2, 2, 2, 5, 60, 80};
    p.lengths = {60, 31};
    if (all || t == f32) check(p, t, 16, 3);
  }
  for (const std::int64_t d : {4, 8, 128, 256}) {
    if (all) check({1, 2, 1, 20, 40, d, true}, f32, std::min<std::int64_t>(d, 32));
  }
}

// On devices with tensor cores these are their kernels.
TEST_P(AttentionQuantized, HalvesInTiles) {
  if (!every_variant(device_) && schedule::DeviceModel(device_.info()).matrix_size == 0) return;
  Problem p{2, 4, 2, 33, 70, 32, true};
  p.lengths = {70, 21};
  p.sinks = 1;
  check(p, f16, 32, 7);
  p.d = 64;
  if (every_variant(device_)) check(p, f16, 32);
}

TEST_P(AttentionQuantized, SplitKv) {
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16}) {
    Problem p{3, 8, 2, 1, 640, 64, true};
    p.split = true;
    p.lengths = {640, 1, 300};
    if (all || t == f16) check(p, t, 32);
    p.sinks = 1;
    p.softcap = 3;
    if (all || t == f32) check(p, t, 32, 40);
    p.d = 128;
    p.lq = 3;
    if (all) check(p, t, 32);
  }
}

// Devices with 8 bindings dequantize first where there are more inputs.
TEST_P(AttentionQuantized, FewBindings) {
  if (!every_variant(device_)) return;
  Problem p{2, 4, 2, 20, 64, 32, true, 0, Mask::kRow};
  p.lengths = {64, 30};
  p.sinks = 0;
  p.workgroup_memory = 16384;
  check(p, f32, 32);
}

TEST_P(AttentionQuantized, Errors) {
  const Tensor q = zeros({2, 4, 3, 64}, f32, device_);
  const Tensor k = zeros({2, 2, 8, 64}, i8, device_);
  const Tensor scales = zeros({2, 2, 8, 2}, f32, device_);
  const auto text = [&](const Tensor& keys, const AttentionOptions& o) {
    return std::string(error_of([&] { scaled_dot_product_attention(q, keys, keys, o); }).what());
  };
  EXPECT_NE(text(k, {.k_scales = scales}).find("scales of k alone"), std::string::npos);
  EXPECT_NE(text(cast(k, f16), {.k_scales = scales, .v_scales = scales}).find("k has type f16"), std::string::npos);
  const Tensor odd = zeros({2, 2, 8, 5}, f32, device_);
  EXPECT_NE(text(k, {.k_scales = odd, .v_scales = odd}).find("[2, 2, 8, 5]"), std::string::npos);
  const Tensor ints = zeros({2, 2, 8, 2}, i32, device_);
  EXPECT_NE(text(k, {.k_scales = ints, .v_scales = ints}).find("type i32"), std::string::npos);
  const Error e = error_of([&] {
    const auto loss = [&](const Tensor& x) {
      return sum(scaled_dot_product_attention(x, k, k, {.k_scales = scales, .v_scales = scales}));
    };
    eval(grad(loss)(q));
  });
  EXPECT_NE(std::string(e.what()).find("in 8 bits"), std::string::npos) << e.what();
}

TESSERA_ON_ALL_DEVICES(AttentionQuantized);

}  // namespace
}  // namespace tessera::test
