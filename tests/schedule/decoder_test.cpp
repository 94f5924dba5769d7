// A decoder over 2,000 tokens: one trace, and no compilation, planning or host allocation after the first steps.
#include <algorithm>
#include <deque>
#include <set>

#include "allocations.h"
#include "support/devices.h"
#include "tessera/tessera.h"

namespace tessera::test {
namespace {

constexpr std::int64_t kLayers = 2;
constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kSize = 8;
constexpr std::int64_t kWidth = kHeads * kSize;
constexpr std::int64_t kVocabulary = 31;
constexpr std::size_t kWarmUp = 24;  // steps until the pool and the recycled nodes are enough for all that is in flight
constexpr std::size_t kAhead = 8;    // steps that are submitted before the first token is read

struct Layer {
  Tensor norm1, qkv, out, norm2, up, down;
};

struct Model {
  explicit Model(const Device& device) {
    const auto weight = [&](const Shape& shape, double from) {
      const Tensor at = arange(0, static_cast<double>(shape.numel()), 1, f32, device);
      return (sin(reshape(at, shape) * 1.7 + from) * 0.4).eval();
    };
    embedding = weight({kVocabulary, kWidth}, 0);
    for (int i = 0; i < kLayers; ++i) {
      layers.push_back({weight({kWidth}, i + 0.1), weight({kWidth, 3 * kWidth}, i + 0.2),
                        weight({kWidth, kWidth}, i + 0.3), weight({kWidth}, i + 0.4),
                        weight({kWidth, 2 * kWidth}, i + 0.5), weight({2 * kWidth, kWidth}, i + 0.6)});
    }
  }

  /// Tokens [T] at positions [T], over the caches or over these tokens alone.
  Tensor operator()(const Tensor& tokens, const Tensor& positions, Tensor* caches = nullptr) const {
    const std::int64_t t = tokens.numel();
    Tensor h = tessera::embedding(tokens, embedding);
    for (const Layer& l : layers) {
      const Tensor qkv = reshape(matmul(rms_norm(h, l.norm1), l.qkv), {1, t, 3, kHeads, kSize});
      const auto part = [&](std::int64_t n) {
        return transpose(reshape(slice(qkv, {{}, {}, {n, n + 1}}), {1, t, kHeads, kSize}), 1, 2);
      };
      Tensor k = rope(part(1), positions);
      Tensor v = part(2);
      AttentionOptions options{.causal = true};
      if (caches != nullptr) {
        k = caches[0] = slice_update(caches[0], k, positions, {2});
        v = caches[1] = slice_update(caches[1], v, positions, {2});
        caches += 2;
        options.lengths = positions + 1;
      }
      const Tensor a = transpose(scaled_dot_product_attention(rope(part(0), positions), k, v, options), 1, 2);
      h = h + matmul(reshape(a, {t, kWidth}), l.out);
      h = h + matmul(gelu(matmul(rms_norm(h, l.norm2), l.up)), l.down);
    }
    return matmul(h, embedding.T());
  }

  Tensor embedding;
  std::vector<Layer> layers;
};

class Decoder : public DeviceTest {};
TESSERA_ON_ALL_DEVICES(Decoder);

TEST_P(Decoder, OneTraceAndNoHostAllocation) {
  const std::size_t steps = on_cpu() ? 2000 : 64;
  const auto context = static_cast<std::int64_t>(steps);
  const Model model(device_);
  // State: the token, its position, all logits so far, and the caches.
  std::vector<int> donated{1, 2};
  for (int i = 0; i < 2 * kLayers; ++i) donated.push_back(3 + i);
  int calls = 0;
  const Compiled step = compile(
      [&](const Tensors& in) {
        ++calls;
        Tensors next = in;
        const Tensor logits = model(in[0], in[1], &next[3]);
        next[0] = cast(argmax(logits, -1), i32);
        next[1] = in[1] + 1;
        next[2] = slice_update(in[2], logits, in[1], {0});
        return next;
      },
      {.donate = donated});
  Tensors state{Tensor(std::vector<std::int32_t>{7}, {1}, device_), Tensor(std::vector<std::int32_t>{0}, {1}, device_),
                zeros({context, kVocabulary}, f32, device_).eval()};
  for (int i = 0; i < 2 * kLayers; ++i) state.push_back(zeros({1, kHeads, context, kSize}, f32, device_).eval());

  std::vector<std::int32_t> tokens{7};
  std::deque<Async<std::vector<std::int32_t>>> reads;
  const auto take = [&] {
    tokens.push_back(reads.front().get()[0]);
    reads.pop_front();
  };
  Tensors next(state.size());
  Statistics before;
  std::uint64_t allocated = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    if (i == kWarmUp) before = statistics(device_);
    const std::uint64_t counted = allocations();
    step.run(state, next);
    std::swap(state, next);
    for (Tensor& t : next) t = Tensor();
    if (i >= kWarmUp) allocated += allocations() - counted;
    reads.push_back(read<std::int32_t>(state[0]));
    if (reads.size() > kAhead) take();
  }
  while (!reads.empty()) take();
  const Statistics after = statistics(device_);
  EXPECT_EQ(step.traces(), 1U);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(after.pipeline_misses, before.pipeline_misses) << "compiled after the first steps";
  EXPECT_EQ(after.plan_misses + after.plan_hits, before.plan_misses + before.plan_hits) << "planned again";
  // On a GPU, buffers of the pool that meet for the first time need a bind group, and how many do depends on the time
  // that steps take; Plans.ReplayAllocatesAndCompilesNothing counts there.
  if (on_cpu()) {
    EXPECT_EQ(allocated, 0U) << "host allocations in " << steps - kWarmUp << " steps";
  }

  // The same at once: the logits of all positions, and their argmax.
  tokens.pop_back();
  const Tensor whole = model(Tensor(tokens, {context}, device_), arange(0, context, 1, i32, device_));
  EXPECT_LT(max(abs(state[2] - whole)).item<float>(), 2e-3F);
  const auto best = cast(argmax(state[2], -1), i32).to_vector<std::int32_t>();
  EXPECT_TRUE(std::equal(tokens.begin() + 1, tokens.end(), best.begin())) << "tokens are those of the logits";
  EXPECT_GT(std::set<std::int32_t>(tokens.begin(), tokens.end()).size(), 1U);
}

}  // namespace
}  // namespace tessera::test
