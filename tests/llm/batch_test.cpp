// Batches: sequences that join and leave at any step get the tokens that they get alone.
#include <map>
#include <random>

#include "llm/support.h"
#include "llm/tiny_gguf.h"
#include "support/errors.h"

namespace tessera::test {

namespace {

using llm::Batch;
using llm::FinishReason;
using llm::GenerateOptions;
using llm::Generation;
using llm::LanguageModel;
using llm::SamplingOptions;
using Ids = std::vector<text::TokenId>;

LanguageModel model_of(const std::string& name, const llm::LanguageModelOptions& options = {}) {
  return {llm::Model::load(model_folder(name), {.device = test_device(), .dtype = f32}), {}, {}, {}, options};
}

Ids prompt_of(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Ids out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(3 + random() % 70);
  return out;
}

/// What to generate, and the step in front of which it joins.
struct Job {
  Ids prompt;
  GenerateOptions options;
  std::size_t joins = 0;
};

/// All generations, by the order of the jobs; streamed tokens are those of the generations.
std::vector<Generation> run(Batch& batch, const std::vector<Job>& jobs) {
  std::map<std::size_t, std::size_t> of;
  std::map<std::size_t, Ids> streamed;
  std::vector<Generation> out(jobs.size());
  std::size_t left = jobs.size();
  for (std::size_t step = 0; left > 0 && step < 2000; ++step) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (jobs[i].joins == step) of[batch.add(jobs[i].prompt, jobs[i].options)] = i;
    }
    const llm::BatchStep got = batch.step();
    for (const llm::GeneratedToken& t : got.tokens) streamed[t.sequence].push_back(t.id);
    for (const std::size_t id : got.finished) {
      out[of.at(id)] = batch.remove(id);
      EXPECT_EQ(streamed[id], out[of.at(id)].tokens) << of.at(id);
      --left;
    }
  }
  EXPECT_EQ(left, 0U);
  EXPECT_TRUE(batch.empty());
  return out;
}

void expect_as_alone(const LanguageModel& model, const std::vector<Job>& jobs, const std::vector<Generation>& got) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    llm::Context context = model.context();
    const Generation one = model.generate(context, jobs[i].prompt, jobs[i].options);
    EXPECT_EQ(got[i].tokens, one.tokens) << i;
    EXPECT_EQ(got[i].finish, one.finish) << i;
    EXPECT_EQ(got[i].prompt_tokens, one.prompt_tokens);
    ASSERT_EQ(got[i].logprobs.size(), one.logprobs.size());
    for (std::size_t k = 0; k < one.logprobs.size(); ++k) EXPECT_NEAR(got[i].logprobs[k], one.logprobs[k], 1e-4);
    EXPECT_EQ(got[i].top_logprobs.size(), one.top_logprobs.size());
  }
}

class LlmBatch : public testing::Test {
 protected:
  void SetUp() override { test_device().set_current(); }
};

}  // namespace

TEST_F(LlmBatch, SequencesJoinAtAnyStep) {
  const LanguageModel model = model_of("llama", {.context = 48});
  // One runs; another joins in front of each of its steps.
  for (std::size_t joins = 0; joins < 8; ++joins) {
    Batch batch = model.batch({.sequences = 3, .page_size = 4});
    const std::vector<Job> jobs{{prompt_of(5, 1), {.max_tokens = 6}, 0},
                                {prompt_of(1 + 3 * joins, 2), {.max_tokens = 4}, joins},
                                {prompt_of(2, 3), {.max_tokens = 1}, joins + 1}};
    expect_as_alone(model, jobs, run(batch, jobs));
    EXPECT_EQ(batch.free_tokens(), 3 * 48);
  }
}

