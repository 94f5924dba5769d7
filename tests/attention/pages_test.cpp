// Attention over pages of a cache: equal to gathering the pages of each sequence and attending densely.
#include "support.h"
#include "support/errors.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

class AttentionPages : public DeviceTest {
 protected:
  /// `lk` of the problem is pages * page keys; `by_row`: a page is [page, Hkv, D] in memory.
  void check(Problem p, DType dtype, std::int64_t pages, bool by_row) const {
    const std::int64_t page = p.lk / pages;
    const std::int64_t pool = pages * p.batch + 3;
    const auto make = [&](std::uint32_t seed) {
      const Shape shape = by_row ? Shape{pool, page, p.hkv, p.d} : Shape{pool, p.hkv, page, p.d};
      const Tensor t = make_tensor(plain(dtype, shape, seed, -2, 2), device_);
      return by_row ? permute(t, {0, 2, 1, 3}) : t;
    };
    const Tensor k = make(21);
    const Tensor v = make(22);
    // Pages in no order, some of which sequences share; entries behind the end are out of bounds.
    std::vector<std::int32_t> table;
    std::vector<std::int32_t> inside;
    for (std::int64_t b = 0; b < p.batch; ++b) {
      for (std::int64_t i = 0; i < pages; ++i) {
        const auto at = static_cast<std::int32_t>((i * 7 + b * 5 + 2) % pool);
        const bool used = i * page < p.lengths[static_cast<std::size_t>(b)];
        table.push_back(used ? at : (i % 2 == 0 ? -1 : 1 << 30));
        inside.push_back(used ? at : 0);
      }
    }
    const auto dense = [&](const Tensor& x) {
      const Tensor taken = take(x, Tensor(inside, {p.batch, pages}, device_), 0);  // [B, pages, Hkv, page, D]
      return reshape(permute(taken, {0, 2, 1, 3, 4}), {p.batch, p.hkv, p.lk, p.d});
    };
    const Data x = data_of(p, dtype, dtype, device_);
    ops::AttentionSpec spec = spec_of(p, x);
    const Tensor want(ops::attention(x.q.node(), dense(k).node(), dense(v).node(), spec));
    spec.block_table = Tensor(table, {p.batch, pages}, device_).node();
    const Tensor got(ops::attention(x.q.node(), k.node(), v.node(), spec));
    EXPECT_EQ(numbers(got), numbers(want)) << p.name() << " " << name(dtype) << (by_row ? " by row" : "");
    const Tensor composed(ops::attention_composed(x.q.node(), k.node(), v.node(), spec));
    EXPECT_LE(compare(numbers(composed), numbers(want)).most, dtype == f32 ? 1e-5 : 2e-2) << p.name();
  }
};

TEST_P(AttentionPages, Tiles) {
  for (const DType t : {f32, f16, bf16}) {
    const bool all = every_variant(device_);
    Problem p{3, 4, 2, 20, 96, 32, true};
    p.lengths = {96, 17, 50};
    if (all || t == f32) check(p, t, 6, false);
    p.window = 25;
    p.mask = Mask::kRow;
    if (all || t == f16) check(p, t, 12, true);
    p = {2, 2, 2, 33, 60, all ? 64 : 32};  // pages of 20 keys
    p.lengths = {0, 41};
    if (all || t == f32) check(p, t, 3, t == f32);
  }
}

TEST_P(AttentionPages, SplitKv) {
  for (const DType t : {f32, f16}) {
    Problem p{3, 8, 2, 1, 640, 64, true};
    p.split = true;
    p.lengths = {640, 1, 300};
    if (every_variant(device_) || t == f32) check(p, t, 40, true);
    p.lq = 3;
    if (every_variant(device_)) check(p, t, 10, false);
  }
}

TEST_P(AttentionPages, OddAndLargeHeads) {
  Problem p{2, 2, 1, 5, 32, 30};  // padded to whole quads
  p.lengths = {32, 9};
  check(p, f32, 4, false);
  p.d = 300;  // the composition
  check(p, f32, 4, true);
}

TEST_P(AttentionPages, Errors) {
  const Tensor q = zeros({2, 2, 1, 32}, f32, device_);
  const Tensor pool = zeros({8, 2, 16, 32}, f32, device_);
  const Tensor lengths = zeros({2}, i32, device_);
  const auto text = [&](const AttentionOptions& o, const Tensor& of) {
    return std::string(error_of([&] { scaled_dot_product_attention(of, pool, pool, o); }).what());
  };
  const Tensor table = zeros({2, 4}, i32, device_);
  EXPECT_NE(text({.block_table = table}, q).find("without `lengths`"), std::string::npos);
  EXPECT_NE(text({.lengths = lengths, .block_table = zeros({3, 4}, i32, device_)}, q).find("[2, pages] is expected"),
            std::string::npos);
  EXPECT_NE(text({.lengths = lengths, .block_table = zeros({2, 4}, f32, device_)}, q).find("type f32"),
            std::string::npos);
  const Error e = error_of([&] {
    const auto loss = [&](const Tensor& x) {
      return sum(scaled_dot_product_attention(x, pool, pool, {.lengths = lengths, .block_table = table}));
    };
    eval(grad(loss)(q));
  });
  EXPECT_NE(std::string(e.what()).find("with a block table"), std::string::npos) << e.what();
}

TESSERA_ON_ALL_DEVICES(AttentionPages);

}  // namespace
}  // namespace tessera::test
