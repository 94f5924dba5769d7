// Calls of a model: positions, layers, logits and embeddings.
#include "tessera/llm/model.h"

#include "base/fail.h"
#include "llm/compute.h"
#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

Tensor counting(std::int64_t n, const Device& device) { return arange(0, static_cast<double>(n), 1, i32, device); }

void check_integers(const Tensor& x, const char* what, const Shape& shape) {
  if (!is_integer(x.dtype())) {
    fail(ErrorKind::kDType, "Model: {} of dtype {} were given; integers are expected.", what, name(x.dtype()));
  }
  if (x.shape() != shape)
    fail(ErrorKind::kShape, "Model: {} of shape {} were given; {} is expected.", what, x.shape(), shape);
}

/// Cosines and sines at positions [B or 1, T].
Pass::Rotation rotation_at(const Rope& rope, bool long_context, const Tensor& positions) {
  const std::vector<double>& given =
      long_context && !rope.long_frequencies.empty() ? rope.long_frequencies : rope.frequencies;
  const auto pairs = static_cast<std::int64_t>(given.size());
  const bool adjacent = rope.interleaved;
  const Tensor frequencies(std::vector<float>(given.begin(), given.end()), adjacent ? Shape{pairs, 1} : Shape{1, pairs},
                           positions.device());
  const Tensor at = reshape(cast(positions, f32), {positions.size(0), 1, positions.size(1), 1, 1});
  const Tensor angle = at * frequencies;
  // Of the first and second elements of pairs.
  const Tensor sign = reshape(arange(-1, 3, 2, f32, positions.device()), adjacent ? Shape{1, 2} : Shape{2, 1});
  Tensor row;
  if (positions.size(1) == 1) {
    const Tensor flat = reshape(angle, {positions.size(0), pairs});
    row = concat({cos(flat) * rope.magnitude, sin(flat) * rope.magnitude}, 1);
  }
  return {cos(angle) * rope.magnitude, sin(angle) * (sign * rope.magnitude), adjacent, row};
}

/// The row of each sequence's last valid token: [B, T, W] to [B, 1, W].
Tensor last_rows(const Tensor& h, const Tensor& lengths) {
  const std::int64_t tokens = h.size(1);
  if (!lengths.defined()) return slice(h, {{}, {tokens - 1, tokens}});
  const Tensor at = reshape(cast(lengths, i32) - 1, {h.size(0), 1, 1});
  return take_along_axis(h, broadcast_to(at, {h.size(0), 1, h.size(2)}), 1);
}

}  // namespace

Model::Model(Config config, DType dtype, const Device& device)
    : embedding(config.vocabulary, config.width, dtype, device), config_(std::move(config)) {
  const Config& c = config_;
  if (c.learned_positions) positions.emplace(c.context, c.width, dtype, device);
  if (c.token_types > 0) types.emplace(c.token_types, c.width, dtype, device);
  const bool after = c.placement == NormPlacement::kAfterAdd;
  if (after) embedding_norm.emplace(c.norm, c.width, c.eps, device);
  layers.reserve(c.layers.size());
  for (std::size_t i = 0; i < c.layers.size(); ++i) layers.emplace_back(c, i, dtype, device);
  if (!after) norm.emplace(c.norm, c.width, c.eps, device);
  if (!c.encoder && !c.tied) head.emplace(c.width, c.vocabulary, false, dtype, device);
  if (c.pooler) pooler.emplace(c.width, c.width, true, dtype, device);
}

void Model::fields(nn::Fields& f) {
  f("embedding", embedding);
  f("positions", positions);
  f("types", types);
  f("embedding_norm", embedding_norm);
  f("layers", layers);
  f("norm", norm);
  f("head", head);
  f("pooler", pooler);
}

Cache Model::cache(std::int64_t batch, std::int64_t context, std::optional<DType> dtype,
                   const PageOptions& pages) const {
  if (config_.encoder) fail(ErrorKind::kUnsupported, "Model: {} is an encoder and has no cache.", config_.model_type);
  if (batch < 1 || context < 1) {
    fail(ErrorKind::kValue, "Model: a cache of {} sequences of {} tokens was given; at least 1 is expected.", batch,
         context);
  }
  if (config_.learned_positions && context > config_.context) {
    fail(ErrorKind::kValue, "Model: a context of {} tokens was given; {} has positions for {}.", context,
         config_.model_type, config_.context);
  }
  const DType own = is_float(this->dtype()) ? this->dtype() : f16;
  return {config_, batch, context, dtype.value_or(own), embedding.weight.device(), pages};
}

bool Model::fuses(const Tensor& ids) const {
  return embedding.weight.device().info().type != DeviceType::kCpu && ids.numel() <= kFewRows;
}