// Windows, experts, learned positions, attention sinks, and a cache in 8 bits.
TEST_F(LlmBatch, OfArchitectures) {
  for (const std::string name : {"mistral", "gemma3", "gpt2", "qwen3_moe", "gpt_oss", "phi4_mini"}) {
    SCOPED_TRACE(name);
    const LanguageModel model = model_of(name);
    Batch batch = model.batch({.sequences = 4, .page_size = 4, .chunk = 8});
    const std::vector<Job> jobs{{prompt_of(11, 1), {.max_tokens = 7}, 0},
                                {prompt_of(3, 2), {.max_tokens = 9}, 0},
                                {prompt_of(14, 3), {.max_tokens = 3}, 4}};
    expect_as_alone(model, jobs, run(batch, jobs));
  }
  const LanguageModel model = model_of("llama", {.cache_dtype = q8_0});
  Batch batch = model.batch({.sequences = 2, .page_size = 8});
  const std::vector<Job> jobs{{prompt_of(9, 1), {.max_tokens = 5}, 0}, {prompt_of(20, 2), {.max_tokens = 5}, 2}};
  expect_as_alone(model, jobs, run(batch, jobs));
}

TEST_F(LlmBatch, EachHasItsOwnOptions) {
  const LanguageModel model = model_of("llama");
  Batch batch = model.batch({.sequences = 5, .page_size = 8});
  const std::vector<Job> jobs{
      {prompt_of(6, 1), {.max_tokens = 12}, 0},
      {prompt_of(9, 2), {.sampling = SamplingOptions{.temperature = 1.2}, .max_tokens = 9, .seed = 4}, 0},
      {prompt_of(9, 2), {.sampling = SamplingOptions{.temperature = 1.2}, .max_tokens = 14, .seed = 5}, 3},
      {prompt_of(7, 3),
       {.sampling = SamplingOptions{.temperature = 0.9, .top_k = 20, .top_p = 0.8, .repetition_penalty = 1.3},
        .max_tokens = 12,
        .seed = 6,
        .logprobs = 3},
       1},
      {prompt_of(4, 4),
       {.sampling = SamplingOptions{.temperature = 0.9, .top_k = 20, .top_p = 0.8, .repetition_penalty = 1.3},
        .max_tokens = 6,
        .seed = 7,
        .logprobs = 3},
       5},
      {prompt_of(12, 5), {.sampling = SamplingOptions{.temperature = 0, .frequency_penalty = 3}, .max_tokens = 10}, 4},
      {prompt_of(3, 6), {.max_tokens = 20, .end_tokens = Ids{7, 11, 20, 31, 50}, .logprobs = 0}, 6}};
  expect_as_alone(model, jobs, run(batch, jobs));
}

TEST_F(LlmBatch, EdgesOfLengths) {
  const LanguageModel model = model_of("llama", {.context = 21});
  Batch batch = model.batch({.sequences = 4, .page_size = 4, .chunk = 8});
  EXPECT_EQ(batch.capacity(), 21);
  EXPECT_TRUE(batch.step().tokens.empty());  // of nothing
  const std::vector<Job> jobs{{prompt_of(21, 1), {}, 0},
                              {prompt_of(20, 2), {}, 0},
                              {prompt_of(1, 3), {}, 0},
                              {prompt_of(1, 4), {.max_tokens = 0}, 0},
                              {prompt_of(13, 5), {.max_tokens = 0}, 1},
                              {prompt_of(8, 6), {.max_tokens = 1}, 2},
                              {prompt_of(9, 7), {.max_tokens = 100}, 3}};
  const std::vector<Generation> got = run(batch, jobs);
  EXPECT_EQ(got[0].tokens.size(), 1U);
  EXPECT_EQ(got[2].tokens.size(), 21U);
  EXPECT_TRUE(got[3].tokens.empty() && got[4].tokens.empty());
  expect_as_alone(model, jobs, got);
}

