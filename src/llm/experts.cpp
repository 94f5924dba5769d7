// A mixture of experts: routing, and the chosen experts for a few tokens or for many.
#include <algorithm>
#include <bit>

#include "llm/compute.h"
#include "tessera/index.h"
#include "tessera/llm/blocks.h"
#include "tessera/ops.h"
#include "tessera/sort.h"

namespace tessera::llm {

namespace {

constexpr std::int64_t kSmallestTile = 16;

Linear stacked(std::int64_t experts, std::int64_t in, std::int64_t out, bool bias, DType dtype, const Device& device) {
  Linear l;
  l.weight = zeros({experts, out, in}, dtype, device);
  if (bias) l.bias = zeros({experts, out}, f32, device);
  return l;
}

/// x [groups, rows, in] times the matrix of each group's expert.
Tensor expert_linear(const Linear& l, const Tensor& x, const Tensor& expert) {
  const Shape& s = l.weight.shape();
  // Rows of whole experts: their positions are so simple that they are not stored. Block formats have no reshape.
  const bool flat = is_float(l.weight.dtype());
  const Tensor chosen = take(flat ? reshape(l.weight, {s[0], s[1] * s[2]}) : l.weight, expert, 0);
  const Tensor y = multiply_by(x, reshape(chosen, {expert.numel(), s[1], s[2]}));
  return l.bias.defined() ? y + expand_dims(take(l.bias, expert, 0), 1) : y;
}

/// Where the rows of tokens sorted by expert are: tiles of `size` rows, each of one expert.
struct Tiles {
  std::int64_t size;
  Tensor source;  // the token of each row, [tiles * size]; padding has token 0
  Tensor expert;  // of each tile, [tiles]
  Tensor row;     // of each choice, [tokens * per_token]
};

Tiles sorted_by_expert(const Tensor& choices, std::int64_t per_token, std::int64_t experts) {
  const Device device = choices.device();
  const std::int64_t count = choices.numel();
  // As large as an expert's share, so that there are at most two tiles for each expert.
  const std::int64_t size =
      std::max(kSmallestTile, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(count / experts))));
  const std::int64_t used = std::min(count, experts);
  const std::int64_t tiles = (count + used * (size - 1)) / size;  // at most: the last tile of each is not full
  const auto numbers = [&](std::int64_t n) { return arange(0, static_cast<double>(n), 1, i32, device); };

  const Tensor order = argsort(choices, 0);
  const Tensor sorted = take(choices, order, 0);
  const Tensor sizes = cast(sum(one_hot(choices, experts, i32), {0}), i32);
  const Tensor padded = floor_divide(sizes + static_cast<std::int32_t>(size - 1), static_cast<std::int32_t>(size)) *
                        static_cast<std::int32_t>(size);
  const Tensor padded_ends = cumsum(padded, 0);
  // Of each choice in the order of experts: the first row of the expert, and how many choices of it are before.
  const Tensor rows = numbers(count) + take(padded_ends - padded - (cumsum(sizes, 0) - sizes), sorted, 0);
  const Tensor source =
      scatter(zeros({tiles * size}, i32, device), rows, floor_divide(order, static_cast<std::int32_t>(per_token)), 0);
  const Tensor first = numbers(tiles) * static_cast<std::int32_t>(size);
  const Tensor expert = minimum(searchsorted(padded_ends, first, true), static_cast<std::int32_t>(experts - 1));
  return {size, source, expert, scatter(zeros({count}, i32, device), order, rows, 0)};
}

}  // namespace

Experts::Experts(const Config& config, DType dtype, const Device& device)
    : config_(*config.experts), activation_(config.activation) {
  const ExpertsConfig& e = config_;
  router = Linear(config.width, e.count, e.router_bias, dtype, device);
  gate = stacked(e.count, config.width, e.intermediate, e.bias, dtype, device);
  up = stacked(e.count, config.width, e.intermediate, e.bias, dtype, device);
  down = stacked(e.count, e.intermediate, config.width, e.bias, dtype, device);
}

void Experts::fields(nn::Fields& f) {
  f("router", router);
  f("gate", gate);
  f("up", up);
  f("down", down);
}

Tensor Experts::apply(const Tensor& x, const Tensor& expert) const {
  Tensor g = expert_linear(gate, x, expert);
  Tensor u = expert_linear(up, x, expert);
  if (config_.swiglu_limit) {
    const double limit = *config_.swiglu_limit;
    g = minimum(g, limit);
    g = g * sigmoid(g * 1.702);
    u = clamp(u, -limit, limit) + 1.0;
  } else {
    g = activate(activation_, g);
  }
  // An expression of its own: positions that two kernels share would be stored, with 4 bytes for each weight.
  return expert_linear(down, g * u, maximum(expert, 0));
}

Tensor Experts::forward(const Tensor& x) {
  const std::int64_t width = x.size(-1);
  const std::int64_t tokens = x.numel() / width;
  const std::int64_t chosen = config_.per_token;
  const Tensor rows = reshape(x, {tokens, width});
  const Tensor scores = router(rows);
  const Indexed top = topk(config_.softmax_first ? softmax(scores, -1) : scores, chosen, -1);
  Tensor weights = config_.softmax_first ? top.values : softmax(top.values, -1);
  if (config_.normalize) weights = weights / sum(weights, {-1}, true);
  const Tensor choices = reshape(top.indices, {tokens * chosen});

  Tensor y;
  // Tiles pay off once experts have several tokens each; before that each token gathers its own experts.
  if (tokens * chosen <= 2 * config_.count) {
    const Tensor repeated = broadcast_to(expand_dims(rows, 1), {tokens, chosen, width});
    y = apply(reshape(repeated, {tokens * chosen, 1, width}), choices);
  } else {
    const Tiles tiles = sorted_by_expert(choices, chosen, config_.count);
    const Tensor tiled = reshape(take(rows, tiles.source, 0), {tiles.expert.numel(), tiles.size, width});
    y = take(reshape(apply(tiled, tiles.expert), {tiles.source.numel(), width}), tiles.row, 0);
  }
  y = reshape(y, {tokens, chosen, width}) * expand_dims(weights, -1);
  return reshape(sum(y, {1}), x.shape());
}

}  // namespace tessera::llm
