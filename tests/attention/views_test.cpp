// Attention on views: heads out of a fused projection, the front of a cache, transposed operands. Where the rows are
// whole quads the kernels read the views without a copy; the results are those of the same kernels on copies.
#include "support.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

using Mask = Problem::Mask;

class AttentionViews : public DeviceTest {
 protected:
  /// The operands as views, and as tensors of their own.
  struct Both {
    Data views, copies;
  };

  Tensor numbers_of(const Shape& shape, DType dtype, std::uint32_t seed, double range = 2) const {
    Tensor t = make_tensor(plain(dtype, shape, seed, -range, range), device_);
    t.eval();
    return t;
  }

  static Data copied(const Data& x) {
    Data y = x;
    for (Tensor* t : {&y.q, &y.k, &y.v, &y.gradient}) {
      *t = contiguous(*t);
      t->eval();
    }
    return y;
  }

  /// q, k and v out of the columns of one projection, [B, L, (Hq + 2 Hkv) D]; the gradient is [B, L, Hq, D] in memory.
  Both fused(const Problem& p, DType dtype) const {
    const std::int64_t columns = (p.hq + 2 * p.hkv) * p.d;
    const Tensor all = numbers_of({p.batch, p.lq, columns}, dtype, 11);
    const auto heads = [&](std::int64_t first, std::int64_t count) {
      const Tensor part = slice(all, {{}, {}, {first * p.d, (first + count) * p.d}});
      return permute(reshape(part, {p.batch, p.lq, count, p.d}), {0, 2, 1, 3});
    };
    Data x = data_of(p, dtype, dtype, device_);  // for the mask
    x.q = heads(0, p.hq);
    x.k = heads(p.hq, p.hkv);
    x.v = heads(p.hq + p.hkv, p.hkv);
    x.gradient = permute(numbers_of({p.batch, p.lq, p.hq, p.d}, dtype, 12, 1), {0, 2, 1, 3});
    return {x, copied(x)};
  }

  /// Keys and values are the front of caches that have room for more, with an axis for the layer in front.
  Both cached(const Problem& p, DType dtype) const {
    const auto front = [&](std::uint32_t seed) {
      const Tensor cache = numbers_of({3, p.batch, p.hkv, p.lk + 5, p.d}, dtype, seed);
      return reshape(slice(cache, {{1, 2}, {}, {}, {2, 2 + p.lk}}), {p.batch, p.hkv, p.lk, p.d});
    };
    Data x = data_of(p, dtype, dtype, device_);
    x.k = front(13);
    x.v = front(14);
    return {x, copied(x)};
  }

  static std::vector<double> forward(const Problem& p, const Data& x) {
    return numbers(Tensor(ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x))));
  }

  /// The gradients of q, k and v.
  static std::vector<std::vector<double>> backward(const Problem& p, const Data& x) {
    const auto f = [&](const Tensors& in) {
      const Tensor y(ops::attention(in[0].node(), in[1].node(), in[2].node(), spec_of(p, x)));
      return Tensors{y};
    };
    std::vector<std::vector<double>> out;
    for (const Tensor& t : vjp(f, {x.q, x.k, x.v}, {x.gradient}).second) out.push_back(numbers(t));
    return out;
  }

  std::uint64_t dispatches(const std::function<void()>& run) const {
    const std::uint64_t before = statistics(device_).dispatches;
    run();
    return statistics(device_).dispatches - before;
  }

  void check(const Problem& p, DType dtype, const Both& x, bool gradients) const {
    const std::string what = p.name() + " " + std::string(name(dtype));
    EXPECT_EQ(forward(p, x.views), forward(p, x.copies)) << what;
    // Nothing is copied: it takes the kernels that it takes on the copies.
    EXPECT_EQ(dispatches([&] { forward(p, x.views); }), dispatches([&] { forward(p, x.copies); })) << what;
    if (gradients) {
      EXPECT_EQ(backward(p, x.views), backward(p, x.copies)) << what;
    }
  }
};

TEST_P(AttentionViews, HeadsOfAFusedProjection) {
  const bool all = every_variant(device_);
  for (const DType t : {f32, f16, bf16}) {
    check({2, 4, 2, 35, 35, 32, true}, t, fused({2, 4, 2, 35, 35, 32, true}, t), all || t != bf16);
    const Problem masked{2, 2, 1, 20, 20, 32, false, 7, Mask::kAdditive};
    if (all || t == f32) check(masked, t, fused(masked, t), t == f32);
  }
  Problem p{2, 4, 2, 70, 70, 32, true};
  p.lengths = {70, 33};
  for (const DType t : {f32, f16}) {
    if (all || t == f32) check(p, t, fused(p, t), true);
  }
}