// With too little memory for all, sequences wait for rows, for pages, and again after they have run.
TEST_F(LlmBatch, MoreSequencesThanFit) {
  const LanguageModel model = model_of("llama", {.context = 40});
  std::vector<Job> jobs;
  for (unsigned i = 0; i < 9; ++i) {
    const bool sampled = i % 3 == 1;
    jobs.push_back(
        {prompt_of(1 + i * 5 % 17, i),
         {.sampling = SamplingOptions{.temperature = sampled ? 1.1 : 0.0, .repetition_penalty = sampled ? 1.2 : 1.0},
          .max_tokens = 4 + i * 7 % 19,
          .seed = i},
         i / 3});
  }
  for (const std::int64_t tokens : {0, 100, 64, 40}) {
    SCOPED_TRACE(tokens);
    Batch batch = model.batch({.sequences = 3, .tokens = tokens, .page_size = 4, .chunk = 8});
    expect_as_alone(model, jobs, run(batch, jobs));
    EXPECT_EQ(batch.free_tokens(), tokens > 0 ? tokens : 120);
  }
  // Fewer pages than a context: a sequence ends where they do.
  Batch batch = model.batch({.sequences = 3, .tokens = 24, .page_size = 4});
  EXPECT_EQ(batch.capacity(), 24);
  EXPECT_EQ(run(batch, {{prompt_of(20, 1), {}, 0}, {prompt_of(3, 2), {}, 0}})[1].tokens.size(), 22U);
  EXPECT_EQ(error_of([&] { (void)batch.add(prompt_of(25, 1)); }).kind(), ErrorKind::kOutOfMemory);
  EXPECT_TRUE(batch.empty());
}

TEST_F(LlmBatch, RowsAndWaiting) {
  const LanguageModel model = model_of("llama", {.context = 32});
  Batch batch = model.batch({.sequences = 2});
  const std::size_t first = batch.add(prompt_of(4, 1), {.max_tokens = 3});
  (void)batch.add(prompt_of(4, 2), {.max_tokens = 30});
  const std::size_t third = batch.add(prompt_of(4, 3), {.max_tokens = 5});
  EXPECT_EQ(batch.waiting(), 3U);
  (void)batch.step();
  EXPECT_EQ(batch.running(), 2U);
  EXPECT_EQ(batch.waiting(), 1U);
  std::vector<std::size_t> finished;
  while (finished.empty()) finished = batch.step().finished;
  EXPECT_EQ(finished, std::vector<std::size_t>{first});
  EXPECT_EQ(batch.running(), 1U);
  (void)batch.step();  // the third has the row of the first
  EXPECT_EQ(batch.running(), 2U);
  EXPECT_EQ(batch.waiting(), 0U);
  EXPECT_EQ(batch.remove(first).tokens.size(), 3U);
  EXPECT_EQ(error_of([&] { (void)batch.remove(first); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.remove(99); }).kind(), ErrorKind::kValue);
  (void)batch.remove(third);
  EXPECT_EQ(batch.running(), 1U);
}

TEST_F(LlmBatch, RemovedAtAnyStep) {
  const LanguageModel model = model_of("llama", {.context = 40});
  llm::Context context = model.context();
  const Ids alone = model.generate(context, prompt_of(7, 1), {.max_tokens = 12}).tokens;
  context.clear();
  const Ids other = model.generate(context, prompt_of(30, 2), {.max_tokens = 9}).tokens;
  for (std::size_t at = 0; at < 7; ++at) {
    Batch batch = model.batch({.sequences = 2, .page_size = 4, .chunk = 8});
    std::stop_source source;
    const std::size_t a = batch.add(prompt_of(7, 1), {.max_tokens = 12});
    const std::size_t b = batch.add(prompt_of(30, 2), {.max_tokens = 9});
    const std::size_t c = batch.add(prompt_of(3, 3), {.max_tokens = 9, .cancel = source.get_token()});
    for (std::size_t i = 0; i < at; ++i) (void)batch.step();
    const Generation cut = batch.remove(b);
    EXPECT_EQ(cut.finish, FinishReason::kCancelled);
    EXPECT_EQ(cut.tokens, Ids(other.begin(), other.begin() + std::ssize(cut.tokens)));
    source.request_stop();
    std::vector<std::size_t> finished;
    while (!batch.empty()) {
      for (const std::size_t id : batch.step().finished) finished.push_back(id);
    }
    EXPECT_EQ(finished, (std::vector<std::size_t>{c, a})) << at;
    EXPECT_EQ(batch.remove(a).tokens, alone) << at;
    EXPECT_EQ(batch.remove(c).finish, FinishReason::kCancelled);
    EXPECT_EQ(batch.free_tokens(), 2 * 40);
  }
}

