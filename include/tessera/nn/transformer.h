// Transformer layers and stacks, with the names, layouts and defaults of torch.nn.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/export.h"
#include "tessera/nn/attention.h"
#include "tessera/nn/linear.h"
#include "tessera/nn/module.h"
#include "tessera/nn/norm.h"
#include "tessera/ops.h"

namespace TESSERA_API tessera {
namespace nn {

struct TransformerLayerOptions {
  std::int64_t feedforward = 2048;
  double dropout = 0.1;
  Tensor (*activation)(const Tensor&) = relu;
  double layer_norm_eps = 1e-5;
  bool batch_first = false;
  bool norm_first = false;
  bool bias = true;
};

class TransformerEncoderLayer : public Module {
 public:
  MultiheadAttention self_attn;
  Linear linear1, linear2;
  LayerNorm norm1, norm2;
  Dropout dropout, dropout1, dropout2;

  TransformerEncoderLayer(std::int64_t width, std::int64_t heads, const TransformerLayerOptions& options = {});
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override { return (*this)(x, AttentionOptions{}); }
  using Module::operator();
  Tensor operator()(const Tensor& x, const AttentionOptions& attention);

 private:
  Tensor run(const Tensor& x, const AttentionOptions& attention);

  TransformerLayerOptions options_;
};

class TransformerDecoderLayer : public Module {
 public:
  MultiheadAttention self_attn, multihead_attn;
  Linear linear1, linear2;
  LayerNorm norm1, norm2, norm3;
  Dropout dropout, dropout1, dropout2, dropout3;

  TransformerDecoderLayer(std::int64_t width, std::int64_t heads, const TransformerLayerOptions& options = {});
  void fields(Fields& f) override;
  using Module::operator();
  /// `memory` is the encoder's result; the options are those of self-attention and of attention to the memory.
  Tensor operator()(const Tensor& x, const Tensor& memory, const AttentionOptions& self = {},
                    const AttentionOptions& cross = {});

 private:
  Tensor run(const Tensor& x, const Tensor& memory, const AttentionOptions& self, const AttentionOptions& cross);

  TransformerLayerOptions options_;
};

/// Copies of a layer, each with the layer's initial parameters, as in PyTorch.
class TransformerEncoder : public Module {
 public:
  std::vector<TransformerEncoderLayer> layers;
  std::optional<LayerNorm> norm;

  TransformerEncoder(const TransformerEncoderLayer& layer, std::int64_t count, std::optional<LayerNorm> last = {});
  void fields(Fields& f) override;
  Tensor forward(const Tensor& x) override { return (*this)(x, AttentionOptions{}); }
  using Module::operator();
  Tensor operator()(const Tensor& x, const AttentionOptions& attention);
};

class TransformerDecoder : public Module {
 public:
  std::vector<TransformerDecoderLayer> layers;
  std::optional<LayerNorm> norm;

  TransformerDecoder(const TransformerDecoderLayer& layer, std::int64_t count, std::optional<LayerNorm> last = {});
  void fields(Fields& f) override;
  using Module::operator();
  Tensor operator()(const Tensor& x, const Tensor& memory, const AttentionOptions& self = {},
                    const AttentionOptions& cross = {});
};

}  // namespace nn
}  // namespace tessera
