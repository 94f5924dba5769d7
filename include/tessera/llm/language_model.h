// Language models as people use them: a path, a prompt, and the text that follows it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.h"
#include "tessera/llm/context.h"
#include "tessera/llm/model.h"
#include "tessera/llm/sampler.h"
#include "tessera/text.h"

namespace TESSERA_API tessera {
namespace llm {

struct LanguageModelOptions {
  Device device = {};
  std::optional<DType> dtype = {};        // of matrices: see LoadOptions
  std::int64_t context = 0;               // tokens of a context; 0: the model's, and at most 4096
  std::optional<DType> cache_dtype = {};  // of keys and values; none: that of the weights, f16 for block formats
  /// Bytes that weights and one context may use; 0: available_memory() of the device.
  std::uint64_t memory = 0;
  /// Follows the loading of weights: see LoadOptions.
  std::function<void(const io::LoadProgress&)> progress = {};
};

/// What the files say about generation: generation_config.json and config.json, or the metadata of a GGUF file.
struct GenerationDefaults {
  SamplingOptions sampling = {.temperature = 0};  // greedy if they say nothing
  bool sampled = false;                           // whether they say how to sample
  std::vector<text::TokenId> end_tokens = {};     // an answer ends with any of them
};

struct GenerateOptions {
  std::optional<SamplingOptions> sampling = {};  // none: LanguageModel::defaults()
  /// The most tokens of an answer; none: until the context is full; 0: only the prompt is computed.
  std::optional<std::int64_t> max_tokens = {};
  std::optional<std::uint32_t> seed = {};  // none: a random one
  /// An answer ends in front of the first of these texts, which are not part of it.
  std::vector<std::string> stop = {};
  std::optional<std::vector<text::TokenId>> end_tokens = {};  // none: LanguageModel::defaults()
  /// Log-probabilities of the chosen tokens, and of so many of the most likely ones, in front of temperature,
  /// penalties and filters.
  std::optional<std::int64_t> logprobs = {};
  bool add_special_tokens = true;   // those of the tokenizer, to a prompt that is text
  bool skip_special_tokens = true;  // in the text of answers
  /// Ends the answer at the next token.
  std::stop_token cancel = {};
};

enum class FinishReason : std::uint8_t {
  kStop,       // an end token, or a stop string
  kLength,     // max_tokens, or the context is full
  kCancelled,  // GenerateOptions::cancel
};
std::string_view name(FinishReason reason);  // "stop", "length", "cancelled"

struct TokenLogprob {
  text::TokenId id = 0;
  float logprob = 0;

  friend bool operator==(const TokenLogprob&, const TokenLogprob&) = default;
};

/// A token of an answer, when it is known.
struct GeneratedToken {
  std::size_t sequence = 0;  // the position of its prompt, or its number in a Batch
  text::TokenId id = 0;
  /// What is new: whole characters, and nothing that may become a stop string. The texts together are Generation::text.
  std::string_view text;
  std::optional<float> logprob;       // with GenerateOptions::logprobs
  std::span<const TokenLogprob> top;  // the most likely tokens, in descending order
};
/// Called on the thread of the call. What it throws ends the generation; the context keeps what was computed.
using OnToken = std::function<void(const GeneratedToken&)>;

struct Generation {
  std::string text;
  std::vector<text::TokenId> tokens;  // with the end token, and those of the stop string
  std::vector<float> logprobs;        // of the tokens
  std::vector<std::vector<TokenLogprob>> top_logprobs;
  FinishReason finish = FinishReason::kLength;
  std::string stop;                // the stop string that ended it
  std::uint32_t seed = 0;          // with which the same tokens are chosen again
  std::int64_t prompt_tokens = 0;  // of the whole prompt
  std::int64_t reused_tokens = 0;  // of them, those that the context had
  double prefill_seconds = 0;      // until the first token
  double decode_seconds = 0;       // from then on

  /// Tokens per second: of the prompt's that were computed; of the answer's behind the first. 0 if there are none.
  [[nodiscard]] double prefill_rate() const;
  [[nodiscard]] double decode_rate() const;
};

struct PerplexityOptions {
  std::int64_t context = 0;  // tokens of a window; 0: the model's, and at most 2048
  std::int64_t stride = 0;   // from window to window; 0: half a window
  std::stop_token cancel = {};
};
struct Perplexity {
  double value = 0;         // exp of the mean of the negative log-probabilities
  double nll = 0;           // their sum
  std::int64_t tokens = 0;  // that were predicted
  std::int64_t windows = 0;
};

class Batch;
struct BatchOptions;

/// A model with its tokenizer, its chat template and its defaults. Copies share one object; threads may use it at the
/// same time, each with its own context.
///
///   llm::LanguageModel model = llm::LanguageModel::load("Qwen3-0.6B-Q8_0.gguf");
///   llm::Context context = model.context();
///   model.chat(context, messages, {.max_tokens = 200}, [](const auto& token) { std::cout << token.text; });
class LanguageModel {
 public:
  /// From a folder of Hugging Face or a GGUF file, whatever its name. Error of kind io if there is neither. Before
  /// weights are loaded: Error of kind out_of_memory if they and one context do not fit, with what would; of kind value
  /// if the tokenizer has tokens that the model does not have. A folder or file without a tokenizer loads, and text is
  /// then refused.
  static LanguageModel load(const std::filesystem::path& path, const LanguageModelOptions& options = {});
  /// Of parts. Without a tokenizer, prompts are tokens.
  LanguageModel(Model model, std::optional<text::Tokenizer> tokenizer,
                std::optional<text::ChatTemplate> chat_template = {}, GenerationDefaults defaults = {},
                const LanguageModelOptions& options = {});

