// Generation: tokens equal those of whole sequences, contexts, stop strings, cancellation, batches, and what is
// refused.
#include <fstream>
#include <set>
#include <thread>

#include "base/utf8.h"
#include "llm/generate/loaded_model.h"
#include "llm/generate/stop_strings.h"
#include "llm/support.h"
#include "llm/tiny_gguf.h"
#include "runtime/null/null_device.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/profiles.h"

namespace tessera::test {

namespace {

namespace fs = std::filesystem;
using llm::FinishReason;
using llm::GenerateOptions;
using llm::Generation;
using llm::LanguageModel;
using Ids = std::vector<text::TokenId>;

class LlmGenerate : public testing::Test {
 protected:
  void SetUp() override {
    test_device().set_current();
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  /// The tiny GGUF model; without the library of tokenizers the test is skipped.
  LanguageModel tiny(const TinyGguf& options = {}, const llm::LanguageModelOptions& load = {}) {
    const fs::path file = root_ / "tiny.gguf";
    save_tiny_gguf(file, options);
    return LanguageModel::load(file, load);
  }
  fs::path copy_of(const std::string& name) {
    const fs::path folder = root_ / name;
    fs::copy(model_folder(name), folder, fs::copy_options::recursive);
    return folder;
  }

  fs::path root_ = fs::temp_directory_path() / ("tessera_generate_" + std::to_string(::getpid()));
};

#define SKIP_WITHOUT_TEXT() \
  if (text::library().path.empty()) GTEST_SKIP() << text::library().error

/// A model of tests/llm/models without a tokenizer.
LanguageModel model_of(const std::string& name, const llm::LanguageModelOptions& options = {}) {
  return {llm::Model::load(model_folder(name), {.device = test_device(), .dtype = f32}), {}, {}, {}, options};
}

Ids prompt_of(std::size_t count, unsigned seed = 3) {
  std::mt19937 random(seed);
  Ids out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(3 + random() % 70);
  return out;
}

/// Greedy tokens by the logits of whole sequences, without a cache.
Ids by_whole_sequences(const LanguageModel& model, Ids tokens, std::size_t count) {
  Ids out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<std::int32_t> ids(tokens.begin(), tokens.end());
    const Tensor logits =
        model.model().forward(Tensor(ids, {1, static_cast<std::int64_t>(ids.size())}, test_device()), {.last = true});
    out.push_back(static_cast<text::TokenId>(argmax(logits, -1).item<int>()));
    tokens.push_back(out.back());
  }
  return out;
}

Ids answer(const LanguageModel& model, llm::Context& context, const Ids& prompt, std::int64_t count) {
  return model.generate(context, prompt, {.max_tokens = count}).tokens;
}

Ids joined(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool mentions(const Error& e, const std::string& text) { return std::string(e.what()).find(text) != std::string::npos; }

}  // namespace

TEST_F(LlmGenerate, EqualsWholeSequences) {
  for (const std::string name : {"llama", "mistral", "gemma3", "gpt2", "qwen3_moe", "gpt_oss", "phi4_mini"}) {
    const LanguageModel model = model_of(name);
    for (const std::size_t length : {1, 9, 14}) {
      const Ids prompt = prompt_of(length);
      llm::Context context = model.context();
      const Generation g = model.generate(context, prompt, {.max_tokens = 8});
      // LongRoPE depends on the size of the context, which is that of the tokens in a call without a cache.
      if (name != "phi4_mini") {
        EXPECT_EQ(g.tokens, by_whole_sequences(model, prompt, 8)) << name << " " << length;
      }
      EXPECT_EQ(g.finish, FinishReason::kLength);
      EXPECT_EQ(g.prompt_tokens, std::ssize(prompt));
      EXPECT_EQ(g.reused_tokens, 0);
      EXPECT_EQ(context.tokens(), joined(prompt, Ids(g.tokens.begin(), g.tokens.end() - 1)));
      EXPECT_EQ(context.cache().lengths.item<int>(), context.size());
    }
  }
}

TEST_F(LlmGenerate, OnAnAdapter) {
  const LanguageModel model = model_of("llama");
  llm::Context context = model.context();
  const Ids expected = answer(model, context, prompt_of(11), 5);
  for (const TestDevice& which : devices()) {
    if (which.device == "cpu") continue;
    const Device before = test_device();
    test_device() = open(which);
    {
      const LanguageModel there = model_of("llama");
      llm::Context other = there.context();
      EXPECT_EQ(answer(there, other, prompt_of(11), 5), expected);
      other.save(root_ / "context.safetensors");
    }
    test_device() = before;
    before.set_current();
  }
}

// Prompts of all lengths use a few sizes of chunks, whose steps are traced once.
TEST_F(LlmGenerate, AnotherPromptLengthCompilesNothing) {
  const LanguageModel model = model_of("llama_yarn", {.context = 1500});  // it has 2048
  llm::Context context = model.context();
  for (const std::size_t length : {3, 9, 30, 100, 400, 1200}) {
    context.clear();
    (void)answer(model, context, prompt_of(length, 1), 3);
  }
  const std::size_t traces = model.traces();
  EXPECT_LE(traces, 6U);
  const std::uint64_t plans = statistics(test_device()).plan_misses;
  for (const std::size_t length : {1, 2, 7, 17, 33, 59, 129, 311, 513, 1111}) {
    context.clear();
    (void)answer(model, context, prompt_of(length, 2), 3);
  }
  EXPECT_EQ(model.traces(), traces);
  EXPECT_EQ(statistics(test_device()).plan_misses, plans);
}

// A token writes its keys and values, and no more of the cache; a copy of a context is made when it is continued.
TEST_F(LlmGenerate, StepsWriteTheCacheInPlace) {
  const LanguageModel model = model_of("llama_yarn", {.context = 2048});
  llm::Context context = model.context();
  (void)answer(model, context, prompt_of(9), 4);
  const auto written = [&](llm::Context& in) {
    return bytes_written(test_device(), [&] { (void)answer(model, in, prompt_of(9), 4); });
  };
  const auto whole = static_cast<std::uint64_t>(context.cache().k[0].numel() * 4);
  const std::uint64_t bytes = written(context);
  EXPECT_GT(bytes, 0U);
  EXPECT_LT(bytes, whole) << "of one of four tensors";
  llm::Context fork = context;
  EXPECT_GT(written(fork), 4 * whole);
  EXPECT_LT(written(fork), whole);
}

TEST_F(LlmGenerate, ThreadsShareAModel) {
  const LanguageModel model = model_of("llama");
  std::vector<Ids> prompts;
  for (unsigned i = 0; i < 4; ++i) prompts.push_back(prompt_of(5 + 7 * i, i));
  std::vector<Ids> got(prompts.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    threads.emplace_back([&, i] {
      llm::Context context = model.context();
      for (int turn = 0; turn < 3; ++turn) got[i] = answer(model, context, prompts[i], 8);
    });
  }
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < prompts.size(); ++i) EXPECT_EQ(got[i], by_whole_sequences(model, prompts[i], 8)) << i;
}

TEST_F(LlmGenerate, SizesOfChunks) {
  for (std::int64_t left = 1; left <= 1200; ++left) {
    for (const std::int64_t room : {left, left + 1, left + 7, left + 100, left + 5000}) {
      const std::int64_t size = llm::chunk_of(left, room);
      ASSERT_TRUE(size == 1 || size == 8 || size == 32 || size == 128 || size == 512) << size;
      ASSERT_LE(size, room);
    }
  }
  EXPECT_EQ(llm::chunk_of(200, 4000), 128);
  EXPECT_EQ(llm::chunk_of(300, 4000), 512);
  EXPECT_EQ(llm::chunk_of(300, 400), 128);
  EXPECT_EQ(llm::chunk_of(2, 4000), 8);
  EXPECT_EQ(llm::chunk_of(6, 7), 1);
}

TEST_F(LlmGenerate, ASecondTurnComputesNewTokensOnly) {
  const LanguageModel model = model_of("llama");
  llm::Context context = model.context();
  const Ids first = prompt_of(12);
  const Ids answered = answer(model, context, first, 6);
  const Ids second = joined(joined(first, answered), prompt_of(5, 9));
  const Generation g = model.generate(context, second, {.max_tokens = 6});
  EXPECT_EQ(g.reused_tokens, 17);  // the last token of the answer was not computed
  EXPECT_EQ(g.tokens, by_whole_sequences(model, second, 6));
  // Another prompt keeps what is equal, and forgets the rest.
  Ids other = second;
  other[14] = 5;
  const Generation changed = model.generate(context, other, {.max_tokens = 6});
  EXPECT_EQ(changed.reused_tokens, 14);
  EXPECT_EQ(changed.tokens, by_whole_sequences(model, other, 6));
  // The same prompt again: its last token is computed for its logits.
  const Generation again = model.generate(context, other, {.max_tokens = 6});
  EXPECT_EQ(again.reused_tokens, std::ssize(other) - 1);
  EXPECT_EQ(again.tokens, changed.tokens);
  context.truncate(3);
  EXPECT_EQ(context.cache().lengths.item<int>(), 3);
  EXPECT_EQ(model.generate(context, other, {.max_tokens = 6}).reused_tokens, 3);
}

TEST_F(LlmGenerate, CopiesOfAContextAreForks) {
  const LanguageModel model = model_of("llama");
  llm::Context one = model.context();
  const Ids prompt = prompt_of(10);
  (void)answer(model, one, prompt, 4);
  llm::Context two = one;
  const Ids a = joined(prompt, prompt_of(6, 21));
  const Ids b = joined(prompt, prompt_of(6, 22));
  EXPECT_EQ(answer(model, one, a, 5), by_whole_sequences(model, a, 5));
  EXPECT_EQ(two.tokens().size(), 13U);
  EXPECT_EQ(answer(model, two, b, 5), by_whole_sequences(model, b, 5));
  const Ids more = joined(a, prompt_of(3, 23));
  EXPECT_EQ(answer(model, one, more, 5), by_whole_sequences(model, more, 5));
}

TEST_F(LlmGenerate, TheContextIsFull) {
  const LanguageModel model = model_of("llama", {.context = 21});
  llm::Context context = model.context();
  EXPECT_EQ(context.capacity(), 21);
  for (const std::size_t length : {1, 13, 20, 21}) {
    const Ids prompt = prompt_of(length);
    const Generation g = model.generate(context, prompt);
    EXPECT_EQ(g.tokens.size(), 22 - length);
    EXPECT_EQ(g.finish, FinishReason::kLength);
    EXPECT_EQ(g.tokens, by_whole_sequences(model, prompt, 22 - length)) << length;
    EXPECT_EQ(context.size(), 21);
  }
  const Error e = error_of([&] { (void)model.generate(context, prompt_of(22)); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_TRUE(mentions(e, "22 tokens") && mentions(e, "room for 21") && mentions(e, "trained for 64")) << e.what();
  EXPECT_EQ(context.size(), 21);  // nothing was done
  const Generation nothing = model.generate(context, prompt_of(9), {.max_tokens = 0});
  EXPECT_TRUE(nothing.tokens.empty());
  EXPECT_EQ(context.size(), 8);
}

TEST_F(LlmGenerate, EndTokens) {
  const LanguageModel model = model_of("llama");
  const Ids prompt = prompt_of(9);
  const Ids all = by_whole_sequences(model, prompt, 12);
  for (const std::size_t at : {0, 1, 5}) {
    if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), all[at]) !=
        all.begin() + static_cast<std::ptrdiff_t>(at))
      continue;
    llm::Context context = model.context();
    const Generation g = model.generate(context, prompt, {.max_tokens = 12, .end_tokens = Ids{79, all[at]}});
    EXPECT_EQ(g.finish, FinishReason::kStop);
    EXPECT_EQ(g.tokens, Ids(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at) + 1));
    // The step behind the end was submitted; the context continues as if it had not been.
    EXPECT_EQ(context.cache().lengths.item<int>(), context.size());
    const Ids next = joined(joined(prompt, g.tokens), prompt_of(4, 5));
    EXPECT_EQ(answer(model, context, next, 6), by_whole_sequences(model, next, 6));
  }
}

