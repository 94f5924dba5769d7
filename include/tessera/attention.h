// Attention and positional encodings.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

struct AttentionOptions {
  /// Added to the scores; or bool: true where a query attends to a key. Broadcasts to [B, Hq, Lq, Lk].
  Tensor mask = {};
  /// Query i attends to the keys up to i + Lk - Lq: the last query attends to all of them.
  bool causal = false;
  std::optional<double> scale = {};  // default: 1 / sqrt(D)
  /// Soft-capping: scores become softcap * tanh(score / softcap), before the mask. Positive; default: none.
  std::optional<double> softcap = {};
  /// Attention sinks: a score for each head, floats [Hq], that takes part in the softmax and has no value, so that the
  /// weights of the keys sum to less than 1.
  Tensor sinks = {};
  /// Sliding window: how many keys a query attends to, up to and including its own position i + Lk - Lq; 0: all.
  std::int64_t window = 0;
  /// The number of valid keys of each sequence, integers [B] on the device or one for all, at most Lk: the rest of k
  /// and v is not read. Causal masks and windows count from each sequence's own end: Lk is then its length.
  Tensor lengths = {};
  /// Pages of a cache in any order: k and v are [pages, Hkv, page size, D], the pool, in which page i of sequence b is
  /// block_table[b][i]: integers [B, most pages] on the device. Lk is then the row of the table times the page size,
  /// and `lengths` says how much of it there is; entries behind it are not used. Without gradients.
  Tensor block_table = {};
  /// Keys and values in 8 bits: k and v are i8, contiguous, and n neighbors along D share a scale, floats [B, Hkv, Lk,
  /// D / n] (with a block table [pages, Hkv, page size, D / n]); n is a multiple of 4. Both or none. Without gradients.
  Tensor k_scales = {};
  Tensor v_scales = {};
};

/// softmax(q k^T * scale + mask) v for q [B, Hq, Lq, D] and k, v [B, Hkv, Lk, D], or all of rank 3 without B. Hq is a
/// multiple of Hkv: consecutive heads of q share a head of k and v (grouped-query attention). Flash attention: the
/// scores are not stored, and accumulation is in f32. Views are read without a copy if their rows are contiguous and
/// start at multiples of four elements: heads of a fused projection, the front of a cache. A query that attends to no
/// key gives zeros. Gradients of a mask, of sinks and with soft-capping, and head sizes above 256, use the unfused
/// composition.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

struct RopeOptions {
  double base = 10000;
  double scaling = 1;        // divides the positions
  bool interleaved = false;  // pairs are adjacent; else element i pairs with element i + D / 2
};

/// Rotary position embedding: rotates the pairs of the last axis of x [.., L, D] by position * base^(-2i / D).
Tensor rope(const Tensor& x, const Tensor& positions, const RopeOptions& options = {});  // broadcast to [.., L]
Tensor rope(const Tensor& x, std::int64_t offset = 0, const RopeOptions& options = {});  // offset, offset + 1, ..

/// ALiBi bias [heads, lq, lk]: slope(head) * (key - query), for use as a mask. The queries are the last lq of the lk
/// positions.
Tensor alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype = f32, const Device& device = {});

}  // namespace tessera

#include "tessera/members/attention.h"  // IWYU pragma: export
