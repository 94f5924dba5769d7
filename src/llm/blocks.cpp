// Linear layers, tables, norms, MLPs, and layers made of blocks.
#include "tessera/llm/blocks.h"

#include "llm/compute.h"
#include "tessera/index.h"
#include "tessera/ops.h"

namespace tessera::llm {

Tensor narrow(const Tensor& x, DType dtype) {
  constexpr double kMostF16 = 65504;
  if (!is_float(dtype) || x.dtype() == dtype) return x;
  return cast(dtype == f16 ? clamp(x, -kMostF16, kMostF16) : x, dtype);
}

Tensor multiply_by(const Tensor& x, const Tensor& weight, bool scaled) {
  DType dtype = weight.dtype();
  // Many rows times blocks run on tensor cores, which multiply halves; the range is that of f16 weights.
  const bool halves = is_block(dtype) && x.numel() > kFewRows * x.size(-1) && !weight.device().info().matrices.empty();
  if (halves) {
    dtype = f16;
    scaled = false;
  }
  const double scale = range_scale(dtype);
  const Tensor in = narrow(scale == 1 || scaled ? x : cast(x, f32) * (1 / scale), dtype);
  const Tensor y = cast(matmul(in, weight.T()), f32);
  return scale == 1 ? y : y * scale;
}

Tensor activate(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::kSilu:
      return silu(x);
    case Activation::kGelu:
      return gelu(x);
    case Activation::kGeluTanh:
      return gelu_tanh(x);
    case Activation::kRelu:
      return relu(x);
  }
  return x;
}

Tensor softcapped(const Tensor& x, double cap) { return tanh(x / cap) * cap; }

// ---- Linear, Table, Norm ----

Linear::Linear(std::int64_t in, std::int64_t out, bool with_bias, DType dtype, const Device& device)
    : weight(zeros({out, in}, dtype, device)) {
  if (with_bias) bias = zeros({out}, f32, device);
}