TEST_F(LlmGenerate, CancelAtAnyToken) {
  const LanguageModel model = model_of("llama");
  const Ids prompt = prompt_of(9);
  const Ids all = by_whole_sequences(model, prompt, 12);
  for (const std::size_t at : {0, 1, 2, 7}) {
    llm::Context context = model.context();
    std::stop_source source;
    if (at == 0) source.request_stop();
    Ids seen;
    const Generation g =
        model.generate(context, prompt, {.max_tokens = 12, .cancel = source.get_token()}, [&](const auto& token) {
          seen.push_back(token.id);
          if (seen.size() == at) source.request_stop();
        });
    EXPECT_EQ(g.finish, FinishReason::kCancelled) << at;
    EXPECT_EQ(g.tokens, Ids(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at)));
    EXPECT_EQ(seen, g.tokens);
    const Ids next = joined(joined(prompt, g.tokens), prompt_of(4, 5));
    EXPECT_EQ(answer(model, context, next, 6), by_whole_sequences(model, next, 6)) << at;
  }
}

TEST_F(LlmGenerate, ACallbackThatThrows) {
  const LanguageModel model = model_of("llama");
  const Ids prompt = prompt_of(9);
  llm::Context context = model.context();
  EXPECT_THROW((void)model.generate(context, prompt, {.max_tokens = 12},
                                    [](const llm::GeneratedToken&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  EXPECT_GE(context.size(), 9);
  const Generation g = model.generate(context, prompt, {.max_tokens = 6});
  EXPECT_EQ(g.reused_tokens, 8);
  EXPECT_EQ(g.tokens, by_whole_sequences(model, prompt, 6));
}

TEST_F(LlmGenerate, SeedsAndPenalties) {
  const LanguageModel model = model_of("llama");
  const Ids prompt = prompt_of(9);
  const auto tokens = [&](const llm::SamplingOptions& s, std::optional<std::uint32_t> seed) {
    llm::Context context = model.context();
    return model.generate(context, prompt, {.sampling = s, .max_tokens = 20, .seed = seed});
  };
  const llm::SamplingOptions warm{.temperature = 1.3, .top_k = 40};
  const Generation g = tokens(warm, 7);
  EXPECT_EQ(g.seed, 7U);
  EXPECT_EQ(tokens(warm, 7).tokens, g.tokens);
  EXPECT_NE(tokens(warm, 8).tokens, g.tokens);
  const Generation random = tokens(warm, {});
  EXPECT_EQ(tokens(warm, random.seed).tokens, random.tokens);
  // No token twice, and none of the prompt.
  const Ids once = tokens({.temperature = 0, .repetition_penalty = 1e9}, {}).tokens;
  std::set<text::TokenId> distinct(once.begin(), once.end());
  distinct.insert(prompt.begin(), prompt.end());
  EXPECT_EQ(distinct.size(), once.size() + std::set(prompt.begin(), prompt.end()).size());
  EXPECT_EQ(error_of([&] { (void)tokens({.top_p = 2}, {}); }).kind(), ErrorKind::kValue);
}

TEST_F(LlmGenerate, Logprobs) {
  const LanguageModel model = model_of("llama");
  const Ids prompt = prompt_of(9);
  llm::Context context = model.context();
  std::vector<float> seen;
  const Generation g =
      model.generate(context, prompt,
                     {.sampling = llm::SamplingOptions{.temperature = 1.5}, .max_tokens = 6, .seed = 1, .logprobs = 4},
                     [&](const llm::GeneratedToken& t) {
                       ASSERT_TRUE(t.logprob.has_value());
                       seen.push_back(*t.logprob);
                       EXPECT_EQ(t.top.size(), 4U);
                     });
  EXPECT_EQ(seen, g.logprobs);
  ASSERT_EQ(g.top_logprobs.size(), g.tokens.size());
  // The same of the whole sequence, in one call and by logprobs().
  const Ids whole = joined(prompt, g.tokens);
  const std::vector<std::int32_t> ids(whole.begin(), whole.end());
  const Tensor logits = model.model().forward(Tensor(ids, {1, 15}, test_device()));
  const std::vector<float> expected = floats(log_softmax(logits, -1));
  const std::vector<float> scores = model.logprobs(whole);
  ASSERT_EQ(scores.size(), 14U);
  for (std::size_t i = 0; i < 14; ++i) ASSERT_NEAR(scores[i], expected[i * 80 + whole[i + 1]], 1e-4) << i;
  for (std::size_t i = 0; i < g.tokens.size(); ++i) {
    ASSERT_NEAR(g.logprobs[i], scores[8 + i], 1e-4);
    std::vector<float> row(expected.begin() + static_cast<std::ptrdiff_t>((8 + i) * 80),
                           expected.begin() + static_cast<std::ptrdiff_t>((9 + i) * 80));
    for (const llm::TokenLogprob& t : g.top_logprobs[i]) ASSERT_NEAR(t.logprob, row[t.id], 1e-4);
    std::ranges::sort(row, std::greater());
    for (std::size_t k = 0; k < 4; ++k) ASSERT_NEAR(g.top_logprobs[i][k].logprob, row[k], 1e-4);
  }
  EXPECT_TRUE(model.generate(context, prompt, {.max_tokens = 2, .logprobs = 0}).top_logprobs[0].empty());
  EXPECT_EQ(error_of([&] { (void)model.generate(context, prompt, {.logprobs = 81}); }).kind(), ErrorKind::kValue);
}

TEST_F(LlmGenerate, PerplexityInWindows) {
  const LanguageModel model = model_of("llama");
  const Ids tokens = prompt_of(50, 11);
  // One window: all tokens behind the first.
  const std::vector<float> scores = model.logprobs(tokens);
  double sum = 0;
  for (const float s : scores) sum -= s;
  const llm::Perplexity one = model.perplexity(tokens);
  EXPECT_EQ(one.windows, 1);
  EXPECT_EQ(one.tokens, 49);
  EXPECT_NEAR(one.nll, sum, 1e-3);
  EXPECT_NEAR(one.value, std::exp(sum / 49), one.value * 1e-5);
  // Windows of 20 every 10: [0, 20), [10, 30), [20, 40), [30, 50).
  const llm::Perplexity four = model.perplexity(tokens, {.context = 20});
  EXPECT_EQ(four.windows, 4);
  EXPECT_EQ(four.tokens, 49);
  double expected = 0;
  for (std::size_t begin = 0, done = 1; done < 50; begin += 10) {
    const std::vector<float> part = model.logprobs(std::span(tokens).subspan(begin, 20));
    for (; done < begin + 20; ++done) expected -= part[done - begin - 1];
  }
  EXPECT_NEAR(four.nll, expected, 1e-3);
  EXPECT_GT(std::abs(four.nll - one.nll), 1e-3);
  EXPECT_EQ(model.perplexity(tokens, {.context = 20, .stride = 19}).windows, 3);
  for (const llm::PerplexityOptions& bad : {llm::PerplexityOptions{.context = 1},
                                            {.context = 65},
                                            {.context = 8, .stride = 8},
                                            {.context = 8, .stride = -1}}) {
    EXPECT_EQ(error_of([&] { (void)model.perplexity(tokens, bad); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { (void)model.perplexity(prompt_of(1)); }).kind(), ErrorKind::kValue);
}

TEST_F(LlmGenerate, BatchesEqualSingleCalls) {
  const LanguageModel model = model_of("llama", {.context = 30});
  const std::vector<Ids> prompts{prompt_of(3, 1), prompt_of(30, 2), prompt_of(17, 3), prompt_of(1, 4),
                                 prompt_of(25, 5)};
  for (const GenerateOptions& options :
       {GenerateOptions{.max_tokens = 7}, GenerateOptions{},
        GenerateOptions{.sampling = llm::SamplingOptions{.temperature = 1.1, .repetition_penalty = 1.2},
                        .max_tokens = 12,
                        .seed = 5,
                        .logprobs = 2}}) {
    std::vector<Ids> seen(prompts.size());
    GenerateOptions with_end = options;
    with_end.end_tokens = Ids{7, 11, 20, 31, 50};
    const std::vector<Generation> all = model.generate_batch(
        prompts, with_end, [&](const llm::GeneratedToken& t) { seen[t.sequence].push_back(t.id); });
    ASSERT_EQ(all.size(), prompts.size());
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      llm::Context context = model.context();
      GenerateOptions own = with_end;
      if (own.seed) own.seed = *own.seed + static_cast<std::uint32_t>(i);
      const Generation one = model.generate(context, prompts[i], own);
      EXPECT_EQ(all[i].tokens, one.tokens) << i;
      EXPECT_EQ(all[i].finish, one.finish) << i;
      EXPECT_EQ(seen[i], one.tokens);
      ASSERT_EQ(all[i].logprobs.size(), one.logprobs.size());
      for (std::size_t k = 0; k < one.logprobs.size(); ++k) EXPECT_NEAR(all[i].logprobs[k], one.logprobs[k], 1e-4);
    }
  }
  EXPECT_TRUE(model.generate_batch(std::span<const Ids>()).empty());
  EXPECT_EQ(error_of([&] { (void)model.generate_batch(std::vector<Ids>{prompt_of(3), {}}); }).kind(),
            ErrorKind::kValue);
}

TEST_F(LlmGenerate, StopStringsAreNeverShown) {
  const auto run = [](const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
    llm::StopStrings s(stops);
    std::string out;
    for (const std::string& p : pieces) {
      out += s.push(p);
      if (s.done()) break;
    }
    if (!s.done()) out += s.finish();
    return std::pair(out, s.found());
  };
  using R = std::pair<std::string, std::string>;
  EXPECT_EQ(run({"END"}, {"abE", "N", "Dxy"}), R("ab", "END"));
  EXPECT_EQ(run({"END"}, {"abE", "N"}), R("abEN", ""));
  EXPECT_EQ(run({"END"}, {"E", "E", "N", "D"}), R("E", "END"));
  EXPECT_EQ(run({"aab"}, {"a", "a", "a", "b"}), R("a", "aab"));
  EXPECT_EQ(run({"\n\n", "x"}, {"a\n", "b\n", "\nc"}), R("a\nb", "\n\n"));
  EXPECT_EQ(run({"b", "abc"}, {"ab", "c"}), R("a", "b"));
  EXPECT_EQ(run({"\xE2\x82\xAC"}, {"1 \xE2\x82\xAC 2"}), R("1 ", "\xE2\x82\xAC"));
  EXPECT_EQ(run({}, {"a", "b"}), R("ab", ""));
  llm::StopStrings held({"END"});
  EXPECT_EQ(held.push("aEN"), "a");
  EXPECT_EQ(held.push("E"), "EN");
  EXPECT_EQ(held.push("x"), "Ex");
}

// Files of GGUF: weights, vocabulary, template and end tokens.
TEST_F(LlmGenerate, GgufWithAVocabulary) {
  SKIP_WITHOUT_TEXT();
  const LanguageModel model = tiny();
  ASSERT_TRUE(model.has_tokenizer());
  const std::vector<std::string> tokens = tiny_tokens();
  const auto end = static_cast<text::TokenId>(tokens.size() - 1);
  EXPECT_EQ(model.defaults().end_tokens, (Ids{2, end}));
  EXPECT_FALSE(model.defaults().sampled);
  EXPECT_EQ(model.encode("hello world")[0], 1U);
  EXPECT_EQ(model.tokenizer().decode(model.encode("hello w\xC3\xB6rld")), "hello w\xC3\xB6rld");
  EXPECT_EQ(llm::load_tokenizer(root_ / "tiny.gguf").encode("hello"), model.encode("hello"));
  std::string streamed;
  const GenerateOptions options{.sampling = llm::SamplingOptions{.temperature = 1.5}, .max_tokens = 120, .seed = 3};
  const Generation g = model.generate("hello", options, [&](const llm::GeneratedToken& t) {
    EXPECT_TRUE(is_utf8(t.text));
    streamed += t.text;
  });
  EXPECT_EQ(streamed, g.text);
  Ids shown = g.tokens;
  if (g.finish == FinishReason::kStop) shown.pop_back();
  text::StreamDecoder decoder(model.tokenizer());
  std::string expected;
  for (const text::TokenId id : shown) expected += decoder.push(id);
  EXPECT_EQ(g.text, expected + decoder.finish());
  EXPECT_GT(g.text.size(), 20U);
  // A stop string that begins and ends inside of tokens.
  const std::string& text = g.text;
  std::size_t at = 8;
  while (!is_utf8(std::string_view(text).substr(0, at)) || !is_utf8(std::string_view(text).substr(at, 4))) ++at;
  const std::string stop = text.substr(at, 4);
  GenerateOptions stopping = options;
  stopping.stop = {"never in it", stop};
  streamed.clear();
  const Generation cut = model.generate("hello", stopping, [&](const llm::GeneratedToken& t) { streamed += t.text; });
  EXPECT_EQ(cut.text, text.substr(0, text.find(stop)));
  EXPECT_EQ(streamed, cut.text);
  EXPECT_EQ(cut.stop, stop);
  EXPECT_EQ(cut.finish, FinishReason::kStop);
  EXPECT_LT(cut.tokens.size(), g.tokens.size());
  for (const std::string& bad : {std::string(), std::string("\xFF")}) {
    EXPECT_EQ(error_of([&] { (void)model.generate("hello", {.stop = {bad}}); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { (void)model.generate("\xFF"); }).kind(), ErrorKind::kValue);
}

TEST_F(LlmGenerate, ChatsReuseTheirContext) {
  SKIP_WITHOUT_TEXT();
  const LanguageModel model = tiny();
  llm::Context context = model.context();
  std::vector<text::Message> messages{{"system", "be brief"}, {"user", "hello"}};
  const GenerateOptions options{.max_tokens = 10, .end_tokens = Ids{}};
  const Generation first = model.chat(context, messages, options);
  EXPECT_EQ(first.reused_tokens, 0);
  EXPECT_EQ(context.tokens()[0], 1U);  // one <s>, of the template
  EXPECT_NE(context.tokens()[1], 1U);
  messages.push_back({"assistant", "ok"});
  messages.push_back({"user", "and now"});
  const Generation second = model.chat(context, messages, options);
  EXPECT_GE(second.reused_tokens, first.prompt_tokens - 1);
  llm::Context fresh = model.context();
  EXPECT_EQ(model.chat(fresh, messages, options).tokens, second.tokens);
}

TEST_F(LlmGenerate, QuantizedWeights) {
  SKIP_WITHOUT_TEXT();
  const LanguageModel model = tiny({.width = 64, .hidden = 64, .type = io::GgmlType::kQ8_0});
  EXPECT_EQ(model.context().cache().k[0].dtype(), f16);
  const Generation g = model.generate("hello", {.max_tokens = 5, .end_tokens = Ids{}});
  EXPECT_EQ(g.tokens.size(), 5U);
  EXPECT_EQ(model.generate("hello", {.max_tokens = 5, .end_tokens = Ids{}}).tokens, g.tokens);
}

TEST_F(LlmGenerate, SaveAndRestore) {
  const LanguageModel model = model_of("llama", {.context = 40});
  const fs::path file = root_ / "context.safetensors";
  llm::Context context = model.context();
  const Ids prompt = prompt_of(12);
  const Ids answered = answer(model, context, prompt, 6);
  context.save(file);
  EXPECT_LT(fs::file_size(file), 17 * 2 * 2 * 2 * 8 * 4 + 2000);  // up to the length
  const Ids next = joined(joined(prompt, answered), prompt_of(4, 5));
  const Generation expected = model.generate(context, next, {.max_tokens = 8, .logprobs = 0});
  for (const std::int64_t capacity : {0, 64, 26}) {
    const LanguageModel again = model_of("llama");
    llm::Context other = again.context(capacity);
    other.restore(file);
    EXPECT_EQ(other.size(), 17);
    EXPECT_EQ(other.cache().lengths.item<int>(), 17);
    const Generation g = again.generate(other, next, {.max_tokens = 5, .logprobs = 0});
    EXPECT_EQ(g.reused_tokens, 17);
    EXPECT_EQ(g.tokens, Ids(expected.tokens.begin(), expected.tokens.begin() + 5));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(g.logprobs[i], expected.logprobs[i], 1e-5);
  }
  // An empty context, and one that is too small.
  llm::Context empty = model.context();
  empty.save(file);
  context.restore(file);
  EXPECT_EQ(context.size(), 0);
  EXPECT_EQ(answer(model, context, prompt, 6), answered);
  context.save(file);
  llm::Context small = model.context(16);
  EXPECT_EQ(error_of([&] { small.restore(file); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { context.save("/no/such/folder/file"); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(error_of([&] { llm::Context().save(file); }).kind(), ErrorKind::kValue);
}

TEST_F(LlmGenerate, HostileContextFiles) {
  const LanguageModel model = model_of("llama");
  const fs::path file = root_ / "context.safetensors";
  llm::Context context = model.context();
  const Ids prompt = prompt_of(12);
  (void)answer(model, context, prompt, 3);
  context.save(file);
  const io::SafetensorsFile good(file);
  const io::Metadata metadata = good.metadata();
  std::vector<Tree::Named> tensors = good.tensors({.device = test_device()});
  const fs::path bad = root_ / "bad.safetensors";
  const auto refused = [&](const std::vector<Tree::Named>& t, const io::Metadata& m, ErrorKind kind) {
    io::save_safetensors(bad, t, m);
    const Error e = error_of([&] { context.restore(bad); });
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_EQ(context.size(), 14);
  };
  const auto with = [&](const std::string& name, const Tensor& t) {
    std::vector<Tree::Named> out;
    for (const auto& [n, value] : tensors) {
      if (n != name) out.emplace_back(n, value);
    }
    if (t.defined()) out.emplace_back(name, t);
    return out;
  };
  refused(tensors, {}, ErrorKind::kParse);
  refused(tensors, {{"format", "other"}}, ErrorKind::kParse);
  io::Metadata other = metadata;
  other["model"] = "0000";
  refused(tensors, other, ErrorKind::kValue);
  refused(with("tokens", {}), metadata, ErrorKind::kParse);
  refused(with("tokens", zeros({14})), metadata, ErrorKind::kParse);
  refused(with("tokens", zeros({2, 7}, i32)), metadata, ErrorKind::kParse);
  refused(with("tokens", full({14}, 80, i32)), metadata, ErrorKind::kParse);
  refused(with("tokens", full({14}, -1, i32)), metadata, ErrorKind::kParse);
  refused(with("tokens", zeros({13}, i32)), metadata, ErrorKind::kParse);
  refused(with("tokens", zeros({65}, i32)), metadata, ErrorKind::kValue);
  refused(with("cache.k.1", {}), metadata, ErrorKind::kParse);
  refused(with("cache.k.1", zeros({1, 2, 14, 8}, f16)), metadata, ErrorKind::kParse);
  refused(with("cache.k.1", zeros({1, 2, 15, 8})), metadata, ErrorKind::kParse);
  refused(with("cache.extra", zeros({1})), metadata, ErrorKind::kParse);
  std::ofstream(bad) << "no safetensors file";
  EXPECT_EQ(error_of([&] { context.restore(bad); }).kind(), ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { context.restore(root_ / "missing"); }).kind(), ErrorKind::kIo);
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(bad, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
    EXPECT_EQ(error_of([&] { context.restore(bad); }).kind(), ErrorKind::kParse) << size;
  }
  // A model of the same shapes with other weights, another architecture, and another dtype of the cache.
  llm::Model changed = llm::Model::load(model_folder("llama"), {.device = test_device(), .dtype = f32});
  changed.update(Tree::unflatten({{"norm.weight", changed.state()["norm.weight"] * 1.01}}));
  llm::Context of_changed = LanguageModel(std::move(changed), {}).context();
  EXPECT_EQ(error_of([&] { of_changed.restore(file); }).kind(), ErrorKind::kValue);
  llm::Context of_qwen = model_of("qwen2").context();
  EXPECT_EQ(error_of([&] { of_qwen.restore(file); }).kind(), ErrorKind::kValue);
  llm::Context of_half = model_of("llama", {.cache_dtype = f16}).context();
  EXPECT_EQ(error_of([&] { of_half.restore(file); }).kind(), ErrorKind::kValue);
  // Nothing of this changed the context.
  EXPECT_EQ(answer(model, context, prompt, 3), by_whole_sequences(model, prompt, 3));
}

TEST_F(LlmGenerate, WhatIsRefusedBeforeAnyWork) {
  const LanguageModel model = model_of("llama");
  llm::Context context = model.context();
  EXPECT_EQ(error_of([&] { (void)model.generate(context, Ids{}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model.generate(context, Ids{80}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model.generate(context, Ids{5}, {.max_tokens = -1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model.generate(context, Ids{5}, {.stop = {"a"}}); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error_of([&] { (void)model.generate("text"); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(error_of([&] { (void)model.chat(context, {}); }).kind(), ErrorKind::kUnsupported);
  llm::Context none;
  EXPECT_EQ(error_of([&] { (void)model.generate(none, Ids{5}); }).kind(), ErrorKind::kValue);
  llm::Context other = model_of("qwen2").context();
  EXPECT_EQ(error_of([&] { (void)model.generate(other, Ids{5}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { context.truncate(1); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model.context(65); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model_of("llama", {.context = -1}); }).kind(), ErrorKind::kValue);
  const Error encoder = error_of([&] { (void)model_of("bert").context(); });
  EXPECT_EQ(encoder.kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(mentions(encoder, "embed()")) << encoder.what();
  EXPECT_TRUE(mentions(error_of([&] { (void)LanguageModel::load("/no/such/model"); }), "does not exist"));
  std::ofstream(root_ / "other") << "text";
  EXPECT_EQ(error_of([&] { (void)LanguageModel::load(root_ / "other"); }).kind(), ErrorKind::kIo);
  save_tiny_gguf(root_ / "sha256-0123");
  EXPECT_EQ(LanguageModel::load(root_ / "sha256-0123").config().context, 256);
  // Folders: a missing shard, no tokenizer, and a tokenizer of another model.
  fs::path folder = copy_of("mistral");
  fs::remove(folder / "model-00002-of-00003.safetensors");
  EXPECT_TRUE(mentions(error_of([&] { (void)LanguageModel::load(folder); }), "model-00002-of-00003.safetensors"));
  folder = copy_of("llama");
  const LanguageModel plain = LanguageModel::load(folder);
  EXPECT_EQ(plain.defaults().end_tokens, Ids{2});
  EXPECT_TRUE(mentions(error_of([&] { (void)plain.generate("text"); }), "has no tokenizer.json"));
  if (text::library().path.empty()) return;
  std::string vocabulary = R"("a": 0)";
  for (int i = 1; i <= 80; ++i) vocabulary += fmt::format(R"(, "t{}": {})", i, i);
  std::ofstream(folder / "tokenizer.json")
      << R"({"version": "1.0", "added_tokens": [], "model": {"type": "WordLevel", "unk_token": "a", "vocab": {)"
      << vocabulary << "}}}";
  const Error e = error_of([&] { (void)LanguageModel::load(folder); });
  EXPECT_EQ(e.kind(), ErrorKind::kValue);
  EXPECT_TRUE(mentions(e, "does not match") && mentions(e, "t80") && mentions(e, "80 tokens")) << e.what();
}

TEST_F(LlmGenerate, ModelsThatDoNotFit) {
  const fs::path file = root_ / "tiny.gguf";
  save_tiny_gguf(file, {.width = 64, .hidden = 64, .context = 4096});
  const Device cpu = Device::create({.device = "cpu"});
  const Device gpu(runtime::make_null_device(h200_profile().info, {}, DeviceType::kDiscreteGpu));
  const auto refused = [&](llm::LanguageModelOptions o, const Device& device) {
    o.device = device;
    const Error e = error_of([&] { (void)LanguageModel::load(file, o); });
    EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory);
    return std::string(e.what());
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  // 343 KiB of weights, and 512 bytes of cache for each token in f32.
  for (const Device& device : {cpu, gpu}) {
    std::string text = refused({.memory = 600'000}, device);
    EXPECT_TRUE(has(text, "context of 4096 tokens") && has(text, "a context of at most 256 tokens")) << text;
    EXPECT_FALSE(has(text, "weights in")) << text;
    text = refused({.context = 256, .memory = 300'000}, device);
    EXPECT_TRUE(has(text, "weights in q8_0")) << text;
    text = refused({.context = 256, .memory = 200'000}, device);
    EXPECT_TRUE(has(text, "weights in q4_k")) << text;
    text = refused({.memory = 1000}, device);
    EXPECT_TRUE(has(text, device == cpu ? "a smaller model" : "the CPU, which has")) << text;
    EXPECT_NE(has(text, "TESSERA_DEVICE=cpu"), device == cpu) << text;
  }
  // Without a number of bytes: the memory budget of the device, or its memory.
  const auto null = [](std::uint64_t memory, const DeviceConfig& config) {
    DeviceInfo info = h200_profile().info;
    info.memory_size = memory;
    return Device(runtime::make_null_device(info, config, DeviceType::kDiscreteGpu));
  };
  for (const Device& device : {null(600'000, {}), null(0, {.memory_budget = 600'000}),
                               null(std::uint64_t{1} << 40U, {.memory_budget = 600'000}),
                               Device::create({.device = "cpu", .memory_budget = 600'000})}) {
    EXPECT_EQ(available_memory(device), 600'000U);
    const std::string text = refused({}, device);
    EXPECT_TRUE(has(text, "a context of at most 256 tokens")) << text;
  }
  EXPECT_EQ(available_memory(null(0, {})), std::nullopt);
  EXPECT_EQ(LanguageModel::load(file, {.device = null(0, {})}).context().capacity(), 4096);  // not known
  EXPECT_LE(available_memory(cpu), cpu.info().memory_size);
  EXPECT_EQ(LanguageModel::load(file, {.context = 256, .memory = 600'000}).context().capacity(), 256);
  save_tiny_gguf(file, {.width = 64, .hidden = 64, .context = 4096, .type = io::GgmlType::kQ8_0});
  EXPECT_EQ(LanguageModel::load(file, {.context = 256, .memory = 300'000}).context().capacity(), 256);
}

TEST_F(LlmGenerate, DefaultsOfTheFolder) {
  const fs::path folder = copy_of("llama");
  const auto defaults = [&](const std::string& text) {
    std::ofstream(folder / "generation_config.json", std::ios::trunc) << text;
    return LanguageModel::load(folder).defaults();
  };
  llm::GenerationDefaults d =
      defaults(R"({"do_sample": true, "temperature": 0.6, "top_p": 0.9, "eos_token_id": [5, 6], "min_p": 0.0})");
  EXPECT_TRUE(d.sampled);
  EXPECT_EQ(d.sampling.temperature, 0.6);
  EXPECT_EQ(d.sampling.top_p, 0.9);
  EXPECT_EQ(d.sampling.top_k, 50);
  EXPECT_EQ(d.end_tokens, (Ids{5, 6}));
  d = defaults(R"({"temperature": 0.6, "repetition_penalty": 1.2, "eos_token_id": null})");
  EXPECT_FALSE(d.sampled);
  EXPECT_EQ(d.sampling.temperature, 0);
  EXPECT_EQ(d.sampling.repetition_penalty, 1.2);
  EXPECT_EQ(d.end_tokens, Ids{2});  // that of config.json
  EXPECT_EQ(error_of([&] { (void)defaults(R"({"do_sample": true, "temperature": "warm"})"); }).kind(),
            ErrorKind::kParse);
  EXPECT_EQ(error_of([&] { (void)defaults("["); }).kind(), ErrorKind::kParse);
}

TEST_F(LlmGenerate, EmbeddingsInBatches) {
  SKIP_WITHOUT_TEXT();
  const fs::path folder = copy_of("minilm");
  std::string vocabulary = R"("[UNK]": 0)";
  for (int i = 1; i < 80; ++i) vocabulary += fmt::format(R"(, "w{}": {})", i, i);
  std::ofstream(folder / "tokenizer.json")
      << R"({"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "WhitespaceSplit"}, )"
      << R"("model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {)" << vocabulary << "}}}";
  const LanguageModel model = LanguageModel::load(folder, {.device = test_device(), .dtype = f32});
  std::vector<std::string> texts;
  for (int i = 0; i < 37; ++i) {
    std::string text;
    for (int k = 0; k <= (i * 7) % 11; ++k) text += fmt::format("w{} ", 1 + (i * 13 + k * 5) % 79);
    texts.push_back(text);
  }
  const Tensor all = model.embed(texts);
  ASSERT_EQ(all.shape(), (Shape{37, 32}));
  const std::vector<float> got = floats(all);
  for (const std::size_t i : {0, 5, 36}) {
    const Ids ids = model.encode(texts[i]);
    const std::vector<std::int32_t> row(ids.begin(), ids.end());
    const std::vector<float> one =
        floats(model.model().embed(Tensor(row, {1, static_cast<std::int64_t>(row.size())}, test_device())));
    for (std::size_t k = 0; k < 32; ++k) ASSERT_NEAR(got[i * 32 + k], one[k], 1e-4) << i;
  }
  EXPECT_EQ(model.embed({}).shape(), (Shape{0, 32}));
  std::string longer;
  for (int i = 0; i < 100; ++i) longer += "w1 ";
  EXPECT_EQ(error_of([&] { (void)model.embed(std::vector<std::string>{longer}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)model.embed(std::vector<std::string>{"w1", ""}); }).kind(), ErrorKind::kValue);
}

}  // namespace tessera::test
