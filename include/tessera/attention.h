// Attention, and the ways to tell it positions.
#pragma once

#include <cstdint>
#include <optional>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

struct AttentionOptions {
  /// Added to the scores, or of bool: true where a query sees a key. Broadcasts to [B, Hq, Lq, Lk].
  Tensor mask = {};
  /// Query i sees the keys up to i + Lk - Lq: the last query sees all of them.
  bool causal = false;
  std::optional<double> scale = {};  // none: 1 / sqrt(D)
  /// How many keys a query sees up to its own place i + Lk - Lq, that one included; 0: all.
  std::int64_t window = 0;
};

/// softmax(q k^T * scale + mask) v for q [B, Hq, Lq, D] and k, v [B, Hkv, Lk, D], or all of rank 3 without B. Hq is a
/// multiple of Hkv: neighbouring heads of q share a head of k and v. The scores are never written, and sums are f32.
/// A query that sees no key gives zeros. Only the gradient of a mask, and heads of more than 256, take the long way.
Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionOptions& options = {});

struct RopeOptions {
  double base = 10000;
  double scaling = 1;        // positions are divided by it
  bool interleaved = false;  // pairs are neighbours; else element i turns with element i + D / 2
};

/// Rotary positions: turns the pairs of the last axis of x [.., L, D] by position * base^(-2i / D).
Tensor rope(const Tensor& x, const Tensor& positions, const RopeOptions& options = {});  // broadcast to [.., L]
Tensor rope(const Tensor& x, std::int64_t offset = 0, const RopeOptions& options = {});  // offset, offset + 1, ..

/// The bias [heads, lq, lk] of linear biases, slope(head) * (key - query), to be given as a mask. Queries are the last
/// lq of the lk places.
Tensor alibi(std::int64_t heads, std::int64_t lq, std::int64_t lk, DType dtype = f32, const Device& device = {});

}  // namespace tessera
