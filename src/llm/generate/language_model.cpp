// LanguageModel: loads what belongs to a model from a folder or a GGUF file, and checks that it fits together.
#include "tessera/llm/language_model.h"

#include <algorithm>
#include <fstream>

#include "base/fail.h"
#include "llm/generate/generation.h"
#include "llm/generate/loaded_model.h"
#include "llm/generate/memory.h"
#include "llm/load/gguf.h"
#include "llm/load/gguf_text.h"
#include "llm/load/reader.h"
#include "tessera/hf_folder.h"

namespace tessera::llm {

namespace {

namespace fs = std::filesystem;
using text::TokenId;

constexpr std::int64_t kUsualContext = 4096;

/// By its name or its first bytes.
bool is_gguf(const fs::path& path) {
  if (path.extension() == ".gguf") return true;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  char magic[4] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "GGUF";
}

/// What belongs to the weights.
struct Parts {
  std::optional<text::Tokenizer> tokenizer;
  std::optional<text::ChatTemplate> chat_template;
  std::string without_tokenizer, without_template;  // why there is none
  GenerationDefaults defaults;
};

/// Calls f. What the library of tokenizers does not support is no reason not to load the weights: its error is kept.
template <class F>
void try_text(std::string& why, const F& f) {
  try {
    f();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kUnsupported) throw;
    why = e.what();
  }
}

/// The same for templates, which may be wrong in any way.
template <class F>
void try_template(std::string& why, const F& f) {
  try {
    f();
  } catch (const Error& e) {
    why = e.what();
  }
}

Parts parts_of(const io::GgufFile& file) {
  Parts out;
  const std::string path = file.path().string();
  if (const auto vocabulary = gguf_vocabulary(file)) {
    try_text(out.without_tokenizer,
             [&] { out.tokenizer = text::Tokenizer::from_json(text::tokenizer_json(*vocabulary), path); });
  } else {
    out.without_tokenizer = fmt::format("'{}' has no tokenizer.", path);
  }
  if (const auto chat = gguf_chat(file)) {
    try_template(out.without_template,
                 [&] { out.chat_template.emplace(chat->text, chat->bos_token, chat->eos_token); });
  } else {
    out.without_template = fmt::format("'{}' has no chat template.", path);
  }
  out.defaults = gguf_defaults(file);
  return out;
}

/// Adds the token ids of a key: a number, a list, or null.
void add_ids(const Json& object, const char* key, std::vector<TokenId>& out) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  for (const Json& id : found->is_array() ? *found : Json::array({*found})) {
    if (id.is_number_integer() && id >= 0 && id <= 0x7FFFFFFF) out.push_back(id.get<TokenId>());
  }
}

GenerationDefaults defaults_of(const io::HfFolder& folder) {
  GenerationDefaults out;
  if (const auto text = folder.generation_config()) {
    const std::string name = (folder.path() / "generation_config.json").string();
    const Json object = parse_object(*text, name);
    const Reader read(object, name);
    add_ids(object, "eos_token_id", out.end_tokens);
    out.sampled = read.boolean("do_sample", false);
    if (out.sampled) {
      SamplingOptions& s = out.sampling;
      s.temperature = read.positive("temperature", 1.0);
      s.top_k = read.integer("top_k", 0, std::int64_t{1} << 30U, 50);  // as in the transformers package
      s.top_p = read.positive("top_p", 1.0);
      s.typical_p = read.positive("typical_p", 1.0);
      if (object.value("min_p", Json()) != 0) s.min_p = read.optional_positive("min_p").value_or(0);
    }
    out.sampling.repetition_penalty = read.positive("repetition_penalty", 1.0);
  }
  if (out.end_tokens.empty()) {
    add_ids(parse_object(folder.config(), (folder.path() / "config.json").string()), "eos_token_id", out.end_tokens);
  }
  return out;
}

Parts parts_of(const io::HfFolder& folder) {
  Parts out;
  const std::string path = folder.path().string();
  if (const auto json = folder.tokenizer()) {
    try_text(out.without_tokenizer,
             [&] { out.tokenizer = text::Tokenizer::from_json(*json, (folder.path() / "tokenizer.json").string()); });
  } else {
    out.without_tokenizer = fmt::format("'{}' has no tokenizer.json.", path);
  }
  if (folder.chat_template()) {
    try_template(out.without_template, [&] { out.chat_template = text::ChatTemplate::from_folder(folder.path()); });
  } else {
    out.without_template = fmt::format("'{}' has no chat template.", path);
  }
  out.defaults = defaults_of(folder);
  return out;
}

