// The options of the commands that run language models, and what they share.
#include "llm/command.h"

#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "llm/options.h"
#include "terminal.h"
#include "tessera/error.h"

namespace tessera::app {

namespace {

void add_model(CLI::App& c, ModelOptions& o) {
  c.add_option("model", o.path, "A folder of Hugging Face, or a GGUF file")->required();
  c.add_option("--context", o.context, "Tokens of the context; default: the model's, and at most 4096");
  c.add_option("--dtype", o.dtype, "Of matrices: f32, f16 or bf16; default: as in the file");
  c.add_option("--cache-dtype", o.cache_dtype,
               "Of keys and values: f32, f16, bf16 or q8_0; default: that of the matrices");
}

void add_answer(CLI::App& c, AnswerOptions& o) {
  c.add_option("--max-tokens", o.max_tokens, "The most tokens of an answer");
  c.add_option("--temperature", o.temperature, "0: always the most likely token; default: the model's, else 0");
  c.add_option("--top-k", o.top_k, "Samples of the k most likely tokens; 0: of all");
  c.add_option("--top-p", o.top_p, "Samples of the fewest tokens whose probabilities sum up to p");
  c.add_option("--min-p", o.min_p, "Samples of tokens with at least this fraction of the largest probability");
  c.add_option("--repetition-penalty", o.repetition_penalty, "Above 1: tokens that were there before are less likely");
  c.add_option("--seed", o.seed, "Of sampling; default: a random one");
  c.add_option("--stop", o.stop, "A text that ends the answer; may be given several times")->take_all()->expected(1);
  c.add_flag("--ignore-eos", o.ignore_eos, "End tokens do not end the answer");
}

std::shared_ptr<GenerateCommand> add_generate(CLI::App& c) {
  auto o = std::make_shared<GenerateCommand>();
  add_model(c, o->model);
  c.add_option("prompt", o->prompts, "What the text begins with; - reads standard input; several are a batch")
      ->required();
  add_answer(c, o->answer);
  c.add_flag("--chat", o->chat, "Each prompt is a message of a user: the chat template is applied");
  c.add_option("--system", o->system, "With --chat: the message of the system");
  c.add_option("--logprobs", o->logprobs, "With --json: log-probabilities of tokens, and of so many likely ones");
  c.add_flag("--json", o->json, "Prints one JSON object per prompt");
  return o;
}

std::shared_ptr<ChatCommand> add_chat(CLI::App& c) {
  auto o = std::make_shared<ChatCommand>();
  add_model(c, o->model);
  add_answer(c, o->answer);
  c.add_option("--system", o->system, "The message of the system");
  c.add_option("--load", o->load, "A chat that /save has written");
  return o;
}

std::shared_ptr<EmbedCommand> add_embed(CLI::App& c) {
  auto o = std::make_shared<EmbedCommand>();
  add_model(c, o->model);
  c.add_option("text", o->texts, "Texts; - reads the lines of standard input")->required();
  c.add_flag("--json", o->json, "Prints one JSON object per text");
  return o;
}

std::shared_ptr<PerplexityCommand> add_perplexity(CLI::App& c) {
  auto o = std::make_shared<PerplexityCommand>();
  c.add_option("model", o->model.path, "A folder of Hugging Face, or a GGUF file")->required();
  c.add_option("file", o->file, "A text in UTF-8; - reads standard input")->required();
  c.add_option("--context", o->model.context, "Tokens of a window; default: the model's, and at most 2048");
  c.add_option("--stride", o->stride, "Tokens from window to window; default: half a window");
  c.add_option("--dtype", o->model.dtype, "Of matrices: f32, f16 or bf16; default: as in the file");
  c.add_flag("--json", o->json, "Prints one JSON object");
  return o;
}

std::shared_ptr<TokenizeCommand> add_tokenize(CLI::App& c) {
  auto o = std::make_shared<TokenizeCommand>();
  c.add_option("tokenizer", o->tokenizer, "A tokenizer.json, a folder with one, or a GGUF file")->required();
  c.add_option("text", o->text, "The text; - reads standard input")->required();
  c.add_flag("!--no-special-tokens", o->special_tokens, "Leaves out what the tokenizer adds, such as <s>");
  c.add_flag("--json", o->json, "Prints one JSON object: ids, tokens and offsets in bytes");
  return o;
}

}  // namespace

std::function<std::optional<int>()> add_llm(CLI::App& app) {
  CLI::App* of_generate = app.add_subcommand("generate", "Continues a prompt with a language model.");
  CLI::App* of_chat = app.add_subcommand("chat", "Chats with a language model.");
  CLI::App* of_embed = app.add_subcommand("embed", "Prints embeddings of texts.");
  CLI::App* of_perplexity = app.add_subcommand("perplexity", "How well a language model predicts a text.");
  CLI::App* of_tokenize = app.add_subcommand("tokenize", "Prints the tokens of a text, each with its id.");
  return [=, g = add_generate(*of_generate), c = add_chat(*of_chat), e = add_embed(*of_embed),
          p = add_perplexity(*of_perplexity), t = add_tokenize(*of_tokenize)]() -> std::optional<int> {
    if (of_generate->parsed()) return generate(*g);
    if (of_chat->parsed()) return chat(*c);
    if (of_embed->parsed()) return embed(*e);
    if (of_perplexity->parsed()) return perplexity(*p);
    if (of_tokenize->parsed()) return tokenize(*t);
    return std::nullopt;
  };
}

namespace {

/// The dtype of this name; nothing for no name.
std::optional<DType> dtype_of(const std::string& given, std::initializer_list<DType> possible) {
  if (given.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const DType d : possible) {
    if (given == name(d)) return d;
    names.push_back(name(d));
  }
  throw Error(ErrorKind::kValue,
              fmt::format("The dtype '{}' was given; one of {} is expected.", given, fmt::join(names, ", ")));
}

}  // namespace

llm::LanguageModel load_model(const ModelOptions& o) {
  llm::LanguageModelOptions options{.context = o.context};
  options.dtype = dtype_of(o.dtype, {f32, f16, bf16});
  options.cache_dtype = dtype_of(o.cache_dtype, {f32, f16, bf16, q8_0});
  const auto start = std::chrono::steady_clock::now();
  if (errors_to_terminal()) {
    fmt::print(stderr, "loading {} ...", o.path);
    options.progress = ProgressBar(fmt::format("loading {}", o.path));
  }
  const auto clear = [] {
    if (errors_to_terminal()) fmt::print(stderr, "\r\033[K");
  };
  try {
    llm::LanguageModel model = llm::LanguageModel::load(o.path, options);
    clear();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (errors_to_terminal())
      fmt::print(stderr, "loaded {} in {:.1f} s on {}\n", o.path, seconds, Device::current().name());
    return model;
  } catch (...) {
    clear();
    throw;
  }
}

llm::GenerateOptions generate_options(const AnswerOptions& o, const llm::LanguageModel& model,
                                      const llm::SamplingOptions& unsaid) {
  llm::GenerateOptions out;
  llm::SamplingOptions s = model.defaults().sampled ? model.defaults().sampling : unsaid;
  s.repetition_penalty = o.repetition_penalty.value_or(model.defaults().sampling.repetition_penalty);
  s.temperature = o.temperature.value_or(s.temperature);
  s.top_k = o.top_k.value_or(s.top_k);
  s.top_p = o.top_p.value_or(s.top_p);
  s.min_p = o.min_p.value_or(s.min_p);
  // Filters without a temperature mean that tokens are sampled.
  if (!o.temperature && s.temperature == 0 && (o.top_k || o.top_p || o.min_p)) s.temperature = 1;
  out.sampling = s;
  out.max_tokens = o.max_tokens;
  out.seed = o.seed;
  out.stop = o.stop;
  if (o.ignore_eos) out.end_tokens.emplace();
  return out;
}

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

}  // namespace tessera::app
