// Attention on nodes: the call with its gradients, and the composition that is its reference.
#pragma once

#include <cstdint>
#include <optional>

#include "ops/build.h"

namespace tessera::ops {

/// Whether few queries are computed with split-KV (flash decode).
enum class SplitKv : std::uint8_t { kAuto, kNever, kAlways };

struct AttentionSpec {
  NodePtr mask;                        // null, additive or bool; broadcasts to [B, Hq, Lq, Lk]
  bool causal = false;                 // query i attends to keys up to i + Lk - Lq
  std::optional<double> scale;         // none: 1 / sqrt(D)
  std::optional<double> softcap;       // scores become softcap * tanh(score / softcap); none: as they are
  NodePtr sinks;                       // null, or a score for each head without a value: floats [Hq]
  std::int64_t window = 0;             // keys that a query attends to, up to its own position; 0: all
  NodePtr lengths;                     // null, or the number of valid keys of each sequence: integers [B]
  NodePtr block_table;                 // null, or the pages of each sequence: integers [B, pages]; see AttentionOptions
  NodePtr k_scales, v_scales;          // null, or the scales of k and v, which are i8; see AttentionOptions
  std::uint64_t workgroup_memory = 0;  // for tests: a device with so many bytes and 8 bindings; 0: the device's own
  SplitKv split = SplitKv::kAuto;      // for tests
};

/// The attributes of the calls "attention" and "attention_backward". The first takes q, k, v of rank 4, and the mask,
/// the lengths (i32), the sinks and the scales of k and v, if any, and gives the output and the logarithm (base two) of
/// each row's sum in the compute dtype; the second takes q, k, v, the output's gradient, the output, the logarithms,
/// the mask, the lengths and the sinks, and gives the gradients of q, k and v.
struct AttentionAttributes {
  bool masked = false, lengths = false;
  double scale = 1;
  bool causal = false;
  std::int64_t window = 0;
  std::uint64_t workgroup_memory = 0;
  SplitKv split = SplitKv::kAuto;
  bool paged = false;  // a block table (i32) is the last input
  double softcap = 0;  // 0: none
  bool sinks = false;
  std::int64_t scaled = 0;  // elements of k and v, in i8, that share a scale; 0: they have none
  static auto fields(auto& s) {
    return std::tie(s.masked, s.lengths, s.scale, s.causal, s.window, s.workgroup_memory, s.split, s.paged, s.softcap,
                    s.sinks, s.scaled);
  }
};

/// softmax(q k^T * scale + mask) v for q [B, Hq, Lq, D] and k, v [B, Hkv, Lk, D], or of rank 3 without B.
NodePtr attention(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec);
/// The same as a composition, which writes the scores.
NodePtr attention_composed(const NodePtr& q, const NodePtr& k, const NodePtr& v, const AttentionSpec& spec);

/// Keys or values of rank 4 in i8 times their scales, in a float dtype.
NodePtr attention_dequantized(const NodePtr& x, const NodePtr& scales, DType dtype);

/// Rotates pairs of elements of the last axis by position * base^(-2i/D) / scaling: adjacent elements if `interleaved`,
/// else an element of the first half with one of the second. x is [.., L, D]; positions is [L] or broadcasts to [..,
/// L].
NodePtr rope(const NodePtr& x, const NodePtr& positions, double base, double scaling, bool interleaved);
/// The bias [heads, lq, lk] of attention with linear biases: slope(head) * (key - query), both counted from the end.
NodePtr alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype,
              const std::shared_ptr<runtime::Device>& device);

}  // namespace tessera::ops
