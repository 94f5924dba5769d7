// `tessera generate`, `embed` and `perplexity`: one call of a language model each.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "llm/options.h"
#include "terminal.h"
#include "tessera/error.h"

namespace tessera::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kUsualTokens = 256;

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Json json_of(const llm::LanguageModel& model, const std::string& prompt, const llm::Generation& g) {
  Json out{{"prompt", prompt},
           {"text", g.text},
           {"tokens", g.tokens},
           {"finish", llm::name(g.finish)},
           {"stop", g.stop.empty() ? Json() : Json(g.stop)},
           {"seed", g.seed},
           {"prompt_tokens", g.prompt_tokens},
           {"answer_tokens", g.tokens.size()},
           {"prefill_seconds", g.prefill_seconds},
           {"decode_seconds", g.decode_seconds},
           {"prefill_tok_s", g.prefill_rate()},
           {"decode_tok_s", g.decode_rate()}};
  if (g.logprobs.empty()) return out;
  Json all = Json::array();
  for (std::size_t i = 0; i < g.tokens.size(); ++i) {
    Json top = Json::array();
    for (const llm::TokenLogprob& t : g.top_logprobs[i]) {
      top.push_back(
          {{"id", t.id}, {"token", model.tokenizer().id_to_token(t.id).value_or("")}, {"logprob", t.logprob}});
    }
    all.push_back({{"id", g.tokens[i]},
                   {"token", model.tokenizer().id_to_token(g.tokens[i]).value_or("")},
                   {"logprob", g.logprobs[i]},
                   {"top", top}});
  }
  out["logprobs"] = all;
  return out;
}

/// Text of a model for JSON: StreamDecoder gives UTF-8, and what is not becomes U+FFFD.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

int generate(const GenerateCommand& o) {
  const llm::LanguageModel model = load_model(o.model);
  llm::GenerateOptions options = generate_options(o.answer, model);
  if (!options.max_tokens) options.max_tokens = kUsualTokens;
  if (o.json) options.logprobs = o.logprobs;
  std::vector<std::string> prompts;
  for (const std::string& given : o.prompts)
    prompts.push_back(given == "-" ? without_newline(standard_input()) : given);
  std::vector<std::vector<text::TokenId>> tokens;
  for (const std::string& prompt : prompts) {
    if (!o.chat) {
      tokens.push_back(model.encode(prompt));
      continue;
    }
    std::vector<text::Message> messages;
    if (!o.system.empty()) messages.push_back({"system", o.system});
    messages.push_back({"user", prompt});
    tokens.push_back(model.encode(model.chat_template().apply(messages, {.add_generation_prompt = true}), false));
  }
  const bool streams = !o.json && prompts.size() == 1;
  const auto print = [](const llm::GeneratedToken& token) {
    fmt::print("{}", token.text);
    std::fflush(stdout);
  };
  std::vector<llm::Generation> answers;
  if (prompts.size() == 1) {
    llm::Context context = model.context();
    answers.push_back(model.generate(context, tokens[0], options, streams ? llm::OnToken(print) : llm::OnToken()));
  } else {
    answers = model.generate_batch(tokens, options);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (o.json) {
      fmt::print("{}\n", dumped(json_of(model, prompts[i], answers[i])));
    } else if (streams) {
      fmt::print("\n");
    } else {
      fmt::print("{}{}\n{}\n", i > 0 ? "\n" : "", styled(Style::kBold, prompts[i]), answers[i].text);
    }
  }
  return 0;
}

int embed(const EmbedCommand& o) {
  const llm::LanguageModel model = load_model(o.model);
  std::vector<std::string> texts;
  for (const std::string& given : o.texts) {
    if (given != "-") {
      texts.push_back(given);
      continue;
    }
    std::istringstream lines(standard_input());
    for (std::string line; std::getline(lines, line);) texts.push_back(line);
  }
  const Tensor vectors = model.embed(texts);
  const std::vector<float> values = vectors.to_vector<float>();
  const auto width = static_cast<std::size_t>(vectors.size(1));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<float> row(values.begin() + static_cast<std::ptrdiff_t>(i * width),
                                 values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    if (o.json) {
      fmt::print("{}\n", dumped({{"text", texts[i]}, {"embedding", row}}));
    } else {
      fmt::print("{:.6g}\n", fmt::join(row, " "));
    }
  }
  return 0;
}

int perplexity(const PerplexityCommand& o) {
  std::string text;
  if (o.file == "-") {
    text = standard_input();
  } else {
    std::ifstream file(o.file, std::ios::binary);
    if (!file) throw Error(ErrorKind::kIo, fmt::format("The file '{}' cannot be read.", o.file));
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const llm::LanguageModel model = load_model(o.model);
  const llm::Perplexity p = model.perplexity(text, {.context = o.model.context, .stride = o.stride});
  if (o.json) {
    fmt::print("{}\n", dumped({{"perplexity", p.value}, {"nll", p.nll}, {"tokens", p.tokens}, {"windows", p.windows}}));
  } else {
    fmt::print("perplexity {:.4f} ({} tokens, {} windows)\n", p.value, p.tokens, p.windows);
  }
  return 0;
}

int tokenize(const TokenizeCommand& options) {
  const text::Tokenizer tokenizer = llm::load_tokenizer(options.tokenizer);
  const std::string input = options.text == "-" ? standard_input() : options.text;
  const text::Encoding encoding = tokenizer.encode_with_offsets(input, {.add_special_tokens = options.special_tokens});
  Json tokens = Json::array();
  for (const text::TokenId id : encoding.ids) tokens.push_back(tokenizer.id_to_token(id).value_or(""));
  if (options.json) {
    fmt::print("{}\n", Json{{"ids", encoding.ids}, {"tokens", tokens}, {"offsets", encoding.offsets}}.dump());
    return 0;
  }
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) fmt::print("{:6}  {}\n", encoding.ids[i], tokens[i].dump());
  return 0;
}

}  // namespace tessera::app
