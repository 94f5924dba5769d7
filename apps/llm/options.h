// Options of the commands that run language models.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/llm.h"

namespace tessera::app {

struct ModelOptions {
  std::string path;          // a folder or a GGUF file
  std::int64_t context = 0;  // tokens; 0: the model's, and at most 4096
  std::string dtype;         // of matrices; empty: as in the file
  std::string cache_dtype;   // of keys and values; empty: that of the matrices, or f16
};

/// What was not given is as the model's files say.
struct AnswerOptions {
  std::optional<std::int64_t> max_tokens, top_k;
  std::optional<double> temperature, top_p, min_p, repetition_penalty;
  std::optional<std::uint32_t> seed;
  std::vector<std::string> stop;
  bool ignore_eos = false;  // end tokens do not end an answer
};

struct GenerateCommand {
  ModelOptions model;
  AnswerOptions answer;
  std::vector<std::string> prompts;  // "-": standard input
  bool chat = false;                 // each prompt is a message of a user
  std::string system;
  std::optional<std::int64_t> logprobs;
  bool json = false;
};
int generate(const GenerateCommand& options);

struct ChatCommand {
  ModelOptions model;
  AnswerOptions answer;
  std::string system, load;
};
int chat(const ChatCommand& options);

struct EmbedCommand {
  ModelOptions model;
  std::vector<std::string> texts;  // "-": the lines of standard input
  bool json = false;
};
int embed(const EmbedCommand& options);

struct PerplexityCommand {
  ModelOptions model;  // its context is that of the windows
  std::string file;    // "-": standard input
  std::int64_t stride = 0;
  bool json = false;
};
int perplexity(const PerplexityCommand& options);

struct TokenizeCommand {
  std::string tokenizer;  // a tokenizer.json, a folder with one, or a GGUF file
  std::string text;       // "-": standard input
  bool special_tokens = true;
  bool json = false;
};
int tokenize(const TokenizeCommand& options);

/// Loads the model; on a terminal, says how long it took.
llm::LanguageModel load_model(const ModelOptions& options);
/// `unsaid` is the sampling where neither the options nor the model's files say anything.
llm::GenerateOptions generate_options(const AnswerOptions& options, const llm::LanguageModel& model,
                                      const llm::SamplingOptions& unsaid = {.temperature = 0});
std::string standard_input();

}  // namespace tessera::app