/// The size of contexts, checked.
std::int64_t context_of(const Config& config, std::int64_t given) {
  if (given < 0 || given > config.context) {
    fail(ErrorKind::kValue,
         "LanguageModel: a context of {} tokens was given; from 1 to {}, which the model has, is expected.", given,
         config.context);
  }
  return given > 0 ? given : std::min(config.context, kUsualContext);
}

void check_tokenizer(const Config& config, const std::optional<text::Tokenizer>& tokenizer) {
  if (!tokenizer) return;
  // Models may have more rows than tokens.
  std::optional<TokenId> beyond;
  const auto count = static_cast<std::int64_t>(tokenizer->vocab_size());
  for (std::int64_t id = count - 1; id >= config.vocabulary && !beyond; --id) {
    if (tokenizer->id_to_token(static_cast<TokenId>(id))) beyond = static_cast<TokenId>(id);
  }
  for (const TokenId id : tokenizer->special_tokens()) {
    if (std::cmp_greater_equal(id, config.vocabulary)) beyond = id;
  }
  if (beyond) {
    fail(
        ErrorKind::kValue,
        "LanguageModel: the tokenizer does not match the model: it has the token {} ({}), and the model has {} tokens.",
        *beyond, tokenizer->id_to_token(*beyond).value_or(""), config.vocabulary);
  }
}

DType cache_dtype_of(DType weights, const LanguageModelOptions& o) {
  return o.cache_dtype.value_or(is_float(o.dtype.value_or(weights)) ? o.dtype.value_or(weights) : f16);
}

std::shared_ptr<LoadedModel> assembled(Model model, Parts parts, std::int64_t context,
                                       std::optional<DType> cache_dtype) {
  auto out = std::make_shared<LoadedModel>(LoadedModel{.model = std::move(model)});
  out->tokenizer = std::move(parts.tokenizer);
  out->chat_template = std::move(parts.chat_template);
  out->without_tokenizer = std::move(parts.without_tokenizer);
  out->without_template = std::move(parts.without_template);
  out->defaults = std::move(parts.defaults);
  out->context = context;
  out->cache_dtype = cache_dtype;
  return out;
}

}  // namespace

LanguageModel::LanguageModel(std::shared_ptr<LoadedModel> state) : state_(std::move(state)) {}

LanguageModel::LanguageModel(Model model, std::optional<text::Tokenizer> tokenizer,
                             std::optional<text::ChatTemplate> chat_template, GenerationDefaults defaults,
                             const LanguageModelOptions& options) {
  check_tokenizer(model.config(), tokenizer);
  const std::int64_t context = context_of(model.config(), options.context);
  state_ = assembled(std::move(model),
                     {std::move(tokenizer), std::move(chat_template), "No tokenizer was given.",
                      "No chat template was given.", std::move(defaults)},
                     context, options.cache_dtype);
}

LanguageModel LanguageModel::load(const fs::path& path, const LanguageModelOptions& options) {
  const LoadOptions weights{.device = options.device, .dtype = options.dtype, .progress = options.progress};
  const auto check = [&](const Config& config, const Parts& parts, const WeightBytes& bytes, DType stored) {
    check_tokenizer(config, parts.tokenizer);
    const std::int64_t context = context_of(config, options.context);
    const std::uint64_t token = config.encoder ? 0 : cache_bytes(config, cache_dtype_of(stored, options));
    check_fit(bytes, token, context, options.device, options.memory);
    return context;
  };
  if (is_gguf(path)) {
    const io::GgufFile file(path);
    const GgufSource source(file);
    const Config config = source.config();
    Parts parts = parts_of(file);
    const DType stored = io::dtype_of(file.entry("token_embd.weight").type).value_or(f16);
    const std::int64_t context = check(config, parts, weight_bytes(file, options.dtype), stored);
    return LanguageModel(
        assembled(Model::load(config, source, Naming::kGguf, weights), std::move(parts), context, options.cache_dtype));
  }
  if (std::error_code error; !fs::is_directory(path, error)) {
    fail(ErrorKind::kIo, "LanguageModel: '{}' {}; a Hugging Face folder or a GGUF file is expected.", path.string(),
         fs::exists(path, error) ? "is another file" : "does not exist");
  }
  const Config config = Config::load(path);
  const io::HfFolder folder(path);
  Parts parts = parts_of(folder);
  DType stored = f16;
  for (const io::TensorEntry& e : folder.entries()) {
    if (e.shape.rank() == 2 && is_float(e.dtype)) stored = e.dtype;
  }
  const std::int64_t context = check(config, parts, weight_bytes(folder, options.dtype), stored);
  return LanguageModel(assembled(Model::load(path, weights), std::move(parts), context, options.cache_dtype));
}

