// Attention as a module, with a cache for decoding, and positional encodings.
#include "tessera/nn/attention.h"

#include <cmath>
#include <limits>

#include "nn/bias.h"
#include "nn/check.h"
#include "nn/fail.h"
#include "nn/recorder.h"
#include "tessera/grad.h"
#include "tessera/index.h"
#include "tessera/linalg.h"
#include "tessera/nn/init.h"
#include "tessera/ops.h"

namespace tessera::nn {

Tensor ALiBi::forward(const Tensor& scores) {
  if (scores.rank() < 3 || scores.size(-3) != heads_) {
    fail(ErrorKind::kShape, "ALiBi: scores of shape {} were given; [.., {}, Lq, Lk] is expected.", scores.shape().str(),
         heads_);
  }
  return scores + alibi(heads_, scores.size(-2), scores.size(-1), scores.dtype(), scores.device());
}

KvCache::KvCache(std::int64_t batch, std::int64_t kv_heads, std::int64_t context, std::int64_t size, DType dtype,
                 const Device& device)
    : k(zeros({batch, kv_heads, context, size}, dtype, device)),
      v(zeros({batch, kv_heads, context, size}, dtype, device)),
      position(zeros({1}, i32, device)) {}

void KvCache::fields(Fields& f) {
  f.buffer("k", k);
  f.buffer("v", v);
  f.buffer("position", position);
}

MultiheadAttention::MultiheadAttention(std::int64_t width, std::int64_t heads, const MultiheadAttentionOptions& options)
    : out_proj(width, width, options.bias), width_(width), heads_(heads), options_(options) {
  check_sizes("MultiheadAttention", {{"width", width}, {"heads", heads}});
  kv_heads_ = options.kv_heads > 0 ? options.kv_heads : heads;
  if (width % heads != 0) {
    fail(ErrorKind::kValue, "MultiheadAttention: a width of {} was given for {} heads; they must divide it.", width,
         heads);
  }
  if (heads % kv_heads_ != 0) {
    fail(ErrorKind::kValue,
         "MultiheadAttention: {} heads and {} kv_heads were given; the latter must divide the former.", heads,
         kv_heads_);
  }
  size_ = width / heads;
  const std::int64_t kv = kv_heads_ * size_;
  const bool same = (options.kdim == 0 || options.kdim == width) && (options.vdim == 0 || options.vdim == width);
  if (same) {
    in_proj_weight = init::xavier_uniform({width + 2 * kv, width});
  } else {
    q_proj_weight = init::xavier_uniform({width, width});
    k_proj_weight = init::xavier_uniform({kv, options.kdim > 0 ? options.kdim : width});
    v_proj_weight = init::xavier_uniform({kv, options.vdim > 0 ? options.vdim : width});
  }
  if (options.bias) {
    in_proj_bias = zeros({width + 2 * kv});
    out_proj.bias = zeros({width});
  }
}

void MultiheadAttention::fields(Fields& f) {
  f("in_proj_weight", in_proj_weight);
  f("q_proj_weight", q_proj_weight);
  f("k_proj_weight", k_proj_weight);
  f("v_proj_weight", v_proj_weight);
  f("in_proj_bias", in_proj_bias);
  f("out_proj", out_proj);
}

Tensor MultiheadAttention::project(const Tensor& x, int which) const {
  const std::int64_t kv = kv_heads_ * size_;
  const std::int64_t from = which == 0 ? 0 : width_ + (which - 1) * kv;
  const std::int64_t to = from + (which == 0 ? width_ : kv);
  const Tensor weight = in_proj_weight.defined() ? slice(in_proj_weight, {{from, to}})
                        : which == 0             ? q_proj_weight
                        : which == 1             ? k_proj_weight
                                                 : v_proj_weight;
  if (x.size(-1) != weight.size(1)) {
    fail(ErrorKind::kShape, "MultiheadAttention: {} of shape {} were given; the last axis must have {} elements.",
         which == 0 ? "queries" : (which == 1 ? "keys" : "values"), x.shape().str(), weight.size(1));
  }
  return with_bias(matmul(x, weight.T()), in_proj_bias.defined() ? slice(in_proj_bias, {{from, to}}) : Tensor());
}

/// [N, L, E].
Tensor MultiheadAttention::batched(const Tensor& x) const {
  if (x.rank() == 2) return expand_dims(x, 0);
  if (x.rank() != 3) {
    fail(ErrorKind::kShape, "MultiheadAttention: an input of shape {} was given; {} or [L, E] is expected.",
         x.shape().str(), options_.batch_first ? "[N, L, E]" : "[L, N, E]");
  }
  return options_.batch_first ? x : transpose(x, 0, 1);
}

Tensor MultiheadAttention::split_heads(const Tensor& x, std::int64_t heads) const {
  return transpose(x.reshape({x.size(0), x.size(1), heads, size_}), 1, 2);
}

Tensor MultiheadAttention::finish(const Tensor& heads, const Tensor& like) {
  const Tensor rows = transpose(heads, 1, 2);
  const Tensor y = out_proj(rows.reshape({rows.size(0), rows.size(1), width_}));
  if (like.rank() == 2) return squeeze(y, {0});
  return options_.batch_first ? y : transpose(y, 0, 1);
}

Tensor MultiheadAttention::attend(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionOptions& options) {
  Tensor qh = split_heads(project(batched(q), 0), heads_);
  Tensor kh = split_heads(project(batched(k), 1), kv_heads_);
  const Tensor vh = split_heads(project(batched(v), 2), kv_heads_);
  if (options_.rope) {
    qh = rope(qh, 0, *options_.rope);
    kh = rope(kh, 0, *options_.rope);
  }
  if (options_.dropout == 0 || !training()) {
    return finish(scaled_dot_product_attention(qh, kh, vh, options), q);
  }
  const std::int64_t group = heads_ / kv_heads_;
  const auto shared = [&](const Tensor& x) { return group == 1 ? x : repeat(x, group, 1); };
  if (options.lengths.defined() || options.block_table.defined() || options.window != 0 || options.softcap ||
      options.sinks.defined()) {
    fail(ErrorKind::kUnsupported,
         "MultiheadAttention: lengths, pages, windows, soft-capping and sinks are not available with dropout; use a "
         "mask, or dropout 0.");
  }
  Tensor scores = matmul(qh, shared(kh).T()) * options.scale.value_or(1 / std::sqrt(static_cast<double>(size_)));
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  if (options.causal) {
    const std::int64_t lq = scores.size(-2);
    const std::int64_t lk = scores.size(-1);
    scores = where(tril(ones({lq, lk}, boolean, scores.device()), lk - lq), scores, kNever);
  }
  if (options.mask.defined()) {
    scores = options.mask.dtype() == boolean ? where(options.mask, scores, kNever) : scores + options.mask;
  }
  return finish(matmul(dropout(softmax(scores), options_.dropout, true), shared(vh)), q);
}

Tensor MultiheadAttention::operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                                      const AttentionOptions& options) {
  Tensor y =
      checkpointed({q, k, v}, [this, options](const Tensors& in) { return attend(in[0], in[1], in[2], options); });
  note(q.shape(), y.shape());
  return y;
}

