// Attention of a layer: projections, norms of heads and RoPE.
#include "tessera/attention.h"

#include <cmath>

#include "llm/compute.h"
#include "tessera/llm/blocks.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

/// x [B, H, T, D] with its first 2 * pairs elements rotated.
Tensor rotated(const Tensor& x, const Pass::Rotation& r) {
  const Shape& s = x.shape();
  const std::int64_t pairs = r.cos.size(r.interleaved ? -2 : -1);
  const bool part = 2 * pairs < s[3];
  const Tensor first = part ? slice(x, {{}, {}, {}, {0, 2 * pairs}}) : x;
  const Tensor y =
      reshape(first, r.interleaved ? Shape{s[0], s[1], s[2], pairs, 2} : Shape{s[0], s[1], s[2], 2, pairs});
  const Tensor swapped = flip(y, {r.interleaved ? -1 : -2});
  const Tensor turned = reshape(y * r.cos + swapped * r.sin, {s[0], s[1], s[2], 2 * pairs});
  return part ? concat({turned, slice(x, {{}, {}, {}, {2 * pairs, s[3]}})}, -1) : turned;
}

}  // namespace

Attention::Attention(const Config& config, std::size_t layer, DType dtype, const Device& device)
    : q(config.width, config.heads * config.head_size, config.qkv_bias, dtype, device),
      k(config.width, config.kv_heads * config.head_size, config.qkv_bias, dtype, device),
      v(config.width, config.kv_heads * config.head_size, config.qkv_bias, dtype, device),
      out(config.heads * config.head_size, config.width, config.out_bias, dtype, device),
      layer_(layer),
      heads_(config.heads),
      kv_heads_(config.kv_heads),
      size_(config.head_size),
      window_(config.layers[layer].window),
      rope_(config.layers[layer].rope),
      qk_norm_(config.qk_norm),
      scale_(config.attention_scale.value_or(1 / std::sqrt(static_cast<double>(config.head_size)))),
      softcap_(config.attention_softcap) {
  if (qk_norm_ != QkNorm::kNone) {
    const bool full = qk_norm_ == QkNorm::kFull;
    q_norm.emplace(config.norm, full ? heads_ * size_ : size_, config.eps, device);
    k_norm.emplace(config.norm, full ? kv_heads_ * size_ : size_, config.eps, device);
  }
  if (config.sinks) sinks = zeros({heads_}, f32, device);
}

void Attention::fields(nn::Fields& f) {
  f("q", q);
  f("k", k);
  f("v", v);
  f("out", out);
  f("q_norm", q_norm);
  f("k_norm", k_norm);
  f("sinks", sinks);
}

/// A projection [B, T, H * D] as heads [B, H, T, D], normalized and rotated.
Tensor Attention::heads(const Tensor& x, std::int64_t count, std::optional<Norm>& norm, const Pass& pass) const {
  Tensor y = norm && qk_norm_ == QkNorm::kFull ? (*norm)(x) : x;
  y = reshape(y, {pass.batch, pass.tokens, count, size_});
  if (norm && qk_norm_ == QkNorm::kHead) y = (*norm)(y);
  y = transpose(y, 1, 2);
  return rope_ >= 0 ? rotated(y, pass.rotations[static_cast<std::size_t>(rope_)]) : y;
}

Tensor Attention::attended(const std::vector<Tensor>& qkv, const Pass& pass) {
  Tensor queries = heads(qkv[0], heads_, q_norm, pass);
  Tensor keys = heads(qkv[1], kv_heads_, k_norm, pass);
  Tensor values = transpose(reshape(qkv[2], {pass.batch, pass.tokens, kv_heads_, size_}), 1, 2);
  const DType dtype = pass.cache != nullptr ? pass.cache->dtype_of_rows(q.weight.dtype()) : q.weight.dtype();
  // The values carry the scale of the output projection, so that its operand is the result of attention as it is.
  const double scale = range_scale(out.weight.dtype());
  queries = narrow(queries, dtype);
  keys = narrow(keys, dtype);
  values = narrow(scale == 1 ? values : values * (1 / scale), dtype);
  if (pass.cache != nullptr) {
    pass.cache->write(layer_, keys, values, pass.starts, pass.sequences);
    keys = pass.cache->k[layer_];
    values = pass.cache->v[layer_];
  }
  const Tensor y = transpose(attend(queries, keys, values, pass), 1, 2);
  return reshape(y, {pass.batch, pass.tokens, heads_ * size_});
}

Tensor Attention::forward(const Tensor& x, const Pass& pass) {
  const Tensor projected = multiply_by(attended({q(x), k(x), v(x)}, pass), out.weight, true);
  return out.bias.defined() ? projected + out.bias : projected;
}

Tensor Attention::decode(const Tensor& x, const Pass& pass, const FusedLinearOptions& options, const Tensor& residual) {
  const double scale = range_scale(out.weight.dtype());
  FusedLinearOptions in = options;
  if (q.bias.defined()) in.biases = {q.bias, k.bias, v.bias};
  const std::vector<Tensor> weights{q.weight, k.weight, v.weight};
  Tensor& keys = pass.cache->k[layer_];
  Tensor& values = pass.cache->v[layer_];
  const Pass::Rotation* r = rope_ >= 0 ? &pass.rotations[static_cast<std::size_t>(rope_)] : nullptr;
  // RoPE of whole heads and plain caches are in the kernel of the projections.
  const bool plain = pass.cache->page_size() == 0 && !pass.sequences.defined() && is_float(keys.dtype());
  const bool whole = r != nullptr && 2 * r->cos.size(r->interleaved ? -2 : -1) == size_;
  Tensor y;
  if (pass.tokens == 1 && plain && whole && qk_norm_ == QkNorm::kNone) {
    FusedQkv made = fused_qkv(
        reshape(x, {pass.batch, x.size(-1)}), weights, keys, values,
        {.rotation = r->row, .interleaved = r->interleaved, .starts = pass.starts, .value_scale = 1 / scale}, in);
    keys = made.k_cache;
    values = made.v_cache;
    y = reshape(attend(made.queries, keys, values, pass), {pass.batch, pass.tokens, heads_ * size_});
  } else {
    y = attended(fused_linear(x, weights, in), pass);
  }
  FusedLinearOptions last{.scale = scale};
  if (out.bias.defined()) last.biases = {out.bias};
  return residual.defined() ? fused_linear_add(y, out.weight, residual, last) : fused_linear(y, {out.weight}, last)[0];
}

Tensor Attention::attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Pass& pass) const {
  const bool quantized = pass.cache != nullptr && pass.cache->quantized();
  return scaled_dot_product_attention(
      queries, keys, values,
      {.causal = pass.causal,
       .scale = scale_,
       .softcap = softcap_,
       .sinks = sinks,
       .window = window_,
       .lengths = pass.ends,
       .block_table = pass.cache != nullptr ? pass.cache->table(layer_, pass.sequences) : Tensor(),
       .k_scales = quantized ? pass.cache->k_scales[layer_] : Tensor(),
       .v_scales = quantized ? pass.cache->v_scales[layer_] : Tensor()});
}

}  // namespace tessera::llm
