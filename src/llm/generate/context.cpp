// Contexts: copies, truncation, and files with tokens, keys and values.
#include "tessera/llm/context.h"

#include <cstring>

#include "base/fail.h"
#include "base/hash.h"
#include "io/json.h"
#include "llm/generate/loaded_model.h"
#include "tessera/index.h"
#include "tessera/io.h"
#include "tessera/ops.h"

namespace tessera::llm {

namespace {

constexpr const char* kFormat = "tessera context 1";
constexpr std::string_view kNote = "note ";  // in front of the keys of notes
constexpr int kAxis = 2;                     // of tokens, in keys and values

/// Mixes values into a hash, as bytes.
class Hash {
 public:
  void text(std::string_view s) {
    add(s.size());
    for (const char c : s) add(static_cast<unsigned char>(c));
  }
  void number(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    add(bits);
  }
  void add(std::uint64_t x) { value_ = hash_mix(value_, x); }
  [[nodiscard]] std::string str() const { return fmt::format("{:016x}", value_); }

 private:
  std::uint64_t value_ = 0;
};

/// Whether a field of a cache has a row for each token.
bool has_rows(const Tensor& field, std::int64_t capacity) {
  return field.rank() == 4 && field.size(kAxis) == capacity && !is_block(field.dtype());
}

/// A tensor with a node of its own: what donates one leaves the other as it is.
Tensor own_copy(const Tensor& x) { return reshape(reshape(x, {1, x.numel()}).eval(), x.shape()); }

}  // namespace

std::string LoadedModel::fingerprint(const Cache& cache) const {
  const Config& c = model.config();
  Hash h;
  h.text(c.model_type);
  for (const std::int64_t n : {c.vocabulary, c.width, c.heads, c.kv_heads, c.head_size, c.intermediate,
                               static_cast<std::int64_t>(c.layers.size())}) {
    h.add(static_cast<std::uint64_t>(n));
  }
  for (const LayerConfig& layer : c.layers) {
    h.add(static_cast<std::uint64_t>(layer.window));
    h.add(static_cast<std::uint64_t>(layer.rope + 1));
  }
  for (const Rope& rope : c.ropes) {
    const bool extended = !rope.long_frequencies.empty() && cache.context() > rope.original_context;
    for (const double f : extended ? rope.long_frequencies : rope.frequencies) h.number(f);
    h.number(rope.magnitude);
    h.add(rope.interleaved ? 1 : 0);
  }
  h.text(name(cache.k[0].dtype()));
  // Weights of the same shapes: their norms differ.
  for (const std::optional<Norm>* norm : {&model.norm, &model.layers.front().mlp_norm}) {
    if (!norm->has_value()) continue;
    for (const float x : cast((*norm)->weight, f32).to_vector<float>()) h.number(x);
  }
  return h.str();
}

Context::Context(std::shared_ptr<LoadedModel> model, std::int64_t capacity)
    : model_(std::move(model)), capacity_(capacity), cache_(model_->cache(1, capacity)) {}

Context::Context(const Context& other)
    : model_(other.model_), capacity_(other.capacity_), cache_(other.cache_), tokens_(other.tokens_) {
  nn::visit(cache_, [](const nn::Field& f) { f.tensor = own_copy(f.tensor); });
}

Context& Context::operator=(const Context& other) {
  if (this != &other) *this = Context(other);
  return *this;
}

void Context::check() const {
  if (model_ == nullptr) fail(ErrorKind::kValue, "Context: it belongs to no model; LanguageModel::context makes one.");
}

void Context::reset() {
  tokens_.clear();
  cache_ = model_->cache(1, capacity_);
}

void Context::truncate(std::int64_t count) {
  check();
  if (count < 0 || count > size()) {
    fail(ErrorKind::kValue, "Context: truncate({}) was called; it has {} tokens.", count, size());
  }
  tokens_.resize(static_cast<std::size_t>(count));
  set_lengths(cache_, {static_cast<std::int32_t>(count)}, model_->device());
}

void Context::save(const std::filesystem::path& file, const Notes& notes) const {
  check();
  std::vector<Tree::Named> tensors;
  const std::vector<std::int32_t> ids(tokens_.begin(), tokens_.end());
  tensors.emplace_back("tokens", Tensor(ids, {size()}, model_->device()));
  Cache cache = cache_;
  nn::visit(cache, [&](const nn::Field& f) {
    if (f.name == "lengths") return;
    const bool rows = has_rows(f.tensor, capacity_);
    tensors.emplace_back("cache." + f.name, rows ? slice(f.tensor, {{}, {}, {0, size()}}) : f.tensor);
  });
  io::Metadata metadata{{"format", kFormat}, {"model", model_->fingerprint(cache_)}};
  for (const auto& [key, value] : notes) metadata[std::string(kNote) + key] = value;
  io::save_safetensors(file, tensors, metadata);
}

Context::Notes Context::restore(const std::filesystem::path& path) {
  check();
  const io::SafetensorsFile file(path);
  const auto damaged = [&](std::string_view what) {
    fail(ErrorKind::kParse, "Context: '{}' {}.", path.string(), what);
  };
  const auto value = [&](const char* key) {
    const auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  if (value("format") != kFormat)
    damaged(fmt::format("is not a saved context: its format is {}", io::quote(value("format"))));
  if (!file.contains("tokens")) damaged("has no tokens");
  const io::TensorEntry& entry = file.entry("tokens");
  if (entry.dtype != i32 || entry.shape.rank() != 1) {
    damaged(fmt::format("has tokens of dtype {} and shape {}; i32 and one axis are expected", name(entry.dtype),
                        entry.shape.str()));
  }
  const std::string own = model_->fingerprint(cache_);
  if (value("model") != own) {
    fail(ErrorKind::kValue,
         "Context: '{}' was saved by another model or with another kind of cache ({}; {} is expected).", path.string(),
         io::quote(value("model")), own);
  }
  const std::int64_t count = entry.shape[0];
  if (count > capacity_) {
    fail(ErrorKind::kValue, "Context: '{}' has {} tokens; the context has room for {}.", path.string(), count,
         capacity_);
  }
  std::vector<text::TokenId> tokens;
  for (const std::int32_t id : file.tensor("tokens", model_->device()).to_vector<std::int32_t>()) {
    if (id < 0 || id >= model_->model.config().vocabulary) {
      damaged(fmt::format("has the token {}; from 0 to {} is expected", id, model_->model.config().vocabulary - 1));
    }
    tokens.push_back(static_cast<text::TokenId>(id));
  }
  Cache cache = model_->cache(1, capacity_);
  std::size_t used = 1;
  nn::visit(cache, [&](const nn::Field& f) {
    if (f.name == "lengths") return;
    const std::string name = "cache." + f.name;
    if (!file.contains(name)) damaged(fmt::format("has no tensor {}", io::quote(name)));
    const io::TensorEntry& saved = file.entry(name);
    const bool rows = has_rows(f.tensor, capacity_);
    Shape shape = f.tensor.shape();
    if (rows) shape[kAxis] = count;
    if (saved.dtype != f.tensor.dtype() || saved.shape != shape) {
      damaged(fmt::format("has {} of dtype {} and shape {}; {} and {} are expected", io::quote(name),
                          tessera::name(saved.dtype), saved.shape.str(), tessera::name(f.tensor.dtype()), shape.str()));
    }
    ++used;
    if (count == 0 && rows) return;
    const Tensor values = file.tensor(name, model_->device());
    f.tensor = rows ? slice_update(f.tensor, values, {0}, {kAxis}).eval() : own_copy(values);
  });
  if (used != file.entries().size())
    damaged(fmt::format("has {} tensors; {} are expected", file.entries().size(), used));
  set_lengths(cache, {static_cast<std::int32_t>(count)}, model_->device());
  cache_ = std::move(cache);
  tokens_ = std::move(tokens);
  Notes notes;
  for (const auto& [key, text] : file.metadata()) {
    if (key.starts_with(kNote)) notes[key.substr(kNote.size())] = text;
  }
  return notes;
}

}  // namespace tessera::llm