Tensor Model::states(const Tensor& ids, Cache* cache, const ForwardOptions& options, bool normed) {
  const Config& c = config_;
  if (ids.rank() != 2 || ids.numel() == 0) {
    fail(ErrorKind::kShape, "Model: tokens of shape {} were given; [batch, tokens] is expected.", ids.shape());
  }
  check_integers(ids, "tokens", ids.shape());
  if (options.lengths.defined()) check_integers(options.lengths, "lengths", {ids.size(0)});
  if (options.types.defined()) check_integers(options.types, "types", ids.shape());
  Pass pass;
  pass.batch = ids.size(0);
  pass.tokens = ids.size(1);
  pass.causal = !c.encoder;
  pass.cache = cache;
  pass.fused = cache != nullptr && fuses(ids);
  const std::int64_t context = cache != nullptr ? cache->context() : pass.tokens;
  if (options.sequences.defined()) {
    if (cache == nullptr || cache->page_size() == 0)
      fail(ErrorKind::kValue,
           "Model: sequences were given; they are rows of a cache with pages, which is expected too.");
    check_integers(options.sequences, "sequences", {ids.size(0)});
    pass.sequences = cast(options.sequences, i32);
  } else if (cache != nullptr && cache->batch() != pass.batch) {
    fail(ErrorKind::kShape, "Model: tokens of {} sequences were given for a cache of {}.", pass.batch, cache->batch());
  }
  if (pass.tokens > context || (c.learned_positions && pass.tokens > c.context)) {
    fail(ErrorKind::kValue, "Model: {} tokens were given; the context has room for {}.", pass.tokens,
         cache != nullptr ? context : c.context);
  }

  const Device device = embedding.weight.device();
  Tensor at = reshape(counting(pass.tokens, device), {1, pass.tokens});
  if (cache != nullptr) {
    pass.starts = pass.sequences.defined() ? take(cache->lengths, pass.sequences, 0) : cache->lengths;
    pass.ends = pass.starts + static_cast<std::int32_t>(pass.tokens);
    at = at + reshape(pass.starts, {pass.batch, 1});
  } else if (c.encoder && options.lengths.defined()) {
    pass.ends = cast(options.lengths, i32);
  }
  for (const Rope& rope : c.ropes) {
    pass.rotations.push_back(rotation_at(rope, context > rope.original_context, at));
  }

  Tensor h = embedding(ids);
  if (c.embedding_scale != 1) h = h * c.embedding_scale;
  if (positions) h = h + (*positions)(at);
  if (types) h = h + (*types)(options.types.defined() ? options.types : zeros(ids.shape(), i32, device));
  if (embedding_norm) h = (*embedding_norm)(h);
  for (Block& layer : layers) h = layer.forward(h, pass);
  if (cache != nullptr) {
    const Tensor counted =
        options.lengths.defined() ? cast(options.lengths, i32) : Tensor(static_cast<std::int32_t>(pass.tokens));
    cache->lengths =
        pass.sequences.defined() ? index_add(cache->lengths, {pass.sequences}, counted) : cache->lengths + counted;
  }
  if (options.last) h = last_rows(h, options.lengths);
  return norm && normed ? (*norm)(h) : h;
}

Tensor Model::logits(const Tensor& states) {
  if (config_.encoder) {
    fail(ErrorKind::kUnsupported, "Model: {} is an encoder and has no logits; use hidden() or embed().",
         config_.model_type);
  }
  const Tensor y = head ? (*head)(states) : multiply_by(states, embedding.weight);
  return config_.final_softcap ? softcapped(y, *config_.final_softcap) : y;
}

Tensor Model::forward(const Tensor& ids, const ForwardOptions& options) {
  const Tensor y = logits(states(ids, nullptr, options));
  return options.last ? reshape(y, {y.size(0), y.size(2)}) : y;
}

Tensor Model::forward(const Tensor& ids, Cache& cache, const ForwardOptions& options) {
  Tensor y;
  if (fuses(ids) && norm && !config_.encoder) {
    Tensor h = states(ids, &cache, options, false);
    const FusedLinearOptions fused = norm->fused(h);
    y = fused_linear(h, {head ? head->weight : embedding.weight}, fused)[0];
    if (config_.final_softcap) y = softcapped(y, *config_.final_softcap);
  } else {
    y = logits(states(ids, &cache, options));
  }
  return options.last ? reshape(y, {y.size(0), y.size(2)}) : y;
}

Tensor Model::hidden(const Tensor& ids, const ForwardOptions& options) { return states(ids, nullptr, options); }

Tensor Model::embed(const Tensor& ids, const ForwardOptions& options) {
  ForwardOptions all = options;
  all.last = false;
  const Tensor h = states(ids, nullptr, all);
  const std::int64_t tokens = h.size(1);
  const auto flat = [&](const Tensor& x) { return reshape(x, {h.size(0), h.size(2)}); };
  Tensor valid;  // [B, T, 1]
  if (options.lengths.defined()) {
    valid = expand_dims(less(counting(tokens, h.device()), reshape(cast(options.lengths, i32), {h.size(0), 1})), -1);
  }
  Tensor y;
  switch (config_.pooling) {
    case Pooling::kMean:
      y = valid.defined() ? sum(where(valid, h, 0.0), {1}) / reshape(cast(options.lengths, f32), {h.size(0), 1})
                          : mean(h, {1});
      break;
    case Pooling::kMax:
      y = max(valid.defined() ? where(valid, h, -3.0e38) : h, {1});
      break;
    case Pooling::kLast:
      y = flat(last_rows(h, options.lengths));
      break;
    case Pooling::kCls:
    case Pooling::kPooler:
      y = flat(slice(h, {{}, {0, 1}}));
      break;
  }
  if (config_.pooling == Pooling::kPooler) {
    if (!pooler) fail(ErrorKind::kValue, "Model: {} has no weights of a pooler.", config_.model_type);
    y = tanh((*pooler)(y));
  }
  return config_.normalize ? normalize(y, 2, -1) : y;
}

}  // namespace tessera::llm