KvCache MultiheadAttention::cache(std::int64_t batch, std::int64_t context) const {
  return {batch, kv_heads_, context, size_, out_proj.weight.dtype(), out_proj.weight.device()};
}

Tensor MultiheadAttention::decode(const Tensor& x, KvCache& cache) {
  const Recorder::Inside inside(*this);
  const Tensor in = batched(x);
  const std::int64_t tokens = in.size(1);
  const Tensor positions = cache.position + arange(0, static_cast<double>(tokens), 1, i32, in.device());
  Tensor q = split_heads(project(in, 0), heads_);
  Tensor k = split_heads(project(in, 1), kv_heads_);
  const Tensor v = split_heads(project(in, 2), kv_heads_);
  if (options_.rope) {
    q = rope(q, positions, *options_.rope);
    k = rope(k, positions, *options_.rope);
  }
  for (Tensor* slot : {&cache.k, &cache.v, &cache.position}) detail::check_write(*slot, "KvCache", "k, v");
  cache.k = slice_update(cache.k, k, cache.position, {2});
  cache.v = slice_update(cache.v, v, cache.position, {2});
  cache.position = cache.position + tokens;
  return finish(scaled_dot_product_attention(q, cache.k, cache.v, {.causal = true, .lengths = cache.position}), x);
}

double MultiheadAttention::flops(const Shape& input, const Shape& output) const {
  // The attention itself, for as many keys as queries; in_proj counts here too, out_proj is a part of its own.
  const auto rows = static_cast<double>(output.numel()) / static_cast<double>(width_);
  const auto length = static_cast<double>(input.rank() == 2 ? input[0] : input[options_.batch_first ? 1 : 0]);
  const auto projected = static_cast<double>(width_ + 2 * kv_heads_ * size_);
  return 2 * rows * static_cast<double>(width_) * projected + 4 * rows * length * static_cast<double>(width_);
}

}  // namespace tessera::nn
