// A decoder that keeps its state on the device: a cache of keys and values that each step updates in place, one trace
// for all positions, and results equal to those of the whole sequence at once.
#include <cmath>
#include <cstdio>

#include <tessera/tessera.h>

namespace ts = tessera;
using ts::Tensor;

constexpr std::int64_t kLayers = 2, kHeads = 4, kSize = 16, kWidth = kHeads * kSize, kVocabulary = 50, kContext = 32;

struct Layer {
  Tensor qkv = weight(kWidth, 3 * kWidth), out = weight(kWidth, kWidth);
  Tensor up = weight(kWidth, 4 * kWidth), down = weight(4 * kWidth, kWidth);
  Tensor norm1 = ts::ones({kWidth}), norm2 = ts::ones({kWidth});

  static Tensor weight(std::int64_t rows, std::int64_t cols) { return ts::random::normal({rows, cols}) * 0.1; }
};

struct Model {
  Tensor embedding = Layer::weight(kVocabulary, kWidth);
  std::vector<Layer> layers = std::vector<Layer>(kLayers);

  // Tokens [T] at positions [T] over the caches, or over the keys of these tokens alone if there are none. The caches
  // are replaced by updated ones: keys and values of each layer, [1, heads, context, size].
  Tensor operator()(const Tensor& tokens, const Tensor& positions, std::vector<Tensor>* caches = nullptr) const {
    const std::int64_t t = tokens.numel();
    Tensor h = ts::embedding(tokens, embedding);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Layer& l = layers[i];
      const Tensor qkv = ts::reshape(ts::matmul(ts::rms_norm(h, l.norm1), l.qkv), {1, t, 3, kHeads, kSize});
      const auto part = [&](std::int64_t n) {
        return ts::transpose(ts::reshape(ts::slice(qkv, {{}, {}, {n, n + 1}}), {1, t, kHeads, kSize}), 1, 2);
      };
      const Tensor q = ts::rope(part(0), positions);
      Tensor k = ts::rope(part(1), positions);
      Tensor v = part(2);
      ts::AttentionOptions options{.causal = true};
      if (caches != nullptr) {
        k = (*caches)[2 * i] = ts::slice_update((*caches)[2 * i], k, positions, {2});
        v = (*caches)[2 * i + 1] = ts::slice_update((*caches)[2 * i + 1], v, positions, {2});
        options.lengths = positions + 1;
      }
      const Tensor a = ts::transpose(ts::scaled_dot_product_attention(q, k, v, options), 1, 2);
      h = h + ts::matmul(ts::reshape(a, {t, kWidth}), l.out);
      h = h + ts::matmul(ts::gelu(ts::matmul(ts::rms_norm(h, l.norm2), l.up)), l.down);
    }
    return ts::matmul(h, embedding.T());
  }
};

int main() {
  const Model model;
  // One step: token and position of shape [1], then the caches, which it takes over.
  std::vector<int> donated{1};
  for (int i = 0; i < 2 * kLayers; ++i) donated.push_back(2 + i);
  const ts::Compiled step = ts::compile(
      [&](const std::vector<Tensor>& in) {
        std::vector<Tensor> caches(in.begin() + 2, in.end());
        const Tensor logits = model(in[0], in[1], &caches);
        std::vector<Tensor> results{ts::cast(ts::argmax(logits, -1), ts::i32), in[1] + 1, logits};
        results.insert(results.end(), caches.begin(), caches.end());
        return results;
      },
      {.donate = donated});

  std::vector<Tensor> state{Tensor(std::vector<std::int32_t>{7}, {1}), Tensor(std::vector<std::int32_t>{0}, {1})};
  for (int i = 0; i < 2 * kLayers; ++i) state.push_back(ts::zeros({1, kHeads, kContext, kSize}));
  std::vector<Tensor> tokens;
  std::vector<Tensor> logits;
  for (std::int64_t i = 0; i < kContext; ++i) {  // submits ahead: nothing is read back between the steps
    tokens.push_back(state[0]);
    std::vector<Tensor> next = step(state);
    logits.push_back(next[2]);
    next.erase(next.begin() + 2);
    state = std::move(next);
  }
  const Tensor whole = model(ts::concat(tokens, 0), ts::arange(0, kContext, 1, ts::i32));
  const auto difference = ts::max(ts::abs(ts::concat(logits, 0) - whole)).item<float>();
  std::printf("%d tokens, %zu trace, %zu kernels a step, largest difference %g\n", static_cast<int>(kContext),
              step.traces(), step.kernel_count(), static_cast<double>(difference));
  return difference < 1e-3F && step.traces() == 1 ? 0 : 1;
}
