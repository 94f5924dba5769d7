// Attention as a module, with a cache for decoding, and positional encodings.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/attention.h"
#include "tessera/export.h"
#include "tessera/nn/linear.h"
#include "tessera/nn/module.h"

namespace TESSERA_API tessera {
namespace nn {

/// Rotary position embedding of x [.., L, D].
class RoPE : public Module {
 public:
  explicit RoPE(RopeOptions options = {}) : options_(options) {}
  Tensor forward(const Tensor& x) override { return rope(x, 0, options_); }
  Tensor operator()(const Tensor& x, const Tensor& positions) { return rope(x, positions, options_); }
  using Module::operator();

 private:
  RopeOptions options_;
};

/// Adds a bias of slope(head) * (key - query) to scores [.., heads, Lq, Lk].
class ALiBi : public Module {
 public:
  explicit ALiBi(std::int64_t heads) : heads_(heads) {}
  Tensor forward(const Tensor& scores) override;

 private:
  std::int64_t heads_;
};

/// Keys and values of the tokens so far: [B, kv heads, context, D], and how many there are, i32 [1]. Part of the state
/// of a compiled step: compile(step, cache).
class KvCache : public Stateful {
 public:
  Tensor k, v, position;

  KvCache(std::int64_t batch, std::int64_t kv_heads, std::int64_t context, std::int64_t size, DType dtype = f32,
          const Device& device = {});
  void fields(Fields& f) override;
};

struct MultiheadAttentionOptions {
  double dropout = 0;  // of the attention weights; then the scores are stored
  bool bias = true;
  std::int64_t kdim = 0, vdim = 0;  // widths of keys and values, if they are not that of queries
  bool batch_first = false;         // [N, L, E] instead of [L, N, E]
  std::int64_t kv_heads = 0;        // grouped queries: fewer heads of keys and values; 0: as many
  std::optional<RopeOptions> rope = {};
};

/// Parameters have PyTorch's names: in_proj_weight [E + 2 kv, E] (or q_proj_weight, k_proj_weight and v_proj_weight if
/// keys or values have another width), in_proj_bias, out_proj.weight, out_proj.bias.
class MultiheadAttention : public Module {
 public:
  Tensor in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias;
  Linear out_proj;

  MultiheadAttention(std::int64_t width, std::int64_t heads, const MultiheadAttentionOptions& options = {});
  void fields(Fields& f) override;
  /// Self-attention.
  Tensor forward(const Tensor& x) override { return attend(x, x, x); }
  using Module::operator();
  Tensor operator()(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options = {});
  /// Causal self-attention of new tokens over all tokens so far, which the cache then contains. Inside a compiled step
  /// the cache must be part of its state.
  Tensor decode(const Tensor& x, KvCache& cache);
  /// An empty cache for this module.
  [[nodiscard]] KvCache cache(std::int64_t batch, std::int64_t context) const;
  [[nodiscard]] double flops(const Shape& input, const Shape& output) const override;

 private:
  Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options = {});
  [[nodiscard]] Tensor project(const Tensor& x, int which) const;
  [[nodiscard]] Tensor split_heads(const Tensor& x, std::int64_t heads) const;
  [[nodiscard]] Tensor batched(const Tensor& x) const;
  Tensor finish(const Tensor& heads, const Tensor& like);

  std::int64_t width_, heads_, kv_heads_, size_;
  MultiheadAttentionOptions options_;
};
using MultiHeadAttention = MultiheadAttention;

}  // namespace nn
}  // namespace tessera
