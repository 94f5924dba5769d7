// Linear layers together with what surrounds them in a decoder, on nodes: one kernel for few rows.
#pragma once

#include <tuple>
#include <vector>

#include "ops/build.h"

namespace tessera::ops {

/// What follows the matmuls.
enum class LinearEpilogue : std::uint8_t {
  kNone,
  kResidual,  // of one weight: added to a tensor
  kSilu,
  kGelu,
  kGeluTanh,
  kRelu,  // of two weights: activation(y0) * y1
  kQkv,   // of three weights: RoPE of y0 and y1, and y1 and y2 are written to caches
};
constexpr bool is_gate(LinearEpilogue e) { return e >= LinearEpilogue::kSilu && e <= LinearEpilogue::kRelu; }

/// The attributes of the call "fused_linear". Its inputs are x [m, k], the weights of the norm [k], the weights [n, k]
/// (the planes of those of block dtypes), the biases [n], all f32 but x and the weights; then the residual [m, n]; or
/// the cosines and then the sines of positions [1 or m, size], the positions i32 [m], and the caches of keys and values
/// [m, kv heads, context, size]. Results are f32 [m, n] of each weight; of kQkv the queries [m, n] in the dtype of the
/// caches, and the caches.
struct FusedLinearCall {
  std::vector<std::int64_t> dtypes = {};   // of the weights
  std::vector<std::int64_t> outputs = {};  // their n
  bool norm = false, biases = false;
  double eps = 0;
  double norm_offset = 0;  // added to the weights of the norm
  double scale = 1;        // of the results before the bias
  LinearEpilogue epilogue = LinearEpilogue::kNone;
  // kQkv
  std::int64_t head_size = 0;
  bool interleaved = false;
  double value_scale = 1;  // of what is written to the cache of values
  static auto fields(auto& s) {
    return std::tie(s.dtypes, s.outputs, s.norm, s.biases, s.eps, s.norm_offset, s.scale, s.epilogue, s.head_size,
                    s.interleaved, s.value_scale);
  }
};

/// The tensors of a call, which its inputs list.
struct FusedLinear : FusedLinearCall {
  NodePtr x, norm_weight;
  std::vector<NodePtr> weights, bias;
  NodePtr residual, rotation, starts, k_cache, v_cache;
};

/// x [m, k] times the transposes of the weights, by the call.
std::vector<NodePtr> fused_linear(FusedLinear f);
/// The same as a composition of ops in f32; or, for two or three weights, of a call for each of them.
std::vector<NodePtr> fused_linear_composed(const FusedLinear& f, bool of_calls = false);
/// The tensors of a call whose inputs are these; weights of block dtypes are calls of their planes.
FusedLinear fused_linear_of(const FusedLinearCall& call, const std::vector<NodePtr>& inputs);

}  // namespace tessera::ops