  [[nodiscard]] Model& model() const;
  [[nodiscard]] const Config& config() const;
  [[nodiscard]] const GenerationDefaults& defaults() const;
  [[nodiscard]] bool has_tokenizer() const;
  /// Error of kind unsupported if there is none.
  [[nodiscard]] const text::Tokenizer& tokenizer() const;
  [[nodiscard]] bool has_chat_template() const;
  [[nodiscard]] const text::ChatTemplate& chat_template() const;

  /// An empty context of `capacity` tokens; 0: that of the options. Error of kind unsupported for an encoder.
  [[nodiscard]] Context context(std::int64_t capacity = 0) const;
  /// An empty batch, of sequences that join and leave at any step: tessera/llm/batch.h. Error of kind value for options
  /// out of their range, of kind unsupported for an encoder.
  [[nodiscard]] Batch batch(const BatchOptions& options) const;
  /// The tokens of a text.
  [[nodiscard]] std::vector<text::TokenId> encode(std::string_view text, bool add_special_tokens = true) const;

  /// The answer to a prompt, in a context of its own. Error of kind value, before any work, if the prompt is empty or
  /// longer than the context, or an option is out of its range.
  Generation generate(std::string_view prompt, const GenerateOptions& options = {}, const OnToken& on_token = {}) const;
  /// The same in a context. The prompt is the whole text: what the context has of its tokens is kept, the rest of the
  /// context is forgotten, and the rest of the prompt is computed. Afterwards the context has prompt and answer.
  Generation generate(Context& context, std::string_view prompt, const GenerateOptions& options = {},
                      const OnToken& on_token = {}) const;
  Generation generate(Context& context, std::span<const text::TokenId> prompt, const GenerateOptions& options = {},
                      const OnToken& on_token = {}) const;
  /// The assistant's answer to the messages of a chat, by the chat template.
  Generation chat(Context& context, std::span<const text::Message> messages, const GenerateOptions& options = {},
                  const OnToken& on_token = {}, const text::ChatOptions& chat_options = {}) const;
  /// Answers to several prompts, which are computed together in a batch of at most 32 sequences: sequence i has the
  /// seed `seed + i`, and one that has ended leaves its place to the next.
  std::vector<Generation> generate_batch(std::span<const std::string> prompts, const GenerateOptions& options = {},
                                         const OnToken& on_token = {}) const;
  std::vector<Generation> generate_batch(std::span<const std::vector<text::TokenId>> prompts,
                                         const GenerateOptions& options = {}, const OnToken& on_token = {}) const;

  /// log p(tokens[i + 1] | tokens[0 .. i]) for each i: one number less than there are tokens, which must fit into a
  /// context.
  [[nodiscard]] std::vector<float> logprobs(std::span<const text::TokenId> tokens) const;
  /// Of a text's tokens, with those that the tokenizer adds. Windows of `context` tokens begin every `stride` tokens;
  /// each predicts the tokens that no earlier window did, from all tokens of the window before them. The first token of
  /// the text is not predicted.
  [[nodiscard]] Perplexity perplexity(std::string_view text, const PerplexityOptions& options = {}) const;
  [[nodiscard]] Perplexity perplexity(std::span<const text::TokenId> tokens,
                                      const PerplexityOptions& options = {}) const;
  /// Embeddings, f32 [texts, width], by the pooling of the model, computed in batches of similar lengths. Error of kind
  /// value for a text longer than the model's context.
  [[nodiscard]] Tensor embed(std::span<const std::string> texts) const;

  /// Compiled functions so far: they depend on options of sampling and on sizes of contexts and batches, not on the
  /// lengths of prompts beyond a few sizes of chunks.
  [[nodiscard]] std::size_t traces() const;

 private:
  explicit LanguageModel(std::shared_ptr<LoadedModel> state);
  Generation run(Context& context, std::vector<text::TokenId> prompt, const GenerateOptions& options,
                 const OnToken& on_token) const;

  std::shared_ptr<LoadedModel> state_;
};

/// The tokenizer of a tokenizer.json, a folder with one, or a GGUF file. Error of kind io if there is none.
text::Tokenizer load_tokenizer(const std::filesystem::path& path);

}  // namespace llm
}  // namespace tessera