Model& LanguageModel::model() const { return state_->model; }
const Config& LanguageModel::config() const { return state_->model.config(); }
const GenerationDefaults& LanguageModel::defaults() const { return state_->defaults; }
bool LanguageModel::has_tokenizer() const { return state_->tokenizer.has_value(); }
bool LanguageModel::has_chat_template() const { return state_->chat_template.has_value(); }
std::size_t LanguageModel::traces() const { return state_->compiled.traces(); }

const text::Tokenizer& LanguageModel::tokenizer() const {
  if (!state_->tokenizer)
    fail(ErrorKind::kUnsupported, "LanguageModel: text needs a tokenizer. {}", state_->without_tokenizer);
  return *state_->tokenizer;
}

const text::ChatTemplate& LanguageModel::chat_template() const {
  if (!state_->chat_template) {
    fail(ErrorKind::kUnsupported, "LanguageModel: a chat needs a chat template. {}", state_->without_template);
  }
  return *state_->chat_template;
}

Context LanguageModel::context(std::int64_t capacity) const {
  if (config().encoder) {
    fail(ErrorKind::kUnsupported, "LanguageModel: {} is an encoder, which generates no text; use embed().",
         config().model_type);
  }
  return {state_, capacity != 0 ? context_of(config(), capacity) : state_->context};
}

std::vector<TokenId> LanguageModel::encode(std::string_view text, bool add_special_tokens) const {
  return tokenizer().encode(text, {.add_special_tokens = add_special_tokens});
}

Generation LanguageModel::run(Context& context, std::vector<TokenId> prompt, const GenerateOptions& options,
                              const OnToken& on_token) const {
  context.check();
  if (context.model_ != state_) {
    fail(ErrorKind::kValue, "generate: the context belongs to another model; LanguageModel::context makes one.");
  }
  check(*state_, options);
  check_prompt(*state_, prompt, context.capacity());
  return llm::generate(*state_, context.cache_, context.tokens_, std::move(prompt), options, on_token,
                       [&] { context.reset(); });
}

Generation LanguageModel::generate(std::string_view prompt, const GenerateOptions& options,
                                   const OnToken& on_token) const {
  Context own = context();
  return generate(own, prompt, options, on_token);
}

Generation LanguageModel::generate(Context& context, std::string_view prompt, const GenerateOptions& options,
                                   const OnToken& on_token) const {
  return run(context, encode(prompt, options.add_special_tokens), options, on_token);
}

Generation LanguageModel::generate(Context& context, std::span<const TokenId> prompt, const GenerateOptions& options,
                                   const OnToken& on_token) const {
  return run(context, {prompt.begin(), prompt.end()}, options, on_token);
}

Generation LanguageModel::chat(Context& context, std::span<const text::Message> messages,
                               const GenerateOptions& options, const OnToken& on_token,
                               const text::ChatOptions& chat_options) const {
  text::ChatOptions with_prompt = chat_options;
  with_prompt.add_generation_prompt = true;
  // The template has written the special tokens.
  return run(context, encode(chat_template().apply(messages, with_prompt), false), options, on_token);
}

text::Tokenizer load_tokenizer(const fs::path& path) {
  if (!is_gguf(path)) return text::Tokenizer(path);
  const io::GgufFile file(path);
  const auto vocabulary = gguf_vocabulary(file);
  if (!vocabulary) fail(ErrorKind::kIo, "load_tokenizer: '{}' has no tokenizer.", path.string());
  return text::Tokenizer::from_json(text::tokenizer_json(*vocabulary), path.string());
}

}  // namespace tessera::llm