void Linear::fields(nn::Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor Linear::forward(const Tensor& x) {
  const Tensor y = multiply_by(x, weight);
  return bias.defined() ? y + bias : y;
}

Table::Table(std::int64_t count, std::int64_t size, DType dtype, const Device& device)
    : weight(zeros({count, size}, dtype, device)) {}

void Table::fields(nn::Fields& f) { f("weight", weight); }

Tensor Table::forward(const Tensor& indices) { return cast(tessera::embedding(indices, weight), f32); }

Norm::Norm(NormKind kind, std::int64_t size, double eps, const Device& device)
    : weight(zeros({size}, f32, device)), kind_(kind), eps_(eps) {
  if (kind == NormKind::kLayer) bias = zeros({size}, f32, device);
}

void Norm::fields(nn::Fields& f) {
  f("weight", weight);
  f("bias", bias);
}

Tensor Norm::forward(const Tensor& x) {
  if (kind_ == NormKind::kLayer) return layer_norm(x, weight, bias, eps_);
  return rms_norm(x, kind_ == NormKind::kRmsOnePlus ? weight + 1.0 : weight, eps_);
}

FusedLinearOptions Norm::fused(Tensor& x) {
  if (kind_ == NormKind::kLayer) {
    x = forward(x);
    return {};
  }
  return {.norm = weight, .eps = eps_, .norm_offset = kind_ == NormKind::kRmsOnePlus ? 1.0 : 0.0};
}

// ---- Mlp ----

Mlp::Mlp(const Config& config, DType dtype, const Device& device)
    : up(config.width, config.intermediate, config.mlp_bias, dtype, device),
      down(config.intermediate, config.width, config.mlp_bias, dtype, device),
      activation_(config.activation) {
  if (config.gated) gate.emplace(config.width, config.intermediate, config.mlp_bias, dtype, device);
}

void Mlp::fields(nn::Fields& f) {
  f("gate", gate);
  f("up", up);
  f("down", down);
}

Tensor Mlp::forward(const Tensor& x) {
  if (!gate) return down(activate(activation_, up(x)));
  return down(activate(activation_, (*gate)(x)) * up(x));
}

Tensor Mlp::decode(const Tensor& x, const FusedLinearOptions& options, const Tensor& residual) {
  const auto with = [](FusedLinearOptions o, const std::vector<Tensor>& biases) {
    if (biases[0].defined()) o.biases = biases;
    return o;
  };
  const Tensor y = gate ? fused_gated_linear(x, gate->weight, up.weight, static_cast<FusedActivation>(activation_),
                                             with(options, {gate->bias, up.bias}))
                        : activate(activation_, fused_linear(x, {up.weight}, with(options, {up.bias}))[0]);
  const FusedLinearOptions last = with({}, {down.bias});
  return residual.defined() ? fused_linear_add(y, down.weight, residual, last)
                            : fused_linear(y, {down.weight}, last)[0];
}

// ---- Block ----

Block::Block(const Config& config, std::size_t layer, DType dtype, const Device& device)
    : attention(config, layer, dtype, device), after_add_(config.placement == NormPlacement::kAfterAdd) {
  const auto norm = [&] { return Norm(config.norm, config.width, config.eps, device); };
  const NormPlacement p = config.placement;
  if (p == NormPlacement::kPre || p == NormPlacement::kPreAndPost) {
    attention_norm = norm();
    mlp_norm = norm();
  }
  if (p != NormPlacement::kPre) {
    attention_post_norm = norm();
    mlp_post_norm = norm();
  }
  if (config.layers[layer].experts) {
    experts.emplace(config, dtype, device);
  } else {
    mlp.emplace(config, dtype, device);
  }
}

void Block::fields(nn::Fields& f) {
  f("attention_norm", attention_norm);
  f("attention", attention);
  f("attention_post_norm", attention_post_norm);
  f("mlp_norm", mlp_norm);
  f("mlp", mlp);
  f("experts", experts);
  f("mlp_post_norm", mlp_post_norm);
}

Tensor Block::forward(const Tensor& x, const Pass& pass) {
  if (pass.fused && !after_add_) return decode(x, pass);
  const auto around = [&](const Tensor& h, std::optional<Norm>& before, std::optional<Norm>& after, auto&& f) {
    const Tensor y = f(before ? (*before)(h) : h);
    if (after_add_) return (*after)(h + y);
    return h + (after ? (*after)(y) : y);
  };
  const Tensor h =
      around(x, attention_norm, attention_post_norm, [&](const Tensor& in) { return attention.forward(in, pass); });
  return around(h, mlp_norm, mlp_post_norm, [&](const Tensor& in) { return mlp ? (*mlp)(in) : (*experts)(in); });
}

Tensor Block::decode(const Tensor& x, const Pass& pass) {
  const auto around = [&](const Tensor& h, std::optional<Norm>& before, std::optional<Norm>& after, auto&& f) {
    Tensor in = h;
    const FusedLinearOptions options = before ? before->fused(in) : FusedLinearOptions{};
    const Tensor y = f(in, options, after ? Tensor() : h);
    return after ? h + (*after)(y) : y;
  };
  const Tensor h = around(x, attention_norm, attention_post_norm,
                          [&](const Tensor& in, const FusedLinearOptions& options, const Tensor& residual) {
                            return attention.decode(in, pass, options, residual);
                          });
  if (mlp) {
    return around(h, mlp_norm, mlp_post_norm,
                  [&](const Tensor& in, const FusedLinearOptions& options, const Tensor& residual) {
                    return mlp->decode(in, options, residual);
                  });
  }
  const Tensor y = (*experts)(mlp_norm ? (*mlp_norm)(h) : h);
  return h + (mlp_post_norm ? (*mlp_post_norm)(y) : y);
}

}  // namespace tessera::llm
