// Linear layers of a decoder together with what surrounds them: a kernel each in place of three to eight.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/export.h"
#include "tessera/tensor.h"

namespace TESSERA_API tessera {

enum class FusedActivation : std::uint8_t { kSilu, kGelu, kGeluTanh, kRelu };

/// What is in front of the matmuls and what they have in common.
struct FusedLinearOptions {
  Tensor norm = {};                 // weights [K] of an RMS norm of x, f32; empty: none
  double eps = 1e-5;                // of the norm
  double norm_offset = 0;           // added to the weights of the norm
  std::vector<Tensor> biases = {};  // one for each weight, [N] f32; empty: none
  double scale = 1;                 // of the matmuls, before the biases
};

// For x [.., K] and weights [N, K] of float or block dtypes. Up to 8 rows of x are one kernel on a GPU, which reads
// each weight once: sums and results are f32 whatever the dtype of the weights, and so is x; for weights of block
// dtypes most GPUs round it to 8 bits, in units of the largest of 16 elements. More rows, the CPU, and sizes that are
// not multiples of 16 are a composition of ops. They have no gradient.

/// The linear layers of one input, each result [.., N] in f32.
std::vector<Tensor> fused_linear(const Tensor& x, const std::vector<Tensor>& weights,
                                 const FusedLinearOptions& options = {});
/// residual + linear(x), for a residual [.., N] in f32.
Tensor fused_linear_add(const Tensor& x, const Tensor& weight, const Tensor& residual,
                        const FusedLinearOptions& options = {});
/// activation(gate(x)) * up(x).
Tensor fused_gated_linear(const Tensor& x, const Tensor& gate, const Tensor& up, FusedActivation activation,
                          const FusedLinearOptions& options = {});

/// Where the keys and values of one new token for each sequence go, and their positions.
struct FusedQkvOptions {
  /// RoPE: the D / 2 cosines and then the D / 2 sines of the new positions, f32 [1 or B, D]. Pairs are elements i and
  /// i + D / 2, or neighbors.
  Tensor rotation = {};
  bool interleaved = false;
  Tensor starts = {};      // the position of each new token: integers [B]
  double value_scale = 1;  // of the values in the cache
};
struct FusedQkv {
  Tensor queries;           // [B, Hq, 1, D] in the dtype of the caches
  Tensor k_cache, v_cache;  // with the new rows; in place if nobody else holds them
};
/// Queries, keys and values of x [B, K], one token of each sequence: weights of q, k and v, rotated heads of q and k,
/// and keys and values written to caches [B, Hkv, context, D] in f32, f16 or bf16. A position past the context is an
/// Error of kind value at the next wait.
FusedQkv fused_qkv(const Tensor& x, const std::vector<Tensor>& weights, const Tensor& k_cache, const Tensor& v_cache,
                   const FusedQkvOptions& qkv, const FusedLinearOptions& options = {});

}  // namespace tessera
