// Attention on nodes: flash attention kernels, their gradients, and the composition that is their reference.
#pragma once

#include <cstdint>
#include <optional>

#include "ops/build.h"

namespace tessera::ops {

struct AttentionSpec {
  NodePtr mask;                            // null, additive or bool; broadcasts to [B, Hq, Lq, Lk]
  bool causal = false;                     // query i attends to keys up to i + Lk - Lq
  std::optional<double> scale;             // none: 1 / sqrt(D)
  std::int64_t window = 0;                 // keys that a query attends to, up to its own position; 0: all
  std::uint64_t workgroup_memory = 16384;  // of the device, in bytes
  std::uint32_t unit = 0, lanes = 0;       // of the device's cooperative matrices and subgroups; 0: none
  bool split = false;                      // split-KV (flash decode) for few queries: for GPUs
};

/// softmax(q k^T * scale + mask) v for q [B, Hq, Lq, D] and k, v [B, Hkv, Lk, D], or of rank 3 without B.
NodePtr attention(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec);
/// The same as a composition, which writes the scores.
NodePtr attention_composed(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec);

/// Rotates pairs of elements of the last axis by position * base^(-2i/D) / scaling: adjacent elements if `interleaved`,
/// else an element of the first half with one of the second. x is [.., L, D]; positions is [L] or broadcasts to [..,
/// L].
NodePtr rope(const NodePtr& x, const NodePtr& positions, double base, double scaling, bool interleaved);
/// The bias [heads, lq, lk] of attention with linear biases: slope(head) * (key - query), both counted from the end.
NodePtr alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype,
              const std::shared_ptr<runtime::Device>& device);

// ---- For the gradient and the tests (attention_kernels.cpp) ----

/// Sizes of a call of rank 4, and its mask.
struct AttentionCall {
  std::int64_t batch = 1, hq = 1, hkv = 1, lq = 0, lk = 0, d = 0;
  double scale = 1;
  bool causal = false;
  std::int64_t window = 0;
  std::uint64_t workgroup_memory = 16384;
  std::uint32_t unit = 0, lanes = 0;
};
/// The output and the logarithm (base two) of each row's sum; d is a multiple of four. Both have the compute dtype, but
/// the output is f16 with tensor cores.
std::vector<NodePtr> attention_forward(const AttentionCall& call, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                       const NodePtr& mask);
/// Split-KV: for each kKeysPerSplit keys the sum of weighted values [.., splits, d], and the largest score with the sum
/// of the weights [.., splits, 2], in powers of two.
inline constexpr std::int64_t kKeysPerSplit = 256;
std::vector<NodePtr> attention_split_kv(const AttentionCall& call, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                        const NodePtr& mask);
/// The gradients of q, k and v. `stats` holds each row's logarithm and sum(gradient * output).
std::vector<NodePtr> attention_backward(const AttentionCall& call, const NodePtr& q, const NodePtr& k, const NodePtr& v,
                                        const NodePtr& mask, const NodePtr& gradient, const NodePtr& stats);

}  // namespace tessera::ops
