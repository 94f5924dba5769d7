// Transformer layers and stacks.
#include "tessera/nn/transformer.h"

#include "nn/check.h"
#include "tessera/grad.h"

namespace tessera::nn {

namespace {

MultiheadAttentionOptions attention_of(const TransformerLayerOptions& o) {
  return {.dropout = o.dropout, .bias = o.bias, .batch_first = o.batch_first};
}
LayerNormOptions norm_of(const TransformerLayerOptions& o) { return {.eps = o.layer_norm_eps, .bias = o.bias}; }

}  // namespace

TransformerEncoderLayer::TransformerEncoderLayer(std::int64_t width, std::int64_t heads,
                                                 const TransformerLayerOptions& options)
    : self_attn(width, heads, attention_of(options)),
      linear1(width, options.feedforward, options.bias),
      linear2(options.feedforward, width, options.bias),
      norm1(width, norm_of(options)),
      norm2(width, norm_of(options)),
      dropout(options.dropout),
      dropout1(options.dropout),
      dropout2(options.dropout),
      options_(options) {}

void TransformerEncoderLayer::fields(Fields& f) {
  f("self_attn", self_attn);
  f("linear1", linear1);
  f("dropout", dropout);
  f("linear2", linear2);
  f("norm1", norm1);
  f("norm2", norm2);
  f("dropout1", dropout1);
  f("dropout2", dropout2);
}

Tensor TransformerEncoderLayer::operator()(const Tensor& x, const AttentionOptions& attention) {
  return checkpointed({x}, [this, attention](const Tensors& in) { return run(in[0], attention); });
}

Tensor TransformerEncoderLayer::run(const Tensor& x, const AttentionOptions& attention) {
  const auto attend = [&](const Tensor& h) { return dropout1(self_attn(h, h, h, attention)); };
  const auto feed = [&](const Tensor& h) { return dropout2(linear2(dropout(options_.activation(linear1(h))))); };
  if (options_.norm_first) {
    const Tensor h = x + attend(norm1(x));
    return h + feed(norm2(h));
  }
  const Tensor h = norm1(x + attend(x));
  return norm2(h + feed(h));
}

TransformerDecoderLayer::TransformerDecoderLayer(std::int64_t width, std::int64_t heads,
                                                 const TransformerLayerOptions& options)
    : self_attn(width, heads, attention_of(options)),
      multihead_attn(width, heads, attention_of(options)),
      linear1(width, options.feedforward, options.bias),
      linear2(options.feedforward, width, options.bias),
      norm1(width, norm_of(options)),
      norm2(width, norm_of(options)),
      norm3(width, norm_of(options)),
      dropout(options.dropout),
      dropout1(options.dropout),
      dropout2(options.dropout),
      dropout3(options.dropout),
      options_(options) {}

void TransformerDecoderLayer::fields(Fields& f) {
  f("self_attn", self_attn);
  f("multihead_attn", multihead_attn);
  f("linear1", linear1);
  f("dropout", dropout);
  f("linear2", linear2);
  f("norm1", norm1);
  f("norm2", norm2);
  f("norm3", norm3);
  f("dropout1", dropout1);
  f("dropout2", dropout2);
  f("dropout3", dropout3);
}

Tensor TransformerDecoderLayer::operator()(const Tensor& x, const Tensor& memory, const AttentionOptions& self,
                                           const AttentionOptions& cross) {
  Tensor y =
      checkpointed({x, memory}, [this, self, cross](const Tensors& in) { return run(in[0], in[1], self, cross); });
  note(x.shape(), y.shape());
  return y;
}

Tensor TransformerDecoderLayer::run(const Tensor& x, const Tensor& memory, const AttentionOptions& self,
                                    const AttentionOptions& cross) {
  const auto attend = [&](const Tensor& h) { return dropout1(self_attn(h, h, h, self)); };
  const auto look = [&](const Tensor& h) { return dropout2(multihead_attn(h, memory, memory, cross)); };
  const auto feed = [&](const Tensor& h) { return dropout3(linear2(dropout(options_.activation(linear1(h))))); };
  Tensor h = x;
  if (options_.norm_first) {
    h = h + attend(norm1(h));
    h = h + look(norm2(h));
    h = h + feed(norm3(h));
  } else {
    h = norm1(h + attend(h));
    h = norm2(h + look(h));
    h = norm3(h + feed(h));
  }
  return h;
}

TransformerEncoder::TransformerEncoder(const TransformerEncoderLayer& layer, std::int64_t count,
                                       std::optional<LayerNorm> last)
    : layers(static_cast<std::size_t>(count), layer), norm(std::move(last)) {
  check_sizes("TransformerEncoder", {{"count", count}});
}

void TransformerEncoder::fields(Fields& f) {
  f("layers", layers);
  f("norm", norm);
}

Tensor TransformerEncoder::operator()(const Tensor& x, const AttentionOptions& attention) {
  return checkpointed({x}, [this, attention](const Tensors& in) {
    Tensor h = in[0];
    for (TransformerEncoderLayer& layer : layers) h = layer(h, attention);
    return norm ? (*norm)(h) : h;
  });
}

TransformerDecoder::TransformerDecoder(const TransformerDecoderLayer& layer, std::int64_t count,
                                       std::optional<LayerNorm> last)
    : layers(static_cast<std::size_t>(count), layer), norm(std::move(last)) {
  check_sizes("TransformerDecoder", {{"count", count}});
}

void TransformerDecoder::fields(Fields& f) {
  f("layers", layers);
  f("norm", norm);
}

Tensor TransformerDecoder::operator()(const Tensor& x, const Tensor& memory, const AttentionOptions& self,
                                      const AttentionOptions& cross) {
  return checkpointed({x, memory}, [this, self, cross](const Tensors& in) {
    Tensor h = in[0];
    for (TransformerDecoderLayer& layer : layers) h = layer(h, in[1], self, cross);
    return norm ? (*norm)(h) : h;
  });
}

}  // namespace tessera::nn
