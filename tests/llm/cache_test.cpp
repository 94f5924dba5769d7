// Paged caches: logits equal those of a cache without pages; windows and released sequences give pages back.
#include <functional>

#include "llm/support.h"
#include "support/devices.h"

namespace tessera::test {

namespace {

class PagedCache : public testing::Test {
 protected:
  void SetUp() override { test_device().set_current(); }
};

llm::Model load_model(const std::string& name, DType dtype = f32) {
  return llm::Model::load(model_folder(name), {.device = test_device(), .dtype = dtype});
}

/// Tokens that differ from sequence to sequence: [rows, count].
Tensor tokens_of(std::int64_t rows, std::int64_t from, std::int64_t count, std::int64_t seed = 0) {
  std::vector<std::int32_t> v;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = from; i < from + count; ++i)
      v.push_back(static_cast<std::int32_t>((i * 7 + (r + seed) * 13 + 3) % 60));
  }
  return {v, {rows, count}, test_device()};
}

std::string error_text(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

/// A prompt and steps of a compiled function with both caches.
void expect_equal_logits(const std::string& name, std::optional<DType> dtype, std::int64_t page, int steps) {
  llm::Model model = load_model(name);
  llm::Cache paged = model.cache(2, 20, dtype, {.size = page, .chunk = 6});
  llm::Cache plain = model.cache(2, 20, dtype);
  const auto reserve = [&](std::int64_t from, std::int64_t to) {
    for (const std::int64_t b : {1, 0}) paged.reserve(b, from, to);
  };
  reserve(0, 5);
  const Tensor prompt = tokens_of(2, 0, 5);
  EXPECT_LT(difference(model.forward(prompt, paged), model.forward(prompt, plain), {5, 5}), 1e-5) << name;
  auto step = compile([&](const Tensor& t) { return model.forward(t, paged, {.last = true}); }, paged);
  for (int i = 5; i < 5 + steps; ++i) {
    reserve(i, i + 1);
    const Tensor token = tokens_of(2, i, 1);
    const Tensor want = model.forward(token, plain);
    ASSERT_LT(difference(reshape(step(token), want.shape()), want, {1, 1}), 1e-5) << name << " " << i;
  }
  EXPECT_EQ(step.traces(), 1U);
}

}  // namespace

TEST_F(PagedCache, LogitsAreThoseOfACacheWithoutPages) {
  for (const std::string name : {"llama", "mistral", "gemma2", "gpt_oss"}) expect_equal_logits(name, {}, 4, 15);
  expect_equal_logits("llama", q8_0, 3, 9);
  expect_equal_logits("mistral", f16, 1, 15);
}

TEST_F(PagedCache, OnAnAdapter) {
  for (const TestDevice& which : devices()) {
    if (which.device == "cpu") continue;
    const Device before = test_device();
    test_device() = open(which);
    expect_equal_logits("llama", {}, 4, 2);
    test_device() = before;
    before.set_current();
  }
}

// Layers with a window of 5 keep window + chunk tokens, whatever the context.
TEST_F(PagedCache, WindowsGivePagesBack) {
  llm::Model model = load_model("mistral");
  ASSERT_EQ(model.config().layers[0].window, 5);
  llm::Cache cache = model.cache(1, 400, {}, {.size = 4, .chunk = 4});
  EXPECT_LT(cache.k[0].size(0), 8);
  llm::Cache plain = model.cache(1, 400);
  std::int64_t fewest = cache.free_pages();
  for (std::int64_t at = 0; at < 60; at += 4) {
    cache.reserve(0, at, at + 4);
    fewest = std::min(fewest, cache.free_pages());
    const Tensor ids = tokens_of(1, at, 4);
    EXPECT_LT(difference(model.forward(ids, cache), model.forward(ids, plain), {4}), 1e-5) << at;
  }
  EXPECT_GE(fewest, 0);
  EXPECT_NE(error_text([&] { cache.reserve(0, 60, 200); }).find("window of 5"), std::string::npos);
}