// The number of sequences and their lengths compile a few steps.
TEST_F(LlmBatch, JoiningCompilesNothing) {
  const LanguageModel model = model_of("llama");
  Batch batch = model.batch({.sequences = 4, .chunk = 8});
  const auto jobs = [](unsigned seed) {
    std::vector<Job> out;
    for (unsigned i = 0; i < 8; ++i) {
      out.push_back({prompt_of(9 + (i * 5 + seed) % 11, seed + i), {.max_tokens = 3 + (i * 3 + seed) % 7}, i * 2 % 9});
    }
    return out;
  };
  for (unsigned seed = 0; seed < 4; ++seed) (void)run(batch, jobs(seed));
  const std::size_t traces = model.traces();
  EXPECT_LE(traces, 6U);  // three numbers of rows, and chunks of 1 and 8 tokens
  for (unsigned seed = 4; seed < 8; ++seed) (void)run(batch, jobs(seed));
  EXPECT_EQ(model.traces(), traces);
}

TEST_F(LlmBatch, WhatIsRefused) {
  const LanguageModel model = model_of("llama");
  for (const llm::BatchOptions& bad : {llm::BatchOptions{.sequences = 0},
                                       {.context = 65},
                                       {.context = -1},
                                       {.tokens = -1},
                                       {.page_size = 0},
                                       {.chunk = 0}}) {
    EXPECT_EQ(error_of([&] { (void)model.batch(bad); }).kind(), ErrorKind::kValue);
  }
  EXPECT_EQ(error_of([&] { (void)model_of("bert").batch({}); }).kind(), ErrorKind::kUnsupported);
  Batch batch = model.batch({.context = 30});
  EXPECT_EQ(error_of([&] { (void)batch.add(Ids{}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.add(Ids{80}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.add(prompt_of(31, 1)); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.add(Ids{5}, {.max_tokens = -1}); }).kind(), ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.add(Ids{5}, {.sampling = SamplingOptions{.top_p = 2}}); }).kind(),
            ErrorKind::kValue);
  EXPECT_EQ(error_of([&] { (void)batch.add("text"); }).kind(), ErrorKind::kUnsupported);
  EXPECT_TRUE(batch.empty());
}

TEST_F(LlmBatch, TextAndStopStrings) {
  if (text::library().path.empty()) GTEST_SKIP() << text::library().error;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tessera_batch_" + std::to_string(::getpid()) + ".gguf");
  save_tiny_gguf(file);
  const LanguageModel model = LanguageModel::load(file);
  const GenerateOptions options{.sampling = SamplingOptions{.temperature = 1.5}, .max_tokens = 40, .seed = 3};
  const Generation whole = model.generate("hello", options);
  std::size_t at = whole.text.size() / 2;
  while ((static_cast<unsigned char>(whole.text[at]) & 0xC0U) == 0x80U) ++at;
  GenerateOptions stopping = options;
  stopping.stop = {whole.text.substr(at)};
  Batch batch = model.batch({.sequences = 2});
  const std::size_t a = batch.add("hello", options);
  const std::size_t b = batch.add("hello", stopping);
  std::map<std::size_t, std::string> streamed;
  while (!batch.empty()) {
    for (const llm::GeneratedToken& t : batch.step().tokens) streamed[t.sequence] += t.text;
  }
  EXPECT_EQ(streamed[a], whole.text);
  const Generation alone = model.generate("hello", stopping);
  EXPECT_EQ(streamed[b], alone.text);
  const Generation stopped = batch.remove(b);
  EXPECT_EQ(stopped.stop, alone.stop);
  EXPECT_EQ(stopped.finish, alone.finish);
  std::filesystem::remove(file);
}

}  // namespace tessera::test
