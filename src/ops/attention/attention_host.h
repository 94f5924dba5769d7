// Attention on the host, row by row: the twin of the kernels, and the CPU backend's implementation.
#pragma once

#include "graph/custom.h"

namespace tessera::ops {

/// The uniform of all attention kernels, word by word; the strides of the inputs follow.
struct AttentionParams {
  std::uint32_t lq, lk, hq, hkv, group, heads, tiles, wrap;
  std::int32_t offset, left, right;  // query i attends to the keys from i + offset - left to i + offset + right
  float scale;                       // with log2(e); with soft-capping, the cap in powers of two
  float factor;                      // without; with soft-capping, the scale divided by the cap
  std::uint32_t mask_b, mask_h, mask_q, mask_k;
  std::uint32_t keys;                          // in a split
  std::uint32_t has_mask;                      // for the host; kSoftcap: with soft-capping
  std::uint32_t batch, d;                      // d: in whole quads
  std::uint32_t output_b, output_h, output_l;  // strides of the results, in rows
  std::uint32_t pages, pool;                   // in a row of the block table, if any, and of all sequences
  double exact_scale;                          // the factor without soft-capping, for f64

  static constexpr std::uint32_t kMask = 1, kSoftcap = 2;
};
static_assert(sizeof(AttentionParams) == 112);
/// Two words that follow with soft-capping: the cap.
using AttentionSoftcap = double;

void attention_forward_host(const CustomHostCall& call);
void attention_split_kv_host(const CustomHostCall& call);
void attention_combine_host(const CustomHostCall& call);
void attention_backward_q_host(const CustomHostCall& call);
void attention_backward_kv_host(const CustomHostCall& call);

}  // namespace tessera::ops