// Three sequences share two rows: one leaves, another joins at its own position, and none sees the others' tokens.
TEST_F(PagedCache, SequencesJoinAndLeave) {
  llm::Model model = load_model("llama");
  llm::Cache cache = model.cache(2, 16, {}, {.size = 4, .count = 6});
  const auto alone = [&](std::int64_t seed, std::int64_t count) { return model.forward(tokens_of(1, 0, count, seed)); };
  const auto last = [](const Tensor& logits) { return slice(logits, {{}, {logits.size(1) - 1, logits.size(1)}}); };
  const auto prefill = [&](std::int64_t row, std::int64_t seed, std::int64_t count) {
    cache.reserve(row, 0, count);
    return model.forward(tokens_of(1, 0, count, seed), cache, {.sequences = ints({static_cast<std::int32_t>(row)})});
  };
  EXPECT_EQ(cache.free_pages(), 6);
  EXPECT_LT(difference(prefill(0, 0, 5), alone(0, 5), {5}), 1e-5);
  EXPECT_LT(difference(prefill(1, 1, 9), alone(1, 9), {9}), 1e-5);
  EXPECT_EQ(cache.free_pages(), 1);
  // Both decode a token, in another order.
  cache.reserve(0, 5, 6);
  cache.reserve(1, 9, 10);
  const Tensor next = concat({tokens_of(1, 9, 1, 1), tokens_of(1, 5, 1, 0)}, 0);
  const Tensor both = model.forward(next, cache, {.sequences = ints({1, 0})});
  EXPECT_LT(difference(slice(both, {{0, 1}}), last(alone(1, 10)), {1}), 1e-5);
  EXPECT_LT(difference(slice(both, {{1, 2}}), last(alone(0, 6)), {1}), 1e-5);
  EXPECT_EQ(cache.lengths.to_vector<std::int32_t>(), (std::vector<std::int32_t>{6, 10}));
  // No room for more; once sequence 1 is gone there is.
  EXPECT_NE(error_text([&] { cache.reserve(0, 6, 16); }).find("more pages of 4 tokens are needed"), std::string::npos);
  EXPECT_EQ(cache.free_pages(), 1);
  cache.release(1);
  EXPECT_EQ(cache.free_pages(), 4);
  EXPECT_EQ(cache.lengths.to_vector<std::int32_t>(), (std::vector<std::int32_t>{6, 0}));
  EXPECT_LT(difference(prefill(1, 2, 3), alone(2, 3), {3}), 1e-5);
  cache.reserve(0, 6, 7);
  cache.reserve(1, 3, 4);
  const Tensor two = model.forward(concat({tokens_of(1, 6, 1, 0), tokens_of(1, 3, 1, 2)}, 0), cache);
  EXPECT_LT(difference(slice(two, {{0, 1}}), last(alone(0, 7)), {1}), 1e-5);
  EXPECT_LT(difference(slice(two, {{1, 2}}), last(alone(2, 4)), {1}), 1e-5);
  // What is written to a row without a sequence is dropped.
  cache.release(1);
  cache.reserve(0, 7, 8);
  const Tensor one =
      model.forward(concat({tokens_of(1, 7, 1, 0), tokens_of(1, 0, 1, 5)}, 0), cache, {.lengths = ints({1, 0})});
  EXPECT_LT(difference(slice(one, {{0, 1}}), last(alone(0, 8)), {1}), 1e-5);
  EXPECT_EQ(cache.lengths.to_vector<std::int32_t>(), (std::vector<std::int32_t>{8, 0}));
}

TEST_F(PagedCache, Errors) {
  llm::Model model = load_model("llama");
  llm::Cache cache = model.cache(2, 8, {}, {.size = 4});
  EXPECT_NE(error_text([&] { cache.reserve(2, 0, 1); }).find("sequence 2"), std::string::npos);
  EXPECT_NE(error_text([&] { cache.reserve(0, 0, 9); }).find("room for 8"), std::string::npos);
  EXPECT_NE(error_text([&] { cache.reserve(0, 3, 2); }).find("tokens 3 to 2"), std::string::npos);
  llm::Cache plain = model.cache(2, 8);
  EXPECT_NE(error_text([&] { plain.reserve(0, 0, 1); }).find("no pages"), std::string::npos);
  EXPECT_NE(error_text([&] {
              (void)model.forward(tokens_of(1, 0, 1), plain, {.sequences = ints({0})});
            }).find("cache with pages"),
            std::string::npos);
  EXPECT_NE(error_text([&] { (void)model.cache(1, 8, {}, {.size = -1}); }).find("-1 tokens"), std::string::npos);
  // Tokens past what was reserved.
  cache.reserve(0, 0, 2);
  EXPECT_NE(
      error_text([&] { (void)model.forward(tokens_of(1, 0, 6), cache, {.sequences = ints({0})}).to_vector<float>(); }),
      "");
}

// A step writes rows of the pages it is at, and no more.
TEST_F(PagedCache, StepsWriteInPlace) {
  llm::Model model = load_model("llama", f16);
  llm::Cache cache = model.cache(3, 8192, {}, {.size = 16});
  auto step = compile([&](const Tensor& token) { return model.forward(token, cache, {.last = true}); }, cache);
  const Tensor token = full({3, 1}, 7, i32, test_device()).eval();
  for (const std::int64_t b : {0, 1, 2}) cache.reserve(b, 0, 4);
  const std::uint64_t bytes = bytes_of_three_steps(step, token);
  EXPECT_GT(bytes, 0U);
  EXPECT_LT(bytes, static_cast<std::uint64_t>(cache.k[0].numel()));
  EXPECT_EQ(step.traces(), 1U);
}

}  // namespace tessera::test
