// The kernels of a transformer layer: pre-norm, fused qkv, rope, attention and an MLP, forward, backward and decode.
#include <algorithm>

#include "support.h"

namespace tessera::test {
namespace {

class Transformer : public NullTest {
 protected:
  static constexpr std::int64_t kHeads = 16, kKvHeads = 4, kHead = 64, kModel = kHeads * kHead, kHidden = 4 * kModel;
  static constexpr std::int64_t kColumns = (kHeads + 2 * kKvHeads) * kHead;

  /// The weights of a layer: norms, qkv, output projection, and those of the MLP.
  Tensors weights(DType dtype, bool gated) const {
    Tensors w{input({kModel}, dtype), input({kColumns, kModel}, dtype), input({kModel, kModel}, dtype),
              input({kModel}, dtype), input({kHidden, kModel}, dtype),  input({kModel, kHidden}, dtype)};
    if (gated) w.push_back(input({kHidden, kModel}, dtype));
    return w;
  }

  /// With weights as checkpoints have them, [out, in].
  static Tensor linear(const Tensor& x, const Tensor& weight) { return matmul(x, weight.T()); }

  static Tensor heads(const Tensor& qkv, std::int64_t first, std::int64_t count) {
    const Shape& s = qkv.shape();
    const Tensor part = slice(qkv, {{}, {}, {first * kHead, (first + count) * kHead}});
    return permute(reshape(part, {s[0], s[1], count, kHead}), {0, 2, 1, 3});
  }

  static Tensor mlp(const Tensor& x, const Tensors& w) {
    const Tensor y = rms_norm(x, w[3]);
    const Tensor up = linear(y, w[4]);
    return x + linear(w.size() > 6 ? silu(linear(y, w[6])) * up : gelu(up), w[5]);
  }

  static Tensor projected(const Tensor& x, const Tensor& y, const Tensors& w) {
    return x + linear(reshape(permute(y, {0, 2, 1, 3}), x.shape()), w[2]);
  }

  /// Queries and keys are rotated together.
  static Tensor layer(const Tensor& x, const Tensors& w) {
    const Tensor qkv = linear(rms_norm(x, w[0]), w[1]);
    const Tensor qk = rope(heads(qkv, 0, kHeads + kKvHeads));
    const Tensor y =
        scaled_dot_product_attention(slice(qk, {{}, {0, kHeads}}), slice(qk, {{}, {kHeads, kHeads + kKvHeads}}),
                                     heads(qkv, kHeads + kKvHeads, kKvHeads), {.causal = true});
    return mlp(projected(x, y, w), w);
  }

  /// A layer of GPT-2's form: learned positions outside of it, so that queries and keys are not rotated.
  static Tensor plain_layer(const Tensor& x, const Tensors& w) {
    const Tensor qkv = linear(layer_norm(x, w[0]), w[1]);
    const Tensor y = scaled_dot_product_attention(heads(qkv, 0, kHeads), heads(qkv, kHeads, kKvHeads),
                                                  heads(qkv, kHeads + kKvHeads, kKvHeads), {.causal = true});
    return mlp(projected(x, y, w), w);
  }

  /// One token of a layer: the new rows of keys and values are appended to `rows`, which are roots, as a write to the
  /// caches is.
  static Tensor decode(const Tensor& x, const Tensors& w, const Tensor& cache, const Tensor& lengths, Tensors& rows) {
    const Tensor qkv = linear(rms_norm(x, w[0]), w[1]);
    const Tensor at = expand_dims(lengths, -1);
    const Tensor q = rope(heads(qkv, 0, kHeads), at);
    rows.push_back(rope(heads(qkv, kHeads, kKvHeads), at));
    rows.push_back(heads(qkv, kHeads + kKvHeads, kKvHeads));
    // The first 2000 of 4096 entries of keys and of values.
    const auto front = [&](std::int64_t i) {
      return reshape(slice(cache, {{i, i + 1}, {}, {}, {0, 2000}}), {1, kKvHeads, 2000, kHead});
    };
    const Tensor y = scaled_dot_product_attention(q, front(0), front(1), {.lengths = lengths});
    return mlp(projected(x, y, w), w);
  }

  std::vector<std::string> labels(const std::vector<Tensor>& roots) const {
    std::vector<std::string> list;
    for (const Kernel& k : plan(roots).kernels) list.push_back(k.label());
    return list;
  }

  std::vector<std::string> forward(DType t, bool gated, int layers) const {
    Tensor x = input({2, 1024, kModel}, t);
    for (int i = 0; i < layers; ++i) x = layer(x, weights(t, gated));
    return labels({x});
  }

  std::vector<std::string> decoded(DType t, bool gated) const {
    Tensors roots;
    const Tensor y = decode(input({1, 1, kModel}, t), weights(t, gated), input({2, 1, kKvHeads, 4096, kHead}, t),
                            input({1}, i32), roots);
    roots.push_back(y);
    return labels(roots);
  }
};

/// Kernels that only move elements.
std::size_t copies(const std::vector<std::string>& list) {
  return static_cast<std::size_t>(std::ranges::count(list, "copy"));
}

// The norm, qkv, rope, attention, the projection with the residual, the norm, and two matmuls of the MLP with GELU and
// the residual; a gated MLP has a matmul more. The two kernels of rope's angles serve all layers.
TEST_F(Transformer, Forward) {
  for (const DType t : {f32, f16}) {
    for (const bool gated : {false, true}) {
      const auto one = forward(t, gated, 1);
      const auto two = forward(t, gated, 2);
      EXPECT_EQ(two.size() - one.size(), gated ? 9U : 8U) << fmt::format("{}", fmt::join(two, "\n"));
      EXPECT_EQ(one.size(), gated ? 11U : 10U) << fmt::format("{}", fmt::join(one, "\n"));
      EXPECT_EQ(copies(two), 0U);
    }
  }
}

TEST_F(Transformer, ForwardWithoutRope) {
  for (const DType t : {f32, f16}) {
    const auto list = labels({plain_layer(input({2, 1024, kModel}, t), weights(t, false))});
    EXPECT_EQ(list.size(), 7U) << fmt::format("{}", fmt::join(list, "\n"));
    EXPECT_EQ(copies(list), 0U);
  }
}

TEST_F(Transformer, Backward) {
  for (const DType t : {f32, f16}) {
    Tensors in = weights(t, false);
    in.insert(in.begin(), input({2, 1024, kModel}, t));
    const auto f = [](const Tensors& x) { return Tensors{layer(x[0], Tensors(x.begin() + 1, x.end()))}; };
    const auto list = labels(vjp(f, in, {input({2, 1024, kModel}, t)}).second);
    EXPECT_EQ(list.size(), t == f32 ? 27U : 28U) << fmt::format("{}", fmt::join(list, "\n"));
    EXPECT_EQ(copies(list), 0U);
  }
}

// As the forward pass, with split-KV and its combination; rope of queries and keys, and the new values, share a
// dispatch, and so do the two projections of a gated MLP. The kernel of rope's angles serves all layers.
TEST_F(Transformer, Decode) {
  for (const DType t : {f32, f16}) {
    for (const bool gated : {false, true}) {
      const auto list = decoded(t, gated);
      EXPECT_EQ(list.size() - 1, 9U) << fmt::format("{}", fmt::join(list, "\n"));
      EXPECT_EQ(copies(list), 0U);
    }
  }
}

}  // namespace
}  // namespace tessera::test
