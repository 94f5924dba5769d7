// Attention on the host, row by row: the twin of the kernels, and the CPU backend's implementation.
#pragma once

#include "graph/custom.h"

namespace tessera::ops {

/// The uniform of all attention kernels, word by word.
struct AttentionParams {
  std::uint32_t lq, lk, hq, hkv, group, heads, tiles, wrap;
  std::int32_t offset, left, right;  // query i attends to the keys from i + offset - left to i + offset + right
  float scale;                       // with log2(e)
  float factor;                      // without
  std::uint32_t mask_b, mask_h, mask_q, mask_k;
  std::uint32_t keys;      // in a split
  std::uint32_t has_mask;  // for the host
  std::uint32_t padding;
  double exact_scale;  // the factor, for f64
};
static_assert(sizeof(AttentionParams) == 88);

void attention_forward_host(const CustomHostCall& call);
void attention_split_kv_host(const CustomHostCall& call);
void attention_backward_q_host(const CustomHostCall& call);
void attention_backward_kv_host(const CustomHostCall& call);

}  // namespace tessera::ops