TEST_P(AttentionViews, FrontOfACache) {
  for (const DType t : {f32, f16, bf16}) {
    const Problem p{2, 4, 2, 20, 90, 32, true, 30};
    check(p, t, cached(p, t), t == f32);
    Problem few{2, 8, 2, 2, 700, 64, true};
    few.split = true;
    if (every_variant(device_) || t == f16) check(few, t, cached(few, t), false);
    few.lengths = {300, 699};
    few.mask = Mask::kRow;
    if (every_variant(device_) || t == f32) check(few, t, cached(few, t), false);
  }
}

TEST_P(AttentionViews, KeysOfOneSequenceForAll) {
  // A stride of 0: the batches share the keys.
  const Problem p{3, 2, 2, 20, 40, 32};
  Data x = data_of(p, f32, f32, device_);
  x.k = broadcast_to(numbers_of({1, 2, 40, 32}, f32, 5), {3, 2, 40, 32});
  x.v = broadcast_to(numbers_of({1, 2, 40, 32}, f32, 6), {3, 2, 40, 32});
  check(p, f32, {x, copied(x)}, true);
}

TEST_P(AttentionViews, BackwardsInTime) {
  const Problem p{1, 2, 2, 20, 40, 32, true};
  Data x = data_of(p, f32, f32, device_);
  x.k = flip(numbers_of({1, 2, 40, 32}, f32, 5), {2});  // a negative stride
  check(p, f32, {x, copied(x)}, true);
}

// What is not in whole quads is copied: odd heads, odd offsets, and elements that are not adjacent.
TEST_P(AttentionViews, CopiesOfWhatIsNotInQuads) {
  const Problem odd{1, 2, 1, 20, 20, 30, true};
  const Both x = fused(odd, f32);
  EXPECT_EQ(forward(odd, x.views), forward(odd, x.copies));
  EXPECT_EQ(backward(odd, x.views), backward(odd, x.copies));

  const Problem p{1, 2, 2, 20, 40, 32};
  Data y = data_of(p, f32, f32, device_);
  y.q = slice(numbers_of({1, 2, 20, 33}, f32, 7), {{}, {}, {}, {1, 33}});
  y.k = slice(numbers_of({1, 2, 40, 36}, f32, 7), {{}, {}, {}, {2, 34}});
  y.v = permute(numbers_of({1, 2, 32, 40}, f32, 7), {0, 1, 3, 2});
  EXPECT_EQ(forward(p, y), forward(p, copied(y)));
  if (!on_cpu()) {
    EXPECT_GT(dispatches([&] { forward(p, y); }), 1U);
  }
}

// The usual way into a projection: the rows of the result are those of the projection's operand.
TEST_P(AttentionViews, ResultsForAProjection) {
  for (const DType t : {f32, f16}) {
    for (const std::int64_t lq : {3, 40}) {
      Problem p{2, 4, 2, lq, lq == 3 ? 600 : 40, 32};
      p.split = true;
      const Data x = data_of(p, t, t, device_);
      const auto rows = [&](const Tensor& y) { return reshape(permute(y, {0, 2, 1, 3}), {p.batch, lq, p.hq * p.d}); };
      const Tensor y(ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x)));
      const Tensor apart(ops::attention(x.q.node(), x.k.node(), x.v.node(), spec_of(p, x)));
      apart.eval();
      EXPECT_EQ(numbers(rows(y)), numbers(rows(apart))) << lq;
    }
  }
}

TESSERA_ON_ALL_DEVICES(AttentionViews);
TESSERA_ON_REDUCED_DEVICES(AttentionViews);

// Bindings of a few KiB: a cache that cannot be bound, the front of which can.
class AttentionInWindows : public DeviceTest {};

TEST_P(AttentionInWindows, FrontOfACacheThatCannotBeBound) {
  const auto run = [](const Device& device) {
    const Tensor cache = make_tensor(plain(f32, {1, 1, 200, 4}, 3, -1, 1), device);
    const Tensor q = make_tensor(plain(f32, {1, 2, 3, 4}, 4, -1, 1), device);
    const Tensor front = slice(cache, {{}, {}, {100, 150}});
    return numbers(scaled_dot_product_attention(q, front, front));
  };
  const std::vector<double> want = run(open({"cpu", "cpu", "", 0}));
  EXPECT_LE(compare(run(open(GetParam())), want).most, 1e-6);
}

TESSERA_ON_WINDOWED_DEVICES(AttentionInWindows);

}  // namespace
}  // namespace tessera::test
